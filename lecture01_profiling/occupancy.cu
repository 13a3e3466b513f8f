/* occupancy.cu: y = x * x on N floats, by as many blocks as the multiprocessors hold at once. What is gained
 * by filling a multiprocessor with threads, what fills it, and when does it not matter?
 *
 * A thread that has asked the memory for a number waits for it some hundred nanoseconds. In that time only other
 * requests keep the memory busy. Little's law says how many bytes must be in flight: bytes per second x seconds of
 * latency. Occupancy, the resident warps over the 64 that a multiprocessor can hold, is one factor of them; the loads
 * that each thread has issued before it needs the first is the other.
 *
 *   1 blocks of one warp     32 threads per block: a multiprocessor holds 32 blocks, so 32 warps. Predicted half of
 *                            rung 2; 0.70 of it on an H200, whose memory answers faster when it has less to do
 *   2 blocks of 256          8 blocks of 8 warps: occupancy 1, and 0.72 of a copy
 *   3 96 KB shared memory    rung 2, each block with shared memory that it does not use: 2 blocks fit. Predicted a
 *                            quarter; 0.41
 *   4 four loads             rung 3, each thread asks for four numbers before it uses the first. Predicted rung 2's
 *                            speed; 0.89
 *   5 four loads, full       the same without the shared memory: 0.88 of a copy, which only wider loads reach
 *   6 64 loads               80 registers, so that 3 blocks fit; hardly anything is lost: more bytes are in flight
 *   7 registers capped       rung 6 with __launch_bounds__(256, 8): occupancy 1 again, and 64 numbers in 32 registers:
 *                            the rest goes through local memory, which nearly doubles the time
 *   8 block size by the API  rung 5 with 1024, which cudaOccupancyMaxPotentialBlockSize proposes: the same
 *
 * A thread walks over x in steps of the whole grid; x and y may overlap as far as the compiler knows, so no load moves
 * up over the store before it, and LOADS is how many loads a thread has in flight.
 */
#include "device.h"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

static void square_cpu(size_t n, const float *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (double)x[i] * x[i];
}

// notes: square
template <int LOADS> static __device__ void square(const float *x, float *y, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (LOADS - 1) * threads < n; i += LOADS * threads) {
        float a[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) // all these loads are in flight ...
            a[k] = x[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) // ... before the first is waited for
            y[i + k * threads] = a[k] * a[k];
    }
    for (; i < n; i += threads)
        y[i] = x[i] * x[i];
}
// notes end

template <int LOADS> __global__ void square_kernel1(const float *x, float *y, size_t n) { square<LOADS>(x, y, n); }

/* At most as many registers as 8 such blocks leave each thread: 65536 / (8 * 256) = 32. */
template <int LOADS> __global__ void __launch_bounds__(256, 8) square_kernel7(const float *x, float *y, size_t n)
{
    square<LOADS>(x, y, n);
}

typedef void Kernel(const float *x, float *y, size_t n);

/* How a rung is launched. `threads` 0 means what cudaOccupancyMaxPotentialBlockSize proposes. */
typedef struct Way {
    Kernel *kernel;
    int loads, threads;
    size_t shared_bytes;
} Way;

enum { SHARED = 96 << 10 };

static const Way ways[] = {
    {square_kernel1<1>, 1, 32, 0},       {square_kernel1<1>, 1, 256, 0}, {square_kernel1<1>, 1, 256, SHARED},
    {square_kernel1<4>, 4, 256, SHARED}, {square_kernel1<4>, 4, 256, 0}, {square_kernel1<64>, 64, 256, 0},
    {square_kernel7<64>, 64, 256, 0},    {square_kernel1<4>, 4, 0, 0},
};

static size_t most_shared(void)
{
    int bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return (size_t)bytes;
}

// notes: resident
/* How many blocks of the kernel one multiprocessor holds, with `threads` threads and `shared_bytes` of dynamic shared
 * memory each. */
static int resident_blocks(Kernel *kernel, int threads, size_t shared_bytes)
{
    int blocks = 0;
    if (shared_bytes > 48 << 10) /* more than the default must be requested */
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most_shared()));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    return blocks;
}

/* The block that holds the most threads on each multiprocessor. */
static int proposed_threads(Kernel *kernel)
{
    int grid = 0, threads = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, kernel, 0, 0));
    return threads;
}
// notes end

static int threads_of(const Way *w) { return w->threads ? w->threads : proposed_threads(w->kernel); }

/* A rung's launch: one full wave, every block resident from the beginning to the end. Found once, because the API's
 * answer takes longer than a launch. `grid` is 0 where a block cannot have so much shared memory. */
typedef struct Wave {
    unsigned grid, threads;
} Wave;

static Wave wave_of(const Way *w)
{
    if (w->shared_bytes > most_shared())
        return {0, 0};
    int threads = threads_of(w), blocks = resident_blocks(w->kernel, threads, w->shared_bytes);
    return {(unsigned)(blocks * device_multiprocessors()), (unsigned)threads};
}

