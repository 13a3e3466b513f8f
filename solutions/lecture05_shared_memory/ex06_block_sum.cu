/* Exercise 5.6 sum of a block with warp shuffles (2 points)
 *
 * Each block adds up the absolute values of one row of x (rows x cols). A thread's own part is given; add the 32 parts
 * of a warp by shuffles, and then the warps' sums through shared memory. The block may have any number of warps, 1 to
 * 32.
 *
 * Limits at 3x4096:
 *   shared loads <= 130
 *   global loads <= 1400
 *   shared atomics <= 0
 *   global atomics <= 0
 *
 * Hint 1: __shfl_down_sync(0xffffffffu, v, step) gives a lane the v of the lane `step` above it. With step = 16, 8, 4,
 * 2, 1 lane 0 collects all 32.
 *
 * Hint 2: lane 0 of warp w stores the warp's sum in sums[w]; then everyone waits; then the first warp's lane l takes
 * sums[l], if there is a warp l, else 0, and does the same five steps again.
 *
 * After a pass:
 * Within a warp values are passed on by shuffles, and across warps through shared memory, with a single barrier. Five
 * steps add up 32 lanes. Next: exercise 5.9, where every thread wants the sum of those before it.
 */
#include "lab.h"

#include <math.h>

__device__ static float warp_sum(float v)
{
    // TODO(ex06): five steps, after which lane 0 holds the sum of the warp (2 lines)
    // >>> answer
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_down_sync(0xffffffffu, v, step);
    // <<< answer
    return v;
}

__global__ void norm_kernel(const float *x, float *norm, int cols)
{
    __shared__ float sums[32]; /* one per warp */
    int t = threadIdx.x, warp = t / 32, lane = t % 32, warps = blockDim.x / 32;
    const float *row = x + (size_t)blockIdx.x * cols;
    float v = 0;
    for (int c = t; c < cols; c += blockDim.x)
        v += fabsf(row[c]);
    v = warp_sum(v);
    // TODO(ex06): let thread 0's v be the sum over all warps (about 5 lines)
    // >>> answer
    // stub: (void)sums, (void)warp, (void)lane, (void)warps;
    if (lane == 0)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0)
        v = warp_sum(lane < warps ? sums[lane] : 0);
    // <<< answer
    if (t == 0)
        norm[blockIdx.x] = v;
}

static const LabRung rungs[] = {
    {1, "1 warp", NULL, LAB_F32, 0, 32},
    {2, "3 warps", NULL, LAB_F32, 0, 96},
    {3, "32 warps", NULL, LAB_F32, 0, 1024},
};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = 1e-6 * (1 + sqrt((double)c->dim[1]));
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        c->expect[r] = 0;
        for (size_t i = 0; i < c->dim[1]; i++)
            c->expect[r] += fabs((double)lab_h_in_f32(c, 0)[r * c->dim[1] + i]);
    }
}

static void run(const LabRung *r, LabCase *c)
{
    norm_kernel<<<(unsigned)c->dim[0], r->variant, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)(c->dim[1] + 1); }

static const Lab lab = {
    .order = 6,
    .name = "ex06_block_sum",
    .title = "a block's sum by warp shuffles",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "64x8192",
    .test_sizes = "1x1 3x31 4x32 5x33 3x96 2x97 7x1000 3x4097",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
