/* 12_even.cuh: few rows (M up to 64), whole K, and W's rows shared out evenly. The blocks of 12_skinny.cuh have 64 rows
 * of W each: 4096 rows are 64 blocks, and half of the multiprocessors fetch nothing; 11008 rows are 172, and 40
 * multiprocessors have two. Cutting K would even that out, but then blocks must exchange sums. Here the height of a tile
 * is chosen so that each multiprocessor has one: 32 rows of 4096, 88 of 11008. Every multiprocessor then reads x once and
 * its part of W once, and nothing is exchanged.
 *
 *   - wgmma takes 64 rows, MI times. Those past the tile's end are zeros in shared memory, and their sums are discarded.
 *     The tensor cores have time to spare.
 *   - Two consumers take the steps in turn: a step is so short that one consumer would wait for its own last product.
 *     At the end the second one's sums are added to the first one's.
 *   - The producer's thread initialises the barriers and fills the ring before the block's first barrier.
 *
 * Tried, and slower: 128 rows and K cut into one run for each multiprocessor, by stream_k.cuh (the exchange costs 4 us);
 * clusters of two blocks that fetch half of x each, for both (they must synchronise before the first copy).
 *
 * C (M x N, bf16) = A (M x K) times the transpose of B (N x K), row-major. */
#ifndef HOPPER_EVEN_CUH
#define HOPPER_EVEN_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"

