/* Inclusive scan of n fp32 numbers: y[i] = x[0] + ... + x[i]. Every result depends on all before it, and yet a thousand
 * blocks can work on it at once.
 *
 * Reading x once and writing y once is all the traffic there must be: the ceiling is a copy. Rungs 1 to 4 scan blocks,
 * then the blocks' sums (in the same way), then add those: y is written, read and written again. The order of
 * additions differs from rung to rung, and so does the rounding.
 *
 *   rung                   idea                                                                 ./run scan --rung N
 *   1  Hillis-Steele       each step adds the element 1, 2, 4 ... to the left: log2(n) steps, n log2(n) additions
 *   2  Blelloch            up a tree and down again: twice the steps, 2n additions, and half the threads idle
 *   3  warp shuffles       Hillis-Steele again, but in registers: 32 elements need no shared memory and no barrier
 *   4  16 bytes per thread  four elements are scanned by one thread, one after the other: shuffles for every fourth
 *                           only
 *   5  decoupled look-back one pass: a block publishes its sum at once, and looks back over its predecessors'
 *   6  CUB                 NVIDIA's library, cub::DeviceScan::InclusiveSum
 *
 * Rung 5 is Merrill and Garland's "Single-pass Parallel Prefix Scan with Decoupled Look-back" (NVIDIA, 2016). Which of
 * its predecessors' sums a block finds depends on the moment: the last bits may differ from run to run, as CUB's do.
 * While its blocks wait for each other, the memory keeps reading: each has a later tile brought into L2.
 */
#include "ceil_div.cuh"
#include "lab.h"
#include "ptx.cuh"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef __CUCC__
#include <cub/device/device_scan.cuh>
#endif

/* `words` of scratch memory, of 8 bytes. */
typedef struct Scratch {
    unsigned long long *memory;
    size_t words;
} Scratch;
typedef void Scan(const float *x, float *y, size_t n, const Scratch *scratch, cudaStream_t stream);

static void scan_cpu(LabCase *c)
{
    const float *x = lab_h_in_f32(c, 0);
    double sum = 0;
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[i] = sum += x[i];
}

enum { THREADS = 256 };

/* ---- blocks, then their sums, then both together ---------------------------------------------------------------- */

/* 1: two buffers, so that no thread overwrites what another has yet to read. */
__global__ void scan_kernel1(const float *x, float *y, float *sums, size_t n)
{
    __shared__ float s[2][THREADS];
    const int t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;
    int from = 0;
    s[0][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        s[from ^ 1][t] = s[from][t] + (t >= step ? s[from][t - step] : 0);
        from ^= 1;
        __syncthreads();
    }
    if (i < n)
        y[i] = s[from][t];
    if (t == THREADS - 1)
        sums[blockIdx.x] = s[from][t];
}

/* 2: the tree's sums grow in place; then each node hands its left child the sum before it, and its right child that
 * plus the left's sum. What comes out is the sum before each element: the element itself is added at the end. */
__global__ void scan_kernel2(const float *x, float *y, float *sums, size_t n)
{
    __shared__ float s[2 * THREADS];
    const int t = threadIdx.x;
    const size_t begin = (size_t)blockIdx.x * (2 * THREADS);
    const float a = begin + t < n ? x[begin + t] : 0, b = begin + t + THREADS < n ? x[begin + t + THREADS] : 0;
    s[t] = a;
    s[t + THREADS] = b;
    for (int step = 1; step < 2 * THREADS; step *= 2) {
        __syncthreads();
        const int right = (t + 1) * 2 * step - 1;
        if (right < 2 * THREADS)
            s[right] += s[right - step];
    }
    __syncthreads();
    if (t == 0) {
        sums[blockIdx.x] = s[2 * THREADS - 1];
        s[2 * THREADS - 1] = 0;
    }
    for (int step = THREADS; step > 0; step /= 2) {
        __syncthreads();
        const int right = (t + 1) * 2 * step - 1;
        if (right < 2 * THREADS) {
            const float before = s[right];
            s[right] += s[right - step];
            s[right - step] = before;
        }
    }
    __syncthreads();
    if (begin + t < n)
        y[begin + t] = s[t] + a;
    if (begin + t + THREADS < n)
        y[begin + t + THREADS] = s[t + THREADS] + b;
}

