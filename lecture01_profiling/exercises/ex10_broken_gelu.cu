/* Exercise 1.10 a broken kernel: GELU (2 points)
 *
 * The kernel computes y = x / (1 + exp(-1.702 x)), an approximation of GELU, in float, in blocks of 256. It has two
 * mistakes: it writes where it must not, and it computes in double, which a GPU does at half the speed of float at
 * best, and at 1/64 of it on most cards. ./run 1.10 runs `cucc --check`, which names the first; the second is counted.
 *
 * Limits at 1000:
 *   double promotions <= 0
 *   global stores <= 40
 *   launches <= 1
 */
#include <math.h>

#include "lab.h"

// TODO(ex10): delete this line, and ./run 1.10 says what is wrong; fix two mistakes
__global__ void gelu_kernel(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = x[i] / (1 + exp(-1.702 * x[i]));
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -8, 8);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->dim[0]; i++) {
        const double x = lab_h_in_f32(c, 0)[i];
        c->expect[i] = x / (1 + exp(-1.702 * x));
    }
}

static void run(const LabRung *, LabCase *c)
{
    int n = (int)c->dim[0];
    gelu_kernel<<<(n + 255) / 256, 256, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), n);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 10,
    .name = "ex10_broken_gelu",
    .title = "a broken kernel: GELU",
    .dims = "n",
    .size = "16777216",
    .cpu_size = "1048576",
    .test_sizes = "256 1 255 257 1000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
