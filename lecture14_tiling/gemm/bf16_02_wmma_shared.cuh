/* bf16 rung 2, wmma from shared memory: 128 x 128 tiles, a fragment serves 4 or 2 multiplications.
 *
 * The fp32 ladder's lessons at once: a block brings tiles into shared memory 16 bytes per thread, a warp owns 64 x 32
 * of C, and per step along K its 4 fragments of A and 2 of B make 8 products. The rows in shared memory are padded by
 * 16 bytes, so that a fragment's rows do not all begin in the same bank.
 *
 * Rows must begin at multiples of 16 bytes: N and K must be multiples of 8. M may be anything. */
#include <cuda_bf16.h>
#include <mma.h>
#include <stddef.h>

__global__ void __launch_bounds__(256)
    gemm_bf16_kernel2(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
    namespace wmma = nvcuda::wmma;
    constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 32, THREADS = (BM / WM) * (BN / WN) * 32;
    constexpr int A_STRIDE = BK + 8, B_STRIDE = BN + 8;              /* padded rows */
    __shared__ uint4 As8[BM * A_STRIDE / 8], Bs8[BK * B_STRIDE / 8]; /* 8 elements each, for the alignment */
    __shared__ __align__(32) float staging[THREADS / 32][16 * 16];
    __nv_bfloat16 *As = (__nv_bfloat16 *)As8, *Bs = (__nv_bfloat16 *)Bs8;
    const uint4 zero = {0, 0, 0, 0};
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[WM / 16][WN / 16];
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 16; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid * 8; i < BM * BK; i += THREADS * 8) {
            int m = i / BK, k = i % BK;
            *(uint4 *)(As + m * A_STRIDE + k) =
                m0 + m < M && k0 + k < K ? *(const uint4 *)(A + (size_t)(m0 + m) * K + k0 + k) : zero;
        }
        for (int i = tid * 8; i < BK * BN; i += THREADS * 8) {
            int k = i / BN, n = i % BN;
            *(uint4 *)(Bs + k * B_STRIDE + n) =
                k0 + k < K && n0 + n < N ? *(const uint4 *)(B + (size_t)(k0 + k) * N + n0 + n) : zero;
        }
        __syncthreads();
        for (int k = 0; k < BK; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a[WM / 16];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b[WN / 16];
            for (int i = 0; i < WM / 16; i++)
                wmma::load_matrix_sync(a[i], As + (wm + i * 16) * A_STRIDE + k, A_STRIDE);
            for (int j = 0; j < WN / 16; j++)
                wmma::load_matrix_sync(b[j], Bs + k * B_STRIDE + wn + j * 16, B_STRIDE);
            for (int i = 0; i < WM / 16; i++)
                for (int j = 0; j < WN / 16; j++)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 16; j++) {
            wmma::store_matrix_sync(staging[warp], sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 16 * 16; e += 32) {
                int m = m0 + wm + i * 16 + e / 16, n = n0 + wn + j * 16 + e % 16;
                if (m < M && n < N)
                    C[(size_t)m * N + n] = __float2bfloat16(staging[warp][e]);
            }
            __syncwarp(); /* all have read it before the next tile lands on it */
        }
}

static void gemm_bf16_2(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                        cudaStream_t stream)
{
    dim3 block(256), grid((N + 127) / 128, (M + 127) / 128);
    gemm_bf16_kernel2<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