/* The inclusive scan over a warp. */
__device__ static float warp_scan(float v)
{
    for (int step = 1; step < 32; step *= 2) {
        const float left = __shfl_up_sync(0xffffffffu, v, step);
        if ((int)threadIdx.x % 32 >= step)
            v += left;
    }
    return v;
}

/* The inclusive scan over a block of `warps` warps: each warp's, then the first warp's over the warps' sums. `s` is
 * shared, one float per warp. */
__device__ static float block_scan(float v, float *s, int warps)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    v = warp_scan(v);
    if (lane == 31)
        s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        const float sum = warp_scan(lane < warps ? s[lane] : 0);
        if (lane < warps)
            s[lane] = sum;
    }
    __syncthreads();
    return v + (warp > 0 ? s[warp - 1] : 0);
}

/* 3 */
__global__ void scan_kernel3(const float *x, float *y, float *sums, size_t n)
{
    __shared__ float s[THREADS / 32];
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float v = block_scan(i < n ? x[i] : 0, s, THREADS / 32);
    if (i < n)
        y[i] = v;
    if (threadIdx.x == THREADS - 1)
        sums[blockIdx.x] = v;
}

/* Four elements from i on; zeros past the end. */
__device__ static float4 load4(const float *x, size_t i, size_t n)
{
    if (i + 4 <= n)
        return *(const float4 *)(x + i);
    return make_float4(i < n ? x[i] : 0, i + 1 < n ? x[i + 1] : 0, i + 2 < n ? x[i + 2] : 0, 0);
}
__device__ static void store4(float *y, size_t i, size_t n, float4 v)
{
    if (i + 4 <= n) {
        *(float4 *)(y + i) = v;
        return;
    }
    if (i < n)
        y[i] = v.x;
    if (i + 1 < n)
        y[i + 1] = v.y;
    if (i + 2 < n)
        y[i + 2] = v.z;
}
/* The thread's own four, scanned. */
__device__ static float4 scan4(float4 v)
{
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    return v;
}
__device__ static float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ static float4 add4(float4 v, float a) { return make_float4(v.x + a, v.y + a, v.z + a, v.w + a); }

/* 4 */
__global__ void scan_kernel4(const float *x, float *y, float *sums, size_t n)
{
    __shared__ float s[THREADS / 32];
    const size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    const float4 v = scan4(load4(x, i, n));
    const float sum = block_scan(v.w, s, THREADS / 32);
    store4(y, i, n, add4(v, sum - v.w));
    if (threadIdx.x == THREADS - 1)
        sums[blockIdx.x] = sum;
}

/* Adds the sum of everything before a block to the block's elements. */
__global__ void scan_kernel_add(float *y, const float *sums, size_t n, size_t per_block)
{
    const size_t end = (blockIdx.x + 2) * per_block < n ? (blockIdx.x + 2) * per_block : n;
    for (size_t i = (blockIdx.x + 1) * per_block + threadIdx.x; i < end; i += blockDim.x)
        y[i] += sums[blockIdx.x];
}

/* Scans blocks, then their sums in the same way, then adds. `room` is for all levels' sums. */
static void levels(void (*kernel)(const float *, float *, float *, size_t), size_t per_block, const float *x, float *y,
                   size_t n, float *room, cudaStream_t stream)
{
    const size_t blocks = ceil_div(n, per_block), aligned = ceil_div(blocks, 4) * 4; /* float4 wants 16 bytes */
    kernel<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, room, n);
    if (blocks == 1)
        return;
    levels(kernel, per_block, room, room, blocks, room + aligned, stream);
    scan_kernel_add<<<(unsigned)blocks - 1, THREADS, 0, stream>>>(y, room, n, per_block);
}

