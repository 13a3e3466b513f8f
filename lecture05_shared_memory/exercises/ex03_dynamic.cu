/* Exercise 5.3 one array, cut in two: dynamic shared memory (2 points)
 *
 * For each row of x (rows x cols): in which column is its largest element? One block per row: each thread looks at
 * every blockDim.x-th element and stores the largest value that it saw, and the value's column, in shared memory. Then
 * the threads fold these lists in half, again and again. The number of threads is chosen at run time, so the memory is
 * dynamic: one array for the values and the columns together. Cut it, and tell the launch how much is needed.
 *
 * Limits at 5x64:
 *   bytes of shared memory <= 9600
 */
#include "lab.h"

#include <float.h>

__global__ void argmax_kernel(const float *x, int *column, int cols)
{
    extern __shared__ float shared[];
    int t = threadIdx.x, threads = blockDim.x; /* a power of two */
    float *values = shared;                    /* one per thread */
    // TODO(ex03): let `columns` be a list of one int per thread, after the values (1 line)
    int *columns = (int *)shared;
    const float *row = x + (size_t)blockIdx.x * cols;
    float best = -FLT_MAX;
    int at = cols; /* where two are equal the first column counts */
    for (int c = t; c < cols; c += threads)
        if (row[c] > best) {
            best = row[c];
            at = c;
        }
    values[t] = best;
    columns[t] = at;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) {
            float v = values[t + half];
            int c = columns[t + half];
            if (v > values[t] || (v == values[t] && c < columns[t])) {
                values[t] = v;
                columns[t] = c;
            }
        }
        __syncthreads();
    }
    if (t == 0)
        column[blockIdx.x] = columns[0];
}

static const LabRung rungs[] = {
    {1, "64 threads", NULL, LAB_F32, 0, 64},
    {2, "1024 threads", NULL, LAB_F32, 0, 1024},
};

static void run(const LabRung *r, LabCase *c)
{
    int threads = r->variant;
    // TODO(ex03): how many bytes of shared memory does a block of `threads` threads need? (1 line)
    size_t bytes = 0;
    argmax_kernel<<<(unsigned)c->dim[0], threads, bytes, c->stream>>>(lab_in_f32(c, 0), lab_out_s32(c), (int)c->dim[1]);
}

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0], LAB_S32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        const float *row = lab_h_in_f32(c, 0) + r * c->dim[1];
        size_t best = 0;
        for (size_t i = 1; i < c->dim[1]; i++)
            if (row[i] > row[best])
                best = i;
        c->expect[r] = (double)best;
    }
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)(c->dim[1] + 1); }

static const Lab lab = {
    .order = 3,
    .name = "ex03_dynamic",
    .title = "dynamic shared memory, cut in two",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "64x8192",
    .test_sizes = "1x1 3x63 5x64 7x1000 9x1024 4x4097",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
