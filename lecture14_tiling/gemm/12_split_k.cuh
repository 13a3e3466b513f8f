/* Rung 12, split-K: where C has few tiles, K is cut too.
 *
 * 512 x 512 x 16384 has 8 tiles of 128 x 256, and 124 of 132 multiprocessors would be idle. So K is cut into as many
 * parts as fill them, rung 10's kernel computes each part as a separate product, and a second kernel adds the parts
 * up, always in the same order. Where the tiles fill the machine there is one part, and nothing to add. */
#ifndef GEMM_SPLIT_CUH
#define GEMM_SPLIT_CUH

#include "10_register_banks.cuh"

enum { GEMM_LEAST_PART = 256 }; /* shorter parts would spend their time on the first and last tile */

/* How many parts, of *part numbers of K each: a multiple of 16, so that a part begins where a tile would. */
[[maybe_unused]] static int gemm_parts(int M, int N, int K, int multiprocessors, int *part)
{
    using S = GemmShape10;
    const int tiles = (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN);
    int parts = tiles ? multiprocessors / tiles : 1;
    if (parts > K / GEMM_LEAST_PART)
        parts = K / GEMM_LEAST_PART;
    if (parts <= 1) {
        *part = K;
        return 1;
    }
    *part = ((K + parts - 1) / parts + 15) / 16 * 16;
    return (K + *part - 1) / *part;
}

__global__ void __launch_bounds__(256) gemm_add_kernel12(const float *from, float *C, size_t count, int parts)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= count)
        return;
    float sum = from[i];
#pragma unroll 8
    for (int p = 1; p < parts; p++)
        sum += from[p * count + i];
    C[i] = sum;
}

/* `workspace` has room for `parts` results. */
[[maybe_unused]] static void gemm12(const float *A, const float *B, float *C, int M, int N, int K, int parts, int part,
                                    float *workspace, cudaStream_t stream)
{
    const size_t count = (size_t)M * N;
    gemm_banks<GemmShape10>(A, B, parts > 1 ? workspace : C, M, N, K, 8, parts, part, stream);
    if (parts > 1)
        gemm_add_kernel12<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(workspace, C, count, parts);
}

#endif
