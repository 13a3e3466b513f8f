/* Rung 10, register banks: every multiply-add finds its operands in different halves of the register file.
 *
 * A multiply-add reads three registers: its sum, a value of A and one of B. The registers are in two banks, the even
 * ones and the odd ones. The value of A is the same for 16 multiply-adds running and can stay in a small operand cache,
 * so what matters is whether the other two come from one bank or from both. From both is a few percent faster, as
 * gemm_ceiling measures; why it is just so much is not known here. In rung 9 they always come from one. The compiler
 * may number registers as it likes, but a 16-byte load fills four in a row beginning at a multiple of 4, and a 16-byte
 * store drains four such: column j of B and column j of the sums are both even or both odd.
 *
 * So the results leave in another way: through shared memory, with the columns of each pair swapped. The
 * store wants four registers in a row as before, but now that of column 1 first, then 0, 3 and 2; the compiler numbers
 * the sums so, and not one instruction is added to the main loop. (Swapping B's columns on their way in does the same,
 * but needs cp.async of 4 bytes, four times as many: it gained less.) On the way out of shared memory a warp writes
 * whole rows of its tile, 256 bytes at a time. */
#ifndef GEMM_BANKS_CUH
#define GEMM_BANKS_CUH

#include <stddef.h>

#include "09_wide_thread_tile.cuh" /* GemmShape */

template <class S, bool ALIGNED>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    gemm_kernel10(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K,
                  int group, int part)
{
    /* Rung 12 cuts K into parts of `part`, a y of the grid each, and keeps their results apart; here it is one. */
    const int k_begin = blockIdx.y * part, k_here = min(part, K - k_begin);
    C += (size_t)blockIdx.y * M * N;
    constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN, LM = S::LM, LN = S::LN;
    extern __shared__ float4 gemm_shared4[]; /* float4, for the alignment */
    float *shared = (float *)gemm_shared4;
    int tile_row, tile_column;
    tile_grouped(blockIdx.x, (M + BM - 1) / BM, (N + BN - 1) / BN, group, &tile_row, &tile_column);
    const int m0 = tile_row * BM, n0 = tile_column * BN;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    const int wm = warp / (BN / S::WN) * S::WM, wn = warp % (BN / S::WN) * S::WN;
    const int lm = lane / LN, ln = lane % LN;
    const int tiles = (k_here + BK - 1) / BK;

    /* What this thread brings: of A, column ak (and ak + 8, ...) of every A_STEP-th row; of B, 4 columns of every
     * B_STEP-th row. */
    constexpr int A_STEP = S::THREADS / 8, B_STEP = S::THREADS / (BN / 4);
    const int am = tid / 8, ak = tid % 8, bk = tid / (BN / 4), bn = tid % (BN / 4) * 4;
    const float *a_from = A + (size_t)min(m0 + am, M - 1) * K + k_begin + ak;
    const float *b_from = B + (size_t)(k_begin + bk) * N + (n0 + bn < N ? n0 + bn : 0);
    const int rows_left = M - (m0 + am), columns_left = N - (n0 + bn);
    float *a_to = shared + ak * S::A_STRIDE + am, *b_to = shared + S::A_FLOATS + bk * BN + bn;
    int k_left = k_here; /* from the beginning of the next tile to request */
    auto copy_tile = [&](int stage) {
        float *at = a_to + stage * S::STAGE_FLOATS, *bt = b_to + stage * S::STAGE_FLOATS;
        if (k_left > 0) {
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
        }
        cp_async_commit(); /* an empty group past the end, so that waiting for all but the newest stays right */
    };
    auto next_tile = [&]() {
        a_from += BK;
        b_from += (size_t)BK * N;
        k_left -= BK;
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
    for (int s = 0; s < S::STAGES - 1; s++) {
        copy_tile(s);
        next_tile();
    }
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
            if (k == 0)
                copy_tile(free_stage);
            if (k == BK / 2) { /* not at once: the addresses are in use until the copies have left */
                next_tile();
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

    /* Out through shared memory, a row of each thread at a time, its columns swapped in pairs and swapped back. */
    cp_async_wait<0>();
    __syncthreads(); /* the ring is free */
    constexpr int STRIDE = S::WN + 4;
    static_assert(S::THREADS / 32 * LM * STRIDE <= S::STAGES * S::STAGE_FLOATS, "the results pass through the ring");
    float *mine = shared + warp * LM * STRIDE; /* LM rows of WN columns, this warp's own */
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            *(float4 *)(mine + lm * STRIDE + ln * 4 + j * LN) =
                make_float4(sum[i][j + 1], sum[i][j], sum[i][j + 3], sum[i][j + 2]);
        __syncwarp();
#pragma unroll
        for (int e = lane * 4; e < LM * S::WN; e += 32 * 4) {
            int row = e / S::WN, column = e % S::WN;
            int m = m0 + wm + (i / 4 * LM + row) * 4 + i % 4, n = n0 + wn + column;
            float4 v = *(const float4 *)(mine + row * STRIDE + column);
            float *to = C + (size_t)m * N + n;
            if (ALIGNED) {
                if (m < M && n < N)
                    *(float4 *)to = make_float4(v.y, v.x, v.w, v.z);
            } else if (m < M) {
                if (n < N)
                    to[0] = v.y;
                if (n + 1 < N)
                    to[1] = v.x;
                if (n + 2 < N)
                    to[2] = v.w;
                if (n + 3 < N)
                    to[3] = v.z;
            }
        }
        __syncwarp(); /* all have read before the next row lands here */
    }
}

template <class S>
static void gemm_banks(const float *A, const float *B, float *C, int M, int N, int K, int group, int parts, int part,
                       cudaStream_t stream)
{
    auto kernel = K % 4 == 0 && N % 4 == 0 ? gemm_kernel10<S, true> : gemm_kernel10<S, false>;
    /* More than 48 KB of shared memory has to be asked for. */
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::SHARED_BYTES));
    dim3 blocks((M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN), parts);
    kernel<<<blocks, S::THREADS, S::SHARED_BYTES, stream>>>(A, B, C, M, N, K, group, part);
}

typedef GemmShape9 GemmShape10;

[[maybe_unused]] static void gemm10(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    gemm_banks<GemmShape10>(A, B, C, M, N, K, 8, 1, K, stream);
}

#endif
