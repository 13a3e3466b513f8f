/* 03_wgmma.cuh: the products by TMA and wgmma (rung 3), and what follows a product done in its epilogue (rung 5).
 * (Before: 02_mma_sync.cuh.)
 *
 * The kernel is that of the lab hopper, rungs 9 and 10: one block per multiprocessor, tiles of 128 x 256, a producer and
 * two consumers of 64 rows, blocks in pairs that fetch half of B's tile each, for both. New: the operands' layout. The
 * tensor cores read an operand of 16 bits either way round: K-contiguous rows, or boxes of 64 columns in which K goes
 * down; TMA fetches either as it is in memory. So no gradient needs a transposed copy of weights or activations.
 *
 * Fused: a warp asks for its rows of the second operand, 16 bytes per lane, before the tile's first product; puts them
 * where the results will be, and gets them back in the order of the sums by ldmatrix. To start one consumer some steps
 * later, so that their epilogues do not coincide, made no difference.
 *
 *   KIND, EPILOGUE   problem.cuh
 *
 * A and C are tensors of three dimensions, columns x rows x parts, so that rows past the end of a part are neither read
 * nor written. */
#ifndef BLOCK_03_WGMMA_CUH
#define BLOCK_03_WGMMA_CUH

#include "../../common/hopper.cuh"
#include "../attention/07_persistent.cuh"
#include "../attention_backward/04_wgmma.cuh"
#include "../hopper/tile_order.cuh"
#include "elements.cuh"
#include "problem.cuh"

/* d (64 x N) += a (64 x 16, K-contiguous) b (16 x N, N-contiguous) at N = 256. */
WGMMA_MN(WgmmaRows, 0, 256, WGMMA_R128, WGMMA_O128, 128, 129, 130)

/* Shared memory of a block that computes BM x 256 at a time. Tiles begin on multiples of 1024 bytes, as the 128-byte
 * swizzle asks. C goes out in boxes of 64 x 64, of which each consumer has BOXES. A second operand's boxes are fetched
 * AHEAD: a consumer that has nobody to multiply meanwhile asks for all four before the first product. */
template <int BM_, int STAGES_, int BOXES_, int AHEAD_> struct BlockSmem {
    enum {
        BM = BM_,
        BN = 256,
        BK = 64,
        STAGES = STAGES_,
        BOXES = BOXES_,
        AHEAD = AHEAD_,
        BOX = 64 * 64 * 2,
        A_BYTES = BM * BK * 2,
        B_BYTES = BN * BK * 2,
        STAGE_BYTES = A_BYTES + B_BYTES,
        C_BYTES = 2 * BOXES * BOX,
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8 + 2 * 8,
    };
    static_assert(BOXES % 2 == 0, "GELU stores two at a time");
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

typedef struct BlockMaps {
    CUtensorMap a, b, c, more;
} BlockMaps;

/* Where column `column` is in a matrix in parts of `each` columns. */
__device__ __forceinline__ int part_of(int *column, int each)
{
    int part = 0;
    for (; *column >= each; *column -= each)
        part++;
    return part;
}

/* The second operand of a warp's 16 rows of a box: four times four rows, eight lanes to each. */
__device__ __forceinline__ void block_with_fetch(uint4 (&with)[4], const __nv_bfloat16 *from, int ld, int row, int rows,
                                                 bool there)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int r = row + i * 4 + lane / 8;
        with[i] = there && r < rows ? *(const uint4 *)(from + (size_t)r * ld + lane % 8 * 8) : uint4{0, 0, 0, 0};
    }
}

/* It goes to the warp's rows of the box in shared memory, swizzled. */
__device__ __forceinline__ void block_with_store(const uint4 (&with)[4], uint32_t rows)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int r = i * 4 + lane / 8;
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(rows + r * 128 + ((lane % 8 ^ r % 8) << 4)),
                     "r"(with[i].x), "r"(with[i].y), "r"(with[i].z), "r"(with[i].w)
                     : "memory");
    }
}

__device__ __forceinline__ void block_ldmatrix(uint32_t (&r)[4], uint32_t smem)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(smem)
                 : "memory");
}

__device__ __forceinline__ float2 unpack_bf16(uint32_t x)
{
    return float2{__uint_as_float(x << 16), __uint_as_float(x & 0xffff0000u)};
}

