/* Exercise 1.11 a broken loop: who waits for whom (2 points)
 *
 * Eight times, the loop computes y = y / 2 and then y = y + 1, each in a kernel. The numbers come out right, but one
 * mistake hides another. The host waits for the device after every launch, so the device is idle until the next one
 * arrives. These waits also hide that one of the two kernels is launched into the wrong queue. Fix both. ./run 1.11
 * counts the waits, and `cucc --check` finds the other mistake once they are gone.
 *
 * Limits at 1000:
 *   calls of cuda*Synchronize <= 5
 *
 * (Four of these calls are the lab's own: it waits before it reads the result.)
 */
#include "lab.h"

enum { TURNS = 8 };

__global__ void half_kernel(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] / 2;
}

__global__ void one_more_kernel(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = y[i] + 1;
}

static void eight_turns(const float *x, float *y, int n, cudaStream_t stream)
{
    int blocks = (n + 255) / 256;
    for (int turn = 0; turn < TURNS; turn++) {
        // TODO(ex11): delete this line, and ./run 1.11 says what is wrong; fix two mistakes
        half_kernel<<<blocks, 256, 0, stream>>>(turn == 0 ? x : y, y, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        one_more_kernel<<<blocks, 256>>>(y, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -8, 8);
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->dim[0]; i++) {
        c->expect[i] = lab_h_in_f32(c, 0)[i];
        for (int turn = 0; turn < TURNS; turn++)
            c->expect[i] = c->expect[i] / 2 + 1;
    }
}

static void run(const LabRung *, LabCase *c)
{
    eight_turns(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], c->stream);
}

static double bytes(const LabCase *c) { return 16.0 * TURNS * (double)c->dim[0]; }

static const Lab lab = {
    .order = 11,
    .name = "ex11_broken_loop",
    .title = "a broken loop: who waits for whom",
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
