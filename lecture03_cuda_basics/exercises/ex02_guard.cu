/* Exercise 3.2 the ragged end (2 points)
 *
 * N is rarely a multiple of the block size. Launch enough blocks for every element, and let no thread touch an element
 * that does not exist: y has exactly N elements, and the memory past its end belongs to somebody else.
 *
 * Limits at 4096:
 *   blocks >= 12
 *   blocks <= 20
 *   global stores <= 160
 */
#include <math.h>

#include "lab.h"

__global__ void absolute_kernel(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(ex02): y[i] = |x[i]|, but only where there is an element i (about 2 lines)
    y[i] = fabsf(x[i]);
}

static void absolute(const float *x, float *y, int n, cudaStream_t stream)
{
    int threads = 256;
    // TODO(ex02): how many blocks? (about 1 line)
    int blocks = n / threads;
    absolute_kernel<<<blocks, threads, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {{1, "yours", NULL}};

/* The output is 256 elements longer than N; the surplus must keep what was there. */
enum { SURPLUS = 256 };

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] + SURPLUS, LAB_F32);
    lab_output(c, c->dim[0] + SURPLUS, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = i < c->dim[0] ? fabs(lab_h_in_f32(c, 0)[i]) : lab_untouched();
}

static void run(const LabRung *, LabCase *c) { absolute(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], c->stream); }

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab ex02 = {
    .order = 2,
    .name = "ex02_guard",
    .title = "the ragged end",
    .dims = "N",
    .size = "1048577",
    .cpu_size = "65537",
    .test_sizes = "256 1 255 257 1009 4096",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex02)
