/* Decoding with pages: the keys of a sequence are wherever there was room.
 *
 * As in attention_decode, one new token of each sequence looks back: q and o are [B][H][128], bf16, H query heads on G
 * key heads. But sequences have different lengths, 100 to S, and grow while others end. So a server keeps keys and
 * values in pages of 16 tokens, [pages][16][G][128], and for each sequence a table of its pages. The question is what
 * the table costs: the address of each key depends on a number that must be read first.
 *
 *   rung                   idea                                                     ./run attention_pages --rung N
 *   1  one block per head  the scores of a head in shared memory; the table is read for each key
 *   2  one page per step   attention_decode's tensor cores on equal shares of all pages; a warp's step is one page
 *   3  page numbers ahead  a warp reads the numbers of its next 32 pages at once, 32 steps before it needs them
 *   4  no pages            the yardstick: rung 3's kernel on keys whose pages follow each other, without a table
 *
 * All pages of all sequences are one list, which is cut into as many equal shares as blocks run at the same time: a
 * share may begin and end in the middle of a sequence. Where several blocks have parts of one, the last merges them,
 * always in the order of the sequence.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "lab.h"

#include "attention/problem.cuh"
#include "ptx.cuh"

enum {
    D = 128,
    SHARE = 4, /* heads that share keys, in a block */
    PAGE = 16, /* tokens */
    WARPS = 4,
    UNIT = WARPS * PAGE, /* tokens of a step of a block */
    STAGES = 3,          /* slots of a warp's ring */
    PART_FLOATS = D + 4, /* sums, maximum, sum of weights; a multiple of 16 bytes */
    RING_ELEMENTS = 2 * STAGES * PAGE * D,
};

/* A sequence's first page in the yardstick's order is begin[b] / PAGE. Its steps, of all its heads / SHARE groups, are
 * number first[b] to first[b + 1] - 1 of all steps. */
typedef struct Paged {
    const __nv_bfloat16 *q, *k, *v;
    __nv_bfloat16 *o;
    const int *lengths, *first, *begin, *table; /* table: [B][columns] */
    int batch, heads, kv_heads, columns, steps;
    float *scratch;    /* two parts of SHARE heads for each block */
    unsigned *arrived; /* for each group of heads, zero before and after each launch */
} Paged;
typedef void Launch(const Paged *p, cudaStream_t stream);

enum { Q, K, V, NUMBERS, TABLE, K_PAGES, V_PAGES };

/* The numbers of NUMBERS, B + 1 of each kind. */
static int *lengths_of(const LabCase *c) { return (int *)c->h_in[NUMBERS]; }
static int *first_of(const LabCase *c) { return lengths_of(c) + c->dim[0] + 1; }
static int *begin_of(const LabCase *c) { return first_of(c) + c->dim[0] + 1; }

static void paged_cpu(LabCase *c)
{
    const size_t B = c->dim[0], H = c->dim[2], G = c->dim[3];
    const uint16_t *q = lab_h_in_u16(c, Q), *k = lab_h_in_u16(c, K), *v = lab_h_in_u16(c, V);
#pragma omp parallel for schedule(dynamic)
    for (size_t row = 0; row < B * H; row++) {
        const size_t length = (size_t)lengths_of(c)[row / H],
                     kv = ((size_t)begin_of(c)[row / H] * G + row % H / (H / G)) * D;
        const int wanted = lab_sample_row(row, B * H, 4.0 * (double)length * D);
        double *o = c->expect + row * D, max = -INFINITY, sum = 0, *p = (double *)malloc(sizeof(double) * (length + 1));
        for (int d = 0; d < D; d++)
            o[d] = wanted ? 0 : lab_unchecked();
        for (size_t n = 0; wanted && n < length; n++) {
            p[n] = 0;
            for (int d = 0; d < D; d++)
                p[n] += (double)bf16_to_float(q[row * D + d]) * bf16_to_float(k[kv + n * G * D + d]);
            p[n] /= sqrt((double)D);
            max = fmax(max, p[n]);
        }
        for (size_t n = 0; wanted && n < length; n++)
            sum += p[n] = exp(p[n] - max);
        for (size_t n = 0; wanted && n < length; n++)
            for (int d = 0; d < D; d++)
                o[d] += p[n] / sum * bf16_to_float(v[kv + n * G * D + d]);
        free(p);
    }
}

