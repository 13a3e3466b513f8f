/* 01_naive.cuh: one thread per element of y. Neighbouring threads read words of neighbouring rows: a sector of 32 bytes
 * for each four that are needed, and each weight once per row of x. (Rung 1.) */
#ifndef W4A16_01_NAIVE_CUH
#define W4A16_01_NAIVE_CUH

#include "problem.cuh"

__global__ void w4a16_kernel1(W4a16 p)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
    if (n >= p.N)
        return;
    float sum = 0;
    for (int k = 0; k < p.K; k++) {
        const uint32_t word = p.codes[((size_t)n * p.K + k) / 8];
        const size_t group = (size_t)n * (p.K / GROUP) + k / GROUP;
        const int code = word >> k % 8 * 4 & 15;
        sum += __bfloat162float(p.scales[group]) * (float)(code - p.zeros[group]) *
               __bfloat162float(p.x[(size_t)m * p.K + k]);
    }
    p.y[(size_t)m * p.N + n] = __float2bfloat16(sum);
}

static const char *w4a16_1(const W4a16 *p, cudaStream_t stream)
{
    w4a16_kernel1<<<dim3((unsigned)(p->N + 127) / 128, (unsigned)p->M), 128, 0, stream>>>(*p);
    return NULL;
}

#endif
