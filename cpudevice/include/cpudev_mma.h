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

/*
 * How a fragment of wmma is spread over the lanes: as on sm_80 and later, where the compiler makes mma.sync of wmma and a
 * fragment is those instructions' registers ("Matrix Fragments for mma.m16n8k16" and its neighbours in the PTX ISA). An
 * H100's answers for every shape and type are recorded in cpudevice/tests/arithmetic/h100.txt.
 *
 * A matrix is a number of lines: the rows of A, the columns of B, the rows of an accumulator. With 8 x 32 the GPU
 * multiplies the transposed matrices, so an accumulator's lines are then its columns. A piece is what fills a 32-bit
 * register of A or B, or two values of an accumulator: neighbours in a line. Lane 4 g + t has pieces of the lines g + 8 i,
 * in each the pieces t, t + 4, ...
 */
enum cpudev_wmma_use { CPUDEV_WMMA_A, CPUDEV_WMMA_B, CPUDEV_WMMA_SUM };
struct cpudev_wmma_layout {
    bool by_rows;
    int lines, length; /* of a line, in values */
    int per;           /* values in a piece */
    int pieces;        /* that a lane has */
};
static inline struct cpudev_wmma_layout cpudev_wmma_layout_of(enum cpudev_wmma_use use, int m, int n, int k, int bits)
{
    const bool turned = m == 8 && n == 32;
    struct cpudev_wmma_layout l;
    l.by_rows = use == CPUDEV_WMMA_A || (use == CPUDEV_WMMA_SUM && !turned);
    l.lines = l.by_rows ? m : n;
    l.length = use != CPUDEV_WMMA_SUM ? k : turned ? m : n;
    l.per = use == CPUDEV_WMMA_SUM ? 2 : bits < 32 ? 32 / bits : 1;
    l.pieces = l.lines * l.length / 32 / l.per;
    return l;
}
/* Piece i of a lane is the (lane % 4 + 4 * part)-th of line lane / 4 + 8 * line. The operand that is A of mma.sync alternates
 * between two lines first, the one that is B goes along its line first. */
static inline void cpudev_wmma_piece(const struct cpudev_wmma_layout *l, enum cpudev_wmma_use use, int i, int *line,
                                     int *part)
{
    const int parts = l->length / (4 * l->per);
    const int pair = l->lines == 32 || (l->lines == 16 && use != CPUDEV_WMMA_B) ? 2 : 1;
    *line = i % pair + pair * (i / (pair * parts));
    *part = i / pair % parts;
}
/* Where the first value of piece i lies in memory, in values; `along` says that lines are contiguous there. */
static inline size_t cpudev_wmma_offset(const struct cpudev_wmma_layout *l, enum cpudev_wmma_use use, unsigned lane,
                                        int i, size_t ld, bool along)
{
    int line, part;
    cpudev_wmma_piece(l, use, i, &line, &part);
    const size_t down = (size_t)(lane / 4 + 8 * (unsigned)line);
    const size_t across = (size_t)l->per * (lane % 4 + 4 * (unsigned)part);
    return along ? down * ld + across : across * ld + down;
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
