/* Exercise 5.11 a row that is read once (2 points)
 *
 * RMSNorm: y[c] = x[c] / sqrt(mean of x^2 + 1e-5) * weight[c], for each row of x (rows x cols, at most 1024 columns).
 * Each block handles one row, and block_sum() adds up over the block. x may be read once only: between the sum of
 * squares and the results each thread keeps its elements in registers. (rsqrtf(v) is 1 / sqrt(v).)
 *
 * Limits at 4x1024:
 *   global loads <= 300
 *   sectors of global loads <= 1250
 *   sectors / possible sectors of global loads <= 1.25
 *
 * Hint 1: neighbouring threads take neighbouring elements: thread t has elements t, t + 256, t + 512 and t + 768.
 *
 * Hint 2: an array of constant size whose indices are known when the loop is unrolled stays in registers. The loop runs
 * over e = 0 .. EACH - 1; the column is e * THREADS + t, and it may be past the row's end.
 *
 * After a pass:
 * The row stays in registers between the two uses, so it is read once. That works as long as the registers suffice.
 * Next: move four elements per load.
 */
#include "lab.h"

#include <math.h>

enum { THREADS = 256, EACH = 4 };

/* The block's sum of v, in every thread. */
__device__ static float block_sum(float v, float *s)
{
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x % 32 < THREADS / 32 ? s[threadIdx.x % 32] : 0;
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}

__global__ void rms_kernel(const float *x, const float *weight, float *y, int cols)
{
    __shared__ float s[THREADS / 32];
    const int t = threadIdx.x;
    x += (size_t)blockIdx.x * cols;
    y += (size_t)blockIdx.x * cols;
    float v[EACH], squares = 0;
    // TODO(ex11): bring this thread's elements into v, 0 past the row's end, and add up their squares (about 5 lines)
    // >>> answer
    // stub: for (int e = 0; e < EACH; e++)
    // stub:     v[e] = 0;
    for (int e = 0; e < EACH; e++) {
        int c = e * THREADS + t;
        v[e] = c < cols ? x[c] : 0;
        squares += v[e] * v[e];
    }
    // <<< answer
    const float scale = rsqrtf(block_sum(squares, s) / (float)cols + 1e-5f);
    // TODO(ex11): write the results, from v (about 5 lines)
    // >>> answer
    // stub: (void)y, (void)weight, (void)t, (void)v, (void)scale;
    for (int e = 0; e < EACH; e++) {
        int c = e * THREADS + t;
        if (c < cols)
            y[c] = v[e] * scale * weight[c];
    }
    // <<< answer
}

static const LabRung rungs[] = {{1, "row in registers", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[1] > THREADS * EACH || c->dim[1] == 0)
        return "1 to 1024 columns";
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_input(c, 1, c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -3, 3);
    lab_fill_uniform(c, 1, 0.5, 1.5);
    c->out_width = c->dim[1];
    c->atol = 1e-6;
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t cols = c->dim[1];
    const float *x = lab_h_in_f32(c, 0), *weight = lab_h_in_f32(c, 1);
    for (size_t r = 0; r < c->dim[0]; r++) {
        double squares = 0;
        for (size_t i = 0; i < cols; i++)
            squares += (double)x[r * cols + i] * x[r * cols + i] / (double)cols;
        for (size_t i = 0; i < cols; i++)
            c->expect[r * cols + i] = x[r * cols + i] / sqrt(squares + 1e-5) * weight[i];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    rms_kernel<<<(unsigned)c->dim[0], THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c),
                                                               (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .name = "ex11_rms_norm",
    .title = "a row read once",
    .dims = "rows cols",
    .size = "65536x1024",
    .cpu_size = "64x1024",
    .test_sizes = "4x1024 1x1 3x31 5x257 2x1000 7x256",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
