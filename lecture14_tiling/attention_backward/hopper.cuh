/* hopper.cuh: what the Hopper rungs share: tiles, shared memory, tensor maps, the passes before and after.
 *
 * Two consumer warpgroups have 64 keys each. A step is BM queries: 64 at D = 128, 128 at D = 64, so that the sums of dq
 * are 8192 floats in both, 32 registers per thread. At D = 128 a warpgroup computes 64 of dq's columns, at D = 64 half
 * of its rows. */
#ifndef ATTENTION_BACKWARD_HOPPER_CUH
#define ATTENTION_BACKWARD_HOPPER_CUH

#include "../attention/online.cuh"
#include "../attention/ring.cuh"
#include "problem.cuh"

template <int D> constexpr int BACKWARD_BM = D == 128 ? 64 : 128;
constexpr int BACKWARD_BN = 128, BACKWARD_DQ = 8192; /* keys per block; floats of a tile of dq */
static_assert(BACKWARD_BM<128> * 128 == BACKWARD_DQ && BACKWARD_BM<64> * 64 == BACKWARD_DQ, "32 sums per thread");

/* A thread has 168 registers when the block begins, and all that a producer gives two consumers can take. */
template <int PRODUCER, int CONSUMER> constexpr bool backward_registers = PRODUCER + 2 * CONSUMER <= 3 * 168;

/* Shared memory. Tiles are boxes of 64 columns, 128 bytes per row, swizzled; DS is queries x keys. */
template <int D, int Q_STAGES, int G_STAGES> struct BackwardSmem {
    enum {
        BM = BACKWARD_BM<D>,
        KV_BYTES = BACKWARD_BN * D * 2,
        Q_BYTES = BM * D * 2,
        DS_BYTES = BM * BACKWARD_BN * 2,
        DQ_BYTES = BACKWARD_DQ * 4,
        ROW_BYTES = BM * 8, /* lse and delta */
        K = 0,
        V = K + KV_BYTES,
        Q = V + KV_BYTES,
        G = Q + Q_STAGES * Q_BYTES,
        DS = G + G_STAGES * Q_BYTES,
        DQ = DS + 2 * DS_BYTES,
        ROWS = DQ + DQ_BYTES,
        BARRIERS = ROWS + Q_STAGES * ROW_BYTES,
        TOTAL = 1024 /* to align */ + BARRIERS + 8 * (1 + 2 * Q_STAGES + 2 * G_STAGES + 4),
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

static __host__ __device__ inline int backward_tiles(const Attention &a)
{
    const int bm = a.width == 128 ? BACKWARD_BM<128> : BACKWARD_BM<64>;
    return (a.length + bm - 1) / bm;
}

/* The sums of a tile of dq, in the order of registers: [warpgroup][4 registers][thread][register]. */
static __host__ __device__ inline float *hopper_dq(const Backward &b, int head_of_all, int tile)
{
    return b.scratch + ((size_t)head_of_all * backward_tiles(b.a) + tile) * BACKWARD_DQ;
}

/* For each 64 queries of a tile 64 numbers lse * log2(e), then 64 deltas; past the end inf and 0. */
static __host__ __device__ inline float *hopper_rows(const Backward &b, int head_of_all, int tile)
{
    const int bm = b.a.width == 128 ? BACKWARD_BM<128> : BACKWARD_BM<64>;
    return hopper_dq(b, b.a.batch * b.a.heads, 0) + ((size_t)head_of_all * backward_tiles(b.a) + tile) * 2 * bm;
}

/* For each tile of dq and warpgroup the tile of keys whose block adds next: upwards from 0, or with `causal` downwards
 * from the last that the queries see. After all of them a ticket: how many blocks have begun. */
static __host__ __device__ inline int *hopper_turn(const Backward &b, int head_of_all, int tile)
{
    return (int *)hopper_rows(b, b.a.batch * b.a.heads, 0) + ((size_t)head_of_all * backward_tiles(b.a) + tile) * 2;
}

/* Eight products of neighbouring bf16, summed. */
__device__ __forceinline__ float backward_dot8(uint4 x, uint4 y)
{
    const uint32_t a[4] = {x.x, x.y, x.z, x.w}, b[4] = {y.x, y.y, y.z, y.w};
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += __uint_as_float(a[i] << 16) * __uint_as_float(b[i] << 16) +
               __uint_as_float(a[i] & 0xffff0000u) * __uint_as_float(b[i] & 0xffff0000u);
    return sum;
}

/* Before: a block has one tile of queries; D / 8 threads share a row. */
template <int D> __global__ void __launch_bounds__(256) attention_backward4_rows(Backward b)
{
    constexpr int BM = BACKWARD_BM<D>, LANES = D / 8, EACH = 256 / LANES, COUNT = BM / EACH;
    const Attention &a = b.a;
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads, lane = threadIdx.x % LANES;
    float4 *sums = (float4 *)hopper_dq(b, blockIdx.y, blockIdx.x);
    float *rows = hopper_rows(b, blockIdx.y, blockIdx.x), delta[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const int query = blockIdx.x * BM + i * EACH + threadIdx.x / LANES;
        const size_t at = query_begin(a, batch, head) + query * query_step(a) + lane * 8;
        delta[i] = query < a.length ? backward_dot8(*(const uint4 *)(b.grad + at), *(const uint4 *)(a.o + at)) : 0;
    }
#pragma unroll
    for (int i = 0; i < BACKWARD_DQ / 4 / 256; i++)
        sums[i * 256 + threadIdx.x] = float4{0, 0, 0, 0};
    if (threadIdx.x < 2)
        hopper_turn(b, blockIdx.y, blockIdx.x)[threadIdx.x] =
            a.causal ? (min((int)(blockIdx.x + 1) * BM, a.length) - 1) / BACKWARD_BN : 0;
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0)
        *hopper_turn(b, a.batch * a.heads, 0) = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const int row = i * EACH + threadIdx.x / LANES, query = blockIdx.x * BM + row;
        for (int step = LANES / 2; step > 0; step /= 2)
            delta[i] += __shfl_xor_sync(~0u, delta[i], step);
        if (lane == 0) {
            float *at = rows + row / 64 * 128 + row % 64;
            at[0] = query < a.length ? b.lse[(size_t)blockIdx.y * a.length + query] * 1.4426950408889634f : INFINITY;
            at[64] = delta[i];
        }
    }
}

