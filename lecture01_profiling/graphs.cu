/* graphs.cu: K steps of smoothing on a ring of N floats, y[i] = (x[i-1] + 2 x[i] + x[i+1]) / 4, each step a kernel that
 * needs the whole result of the one before. Small steps take less time than it takes to launch them: what is a launch,
 * and who waits for whom?
 *
 *   1 wait after each   cudaStreamSynchronize after every launch: the host launches, waits, wakes, launches. On an
 *                       H200 10.7 us per step of 65536 floats
 *   2 one stream        the stream keeps the order, so no wait is needed; the host still makes K calls: 3.6 us per step
 *   3 a graph           the K launches are recorded once and launched with one call. Predicted: the host's share is
 *                       gone, the gap between one kernel's end and the next one's beginning is left. 1.1 us, with
 *                       hardly any gap
 *   4 PDL               rung 2 with programmatic dependent launch: the next grid is set up while the one before it
 *                       runs, and cudaGridDependencySynchronize() waits where the data are needed. Predicted: no gain
 *                       where the host is the limit. 1.2 to 2.4 us, as the host happened to keep up
 *   5 a graph with PDL  rung 4 recorded: no host, and kernels that overlap: 0.8 us per step
 *   6 one kernel        all blocks resident, and grid.sync() between the steps: no launch at all. 1.3 us, slower than
 *                       rung 3; on 2^24 floats the fastest, where PDL is the slowest
 *
 * Rungs 4 and 5 need compute capability 9.0 and CUDA 12.3.
 */
#include <cooperative_groups.h>

#include "device.h"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

enum { BLOCK = 256 };

static unsigned blocks(int n) { return (unsigned)((n + BLOCK - 1) / BLOCK); }

static __device__ float smooth(const float *x, int i, int n)
{
    return 0.25f * x[i ? i - 1 : n - 1] + 0.5f * x[i] + 0.25f * x[i + 1 < n ? i + 1 : 0];
}

__global__ void smooth_kernel1(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = smooth(x, i, n);
}

__global__ void smooth_kernel4(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); // as far as this block is concerned, the next grid may be set up
    cudaGridDependencySynchronize();           // the previous grid has ended, and its writes can be read
#endif
    if (i < n)
        y[i] = smooth(x, i, n);
}

/* a and b take turns; the last step writes to b if `steps` is odd. */
__global__ void smooth_kernel6(const float *x, float *a, float *b, int n, int steps)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int step = 0; step < steps; step++) {
        float *to = step % 2 ? a : b;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            to[i] = smooth(x, i, n);
        x = to;
        grid.sync();
    }
}

/* One chain: `steps` steps from `x` to `out` by way of `other`; n floats each, on the device. */
typedef struct Chain {
    const float *x;
    float *out, *other;
    int n, steps;
} Chain;

/* Where step k of the chain writes: the last one to `out`. */
static float *target(const Chain *c, int step) { return (c->steps - step) % 2 ? c->out : c->other; }
static const float *source(const Chain *c, int step) { return step ? target(c, step - 1) : c->x; }

// notes: waits
static void chain1(const Chain *c, cudaStream_t stream)
{
    for (int step = 0; step < c->steps; step++) {
        smooth_kernel1<<<blocks(c->n), BLOCK, 0, stream>>>(source(c, step), target(c, step), c->n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaStreamSynchronize(stream));
    }
}
// notes end

static void chain2(const Chain *c, cudaStream_t stream)
{
    for (int step = 0; step < c->steps; step++)
        smooth_kernel1<<<blocks(c->n), BLOCK, 0, stream>>>(source(c, step), target(c, step), c->n);
    CUDA_CHECK(cudaGetLastError());
}

// notes: pdl
static void chain4(const Chain *c, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks(c->n));
    config.blockDim = dim3(BLOCK);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    for (int step = 0; step < c->steps; step++)
        CUDA_CHECK(cudaLaunchKernelEx(&config, smooth_kernel4, source(c, step), target(c, step), c->n));
}
// notes end

