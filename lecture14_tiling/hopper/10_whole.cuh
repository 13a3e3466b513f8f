/* 10_whole.cuh: the whole machine. (Rung 10; before: 09_tma_store.cuh.) The tile, the cluster and the element
 * type are parameters, and two things are new:
 *
 *   - SHARE: tiles that fill no whole wave are cut along K (stream_k.cuh); with 2, also where there are fewer tiles
 *     than blocks.
 *   - The last tile's results go into the slots of the ring, which are free by then, all at once.
 *   - RAGGED: K is no multiple of a step. Of the last step only the products that have something to add are made: with
 *     K = 1032, one of four.
 *
 *   T           element type of A and B: Bf16 or E4m3; C is bf16, sums are fp32
 *   BM x BN     tile of C that a block computes at a time; K goes in steps of 128 bytes of a row
 *   STAGES      slots of the ring in shared memory
 *   KIND        where C's tiles go (common/hopper.cuh): here to one matrix; lecture 11's tensor_parallel has several
 *   CM x CN     blocks in a cluster, along M and along N: blocks of a column share B's tile, blocks of a row share A's,
 *               each fetches its part and multicasts it
 *
 * C (M x N) = A (M x K) times the transpose of B (N x K), all row-major: K is contiguous in both operands. */
#ifndef HOPPER_10_WHOLE_CUH
#define HOPPER_10_WHOLE_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "stream_k.cuh"
#include "tile_order.cuh"

template <int N> struct Times { /* a constant as the type of an argument */
    enum { value = N };
};

template <typename T> struct Element;
template <> struct Element<Bf16> {
    enum { BYTES = 2 };
};
template <> struct Element<E4m3> {
    enum { BYTES = 1 };
};