/* Step k of a tile into a slot: A's rows from m on (with WEIGHT_GRAD columns), and this block's half of B's, from n on,
 * for both blocks of the pair. `k_part` is k within A's part. One thread. */
template <int KIND, typename S>
__device__ __forceinline__ void block_fetch(uint32_t a, const BlockMaps &maps, int m, int n, int k, int k_part,
                                            int part, int rank, uint32_t bar)
{
    const uint32_t b = a + S::A_BYTES + rank * (S::B_BYTES / 2);
    mbarrier_arrive_expect(bar, S::STAGE_BYTES); /* all that will land here, whoever sends it */
    // notes: either_way
    if (KIND == WEIGHT_GRAD) /* boxes of 64 columns, K goes down */
        for (int box = 0; box < S::BM / 64; box++)
            tma_load_heads(a + box * S::BOX, &maps.a, m + box * 64, k, part, 0, bar);
    else /* rows of 64 numbers along K */
        tma_load_heads(a, &maps.a, k_part, m, part, 0, bar);
    if (KIND == OUTPUT)
        tma_load_multicast(b, &maps.b, k, n, bar, 3);
    else
        for (int box = 0; box < 2; box++)
            tma_load_multicast(b + box * S::BOX, &maps.b, n + box * 64, k, bar, 3);
    // notes end
}

/* acc (64 x 256) += a b, one step; a: the consumer's 64 rows. Asynchronous. */
template <int KIND, typename S>
__device__ __forceinline__ void block_multiply(float (&acc)[S::BN / 2], uint32_t a, uint32_t b, int accumulate)
{
    const uint64_t da = KIND == WEIGHT_GRAD ? wgmma_descriptor_mn(a, S::BOX) : wgmma_descriptor(a, 128);
    const uint64_t db = KIND == OUTPUT ? wgmma_descriptor(b, 128) : wgmma_descriptor_mn(b, S::BOX);
#pragma unroll
    for (int kk = 0; kk < S::BK / 16; kk++)
        if (KIND == OUTPUT)
            Wgmma<Bf16, S::BN>::run(acc, da + kk * 2, db + kk * 2, accumulate | kk);
        else if (KIND == INPUT_GRAD)
            WgmmaRows<S::BN>::run(acc, da + kk * 2, db + kk * 128, accumulate | kk);
        else
            WgmmaColumns<S::BN>::run(acc, da + kk * 128, db + kk * 128, accumulate | kk);
}

/* Asks for this warp's rows of a box of `with`, whose tile is at (m, n). */
template <typename S>
__device__ __forceinline__ void block_operand(uint4 (&operand)[S::AHEAD][4], const __nv_bfloat16 *with, int box, int m,
                                              int n, int M, int N)
{
    block_with_fetch(operand[box % S::AHEAD], with + n + box * 64, N, m + threadIdx.x % 128 / 32 * 16, M,
                     n + box * 64 < N);
}

