/* All-reduce: each GPU has a vector of n floats, and each gets the sum of all of them.
 *
 * The sum is over the GPUs (ranks) of one host, any number of them; `--gpus G` takes fewer than there are. On the CPU
 * device CUDA_CPU_DEVICES=4 makes four. Each rung adds in the order of the ranks, so that all ranks get the same bits.
 *
 *   rung                    what crosses the link, per rank and direction        order between GPUs
 *   1 through the host      nothing: 2 n over PCIe, and the host adds            host synchronizes
 *   2 copies to all         (G - 1) n, cudaMemcpyPeerAsync, then one kernel      events
 *   3 ring of copies        2 n (G - 1) / G, in 2 (G - 1) steps                  events
 *   4 one-shot              (G - 1) n: a kernel reads its peers' memory          events
 *   5 two-shot              2 n (G - 1) / G: reads its part, writes it to all    events
 *   6 one-shot flags        as 4                                                 flags in the peers' memory
 *   7 two-shot flags        as 5                                                 flags in the peers' memory
 *   8 a flag in each word   2 (G - 1) n: value and flag travel together          none: data is its own signal
 *   9 empty until written   (G - 1) n: what is not empty has come                none
 *  10 two-shot bulk copies  2 n (G - 1) / G, by TMA                              flags in the peers' memory
  * All-reduce has two halves, which other programs need alone. In reduce-scatter rank r gets only part r of the sum; in
 * all-gather each rank has part r of a vector, and all get the whole vector. (G - 1) n / G cross the link.
 *
 *   all-gather              21 copies   22 stores with flags   23 empty until written
 *   reduce-scatter          31 copies, then one kernel   32 loads with flags   33 empty until written
  * Two more rungs are floors, which no sum of small vectors can beat: 41 is a kernel that does nothing, 42 the vectors'
 * arrival alone.
 *
 * Rungs 6 to 10 are one kernel per GPU and need no host and no event between GPUs, so they go into a CUDA graph. Rung 9 is
 * set up while the kernel before it still runs (programmatic dependent launch).
 *
 *   ./run allreduce --size 1048576 --runs 100
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allreduce/bulk.cuh"
#include "allreduce/empty.cuh"
#include "allreduce/floor.cuh"
#include "allreduce/launch.cuh"
#include "allreduce/meet.cuh"
#include "allreduce/nccl_open.cuh"
#include "allreduce/ranks.cuh"
#include "bench.h"
#include "ceil_div.cuh"
#include "device.h"
#include "lab.h"
#include "random.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

static struct {
    int gpus;
} own;

/* ---- sums ---- */

__device__ static float4 plus(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

/* out[i] = sum over the ranks of in[rank][i] for [first, end), in steps of a grid; four float4s per rank are in flight.
 * With `spread` the sum is written to every rank. first is a multiple of 4. */
template <bool spread> __device__ static void add_ranks(const View &v, size_t first, size_t end)
{
    enum { FLIGHT = 4 };
    const size_t step = (size_t)gridDim.x * blockDim.x, quads = (end - first) / 4;
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t q = at; q < quads; q += FLIGHT * step) {
        float4 sum[FLIGHT];
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            if (q + k * step < quads)
                sum[k] = ((const float4 *)(v.in[0] + first))[q + k * step];
        for (int r = 1; r < v.ranks; r++) {
            float4 next[FLIGHT];
#pragma unroll
            for (int k = 0; k < FLIGHT; k++)
                if (q + k * step < quads)
                    next[k] = ((const float4 *)(v.in[r] + first))[q + k * step];
#pragma unroll
            for (int k = 0; k < FLIGHT; k++)
                if (q + k * step < quads)
                    sum[k] = plus(sum[k], next[k]);
        }
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            if (q + k * step < quads) {
                for (int r = spread ? 0 : v.rank; r < (spread ? v.ranks : v.rank + 1); r++)
                    ((float4 *)(v.out[r] + first))[q + k * step] = sum[k];
            }
    }
    const size_t i = first + quads * 4 + at; /* the last elements of a vector whose length is no multiple of 4 */
    if (i < end) {
        float sum = v.in[0][i];
        for (int r = 1; r < v.ranks; r++)
            sum += v.in[r][i];
        for (int r = spread ? 0 : v.rank; r < (spread ? v.ranks : v.rank + 1); r++)
            v.out[r][i] = sum;
    }
}

__global__ void __launch_bounds__(THREADS) oneshot_kernel4(View v, size_t n) { add_ranks<false>(v, 0, n); }

__global__ void __launch_bounds__(THREADS) twoshot_kernel5(View v, size_t n)
{
    add_ranks<true>(v, part_begin(n, v.rank, v.ranks), part_begin(n, v.rank + 1, v.ranks));
}

__global__ void __launch_bounds__(THREADS) oneshot_flags_kernel6(View v, size_t n)
{
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    add_ranks<false>(v, 0, n);
    meet(v, 2 * epoch + 2); /* the inputs may change once all have read them */
    epoch_end(v, epoch);
}