/* What a block keeps in shared memory. Each tile begins on a multiple of 1024 bytes, as the 128-byte swizzle asks. */
template <int BM, int BN, int STAGES> struct WholeSmem {
    enum {
        ROW = 128, /* bytes of K a stage holds of each row */
        A_BYTES = BM * ROW,
        B_BYTES = BN * ROW,
        STAGE_BYTES = A_BYTES + B_BYTES,
        C_BOX = 64 * 128, /* 64 rows of 64 bf16 */
        C_BYTES = 2 * 2 * C_BOX,
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

/* A block's part of a step: A's rows from m on to a, B's from n on to b, at column k of both. Blocks of a row of the
 * cluster multicast their parts of A to each other, blocks of a column those of B. One thread. */
template <int CM, int CN>
__device__ __forceinline__ void cluster_fetch(uint32_t a, const CUtensorMap *map_a, int m, uint32_t b,
                                              const CUtensorMap *map_b, int n, int k, int rank_m, int rank_n,
                                              uint32_t bar)
{
    if (CN == 1)
        tma_load(a, map_a, k, m, bar);
    else
        tma_load_multicast(a, map_a, k, m, bar, (uint16_t)((1u | 1u << CM) << rank_m));
    if (CM == 1)
        tma_load(b, map_b, k, n, bar);
    else
        tma_load_multicast(b, map_b, k, n, bar, (uint16_t)(((1u << CM) - 1) << (rank_n * CM)));
}

template <typename T, int BM, int BN, int STAGES, int CM, int CN, int SHARE, int KIND, int RAGGED>
__global__ void HOPPER_CLUSTER(CM *CN) __launch_bounds__(3 * 128, 1)
    whole_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                 const __grid_constant__ TilePlaces<KIND> to, const __grid_constant__ CUtensorMap map_edge, int K,
                 const __grid_constant__ TileOrder order, const __grid_constant__ StreamK share)
{
#ifdef HOPPER_CODE
    using S = WholeSmem<BM, BN, STAGES>;
    constexpr int BK = S::ROW / Element<T>::BYTES, WM = BM / 2, MI = WM / 64;
    static_assert(BM % 128 == 0, "a consumer computes whole groups of 64 rows");
    static_assert(MI * BN <= 384, "the accumulators of a consumer are MI * BN / 2 registers per thread, of 232");
    static_assert(BM / CN % 8 == 0 && BN / CM % 8 == 0, "a part of a shared tile is whole groups of 8 rows");
    /* The store goes by boxes of 64 columns; the last one may be narrower. */
    constexpr int BOXES = (BN + 63) / 64, EDGE = BN % 64;
    static_assert(EDGE % 16 == 0, "stmatrix stores 16 columns at a time");
    static_assert(EDGE == 0 || (!SHARE && KIND == TILES_TO_ONE), "sums are handed over by whole boxes");
    static_assert(!RAGGED || !SHARE, "each thread of a warpgroup must see that it makes the same products");

    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;

    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = CM * CN > 1 ? cluster_rank() : 0, rank_m = rank % CM, rank_n = rank / CM;
    const int me = blockIdx.x / (CM * CN), clusters = gridDim.x / (CM * CN), steps = (K + BK - 1) / BK;
    WorkList<SHARE> work(order.tiles, steps, clusters, me, share);
    int tile, k0, k1;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        tma_prefetch_map(&to.map[0]);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);                  /* the producer, and the bytes */
            mbarrier_init(empty + 8 * s, 2 * (CM + CN - 1)); /* every consumer that reads what this block fetches */
        }
        mbarrier_init_fence();
    }
    if (CM * CN > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == 2) { /* ---------------------------------------------------------------------------- producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            while (work.next(&tile, &k0, &k1)) {
                int row, col;
                tile_place(order, tile, &row, &col);
                /* This block's part of A's tile, and of B's. */
                const int m = (row * CM + rank_m) * BM + rank_n * (BM / CN),
                          n = (col * CN + rank_n) * BN + rank_m * (BN / CM);
                for (int k = k0; k < k1; k++) {
                    const uint32_t a = smem + slot * S::STAGE_BYTES + rank_n * (S::A_BYTES / CN), bar = full + 8 * slot;
                    const uint32_t b = smem + slot * S::STAGE_BYTES + S::A_BYTES + rank_m * (S::B_BYTES / CM);
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                    cluster_fetch<CM, CN>(a, &map_a, m, b, &map_b, n, k * BK, rank_m, rank_n, bar);
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
        /* Which block this thread notifies of a free slot: one thread per block of this row and column of the cluster.
         * */
        int tell = rank;
        if (t < CM)
            tell = rank_n * CM + t;
        else if (t < CM + CN - 1)
            tell = (t - CM + (t - CM >= rank_n)) * CM + rank_m;
        int slot = 0, odd = 0; /* odd: the next tile begins with buffer 1 */
        uint32_t parity = 0;
        float acc[MI][BN / 2];
        while (work.next(&tile, &k0, &k1)) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * CM + rank_m) * BM + group * WM, n = (col * CN + rank_n) * BN;
            int last = slot;
            /* The products of one step, `parts` parts of 32 bytes of K. After it the slot of the step before is free. */
            const auto step = [&](int k, int parts, auto unroll) {
                (void)unroll; /* its type is read, not its value */
                const uint32_t a = smem + slot * S::STAGE_BYTES + group * (WM * S::ROW);
                const uint32_t b = smem + slot * S::STAGE_BYTES + S::A_BYTES;
                const uint64_t da = wgmma_descriptor(a, 128), db = wgmma_descriptor(b, 128);
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
#pragma unroll(decltype(unroll)::value)
                for (int kk = 0; kk < parts; kk++)
#pragma unroll
                    for (int mi = 0; mi < MI; mi++)
                        Wgmma<T, BN>::run(acc[mi], da + (mi * 64 * S::ROW + kk * 32) / 16, db + kk * 2, k | kk);
                wgmma_commit();
                wgmma_wait<1>();
                if (k > 0) {
                    if (CM * CN == 1) {
                        if (t == 0)
                            mbarrier_arrive(empty + 8 * last);
                    } else if (t < CM + CN - 1)
                        mbarrier_arrive_cluster(empty + 8 * last, tell);
                }
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            };
            for (int k = 0; k < k1 - k0 - RAGGED; k++)
                step(k, 4, Times<4>());
            if (RAGGED)
                step(steps - 1, (K - (steps - 1) * BK + BK / 4 - 1) / (BK / 4), Times<1>());
            wgmma_wait<0>();
            if (CM * CN == 1) {
                if (t == 0)
                    mbarrier_arrive(empty + 8 * last);
            } else if (t < CM + CN - 1)
                mbarrier_arrive_cluster(empty + 8 * last, tell);
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
                wgmma_pin(acc[mi]);

            if (SHARE && k0 > 0) { /* not the tile's first part: hand the sums over */
                static_assert(MI == 1 || !SHARE, "sums are handed over for 64 rows a consumer");
                stream_k_give(share, blockIdx.x * 2 + group, 1 + group, t, acc[0]);
                continue;
            }
            int after = me + 1; /* clusters me + 1 .. after - 1 have the tile's other parts */
            if (SHARE)
                for (int have = k1; have < steps; after++) {
                    const int part = work.begin_of(after + 1) - work.begin_of(after);
                    if (part == 0)
                        continue;
                    have += part;
                    stream_k_wait(share, (after * CM * CN + rank) * 2 + group, 1 + group, t);
                }

            /* Boxes of 64 rows by 64 columns. While more tiles follow they go through two buffers, one filled by
             * stmatrix while TMA reads the other. After the last tile, each has a separate place, where this group's
             * rows of A were in a slot. No barrier is needed before that: a warp writes the 16 rows that only its own
             * products have read, and those have ended. */
            const bool at_once = !work.more();
            const uint32_t in_box = (warp * 16 + lane % 16) * 128;
            if (at_once && t == 0)
                tma_store_wait_read<0>();
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
#pragma unroll
                for (int box = 0; box < BOXES; box++) {
                    const int number = mi * BOXES + box;
                    static_assert(MI * BOXES <= STAGES * MI, "the slots' rows of A hold the whole tile");
                    const uint32_t place =
                        smem + number / MI * S::STAGE_BYTES + group * (WM * S::ROW) + number % MI * S::C_BOX;
                    const uint32_t buffer = at_once ? place : c_smem + (group * 2 + (number + odd) % 2) * S::C_BOX;
                    if (!at_once) {
                        if (t == 0)
                            tma_store_wait_read<1>();
                        named_barrier(1 + group, 128);
                    }
                    if (SHARE && k1 < steps)
                        for (int c = me + 1; c < after; c++) /* the other parts, always in the same order */
                            if (work.begin_of(c) < work.begin_of(c + 1))
                                stream_k_add<float, BN / 2, 32>(share, (c * CM * CN + rank) * 2 + group, t, box * 32,
                                                                acc[mi] + box * 32);
                    const bool narrow = box == BN / 64;
#pragma unroll
                    for (int jj = 0; jj < (narrow ? EDGE / 8 : 8); jj += 2) {
                        const float *d = acc[mi] + (box * 8 + jj) * 4;
                        const int piece = jj + lane / 16;
                        stmatrix_x4(buffer + (narrow ? (warp * 16 + lane % 16) * (EDGE * 2) + piece * 16
                                                     : in_box + ((piece ^ (lane & 7)) << 4)),
                                    pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]),
                                    pack_bf16(d[6], d[7]));
                    }
                    fence_proxy_async();
                    named_barrier(1 + group, 128);
                    if (t == 0) {
                        if (narrow)
                            tma_store(&map_edge, n + box * 64, m + mi * 64, buffer);
                        else
                            tile_store(to, n + box * 64, m + mi * 64, buffer);
                        tma_store_commit();
                    }
                }
            odd ^= MI * BOXES % 2; /* a tile of three boxes ends with the buffer that it began with */
        }
        if (t == 0) {
            if (KIND == TILES_TO_ONE)
                tma_store_wait_read<0>();
            else
                tma_store_wait<0>(); /* the bytes are in the other GPU's memory */
        }
    }
    /* A block may leave only when no other can still multicast to it or arrive on its barriers. */
    if (CM * CN > 1)
        cluster_sync();
