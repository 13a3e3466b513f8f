/* bulk.cuh: rung 10, two-shot by TMA. A warp asks for tiles of the peers' vectors, 16 KB each; they come into shared
 * memory while others are on the way. Eight warps add them in the order of the ranks, and TMA writes the sum to every rank.
 * No register waits for the link, so a multiprocessor has 128 KB in flight, where 512 threads with four loads each have
 * 32. Expected: fewer multiprocessors fill the link. Measured on two H100s: 12 do, in either way. */
#ifndef BULK_CUH
#define BULK_CUH

#include "../../common/hopper.cuh"
#include "meet.cuh"

enum { BULK_ADDERS = 256, BULK_THREADS = BULK_ADDERS + 32, BULK_BLOCKS = 32 /* that many fill the link */ };

struct BulkSmem {
    enum {
        TILE = 4096, /* floats */
        TILE_BYTES = TILE * 4,
        STAGES = 8,
        OUT = 2,
        TOTAL = 128 + (STAGES + OUT) * TILE_BYTES + 2 * STAGES * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
    static_assert(TILE % (4 * BULK_ADDERS) == 0, "each adder has whole float4s of a tile");
};

__device__ __forceinline__ void bulk_store(void *to, uint32_t smem, uint32_t bytes)
{
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"((uint64_t)__cvta_generic_to_global(to)),
        "r"(smem), "r"(bytes)
        : "memory");
}

/* Ordinary accesses to global memory before it, and those of TMA after it, or the other way round. */
__device__ __forceinline__ void fence_proxy_async_global(void)
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

/* The sums of [first, first + 4 quads): tile after tile, each rank's part of it. */
__device__ static void bulk_sum(const View &v, size_t first, size_t quads, uint32_t smem, uint8_t *raw)
{
#ifdef HOPPER_CODE
    using S = BulkSmem;
    const uint32_t out = smem + S::STAGES * S::TILE_BYTES, full = out + S::OUT * S::TILE_BYTES,
                   empty = full + 8 * S::STAGES;
    const size_t tiles = (quads * 4 + S::TILE - 1) / S::TILE;
    const auto bytes_of = [=](size_t tile) {
        const size_t left = (quads * 4 - tile * S::TILE) * 4;
        return (uint32_t)(left < (size_t)S::TILE_BYTES ? left : (size_t)S::TILE_BYTES);
    };
    int slot = 0;
    uint32_t parity = 0;
    if (threadIdx.x >= BULK_ADDERS) {
        if (threadIdx.x > BULK_ADDERS)
            return;
        fence_proxy_async_global();
        for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
            for (int r = 0; r < v.ranks; r++) {
                mbarrier_wait(empty + 8 * slot, parity ^ 1);
                mbarrier_arrive_expect(full + 8 * slot, bytes_of(tile));
                bulk_load(smem + slot * S::TILE_BYTES, v.in[r] + first + tile * S::TILE, bytes_of(tile),
                          full + 8 * slot);
                if (++slot == S::STAGES)
                    slot = 0, parity ^= 1;
            }
        return;
    }
    enum { EACH = S::TILE / 4 / BULK_ADDERS };
    int number = 0;
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, number++) {
        float4 sum[EACH];
        for (int r = 0; r < v.ranks; r++) {
            mbarrier_wait(full + 8 * slot, parity);
            const float4 *from = (const float4 *)(raw + slot * S::TILE_BYTES);
#pragma unroll
            for (int k = 0; k < EACH; k++)
                if ((threadIdx.x + k * BULK_ADDERS) * 16 < bytes_of(tile)) {
                    const float4 next = from[threadIdx.x + k * BULK_ADDERS];
                    sum[k] = r ? make_float4(sum[k].x + next.x, sum[k].y + next.y, sum[k].z + next.z, sum[k].w + next.w)
                               : next;
                }
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                mbarrier_arrive(empty + 8 * slot);
            if (++slot == S::STAGES)
                slot = 0, parity ^= 1;
        }
        const uint32_t place = number % S::OUT * S::TILE_BYTES;
        if (threadIdx.x == 0)
            tma_store_wait_read<S::OUT - 1>();
        named_barrier(1, BULK_ADDERS);
        float4 *to = (float4 *)(raw + S::STAGES * S::TILE_BYTES + place);
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if ((threadIdx.x + k * BULK_ADDERS) * 16 < bytes_of(tile))
                to[threadIdx.x + k * BULK_ADDERS] = sum[k];
        fence_proxy_async();
        named_barrier(1, BULK_ADDERS);
        if (threadIdx.x == 0) {
            for (int r = 0; r < v.ranks; r++)
                bulk_store(v.out[(v.rank + r) % v.ranks] + first + tile * S::TILE, out + place, bytes_of(tile));
            tma_store_commit();
        }
    }
    if (threadIdx.x == 0) {
        tma_store_wait<0>(); /* the sums are in every rank's memory */
        fence_proxy_async_global();
    }
#endif
}

__global__ void __launch_bounds__(BULK_THREADS) bulk_kernel10(View v, size_t n)
{
#ifdef HOPPER_CODE
    using S = BulkSmem;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 127) & ~127u, full = smem + (S::STAGES + S::OUT) * S::TILE_BYTES;
    if (threadIdx.x == 0) {
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(full + 8 * (S::STAGES + s), BULK_ADDERS / 32);
        }
        mbarrier_init_fence();
    }
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    const size_t first = part_begin(n, v.rank, v.ranks), end = part_begin(n, v.rank + 1, v.ranks);
    const size_t quads = (end - first) / 4;
    bulk_sum(v, first, quads, smem, raw + (smem - shared_address(raw)));
    if (blockIdx.x == 0 && threadIdx.x < end - first - quads * 4) { /* the last elements of a ragged vector */
        const size_t i = first + quads * 4 + threadIdx.x;
        float sum = v.in[0][i];
        for (int r = 1; r < v.ranks; r++)
            sum += v.in[r][i];
        for (int r = 0; r < v.ranks; r++)
            v.out[r][i] = sum;
    }
    meet(v, 2 * epoch + 2);
    epoch_end(v, epoch);
#endif
}

#endif