static void scan1(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
    levels(scan_kernel1, THREADS, x, y, n, (float *)s->memory, stream);
}
static void scan2(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
    levels(scan_kernel2, 2 * THREADS, x, y, n, (float *)s->memory, stream);
}
static void scan3(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
    levels(scan_kernel3, THREADS, x, y, n, (float *)s->memory, stream);
}
static void scan4_levels(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
    levels(scan_kernel4, 4 * THREADS, x, y, n, (float *)s->memory, stream);
}

/* ---- 5: one pass ------------------------------------------------------------------------------------------------ */

/* What a tile has published: nothing yet, the sum of its own elements, or the sum of all up to its end. The sum
 * and what it is are one word of eight bytes, written and read at once, so that no fence is needed between them. */
enum { NOTHING, OWN_SUM, WHOLE_SUM };

__device__ static void tell(volatile unsigned long long *state, int tile, int kind, float sum)
{
    state[tile] = (unsigned long long)kind << 32 | __float_as_uint(sum);
}

/* The sum of all tiles before this one. One warp: each lane looks at one of 32 predecessors, until one of them knows
 * the sum of everything before it. Only those nearer than that one need to have published anything. */
__device__ static float look_back(volatile unsigned long long *state, int tile)
{
    const int lane = threadIdx.x % 32;
    float before = 0;
    for (int nearest = tile - 1; nearest >= 0; nearest -= 32) {
        const int mine = nearest - lane;
        unsigned long long word;
        unsigned whole, silent;
        do {
            word = mine >= 0 ? state[mine] : (unsigned long long)WHOLE_SUM << 32; /* before the first: 0 */
            whole = __ballot_sync(0xffffffffu, word >> 32 == WHOLE_SUM);
            silent = __ballot_sync(0xffffffffu, word >> 32 == NOTHING);
        } while (silent & (whole ? (whole & -whole) - 1 : 0xffffffffu));
        const int last =
            whole ? __ffs((int)whole) - 1 : 31; /* the nearest that knows it all; those behind do not count */
        float sum = lane <= last ? __uint_as_float((unsigned)word) : 0;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        before += sum;
        if (whole)
            break;
    }
    return before;
}

/* Asks for 128 bytes to be brought into L2; waits for nothing. */
__device__ static void prefetch(const float *x)
{
#ifdef __CUCC__
    (void)x; /* there are no caches */
#else
    asm volatile("prefetch.global.L2 [%0];" ::"l"(x));
#endif
}

/* A tile is ROWS float4 for each of WORKERS threads, of which HELD lie in registers and KEPT in shared memory; a warp's
 * part of it is ROWS rows of 128 floats. With half of it in shared memory a thread does with 80 registers, and a
 * multiprocessor has three blocks instead of two: while one waits, two go on. tiles_ahead() says how
 * far memory is ahead of the blocks. */
enum { WORKERS = 224, HELD = 10, KEPT = 10, ROWS = HELD + KEPT };
enum { TILE = WORKERS * ROWS * 4, WARPS = WORKERS / 32 };

typedef struct Block {
    float sums[WARPS], before; /* of its warps; of all tiles before it */
} Block;

/* All warps but the last work: they load a tile, sum it up, scan their rows by shuffles while the last warp looks back,
 * and store. The last warp is also the one that has a later tile brought into L2: while tiles wait for each other
 * memory goes on reading, and a tile that comes from L2 comes soon and on time. What is stored is not read again
 * (__stcs), and leaves L2 before what was brought. Where the tile is a whole one, no test for the end comes
 * between its loads: they are all on their way before the first is used. */