__device__ static float paged_exp2(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

/* exp2(part - whole), 0 where a part has seen nothing. */
__device__ static float rescale(float part, float whole) { return part == -INFINITY ? 0 : paged_exp2(part - whole); }

/* Where token n of a sequence is, in tokens. */
__device__ static size_t token_place(const Paged &p, int b, int n)
{
    return (size_t)p.table[(size_t)b * p.columns + n / PAGE] * PAGE + n % PAGE;
}

/* 1: a block of 128 threads, one head: scores, then weights, in shared memory; then thread d sums up column d of the
 * values. */
__global__ void __launch_bounds__(D) paged_kernel1(Paged p)
{
    extern __shared__ float paged_scores[];
    __shared__ float s[8];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, b = blockIdx.x / p.heads, head = blockIdx.x % p.heads;
    const int length = p.lengths[b], kv_head = head / (p.heads / p.kv_heads);
    const size_t step = (size_t)p.kv_heads * D;
    const __nv_bfloat16 *q = p.q + (size_t)blockIdx.x * D, *k = p.k + kv_head * D, *v = p.v + kv_head * D;
    float largest = -INFINITY, total = 0, out = 0;
    for (int n = warp; n < length; n += 4) { /* one warp per key */
        float dot = 0;
        for (int d = lane; d < D; d += 32)
            dot += __bfloat162float(q[d]) * __bfloat162float(k[token_place(p, b, n) * step + d]);
        for (int across = 16; across > 0; across /= 2)
            dot += __shfl_xor_sync(0xffffffffu, dot, across);
        dot *= exponent_scale(D);
        if (lane == 0)
            paged_scores[n] = dot;
        largest = fmaxf(largest, dot);
    }
    if (lane == 0)
        s[warp] = largest;
    __syncthreads();
    largest = fmaxf(fmaxf(s[0], s[1]), fmaxf(s[2], s[3]));
    for (int i = t; i < length; i += 128)
        total += paged_scores[i] = paged_exp2(paged_scores[i] - largest);
    for (int across = 16; across > 0; across /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, across);
    if (lane == 0)
        s[4 + warp] = total;
    __syncthreads();
    for (int n = 0; n < length; n++)
        out += paged_scores[n] * __bfloat162float(v[token_place(p, b, n) * step + t]);
    p.o[(size_t)blockIdx.x * D + t] = __float2bfloat16(out / (s[4] + s[5] + s[6] + s[7]));
}

static void paged1(const Paged *p, cudaStream_t stream)
{
    const size_t bytes = (size_t)p->columns * PAGE * sizeof(float);
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)paged_kernel1, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    paged_kernel1<<<(unsigned)(p->batch * p->heads), D, bytes, stream>>>(*p);
}

/* Block i has steps first_step(i) to first_step(i + 1) - 1 of all. */
__device__ static int first_step(const Paged &p, int block)
{
    return (int)((long long)block * p.steps / (int)gridDim.x);
}
__device__ static int block_of(const Paged &p, int step)
{
    return (int)(((long long)(step + 1) * (int)gridDim.x - 1) / p.steps);
}

/* The sequence that has this step: the last one that does not begin after it. A warp asks for 32 at a time. */
__device__ static int sequence_of(const Paged &p, int step)
{
    int before = 0;
    for (int b = 0; b < p.batch; b += 32) {
        const int mine = b + (int)threadIdx.x % 32;
        before += __popc(__ballot_sync(0xffffffffu, mine < p.batch && p.first[mine] <= step));
    }
    return before - 1;
}

