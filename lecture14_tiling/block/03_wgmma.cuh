/* 03_wgmma.cuh: the products by TMA and wgmma (rung 3), and what follows a product done in its epilogue (rung 5).
 *
 * The kernel is that of the lab hopper, rungs 9 and 10: one block per multiprocessor, tiles of 128 x 256, a producer and
 * two consumers of 64 rows, blocks in pairs that fetch half of B's tile each, for both. New is how the operands lie. The
 * tensor cores read an operand of 16 bits either way round: K-contiguous rows, or boxes of 64 columns in which K goes
 * down; TMA fetches either as it lies in memory. So no gradient needs a transposed copy of weights or activations.
 *
 * Fused: a warp fetches its rows of the second operand, 16 bytes per lane, while the sums of the box before are stored;
 * lays them where the results will be, and gets them back in the order of the sums by ldmatrix.
 *
 *   KIND, EPILOGUE   problem.cuh
 *
 * A and C are tensors of three dimensions, columns x rows x parts, so that rows past the end of a part are neither read
 * nor written. */
#ifndef BLOCK_03_WGMMA_CUH
#define BLOCK_03_WGMMA_CUH

#include "../../common/device.h"
#include "../../common/hopper.cuh"
#include "../attention/07_persistent.cuh"
#include "../attention_backward/04_wgmma.cuh"
#include "../hopper/tile_order.cuh"
#include "elements.cuh"
#include "problem.cuh"

/* d (64 x N) += a (64 x 16, K-contiguous) b (16 x N, N-contiguous) at N = 256. */
WGMMA_MN(WgmmaRows, 0, 256, WGMMA_R128, WGMMA_O128, 128, 129, 130)

/* Tiles begin on multiples of 1024 bytes, as the 128-byte swizzle asks. C goes out in boxes of 64 x 64. */
struct BlockSmem {
    enum {
        BM = 128,
        BN = 256,
        BK = 64,
        STAGES = 4,
        BOX = 64 * 64 * 2,
        A_BYTES = BM * BK * 2,
        B_BYTES = BN * BK * 2,
        STAGE_BYTES = A_BYTES + B_BYTES,
        C_BYTES = 2 * 2 * BOX, /* two boxes for each consumer */
        TOTAL = 1024 /* to align */ + STAGES * STAGE_BYTES + C_BYTES + 2 * STAGES * 8,
    };
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

template <int KIND, int EPILOGUE>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    block_product_kernel3(const __grid_constant__ BlockMaps maps, const __nv_bfloat16 *with, int M, int N, int K,
                          int a_each, int c_each, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    using S = BlockSmem;
    constexpr int BM = S::BM, BN = S::BN, BK = S::BK, STAGES = S::STAGES, BOX = S::BOX;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, c_smem = smem + STAGES * S::STAGE_BYTES;
    const uint32_t full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), tiles = order.tiles, steps = (K + BK - 1) / BK;

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
                const int n = col * BN + rank * (BN / 2);
                int m = (row * 2 + rank) * BM, part = KIND == WEIGHT_GRAD ? part_of(&m, a_each) : 0;
                for (int step = 0, k = 0; step < steps; step++, k += BK) {
                    const uint32_t a = smem + slot * S::STAGE_BYTES, bar = full + 8 * slot;
                    const uint32_t b = a + S::A_BYTES + rank * (S::B_BYTES / 2);
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES); /* all that will land here, whoever sends it */
                    // notes: either_way
                    if (KIND == WEIGHT_GRAD) { /* boxes of 64 columns, K goes down */
                        tma_load_heads(a, &maps.a, m, step * BK, part, 0, bar);
                        tma_load_heads(a + BOX, &maps.a, m + 64, step * BK, part, 0, bar);
                    } else /* 128 rows of 64 numbers along K */
                        tma_load_heads(a, &maps.a, k, m, part, 0, bar);
                    if (KIND == OUTPUT)
                        tma_load_multicast(b, &maps.b, k, n, bar, 3);
                    else {
                        tma_load_multicast(b, &maps.b, n, step * BK, bar, 3);
                        tma_load_multicast(b + BOX, &maps.b, n + 64, step * BK, bar, 3);
                    }
                    // notes end
                    if (KIND == INPUT_GRAD && k + BK == a_each)
                        k = -BK, part++; /* the next part of A */
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* consumers */
        registers_take<232>();
        const int warp = t / 32, lane = t % 32;
        const uint32_t boxes = c_smem + group * 2 * BOX, my_rows = warp * 16 * 128;
        /* For stmatrix and ldmatrix: a row of the warp's, and piece 0 or 1 of it. */
        const uint32_t in_box = my_rows + lane % 16 * 128;
        int slot = 0;
        uint32_t parity = 0;
        float acc[BN / 2];
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * 2 + rank) * BM + group * 64, n = col * BN;
            uint4 operand[4];
            if (EPILOGUE == ADD || EPILOGUE == GELU_GRAD)
                block_with_fetch(operand, with + n, N, m + warp * 16, M, true);
            int last = slot;
            for (int step = 0; step < steps; step++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES, b = a + S::A_BYTES;
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
                const uint64_t da = KIND == WEIGHT_GRAD ? wgmma_descriptor_mn(a + group * BOX, BOX)
                                                        : wgmma_descriptor(a + group * BOX, 128);
                const uint64_t db = KIND == OUTPUT ? wgmma_descriptor(b, 128) : wgmma_descriptor_mn(b, BOX);
#pragma unroll
                for (int kk = 0; kk < BK / 16; kk++)
                    if (KIND == OUTPUT)
                        Wgmma<Bf16, BN>::run(acc, da + kk * 2, db + kk * 2, step | kk);
                    else if (KIND == INPUT_GRAD)
                        WgmmaRows<BN>::run(acc, da + kk * 2, db + kk * 128, step | kk);
                    else
                        WgmmaColumns<BN>::run(acc, da + kk * 128, db + kk * 128, step | kk);
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

            // notes: epilogue
            int to = n, part = part_of(&to, c_each);
#pragma unroll
            for (int box = 0; box < BN / 64; box++) {
                const uint32_t place = boxes + (EPILOGUE == GELU ? 0 : box % 2) * BOX;
                if (t == 0) /* the store that went from this place, GELU's two, has read it */
                    tma_store_wait_read<EPILOGUE == GELU ? 0 : 1>();
                named_barrier(1 + group, 128);
                if (EPILOGUE == ADD || EPILOGUE == GELU_GRAD) {
                    block_with_store(operand, place + my_rows);
                    if (box + 1 < BN / 64)
                        block_with_fetch(operand, with + n + (box + 1) * 64, N, m + warp * 16, M,
                                         n + (box + 1) * 64 < N);
                    __syncwarp();
                }
#pragma unroll
                for (int j = 0; j < 8; j += 2) {
                    const float *d = acc + (box * 8 + j) * 4;
                    const uint32_t at = place + in_box + (((j + lane / 16) ^ (lane & 7)) << 4);
                    uint32_t w[4] = {0, 0, 0, 0}, c[4];
                    if (EPILOGUE == ADD || EPILOGUE == GELU_GRAD) {
                        block_ldmatrix(w, at);
                        __syncwarp(); /* all lanes have what they will overwrite */
                    }
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        const float2 other = unpack_bf16(w[i]);
                        c[i] = EPILOGUE == STORE || EPILOGUE == GELU
                                   ? pack_bf16(d[2 * i], d[2 * i + 1])
                                   : pack_bf16(block_epilogue<EPILOGUE>(d[2 * i], other.x),
                                               block_epilogue<EPILOGUE>(d[2 * i + 1], other.y));
                    }
                    stmatrix_x4(at, c[0], c[1], c[2], c[3]);
                    if (EPILOGUE == GELU) { /* of h as it is stored, and as the backward pass will see it */
#pragma unroll
                        for (int i = 0; i < 4; i++) {
                            const float2 h = unpack_bf16(c[i]);
                            c[i] = pack_bf16(gelu(h.x), gelu(h.y));
                        }
                        stmatrix_x4(at + BOX, c[0], c[1], c[2], c[3]);
                    }
                }
                fence_proxy_async();
                named_barrier(1 + group, 128);
                if (t == 0) {
                    if (n + box * 64 < N) {
                        tma_store_heads(&maps.c, to, m, part, 0, place);
                        if (EPILOGUE == GELU)
                            tma_store_heads(&maps.more, to, m, part, 0, place + BOX);
                    }
                    tma_store_commit();
                }
                to += 64;
                if (to == c_each)
                    to = 0, part++;
            }
            // notes end
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

