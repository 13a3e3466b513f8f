/* problem.cuh: what every rung of the backward ladder computes, where its data are, and the passes before and after.
 *
 * From the forward pass come q, k, v, o and, for each query, lse = log(sum of exp(its scores)), fp32
 * [batch][heads][length]; from the next layer comes `grad`, the gradient of o. For each sequence and head
 *
 *     p = exp(q kT / sqrt(width) - lse)              the weights again; no maximum and no sum are needed
 *     ds = p * (grad vT - delta)                     delta: for each query the sum of grad * o
 *     dq = ds k / sqrt(width)    dk = dsT q / sqrt(width)    dv = pT grad
 *
 * dk and dv add up over the query heads that share a key head. grad and dq are stored like q, dk and dv like k. */
#ifndef ATTENTION_BACKWARD_PROBLEM_CUH
#define ATTENTION_BACKWARD_PROBLEM_CUH

#include "../attention/problem.cuh"

typedef struct Backward {
    Attention a; /* q, k, v, o and the sizes */
    const __nv_bfloat16 *grad;
    const float *lse;
    __nv_bfloat16 *dq, *dk, *dv;
    float *scratch; /* backward_scratch() floats, and for rung 1 two matrices more */
} Backward;

constexpr int BACKWARD_TILE = 64; /* queries; a head's queries are padded to whole tiles in the scratch memory */

static __host__ __device__ inline int query_tiles(const Attention &a)
{
    return (a.length + BACKWARD_TILE - 1) / BACKWARD_TILE;
}

/* The scratch memory begins with one sum of dq in fp32 for each query tile, 64 x width, ... */
static __host__ __device__ inline float *dq_tile(const Backward &b, int batch, int head, int tile)
{
    return b.scratch +
           (((size_t)batch * b.a.heads + head) * query_tiles(b.a) + tile) * BACKWARD_TILE * (size_t)b.a.width;
}

/* ... and goes on with what a tile's queries need to get their weights again: 64 numbers lse * log2(e), then 64 deltas.
 * Where the tile goes past the end, lse is inf and delta 0: such a query has weights 0 and changes nothing. */
static __host__ __device__ inline float *row_tile(const Backward &b, int batch, int head, int tile)
{
    return dq_tile(b, b.a.batch, 0, 0) +
           (((size_t)batch * b.a.heads + head) * query_tiles(b.a) + tile) * 2 * BACKWARD_TILE;
}

/* Room for that, and for the Hopper rungs' tiles of up to 128 queries and their counters. */
static inline size_t backward_scratch(const Attention *a)
{
    return (size_t)a->batch * a->heads * ((a->length + 127) / 128) * (128 * (size_t)(a->width + 2) + 4) + 1;
}

/* Before: delta and lse of each query, one warp per query; and the sums of dq become 0. */
__global__ void __launch_bounds__(256) attention_backward_rows(Backward b)
{
    const Attention &a = b.a;
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads, lane = threadIdx.x % 32;
    const int query = blockIdx.x * 8 + threadIdx.x / 32, tile = query / BACKWARD_TILE, row = query % BACKWARD_TILE;
    float *sums = dq_tile(b, batch, head, tile) + row * a.width, *rows = row_tile(b, batch, head, tile);
    float delta = 0;
    for (int d = lane; d < a.width; d += 32) {
        const size_t at = query_begin(a, batch, head) + query * query_step(a) + d;
        if (query < a.length)
            delta += __bfloat162float(b.grad[at]) * __bfloat162float(a.o[at]);
        sums[d] = 0;
    }
    for (int step = 16; step > 0; step /= 2)
        delta += __shfl_xor_sync(0xffffffffu, delta, step);
    if (lane == 0) {
        const size_t at = (size_t)blockIdx.y * a.length + query;
        rows[row] = query < a.length ? b.lse[at] * 1.4426950408889634f : INFINITY;
        rows[BACKWARD_TILE + row] = delta;
    }
}

static inline void backward_rows(const Backward *b, cudaStream_t stream)
{
    const dim3 grid((unsigned)query_tiles(b->a) * BACKWARD_TILE / 8, (unsigned)(b->a.batch * b->a.heads));
    attention_backward_rows<<<grid, 256, 0, stream>>>(*b);
}

#endif