/* After: the sums of dq as bf16. A thread takes what four neighbours of a warpgroup had: eight columns of two rows. */
template <int D> __global__ void __launch_bounds__(256) attention_backward4_queries(Backward b)
{
    const Attention &a = b.a;
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    const float scale = rsqrtf(D);
#pragma unroll
    for (int group = 0; group < 2; group++) {
        const int j = threadIdx.x % 8, quad = threadIdx.x / 8; /* columns 8j ..; lanes 4 quad .. */
        const float4 *sums = (const float4 *)hopper_dq(b, blockIdx.y, blockIdx.x) + group * 1024 + j * 128 + quad * 4;
        const int row = blockIdx.x * BACKWARD_BM<D> + (D == 64 ? group * 64 : 0) + quad / 8 * 16 + quad % 8;
        const int column = (D == 128 ? group * 64 : 0) + j * 8;
        uint32_t low[4], high[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float4 x = sums[i];
            low[i] = pack_bf16(x.x * scale, x.y * scale), high[i] = pack_bf16(x.z * scale, x.w * scale);
        }
        __nv_bfloat16 *to = b.dq + query_begin(a, batch, head) + row * query_step(a) + column;
        if (row < a.length)
            *(uint4 *)to = uint4{low[0], low[1], low[2], low[3]};
        if (row + 8 < a.length)
            *(uint4 *)(to + 8 * query_step(a)) = uint4{high[0], high[1], high[2], high[3]};
    }
}

/* The compiler no longer knows where x came from: what is computed from it is computed here, not kept in registers. */
__device__ __forceinline__ uint32_t backward_opaque(uint32_t x)
{
    asm volatile("" : "+r"(x));
    return x;
}

