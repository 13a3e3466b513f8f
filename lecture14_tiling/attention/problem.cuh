/* problem.cuh: what every rung of the attention ladder computes, and where its data are.
 *
 * q[batch][length][heads][width], k and v[batch][length][kv_heads][width], o like q: bf16, `width` contiguous, just as
 * the linear layers before and after leave them. For each sequence and head
 *
 *     o = softmax(q kT / sqrt(width)) v
 *
 * where query i sees all keys, or with `causal` keys 0 .. i only. heads / kv_heads neighbouring query heads share a key
 * head (grouped queries). Any length; width 64 or 128. */
#ifndef ATTENTION_PROBLEM_CUH
#define ATTENTION_PROBLEM_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Attention {
    const __nv_bfloat16 *q, *k, *v;
    __nv_bfloat16 *o;
    int batch, length, heads, kv_heads, width, causal;
} Attention;

/* Elements from one token to the next. */
static __host__ __device__ inline size_t query_step(const Attention &a) { return (size_t)a.heads * a.width; }
static __host__ __device__ inline size_t key_step(const Attention &a) { return (size_t)a.kv_heads * a.width; }

/* The first element of one head of one sequence. */
static __host__ __device__ inline size_t query_begin(const Attention &a, int batch, int head)
{
    return (size_t)batch * a.length * query_step(a) + (size_t)head * a.width;
}
static __host__ __device__ inline size_t key_begin(const Attention &a, int batch, int head)
{
    return (size_t)batch * a.length * key_step(a) + (size_t)(head / (a.heads / a.kv_heads)) * a.width;
}

/* exp(x / sqrt(width)) = exp2(x * this): the exponential that the hardware has is that of 2. */
static __host__ __device__ inline float exponent_scale(int width)
{
    return 1.4426950408889634f * (width == 64 ? 0.125f : 0.08838834764831845f);
}

#endif
