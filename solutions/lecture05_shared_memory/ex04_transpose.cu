/* Exercise 5.4 transpose a tile (2 points)
 *
 * B = A^T, A is M x N. The block loads a tile of 32 x 32 along rows of A; write it along rows of B. Neighbouring
 * threads (x) must write neighbouring addresses, and no two lanes of a warp may read the same bank: see how `tile` is
 * declared.
 *
 * Limits at 128x96:
 *   sectors / possible sectors of global stores <= 1.5
 *   global stores <= 600
 *   bank conflicts <= 200
 *
 * Hint 1: the block's tile of A begins at row blockIdx.y * 32, column blockIdx.x * 32. Where does it begin in B? The
 * block's two indices swap roles; the thread's two do not.
 *
 * Hint 2: in B, this thread's column is blockIdx.y * TILE + x and its rows are blockIdx.x * TILE + y + i. The element
 * was loaded by the thread with x and y + i exchanged. And the guard is on B's shape, N x M.
 *
 * After a pass:
 * Both the load and the store run along rows, and the transposition happens in shared memory, whose rows have one
 * column more, so that a column is spread over 32 banks. Next: exercise 14.4, which does without the extra column.
 */
#include "lab.h"

enum { TILE = 32, ROWS = 8 };

__global__ void transpose_kernel(const float *A, float *B, int M, int N)
{
    __shared__ float tile[TILE][TILE + 1]; /* one word of padding: a column of the tile is in 32 different banks */
    int x = threadIdx.x, y = threadIdx.y;
    int m = blockIdx.y * TILE + y, n = blockIdx.x * TILE + x;
    for (int i = 0; i < TILE; i += ROWS)
        if (m + i < M && n < N)
            tile[y + i][x] = A[(size_t)(m + i) * N + n];
    __syncthreads();
    // TODO(ex04): write the tile to B, four elements per thread, neighbours in x to neighbours in B (about 5 lines)
    // >>> answer
    m = blockIdx.y * TILE + x;
    n = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m < M && n + i < N)
            B[(size_t)(n + i) * M + m] = tile[x][y + i];
    // <<< answer
}

static const LabRung rungs[] = {{1, "transpose", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->out_width = c->dim[0];
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1];
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++)
            c->expect[n * M + m] = lab_h_in_f32(c, 0)[m * N + n];
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    int M = (int)c->dim[0], N = (int)c->dim[1];
    dim3 block(TILE, ROWS), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    transpose_kernel<<<grid, block, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), M, N);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 4,
    .name = "ex04_transpose",
    .title = "turn a tile in shared memory",
    .dims = "M N",
    .size = "16384x16384",
    .cpu_size = "1024x1024",
    .test_sizes = "1x1 32x32 31x33 64x96 100x68 1x129 130x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
