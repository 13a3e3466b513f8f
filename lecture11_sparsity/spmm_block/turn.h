/* turn.h: the transpose of a matrix in block CSR, as a plan sees it: other rows and columns, the same blocks. A layer's
 * backward pass multiplies by it. */
#ifndef SPMM_BLOCK_TURN_H
#define SPMM_BLOCK_TURN_H

#include <stdlib.h>

#include "plan.h"

/* The index of a's transpose: turned->value is NULL, and block[i] says where in a's values its block i is. Returns 0, or
 * -1: no memory. */
static inline int bsr_turn(const Bsr *a, Bsr *turned, int **block)
{
    const size_t rows = a->rows / a->block, columns = a->columns / a->block;
    *turned = (Bsr){a->columns, a->rows, a->block, a->blocks, NULL, NULL, NULL};
    turned->row_start = (int *)calloc(columns + 2, sizeof *turned->row_start);
    turned->column = (int *)malloc((a->blocks + 1) * sizeof *turned->column);
    *block = (int *)malloc((a->blocks + 1) * sizeof **block);
    if (!turned->row_start || !turned->column || !*block)
        return -1;
    int *next = turned->row_start + 1; /* where a row's next block goes; in the end, where the next row begins */
    for (size_t b = 0; b < a->blocks; b++)
        if ((size_t)a->column[b] + 1 < columns)
            next[a->column[b] + 1]++;
    for (size_t c = 1; c < columns; c++)
        next[c] += next[c - 1];
    for (size_t r = 0; r < rows; r++)
        for (int b = a->row_start[r]; b < a->row_start[r + 1]; b++) {
            const int to = next[a->column[b]]++;
            turned->column[to] = (int)r;
            (*block)[to] = b;
        }
    return 0;
}

/* A plan's blocks are those of the transpose's index: after this, those of the values. */
static inline void bsr_plan_turn(const BsrPlan *p, int *plan, const int *block)
{
    for (size_t i = p->block; i < p->column; i++)
        plan[i] = plan[i] < 0 ? -1 : block[plan[i]];
}

#endif
