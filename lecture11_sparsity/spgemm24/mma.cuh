/* mma.cuh: C = A B by tensor cores (mma.sync), A dense or 2:4 sparse, one frame for both.
 *
 *   A        M x K, row-major; 2:4: its values M x sparse24_ld(K) and its metadata (common/sparse.h)
 *   B        K x N row-major, or with B_TRANSPOSED stored N x K
 *   C        M x N row-major: bf16 for bf16 operands, s32 for int8
 *
 * A thread block computes a BM x BN tile of C. Tiles of A and B stream through STAGES buffers of shared memory by
 * cp.async: while the tensor cores work on one, the copies of the next STAGES - 1 are in flight, with no registers
 * held for them. Each warp makes WM x WN of the tile, and loads the fragments of the next step while the current
 * step's mma run.
 *
 * What 2:4 changes is marked by `if constexpr (SPARSE)`, and there is little of it: the tile of A is half as wide,
 * each mma covers twice the depth for the price of one, and one word of metadata goes with it. The fragments of B
 * double, since the zeros skipped in A still have to be chosen from all of B: that traffic, shared memory to
 * registers, is why the gain is not 2 x.
 *
 * Needs: K a multiple of 8 where rows of K are read (dense A, B_TRANSPOSED; 16 for int8), N one of 8 otherwise.
 */
#ifndef SPGEMM24_MMA_CUH
#define SPGEMM24_MMA_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include <type_traits>

#include "ptx.cuh"
#include "sparse.h"

/* How a product is cut into tiles. ELEMENT is the element's bytes: 2 bf16, 1 int8. */
template <int ELEMENT_, bool SPARSE_, bool B_TRANSPOSED_, int BM_, int BN_, int WM_, int WN_, int STAGES_, int SPLIT_,
          bool A_AHEAD_ = true, bool C_TRANSPOSED_ = false>
struct MmaTile {
    static constexpr int ELEMENT = ELEMENT_, BM = BM_, BN = BN_, WM = WM_, WN = WN_, STAGES = STAGES_, SPLIT = SPLIT_;
    static constexpr bool SPARSE = SPARSE_, B_TRANSPOSED = B_TRANSPOSED_;
    static constexpr bool A_AHEAD = A_AHEAD_; /* two sets of registers for A's fragments, as for B's, or one */
    static constexpr bool C_TRANSPOSED = C_TRANSPOSED_; /* C is written N x M */
    static constexpr int THREADS = BM / WM * (BN / WN) * 32;
    static constexpr int BK = 128 / ELEMENT;        /* depth of a stage: 128 bytes of a row of K */
    static constexpr int A_ROW = SPARSE ? 64 : 128; /* bytes of a row of A's tile */
    static constexpr int STEPS = SPARSE ? 2 : 4;    /* mma deep in a stage */
    static constexpr int META_BYTES = SPARSE ? BM * BK / 8 : 0;
    static constexpr int A_BYTES = BM * A_ROW, B_BYTES = BN * 128;
    static constexpr int STAGE_BYTES = A_BYTES + B_BYTES + META_BYTES;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES;
    static constexpr int MI = WM / 16, NI = WN / 8 / SPLIT; /* mma across a warp's tile: MI x (SPLIT x NI) */

    static_assert(BM % WM == 0 && BN % WN == 0, "warps tile the block's tile exactly");
    static_assert(WM % 16 == 0 && WN % ((SPARSE ? 8 : 16) * SPLIT) == 0,
                  "a warp's tile is whole mma, dense two across");
    static_assert(ELEMENT == 2 || B_TRANSPOSED, "8-bit elements cannot be transposed by ldmatrix: store B as N x K");
    static_assert(A_BYTES % 128 == 0 && STAGE_BYTES % 128 == 0,
                  "the swizzle needs stages that begin at multiples of 128");
    static_assert(SHARED_BYTES <= 227 * 1024, "the stages must fit in an SM's shared memory");
    static_assert(THREADS / 32 * WM * WN * 2 <= SHARED_BYTES, "the epilogue stages the tile of C in the same memory");
};

struct MmaArguments {
    const void *A;
    const uint32_t *meta;
    const void *B;
    void *C;
    int M, N, K;
    int lda;         /* elements from one row of A (of its values, if sparse) to the next */
    const int *kept; /* of vnm's loader only: which rows of B */
};

