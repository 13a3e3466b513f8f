/* 11_ping_pong.cuh: the consumers take turns. (Rung 11; before: 10_whole.cuh.) So far both consumers worked on one
 * tile, reached its end together, and while they stored it the tensor cores rested. Now each has its own tiles, 128
 * columns wide: while one stores, the other multiplies. Of a block's last two tiles only the second one's store is
 * still in the open, and it is half as big. The price is bytes: 128 x 128 fetches a third more for each product than
 * 128 x 256.
 *
 * A tile need not be a power of two high: any multiple of 8 is an N of wgmma. 4096 x 4096 in tiles of 112 x 128 is 8.97
 * waves of 132 blocks, of 128 x 128 7.76: nine times 112 rows are less than eight times 128. So the operands change
 * places, as in 12_skinny.cuh: rows of B are wgmma's 64-row operand and rows of A its N, the sums are C's transpose,
 * and stmatrix turns them back on the way out. (The odd size must be along C's rows: a row of 112 columns ends in the
 * middle of a line of 128 bytes, and its two parts, written by two blocks, cost 7 % of the speed.)
 *
 * Of 26 us at 2048 x 2048 x 2048 the first 2 pass before the first wgmma, so the beginning is shortened as well: the
 * producer's thread sets up the barriers and fills the ring before the block has met; no registers change hands where
 * the tile does not need them; where a tile is, is found without a division (tile_order.cuh).
 *
 *   T         element type of A and B; C is bf16, sums are fp32
 *   BM        rows of a tile: 128, or 112 or 168 = 2 or 3 x 56
 *   STAGES    slots of the ring in shared memory
 *   CM x CN   blocks in a cluster, as in 10_whole.cuh
 *
 * C (M x N) = A (M x K) times the transpose of B (N x K), all row-major: K is contiguous in both operands. */
#ifndef HOPPER_11_PING_PONG_CUH
#define HOPPER_11_PING_PONG_CUH

#include "../../common/hopper.cuh"
#include "10_whole.cuh"
#include "tile_order.cuh"

/* What a block keeps in shared memory. Tiles begin on multiples of 1024 bytes, as the 128-byte swizzle asks. C goes out
 * in boxes of 64 columns by 64 or 56 rows. */
template <int BM, int STAGES> struct PingPongSmem {
    enum {
        BN = 128,
        ROW = 128, /* bytes of K a stage holds of each row, and of C a box */
        A_BYTES = BM * ROW,
        B_BYTES = BN * ROW,
        STAGE_BYTES = A_BYTES + B_BYTES,
        BOX = BM % 64 == 0 ? 64 : 56, /* rows of a box */
        BOX_BYTES = BOX * ROW,
        C_BYTES = 2 * 2 * BOX_BYTES,
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8 + 2 * 8,
    };
    static_assert(BM % BOX == 0, "the store goes by boxes");
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

template <typename T, int BM, int STAGES, int CM, int CN>
__global__ void HOPPER_CLUSTER(CM *CN) __launch_bounds__(3 * 128, 1)
    ping_pong_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                     const __grid_constant__ CUtensorMap map_c, int K, int turns,
                     const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    using S = PingPongSmem<BM, STAGES>;
    constexpr int BN = S::BN, BOX = S::BOX, BK = S::ROW / Element<T>::BYTES;
    /* 384 threads have 168 registers each. Sums of 64 x 168 need more, and get the producer's. */
    constexpr bool MOVE = BM > 128;
    static_assert(BM / CN % 8 == 0 && BN / CM % 8 == 0, "a part of a shared tile is whole groups of 8 rows");

    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES,
                   turn = empty + 8 * STAGES;

    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = CM * CN > 1 ? cluster_rank() : 0, rank_m = rank % CM, rank_n = rank / CM;
    const int me = blockIdx.x / (CM * CN), clusters = gridDim.x / (CM * CN);
    const int tiles = order.tiles, steps = (K + BK - 1) / BK;
    const int all_steps = (turns + (me + turns * clusters < tiles)) * steps;

    /* Step k of tile (row, col) into a slot: this block's part of A's tile, and of B's. */
    const auto fetch = [&](int slot, int k, int row, int col) {
        const int m = (row * CM + rank_m) * BM + rank_n * (BM / CN), n = (col * CN + rank_n) * BN + rank_m * (BN / CM);
        const uint32_t a = smem + slot * S::STAGE_BYTES + rank_n * (S::A_BYTES / CN), bar = full + 8 * slot;
        const uint32_t b = smem + slot * S::STAGE_BYTES + S::A_BYTES + rank_m * (S::B_BYTES / CM);
        mbarrier_arrive_expect(bar, S::STAGE_BYTES);
        cluster_fetch<CM, CN>(a, &map_a, m, b, &map_b, n, k * BK, rank_m, rank_n, bar);
    };

    /* The ring is filled before the block has met. With a cluster it must wait: the other block's barriers are not set
     * up yet. */
    const int ahead = CM * CN == 1 ? min(STAGES, steps) : 0;
    int row, col;
    if (threadIdx.x == 2 * 128) { /* the producer's thread */
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);            /* the producer, and the bytes */
            mbarrier_init(empty + 8 * s, CM + CN - 1); /* the consumer in each block that reads what this one fetches */
        }
        for (int g = 0; g < 2; g++)
            mbarrier_init(turn + 8 * g, 4); /* the other consumer's warps */
        mbarrier_init_fence();
        tile_place(order, me, &row, &col);