/* Of a block's two places for parts the first is for a sequence that began in an earlier block. */
__device__ static float *place(const Paged &p, int block, bool continued, int head)
{
    return p.scratch + (((size_t)block * 2 + !continued) * SHARE + head) * PART_FLOATS;
}

/* The parts of a head, of blocks from `block` on, as one. A warp: lane l has columns 4 l .. 4 l + 3. __ldcg: from L2,
 * where other blocks' stores are. */
__device__ static void merge_parts(const Paged &p, int block, int parts, int head, __nv_bfloat16 *o)
{
    const int lane = threadIdx.x % 32;
    float max = -INFINITY, sum = 0, out[4] = {0};
    for (int i = 0; i < parts; i++) {
        const float *part = place(p, block + i, i > 0, head);
        const float its_max = __ldcg(part + D), its_sum = __ldcg(part + D + 1);
        const float4 its_out = __ldcg((const float4 *)part + lane);
        const float larger = fmaxf(max, its_max), old = rescale(max, larger), its = rescale(its_max, larger);
        max = larger;
        sum = sum * old + its_sum * its;
        out[0] = out[0] * old + its_out.x * its;
        out[1] = out[1] * old + its_out.y * its;
        out[2] = out[2] * old + its_out.z * its;
        out[3] = out[3] * old + its_out.w * its;
    }
    for (int i = 0; i < 4; i++)
        o[lane * 4 + i] = __float2bfloat16(out[i] / sum);
}

/* What a warp has of the SHARE heads of a part: lane l has columns 8 i + 2 (l % 4) and the next of head l / 4. */
struct Sums {
    float out[D / 8][4], max, sum;
};

__device__ static int swizzled(int row, int piece) { return row * D + (piece ^ (row % 8)) * 8; }

/* The page of a warp's step, in the pool. TABLE_NO: pages follow each other; TABLE_STEP: asked of the table when it is
 * needed; TABLE_AHEAD: lane l has the number of step `from` + l, and those of the next 32 are on their way. */
enum { TABLE_NO, TABLE_STEP, TABLE_AHEAD };
template <int TABLE_WAY> struct Lookup {
    const int *row;
    int page0, steps, from, now, next;

    __device__ int at(int step) const { return step < steps ? row[step * WARPS + threadIdx.x / 32] : 0; }
    __device__ Lookup(const Paged &p, int b, int tile0, int tiles)
    {
        row = p.table + (size_t)b * p.columns + tile0 * WARPS;
        page0 = p.begin[b] / PAGE + tile0 * WARPS + (int)threadIdx.x / 32;
        steps = tiles - (tile0 + tiles == (p.lengths[b] + UNIT - 1) / UNIT &&
                         (tile0 + tiles - 1) * UNIT + (int)threadIdx.x / 32 * PAGE >= p.lengths[b]);
        from = now = next = 0;
        if (TABLE_WAY == TABLE_AHEAD) {
            now = at((int)threadIdx.x % 32);
            next = at(32 + (int)threadIdx.x % 32);
        }
    }
    /* Steps are asked for in order. */
    __device__ size_t page(int step)
    {
        if (TABLE_WAY == TABLE_NO)
            return (size_t)(page0 + step * WARPS);
        if (TABLE_WAY == TABLE_STEP)
            return (size_t)at(step);
        if (step == from + 32) {
            from = step;
            now = next;
            next = at(step + 32 + (int)threadIdx.x % 32);
        }
        return (size_t)__shfl_sync(0xffffffffu, now, step % 32);
    }
};

/* A warp's part of tokens tile0 * UNIT to (tile0 + tiles) * UNIT - 1 of a sequence. The products are attention_decode's:
 * rings of cp.async, swizzled, mma.sync with four of sixteen rows in use. */
