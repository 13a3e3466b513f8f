/* Exercise 11.16 update and prune in one pass (3 points)
 *
 * Training with 2:4 weights keeps the dense weights too, so that a dropped weight can come back. A step first updates
 * all weights,
 *   weight = weight - rate * gradient,
 * and stores them. Then it prunes the updated ones: of every four neighbours the two of larger magnitude stay, or the
 * earlier of two that are equal, and their values go to kept, in the order of their places. A thread has one group of
 * four. Write both in one pass: what you have just computed is not read again.
 *
 * Limits at 4096:
 *   sectors of global loads <= 1300
 *   sectors of global stores <= 900
 *   double promotions <= 0
 */
#include <math.h>

#include "lab.h"

/* out: n weights, then the n / 2 that stay. */
__global__ void step_kernel(float *out, const float *weight, const float *gradient, size_t groups, float rate)
{
    const size_t g = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (g >= groups)
        return;
    float *kept = out + 4 * groups;
    // TODO(ex16): update the group's four weights, store them, and store the two that stay (about 12 lines)
    (void)kept, (void)weight, (void)gradient, (void)rate;
}

static const LabRung rungs[] = {{1, "yours", NULL}};
static const float RATE = 0.125f;

/* Halves and quarters: the update is exact, so that equal magnitudes are equal. */
static const char *setup(LabCase *c)
{
    const size_t n = c->dim[0];
    if (n > (size_t)1 << 30)
        return "n is at most 2^30 in this exercise";
    if (n % 4)
        return "n is a multiple of 4 in this exercise";
    lab_input(c, 0, n, LAB_F32);
    lab_input(c, 1, n, LAB_F32);
    float *weight = lab_h_in_f32(c, 0), *gradient = lab_h_in_f32(c, 1);
    for (size_t i = 0; i < n; i++) {
        weight[i] = ((float)(random_u64(c->seed, i) % 33) - 16) / 4;
        gradient[i] = ((float)(random_u64(c->seed + 1, i) % 33) - 16) * 2;
    }
    lab_output(c, n + n / 2, LAB_F32);
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t n = c->dim[0];
    const float *weight = lab_h_in_f32(c, 0), *gradient = lab_h_in_f32(c, 1);
    for (size_t g = 0; g < n; g += 4) {
        const double *v = c->expect + g;
        for (size_t i = g; i < g + 4; i++)
            c->expect[i] = (double)weight[i] - (double)RATE * (double)gradient[i];
        size_t first = 0, second;
        for (size_t i = 1; i < 4; i++)
            first = fabs(v[i]) > fabs(v[first]) ? i : first;
        second = first == 0;
        for (size_t i = second + 1; i < 4; i++)
            second = i != first && fabs(v[i]) > fabs(v[second]) ? i : second;
        c->expect[n + g / 2] = v[first < second ? first : second];
        c->expect[n + g / 2 + 1] = v[first < second ? second : first];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const size_t groups = c->dim[0] / 4;
    step_kernel<<<(unsigned)((groups + 127) / 128), 128, 0, c->stream>>>(lab_out_f32(c), lab_in_f32(c, 0),
                                                                         lab_in_f32(c, 1), groups, RATE);
}

static const Lab lab = {
    .order = 16,
    .name = "ex16_update_and_prune",
    .title = "update and prune in one pass",
    .dims = "n",
    .size = "16777216",
    .cpu_size = "65536",
    .test_sizes = "4 32 260 4096",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
