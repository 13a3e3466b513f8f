/* Rung 2, fused: the scores never leave the multiprocessor.
 *
 * A block keeps 64 queries and walks over the keys, 64 at a time. Each step makes a 64 x 64 tile of scores in
 * registers, turns it into weights, and adds weights times values to the output. The maximum of a row is not known
 * before the last step, so each step uses the largest so far, and when that grows, what was summed before is multiplied
 * by exp(old - new): lecture 5's online softmax, with the output row as a second sum.
 *
 * 256 threads as 16 x 16. Thread (y, x) has queries 4y .. 4y + 3, keys x, x + 16, ... of the tile of scores, and
 * columns x, x + 16, ... of the output. A row's sixteen threads are half a warp: shuffles reduce it. */
#include "problem.cuh"

namespace attention2_shape
{
constexpr int BM = 64, BN = 64, ROWS = 4, COLS = 4; /* queries, keys; of them a thread's */
/* Rows of shared memory are one float longer: threads that read down a column meet different banks. */
template <int D> constexpr size_t shared_bytes = sizeof(float) * (2 * 64 * (D + 1) + BM * (BN + 1));
} // namespace attention2_shape

/* 64 rows from `row` on, as floats; zeros past the end. */
template <int D>
__device__ static void attention2_fetch(float *tile, const __nv_bfloat16 *from, size_t step, int row, int length)
{
    for (int i = threadIdx.x; i < 64 * D; i += 256) {
        int r = i / D, d = i % D;
        tile[r * (D + 1) + d] = row + r < length ? __bfloat162float(from[(row + r) * step + d]) : 0;
    }
}

template <int D> __global__ void __launch_bounds__(256) attention_kernel2(Attention a)
{
    using namespace attention2_shape;
    extern __shared__ float attention2_shared[];
    float *q = attention2_shared, *kv = q + BM * (D + 1), *p = kv + BN * (D + 1);
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    int query = blockIdx.x * BM, batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    const __nv_bfloat16 *k = a.k + key_begin(a, batch, head), *v = a.v + key_begin(a, batch, head);
    int keys = a.causal && query + BM < a.length ? query + BM : a.length; /* what any query of the block sees */
    float max[ROWS], sum[ROWS], out[ROWS][D / 16];
    for (int i = 0; i < ROWS; i++) {
        max[i] = -INFINITY;
        sum[i] = 0;
        for (int j = 0; j < D / 16; j++)
            out[i][j] = 0;
    }
    attention2_fetch<D>(q, a.q + query_begin(a, batch, head), query_step(a), query, a.length);
    for (int key = 0; key < keys; key += BN) {
        attention2_fetch<D>(kv, k, key_step(a), key, a.length);
        __syncthreads();
        float s[ROWS][COLS] = {{0}};
        for (int d = 0; d < D; d++)
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < COLS; j++)
                    s[i][j] += q[(y * ROWS + i) * (D + 1) + d] * kv[(x + j * 16) * (D + 1) + d];
        for (int i = 0; i < ROWS; i++) {
            int me = query + y * ROWS + i;
            float largest = max[i], part = 0;
            for (int j = 0; j < COLS; j++) {
                int other = key + x + j * 16;
                bool seen = other < a.length && !(a.causal && other > me);
                s[i][j] = seen ? s[i][j] * exponent_scale(D) : -INFINITY;
                largest = fmaxf(largest, s[i][j]);
            }
            for (int step = 1; step < 16; step *= 2)
                largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
            // notes: rescale
            /* Key 0 is seen by every query, and the first step has it: `largest` is finite from then on. */
            float scale = exp2f(max[i] - largest);
            for (int j = 0; j < COLS; j++) {
                s[i][j] = exp2f(s[i][j] - largest);
                part += s[i][j];
                p[(y * ROWS + i) * (BN + 1) + x + j * 16] = s[i][j];
            }
            for (int step = 1; step < 16; step *= 2)
                part += __shfl_xor_sync(0xffffffffu, part, step);
            max[i] = largest;
            sum[i] = sum[i] * scale + part;
            for (int j = 0; j < D / 16; j++)
                out[i][j] *= scale;
            // notes end
        }
        __syncthreads(); /* the keys are done with, and the weights are there */
        attention2_fetch<D>(kv, v, key_step(a), key, a.length);
        __syncthreads();
        for (int n = 0; n < BN; n++)
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < D / 16; j++)
                    out[i][j] += p[(y * ROWS + i) * (BN + 1) + n] * kv[n * (D + 1) + x + j * 16];
        __syncthreads();
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < D / 16; j++) {
            int row = query + y * ROWS + i;
            if (row < a.length)
                a.o[query_begin(a, batch, head) + row * query_step(a) + x + j * 16] =
                    __float2bfloat16(out[i][j] / sum[i]);
        }
}

template <int D> static void attention2_launch(const Attention *a, cudaStream_t stream)
{
    using namespace attention2_shape;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)attention_kernel2<D>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)shared_bytes<D>));
    dim3 grid((unsigned)(a->length + BM - 1) / BM, (unsigned)(a->batch * a->heads));
    attention_kernel2<D><<<grid, 256, shared_bytes<D>, stream>>>(*a);
}

static void attention2(const Attention *a, void *, cudaStream_t stream)
{
    a->width == 64 ? attention2_launch<64>(a, stream) : attention2_launch<128>(a, stream);
}