/* s (64 keys x BM queries) = a bT: a the warpgroup's rows of K or V, b queries or their gradients. Asynchronous. */
template <int D>
__device__ __forceinline__ void issue_transposed(float (&s)[BACKWARD_BM<D> / 2], uint32_t a, uint32_t b)
{
    constexpr int BM = BACKWARD_BM<D>;
    const uint64_t da = wgmma_descriptor(backward_opaque(a), 128), db = wgmma_descriptor(backward_opaque(b), 128);
#pragma unroll
    for (int d = 0; d < D / 16; d++)
        Wgmma<Bf16, BM>::run(s, da + (d / 4 * BACKWARD_BN * 128 + d % 4 * 32) / 16,
                             db + (d / 4 * BM * 128 + d % 4 * 32) / 16, d);
}

/* The warpgroup's part of dq (64 x 64) = ds k. Asynchronous. */
template <int D> __device__ __forceinline__ void issue_queries(float (&dq)[32], uint32_t ds, uint32_t k, int group)
{
    constexpr int BM = BACKWARD_BM<D>;
    const uint64_t da = wgmma_descriptor(backward_opaque(ds + (D == 64 ? group * 64 * 128 : 0)), 128);
    const uint64_t db =
        wgmma_descriptor_mn(backward_opaque(k + (D == 128 ? group * BACKWARD_BN * 128 : 0)), BACKWARD_BN * 128);
#pragma unroll
    for (int n = 0; n < BACKWARD_BN / 16; n++)
        WgmmaRows<64>::run(dq, da + (n / 4 * BM * 128 + n % 4 * 32) / 16, db + n * 2048 / 16, n);
}

/* dk (64 x D) += dsT q, with ds from shared memory: the warpgroup's box, BM queries x 64 keys. Asynchronous. */
template <int D> __device__ __forceinline__ void issue_keys(float (&dk)[D / 2], uint32_t ds, uint32_t q)
{
    constexpr int BM = BACKWARD_BM<D>;
    const uint64_t da = wgmma_descriptor_mn(backward_opaque(ds), BM * 128);
    const uint64_t db = wgmma_descriptor_mn(backward_opaque(q), BM * 128);
#pragma unroll
    for (int n = 0; n < BM / 16; n++)
        WgmmaColumns<D>::run(dk, da + n * 2048 / 16, db + n * 2048 / 16, 1);
}

/* Scores that count for nothing become -inf: of keys past the end, and with `causal` of keys after the query. `key` is
 * that of s[0], `query` the one of s[0]. */
template <bool CAUSAL, int COUNT>
__device__ __forceinline__ void backward_mask(float (&s)[COUNT], int key, int query, int length)
{
    const int low = key >= length ? 1 << 30 : CAUSAL ? key - query : -1;
    const int high = key + 8 >= length ? 1 << 30 : CAUSAL ? key + 8 - query : -1;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (i / 4 * 8 + i % 2 < (i / 2 % 2 ? high : low))
            s[i] = -INFINITY;
}

/* Scores become weights; `rows` is lse of this thread's first query. */
template <int COUNT> __device__ __forceinline__ void backward_weights(float (&s)[COUNT], const float *rows, float c)
{
#pragma unroll
    for (int j = 0; j < COUNT / 4; j++) {
        const float2 lse = *(const float2 *)(rows + j / 8 * 128 + j % 8 * 8);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            s[4 * j + 2 * h] = exp2_approximate(fmaf(s[4 * j + 2 * h], c, -lse.x));
            s[4 * j + 2 * h + 1] = exp2_approximate(fmaf(s[4 * j + 2 * h + 1], c, -lse.y));
        }
    }
}

