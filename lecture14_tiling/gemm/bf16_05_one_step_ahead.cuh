/* bf16 rung 5, fragments one step ahead: the tensor cores never wait for shared memory.
 *
 * In rung 4 a warp fetches its fragments, then multiplies, then fetches the next. Here the fragments of step k + 1 are
 * on their way into a second set of registers while step k multiplies, across the border between two tiles too: the
 * barrier comes before a tile's last step, whose products cover the next tile's first ldmatrix. What else there was
 * to gain:
 *   - addresses: the swizzle of a step differs from that of the first by one XOR with a constant;
 *   - the results go through shared memory (free by now), so that they leave in 16-byte pieces;
 *   - tiles in grouped order, for L2.
 *
 * A template, because the best shape is a question for measurement: see autotune. */
#ifndef GEMM_BF16_AHEAD_CUH
#define GEMM_BF16_AHEAD_CUH

#include <cuda_bf16.h>
#include <stddef.h>

#include "ptx.cuh"
#include "tile_order.cuh"

template <int BM_, int BN_, int BK_, int WM_, int WN_, int STAGES_, int BLOCKS_> struct GemmBf16Shape {
    static constexpr int BM = BM_, BN = BN_, BK = BK_; /* a block's tile of C, and its step along K */
    static constexpr int WM = WM_, WN = WN_;           /* a warp's */
    static constexpr int STAGES = STAGES_;             /* tiles in shared memory */
    static constexpr int BLOCKS = BLOCKS_;             /* on a multiprocessor at a time: bounds the registers */
    static constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
    static constexpr int A_ELEMENTS = BM * BK, STAGE_ELEMENTS = A_ELEMENTS + BK * BN;
    static constexpr int C_STRIDE = BN + 8; /* of the results in shared memory */
    static constexpr size_t RING_BYTES = STAGES * STAGE_ELEMENTS * 2, C_BYTES = BM * C_STRIDE * 2;
    static constexpr size_t SHARED_BYTES = RING_BYTES > C_BYTES ? RING_BYTES : C_BYTES;
    static_assert(BM % WM == 0 && BN % WN == 0, "a block's tile is cut into whole warp tiles");
    static_assert(WM % 16 == 0 && WN % 64 == 0, "the swizzle of B is worked out for warp tiles of 64 columns");
    static_assert(BK == 32 || BK == 64, "the swizzle of A is worked out for rows of 64 and 128 bytes");
    static_assert(BM % (THREADS / (BK / 8)) == 0 && THREADS / (BK / 8) % 8 == 0,
                  "a thread's rows of A are 8 apart or a multiple: one swizzle");
    static_assert(BK % (THREADS / (BN / 8)) == 0, "the threads bring whole rows of B");
};

