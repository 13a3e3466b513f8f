/* Exercise 5.5 the halo: a stencil with a tile (2 points)
 *
 * y[i] = x[i - 3] + 2 x[i - 2] + 3 x[i - 1] + 4 x[i] + 5 x[i + 1] + 6 x[i + 2] + 7 x[i + 3], with x = 0 outside. Each
 * thread loads its own element into shared memory. The outputs at the tile's edges need three more on either side: the
 * halo. Load it, and remember the line that everyone forgets.
 *
 * Limits at 5000:
 *   global loads <= 400
 *   shared loads >= 200
 *
 * Hint 1: the tile holds RADIUS + THREADS + RADIUS elements; tile[RADIUS + t] is x[i]. So tile[t] is x[i - RADIUS], and
 * tile[RADIUS + THREADS + t] is x[i + THREADS]. Which threads should load these?
 *
 * Hint 2: the first RADIUS threads can load one element on each side. at(x, i, n) gives 0 outside.
 *
 * Hint 3: some neighbours are in another warp, which may not have stored them yet.
 *
 * After a pass:
 * The tile has a halo, the first threads load it, and all threads wait before they read. Each element then comes from
 * memory once, apart from the halos. Next: the same in two dimensions, where the corners are part of the halo too.
 */
#include "lab.h"

enum { RADIUS = 3, THREADS = 256 };

__device__ static float at(const float *x, long long i, long long n) { return i >= 0 && i < n ? x[i] : 0; }

__global__ void stencil_kernel(const float *x, float *y, long long n)
{
    __shared__ float tile[RADIUS + THREADS + RADIUS];
    int t = threadIdx.x;
    long long i = (long long)blockIdx.x * THREADS + t;
    tile[RADIUS + t] = at(x, i, n);
    // TODO(ex05): bring the halo on both sides, and wait (about 5 lines)
    // >>> answer
    if (t < RADIUS) {
        tile[t] = at(x, i - RADIUS, n);
        tile[RADIUS + THREADS + t] = at(x, i + THREADS, n);
    }
    __syncthreads();
    // <<< answer
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += (float)(k + 1) * tile[t + k];
    y[i] = sum;
}

static const LabRung rungs[] = {{1, "stencil", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = 1e-5;
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    const float *x = lab_h_in_f32(c, 0);
    long long n = (long long)c->dim[0];
    for (long long i = 0; i < n; i++) {
        c->expect[i] = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n)
                c->expect[i] += (double)(k + RADIUS + 1) * x[i + k];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    size_t n = c->dim[0];
    stencil_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c),
                                                                                       (long long)n);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 5,
    .name = "ex05_halo",
    .title = "a tile with its halo",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 3 4 255 256 257 259 260 1024 5003",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
