/* bf16 rung 6, copies spread out: one before each row of products instead of a tile's all at once.
 *
 * Nsight Compute on rung 5: the tensor cores are busy two thirds of the time. Only two warps share one of them, and
 * after each barrier both are busy with the addresses and conditions of their copies, some fifty instructions, each
 * waiting for the one before. Spread out, a copy costs three, and they are issued while products are in flight:
 *   - no branch: past the last tile the copies bring zeros that are never read;
 *   - no second address: where a piece is not valid nothing is read, so the address need not be valid either;
 *   - the swizzle is the same for all rows of a thread, and their places in shared memory are constants apart.
 *
 * Rung 5 runs at the shape that suits this rung, so that the two diff to the one idea. With tiles of 64 along K instead
 * rung 5 came to 0.60 of cuBLASLt at 4096^3 on an H200 (0.52 here): not all of the gain is the copies'. */
#ifndef GEMM_BF16_SPREAD_CUH
#define GEMM_BF16_SPREAD_CUH

#include <cuda_bf16.h>
#include <stddef.h>

#include "bf16_05_one_step_ahead.cuh" /* GemmBf16Shape */

template <class S, class Order>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    gemm_bf16_kernel6(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B,
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
     * A column beyond N needs no zeros, for its results are not stored: any valid address will do. */
    constexpr int A_STEP = S::THREADS / (BK / 8), B_STEP = S::THREADS / (BN / 8);
    constexpr int A_PIECES = BM / A_STEP, PIECES = A_PIECES + BK / B_STEP;
    static_assert(A_STEP % 8 == 0 && B_STEP % 8 == 0, "a thread's rows are 8 apart or a multiple: one swizzle for all");
    const int am = tid / (BK / 8), ac = tid % (BK / 8), bk = tid / (BN / 8), bc = tid % (BN / 8);
    auto a_swizzle = [](int m, int c) { return BK == 64 ? c ^ (m % 8) : c ^ (m / 2 % 4); };
    const int rows_left = M - (m0 + am);
    const __nv_bfloat16 *a_from = A + (size_t)(m0 + am) * K + ac * 8;
    const __nv_bfloat16 *b_from = B + (size_t)bk * N + (n0 + bc * 8 < N ? n0 + bc * 8 : 0);
    __nv_bfloat16 *a_to = shared + am * BK + a_swizzle(am, ac) * 8;
    __nv_bfloat16 *b_to = shared + S::A_ELEMENTS + bk * BN + (bc ^ (bk % 8)) * 8;
    int k_left = K; /* from the beginning of the next tile to request; not positive past the last one */
    auto copy_piece = [&](int stage, int piece) {
        if (piece < A_PIECES) {
            int i = piece * A_STEP;
            cp_async_16(a_to + stage * S::STAGE_ELEMENTS + i * BK, a_from + (size_t)i * K,
                        i < rows_left && ac * 8 < k_left);
        } else {
            int k = (piece - A_PIECES) * B_STEP;
            cp_async_16(b_to + stage * S::STAGE_ELEMENTS + k * BN, b_from + (size_t)k * N, bk + k < k_left);
        }
    };
    auto next_tile = [&]() { /* all pieces are requested */
                             a_from += BK;
                             b_from += (size_t)BK * N;
                             k_left -= BK;
                             cp_async_commit();
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
    for (int s = 0; s < S::STAGES - 1; s++) {
#pragma unroll
        for (int piece = 0; piece < PIECES; piece++)
            copy_piece(s, piece);
        next_tile();
    }
    cp_async_wait<S::STAGES - 2>();
    __syncthreads();
    if (tiles > 0)
        read_step(0, 0, 0);
    int stage = 0, free_stage = S::STAGES - 1;
    for (int t = 0; t < tiles; t++) {
#pragma unroll
        for (int step = 0; step < BK / 16; step++) {
            if (step == BK / 16 - 1) { /* the next tile has arrived, and all threads have read what they need of this */
                next_tile();
                cp_async_wait<S::STAGES - 2>();
                __syncthreads();
                free_stage = stage;
                if (t + 1 < tiles) /* at the very end the last tile is read once more, in vain: cheaper than a branch */
                    stage = stage + 1 == S::STAGES ? 0 : stage + 1;
            }
            read_step(stage, (step + 1) % (BK / 16), (step + 1) % 2);
#pragma unroll
            for (int i = 0; i < WM / 16; i++) {
                constexpr int SLOTS =
                    (BK / 16 - 1) * (WM / 16); /* one before each row of products, but for the last step */
                int slot = step * (WM / 16) + i;
#pragma unroll
                for (int piece = 0; piece < PIECES; piece++)
                    if (piece * SLOTS / PIECES == slot)
                        copy_piece(free_stage, piece);
#pragma unroll
                for (int j = 0; j < WN / 8; j++) {
                    int jj = i % 2 ? WN / 8 - 1 - j : j; /* to and fro, so that a fragment of B is used twice running */
                    mma_m16n8k16_bf16(sum[i][jj], a[step % 2][i], &b[step % 2][jj / 2][jj % 2 * 2]);
                }
            }
        }
    }

    cp_async_wait<0>(); /* the pieces past the end, too */
    __syncthreads();    /* the last tile is read: the ring is free for the results */
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
static void gemm_bf16_spread(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                             Order order, cudaStream_t stream)
{
    auto kernel = gemm_bf16_kernel6<S, Order>;
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::SHARED_BYTES));
    int blocks = (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN);
    kernel<<<blocks, S::THREADS, S::SHARED_BYTES, stream>>>(A, B, C, M, N, K, order);
}

typedef GemmBf16Shape5 GemmBf16Shape6;

[[maybe_unused]] static void gemm_bf16_6(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N,
                                         int K, cudaStream_t stream)
{
    gemm_bf16_spread<GemmBf16Shape6>(A, B, C, M, N, K, TileGrouped{4}, stream);
}

#endif