template <int KIND, int EPILOGUE> static const char *block_product3_launch(const Product *p, cudaStream_t stream)
{
    using S = BlockSmem;
    const int a_parts = KIND == OUTPUT ? 1 : p->parts, c_parts = KIND == OUTPUT ? p->parts : 1;
    const bool a_down = KIND == WEIGHT_GRAD, b_down = KIND != OUTPUT;
    const int a_each = (a_down ? p->M : p->K) / a_parts, c_each = p->N / c_parts;
    BlockMaps maps;
    const char *why = block_map(&maps.a, p->A, a_parts, a_down ? p->K : p->M, a_each, a_down ? 64 : S::BM);
    if (!why)
        why = tensor_map_2d(&maps.b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, b_down ? p->K : p->N,
                            b_down ? p->N : p->K, b_down ? p->N : p->K, b_down ? 64 : S::BN / 2, 64, 128);
    if (!why)
        why = block_map(&maps.c, p->C, c_parts, p->M, c_each, 64);
    if (!why)
        why = block_map(&maps.more, EPILOGUE == GELU ? p->more : p->C, c_parts, p->M, c_each, 64);
    TileOrder order;
    const int rows = (p->M + 2 * S::BM - 1) / (2 * S::BM), columns = (p->N + S::BN - 1) / S::BN;
    if (!why)
        why = tile_order(&order, rows, columns, 8);
    static uint32_t raised;
    auto kernel = block_product_kernel3<KIND, EPILOGUE>;
    if (!why && shared_memory_raise((const void *)kernel, S::TOTAL, &raised) != cudaSuccess)
        why = "this device gives a block too little shared memory";
    if (why)
        return why;
    const int most = whole_clusters(device_multiprocessors(), 2), all = rows * columns * 2;
    kernel<<<most < all ? most : all, 3 * 128, S::TOTAL, stream>>>(maps, p->with, p->M, p->N, p->K, a_each, c_each,
                                                                   order);
    return NULL;
}

static const char *block_product3(const Product *p, cudaStream_t stream)
{
    if (p->kind == WEIGHT_GRAD)
        return block_product3_launch<WEIGHT_GRAD, STORE>(p, stream);
    if (p->kind == INPUT_GRAD)
        return p->epilogue == GELU_GRAD ? block_product3_launch<INPUT_GRAD, GELU_GRAD>(p, stream)
                                        : block_product3_launch<INPUT_GRAD, STORE>(p, stream);
    return p->epilogue == ADD    ? block_product3_launch<OUTPUT, ADD>(p, stream)
           : p->epilogue == GELU ? block_product3_launch<OUTPUT, GELU>(p, stream)
                                 : block_product3_launch<OUTPUT, STORE>(p, stream);
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
