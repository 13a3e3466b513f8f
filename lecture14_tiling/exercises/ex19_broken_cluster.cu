/* Exercise 14.19 a broken kernel: a neighbour's shared memory (3 points)
 *
 * The kernel computes a histogram of bytes: a cluster of two blocks holds 256 counters together, 128 in each block's
 * shared memory, and a thread counts its byte where the counter is. Its author put barriers between the phases. There
 * are two mistakes of the same kind. ./run 14.19 runs `cucc --check`.
 *
 * Limits at 20000:
 *   global atomics <= 1500
 *   shared atomics >= 300
 */
#include <cooperative_groups.h>

#include "hopper.cuh"
#include "lab.h"

enum { THREADS = 128, BINS = 256 };

// TODO(ex19): delete this line, and ./run 14.19 says what is wrong; fix two mistakes
__global__ void HOPPER_CLUSTER(2) histogram_kernel(const unsigned char *x, int *count, int n)
{
#ifdef HOPPER_CODE
    __shared__ int mine[BINS / 2];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x, half = blockIdx.x % 2;
    mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS)
        atomicAdd(cluster.map_shared_rank(&mine[x[i] % (BINS / 2)], x[i] / (BINS / 2)), 1);
    __syncthreads();
    atomicAdd(&count[half * (BINS / 2) + t], mine[t]);
#else
    (void)x, (void)count, (void)n;
#endif
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_U8);
    lab_output(c, BINS, LAB_S32);
    for (size_t i = 0; i < c->dim[0]; i++)
        lab_h_in_u8(c, 0)[i] = (unsigned char)(random_u64(c->seed, i) >> 8);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    for (int bin = 0; bin < BINS; bin++)
        c->expect[bin] = 0;
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[lab_h_in_u8(c, 0)[i]]++;
}

static void run(const LabRung *, LabCase *c)
{
    const char *why = hopper_here();
    if (why) {
        lab_skip("%s", why);
        return;
    }
    CUDA_CHECK(cudaMemsetAsync(c->out, 0, BINS * sizeof(int), c->stream));
    histogram_kernel<<<16, THREADS, 0, c->stream>>>(lab_in_u8(c, 0), lab_out_s32(c), (int)c->dim[0]);
}

static double bytes(const LabCase *c) { return (double)c->dim[0]; }

static const Lab lab = {
    .order = 19,
    .name = "ex19_broken_cluster",
    .title = "a broken kernel: a neighbour's shared memory",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 255 256 1000 20000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
