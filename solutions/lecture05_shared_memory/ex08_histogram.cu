/* Exercise 5.8 a histogram of bytes (3 points)
 *
 * count[v] is how often byte v occurs among the n bytes of x. With one atomicAdd per element on global memory, all
 * threads of the GPU queue for 256 counters. Give each block its own counters in shared memory, and add those to the
 * global ones once, at the end. Fill in the three phases and the barriers between them. The global counters are zero
 * before the launch.
 *
 * Limits at 200000:
 *   global atomics <= 3000
 *   lanes per request of global atomics >= 8
 *   global loads <= 8000
 *
 * Hint 1: shared memory holds arbitrary values at first, so the block's threads set its counters to zero, a few each.
 *
 * Hint 2: two threads of a block may meet the same value at the same time: atomicAdd(&mine[x[i]], 1) on shared memory.
 *
 * Hint 3: two barriers: no counting before all counters are zero, no flushing before all have counted. Other blocks
 * flush at the same time: that is an atomicAdd too.
 *
 * After a pass:
 * Each block counts in shared memory, where an atomic is cheap, and adds its counts to the result once, one bin per
 * thread. Next: give each warp its own histogram, and see when that pays off.
 */
#include "lab.h"

enum { BINS = 256, THREADS = 512 };

__global__ void histogram_kernel(const unsigned char *x, int *count, size_t n)
{
    __shared__ int mine[BINS];
    size_t stride = (size_t)gridDim.x * THREADS;
    // TODO(ex08): zero the counters; count this thread's elements i, i + stride ...; add to `count` (about 7 lines)
    // >>> answer
    // stub: (void)mine, (void)stride, (void)x, (void)count, (void)n;
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        mine[bin] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        atomicAdd(&count[bin], mine[bin]);
    // <<< answer
}

static const LabRung rungs[] = {{1, "histogram", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_U8);
    unsigned char *x = lab_h_in_u8(c, 0);
    lab_output(c, BINS, LAB_S32);
    for (size_t i = 0; i < c->dim[0]; i++) { /* small values are common: the smaller of two */
        uint64_t h = random_u64(c->seed, i);
        unsigned char a = (unsigned char)(h >> 8), b = (unsigned char)(h >> 24);
        x[i] = a < b ? a : b;
    }
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

/* A thread for each element, and no more blocks than the GPU holds at once: four of 512 threads to a multiprocessor. */
static unsigned grid_of(size_t n)
{
    int multiprocessors;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = (n + THREADS - 1) / THREADS, most = (size_t)multiprocessors * (2048 / THREADS);
    return (unsigned)(blocks < most ? blocks : most);
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    size_t n = c->dim[0];
    CUDA_CHECK(cudaMemsetAsync(c->out, 0, BINS * sizeof(int), c->stream));
    histogram_kernel<<<grid_of(n), THREADS, 0, c->stream>>>(lab_in_u8(c, 0), lab_out_s32(c), n);
}

static double bytes(const LabCase *c) { return (double)c->dim[0]; }

static const Lab lab = {
    .order = 8,
    .name = "ex08_histogram",
    .title = "counters of a block's own",
    .dims = "n",
    .size = "1073741824",
    .cpu_size = "1048576",
    .test_sizes = "1 31 511 512 513 4096 100003",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
