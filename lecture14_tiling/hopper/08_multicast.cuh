/* 08_multicast.cuh: two blocks of a cluster work on tiles one above the other, which need the same tile of B. (Rung 8;
 * before: 05_persistent.cuh.)
 *
 * Each fetches half of it, and TMA writes that half into both blocks' shared memory: a step costs a block 32 KB from L2
 * instead of 48. The price: a slot is empty only when the consumers of both blocks have left it, so each consumer
 * notifies both producers; and no block may leave while the other can still write into it. */
#ifndef HOPPER_08_MULTICAST_CUH
#define HOPPER_08_MULTICAST_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"
#include "tile_order.cuh"

template <int BM, int BN, int STAGES>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    hopper8_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   __nv_bfloat16 *C, int M, int N, int K, int ldc, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    constexpr int WM = BM / 2, A_BYTES = BM * 128, B_BYTES = BN * 128, STAGE_BYTES = A_BYTES + B_BYTES;
    static_assert(WM == 64, "a consumer computes 64 rows");
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, full = smem + STAGES * STAGE_BYTES,
                   empty = full + 8 * STAGES;
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
            for (int j = 0; j < BN / 8; j++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const int r = (row * 2 + rank) * BM + group * WM + warp * 16 + lane / 4 + 8 * h;
                    const int c = col * BN + 8 * j + 2 * (lane % 4);
                    if (r < M && c < N)
                        *(uint32_t *)(C + (size_t)r * ldc + c) = pack_bf16(acc[4 * j + 2 * h], acc[4 * j + 2 * h + 1]);
                }
        }
    }
    cluster_sync(); /* no block leaves while the other may still write here */
#endif
}

template <int BM, int BN, int STAGES>
const char *hopper8_launch(const HopperGemm *p, int blocks, int group_rows, cudaStream_t stream)
{
    CUtensorMap a, b;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BM, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN / 2, 64, 128);
    if (why)
        return why;
    const int bytes = 1024 + STAGES * (BM + BN) * 128 + 16 * STAGES;
    static_assert(1024 + STAGES * (BM + BN) * 128 + 16 * STAGES <= 232448, "a block has 227 KB of shared memory");
    auto kernel = hopper8_kernel<BM, BN, STAGES>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, bytes, &raised)))
        return why;
    const int rows = (p->M + 2 * BM - 1) / (2 * BM), cols = (p->N + BN - 1) / BN; /* of pairs of tiles */
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group_rows)))
        return why;
    const int most = whole_clusters(blocks, 2), grid = 2 * rows * cols < most ? 2 * rows * cols : most;
    kernel<<<grid, 3 * 128, bytes, stream>>>(a, b, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc, order);
    return NULL;
}

#endif
