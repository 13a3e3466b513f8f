/* Rung 1, three kernels: the scores of a head are a length x length matrix, and here it is written to memory.
 *
 * Products with one thread per element, then a softmax of each row, then products again. For a head of width D, 4 D
 * operations are done for each score; the score is written once, read three times and written once more, 20 bytes. Even
 * perfect kernels could do no more than D / 5 operations per byte: at 4.2 TB/s 110 TFLOP/s for D = 128. And the matrix
 * must fit: 268 MB per head at length 8192. */
#include "problem.cuh"

__global__ void attention_kernel1_scores(Attention a, float *scores)
{
    int key = blockIdx.x * blockDim.x + threadIdx.x, query = blockIdx.y * blockDim.y + threadIdx.y;
    int batch = blockIdx.z / a.heads, head = blockIdx.z % a.heads;
    if (key >= a.length || query >= a.length)
        return;
    const __nv_bfloat16 *q = a.q + query_begin(a, batch, head) + query * query_step(a);
    const __nv_bfloat16 *k = a.k + key_begin(a, batch, head) + key * key_step(a);
    float sum = 0;
    for (int d = 0; d < a.width; d++)
        sum += __bfloat162float(q[d]) * __bfloat162float(k[d]);
    scores[((size_t)blockIdx.z * a.length + query) * a.length + key] =
        a.causal && key > query ? -INFINITY : sum * exponent_scale(a.width);
}

/* One warp per row, in place; exponentials of 2, the scale is in the scores. */
__global__ void attention_kernel1_softmax(float *scores, size_t rows, int length)
{
    size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    float *s = scores + row * length, max = -INFINITY, sum = 0;
    for (int i = threadIdx.x % 32; i < length; i += 32)
        max = fmaxf(max, s[i]);
    for (int step = 16; step > 0; step /= 2)
        max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, step));
    for (int i = threadIdx.x % 32; i < length; i += 32)
        sum += exp2f(s[i] - max);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    for (int i = threadIdx.x % 32; i < length; i += 32)
        s[i] = exp2f(s[i] - max) / sum;
}

__global__ void attention_kernel1_values(Attention a, const float *scores)
{
    int d = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y;
    int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    if (query >= a.length)
        return;
    const float *p = scores + ((size_t)blockIdx.y * a.length + query) * a.length;
    const __nv_bfloat16 *v = a.v + key_begin(a, batch, head) + d;
    float sum = 0;
    for (int key = 0; key < a.length; key++)
        sum += p[key] * __bfloat162float(v[key * key_step(a)]);
    a.o[query_begin(a, batch, head) + query * query_step(a) + d] = __float2bfloat16(sum);
}

/* `scratch`: batch * heads * length * length floats. */
static void attention1(const Attention *a, void *scratch, cudaStream_t stream)
{
    float *scores = (float *)scratch;
    unsigned heads = (unsigned)(a->batch * a->heads), tiles = (unsigned)(a->length + 15) / 16;
    size_t rows = (size_t)heads * a->length;
    attention_kernel1_scores<<<dim3(tiles, tiles, heads), dim3(16, 16), 0, stream>>>(*a, scores);
    attention_kernel1_softmax<<<(unsigned)((rows + 7) / 8), 256, 0, stream>>>(scores, rows, a->length);
    attention_kernel1_values<<<dim3((unsigned)(a->length + 1) / 2, heads), dim3(a->width, 2), 0, stream>>>(*a, scores);
}
