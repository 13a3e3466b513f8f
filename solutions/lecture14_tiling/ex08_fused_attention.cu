/* Exercise 14.8 attention without a matrix (3 points)
 *
 * o = softmax(q kT) v with q, k, v and o of S x 32. Each warp has one query, each lane one column. The warp walks over
 * the keys once: each lane knows the key's score (the dot product is given), and keeps the row's maximum so far, the
 * sum of weights exp(score - maximum) so far, and its column of the sum of weights times values. When the maximum
 * grows, both sums still refer to the old one.
 *
 * Limits at 64:
 *   global loads <= 9000
 *   global stores <= 80
 *
 * Hint 1: scale = exp(old maximum - new maximum) corrects what was summed before: the sum of weights, and the output.
 *
 * Hint 2: at the first key the old maximum is -inf, the scale exp(-inf) = 0, and both sums are 0 anyway.
 *
 * After a pass:
 * The maximum, the sum and the output are carried along, and all are scaled when a larger score comes. The matrix of
 * scores never exists. Next: exercise 14.9.
 */
#include "lab.h"

#include <math.h>
#include <stdlib.h>

enum { D = 32 };

__global__ void attention_kernel(const float *q, const float *k, const float *v, float *o, int S)
{
    const int lane = threadIdx.x, query = blockIdx.x;
    const float mine = q[query * D + lane];
    float max = -INFINITY, sum = 0, out = 0;
    for (int n = 0; n < S; n++) {
        float score = mine * k[n * D + lane];
        for (int step = 16; step > 0; step /= 2)
            score += __shfl_xor_sync(0xffffffffu, score, step);
        // TODO(ex08): take key n, and this lane's column of its value, into max, sum and out (about 6 lines)
        // >>> answer
        // stub: max = score;
        const float larger = fmaxf(max, score), scale = expf(max - larger), weight = expf(score - larger);
        sum = sum * scale + weight;
        out = out * scale + weight * v[n * D + lane];
        max = larger;
        // <<< answer
    }
    // TODO(ex08): write the result (1 line)
    // >>> answer
    // stub: (void)o, (void)v, (void)max, (void)sum, (void)out;
    o[query * D + lane] = out / sum;
    // <<< answer
}

static const LabRung rungs[] = {{1, "online", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] > 1 << 16)
        return "at most 65536 tokens";
    for (int i = 0; i < 3; i++) {
        lab_input(c, i, c->dim[0] * D, LAB_F32);
        lab_fill_uniform(c, i, i == 2 ? 0.25 : -1.5, i == 2 ? 2 : 1.5);
    }
    lab_output(c, c->dim[0] * D, LAB_F32);
    c->out_width = D;
    c->atol = 0;
    c->rtol = 1e-4;
    return NULL;
}

/* In double. */
static void reference(LabCase *c)
{
    const size_t S = c->dim[0];
    const float *q = lab_h_in_f32(c, 0), *k = lab_h_in_f32(c, 1), *v = lab_h_in_f32(c, 2);
    double *p = (double *)malloc(sizeof(double) * (S + 1));
    for (size_t i = 0; i < S; i++) {
        const size_t keys = S;
        double max = -INFINITY, sum = 0;
        for (size_t n = 0; n < keys; n++) {
            p[n] = 0;
            for (int d = 0; d < D; d++)
                p[n] += (double)q[i * D + d] * k[n * D + d];
            max = fmax(max, p[n]);
        }
        for (size_t n = 0; n < keys; n++)
            sum += p[n] = exp(p[n] - max);
        for (int d = 0; d < D; d++) {
            c->expect[i * D + d] = 0;
            for (size_t n = 0; n < keys; n++)
                c->expect[i * D + d] += p[n] / sum * v[n * D + d];
        }
    }
    free(p);
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    if (c->dim[0] > 0)
        attention_kernel<<<(unsigned)c->dim[0], D, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2),
                                                                   lab_out_f32(c), (int)c->dim[0]);
}

static double bytes(const LabCase *c) { return 16.0 * D * (double)c->dim[0]; }
static double flops(const LabCase *c) { return 4.0 * D * (double)c->dim[0] * (double)c->dim[0]; }

static const Lab lab = {
    .name = "ex08_fused_attention",
    .title = "attention without a matrix of scores",
    .dims = "S",
    .size = "8192",
    .cpu_size = "128",
    .test_sizes = "64 1 2 33 100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
