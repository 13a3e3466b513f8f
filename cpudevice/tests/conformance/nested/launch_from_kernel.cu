// a kernel launches kernels: one thread, with and without streams
#include "conformance.h"

__global__ void child(int *out, int by) { atomicAdd(&out[blockIdx.x * blockDim.x + threadIdx.x], by); }
__global__ void parent(int *out)
{
    if (threadIdx.x == 3) {
        child<<<2, T / 2>>>(out, 1);
        child<<<1, T>>>(out, 10);
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        child<<<1, dim3(T), 0, s>>>(out, 100);
        cudaStreamDestroy(s);
    }
}
int main()
{
    int *out = managed(T);
    for (int t = 0; t < T; t++)
        out[t] = t * 1000;
    parent<<<1, 32>>>(out);
    return check(out, T, [](int t) { return 1000 * t + 111; });
}
