/* Rung 2, fused: p and ds never leave the multiprocessor.
 *
 * A block keeps 64 keys and values, and walks over the queries that see them, 64 at a time. Each step computes a 64 x
 * 64 tile of scores once more: with lse they become the weights at once, no row has to be seen whole. The tile adds to
 * dk and dv, which the block alone sums, in registers, and to dq of its queries, to which the blocks of all other keys
 * add as well: atomics into fp32, in the order in which the blocks come, so the last bits of dq differ from run to run.
 *
 * 256 threads as 16 x 16. Thread (y, x) has queries 4y .. 4y + 3 and keys x, x + 16, ... of the tile of scores; keys
 * 4y .. 4y + 3 and columns x, x + 16, ... of dk and dv; queries 4y .. 4y + 3 and the same columns of dq. */
#include "problem.cuh"

namespace backward2_shape
{
constexpr int BM = BACKWARD_TILE, BN = 64, ROWS = 4, COLS = 4; /* queries, keys; of them a thread's */
/* Rows of shared memory are one float longer: threads that read down a column meet different banks. */
template <int D> constexpr size_t shared_bytes = sizeof(float) * (4 * 64 * (D + 1) + 2 * BM * (BN + 1));
static_assert(BM == 64 && BN == 64, "16 x 16 threads of 4 x 4 scores");
} // namespace backward2_shape

/* 64 rows from `row` on, as floats; zeros past the end. */
template <int D>
__device__ static void backward2_fetch(float *tile, const __nv_bfloat16 *from, size_t step, int row, int length)
{
    for (int i = threadIdx.x; i < 64 * D; i += 256) {
        int r = i / D, d = i % D;
        tile[r * (D + 1) + d] = row + r < length ? __bfloat162float(from[(row + r) * step + d]) : 0;
    }
}

/* c (4 x D / 16 per thread) += aT b, for a tile a of 64 x 64 and b of 64 x D. */
template <int D> __device__ static void backward2_add(float (&c)[4][D / 16], const float *a, const float *b)
{
    using namespace backward2_shape;
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    for (int m = 0; m < BM; m++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < D / 16; j++)
                c[i][j] += a[m * (BN + 1) + y * ROWS + i] * b[m * (D + 1) + x + j * 16];
}

template <int D> __global__ void __launch_bounds__(256) attention_backward_kernel2(Backward b)
{
    using namespace backward2_shape;
    extern __shared__ float backward2_shared[];
    const Attention &a = b.a;
    float *k = backward2_shared, *v = k + BN * (D + 1), *q = v + BN * (D + 1), *g = q + BM * (D + 1);
    float *p = g + BM * (D + 1), *ds = p + BM * (BN + 1);
    int x = threadIdx.x % 16, y = threadIdx.x / 16, group = a.heads / a.kv_heads;
    int first = blockIdx.x * BN, batch = blockIdx.y / a.kv_heads, kv_head = blockIdx.y % a.kv_heads;
    const size_t kv = key_begin(a, batch, kv_head * group);
    float dk[ROWS][D / 16] = {{0}}, dv[ROWS][D / 16] = {{0}};
    backward2_fetch<D>(k, a.k + kv, key_step(a), first, a.length);
    backward2_fetch<D>(v, a.v + kv, key_step(a), first, a.length);
    for (int head = kv_head * group; head < (kv_head + 1) * group; head++)
        for (int tile = a.causal ? first / BM : 0; tile < query_tiles(a); tile++) {
            const float *rows = row_tile(b, batch, head, tile);
            float *sums = dq_tile(b, batch, head, tile);
            backward2_fetch<D>(q, a.q + query_begin(a, batch, head), query_step(a), tile * BM, a.length);
            backward2_fetch<D>(g, b.grad + query_begin(a, batch, head), query_step(a), tile * BM, a.length);
            __syncthreads();
            float s[ROWS][COLS] = {{0}}, dp[ROWS][COLS] = {{0}};
            for (int d = 0; d < D; d++)
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < COLS; j++) {
                        s[i][j] += q[(y * ROWS + i) * (D + 1) + d] * k[(x + j * 16) * (D + 1) + d];
                        dp[i][j] += g[(y * ROWS + i) * (D + 1) + d] * v[(x + j * 16) * (D + 1) + d];
                    }
            // notes: again
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < COLS; j++) {
                    int row = y * ROWS + i, column = x + j * 16, key = first + column;
                    bool seen = key < a.length && !(a.causal && key > tile * BM + row);
                    float weight = seen ? exp2f(s[i][j] * exponent_scale(D) - rows[row]) : 0;
                    p[row * (BN + 1) + column] = weight;
                    ds[row * (BN + 1) + column] = weight * (dp[i][j] - rows[BM + row]);
                }
            // notes end
            __syncthreads();
            backward2_add<D>(dv, p, g);
            backward2_add<D>(dk, ds, q);
            float dq[ROWS][D / 16] = {{0}};
            for (int n = 0; n < BN; n++)
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < D / 16; j++)
                        dq[i][j] += ds[(y * ROWS + i) * (BN + 1) + n] * k[n * (D + 1) + x + j * 16];
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < D / 16; j++)
                    atomicAdd(sums + (y * ROWS + i) * D + x + j * 16, dq[i][j]);
            __syncthreads(); /* the next step's queries take these ones' place */
        }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < D / 16; j++) {
            int key = first + y * ROWS + i;
            if (key < a.length) {
                b.dk[kv + key * key_step(a) + x + j * 16] = __float2bfloat16(dk[i][j] * rsqrtf(D));
                b.dv[kv + key * key_step(a) + x + j * 16] = __float2bfloat16(dv[i][j]);
            }
        }
}

/* After: the sums of dq as bf16, one thread per element. */
__global__ void attention_backward_kernel2_queries(Backward b)
{
    const Attention &a = b.a;
    int d = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y;
    int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    if (query < a.length)
        b.dq[query_begin(a, batch, head) + query * query_step(a) + d] =
            __float2bfloat16(dq_tile(b, batch, head, 0)[(size_t)query * a.width + d] * rsqrtf((float)a.width));
}

template <int D> static void attention_backward2_launch(const Backward *b, cudaStream_t stream)
{
    using namespace backward2_shape;
    const Attention *a = &b->a;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)attention_backward_kernel2<D>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<D>));
    backward_rows(b, stream);
    const dim3 grid((unsigned)(a->length + BN - 1) / BN, (unsigned)(a->batch * a->kv_heads));
    attention_backward_kernel2<D><<<grid, 256, shared_bytes<D>, stream>>>(*b);
    attention_backward_kernel2_queries<<<dim3((unsigned)(a->length + 1) / 2, (unsigned)(a->batch * a->heads)),
                                         dim3(D, 2), 0, stream>>>(*b);
}

static void attention_backward2(const Backward *b, cudaStream_t stream)
{
    b->a.width == 64 ? attention_backward2_launch<64>(b, stream) : attention_backward2_launch<128>(b, stream);
}