/* ds = p (dp - delta), as bf16. */
template <int COUNT>
__device__ __forceinline__ void backward_gradients(uint32_t (&ds)[COUNT / 2], const float (&p)[COUNT],
                                                   const float (&dp)[COUNT], const float *rows)
{
#pragma unroll
    for (int j = 0; j < COUNT / 4; j++) {
        const float2 delta = *(const float2 *)(rows + 64 + j / 8 * 128 + j % 8 * 8);
#pragma unroll
        for (int h = 0; h < 2; h++)
            ds[2 * j + h] = pack_bf16(p[4 * j + 2 * h] * (dp[4 * j + 2 * h] - delta.x),
                                      p[4 * j + 2 * h + 1] * (dp[4 * j + 2 * h + 1] - delta.y));
    }
}

/* The same from weights that are bf16 already: half as many registers. */
template <int COUNT>
__device__ __forceinline__ void backward_gradients(uint32_t (&ds)[COUNT / 2], const uint32_t (&p)[COUNT / 2],
                                                   const float (&dp)[COUNT], const float *rows)
{
#pragma unroll
    for (int j = 0; j < COUNT / 4; j++) {
        const float2 delta = *(const float2 *)(rows + 64 + j / 8 * 128 + j % 8 * 8);
#pragma unroll
        for (int h = 0; h < 2; h++)
            ds[2 * j + h] = pack_bf16(__uint_as_float(p[2 * j + h] << 16) * (dp[4 * j + 2 * h] - delta.x),
                                      __uint_as_float(p[2 * j + h] & 0xffff0000u) * (dp[4 * j + 2 * h + 1] - delta.y));
    }
}

/* ds to shared memory as queries x keys, transposed on its way. `to`: the warpgroup's box. */
template <int COUNT> __device__ __forceinline__ void backward_write_ds(const uint32_t (&ds)[COUNT], uint32_t to, int t)
{
    const int lane = t % 32;
    const uint32_t row = to + (lane / 16 * 8 + lane % 8) * 128 + (((t / 32 * 2 + lane / 8 % 2) ^ (lane % 8)) << 4);
#pragma unroll
    for (int j = 0; j < COUNT / 4; j++)
        stmatrix_x4_trans(row + j * 16 * 128, ds[4 * j], ds[4 * j + 1], ds[4 * j + 2], ds[4 * j + 3]);
}

/* A warpgroup's 64 x D results times `scale` as bf16 into its rows of a tile of BACKWARD_BN. */
template <int D>
__device__ __forceinline__ void backward_write(const float (&o)[D / 2], float scale, uint32_t to, int t)
{
    const int lane = t % 32;
    const uint32_t row = to + (t / 32 * 16 + lane % 16) * 128;
#pragma unroll
    for (int box = 0; box < D / 64; box++)
#pragma unroll
        for (int j = 0; j < 8; j += 2) {
            const float *d = o + (box * 8 + j) * 4;
            stmatrix_x4(row + box * BACKWARD_BN * 128 + (((j + lane / 16) ^ (lane & 7)) << 4),
                        pack_bf16(d[0] * scale, d[1] * scale), pack_bf16(d[2] * scale, d[3] * scale),
                        pack_bf16(d[4] * scale, d[5] * scale), pack_bf16(d[6] * scale, d[7] * scale));
        }
}

typedef struct BackwardMaps {
    CUtensorMap q, grad, k, v, dk, dv;
} BackwardMaps;

static inline const char *backward_maps(BackwardMaps *maps, const Backward *b)
{
    const Attention *a = &b->a;
    const int bm = a->width == 128 ? BACKWARD_BM<128> : BACKWARD_BM<64>;
    const void *base[6] = {a->q, b->grad, a->k, a->v, b->dk, b->dv};
    const int heads[6] = {a->heads, a->heads, a->kv_heads, a->kv_heads, a->kv_heads, a->kv_heads};
    const int box[6] = {bm, bm, BACKWARD_BN, BACKWARD_BN, 64, 64};
    CUtensorMap *map[6] = {&maps->q, &maps->grad, &maps->k, &maps->v, &maps->dk, &maps->dv};
    for (int i = 0; i < 6; i++) {
        const char *why = tensor_map_heads(map[i], base[i], a->batch, a->length, heads[i], a->width, box[i]);
        if (why)
            return why;
    }
    return NULL;
}

#endif
