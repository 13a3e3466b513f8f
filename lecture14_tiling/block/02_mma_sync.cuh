/* Rung 2, mma.sync: all products and attention's on the tensor cores.
 *
 * A block computes 128 x 128 of C, in steps of 64 of K that cp.async fetches one ahead. A tile is in shared memory as
 * it is in memory, rows of 128 bytes along K or of 256 bytes across it, in pieces of 16 bytes that are swizzled;
 * ldmatrix brings fragments from the first kind, ldmatrix.trans from the second. That is all the difference between the
 * three kinds of product. Attention's kernels are its labs' rung 3. */
#ifndef BLOCK_02_MMA_SYNC_CUH
#define BLOCK_02_MMA_SYNC_CUH

#include "01_naive.cuh"
#include "ptx.cuh"

#include "../attention/03_mma_sync.cuh"
#include "../attention_backward/03_mma_sync.cuh"

namespace block2_shape
{
constexpr int BM = 128, BN = 128, BK = 64, THREADS = 256, TILE = 128 * BK;
constexpr size_t shared_bytes = 2 * 2 * 2 * TILE; /* two stages of both operands */
} // namespace block2_shape

/* Piece c (8 elements) of row r of a tile. ACROSS: rows are k, and have 16 pieces instead of 8. */
template <bool ACROSS> __device__ static __forceinline__ int block2_at(int r, int c)
{
    return (r * (ACROSS ? 16 : 8) + (c ^ (r % 8))) * 8;
}

/* A tile of 128 x 64 (ACROSS: 64 x 128), from row `row` on. Rows from `rows` on are zero. */
template <bool ACROSS>
__device__ static __forceinline__ void block2_fetch(__nv_bfloat16 *tile, const __nv_bfloat16 *from, size_t step,
                                                    int row, int rows)
{
    constexpr int PIECES = ACROSS ? 16 : 8, EACH = block2_shape::THREADS / PIECES, ROWS = ACROSS ? 64 : 128;
    const int r = threadIdx.x / PIECES, c = threadIdx.x % PIECES;
#pragma unroll
    for (int i = r; i < ROWS; i += EACH) {
        const bool valid = row + i < rows;
        cp_async_16(tile + block2_at<ACROSS>(i, c), valid ? from + (row + i) * step + c * 8 : from, valid);
    }
}

template <int KIND> __global__ void __launch_bounds__(block2_shape::THREADS) block_product_kernel2(Product p)
{
    using namespace block2_shape;
    constexpr bool A_ACROSS = KIND == WEIGHT_GRAD, B_ACROSS = KIND != OUTPUT;
    extern __shared__ uint4 block2_shared[];
    __nv_bfloat16 *as = (__nv_bfloat16 *)block2_shared, *bs = as + 2 * TILE;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wm = warp % 2 * 64, wn = warp / 2 * 32;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, steps = (p.K + BK - 1) / BK;
    const int each = (KIND == WEIGHT_GRAD ? p.M : p.K) / (KIND == OUTPUT ? 1 : p.parts); /* of A, in one matrix */

    const auto fetch = [&](int step) {
        const int k = step * BK;
        __nv_bfloat16 *a = as + step % 2 * TILE, *b = bs + step % 2 * TILE;
        if (A_ACROSS)
            block2_fetch<true>(a, p.A + (size_t)(m0 / each) * p.K * each + m0 % each, each, k, p.K);
        else
            block2_fetch<false>(a, p.A + (size_t)(k / each) * p.M * each + k % each, each, m0, p.M);
        if (B_ACROSS)
            block2_fetch<true>(b, p.B + n0, p.N, k, p.K);
        else
            block2_fetch<false>(b, p.B + k, p.K, n0, p.N);
        cp_async_commit();
    };

    float c[4][4][4] = {{{0}}};
    fetch(0);
    for (int step = 0; step < steps; step++) {
        const __nv_bfloat16 *a = as + step % 2 * TILE, *b = bs + step % 2 * TILE;
        cp_async_wait<0>();
        __syncthreads();
        if (step + 1 < steps)
            fetch(step + 1);
#pragma unroll
        for (int k = 0; k < BK / 16; k++) {
            uint32_t af[4][4], bf[2][4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (A_ACROSS)
                    ldmatrix_x4_trans(
                        af[i], a + block2_at<true>(k * 16 + lane / 16 * 8 + lane % 8, wm / 8 + i * 2 + lane / 8 % 2));
                else
                    ldmatrix_x4(af[i], a + block2_at<false>(wm + i * 16 + lane % 16, k * 2 + lane / 16));
#pragma unroll
            for (int j = 0; j < 2; j++)
                if (B_ACROSS)
                    ldmatrix_x4_trans(bf[j], b + block2_at<true>(k * 16 + lane % 16, wn / 8 + j * 2 + lane / 16));
                else
                    ldmatrix_x4(bf[j],
                                b + block2_at<false>(wn + j * 16 + lane / 16 * 8 + lane % 8, k * 2 + lane / 8 % 2));
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    mma_m16n8k16_bf16(c[i][j], af[i], bf[j / 2] + j % 2 * 2);
        }
    }
    const int columns = p.N / (KIND == OUTPUT ? p.parts : 1);
    __nv_bfloat16 *to = p.C + (size_t)(n0 / columns) * p.M * columns + n0 % columns + wn + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = m0 + wm + i * 16 + lane / 4 + h * 8;
            if (row < p.M)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    *(__nv_bfloat162 *)(to + (size_t)row * columns + j * 8) =
                        __floats2bfloat162_rn(c[i][j][2 * h], c[i][j][2 * h + 1]);
        }
}

static const char *block_product2(const Product *p, cudaStream_t stream)
{
    using namespace block2_shape;
    auto kernel = p->kind == OUTPUT       ? block_product_kernel2<OUTPUT>
                  : p->kind == INPUT_GRAD ? block_product_kernel2<INPUT_GRAD>
                                          : block_product_kernel2<WEIGHT_GRAD>;
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
    const dim3 grid((unsigned)(p->N + BN - 1) / BN, (unsigned)(p->M + BM - 1) / BM);
    kernel<<<grid, THREADS, shared_bytes, stream>>>(*p);
    return NULL;
}

static const char *block_attention2(const Attention *a, float *lse, cudaStream_t stream)
{
    attention3_launch<BLOCK_HEAD, true, true>(a, stream, lse);
    return NULL;
}

static const char *block_attention_grad2(const Backward *b, cudaStream_t stream)
{
    attention_backward3_launch<BLOCK_HEAD, true>(b, stream);
    return NULL;
}

#endif
