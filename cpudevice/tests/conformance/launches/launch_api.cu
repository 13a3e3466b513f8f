// cudaLaunchKernel with an array of arguments, and cudaLaunchKernelEx
#include "conformance.h"

__global__ void k(int *out, int a, float b, short c) { out[threadIdx.x] = a + (int)b + c; }
int main()
{
    int *out = managed(2 * T), a = 1, *second = out + T;
    float b = 20;
    short c = 300;
    void *arguments[] = {&out, &a, &b, &c};
    cudaLaunchKernel((const void *)k, dim3(1), dim3(T), arguments, 0, 0);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1, config.blockDim = T;
    cudaLaunchKernelEx(&config, k, second, a + 1, b, c);
    return check(out, 2 * T, [](int i) { return i < T ? 321 : 322; });
}
