/* bf16 rung 4, multistage pipeline: four tiles in flight, and a swizzle instead of padding.
 *
 * The tensor cores eat a 128 x 128 x 32 tile in a fraction of a microsecond, less than one trip to memory takes: one
 * tile ahead is not enough. STAGES tiles form a ring in shared memory, and cp.async fills it STAGES - 1 ahead. One
 * barrier per tile says both "tile t is here" and "all threads are done with tile t - 1, its place may be overwritten".
 *
 * The swizzle: 16-byte piece c of row r is at piece c XOR f(r). With rows of 64 bytes (A) two rows fill all 32 banks,
 * so f is r / 2 % 4; with rows of 256 bytes (B) it is r % 8. Any 8 rows that an ldmatrix names are then in 8 different
 * groups of 4 banks, and no byte is spent on padding. */
#include <cuda_bf16.h>
#include <stddef.h>

#include "ptx.cuh"

namespace gemm_bf16_4_shape
{ /* for kernel and launcher */
constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 64, STAGES = 4;
constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int A_ELEMENTS = BM * BK, STAGE_ELEMENTS = A_ELEMENTS + BK * BN;
constexpr size_t SHARED_BYTES = STAGES * STAGE_ELEMENTS * 2;
} // namespace gemm_bf16_4_shape

__global__ void __launch_bounds__(128)
    gemm_bf16_kernel4(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
    using namespace gemm_bf16_4_shape;
    extern __shared__ uint4 gemm_bf16_shared[]; /* 8 elements each, for the alignment */
    __nv_bfloat16 *shared = (__nv_bfloat16 *)gemm_bf16_shared;
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    /* where piece c (8 elements) of a row is in a tile */
    auto a_at = [](int m, int c) { return m * BK + (c ^ (m / 2 % 4)) * 8; };
    auto b_at = [](int k, int c) { return A_ELEMENTS + k * BN + (c ^ (k % 8)) * 8; };
    auto copy_tile = [&](int t) {
        __nv_bfloat16 *tile = shared + t % STAGES * STAGE_ELEMENTS;
        int k0 = t * BK;
        for (int i = tid; i < BM * BK / 8; i += THREADS) {
            int m = i / (BK / 8), c = i % (BK / 8);
            bool valid = m0 + m < M && k0 + c * 8 < K;
            cp_async_16(tile + a_at(m, c), valid ? A + (size_t)(m0 + m) * K + k0 + c * 8 : A, valid);
        }
        for (int i = tid; i < BK * BN / 8; i += THREADS) {
            int k = i / (BN / 8), c = i % (BN / 8);
            bool valid = k0 + k < K && n0 + c * 8 < N;
            cp_async_16(tile + b_at(k, c), valid ? B + (size_t)(k0 + k) * N + n0 + c * 8 : B, valid);
        }
    };
    float sum[WM / 16][WN / 8][4] = {{{0}}};
    int tiles = (K + BK - 1) / BK;
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles)
            copy_tile(t);
        cp_async_commit();
    }
    for (int t = 0; t < tiles; t++) {
        cp_async_wait<STAGES - 2>(); /* all groups but the newest two: tile t has arrived */
        __syncthreads();
        if (t + STAGES - 1 < tiles)
            copy_tile(t + STAGES - 1); /* where tile t - 1 was */
        cp_async_commit();
        const __nv_bfloat16 *tile = shared + t % STAGES * STAGE_ELEMENTS;
        for (int k = 0; k < BK; k += 16) {
            uint32_t a[WM / 16][4], b[WN / 16][4];
            for (int i = 0; i < WM / 16; i++)
                ldmatrix_x4(a[i], tile + a_at(wm + i * 16 + lane % 16, k / 8 + lane / 16));
            for (int j = 0; j < WN / 16; j++)
                ldmatrix_x4_trans(b[j], tile + b_at(k + lane % 16, wn / 8 + j * 2 + lane / 16));
            for (int i = 0; i < WM / 16; i++)
                for (int j = 0; j < WN / 8; j++)
                    mma_m16n8k16_bf16(sum[i][j], a[i], b[j / 2] + j % 2 * 2);
        }
    }
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 8; j++)
            for (int half = 0; half < 2; half++) {
                int m = m0 + wm + i * 16 + half * 8 + lane / 4, n = n0 + wn + j * 8 + lane % 4 * 2;
                if (m < M && n < N)
                    *(__nv_bfloat162 *)(C + (size_t)m * N + n) =
                        __floats2bfloat162_rn(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
            }
}

static void gemm_bf16_4(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                        cudaStream_t stream)
{
    using namespace gemm_bf16_4_shape;
    dim3 block(THREADS), grid((N + BN - 1) / BN, (M + BM - 1) / BM);
    /* More than 48 KB of shared memory has to be asked for. */
    CUDA_CHECK(cudaFuncSetAttribute((const void *)gemm_bf16_kernel4, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)SHARED_BYTES));
    gemm_bf16_kernel4<<<grid, block, SHARED_BYTES, stream>>>(A, B, C, M, N, K);
}