__global__ void __launch_bounds__(THREADS) twoshot_flags_kernel7(View v, size_t n)
{
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    add_ranks<true>(v, part_begin(n, v.rank, v.ranks), part_begin(n, v.rank + 1, v.ranks));
    meet(v, 2 * epoch + 2); /* the other parts of the output have come */
    epoch_end(v, epoch);
}

/* Part r of rank r's vector goes to all ranks. */
__global__ void __launch_bounds__(THREADS) gather_flags_kernel22(View v, size_t n)
{
    enum { FLIGHT = 4 };
    const unsigned epoch = epoch_begin(v);
    const size_t first = part_begin(n, v.rank, v.ranks), count = part_begin(n, v.rank + 1, v.ranks) - first;
    const size_t step = (size_t)gridDim.x * blockDim.x, quads = count / 4;
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    meet(v, 2 * epoch + 1); /* the outputs may be written */
    for (size_t q = at; q < quads; q += FLIGHT * step) {
        float4 part[FLIGHT];
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            if (q + k * step < quads)
                part[k] = ((const float4 *)(v.in[v.rank] + first))[q + k * step];
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            for (int r = 0; r < v.ranks; r++)
                if (q + k * step < quads)
                    ((float4 *)(v.out[(v.rank + r) % v.ranks] + first))[q + k * step] = part[k];
    }
    if (quads * 4 + at < count)
        for (int r = 0; r < v.ranks; r++)
            v.out[r][first + quads * 4 + at] = v.in[v.rank][first + quads * 4 + at];
    meet(v, 2 * epoch + 2); /* all parts have come */
    epoch_end(v, epoch);
}

__global__ void __launch_bounds__(THREADS) scatter_flags_kernel32(View v, size_t n)
{
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    add_ranks<false>(v, part_begin(n, v.rank, v.ranks), part_begin(n, v.rank + 1, v.ranks));
    meet(v, 2 * epoch + 2);
    epoch_end(v, epoch);
}

/* An 8-byte store arrives whole, so the reader who finds the epoch has the value: no fence and no round trip. Two
 * inboxes take turns. A rank that begins epoch e + 2 has all of its peers' epoch e + 1, and they sent it after they had
 * finished epoch e, which used the same inbox. */
__global__ void __launch_bounds__(THREADS) words_kernel8(View v, size_t n)
{
    const unsigned epoch = epoch_begin(v) + 1;
    const size_t inbox = (epoch & 1) * (size_t)v.ranks, step = (size_t)gridDim.x * blockDim.x;
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = at; i < n; i += step) {
        const unsigned long long word = (unsigned long long)epoch << 32 | __float_as_uint(v.in[v.rank][i]);
        for (int r = 1; r < v.ranks; r++) {
            const int to = (v.rank + r) % v.ranks;
            *(volatile unsigned long long *)&v.words[to][(inbox + v.rank) * WORDS_MAX + i] = word;
        }
    }
    for (size_t i = at; i < n; i += step) {
        float sum = 0;
        for (int r = 0; r < v.ranks; r++) {
            float value = r == v.rank ? v.in[r][i] : 0;
            if (r != v.rank) {
                volatile unsigned long long *from = &v.words[v.rank][(inbox + r) * WORDS_MAX + i];
                unsigned long long word;
                while ((unsigned)((word = *from) >> 32) != epoch)
                    ;
                value = __uint_as_float((unsigned)word);
            }
            sum = r ? sum + value : value;
        }
        v.out[v.rank][i] = sum;
    }
    epoch_end(v, epoch - 1);
}

/* to[i] = or += from[i]: the sums of rungs 2 and 3, over copies that have arrived. */
__global__ void add_inbox_kernel2(float *to, const float *inbox, size_t pitch, size_t n, int ranks)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = inbox[i];
    for (int r = 1; r < ranks; r++)
        sum += inbox[r * pitch + i];
    to[i] = sum;
}

__global__ void add_kernel3(float *to, const float *from, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += from[i];
}

/* ---- launchers ---- */

typedef void AllReduce(const Ranks *r, size_t n);

/* At most `most` blocks, or --blocks, or for 0 as many as can run at once. */
static unsigned blocks_for(const Ranks *r, size_t elements, size_t per_block, int most = 0)
{
    const size_t limit = r->blocks ? (size_t)r->blocks : most ? (size_t)most : (size_t)MAX_BLOCKS;
    const size_t blocks = ceil_div(elements, per_block);
    return (unsigned)(blocks < 1 ? 1 : blocks > limit ? limit : blocks);
}

static void host1(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++)
        CUDA_CHECK(cudaMemcpyAsync(r->h_part[i], r->in[i], n * sizeof(float), cudaMemcpyDeviceToHost, r->stream[i]));
    ranks_synchronize(r);
    for (size_t k = 0; k < n; k++) {
        float sum = r->h_part[0][k];
        for (int i = 1; i < r->count; i++)
            sum += r->h_part[i][k];
        r->h_sum[k] = sum;
    }
    for (int i = 0; i < r->count; i++)
        CUDA_CHECK(cudaMemcpyAsync(r->out[i], r->h_sum, n * sizeof(float), cudaMemcpyHostToDevice, r->stream[i]));
    ranks_synchronize(r);
}

