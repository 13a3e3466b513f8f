/* ring_sparse.cuh: 2:4 sparse A times dense B by sparse wgmma, on the ring of lecture 14's hopper/09_tma_store.cuh
 * (read that first). What is new:
 *
 *   - A holds only the kept half: of each stage, 64 bytes of a row of A stand for 128 bytes of a row of B.
 *   - The metadata never passes through shared memory, whose bandwidth is what limits this kernel: it is reordered
 *     once, offline (meta_order.h), so that one 16-byte load from global memory gives a thread its words for 256
 *     columns (eight wgmma of 16-bit elements, both selectors; four of 8-bit elements), and it is loaded one such
 *     round ahead.
 *
 * C (M x N, bf16) = A (M x K, 2:4) times the transpose of B (N x K). A layer wants the other way round, X W', with the
 * sparse weights second: with TURNED the transpose of C is written, N x M, by stmatrix's own transposition. */
#ifndef HOPPER_RING_SPARSE_CUH
#define HOPPER_RING_SPARSE_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "../../lecture14_tiling/hopper/stream_k.cuh"
#include "../../lecture14_tiling/hopper/tile_order.cuh"

/* BYTES per element of A and B; sums are of type Sum; elements of C of type Out. */
template <typename T> struct SparseElement;
template <> struct SparseElement<Bf16> {
    enum { BYTES = 2 };
    typedef float Sum;
    typedef __nv_bfloat16 Out;
};
template <> struct SparseElement<E4m3> {
    enum { BYTES = 1 };
    typedef float Sum;
    typedef __nv_bfloat16 Out;
};
template <> struct SparseElement<S8> {
    enum { BYTES = 1 };
    typedef int Sum;
    typedef int Out;
};

__device__ __forceinline__ void store_pair(__nv_bfloat16 *to, float x, float y) { *(uint32_t *)to = pack_bf16(x, y); }
__device__ __forceinline__ void store_pair(int *to, int x, int y) { *(int2 *)to = make_int2(x, y); }

__device__ __forceinline__ void store_shared_pair(uint32_t to, int x, int y)
{
    asm volatile("st.shared.v2.s32 [%0], {%1, %2};" ::"r"(to), "r"(x), "r"(y) : "memory");
}

