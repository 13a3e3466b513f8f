/* Exercise 1.7 write it yourself: SiLU, four at a time (3 points)
 *
 * Write a kernel for y = x / (1 + exp(-x)), in which each thread handles 4 elements through float4. Write its launch,
 * too. N may be anything: the last N % 4 elements need care. Compute in float only: a double constant would cost more
 * than the rest of the kernel.
 *
 * Limits at 4099:
 *   global loads <= 60
 *   double promotions <= 0
 */
#include <math.h>

#include "lab.h"

// TODO(ex07): the kernel (about 15 lines)

/* Device pointers, aligned to 16 bytes; n >= 1. */
static void silu(const float *x, float *y, int n, cudaStream_t stream)
{
    // TODO(ex07): the launch (about 3 lines)
    (void)x, (void)y, (void)n, (void)stream;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    float *x = lab_h_in_f32(c, 0);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -10, 10);
    if (c->dim[0] > 4) {
        x[0] = -200;
        x[1] = 200;
        x[2] = NAN;
    }
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++) {
        double x = lab_h_in_f32(c, 0)[i];
        c->expect[i] = x / (1 + exp(-x));
    }
}

static void run(const LabRung *, LabCase *c) { silu(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], c->stream); }

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab ex07 = {
    .order = 7,
    .name = "ex07_silu",
    .title = "SiLU, four at a time",
    .dims = "N",
    .size = "67108864",
    .cpu_size = "1048576",
    .test_sizes = "1 2 3 4 5 7 1023 1024 1025 4099",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex07)