static void chain6(const Chain *c, cudaStream_t stream)
{
    int each = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, smooth_kernel6, BLOCK, 0));
    unsigned resident = (unsigned)(each * device_multiprocessors()), wanted = blocks(c->n);
    Chain chain = *c;
    float *a = chain.steps % 2 ? chain.other : chain.out, *b = chain.steps % 2 ? chain.out : chain.other;
    void *arguments[] = {&chain.x, &a, &b, &chain.n, &chain.steps};
    dim3 grid(wanted < resident ? wanted : resident);
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_kernel6, grid, dim3(BLOCK), arguments, 0, stream));
}

typedef void Steps(const Chain *c, cudaStream_t stream);

// notes: capture
/* What `steps` launches, recorded instead of run. */
static cudaGraphExec_t recorded(Steps *steps, const Chain *c)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    steps(c, stream); // nothing runs: each launch becomes a node
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
    return runnable;
}
// notes end

static const LabRung rungs[] = {
    {1, "wait after each", LAB_LAUNCH(Steps, chain1)},  {2, "one stream", LAB_LAUNCH(Steps, chain2)},
    {3, "a graph", LAB_LAUNCH(Steps, chain2)},          {4, "PDL", LAB_LAUNCH(Steps, chain4)},
    {5, "a graph with PDL", LAB_LAUNCH(Steps, chain4)}, {6, "one kernel", LAB_LAUNCH(Steps, chain6)},
};

/* The graphs of rungs 3 and 5, made at the first run of each. */
typedef struct Graphs {
    cudaGraphExec_t of[LAB_COUNT(rungs) + 1];
} Graphs;

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0], steps = c->dim[1];
    if (n == 0 || steps == 0)
        return "N and K must be at least 1";
    if (n > 1 << 30 || steps > 1 << 20)
        return "at most 2^30 numbers and 2^20 steps";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    lab_scratch(c, n * sizeof(float));
    lab_fill_uniform(c, 0, -1, 1);
    c->user = calloc(1, sizeof(Graphs));
    c->atol = 1e-6 * (double)(1 + steps / 16); /* three roundings per step of numbers below 1 */
    return NULL;
}

static void teardown(LabCase *c)
{
    Graphs *graphs = (Graphs *)c->user;
    for (int i = 0; i < LAB_COUNT(graphs->of); i++)
        if (graphs->of[i])
            CUDA_CHECK(cudaGraphExecDestroy(graphs->of[i]));
    free(graphs);
}

static void reference(LabCase *c)
{
    size_t n = c->dim[0];
    double *from = (double *)malloc(n * sizeof *from);
    for (size_t i = 0; i < n; i++)
        c->expect[i] = lab_h_in_f32(c, 0)[i];
    for (size_t step = 0; step < c->dim[1]; step++) {
        memcpy(from, c->expect, n * sizeof *from);
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
            c->expect[i] = 0.25 * from[i ? i - 1 : n - 1] + 0.5 * from[i] + 0.25 * from[i + 1 < n ? i + 1 : 0];
    }
    free(from);
}

static int too_old(const LabRung *r) { return (r->number == 4 || r->number == 5) && device_capability() < 90; }

static void run(const LabRung *r, LabCase *c)
{
    Chain chain = {lab_in_f32(c, 0), lab_out_f32(c), (float *)c->scratch, (int)c->dim[0], (int)c->dim[1]};
    if (too_old(r)) {
        lab_skip("programmatic dependent launch needs compute capability 9.0");
        return;
    }
    if (r->number != 3 && r->number != 5) {
        ((Steps *)r->launch)(&chain, c->stream);
        return;
    }
    cudaGraphExec_t *graph = &((Graphs *)c->user)->of[r->number];
    if (!*graph)
        *graph = recorded((Steps *)r->launch, &chain);
    CUDA_CHECK(cudaGraphLaunch(*graph, c->stream));
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count * (double)c->dim[1]; }

/* ---- what a launch costs, on the host's side and on the device's ------------------------------------------------- */

enum { SHOW_N = 65536, RUNS = 21 };

