/* Blocks on a CPU: what a grid, a block, shared memory and a barrier are, in plain C.
 *
 * The same product C = A B, with A 4 x 256 and B 256 x 4 as in the lecture, is run in four ways. Nothing here is a
 * trick: a grid is two nested loops, a block is two more, and a barrier is a barrier.
 *
 *   1  blocks and threads as loops      the naive kernel is a C function of (blockIdx, threadIdx, blockDim)
 *   2  a loop for each phase            with shared memory, all threads must have filled the tile before one reads it:
 *                                       the loop over the threads is split in two where the barrier would be
 *   3  an operating system thread each  C11 threads and a POSIX barrier: now the kernel is written as in CUDA
 *   4  the device                       the same lines once more, launched with <<< >>>
 */
#include "ceil_div.cuh"
#include "bench.h"
#include "device.h"
#include "lab.h"
#include "stats.h"
#include "table.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef struct Dim2 {
    int x, y;
} Dim2;

/* The problem; all matrices row-major. */
typedef struct Product {
    int M, N, K, tile;
    const float *A, *B;
    float *C;
} Product;

/* ---- 1: blocks and threads as loops ---------------------------------------------------------------------------- */

static void naive_kernel(Dim2 blockIdx, Dim2 threadIdx, Dim2 blockDim, const Product *p)
{
    int m = blockIdx.y * blockDim.y + threadIdx.y;
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= p->M || n >= p->N)
        return;
    float sum = 0;
    for (int k = 0; k < p->K; k++)
        sum += p->A[m * p->K + k] * p->B[k * p->N + n];
    p->C[m * p->N + n] = sum;
}

static void run_loops(const Product *p)
{
    Dim2 blockDim = {p->tile, p->tile}, gridDim = {ceil_div(p->N, p->tile), ceil_div(p->M, p->tile)}, b, t;
    for (b.y = 0; b.y < gridDim.y; b.y++) /* the grid: any order will do, no block waits for another */
        for (b.x = 0; b.x < gridDim.x; b.x++)
            for (t.y = 0; t.y < blockDim.y; t.y++) /* the block */
                for (t.x = 0; t.x < blockDim.x; t.x++)
                    naive_kernel(b, t, blockDim, p);
}

/* ---- 2: a loop over the threads for each phase ----------------------------------------------------------------- */

static void fill_tile(Dim2 b, Dim2 t, const Product *p, int k0, float *As, float *Bs)
{
    int m = b.y * p->tile + t.y, n = b.x * p->tile + t.x, at = t.y * p->tile + t.x;
    As[at] = m < p->M && k0 + t.x < p->K ? p->A[m * p->K + k0 + t.x] : 0;
    Bs[at] = n < p->N && k0 + t.y < p->K ? p->B[(k0 + t.y) * p->N + n] : 0;
}

/* A local variable of the kernel, `sum`, has to live from phase to phase: one per thread, in an array. */
static void add_products(Dim2 t, const Product *p, const float *As, const float *Bs, float *sums)
{
    for (int k = 0; k < p->tile; k++)
        sums[t.y * p->tile + t.x] += As[t.y * p->tile + k] * Bs[k * p->tile + t.x];
}

static void run_phases(const Product *p)
{
    int tile = p->tile;
    size_t bytes = (size_t)tile * (size_t)tile * sizeof(float);
    float *As = (float *)malloc(bytes), *Bs = (float *)malloc(bytes), *sums = (float *)malloc(bytes);
    Dim2 b, t;
    for (b.y = 0; b.y < ceil_div(p->M, tile); b.y++)
        for (b.x = 0; b.x < ceil_div(p->N, tile); b.x++) {
            memset(sums, 0, bytes);
            for (int k0 = 0; k0 < p->K; k0 += tile) {
                for (t.y = 0; t.y < tile; t.y++)
                    for (t.x = 0; t.x < tile; t.x++)
                        fill_tile(b, t, p, k0, As, Bs);
                /* __syncthreads() would be here */
                for (t.y = 0; t.y < tile; t.y++)
                    for (t.x = 0; t.x < tile; t.x++)
                        add_products(t, p, As, Bs, sums);
            }
            for (t.y = 0; t.y < tile; t.y++)
                for (t.x = 0; t.x < tile; t.x++) {
                    int m = b.y * tile + t.y, n = b.x * tile + t.x;
                    /* Both bounds: m * N + n < M * N alone lets a column past the end write into the next row. */
                    if (m < p->M && n < p->N)
                        p->C[m * p->N + n] = sums[t.y * tile + t.x];
                }
        }
    free(As), free(Bs), free(sums);
}

/* ---- 3: an operating system thread for each CUDA thread -------------------------------------------------------- */

typedef struct Block {
    const Product *p;
    Dim2 blockIdx;
    float *shared; /* one array for all threads of the block */
    pthread_barrier_t barrier;
} Block;

typedef struct Thread {
    Block *block;
    Dim2 threadIdx;
    thrd_t handle;
} Thread;

