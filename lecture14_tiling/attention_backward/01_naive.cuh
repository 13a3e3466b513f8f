/* Rung 1, the S x S matrices in memory: p and ds of every head are written, and read again by what multiplies them.
 *
 * For each score 10 D operations are done, in five products. p is written and read once, ds written once and read
 * twice: 20 bytes in fp32. Two matrices must fit: 537 MB per head at length 8192. The order of all sums is fixed. */
#include "problem.cuh"

/* One weight and its gradient per thread: two dot products. */
__global__ void attention_backward_kernel1_scores(Backward b, float *p, float *ds)
{
    const Attention &a = b.a;
    int key = blockIdx.x * blockDim.x + threadIdx.x, query = blockIdx.y * blockDim.y + threadIdx.y;
    int batch = blockIdx.z / a.heads, head = blockIdx.z % a.heads;
    if (key >= a.length || query >= a.length)
        return;
    const size_t mine = query_begin(a, batch, head) + query * query_step(a);
    const size_t other = key_begin(a, batch, head) + key * key_step(a);
    const float *rows = row_tile(b, batch, head, query / BACKWARD_TILE) + query % BACKWARD_TILE;
    float s = 0, dp = 0;
    for (int d = 0; d < a.width; d++) {
        s += __bfloat162float(a.q[mine + d]) * __bfloat162float(a.k[other + d]);
        dp += __bfloat162float(b.grad[mine + d]) * __bfloat162float(a.v[other + d]);
    }
    const float weight = a.causal && key > query ? 0 : exp2f(s * exponent_scale(a.width) - rows[0]);
    const size_t at = ((size_t)blockIdx.z * a.length + query) * a.length + key;
    p[at] = weight;
    ds[at] = weight * (dp - rows[BACKWARD_TILE]);
}

/* dq = ds k: one element per thread. */
__global__ void attention_backward_kernel1_queries(Backward b, const float *ds)
{
    const Attention &a = b.a;
    int d = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y;
    int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    if (query >= a.length)
        return;
    const float *row = ds + ((size_t)blockIdx.y * a.length + query) * a.length;
    const __nv_bfloat16 *k = a.k + key_begin(a, batch, head) + d;
    float sum = 0;
    for (int key = 0; key < a.length; key++)
        sum += row[key] * __bfloat162float(k[key * key_step(a)]);
    b.dq[query_begin(a, batch, head) + query * query_step(a) + d] = __float2bfloat16(sum * rsqrtf((float)a.width));
}

/* dk = dsT q and dv = pT grad, summed over the heads that share the key head: one element of each per thread. */
__global__ void attention_backward_kernel1_keys(Backward b, const float *p, const float *ds)
{
    const Attention &a = b.a;
    int d = threadIdx.x, key = blockIdx.x * blockDim.y + threadIdx.y, group = a.heads / a.kv_heads;
    int batch = blockIdx.y / a.kv_heads, first = blockIdx.y % a.kv_heads * group;
    if (key >= a.length)
        return;
    float dk = 0, dv = 0;
    for (int head = first; head < first + group; head++)
        for (int query = 0; query < a.length; query++) {
            const size_t at = (((size_t)batch * a.heads + head) * a.length + query) * a.length + key;
            const size_t row = query_begin(a, batch, head) + query * query_step(a) + d;
            dk += ds[at] * __bfloat162float(a.q[row]);
            dv += p[at] * __bfloat162float(b.grad[row]);
        }
    const size_t at = key_begin(a, batch, first) + key * key_step(a) + d;
    b.dk[at] = __float2bfloat16(dk * rsqrtf((float)a.width));
    b.dv[at] = __float2bfloat16(dv);
}

static void attention_backward1(const Backward *b, cudaStream_t stream)
{
    const Attention *a = &b->a;
    const unsigned heads = (unsigned)(a->batch * a->heads), kv_heads = (unsigned)(a->batch * a->kv_heads);
    const unsigned tiles = (unsigned)(a->length + 15) / 16, pairs = (unsigned)(a->length + 1) / 2;
    float *p = b->scratch + backward_scratch(a), *ds = p + (size_t)heads * a->length * a->length;
    backward_rows(b, stream);
    attention_backward_kernel1_scores<<<dim3(tiles, tiles, heads), dim3(16, 16), 0, stream>>>(*b, p, ds);
    attention_backward_kernel1_queries<<<dim3(pairs, heads), dim3(a->width, 2), 0, stream>>>(*b, ds);
    attention_backward_kernel1_keys<<<dim3(pairs, kv_heads), dim3(a->width, 2), 0, stream>>>(*b, p, ds);
}
