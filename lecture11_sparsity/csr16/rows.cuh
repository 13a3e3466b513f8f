/* rows.cuh: C = A B, A sparse in CSR with bf16 values, B K x N and C M x N in bf16, row-major; sums in fp32.
 *
 *   1  one warp per row       256 columns per warp, 16 bytes of B per lane; column and value are passed round
 *   2  one word per value     column and value share 32 bits, so that a single load and a single shuffle bring both
 *   3  eight lanes per row    64 columns of four rows per warp, all loads of a round before its first addition
 *   4  rows by length         the four rows of a warp are of similar length
 *
 * N is a multiple of 8, so that each row of B begins at a multiple of 16 bytes; K is at most 65536.
 */
#ifndef CSR16_ROWS_CUH
#define CSR16_ROWS_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct Csr16Arguments {
    const int *row_start, *column;
    const uint16_t *value;
    const uint32_t *word; /* column << 16 | value, in the order of CSR */
    const int *row;       /* which row is computed in which place, or NULL: each in the place of its number */
    const uint16_t *B;
    uint16_t *C;
    int M, N, K;
};

__device__ __forceinline__ float csr16_float(uint32_t high_half) { return __uint_as_float(high_half); }

/* sum += v b, for eight elements of B. */
__device__ __forceinline__ void csr16_add(float sum[8], float v, const uint4 b)
{
    const uint32_t two[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum[2 * i] += v * csr16_float(two[i] << 16);
        sum[2 * i + 1] += v * csr16_float(two[i] & 0xffff0000u);
    }
}

__device__ __forceinline__ void csr16_store(const Csr16Arguments &p, int m, int n, const float sum[8])
{
    uint32_t two[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const __nv_bfloat162 pair = __floats2bfloat162_rn(sum[2 * i], sum[2 * i + 1]);
        memcpy(&two[i], &pair, 4);
    }
    *(uint4 *)(p.C + (size_t)m * p.N + n) = make_uint4(two[0], two[1], two[2], two[3]);
}

/* 8 rows of 256 columns per block. */
__global__ void __launch_bounds__(256) csr16_kernel1(Csr16Arguments p)
{
    const int lane = threadIdx.x % 32, m = blockIdx.x * 8 + threadIdx.x / 32, n = blockIdx.y * 256 + lane * 8;
    if (m >= p.M)
        return;
    const uint16_t *B = p.B + min(n, p.N - 8); /* lanes beyond the edge read what another reads, and store nothing */
    float sum[8] = {};
    const int end = p.row_start[m + 1];
    for (int base = p.row_start[m]; base < end; base += 32) {
        int column = 0;
        uint32_t value = 0;
        if (base + lane < end) {
            column = p.column[base + lane];
            value = p.value[base + lane];
        }
        const int count = min(32, end - base);
#pragma unroll 8
        for (int i = 0; i < count; i++) {
            const int k = __shfl_sync(0xffffffff, column, i);
            const float v = csr16_float(__shfl_sync(0xffffffff, value, i) << 16);
            csr16_add(sum, v, *(const uint4 *)(B + (size_t)k * p.N));
        }
    }
    if (n < p.N)
        csr16_store(p, m, n, sum);
}

__global__ void __launch_bounds__(256) csr16_kernel2(Csr16Arguments p)
{
    const int lane = threadIdx.x % 32, m = blockIdx.x * 8 + threadIdx.x / 32, n = blockIdx.y * 256 + lane * 8;
    if (m >= p.M)
        return;
    const uint16_t *B = p.B + min(n, p.N - 8);
    float sum[8] = {};
    const int end = p.row_start[m + 1];
    for (int base = p.row_start[m]; base < end; base += 32) {
        const uint32_t word = base + lane < end ? p.word[base + lane] : 0;
        const int count = min(32, end - base);
#pragma unroll 8
        for (int i = 0; i < count; i++) {
            const uint32_t w = __shfl_sync(0xffffffff, word, i);
            csr16_add(sum, csr16_float(w << 16), *(const uint4 *)(B + (size_t)(w >> 16) * p.N));
        }
    }
    if (n < p.N)
        csr16_store(p, m, n, sum);
}

/* The largest of the warp's numbers, each of which LANES neighbouring lanes have in common. */
template <int LANES> __device__ __forceinline__ int csr16_longest(int x)
{
#pragma unroll
    for (int d = LANES; d < 32; d *= 2)
        x = max(x, __shfl_xor_sync(0xffffffff, x, d));
    return x;
}

/* The rows of a warp take as many rounds as the longest of them. */
__global__ void __launch_bounds__(256) csr16_kernel3(Csr16Arguments p)
{
    constexpr int LANES = 8;
    const int lane = threadIdx.x % LANES, place = (blockIdx.x * 256 + threadIdx.x) / LANES;
    const int n = (blockIdx.y * LANES + lane) * 8, m = place >= p.M ? -1 : p.row ? p.row[place] : place;
    const uint16_t *B = p.B + min(n, p.N - 8);
    float sum[8] = {};
    int at = m < 0 ? 0 : p.row_start[m];
    const int end = m < 0 ? 0 : p.row_start[m + 1], rounds = csr16_longest<LANES>((end - at + LANES - 1) / LANES);
    for (int round = 0; round < rounds; round++, at += LANES) {
        const uint32_t word = at + lane < end ? p.word[at + lane] : 0;
        uint4 b[LANES];
        float v[LANES];
#pragma unroll
        for (int i = 0; i < LANES; i++) { /* all loads first; a row that has ended adds 0 times 0 */
            const uint32_t w = __shfl_sync(0xffffffff, word, i, LANES);
            v[i] = csr16_float(w << 16);
            b[i] = at + i < end ? *(const uint4 *)(B + (size_t)(w >> 16) * p.N) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < LANES; i++)
            csr16_add(sum, v[i], b[i]);
    }
    if (m >= 0 && n < p.N)
        csr16_store(p, m, n, sum);
}

#endif