/* Compare with the CUDA kernel below, line by line. */
static int tiled_thread(void *argument)
{
    Thread *self = (Thread *)argument;
    Block *block = self->block;
    const Product *p = block->p;
    int tile = p->tile, ty = self->threadIdx.y, tx = self->threadIdx.x;
    float *As = block->shared, *Bs = block->shared + tile * tile;
    int m = block->blockIdx.y * tile + ty, n = block->blockIdx.x * tile + tx;
    float sum = 0;
    for (int k0 = 0; k0 < p->K; k0 += tile) {
        As[ty * tile + tx] = m < p->M && k0 + tx < p->K ? p->A[m * p->K + k0 + tx] : 0;
        Bs[ty * tile + tx] = n < p->N && k0 + ty < p->K ? p->B[(k0 + ty) * p->N + n] : 0;
        pthread_barrier_wait(&block->barrier);
        for (int k = 0; k < tile; k++)
            sum += As[ty * tile + k] * Bs[k * tile + tx];
        pthread_barrier_wait(&block->barrier);
    }
    if (m < p->M && n < p->N)
        p->C[m * p->N + n] = sum;
    return 0;
}

static void run_threads(const Product *p)
{
    int tile = p->tile, count = tile * tile;
    Thread *threads = (Thread *)malloc((size_t)count * sizeof *threads);
    float *shared = (float *)malloc(2 * (size_t)count * sizeof *shared);
    for (int by = 0; by < ceil_div(p->M, tile); by++)
        for (int bx = 0; bx < ceil_div(p->N, tile);
             bx++) { /* one block after the other: a GPU with one multiprocessor */
            Block block;
            block.p = p;
            block.blockIdx = Dim2{bx, by};
            block.shared = shared;
            pthread_barrier_init(&block.barrier, NULL, (unsigned)count);
            for (int i = 0; i < count; i++) {
                threads[i].block = &block;
                threads[i].threadIdx = Dim2{i % tile, i / tile};
                /* All must exist, or the others wait for ever: a barrier counts threads, and so does a GPU's. */
                if (thrd_create(&threads[i].handle, tiled_thread, &threads[i]) != thrd_success)
                    die("this system does not allow one program %d threads", count);
            }
            for (int i = 0; i < count; i++)
                thrd_join(threads[i].handle, NULL);
            pthread_barrier_destroy(&block.barrier);
        }
    free(threads), free(shared);
}

/* ---- 4: the device --------------------------------------------------------------------------------------------- */

__global__ void tiled_kernel(const float *A, const float *B, float *C, int M, int N, int K, int tile)
{
    extern __shared__ float shared[];
    int ty = threadIdx.y, tx = threadIdx.x;
    float *As = shared, *Bs = shared + tile * tile;
    int m = blockIdx.y * tile + ty, n = blockIdx.x * tile + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += tile) {
        As[ty * tile + tx] = m < M && k0 + tx < K ? A[m * K + k0 + tx] : 0;
        Bs[ty * tile + tx] = n < N && k0 + ty < K ? B[(k0 + ty) * N + n] : 0;
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += As[ty * tile + k] * Bs[k * tile + tx];
        __syncthreads();
    }
    if (m < M && n < N)
        C[m * N + n] = sum;
}

static void run_device(const Product *p)
{
    size_t a = (size_t)p->M * p->K * sizeof(float), b = (size_t)p->K * p->N * sizeof(float),
           c = (size_t)p->M * p->N * sizeof(float);
    float *d_A, *d_B, *d_C;
    CUDA_CHECK(cudaMalloc((void **)&d_A, a));
    CUDA_CHECK(cudaMalloc((void **)&d_B, b));
    CUDA_CHECK(cudaMalloc((void **)&d_C, c));
    CUDA_CHECK(cudaMemcpy(d_A, p->A, a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_B, p->B, b, cudaMemcpyHostToDevice));
    dim3 block(p->tile, p->tile), grid(ceil_div(p->N, p->tile), ceil_div(p->M, p->tile));
    tiled_kernel<<<grid, block, 2 * p->tile * p->tile * sizeof(float)>>>(d_A, d_B, d_C, p->M, p->N, p->K, p->tile);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(p->C, d_C, c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_B));
    CUDA_CHECK(cudaFree(d_C));
}

/* ---- the lecture's picture of a barrier ------------------------------------------------------------------------ */

enum { SPEAKERS = 3 };
static struct {
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    int said[3 * SPEAKERS], count;
} talk;

static void say(int word)
{
    pthread_mutex_lock(&talk.lock);
    talk.said[talk.count++] = word;
    pthread_mutex_unlock(&talk.lock);
}

/* Each thread says x, waits, says -x, waits, says 10 x. */
static int speaker(void *argument)
{
    int x = *(int *)argument;
    say(x);
    pthread_barrier_wait(&talk.barrier);
    say(-x);
    pthread_barrier_wait(&talk.barrier);
    say(10 * x);
    return 0;
}

