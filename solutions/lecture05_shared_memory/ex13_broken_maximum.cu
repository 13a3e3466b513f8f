/* Exercise 5.13 a broken kernel: the maximum (3 points)
 *
 * A block of 256 threads finds y[r], the largest element of row r of x (rows x cols). The kernel was right for years,
 * on older GPUs, and on most days it still is. It has three mistakes: it starts from a number that can be larger than
 * every element of a row, and it relies twice on an order of threads that CUDA does not promise. ./run 5.13 runs
 * `cucc --check`; fix what it names.
 *
 * Limits at 4x4096:
 *   shared loads <= 280
 *   global loads <= 560
 *   global atomics <= 0
 *
 * Hint 1: what is the largest of a row of negative numbers, and what is the smallest float?
 *
 * Hint 2: the threads of a warp do not run in step. After the last __syncthreads() each step needs two calls of
 * __syncwarp(), one between its reads and its writes and one after its writes; or use shuffles instead.
 *
 * After a pass:
 * The maximum starts from the smallest number there is, a barrier separates the writes from the first reads, and the
 * first warp passes values on by shuffles, which synchronize its lanes. Code that relies on a warp's threads running in
 * step was common before 2017 and has been wrong since. Next: exercise 5.6, the same with sums.
 */
#include "lab.h"

#include <float.h>

enum { THREADS = 256 };

// TODO(ex13): delete this line, and ./run 5.13 says what is wrong; fix three mistakes
__global__ void largest_kernel(const float *x, float *y, int cols)
{
    __shared__ float s[THREADS];
    const int t = threadIdx.x;
    // >>> answer
    // stub: float v = FLT_MIN;
    float v = -FLT_MAX;
    // <<< answer
    for (int c = t; c < cols; c += THREADS)
        v = fmaxf(v, x[(size_t)blockIdx.x * cols + c]);
    s[t] = v;
    // >>> answer
    __syncthreads();
    // <<< answer
    for (int half = THREADS / 2; half > 16; half /= 2) {
        if (t < half)
            s[t] = fmaxf(s[t], s[t + half]);
        __syncthreads();
    }
    if (t < 32) {
        // >>> answer
        // stub: for (int half = 16; half > 0; half /= 2)
        // stub:     s[t] = fmaxf(s[t], s[t + half]);
        // stub: v = s[t];
        v = s[t];
        for (int half = 16; half > 0; half /= 2)
            v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, half));
        // <<< answer
        if (t == 0)
            y[blockIdx.x] = v;
    }
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -9, -1);
    c->atol = c->rtol = 0;
    return c->dim[1] == 0 ? "at least one column" : NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        c->expect[r] = -FLT_MAX;
        for (size_t i = 0; i < c->dim[1]; i++)
            if (lab_h_in_f32(c, 0)[r * c->dim[1] + i] > c->expect[r])
                c->expect[r] = lab_h_in_f32(c, 0)[r * c->dim[1] + i];
    }
}

static void run(const LabRung *, LabCase *c)
{
    largest_kernel<<<(unsigned)c->dim[0], THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 13,
    .name = "ex13_broken_maximum",
    .title = "a broken kernel: the maximum",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "64x8192",
    .test_sizes = "3x256 1x1 5x31 2x257 3x1000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
