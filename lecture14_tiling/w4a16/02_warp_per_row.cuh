/* 02_warp_per_row.cuh: one warp per row of W, neighbouring lanes read neighbouring words, and a weight that is taken
 * apart is used for up to eight rows of x. (Rung 2; before: 01_naive.cuh.)
 * The scale is applied once per word and row of x: eight products are summed up first. */
#ifndef W4A16_02_WARP_PER_ROW_CUH
#define W4A16_02_WARP_PER_ROW_CUH

#include "problem.cuh"

enum { AT_ONCE = 8 /* rows of x */ };

__global__ void __launch_bounds__(128) w4a16_kernel2(W4a16 p)
{
    const int lane = threadIdx.x % 32, n = blockIdx.x * 4 + threadIdx.x / 32, m0 = blockIdx.y * AT_ONCE;
    if (n >= p.N)
        return;
    const int rows = min((int)AT_ONCE, p.M - m0);
    float sum[AT_ONCE] = {0};
    for (int w = lane; w < p.K / 8; w += 32) {
        const uint32_t word = p.codes[(size_t)n * (p.K / 8) + w];
        const size_t group = (size_t)n * (p.K / GROUP) + w / (GROUP / 8);
        const float scale = __bfloat162float(p.scales[group]), zero = (float)p.zeros[group];
        float code[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            code[i] = (float)(word >> 4 * i & 15) - zero;
#pragma unroll
        for (int m = 0; m < AT_ONCE; m++)
            if (m < rows) {
                const uint4 bits = ((const uint4 *)(p.x + (size_t)(m0 + m) * p.K))[w];
                const uint32_t two[4] = {bits.x, bits.y, bits.z, bits.w};
                float part = 0;
#pragma unroll
                for (int i = 0; i < 4; i++)
                    part += code[2 * i] * __uint_as_float(two[i] << 16) +
                            code[2 * i + 1] * __uint_as_float(two[i] & 0xffff0000u);
                sum[m] += part * scale;
            }
    }
#pragma unroll
    for (int m = 0; m < AT_ONCE; m++) {
        for (int step = 16; step > 0; step /= 2)
            sum[m] += __shfl_xor_sync(0xffffffffu, sum[m], step);
        if (lane == 0 && m < rows)
            p.y[(size_t)(m0 + m) * p.N + n] = __float2bfloat16(sum[m]);
    }
}

static const char *w4a16_2(const W4a16 *p, cudaStream_t stream)
{
    const dim3 grid((unsigned)(p->N + 3) / 4, (unsigned)(p->M + AT_ONCE - 1) / AT_ONCE);
    w4a16_kernel2<<<grid, 128, 0, stream>>>(*p);
    return NULL;
}

#endif
