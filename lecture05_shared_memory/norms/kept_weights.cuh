/* kept_weights.cuh: rungs 8 and 9 of norms. A block has the same columns of all rows that its cluster does, and reads their
 * weights from memory once, into shared memory. A thread reads and writes only its own columns, so nothing but the
 * sums needs a barrier:
 *
 *     shared memory    the weights of the block's columns, and its part of the row after next
 *     registers        its part of the row at hand, and of the next one
 *
 * The sums of the next row are sent before the row at hand is finished: the one exchange of a row, over the cluster, is
 * under way while the block multiplies and stores. (In rung 7 a row waits for two barriers of the block and one of the
 * cluster.)
 *
 * In rung 8 a cluster's rows are fixed: every so many. Clusters are not equally fast, so those that stay for all rows end
 * at different times; many short ones load their weights anew. In rung 9 they stay, and take tickets for their rows. A
 * ticket is taken four rows ahead, and sent to the cluster's blocks with the sums: it costs no barrier and no wait. */
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

    /* LATER: of how many groups of copies begun after the row's it need not wait. */
    template <bool WHOLE, int LATER> __device__ void take(Row &row) const
    {
        cp_async_wait<LATER>();
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
    template <bool RMS, bool WHOLE, typename ROW> __device__ float2 sums(const ROW &row, int warp) const
    {
        constexpr int COUNT = Vector<T>::COUNT;
        float v[COUNT] = {}, sum = 0, squares = 0, mine = 0;
        if (has<WHOLE>(0))
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

/* Tickets drawn, and clusters that are done. 0 between launches, of which one runs at a time. */
__device__ static unsigned norm_tickets, norm_done;

template <typename T, bool RMS, bool WHOLE, bool TICKETS>
__global__ void __launch_bounds__(KEPT_THREADS, 1)
    norm_kernel8(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, unsigned rows,
                 int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) uint4 norm_kept[];      /* next row, weights, biases: KEPT_PART vectors each */
    __shared__ float2 of_warp[2][KEPT_WARPS * KEPT_CLUSTER]; /* in turns */
    __shared__ unsigned drawn[2];                            /* rows, in turns */
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int rank = cluster.block_rank(), lane = threadIdx.x % 32, warp = rank * KEPT_WARPS + threadIdx.x / 32;
    Vector<T> *next = (Vector<T> *)norm_kept + threadIdx.x, *w = next + KEPT_PART, *b = w + KEPT_PART;
    const KeptPart<T> part = {x, next, row_vectors, rank * KEPT_PART + (int)threadIdx.x};
    typename KeptPart<T>::Row even = {}, odd = {};
    const unsigned clusters = gridDim.x / blocks; /* at most as many as rows, or an eighth of them: no sum overflows */
    const bool draws = TICKETS && warp == 0;      /* the first warp of the cluster */
    unsigned row = blockIdx.x / blocks, row1 = row + clusters, row2 = row1 + clusters; /* at hand, and the next two */
    if (TICKETS && threadIdx.x == 0)
        drawn[1] = row2 + clusters; /* each cluster's first four rows need no ticket */
    part.template ask<WHOLE>(row);
    cp_async_commit();
#pragma unroll
    for (int e = 0; e < KEPT_EACH; e++)
        if (part.template has<WHOLE>(e)) {
            cp_async_16(&w[e * KEPT_THREADS], &weight[part.first + e * KEPT_THREADS]);
            if (!RMS)
                cp_async_16(&b[e * KEPT_THREADS], &bias[part.first + e * KEPT_THREADS]);
        }
    cp_async_commit();
    /* Of a row that was taken: asks for the one after it, and returns the sums. */
    const auto go_on = [&](const typename KeptPart<T>::Row &taken, unsigned after) {
        if (after < rows)
            part.template ask<WHOLE>(after);
        cp_async_commit();
        return part.template sums<RMS, WHOLE>(taken, warp);
    };
    const auto send = [&](float2 sums, int turn) {
        if (lane < blocks)
            *cluster.map_shared_rank(&of_warp[turn][warp], lane) = sums;
    };
    const auto one = [&](typename KeptPart<T>::Row &here, typename KeptPart<T>::Row &following, int turn) {
        const bool more = row1 < rows;
        float2 sums = {};
        // notes: ticket
        unsigned ticket = rows;
        if (draws && lane == 0 && row2 < rows)
            ticket = 4 * clusters + atomicAdd(&norm_tickets, 1u); /* arrives while the warp waits for its next row */
        if (more) {
            part.template take<WHOLE, 0>(following);
            sums = go_on(following, row2);
        } else
            cp_async_wait<0>(); /* for the weights, where this is the cluster's only row */
        cluster.barrier_wait();
        const unsigned row3 = TICKETS ? drawn[turn ^ 1] : row2 + clusters;
        const float2 stat = part.template merged<RMS, WHOLE>(of_warp[turn], blocks * KEPT_WARPS);
        if (more) {
            send(sums, turn ^ 1);
            if (draws) {
                ticket = __shfl_sync(0xffffffffu, ticket, 0);
                if (lane < blocks)
                    *cluster.map_shared_rank(&drawn[turn], lane) = ticket;
            }
            cluster.barrier_arrive();
        }
        // notes end
        Vector<T> *to = y + (size_t)row * row_vectors + part.first;
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e++) {
            if (part.template has<WHOLE>(e))
                to[e * KEPT_THREADS].bits =
                    result<T, RMS>(here[e], w[e * KEPT_THREADS], RMS ? Vector<T>{} : b[e * KEPT_THREADS], stat).bits;
            if (!WHOLE || e % 2)
                __syncwarp(); /* the compiler would load all weights at once, and spill them */
        }
        row = row1;
        row1 = row2;
        row2 = row3;
        return more;
    };
    cluster.sync();                     /* all blocks have begun: they may be written to */
    part.template take<WHOLE, 1>(even); /* the weights may come later */
    send(go_on(even, row1), 0);
    cluster.barrier_arrive();
    while (one(even, odd, 0) && one(odd, even, 1))
        ;
    if (draws && lane == 0 && atomicAdd(&norm_done, 1u) == clusters - 1) { /* all have taken their last */
        atomicExch(&norm_tickets, 0u);
        atomicExch(&norm_done, 0u);
    }
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

/* Without tickets, clusters that stay for all rows leave the memory idle when the fastest is done; clusters of one row read
 * all weights for it. About 8 rows each was best on an H100, and 16 with 8 blocks. Sixteen blocks, more than every device
 * has places for, stay; 0 is returned, and nothing launched, where they find none. `bytes` of shared memory. */
template <typename T, typename KERNEL>
static int launch_kept(KERNEL kernel, size_t bytes, bool tickets, const void *x, const void *weight, const void *bias,
                       void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    const size_t vectors = cols / Vector<T>::COUNT;
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
    const size_t each = blocks > 4 ? 16 : 8, turns = tickets || blocks > 8 ? 1 : rows / (each * (size_t)fit);
    const size_t wanted = (turns ? turns : 1) * (size_t)fit, clusters = wanted < rows ? wanted : rows;
    config.gridDim = dim3((unsigned)clusters * blocks);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, (const Vector<T> *)x, (const Vector<T> *)weight,
                                  (const Vector<T> *)bias, (Vector<T> *)y, (unsigned)rows, (int)vectors, (int)blocks));
    return (int)clusters;
}

#endif
