/* Rung 7, warp tiles: which elements a thread owns, chosen for the banks.
 *
 * In rung 6 neighbouring threads read B 32 bytes apart, so 8 lanes of one 16-byte load meet in half of the banks. Here
 * a warp owns a tile of 64 x 32, cut among its lanes as 8 x 4, and a thread owns two runs of 4 rows and two runs of 4
 * columns: the lanes' 16-byte reads are side by side, and where lanes read the same 16 bytes they share them. A
 * warp's tile is nearer to a square too: 96 values read for 2048 multiply-adds, where rung 6 reads 16 + 128. */
#include <stddef.h>

__global__ void __launch_bounds__(256) gemm_kernel7(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
    constexpr int WM = 64, WN = 32;           /* a warp's tile */
    constexpr int LM = WM / TM, LN = WN / TN; /* its lanes: 8 x 4 */
    constexpr int THREADS = (BM / TM) * (BN / TN);
    static_assert(LM * LN == 32, "a warp has 32 lanes");
    static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "each thread brings one float4 of A and of B");
    __shared__ float4 As4[BK * (BM + 4) / 4], Bs4[BK * BN / 4]; /* float4, for the alignment */
    float *As = (float *)As4, *Bs = (float *)Bs4;               /* As[k][m], rows of BM + 4; Bs[k][n] */
    int tid = threadIdx.x;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int warp = tid / 32, lane = tid % 32;
    int row = warp / (BN / WN) * WM + lane / LN * 4;    /* first row of 4; the others LM * 4 below */
    int column = warp % (BN / WN) * WN + lane % LN * 4; /* first column of 4; the others LN * 4 to the right */
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
                *(float4 *)(a + i) = *(const float4 *)(As + k * (BM + 4) + row + i * LM);
            for (int j = 0; j < TN; j += 4)
                *(float4 *)(b + j) = *(const float4 *)(Bs + k * BN + column + j * LN);
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4) {
            int m = m0 + row + i / 4 * 4 * LM + i % 4, n = n0 + column + j * LN;
            if (m < M && n < N)
                *(float4 *)(C + (size_t)m * N + n) = *(const float4 *)&sum[i][j];
        }
}

static void gemm7(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(256), grid((N + 127) / 128, (M + 127) / 128);
    gemm_kernel7<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
