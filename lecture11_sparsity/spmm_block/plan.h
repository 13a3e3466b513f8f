/* plan.h: how bsr_wgmma.cuh walks a matrix in block CSR. The plan is made once for each matrix, on the host: which block
 * rows are computed together, which blocks each step multiplies, and which cluster of thread blocks gets which tiles.
 *
 * Block rows that are computed together form a group. A step of a group is one block column in which at least one of its
 * rows has a block: the rows of B that it needs are fetched once for the whole group. So the fewer steps all groups have
 * together, the less of B is fetched. bsr_plan() begins a group with the longest row that is left and adds the rows
 * that lengthen it least; on random matrices with a tenth of their blocks, pairs get by with 86 % of the fetches and
 * groups of four with 73 %.
 *
 * A tile is a group by a slab of columns of B. All clusters work on the same slab at about the same time, so that it
 * stays in L2; within a slab the longest tiles come first, and each goes to the cluster with the least work so far. */
#ifndef SPMM_BLOCK_PLAN_H
#define SPMM_BLOCK_PLAN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sparse.h"

/* The arrays, as offsets into one array of ints. */
typedef struct BsrPlan {
    int rows;                    /* block rows in a group */
    int groups, slabs, clusters; /* slabs: of columns of B */
    size_t block;                /* steps * rows: where a row's block is in the values, or -1 */
    size_t column;               /* steps: the block column */
    size_t step;                 /* groups + 1: where a group's steps begin */
    size_t row;                  /* groups * rows: the block row, or -1 */
    size_t first;                /* clusters + 1: where a cluster's tiles begin */
    size_t tile;                 /* groups * slabs: group << 16 | slab */
    size_t words;                /* of all, a multiple of 4 */
} BsrPlan;

enum { BSR_PLAN_TILE_COST = 3 }; /* what it costs to begin and end a tile, in steps */

static inline int bsr_plan_ones(const uint64_t *x, const uint64_t *y, size_t words)
{
    int ones = 0;
    for (size_t i = 0; i < words; i++)
        ones += __builtin_popcountll(x[i] | y[i]);
    return ones;
}

/* row[groups * p->rows]: the block rows of each group. With `share`, rows that share columns come together; without,
 * neighbours. `bits` has `words` words per block row, a bit for each block. */
static inline void bsr_plan_group(const BsrPlan *p, const uint64_t *bits, size_t words, int block_rows, int share,
                                  int *row)
{
    char *taken = (char *)calloc((size_t)block_rows + 1, 1);
    uint64_t *all = (uint64_t *)calloc(words, sizeof *all), *none = (uint64_t *)calloc(words, sizeof *none);
    if (!taken || !all || !none)
        abort();
    for (int i = 0; i < p->groups * p->rows; i++) {
        if (i % p->rows == 0)
            memset(all, 0, words * sizeof *all);
        row[i] = i < block_rows ? i : -1;
        if (!share || i >= block_rows)
            continue;
        int best = -1, best_extra = 0, best_own = -1;
        for (int r = 0; r < block_rows; r++) {
            if (taken[r])
                continue;
            const int own = bsr_plan_ones(bits + (size_t)r * words, none, words);
            const int extra =
                i % p->rows ? bsr_plan_ones(bits + (size_t)r * words, all, words) - own : 0; /* less what it shares */
            if (best < 0 || extra < best_extra || (extra == best_extra && own > best_own))
                best = r, best_extra = extra, best_own = own;
        }
        row[i] = best;
        taken[best] = 1;
        for (size_t w = 0; w < words; w++)
            all[w] |= bits[(size_t)best * words + w];
    }
    free(taken);
    free(all);
    free(none);
}

/* The steps of each group, by ascending column. Returns their number; with `column` NULL it only counts. */
static inline size_t bsr_plan_steps(const BsrPlan *p, const Bsr *bsr, const int *row, int *step, int *column,
                                    int *block)
{
    size_t steps = 0;
    for (int g = 0; g < p->groups; g++) {
        int at[8];
        step[g] = (int)steps;
        for (int r = 0; r < p->rows; r++)
            at[r] = row[g * p->rows + r] < 0 ? 0 : bsr->row_start[row[g * p->rows + r]];
        for (;; steps++) {
            int least = -1;
            for (int r = 0; r < p->rows; r++) {
                const int b = row[g * p->rows + r];
                if (b >= 0 && at[r] < bsr->row_start[b + 1] && (least < 0 || bsr->column[at[r]] < least))
                    least = bsr->column[at[r]];
            }
            if (least < 0)
                break;
            if (column)
                column[steps] = least;
            for (int r = 0; r < p->rows; r++) {
                const int b = row[g * p->rows + r];
                const int has = b >= 0 && at[r] < bsr->row_start[b + 1] && bsr->column[at[r]] == least;
                if (column)
                    block[steps * (size_t)p->rows + (size_t)r] = has ? at[r] : -1;
                at[r] += has;
            }
        }
    }
    step[p->groups] = (int)steps;
    return steps;
}