template <int TABLE_WAY>
__device__ static void multiply_pages(const Paged &p, int b, int head, int tile0, int tiles, __nv_bfloat16 *ring,
                                      Sums &w)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 4, length = p.lengths[b];
    const size_t step = (size_t)p.kv_heads * D;
    const int kv_head = head / (p.heads / p.kv_heads);
    const __nv_bfloat16 *k = p.k + kv_head * D + lane % 16 * 8, *v = p.v + kv_head * D + lane % 16 * 8;
    Lookup<TABLE_WAY> lookup(p, b, tile0, tiles);
    const auto fetch = [&](int tile) { /* lane l copies piece l % 16 of tokens l / 16, + 2, ... */
                                       __nv_bfloat16 *to = ring + tile % STAGES * 2 * PAGE * D;
                                       const int n = ((tile0 + tile) * WARPS + warp) * PAGE + lane / 16;
                                       const size_t page = lookup.page(tile) * PAGE + lane / 16;
#pragma unroll
                                       for (int i = 0; i < PAGE; i += 2) {
                                           const bool there = n + i < length;
                                           const size_t from = there ? (page + i) * step : 0;
                                           cp_async_16(to + swizzled(lane / 16 + i, lane % 16), k + from, there);
                                           cp_async_16(to + PAGE * D + swizzled(lane / 16 + i, lane % 16), v + from,
                                                       there);
                                       }
    };
    for (int tile = 0; tile < STAGES - 1; tile++) {
        if (tile < tiles)
            fetch(tile);
        cp_async_commit();
    }
    uint32_t q[D / 16][4];
#pragma unroll
    for (int i = 0; i < D / 16; i++) {
        const __nv_bfloat16 *from = p.q + ((size_t)b * p.heads + head + row % SHARE) * D + i * 16 + lane % 4 * 2;
        memcpy(&q[i][0], from, 4);
        memcpy(&q[i][2], from + 8, 4);
        q[i][1] = q[i][3] = 0; /* rows 8 to 15 */
    }
    const float c = exponent_scale(D);
    for (int tile = 0; tile < tiles; tile++) {
        cp_async_wait<STAGES - 2>();
        __syncwarp(); /* every lane's copies are here, and no lane still reads the tile before this one */
        if (tile + STAGES - 1 < tiles)
            fetch(tile + STAGES - 1);
        cp_async_commit();
        const __nv_bfloat16 *ks = ring + tile % STAGES * 2 * PAGE * D, *vs = ks + PAGE * D;
        float score[2][4] = {{0}};
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
            uint32_t kf[4];
            ldmatrix_x4(kf, ks + swizzled(lane / 16 * 8 + lane % 8, i * 2 + lane / 8 % 2));
            mma_m16n8k16_bf16(score[0], q[i], kf);
            mma_m16n8k16_bf16(score[1], q[i], kf + 2);
        }
        const int n = ((tile0 + tile) * WARPS + warp) * PAGE + lane % 4 * 2;
        float x[4], largest = -INFINITY;
#pragma unroll
        for (int e = 0; e < 4; e++) {
            x[e] = n + e / 2 * 8 + e % 2 < length ? score[e / 2][e % 2] * c : -INFINITY;
            largest = fmaxf(largest, x[e]);
        }
        if (__any_sync(0xffffffffu, largest > w.max + 8)) { /* any number near the maximum will do */
            largest = fmaxf(largest, w.max);
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
            const float scale = rescale(w.max, largest);
            w.max = largest;
            w.sum *= scale;
#pragma unroll
            for (int i = 0; i < D / 8; i++)
                w.out[i][0] *= scale, w.out[i][1] *= scale;
        }
        uint32_t weight[4] = {0};
