/* Exercise 5.1 a neighbour's element (1 point)
 *
 * Sound and image formats store differences, which are small. x is cut into frames of 256 elements (the last may be
 * shorter). In each frame y[0] = x[0], and every later element is y[i] = x[i] - x[i - 1]. Use one block per frame and
 * one thread per element. A block reads each element of x from global memory once; the neighbour's comes from shared
 * memory.
 *
 * Limits at 1024:
 *   global loads <= 36
 *   sectors / possible sectors of global stores <= 1.25
 *   global stores <= 40
 *   shared loads >= 16
 *   barriers >= 28
 *   barriers <= 80
 *
 * Hint 1: thread t has stored x[i] in tile[t]. It needs tile[t - 1], which another thread stores, perhaps in another
 * warp. Who must have finished before it may read?
 *
 * Hint 2: put a __syncthreads() between the stores to the tile and the loads from it. All threads reach the barrier,
 * those past the end of x too. Thread 0 has no neighbour.
 *
 * After a pass:
 * Every element is written before the barrier and read after it, and all threads of the block reach the barrier,
 * those past n too. Next: exercise 5.2.
 */
#include "lab.h"

enum { THREADS = 256 };

__global__ void differences_kernel(const float *x, float *y, size_t n)
{
    __shared__ float tile[THREADS];
    int t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;
    if (i < n)
        tile[t] = x[i];
    // TODO(ex01): wait until the tile is complete; store this thread's difference, if there is an element i (3 lines)
    // >>> answer
    // stub: (void)y;
    __syncthreads();
    if (i < n)
        y[i] = t > 0 ? tile[t] - tile[t - 1] : tile[0];
    // <<< answer
}

static const LabRung rungs[] = {{1, "differences", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = c->rtol = 1e-6;
    return NULL;
}

static void reference(LabCase *c)
{
    const float *x = lab_h_in_f32(c, 0);
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[i] = i % THREADS ? (double)x[i] - x[i - 1] : x[i];
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    size_t n = c->dim[0];
    differences_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, c->stream>>>(lab_in_f32(c, 0),
                                                                                           lab_out_f32(c), n);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 1,
    .name = "ex01_frames",
    .title = "a neighbour's element through shared memory",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 31 255 256 257 1000 4096 10007",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
