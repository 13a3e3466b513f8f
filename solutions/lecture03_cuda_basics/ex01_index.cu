/* Exercise 3.1 who am I? (1 point)
 *
 * Each thread of the grid handles one element: y[i] = 2 x[i] + 1. The kernel needs to know which element is its own.
 * Compute i from blockIdx.x, blockDim.x and threadIdx.x.
 *
 * Limits at 4096:
 *   sectors / possible sectors of global loads <= 1.5
 *   sectors / possible sectors of global stores <= 1.5
 *   global loads <= 160
 *   global stores <= 160
 *
 * Hint 1: look at the picture that ./run launch prints: block, thread, index.
 *
 * Hint 2: block b begins at element b * blockDim.x.
 *
 * After a pass:
 * The product is computed in size_t, so it is right beyond 2^32 elements too. The built-in variables are unsigned int,
 * and so would their product be. Next: exercise 3.2.
 */
#include "lab.h"

__global__ void line_kernel(const float *x, float *y, size_t n)
{
    // TODO(ex01): compute this thread's element (about 1 line)
    // >>> answer
    // stub: size_t i = 0;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    // <<< answer
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = 2.0 * lab_h_in_f32(c, 0)[i] + 1;
}

static void run(const LabRung *, LabCase *c)
{
    line_kernel<<<(unsigned)((c->dim[0] + 127) / 128), 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c),
                                                                            c->dim[0]);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab ex01 = {
    .order = 1,
    .name = "ex01_index",
    .title = "who am I?",
    .dims = "N",
    .size = "1048576",
    .cpu_size = "65536",
    .test_sizes = "1 31 33 127 128 129 1009",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex01)
