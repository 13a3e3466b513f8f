/* Exercise 3.11 a broken kernel: smoothing (3 points)
 *
 * y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3 for a signal of n samples; at the two ends the missing neighbour counts as 0.
 * To save memory, the kernel's author copied x to y and let the kernel work in y alone. There are three mistakes: where
 * two threads meet, at the end of the signal, and in the size of the grid. Find them with ./run 3.11, which runs `cucc
 * --check`, and fix them.
 *
 * Limits at 4096:
 *   global stores <= 160
 *   global atomics <= 0
 *   launches <= 1
 */
#include "lab.h"

// TODO(ex11): delete this line, and ./run 3.11 says what is wrong; fix three mistakes
__global__ void smooth_kernel(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        (void)x;
        float before = i > 0 ? y[i - 1] : 0, after = i <= n ? y[i + 1] : 0;
        y[i] = (before + y[i] + after) / 3;
    }
}

static void smooth(const float *x, float *y, int n, cudaStream_t stream)
{
    CUDA_CHECK(cudaMemcpyAsync(y, x, (size_t)n * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    int blocks = n / 256;
    smooth_kernel<<<blocks, 256, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    const float *x = lab_h_in_f32(c, 0);
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[i] = ((i > 0 ? (double)x[i - 1] : 0) + x[i] + (i + 1 < c->dim[0] ? x[i + 1] : 0)) / 3;
}

static void run(const LabRung *, LabCase *c) { smooth(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], c->stream); }

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 11,
    .name = "ex11_broken_smoothing",
    .title = "a broken kernel: smoothing",
    .dims = "n",
    .size = "16777216",
    .cpu_size = "65536",
    .test_sizes = "256 1 255 257 1009",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