template <int BM, int BN, int STAGES, int CONSUMERS, int BUFFERS> struct SparseSmem {
    enum {
        A_ROW = 64,
        B_ROW = 128,
        A_BYTES = BM * A_ROW,
        B_BYTES = BN * B_ROW,
        STAGE_BYTES = A_BYTES + B_BYTES,
        C_BOX = 64 * 128,
        C_BYTES = CONSUMERS * BUFFERS * C_BOX,
        TOTAL = 1024 + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

__device__ __forceinline__ uint4 load_meta(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
    return v;
}

/* How C leaves: as it is, transposed, or transposed with negative numbers as zeros (NaN stays). */
enum { SPARSE_STRAIGHT, SPARSE_TURNED, SPARSE_TURNED_RELU };

template <int TURNED> __device__ __forceinline__ uint32_t pack_result(float low, float high)
{
    if (TURNED == SPARSE_TURNED_RELU) {
        low = low < 0 ? 0 : low;
        high = high < 0 ? 0 : high;
    }
    return pack_bf16(low, high);
}

/* BUFFERS boxes of shared memory for the store, per consumer; 0: each thread writes its pairs. SHARE: tiles that fill
 * no whole wave are cut along K (lecture 14's hopper/stream_k.cuh). KIND: where C's tiles go, `to` (bf16 and BUFFERS
 * only, except for TILES_TO_ONE). */
template <typename T, int BM, int BN, int STAGES, int CONSUMERS, int CM, int CN, int BUFFERS, int SHARE, int TURNED,
          int KIND>
__global__ void HOPPER_CLUSTER(CM *CN) __launch_bounds__((CONSUMERS + 1) * 128, 1)
    ring_sparse_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                       const __grid_constant__ TilePlaces<KIND> to, const uint4 *meta,
                       typename SparseElement<T>::Out *C, int M, int N, int K, int ldc,
                       const __grid_constant__ TileOrder order, const __grid_constant__ StreamK share)
{
#ifdef HOPPER_CODE
    using S = SparseSmem<BM, BN, STAGES, CONSUMERS, BUFFERS>;
    typedef typename SparseElement<T>::Out Out;
    constexpr int BK = S::B_ROW / SparseElement<T>::BYTES; /* columns of A, kept or not, in a stage */
    constexpr int WM = BM / CONSUMERS, MI = WM / 64;
    static_assert(BM % (64 * CONSUMERS) == 0, "a consumer computes whole groups of 64 rows");
    static_assert(MI <= 2 && MI * BN <= 384,
                  "the accumulators of a consumer are MI * BN / 2 registers per thread, of 240");
    static_assert(BM / CN % 8 == 0 && BN / CM % 8 == 0, "a part of a shared tile is whole groups of 8 rows");
    static_assert(!TURNED || (BUFFERS && sizeof(Out) == 2), "stmatrix transposes elements of 16 bits");

    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t b_smem = smem + STAGES * S::A_BYTES, c_smem = b_smem + STAGES * S::B_BYTES;
    const uint32_t full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;

    const int group_id = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const uint32_t rank = CM * CN > 1 ? cluster_rank() : 0, rank_m = rank % CM, rank_n = rank / CM;
    /* A round is what one 16-byte load of metadata covers: 4 words per thread, 64 columns per word. Work is shared out
     * in rounds. */
    constexpr int ROUND = 256 / BK;
    const int me = blockIdx.x / (CM * CN), clusters = gridDim.x / (CM * CN);
    const int steps = (K + BK - 1) / BK, rounds = (K + 255) / 256;
    WorkList<SHARE> work(order.tiles, rounds, clusters, me, share);
    int tile, r0, r1;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        if (BUFFERS)
            tma_prefetch_map(&to.map[0]);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, CONSUMERS * (CM + CN - 1));
        }
        mbarrier_init_fence();
    }
    if (CM * CN > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group_id == CONSUMERS) { /* ------------------------------------------------------------------ producer */
        registers_give<SHARE ? 40 : 24>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            while (work.next(&tile, &r0, &r1)) {
                int row, col;
                tile_place(order, tile, &row, &col);
                const int m = (row * CM + rank_m) * BM, n = (col * CN + rank_n) * BN;
                for (int k = r0 * ROUND; k < min(steps, r1 * ROUND); k++) {
                    const uint32_t a = smem + slot * S::A_BYTES, b = b_smem + slot * S::B_BYTES, bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                    if (CM == 1)
                        tma_load(b, &map_b, k * BK, n, bar);
                    else
                        tma_load_multicast(b + rank_m * (S::B_BYTES / CM), &map_b, k * BK, n + rank_m * (BN / CM), bar,
                                           (uint16_t)(((1u << CM) - 1) << (rank_n * CM)));
                    if (CN == 1)
                        tma_load(a, &map_a, k * (BK / 2), m, bar);
                    else
                        tma_load_multicast(a + rank_n * (S::A_BYTES / CN), &map_a, k * (BK / 2), m + rank_n * (BM / CN),
                                           bar, (uint16_t)((CN == 2 ? 1u | 1u << CM : 1u) << rank_m));
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        registers_take<SHARE ? 232 : 240>();
        const int warp = t / 32, lane = t % 32;
        uint32_t tell = rank;
        if (t < CM)
            tell = rank_n * CM + t;
        else if (t < CM + CN - 1)
            tell = ((t - CM + (t - CM >= (int)rank_n)) * CM) + rank_m;
        int slot = 0, last = 0;
        uint32_t parity = 0;
        typename SparseElement<T>::Sum acc[MI][BN / 2];
        while (work.next(&tile, &r0, &r1)) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * CM + rank_m) * BM + group_id * WM, n = (col * CN + rank_n) * BN;
            /* Rows of blocks past the matrix have no metadata: any will do, their A is zero. */
            /* Two sets of words, in turn. A wgmma in flight still reads its words: a set is loaded anew only after the
             * wait that ends the last wgmma that used it. */
            const int blocks = (M + 63) / 64, below = m / 64 + 1 < blocks ? rounds * 128 : 0;
            const uint4 *next = meta + ((size_t)min(m / 64, blocks - 1) * rounds + r0) * 128 + t;
            const int here = min(steps, r1 * ROUND) - r0 * ROUND; /* steps of this piece of work */
            uint4 words[2][MI];
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
                words[0][mi] = load_meta(next + mi * below);
            for (int pair = 0; pair < r1 - r0; pair += 2) {
#pragma unroll
                for (int j = 0; j < 2 * ROUND; j++) {
                    const int set = j / ROUND, quarter = j % ROUND, k = pair * ROUND + j;
                    if (k >= here)
                        break;
                    const uint64_t da = wgmma_descriptor(smem + slot * S::A_BYTES + group_id * (WM * S::A_ROW), 64);
                    const uint64_t db = wgmma_descriptor(b_smem + slot * S::B_BYTES, 128);
                    mbarrier_wait(full + 8 * slot, parity);
                    wgmma_fence();
#pragma unroll
                    for (int mi = 0; mi < MI; mi++) {
                        const uint4 w = words[set][mi];
                        const uint64_t d = da + mi * (64 * S::A_ROW / 16);
                        if (SparseElement<T>::BYTES == 2) {
                            const uint32_t both = quarter == 0 ? w.x : quarter == 1 ? w.y : quarter == 2 ? w.z : w.w;
                            WgmmaSparse<T, BN, 0>::run(acc[mi], d, db, both, k);
                            WgmmaSparse<T, BN, SparseElement<T>::BYTES == 2>::run(acc[mi], d + 2, db + 4, both, 1);
                        } else {
                            WgmmaSparse<T, BN, 0>::run(acc[mi], d, db, quarter == 0 ? w.x : w.z, k);
                            WgmmaSparse<T, BN, 0>::run(acc[mi], d + 2, db + 4, quarter == 0 ? w.y : w.w, 1);
                        }
                    }
                    wgmma_commit();
                    wgmma_wait<1>();
                    if (k > 0) {
                        if (CM * CN == 1) {
                            if (t == 0)
                                mbarrier_arrive(empty + 8 * last);
                        } else if (t < CM + CN - 1)
                            mbarrier_arrive_cluster(empty + 8 * last, tell);
                    }
                    if (quarter == 0 && pair + set + 1 < r1 - r0) {
                        next += 128;
#pragma unroll
                        for (int mi = 0; mi < MI; mi++)
                            words[set ^ 1][mi] = load_meta(next + mi * below);
                    }
                    last = slot;
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
            wgmma_wait<0>();
            if (CM * CN == 1) {
                if (t == 0)
                    mbarrier_arrive(empty + 8 * last);
            } else if (t < CM + CN - 1)
                mbarrier_arrive_cluster(empty + 8 * last, tell);
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
                wgmma_pin(acc[mi]);

            if (SHARE && r0 > 0) { /* not the tile's first part: hand the sums over */
                static_assert((MI == 1 && BUFFERS > 0) || !SHARE, "sums are handed over for 64 rows a consumer");
                stream_k_give(share, blockIdx.x * CONSUMERS + group_id, 1 + group_id, t, acc[0]);
                continue;
            }
            int after = me + 1; /* clusters me + 1 .. after - 1 have the tile's other parts */
            if (SHARE)
                for (int have = r1; have < rounds; after++) {
                    const int part = work.begin_of(after + 1) - work.begin_of(after);
                    if (part == 0)
                        continue;
                    have += part;
                    stream_k_wait(share, (after * CM * CN + rank) * CONSUMERS + group_id, 1 + group_id, t);
                }

            if (BUFFERS == 0) {
#pragma unroll
                for (int mi = 0; mi < MI; mi++)
#pragma unroll
                    for (int j = 0; j < BN / 8; j++)
#pragma unroll
                        for (int h = 0; h < 2; h++) {
                            const int r = m + mi * 64 + warp * 16 + lane / 4 + 8 * h, c = n + 8 * j + 2 * (lane % 4);
                            if (r < M && c < N)
                                store_pair(C + (size_t)r * ldc + c, acc[mi][4 * j + 2 * h], acc[mi][4 * j + 2 * h + 1]);
                        }
            } else {
                /* Boxes of 64 rows by 128 bytes. bf16: stmatrix; s32: the same places by pairs of ordinary stores. */
                constexpr int KEEP = BUFFERS ? BUFFERS : 1, BOX = 128 / sizeof(Out);
                const uint32_t mine = c_smem + group_id * (BUFFERS * S::C_BOX);
#pragma unroll
                for (int mi = 0; mi < MI; mi++)
#pragma unroll
                    for (int box = 0; box < BN / BOX; box++) {
                        const uint32_t buffer = mine + (mi * (BN / BOX) + box) % KEEP * S::C_BOX;
                        if (t == 0)
                            tma_store_wait_read<KEEP - 1>();
                        named_barrier(1 + group_id, 128);
                        if (SHARE && r1 < rounds)
                            for (int c = me + 1; c < after; c++) /* the other parts, always in the same order */
                                if (work.begin_of(c) < work.begin_of(c + 1))
                                    stream_k_add<typename SparseElement<T>::Sum, BN / 2, BOX / 2>(
                                        share, (c * CM * CN + rank) * CONSUMERS + group_id, t, box * (BOX / 2),
                                        acc[mi] + box * (BOX / 2));
                        if constexpr (TURNED != SPARSE_STRAIGHT) {
                            /* rows of the box are columns of C; the warp's 16 rows of C are two 16-byte pieces */
                            const uint32_t piece = ((2 * warp + lane / 8 % 2) ^ (lane & 7)) << 4;
                            const uint32_t row_smem = buffer + (lane / 16 * 8 + lane % 8) * 128 + piece;
#pragma unroll
                            for (int jj = 0; jj < 8; jj += 2) {
                                const auto *d = acc[mi] + (box * 8 + jj) * 4;
                                stmatrix_x4_trans(row_smem + jj * 8 * 128, pack_result<TURNED>(d[0], d[1]),
                                                  pack_result<TURNED>(d[2], d[3]), pack_result<TURNED>(d[4], d[5]),
                                                  pack_result<TURNED>(d[6], d[7]));
                            }
                        } else if constexpr (sizeof(Out) == 2) {
                            const uint32_t row_smem = buffer + (warp * 16 + lane % 16) * 128;
#pragma unroll
                            for (int jj = 0; jj < 8; jj += 2) {
                                const auto *d = acc[mi] + (box * 8 + jj) * 4;
                                stmatrix_x4(row_smem + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                                            pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                            }
                        } else {
                            const uint32_t row_smem = buffer + (warp * 16 + lane / 4) * 128 + lane % 2 * 8;
#pragma unroll
                            for (int jj = 0; jj < 4; jj++) {
                                const auto *d = acc[mi] + (box * 4 + jj) * 4;
                                const uint32_t piece = ((2 * jj + lane % 4 / 2) ^ (lane / 4)) << 4;
                                store_shared_pair(row_smem + piece, d[0], d[1]);
                                store_shared_pair(row_smem + 8 * 128 + piece, d[2], d[3]);
                            }
                        }
                        fence_proxy_async();
                        named_barrier(1 + group_id, 128);
                        if (t == 0) {
                            if (TURNED)
                                tile_store(to, m + mi * 64, n + box * BOX, buffer);
                            else
                                tile_store(to, n + box * BOX, m + mi * 64, buffer);
                            tma_store_commit();
                        }
                    }
            }
        }
        if (BUFFERS && t == 0) {
            if (KIND == TILES_TO_ONE)
                tma_store_wait_read<0>();
            else
                tma_store_wait<0>(); /* the bytes are in the other GPU's memory */
        }
    }
    if (CM * CN > 1)
        cluster_sync();
#endif
}

/* p->A is M rows of kept elements, p->lda of them in a row (sparse.h); `meta` the reordered metadata. TURNED: p->C is
 * N x M. */
template <typename T, int BM, int BN, int STAGES, int CONSUMERS, int CM, int CN, int BUFFERS, int SHARE,
          int TURNED = SPARSE_STRAIGHT, int KIND = TILES_TO_ONE>
const char *ring_sparse_launch(const HopperGemm *p, const uint32_t *meta, int blocks, int group, cudaStream_t stream,
                               void *const *places = NULL, int count = 0)
{
    using S = SparseSmem<BM, BN, STAGES, CONSUMERS, BUFFERS>;
    const int bytes = SparseElement<T>::BYTES;
    const CUtensorMapDataType type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    CUtensorMap a, b;
    TilePlaces<KIND> to = {};
    const char *why = tensor_map_2d(&a, type, bytes, p->A, p->M, p->lda, p->lda, BM / CN, S::A_ROW / bytes, 64);
    if (!why)
        why = tensor_map_2d(&b, type, bytes, p->B, p->N, p->K, p->ldb, BN / CM, S::B_ROW / bytes, 128);
    typedef typename SparseElement<T>::Out Out;
    const int c_rows = TURNED ? p->N : p->M, c_cols = TURNED ? p->M : p->N;
    if (!why && BUFFERS && sizeof(Out) == 2)
        why = tile_places(&to, p->C, c_rows, c_cols, p->ldc, places, count);
    else if (!why && BUFFERS)
        why = tensor_map_2d(&to.map[0], CU_TENSOR_MAP_DATA_TYPE_INT32, sizeof(Out), p->C, c_rows, c_cols, p->ldc, 64,
                            128 / sizeof(Out), 128);
    if (why)
        return why;
    const int rows = (p->M + BM * CM - 1) / (BM * CM), cols = (p->N + BN * CN - 1) / (BN * CN),
              all = rows * cols * CM * CN;
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group)))
        return why;
    const int most = blocks ? whole_clusters(blocks, CM * CN) : all, grid = most < all ? most : all;
    StreamK share = {};
    if (SHARE) {
        why = stream_k_prepare(&share, rows * cols, (p->K + 255) / 256, grid / (CM * CN), grid * CONSUMERS, 64 * BN);
        if (why)
            return why;
        if (share.whole_waves < 0) /* nothing to share out */
            return ring_sparse_launch<T, BM, BN, STAGES, CONSUMERS, CM, CN, BUFFERS, 0, TURNED, KIND>(
                p, meta, blocks, group, stream, places, count);
    }
    auto kernel = ring_sparse_kernel<T, BM, BN, STAGES, CONSUMERS, CM, CN, BUFFERS, SHARE, TURNED, KIND>;
    static uint32_t raised;
    if (shared_memory_raise((const void *)kernel, S::TOTAL, &raised) != cudaSuccess)
        return "this device gives a block too little shared memory";
    kernel<<<grid, (CONSUMERS + 1) * 128, S::TOTAL, stream>>>(a, b, to, (const uint4 *)meta, (Out *)p->C, p->M, p->N,
                                                              p->K, p->ldc, order, share);
    return NULL;
}

#endif
