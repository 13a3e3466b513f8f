/* bf16 rung 1, wmma: one warp, one 16 x 16 tile of C, by the tensor cores, straight from global memory.
 *
 * nvcuda::wmma is the tensor cores' C++ API: a fragment is a 16 x 16 matrix spread over the warp's registers in an
 * order that is not specified, and one call multiplies two of them. The multiplication is now so cheap that the
 * warp does nothing but wait: each fragment comes from global memory, and serves once.
 *
 * A fragment cannot be half full: M, N and K must be multiples of 16. */
#include <cuda_bf16.h>
#include <mma.h>
#include <stddef.h>

__global__ void gemm_bf16_kernel1(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
    namespace wmma = nvcuda::wmma;
    __shared__ float staging[4][16 * 16]; /* a warp's tile on its way from fp32 to bf16 */
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int m = blockIdx.y * 16, n = (blockIdx.x * 4 + warp) * 16;
    if (n >= N)
        return; /* the whole warp, and no barrier follows */
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + (size_t)m * K + k, K);
        wmma::load_matrix_sync(b, B + (size_t)k * N + n, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(staging[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 16 * 16; i += 32)
        C[(size_t)(m + i / 16) * N + n + i % 16] = __float2bfloat16(staging[warp][i]);
}

static void gemm_bf16_1(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                        cudaStream_t stream)
{
    dim3 block(128), grid((N + 63) / 64, M / 16);
    gemm_bf16_kernel1<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
