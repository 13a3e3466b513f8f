/* Sum of n fp32 numbers: many threads, one answer.
 *
 * x is (n), the result one float. Reading x once is all the traffic there is: the ceiling is what the memory can read.
 * Rungs 1 to 4 leave one partial sum per block and are launched again on those until one is left. The order of the
 * additions differs from rung to rung, and so does the rounding: the lab prints each one's error.
 *
 *   rung                     idea                                                           ./run reduction --rung N
 *   1  interleaved           thread t adds element t + s, s = 1, 2, 4 ...: active threads are scattered over all warps
 *   2  sequential            s = 128, 64 ...: the active threads are the first s, whole warps go idle; no bank conflicts
 *   3  first add on load     half the threads of rung 2 never had an element; now each loads two and adds
 *   4  warp shuffles         the last five steps in registers, without shared memory or a barrier
 *   5  grid stride + atomics as many blocks as the GPU holds; a thread adds many elements; one atomicAdd per block
 *   6  last block finishes   one launch, no atomics on floats: the same sum every time
 *   7  8 float4 in flight    16-byte loads, several of them asked for before the first is used
 *   8  CUB                   NVIDIA's library, cub::DeviceReduce::Sum
 */
#include "ceil_div.cuh"
#include "bench.h"
#include "device.h"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef __CUCC__
#include <cub/device/device_reduce.cuh>
#endif

/* Partial sums, `floats` of them, and a counter that is zero before each launch and again after it. */
typedef struct Scratch {
    float *partial;
    size_t floats;
    unsigned *arrived;
} Scratch;
typedef void Sum(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream);

enum { THREADS = 256 };

