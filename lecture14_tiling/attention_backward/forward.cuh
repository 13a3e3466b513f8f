/* forward.cuh: the forward pass that leaves o and lse, for the lab's input: one warp per query, each key in turn, an
 * online softmax. Neither timed nor, by its name, counted. */
#ifndef ATTENTION_BACKWARD_FORWARD_CUH
#define ATTENTION_BACKWARD_FORWARD_CUH

#include "problem.cuh"

__global__ void __launch_bounds__(256) setup_forward(Attention a, float *lse)
{
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads, lane = threadIdx.x % 32;
    const int query = blockIdx.x * 8 + threadIdx.x / 32, each = a.width / 32;
    if (query >= a.length)
        return;
    const size_t mine = query_begin(a, batch, head) + query * query_step(a);
    float q[4], out[4] = {0}, max = -INFINITY, sum = 0;
    for (int i = 0; i < 4; i++)
        q[i] = i < each ? __bfloat162float(a.q[mine + i * 32 + lane]) * exponent_scale(a.width) : 0;
    for (int key = 0; key < (a.causal ? query + 1 : a.length); key++) {
        const size_t other = key_begin(a, batch, head) + key * key_step(a) + lane;
        float score = 0;
        for (int i = 0; i < each; i++)
            score += q[i] * __bfloat162float(a.k[other + i * 32]);
        for (int step = 16; step > 0; step /= 2)
            score += __shfl_xor_sync(0xffffffffu, score, step);
        const float largest = fmaxf(max, score), scale = exp2f(max - largest), p = exp2f(score - largest);
        max = largest;
        sum = sum * scale + p;
        for (int i = 0; i < each; i++)
            out[i] = out[i] * scale + p * __bfloat162float(a.v[other + i * 32]);
    }
    for (int i = 0; i < each; i++)
        a.o[mine + i * 32 + lane] = __float2bfloat16(out[i] / sum);
    if (lane == 0)
        lse[(size_t)blockIdx.y * a.length + query] = (max + log2f(sum)) * 0.6931471805599453f;
}

#endif
