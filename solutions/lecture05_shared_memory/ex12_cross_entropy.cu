/* Exercise 5.12 a loss and its gradient (3 points)
 *
 * loss = log(sum of exp(x[c])) - x[target], and its gradient d[c] = exp(x[c]) / sum of exp(x[.]) - (1 where c is the
 * target, else 0), for each row of logits x (rows x cols). Use one warp per row. Read x twice: once for the maximum and
 * the sum, both together (exercise 5.7's rule; add() and merge() are given), and once for the gradient. The output
 * holds the gradient, then the losses.
 *
 * Limits at 4x1000:
 *   global loads <= 300
 *   sectors of global loads <= 1250
 *   sectors / possible sectors of global loads <= 1.25
 *
 * Hint 1: with the pair (max, sum) of the whole row: log(sum of exp(x)) = max + log(sum), and exp(x[c]) / sum of exp(x)
 * is exp(x[c] - max) / sum. Nothing overflows.
 *
 * Hint 2: every lane has the pair of the whole row after the merge: each writes its own columns of d, and one writes
 * the loss.
 *
 * After a pass:
 * One pass gives the maximum and the sum, and the second pass writes the gradient; the logarithm of the sum is added to
 * the maximum, so that nothing overflows. The limits ask for two reads, not for less time: on an H100, three passes
 * over rows that fit into L1 took a third of the time. Next: read the row once, as in exercise 5.11.
 */
#include "lab.h"

#include <math.h>

typedef struct Pair {
    float max, sum;
} Pair;

__device__ static Pair add(Pair p, float x)
{
    if (x > p.max)
        return Pair{x, p.sum * expf(p.max - x) + 1};
    if (x != -INFINITY)
        p.sum += expf(x - p.max);
    return p;
}

/* The pair of the whole warp, in every lane. */
__device__ static Pair merge(Pair p)
{
    for (int step = 1; step < 32; step *= 2) {
        const Pair q = {__shfl_xor_sync(0xffffffffu, p.max, step), __shfl_xor_sync(0xffffffffu, p.sum, step)};
        const float max = fmaxf(p.max, q.max);
        p.sum =
            (p.max == -INFINITY ? 0 : p.sum * expf(p.max - max)) + (q.max == -INFINITY ? 0 : q.sum * expf(q.max - max));
        p.max = max;
    }
    return p;
}

__global__ void loss_kernel(const float *x, const int *target, float *d, float *loss, int cols)
{
    const int lane = threadIdx.x, right = target[blockIdx.x];
    x += (size_t)blockIdx.x * cols;
    d += (size_t)blockIdx.x * cols;
    Pair p = {-INFINITY, 0};
    // TODO(ex12): one pass over the row; then p is the pair of all of it (about 3 lines)
    // >>> answer
    // stub: p = merge(add(p, x[0]));
    for (int c = lane; c < cols; c += 32)
        p = add(p, x[c]);
    p = merge(p);
    // <<< answer
    // TODO(ex12): the loss, by one lane, and the gradient (about 4 lines)
    // >>> answer
    // stub: (void)lane, (void)right, (void)d, (void)loss;
    if (lane == 0)
        loss[blockIdx.x] = p.max + logf(p.sum) - x[right];
    for (int c = lane; c < cols; c += 32)
        d[c] = expf(x[c] - p.max) / p.sum - (c == right ? 1.0f : 0.0f);
    // <<< answer
}

static const LabRung rungs[] = {{1, "two reads", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    if (cols == 0 || cols > 1 << 20)
        return "1 to 1048576 columns";
    lab_input(c, 0, rows * cols, LAB_F32);
    lab_input(c, 1, rows, LAB_S32);
    int *target = lab_h_in_s32(c, 1);
    lab_output(c, rows * cols + rows, LAB_F32);
    lab_fill_uniform(c, 0, -6, 6);
    for (size_t r = 0; r < rows; r++) {
        target[r] = (int)(random_u64(c->seed, r) % cols);
        if (r % 2) /* exponentials that overflow */
            for (size_t i = 0; i < cols; i++)
                lab_h_in_f32(c, 0)[r * cols + i] += 1000;
    }
    c->out_width = cols;
    c->atol = 2e-4; /* a loss is the difference of numbers that may be a thousand */
    c->rtol = 2e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    for (size_t r = 0; r < rows; r++) {
        const float *x = lab_h_in_f32(c, 0) + r * cols;
        const size_t right = (size_t)lab_h_in_s32(c, 1)[r];
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < cols; i++)
            max = fmax(max, x[i]);
        for (size_t i = 0; i < cols; i++)
            sum += exp(x[i] - max);
        for (size_t i = 0; i < cols; i++)
            c->expect[r * cols + i] = exp(x[i] - max) / sum - (i == right);
        c->expect[rows * cols + r] = max + log(sum) - x[right];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    float *d = lab_out_f32(c);
    if (c->dim[0] > 0)
        loss_kernel<<<(unsigned)c->dim[0], 32, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_s32(c, 1), d,
                                                               d + c->dim[0] * c->dim[1], (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .name = "ex12_cross_entropy",
    .title = "a loss and its gradient from two reads",
    .dims = "rows cols",
    .size = "16384x8192",
    .cpu_size = "64x4096",
    .test_sizes = "4x1000 1x1 3x31 5x32 2x33 3x257",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
