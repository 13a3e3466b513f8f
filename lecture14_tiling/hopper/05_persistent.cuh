/* 05_persistent.cuh: a block for each multiprocessor, which walks from tile to tile. (Rungs 5, 6 and 7; before:
 * 03_ring.cuh.)
 *
 * The producer does not know that a tile ends: it fetches the next tile's first steps while the consumers still write
 * the last one's results. What used to be a pause at the beginning and end of each block is now one at the beginning
 * and end of the whole product. And since a block chooses its tiles, the order is ours: rows (rung 5), groups (6),
 * Hilbert's curve (7). */
#ifndef HOPPER_05_PERSISTENT_CUH
#define HOPPER_05_PERSISTENT_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"
#include "tile_order.cuh"

template <int BM, int BN, int STAGES>
__global__ void __launch_bounds__(3 * 128, 1)
    hopper5_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   __nv_bfloat16 *C, int M, int N, int K, int ldc, const __grid_constant__ TileOrder order,
                   const uint32_t *table)
{
#ifdef HOPPER_CODE
    constexpr int WM = BM / 2, A_BYTES = BM * 128, B_BYTES = BN * 128, STAGE_BYTES = A_BYTES + B_BYTES;
    static_assert(WM == 64, "a consumer computes 64 rows");
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, full = smem + STAGES * STAGE_BYTES,
                   empty = full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int tiles = order.tiles, steps = (K + 63) / 64;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 2);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (group == 2) { /* producer */
        registers_give<24>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                int row, col;
                if (table)
                    tile_place(table, tile, &row, &col);
                else
                    tile_place(order, tile, &row, &col);
                for (int k = 0; k < steps; k++) {
                    const uint32_t a = smem + slot * STAGE_BYTES, b = a + A_BYTES, bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, STAGE_BYTES);
                    tma_load(a, &map_a, k * 64, row * BM, bar);
                    tma_load(b, &map_b, k * 64, col * BN, bar);
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* consumers */
        registers_take<240>();
        const int warp = t / 32, lane = t % 32;
        int slot = 0, last = 0;
        uint32_t parity = 0;
        float acc[BN / 2];
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int row, col;
            if (table)
                tile_place(table, tile, &row, &col);
            else
                tile_place(order, tile, &row, &col);
            for (int k = 0; k < steps; k++) {
                const uint32_t a = smem + slot * STAGE_BYTES + group * (WM * 128),
                               b = smem + slot * STAGE_BYTES + A_BYTES;
                const uint64_t da = wgmma_descriptor(a, 128), db = wgmma_descriptor(b, 128);
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
#pragma unroll
                for (int kk = 0; kk < 4; kk++)
                    Wgmma<Bf16, BN>::run(acc, da + kk * 2, db + kk * 2, k | kk);
                wgmma_commit();
                wgmma_wait<1>();
                if (k > 0 && t == 0)
                    mbarrier_arrive(empty + 8 * last);
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            if (t == 0)
                mbarrier_arrive(empty + 8 * last); /* the producer goes on with the next tile */
            wgmma_pin(acc);
#pragma unroll
            for (int j = 0; j < BN / 8; j++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const int r = row * BM + group * WM + warp * 16 + lane / 4 + 8 * h;
                    const int c = col * BN + 8 * j + 2 * (lane % 4);
                    if (r < M && c < N)
                        *(uint32_t *)(C + (size_t)r * ldc + c) = pack_bf16(acc[4 * j + 2 * h], acc[4 * j + 2 * h + 1]);
                }
        }
    }
#endif
}

template <int BM, int BN, int STAGES>
const char *hopper5_launch(const HopperGemm *p, int blocks, int group_rows, const uint32_t *table, cudaStream_t stream)
{
    CUtensorMap a, b;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BM, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN, 64, 128);
    if (why)
        return why;
    const int bytes = 1024 + STAGES * (BM + BN) * 128 + 16 * STAGES;
    static_assert(1024 + STAGES * (BM + BN) * 128 + 16 * STAGES <= 232448, "a block has 227 KB of shared memory");
    auto kernel = hopper5_kernel<BM, BN, STAGES>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, bytes, &raised)))
        return why;
    const int rows = (p->M + BM - 1) / BM, cols = (p->N + BN - 1) / BN;
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group_rows)))
        return why;
    const int grid = rows * cols < blocks ? rows * cols : blocks;
    kernel<<<grid, 3 * 128, bytes, stream>>>(a, b, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc, order, table);
    return NULL;
}

#endif
