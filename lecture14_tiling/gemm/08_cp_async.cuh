/* Rung 8, cp.async double buffer: the next tile travels while this one is multiplied.
 *
 * cp.async copies from global to shared memory without passing through registers, and without anyone waiting: tile
 * t + 1 is requested before tile t is multiplied, into the other buffer. Rung 7 stops at each tile for the whole
 * latency of global memory, and only its other blocks fill the gap. A's transposition needs 4-byte copies: 8 lanes take
 * 8 neighbouring k (one sector), 4 rows per warp, which with the padding of 4 hit 32 different banks. */
#include <stddef.h>

#include "ptx.cuh"

__global__ void __launch_bounds__(256) gemm_kernel8(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
    constexpr int WM = 64, WN = 32;           /* a warp's tile */
    constexpr int LM = WM / TM, LN = WN / TN; /* its lanes: 8 x 4 */
    constexpr int THREADS = (BM / TM) * (BN / TN);
    static_assert(LM * LN == 32, "a warp has 32 lanes");
    static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "each thread brings 4 floats of A and of B");
    constexpr int A_FLOATS = BK * (BM + 4), B_FLOATS = BK * BN;
    __shared__ float4 As4[2 * A_FLOATS / 4], Bs4[2 * B_FLOATS / 4]; /* float4, for the alignment */
    int tid = threadIdx.x;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int warp = tid / 32, lane = tid % 32;
    int row = warp / (BN / WN) * WM + lane / LN * 4;    /* first row of 4; the others LM * 4 below */
    int column = warp % (BN / WN) * WN + lane % LN * 4; /* first column of 4; the others LN * 4 to the right */
    int am = tid / BK, ak = tid % BK, bk = tid / (BN / 4), bn = tid % (BN / 4) * 4;
    auto copy_tile = [&](int t) {
        float *As = (float *)As4 + t % 2 * A_FLOATS, *Bs = (float *)Bs4 + t % 2 * B_FLOATS;
        int k0 = t * BK;
        for (int i = 0; i < BM; i += THREADS / BK) {
            bool valid = m0 + am + i < M && k0 + ak < K;
            cp_async_4(As + ak * (BM + 4) + am + i, valid ? A + (size_t)(m0 + am + i) * K + k0 + ak : A, valid);
        }
        bool valid = k0 + bk < K && n0 + bn < N;
        cp_async_16(Bs + bk * BN + bn, valid ? B + (size_t)(k0 + bk) * N + n0 + bn : B, valid);
    };
    alignas(16) float sum[TM][TN] = {{0}};
    int tiles = (K + BK - 1) / BK;
    if (tiles > 0)
        copy_tile(0);
    cp_async_commit();
    // notes: waiting
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles)
            copy_tile(t + 1);
        cp_async_commit();  /* an empty group at the end, so that the count below stays right */
        cp_async_wait<1>(); /* all groups but the newest: tile t has arrived, for this thread's copies ... */
        __syncthreads();    /* ... and for all other threads' copies */
        // notes end
        const float *As = (const float *)As4 + t % 2 * A_FLOATS, *Bs = (const float *)Bs4 + t % 2 * B_FLOATS;
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

static void gemm8(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(256), grid((N + 127) / 128, (M + 127) / 128);
    gemm_kernel8<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
