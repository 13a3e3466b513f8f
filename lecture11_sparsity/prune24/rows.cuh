/* rows.cuh: prune a bf16 matrix to 2:4 along its rows and compress it; and the way back.
 *
 * A thread makes one word of metadata: 16 columns of two rows, r and r + 8 (common/sparse.h says why these).
 */
#ifndef PRUNE24_ROWS_CUH
#define PRUNE24_ROWS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "sparse.h"

/* The places of the two largest magnitudes of four; of equal ones the earlier. Without its sign a bf16 orders as an
 * integer, NaN above infinity. An element is kept if fewer than two others beat it: no branch, no sorting. */
__device__ __forceinline__ unsigned rows_pick(unsigned k0, unsigned k1, unsigned k2, unsigned k3)
{
    /* b01: 1 beats 0, and so on: a later one must be larger */
    const int b01 = k1 > k0, b02 = k2 > k0, b03 = k3 > k0, b12 = k2 > k1, b13 = k3 > k1, b23 = k3 > k2;
    const bool keep0 = b01 + b02 + b03 < 2, keep1 = !b01 + b12 + b13 < 2, keep2 = !b02 + !b12 + b23 < 2;
    const unsigned first = keep0 ? 0 : keep1 ? 1 : 2;
    const bool two_of_three = keep0 + keep1 + keep2 == 2;
    const unsigned second = !two_of_three ? 3 : keep2 ? 2 : 1;
    return first | second << 2;
}

/* 1: element by element, any shape. */
__global__ void rows_kernel1(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta)
{
    const int k_tiles = (columns + 63) / 64, words = (rows + 15) / 16 * k_tiles * 32;
    const int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= words)
        return;
    const int lane = word % 32, tile = word / 32;
    const int column = tile % k_tiles * 64 + lane % 4 * 16;
    uint32_t places = 0;
    for (int h = 0; h < 2; h++) {
        const int row = tile / k_tiles * 16 + h * 8 + lane / 4;
        for (int g = 0; g < 4; g++) {
            uint16_t v[4];
            for (int i = 0; i < 4; i++) {
                int c = column + g * 4 + i;
                v[i] = row < rows && c < columns ? W[(size_t)row * columns + c] : 0;
            }
            unsigned p = rows_pick(v[0] & 0x7fff, v[1] & 0x7fff, v[2] & 0x7fff, v[3] & 0x7fff);
            places |= p << (h * 16 + g * 4);
            if (row < rows) {
                uint16_t *to = values + (size_t)row * k_tiles * 32 + column / 2 + g * 2;
                to[0] = v[p & 3];
                to[1] = v[p >> 2];
            }
        }
    }
    meta[word] = places;
}

/* 2: 16 bytes at a time; two loads per row in flight before the first use. rows a multiple of 16, columns of 64. A warp
 * takes 128 columns of 8 rows, so that it reads 256 bytes of a row at once; element i of four is picked from
 * registers by selecting bytes, never by a run-time index, which would put the array into memory. */
__global__ void __launch_bounds__(256)
    rows_kernel2(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta)
{
    const int k_tiles = columns / 64, warps_across = (columns + 127) / 128;
    const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const int column = warp % warps_across * 128 + lane % 8 * 16;
    const int quarter = warp / warps_across; /* 4 of the 8 row pairs of 16 rows */
    const int row = quarter / 2 * 16 + quarter % 2 * 4 + lane / 8;
    if (row >= rows || column >= columns)
        return;
    uint4 w[2][2];
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < 2; i++)
            w[h][i] = __ldcs((const uint4 *)(W + (size_t)(row + h * 8) * columns + column) + i);
    uint32_t places = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        uint32_t out[4];
#pragma unroll
        for (int g = 0; g < 4; g++) {
            const uint4 v = w[h][g / 2];
            const uint32_t lo = g % 2 ? v.z : v.x, hi = g % 2 ? v.w : v.y;
            const unsigned p = rows_pick(lo & 0x7fff, lo >> 16 & 0x7fff, hi & 0x7fff, hi >> 16 & 0x7fff);
            out[g] = __byte_perm(lo, hi, (p & 3) * 0x22 + (p >> 2) * 0x2200 + 0x1010);
            places |= p << (h * 16 + g * 4);
        }
        __stcs((uint4 *)(values + (size_t)(row + h * 8) * (columns / 2) + column / 2),
               make_uint4(out[0], out[1], out[2], out[3]));
    }
    meta[((size_t)(row / 16) * k_tiles + column / 64) * 32 + row % 8 * 4 + column / 16 % 4] = places;
}

#endif
