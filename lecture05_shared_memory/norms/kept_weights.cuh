/* kept_weights.cuh: rung 8 of norms. A block has the same columns of all rows that its cluster does, and reads their
 * weights from memory once, into shared memory. A thread reads and writes only its own columns, so nothing but the
 * sums needs a barrier:
 *
 *     shared memory    the weights of the block's columns, and its part of the row after next
 *     registers        its part of the row at hand, and of the next one
 *
 * The sums of the next row are sent before the row at hand is finished: the one exchange of a row, over the cluster, is
 * under way while the block multiplies and stores. (In rung 7 a row waits for two barriers of the block and one of the
 * cluster.) */
#ifndef NORMS_KEPT_WEIGHTS_CUH
#define NORMS_KEPT_WEIGHTS_CUH

#include "../vectors.cuh"
#include "ptx.cuh"

#include <cooperative_groups.h>

enum {
    KEPT_THREADS = 512,
    KEPT_WARPS = KEPT_THREADS / 32,
    KEPT_EACH = 8, /* vectors per thread of a row */
    KEPT_PART = KEPT_EACH * KEPT_THREADS,
    KEPT_CLUSTER = 16,
};

template <typename T> struct KeptPart {
    typedef Vector<T> Row[KEPT_EACH];
    const Vector<T> *x;
    Vector<T> *next;        /* this thread's places in shared memory */
    int row_vectors, first; /* the row's, and where this thread's first one is */

    template <bool WHOLE> __device__ bool has(int e) const { return WHOLE || first + e * KEPT_THREADS < row_vectors; }

    template <bool WHOLE> __device__ void ask(unsigned row) const
    {
        const Vector<T> *from = x + (size_t)row * row_vectors + first;
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e++)
            if (has<WHOLE>(e))
                cp_async_16(&next[e * KEPT_THREADS], &from[e * KEPT_THREADS]);
    }

    template <bool WHOLE> __device__ void take(Row &row) const
    {
        cp_async_wait<0>();
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e++)
            row[e].bits = has<WHOLE>(e) ? next[e * KEPT_THREADS].bits : make_uint4(0, 0, 0, 0);
    }

    /* How many numbers warp `warp` of the cluster has. */
    template <bool WHOLE> __device__ float count(int warp) const
    {
        if (WHOLE)
            return (float)(KEPT_EACH * 32 * Vector<T>::COUNT);
        const int begin = warp / KEPT_WARPS * KEPT_PART + warp % KEPT_WARPS * 32;
        int n = 0;
#pragma unroll 1
        for (int e = 0; e < KEPT_EACH; e++)
            n += min(max(row_vectors - begin - e * KEPT_THREADS, 0), 32);
        return (float)(n * Vector<T>::COUNT);
    }

    /* Mean (0 with RMS) of what this warp has, and the sum of squares around it. One pass, over differences from one of
     * the lane's own numbers: of n numbers the subtraction at the end loses at most a factor of n. */
    template <bool RMS, bool WHOLE> __device__ float2 sums(const Row &row, int warp) const
    {
        constexpr int COUNT = Vector<T>::COUNT;
        float v[COUNT], sum = 0, squares = 0, mine = 0;
        row[0].get(v);
        const float shift = RMS ? 0 : v[0];
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e++)
            if (has<WHOLE>(e)) {
                row[e].get(v);
#pragma unroll
                for (int j = 0; j < COUNT; j++) {
                    const float d = v[j] - shift;
                    sum += d;
                    squares += d * d;
                }
                mine += COUNT;
            }
        if (RMS)
            return make_float2(0, warp_sum(squares));
        const float middle = shift + (mine > 0 ? sum / mine : 0), of_warp = count<WHOLE>(warp);
        const float mean = of_warp > 0 ? warp_sum(mine * middle) / of_warp : 0, off = middle - mean;
        return make_float2(mean, warp_sum((mine > 0 ? squares - sum * (sum / mine) : 0) + mine * off * off));
    }

    /* Scale and mean of a row from its warps', by Chan, Golub and LeVeque's rule. */
    template <bool RMS, bool WHOLE> __device__ float2 merged(const float2 *of, int warps) const
    {
        const int lane = threadIdx.x % 32;
        const float all = (float)row_vectors * Vector<T>::COUNT;
        float mean = 0, squares = 0;
        if (!RMS) {
            for (int w = lane; w < warps; w += 32)
                mean += count<WHOLE>(w) * of[w].x;
            mean = warp_sum(mean) / all;
        }
        for (int w = lane; w < warps; w += 32) {
            const float off = of[w].x - mean;
            squares += of[w].y + (RMS ? 0 : count<WHOLE>(w) * off * off);
        }
        return make_float2(rsqrtf(warp_sum(squares) / all + EPSILON), mean);
    }
};

