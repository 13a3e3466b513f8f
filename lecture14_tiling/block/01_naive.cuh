/* Rung 1: the formulas, one thread per element of a result, one warp per row of a norm.
 *
 * Attention is taken from its own labs: setup_forward() has one warp per query and leaves lse, and the backward pass
 * writes the S x S matrices of weights and their gradients to memory. */
#ifndef BLOCK_01_NAIVE_CUH
#define BLOCK_01_NAIVE_CUH

#include "../attention_backward/01_naive.cuh"
#include "../attention_backward/forward.cuh"
#include "elements.cuh"
#include "problem.cuh"

/* Where element (row, column) is in a matrix of `rows` rows whose columns are split into `parts` matrices. */
__host__ __device__ static inline size_t part_at(size_t row, size_t column, size_t rows, size_t columns, size_t parts)
{
    const size_t each = columns / parts;
    return (column / each * rows + row) * each + column % each;
}

__global__ void block_product_kernel1(Product p)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y;
    if (m >= p.M || n >= p.N)
        return;
    const int each = p.kind == INPUT_GRAD ? p.K / p.parts : p.K; /* of K, in one matrix */
    const __nv_bfloat16 *a = p.A + (p.kind == WEIGHT_GRAD ? part_at(0, m, p.K, p.M, p.parts) : (size_t)m * each);
    const __nv_bfloat16 *b = p.B + (p.kind == OUTPUT ? (size_t)n * p.K : n);
    const size_t a_step = p.kind == WEIGHT_GRAD ? p.M / p.parts : 1, b_step = p.kind == OUTPUT ? 1 : p.N;
    float sum = 0;
    for (int k0 = 0; k0 < p.K; k0 += each, a += (size_t)p.M * each)
        for (int k = 0; k < each; k++)
            sum += __bfloat162float(a[k * a_step]) * __bfloat162float(b[(k0 + k) * b_step]);
    p.C[part_at(m, n, p.M, p.N, p.kind == OUTPUT ? p.parts : 1)] = __float2bfloat16(sum);
}

static const char *block_product1(const Product *p, cudaStream_t stream)
{
    const dim3 grid((unsigned)(p->N + 31) / 32, (unsigned)(p->M + 7) / 8);
    block_product_kernel1<<<grid, dim3(32, 8), 0, stream>>>(*p);
    return NULL;
}

static const char *block_attention1(const Attention *a, float *lse, cudaStream_t stream)
{
    const dim3 grid((unsigned)(a->length + 7) / 8, (unsigned)(a->batch * a->heads));
    setup_forward<<<grid, 256, 0, stream>>>(*a, lse);
    return NULL;
}

static const char *block_attention_grad1(const Backward *b, cudaStream_t stream)
{
    attention_backward1(b, stream);
    return NULL;
}

__global__ void __launch_bounds__(256) block_norm_kernel1(Norm n)
{
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n.rows)
        return;
    const __nv_bfloat16 *x = n.x + (size_t)row * n.cols;
    float squares = 0;
    for (int i = lane; i < n.cols; i += 32)
        squares += load(x + i) * load(x + i);
    const float scale = rsqrtf(warp_sum(squares) / n.cols + BLOCK_EPSILON);
    for (int i = lane; i < n.cols; i += 32)
        store(n.n + (size_t)row * n.cols + i, load(x + i) * scale * load(n.weight + i));
    if (lane == 0)
        n.scale[row] = scale;
}

static void block_norm1(const Norm *n, cudaStream_t stream)
{
    block_norm_kernel1<<<(unsigned)(n->rows + 7) / 8, 256, 0, stream>>>(*n);
}

/* With n = x scale and g = grad weight, the gradient of a row of x is scale (g - n * mean of g n). */
__global__ void __launch_bounds__(256) block_norm_rows_kernel1(Norm n)
{
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n.rows)
        return;
    const size_t at = (size_t)row * n.cols;
    const float scale = n.scale[row];
    float sum = 0;
    for (int i = lane; i < n.cols; i += 32)
        sum += load(n.grad + at + i) * load(n.weight + i) * load(n.x + at + i) * scale;
    const float mean = warp_sum(sum) / n.cols;
    for (int i = lane; i < n.cols; i += 32) {
        const float g = load(n.grad + at + i) * load(n.weight + i);
        store(n.x_grad + at + i, load(n.and_of + at + i) + scale * (g - load(n.x + at + i) * scale * mean));
    }
}

/* And that of the weight is the sum over all rows of grad n: one thread per column. */
__global__ void block_norm_columns_kernel1(Norm n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < n.rows; row++)
        sum += load(n.grad + (size_t)row * n.cols + i) * load(n.x + (size_t)row * n.cols + i) * n.scale[row];
    store(n.weight_grad + i, sum);
}

static void block_norm_grad1(const Norm *n, cudaStream_t stream)
{
    block_norm_rows_kernel1<<<(unsigned)(n->rows + 7) / 8, 256, 0, stream>>>(*n);
    block_norm_columns_kernel1<<<(unsigned)n->cols / 64, 64, 0, stream>>>(*n);
}

#endif