#pragma unroll 1 /* short code: it comes from memory, too */
        for (int k = 0; k < ahead; k++)
            fetch(k, k, row, col);
        tma_prefetch_map(&map_c);
    }
    if (CM * CN > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == 2) { /* ---------------------------------------------------------------------------- producer */
        if (MOVE)
            registers_give<40>();
        if (t == 0) {
            int slot = ahead % STAGES;
            uint32_t parity = ahead < STAGES; /* an empty ring: the first waits return at once */
            for (int tile = me, k = ahead; tile < tiles; tile += clusters, k = 0) {
                tile_place(order, tile, &row, &col);
                for (; k < steps; k++) {
                    mbarrier_wait(empty + 8 * slot, parity);
                    fetch(slot, k, row, col);
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        if (MOVE)
            registers_take<232>();
        const int warp = t / 32, lane = t % 32;
        /* Which block this thread notifies of a free slot: one thread per block of this row and column of the cluster.
         * */
        int tell = rank;
        if (t < CM)
            tell = rank_n * CM + t;
        else if (t < CM + CN - 1)
            tell = (t - CM + (t - CM >= rank_n)) * CM + rank_m;
        // notes: turns
        uint32_t turn_parity = group == 0; /* consumer 0 begins: its first wait returns at once */
        float acc[2][BM / 2];              /* 64 columns of C each, BM rows */
        for (int tile = me + group * clusters, step = group * steps; tile < tiles;
             tile += 2 * clusters, step += steps /* the other's tile */) {
            tile_place(order, tile, &row, &col);
            const int m = (row * CM + rank_m) * BM, n = (col * CN + rank_n) * BN;
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
                    for (int half = 0; half < 2; half++)
                        Wgmma<T, BM>::run(acc[half], db + (half * 64 * S::ROW + kk * 32) / 16, da + kk * 2, k | kk);
                wgmma_commit();
                wgmma_wait<1>();
                /* A slot that is never filled again is not handed back. So no arrival comes to a block that has left,
                 * and blocks of a cluster need not wait for each other at the end. */
                if (k > 0 && step - 1 + STAGES < all_steps) {
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
            }
            __syncwarp();
            if (lane == 0)
                mbarrier_arrive(turn + 8 * (1 - group)); /* the tensor cores are the other's from here */
            wgmma_wait<0>();
            // notes end
            if (step - 1 + STAGES < all_steps) {
                if (CM * CN == 1) {
                    if (t == 0)
                        mbarrier_arrive(empty + 8 * last);
                } else if (t < CM + CN - 1)
                    mbarrier_arrive_cluster(empty + 8 * last, tell);
            }
#pragma unroll
            for (int half = 0; half < 2; half++)
                wgmma_pin(acc[half]);

            /* The boxes go through two buffers, one filled by stmatrix while TMA reads the other. When the block's last
             * tile is done, all slots have held parts of it and are free: then each box gets a place there. */
            const bool at_once = tile + clusters >= tiles && steps >= STAGES;
            if (at_once) /* a warp's wait covers its own products, and all four warps read the whole of A's tile */
                named_barrier(1 + group, 128);
            /* stmatrix wants this lane's address: a row of C, and 8 of the warp's 16 columns. */
            const uint32_t columns = ((warp * 2 + lane / 8 % 2) ^ (lane & 7)) << 4;
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int box = 0; box < BM / BOX; box++) {
                    const int number = half * (BM / BOX) + box;
                    static_assert(2 * BM * S::ROW <= STAGES * S::STAGE_BYTES, "the slots hold the whole tile");
                    const uint32_t buffer =
                        at_once ? smem + number * S::BOX_BYTES : c_smem + (group * 2 + number % 2) * S::BOX_BYTES;
                    if (!at_once) {
                        if (t == 0)
                            tma_store_wait_read<1>();
                        named_barrier(1 + group, 128);
                    }
#pragma unroll
                    for (int eight = 0; eight < BOX / 8; eight += 2) { /* rows, times 8 */
                        const float *d = acc[half] + (box * (BOX / 8) + eight) * 4;
                        const bool pair = eight + 1 < BOX / 8;
                        const uint32_t to =
                            buffer + (8 * (eight + (pair ? lane / 16 : 0)) + (lane & 7)) * S::ROW + columns;
                        if (pair)
                            stmatrix_x4_trans(to, pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]),
                                              pack_bf16(d[6], d[7]));
                        else
                            stmatrix_x2_trans(to, pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]));
                    }
                    fence_proxy_async();
                    named_barrier(1 + group, 128);
                    if (t == 0) {
                        tma_store(&map_c, n + half * 64, m + box * BOX, buffer);
                        tma_store_commit();
                    }
                }
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
#endif
}