/* Who gets which tiles. */
static inline void bsr_plan_share_out(const BsrPlan *p, const int *step, int *first, int *tile)
{
    const size_t groups = (size_t)p->groups, tiles = groups * (size_t)p->slabs;
    int *order = (int *)malloc((groups + 1) * sizeof *order), *of = (int *)malloc((tiles + 1) * sizeof *of);
    long *load = (long *)calloc((size_t)p->clusters, sizeof *load);
    if (!order || !of || !load)
        abort();
    int longest = 0;
    for (int g = 0; g < p->groups; g++)
        if (step[g + 1] - step[g] > longest)
            longest = step[g + 1] - step[g];
    size_t n = 0;
    for (int length = longest; length >= 0; length--)
        for (int g = 0; g < p->groups; g++)
            if (step[g + 1] - step[g] == length)
                order[n++] = g;
    memset(first, 0, ((size_t)p->clusters + 1) * sizeof *first);
    for (size_t t = 0; t < tiles; t++) {
        int least = 0;
        for (int c = 1; c < p->clusters; c++)
            if (load[c] < load[least])
                least = c;
        const int g = order[t % groups];
        load[least] += step[g + 1] - step[g] + BSR_PLAN_TILE_COST;
        of[t] = least;
        first[least + 1]++;
    }
    for (int c = 0; c < p->clusters; c++)
        first[c + 1] += first[c];
    int *next = (int *)malloc(((size_t)p->clusters + 1) * sizeof *next);
    if (!next)
        abort();
    memcpy(next, first, ((size_t)p->clusters + 1) * sizeof *next);
    for (size_t t = 0; t < tiles; t++)
        tile[next[of[t]]++] = order[t % groups] << 16 | (int)(t / groups);
    free(next);
    free(order);
    free(of);
    free(load);
}

/* A plan for groups of `rows` block rows. Returns its ints (by malloc), or NULL: more groups or slabs than it numbers. */
static inline int *bsr_plan(BsrPlan *p, const Bsr *bsr, int rows, int share, int slabs, int clusters)
{
    const size_t block_rows = bsr->rows / bsr->block, words = (bsr->columns / bsr->block + 63) / 64;
    memset(p, 0, sizeof *p);
    p->rows = rows, p->groups = (int)((block_rows + (size_t)rows - 1) / (size_t)rows);
    p->slabs = slabs, p->clusters = clusters;
    if (rows > 8 || p->groups >= 1 << 15 || slabs >= 1 << 16)
        return NULL;
    const size_t groups = (size_t)p->groups;
    uint64_t *bits = (uint64_t *)calloc(block_rows * words + 1, sizeof *bits);
    int *row = (int *)malloc((groups * (size_t)rows + 1) * sizeof *row),
        *step = (int *)malloc((groups + 1) * sizeof *step);
    if (!bits || !row || !step)
        abort();
    for (size_t r = 0; r < block_rows; r++)
        for (int b = bsr->row_start[r]; b < bsr->row_start[r + 1]; b++)
            bits[r * words + (size_t)bsr->column[b] / 64] |= 1ull << bsr->column[b] % 64;
    bsr_plan_group(p, bits, words, (int)block_rows, share, row);
    const size_t steps = bsr_plan_steps(p, bsr, row, step, NULL, NULL);
    p->column = steps * (size_t)rows; /* the blocks come first: they are read four at a time */
    p->step = p->column + steps;
    p->row = p->step + groups + 1;
    p->first = p->row + groups * (size_t)rows;
    p->tile = p->first + (size_t)clusters + 1;
    p->words = (p->tile + groups * (size_t)slabs + 3) / 4 * 4;
    int *plan = (int *)calloc(p->words + 1, sizeof *plan);
    if (!plan)
        abort();
    memcpy(plan + p->row, row, groups * (size_t)rows * sizeof *row);
    bsr_plan_steps(p, bsr, row, plan + p->step, plan + p->column, plan + p->block);
    bsr_plan_share_out(p, plan + p->step, plan + p->first, plan + p->tile);
    free(bits);
    free(row);
    free(step);
    return plan;
}

#endif
