/* 09_tma_store.cuh: the results leave as the operands came, through shared memory by TMA: stmatrix packs them into the
 * swizzled rows of a box, and the copy engine writes whole lines while the consumers go on. (Rung 9; before:
 * 08_multicast.cuh.) And everything that was fixed so far is a parameter: the tile, the cluster, the element type.
 * Rung 10 chooses among its instances.
 *
 *   T           element type of A and B: Bf16 or E4m3; C is bf16, sums are fp32
 *   BM x BN     tile of C that a block computes at a time; K goes in steps of 128 bytes of a row
 *   STAGES      slots of the ring in shared memory
 *   CONSUMERS   warpgroups that multiply, each BM / CONSUMERS rows; one more warpgroup drives TMA
 *   CM x CN     blocks in a cluster, along M and along N: blocks of a column share B's tile, blocks of a row share A's,
 *               each fetches its part and multicasts it
 *   STORE       0: each thread writes its pairs; 1: stmatrix into shared memory, then TMA
 *
 * C (M x N) = A (M x K) times the transpose of B (N x K), all row-major: K is contiguous in both operands. */
#ifndef HOPPER_09_TMA_STORE_CUH
#define HOPPER_09_TMA_STORE_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "tile_order.cuh"

#ifndef __CUCC__

template <typename T> struct Element;
template <> struct Element<Bf16> {
    enum { BYTES = 2 };
};
template <> struct Element<E4m3> {
    enum { BYTES = 1 };
};

