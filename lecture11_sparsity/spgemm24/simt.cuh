/* simt.cuh: 2:4 sparse times dense without tensor cores: first undone, then used.
 *
 * Both multiply kernels have the same shape. A block makes 32 x 256 of C; 32 rows of B pass through shared memory as
 * bf16; a warp has 4 rows of A, and each lane 8 neighbouring columns. An element of A is the same for the whole warp,
 * so the place a nonzero names can be looked up in shared memory at no cost in divergence: that is what makes
 * skipping zeros pay on ordinary cores. (Per multiply-add 2 bytes come from shared memory: it is the limit.)
 */
#ifndef SPGEMM24_SIMT_CUH
#define SPGEMM24_SIMT_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include "sparse.h"

enum { SIMT_ROWS = 4, SIMT_BM = 32, SIMT_BN = 256, SIMT_BK = 32, SIMT_THREADS = 256 };

__device__ __forceinline__ float simt_float(uint16_t bits) { return __uint_as_float((uint32_t)bits << 16); }

/* The metadata's 4 bits of the group that begins at (row, column); see common/sparse.h. */
__device__ __forceinline__ unsigned simt_places(const uint32_t *meta, int row, int column, int k_tiles)
{
    const uint32_t word = meta[((size_t)(row / 16) * k_tiles + column / 64) * 32 + row % 8 * 4 + column / 16 % 4];
    return word >> (row / 8 % 2 * 16 + column / 4 % 4 * 4) & 15;
}

/* Undoes the compression: one thread per group of four. `dense` has leading dimension ld, a multiple of 64. */
__global__ void simt_decompress_kernel(const uint16_t *values, const uint32_t *meta, uint16_t *dense, int M, int ld)
{
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * 4, r = blockIdx.y;
    if (c >= ld || r >= M)
        return;
    unsigned places = simt_places(meta, r, c, ld / 64), first = places & 3, second = places >> 2;
    const uint16_t *v = values + (size_t)r * (ld / 2) + c / 2;
    for (unsigned i = 0; i < 4; i++)
        dense[(size_t)r * ld + c + i] = i == first ? v[0] : i == second ? v[1] : 0;
}

/* 32 rows of B from k0 on, 256 columns from n0 on, zero outside. */
__device__ __forceinline__ void simt_load_b(uint16_t (&tile)[SIMT_BK][SIMT_BN], const uint16_t *B, int k0, int n0,
                                            int N, int K)
{
    for (int i = threadIdx.x; i < SIMT_BK * SIMT_BN / 8; i += SIMT_THREADS) {
        int k = i / (SIMT_BN / 8), n = i % (SIMT_BN / 8) * 8;
        const uint16_t *from = B + (size_t)(k0 + k) * N + n0 + n;
        if (k0 + k < K && N % 8 == 0 && n0 + n < N)
            *(uint4 *)&tile[k][n] = *(const uint4 *)from;
        else
            for (int e = 0; e < 8; e++)
                tile[k][n + e] = k0 + k < K && n0 + n + e < N ? from[e] : 0;
    }
}

__device__ __forceinline__ void simt_multiply_add(float (&sum)[8], float a, const uint16_t *b)
{
    const uint4 v = *(const uint4 *)b;
    const uint32_t pair[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int e = 0; e < 4; e++) {
        sum[2 * e] += a * __uint_as_float(pair[e] << 16);
        sum[2 * e + 1] += a * __uint_as_float(pair[e] & 0xffff0000u);
    }
}

__device__ __forceinline__ void simt_store(const float (&sum)[8], __nv_bfloat16 *C, int m, int n, int M, int N)
{
    for (int e = 0; e < 8; e++)
        if (m < M && n + e < N)
            C[(size_t)m * N + n + e] = __float2bfloat16(sum[e]);
}

/* A dense, M x ld. */
__global__ void __launch_bounds__(SIMT_THREADS)
    simt_dense_kernel(const uint16_t *A, const uint16_t *B, __nv_bfloat16 *C, int M, int N, int K, int ld)
{
    __shared__ __align__(16) uint16_t tile[SIMT_BK][SIMT_BN];
    const int lane = threadIdx.x % 32, n = blockIdx.x * SIMT_BN + lane * 8;
    const int m = blockIdx.y * SIMT_BM + threadIdx.x / 32 * SIMT_ROWS;
    float sum[SIMT_ROWS][8] = {};
    for (int k0 = 0; k0 < K; k0 += SIMT_BK) {
        simt_load_b(tile, B, k0, blockIdx.x * SIMT_BN, N, K);
        __syncthreads();
        for (int r = 0; r < SIMT_ROWS; r++) {
            const uint16_t *a = A + (size_t)min(m + r, M - 1) * ld + k0;
#pragma unroll 8
            for (int k = 0; k < SIMT_BK; k++)
                simt_multiply_add(sum[r], simt_float(a[k]), &tile[k][lane * 8]);
        }
        __syncthreads();
    }
    for (int r = 0; r < SIMT_ROWS; r++)
        simt_store(sum[r], C, m + r, n, M, N);
}

/* A compressed: half the steps, each at the place that the metadata names. */
__global__ void __launch_bounds__(SIMT_THREADS)
    simt_sparse_kernel(const uint16_t *values, const uint32_t *meta, const uint16_t *B, __nv_bfloat16 *C, int M, int N,
                       int K, int ld)
{
    __shared__ __align__(16) uint16_t tile[SIMT_BK][SIMT_BN];
    const int lane = threadIdx.x % 32, n = blockIdx.x * SIMT_BN + lane * 8;
    const int m = blockIdx.y * SIMT_BM + threadIdx.x / 32 * SIMT_ROWS;
    float sum[SIMT_ROWS][8] = {};
    for (int k0 = 0; k0 < K; k0 += SIMT_BK) {
        simt_load_b(tile, B, k0, blockIdx.x * SIMT_BN, N, K);
        __syncthreads();
        for (int r = 0; r < SIMT_ROWS; r++) {
            const int row = min(m + r, M - 1);
            const uint16_t *v = values + (size_t)row * (ld / 2) + k0 / 2;
#pragma unroll 8
            for (int k = 0; k < SIMT_BK; k += 4) {
                const unsigned places = simt_places(meta, row, k0 + k, ld / 64);
                simt_multiply_add(sum[r], simt_float(v[k / 2]), &tile[k + (places & 3)][lane * 8]);
                simt_multiply_add(sum[r], simt_float(v[k / 2 + 1]), &tile[k + (places >> 2)][lane * 8]);
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < SIMT_ROWS; r++)
        simt_store(sum[r], C, m + r, n, M, N);
}

#endif
