/* Exercise 14.21 a broken kernel: copies that nobody waits for (2 points)
 *
 * y[r] is the dot product of row r of x (rows x 128) with w. A warp handles a row; cp.async brings the row and w to
 * shared memory, four elements per lane. There are two mistakes: one wait is missing, and one is too generous. ./run
 * 14.21 runs `cucc --check`.
 *
 * Hint 1: cp_async_wait<1>() lets the newest group be in flight. Which group is w in?
 *
 * Hint 2: cp_async_wait() is about this thread's copies. The lanes read what other lanes have copied.
 *
 * After a pass:
 * All copies are waited for, and then a barrier of the warp lets each lane see the others' copies. cp.async counts
 * groups per thread, so a wait says nothing about other threads. Next: exercise 14.5, where one group is left in flight
 * on purpose.
 */
#include "lab.h"
#include "ptx.cuh"

enum { COLS = 128 };

// TODO(ex21): delete this line, and ./run 14.21 says what is wrong; fix two mistakes
__global__ void dot_kernel(const float *x, const float *w, float *y)
{
    __shared__ alignas(16) float row[COLS], weight[COLS];
    const int lane = threadIdx.x;
    for (int k = lane; k < COLS; k += 32)
        cp_async_4(&row[k], &x[(size_t)blockIdx.x * COLS + k], true);
    cp_async_commit();
    for (int k = lane; k < COLS; k += 32)
        cp_async_4(&weight[k], &w[k], true);
    cp_async_commit();
    // >>> answer
    // stub: cp_async_wait<1>();
    cp_async_wait<0>();
    __syncwarp();
    // <<< answer
    float v = 0;
    for (int k = 0; k < 4; k++) /* four neighbours, in an order that spreads the banks */
        v += row[4 * lane + (k + lane / 8) % 4] * weight[4 * lane + (k + lane / 8) % 4];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    if (lane == 0)
        y[blockIdx.x] = v;
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, LAB_NEEDS_SM80, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] == 0)
        return "at least one row";
    lab_input(c, 0, c->dim[0] * COLS, LAB_F32);
    lab_input(c, 1, COLS, LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        c->expect[r] = 0;
        for (size_t k = 0; k < COLS; k++)
            c->expect[r] += (double)lab_h_in_f32(c, 0)[r * COLS + k] * lab_h_in_f32(c, 1)[k];
    }
}

static void run(const LabRung *, LabCase *c)
{
    dot_kernel<<<(unsigned)c->dim[0], 32, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c));
}

static double bytes(const LabCase *c) { return 4.0 * COLS * (double)c->dim[0]; }

static const Lab lab = {
    .order = 21,
    .name = "ex21_broken_cp_async",
    .title = "a broken kernel: copies that nobody waits for",
    .dims = "rows",
    .size = "1048576",
    .cpu_size = "4096",
    .test_sizes = "1 3 100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
