/* Exercise 5.7 the online softmax (3 points)
 *
 * One pass over a row finds both its maximum and the sum of exp(x - maximum), if the sum is corrected whenever the
 * maximum grows. Write the two rules: how a pair (max, sum) takes in one more x, and how the pairs of two parts of a
 * row become one. The pair of no elements is (-inf, 0). Some inputs are -inf; they add nothing, in whatever order
 * they come.
 *
 * Limits at 4x4096:
 *   global loads <= 1300
 *
 * Hint 1: when x is larger than the maximum so far, the old sum was taken against the old maximum: multiply it by
 * exp(old - new). The new element itself adds exp(0) = 1.
 *
 * Hint 2: merging: the larger maximum stays; each sum is multiplied by exp(its maximum - the larger).
 *
 * Hint 3: exp(-inf - -inf) is NaN. Where can both be -inf? In add(): the first elements are masked. In merge(): a part
 * saw nothing but masked elements.
 *
 * After a pass:
 * One pass keeps the maximum and a sum that is scaled to it, and two such pairs merge in any order. Minus infinity
 * needs a separate case, because infinity minus infinity is not a number. The limit asks for fewer reads, not for less
 * time: on an H100, three passes over rows that fit into L1 took half the time, because the steps of the online form
 * wait for each other. Next: exercise 14.8, attention by the same pair.
 */
#include "lab.h"

#include <math.h>

typedef struct Pair {
    float max, sum;
} Pair;

__device__ static Pair add(Pair p, float x)
{
    // TODO(ex07): take x into p (about 6 lines)
    // >>> answer
    // stub: p.max = x;
    if (x > p.max) {
        p.sum = p.sum * expf(p.max - x) + 1;
        p.max = x;
    } else if (x != -INFINITY) {
        p.sum += expf(x - p.max);
    }
    // <<< answer
    return p;
}

__device__ static Pair merge(Pair a, Pair b)
{
    Pair c = a;
    // TODO(ex07): let c be the pair of both parts (about 4 lines)
    // >>> answer
    // stub: (void)b;
    c.max = fmaxf(a.max, b.max);
    float scale_a = a.max == -INFINITY ? 0 : expf(a.max - c.max);
    float scale_b = b.max == -INFINITY ? 0 : expf(b.max - c.max);
    c.sum = a.sum * scale_a + b.sum * scale_b;
    // <<< answer
    return c;
}

/* One warp per row. */
__global__ void softmax_kernel(const float *x, float *y, int cols)
{
    int lane = threadIdx.x;
    x += (size_t)blockIdx.x * cols;
    y += (size_t)blockIdx.x * cols;
    Pair p = {-INFINITY, 0};
    for (int c = lane; c < cols; c += 32)
        p = add(p, x[c]);
    for (int step = 1; step < 32; step *= 2) {
        Pair other = {__shfl_xor_sync(0xffffffffu, p.max, step), __shfl_xor_sync(0xffffffffu, p.sum, step)};
        p = merge(p, other);
    }
    for (int c = lane; c < cols; c += 32)
        y[c] = expf(x[c] - p.max) / p.sum;
}

static const LabRung rungs[] = {{1, "online", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    size_t cols = c->dim[1];
    lab_input(c, 0, c->dim[0] * cols, LAB_F32);
    lab_output(c, c->dim[0] * cols, LAB_F32);
    lab_fill_uniform(c, 0, -6, 6);
    float *x = lab_h_in_f32(c, 0);
    for (size_t r = 0; r < c->dim[0]; r++)
        for (size_t i = 0; i < cols; i++) {
            if (r % 4 == 1 && (i % 3 == 0 || i < 40) && i + 1 < cols) /* masked elements, the first ones too */
                x[r * cols + i] = -INFINITY;
            if (r % 4 == 2 && i % 32 < 20 && i + 1 < cols) /* whole lanes see only masked ones */
                x[r * cols + i] = -INFINITY;
            if (r % 4 == 3) /* exp of these overflows */
                x[r * cols + i] += 1000;
        }
    c->out_width = cols;
    c->atol = 1e-30;
    c->rtol = 2e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t cols = c->dim[1];
    for (size_t r = 0; r < c->dim[0]; r++) {
        const float *x = lab_h_in_f32(c, 0) + r * cols;
        double *y = c->expect + r * cols, max = -INFINITY, sum = 0;
        for (size_t i = 0; i < cols; i++)
            max = fmax(max, x[i]);
        for (size_t i = 0; i < cols; i++)
            sum += y[i] = exp(x[i] - max);
        for (size_t i = 0; i < cols; i++)
            y[i] /= sum;
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    softmax_kernel<<<(unsigned)c->dim[0], 32, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 7,
    .name = "ex07_online",
    .title = "maximum and sum in one pass",
    .dims = "rows cols",
    .size = "65536x1024",
    .cpu_size = "128x1024",
    .test_sizes = "4x1 5x31 8x32 9x33 8x257 4x1000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
