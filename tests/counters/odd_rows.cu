// 32 rows of 32 floats, 33 floats apart, a warp to a row: the first of each eight rows begins with a sector, the others
// in the middle of one. 4 x 4 + 28 x 5 sectors.
#include <cuda_runtime.h>

__global__ void odd_rows(float *out, const float *in)
{
    int i = threadIdx.y * 33 + threadIdx.x;
    out[i] = in[i];
}

int main()
{
    float *a;
    cudaMallocManaged(&a, 2 * 33 * 32 * sizeof(float));
    for (int i = 0; i < 33 * 32; i++)
        a[i] = (float)i;
    odd_rows<<<1, dim3(32, 32)>>>(a + 33 * 32, a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
