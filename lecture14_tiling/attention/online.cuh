/* online.cuh: the softmax between the two products of a Hopper attention kernel, on the registers as wgmma leaves them.
 *
 * A thread of a warpgroup has, of its scores s[BN / 2], two rows: s[4j] and s[4j + 1] are row 16 w + l / 4, keys
 * 8j + 2 (l % 4) and the next; s[4j + 2], s[4j + 3] the row eight further down. Four lanes share a row. */
#ifndef ATTENTION_ONLINE_CUH
#define ATTENTION_ONLINE_CUH

#include "../../common/hopper.cuh"
#include "problem.cuh"

__device__ __forceinline__ float exp2_approximate(float x)
{
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

/* 2^x without the special function unit: x = whole + part, part in [0, 1); 2^part by a polynomial of degree three, and
 * `whole` is added to the exponent's bits. Relative error at most 7.5e-5, a fiftieth of bf16's rounding. After Dao's
 * FlashAttention-4, and Cody and Waite's "Software Manual for the Elementary Functions". x below -126 counts as -126.
 */
__device__ __forceinline__ float exp2_polynomial(float x)
{
    const float magic = 12582912; /* 1.5 * 2^23: a float of this size has no bits after the point */
    x = fmaxf(x, -126.0f);
    const float shifted = __fadd_rd(x, magic), part = x - (shifted - magic);
    float p = fmaf(part, 0.07802454f, 0.22606723f);
    p = fmaf(p, part, 0.69583345f);
    p = fmaf(p, part, 0.99992523f);
    return __int_as_float(__float_as_int(p) + (__float_as_int(shifted) << 23));
}

/* What a thread keeps of its two rows: the maximum that weights are taken against, and the sum of its weights. */
struct OnlineRows {
    float max[2], sum[2];
};

/* Scores of keys past the last that a row sees become -inf. `key` is that of s[0], last[h] the last one row h sees. */
template <int COUNT> __device__ __forceinline__ void online_mask(float (&s)[COUNT], int key, int last0, int last1)
{
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (i / 4 * 8 + i % 2 > (i / 2 % 2 ? last1 : last0) - key)
            s[i] = -INFINITY;
}

/* Scores become weights exp2(c (s - max)). scale[h] is what earlier sums and outputs of row h must be multiplied by.
 *
 * The maximum need not be the largest: any number near it will do, because it cancels in the end. It moves only when a
 * score is more than 2^8 times its weight above it, so that scale is nearly always 1 and the output need not be touched
 * (FlashAttention-4's idea). fp32 sums take 2^8 easily.
 * Of each eight weights, POLYNOMIAL are computed by polynomial, so that the special function unit has fewer to do. */
template <int POLYNOMIAL, int COUNT>
__device__ __forceinline__ void online_softmax(float (&s)[COUNT], float c, OnlineRows &rows, float (&scale)[2])
{
    float largest[2][2], base[2], part[2][2]; /* two chains per row: half as long to wait for */
#pragma unroll
    for (int h = 0; h < 2; h++)
        largest[h][0] = fmaxf(rows.max[h], s[2 * h]), largest[h][1] = s[2 * h + 1];
#pragma unroll
    for (int i = 4; i < COUNT; i++)
        largest[i / 2 % 2][i % 2] = fmaxf(largest[i / 2 % 2][i % 2], s[i]);
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float all = fmaxf(largest[h][0], largest[h][1]);
        all = fmaxf(all, __shfl_xor_sync(~0u, all, 1));
        all = fmaxf(all, __shfl_xor_sync(~0u, all, 2));
        const bool stay = all == -INFINITY || (all - rows.max[h]) * c <= 8; /* -inf: nothing seen so far */
        scale[h] = stay ? 1 : exp2_approximate((rows.max[h] - all) * c);
        rows.max[h] = stay ? rows.max[h] : all;
        base[h] = all == -INFINITY ? 0 : rows.max[h] * c;
        part[h][0] = rows.sum[h] * scale[h], part[h][1] = 0;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const int h = i / 2 % 2;
        const float x = fmaf(s[i], c, -base[h]);
        s[i] = i % 8 >= 8 - POLYNOMIAL ? exp2_polynomial(x) : exp2_approximate(x);
        part[h][i % 2] += s[i];
    }
#pragma unroll
    for (int h = 0; h < 2; h++)
        rows.sum[h] = part[h][0] + part[h][1];
}

