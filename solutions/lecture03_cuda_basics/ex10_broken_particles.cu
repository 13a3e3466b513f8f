/* Exercise 3.10 a broken kernel: particles (3 points)
 *
 * x holds n particles of 8 floats each, one after the other. Every coordinate moves: y = x + 0.5 * v, where v has the
 * same shape. The kernel works in the lab of the person who wrote it, on 1024 particles. It has two mistakes: for some
 * n the result is wrong, and for all n each load and store touches too many sectors. Find them with `cucc --check`
 * (./run 3.10 uses it) and `--counters`, and fix them. The launch is right as it is: 8 blocks of 128 threads, whatever
 * n is.
 *
 * Limits at 4096:
 *   sectors / possible sectors of global loads <= 1.5
 *   sectors / possible sectors of global stores <= 1.5
 *   global loads <= 2500
 *   global stores <= 1200
 *
 * Hint 1: how many particles do 8 blocks of 128 threads reach? And how far apart are the addresses of two neighbouring
 * threads in one load?
 *
 * Hint 2: particles matter to the program, not to the memory: use one thread per float, in strides of the whole grid.
 *
 * After a pass:
 * One thread handles one float and neighbouring threads neighbouring floats, so a warp's load touches four sectors;
 * strides of the whole grid make the launch right for every n. Data that belong together in the program need not belong
 * to one thread. The limits ask for whole sectors, not for less time: with only 8 blocks, an H100 took less than half
 * the time when each thread handled one particle. Next: move four floats per thread with float4, which the limits allow
 * too.
 */
#include "lab.h"

enum { FLOATS = 8, BLOCKS = 8, THREADS = 128 };

// TODO(ex10): delete this line, and ./run 3.10 says what is wrong; fix two mistakes
__global__ void move_kernel(const float *x, const float *v, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // >>> answer
    // stub: if (i < n)
    // stub:     for (int k = 0; k < FLOATS; k++)
    // stub:         y[i * FLOATS + k] = x[i * FLOATS + k] + 0.5f * v[i * FLOATS + k];
    for (; i < n * FLOATS; i += gridDim.x * blockDim.x)
        y[i] = x[i] + 0.5f * v[i];
    // <<< answer
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    for (int i = 0; i < 2; i++) {
        lab_input(c, i, c->dim[0] * FLOATS, LAB_F32);
        lab_fill_uniform(c, i, -1, 1);
    }
    lab_output(c, c->dim[0] * FLOATS, LAB_F32);
    c->out_width = FLOATS;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = lab_h_in_f32(c, 0)[i] + 0.5 * lab_h_in_f32(c, 1)[i];
}

static void run(const LabRung *, LabCase *c)
{
    move_kernel<<<BLOCKS, THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0]);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 12.0 * (double)c->out_count; }

static const Lab lab = {
    .order = 10,
    .name = "ex10_broken_particles",
    .title = "a broken kernel: particles",
    .dims = "particles",
    .size = "1048576",
    .cpu_size = "8192",
    .test_sizes = "1024 1 1000 1025 5000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