/* What a block keeps in shared memory. Each tile begins on a multiple of 1024 bytes, as the 128-byte swizzle asks. */
template <int BM, int BN, int STAGES, int CONSUMERS, int STORE> struct RingSmem {
    enum {
        ROW = 128, /* bytes of K a stage holds of each row */
        A_BYTES = BM * ROW,
        B_BYTES = BN * ROW,
        STAGE_BYTES = A_BYTES + B_BYTES,
        C_BOX = 64 * 128, /* 64 rows of 64 bf16 */
        C_BYTES = STORE ? CONSUMERS * 2 * C_BOX : 0,
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

template <typename T, int BM, int BN, int STAGES, int CONSUMERS, int CM, int CN, int STORE>
__global__ void HOPPER_CLUSTER(CM * CN) __launch_bounds__((CONSUMERS + 1) * 128, 1)
    ring_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                const __grid_constant__ CUtensorMap map_c, __nv_bfloat16 *C, int M, int N, int K, int ldc, int tile_rows,
                int tile_cols, int group, const uint32_t *order)
{
#ifdef HOPPER_CODE
    using S = RingSmem<BM, BN, STAGES, CONSUMERS, STORE>;
    constexpr int BK = S::ROW / Element<T>::BYTES, WM = BM / CONSUMERS, MI = WM / 64;
    static_assert(BM % (64 * CONSUMERS) == 0, "a consumer computes whole groups of 64 rows");
    static_assert(MI * BN <= 384, "the accumulators of a consumer are MI * BN / 2 registers a thread, of 240");
    static_assert(BM / CN % 8 == 0 && BN / CM % 8 == 0, "a part of a shared tile is whole groups of 8 rows");
    static_assert(BN % 64 == 0 || !STORE, "the store through shared memory goes by 64 columns");

    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;

    const int group_id = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const uint32_t rank = CM * CN > 1 ? cluster_rank() : 0, rank_m = rank % CM, rank_n = rank / CM;
    const int first = blockIdx.x / (CM * CN), step = gridDim.x / (CM * CN), tiles = tile_rows * tile_cols;
    const int steps = (K + BK - 1) / BK;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        if (STORE) tma_prefetch_map(&map_c);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);                          /* the producer, and the bytes */
            mbarrier_init(empty + 8 * s, CONSUMERS * (CM + CN - 1)); /* every consumer that reads what this block fetches */
        }
        mbarrier_init_fence();
    }
    if (CM * CN > 1) cluster_sync();
    else __syncthreads();

    if (group_id == CONSUMERS) { /* ------------------------------------------------------------------ producer */
        registers_give<CONSUMERS == 3 ? 32 : 24>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            for (int tile = first; tile < tiles; tile += step) {
                int row, col;
                tile_place(tile, tile_rows, tile_cols, group, order, &row, &col);
                const int m = (row * CM + rank_m) * BM, n = (col * CN + rank_n) * BN;
                for (int k = 0; k < steps; k++) {
                    const uint32_t a = smem + slot * S::STAGE_BYTES, b = a + S::A_BYTES, bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                    if (CN == 1) tma_load(a, &map_a, k * BK, m, bar);
                    else
                        tma_load_multicast(a + rank_n * (S::A_BYTES / CN), &map_a, k * BK, m + rank_n * (BM / CN), bar,
                                           (uint16_t)((CN == 2 ? 1u | 1u << CM : 1u) << rank_m));
                    if (CM == 1) tma_load(b, &map_b, k * BK, n, bar);
                    else
                        tma_load_multicast(b + rank_m * (S::B_BYTES / CM), &map_b, k * BK, n + rank_m * (BN / CM), bar,
                                           (uint16_t)(((1u << CM) - 1) << (rank_n * CM)));
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        registers_take<CONSUMERS == 3 ? 160 : 240>();
        const int warp = t / 32, lane = t % 32;
        /* Whom to tell that a slot is free: one thread for each block of this row and column of the cluster. */
        uint32_t tell = rank;
        if (t < CM) tell = rank_n * CM + t;
        else if (t < CM + CN - 1) tell = ((t - CM + (t - CM >= (int)rank_n)) * CM) + rank_m;
        int slot = 0;
        uint32_t parity = 0;
        float acc[MI][BN / 2];
        for (int tile = first; tile < tiles; tile += step) {
            int row, col;
            tile_place(tile, tile_rows, tile_cols, group, order, &row, &col);
            const int m = (row * CM + rank_m) * BM + group_id * WM, n = (col * CN + rank_n) * BN;
            int last = slot;
            for (int k = 0; k < steps; k++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES + group_id * (WM * S::ROW);
                const uint32_t b = smem + slot * S::STAGE_BYTES + S::A_BYTES;
                const uint64_t da = wgmma_descriptor(a, 128), db = wgmma_descriptor(b, 128);
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
#pragma unroll
                for (int kk = 0; kk < 4; kk++)
#pragma unroll
                    for (int mi = 0; mi < MI; mi++)
                        Wgmma<T, BN>::run(acc[mi], da + (mi * 64 * S::ROW + kk * 32) / 16, db + kk * 2, k | kk);
                wgmma_commit();
                /* The group before this one is done once at most one is left: its slot may be filled again. */
                wgmma_wait<1>();
                if (k > 0) {
                    if (CM * CN == 1) {
                        if (t == 0) mbarrier_arrive(empty + 8 * last);
                    } else if (t < CM + CN - 1) mbarrier_arrive_cluster(empty + 8 * last, tell);
                }
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            if (CM * CN == 1) {
                if (t == 0) mbarrier_arrive(empty + 8 * last);
            } else if (t < CM + CN - 1) mbarrier_arrive_cluster(empty + 8 * last, tell);
#pragma unroll
            for (int mi = 0; mi < MI; mi++) wgmma_pin(acc[mi]);

            if (STORE == 0) {
#pragma unroll
                for (int mi = 0; mi < MI; mi++)
#pragma unroll
                    for (int j = 0; j < BN / 8; j++)
#pragma unroll
                        for (int h = 0; h < 2; h++) {
                            const int r = m + mi * 64 + warp * 16 + lane / 4 + 8 * h, c = n + 8 * j + 2 * (lane % 4);
                            if (r < M && c < N) /* N is even where a pair is stored whole: see the launcher */
                                *(uint32_t *)(C + (size_t)r * ldc + c) =
                                    pack_bf16(acc[mi][4 * j + 2 * h], acc[mi][4 * j + 2 * h + 1]);
                        }
            } else {
                /* Boxes of 64 rows by 64 columns through two buffers: while TMA reads one, stmatrix fills the other. */
                const int r = lane % 16, x = lane & 7;
                const uint32_t mine = c_smem + group_id * (2 * S::C_BOX) + (warp * 16 + r) * 128;
#pragma unroll
                for (int mi = 0; mi < MI; mi++)
#pragma unroll
                    for (int box = 0; box < BN / 64; box++) {
                        const int buffer = (mi * (BN / 64) + box) & 1;
                        if (t == 0) tma_store_wait_read<1>();
                        named_barrier(1 + group_id, 128);
#pragma unroll
                        for (int jj = 0; jj < 8; jj += 2) {
                            const float *d = acc[mi] + (box * 8 + jj) * 4;
                            stmatrix_x4(mine + buffer * S::C_BOX + (((jj + lane / 16) ^ x) << 4), pack_bf16(d[0], d[1]),
                                        pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                        }
                        fence_proxy_async();
                        named_barrier(1 + group_id, 128);
                        if (t == 0) {
                            tma_store(&map_c, n + box * 64, m + mi * 64,
                                      c_smem + group_id * (2 * S::C_BOX) + buffer * S::C_BOX);
                            tma_store_commit();
                        }
                    }
            }
        }
        if (STORE && t == 0) tma_store_wait_read<0>();
    }
    /* A block may leave only when no other can still multicast to it or arrive on its barriers. */
    if (CM * CN > 1) cluster_sync();
#endif
}

/* Launches one instance. `blocks`: how many in the grid at most (a multiple of the cluster's size); 0: one a tile.
 * Returns NULL, or the reason why this shape cannot be done. */
template <typename T, int BM, int BN, int STAGES, int CONSUMERS, int CM, int CN, int STORE>
const char *ring_launch(const HopperGemm *p, int blocks, int group, const uint32_t *order, cudaStream_t stream)
{
    using S = RingSmem<BM, BN, STAGES, CONSUMERS, STORE>;
    static_assert(CN <= 2, "the multicast mask along a row is written for one or two blocks");
    const int bytes = Element<T>::BYTES;
    const CUtensorMapDataType type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, type, bytes, p->A, p->M, p->K, p->lda, BM / CN, S::ROW / bytes, 128);
    if (!why) why = tensor_map_2d(&b, type, bytes, p->B, p->N, p->K, p->ldb, BN / CM, S::ROW / bytes, 128);
    if (!why) why = tensor_map_2d(&c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, 64, 64, 128);
    if (why) return why;
    auto kernel = ring_kernel<T, BM, BN, STAGES, CONSUMERS, CM, CN, STORE>;
    static bool raised = false;
    if (!raised) {
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::TOTAL) != cudaSuccess)
            return "this device gives a block too little shared memory";
        raised = true;
    }
    const int rows = (p->M + BM * CM - 1) / (BM * CM), cols = (p->N + BN * CN - 1) / (BN * CN), all = rows * cols * CM * CN;
    const int grid = blocks && blocks < all ? blocks : all;
    kernel<<<grid, (CONSUMERS + 1) * 128, S::TOTAL, stream>>>(a, b, c, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc,
                                                             rows, cols, group, order);
    return NULL;
}

#endif
#endif
