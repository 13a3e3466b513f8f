/* stream_k.cuh: how a persistent grid shares out tiles that do not fill its last wave.
 *
 * 2048 tiles on 132 blocks are 15 whole waves and 68 tiles more: in a sixteenth wave half the chip would rest. So those
 * 68 are cut along K: their steps, laid end to end, are divided evenly, and each block (or cluster) gets one run of
 * them, before its whole tiles. A run ends in the middle of one tile and the next begins there: the block that has a
 * tile's first part adds up what the others hand over through memory, always in the same order, and stores the tile. */
#ifndef HOPPER_STREAM_K_CUH
#define HOPPER_STREAM_K_CUH

#include <stdint.h>

// notes: work
/* Where partial sums are handed over: for each consumer of each block a part of `sums`, and a flag that says for which
 * launch it holds them. */
typedef struct StreamK {
    int whole_waves; /* tiles of a cluster that are its own from first step to last; the rest is shared out */
    int run, longer; /* steps in a cluster's run of the rest; the first `longer` clusters have one more */
    float4 *sums;
    int *flags, launch;
} StreamK;

/* What a cluster does, piece by piece: steps from k0 to k1 (not included) of tile `tile`. Producer and consumers walk
 * through the same list. With SHARE 0 whole tiles only, `clusters` apart. */
template <int SHARE> struct WorkList {
    int tiles, steps, clusters, position, end, next_tile; /* tiles: the whole ones */
    const StreamK &s;

    __device__ __forceinline__ int begin_of(int cluster) const /* of its run, in steps of the tiles that are shared */
    {
        return s.run * cluster + min(cluster, s.longer);
    }
    __device__ __forceinline__ WorkList(int tiles, int steps, int clusters, int me, const StreamK &s)
        : tiles(SHARE ? s.whole_waves * clusters : tiles), steps(steps), clusters(clusters), position(0), end(0),
          next_tile(me), s(s)
    {
        if (SHARE) {
            position = begin_of(me);
            end = begin_of(me + 1);
        }
    }
    __device__ __forceinline__ bool next(int *tile, int *k0, int *k1)
    {
        if (SHARE && position < end) {
            const int t = position / steps;
            *tile = tiles + t; /* numbered after the whole ones */
            *k0 = position - t * steps;
            *k1 = min(steps, *k0 + end - position);
            position += *k1 - *k0;
            return true;
        }
        *tile = next_tile;
        *k0 = 0;
        *k1 = steps;
        if (next_tile >= tiles)
            return false;
        next_tile += clusters;
        return true;
    }
    __device__ __forceinline__ bool more(void) const { return (SHARE && position < end) || next_tile < tiles; }
};
// notes end

/* A consumer (128 threads, named barrier `barrier`) hands its sums over: COUNT numbers per thread. */
template <typename Sum, int COUNT>
__device__ __forceinline__ void stream_k_give(const StreamK &s, int slot, int barrier, int t, const Sum (&sum)[COUNT])
{
    float4 *to = s.sums + (size_t)slot * (COUNT / 4) * 128 + t;
#pragma unroll
    for (int i = 0; i < COUNT / 4; i++)
        __stcg(to + i * 128, *(const float4 *)&sum[4 * i]);
    __threadfence();
    named_barrier(barrier, 128);
    if (t == 0)
        asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(s.flags + slot), "r"(s.launch) : "memory");
}

/* Waits until a consumer has handed its sums over. A block hands over before it waits for anybody, so the wait ends
 * once all blocks of the grid have begun. A persistent grid has no more blocks than the device has multiprocessors,
 * but only a cooperative launch guarantees that they run at the same time, and this is an ordinary one: while another
 * kernel holds multiprocessors, blocks wait here for blocks that have no place yet. So run nothing beside it that does
 * not end. */
__device__ __forceinline__ void stream_k_wait(const StreamK &s, int slot, int barrier, int t)
{
    if (t == 0) {
        int seen;
        do
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(s.flags + slot) : "memory");
        while (seen != s.launch);
    }
    named_barrier(barrier, 128);
}

/* Adds PART of a slot's COUNT numbers per thread, from number `first` on, to sum[0 .. PART - 1]. In
 * parts, because all at once would need as many registers again. */
template <typename Sum, int COUNT, int PART>
__device__ __forceinline__ void stream_k_add(const StreamK &s, int slot, int t, int first, Sum *sum)
{
    const float4 *from = s.sums + ((size_t)slot * (COUNT / 4) + first / 4) * 128 + t;
#pragma unroll
    for (int i = 0; i < PART / 4; i++) {
        float4 v;
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from + i * 128)
                     : "memory");
        const Sum *part = (const Sum *)&v;
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[4 * i + j] += part[j];
    }
}

/* Room for the sums, made once and kept until the program ends. */
static struct {
    float4 *sums;
    int *flags, launch;
    size_t bytes;
} stream_k_kept;

static void stream_k_free(void)
{
    cudaFree(stream_k_kept.sums);
    cudaFree(stream_k_kept.flags);
    stream_k_kept.sums = NULL, stream_k_kept.flags = NULL, stream_k_kept.bytes = 0;
}

/* Gives `consumers` consumers with `numbers` 4-byte sums each (all threads together) their room, and the number of this
 * launch. One launch at a time may use it. */
static inline const char *stream_k_room(StreamK *s, int consumers, int numbers)
{
    auto *kept = &stream_k_kept;
    enum { MOST = 1024 }; /* consumers */
    if (consumers > MOST)
        return "more consumers than there are flags";
    const size_t bytes = (size_t)consumers * numbers * 4;
    if (bytes > kept->bytes) {
        if (!kept->launch)
            atexit(stream_k_free);
        if (kept->sums)
            cudaDeviceSynchronize();
        stream_k_free();
        /* Waits for the zeros: the launch's stream need not wait for the default stream. */
        if (cudaMalloc((void **)&kept->sums, bytes) != cudaSuccess ||
            cudaMalloc((void **)&kept->flags, 4 * MOST) != cudaSuccess ||
            cudaMemset(kept->flags, 0, 4 * MOST) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
            return "no memory for partial sums";
        kept->bytes = bytes;
    }
    s->sums = kept->sums;
    s->flags = kept->flags;
    s->launch = ++kept->launch;
    return NULL;
}

/* Whether sharing is worth while, and who gets which run: with nothing left over, and unless `few` with no whole wave,
 * s->whole_waves is -1. */
static inline const char *stream_k_prepare(StreamK *s, int tiles, int steps, int clusters, int consumers, int numbers,
                                           int few = 0)
{
    s->whole_waves = tiles / clusters;
    if ((s->whole_waves == 0 && !few) || s->whole_waves * clusters == tiles) {
        s->whole_waves = -1;
        return NULL;
    }
    const int shared = (tiles - s->whole_waves * clusters) * steps;
    s->run = shared / clusters;
    s->longer = shared % clusters;
    return stream_k_room(s, consumers, numbers);
}

#endif
