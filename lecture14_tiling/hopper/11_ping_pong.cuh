/* 11_ping_pong.cuh: the consumers take turns. (Rung 11; before: 10_whole.cuh.) So far both consumers worked on one tile,
 * reached its end together, and while they stored it the tensor cores rested. Now each has tiles of its own, 128 x 128:
 * while one stores, the other multiplies. Of a block's last two tiles only the second one's store is still in the open,
 * and it is half as big. The price is bytes: 128 x 128 fetches a third more for each product than 128 x 256.
 *
 * Short products are made of beginnings and ends, so the end is shortened, too: blocks of a cluster leave without waiting
 * for each other.
 *
 *   T        element type of A and B: Bf16 or E4m3; C is bf16, sums are fp32
 *   STAGES   slots of the ring in shared memory, 32 KB each
 *   CM       blocks in a cluster, one below the other: they share B's tile, each fetches its part for all
 *
 * C (M x N) = A (M x K) times the transpose of B (N x K), all row-major: K is contiguous in both operands. */
#ifndef HOPPER_11_PING_PONG_CUH
#define HOPPER_11_PING_PONG_CUH

#include "../../common/hopper.cuh"
#include "10_whole.cuh"
#include "tile_order.cuh"

#ifndef __CUCC__

template <int STAGES> struct PingPongSmem {
    enum {
        SIDE = 128, /* of a tile */
        ROW = 128,  /* bytes of K a stage holds of each row */
        A_BYTES = SIDE * ROW,
        STAGE_BYTES = 2 * A_BYTES,
        C_BOX = 64 * 128, /* 64 rows of 64 bf16 */
        C_BYTES = 2 * 2 * C_BOX,
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8 + 2 * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

template <typename T, int STAGES, int CM>
__global__ void HOPPER_CLUSTER(CM) __launch_bounds__(3 * 128, 1)
    ping_pong_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                     const __grid_constant__ CUtensorMap map_c, int K, int tile_rows, int tile_cols, int group_rows)
{
#ifdef HOPPER_CODE
    using S = PingPongSmem<STAGES>;
    constexpr int SIDE = S::SIDE, BK = S::ROW / Element<T>::BYTES;

    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES,
                   turn = empty + 8 * STAGES;

    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = CM > 1 ? cluster_rank() : 0, me = blockIdx.x / CM, clusters = gridDim.x / CM;
    const int tiles = tile_rows * tile_cols, steps = (K + BK - 1) / BK;
    const int all_steps = (tiles - me + clusters - 1) / clusters * steps;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        tma_prefetch_map(&map_c);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);   /* the producer, and the bytes */
            mbarrier_init(empty + 8 * s, CM); /* the one consumer in each block that reads what this one fetches */
        }
        for (int g = 0; g < 2; g++)
            mbarrier_init(turn + 8 * g, 4); /* the other consumer's warps */
        mbarrier_init_fence();
    }
    if (CM > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == 2) { /* ---------------------------------------------------------------------------- producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            for (int tile = me; tile < tiles; tile += clusters) {
                int row, col;
                tile_place(tile, tile_rows, tile_cols, group_rows, NULL, &row, &col);
                /* This block's rows of A, and its part of B's tile. */
                const int m = (row * CM + rank) * SIDE, n = col * SIDE + rank * (SIDE / CM);
                for (int k = 0; k < steps; k++) {
                    const uint32_t a = smem + slot * S::STAGE_BYTES, b = a + S::A_BYTES + rank * (S::A_BYTES / CM);
                    const uint32_t bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                    tma_load(a, &map_a, k * BK, m, bar);
                    if (CM == 1)
                        tma_load(b, &map_b, k * BK, n, bar);
                    else
                        tma_load_multicast(b, &map_b, k * BK, n, bar, (uint16_t)((1u << CM) - 1));
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        registers_take<232>();
        const int warp = t / 32, lane = t % 32;
        uint32_t turn_parity = group == 0; /* consumer 0 begins: its first wait returns at once */
        float acc[2][SIDE / 2];
        for (int tile = me + group * clusters, step = group * steps; tile < tiles;
             tile += 2 * clusters, step += steps /* the other's tile */) {
            int row, col;
            tile_place(tile, tile_rows, tile_cols, group_rows, NULL, &row, &col);
            const int m = (row * CM + rank) * SIDE, n = col * SIDE;
            int slot = step % STAGES, last = slot;
            uint32_t parity = step / STAGES & 1;
            mbarrier_wait(turn + 8 * group, turn_parity);
            turn_parity ^= 1;
            for (int k = 0; k < steps; k++, step++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES, b = a + S::A_BYTES;
                const uint64_t da = wgmma_descriptor(a, 128), db = wgmma_descriptor(b, 128);
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
#pragma unroll
                for (int kk = 0; kk < 4; kk++)
#pragma unroll
                    for (int mi = 0; mi < 2; mi++)
                        Wgmma<T, SIDE>::run(acc[mi], da + (mi * 64 * S::ROW + kk * 32) / 16, db + kk * 2, k | kk);
                wgmma_commit();
                wgmma_wait<1>();
                /* A slot that nobody will fill again is not handed back: so no arrival comes to a block that has left. */
                if (k > 0 && step - 1 + STAGES < all_steps) {
                    if (CM == 1 && t == 0)
                        mbarrier_arrive(empty + 8 * last);
                    if (CM > 1 && t < CM) /* block t fetches for this one */
                        mbarrier_arrive_cluster(empty + 8 * last, t);
                }
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
            __syncwarp();
            if (lane == 0)
                mbarrier_arrive(turn + 8 * (1 - group)); /* the tensor cores are the other's from here */
            wgmma_wait<0>();
            if (step - 1 + STAGES < all_steps) {
                if (CM == 1 && t == 0)
                    mbarrier_arrive(empty + 8 * last);
                if (CM > 1 && t < CM)
                    mbarrier_arrive_cluster(empty + 8 * last, t);
            }
#pragma unroll
            for (int mi = 0; mi < 2; mi++)
                wgmma_pin(acc[mi]);

            /* Boxes of 64 rows by 64 columns, through two buffers: one filled by stmatrix while TMA reads the other. When
             * the block's last tile is done, all slots have held parts of it and nobody needs them: each box gets one. */
            const bool at_once = tile + clusters >= tiles && steps >= STAGES;
            const uint32_t in_box = (warp * 16 + lane % 16) * 128;
#pragma unroll
            for (int mi = 0; mi < 2; mi++)
#pragma unroll
                for (int box = 0; box < SIDE / 64; box++) {
                    static_assert(STAGES >= 4, "a slot for each box");
                    const uint32_t buffer = at_once ? smem + (mi * 2 + box) * S::STAGE_BYTES
                                                    : c_smem + (group * 2 + box) * S::C_BOX;
                    if (!at_once) {
                        if (t == 0)
                            tma_store_wait_read<1>();
                        named_barrier(1 + group, 128);
                    }
#pragma unroll
                    for (int jj = 0; jj < 8; jj += 2) {
                        const float *d = acc[mi] + (box * 8 + jj) * 4;
                        stmatrix_x4(buffer + in_box + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                                    pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                    }
                    fence_proxy_async();
                    named_barrier(1 + group, 128);
                    if (t == 0) {
                        tma_store(&map_c, n + box * 64, m + mi * 64, buffer);
                        tma_store_commit();
                    }
                }
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
#endif
}

/* Launches one instance on at most `blocks` blocks (a multiple of the cluster's size). NULL, or why the shape cannot be
 * done. */
template <typename T, int STAGES, int CM>
const char *ping_pong_launch(const HopperGemm *p, int blocks, int group_rows, int l2_bytes, cudaStream_t stream)
{
    using S = PingPongSmem<STAGES>;
    const int bytes = Element<T>::BYTES;
    const CUtensorMapDataType type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, type, bytes, p->A, p->M, p->K, p->lda, S::SIDE, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tensor_map_2d(&b, type, bytes, p->B, p->N, p->K, p->ldb, S::SIDE / CM, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tensor_map_2d(&c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, 64, 64, 128);
    if (why)
        return why;
    const int rows = (p->M + S::SIDE * CM - 1) / (S::SIDE * CM), cols = (p->N + S::SIDE - 1) / S::SIDE,
              all = rows * cols * CM;
    auto kernel = ping_pong_kernel<T, STAGES, CM>;
    static bool raised = false;
    if (!raised) {
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::TOTAL) != cudaSuccess)
            return "this device gives a block too little shared memory";
        raised = true;
    }
    kernel<<<blocks < all ? blocks : all, 3 * 128, S::TOTAL, stream>>>(a, b, c, p->K, rows, cols, group_rows);
    return NULL;
}

#endif
#endif
