/* Rung 9, wide thread tiles: 8 x 16 registers per thread, fragments fetched one step ahead, tiles in grouped order.
 *
 * A multiprocessor's quarter issues one instruction per cycle, and each one that is not a multiply-add is a
 * multiply-add lost. 8 x 8 per thread needs 4 shared loads for 64 of them; 8 x 16 needs 6 for 128. That takes about 240
 * registers, so only 8 warps fit a multiprocessor, and what many warps did before has to be done by hand:
 *   - the values for step k + 1 are loaded into a second set of registers before step k is multiplied;
 *   - STAGES - 1 tiles are in flight, so that the wait for a tile is over before it begins, and one barrier per
 *     tile is enough;
 *   - that barrier comes before a tile's last step, whose multiply-adds then cover the first loads of the next tile.
 * Neighbouring rows run right to left and left to right in turn, so that a value of B is used twice running and is
 * still in the operand cache.
 *
 * A template, because the best shape is a question for measurement: see autotune. ALIGNED: K and N are multiples of 4,
 * and rows of B and C move in 16-byte pieces; without it they move float by float, and any size will do. */
#ifndef GEMM_WIDE_CUH
#define GEMM_WIDE_CUH

#include <stddef.h>

#include "ptx.cuh"
#include "tile_order.cuh"

template <int BM_, int BN_, int BK_, int WM_, int WN_, int TM_, int TN_, int STAGES_, int BLOCKS_> struct GemmShape {
    static constexpr int BM = BM_, BN = BN_, BK = BK_; /* a block's tile of C, and its step along K */
    static constexpr int WM = WM_, WN = WN_;           /* a warp's */
    static constexpr int TM = TM_, TN = TN_;           /* a thread's */
    static constexpr int STAGES = STAGES_;             /* tiles in shared memory */
    static constexpr int BLOCKS = BLOCKS_;             /* on a multiprocessor at a time: bounds the registers */
    static constexpr int LM = WM / TM, LN = WN / TN;   /* lanes */
    static constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
    static constexpr int A_STRIDE = BM + 4; /* the padding spreads 8 rows of k over all banks */
    static constexpr int A_FLOATS = BK * A_STRIDE, STAGE_FLOATS = A_FLOATS + BK * BN;
    static constexpr size_t SHARED_BYTES = STAGES * STAGE_FLOATS * sizeof(float);
    static_assert(LM * LN == 32, "a warp has 32 lanes");
    static_assert(BM % WM == 0 && BN % WN == 0, "a block's tile is cut into whole warp tiles");
    static_assert(TM % 4 == 0 && TN % 4 == 0, "a thread owns runs of 4");
    static_assert(BK % 8 == 0 && THREADS % 8 == 0 && BM % (THREADS / 8) == 0, "8 lanes bring 8 neighbouring k of A");
    static_assert(THREADS % (BN / 4) == 0 && BK % (THREADS / (BN / 4)) == 0, "the threads bring whole rows of B");
    static_assert(BK % 2 == 0, "the two sets of registers must swap an even number of times per tile");
};

