/* Rung 3, mma.sync: the tensor cores, in the order of loops of FlashAttention-2 (Dao, arXiv:2307.08691).
 *
 * A warp has 32 queries to itself: no row is shared by warps, so maxima and sums need shuffles among four lanes only
 * and weights never see shared memory. What mma.sync leaves in a lane's registers, scores of rows l / 4 and columns 2
 * (l % 4), + 1, is just what it wants there as the left operand of the next product.
 *
 * Keys and values are in rings of STAGES tiles, filled by cp.async a step ahead, swizzled as in gemm's rung 4: one
 * barrier per step. A fragment of keys or values is fetched once for two groups of sixteen queries, which halves what
 * shared memory has to deliver.
 *
 * Each lane sums only its own columns; the four lanes' sums meet at the end. With `causal` the longest blocks go first.
 */
#include "problem.cuh"
#include "ptx.cuh"

namespace attention3_shape
{
constexpr int BM = 128, WM = 32, THREADS = BM / WM * 32, STAGES = 2;
template <int D> constexpr int BN = D == 128 ? 48 : 64; /* 64 at D = 128 takes more registers than there are */
template <int D> constexpr size_t shared_bytes = 2 * (BM * D + STAGES * 2 * BN<D> * D);
} // namespace attention3_shape

__device__ static __forceinline__ float attention3_exp2(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

/* Where piece c (8 elements) of row r is in a tile of rows of D elements: eight rows' pieces of the same number hit
 * eight different groups of banks. */
template <int D> __device__ static __forceinline__ int attention3_at(int r, int c) { return r * D + (c ^ (r % 8)) * 8; }

template <int D, int ROWS>
__device__ static __forceinline__ void attention3_fetch(__nv_bfloat16 *tile, const __nv_bfloat16 *from, size_t step,
                                                        int row, int length)
{
    using namespace attention3_shape;
    constexpr int PIECES = D / 8, EACH = THREADS / PIECES; /* 16-byte pieces of a row; rows fetched at a time */
    static_assert(EACH % 8 == 0, "a thread's rows are a multiple of 8 apart: its pieces are swizzled alike");
    const int r = threadIdx.x / PIECES, c = threadIdx.x % PIECES;
    from += (row + r) * step + c * 8;
    tile += attention3_at<D>(r, c);
#pragma unroll
    for (int i = 0; i < ROWS; i += EACH) {
        const bool valid = row + r + i < length;
        cp_async_16(tile + i * D, valid ? from + i * step : from - r * step, valid);
    }
}

/* With LSE the logarithm of each query's sum of exponentials goes to lse[batch][head][length]: what the backward pass
 * wants. */
template <int D, bool CAUSAL, bool LSE>
__global__ void __launch_bounds__(attention3_shape::THREADS) attention_kernel3(Attention a, float *lse)
{
    using namespace attention3_shape;
    constexpr int BN = attention3_shape::BN<D>, MI = WM / 16;
    extern __shared__ uint4 attention3_shared[];
    __nv_bfloat16 *qs = (__nv_bfloat16 *)attention3_shared, *ks = qs + BM * D, *vs = ks + STAGES * BN * D;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tile = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x, query = tile * BM;
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    const __nv_bfloat16 *k = a.k + key_begin(a, batch, head), *v = a.v + key_begin(a, batch, head);
    const int keys = CAUSAL && query + BM < a.length ? query + BM : a.length, steps = (keys + BN - 1) / BN;
    const float c = exponent_scale(D);

    attention3_fetch<D, BM>(qs, a.q + query_begin(a, batch, head), query_step(a), query, a.length);
    attention3_fetch<D, BN>(ks, k, key_step(a), 0, a.length);
    attention3_fetch<D, BN>(vs, v, key_step(a), 0, a.length);
    cp_async_commit();

    float out[MI][D / 8][4] = {{{0}}}, max[MI][2], sum[MI][2];
#pragma unroll
    for (int i = 0; i < MI; i++)
        max[i][0] = max[i][1] = -INFINITY, sum[i][0] = sum[i][1] = 0;

    /* At D = 64 there are registers for all fragments of the queries; at 128 they are fetched again at each step. */
    constexpr bool KEEP_Q = D == 64;
    uint32_t qf[KEEP_Q ? D / 16 : 1][MI][4];
    auto fetch_q = [&](int d) {
#pragma unroll
        for (int i = 0; i < MI; i++)
            ldmatrix_x4(qf[KEEP_Q ? d : 0][i],
                        qs + attention3_at<D>(warp * WM + i * 16 + lane % 16, d * 2 + lane / 16));
    };

    for (int n = 0; n < steps; n++) {
        const __nv_bfloat16 *kt = ks + n % STAGES * BN * D, *vt = vs + n % STAGES * BN * D;
        cp_async_wait<0>(); /* keys and values of step n are here */
        __syncthreads();    /* and no warp still reads those of step n - 1: step n + 1 takes their place */
        if (n + 1 < steps) {
            attention3_fetch<D, BN>(ks + (n + 1) % STAGES * BN * D, k, key_step(a), (n + 1) * BN, a.length);
            attention3_fetch<D, BN>(vs + (n + 1) % STAGES * BN * D, v, key_step(a), (n + 1) * BN, a.length);
            cp_async_commit();
        }
        float s[MI][BN / 8][4] = {{{0}}};
        if (KEEP_Q && n == 0)
#pragma unroll
            for (int d = 0; d < D / 16; d++)
                fetch_q(d);
#pragma unroll
        for (int d = 0; d < D / 16; d++) {
            if (!KEEP_Q)
                fetch_q(d);
#pragma unroll
            for (int j = 0; j < BN / 16; j++) {
                uint32_t kf[4]; /* keys j * 16 + 0..7: kf[0], kf[1]; + 8..15: kf[2], kf[3] */
                ldmatrix_x4(kf, kt + attention3_at<D>(j * 16 + lane / 16 * 8 + lane % 8, d * 2 + lane / 8 % 2));
#pragma unroll
                for (int i = 0; i < MI; i++) {
                    mma_m16n8k16_bf16(s[i][2 * j], qf[KEEP_Q ? d : 0][i], kf);
                    mma_m16n8k16_bf16(s[i][2 * j + 1], qf[KEEP_Q ? d : 0][i], kf + 2);
                }
            }
        }
        if ((n + 1) * BN > (CAUSAL ? query + warp * WM + 1 : a.length) || (n + 1) * BN > a.length)
#pragma unroll
            for (int i = 0; i < MI; i++)
#pragma unroll
                for (int j = 0; j < BN / 8; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        int key = n * BN + j * 8 + lane % 4 * 2 + e % 2;
                        int row = query + warp * WM + i * 16 + lane / 4 + e / 2 * 8;
                        if (key >= a.length || (CAUSAL && key > row))
                            s[i][j][e] = -INFINITY;
                    }
        /* Any number near the maximum will do, because it cancels in the end: `max` moves only when a score is more
         * than 2^8 times its weight above it. A lane looks at its own scores only: nearly always no lane of the warp
         * finds one, and then neither the four lanes of a row need to exchange their maxima, nor is the output, the
         * most registers by far, multiplied. In the first step `max` is -inf, and moves: every query sees key 0. */
        float mine[MI][2];
        bool moves = false;
#pragma unroll
        for (int i = 0; i < MI; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float even = s[i][0][2 * h], odd = s[i][0][2 * h + 1];
#pragma unroll
                for (int j = 1; j < BN / 8; j++) {
                    even = fmaxf(even, s[i][j][2 * h]);
                    odd = fmaxf(odd, s[i][j][2 * h + 1]);
                }
                mine[i][h] = fmaxf(even, odd);
                moves |= mine[i][h] > max[i][h] + 8 / c;
            }
        if (__any_sync(0xffffffffu, moves))
#pragma unroll
            for (int i = 0; i < MI; i++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    float largest = fmaxf(max[i][h], mine[i][h]);
                    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
                    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
                    const float scale = attention3_exp2((max[i][h] - largest) * c);
                    max[i][h] = largest;
                    sum[i][h] *= scale;
#pragma unroll
                    for (int j = 0; j < D / 8; j++)
                        out[i][j][2 * h] *= scale, out[i][j][2 * h + 1] *= scale;
                }
        uint32_t p[MI][BN / 16][4];
#pragma unroll
        for (int i = 0; i < MI; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float base = max[i][h] * c;
                float part = sum[i][h];
#pragma unroll
                for (int j = 0; j < BN / 8; j++) {
                    const float left = attention3_exp2(s[i][j][2 * h] * c - base),
                                right = attention3_exp2(s[i][j][2 * h + 1] * c - base);
                    part += left + right;
                    const __nv_bfloat162 two = __floats2bfloat162_rn(left, right);
                    memcpy(&p[i][j / 2][j % 2 * 2 + h], &two, 4);
                }
                sum[i][h] = part;
            }
#pragma unroll
        for (int j = 0; j < BN / 16; j++)
#pragma unroll
            for (int d = 0; d < D / 16; d++) {
                uint32_t vf[4];
                ldmatrix_x4_trans(vf, vt + attention3_at<D>(j * 16 + lane % 16, d * 2 + lane / 16));
#pragma unroll
                for (int i = 0; i < MI; i++) {
                    mma_m16n8k16_bf16(out[i][2 * d], p[i][j], vf);
                    mma_m16n8k16_bf16(out[i][2 * d + 1], p[i][j], vf + 2);
                }
            }
    }
#pragma unroll
    for (int i = 0; i < MI; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float total = sum[i][h];
            total += __shfl_xor_sync(0xffffffffu, total, 1);
            total += __shfl_xor_sync(0xffffffffu, total, 2);
            const float inverse = 1 / total;
            const int row = query + warp * WM + i * 16 + lane / 4 + h * 8;
            __nv_bfloat16 *o = a.o + query_begin(a, batch, head) + row * query_step(a) + lane % 4 * 2;
            if (LSE && row < a.length && lane % 4 == 0)
                lse[(size_t)blockIdx.y * a.length + row] = (max[i][h] * c + log2f(total)) * 0.6931471805599453f;
            if (row < a.length)
#pragma unroll
                for (int j = 0; j < D / 8; j++)
                    *(__nv_bfloat162 *)(o + j * 8) =
                        __floats2bfloat162_rn(out[i][j][2 * h] * inverse, out[i][j][2 * h + 1] * inverse);
        }
}

template <int D, bool CAUSAL, bool LSE = false>
static void attention3_launch(const Attention *a, cudaStream_t stream, float *lse = NULL)
{
    using namespace attention3_shape;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)attention_kernel3<D, CAUSAL, LSE>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<D>));
    dim3 grid((unsigned)(a->length + BM - 1) / BM, (unsigned)(a->batch * a->heads));
    attention_kernel3<D, CAUSAL, LSE><<<grid, THREADS, shared_bytes<D>, stream>>>(*a, lse);
}

static inline void attention3(const Attention *a, void *, cudaStream_t stream)
{
    if (a->width == 64)
        a->causal ? attention3_launch<64, true>(a, stream) : attention3_launch<64, false>(a, stream);
    else
        a->causal ? attention3_launch<128, true>(a, stream) : attention3_launch<128, false>(a, stream);
}
