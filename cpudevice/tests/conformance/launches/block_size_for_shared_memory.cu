// cudaOccupancyMaxPotentialBlockSize and its three variants: a kernel whose shared memory grows with the block, so that
// the best block is not the largest one
#include "conformance.h"

__global__ void k(int *out)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// 32 bytes a thread, and 40 KB once a block has more than 128
struct Shared {
    __host__ __device__ size_t operator()(int threads) const { return threads > 128 ? 40960 : threads * 32; }
};
int main()
{
    int grid[4], block[4], wrong = 0, processors;
    cudaError_t e[4] = {
        cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid[0], &block[0], k, Shared(), 256),
        cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid[1], &block[1], k, Shared(), 256, cudaOccupancyDefault),
        cudaOccupancyMaxPotentialBlockSize(&grid[2], &block[2], k, 64, 128),
        cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid[3], &block[3], k, 64, 128, cudaOccupancyDisableCachingOverride)};
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    for (int i = 0; i < 4; i++) { // blocks of the best size leave no thread of a multiprocessor unused
        int most, best = 0;
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
        for (int size = 32; size <= (i < 2 ? 256 : 128); size += 32) {
            int blocks = 0;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, size, i < 2 ? Shared()(size) : 64);
            best = blocks * size > best ? blocks * size : best;
        }
        wrong += e[i] != cudaSuccess || best > most || grid[i] * block[i] != best * processors;
    }
    wrong += block[0] != block[1] || grid[0] != grid[1] || block[2] != block[3] || grid[2] != grid[3] || block[2] != 128 || block[0] != 128;
    int *out = managed(1024);
    k<<<1, block[0], Shared()(block[0])>>>(out);
    return check(out, block[0], [&](int t) { return block[0] - 1 - t; }) || wrong;
}