template <bool WHOLE>
__device__ static void scan_tile(const float *x, float *y, size_t n, unsigned long long *state, int tile, int ahead,
                                 float4 *kept, Block *block)
{
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const bool works = warp < WARPS;
    const size_t begin = (size_t)tile * TILE, mine = begin + warp * (ROWS * 128) + lane * 4;
    float4 held[HELD];
    float rest[KEPT]; /* the sum before each of the thread's kept float4, in this tile */
    if (works) {
#pragma unroll
        for (int r = 0; r < KEPT; r++) {
            if (WHOLE)
                cp_async_16(&kept[r * WORKERS + t], x + mine + (HELD + r) * 128);
            else
                kept[r * WORKERS + t] = load4(x, mine + (HELD + r) * 128, n);
        }
        cp_async_commit();
#pragma unroll
        for (int r = 0; r < HELD; r++)
            held[r] = WHOLE ? *(const float4 *)(x + mine + r * 128) : load4(x, mine + r * 128, n);
        float sum = 0;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            sum += sum4(held[r]);
        cp_async_wait<0>();
#pragma unroll
        for (int r = 0; r < KEPT; r++)
            sum += rest[r] = sum4(kept[r * WORKERS + t]);
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (lane == 0)
            block->sums[warp] = sum;
    } else {
        const size_t later = begin + (size_t)ahead * TILE;
        for (size_t i = later + lane * 32; i < later + TILE && i < n; i += 32 * 32)
            prefetch(x + i);
    }
    __syncthreads();
    if (works) {
        float before = 0; /* in this tile */
        for (int w = 0; w < warp; w++)
            before += block->sums[w];
#pragma unroll
        for (int r = 0; r < HELD; r++) {
            held[r] = scan4(held[r]);
            const float sum = warp_scan(held[r].w);
            held[r] = add4(held[r], before + (sum - held[r].w));
            before += __shfl_sync(0xffffffffu, sum, 31);
        }
#pragma unroll
        for (int r = 0; r < KEPT; r++) {
            const float sum = warp_scan(rest[r]);
            rest[r] = before + (sum - rest[r]);
            before += __shfl_sync(0xffffffffu, sum, 31);
        }
    } else {
        float own = 0;
        for (int w = 0; w < WARPS; w++)
            own += block->sums[w];
        if (lane == 0)
            tell(state, tile, tile == 0 ? WHOLE_SUM : OWN_SUM, own);
        const float before = look_back(state, tile);
        if (lane == 0) {
            block->before = before;
            if (tile > 0)
                tell(state, tile, WHOLE_SUM, before + own);
        }
    }
    __syncthreads();
    if (!works)
        return;
    const float before = block->before;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float4 v =
            r < HELD ? add4(held[r], before) : add4(scan4(kept[(r - HELD) * WORKERS + t]), before + rest[r - HELD]);
        if (WHOLE)
            __stcs((float4 *)(y + mine + r * 128), v);
        else
            store4(y, mine + r * 128, n, v);
    }
}

/* Tiles are numbered in the order in which blocks begin, by a ticket: a block that waits for a predecessor waits for a
 * block that runs already. `state` and `ticket` are zero before. */
__global__ void __launch_bounds__(WORKERS + 32, 3)
    scan_kernel5(const float *x, float *y, size_t n, unsigned long long *state, unsigned *ticket, int ahead)
{
    extern __shared__ __align__(128) float4 scan_kept[]; /* KEPT rows of WORKERS, from a line on */
    __shared__ int number;
    __shared__ Block block;
    if (threadIdx.x == 0)
        number = (int)atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = number;
    if ((size_t)(tile + 1) * TILE <= n)
        scan_tile<true>(x, y, n, state, tile, ahead, scan_kept, &block);
    else
        scan_tile<false>(x, y, n, state, tile, ahead, scan_kept, &block);
}

/* How many tiles memory is ahead of the blocks. A tile must still be in L2 when its block comes, and what the blocks have
 * stored is there beside it. Measured: with 50 MB of L2 (H100) 4 MB are best, and 12 lose a sixth; with 60 (H200) 8 MB. */
static int tiles_ahead(void)
{
    int l2_bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    return (l2_bytes > 55 << 20 ? 8 << 20 : 4 << 20) / (TILE * 4);
}

