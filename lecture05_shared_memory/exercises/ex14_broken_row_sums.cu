/* Exercise 5.14 a broken kernel: sums of rows (3 points)
 *
 * y[r] is the sum of row r of x (rows x cols). A warp handles 32 rows: it loads a tile of 32 x 32 into shared memory
 * with coalesced loads, lane l adds up row l of the tile, and the warp goes on to the next tile. The loads are fine.
 * There are two mistakes: the result is wrong on some days, and adding takes 32 times as long as it should. ./run 5.14
 * finds the first; `--counters` and `--view` show the second.
 *
 * Limits at 64x256:
 *   bank conflicts <= 100
 *   shared loads <= 600
 *   sectors / possible sectors of global loads <= 1.5
 *   global loads <= 640
 */
#include "lab.h"

// TODO(ex14): delete this line, and ./run 5.14 says what is wrong; fix two mistakes
__global__ void row_sums_kernel(const float *x, float *y, int rows, int cols)
{
    __shared__ float tile[32][32];
    const int lane = threadIdx.x, row = blockIdx.x * 32;
    float sum = 0;
    for (int col = 0; col < cols; col += 32) {
        for (int r = 0; r < 32; r++)
            tile[r][lane] = row + r < rows && col + lane < cols ? x[(size_t)(row + r) * cols + col + lane] : 0;
        __syncwarp();
        for (int k = 0; k < 32; k++)
            sum += tile[lane][k];
    }
    if (row + lane < rows)
        y[row + lane] = sum;
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = 1e-6 * (double)(1 + c->dim[1]);
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        c->expect[r] = 0;
        for (size_t i = 0; i < c->dim[1]; i++)
            c->expect[r] += lab_h_in_f32(c, 0)[r * c->dim[1] + i];
    }
}

static void run(const LabRung *, LabCase *c)
{
    row_sums_kernel<<<(unsigned)((c->dim[0] + 31) / 32), 32, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c),
                                                                             (int)c->dim[0], (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 14,
    .name = "ex14_broken_row_sums",
    .title = "a broken kernel: sums of rows",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x1024",
    .test_sizes = "32x64 1x1 33x31 31x100 40x33",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