/* All weights are computed before what comes next. Left to itself ptxas puts the wait for the other product in front of
 * the exponentials, which use nothing of it, and the overlap is gone: the order of instructions in the source holds
 * only where one needs another's result. So here is a branch that is never taken, on a condition that needs them all.
 */
__device__ __forceinline__ void online_settle(const OnlineRows &rows)
{
    if (rows.sum[0] + rows.sum[1] < 0)
        __nanosleep(0);
}

/* The output so far, corrected; not at all where no row of the warp asks for it. */
template <int COUNT> __device__ __forceinline__ void online_rescale(float (&o)[COUNT], const float (&scale)[2])
{
    if (__any_sync(~0u, scale[0] != 1 || scale[1] != 1))
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            o[i] *= scale[i / 2 % 2];
}

/* Weights as bf16: just where wgmma wants its left operand. */
template <int COUNT> __device__ __forceinline__ void online_pack(uint32_t (&p)[COUNT / 2], const float (&s)[COUNT])
{
#pragma unroll
    for (int i = 0; i < COUNT / 2; i++)
        p[i] = pack_bf16(s[2 * i], s[2 * i + 1]);
}

/* The sums of the four lanes of a row meet, and the output is divided by them. */
template <int COUNT> __device__ __forceinline__ void online_finish(float (&o)[COUNT], const OnlineRows &rows)
{
    float inverse[2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float sum = rows.sum[h];
        sum += __shfl_xor_sync(~0u, sum, 1);
        sum += __shfl_xor_sync(~0u, sum, 2);
        inverse[h] = 1 / sum;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        o[i] *= inverse[i / 2 % 2];
}

/* The logarithm of the sum of exponentials of this thread's two rows, `row` and eight further down. */
__device__ __forceinline__ void online_lse(const OnlineRows &rows, float c, float *lse, int row, int length)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float sum = rows.sum[h];
        sum += __shfl_xor_sync(~0u, sum, 1);
        sum += __shfl_xor_sync(~0u, sum, 2);
        if (threadIdx.x % 4 == 0 && row + 8 * h < length)
            lse[row + 8 * h] = (rows.max[h] * c + log2f(sum)) * 0.6931471805599453f;
    }
}

/* s (64 x BN) = q kT: both as boxes of 64 columns, q's of 64 rows, k's of BN. Asynchronous. */
template <int D, int BN> __device__ __forceinline__ void issue_scores(float (&s)[BN / 2], uint32_t q, uint32_t k)
{
    const uint64_t dq = wgmma_descriptor(q, 128), dk = wgmma_descriptor(k, 128);
#pragma unroll
    for (int d = 0; d < D / 16; d++)
        Wgmma<Bf16, BN>::run(s, dq + (d / 4 * 64 * 128 + d % 4 * 32) / 16, dk + (d / 4 * BN * 128 + d % 4 * 32) / 16,
                             d);
}

/* o (64 x D) += p v: v as boxes of 64 columns and BN rows. Asynchronous. */
template <int D, int BN>
__device__ __forceinline__ void issue_values(float (&o)[D / 2], const uint32_t (&p)[BN / 4], uint32_t v)
{
    const uint64_t dv = wgmma_descriptor_mn(v, BN * 128);
#pragma unroll
    for (int n = 0; n < BN / 16; n++)
        WgmmaRegisters<D>::run(o, p + 4 * n, dv + n * 2048 / 16);
}

/* A warpgroup's 64 x D results as bf16 into boxes of 64 columns at `smem`; its threads then call fence_proxy_async. */
template <int D> __device__ __forceinline__ void write_boxes(const float (&o)[D / 2], uint32_t smem, int t)
{
    const int lane = t % 32;
    const uint32_t row = smem + (t / 32 * 16 + lane % 16) * 128;
#pragma unroll
    for (int box = 0; box < D / 64; box++)
#pragma unroll
        for (int j = 0; j < 8; j += 2) {
            const float *d = o + (box * 8 + j) * 4;
            stmatrix_x4(row + box * 64 * 128 + (((j + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                        pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
        }
}

#endif
