/* Rung 4, 1D register tile: a thread computes 8 elements of one column of C.
 *
 * A value of B, once in a register, is used 8 times: 9 shared loads for 8 multiply-adds, where rung 3 needs 16. */
#include <stddef.h>

__global__ void gemm_kernel4(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int BM = 64, BN = 64, BK = 8, TM = 8; /* the block's tile of C, its step along K, a thread's rows */
    static_assert(BM * BK == BM * BN / TM && BK * BN == BM * BN / TM, "each thread brings one element of A and of B");
    __shared__ float As[BM][BK], Bs[BK][BN];
    int tid = threadIdx.x;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int row = tid / BN * TM, column = tid % BN; /* of this thread's 8 elements, in the tile */
    float sum[TM] = {0};
    for (int k0 = 0; k0 < K; k0 += BK) {
        int am = tid / BK, ak = tid % BK, bk = tid / BN, bn = tid % BN;
        As[am][ak] = m0 + am < M && k0 + ak < K ? A[(size_t)(m0 + am) * K + k0 + ak] : 0;
        Bs[bk][bn] = k0 + bk < K && n0 + bn < N ? B[(size_t)(k0 + bk) * N + n0 + bn] : 0;
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float b = Bs[k][column];
            for (int i = 0; i < TM; i++)
                sum[i] += As[row + i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        if (m0 + row + i < M && n0 + column < N)
            C[(size_t)(m0 + row + i) * N + n0 + column] = sum[i];
}

static void gemm4(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(512), grid((N + 63) / 64, (M + 63) / 64);
    gemm_kernel4<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
