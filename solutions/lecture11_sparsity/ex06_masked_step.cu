/* Exercise 11.6 keep the zeros (2 points)
 *
 * Write one step of training with a mask: SGD with momentum, after which every weight whose mask is 0 is exactly 0,
 * whatever its gradient, and so is its velocity (which must not keep growing where the weight is masked). For the
 * others
 *   velocity = momentum * velocity + gradient,   weight = weight - rate * velocity.
 * Gradients of masked weights may be infinite or NaN: these must not get through. Write each number once, and compute
 * in float.
 *
 * Limits at 5000:
 *   global stores <= 450
 *   double promotions <= 0
 *
 * Hint 1: infinity times 0 is NaN, so multiplying by the mask is not enough: select.
 *
 * After a pass:
 * Weight and velocity of a masked element become 0 together, so that momentum brings nothing back. The gradient of a
 * pruned weight is computed and then ignored. Next: prune a little more every few steps.
 */
#include <math.h>
#include <stdlib.h>

#include "lab.h"

/* state: n weights, then n velocities. */
__global__ void step_kernel(float *state, const float *gradient, const unsigned char *mask, size_t n, float rate,
                            float momentum)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *weight = state + i, *velocity = state + n + i;
    // TODO(ex06): the step, and zeros where the mask is 0 (about 4 lines)
    // >>> answer
    // stub: (void)gradient, (void)mask, (void)rate, (void)momentum, (void)weight, (void)velocity;
    float v = momentum * *velocity + gradient[i];
    float w = *weight - rate * v;
    *velocity = mask[i] ? v : 0;
    *weight = mask[i] ? w : 0;
    // <<< answer
}

static const LabRung rungs[] = {{1, "yours", NULL}};
static const float RATE = 0.1f, MOMENTUM = 0.9f;

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0];
    lab_input(c, 0, 2 * n, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_input(c, 1, n, LAB_F32);
    float *gradient = lab_h_in_f32(c, 1);
    lab_fill_uniform(c, 1, -1, 1);
    lab_input(c, 2, n, LAB_U8);
    unsigned char *mask = lab_h_in_u8(c, 2);
    for (size_t i = 0; i < n; i++) {
        mask[i] = random_u64(c->seed + 3, i) % 2;
        if (!mask[i] && i % 3 == 0)
            gradient[i] = i % 2 ? INFINITY : NAN;
    }
    lab_output(c, 2 * n, LAB_F32);
    c->atol = c->rtol = 1e-6;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t n = c->dim[0];
    const float *state = lab_h_in_f32(c, 0), *gradient = lab_h_in_f32(c, 1);
    const unsigned char *mask = lab_h_in_u8(c, 2);
    for (size_t i = 0; i < n; i++) {
        double v = mask[i] ? (double)MOMENTUM * (double)state[n + i] + (double)gradient[i] : 0;
        c->expect[i] = mask[i] ? (double)state[i] - (double)RATE * v : 0;
        c->expect[n + i] = v;
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    size_t n = c->dim[0];
    CUDA_CHECK(cudaMemcpyAsync(c->out, c->in[0], 2 * n * sizeof(float), cudaMemcpyDeviceToDevice, c->stream));
    step_kernel<<<(unsigned)((n + 255) / 256), 256, 0, c->stream>>>(lab_out_f32(c), lab_in_f32(c, 1), lab_in_u8(c, 2),
                                                                    n, RATE, MOMENTUM);
}

static const Lab lab = {
    .order = 6,
    .name = "ex06_masked_step",
    .title = "hold the zeros",
    .dims = "n",
    .size = "16777216",
    .cpu_size = "65536",
    .test_sizes = "1 31 257 5000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