/* Launches one instance on at most `blocks` blocks, whole clusters. NULL, or why the shape cannot be
 * done. */
template <typename T, int BM, int STAGES, int CM, int CN>
const char *ping_pong_launch(const HopperGemm *p, int blocks, int group_rows, int l2_bytes, cudaStream_t stream)
{
    using S = PingPongSmem<BM, STAGES>;
    static_assert(CN <= 2, "the multicast mask along a row is written for one or two blocks");
    const int bytes = Element<T>::BYTES;
    const CUtensorMapDataType type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, type, bytes, p->A, p->M, p->K, p->lda, BM / CN, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tensor_map_2d(&b, type, bytes, p->B, p->N, p->K, p->ldb, S::BN / CM, S::ROW / bytes, 128, l2_bytes);
    if (!why)
        why = tensor_map_2d(&c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, S::BOX, 64, 128);
    if (why)
        return why;
    const int rows = (p->M + BM * CM - 1) / (BM * CM), cols = (p->N + S::BN * CN - 1) / (S::BN * CN),
              all = rows * cols * CM * CN;
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, group_rows)))
        return why;
    auto kernel = ping_pong_kernel<T, BM, STAGES, CM, CN>;
    static bool raised = false;
    if (!raised) {
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::TOTAL) != cudaSuccess)
            return "this device gives a block too little shared memory";
        raised = true;
    }
    const int most = whole_clusters(blocks, CM * CN), grid = most < all ? most : all;
    const int turns = all / grid; /* tiles of each block; some have one more */
    kernel<<<grid, 3 * 128, S::TOTAL, stream>>>(a, b, c, p->K, turns, order);
    return NULL;
}

/* The tile's height by the waves it makes on `blocks` blocks: whole waves times height, the rows that a multiprocessor
 * computes one after the other, should be few; of two heights that come out even the higher, which fetches fewer bytes.
 */
static inline const char *ping_pong_by_waves(const HopperGemm *p, int blocks, cudaStream_t stream)
{
    const int height[] = {112, 128, 168};
    int best = 0;
    int64_t least = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        const int64_t tiles = (int64_t)((p->M + height[i] - 1) / height[i]) * ((p->N + 127) / 128);
        const int64_t rows = (tiles + blocks - 1) / blocks * height[i];
        if (rows <= least)
            least = rows, best = height[i];
    }
    return best == 112   ? ping_pong_launch<Bf16, 112, 6, 1, 2>(p, blocks, 19, 256, stream)
           : best == 128 ? ping_pong_launch<Bf16, 128, 6, 1, 1>(p, blocks, 16, 256, stream)
                         : ping_pong_launch<Bf16, 168, 5, 1, 1>(p, blocks, 16, 256, stream);
}

#endif