static void copies2(const Ranks *r, size_t n)
{
    ranks_meet(r); /* the inboxes are free */
    for (int from = 0; from < r->count; from++)
        for (int k = 0; k < r->count; k++) {
            const int to = (from + k) % r->count;
            CUDA_CHECK(cudaMemcpyPeerAsync(r->inbox[to] + (size_t)from * r->capacity, to, r->in[from], from,
                                           n * sizeof(float), r->stream[from]));
        }
    ranks_meet(r);
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        add_inbox_kernel2<<<(unsigned)ceil_div(n, (size_t)THREADS), THREADS, 0, r->stream[i]>>>(
            r->out[i], r->inbox[i], r->capacity, n, r->count);
    }
}

/* In step s rank i sends part (i - s) to its right neighbour; after G - 1 steps it has the sum of part i + 1, which then
 * goes round in the same way. The inbox has a place for each part. Part p is summed in the order p, p + 1, ... */
static void ring3(const Ranks *r, size_t n)
{
    const int G = r->count;
    for (int i = 0; i < G; i++)
        CUDA_CHECK(cudaMemcpyAsync(r->out[i], r->in[i], n * sizeof(float), cudaMemcpyDeviceToDevice, r->stream[i]));
    for (int step = 0; step < 2 * (G - 1); step++) {
        ranks_meet(r);
        for (int i = 0; i < G; i++) {
            const int right = (i + 1) % G, part = (i - step + 2 * G) % G;
            const size_t first = part_begin(n, part, G), count = part_begin(n, part + 1, G) - first;
            float *to = step < G - 1 ? r->inbox[right] : r->out[right];
            if (count)
                CUDA_CHECK(
                    cudaMemcpyPeerAsync(to + first, right, r->out[i] + first, i, count * sizeof(float), r->stream[i]));
        }
        if (step >= G - 1)
            continue;
        ranks_meet(r);
        for (int i = 0; i < G; i++) {
            const int part = (i - 1 - step + 2 * G) % G;
            const size_t first = part_begin(n, part, G), count = part_begin(n, part + 1, G) - first;
            CUDA_CHECK(cudaSetDevice(i));
            if (count)
                add_kernel3<<<(unsigned)ceil_div(count, (size_t)THREADS), THREADS, 0, r->stream[i]>>>(
                    r->out[i] + first, r->inbox[i] + first, count);
        }
    }
    ranks_meet(r);
}

static void oneshot4(const Ranks *r, size_t n)
{
    ranks_meet(r);
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        oneshot_kernel4<<<blocks_for(r, n, 4 * THREADS), THREADS, 0, r->stream[i]>>>(r->view[i], n);
    }
    ranks_meet(r);
}

static void twoshot5(const Ranks *r, size_t n)
{
    ranks_meet(r);
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        twoshot_kernel5<<<blocks_for(r, ceil_div(n, (size_t)r->count), 4 * THREADS), THREADS, 0, r->stream[i]>>>(
            r->view[i], n);
    }
    ranks_meet(r);
}

static void oneshot_flags6(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        oneshot_flags_kernel6<<<blocks_for(r, n, 4 * THREADS), THREADS, 0, r->stream[i]>>>(r->view[i], n);
    }
}

static void twoshot_flags7(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        twoshot_flags_kernel7<<<blocks_for(r, ceil_div(n, (size_t)r->count), 4 * THREADS), THREADS, 0, r->stream[i]>>>(
            r->view[i], n);
    }
}

static void words8(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        words_kernel8<<<blocks_for(r, n, THREADS), THREADS, 0, r->stream[i]>>>(r->view[i], n);
    }
}

/* How the kernels with empty inboxes are launched: few threads in a block as long as few blocks are enough. A barrier of 128
 * threads is soon over, and many blocks send at once. The best of those tried on two H100s, for each size. */
typedef struct Grid {
    unsigned blocks, threads;
    int rows; /* float4s per thread */
} Grid;

static Grid grid_for(const Ranks *r, size_t elements)
{
    static const struct {
        unsigned threads, blocks;
    } shapes[] = {{128, 32}, {256, 64}, {512, MAX_BLOCKS}, {EMPTY_THREADS, MAX_BLOCKS}};
    const size_t cpu_blocks = 8; /* so that small vectors have all shapes there */
    const size_t quads = ceil_div(elements, (size_t)4);
    Grid g = {1, 0, 1};
    for (int i = 0; i < LAB_COUNT(shapes) && g.rows == 1; i++) {
        const size_t most = device_is_cpu() ? cpu_blocks : shapes[i].blocks;
        g.threads = shapes[i].threads;
        if (quads <= most * g.threads)
            break;
        g.rows = g.threads < EMPTY_THREADS ? 1 : EMPTY_ROWS;
    }
    g.blocks = blocks_for(r, quads, (size_t)g.threads * (size_t)g.rows);
    return g;
}

static void launch_empty(const Ranks *r, size_t n, Grid grid, void (*kernel)(const Inboxes, size_t))
{
    launch_on_ranks(r, kernel, grid.blocks, grid.threads, r->inboxes, n);
}

/* The longest part of a vector of n elements, in whole quads. */
static size_t longest_part(const Ranks *r, size_t n) { return ceil_div(n, 4 * (size_t)r->count) * 4; }

