/* columns.cuh: the weights' gradient, a product of two dense matrices that are both stored with their *columns* in
 * order: dW (M x N) = dZ' X, dZ being K x M and X K x N, K tokens. wgmma reads such operands as they are ("MN-major",
 * bf16 only), so nothing is transposed first.
 *
 * The ring is that of lecture 14's hopper/09_tma_store.cuh, with clusters of two blocks that share X. A stage holds 64
 * tokens of 128 columns of dZ and of 256 columns of X, in boxes of 64 tokens by 64 columns. */
#ifndef SPARSE_STEP_COLUMNS_CUH
#define SPARSE_STEP_COLUMNS_CUH

#include "../../common/hopper.cuh"
#include "../../lecture14_tiling/hopper/tile_order.cuh"

struct ColumnsSmem {
    enum {
        BM = 128,
        BN = 256,
        BK = 64,
        STAGES = 4,
        CONSUMERS = 2,
        CLUSTER = 2,
        BOX = 64 * 128, /* bytes of 64 rows of 64 elements */
        A_BYTES = BM / 64 * BOX,
        B_BYTES = BN / 64 * BOX,
        STAGE_BYTES = A_BYTES + B_BYTES,
        TOTAL = 1024 + STAGES * STAGE_BYTES + CONSUMERS * BOX + 2 * STAGES * 8,
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
    static_assert(BN / 64 % CLUSTER == 0, "the blocks of a cluster fetch whole boxes of X each");
    static_assert(BM == 64 * CONSUMERS, "a consumer computes 64 rows");
};

/* Everything a consumer does for one tile but the store: the sums of its 64 rows. */
struct ColumnsRing {
    uint32_t a, b, full, empty; /* shared addresses: the operands' stages, and the barriers */
    int slot, last;
    uint32_t parity;
};

__device__ __forceinline__ void columns_multiply(ColumnsRing &r, float (&acc)[ColumnsSmem::BN / 2], int consumer,
                                                 int steps, int t)
{
#ifdef HOPPER_CODE
    using S = ColumnsSmem;
    for (int k = 0; k < steps; k++) {
        const uint64_t da = wgmma_descriptor_mn(r.a + r.slot * S::A_BYTES + consumer * S::BOX, S::BOX);
        const uint64_t db = wgmma_descriptor_mn(r.b + r.slot * S::B_BYTES, S::BOX);
        mbarrier_wait(r.full + 8 * r.slot, r.parity);
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < S::BK / 16; i++) /* 16 tokens are 16 rows of 128 bytes */
            WgmmaColumns<S::BN>::run(acc, da + i * (2048 / 16), db + i * (2048 / 16), k > 0 || i > 0);
        wgmma_commit();
        wgmma_wait<1>();
        if (k > 0 && t < S::CLUSTER) /* the step before is done: both blocks may fill its slot anew */
            mbarrier_arrive_cluster(r.empty + 8 * r.last, t);
        r.last = r.slot;
        if (++r.slot == S::STAGES) {
            r.slot = 0;
            r.parity ^= 1;
        }
    }
    wgmma_wait<0>();
    if (t < S::CLUSTER)
        mbarrier_arrive_cluster(r.empty + 8 * r.last, t);
    wgmma_pin(acc);
#endif
}

/* 64 rows by BN columns leave through one box of shared memory, 64 columns at a time. */
__device__ __forceinline__ void columns_store(const CUtensorMap *map, const float (&acc)[ColumnsSmem::BN / 2],
                                              uint32_t buffer, int consumer, int row, int column, int t)
{
#ifdef HOPPER_CODE
    const int warp = t / 32, lane = t % 32;
    const uint32_t row_smem = buffer + (warp * 16 + lane % 16) * 128;
#pragma unroll
    for (int box = 0; box < ColumnsSmem::BN / 64; box++) {
        if (t == 0)
            tma_store_wait_read<0>();
        named_barrier(1 + consumer, 128);
#pragma unroll
        for (int jj = 0; jj < 8; jj += 2) {
            const float *d = acc + (box * 8 + jj) * 4;
            stmatrix_x4(row_smem + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]),
                        pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
        }
        fence_proxy_async();
        named_barrier(1 + consumer, 128);
        if (t == 0) {
            tma_store(map, column + box * 64, row, buffer);
            tma_store_commit();
        }
    }
