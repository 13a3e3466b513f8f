/* Rung 1, naive: one thread per element, and the obvious line `m = x, n = y`.
 *
 * Neighbouring threads of a warp then work on neighbouring rows. Each of its 32 loads of A falls into another row, so
 * into another 32-byte sector: 32 sectors are fetched for 128 bytes that are wanted. */
#include <stddef.h>

__global__ void gemm_kernel1(const float *A, const float *B, float *C, int M, int N, int K)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    int n = blockIdx.y * blockDim.y + threadIdx.y;
    if (m >= M || n >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += A[(size_t)m * K + k] * B[(size_t)k * N + n];
    C[(size_t)m * N + n] = sum;
}

static void gemm1(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(32, 8), grid((M + 31) / 32, (N + 7) / 8);
    gemm_kernel1<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
