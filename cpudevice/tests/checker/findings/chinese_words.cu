// Texts that are put together of several, and what the runtime says of an error: no word of them stays English.
// BUILD: $cucc --check -o $exe $case
// TEST: the pieces of a finding in Chinese
// RUN: (COURSE_LANG=zh $exe || :) 2>&1 | sed "s|$folder/||"
// SAYS: ：以原子操作更新 4 个字节
// SAYS: 动态共享内存第
// SAYS: 没有先后关系的流上，复制与 memset 访问同一块内存（先写后读）
// SAYS: cudaLaunchKernel 失败：cudaErrorInvalidValue（1，无效的参数）
// SAYS: cudaMemset 的 256 字节超出了内存：设备内存有 128 字节，越过其末尾 128 字节
// TEST: and no English
// RUN: (COURSE_LANG=zh $exe || :) 2>&1 | grep -v '^ *|' | grep -c ' of \|dynamic\|bytes\|memory' || :
// PRINTS: 0
#include <cuda_runtime.h>
__global__ void add(int *x)
{
    atomicAdd(&x[threadIdx.x], 1);
}
__global__ void reverse(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x % 32];
    x[threadIdx.x % 32] = s[63 - threadIdx.x];
}
int main()
{
    int *x, *y;
    cudaStream_t a, b;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&y, 32 * sizeof *y);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMemsetAsync(x, 0, 32 * sizeof *x, a);
    cudaMemcpyAsync(y, x, 32 * sizeof *x, cudaMemcpyDeviceToDevice, b);
    cudaDeviceSynchronize();
    reverse<<<1, 64, 64 * sizeof *x>>>(x);
    cudaDeviceSynchronize();
    cudaMemset(x, 0, 64 * sizeof *x);
    add<<<1, 2048>>>(x);
    cudaGetLastError();
    add<<<1, 33>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}
