/*
 * cpudev_mma.h: the warp's matrix instructions (ldmatrix, mma.sync, mma.sp) on the CPU device.
 *
 * Fragments are laid out as the PTX ISA lays them out, so a kernel that loads them by hand is right here if and only
 * if it is right on a GPU. All 32 lanes must call together, as for the instructions. Products are exact; their sum
 * with the accumulator is formed in double (in int, wrapping, for s8) and rounded once, where a tensor core truncates
 * at some 24 bits: results agree to float rounding, and exactly where every partial sum is a small integer.
 */
#ifndef CPUDEV_MMA_H
#define CPUDEV_MMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cpudev_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where value i of a lane's run lies in memory, in values: a fragment's runs go across rows or columns of that many
 * values; `along` says that memory's do so too. */
static inline size_t cpudev_wmma_offset(unsigned lane, int run, int i, int across, size_t ld, bool along)
{
    const int linear = (int)lane * run + i;
    const size_t line = (size_t)(linear / across), place = (size_t)(linear % across);
    return along ? line * ld + place : place * ld + line;
}
/* This lane's word of a matrix of 8 rows (or columns) of 4 words. */
static inline uint32_t cpudev_wmma_word(const void *tile, size_t row_bytes)
{
    const unsigned lane = cpudev_wmma_meet(tile, row_bytes);
    return ((const uint32_t *)(const void *)((const char *)tile + lane / 4 * row_bytes))[lane % 4];
}

#ifdef __cplusplus
}

/* Each 8 x 8 matrix of 16-bit elements that the warp holds is transposed: lane 4 g + t has the elements of row g, columns
 * 2t and 2t + 1. */
template <int matrices> static inline void cpudev_transpose(uint32_t *r, const uint32_t *mine)
{
    const unsigned g = cpudev_lane() / 4, t = cpudev_lane() % 4;
    uint32_t all[32][matrices];
    cpudev_warp_allgather(~0u, mine, all, sizeof all[0]);
    for (int i = 0; i < matrices; i++) {
        const uint32_t low = all[4 * (2 * t) + g / 2][i], high = all[4 * (2 * t + 1) + g / 2][i];
        r[i] = (low >> 16 * (g % 2) & 0xffff) | (high >> 16 * (g % 2) & 0xffff) << 16;
    }
}

/*
 * Under --check ldmatrix and stmatrix touch the bytes as the hardware does, transposed or not: a matrix is a pass of the
 * banks over its eight rows of 16 bytes, of which a lane has four.
 *
 * ldmatrix: `matrices` 8 x 8 matrices of 16-bit elements; lane l gives the address of row l % 8 of matrix l / 8 and
 * receives of each matrix the two elements of row l / 4 at column 2 (l % 4), or of the transpose.
 */
template <int matrices, bool transposed> static inline void cpudev_ldmatrix(uint32_t *r, const void *smem_row)
{
    const void *rows[2 * matrices];
    unsigned g = cpudev_lane() / 4, t = cpudev_lane() % 4;
#ifdef __SANITIZE_THREAD__
    if (transposed) {
        uint32_t mine[matrices];
        cpudev_ldmatrix_rows(smem_row, rows, matrices, 0);
        for (int i = 0; i < matrices; i++)
            mine[i] = ((const uint32_t *)rows[i])[t];
        cpudev_transpose<matrices>(r, mine);
        return;
    }
#endif
    cpudev_ldmatrix_rows(smem_row, rows, matrices, transposed);
    for (int i = 0; i < matrices; i++) {
        if (transposed)
            r[i] = ((const uint16_t *)rows[2 * i])[g] | (uint32_t)((const uint16_t *)rows[2 * i + 1])[g] << 16;
        else
            r[i] = ((const uint32_t *)rows[i])[t];
    }
}
#endif
#endif
