/* Exercise 14.10 parts of a sequence become one (2 points)
 *
 * When a model generates text, one query looks back at all tokens, and several blocks share the sequence: part p has
 * found the largest score it met, max[p], the sum of its weights exp(score - max[p]), sum[p], and for each of 128
 * columns the sum of weights times values, out[p][d]. Merge `parts` of them for each head: o[d] = (sum of all weights
 * times values) / (sum of all weights). A part may have seen nothing: its max is -inf, its sums are 0. At least one
 * part has seen something.
 *
 * Limits at 4x9:
 *   global loads <= 800
 *   sectors / possible sectors of global loads <= 1.25
 *
 * Hint 1: weights taken against max[p] become weights against the largest of all, M, by the factor exp(max[p] - M).
 * Both of a part's sums take the same factor.
 *
 * Hint 2: exp(-inf - M) is 0, as it should be, as long as M is not -inf: find M first, or treat the empty part
 * separately.
 *
 * After a pass:
 * Each part is scaled to the common maximum before the parts are added, so they may come in any order. It is the merge
 * of exercise 5.7, with a vector beside the pair. Next: choose the number of parts so that all multiprocessors have
 * work.
 */
#include "lab.h"

#include <math.h>

enum { D = 128 };

/* One block per head, one thread per column. max and sum: heads x parts; out: heads x parts x D. */
__global__ void merge_kernel(const float *max, const float *sum, const float *out, float *o, int parts)
{
    const int head = blockIdx.x, d = threadIdx.x;
    max += (size_t)head * parts;
    sum += (size_t)head * parts;
    out += (size_t)head * parts * D;
    float total = 0, column = 0;
    // TODO(ex10): let total be the sum of all weights, column this thread's sum of weights times values (about 8 lines)
    // >>> answer
    // stub: total = sum[0], column = out[d], (void)parts;
    float largest = -INFINITY;
    for (int p = 0; p < parts; p++)
        largest = fmaxf(largest, max[p]);
    for (int p = 0; p < parts; p++) {
        const float scale = expf(max[p] - largest);
        total += sum[p] * scale;
        column += out[p * D + d] * scale;
    }
    // <<< answer
    o[head * D + d] = column / total;
}

static const LabRung rungs[] = {{1, "merge", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t heads = c->dim[0], parts = c->dim[1];
    if (parts == 0 || parts > 4096)
        return "1 to 4096 parts";
    lab_input(c, 0, heads * parts, LAB_F32);
    lab_input(c, 1, heads * parts, LAB_F32);
    lab_input(c, 2, heads * parts * D, LAB_F32);
    float *max = lab_h_in_f32(c, 0), *sum = lab_h_in_f32(c, 1), *out = lab_h_in_f32(c, 2);
    lab_output(c, heads * D, LAB_F32);
    lab_fill_uniform(c, 0, -3, 3);
    lab_fill_uniform(c, 1, 1, 100);
    lab_fill_uniform(c, 2, 1, 100);
    for (size_t i = 0; i < heads * parts; i++) {
        if (i % 5 == 3)
            max[i] += 90;                          /* beside it the others count for nothing, and exp of it overflows */
        if (i % 3 == 0 && i % parts + 1 < parts) { /* seen nothing; never the last part */
            max[i] = -INFINITY;
            sum[i] = 0;
            for (size_t d = 0; d < D; d++)
                out[i * D + d] = 0;
        }
    }
    c->out_width = D;
    c->atol = 0;
    c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t parts = c->dim[1];
    const float *max = lab_h_in_f32(c, 0), *sum = lab_h_in_f32(c, 1), *out = lab_h_in_f32(c, 2);
    for (size_t h = 0; h < c->dim[0]; h++)
        for (size_t d = 0; d < D; d++) {
            double largest = -INFINITY, total = 0, column = 0;
            for (size_t p = 0; p < parts; p++)
                largest = fmax(largest, max[h * parts + p]);
            for (size_t p = 0; p < parts; p++) {
                const double scale = exp(max[h * parts + p] - largest);
                total += sum[h * parts + p] * scale;
                column += out[(h * parts + p) * D + d] * scale;
            }
            c->expect[h * D + d] = column / total;
        }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    if (c->dim[0] > 0)
        merge_kernel<<<(unsigned)c->dim[0], D, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2),
                                                               lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * ((double)c->dim[1] * (D + 2) + D); }

static const Lab lab = {
    .name = "ex10_merge_parts",
    .title = "parts of a sequence become one",
    .dims = "heads parts",
    .size = "1024x64",
    .cpu_size = "64x16",
    .test_sizes = "4x9 1x1 2x2 3x7 5x33",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
