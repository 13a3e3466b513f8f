/* Histogram of n bytes: how often each of the 256 values occurs. Many threads add to few places.
 *
 * Each byte is read once: the ceiling is what the memory can read. The obstacle is that adding to a counter
 * is a read and a write that no other thread may interrupt. `percent` of the bytes are all the same value, as in a
 * picture with one background: there a thousand threads want the same counter.
 *
 *   rung                    idea                                                             ./run histogram --rung N
 *   1  global atomics       an atomicAdd in memory for each byte
 *   2  shared atomics       a block counts in shared memory, and adds its 256 counters to memory at the end
 *   3  16 bytes, one grid   a block counts many bytes before it adds; loads of 16 bytes
 *   4  one copy per warp    eight warps, eight copies: fewer threads meet at a counter
 *   5  one counter per thread  no atomics for a byte: each thread has 256 private counters of 8 bits, 4 per word
 *   6  CUB                  NVIDIA's library, cub::DeviceHistogram::HistogramEven
 */
#include "ceil_div.cuh"
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#ifndef __CUCC__
#include <cub/device/device_histogram.cuh>
#endif

typedef void Histogram(const unsigned char *x, int *count, size_t n, void *scratch, cudaStream_t stream);
enum { THREADS = 256, VALUES = 256, SCRATCH_BYTES = 1 << 20 };

static void histogram_cpu(LabCase *c)
{
    const unsigned char *x = lab_h_in_u8(c, 0);
    memset(c->expect, 0, VALUES * sizeof(double));
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[x[i]] += 1;
}

/* 1: the counters must be zero before, as for all rungs but CUB. */
__global__ void histogram_kernel1(const unsigned char *x, int *count, size_t n)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        atomicAdd(&count[x[i]], 1);
}

static void histogram1(const unsigned char *x, int *count, size_t n, void *, cudaStream_t stream)
{
    histogram_kernel1<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(x, count, n);
}

/* 2 */
__global__ void histogram_kernel2(const unsigned char *x, int *count, size_t n)
{
    __shared__ int s[VALUES];
    const size_t begin = (size_t)blockIdx.x * (16 * THREADS);
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int j = 0; j < 16; j++) {
        const size_t i = begin + j * THREADS + threadIdx.x;
        if (i < n)
            atomicAdd(&s[x[i]], 1);
    }
    __syncthreads();
    if (s[threadIdx.x])
        atomicAdd(&count[threadIdx.x], s[threadIdx.x]);
}

static void histogram2(const unsigned char *x, int *count, size_t n, void *, cudaStream_t stream)
{
    histogram_kernel2<<<(unsigned)ceil_div(n, 16 * THREADS), THREADS, 0, stream>>>(x, count, n);
}

/* Calls add(value) for each of the 16 bytes. */
template <typename Add> __device__ static void each_byte(uint4 v, Add add)
{
    const unsigned word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int w = 0; w < 4; w++)
#pragma unroll
        for (int b = 0; b < 4; b++)
            add(word[w] >> (8 * b) & 255);
}

/* 3 and 4: COPIES of the counters, a warp's threads use one of them. */
template <int COPIES> __global__ void histogram_kernel3(const unsigned char *x, int *count, size_t n)
{
    __shared__ int s[COPIES][VALUES];
    for (int i = threadIdx.x; i < COPIES * VALUES; i += THREADS)
        ((int *)s)[i] = 0;
    __syncthreads();
    int *mine = s[threadIdx.x / 32 % COPIES];
    const uint4 *x16 = (const uint4 *)x;
    const size_t stride = (size_t)gridDim.x * THREADS, first = (size_t)blockIdx.x * THREADS + threadIdx.x;
    for (size_t i = first; i < n / 16; i += stride)
        each_byte(x16[i], [&](unsigned value) { atomicAdd(&mine[value], 1); });
    for (size_t i = n / 16 * 16 + first; i < n; i += stride)
        atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    int sum = 0;
    for (int copy = 0; copy < COPIES; copy++)
        sum += s[copy][threadIdx.x];
    if (sum)
        atomicAdd(&count[threadIdx.x], sum);
}

/* As many blocks as the GPU holds at once. */
static unsigned resident(const void *kernel, int threads, size_t shared_bytes, size_t wanted)
{
    int multiprocessors = 0, each = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes));
    const size_t most = (size_t)multiprocessors * (size_t)each;
    return (unsigned)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

template <int COPIES> static void histogram3(const unsigned char *x, int *count, size_t n, void *, cudaStream_t stream)
{
    const unsigned blocks = resident((const void *)histogram_kernel3<COPIES>, THREADS, 0, ceil_div(n, 16 * THREADS));
    histogram_kernel3<COPIES><<<blocks, THREADS, 0, stream>>>(x, count, n);
}

/* 5: word w of thread t, s[w][t], holds its counts of the values 4w .. 4w + 3: a warp's threads always meet 32
 * different banks, whatever they count. A counter of 8 bits overflows at 256: after 240 bytes per thread, the block
 * adds its counters up: thread t takes value t, whose 8 bits lie in all threads' words t / 4. It begins at column t,
 * not 0, so that the threads of a warp read different banks. */
enum { OWN_THREADS = 256, OWN_WORDS = VALUES / 4, LOADS = 15 };