/* Copies the tiles of A, B and metadata of one stage. Rows and columns outside the matrices become zeros. A thread's
 * chunks of 16 bytes lie one below the other, a multiple of 8 rows apart: their place in the swizzled tile is then
 * the same except for the row, and one address per matrix is all that it has to keep. */
template <class T> struct MmaLoader {
    static constexpr int A_CHUNKS = T::A_ROW / 16, A_STEP = T::THREADS / A_CHUNKS;
    static constexpr int B_CHUNKS = T::B_TRANSPOSED ? 8 : T::BN / 8, B_STEP = T::THREADS / B_CHUNKS;
    static constexpr int B_ROWS = T::B_TRANSPOSED ? T::BN : T::BK, B_ROW = T::B_TRANSPOSED ? 128 : T::BN * 2;
    static constexpr int META_ROW = 128 * T::BK / 64; /* bytes of metadata for 16 rows of A */
    static_assert(A_STEP % 8 == 0 && T::BM % A_STEP == 0, "each thread copies whole columns of chunks of A");
    static_assert(B_STEP % 8 == 0 && B_ROWS % B_STEP == 0, "each thread copies whole columns of chunks of B");
    static_assert(T::META_BYTES / 16 <= T::THREADS, "one chunk of metadata a thread at most");

    const char *a, *b, *e; /* the thread's first chunk of the next stage, in global memory */
    size_t a_stride, b_stride, b_advance;
    int a_rows, a_left, b_rows, b_left, e_left; /* how far the matrices reach from there */
    int a_to, b_to;

    __device__ __forceinline__ MmaLoader(const MmaArguments &p, int m0, int n0)
    {
        const int tid = threadIdx.x;
        int row = tid / A_CHUNKS, chunk = tid % A_CHUNKS;
        a = (const char *)p.A + (size_t)(m0 + row) * p.lda * T::ELEMENT + chunk * 16;
        a_stride = (size_t)A_STEP * p.lda * T::ELEMENT;
        a_rows = p.M - m0 - row;
        a_left = (T::SPARSE ? p.lda : p.K) * T::ELEMENT - chunk * 16;
        a_to = row * T::A_ROW + (T::SPARSE ? chunk ^ (row >> 1 & 3) : chunk ^ (row & 7)) * 16;
        row = tid / B_CHUNKS, chunk = tid % B_CHUNKS;
        b_to = T::A_BYTES + row * B_ROW + (chunk ^ (row & 7)) * 16;
        if constexpr (T::B_TRANSPOSED) {
            b = (const char *)p.B + (size_t)(n0 + row) * p.K * T::ELEMENT + chunk * 16;
            b_stride = (size_t)B_STEP * p.K * T::ELEMENT;
            b_advance = 128;
            b_rows = p.N - n0 - row;
            b_left = p.K * T::ELEMENT - chunk * 16;
        } else {
            b = (const char *)p.B + ((size_t)row * p.N + n0 + chunk * 8) * 2;
            b_stride = (size_t)B_STEP * p.N * 2;
            b_advance = (size_t)T::BK * p.N * 2;
            b_rows = n0 + chunk * 8 < p.N ? p.K - row : 0;
        }
        if constexpr (T::SPARSE) {
            const int k_tiles = (p.K + 63) / 64, m_tiles = (p.M + 15) / 16;
            row = tid / (META_ROW / 16), chunk = tid % (META_ROW / 16);
            e = (const char *)p.meta + (size_t)(m0 / 16 + row) * k_tiles * 128 + chunk * 16;
            e_left = tid < T::META_BYTES / 16 && m0 / 16 + row < m_tiles ? k_tiles * 128 - chunk * 16 : 0;
        }
    }

    __device__ __forceinline__ void next_a(char *stage)
    {
#pragma unroll
        for (int i = 0; i < T::BM / A_STEP; i++)
            cp_async_16(stage + a_to + i * A_STEP * T::A_ROW, a + i * a_stride, i * A_STEP < a_rows && a_left > 0);
        a += T::A_ROW;
        a_left -= T::A_ROW;
        if constexpr (T::SPARSE) {
            if (threadIdx.x < T::META_BYTES / 16)
                cp_async_16(stage + T::A_BYTES + T::B_BYTES + threadIdx.x * 16, e, e_left > 0);
            e += META_ROW;
            e_left -= META_ROW;
        }
    }

    __device__ __forceinline__ void next(char *stage)
    {
        next_a(stage);
#pragma unroll
        for (int i = 0; i < B_ROWS / B_STEP; i++)
            cp_async_16(stage + b_to + i * B_STEP * B_ROW, b + i * b_stride,
                        i * B_STEP < b_rows && (!T::B_TRANSPOSED || b_left > 0));
        b += b_advance;
        if constexpr (T::B_TRANSPOSED)
            b_left -= 128;
        else
            b_rows -= T::BK;
    }
};