template <int BATCH, int MI> struct EvenSmem {
    enum {
        W_BYTES = MI * 64 * 128,
        X_BYTES = BATCH * 128,
        STAGE_BYTES = W_BYTES + X_BYTES,
        SUM_BYTES = MI * BATCH / 2 * 128 * 4, /* of one consumer */
        STAGES = (226 * 1024 - SUM_BYTES) / (STAGE_BYTES + 16),
        TOTAL = 1024 + SUM_BYTES + STAGES * (STAGE_BYTES + 16)
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

template <int BATCH, int MI>
__global__ void __launch_bounds__(288, 1)
    even_kernel(const __grid_constant__ CUtensorMap map_x, const __grid_constant__ CUtensorMap map_w, __nv_bfloat16 *C,
                int M, int N, int K, int ldc, int rows)
{
#ifdef HOPPER_CODE
    using S = EvenSmem<BATCH, MI>;
    constexpr int STAGES = S::STAGES;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, sums = smem + STAGES * S::STAGE_BYTES,
                   full = sums + S::SUM_BYTES, empty = full + 8 * STAGES;
    const int steps = (K + 63) / 64, tiles = (N + rows - 1) / rows;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;

    const auto fetch = [&](int slot, int tile, int k) {
        const uint32_t w = smem + slot * S::STAGE_BYTES, bar = full + 8 * slot;
        mbarrier_arrive_expect(bar, rows * 128 + S::X_BYTES);
        tma_load(w, &map_w, k * 64, tile * rows, bar);
        tma_load(w + S::W_BYTES, &map_x, k * 64, 0, bar);
    };
    const int ahead = min(STAGES, steps);
    if (threadIdx.x == 256) { /* the producer's thread */
        tma_prefetch_map(&map_w);
        tma_prefetch_map(&map_x);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 1);
        }
        mbarrier_init_fence();
        for (int k = 0; k < ahead; k++)
            fetch(k, blockIdx.x, k);
    }
    if (group < 2) {
        for (int s = group; s < STAGES; s += 2) /* rows past the tile's end */
            for (int i = rows * 8 + t; i < MI * 64 * 8; i += 128)
                asm volatile("st.shared.v4.b32 [%0], {%1, %1, %1, %1};" ::"r"(smem + s * S::STAGE_BYTES + i * 16),
                             "r"(0)
                             : "memory");
        fence_proxy_async();
    }
    __syncthreads();

    if (group == 2) { /* producer */
        if (t == 0) {
            int slot = ahead % STAGES;
            uint32_t parity = ahead < STAGES; /* an empty ring: the first waits return at once */
            for (int tile = blockIdx.x, k = ahead; tile < tiles; tile += gridDim.x, k = 0)
                for (; k < steps; k++) {
                    mbarrier_wait(empty + 8 * slot, parity);
                    fetch(slot, tile, k);
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
        }
        return;
    }
    const int warp = t / 32, lane = t % 32;
    int step = group; /* a consumer has every other one of all tiles' steps */
    for (int tile = blockIdx.x, end = steps; tile < tiles; tile += gridDim.x, end += steps) {
        float acc[MI][BATCH / 2];
        int last = -1;
#pragma unroll
        for (int mi = 0; mi < MI; mi++)
#pragma unroll
            for (int i = 0; i < BATCH / 2; i++)
                acc[mi][i] = 0; /* a consumer may get no step at all */
        for (; step < end; step += 2) {
            const int slot = step % STAGES;
            const uint32_t w = smem + slot * S::STAGE_BYTES;
            const uint64_t dw = wgmma_descriptor(w, 128), dx = wgmma_descriptor(w + S::W_BYTES, 128);
            mbarrier_wait(full + 8 * slot, step / STAGES & 1);
            wgmma_fence();
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
#pragma unroll
                for (int mi = 0; mi < MI; mi++)
                    Wgmma<Bf16, BATCH>::run(acc[mi], dw + (mi * 64 * 128 + kk * 32) / 16, dx + kk * 2, 1);
            wgmma_commit();
            wgmma_wait<1>();
            if (last >= 0 && t == 0)
                mbarrier_arrive(empty + 8 * last);
            last = slot;
        }
        wgmma_wait<0>();
        if (last >= 0 && t == 0)
            mbarrier_arrive(empty + 8 * last);
#pragma unroll
        for (int mi = 0; mi < MI; mi++)
            wgmma_pin(acc[mi]);

        if (group == 1)
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
#pragma unroll
                for (int i = 0; i < BATCH / 2; i++)
                    asm volatile("st.shared.f32 [%0], %1;" ::"r"(sums + ((mi * (BATCH / 2) + i) * 128 + t) * 4),
                                 "f"(acc[mi][i])
                                 : "memory");
        named_barrier(1, 256);
        if (group == 0)
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
#pragma unroll
                for (int i = 0; i < BATCH / 2; i++) { /* the tile is transposed: rows of the sums are columns of C */
                    float other;
                    asm volatile("ld.shared.f32 %0, [%1];"
                                 : "=f"(other)
                                 : "r"(sums + ((mi * (BATCH / 2) + i) * 128 + t) * 4)
                                 : "memory");
                    const int in = mi * 64 + warp * 16 + lane / 4 + 8 * (i / 2 % 2), c = tile * rows + in,
                              r = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
                    if (r < M && in < rows && c < N)
                        C[(size_t)r * ldc + c] = __float2bfloat16(acc[mi][i] + other);
                }
        named_barrier(1, 256); /* the second one may write its sums again */
    }
#endif
}

template <int BATCH, int MI>
const char *even_launch_tiles(const HopperGemm *p, int blocks, int rows, int l2_bytes, cudaStream_t stream)
{
    using S = EvenSmem<BATCH, MI>;
    CUtensorMap x, w;
    const char *why = tensor_map_2d(&x, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BATCH, 64, 128);
    if (!why)
        why = tensor_map_2d(&w, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, rows, 64, 128, l2_bytes);
    const int tiles = (p->N + rows - 1) / rows;
    if (!why && (double)tiles * p->K >= 0x1p31)
        why = "so many steps are not numbered here";
    if (why)
        return why;
    auto kernel = even_kernel<BATCH, MI>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, S::TOTAL, &raised)))
        return why;
    const int grid = tiles < blocks ? tiles : blocks;
    kernel<<<grid, 288, S::TOTAL, stream>>>(x, w, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc, rows);
    return NULL;
}

/* Gives each of `blocks` blocks the same number of tiles, as few as their limit of 128 rows of W allows. NULL, or why the
 * shape cannot be done. */
template <int BATCH> const char *even_launch(const HopperGemm *p, int blocks, int l2_bytes, cudaStream_t stream)
{
    if (p->M > BATCH)
        return "more rows than this instance is made for";
    const long long each = (p->N + 128LL * blocks - 1) / (128LL * blocks), all = 8 * each * blocks;
    const int rows = (int)((p->N + all - 1) / all) * 8;
    return rows <= 64 ? even_launch_tiles<BATCH, 1>(p, blocks, rows, l2_bytes, stream)
                      : even_launch_tiles<BATCH, 2>(p, blocks, rows, l2_bytes, stream);
}

#endif