/* A consumer's 64 x 256 sums, at (m, n) of C, on their way through its boxes in shared memory. */
template <int EPILOGUE, typename S>
__device__ __forceinline__ void block_epilogue(const float (&acc)[S::BN / 2], uint4 (&operand)[S::AHEAD][4],
                                               const BlockMaps &maps, const __nv_bfloat16 *with, int m, int n, int M,
                                               int N, int c_each, uint32_t boxes, int group)
{
    constexpr int EACH = EPILOGUE == GELU ? 2 : 1; /* boxes that are stored at a time */
    constexpr bool SECOND = EPILOGUE == ADD || EPILOGUE == TIMES;
    const int t = threadIdx.x % 128, warp = t / 32, lane = t % 32;
    const uint32_t my_rows = warp * 16 * 128;
    int to = n, part = part_of(&to, c_each);
    // notes: epilogue
#pragma unroll
    for (int box = 0; box < S::BN / 64; box++) {
        const uint32_t place = boxes + box * EACH % S::BOXES * S::BOX;
        if (t == 0) /* what went from this place before has been read */
            tma_store_wait_read<S::BOXES / EACH - 1>();
        named_barrier(1 + group, 128);
        if (SECOND) {
            block_with_store(operand[box % S::AHEAD], place + my_rows);
            if (box + S::AHEAD < S::BN / 64)
                block_operand<S>(operand, with, box + S::AHEAD, m, n, M, N);
            __syncwarp();
        }
#pragma unroll
        for (int j = 0; j < 8; j += 2) {
            const float *d = acc + (box * 8 + j) * 4;
            /* of stmatrix and ldmatrix: one of the warp's rows, and piece j or j + 1 of it */
            const uint32_t at = place + my_rows + lane % 16 * 128 + (((j + lane / 16) ^ (lane & 7)) << 4);
            uint32_t c[4], w[4];
            if (SECOND) {
                block_ldmatrix(w, at);
                __syncwarp(); /* all lanes have what they will overwrite */
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float x = d[2 * i], y = d[2 * i + 1];
                if (EPILOGUE == GELU) {
                    const float first = gelu(x, &x), second = gelu(y, &y);
                    w[i] = pack_bf16(first, second);
                } else if (SECOND) {
                    const float2 other = unpack_bf16(w[i]);
                    x = EPILOGUE == ADD ? x + other.x : x * other.x;
                    y = EPILOGUE == ADD ? y + other.y : y * other.y;
                }
                c[i] = pack_bf16(x, y);
            }
            stmatrix_x4(at, c[0], c[1], c[2], c[3]);
            if (EPILOGUE == GELU)
                stmatrix_x4(at + S::BOX, w[0], w[1], w[2], w[3]);
        }
        fence_proxy_async();
        named_barrier(1 + group, 128);
        if (t == 0) {
            if (n + box * 64 < N) {
                tma_store_heads(&maps.c, to, m, part, 0, place);
                if (EPILOGUE == GELU)
                    tma_store_heads(&maps.more, to, m, part, 0, place + S::BOX);
            }
            tma_store_commit();
        }
        to += 64;
        if (to == c_each)
            to = 0, part++;
    }
    // notes end
}

typedef BlockSmem<128, 4, 2, 4> BlockSmem3;

template <int KIND, int EPILOGUE>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    block_product_kernel3(const __grid_constant__ BlockMaps maps, const __nv_bfloat16 *with, int M, int N, int K,
                          int a_each, int c_each, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    using S = BlockSmem3;
    constexpr int STAGES = S::STAGES;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, c_smem = smem + STAGES * S::STAGE_BYTES;
    const uint32_t full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), tiles = order.tiles, steps = (K + S::BK - 1) / S::BK;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&maps.a);
        tma_prefetch_map(&maps.b);
        tma_prefetch_map(&maps.c);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 4); /* two consumers in each of two blocks */
        }
        mbarrier_init_fence();
    }
    cluster_sync(); /* the other block's barriers are ready, too */

    if (group == 2) { /* producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
                int row, col;
                tile_place(order, tile, &row, &col);
                int m = (row * 2 + rank) * S::BM, part = KIND == WEIGHT_GRAD ? part_of(&m, a_each) : 0;
                for (int k = 0, k_part = 0; k < steps * S::BK; k += S::BK) {
                    mbarrier_wait(empty + 8 * slot, parity);
                    block_fetch<KIND, S>(smem + slot * S::STAGE_BYTES, maps, m, col * S::BN + rank * (S::BN / 2), k,
                                         k_part, part, rank, full + 8 * slot);
                    k_part += S::BK;
                    if (KIND == INPUT_GRAD && k_part == a_each)
                        k_part = 0, part++;
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* consumers */
        registers_take<232>();
        int slot = 0;
        uint32_t parity = 0;
        float acc[S::BN / 2];
        uint4 operand[S::AHEAD][4];
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * 2 + rank) * S::BM + group * 64, n = col * S::BN;
            if (EPILOGUE == ADD || EPILOGUE == TIMES)
#pragma unroll
                for (int box = 0; box < S::AHEAD; box++)
                    block_operand<S>(operand, with, box, m, n, M, N);
            int last = slot;
            for (int step = 0; step < steps; step++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES;
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
                block_multiply<KIND, S>(acc, a + group * S::BOX, a + S::A_BYTES, step);
                wgmma_commit();
                wgmma_wait<1>();
                if (step > 0 && t < 2)
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
            block_epilogue<EPILOGUE, S>(acc, operand, maps, with, m, n, M, N, c_each,
                                        c_smem + group * S::BOXES * S::BOX, group);
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    cluster_sync(); /* a block may leave only when the other can no longer send to it */
#endif
}