static void empty9(const Ranks *r, size_t n)
{
    const Grid grid = grid_for(r, n);
    if (r->count == 2 && n == 4 * (size_t)grid.blocks * grid.threads)
        launch_empty(r, n, grid, empty_pair_kernel9);
    else if (r->count == 2)
        launch_empty(r, n, grid, grid.rows == 1 ? empty_kernel9<1, 2> : empty_kernel9<EMPTY_ROWS, 2>);
    else
        launch_empty(r, n, grid, grid.rows == 1 ? empty_kernel9<1, 0> : empty_kernel9<EMPTY_ROWS, 0>);
}

static void nothing41(const Ranks *r, size_t n) { launch_empty(r, n, grid_for(r, n), nothing_kernel41); }
static void arrival42(const Ranks *r, size_t n) { launch_empty(r, n, grid_for(r, n), arrival_kernel42); }
static void gather_empty23(const Ranks *r, size_t n)
{
    launch_empty(r, n, grid_for(r, longest_part(r, n)), half_empty_kernel<true>);
}
static void scatter_empty33(const Ranks *r, size_t n)
{
    launch_empty(r, n, grid_for(r, longest_part(r, n)), half_empty_kernel<false>);
}

static void bulk10(const Ranks *r, size_t n)
{
    static uint32_t raised;
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(shared_memory_raise((const void *)bulk_kernel10, BulkSmem::TOTAL, &raised));
        bulk_kernel10<<<blocks_for(r, ceil_div(n, (size_t)r->count), BulkSmem::TILE, BULK_BLOCKS), BULK_THREADS,
                        BulkSmem::TOTAL, r->stream[i]>>>(r->view[i], n);
    }
}

static size_t part_size(const Ranks *r, size_t n, int rank)
{
    return part_begin(n, rank + 1, r->count) - part_begin(n, rank, r->count);
}

static void gather_copies21(const Ranks *r, size_t n)
{
    ranks_meet(r); /* the outputs may be written */
    for (int from = 0; from < r->count; from++)
        for (int k = 0; k < r->count && part_size(r, n, from); k++) {
            const int to = (from + k) % r->count;
            const size_t first = part_begin(n, from, r->count);
            CUDA_CHECK(cudaMemcpyPeerAsync(r->out[to] + first, to, r->in[from] + first, from,
                                           part_size(r, n, from) * sizeof(float), r->stream[from]));
        }
    ranks_meet(r);
}

static void gather_flags22(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        gather_flags_kernel22<<<blocks_for(r, ceil_div(n, (size_t)r->count), 4 * THREADS), THREADS, 0, r->stream[i]>>>(
            r->view[i], n);
    }
}

static void scatter_copies31(const Ranks *r, size_t n)
{
    ranks_meet(r); /* the inboxes are free */
    for (int from = 0; from < r->count; from++)
        for (int k = 0; k < r->count; k++) {
            const int to = (from + k) % r->count;
            if (part_size(r, n, to))
                CUDA_CHECK(cudaMemcpyPeerAsync(r->inbox[to] + (size_t)from * r->capacity, to,
                                               r->in[from] + part_begin(n, to, r->count), from,
                                               part_size(r, n, to) * sizeof(float), r->stream[from]));
        }
    ranks_meet(r);
    for (int i = 0; i < r->count; i++) {
        const size_t count = part_size(r, n, i);
        CUDA_CHECK(cudaSetDevice(i));
        if (count)
            add_inbox_kernel2<<<(unsigned)ceil_div(count, (size_t)THREADS), THREADS, 0, r->stream[i]>>>(
                r->out[i] + part_begin(n, i, r->count), r->inbox[i], r->capacity, count, r->count);
    }
}

static void scatter_flags32(const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        scatter_flags_kernel32<<<blocks_for(r, ceil_div(n, (size_t)r->count), 4 * THREADS), THREADS, 0, r->stream[i]>>>(
            r->view[i], n);
    }
}

static void nccl_gather24(const Ranks *r, size_t n)
{
    const float *in[MAX_RANKS];
    for (int i = 0; i < r->count; i++)
        in[i] = r->in[i] + part_begin(n, i, r->count);
    nccl_all(NCCL_ALL_GATHER, NCCL_F32, r->count, (const void *const *)in, (void *const *)r->out, n / r->count,
             r->stream);
}

static void nccl_scatter34(const Ranks *r, size_t n)
{
    float *out[MAX_RANKS];
    for (int i = 0; i < r->count; i++)
        out[i] = r->out[i] + part_begin(n, i, r->count);
    nccl_all(NCCL_REDUCE_SCATTER, NCCL_F32, r->count, (const void *const *)r->in, (void *const *)out, n / r->count,
             r->stream);
}

enum {
    BY_HOST = 1,
    BY_EVENTS = 2,
    BY_FLAGS = 4,
    SMALL = 8,
    NCCL = 16,
    EMPTY_SMALL = 32,
    HOPPER_ONLY = 64,
    GATHER = 128,
    SCATTER = 256,
    HALVES = GATHER | SCATTER,
    FLOOR = 512,
    WHAT = HALVES | FLOOR /* 0: all-reduce */
};

