/* 09_dependent_launch.cuh: weights are requested before the kernel before has ended. (Rung 9; before: 08_wgmma.cuh.)
 *
 * Between two layers of a model the memory is idle: the last warps add their sums and write y, the kernel ends, and the
 * next one starts, initialises its barriers and waits for its first bytes. These are a few of the ten microseconds that a
 * layer takes. But only x comes from the layer before. The weights have been in memory since the model was loaded.
 *
 * So the next kernel may start as soon as each block of this one allows it (cudaTriggerProgrammaticLaunchCompletion), and
 * a block requests weights before it waits for the kernel before to end (cudaGridDependencySynchronize). For a while a
 * multiprocessor holds two blocks, with half of the shared memory each, and 56 registers per thread.
 *
 * Each read of x comes after the wait. So does each write of y, because the kernel before may still read that memory as
 * its own x. The warps that write y do not wait themselves, but they have multiplied an x that was requested after the
 * wait. When the wait returns, the kernel before has ended, and so have all kernels before that one, because each of them
 * waited, too.
 * No kernel that runs right before this one in the stream may write weights: they are read before the wait.
 *
 * The copy engine works in order, so that x waits for weights that were requested earlier. That is why only a part of the
 * ring is filled before the wait, and why the next kernel starts late: its weights would delay this one's x.
 * The loop over the slots is unrolled, because one thread requests everything, and the memory waits for that thread. */
#ifndef W4A16_09_DEPENDENT_LAUNCH_CUH
#define W4A16_09_DEPENDENT_LAUNCH_CUH

#include "08_wgmma.cuh"

template <int NT> struct Early {
    enum {
        BEFORE = NT == 1 ? 5 : 3,     /* units requested before the wait; this and LEFT were chosen by timing */
        LEFT = NT == 1 ? 9 : 7,       /* units still to be requested when the next kernel may start */
        HALF = 228 * 1024 / 2 - 1024, /* of a multiprocessor's 228 KB, of which 1 KB per block is the system's */
    };
    static_assert((int)LeanSmem<NT>::TOTAL <= (int)HALF, "two blocks share a multiprocessor");
    static_assert((int)BEFORE <= (int)LeanSmem<NT>::STAGES, "units before the wait have a slot each");
};

/* Makes visible to TMA what ordinary stores wrote to global memory and this thread has waited for. */
__device__ __forceinline__ void fence_proxy_async_global(void)
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

// notes: early
/* The warp that requests everything. */
template <int NT>
__device__ __forceinline__ void w4a16_produce_early(const CUtensorMap &map_x, const W4a16 &p, uint32_t slots, int m0,
                                                    int units)
{
    using S = LeanSmem<NT>;
    const uint32_t ring = kept(slots);
    w4a16_begin<NT>(map_x, ring);
    named_barrier_arrive(BEGUN, CONSUMERS + 32);
    if (threadIdx.x % 32)
        return;
    const uint8_t *from = p.wide_units + (size_t)blockIdx.x * units * UNIT_BYTES;
    const auto weights = [=](int u, uint32_t at) {
        mbarrier_arrive_expect(at + S::FULL, UNIT_BYTES + S::X_BYTES);
        bulk_load(at + S::X_BYTES, from + (size_t)u * UNIT_BYTES, UNIT_BYTES, at + S::FULL);
    };
    const auto x = [&](int u, uint32_t at) { tma_load_heads(at, &map_x, 0, m0, u * WIDE_QUARTERS, 0, at + S::FULL); };

#pragma unroll
    for (int u = 0; u < Early<NT>::BEFORE; u++)
        if (u < units)
            weights(u, ring + u * S::SLOT);
    cudaGridDependencySynchronize(); /* x is complete, and nobody reads the old y any more */
    fence_proxy_async_global();
#pragma unroll
    for (int u = 0; u < S::STAGES; u++)
        if (u < units) {
            if (u >= Early<NT>::BEFORE)
                weights(u, ring + u * S::SLOT);
            x(u, ring + u * S::SLOT);
        }
    uint32_t parity = 0;
    for (int first = S::STAGES; first < units; first += S::STAGES, parity ^= 1)
#pragma unroll
        for (int slot = 0; slot < S::STAGES; slot++) {
            const int u = first + slot;
            const uint32_t at = ring + slot * S::SLOT;
            if (u == units - Early<NT>::LEFT)
                cudaTriggerProgrammaticLaunchCompletion(); /* a block that ends without this call has allowed it, too */
            if (u < units) {
                mbarrier_wait(at + S::EMPTY, parity);
                weights(u, at);
                x(u, at);
            }
        }
}
// notes end

template <int NT>
__global__ void __launch_bounds__((WARPS + 1) * 32, 2) w4a16_kernel9(const __grid_constant__ CUtensorMap map_x, W4a16 p)
{
#ifdef HOPPER_CODE
    const LeanBlock b = lean_block<NT>(p);
    if (threadIdx.x / 32 == WARPS)
        w4a16_produce_early<NT>(map_x, p, shared_address(b.slots), b.m0, b.units);
    else if constexpr (NT == 1)
        w4a16_by_mma<NT>(p, b.slots, b.n0, b.m0, b.units);
    else
        w4a16_by_wgmma<NT, 2>(p, b.slots, b.n0, b.m0, b.units);
#endif
}

/* Not `early`: the same kernel, which starts when the one before has ended. With more than 16 rows of x two blocks do not
 * fit: that instance is rung 8's, which must not start early, because it does not wait. */
static const char *w4a16_9_launch(const W4a16 *p, int early, cudaStream_t stream)
{
    return lean_launch(w4a16_kernel9<1>, w4a16_kernel9<2>, w4a16_kernel8<4>, p, stream, early && p->M <= 16);
}
static const char *w4a16_9(const W4a16 *p, cudaStream_t stream) { return w4a16_9_launch(p, 1, stream); }

#endif
