// a reduction over a block by shuffles, as everybody writes it
#include "conformance.h"

__inline__ __device__ float warp_sum(float v)
{
    for (int d = warpSize / 2; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}
__inline__ __device__ float block_sum(float v)
{
    static __shared__ float part[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    v = warp_sum(v);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
    if (warp == 0)
        v = warp_sum(v);
    return v;
}
__global__ void k(float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += i % 5;
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
int main()
{
    float *out = managed<float>(1);
    *out = 0;
    k<<<3, 128>>>(out, 1001);
    return check(out, 1, [](int) { return 2000; });
}
