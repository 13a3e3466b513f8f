/* elementwise.cuh: the passes of a training step that touch each element once: update and ReLU, 16 bytes per access, and
 * the transposed copy that mma.sync's kernel needs. Counts are multiples of 8. */
#ifndef SPARSE_STEP_ELEMENTWISE_CUH
#define SPARSE_STEP_ELEMENTWISE_CUH

#include "../prune24/runtime.cuh"

/* W_new = W - rate G, in fp32, rounded to bf16. */
__global__ void update_kernel(const uint16_t *W, Prune24Update update, size_t n)
{
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    if (i >= n)
        return;
    uint4 w = *(const uint4 *)(W + i);
    const uint4 g = *(const uint4 *)(update.G + i);
    w.x = prune24_update_pair(w.x, g.x, update.rate), w.y = prune24_update_pair(w.y, g.y, update.rate);
    w.z = prune24_update_pair(w.z, g.z, update.rate), w.w = prune24_update_pair(w.w, g.w, update.rate);
    *(uint4 *)(update.W_new + i) = w;
}

/* Negative numbers become zeros; NaN stays. */
__device__ __forceinline__ uint32_t relu_pair(uint32_t x)
{
    const float2 f = __bfloat1622float2(*(const __nv_bfloat162 *)&x);
    return (f.x < 0 ? 0 : x & 0xffffu) | (f.y < 0 ? 0 : x & 0xffff0000u);
}

__global__ void relu_kernel(uint16_t *x, size_t n)
{
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    if (i >= n)
        return;
    const uint4 v = *(const uint4 *)(x + i);
    *(uint4 *)(x + i) = make_uint4(relu_pair(v.x), relu_pair(v.y), relu_pair(v.z), relu_pair(v.w));
}

/* B (columns x rows) = A' */
__global__ void turn_kernel(const uint16_t *A, uint16_t *B, int rows, int columns)
{
    __shared__ uint16_t tile[32][34];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < rows && c < columns)
            tile[threadIdx.y + i][threadIdx.x] = A[(size_t)(r + i) * columns + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < columns && c < rows)
            B[(size_t)(r + i) * rows + c] = tile[threadIdx.x][threadIdx.y + i];
}

#endif
