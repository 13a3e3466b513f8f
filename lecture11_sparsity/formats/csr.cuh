/* csr.cuh: C = A B, A sparse in CSR (fp32 values, 32-bit indices), B K x N and C M x N, fp32, row-major.
 *
 *   1 one thread per element of C    walks the row's nonzeros; neighbours read neighbouring columns of B
 *   2 one warp per row               the warp fetches 32 nonzeros, passes them round; 16 bytes of B per lane (3: twice 16)
 *   4 B in shared memory             a block keeps all K rows of a narrow slab of B, and every row of A runs over it:
 *                                    B leaves the L2 once, not once per nonzero; A is read once per slab instead
 */
#ifndef FORMATS_CSR_CUH
#define FORMATS_CSR_CUH

#include <cuda_runtime.h>
#include <stddef.h>

struct CsrArguments {
    const int *row_start, *column;
    const float *value;
    const float *B;
    float *C;
    int M, N, K;
};

__global__ void csr_kernel1(CsrArguments p)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
    if (n >= p.N)
        return;
    float sum = 0;
    for (int i = p.row_start[m]; i < p.row_start[m + 1]; i++)
        sum += p.value[i] * p.B[(size_t)p.column[i] * p.N + n];
    p.C[(size_t)m * p.N + n] = sum;
}

/* VECTORS x 128 columns per warp. N a multiple of 4. Lanes beyond the edge read what another reads, and store nothing: a
 * load under a condition would be waited for before the next one is issued. */
template <int VECTORS> __global__ void __launch_bounds__(256) csr_kernel2(CsrArguments p)
{
    const int lane = threadIdx.x % 32, m = blockIdx.x * 8 + threadIdx.x / 32;
    const int n0 = blockIdx.y * VECTORS * 128 + lane * 4;
    if (m >= p.M)
        return;
    const float *B[VECTORS];
#pragma unroll
    for (int j = 0; j < VECTORS; j++)
        B[j] = p.B + min(n0 + j * 128, p.N - 4);
    float4 sum[VECTORS] = {};
    const int end = p.row_start[m + 1];
    for (int base = p.row_start[m]; base < end; base += 32) {
        int column = 0;
        float value = 0;
        if (base + lane < end) {
            column = p.column[base + lane];
            value = p.value[base + lane];
        }
        const int count = min(32, end - base);
#pragma unroll 8
        for (int i = 0; i < count; i++) {
            const size_t k = (size_t)__shfl_sync(0xffffffff, column, i) * p.N;
            const float v = __shfl_sync(0xffffffff, value, i);
#pragma unroll
            for (int j = 0; j < VECTORS; j++) {
                const float4 b = *(const float4 *)(B[j] + k);
                sum[j].x += v * b.x, sum[j].y += v * b.y, sum[j].z += v * b.z, sum[j].w += v * b.w;
            }
        }
    }
#pragma unroll
    for (int j = 0; j < VECTORS; j++)
        if (n0 + j * 128 < p.N)
            *(float4 *)(p.C + (size_t)m * p.N + n0 + j * 128) = sum[j];
}

/* A block owns 4 columns: K x 4 floats of B in shared memory (K <= 14,000 or so). LANES lanes share a row of A. */
template <int LANES> __global__ void __launch_bounds__(1024) csr_kernel3(CsrArguments p)
{
    extern __shared__ float4 slab[]; /* K */
    const int n = blockIdx.x * 4;
    for (int k = threadIdx.x; k < p.K; k += blockDim.x)
        slab[k] = *(const float4 *)(p.B + (size_t)k * p.N + n);
    __syncthreads();
    const int lane = threadIdx.x % LANES, rows = blockDim.x / LANES;
    for (int m0 = blockIdx.y * rows; m0 < p.M; m0 += gridDim.y * rows) {
        const int m = m0 + threadIdx.x / LANES;
        float4 sum = {0, 0, 0, 0};
        if (m < p.M) {
            const int end = p.row_start[m + 1];
#pragma unroll 4
            for (int i = p.row_start[m] + lane; i < end; i += LANES) {
                const float4 b = slab[p.column[i]];
                const float v = p.value[i];
                sum.x += v * b.x, sum.y += v * b.y, sum.z += v * b.z, sum.w += v * b.w;
            }
        }
#pragma unroll
        for (int offset = LANES / 2; offset; offset /= 2) {
            sum.x += __shfl_xor_sync(0xffffffff, sum.x, offset);
            sum.y += __shfl_xor_sync(0xffffffff, sum.y, offset);
            sum.z += __shfl_xor_sync(0xffffffff, sum.z, offset);
            sum.w += __shfl_xor_sync(0xffffffff, sum.w, offset);
        }
        if (m < p.M && lane == 0)
            *(float4 *)(p.C + (size_t)m * p.N + n) = sum;
    }
}

#endif
