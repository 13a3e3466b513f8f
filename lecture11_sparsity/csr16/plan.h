/* plan.h: what csr16's kernels want to know of a CSR matrix, made once on the host: its columns and values in one word
 * each, and which rows a warp should have in hand at the same time. */
#ifndef CSR16_PLAN_H
#define CSR16_PLAN_H

#include <stdint.h>
#include <stdlib.h>

#include "sparse.h"
#include "types.h"

/* Column and bf16 value share 32 bits: at most 65536 columns. */
static inline void csr16_words(const Csr *csr, uint32_t *word)
{
    for (size_t i = 0; i < csr->nonzeros; i++)
        word[i] = (uint32_t)csr->column[i] << 16 | bf16_from_float(csr->value[i]);
}

typedef struct Csr16Length {
    int length, row;
} Csr16Length;

static inline int csr16_longer(const void *x, const void *y)
{
    const Csr16Length *a = (const Csr16Length *)x, *b = (const Csr16Length *)y;
    return a->length != b->length ? (a->length > b->length ? -1 : 1) : a->row - b->row;
}

/* The rows, the longest first: neighbours are of similar length, and the long ones do not come last. Returns 0, or -1:
 * no memory. */
static inline int csr16_rows_by_length(const Csr *csr, int *row)
{
    Csr16Length *sorted = (Csr16Length *)malloc((csr->rows + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t m = 0; m < csr->rows; m++)
        sorted[m].length = csr->row_start[m + 1] - csr->row_start[m], sorted[m].row = (int)m;
    qsort(sorted, csr->rows, sizeof *sorted, csr16_longer);
    for (size_t m = 0; m < csr->rows; m++)
        row[m] = sorted[m].row;
    free(sorted);
    return 0;
}

#endif