#pragma unroll
        for (int e = 0; e < 4; e++)
            w.sum += x[e] = rescale(x[e], w.max);
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const __nv_bfloat162 two = __floats2bfloat162_rn(x[2 * j], x[2 * j + 1]);
            memcpy(&weight[2 * j], &two, 4);
        }
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
            uint32_t vf[4];
            ldmatrix_x4_trans(vf, vs + swizzled(lane % 16, i * 2 + lane / 16));
            mma_m16n8k16_bf16(w.out[2 * i], weight, vf);
            mma_m16n8k16_bf16(w.out[2 * i + 1], weight, vf + 2);
        }
    }
    cp_async_wait<0>();
    w.sum += __shfl_xor_sync(0xffffffffu, w.sum, 1);
    w.sum += __shfl_xor_sync(0xffffffffu, w.sum, 2);
}

/* The four warps' sums as one part, through `meet`, [warp][head][column]: to memory, or, of a whole sequence, to o. */
__device__ static void finish_part(const Paged &p, const Sums &w, float *meet, int block, bool continued,
                                   bool whole_one, __nv_bfloat16 *o)
{
    __shared__ float s_max[WARPS][SHARE], s_sum[WARPS][SHARE];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, row = lane / 4;
    __syncthreads(); /* no warp reads its ring any more */
    if (row < SHARE) {
        if (lane % 4 == 0) {
            s_max[warp][row] = w.max;
            s_sum[warp][row] = w.sum;
        }
#pragma unroll
        for (int i = 0; i < D / 8; i++) {
            float *to = meet + (warp * SHARE + row) * D + i * 8 + lane % 4 * 2;
            to[0] = w.out[i][0];
            to[1] = w.out[i][1];
        }
    }
    __syncthreads();
    for (int j = 0; j < SHARE; j++) {
        float whole = -INFINITY, total = 0, column = 0, *to = place(p, block, continued, j);
        for (int i = 0; i < WARPS; i++)
            whole = fmaxf(whole, s_max[i][j]);
        for (int i = 0; i < WARPS; i++) {
            const float scale = rescale(s_max[i][j], whole);
            total += s_sum[i][j] * scale;
            column += meet[(i * SHARE + j) * D + t] * scale;
        }
        if (whole_one)
            o[j * D + t] = __float2bfloat16(column / total);
        else {
            to[t] = column;
            if (t == 0) {
                to[D] = whole;
                to[D + 1] = total;
            }
        }
    }
    __syncthreads(); /* the rings are free again */
}

template <int TABLE_WAY> __global__ void __launch_bounds__(WARPS * 32, 2) paged_kernel2(Paged p)
{
    extern __shared__ __align__(128) uint4 paged_rings[]; /* WARPS rings of RING_ELEMENTS */
    __shared__ bool last;
    const int warp = threadIdx.x / 32, groups = p.heads / SHARE, block = blockIdx.x;
    const int end = first_step(p, block + 1);
    __nv_bfloat16 *ring = (__nv_bfloat16 *)paged_rings + warp * RING_ELEMENTS;
    for (int at = first_step(p, block); at < end;) {
        const int b = sequence_of(p, at), per_group = (p.first[b + 1] - p.first[b]) / groups,
                  group = (at - p.first[b]) / per_group, begin = p.first[b] + group * per_group;
        const int tiles = min(end, begin + per_group) - at, head = group * SHARE;
        Sums w = {{{0}}, -INFINITY, 0};
        multiply_pages<TABLE_WAY>(p, b, head, at - begin, tiles, ring, w);
        __nv_bfloat16 *o = p.o + ((size_t)b * p.heads + head) * D;
        const int first_block = block_of(p, begin), parts = block_of(p, begin + per_group - 1) - first_block + 1;
        finish_part(p, w, (float *)paged_rings, block, first_block < block, parts == 1, o);
        at += tiles;
        if (parts == 1)
            continue;
        /* Every thread's part must be visible before the block counts as arrived. */
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            last = atomicInc(&p.arrived[b * groups + group], (unsigned)parts - 1) == (unsigned)parts - 1;
        __syncthreads();
        if (last) {
            __threadfence();
            merge_parts(p, first_block, parts, warp, o + warp * D); /* one warp per head */
        }
    }
}