template <class S, class Order>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    gemm_bf16_kernel5(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B,
                      __nv_bfloat16 *__restrict__ C, int M, int N, int K, Order order)
{
    constexpr int BM = S::BM, BN = S::BN, BK = S::BK, WM = S::WM, WN = S::WN;
    extern __shared__ uint4 gemm_bf16_shared[]; /* 8 elements each, for the alignment */
    __nv_bfloat16 *shared = (__nv_bfloat16 *)gemm_bf16_shared;
    int tile_row, tile_column;
    order(blockIdx.x, (M + BM - 1) / BM, (N + BN - 1) / BN, &tile_row, &tile_column);
    const int m0 = tile_row * BM, n0 = tile_column * BN;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    const int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    const int tiles = (K + BK - 1) / BK;

    /* What this thread brings: piece ac (8 elements) of every A_STEP-th row of A, piece bc of every B_STEP-th row of B.
     */
    constexpr int A_STEP = S::THREADS / (BK / 8), B_STEP = S::THREADS / (BN / 8);
    const int am = tid / (BK / 8), ac = tid % (BK / 8), bk = tid / (BN / 8), bc = tid % (BN / 8);
    auto a_swizzle = [](int m, int c) { return BK == 64 ? c ^ (m % 8) : c ^ (m / 2 % 4); };
    const int rows_left = M - (m0 + am);
    const bool column_valid = n0 + bc * 8 < N;
    const __nv_bfloat16 *a_from = A + (size_t)min(m0 + am, M - 1) * K + ac * 8;
    const __nv_bfloat16 *b_from = B + (size_t)bk * N + (column_valid ? n0 + bc * 8 : 0);
    __nv_bfloat16 *a_to =
        shared + am * BK + a_swizzle(am, ac) * 8; /* A_STEP is a multiple of 8: the same for all rows */
    __nv_bfloat16 *b_to = shared + S::A_ELEMENTS + bk * BN;
    int next = 0; /* the next tile to request */
    auto copy_tile = [&](int stage) {
        if (next < tiles) {
            int k_left = K - next * BK;
#pragma unroll
            for (int i = 0; i < BM; i += A_STEP) {
                bool valid = i < rows_left && ac * 8 < k_left;
                cp_async_16(a_to + stage * S::STAGE_ELEMENTS + i * BK, valid ? a_from + (size_t)i * K : A, valid);
            }
#pragma unroll
            for (int k = 0; k < BK; k += B_STEP) {
                bool valid = column_valid && bk + k < k_left;
                cp_async_16(b_to + stage * S::STAGE_ELEMENTS + k * BN + (bc ^ ((bk + k) % 8)) * 8,
                            valid ? b_from + (size_t)k * N : B, valid);
            }
            a_from += BK;
            b_from += (size_t)BK * N;
        }
        next++;
        cp_async_commit(); /* an empty group past the end, so that waiting for all but the newest stays right */
    };

    float sum[WM / 16][WN / 8][4] = {{{0}}};
    uint32_t a[2][WM / 16][4], b[2][WN / 16][4];
    /* Where this lane's row begins for the first step; another step flips the bits of its number in the swizzle. */
    const int row = lane % 16, half = lane / 16;
    const int a_first = (wm + row) * BK + a_swizzle(row, half) * 8;
    const int b_first = S::A_ELEMENTS + row * BN + wn + (half ^ (row % 8)) * 8;
    auto read_step = [&](int stage, int step, int set) {
        const __nv_bfloat16 *tile = shared + stage * S::STAGE_ELEMENTS;
#pragma unroll
        for (int i = 0; i < WM / 16; i++)
            ldmatrix_x4(a[set][i], tile + (a_first ^ (step * 16)) + i * 16 * BK);
#pragma unroll
        for (int j = 0; j < WN / 16; j++)
            ldmatrix_x4_trans(b[set][j], tile + (b_first ^ (j % 4 * 16)) + j / 4 * 64 + step * 16 * BN);
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
        for (int step = 0; step < BK / 16; step++) {
            if (step == BK / 16 - 1) { /* the next tile has arrived, and all threads have read what they need of this */
                cp_async_wait<S::STAGES - 2>();
                __syncthreads();
                if (t + 1 < tiles) /* at the very end the last tile is read once more, in vain: cheaper than a branch */
                    stage = stage + 1 == S::STAGES ? 0 : stage + 1;
            }
            read_step(stage, (step + 1) % (BK / 16), (step + 1) % 2);
            if (step == 0) {
                copy_tile(free_stage);
                free_stage = free_stage + 1 == S::STAGES ? 0 : free_stage + 1;
            }
#pragma unroll
            for (int i = 0; i < WM / 16; i++)
#pragma unroll
                for (int j = 0; j < WN / 8; j++) {
                    int jj = i % 2 ? WN / 8 - 1 - j : j; /* to and fro, so that a fragment of B is used twice running */
                    mma_m16n8k16_bf16(sum[i][jj], a[step % 2][i], &b[step % 2][jj / 2][jj % 2 * 2]);
                }
        }
    }

    __syncthreads(); /* the last tile is read: the ring is free for the results */
#pragma unroll
    for (int i = 0; i < WM / 16; i++)
#pragma unroll
        for (int j = 0; j < WN / 8; j++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                *(__nv_bfloat162 *)(shared + (wm + i * 16 + h * 8 + lane / 4) * S::C_STRIDE + wn + j * 8 +
                                    lane % 4 * 2) = __floats2bfloat162_rn(sum[i][j][h * 2], sum[i][j][h * 2 + 1]);
    __syncthreads();
    for (int e = tid; e < BM * BN / 8; e += S::THREADS) {
        int m = e / (BN / 8), n = e % (BN / 8) * 8;
        if (m0 + m < M && n0 + n < N)
            *(uint4 *)(C + (size_t)(m0 + m) * N + n0 + n) = *(const uint4 *)(shared + m * S::C_STRIDE + n);
    }
}

template <class S, class Order>
[[maybe_unused]] static void gemm_bf16_ahead(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M,
                                             int N, int K, Order order, cudaStream_t stream)
{
    auto kernel = gemm_bf16_kernel5<S, Order>;
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::SHARED_BYTES));
    int blocks = (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN);
    kernel<<<blocks, S::THREADS, S::SHARED_BYTES, stream>>>(A, B, C, M, N, K, order);
}

/*                     block's tile   warp's  stages  blocks */
typedef GemmBf16Shape<256, 128, 32, 64, 64, 5, 1> GemmBf16Shape5;

[[maybe_unused]] static void gemm_bf16_5(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N,
                                         int K, cudaStream_t stream)
{
    gemm_bf16_ahead<GemmBf16Shape5>(A, B, C, M, N, K, TileGrouped{4}, stream);
}

#endif
