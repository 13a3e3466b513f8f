/* Exercise 5.1 reverse an array (1 point)
 *
 * y[n - 1 - i] = x[i]. Read x and write y with neighbouring threads on neighbouring addresses, both times in ascending
 * order: the block turns its 256 elements round in shared memory. The loads are there; the stores are yours.
 *
 * Limits at 1024:
 *   sectors per request of global loads <= 5
 *   sectors per request of global stores <= 5
 *   shared loads >= 16
 *   global stores <= 48
 */
#include "lab.h"

enum { THREADS = 256 };

__global__ void reverse_kernel(const float *x, float *y, long long n)
{
    __shared__ float tile[THREADS];
    int t = threadIdx.x;
    long long i = (long long)blockIdx.x * THREADS + t; /* this thread loads x[i] */
    if (i < n)
        tile[t] = x[i];
    /* x[i] belongs at y[n - 1 - i], so the block's results are y[first] to y[first + 255]. The last block's first may
     * be negative: there is no y[-1]. */
    long long first = n - (long long)(blockIdx.x + 1) * THREADS;
    // TODO(ex01): wait until the tile is complete; store the element that belongs at first + t, if any (about 3 lines)
    (void)y, (void)first;
}

static const LabRung rungs[] = {{1, "reverse", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t n = c->dim[0];
    for (size_t i = 0; i < n; i++)
        c->expect[n - 1 - i] = lab_h_in_f32(c, 0)[i];
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    size_t n = c->dim[0];
    reverse_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c),
                                                                                       (long long)n);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 1,
    .name = "ex01_reverse",
    .title = "reverse an array through shared memory",
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