static void scan5(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
    const size_t tiles = ceil_div(n, TILE), bytes = KEPT * WORKERS * sizeof(float4);
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)scan_kernel5, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    CUDA_CHECK(cudaMemsetAsync(s->memory, 0, (tiles + 1) * sizeof *s->memory, stream));
    scan_kernel5<<<(unsigned)tiles, WORKERS + 32, bytes, stream>>>(x, y, n, s->memory + 1, (unsigned *)s->memory,
                                                                   tiles_ahead());
}

static void scan_cub(const float *x, float *y, size_t n, const Scratch *s, cudaStream_t stream)
{
#ifdef __CUCC__
    (void)x, (void)y, (void)n, (void)s, (void)stream;
    lab_skip("CUB comes with the CUDA Toolkit");
#else
    size_t bytes = 0; /* the first call only says how much scratch it wants */
    CUDA_CHECK(cub::DeviceScan::InclusiveSum(NULL, bytes, x, y, n, stream));
    if (bytes > s->words * sizeof *s->memory) {
        lab_skip("CUB wants %zu bytes of scratch", bytes);
        return;
    }
    CUDA_CHECK(cub::DeviceScan::InclusiveSum(s->memory, bytes, x, y, n, stream));
#endif
}

static const LabRung rungs[] = {
    {1, "Hillis-Steele", LAB_LAUNCH(Scan, scan1), LAB_F32, 0, 0},
    {2, "Blelloch", LAB_LAUNCH(Scan, scan2), LAB_F32, 0, 0},
    {3, "warp shuffles", LAB_LAUNCH(Scan, scan3), LAB_F32, 0, 0},
    {4, "16 bytes per thread", LAB_LAUNCH(Scan, scan4_levels), LAB_F32, 0, 0},
    {5, "decoupled look-back", LAB_LAUNCH(Scan, scan5), LAB_F32, 0, 0},
    {6, "CUB", LAB_LAUNCH(Scan, scan_cub), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* Room for all levels' sums (at most n / 255 and a few), for rung 5's words, and for what CUB asks. */
static size_t scratch_words(size_t n) { return n / 500 + 65536; }

/* For transformer_pytorch.py, through ctypes: rung 5 on device memory; `scratch` is of scan_scratch_bytes(n). */
extern "C" void scan_rung5(const float *x, float *y, size_t n, void *scratch, cudaStream_t stream)
{
    const Scratch s = {(unsigned long long *)scratch, scratch_words(n)};
    scan5(x, y, n, &s, stream);
}
extern "C" size_t scan_scratch_bytes(size_t n) { return scratch_words(n) * 8; }

static const char *setup(LabCase *c)
{
    const size_t n = c->dim[0];
    if (n > (size_t)INT32_MAX * THREADS)
        return "n is at most 2^31 blocks of 256";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    /* Rounding errors of partial sums add up like a random walk; one lost element of average size still shows. */
    c->atol = 8e-6 * sqrt((double)n + 1);
    c->rtol = 1e-6;
    Scratch *scratch = (Scratch *)malloc(sizeof *scratch);
    scratch->words = scratch_words(n);
    scratch->memory = (unsigned long long *)lab_scratch(c, scratch->words * sizeof *scratch->memory);
    c->user = scratch;
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

static void run(const LabRung *r, LabCase *c)
{
    if (c->dim[0] > 0)
        ((Scan *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), c->dim[0], (const Scratch *)c->user, c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }
static double flops(const LabCase *c) { return (double)c->dim[0]; }

static const Lab lab = {
    .order = 10,
    .name = "scan",
    .title = "running sums: each depends on all before it, and still one pass is enough",
    .look = "Rungs 1 to 4 read x, write y, read y and write it again, so they reach half of a copy's speed at\n"
            "most. Rung 5 reads and writes once, and looks back at what earlier blocks have published.",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "0 1 31 32 33 255 256 257 511 512 513 4095 4096 4097 17919 17920 17921 131073 300001 1000003",
    .sweep = "16777216:268435456:16777216",
    .cpu_sweep = "65536:1048576:65536",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = scan_cpu,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