static int show_barrier(void)
{
    thrd_t threads[SPEAKERS];
    int x[SPEAKERS];
    pthread_mutex_init(&talk.lock, NULL);
    pthread_barrier_init(&talk.barrier, NULL, SPEAKERS);
    talk.count = 0;
    for (int i = 0; i < SPEAKERS; i++) {
        x[i] = i + 1;
        if (thrd_create(&threads[i], speaker, &x[i]) != thrd_success)
            die("no thread is available");
    }
    for (int i = 0; i < SPEAKERS; i++)
        thrd_join(threads[i], NULL);
    pthread_barrier_destroy(&talk.barrier);
    printf("\n    three threads say x, wait, say -x, wait, say 10 x:\n   ");
    int wrong = 0;
    for (int i = 0; i < 3 * SPEAKERS; i++) {
        printf(" %d%s", talk.said[i], i % SPEAKERS == SPEAKERS - 1 && i < 3 * SPEAKERS - 1 ? "  |" : "");
        int phase = i / SPEAKERS, word = talk.said[i];
        wrong |= !(phase == 0 ? word >= 1 && word <= 3 : phase == 1 ? word < 0 : word >= 10);
    }
    puts("\n    within a phase the order is free; between phases it is not: all words of one\n"
         "    phase come before any of the next\n");
    return lab_claim(!wrong, "the barrier keeps the phases apart");
}

/* Runs one of the four, NaN in C before, and compares with double. */
static int way(Table *t, const char *name, void (*run)(const Product *), const Product *p, int times)
{
    size_t count = (size_t)p->M * p->N;
    for (size_t i = 0; i < count; i++)
        p->C[i] = NAN;
    run(p); /* the first run pays for pages and for the device's start */
    double start = bench_host_ms();
    for (int i = 0; i < times; i++)
        run(p);
    double ms = (bench_host_ms() - start) / times, worst = 0;
    for (int m = 0; m < p->M; m++)
        for (int n = 0; n < p->N; n++) {
            double sum = 0;
            for (int k = 0; k < p->K; k++)
                sum += (double)p->A[m * p->K + k] * p->B[k * p->N + n];
            double error = fabs(p->C[m * p->N + n] - sum);
            if (!(error <= worst) && !isnan(worst)) /* a NaN gets in, and nothing replaces it */
                worst = error;
        }
    char text[32];
    table_cell(t, "%s", name);
    table_cell(t, "%s", times ? format_ms(ms, text) : "");
    table_cell(t, "%.1e", worst);
    return lab_claim(worst <= 1e-6 * p->K, "%s: right to rounding", name);
}

static int show(const LabOptions *o)
{
    int wrong = show_barrier();
    static const struct {
        int M, N, K, tile;
    } sizes[] = {{4, 4, 256, 8}, {5, 7, 33, 4}, {33, 31, 40, 16}};
    for (int s = lab_brief() ? LAB_COUNT(sizes) - 1 : 0; s < LAB_COUNT(sizes); s++) {
        Product p = {sizes[s].M, sizes[s].N, sizes[s].K, sizes[s].tile, NULL, NULL, NULL};
        float *A = (float *)malloc((size_t)p.M * p.K * sizeof(float)),
              *B = (float *)malloc((size_t)p.K * p.N * sizeof(float));
        p.C = (float *)malloc((size_t)p.M * p.N * sizeof(float));
        for (int i = 0; i < p.M * p.K; i++)
            A[i] = (float)(2 * random_uniform(o->seed, (uint64_t)i) - 1);
        for (int i = 0; i < p.K * p.N; i++)
            B[i] = (float)(2 * random_uniform(o->seed + 1, (uint64_t)i) - 1);
        p.A = A, p.B = B;
        int times = o->verify_only ? 1 : 5;
        printf("    %d x %d times %d x %d, tiles of %d x %d\n", p.M, p.K, p.K, p.N, p.tile, p.tile);
        Table *t = table_new("way|>time|>max error");
        wrong += way(t, "1 blocks and threads as loops", run_loops, &p, times);
        wrong += way(t, "2 a loop for each phase", run_phases, &p, times);
        wrong += way(t, "3 an OS thread each, and a barrier", run_threads, &p, times);
        wrong += way(t, device_is_cpu() ? "4 the CPU device, copies included" : "4 the GPU, copies included",
                     run_device, &p, times);
        table_print(t, stdout, 4);
        table_free(t);
        if (s + 1 < LAB_COUNT(sizes))
            putchar('\n');
        free(A), free(B), free(p.C);
    }
    return wrong;
}

static const Lab lab = {
    .order = 1,
    .name = "blocks_on_cpu",
    .title = "grid, block and barrier are loops and threads",
    .look = "The third way makes CUDA's threads out of the operating system's, and that is why it is slow.\n"
            "The CPU device of this course uses fibers instead, so it can run a block of 1024 threads.",
    .show = show,
};
LAB_MAIN(lab)