/* Kahan's sum, in double: exact to the last bit of a float for any n here. */
static double sum_kahan(const float *x, size_t n)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        double y = x[i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static void sum_cpu(LabCase *c) { c->expect[0] = sum_kahan(lab_h_in_f32(c, 0), c->dim[0]); }

/* 1 */
__global__ void sum_kernel1(const float *x, float *partial, size_t n)
{
    __shared__ float s[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < THREADS; step *= 2) {
        if (t % (2 * step) == 0) /* every second, fourth, eighth thread: each warp stays busy with few lanes */
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

/* 2 */
__global__ void sum_kernel2(const float *x, float *partial, size_t n)
{
    __shared__ float s[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned step = THREADS / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

/* 3 */
__global__ void sum_kernel3(const float *x, float *partial, size_t n)
{
    __shared__ float s[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * (2 * THREADS) + t;
    s[t] = (i < n ? x[i] : 0) + (i + THREADS < n ? x[i + THREADS] : 0);
    __syncthreads();
    for (unsigned step = THREADS / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

/* The sum over a warp, in lane 0. */
__device__ static float warp_sum(float v)
{
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_down_sync(0xffffffffu, v, step);
    return v;
}

/* The sum over a block, in thread 0: each warp by shuffles, then the first warp over the warps' sums. `s` is shared,
 * one float per warp. */
__device__ static float block_sum(float v, float *s)
{
    unsigned t = threadIdx.x, warps = blockDim.x / 32;
    v = warp_sum(v);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    if (t < 32)
        v = warp_sum(t < warps ? s[t] : 0);
    return v;
}

/* 4 */
__global__ void sum_kernel4(const float *x, float *partial, size_t n)
{
    __shared__ float s[THREADS / 32];
    size_t i = (size_t)blockIdx.x * (2 * THREADS) + threadIdx.x;
    float v = (i < n ? x[i] : 0) + (i + THREADS < n ? x[i + THREADS] : 0);
    v = block_sum(v, s);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = v;
}

/* 5: the result must be zero before. Blocks arrive in any order, so the last bits may differ from run to run. */
__global__ void sum_kernel5(const float *x, float *sum, size_t n)
{
    __shared__ float s[THREADS / 32];
    size_t stride = (size_t)gridDim.x * THREADS;
    float v = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        v += x[i];
    v = block_sum(v, s);
    if (threadIdx.x == 0)
        atomicAdd(sum, v);
}

/* Thread 0 publishes the block's sum and takes a number; the block that takes the last adds up all of them. The fence
 * makes the partial sum visible before the number; atomicInc wraps to zero, ready for the next launch. */
__device__ static void last_block_finishes(float v, float *s, float *sum, float *partial, unsigned *arrived)
{
    __shared__ bool last;
    unsigned t = threadIdx.x;
    if (t == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) /* the same for the whole block */
        return;
    __threadfence();
    v = 0;
    for (unsigned i = t; i < gridDim.x; i += blockDim.x)
        v += ((volatile float *)partial)[i]; /* volatile: from L2, where the other blocks' stores are */
    v = block_sum(v, s);
    if (t == 0)
        *sum = v;
}

/* 6 */
__global__ void sum_kernel6(const float *x, float *sum, size_t n, float *partial, unsigned *arrived)
{
    __shared__ float s[THREADS / 32];
    size_t stride = (size_t)gridDim.x * THREADS;
    float v = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        v += x[i];
    v = block_sum(v, s);
    last_block_finishes(v, s, sum, partial, arrived);
}

/* 7: IN_FLIGHT accumulators of four: the additions of one do not wait for those of another. 512 threads with 128 bytes
 * each on their way and exactly as many blocks as fit the GPU at once: fewer leave the memory idle, more only queue. */
enum { IN_FLIGHT = 8, WIDE_THREADS = 512 };

__device__ static float add4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void __launch_bounds__(WIDE_THREADS)
    sum_kernel7(const float *x, float *sum, size_t n, float *partial, unsigned *arrived)
{
    __shared__ float s[WIDE_THREADS / 32];
    const float4 *x4 = (const float4 *)x;
    size_t n4 = n / 4, chunk = (size_t)WIDE_THREADS * IN_FLIGHT, chunks = n4 / chunk, t = threadIdx.x;
    float v = 0;
    float4 sums[IN_FLIGHT] = {};
    for (size_t b = blockIdx.x; b < chunks; b += gridDim.x) {
        float4 loaded[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++)
            loaded[i] = x4[b * chunk + i * WIDE_THREADS + t];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++) {
            sums[i].x += loaded[i].x;
            sums[i].y += loaded[i].y;
            sums[i].z += loaded[i].z;
            sums[i].w += loaded[i].w;
        }
    }
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++)
        v += add4(sums[i]);
    /* what is left over: less than a chunk of float4, and up to three floats */
    size_t first = chunks * chunk * 4, stride = (size_t)gridDim.x * WIDE_THREADS;
    for (size_t i = first + (size_t)blockIdx.x * WIDE_THREADS + t; i < n; i += stride)
        v += x[i];
    v = block_sum(v, s);
    last_block_finishes(v, s, sum, partial, arrived);
}

/* ---- launchers ------------------------------------------------------------------------------------------------- */

static int resident_blocks(void)
{
    int sms = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    return sms * (2048 / THREADS);
}

/* Room for the partial sums of the first pass and of the second, and for what CUB asks. */
static size_t scratch_floats(size_t n) { return 2 * (ceil_div(n, THREADS) + 1) + 65536; }

/* Launches `kernel` on x, then on the partial sums, to and fro, until one number is left. */
static void passes(void (*kernel)(const float *, float *, size_t), size_t per_block, const float *x, float *sum,
                   size_t n, const Scratch *scratch, cudaStream_t stream)
{
    float *half[2] = {scratch->partial, scratch->partial + ceil_div(n, THREADS) + 1};
    for (int pass = 0;; pass ^= 1) {
        size_t blocks = n ? ceil_div(n, per_block) : 1; /* the sum of nothing is 0, and one block must write it */
        float *to = blocks == 1 ? sum : half[pass];
        kernel<<<(unsigned)blocks, THREADS, 0, stream>>>(x, to, n);
        if (blocks == 1)
            return;
        x = to;
        n = blocks;
    }
}

static void sum1(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    passes(sum_kernel1, THREADS, x, sum, n, scratch, stream);
}
static void sum2(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    passes(sum_kernel2, THREADS, x, sum, n, scratch, stream);
}
static void sum3(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    passes(sum_kernel3, 2 * THREADS, x, sum, n, scratch, stream);
}
static void sum4(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    passes(sum_kernel4, 2 * THREADS, x, sum, n, scratch, stream);
}

/* Blocks of a grid-stride kernel: enough for `per_block` elements each, but no more than fit the GPU at once. */
static unsigned stride_blocks(size_t n, size_t per_block)
{
    size_t wanted = ceil_div(n, per_block), most = (size_t)resident_blocks();
    return (unsigned)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

static void sum5(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    (void)scratch;
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
    sum_kernel5<<<stride_blocks(n, THREADS), THREADS, 0, stream>>>(x, sum, n);
}

static void sum6(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    sum_kernel6<<<stride_blocks(n, THREADS), THREADS, 0, stream>>>(x, sum, n, scratch->partial, scratch->arrived);
}

static void sum7(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
    static int resident; /* asked once: it depends on the registers the compiler gave the kernel */
    if (!resident) {
        int sms = 0, each = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sum_kernel7, WIDE_THREADS, 0));
        resident = sms * each;
    }
    size_t wanted = ceil_div(n, (size_t)WIDE_THREADS * 4 * IN_FLIGHT);
    unsigned blocks = wanted < 1 ? 1 : wanted < (size_t)resident ? (unsigned)wanted : (unsigned)resident;
    sum_kernel7<<<blocks, WIDE_THREADS, 0, stream>>>(x, sum, n, scratch->partial, scratch->arrived);
}

static void sum_cub(const float *x, float *sum, size_t n, const Scratch *scratch, cudaStream_t stream)
{
#ifdef __CUCC__
    (void)x, (void)sum, (void)n, (void)scratch, (void)stream;
    lab_skip("CUB comes with the CUDA Toolkit");
#else
    size_t bytes = 0; /* the first call only says how much scratch it wants */
    CUDA_CHECK(cub::DeviceReduce::Sum(NULL, bytes, x, sum, n, stream));
    if (bytes > scratch->floats * sizeof(float)) {
        lab_skip("CUB wants %zu bytes of scratch", bytes);
        return;
    }
    CUDA_CHECK(cub::DeviceReduce::Sum(scratch->partial, bytes, x, sum, n, stream));
#endif
}

static const LabRung rungs[] = {
    {1, "interleaved", LAB_LAUNCH(Sum, sum1), LAB_F32, 0, 0},
    {2, "sequential", LAB_LAUNCH(Sum, sum2), LAB_F32, 0, 0},
    {3, "first add on load", LAB_LAUNCH(Sum, sum3), LAB_F32, 0, 0},
    {4, "warp shuffles", LAB_LAUNCH(Sum, sum4), LAB_F32, 0, 0},
    {5, "grid stride + atomics", LAB_LAUNCH(Sum, sum5), LAB_F32, 0, 0},
    {6, "last block finishes", LAB_LAUNCH(Sum, sum6), LAB_F32, 0, 0},
    {7, "8 float4 in flight", LAB_LAUNCH(Sum, sum7), LAB_F32, 0, 0},
    {8, "CUB", LAB_LAUNCH(Sum, sum_cub), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0];
    if (n > (size_t)INT32_MAX * THREADS)
        return "n is at most 2^31 blocks of 256";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, 1, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    /* Rounding errors of partial sums add up like a random walk; one lost element of average size still shows. */
    c->atol = 8e-6 * sqrt((double)n + 1);
    c->rtol = 1e-6;
    Scratch *scratch = (Scratch *)malloc(sizeof *scratch);
    scratch->floats = scratch_floats(n);
    scratch->partial = (float *)lab_scratch(c, (scratch->floats + 1) * sizeof(float));
    scratch->arrived = (unsigned *)(scratch->partial + scratch->floats);
    CUDA_CHECK(cudaMemset(scratch->arrived, 0, sizeof(unsigned)));
    c->user = scratch;
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

static void run(const LabRung *r, LabCase *c)
{
    ((Sum *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), c->dim[0], (const Scratch *)c->user, c->stream);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0]; }
static double flops(const LabCase *c) { return (double)c->dim[0]; }

/* ---- the ceiling, and the rounding ----------------------------------------------------------------------------- */

/* Reads all of x and throws it away: nothing is added across threads, so this is no sum. A block for each chunk, which
 * comes and goes: of the shapes tried (persistent blocks, 2 to 8 loads, 128 to 1024 threads) the fastest reader. n is a
 * multiple of the chunk. */
enum { READ_CHUNK = THREADS * 4 };

__global__ void __launch_bounds__(THREADS) read_kernel(const float4 *x, float *never)
{
    const float4 *from = x + (size_t)blockIdx.x * READ_CHUNK + threadIdx.x;
    float4 loaded[4];
    float v = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        loaded[i] = from[i * THREADS];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v += add4(loaded[i]);
    if (v == FLT_MAX) /* it never is, but the compiler cannot know, and keeps the loads */
        *never = v;
}

typedef struct Subject {
    const char *name;
    Sum *launch; /* NULL: the read alone */
    const float *x;
    float *sum;
    size_t n;
    const Scratch *scratch;
} Subject;

static void run_subject(void *context)
{
    const Subject *s = (const Subject *)context;
    if (s->launch)
        s->launch(s->x, s->sum, s->n, s->scratch, 0);
    else
        read_kernel<<<(unsigned)(s->n / 4 / READ_CHUNK), THREADS>>>((const float4 *)s->x, s->sum);
    CUDA_CHECK(cudaGetLastError());
}

static void error_row(Table *t, const char *who, double sum, double kahan)
{
    table_cell(t, "%s", who);
    table_cell(t, "%.9g", sum);
    table_cell(t, "%.2g", sum - kahan);
}

/* Every rung's error, against Kahan's sum in double: it should round no worse than one loop does. Returns
 * how many do not. */
static int show_errors(const float *h_x, const float *d_x, float *d_sum, size_t n, const Scratch *scratch)
{
    double kahan = sum_kahan(h_x, n), plain = 0;
    float naive = 0;
    for (size_t i = 0; i < n; i++) {
        naive += h_x[i];
        plain += h_x[i];
    }
    printf("\n    n = %zu: the sum is %.9g (Kahan's sum in double); each order of additions rounds differently\n", n,
           kahan);
    Table *t = table_new("who|>sum|>error");
    error_row(t, "one loop on the host, fp32", naive, kahan);
    error_row(t, "one loop on the host, double", plain, kahan);
    int wrong = 0;
    for (int i = 0; i < LAB_COUNT(rungs); i++) {
        char who[64];
        float sum = NAN;
        if (device_is_cpu() && (rungs[i].flags & LAB_CUDA_ONLY))
            continue;
        CUDA_CHECK(cudaMemcpy(d_sum, &sum, sizeof sum, cudaMemcpyHostToDevice));
        ((Sum *)rungs[i].launch)(d_x, d_sum, n, scratch, 0);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
        snprintf(who, sizeof who, "rung %d, %s", rungs[i].number, rungs[i].name);
        error_row(t, who, sum, kahan);
        wrong += lab_claim(fabs(sum - kahan) <= fabs(naive - kahan) + 1e-6 * sqrt((double)n),
                           "rung %d rounds no worse than one loop does", rungs[i].number);
    }
    table_print(t, stdout, 4);
    table_free(t);
    return wrong;
}

/* The best rungs against a kernel that only reads. */
static void show_read(const LabOptions *o, const float *d_x, float *d_sum, size_t n, const Scratch *scratch)
{
    Subject subjects[] = {
        {"read alone (the ceiling)", NULL, d_x, d_sum, n, scratch},
        {"8 float4 in flight", sum7, d_x, d_sum, n, scratch},
        {"CUB", sum_cub, d_x, d_sum, n, scratch},
    };
    BenchOptions bo = lab_bench_options(0);
    int count = device_is_cpu() ? 2 : 3;
    double *samples[3];
    BenchSubject bs[3];
    for (int i = 0; i < count; i++) {
        samples[i] = (double *)malloc(sizeof(double) * (size_t)bo.rounds);
        bs[i] = BenchSubject{run_subject, &subjects[i], samples[i], 0};
    }
    bench(bs, count, &bo);
    printf("\n    against a kernel that only reads, side by side%s\n", device_is_cpu() ? " (this CPU's times)" : "");
    Table *t = table_new("who|>time|>GB/s|>of the read");
    FILE *csv = side_csv(o, "read", "name,size,mode,runs,time_ms,gbps,of_read");
    for (int i = 0; i < count; i++) {
        char ms[32];
        double median = stats_of(samples[i], bs[i].runs).median,
               of_read = stats_of(samples[0], bs[0].runs).median / median;
        table_cell(t, "%s", subjects[i].name);
        table_cell(t, "%s", format_ms(median, ms));
        table_cell(t, "%.4g", 4e-6 * (double)n / median);
        table_cell(t, "%.3f", of_read);
        if (csv)
            fprintf(csv, "%s,%zu,%s,%d,%.6g,%.5g,%.4f\n", subjects[i].name, n, lab_mode(), bs[i].runs, median,
                    4e-6 * (double)n / median, of_read);
    }
    for (int i = 0; i < count; i++)
        free(samples[i]);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
}

static int show(const LabOptions *o)
{
    if (lab_brief())
        return 0;
    size_t n = device_is_cpu() || o->small ? (size_t)1 << 20 : (size_t)1 << 28;
    float *h_x = (float *)malloc(n * sizeof(float)), *d_x, *d_sum;
    for (size_t i = 0; i < n; i++)
        h_x[i] = (float)(2 * random_uniform(o->seed, i) - 1);
    Scratch scratch;
    scratch.floats = scratch_floats(n);
    CUDA_CHECK(cudaMalloc((void **)&d_x, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&d_sum, sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&scratch.partial, (scratch.floats + 1) * sizeof(float)));
    scratch.arrived = (unsigned *)(scratch.partial + scratch.floats);
    CUDA_CHECK(cudaMemset(scratch.arrived, 0, sizeof(unsigned)));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
    const int wrong = show_errors(h_x, d_x, d_sum, n, &scratch);
    if (!o->verify_only)
        show_read(o, d_x, d_sum, n, &scratch);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_sum));
    CUDA_CHECK(cudaFree(scratch.partial));
    free(h_x);
    return wrong;
}

static const Lab lab = {
    .order = 4,
    .name = "reduction",
    .title = "many threads, one answer",
    .look = "Rungs 1 to 4 differ in which threads add. Rungs 5 to 7 differ in how many bytes are in flight\n"
            "at once, and end at the speed at which the memory can be read.",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "0 1 31 32 33 255 256 257 511 513 8191 8192 8193 32771 1000003",
    .sweep = "16777216:268435456:16777216",
    .cpu_sweep = "65536:1048576:65536",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = sum_cpu,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};
LAB_MAIN(lab)
