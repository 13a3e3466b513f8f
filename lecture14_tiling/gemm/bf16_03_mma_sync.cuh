/* bf16 rung 3, mma.sync: the instruction itself, its fragments fetched by ldmatrix.
 *
 * mma.sync.m16n8k16 multiplies 16 x 16 by 16 x 8, and which lane holds which element is now written down: lane l has,
 * of C's tile, row l / 4 (and 8 below) and columns l % 4 * 2 and the next. So results go from registers to memory with
 * no detour. ldmatrix fetches four 8 x 8 matrices in one instruction and deals their elements to the lanes in just that
 * order; each lane says where one row begins. B's tile has its rows along n, but the instruction wants columns: the
 * .trans form deals them out transposed.
 *
 * A fragment of 64 x 64 per warp: 4 fragments of A and 8 of B make 32 products for 8 ldmatrix. */
#include <cuda_bf16.h>
#include <stddef.h>

#include "ptx.cuh"

// notes: gemm_bf16_kernel3
__global__ void __launch_bounds__(128)
    gemm_bf16_kernel3(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 64, THREADS = (BM / WM) * (BN / WN) * 32;
    constexpr int A_STRIDE = BK + 8, B_STRIDE = BN + 8; /* padded: 8 rows, 16 bytes of each, hit all 32 banks once */
    __shared__ uint4 As8[BM * A_STRIDE / 8], Bs8[BK * B_STRIDE / 8]; /* 8 elements each, for the alignment */
    __nv_bfloat16 *As = (__nv_bfloat16 *)As8, *Bs = (__nv_bfloat16 *)Bs8;
    const uint4 zero = {0, 0, 0, 0};
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    float sum[WM / 16][WN / 8][4] = {{{0}}};
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
        // notes: fragments
        for (int k = 0; k < BK; k += 16) {
            /* lanes 0-15 name the 16 rows of the left half, lanes 16-31 those of the right half */
            uint32_t a[WM / 16][4], b[WN / 16][4];
            for (int i = 0; i < WM / 16; i++)
                ldmatrix_x4(a[i], As + (wm + i * 16 + lane % 16) * A_STRIDE + k + lane / 16 * 8);
            for (int j = 0; j < WN / 16; j++)
                ldmatrix_x4_trans(b[j], Bs + (k + lane % 16) * B_STRIDE + wn + j * 16 + lane / 16 * 8);
            for (int i = 0; i < WM / 16; i++)
                for (int j = 0; j < WN / 8; j++)
                    mma_m16n8k16_bf16(sum[i][j], a[i], b[j / 2] + j % 2 * 2);
        }
        // notes end
        __syncthreads();
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
// notes end

static void gemm_bf16_3(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                        cudaStream_t stream)
{
    dim3 block(128), grid((N + 127) / 128, (M + 127) / 128);
    gemm_bf16_kernel3<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
