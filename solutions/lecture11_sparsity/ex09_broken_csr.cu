/* Exercise 11.9 a broken kernel: eight lanes per row (3 points)
 *
 * y = A x for a sparse matrix in CSR: row r has the values value[start[r]] to value[start[r + 1] - 1], and column[] has
 * their columns at the same indices. Eight lanes handle a row, and a warp four rows. There are two mistakes: rows are
 * mixed up, and neighbouring lanes read far apart. ./run 11.9 finds the first, `--counters` the second.
 *
 * Limits at 256:
 *   sectors / possible sectors of global loads <= 6
 *   global loads <= 2300
 *   global atomics <= 0
 *
 * Hint 1: rows are of different lengths, and lanes of the warp leave the loop at different times; which lanes do steps
 * 8 and 16 of the shuffles combine?
 *
 * Hint 2: neighbouring lanes take neighbouring values: lane l of the eight takes l, l + 8, l + 16 ...
 *
 * After a pass:
 * A shuffle's steps stay within the eight lanes of a row, and neighbouring lanes read neighbouring values. How many
 * lanes suit a row depends on its length: eight waste little on rows of 40 values. Next: choose the number of lanes
 * from the mean length of a row, as libraries do.
 */
#include "lab.h"

enum { LANES = 8, ROWS_PER_WARP = 4 };

// TODO(ex09): delete this line, and ./run 11.9 says what is wrong; fix two mistakes
__global__ void csr_kernel(const int *start, const int *column, const float *value, const float *x, float *y, int rows)
{
    const int r = blockIdx.x * ROWS_PER_WARP + threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const int first = r < rows ? start[r] : 0, end = r < rows ? start[r + 1] : 0;
    float v = 0;
    // >>> answer
    // stub: const int each = (end - first + LANES - 1) / LANES;
    // stub: for (int i = first + lane * each; i < end && i < first + (lane + 1) * each; i++)
    // stub:     v += value[i] * x[column[i]];
    // stub: for (int step = 16; step > 0; step /= 2)
    // stub:     v += __shfl_xor_sync(0xffffffffu, v, step);
    for (int i = first + lane; i < end; i += LANES)
        v += value[i] * x[column[i]];
    for (int step = LANES / 2; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    // <<< answer
    if (lane == 0 && r < rows)
        y[r] = v;
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0];
    if (rows == 0)
        return "at least one row";
    lab_input(c, 0, rows + 1, LAB_S32);
    int *start = lab_h_in_s32(c, 0);
    start[0] = 0;
    for (size_t r = 0; r < rows; r++)
        start[r + 1] = start[r] + (int)(random_u64(c->seed, r) % 90);
    const size_t values = (size_t)start[rows];
    lab_input(c, 1, values + 1, LAB_S32);
    lab_input(c, 2, values + 1, LAB_F32);
    lab_input(c, 3, rows, LAB_F32);
    for (size_t i = 0; i <= values; i++)
        lab_h_in_s32(c, 1)[i] = (int)(random_u64(c->seed + 1, i) % rows);
    lab_fill_uniform(c, 2, -1, 1);
    lab_fill_uniform(c, 3, -1, 1);
    lab_output(c, rows, LAB_F32);
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    const int *start = lab_h_in_s32(c, 0), *column = lab_h_in_s32(c, 1);
    for (size_t r = 0; r < c->dim[0]; r++) {
        c->expect[r] = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            c->expect[r] += (double)lab_h_in_f32(c, 2)[i] * lab_h_in_f32(c, 3)[column[i]];
    }
}

static void run(const LabRung *, LabCase *c)
{
    csr_kernel<<<(unsigned)((c->dim[0] + ROWS_PER_WARP - 1) / ROWS_PER_WARP), 32, 0, c->stream>>>(
        lab_in_s32(c, 0), lab_in_s32(c, 1), lab_in_f32(c, 2), lab_in_f32(c, 3), lab_out_f32(c), (int)c->dim[0]);
}

static double bytes(const LabCase *c) { return 360.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 9,
    .name = "ex09_broken_csr",
    .title = "a broken kernel: eight lanes per row",
    .dims = "rows",
    .size = "262144",
    .cpu_size = "4096",
    .test_sizes = "4 1 5 33 256",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