#endif
}

__global__ void HOPPER_CLUSTER(ColumnsSmem::CLUSTER) __launch_bounds__(384, 1)
    columns_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   const __grid_constant__ CUtensorMap map_c, int K, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    using S = ColumnsSmem;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + S::STAGES * S::STAGE_BYTES, full = c_smem + S::CONSUMERS * S::BOX;
    ColumnsRing ring = {smem, smem + S::STAGES * S::A_BYTES, full, full + 8 * S::STAGES, 0, 0, 0};
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = (int)cluster_rank(), me = blockIdx.x / S::CLUSTER, clusters = gridDim.x / S::CLUSTER;
    const int steps = (K + S::BK - 1) / S::BK;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        tma_prefetch_map(&map_c);
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(ring.full + 8 * s, 1);
            mbarrier_init(ring.empty + 8 * s, S::CONSUMERS * S::CLUSTER);
        }
        mbarrier_init_fence();
    }
    cluster_sync();

    if (group == S::CONSUMERS) { /* the producer */
        registers_give<24>();
        ring.parity = 1;
        for (int tile = me; t == 0 && tile < order.tiles; tile += clusters) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * S::CLUSTER + rank) * S::BM, n = col * S::BN;
            for (int k = 0; k < steps; k++) {
                const uint32_t a = ring.a + ring.slot * S::A_BYTES, b = ring.b + ring.slot * S::B_BYTES;
                const uint32_t bar = ring.full + 8 * ring.slot;
                mbarrier_wait(ring.empty + 8 * ring.slot, ring.parity);
                mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                for (int i = 0; i < S::BM / 64; i++)
                    tma_load(a + i * S::BOX, &map_a, m + i * 64, k * S::BK, bar);
                constexpr int PART = S::BN / 64 / S::CLUSTER; /* boxes of X that this block fetches for both */
                for (int i = rank * PART; i < (rank + 1) * PART; i++)
                    tma_load_multicast(b + i * S::BOX, &map_b, n + i * 64, k * S::BK, bar, (1 << S::CLUSTER) - 1);
                if (++ring.slot == S::STAGES) {
                    ring.slot = 0;
                    ring.parity ^= 1;
                }
            }
        }
    } else {
        registers_take<240>();
        float acc[S::BN / 2];
        for (int tile = me; tile < order.tiles; tile += clusters) {
            int row, col;
            tile_place(order, tile, &row, &col);
            columns_multiply(ring, acc, group, steps, t);
            columns_store(&map_c, acc, c_smem + group * S::BOX, group, (row * S::CLUSTER + rank) * S::BM + group * 64,
                          col * S::BN, t);
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    cluster_sync(); /* a block's shared memory stays until its neighbour has sent its last arrival to it */
#endif
}

/* C (M x N) = A' B, A being K x M (lda elements from row to row; 0: M) and B K x N, bf16, row-major all three. NULL, or
 * why not. */
static const char *columns_launch(const void *A, const void *B, void *C, int M, int N, int K, int blocks,
                                  cudaStream_t stream, int lda = 0)
{
    using S = ColumnsSmem;
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    CUtensorMap a, b, c;
    TileOrder order;
    const int rows = (M + S::BM * S::CLUSTER - 1) / (S::BM * S::CLUSTER), columns = (N + S::BN - 1) / S::BN;
    const char *why = tensor_map_2d(&a, type, 2, A, K, M, lda ? lda : M, S::BK, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, type, 2, B, K, N, N, S::BK, 64, 128);
    if (!why)
        why = tensor_map_2d(&c, type, 2, C, M, N, N, 64, 64, 128);
    if (!why)
        why = tile_order(&order, rows, columns, 8);
    if (why)
        return why;
    static uint32_t raised;
    if (shared_memory_raise((const void *)columns_kernel, S::TOTAL, &raised) != cudaSuccess)
        return "this device gives a block too little shared memory";
    const int all = order.tiles * S::CLUSTER, most = whole_clusters(blocks, S::CLUSTER);
    const int grid = most < all ? most : all;
    columns_kernel<<<grid, 384, S::TOTAL, stream>>>(a, b, c, K, order);
    return NULL;
}

#endif