static const LabRung rungs[] = {
    {1, "blocks of one warp", NULL, LAB_F32, 0, 0},  {2, "blocks of 256", NULL, LAB_F32, 0, 1},
    {3, "96 KB shared memory", NULL, LAB_F32, 0, 2}, {4, "four loads", NULL, LAB_F32, 0, 3},
    {5, "four loads, full", NULL, LAB_F32, 0, 4},    {6, "64 loads", NULL, LAB_F32, 0, 5},
    {7, "registers capped", NULL, LAB_F32, 0, 6},    {8, "block size by the API", NULL, LAB_F32, 0, 7},
};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0];
    if (n == 0)
        return "N must be at least 1";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    lab_fill_uniform(c, 0, -3, 3);
    Wave *waves = (Wave *)calloc(LAB_COUNT(ways), sizeof *waves);
    for (int i = 0; i < LAB_COUNT(ways); i++)
        waves[i] = wave_of(&ways[i]);
    c->user = waves;
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

static void reference(LabCase *c) { square_cpu(c->out_count, lab_h_in_f32(c, 0), c->expect); }

static void run(const LabRung *r, LabCase *c)
{
    const Way *w = &ways[r->variant];
    const Wave wave = ((const Wave *)c->user)[r->variant];
    if (wave.grid)
        w->kernel<<<wave.grid, wave.threads, w->shared_bytes, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c),
                                                                           c->out_count);
    else
        lab_skip("a block has at most %zu KB of shared memory here", most_shared() >> 10);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

/* ---- what limits each rung: the same by arithmetic and by the API ------------------------------------------------ */

typedef struct Limits {
    int warps, blocks, registers, shared; /* blocks that each of them alone would allow */
} Limits;

static int round_up(int n, int to) { return (n + to - 1) / to * to; }

// notes: limits
static Limits limits_of(const cudaDeviceProp *p, int threads, int registers, size_t shared_bytes)
{
    int warps = (threads + 31) / 32, none = 1 << 20;
    int block_shared = (int)(shared_bytes + p->reservedSharedMemPerBlock);
    int warp_registers = round_up(32 * registers, 256); /* a warp's registers are handed out in units of 256 */
    Limits l;
    l.warps = p->maxThreadsPerMultiProcessor / 32 / warps;
    l.blocks = p->maxBlocksPerMultiProcessor;
    /* The register file is four parts, and a warp lives in one of them. */
    l.registers = registers ? p->regsPerMultiprocessor / 4 / warp_registers * 4 / warps : none;
    l.shared = block_shared ? (int)p->sharedMemPerMultiprocessor / round_up(block_shared, 128) : none;
    return l;
}
// notes end

static int least(const Limits *l, const char **which)
{
    int least = l->warps;
    *which = "threads";
    if (l->blocks < least)
        least = l->blocks, *which = "number of blocks";
    if (l->registers < least)
        least = l->registers, *which = "registers";
    if (l->shared < least)
        least = l->shared, *which = "shared memory";
    return least;
}

static int show_limits(const LabOptions *o, const cudaDeviceProp *p)
{
    Table *t = table_new("rung|>threads|>registers|>shared KB|>blocks|limited by|>occupancy|>KB in flight");
    int failed = 0;
    for (int i = 0; i < LAB_COUNT(rungs); i++) {
        const Way *w = &ways[i];
        if (w->shared_bytes > most_shared())
            continue;
        int threads = threads_of(w), blocks = resident_blocks(w->kernel, threads, w->shared_bytes);
        cudaFuncAttributes a;
        CUDA_CHECK(cudaFuncGetAttributes(&a, w->kernel));
        Limits l = limits_of(p, threads, a.numRegs, w->shared_bytes);
        const char *which;
        int predicted = least(&l, &which);
        failed += lab_claim(predicted == blocks, "rung %d: %d blocks by arithmetic, %d by the API", rungs[i].number,
                            predicted, blocks);
        table_cell(t, "%d", rungs[i].number);
        table_cell(t, "%d", threads);
        if (a.numRegs)
            table_cell(t, "%d", a.numRegs);
        else
            table_cell(t, "%s", "");
        table_cell(t, "%zu", w->shared_bytes >> 10);
        table_cell(t, "%d", blocks);
        table_cell(t, "%s", which);
        table_cell(t, "%.2f", (double)(blocks * threads) / p->maxThreadsPerMultiProcessor);
        table_cell(t, "%.1f", (double)(blocks * threads * w->loads) * 4 / 1024);
    }
    printf("\n    on one multiprocessor: what the API counts, and what limits it%s\n\n",
           device_is_cpu() ? " (registers are nvcc's to count)" : "");
    table_print(t, stdout, 4);
    side_table(o, "limits", t);
    table_free(t);
    return failed;
}

/* ---- Little's law, measured: fewer and fewer resident blocks ------------------------------------------------------
 * */

