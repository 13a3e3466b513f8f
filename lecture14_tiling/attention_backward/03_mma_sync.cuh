/* Rung 3, mma.sync: the tensor cores, in the order of loops of FlashAttention-2 (Dao, arXiv:2307.08691): one block per
 * tile of keys, as in rung 2.
 *
 * All scores are computed transposed, keys down and queries across, and a warp has its keys to itself. Then what
 * mma.sync leaves in a lane's registers of pT and dsT is just what it wants there as the left operands of dv += pT grad
 * and dk += dsT q: p never sees shared memory. Only ds does, because dq = ds k sums over the keys of all warps.
 *
 * That product is done a step later, from the other of two places: so there is one barrier per step. Queries and their
 * gradients come by cp.async a step ahead, swizzled as in attention's rung 3.
 *
 * Scores of 64 queries at once at D = 128 are 4 to 6 % faster than of 32: fragments of keys and values are fetched
 * less often. Half as many warps, two blocks per multiprocessor, made no difference there. At D = 64 warps of 16 keys
 * instead of 32 were a fifth slower. Plain stores instead of atomics, with wrong sums, would save 2 %.
 *
 * dq is added up by atomics into fp32, in the order in which the blocks come. A thread's sums go where its number
 * says, side by side with its neighbours', not where row and column say; a last kernel sorts them. */
#include "problem.cuh"
#include "ptx.cuh"

namespace backward3_shape
{
constexpr int BM = BACKWARD_TILE;                          /* queries per step */
template <int D> constexpr int CHUNK = D == 128 ? 64 : 32; /* of them those whose scores are in registers at once */
template <int D> constexpr int MI = D == 128 ? 1 : 2;      /* sixteens of keys per warp */
template <int D> constexpr int WARPS = D == 128 ? 8 : 4;
template <int D> constexpr int BN = (WARPS<D>)*MI<D> * 16; /* keys per block */
template <int D> constexpr int THREADS = 32 * WARPS<D>;
/* dq: a warp has 32 queries and COLS columns. */
template <int D> constexpr int COLS = D / (WARPS<D> / 2);
template <int D>
constexpr size_t shared_bytes = 2 * (2 * BN<D> * D + 2 * 2 * BM * D + 2 * BN<D> * BM) + 4 * (2 * 2 * BM);
static_assert(BM == 64, "dq: two groups of warps have 32 queries each");
static_assert(COLS<64> % 16 == 0 && COLS<128> % 16 == 0, "ldmatrix fetches 16 columns");
} // namespace backward3_shape

