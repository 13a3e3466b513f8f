/* cuprof_model.cu: what profiler_model.c runs under cuprof --model: launches of two kernels, a fill, and kernels for which
 * the model has no time, since their blocks wait for each other. */
#include <cooperative_groups.h>

template <int A, int B> __global__ void add(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += A - B; }

__global__ void strided(float *x) { x[(blockIdx.x * blockDim.x + threadIdx.x) * 8] += 1; }

__global__ void meet(float *x)
{
    cooperative_groups::this_grid().sync();
    x[threadIdx.x] += 1;
}

int main()
{
    float *x;
    cudaMalloc(&x, sizeof(float) << 16);
    cudaMemset(x, 0, sizeof(float) << 16);
    void *arguments[] = {&x};
    for (int i = 0; i < 3; i++) {
        add<7, 2><<<dim3(2 << i), dim3(64)>>>(x);
        strided<<<16, 128>>>(x);
        cudaLaunchCooperativeKernel((void *)meet, dim3(2), dim3(32), arguments, 0, NULL);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
