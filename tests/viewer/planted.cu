/* A race, an access out of bounds, and words that must not become part of the page. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void race(int *out, const char *name)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;                                 /* line 8: the race's write */
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];     /* line 9: its read */
    if (name[0] == '?')
        printf("</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>");
}

template <int n> struct box { int x; };
__global__ void beyond(box<1> *out) /* its name has a '<' in it */
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + 1].x = i; /* line 18: the last one is out of bounds */
}

int main(int argc, char **)
{
    int *out;
    char *name;
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMalloc(&name, 16);
    cudaMemset(name, 0, 16);
    if (argc > 1)
        beyond<<<2, 64>>>((box<1> *)out);
    else
        race<<<2, 64>>>(out, name);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(name);
    return 0;
}