static const struct {
    int number;
    const char *name;
    AllReduce *run;
    int is; /* what orders the GPUs, and what else is special */
} ways[] = {
    {1, "through the host", host1, BY_HOST},
    {2, "copies to all", copies2, BY_EVENTS},
    {3, "ring of copies", ring3, BY_EVENTS},
    {4, "one-shot", oneshot4, BY_EVENTS},
    {5, "two-shot", twoshot5, BY_EVENTS},
    {6, "one-shot flags", oneshot_flags6, BY_FLAGS},
    {7, "two-shot flags", twoshot_flags7, BY_FLAGS},
    {8, "a flag in each word", words8, BY_FLAGS | SMALL},
    {9, "empty until written", empty9, BY_FLAGS | EMPTY_SMALL},
    {10, "two-shot bulk copies", bulk10, BY_FLAGS | HOPPER_ONLY},
    {11, "NCCL", nccl_all_reduce, BY_FLAGS | NCCL},
    {21, "copies", gather_copies21, BY_EVENTS | GATHER},
    {22, "stores flags", gather_flags22, BY_FLAGS | GATHER},
    {23, "empty until written", gather_empty23, BY_FLAGS | EMPTY_SMALL | GATHER},
    {24, "NCCL", nccl_gather24, BY_FLAGS | NCCL | GATHER},
    {31, "copies then a sum", scatter_copies31, BY_EVENTS | SCATTER},
    {32, "loads flags", scatter_flags32, BY_FLAGS | SCATTER},
    {33, "empty until written", scatter_empty33, BY_FLAGS | EMPTY_SMALL | SCATTER},
    {34, "NCCL", nccl_scatter34, BY_FLAGS | NCCL | SCATTER},
    {41, "nothing", nothing41, BY_FLAGS | EMPTY_SMALL | FLOOR},
    {42, "arrival alone", arrival42, BY_FLAGS | EMPTY_SMALL | FLOOR},
};
enum { WAYS = LAB_COUNT(ways) };

static const char *way_name(int w) { return ways[w].is & NCCL ? nccl_name(ways[w].name) : ways[w].name; }

static const char *half_name(int w)
{
    return ways[w].is & GATHER ? "all-gather, " : ways[w].is & SCATTER ? "reduce-scatter, " : "";
}

/* ---- verification ---- */

typedef struct Inputs {
    size_t n;
    float *h[MAX_RANKS]; /* each rank's vector */
    float *got;
} Inputs;

static void inputs_make(Inputs *in, const Ranks *r, uint64_t seed)
{
    *in = (Inputs){};
    in->n = r->capacity;
    CUDA_CHECK(cudaMallocHost((void **)&in->got, in->n * sizeof(float)));
    for (int i = 0; i < r->count; i++) {
        float *h = (float *)malloc(in->n * sizeof(float));
        if (!h)
            die("no memory for %zu elements", in->n);
#pragma omp parallel for
        for (size_t k = 0; k < in->n; k++)
            h[k] = (float)(2 * random_uniform(seed + (uint64_t)i, k) - 1);
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemcpy(r->in[i], h, in->n * sizeof(float), cudaMemcpyHostToDevice));
        in->h[i] = h;
    }
}

static void inputs_free(Inputs *in)
{
    for (int i = 0; i < MAX_RANKS; i++)
        free(in->h[i]);
    CUDA_CHECK(cudaFreeHost(in->got));
}

static int way_takes(int w, const Ranks *r, size_t n)
{
    const size_t part = ways[w].is & HALVES ? longest_part(r, n) : n;
    return !(ways[w].is & SMALL && n > WORDS_MAX) && !(ways[w].is & BY_HOST && n > r->host_capacity) &&
           !(ways[w].is & EMPTY_SMALL && part > (size_t)(r->blocks ? r->blocks : MAX_BLOCKS) * QUADS_PER_BLOCK * 4) &&
           !(ways[w].is & HOPPER_ONLY && hopper_here()) &&
           !(ways[w].is & HALVES && ways[w].is & NCCL && n % (4 * (size_t)r->count)); /* NCCL's parts are equal */
}

/* How many of n elements of rank i's result are wrong, against sums in double. Adding G numbers of [-1, 1] in float rounds
 * G - 1 times, each time by at most half a unit of a number below G. Reduce-scatter gives only part i, and what
 * is around it must be NaN, as before; all-gather copies. */
static size_t wrong_elements(const Inputs *in, int ranks, size_t n, int is, int rank)
{
    const double bound = is & GATHER ? 0 : (ranks - 1) * ranks * 0x1p-24;
    size_t wrong = 0;
    for (int part = 0; part < ranks; part++) {
        const size_t end = part_begin(n, part + 1, ranks);
#pragma omp parallel for reduction(+ : wrong)
        for (size_t k = part_begin(n, part, ranks); k < end; k++) {
            double sum = is & GATHER ? in->h[part][k] : 0;
            for (int i = 0; i < ranks && !(is & GATHER); i++)
                sum += in->h[i][k];
            wrong += is & SCATTER && part != rank ? !isnan(in->got[k]) : !(fabs(in->got[k] - sum) <= bound);
        }
    }
    return wrong;
}

