/* format.h: pruning to V:2:8, on the host: of 8 neighbouring columns the VNM_V rows of a strip keep the four with the
 * largest sum of squares, and of these each row keeps the two of larger magnitude. */
#ifndef VNM_FORMAT_H
#define VNM_FORMAT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sparse.h"
#include "types.h"

enum { VNM_V = 128 }; /* rows with the same columns */

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

/* columns is a multiple of 8. kept: strips x columns / 2; values and meta: the 2:4 matrix rows x columns / 2
 * (common/sparse.h); pruned: rows x columns, what is left, in its place. Returns 0, or -1: no memory. */
static inline int vnm_prune(const uint16_t *full, size_t rows, size_t columns, int *kept, uint16_t *values,
                            uint32_t *meta, uint16_t *pruned)
{
    const size_t half = columns / 2, strips = (rows + VNM_V - 1) / VNM_V;
    uint16_t *narrow = (uint16_t *)malloc(rows * half * 2 + 2);
    if (!narrow)
        return -1;
#pragma omp parallel for
    for (size_t s = 0; s < strips; s++) {
        const size_t m0 = s * VNM_V, m1 = m0 + VNM_V < rows ? m0 + VNM_V : rows;
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
    return wrong;
}

#endif
