/* sparse_masks.c: masks by magnitude (sparse.h): elements, rows, blocks, and n of every m neighbours. */
#include "sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Unit {
    double size;
    size_t index;
} Unit;

static int smaller_first(const void *x, const void *y)
{
    const Unit *a = x, *b = y;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return a->index > b->index ? -1 : 1; /* of equal ones the later is dropped first */
}

/* One mask for the three shapes: units of unit_rows x unit_columns. */
static int mask_units(const float *w, size_t rows, size_t columns, size_t unit_rows, size_t unit_columns,
                      double sparsity, uint8_t *mask)
{
    size_t across = columns / unit_columns, units = rows / unit_rows * across;
    Unit *unit = malloc((units + 1) * sizeof *unit);
    if (!unit)
        return -1;
    for (size_t u = 0; u < units; u++) {
        double sum = 0;
        for (size_t i = 0; i < unit_rows; i++)
            for (size_t j = 0; j < unit_columns; j++) {
                double x = w[(u / across * unit_rows + i) * columns + u % across * unit_columns + j];
                sum += x * x;
            }
        unit[u] = (Unit){isnan(sum) ? INFINITY : sum, u};
    }
    qsort(unit, units, sizeof *unit, smaller_first);
    memset(mask, 1, rows * columns);
    size_t drop = (size_t)(sparsity * (double)units + 1e-9);
    for (size_t k = 0; k < drop && k < units; k++)
        for (size_t i = 0; i < unit_rows; i++)
            for (size_t j = 0; j < unit_columns; j++)
                mask[(unit[k].index / across * unit_rows + i) * columns + unit[k].index % across * unit_columns + j] =
                    0;
    free(unit);
    return 0;
}

int mask_unstructured(const float *w, size_t rows, size_t columns, double sparsity, uint8_t *mask)
{
    return mask_units(w, rows, columns, 1, 1, sparsity, mask);
}

int mask_rows(const float *w, size_t rows, size_t columns, double sparsity, uint8_t *mask)
{
    return mask_units(w, rows, columns, 1, columns, sparsity, mask);
}

int mask_blocks(const float *w, size_t rows, size_t columns, size_t block, double sparsity, uint8_t *mask)
{
    return mask_units(w, rows, columns, block, block, sparsity, mask);
}

int mask_n_of_m(const float *w, size_t rows, size_t columns, size_t keep, size_t group, uint8_t *mask)
{
    for (size_t i = 0; i < rows * columns; i += group)
        if (mask_units(w + i, 1, group, 1, 1, (double)(group - keep) / (double)group, mask + i))
            return -1;
    return 0;
}

double mask_energy(const float *w, size_t count, const uint8_t *mask)
{
    double kept = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        double e = (double)w[i] * w[i];
        all += e;
        kept += mask[i] ? e : 0;
    }
    return all > 0 ? kept / all : 1;
}
