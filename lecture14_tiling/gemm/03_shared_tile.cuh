/* Rung 3, shared tile: lecture 5's step. A 32 x 32 block brings a 32 x 32 tile of A and of B into shared memory, and
 * each element brought serves 32 threads.
 *
 * Global traffic falls 32 times. But each multiply-add still needs two loads, now from shared memory, and a
 * multiprocessor can issue far fewer loads than multiply-adds: the bottleneck has only moved. */
#include <stddef.h>

__global__ void gemm_kernel3(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int TILE = 32;
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * TILE + ty, n = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty][tx] = n < N && k0 + ty < K ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static void gemm3(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(32, 32), grid((N + 31) / 32, (M + 31) / 32);
    gemm_kernel3<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
