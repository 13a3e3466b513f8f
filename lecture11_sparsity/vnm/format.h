/* format.h: pruning to V:2:8, on the host: of 8 neighbouring columns the VNM_V rows of a strip keep the four with the
 * largest sum of squares, and of these each row keeps the two of larger magnitude.
 *
 * With VNM_PERMUTED the columns (the channels) need not be neighbours: the strip keeps the larger half of all its
 * columns, and puts those together as fours of which a row's two largest hold most. The product needs no other kernel
 * for it, and moves as many bytes: a list says for each column of the narrow matrix which row of B it meets. */
#ifndef VNM_FORMAT_H
#define VNM_FORMAT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sparse.h"
#include "types.h"

enum { VNM_V = 128 }; /* rows with the same columns */
enum VnmColumns { VNM_NEIGHBOURS, VNM_PERMUTED };

/* The four of 8 columns from `column` on that rows m0 to m1 (not included) keep, ascending. */
static inline void vnm_four_of_eight(const uint16_t *full, size_t columns, size_t m0, size_t m1, size_t column,
                                     int four[4])
{
    double energy[8] = {0};
    for (size_t m = m0; m < m1; m++)
        for (size_t i = 0; i < 8; i++) {
            const double x = bf16_to_float(full[m * columns + column + i]);
            energy[i] += x * x;
        }
    for (int i = 0, n = 0; i < 8; i++) {
        int larger = 0;
        for (int j = 0; j < 8; j++)
            larger += energy[j] > energy[i] || (energy[j] == energy[i] && j < i);
        if (larger < 4)
            four[n++] = (int)column + i;
    }
}

/* The rows of a strip, and where they are. */
typedef struct VnmStrip {
    const uint16_t *full;
    size_t columns, m0, m1;
} VnmStrip;

/* The sum of squares that the rows keep of four columns: the two larger of each. */
static inline double vnm_two_of_four(const VnmStrip *s, const int four[4])
{
    double sum = 0;
    for (size_t m = s->m0; m < s->m1; m++) {
        float first = 0, second = 0;
        for (int i = 0; i < 4; i++) {
            const float x = bf16_to_float(s->full[m * s->columns + (size_t)four[i]]), square = x * x;
            second = square > first ? first : square > second ? square : second;
            first = square > first ? square : first;
        }
        sum += first + second;
    }
    return sum;
}

/* Exchanges a column of each four for one of another four, `rounds` times where it helps. */
static inline void vnm_regroup(const VnmStrip *s, int *kept, size_t half, int rounds)
{
    const size_t fours = half / 4;
    for (int round = 0; round < rounds; round++)
        for (size_t f = 0; f < fours; f++) {
            int *a = kept + 4 * f, *b = kept + (f + 1 + (size_t)round * 7 % fours) % fours * 4, best = -1;
            double most = a == b ? 0 : vnm_two_of_four(s, a) + vnm_two_of_four(s, b);
            for (int i = 0; i < 16 && a != b; i++) {
                int x[4], y[4];
                memcpy(x, a, sizeof x), memcpy(y, b, sizeof y);
                x[i / 4] = b[i % 4], y[i % 4] = a[i / 4];
                const double sum = vnm_two_of_four(s, x) + vnm_two_of_four(s, y);
                if (sum > most * (1 + 1e-9))
                    most = sum, best = i;
            }
            if (best >= 0) {
                const int held = a[best / 4];
                a[best / 4] = b[best % 4], b[best % 4] = held;
            }
        }
}

typedef struct VnmColumn {
    double energy;
    int column;
} VnmColumn;

static inline int vnm_larger_first(const void *x, const void *y)
{
    const VnmColumn *a = (const VnmColumn *)x, *b = (const VnmColumn *)y;
    return a->energy != b->energy ? (a->energy < b->energy ? 1 : -1) : a->column - b->column;
}

/* The larger half of all columns. Returns 0, or -1: no memory. */
static inline int vnm_larger_half(const VnmStrip *s, int *kept)
{
    VnmColumn *column = (VnmColumn *)calloc(s->columns + 1, sizeof *column);
    if (!column)
        return -1;
    for (size_t c = 0; c < s->columns; c++)
        column[c].column = (int)c;
    for (size_t m = s->m0; m < s->m1; m++)
        for (size_t c = 0; c < s->columns; c++) {
            const double x = bf16_to_float(s->full[m * s->columns + c]);
            column[c].energy += x * x;
        }
    qsort(column, s->columns, sizeof *column, vnm_larger_first);
    for (size_t i = 0; i < s->columns / 2; i++) /* large and small columns together: a row seldom wants three */
        kept[i] = column[i / 4 + i % 4 * (s->columns / 8)].column;
    free(column);
    return 0;
}

/* columns is a multiple of 8; `how` an enum VnmColumns, `rounds` of exchanges. kept: strips x columns / 2; values and meta: the 2:4 matrix rows x columns / 2
 * (common/sparse.h); pruned: rows x columns, what is left, in its place. Returns 0, or -1: no memory. */
static inline int vnm_prune(const uint16_t *full, size_t rows, size_t columns, int how, int rounds, int *kept,
                            uint16_t *values, uint32_t *meta, uint16_t *pruned)
{
    const size_t half = columns / 2, strips = (rows + VNM_V - 1) / VNM_V;
    uint16_t *narrow = (uint16_t *)malloc(rows * half * 2 + 2);
    if (!narrow)
        return -1;
    int failed = 0;
#pragma omp parallel for reduction(+ : failed)
    for (size_t s = 0; s < strips; s++) {
        const size_t m0 = s * VNM_V, m1 = m0 + VNM_V < rows ? m0 + VNM_V : rows;
        const VnmStrip strip = {full, columns, m0, m1};
        if (how == VNM_PERMUTED) {
            failed += vnm_larger_half(&strip, kept + s * half) != 0;
            vnm_regroup(&strip, kept + s * half, half, failed ? 0 : rounds);
        } else
            for (size_t c = 0; c < columns; c += 8)
                vnm_four_of_eight(full, columns, m0, m1, c, kept + s * half + c / 2);
        for (size_t m = m0; m < m1; m++)
            for (size_t i = 0; i < half; i++)
                narrow[m * half + i] = full[m * columns + (size_t)kept[s * half + i]];
    }
    sparse24_compress_bf16(narrow, rows, half, half, values, meta);
    const int wrong = sparse24_decompress_bf16(values, meta, rows, half, narrow, half, NULL);
    memset(pruned, 0, rows * columns * 2);
    for (size_t m = 0; m < rows; m++)
        for (size_t i = 0; i < half; i++)
            pruned[m * columns + (size_t)kept[m / VNM_V * half + i]] = narrow[m * half + i];
    free(narrow);
    return failed ? -1 : wrong;
}

#endif