/* Every rank's result of one way, with NaN in the output before, and the element past the end left alone. */
static int verify(int w, const Ranks *r, const Inputs *in, size_t n)
{
    int failed = 0;
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemsetAsync(r->out[i], 0xff, r->capacity * sizeof(float), r->stream[i]));
    }
    ranks_synchronize(r);
    ways[w].run(r, n);
    CUDA_CHECK(cudaGetLastError());
    ranks_synchronize(r);
    for (int i = 0; i < r->count; i++) {
        const size_t look = n < in->n ? n + 1 : n;
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemcpy(in->got, r->out[i], look * sizeof(float), cudaMemcpyDeviceToHost));
        const size_t wrong = wrong_elements(in, r->count, n, ways[w].is, i);
        failed +=
            lab_claim(!wrong, "%s%s, %zu elements, rank %d: %zu are wrong", half_name(w), way_name(w), n, i, wrong);
        failed += lab_claim(look == n || isnan(in->got[n]), "%s%s, %zu elements, rank %d: one past the end was changed",
                            half_name(w), way_name(w), n, i);
    }
    return failed;
}

__global__ void differences_kernel(const unsigned *a, const unsigned *b, size_t n, unsigned *count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && a[i] != b[i])
        atomicAdd(count, 1);
}

/* `repeats` calls one after the other, with no wait of the host between them: the same bits each time, on all ranks, if all get
 * the same. */
static int same_bits(int w, const Ranks *r, size_t n, int repeats)
{
    unsigned *count[MAX_RANKS], total = 0;
    ways[w].run(r, n);
    ranks_synchronize(r);
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMalloc((void **)&count[i], sizeof **count));
        CUDA_CHECK(cudaMemsetAsync(count[i], 0, sizeof **count, r->stream[i]));
        const int from = ways[w].is & SCATTER ? i : 0;
        CUDA_CHECK(cudaMemcpyPeerAsync(r->inbox[i], i, r->out[from], from, n * sizeof(float), r->stream[i]));
    }
    ranks_synchronize(r);
    for (int k = 0; k < repeats; k++) {
        ways[w].run(r, n);
        for (int i = 0; i < r->count; i++) {
            CUDA_CHECK(cudaSetDevice(i));
            differences_kernel<<<(unsigned)ceil_div(n, (size_t)256), 256, 0, r->stream[i]>>>(
                (const unsigned *)r->out[i], (const unsigned *)r->inbox[i], n, count[i]);
        }
    }
    ranks_synchronize(r);
    for (int i = 0; i < r->count; i++) {
        unsigned differ;
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemcpy(&differ, count[i], sizeof differ, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaFree(count[i]));
        total += differ;
    }
    return lab_claim(!total, "%s%s: %u elements of %d repeats differ from the first", half_name(w), way_name(w), total,
                     repeats);
}

/* ---- timing ---- */

typedef struct Timed {
    int way, graph, calls; /* graph: so many calls in one; 0: from streams */
    cudaGraphExec_t exec[MAX_RANKS];
    double *ms; /* per call */
} Timed;

static void graph_make(Timed *t, const Ranks *r, size_t n)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamBeginCapture(r->stream[i], cudaStreamCaptureModeRelaxed));
    }
    for (int k = 0; k < t->calls; k++)
        ways[t->way].run(r, n);
    for (int i = 0; i < r->count; i++) {
        cudaGraph_t graph;
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamEndCapture(r->stream[i], &graph));
        CUDA_CHECK(cudaGraphInstantiate(&t->exec[i], graph, 0));
        CUDA_CHECK(cudaGraphDestroy(graph));
    }
}

/* By the host's clock, since no event sees two GPUs: the calls and the wait for all of them. */
static double time_calls(const Timed *t, const Ranks *r, size_t n)
{
    const double begin = bench_host_ms();
    if (t->graph)
        for (int i = 0; i < r->count; i++) {
            CUDA_CHECK(cudaSetDevice(i));
            CUDA_CHECK(cudaGraphLaunch(t->exec[i], r->stream[i]));
        }
    else
        for (int k = 0; k < t->calls; k++)
            ways[t->way].run(r, n);
    ranks_synchronize(r);
    return (bench_host_ms() - begin) / t->calls;
}

/* They share the launch of a graph and the wait at its end. */
static int calls_for(size_t n, int graph)
{
    const size_t bytes = n * sizeof(float);
    if (device_is_cpu())
        return 2;
    return bytes <= 1 << 20 ? (graph ? 500 : 200) : bytes <= 64 << 20 ? (graph ? 50 : 20) : 2;
}