/* Where a lane's rows of the fragments begin in a stage, for the first step. Tiles are swizzled: the 16-byte chunk c of
 * row r is at c ^ (r % 8), so that the 8 rows that ldmatrix reads at once are in different banks. Other steps and
 * columns then differ from the first by an exclusive or with a constant: one instruction, no table of addresses. */
template <class T> __device__ __forceinline__ int mma_a_place(int wm)
{
    const int lane = threadIdx.x % 32, row = wm + lane % 16, chunk = lane / 16;
    return row * T::A_ROW + (T::SPARSE ? chunk ^ (row >> 1 & 3) : chunk ^ (row & 7)) * 16;
}

template <class T> __device__ __forceinline__ int mma_b_place(int wn)
{
    const int lane = threadIdx.x % 32;
    if constexpr (T::B_TRANSPOSED) {
        const int row = wn + lane % 8 + (T::SPARSE ? 0 : lane / 16 * 8), chunk = T::SPARSE ? lane / 8 : lane / 8 % 2;
        return T::A_BYTES + row * 128 + (chunk ^ (row & 7)) * 16;
    } else {
        static_assert(T::B_TRANSPOSED || T::WN % 32 == 0,
                      "the first column's chunk must be a multiple of 4, for the exclusive or");
        const int row = T::SPARSE ? lane : lane % 16, chunk = wn / 8 + (T::SPARSE ? 0 : lane / 16);
        return T::A_BYTES + row * T::BN * 2 + (chunk ^ (row & 7)) * 16;
    }
}

/* Fragment i of A for one step, and its metadata. `stage` is the stage's offset in `shared`. */
template <class T>
__device__ __forceinline__ void mma_load_a(uint32_t (&a)[4], uint32_t &meta, const char *shared, int stage, int place,
                                           int wm, int step, int i)
{
    ldmatrix_x4(a, shared + ((stage + place) ^ (step * 32)) + i * 16 * T::A_ROW);
    if constexpr (T::SPARSE) {
        /* 16-bit: one word serves both steps of a stage, lanes 0-1 of each four the first, 2-3 the second */
        const uint32_t *e = (const uint32_t *)(shared + stage + T::A_BYTES + T::B_BYTES) + threadIdx.x % 32;
        if constexpr (T::ELEMENT == 1)
            meta = e[((wm / 16 + i) * 2 + step) * 32];
        else if (step == 0)
            meta = e[(wm / 16 + i) * 32];
    }
}

/* The B fragments of one step, part `part` of SPLIT. */
template <class T>
__device__ __forceinline__ void mma_load_b(uint32_t (&b)[T::NI][T::SPARSE ? 4 : 2], const char *shared, int stage,
                                           int place, int step, int part)
{
#pragma unroll
    for (int i = 0; i < T::NI; i += T::SPARSE ? 1 : 2) {
        const int j = part * T::NI + i; /* eight columns each; dense, two times eight at once */
        uint32_t r[4];
        if constexpr (T::B_TRANSPOSED)
            ldmatrix_x4(r, shared + ((stage + place) ^ (step * (T::SPARSE ? 64 : 32))) + j * 1024);
        else
            ldmatrix_x4_trans(r, shared + ((stage + place) ^ (j % 8 * 16)) + j / 8 * 128 +
                                     step * (T::SPARSE ? 32 : 16) * T::BN * 2);
        if constexpr (T::SPARSE) {
            b[i][0] = r[0], b[i][1] = r[1], b[i][2] = r[2], b[i][3] = r[3];
        } else {
            b[i][0] = r[0], b[i][1] = r[1], b[i + 1][0] = r[2], b[i + 1][1] = r[3];
        }
    }
}

template <class T, class Accumulator>
__device__ __forceinline__ void mma_step(Accumulator (&d)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[T::SPARSE ? 4 : 2], uint32_t meta, int step)
{
    if constexpr (T::SPARSE && T::ELEMENT == 2) {
        if (step % 2 == 0) /* a constant once the loop is unrolled */
            mma_sp_m16n8k32_bf16<0>(d, a, b, meta);
        else
            mma_sp_m16n8k32_bf16<1>(d, a, b, meta);
    } else if constexpr (T::SPARSE) {
        mma_sp_m16n8k64_s8<0>(d, a, b, meta);
    } else if constexpr (T::ELEMENT == 2) {
        mma_m16n8k16_bf16(d, a, b);
    } else {
        mma_m16n8k32_s8(d, a, b);
    }
}

