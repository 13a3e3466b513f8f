/* 01_naive.cuh: one thread per element of y; a row of x is found through the order. (Rung 1.) */
#ifndef EXPERTS_01_NAIVE_CUH
#define EXPERTS_01_NAIVE_CUH

#include "sort.cuh"

__global__ void __launch_bounds__(128) experts_kernel1(Experts p)
{
    const int n = blockIdx.x * 128 + threadIdx.x, i = blockIdx.y, pair = p.order[i];
    if (n >= p.N)
        return;
    const __nv_bfloat16 *x = p.x + (size_t)(pair / p.A) * p.K, *w = p.w + ((size_t)p.expert[pair] * p.N + n) * p.K;
    float sum = 0;
    for (int k = 0; k < p.K; k++)
        sum += __bfloat162float(x[k]) * __bfloat162float(w[k]);
    p.y[(size_t)i * p.N + n] = __float2bfloat16(sum);
}

static const char *experts1(const Experts *p, cudaStream_t stream)
{
    experts_sort_launch(p, stream);
    for (int i = 0; i < p->T * p->A; i += 32768) { /* a grid has at most 65535 rows of blocks */
        Experts some = *p;
        some.order += i;
        some.y += (size_t)i * p->N;
        const int rows = p->T * p->A - i < 32768 ? p->T * p->A - i : 32768;
        experts_kernel1<<<dim3((unsigned)(p->N + 127) / 128, (unsigned)rows), 128, 0, stream>>>(some);
    }
    return NULL;
}

#endif
