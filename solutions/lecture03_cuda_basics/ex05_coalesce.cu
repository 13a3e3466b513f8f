/* Exercise 3.5 neighbours for a warp (2 points)
 *
 * Every thread adds 1 to its element, and that works. But the 32 lanes of a warp take 4 neighbours from each of 8 rows:
 * 8 sectors for one access, where 4 would do. Change which element a thread takes, so that a warp's lanes take 32
 * neighbours in one row. Each thread also writes its lane, which is how this exercise is checked: the output has twice
 * as many rows as the matrix, the sums first and then the lanes, and element (row, col) must have been computed by lane
 * col % 32. The block is 32 x 8; the grid covers the matrix in blocks of 8 rows x 32 columns.
 *
 * Limits at 64x96:
 *   sectors / possible sectors of global loads <= 1.25
 *   sectors / possible sectors of global stores <= 1.25
 *   global loads <= 240
 *   global stores <= 480
 *
 * Hint 1: the threads of a warp differ in threadIdx.x, which is the lane, 0 to 31.
 *
 * Hint 2: threadIdx.x gives the column, so that neighbours in x are neighbours in a row; threadIdx.y gives the row.
 *
 * After a pass:
 * A warp's 32 threads take 32 neighbours of a row, so each of its loads touches four sectors. The shape of the block
 * matters only because it decides which elements a warp takes. Next: compare 16 x 16 and 32 x 8 in the counters of a
 * lab.
 */
#include "lab.h"

__global__ void add_one_kernel(const float *in, float *out, int rows, int cols)
{
    // TODO(ex05): give neighbouring threads neighbouring elements (about 2 lines)
    // >>> answer
    // stub: int row = blockIdx.y * 8 + threadIdx.x % 8;
    // stub: int col = blockIdx.x * 32 + threadIdx.y * 4 + threadIdx.x / 8;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 32 + threadIdx.x;
    // <<< answer
    if (row < rows && col < cols) {
        out[row * cols + col] = in[row * cols + col] + 1;
        out[rows * cols + row * cols + col] = (float)threadIdx.x; /* the lane, for the check */
    }
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0] * c->dim[1];
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, 2 * n, LAB_F32);
    c->out_width = c->dim[1];
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    size_t n = c->dim[0] * c->dim[1];
    for (size_t i = 0; i < n; i++) {
        c->expect[i] = (double)lab_h_in_f32(c, 0)[i] + 1;
        c->expect[n + i] = (double)(i % c->dim[1] % 32);
    }
}

static void run(const LabRung *, LabCase *c)
{
    int rows = (int)c->dim[0], cols = (int)c->dim[1];
    add_one_kernel<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, c->stream>>>(lab_in_f32(c, 0),
                                                                                          lab_out_f32(c), rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 12.0 * (double)c->in_count[0]; }

static const Lab ex05 = {
    .order = 5,
    .name = "ex05_coalesce",
    .title = "neighbours for a warp",
    .dims = "rows cols",
    .size = "4096x4096",
    .cpu_size = "256x256",
    .test_sizes = "8x32 1x1 7x31 9x33 33x100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex05)
