/* Exercise 3.3 a grid of any size (2 points)
 *
 * This kernel is launched with 4 blocks of 64 threads, whatever N is. Make each thread walk through the array in
 * strides of the whole grid, so that every element is updated exactly once: z[i] = z[i] + x[i]. (An element that is
 * updated twice comes out wrong, because z is read, too.)
 *
 * Limits at 4096:
 *   sectors / possible sectors of global loads <= 1.5
 *   sectors / possible sectors of global stores <= 1.5
 *   global loads <= 320
 *   global stores <= 160
 *
 * Hint 1: the first element of a thread is its global index.
 *
 * Hint 2: the stride is the number of all threads: gridDim.x * blockDim.x.
 *
 * After a pass:
 * A thread starts at its own number and goes on in strides of the whole grid, so any grid covers any n, and each step
 * of a warp is still one stretch of memory. The grid can then be chosen to suit the machine, not n. The limits ask for
 * whole sectors, not for less time: with only 256 threads, an H100 took half the time when each thread had one
 * contiguous stretch. Next: move four elements per step.
 */
#include "lab.h"

__global__ void accumulate_kernel(const float *x, float *z, size_t n)
{
    // TODO(ex03): the grid-stride loop (about 4 lines)
    // >>> answer
    // stub: if (threadIdx.x < n)
    // stub:     z[threadIdx.x] += x[threadIdx.x];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        z[i] += x[i];
    // <<< answer
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_input(c, 1, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = (double)lab_h_in_f32(c, 0)[i] + lab_h_in_f32(c, 1)[i];
}

static void run(const LabRung *, LabCase *c)
{
    size_t n = c->dim[0];
    CUDA_CHECK(cudaMemcpyAsync(c->out, c->in[1], n * sizeof(float), cudaMemcpyDeviceToDevice, c->stream));
    accumulate_kernel<<<4, 64, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), n);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 12.0 * (double)c->out_count; }

static const Lab ex03 = {
    .order = 3,
    .name = "ex03_stride",
    .title = "a grid of any size",
    .dims = "N",
    .size = "1048576",
    .cpu_size = "65536",
    .test_sizes = "1 63 65 255 256 257 1009 5000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex03)