__global__ void __launch_bounds__(OWN_THREADS) histogram_kernel5(const unsigned char *x, int *count, size_t n)
{
    static_assert(LOADS * 16 < 256 && (int)OWN_THREADS == (int)VALUES,
                  "counters do not overflow; a thread sums one value");
    extern __shared__ unsigned own[]; /* OWN_WORDS x OWN_THREADS */
    const int t = threadIdx.x;
    const uint4 *x16 = (const uint4 *)x;
    const size_t stride = (size_t)gridDim.x * OWN_THREADS, first = (size_t)blockIdx.x * OWN_THREADS + t;
    int total = 0;
    for (int w = 0; w < OWN_WORDS; w++)
        own[w * OWN_THREADS + t] = 0;
    /* All threads of a block go round equally often: there are barriers inside. */
    const size_t rounds = (n / 16 + stride * LOADS - 1) / (stride * LOADS);
    for (size_t round = 0; round < rounds; round++) {
        uint4 loaded[LOADS];
#pragma unroll
        for (int j = 0; j < LOADS; j++) {
            const size_t i = first + (round * LOADS + j) * stride;
            if (i < n / 16)
                loaded[j] = x16[i];
        }
#pragma unroll
        for (int j = 0; j < LOADS; j++)
            if (first + (round * LOADS + j) * stride < n / 16)
                each_byte(loaded[j],
                          [&](unsigned value) { own[(value >> 2) * OWN_THREADS + t] += 1u << ((value & 3) * 8); });
        __syncthreads();
        for (int j = 0; j < OWN_THREADS; j++)
            total += own[(t / 4) * OWN_THREADS + (t + j) % OWN_THREADS] >> (t % 4 * 8) & 255;
        __syncthreads();
        for (int w = 0; w < OWN_WORDS; w++)
            own[w * OWN_THREADS + t] = 0;
    }
    if (total)
        atomicAdd(&count[t], total);
    for (size_t i = n / 16 * 16 + first; i < n; i += stride)
        atomicAdd(&count[x[i]], 1);
}

static void histogram5(const unsigned char *x, int *count, size_t n, void *, cudaStream_t stream)
{
    const size_t bytes = sizeof(unsigned) * OWN_WORDS * OWN_THREADS;
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)histogram_kernel5, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const unsigned blocks =
        resident((const void *)histogram_kernel5, OWN_THREADS, bytes, ceil_div(n, 16 * OWN_THREADS));
    histogram_kernel5<<<blocks, OWN_THREADS, bytes, stream>>>(x, count, n);
}

static void histogram_cub(const unsigned char *x, int *count, size_t n, void *scratch, cudaStream_t stream)
{
#ifdef __CUCC__
    (void)x, (void)count, (void)n, (void)scratch, (void)stream;
    lab_skip("CUB comes with the CUDA Toolkit");
#else
    size_t bytes = 0;
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(NULL, bytes, x, count, VALUES + 1, 0, (int)VALUES, (int)n, stream));
    if (bytes > SCRATCH_BYTES) {
        lab_skip("CUB wants %zu bytes of scratch", bytes);
        return;
    }
    CUDA_CHECK(
        cub::DeviceHistogram::HistogramEven(scratch, bytes, x, count, VALUES + 1, 0, (int)VALUES, (int)n, stream));
#endif
}

static const LabRung rungs[] = {
    {1, "global atomics", LAB_LAUNCH(Histogram, histogram1), LAB_U8, 0, 0},
    {2, "shared atomics", LAB_LAUNCH(Histogram, histogram2), LAB_U8, 0, 0},
    {3, "16 bytes, one grid", LAB_LAUNCH(Histogram, histogram3<1>), LAB_U8, 0, 0},
    {4, "one copy per warp", LAB_LAUNCH(Histogram, histogram3<THREADS / 32>), LAB_U8, 0, 0},
    {5, "one counter per thread", LAB_LAUNCH(Histogram, histogram5), LAB_U8, 0, 0},
    {6, "CUB", LAB_LAUNCH(Histogram, histogram_cub), LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    const size_t n = c->dim[0];
    if (n > INT32_MAX)
        return "n is at most 2^31 - 1: counters are ints";
    if (c->dim[1] > 100)
        return "percent is at most 100";
    lab_input(c, 0, n, LAB_U8);
    unsigned char *x = lab_h_in_u8(c, 0);
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = random_u64(c->seed, i);
        x[i] = random >> 32 & 0xff;
        if ((random & 0xffffffff) % 100 < c->dim[1])
            x[i] = 77;
    }
    lab_output(c, VALUES, LAB_S32);
    c->atol = c->rtol = 0;
    lab_scratch(c, SCRATCH_BYTES);
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (!(r->flags & LAB_VENDOR) || c->dim[0] == 0)
        CUDA_CHECK(cudaMemsetAsync(c->out, 0, VALUES * sizeof(int), c->stream));
    if (c->dim[0] > 0)
        ((Histogram *)r->launch)(lab_in_u8(c, 0), lab_out_s32(c), c->dim[0], c->scratch, c->stream);
}

static double bytes(const LabCase *c) { return (double)c->dim[0]; }
static double flops(const LabCase *c) { return (double)c->dim[0]; }

static const Lab lab = {
    .order = 11,
    .name = "histogram",
    .title = "many threads add to few places",
    .look = "Which threads share a counter? All (rung 1), a block's (2, 3), a warp's (4), or none (5).\n"
            "Sharing is cheap: an atomic addition in shared memory is one instruction, a counter of one's own\n"
            "takes three.",
    .dims = "n percent",
    .size = "268435456x0 268435456x50",
    .cpu_size = "1048576x0",
    .test_sizes = "0x0 1x0 31x0 32x100 257x0 4095x0 4096x50 65537x100 1000003x0 1000003x50",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = histogram_cpu,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