typedef struct Point {
    Way way;
    int blocks;
    const float *x;
    float *y;
    size_t n;
    cudaStream_t stream;
    double *samples;
} Point;

static void run_point(void *context)
{
    const Point *p = (const Point *)context;
    unsigned grid = (unsigned)(p->blocks * device_multiprocessors());
    p->way.kernel<<<grid, p->way.threads, p->way.shared_bytes, p->stream>>>(p->x, p->y, p->n);
    CUDA_CHECK(cudaGetLastError());
}

/* `blocks` blocks of 256 threads on each multiprocessor and no more: each has so much shared memory that no other fits.
 * */
static Point residency(Kernel *kernel, int loads, int blocks, const cudaDeviceProp *p)
{
    size_t each = (p->sharedMemPerMultiprocessor / (size_t)blocks - p->reservedSharedMemPerBlock) / 128 * 128;
    return {{kernel, loads, 256, each < most_shared() ? each : most_shared()}, blocks, NULL, NULL, 0, NULL, NULL};
}

/* What cudaOccupancyAvailableDynamicSMemPerBlock says: the dynamic shared memory that each of so many blocks may have.
 * */
static size_t offered(const Point *p)
{
    size_t bytes = 0;
    CUDA_CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, p->way.kernel, p->blocks, p->way.threads));
    return bytes;
}

static int show_residency(const LabOptions *o, const cudaDeviceProp *p)
{
    static const int blocks[] = {1, 2, 3, 4, 6, 8}, loads[] = {1, 2, 4, 8};
    Kernel *const kernels[] = {square_kernel1<1>, square_kernel1<2>, square_kernel1<4>, square_kernel1<8>};
    enum { B = LAB_COUNT(blocks), L = LAB_COUNT(loads) };
    Point point[B * L];
    BenchSubject subjects[B * L];
    BenchOptions bench_options = lab_bench_options(0);
    size_t n = (size_t)1 << 28;
    float *x, *y;
    int failed = 0, timed = !o->verify_only && !device_is_cpu();
    for (int i = 0; i < B * L; i++) {
        point[i] = residency(kernels[i % L], loads[i % L], blocks[i / L], p);
        int got = resident_blocks(point[i].way.kernel, 256, point[i].way.shared_bytes);
        failed += lab_claim(got == blocks[i / L], "%zu bytes of shared memory leave room for %d blocks, not %d",
                            point[i].way.shared_bytes, blocks[i / L], got);
    }
    if (!timed || failed)
        return failed;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof *x));
    CUDA_CHECK(cudaMalloc(&y, n * sizeof *y));
    CUDA_CHECK(cudaMemset(x, 0x3f, n * sizeof *x));
    for (int i = 0; i < B * L; i++) {
        point[i].x = x, point[i].y = y, point[i].n = n;
        point[i].samples = (double *)calloc((size_t)bench_options.rounds, sizeof(double));
        subjects[i] = (BenchSubject){run_point, &point[i], point[i].samples, 0};
    }
    bench(subjects, B * L, &bench_options);
    Table *t =
        table_new(">blocks|>shared bytes|>offered bytes|>loads|>occupancy|>KB in flight|>GB/s|>latency by Little ns");
    for (int i = 0; i < B * L; i++) {
        double gbps = 8.0 * (double)n / stats_of(point[i].samples, subjects[i].runs).median * 1e-6;
        double in_flight = (double)(point[i].blocks * 256 * point[i].way.loads) * 4;
        table_cell(t, "%d", point[i].blocks);
        table_cell(t, "%zu", point[i].way.shared_bytes);
        table_cell(t, "%zu", offered(&point[i]));
        table_cell(t, "%d", point[i].way.loads);
        table_cell(t, "%.3f", point[i].blocks * 256.0 / p->maxThreadsPerMultiProcessor);
        table_cell(t, "%.0f", in_flight / 1024);
        table_cell(t, "%.0f", gbps);
        table_cell(t, "%.0f", in_flight * device_multiprocessors() / (gbps / 2)); /* half of the bytes are loads */
        free(point[i].samples);
    }
    printf("\n    1 to 8 blocks of 256 threads on each multiprocessor\n\n");
    table_print(t, stdout, 4);
    side_table(o, "residency", t);
    table_free(t);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    return failed;
}

static int show(const LabOptions *o)
{
    cudaDeviceProp p;
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    return show_limits(o, &p) + show_residency(o, &p);
}

static const Lab occupancy = {
    .order = 7,
    .name = "occupancy",
    .title = "how many threads are resident, and when that matters",
    .page = "ncu.md",
    .look = "Rungs 2 and 4 have equally many bytes in flight, one with four times as many threads. Compare their\n"
            "speeds on a GPU. The second table says what limits the number of resident blocks in each rung.",
    .dims = "N",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 31 32 33 257 65537",
    .sweep = "16777216:268435456:16777216",
    .cpu_sweep = "65536:1048576:65536",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(occupancy)
