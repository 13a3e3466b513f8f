// the sum of a block by warps, then by the first warp, in two functions
#include "conformance.h"

__device__ int sum_of_warp(int value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
__device__ int sum_of_block(int value)
{
    static __shared__ int shared[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = sum_of_warp(value);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (warp == 0)
        value = sum_of_warp(value);
    return value;
}
__global__ void k(int *out, const int *in, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
int main()
{
    enum { N = 1000, B = 3 };
    int *out = managed(B), *in = managed(N);
    for (int i = 0; i < N; i++)
        in[i] = i * 37 % 101 - 20;
    k<<<B, 256>>>(out, in, N);
    return check(out, B, [&](int b) {
        int sum = 0;
        for (int i = 0; i < N; i++)
            sum += i / 256 % B == b ? in[i] : 0;
        return sum;
    });
}
