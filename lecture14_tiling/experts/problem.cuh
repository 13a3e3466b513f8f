/* problem.cuh: what every rung of the ladder `experts` computes, and where its data are.
 *
 * Each of T tokens, a row of x (T x K, bf16), chose A of E experts; expert e is a matrix w[e] (N x K). The T A pairs of
 * a token and an expert are sorted by expert, and within an expert they keep their order. Row i of y (T A x N, bf16) is
 *
 *     y[i] = w[expert[order[i]]] x[order[i] / A]
 *
 * where order[i] is the number of the i-th pair, token * A + choice. Expert e has rows offset[e] to offset[e + 1] - 1.
 * K and N are multiples of 64, E is at most 256. */
#ifndef EXPERTS_PROBLEM_CUH
#define EXPERTS_PROBLEM_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks of a cluster share a tile's rows of x, and have 128 columns of y each. */
enum { CLUSTER = 2, CLUSTER_COLUMNS = 128 * CLUSTER };

/* One tile of y for a cluster: rows row .. row + rows - 1 (the products compute `height`), the columns from
 * CLUSTER_COLUMNS * column on. */
typedef struct ExpertTile {
    int row, rows, height, expert, column;
} ExpertTile;

typedef struct Experts {
    const __nv_bfloat16 *x, *w;
    const int *expert; /* T x A */
    __nv_bfloat16 *y;
    int T, K, N, E, A;
    /* Made on the device by sort, gather and plan: */
    int *order, *offset;
    __nv_bfloat16 *rows; /* T A x K: x in the order of y */
    ExpertTile *tiles;
    int *tile_count;
    const int *h_offset; /* host: offset[], for the rungs that launch once per expert */
} Experts;

static inline size_t experts_max_tiles(size_t pairs, size_t E, size_t N)
{
    return (pairs / 128 + E) * ((N + CLUSTER_COLUMNS - 1) / CLUSTER_COLUMNS);
}

#endif
