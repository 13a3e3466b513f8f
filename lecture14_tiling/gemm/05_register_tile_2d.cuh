/* Rung 5, 2D register tile: a thread computes an 8 x 8 square of C.
 *
 * For each k it reads 8 values of A and 8 of B and multiplies each by each: 16 shared loads for 64 multiply-adds.
 * The square is what makes it cheap: loads grow with its edge, work with its area. */
#include <stddef.h>

__global__ void __launch_bounds__(256) gemm_kernel5(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
    constexpr int THREADS = (BM / TM) * (BN / TN);
    static_assert(THREADS == 256, "the launch has 256 threads");
    __shared__ float As[BM][BK], Bs[BK][BN];
    int tid = threadIdx.x;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int row = tid / (BN / TN) * TM, column = tid % (BN / TN) * TN;
    float sum[TM][TN] = {{0}};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid; i < BM * BK; i += THREADS) {
            int am = i / BK, ak = i % BK;
            As[am][ak] = m0 + am < M && k0 + ak < K ? A[(size_t)(m0 + am) * K + k0 + ak] : 0;
        }
        for (int i = tid; i < BK * BN; i += THREADS) {
            int bk = i / BN, bn = i % BN;
            Bs[bk][bn] = k0 + bk < K && n0 + bn < N ? B[(size_t)(k0 + bk) * N + n0 + bn] : 0;
        }
        __syncthreads();
        // notes: products
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; i++)
                a[i] = As[row + i][k];
            for (int j = 0; j < TN; j++)
                b[j] = Bs[k][column + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
        }
        // notes end
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (m0 + row + i < M && n0 + column + j < N)
                C[(size_t)(m0 + row + i) * N + n0 + column + j] = sum[i][j];
}

static void gemm5(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(256), grid((N + 127) / 128, (M + 127) / 128);
    gemm_kernel5<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