/* `parts` matrices of rows x columns, one after the other, in boxes of box_rows x 64. */
static inline const char *block_map(CUtensorMap *map, const void *base, int parts, int rows, int columns, int box_rows)
{
    TensorMapEncode *encode = tensor_map_encode();
    if (!encode)
        return "the driver has no cuTensorMapEncodeTiled";
    const cuuint64_t size[4] = {(cuuint64_t)columns, (cuuint64_t)rows, (cuuint64_t)parts, 1};
    const cuuint64_t part = (cuuint64_t)rows * columns * 2, stride[3] = {(cuuint64_t)columns * 2, part, part * parts};
    const cuuint32_t box[4] = {64, (cuuint32_t)box_rows, 1, 1}, step[4] = {1, 1, 1, 1};
    if (encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, (void *)base, size, stride, box, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return "the driver refused this tensor map";
    return NULL;
}

typedef void BlockKernel(BlockMaps maps, const __nv_bfloat16 *with, int M, int N, int K, int a_each, int c_each,
                         TileOrder order);

/* Launches a kernel with tiles of S, on as many blocks as the device has multiprocessors, in pairs. */
template <typename S> static const char *block_launch(BlockKernel *kernel, const Product *p, cudaStream_t stream)
{
    const bool a_down = p->kind == WEIGHT_GRAD, b_down = p->kind != OUTPUT;
    const int a_parts = p->kind == OUTPUT ? 1 : p->parts, c_parts = p->kind == OUTPUT ? p->parts : 1;
    const int a_each = (a_down ? p->M : p->K) / a_parts, c_each = p->N / c_parts;
    BlockMaps maps;
    const char *why = block_map(&maps.a, p->A, a_parts, a_down ? p->K : p->M, a_each, a_down ? 64 : S::BM);
    if (!why)
        why = tensor_map_2d(&maps.b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, b_down ? p->K : p->N,
                            b_down ? p->N : p->K, b_down ? p->N : p->K, b_down ? 64 : S::BN / 2, 64, 128);
    if (!why)
        why = block_map(&maps.c, p->C, c_parts, p->M, c_each, 64);
    if (!why)
        why = block_map(&maps.more, p->epilogue == GELU ? p->more : p->C, c_parts, p->M, c_each, 64);
    TileOrder order;
    const int rows = (p->M + 2 * S::BM - 1) / (2 * S::BM), columns = (p->N + S::BN - 1) / S::BN;
    if (!why)
        why = tile_order(&order, rows, columns, 1024 / (2 * S::BM)); /* 2048 rows were as fast, 4096 slower */
    if (!why)
        why = raise_shared((const void *)kernel, S::TOTAL);
    if (why)
        return why;
    const int most = whole_clusters(block_multiprocessors(), 2), all = rows * columns * 2,
              blocks = most < all ? most : all;
    kernel<<<blocks, 3 * 128, S::TOTAL, stream>>>(maps, p->with, p->M, p->N, p->K, a_each, c_each, order);
    return NULL;
}

static const char *block_product3(const Product *p, cudaStream_t stream)
{
    BlockKernel *kernel = p->kind == WEIGHT_GRAD ? block_product_kernel3<WEIGHT_GRAD, STORE>
                          : p->kind == OUTPUT    ? p->epilogue == ADD    ? block_product_kernel3<OUTPUT, ADD>
                                                   : p->epilogue == GELU ? block_product_kernel3<OUTPUT, GELU>
                                                                         : block_product_kernel3<OUTPUT, STORE>
                             : p->epilogue == TIMES ? block_product_kernel3<INPUT_GRAD, TIMES>
                                                 : block_product_kernel3<INPUT_GRAD, STORE>;
    return block_launch<BlockSmem3>(kernel, p, stream);
}

static const char *block_attention3(const Attention *a, float *lse, cudaStream_t stream)
{
    return attention7_launch<BLOCK_HEAD, 128, 2, 2, 2, true, 0, true>(a, stream, lse);
}

static const char *block_attention_grad3(const Backward *b, cudaStream_t stream)
{
    return backward_launch<BLOCK_HEAD>(attention_backward_kernel4<BLOCK_HEAD, true, DQ_ATOMICS, false>,
                                       BackwardSmem<BLOCK_HEAD, 2, 2>::TOTAL, b, stream);
}

#endif