/* The fastest of ours at one size, for one way of launching. */
static void fastest_row(Table *table, size_t n, const Timed *timed, int count, int graph, int vendor, int rounds)
{
    const Timed *best = NULL;
    for (int i = 0; i < count; i++)
        if (timed[i].graph == graph && !(ways[timed[i].way].is & NCCL) &&
            (!best || stats_of(timed[i].ms, rounds).median < stats_of(best->ms, rounds).median))
            best = &timed[i];
    if (!best)
        return;
    table_cell(table, "%zu", n * sizeof(float));
    table_cell(table, "%s", graph ? "graph" : "stream");
    table_cell(table, "%s", way_name(best->way));
    table_cell(table, "%.2f", stats_of(best->ms, rounds).median * 1e3);
    if (vendor >= 0) {
        table_cell(table, "%.2f", stats_of(timed[vendor].ms, rounds).median * 1e3);
        table_cell(table, "%.2f", stats_paired_ratio(timed[vendor].ms, best->ms, rounds));
    } else {
        table_cell(table, "%s", "");
        table_cell(table, "%s", "");
    }
}

/* One size: all ways of all-reduce (0), of a half of it or of the floor, from streams and in graphs, in turns. */
static void time_size(const Ranks *r, size_t n, int what, int rounds, int nccl_there, Table *table, Table *fastest)
{
    Timed timed[2 * WAYS];
    int count = 0, vendor[2] = {-1, -1};
    for (int graph = 0; graph < 2; graph++)
        for (int w = 0; w < WAYS; w++) {
            if ((ways[w].is & WHAT) != what || !way_takes(w, r, n) || (ways[w].is & NCCL && !nccl_there) ||
                (graph && !(ways[w].is & BY_FLAGS)))
                continue;
            Timed *t = &timed[count];
            *t = (Timed){.way = w, .graph = graph, .calls = calls_for(n, graph)};
            t->ms = (double *)malloc((size_t)rounds * sizeof(double));
            if (!t->ms)
                die("out of memory");
            if (graph)
                graph_make(t, r, n);
            if (ways[w].is & NCCL && !device_is_cpu())
                vendor[graph] = count;
            time_calls(t, r, n);
            count++;
        }
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < count; i++) {
            const int turn = k % 2 ? count - 1 - i : i;
            timed[turn].ms[k] = time_calls(&timed[turn], r, n);
        }
    for (int i = 0; i < count; i++) {
        const Timed *t = &timed[i];
        const Stats s = stats_of(t->ms, rounds);
        const int v = vendor[t->graph];
        table_cell(table, "%d", r->count);
        table_cell(table, "%zu", n * sizeof(float));
        if (what & HALVES)
            table_cell(table, "%s", what == GATHER ? "all-gather" : "reduce-scatter");
        table_cell(table, "%s", way_name(t->way));
        table_cell(table, "%s", t->graph ? "graph" : "stream");
        table_cell(table, "%.2f", s.median * 1e3);
        table_cell(table, "%.2f", s.q1 * 1e3);
        table_cell(table, "%.2f", s.q3 * 1e3);
        table_cell(table, "%.1f", (double)n * sizeof(float) / s.median * 1e-6);
        if (v >= 0)
            table_cell(table, "%.2f", stats_paired_ratio(timed[v].ms, t->ms, rounds));
        else
            table_cell(table, "%s", "");
    }
    for (int graph = 0; graph < 2 && fastest; graph++)
        fastest_row(fastest, n, timed, count, graph, vendor[graph], rounds);
    for (int i = 0; i < count; i++) {
        free(timed[i].ms);
        for (int k = 0; timed[i].graph && k < r->count; k++)
            CUDA_CHECK(cudaGraphExecDestroy(timed[i].exec[k]));
    }
}

static int verify_all(const Ranks *r, const Inputs *in, int nccl_there, int repeats)
{
    static const size_t ragged[] = {1, 2, 3, 5, 31, 127, 1000, 4099, 65537, 1000003};
    int failed = 0;
    for (int w = 0; w < WAYS; w++) {
        if ((ways[w].is & NCCL && !nccl_there) || ways[w].is & FLOOR)
            continue;
        for (size_t k = 0; k < sizeof ragged / sizeof *ragged; k++)
            if (ragged[k] < in->n && way_takes(w, r, ragged[k]))
                failed += verify(w, r, in, ragged[k]);
        for (size_t n = 256; n <= in->n; n *= 4)
            if (way_takes(w, r, n))
                failed += verify(w, r, in, n);
        if (ways[w].is & BY_FLAGS && !(ways[w].is & NCCL))
            failed += same_bits(w, r, 1000, repeats);
    }
    return failed;
}

/* How many multiprocessors it takes to fill the link: ordinary loads and stores, and bulk copies. */
static void time_blocks(Ranks *r, size_t n, int rounds, Table *table)
{
    static const int blocks[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, MAX_BLOCKS};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        double us[2] = {};
        r->blocks = blocks[b];
        for (int kind = 0; kind < 2; kind++) {
            Timed t = {.calls = 1};
            while (ways[t.way].run != (kind ? bulk10 : twoshot_flags7))
                t.way++;
            if (!way_takes(t.way, r, n))
                continue;
            double ms[64];
            time_calls(&t, r, n);
            t.calls = device_is_cpu() ? 1 : 4;
            for (int k = 0; k < rounds && k < 64; k++)
                ms[k] = time_calls(&t, r, n);
            us[kind] = stats_of(ms, rounds < 64 ? rounds : 64).median * 1e3;
        }
        table_cell(table, "%d", r->count);
        table_cell(table, "%zu", n * sizeof(float));
        table_cell(table, "%d", blocks[b]);
        for (int kind = 0; kind < 2; kind++) {
            if (us[kind] > 0)
                table_cell(table, "%.1f", (double)n * sizeof(float) / us[kind] * 1e-3);
            else
                table_cell(table, "%s", "");
        }
    }
    r->blocks = 0;
}

