/* Exercise 11.10 a broken kernel: squeeze a row (3 points)
 *
 * The values of a row of x (rows x cols) that are not 0 move to the front of the same row of y, in their order; the
 * rest of y is 0. A warp handles a row, 32 columns at a time: `__ballot_sync` says which lanes have a value, and
 * `__popc`, which counts the bits that are set, how many of them come before. There are two mistakes: in which lanes
 * take part in the vote, and in a mask. ./run 11.10 runs `cucc --check`.
 *
 * Limits at 8x100:
 *   global loads <= 40
 *   global stores <= 80
 *   sectors / possible sectors of global loads <= 2
 */
#include "lab.h"

// TODO(ex10): delete this line, and ./run 11.10 says what is wrong; fix two mistakes
__global__ void squeeze_kernel(const float *x, float *y, int cols)
{
    const int lane = threadIdx.x;
    const float *row = x + (size_t)blockIdx.x * cols;
    float *to = y + (size_t)blockIdx.x * cols;
    int count = 0;
    for (int c = lane; c < cols; c += 32) {
        const float v = row[c];
        const unsigned full = __ballot_sync(0xffffffffu, v != 0);
        const int before = __popc(full & ((2u << lane) - 1));
        if (v != 0)
            to[count + before] = v;
        count += __popc(full);
    }
    for (int c = count + lane; c < cols; c += 32)
        to[c] = 0;
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    for (size_t i = 0; i < c->out_count; i++)
        if (random_u64(c->seed, i) % 8 < 5)
            lab_h_in_f32(c, 0)[i] = 0;
    c->out_width = c->dim[1];
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t cols = c->dim[1];
    for (size_t r = 0; r < c->dim[0]; r++) {
        size_t n = 0;
        for (size_t i = 0; i < cols; i++)
            if (lab_h_in_f32(c, 0)[r * cols + i] != 0)
                c->expect[r * cols + n++] = lab_h_in_f32(c, 0)[r * cols + i];
        while (n < cols)
            c->expect[r * cols + n++] = 0;
    }
}

static void run(const LabRung *, LabCase *c)
{
    squeeze_kernel<<<(unsigned)c->dim[0], 32, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab lab = {
    .order = 10,
    .name = "ex10_broken_squeeze",
    .title = "a broken kernel: squeeze a row",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x1024",
    .test_sizes = "2x64 1x1 3x31 5x40 8x100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
