/* Rung 4: norms that read each tensor once.
 *
 * A block keeps a row in registers, eight numbers per thread and vector, so the row is read once for its sum and its
 * result. Going backward a block has many rows, one after the other: its threads' columns of the weight's gradient add
 * up in registers meanwhile, and the next row is asked for before this one's sum is known (lecture 5's norms_backward).
 * The gradient that comes past the norm, along the residual, is added on the way. The blocks' sums are added in the
 * order of the blocks. */
#ifndef BLOCK_04_ROWS_CUH
#define BLOCK_04_ROWS_CUH

#include "elements.cuh"
#include "problem.cuh"

enum { BLOCK_NORM_THREADS = 512 };
typedef Vector<__nv_bfloat16> RowVector;

template <int EACH> __device__ static void row_fetch(RowVector (&row)[EACH], const void *from, size_t r, int vectors)
{
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        row[e].bits = i < vectors ? ((const RowVector *)from)[r * vectors + i].bits : make_uint4(0, 0, 0, 0);
    }
}

template <int EACH> __global__ void __launch_bounds__(BLOCK_NORM_THREADS) block_norm_kernel4(Norm n)
{
    __shared__ float2 s[32];
    const int vectors = n.cols / 8, r = blockIdx.x;
    RowVector row[EACH], w[EACH];
    float v[8], k[8], squares = 0;
    row_fetch(row, n.x, r, vectors);
    row_fetch(w, n.weight, 0, vectors);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        row[e].get(v);
#pragma unroll
        for (int j = 0; j < 8; j++)
            squares += v[j] * v[j];
    }
    const float scale = rsqrtf(block_sums(squares, 0, s).x / n.cols + BLOCK_EPSILON);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        row[e].get(v);
        w[e].get(k);
#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j] *= scale * k[j];
        row[e].set(v);
        if (i < vectors)
            ((RowVector *)n.n)[(size_t)r * vectors + i] = row[e];
    }
    if (threadIdx.x == 0)
        n.scale[r] = scale;
}

template <int EACH> __global__ void __launch_bounds__(BLOCK_NORM_THREADS) block_norm_rows_kernel4(Norm n)
{
    __shared__ float2 s[2][32];
    const int vectors = n.cols / 8;
    RowVector w[EACH], row[EACH], grad[EACH], past[EACH], next_row[EACH], next_grad[EACH], next_past[EACH];
    float weight_grad[EACH * 8] = {0};
    int r = blockIdx.x;
    row_fetch(w, n.weight, 0, vectors);
    row_fetch(next_row, n.x, r, vectors);
    row_fetch(next_grad, n.grad, r, vectors);
    row_fetch(next_past, n.and_of, r, vectors);
    for (int turn = 0; r < n.rows; r += gridDim.x, turn ^= 1) {
#pragma unroll
        for (int e = 0; e < EACH; e++)
            row[e] = next_row[e], grad[e] = next_grad[e], past[e] = next_past[e];
        if (r + (int)gridDim.x < n.rows) {
            row_fetch(next_row, n.x, r + gridDim.x, vectors);
            row_fetch(next_grad, n.grad, r + gridDim.x, vectors);
            row_fetch(next_past, n.and_of, r + gridDim.x, vectors);
        }
        const float scale = n.scale[r];
        float v[8], g[8], k[8], more[8], sum = 0;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            row[e].get(v);
            grad[e].get(g);
            w[e].get(k);
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum += g[j] * k[j] * v[j];
        }
        const float mean = block_sums(sum, 0, s[turn]).x * scale / n.cols; /* of g n */
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int i = e * blockDim.x + threadIdx.x;
            row[e].get(v);
            grad[e].get(g);
            w[e].get(k);
            past[e].get(more);
#pragma unroll
            for (int j = 0; j < 8; j++) {
                weight_grad[e * 8 + j] += g[j] * v[j] * scale;
                v[j] = more[j] + scale * (g[j] * k[j] - v[j] * scale * mean);
            }
            row[e].set(v);
            if (i < vectors)
                ((RowVector *)n.x_grad)[(size_t)r * vectors + i] = row[e];
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        if (i < vectors)
#pragma unroll
            for (int j = 0; j < 8; j++)
                n.parts[(size_t)blockIdx.x * n.cols + i * 8 + j] = weight_grad[e * 8 + j];
    }
}

/* Adds up the blocks' sums: 32 columns per block, eight threads per column. */
__global__ void __launch_bounds__(256) block_norm_parts_kernel4(Norm n, int blocks)
{
    __shared__ float s[8][32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int p = threadIdx.y; p < blocks; p += 8)
        sum += n.parts[(size_t)p * n.cols + i];
    s[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int y = 1; y < 8; y++)
        sum += s[y][threadIdx.x];
    store(n.weight_grad + i, sum);
}

/* A row of up to 512 vectors has one per thread, a longer one two. */
static unsigned row_threads(const Norm *n)
{
    const int vectors = n->cols / 8, each = vectors > BLOCK_NORM_THREADS ? 2 : 1;
    return (unsigned)((vectors + each - 1) / each + 31) / 32 * 32;
}

static void block_norm4(const Norm *n, cudaStream_t stream)
{
    auto kernel = n->cols / 8 > BLOCK_NORM_THREADS ? block_norm_kernel4<2> : block_norm_kernel4<1>;
    kernel<<<(unsigned)n->rows, row_threads(n), 0, stream>>>(*n);
}

static void block_norm_grad4(const Norm *n, cudaStream_t stream)
{
    auto kernel = n->cols / 8 > BLOCK_NORM_THREADS ? block_norm_rows_kernel4<2> : block_norm_rows_kernel4<1>;
    int each = 0; /* blocks that a multiprocessor holds at a time */
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)row_threads(n), 0));
    int blocks = each * block_multiprocessors();
    blocks = blocks < BLOCK_NORM_PARTS ? blocks : BLOCK_NORM_PARTS;
    blocks = blocks < n->rows ? blocks : n->rows;
    kernel<<<(unsigned)blocks, row_threads(n), 0, stream>>>(*n);
    block_norm_parts_kernel4<<<(unsigned)n->cols / 32, dim3(32, 8), 0, stream>>>(*n, blocks);
}

#endif