typedef struct Timed {
    Steps *steps;
    cudaGraphExec_t graph; /* NULL: call steps */
    Chain chain;
    cudaStream_t stream;
} Timed;

static void run_timed(void *context)
{
    const Timed *t = (const Timed *)context;
    if (t->graph)
        CUDA_CHECK(cudaGraphLaunch(t->graph, t->stream));
    else
        t->steps(&t->chain, t->stream);
}

/* ms until the call returns (`host`) and until the work is done, medians. The device is idle before each. */
static void host_and_all(Timed *t, double *host, double *all)
{
    double returned[RUNS], done[RUNS];
    run_timed(t);
    CUDA_CHECK(cudaStreamSynchronize(t->stream));
    for (int i = 0; i < RUNS; i++) {
        double t0 = bench_host_ms();
        run_timed(t);
        returned[i] = bench_host_ms() - t0;
        CUDA_CHECK(cudaStreamSynchronize(t->stream));
        done[i] = bench_host_ms() - t0;
    }
    *host = stats_of(returned, RUNS).median;
    *all = stats_of(done, RUNS).median;
}

static void row(Table *t, const char *name, Timed *timed)
{
    double host, all, steps = timed->chain.steps;
    host_and_all(timed, &host, &all);
    table_cell(t, "%s", name);
    table_cell(t, "%d", timed->chain.steps);
    table_cell(t, "%.2f", 1e3 * host);
    table_cell(t, "%.2f", 1e3 * all);
    table_cell(t, "%.2f", 1e3 * all / steps);
}

static int show(const LabOptions *o)
{
    static const int steps[] = {1, 16, 256};
    if (o->verify_only)
        return 0;
    int pdl = device_capability() >= 90;
    float *buffer[3];
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < 3; i++) {
        CUDA_CHECK(cudaMalloc(&buffer[i], SHOW_N * sizeof(float)));
        CUDA_CHECK(cudaMemset(buffer[i], 0, SHOW_N * sizeof(float)));
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    Table *t = table_new("launched|>kernels|>call returns us|>all done us|>us per kernel");
    double record_ms = 0;
    for (int i = 0; i < LAB_COUNT(steps) - device_is_cpu(); i++) {
        Timed timed = {chain1, NULL, {buffer[0], buffer[1], buffer[2], SHOW_N, steps[i]}, stream};
        row(t, "wait after each", &timed);
        timed.steps = chain2;
        row(t, "one stream", &timed);
        double t0 = bench_host_ms();
        timed.graph = recorded(chain2, &timed.chain);
        record_ms = bench_host_ms() - t0;
        row(t, "a graph", &timed);
        CUDA_CHECK(cudaGraphExecDestroy(timed.graph));
        if (pdl) {
            timed.graph = recorded(chain4, &timed.chain);
            row(t, "a graph with PDL", &timed);
            CUDA_CHECK(cudaGraphExecDestroy(timed.graph));
        }
    }
    printf("\n    the host's clock, %d floats, the device idle before; medians of %d\n\n", SHOW_N, RUNS);
    table_print(t, stdout, 4);
    side_table(o, "host", t);
    table_free(t);
    printf("\n    Recording and preparing the graph of %d kernels took %.3f ms, once.\n", steps[LAB_COUNT(steps) - 1],
           record_ms);
    for (int i = 0; i < 3; i++)
        CUDA_CHECK(cudaFree(buffer[i]));
    CUDA_CHECK(cudaStreamDestroy(stream));
    return 0;
}

static const Lab graphs = {
    .order = 6,
    .name = "graphs",
    .title = "what a launch costs, and how to avoid that cost",
    .page = "nsys.md",
    .look = "Every rung computes the same steps with the same arithmetic. Divide its time by the number of steps:\n"
            "how much of that is the kernel, and how much the gap between two kernels?",
    .dims = "N K",
    .size = "65536x256 16777216x32",
    .cpu_size = "16384x16",
    .test_sizes = "1x1 1x4 2x3 255x2 256x5 257x7 1009x64",
    .sweep = "65536x32:1024:32",
    .cpu_sweep = "16384x8:64:8",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(graphs)
