/* meet.cuh: how kernels of several GPUs wait for each other, by flags in the peers' memory; and which part of a vector is
 * whose. */
#ifndef MEET_CUH
#define MEET_CUH

#include "ranks.cuh"

/* The part of rank r: [first, end) of n elements, whole float4s except at the end. */
__host__ __device__ static inline size_t part_begin(size_t n, int r, int ranks)
{
    const size_t quads = (n + 3) / 4, begin = quads * (size_t)r / (size_t)ranks * 4;
    return begin < n ? begin : n;
}

/* Block b of each rank waits until block b of every other rank is here, too. `when` grows from call to call. What the
 * ranks wrote before is visible after. */
__device__ static inline void meet(const View &v, unsigned when)
{
    __syncthreads();
    const int peer = threadIdx.x;
    if (peer < v.ranks && peer != v.rank) {
        __threadfence_system();
        *(volatile unsigned *)&v.signals[peer]->arrived[blockIdx.x][v.rank] = when;
        volatile unsigned *mine = &v.signals[v.rank]->arrived[blockIdx.x][peer];
        while ((int)(*mine - when) < 0)
            ;
        __threadfence_system();
    }
    __syncthreads();
}

/* The number of this collective: the same on all ranks, and kept in memory, since a graph's arguments do not change. */
__device__ static inline unsigned epoch_begin(const View &v) { return *(volatile unsigned *)&v.signals[v.rank]->epoch; }

__device__ static inline void epoch_end(const View &v, unsigned epoch)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        Signals *s = v.signals[v.rank];
        __threadfence();
        if (atomicAdd(&s->ticket, 1) == gridDim.x - 1) {
            s->ticket = 0;
            *(volatile unsigned *)&s->epoch = epoch + 1;
        }
    }
}

#endif