template <class S, bool ALIGNED>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    gemm_kernel9(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K,
                 int group)
{
    constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN, LM = S::LM, LN = S::LN;
    extern __shared__ float4 gemm_shared4[]; /* float4, for the alignment */
    float *shared = (float *)gemm_shared4;
    int tile_row, tile_column;
    tile_grouped(blockIdx.x, (M + BM - 1) / BM, (N + BN - 1) / BN, group, &tile_row, &tile_column);
    const int m0 = tile_row * BM, n0 = tile_column * BN;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    const int wm = warp / (BN / S::WN) * S::WM, wn = warp % (BN / S::WN) * S::WN;
    const int lm = lane / LN, ln = lane % LN;
    const int tiles = (K + BK - 1) / BK;

    /* What this thread brings: of A, column ak (and ak + 8, ...) of every A_STEP-th row; of B, 4 columns of every
     * B_STEP-th row. */
    constexpr int A_STEP = S::THREADS / 8, B_STEP = S::THREADS / (BN / 4);
    const int am = tid / 8, ak = tid % 8, bk = tid / (BN / 4), bn = tid % (BN / 4) * 4;
    const float *a_from = A + (size_t)min(m0 + am, M - 1) * K + ak;
    const float *b_from = B + (size_t)bk * N + (n0 + bn < N ? n0 + bn : 0);
    const int rows_left = M - (m0 + am), columns_left = N - (n0 + bn);
    float *a_to = shared + ak * S::A_STRIDE + am, *b_to = shared + S::A_FLOATS + bk * BN + bn;
    int next = 0; /* the next tile to request */
    auto copy_tile = [&](int stage) {
        float *at = a_to + stage * S::STAGE_FLOATS, *bt = b_to + stage * S::STAGE_FLOATS;
        if (next < tiles) {
            int k_left = K - next * BK;
            if (ALIGNED && m0 + BM <= M && k_left >= BK) { /* nothing of it sticks out, but for columns of B */
#pragma unroll
                for (int i = 0; i < BM; i += A_STEP)
#pragma unroll
                    for (int k = 0; k < BK; k += 8)
                        cp_async_4(at + k * S::A_STRIDE + i, a_from + (size_t)i * K + k);
#pragma unroll
                for (int k = 0; k < BK; k += B_STEP)
                    cp_async_16(bt + k * BN, b_from + (size_t)k * N, columns_left > 0);
            } else {
#pragma unroll
                for (int i = 0; i < BM; i += A_STEP)
#pragma unroll
                    for (int k = 0; k < BK; k += 8) {
                        bool valid = i < rows_left && ak + k < k_left;
                        cp_async_4(at + k * S::A_STRIDE + i, valid ? a_from + (size_t)i * K + k : A, valid);
                    }
#pragma unroll
                for (int k = 0; k < BK; k += B_STEP) {
                    if (ALIGNED) {
                        bool valid = bk + k < k_left && columns_left > 0;
                        cp_async_16(bt + k * BN, valid ? b_from + (size_t)k * N : B, valid);
                    } else {
#pragma unroll
                        for (int j = 0; j < 4; j++) {
                            bool valid = bk + k < k_left && j < columns_left;
                            cp_async_4(bt + k * BN + j, valid ? b_from + (size_t)k * N + j : B, valid);
                        }
                    }
                }
            }
            a_from += BK;
            b_from += (size_t)BK * N;
        }
        next++;
        cp_async_commit(); /* an empty group past the end, so that waiting for all but the newest stays right */
    };

    float sum[TM][TN] = {{0}}, a[2][TM], b[2][TN];
    const float *a_read = shared + wm + lm * 4, *b_read = shared + S::A_FLOATS + wn + ln * 4;
    auto read_step = [&](int stage, int k, int set) {
        const float *ar = a_read + stage * S::STAGE_FLOATS + k * S::A_STRIDE;
        const float *br = b_read + stage * S::STAGE_FLOATS + k * BN;
#pragma unroll
        for (int i = 0; i < TM; i += 4) {
            float4 v = *(const float4 *)(ar + i * LM);
            a[set][i] = v.x, a[set][i + 1] = v.y, a[set][i + 2] = v.z, a[set][i + 3] = v.w;
        }
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            float4 v = *(const float4 *)(br + j * LN);
            b[set][j] = v.x, b[set][j + 1] = v.y, b[set][j + 2] = v.z, b[set][j + 3] = v.w;
        }
    };

#pragma unroll
    for (int s = 0; s < S::STAGES - 1; s++)
        copy_tile(s);
    cp_async_wait<S::STAGES - 2>();
    __syncthreads();
    if (tiles > 0)
        read_step(0, 0, 0);
    int stage = 0, free_stage = S::STAGES - 1;
    for (int t = 0; t < tiles; t++) {
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k == BK - 1) { /* the next tile has arrived, and all threads have read what they need of this one */
                cp_async_wait<S::STAGES - 2>();
                __syncthreads();
                if (t + 1 < tiles) /* at the very end the last tile is read once more, in vain: cheaper than a branch */
                    stage = stage + 1 == S::STAGES ? 0 : stage + 1;
            }
            read_step(stage, (k + 1) % BK, (k + 1) % 2);
            if (k == 0) {
                copy_tile(free_stage);
                free_stage = free_stage + 1 == S::STAGES ? 0 : free_stage + 1;
            }
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) {
                    int jj = i % 2 ? TN - 1 - j : j;
                    sum[i][jj] += a[k % 2][i] * b[k % 2][jj];
                }
        }
    }

#pragma unroll
    for (int i = 0; i < TM; i++) {
        int m = m0 + wm + (i / 4 * LM + lm) * 4 + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int n = n0 + wn + ln * 4 + j * LN;
            float *to = C + (size_t)m * N + n;
            if (ALIGNED) {
                if (m < M && n < N)
                    *(float4 *)to = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
            } else {
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (m < M && n + q < N)
                        to[q] = sum[i][j + q];
            }
        }
    }
}

template <class S>
[[maybe_unused]] static void gemm_wide(const float *A, const float *B, float *C, int M, int N, int K, int group,
                                       cudaStream_t stream)
{
    auto kernel = K % 4 == 0 && N % 4 == 0 ? gemm_kernel9<S, true> : gemm_kernel9<S, false>;
    /* More than 48 KB of shared memory has to be asked for. */
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::SHARED_BYTES));
    int blocks = (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN);
    kernel<<<blocks, S::THREADS, S::SHARED_BYTES, stream>>>(A, B, C, M, N, K, group);
}

/*                 block's tile    warp's  thread's  stages  blocks */
typedef GemmShape<128, 256, 16, 64, 64, 8, 16, 3, 1> GemmShape9;

[[maybe_unused]] static void gemm9(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    gemm_wide<GemmShape9>(A, B, C, M, N, K, 8, stream);
}

#endif