__device__ static __forceinline__ float backward3_exp2(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

/* Where piece c (8 elements) of row r is in a tile of rows of WIDTH elements: eight rows' pieces of the same number
 * hit eight different groups of banks. */
template <int WIDTH> __device__ static __forceinline__ int backward3_at(int r, int c)
{
    return r * WIDTH + (c ^ (r % 8)) * 8;
}

template <int D, int ROWS>
__device__ static __forceinline__ void backward3_fetch(__nv_bfloat16 *tile, const __nv_bfloat16 *from, size_t step,
                                                       int row, int length)
{
    constexpr int PIECES = D / 8, EACH = backward3_shape::THREADS<D> / PIECES; /* 16 bytes; rows fetched at a time */
    static_assert(EACH % 8 == 0, "a thread's rows are a multiple of 8 apart: its pieces are swizzled alike");
    const int r = threadIdx.x / PIECES, c = threadIdx.x % PIECES;
    from += c * 8;
    tile += backward3_at<D>(r, c);
#pragma unroll
    for (int i = 0; i < ROWS; i += EACH) {
        const bool valid = row + r + i < length;
        cp_async_16(tile + i * D, valid ? from + (row + r + i) * step : from, valid);
    }
}

/* The row and column in a tile of dq of the sum that thread t has in its register e; e + 1 is the next column's. */
template <int D> __device__ static __forceinline__ void backward3_place(int t, int e, int *row, int *column)
{
    constexpr int COLS = backward3_shape::COLS<D>;
    const int warp = t / 32, lane = t % 32, i = e / (COLS / 2), j = e / 4 % (COLS / 8);
    *row = warp % 2 * 32 + i * 16 + lane / 4 + e / 2 % 2 * 8;
    *column = warp / 2 * COLS + j * 8 + lane % 4 * 2 + e % 2;
}

/* One tile of dq: adds ds k to the sums. `ds` is keys x queries. */
template <int D>
__device__ static __forceinline__ void backward3_queries(float *sums, const __nv_bfloat16 *ds, const __nv_bfloat16 *ks)
{
    using namespace backward3_shape;
    constexpr int COLS = backward3_shape::COLS<D>;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float dq[2][COLS / 8][4] = {{{0}}};
#pragma unroll
    for (int n = 0; n < BN<D> / 16; n++) {
        uint32_t df[2][4];
#pragma unroll
        for (int i = 0; i < 2; i++)
            ldmatrix_x4_trans(
                df[i], ds + backward3_at<BM>(n * 16 + lane / 16 * 8 + lane % 8, warp % 2 * 4 + i * 2 + lane / 8 % 2));
#pragma unroll
        for (int j = 0; j < COLS / 16; j++) {
            uint32_t kf[4];
            ldmatrix_x4_trans(kf, ks + backward3_at<D>(n * 16 + lane % 16, warp / 2 * (COLS / 8) + j * 2 + lane / 16));
#pragma unroll
            for (int i = 0; i < 2; i++) {
                mma_m16n8k16_bf16(dq[i][2 * j], df[i], kf);
                mma_m16n8k16_bf16(dq[i][2 * j + 1], df[i], kf + 2);
            }
        }
    }
#pragma unroll
    for (int e = 0; e < COLS; e++)
        atomicAdd(sums + e * THREADS<D> + threadIdx.x, dq[e / (COLS / 2)][e / 4 % (COLS / 8)][e % 4]);
}

template <int D, bool CAUSAL>
__global__ void __launch_bounds__(backward3_shape::THREADS<D>) attention_backward_kernel3(Backward b)
{
    using namespace backward3_shape;
    constexpr int BN = backward3_shape::BN<D>, MI = backward3_shape::MI<D>, CHUNK = backward3_shape::CHUNK<D>;
    extern __shared__ uint4 backward3_shared[];
    __nv_bfloat16 *ks = (__nv_bfloat16 *)backward3_shared, *vs = ks + BN * D, *qs = vs + BN * D, *gs = qs + 2 * BM * D;
    __nv_bfloat16 *ds = gs + 2 * BM * D;
    float *rows = (float *)(ds + 2 * BN * BM);
    const Attention &a = b.a;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, mine = warp * MI * 16;
    const int key = blockIdx.x * BN, group = a.heads / a.kv_heads;
    const int batch = blockIdx.y / a.kv_heads, head = blockIdx.y % a.kv_heads * group;
    const int first = CAUSAL ? key / BM : 0, tiles = query_tiles(a) - first, steps = tiles * group;
    const size_t kv = key_begin(a, batch, head);
    const float c = exponent_scale(D);

    auto fetch = [&](int n) {
        const int h = head + n / tiles, tile = first + n % tiles, stage = n % 2;
        const size_t from = query_begin(a, batch, h);
        backward3_fetch<D, BM>(qs + stage * BM * D, a.q + from, query_step(a), tile * BM, a.length);
        backward3_fetch<D, BM>(gs + stage * BM * D, b.grad + from, query_step(a), tile * BM, a.length);
        if (threadIdx.x < 2 * BM / 4)
            cp_async_16(rows + stage * 2 * BM + threadIdx.x * 4, row_tile(b, batch, h, tile) + threadIdx.x * 4);
        cp_async_commit();
    };
    backward3_fetch<D, BN>(ks, a.k + kv, key_step(a), key, a.length);
    backward3_fetch<D, BN>(vs, a.v + kv, key_step(a), key, a.length);
    fetch(0);

    float dk[MI][D / 8][4] = {{{0}}}, dv[MI][D / 8][4] = {{{0}}};
    /* What step n adds to dk and dv; and its ds. */
    auto add = [&](int n) {
        const __nv_bfloat16 *q = qs + n % 2 * BM * D, *g = gs + n % 2 * BM * D;
        const float *row = rows + n % 2 * 2 * BM;
        __nv_bfloat16 *dst = ds + n % 2 * BN * BM;
        const int query = (first + n % tiles) * BM;
        const bool masked = key + BN > a.length || (CAUSAL && query < key + BN);
#pragma unroll 1
        for (int m = 0; m < BM; m += CHUNK) {
            float s[MI][CHUNK / 8][4] = {{{0}}}, dp[MI][CHUNK / 8][4] = {{{0}}};
/* Two at a time: with all unrolled, registers spill; at D = 64 few bytes, and it was 8 % faster all the same. */
#pragma unroll 2
            for (int d = 0; d < D / 16; d++) {
                uint32_t kf[MI][4], vf[MI][4];
#pragma unroll
                for (int i = 0; i < MI; i++) {
                    ldmatrix_x4(kf[i], ks + backward3_at<D>(mine + i * 16 + lane % 16, d * 2 + lane / 16));
                    ldmatrix_x4(vf[i], vs + backward3_at<D>(mine + i * 16 + lane % 16, d * 2 + lane / 16));
                }
#pragma unroll
                for (int j = 0; j < CHUNK / 16; j++) {
                    const int at = backward3_at<D>(m + j * 16 + lane / 16 * 8 + lane % 8, d * 2 + lane / 8 % 2);
                    uint32_t qf[4], gf[4]; /* queries j * 16 + 0..7: [0], [1]; + 8..15: [2], [3] */
                    ldmatrix_x4(qf, q + at);
                    ldmatrix_x4(gf, g + at);
#pragma unroll
                    for (int i = 0; i < MI; i++) {
                        mma_m16n8k16_bf16(s[i][2 * j], kf[i], qf);
                        mma_m16n8k16_bf16(s[i][2 * j + 1], kf[i], qf + 2);
                        mma_m16n8k16_bf16(dp[i][2 * j], vf[i], gf);
                        mma_m16n8k16_bf16(dp[i][2 * j + 1], vf[i], gf + 2);
                    }
                }
            }
            if (masked)
#pragma unroll
                for (int i = 0; i < MI; i++)
#pragma unroll
                    for (int j = 0; j < CHUNK / 8; j++)
#pragma unroll
                        for (int e = 0; e < 4; e++) {
                            const int k = key + mine + i * 16 + lane / 4 + e / 2 * 8;
                            if (k >= a.length || (CAUSAL && k > query + m + j * 8 + lane % 4 * 2 + e % 2))
                                s[i][j][e] = -INFINITY;
                        }
            // notes: transposed
            uint32_t pf[MI][CHUNK / 16][4], df[MI][CHUNK / 16][4];
#pragma unroll
            for (int j = 0; j < CHUNK / 8; j++) {
                const int column = m + j * 8 + lane % 4 * 2; /* this lane's two queries */
                const float2 lse = *(const float2 *)(row + column), delta = *(const float2 *)(row + BM + column);
#pragma unroll
                for (int i = 0; i < MI; i++)
#pragma unroll
                    for (int h = 0; h < 2; h++) { /* and one of its two keys */
                        const int r = mine + i * 16 + lane / 4 + h * 8;
                        const float p0 = backward3_exp2(s[i][j][2 * h] * c - lse.x);
                        const float p1 = backward3_exp2(s[i][j][2 * h + 1] * c - lse.y);
                        const __nv_bfloat162 p = __floats2bfloat162_rn(p0, p1);
                        const __nv_bfloat162 d = __floats2bfloat162_rn(p0 * (dp[i][j][2 * h] - delta.x),
                                                                       p1 * (dp[i][j][2 * h + 1] - delta.y));
                        memcpy(&pf[i][j / 2][j % 2 * 2 + h], &p, 4);
                        memcpy(&df[i][j / 2][j % 2 * 2 + h], &d, 4);
                        *(__nv_bfloat162 *)(dst + backward3_at<BM>(r, m / 8 + j) + lane % 4 * 2) = d;
                    }
            }
            // notes end
#pragma unroll
            for (int j = 0; j < CHUNK / 16; j++)
#pragma unroll
                for (int d = 0; d < D / 16; d++) {
                    const int at = backward3_at<D>(m + j * 16 + lane % 16, d * 2 + lane / 16);
                    uint32_t gf[4], qf[4];
                    ldmatrix_x4_trans(gf, g + at);
                    ldmatrix_x4_trans(qf, q + at);
#pragma unroll
                    for (int i = 0; i < MI; i++) {
                        mma_m16n8k16_bf16(dv[i][2 * d], pf[i][j], gf);
                        mma_m16n8k16_bf16(dv[i][2 * d + 1], pf[i][j], gf + 2);
                        mma_m16n8k16_bf16(dk[i][2 * d], df[i][j], qf);
                        mma_m16n8k16_bf16(dk[i][2 * d + 1], df[i][j], qf + 2);
                    }
                }
        }
    };
    for (int n = 0; n <= steps; n++) {
        cp_async_wait<0>(); /* the queries of step n are here */
        __syncthreads();    /* and ds of step n - 1 is; and no warp reads the queries of step n - 1 or ds of n - 2 */
        if (n + 1 < steps)
            fetch(n + 1);
        if (n < steps)
            add(n);
        if (n > 0)
            backward3_queries<D>(dq_tile(b, batch, head + (n - 1) / tiles, first + (n - 1) % tiles),
                                 ds + (n - 1) % 2 * BN * BM, ks);
    }
    const float scale = rsqrtf(D);
#pragma unroll
    for (int i = 0; i < MI; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int r = key + mine + i * 16 + lane / 4 + h * 8;
            const size_t at = kv + r * key_step(a) + lane % 4 * 2;
            if (r < a.length)
#pragma unroll
                for (int j = 0; j < D / 8; j++) {
                    *(__nv_bfloat162 *)(b.dk + at + j * 8) =
                        __floats2bfloat162_rn(dk[i][j][2 * h] * scale, dk[i][j][2 * h + 1] * scale);
                    *(__nv_bfloat162 *)(b.dv + at + j * 8) =
                        __floats2bfloat162_rn(dv[i][j][2 * h], dv[i][j][2 * h + 1]);
                }
        }
}

/* After: the sums of a tile of dq, each to its row and column, as bf16. */
template <int D>
__global__ void __launch_bounds__(backward3_shape::THREADS<D>) attention_backward_kernel3_queries(Backward b)
{
    using namespace backward3_shape;
    const Attention &a = b.a;
    const int batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    const float *sums = dq_tile(b, batch, head, blockIdx.x) + threadIdx.x;
    const float scale = rsqrtf(D);
#pragma unroll
    for (int e = 0; e < COLS<D>; e += 2) {
        int row, column;
        backward3_place<D>(threadIdx.x, e, &row, &column);
        row += blockIdx.x * BM;
        if (row < a.length)
            *(__nv_bfloat162 *)(b.dq + query_begin(a, batch, head) + row * query_step(a) + column) =
                __floats2bfloat162_rn(sums[e * THREADS<D>] * scale, sums[(e + 1) * THREADS<D>] * scale);
    }
}

template <int D, bool CAUSAL> static void attention_backward3_launch(const Backward *b, cudaStream_t stream)
{
    using namespace backward3_shape;
    const Attention *a = &b->a;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)attention_backward_kernel3<D, CAUSAL>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<D>));
    backward_rows(b, stream);
    const dim3 grid((unsigned)(a->length + BN<D> - 1) / BN<D>, (unsigned)(a->batch * a->kv_heads));
    attention_backward_kernel3<D, CAUSAL><<<grid, THREADS<D>, shared_bytes<D>, stream>>>(*b);
    const dim3 all((unsigned)query_tiles(*a), (unsigned)(a->batch * a->heads));
    attention_backward_kernel3_queries<D><<<all, THREADS<D>, 0, stream>>>(*b);
}

static inline void attention_backward3(const Backward *b, cudaStream_t stream)
{
    if (b->a.width == 64)
        b->a.causal ? attention_backward3_launch<64, true>(b, stream)
                    : attention_backward3_launch<64, false>(b, stream);
    else
        b->a.causal ? attention_backward3_launch<128, true>(b, stream)
                    : attention_backward3_launch<128, false>(b, stream);
}
