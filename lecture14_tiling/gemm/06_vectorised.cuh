/* Rung 6, vectorised, A transposed: every load and store moves 16 bytes.
 *
 * A thread needs 8 values of one column of A's tile. Where the tile is stored transposed they are neighbours, and two
 * 16-byte loads fetch them: 4 load instructions for 64 multiply-adds instead of 16. The transposition happens on the
 * way in, and costs four scalar stores for each 16-byte load from global memory. The padding of 4 keeps those stores
 * from falling into one bank.
 *
 * Rows must begin at multiples of 16 bytes, so K and N must be multiples of 4. */
#include <stddef.h>

__global__ void __launch_bounds__(256) gemm_kernel6(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
    constexpr int THREADS = (BM / TM) * (BN / TN);
    static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "each thread brings one float4 of A and of B");
    __shared__ float4 As4[BK * (BM + 4) / 4], Bs4[BK * BN / 4]; /* float4, for the alignment */
    float *As = (float *)As4, *Bs = (float *)Bs4;               /* As[k][m], rows of BM + 4; Bs[k][n] */
    int tid = threadIdx.x;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int row = tid / (BN / TN) * TM, column = tid % (BN / TN) * TN;
    int am = tid / (BK / 4), ak = tid % (BK / 4) * 4, bk = tid / (BN / 4), bn = tid % (BN / 4) * 4;
    const float4 zero = {0, 0, 0, 0};
    alignas(16) float sum[TM][TN] = {{0}};
    for (int k0 = 0; k0 < K; k0 += BK) {
        float4 v = m0 + am < M && k0 + ak < K ? *(const float4 *)(A + (size_t)(m0 + am) * K + k0 + ak) : zero;
        As[(ak + 0) * (BM + 4) + am] = v.x;
        As[(ak + 1) * (BM + 4) + am] = v.y;
        As[(ak + 2) * (BM + 4) + am] = v.z;
        As[(ak + 3) * (BM + 4) + am] = v.w;
        *(float4 *)(Bs + bk * BN + bn) =
            k0 + bk < K && n0 + bn < N ? *(const float4 *)(B + (size_t)(k0 + bk) * N + n0 + bn) : zero;
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            alignas(16) float a[TM], b[TN];
            for (int i = 0; i < TM; i += 4)
                *(float4 *)(a + i) = *(const float4 *)(As + k * (BM + 4) + row + i);
            for (int j = 0; j < TN; j += 4)
                *(float4 *)(b + j) = *(const float4 *)(Bs + k * BN + column + j);
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            if (m0 + row + i < M && n0 + column + j < N)
                *(float4 *)(C + (size_t)(m0 + row + i) * N + n0 + column + j) = *(const float4 *)&sum[i][j];
}

static void gemm6(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(256), grid((N + 127) / 128, (M + 127) / 128);
    gemm_kernel6<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
