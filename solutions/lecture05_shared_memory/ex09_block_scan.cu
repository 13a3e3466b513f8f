/* Exercise 5.9 running sums of a block (3 points)
 *
 * y[r][c] = x[r][0] + ... + x[r][c]: an inclusive scan of each row of x, at most 256 columns, by a block of 256
 * threads. First each warp scans its 32 elements in registers; then the sum of the warps before it is added to
 * all of its results.
 *
 * Limits at 4x256:
 *   shared loads <= 160
 *   global loads <= 40
 *   barriers <= 80
 *
 * Hint 1: __shfl_up_sync(0xffffffffu, v, step) gives a lane the v of the lane `step` below it. After steps of 1, 2, 4,
 * 8 and 16 each lane has the sum of all up to it. But a lane that has no lane `step` below it gets its own v back, and
 * must not add it.
 *
 * Hint 2: the last lane of a warp knows the warp's sum: it goes to sums[warp], and everyone waits. Then a thread adds
 * up the sums of the warps before its own: at most seven, by a loop, or by scanning them with the same function.
 *
 * After a pass:
 * Shuffles scan a warp, the warps' sums are scanned likewise, and each warp adds what came before it. The number of
 * steps grows with the logarithm of the number of elements. Next: exercise 5.10, across blocks.
 */
#include "lab.h"

enum { THREADS = 256 };

/* The inclusive scan over a warp. All 32 lanes call it. */
__device__ static float warp_scan(float v)
{
    const int lane = threadIdx.x % 32;
    // TODO(ex09): five steps; after them v is the sum of this lane's v and all below (about 5 lines)
    // >>> answer
    // stub: (void)lane;
    for (int step = 1; step < 32; step *= 2) {
        float below = __shfl_up_sync(0xffffffffu, v, step);
        if (lane >= step)
            v += below;
    }
    // <<< answer
    return v;
}

__global__ void scan_kernel(const float *x, float *y, int cols)
{
    __shared__ float sums[THREADS / 32];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    x += (size_t)blockIdx.x * cols;
    y += (size_t)blockIdx.x * cols;
    float v = warp_scan(t < cols ? x[t] : 0);
    // TODO(ex09): add to v the sum of the warps before this one (about 7 lines)
    // >>> answer
    // stub: (void)sums, (void)warp, (void)lane;
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    const float of_lane = lane < THREADS / 32 ? sums[lane] : 0, scanned = warp_scan(of_lane);
    const float before = __shfl_sync(0xffffffffu, scanned, warp > 0 ? warp - 1 : 0);
    if (warp > 0)
        v += before;
    // <<< answer
    if (t < cols)
        y[t] = v;
}

static const LabRung rungs[] = {{1, "warp scans", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[1] > THREADS)
        return "at most 256 columns";
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -1, 3);
    c->out_width = c->dim[1];
    c->atol = c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        double sum = 0;
        for (size_t i = 0; i < c->dim[1]; i++)
            c->expect[r * c->dim[1] + i] = sum += lab_h_in_f32(c, 0)[r * c->dim[1] + i];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    scan_kernel<<<(unsigned)c->dim[0], THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .name = "ex09_block_scan",
    .title = "running sums in a warp's registers",
    .dims = "rows cols",
    .size = "262144x256",
    .cpu_size = "256x256",
    .test_sizes = "4x256 1x1 2x31 2x32 2x33 3x255 5x100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
