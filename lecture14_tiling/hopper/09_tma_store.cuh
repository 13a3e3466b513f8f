/* 09_tma_store.cuh: the results leave as the operands came, through shared memory by TMA. (Rung 9; before:
 * 08_multicast.cuh.)
 *
 * A thread's sums are pairs here and pairs there: stored from registers, a warp's instruction writes eight pieces of 16
 * bytes, and there are 64 of them while the tensor cores rest. stmatrix packs four 8 x 8 pieces of a warp at a time
 * into the swizzled rows of a box, and TMA writes it in whole lines while the consumers fill the next, or multiply
 * again. TMA drops what is outside C. */
#ifndef HOPPER_09_TMA_STORE_CUH
#define HOPPER_09_TMA_STORE_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"
#include "tile_order.cuh"

template <int BM, int BN, int STAGES>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    hopper9_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   const __grid_constant__ CUtensorMap map_c, int K, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    constexpr int WM = BM / 2, A_BYTES = BM * 128, B_BYTES = BN * 128, STAGE_BYTES = A_BYTES + B_BYTES;
    constexpr int BOX = 64 * 128; /* bytes: 64 rows of 64 bf16 */
    static_assert(WM == 64, "a consumer computes 64 rows");
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, c_smem = smem + STAGES * STAGE_BYTES;
    const uint32_t full = c_smem + 4 * BOX, empty = full + 8 * STAGES; /* two boxes for each consumer */
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), tiles = order.tiles, steps = (K + 63) / 64;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 4); /* two consumers in each of two blocks */
        }
        mbarrier_init_fence();
    }
    cluster_sync(); /* the other block's barriers are ready, too */

    if (group == 2) { /* producer */
        registers_give<24>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
                int row, col;
                tile_place(order, tile, &row, &col);
                for (int k = 0; k < steps; k++) {
                    const uint32_t a = smem + slot * STAGE_BYTES, b = a + A_BYTES, bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, STAGE_BYTES); /* all that will land here, whoever sends it */
                    tma_load(a, &map_a, k * 64, (row * 2 + rank) * BM, bar);
                    tma_load_multicast(b + rank * (B_BYTES / 2), &map_b, k * 64, col * BN + rank * (BN / 2), bar, 3);
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
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            int row, col;
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
                if (k > 0 && t < 2)
                    mbarrier_arrive_cluster(empty + 8 * last, t);
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            if (t < 2)
                mbarrier_arrive_cluster(empty + 8 * last, t);
            wgmma_pin(acc);
#pragma unroll
            for (int box = 0; box < BN / 64; box++) {
                const uint32_t buffer = c_smem + (group * 2 + box % 2) * BOX,
                               lane_row = buffer + (warp * 16 + lane % 16) * 128;
                // notes: leave
                if (t == 0)
                    tma_store_wait_read<1>(); /* the box before the last one has been read: this buffer is free */
                named_barrier(1 + group, 128);
#pragma unroll
                for (int jj = 0; jj < 8; jj += 2) { /* 16 columns: two pieces of 16 bytes of each row */
                    const float *d = acc + (box * 8 + jj) * 4;
                    stmatrix_x4(lane_row + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                                pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                }
                fence_proxy_async(); /* TMA is to see what ordinary stores wrote */
                named_barrier(1 + group, 128);
                if (t == 0) {
                    tma_store(&map_c, col * BN + box * 64, (row * 2 + rank) * BM + group * WM, buffer);
                    tma_store_commit();
                }
                // notes end
            }
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    cluster_sync(); /* no block leaves while the other may still write here */
#endif
}

template <int BM, int BN, int STAGES>
const char *hopper9_launch(const HopperGemm *p, int blocks, int group_rows, cudaStream_t stream)
{
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BM, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN / 2, 64, 128);
    if (!why)
        why = tensor_map_2d(&c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, 64, 64, 128);
    if (why)
        return why;
    const int bytes = 1024 + STAGES * (BM + BN) * 128 + 4 * 64 * 128 + 16 * STAGES;
    static_assert(1024 + STAGES * (BM + BN) * 128 + 4 * 64 * 128 + 16 * STAGES <= 232448,
                  "a block has 227 KB of shared memory");
    auto kernel = hopper9_kernel<BM, BN, STAGES>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, bytes, &raised)))
        return why;
    const int rows = (p->M + 2 * BM - 1) / (2 * BM), cols = (p->N + BN - 1) / BN; /* of pairs of tiles */
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group_rows)))
        return why;
    const int most = whole_clusters(blocks, 2), grid = 2 * rows * cols < most ? 2 * rows * cols : most;
    kernel<<<grid, 3 * 128, bytes, stream>>>(a, b, c, p->K, order);
    return NULL;
}

#endif