static void time_all(Ranks *r, size_t capacity, int nccl_there, const LabOptions *options)
{
    Table *t = table_new(">ranks|>bytes|way|mode|>us|>q1|>q3|>gbps|>vs_nccl");
    Table *fastest = table_new(">bytes|mode|fastest|>us|>nccl_us|>vs_nccl");
    Table *floor = table_new(">ranks|>bytes|way|mode|>us|>q1|>q3|>gbps|>vs_nccl");
    Table *halves = table_new(">ranks|>bytes|collective|way|mode|>us|>q1|>q3|>gbps|>vs_nccl");
    Table *blocks = table_new(">ranks|>bytes|>blocks|>loads_and_stores|>bulk_copies");
    const int rounds = options->runs < 3 ? 3 : options->runs;
    for (size_t n = 256; n <= capacity; n *= 4)
        time_size(r, n, 0, rounds, nccl_there, t, fastest);
    for (int half = GATHER; half <= SCATTER; half *= 2)
        for (size_t n = 4096; n <= capacity; n *= 16)
            time_size(r, n, half, rounds, nccl_there, halves, NULL);
    time_blocks(r, capacity < 1 << 26 ? capacity : 1 << 26, rounds, blocks);
    for (size_t n = 256; n <= capacity && n <= 1 << 20; n *= 4) /* last: it leaves its words in the inboxes */
        time_size(r, n, FLOOR, rounds, 0, floor, NULL);
    table_print(t, stdout, 4);
    side_table(options, NULL, t);
    puts("\n    The fastest of ours, by size.\n");
    table_print(fastest, stdout, 4);
    side_table(options, "fastest", fastest);
    puts("\n    Floors that no sum of small vectors can beat: no work, and the vectors' arrival alone.\n");
    table_print(floor, stdout, 4);
    side_table(options, "floor", floor);
    puts("\n    The halves of all-reduce: all-gather, reduce-scatter.\n");
    table_print(halves, stdout, 4);
    side_table(options, "halves", halves);
    puts("\n    Two-shot on fewer multiprocessors: GB/s of the vector.\n");
    table_print(blocks, stdout, 4);
    side_table(options, "blocks", blocks);
    table_free(t);
    table_free(fastest);
    table_free(floor);
    table_free(halves);
    table_free(blocks);
}

static int show(const LabOptions *options)
{
    int there = 0;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    const int gpus = own.gpus ? own.gpus : there < MAX_RANKS ? there : MAX_RANKS;
    if (gpus > there)
        die_usage("--gpus %d: there %s %d", gpus, there == 1 ? "is" : "are", there);
    if (gpus == 1)
        puts("    one GPU: a sum of one vector, which shows the launches' cost and no link"
#ifdef LAB_CPU
             " (CUDA_CPU_DEVICES=4 makes four)"
#endif
        );
    const size_t capacity = device_is_cpu() ? (options->small ? 4096 : 65536) : options->small ? 1 << 20 : 1 << 28;
    Ranks ranks;
    Inputs inputs;
    ranks_make(&ranks, gpus, capacity, capacity < 1 << 24 ? capacity : 1 << 24);
    inputs_make(&inputs, &ranks, options->seed);
    const char *why = options->no_vendor ? "left out" : nccl_begin(gpus);
    if (why)
        printf("    NCCL: %s\n", why);
    const int repeats = device_is_cpu() ? 5 : options->small ? 20 : 1000;
    int failed = verify_all(&ranks, &inputs, !why, options->repeat ? options->repeat : repeats);
    printf("    %d GPU%s: %s\n", gpus, gpus > 1 ? "s" : "", failed ? "wrong" : "every rung is right on every rank");
    if (!failed && !options->verify_only)
        time_all(&ranks, capacity, !why, options);
    if (!why)
        nccl_end();
    inputs_free(&inputs);
    ranks_free(&ranks);
    return failed;
}

static const struct argp_option argp_options[] = {{"gpus", 'g', "G", 0, "how many GPUs to use (default: all)", 0}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)state;
    if (key != 'g')
        return ARGP_ERR_UNKNOWN;
    char *end;
    const long g = strtol(argument, &end, 10);
    if (end == argument || *end || g < 1 || g > MAX_RANKS)
        die_usage("--gpus is a number from 1 to %d, not \"%s\"", MAX_RANKS, argument);
    own.gpus = (int)g;
    return 0;
}

static const struct argp argp = {argp_options, parse, 0, 0, 0, 0, 0};

static const Lab lab = {
    .order = 11,
    .name = "allreduce",
    .title = "a sum over several GPUs, from copies through the host to one kernel",
    .page = "gpus.md",
    .look = "Small sums cost round trips, large ones bytes on the link. The rungs with flags need no host between\n"
            "the GPUs, so they go into a CUDA graph.",
    .show = show,
    .argp = &argp,
};
LAB_MAIN(lab)
