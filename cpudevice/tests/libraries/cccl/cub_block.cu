// SKIPS: CCCL is not here
// TEST: cub_block
// RUN: needs_cccl && $cucc -O1 -o $exe $case && $exe
// TEST: cub_block under --check, without a finding
// RUN: needs_cccl && $cucc -O1 --check -o $exe $case && $exe
// SAYS:  0 errors 
// CUB's block-wide and warp-wide primitives within a kernel, compared with plain loops.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/functional>
#include <algorithm>
#include <cstdio>
#include <vector>

enum { T = 128, EACH = 4, N = T * EACH };

__global__ void primitives(const int *in, int *sum, int *scan, int *sorted, int *warps)
{
    using Reduce = cub::BlockReduce<int, T>;
    using Scan = cub::BlockScan<int, T>;
    using Sort = cub::BlockRadixSort<int, T, EACH>;
    using Warp = cub::WarpReduce<int>;
    __shared__ union {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
        Sort::TempStorage sort;
        Warp::TempStorage warp[T / 32];
    } shared;
    int v[EACH], prefix[EACH];
    for (int i = 0; i < EACH; i++)
        v[i] = in[threadIdx.x * EACH + i];
    int all = Reduce(shared.reduce).Sum(v);
    if (threadIdx.x == 0)
        *sum = all;
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(v, prefix);
    __syncthreads();
    int most = Warp(shared.warp[threadIdx.x / 32]).Reduce(v[0], cuda::maximum<>());
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = most;
    __syncthreads();
    Sort(shared.sort).Sort(v);
    for (int i = 0; i < EACH; i++) {
        scan[threadIdx.x * EACH + i] = prefix[i];
        sorted[threadIdx.x * EACH + i] = v[i];
    }
}

int main()
{
    int *in, *sum, *scan, *sorted, *warps, bad = 0, running = 0;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&scan, N * sizeof *scan);
    cudaMallocManaged(&sorted, N * sizeof *sorted);
    cudaMallocManaged(&warps, T / 32 * sizeof *warps);
    for (int i = 0; i < N; i++)
        in[i] = (int)(i * 2654435761u >> 12);
    primitives<<<1, T>>>(in, sum, scan, sorted, warps);
    cudaError_t error = cudaDeviceSynchronize();
    std::vector<int> want(in, in + N);
    std::sort(want.begin(), want.end());
    for (int i = 0; i < N; i++) {
        bad += scan[i] != running;
        running += in[i];
        bad += sorted[i] != want[i];
    }
    bad += *sum != running;
    for (int w = 0; w < T / 32; w++) {
        int most = in[w * 32 * EACH];
        for (int lane = 1; lane < 32; lane++)
            most = std::max(most, in[(w * 32 + lane) * EACH]);
        bad += warps[w] != most;
    }
    for (void *p : {(void *)in, (void *)sum, (void *)scan, (void *)sorted, (void *)warps})
        cudaFree(p);
    printf("%s, %d wrong\n", cudaGetErrorString(error), bad);
    return error || bad;
}