template <typename T, bool RMS, bool WHOLE>
__global__ void __launch_bounds__(KEPT_THREADS, 1)
    norm_kernel8(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, unsigned rows,
                 int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) uint4 norm_kept[];      /* next row, weights, biases: KEPT_PART vectors each */
    __shared__ float2 of_warp[2][KEPT_WARPS * KEPT_CLUSTER]; /* in turns */
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int rank = cluster.block_rank(), lane = threadIdx.x % 32, warp = rank * KEPT_WARPS + threadIdx.x / 32;
    Vector<T> *next = (Vector<T> *)norm_kept + threadIdx.x, *w = next + KEPT_PART, *b = w + KEPT_PART;
    const KeptPart<T> part = {x, next, row_vectors, rank * KEPT_PART + (int)threadIdx.x};
    typename KeptPart<T>::Row even = {}, odd = {};
    const unsigned step = gridDim.x / blocks; /* at most 2^31 - 1, as the rows: a sum does not overflow */
    unsigned row = blockIdx.x / blocks;       /* there is one: there are at most as many clusters as rows */
    part.template ask<WHOLE>(row);
#pragma unroll
    for (int e = 0; e < KEPT_EACH; e++)
        if (part.template has<WHOLE>(e)) {
            cp_async_16(&w[e * KEPT_THREADS], &weight[part.first + e * KEPT_THREADS]);
            if (!RMS)
                cp_async_16(&b[e * KEPT_THREADS], &bias[part.first + e * KEPT_THREADS]);
        }
    cp_async_commit();
    /* Takes row r, and asks for the one after it. */
    const auto take = [&](typename KeptPart<T>::Row &into, unsigned r) {
        part.template take<WHOLE>(into);
        if (r + step < rows)
            part.template ask<WHOLE>(r + step);
        cp_async_commit();
        return part.template sums<RMS, WHOLE>(into, warp);
    };
    const auto send = [&](float2 sums, int turn) {
        if (lane < blocks)
            *cluster.map_shared_rank(&of_warp[turn][warp], lane) = sums;
        cluster.barrier_arrive();
    };
    const auto one = [&](typename KeptPart<T>::Row &here, typename KeptPart<T>::Row &following, int turn) {
        const bool more = row + step < rows;
        float2 sums = {};
        if (more)
            sums = take(following, row + step);
        cluster.barrier_wait();
        const float2 stat = part.template merged<RMS, WHOLE>(of_warp[turn], blocks * KEPT_WARPS);
        if (more)
            send(sums, turn ^ 1);
        Vector<T> *to = y + (size_t)row * row_vectors + part.first;
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e++) {
            if (part.template has<WHOLE>(e))
                to[e * KEPT_THREADS].bits =
                    result<T, RMS>(here[e], w[e * KEPT_THREADS], RMS ? Vector<T>{} : b[e * KEPT_THREADS], stat).bits;
            if (!WHOLE || e % 2)
                __syncwarp(); /* the compiler would load all weights at once, and spill them */
        }
        row += step;
        return more;
    };
    cluster.sync(); /* all blocks have begun: they may be written to */
    send(take(even, row), 0);
    while (one(even, odd, 0) && one(odd, even, 1))
        ;
#endif
}

/* Blocks that a row needs, a power of two. */
static unsigned kept_blocks(size_t vectors)
{
    unsigned blocks = 1;
    while (blocks * (size_t)KEPT_PART < vectors)
        blocks *= 2;
    return blocks;
}

/* Clusters that stay for all rows leave the memory idle when the fastest is done; clusters of one row read all weights for
 * it. About 8 rows each was best on an H100, and 16 with 8 blocks. Sixteen blocks, more than every device has places for,
 * stay; 0 is returned, and nothing launched, where they find none. */
template <typename T, bool RMS, bool WHOLE>
static int launch_kept(const void *x, const void *weight, const void *bias, void *y, size_t rows, size_t cols,
                       cudaStream_t stream)
{
    auto kernel = norm_kernel8<T, RMS, WHOLE>;
    const size_t vectors = cols / Vector<T>::COUNT, bytes = (RMS ? 2 : 3) * (size_t)KEPT_PART * 16;
    const unsigned blocks = kept_blocks(vectors);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    if (blocks > 8)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(KEPT_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    int fit = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&fit, kernel, &config));
    if (!fit)
        return 0;
    const size_t each = blocks > 4 ? 16 : 8, turns = blocks > 8 ? 1 : rows / (each * (size_t)fit);
    const size_t wanted = (turns ? turns : 1) * (size_t)fit, clusters = wanted < rows ? wanted : rows;
    config.gridDim = dim3((unsigned)clusters * blocks);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, (const Vector<T> *)x, (const Vector<T> *)weight,
                                  (const Vector<T> *)bias, (Vector<T> *)y, (unsigned)rows, (int)vectors, (int)blocks));
    return (int)clusters;
}

#endif