#endif
}

/* Launches one instance on at most `blocks` blocks, whole clusters. NULL, or why the shape cannot be
 * done. */
template <typename T, int BM, int BN, int STAGES, int CM, int CN, int SHARE, int KIND = TILES_TO_ONE>
const char *whole_launch(const HopperGemm *p, int blocks, int group_rows, int l2_bytes, cudaStream_t stream,
                         void *const *places = NULL, int count = 0)
{
    using S = WholeSmem<BM, BN, STAGES>;
    static_assert(CN <= 2, "the multicast mask along a row is written for one or two blocks");
    const int bytes = Element<T>::BYTES;
    const CUtensorMapDataType type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    CUtensorMap a, b, edge = {};
    TilePlaces<KIND> to;
    const char *why = tensor_map_2d(&a, type, bytes, p->A, p->M, p->K, p->lda, BM / CN, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tensor_map_2d(&b, type, bytes, p->B, p->N, p->K, p->ldb, BN / CM, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tile_places(&to, p->C, p->M, p->N, p->ldc, places, count);
    if (!why && BN % 64) /* rows of less than 128 bytes: without a swizzle they follow each other */
        why = tensor_map_2d(&edge, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, 64, BN % 64, 0);
    if (why)
        return why;
    const int rows = (p->M + BM * CM - 1) / (BM * CM), cols = (p->N + BN * CN - 1) / (BN * CN);
    int all = rows * cols * CM * CN;
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group_rows)))
        return why;
    const int steps = (p->K + S::ROW / bytes - 1) / (S::ROW / bytes);
    if (SHARE == 2 && all < blocks) /* a part of a tile has at least eight steps */
        all = steps < 16 ? all : (int)((long long)all * (steps / 8) < blocks ? all * (steps / 8) : blocks);
    const int most = whole_clusters(blocks, CM * CN), grid = most < all ? most : all;
    StreamK share = {};
    if (SHARE) {
        why = stream_k_prepare(&share, rows * cols, steps, grid / (CM * CN), grid * 2, BM / 2 * BN, SHARE == 2);
        if (why)
            return why;
        if (share.whole_waves < 0) /* nothing to share out */
            return whole_launch<T, BM, BN, STAGES, CM, CN, 0, KIND>(p, blocks, group_rows, l2_bytes, stream, places,
                                                                    count);
    }
    const bool ragged = !SHARE && p->K * bytes % S::ROW;
    auto kernel = ragged ? whole_kernel<T, BM, BN, STAGES, CM, CN, SHARE, KIND, !SHARE>
                         : whole_kernel<T, BM, BN, STAGES, CM, CN, SHARE, KIND, 0>;
    static uint32_t raised[2];
    if (shared_memory_raise((const void *)kernel, S::TOTAL, &raised[ragged]) != cudaSuccess)
        return "this device gives a block too little shared memory";
    kernel<<<grid, 3 * 128, S::TOTAL, stream>>>(a, b, to, edge, p->K, order, share);
    return NULL;
}

#endif
