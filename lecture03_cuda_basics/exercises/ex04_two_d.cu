/* Exercise 3.4 rows and columns (2 points)
 *
 * For a row-major matrix of rows x cols floats, compute out = in * (row + 1) with one thread per element, in a 2D grid
 * of blocks of 16 x 16. Write the row, the column, the position in memory, and the grid. The shapes are not square and
 * not multiples of 16. Threads that are neighbours in x take neighbouring columns.
 *
 * Limits at 64x96:
 *   sectors / possible sectors of global loads <= 1.5
 *   sectors / possible sectors of global stores <= 1.5
 *   global loads <= 240
 *   global stores <= 240
 *   blocks <= 40
 */
#include "lab.h"

__global__ void scale_rows_kernel(const float *in, float *out, int rows, int cols)
{
    // TODO(ex04): this thread's row and column (about 2 lines)
    int row = 0, col = 0;
    if (row < rows && col < cols) {
        // TODO(ex04): where is the element? (about 1 line)
        int i = 0;
        out[i] = in[i] * (float)(row + 1);
    }
}

static void scale_rows(const float *in, float *out, int rows, int cols, cudaStream_t stream)
{
    dim3 block(16, 16);
    // TODO(ex04): the grid, rounded up both ways (about 1 line)
    dim3 grid(1, 1);
    scale_rows_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0] * c->dim[1];
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    c->out_width = c->dim[1];
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = (double)lab_h_in_f32(c, 0)[i] * (double)(i / c->dim[1] + 1);
}

static void run(const LabRung *, LabCase *c)
{
    scale_rows(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab ex04 = {
    .order = 4,
    .name = "ex04_two_d",
    .title = "rows and columns",
    .dims = "rows cols",
    .size = "4000x3001",
    .cpu_size = "300x201",
    .test_sizes = "1x1 16x16 17x5 5x17 33x100 100x33",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex04)