template <class T, class Loader = MmaLoader<T>> __global__ void __launch_bounds__(T::THREADS) mma_kernel(MmaArguments p)
{
    using Accumulator = typename std::conditional<T::ELEMENT == 1, int, float>::type;
    extern __shared__ __align__(128) char shared[];

    /* Blocks that run at the same time should share tiles of A and B in the L2: go down 8 tiles, then one across. */
    const int tiles_m = (p.M + T::BM - 1) / T::BM, tiles_n = (p.N + T::BN - 1) / T::BN;
    const int group = blockIdx.x / (8 * tiles_n), in_group = blockIdx.x % (8 * tiles_n);
    const int height = min(8, tiles_m - group * 8);
    const int m0 = (group * 8 + in_group % height) * T::BM, n0 = in_group / height * T::BN;

    const int warp = threadIdx.x / 32;
    const int wm = warp % (T::BM / T::WM) * T::WM, wn = warp / (T::BM / T::WM) * T::WN;
    const int tiles_k = (p.K + T::BK - 1) / T::BK;

    Accumulator d[T::MI][T::SPLIT * T::NI][4] = {};
    constexpr int AHEAD = T::A_AHEAD ? 2 : 1;
    uint32_t a[AHEAD][T::MI][4], meta[AHEAD][T::MI], b[2][T::NI][T::SPARSE ? 4 : 2];
    Loader loader(p, m0, n0);

#pragma unroll
    for (int s = 0; s < T::STAGES - 1; s++) {
        loader.next(shared + s * T::STAGE_BYTES);
        cp_async_commit();
    }
    cp_async_wait<T::STAGES - 2>();
    __syncthreads();
    const int a_place = mma_a_place<T>(wm), b_place = mma_b_place<T>(wn);
#pragma unroll
    for (int i = 0; i < T::MI; i++)
        mma_load_a<T>(a[0][i], meta[0][i], shared, 0, a_place, wm, 0, i);
    mma_load_b<T>(b[0], shared, 0, b_place, 0, 0);

    int read = 0, write = (T::STAGES - 1) * T::STAGE_BYTES; /* offsets of stages */
    for (int kt = 0; kt < tiles_k; kt++) {
#pragma unroll
        for (int u = 0; u < T::STEPS * T::SPLIT; u++) {
            const int step = u / T::SPLIT, part = u % T::SPLIT;
            const int next = (u + 1) % (T::STEPS * T::SPLIT), next_step = next / T::SPLIT, next_part = next % T::SPLIT;
            if (next == 0) {
                /* the last fragments of this stage are in registers: the next stage must have arrived, for everyone */
                cp_async_wait<T::STAGES - 2>();
                __syncthreads();
                read = read == (T::STAGES - 1) * T::STAGE_BYTES ? 0 : read + T::STAGE_BYTES;
            }
            if (T::A_AHEAD && next_part == 0)
#pragma unroll
                for (int i = 0; i < T::MI; i++) {
                    if constexpr (T::SPARSE)
                        meta[next_step % AHEAD][i] = meta[step % AHEAD][i];
                    mma_load_a<T>(a[next_step % AHEAD][i], meta[next_step % AHEAD][i], shared, read, a_place, wm,
                                  next_step, i);
                }
            mma_load_b<T>(b[next % 2], shared, read, b_place, next_step, next_part);
            if (u == 0) {
                /* the buffer read in the round before is free since the barrier */
                loader.next(shared + write);
                cp_async_commit();
                write = write == (T::STAGES - 1) * T::STAGE_BYTES ? 0 : write + T::STAGE_BYTES;
            }
#pragma unroll
            for (int i = 0; i < T::MI; i++) {
#pragma unroll
                for (int j = 0; j < T::NI; j++)
                    mma_step<T>(d[i][part * T::NI + j], a[step % AHEAD][i], b[u % 2][j], meta[step % AHEAD][i], step);
                if (!T::A_AHEAD && next_part == 0) /* used for the last time: the next step's fragment in its place */
                    mma_load_a<T>(a[0][i], meta[0][i], shared, read, a_place, wm, next_step, i);
            }
        }
    }

    if constexpr (T::ELEMENT == 1) {
#pragma unroll
        for (int i = 0; i < T::MI; i++)
#pragma unroll
            for (int j = 0; j < T::SPLIT * T::NI; j++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    int m = m0 + wm + i * 16 + threadIdx.x % 32 / 4 + e / 2 * 8;
                    int n = n0 + wn + j * 8 + threadIdx.x % 4 * 2 + e % 2;
                    if (m < p.M && n < p.N)
                        ((int *)p.C)[(size_t)m * p.N + n] = (int)d[i][j][e];
                }
        return;
    }
    if constexpr (T::C_TRANSPOSED) {
        cp_async_wait<0>();
        __syncthreads();
        /* the warp's tile turned over: WN rows of WM; 2-byte stores, 16 bytes more per row to spread them over the
         * banks */
        constexpr int T_ROW = T::WM * 2 + 16;
        static_assert(T::THREADS / 32 * T::WN * T_ROW <= T::SHARED_BYTES,
                      "the turned tile is staged in the same memory");
        char *turned = shared + warp * (T::WN * T_ROW);
#pragma unroll
        for (int i = 0; i < T::MI; i++)
#pragma unroll
            for (int j = 0; j < T::SPLIT * T::NI; j++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    int row = i * 16 + e / 2 * 8 + threadIdx.x % 32 / 4, column = j * 8 + threadIdx.x % 4 * 2 + e % 2;
                    *(__nv_bfloat16 *)(turned + column * T_ROW + row * 2) = __float2bfloat16((float)d[i][j][e]);
                }
        __syncwarp();
        for (int index = threadIdx.x % 32; index < T::WN * T::WM / 8; index += 32) {
            int column = index / (T::WM / 8), row = index % (T::WM / 8) * 8;
            int n = n0 + wn + column, m = m0 + wm + row;
            if (n >= p.N || m >= p.M)
                continue;
            const char *from = turned + column * T_ROW + row * 2;
            if (p.M % 8 == 0)
                *(uint4 *)((char *)p.C + ((size_t)n * p.M + m) * 2) = *(const uint4 *)from;
            else
                for (int e = 0; e < 8 && m + e < p.M; e++)
                    ((uint16_t *)p.C)[(size_t)n * p.M + m + e] = ((const uint16_t *)from)[e];
        }
        return;
    }
    /* Through shared memory, so that a warp writes rows of C 16 bytes per lane instead of scattered pairs. */
    cp_async_wait<0>();
    __syncthreads();
    constexpr int ROW = T::WN * 2, CHUNKS = ROW / 16;
    char *own = shared + warp * (T::WM * ROW);
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < T::MI; i++)
#pragma unroll
        for (int j = 0; j < T::SPLIT * T::NI; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int row = i * 16 + h * 8 + lane / 4, chunk = j ^ (row & (CHUNKS < 8 ? CHUNKS - 1 : 7));
                *(__nv_bfloat162 *)(own + row * ROW + chunk * 16 + lane % 4 * 4) =
                    __floats2bfloat162_rn((float)d[i][j][2 * h], (float)d[i][j][2 * h + 1]);
            }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < T::WM * CHUNKS / 32; i++) {
        int index = lane + i * 32, row = index / CHUNKS, chunk = index % CHUNKS;
        int m = m0 + wm + row, n = n0 + wn + chunk * 8;
        if (m < p.M && n < p.N) {
            uint4 v = *(uint4 *)(own + row * ROW + (chunk ^ (row & (CHUNKS < 8 ? CHUNKS - 1 : 7))) * 16);
            if (p.N % 8 == 0) {
                *(uint4 *)((char *)p.C + ((size_t)m * p.N + n) * 2) = v;
            } else {
                const uint32_t words[4] = {v.x, v.y, v.z, v.w};
                for (int e = 0; e < 8 && n + e < p.N; e++)
                    ((uint16_t *)p.C)[(size_t)m * p.N + n + e] = (uint16_t)(words[e / 2] >> (e % 2 * 16));
            }
        }
    }
}

template <class T, class Loader = MmaLoader<T>> static void mma_launch(const MmaArguments &p, cudaStream_t stream)
{
    static bool ready = false;
    if (!ready) {
        cudaFuncSetAttribute(mma_kernel<T, Loader>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::SHARED_BYTES);
        ready = true;
    }
    int blocks = (p.M + T::BM - 1) / T::BM * ((p.N + T::BN - 1) / T::BN);
    mma_kernel<T, Loader><<<blocks, T::THREADS, T::SHARED_BYTES, stream>>>(p);
}

#endif