/* The number of steps and blocks. No more blocks than steps: each has one at least. */
static int paged_blocks(int steps)
{
    return steps < 2 * device_multiprocessors() ? steps : 2 * device_multiprocessors();
}

template <int TABLE_WAY> static void paged_launch(const Paged *p, cudaStream_t stream)
{
    static_assert((int)WARPS == (int)SHARE, "a warp merges a head");
    const size_t bytes = sizeof(__nv_bfloat16) * WARPS * RING_ELEMENTS;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)paged_kernel2<TABLE_WAY>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)bytes));
    paged_kernel2<TABLE_WAY><<<(unsigned)paged_blocks(p->steps), WARPS * 32, bytes, stream>>>(*p);
}
static void paged2(const Paged *p, cudaStream_t stream) { paged_launch<TABLE_STEP>(p, stream); }
static void paged3(const Paged *p, cudaStream_t stream) { paged_launch<TABLE_AHEAD>(p, stream); }
static void paged4(const Paged *p, cudaStream_t stream) { paged_launch<TABLE_NO>(p, stream); }

enum { NO_PAGES = 4 };
static const LabRung rungs[] = {
    {1, "one block per head", LAB_LAUNCH(Launch, paged1), LAB_BF16, 0, 0},
    {2, "one page per step", LAB_LAUNCH(Launch, paged2), LAB_BF16, LAB_NEEDS_SM80, 0},
    {3, "page numbers ahead", LAB_LAUNCH(Launch, paged3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {NO_PAGES, "no pages", LAB_LAUNCH(Launch, paged4), LAB_BF16, LAB_NEEDS_SM80, 0},
};

/* Lengths, and where each sequence begins in tokens and in steps. Sequence 0 is the longest, S. Returns the pages. */
static size_t plan(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], least = S < 100 ? 1 : 100;
    int *lengths = lengths_of(c), *first = first_of(c), *begin = begin_of(c);
    for (size_t b = 0; b < B; b++) {
        lengths[b] = (int)(b ? least + random_u64(c->seed + NUMBERS, b) % (S - least + 1) : S);
        first[b + 1] = first[b] + (lengths[b] + UNIT - 1) / UNIT * (int)(c->dim[2] / SHARE);
        begin[b + 1] = begin[b] + (lengths[b] + PAGE - 1) / PAGE * PAGE;
    }
    return (size_t)begin[B] / PAGE;
}

/* The pool: each sequence's pages where a shuffled deck says; what follows a sequence in its last page is NaN. */
static void scatter(LabCase *c, size_t pages, size_t columns)
{
    const size_t B = c->dim[0], row = c->dim[3] * D, page_elements = PAGE * row;
    size_t *deck = (size_t *)malloc(sizeof(size_t) * (pages + 1));
    for (size_t i = 0; i < pages; i++) {
        const size_t j = random_u64(c->seed + TABLE, i) % (i + 1);
        deck[i] = deck[j];
        deck[j] = i;
    }
    for (size_t b = 0; b < B; b++) {
        const size_t first = (size_t)begin_of(c)[b] / PAGE, length = (size_t)lengths_of(c)[b];
        for (int i = K; i <= V; i++)
            for (size_t n = (first * PAGE + length) * row; n < (size_t)begin_of(c)[b + 1] * row; n++)
                lab_h_in_u16(c, i)[n] = 0xffff;
        for (size_t i = 0; i < (length + PAGE - 1) / PAGE; i++)
            ((int *)c->h_in[TABLE])[b * columns + i] = (int)deck[first + i];
    }
#pragma omp parallel for
    for (size_t i = 0; i < pages; i++)
        for (int kv = K; kv <= V; kv++)
            memcpy(lab_h_in_u16(c, kv - K + K_PAGES) + deck[i] * page_elements, lab_h_in_u16(c, kv) + i * page_elements,
                   page_elements * 2);
    free(deck);
}

static size_t scratch_floats(void) { return (size_t)2 * 2 * (size_t)device_multiprocessors() * SHARE * PART_FLOATS; }

static const char *setup(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], H = c->dim[2], G = c->dim[3], columns = (S + PAGE - 1) / PAGE;
    if (G == 0 || H % G || H / G % SHARE)
        return "the heads that share keys are a multiple of 4";
    if (B * H > 65535 || S > 1 << 20 || S == 0)
        return "at most 65535 heads in all, of 1 to 1048576 tokens";
    lab_input(c, NUMBERS, 3 * (B + 1), LAB_S32);
    const size_t pages = plan(c), elements = pages * PAGE * G * D;
    lab_input(c, Q, B * H * D, LAB_BF16);
    lab_input(c, TABLE, B * columns, LAB_S32);
    for (int i = 0; i < 2; i++) {
        lab_input(c, K + i, elements, LAB_BF16);
        lab_input(c, K_PAGES + i, elements, LAB_BF16);
    }
    lab_output(c, B * H * D, LAB_BF16);
    /* Scores of deviation 1, and in every second sequence of 8; positive values: see attention.cu. */
    lab_fill_uniform(c, Q, -1.732, 1.732);
    lab_fill_uniform(c, K, -1.732, 1.732);
    lab_fill_uniform(c, V, 0.25, 2);
    for (size_t b = 1; b < B; b += 2)
        for (size_t i = 0; i < H * D; i++)
            lab_set(c->h_in[Q], LAB_BF16, b * H * D + i, 8 * lab_get(c->h_in[Q], LAB_BF16, b * H * D + i));
    scatter(c, pages, columns);
    const size_t scratch = sizeof(float) * scratch_floats() + sizeof(unsigned) * B * H;
    CUDA_CHECK(cudaMemset(lab_scratch(c, scratch), 0, scratch));
    c->out_width = D;
    c->atol = 0;
    c->rtol = 2.0 / 256 + 1e-3; /* the weights are rounded to 8 bits, and the result is */
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number == 1 && c->dim[1] > 50000 ? "the scores do not fit a block's shared memory" : NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const int B = (int)c->dim[0], no_pages = r->number == NO_PAGES;
    const int *numbers = (const int *)c->in[NUMBERS];
    const Paged p = {lab_in_bf16(c, Q),
                     lab_in_bf16(c, no_pages ? K : K_PAGES),
                     lab_in_bf16(c, no_pages ? V : V_PAGES),
                     lab_out_bf16(c),
                     numbers,
                     numbers + B + 1,
                     numbers + 2 * (B + 1),
                     (const int *)c->in[TABLE],
                     B,
                     (int)c->dim[2],
                     (int)c->dim[3],
                     (int)((c->dim[1] + PAGE - 1) / PAGE),
                     first_of(c)[B],
                     (float *)c->scratch,
                     (unsigned *)((float *)c->scratch + scratch_floats())};
    if (c->out_count > 0)
        ((Launch *)r->launch)(&p, c->stream);
}

static double bytes(const LabCase *c) { return 2.0 * (double)(2 * c->in_count[Q] + 2 * c->in_count[K]); }
static double flops(const LabCase *c) { return 4.0 * (double)c->in_count[K] * ((double)c->dim[2] / (double)c->dim[3]); }

static const Lab lab = {
    .order = 17,
    .name = "attention_pages",
    .title = "keys in pages of 16 tokens: what does the table cost?",
    .page = "serving.md",
    .look = "Sequences have 100 to S tokens. Rung 4 has no table:\n"
            "what rungs 2 and 3 lose against it is the price of pages.",
    .dims = "B S H G",
    .size = "32x8192x32x8",
    .cpu_size = "3x512x8x2",
    .small_sizes = "1x7x4x1 3x200x8x2 1x300x8x1",
    .test_sizes = "1x1x4x1 1x7x4x1 2x33x8x2 1x512x4x1 3x513x8x2 5x1100x8x1 3x600x16x4 40x130x4x1 1x4500x4x1 0x5x4x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = paged_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};

LAB_MAIN(lab)
