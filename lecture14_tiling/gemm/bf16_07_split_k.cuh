/* bf16 rung 7, split-K: a thin product, 16 rows or so, cut along K as well.
 *
 * 16 x 4096 x 4096 has 32 tiles of 16 x 128, and 132 multiprocessors: most would be idle, and the few at work could
 * not ask for B (32 MB, all of it read once) fast enough. So a tile's sum over K is cut into `splits` parts, each a
 * block's: it leaves its part in a workspace, in fp32, and takes a ticket. The block that takes the tile's last ticket
 * adds all parts up, always in the same order, so that the result does not depend on who came last.
 *
 * The workspace holds the tickets too: zero before the first launch, and the last block puts its tile's back to zero.
 */
#ifndef GEMM_BF16_SPLIT_CUH
#define GEMM_BF16_SPLIT_CUH

#include <cuda_bf16.h>
#include <stddef.h>

#include "ptx.cuh"

namespace gemm_bf16_7_shape
{ /* for kernel and launcher */
constexpr int BM = 16, BN = 128, BK = 64, WN = 32, STAGES = 4;
constexpr int THREADS = BN / WN * 32;
constexpr int A_ELEMENTS = BM * BK, STAGE_ELEMENTS = A_ELEMENTS + BK * BN;
constexpr size_t SHARED_BYTES = STAGES * STAGE_ELEMENTS * 2;
} // namespace gemm_bf16_7_shape

__global__ void __launch_bounds__(128)
    gemm_bf16_kernel7(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                      float *parts, unsigned *tickets)
{
    using namespace gemm_bf16_7_shape;
    extern __shared__ uint4 gemm_bf16_shared[]; /* 8 elements each, for the alignment */
    __shared__ bool last;
    __nv_bfloat16 *shared = (__nv_bfloat16 *)gemm_bf16_shared;
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int tile_id = blockIdx.x, split = blockIdx.y, splits = gridDim.y;
    int columns = (N + BN - 1) / BN, m0 = tile_id / columns * BM, n0 = tile_id % columns * BN, wn = warp * WN;
    /* this block's share of K: whole steps of BK, as even as they come */
    int steps = (K + BK - 1) / BK;
    int k_first = (int)((long long)steps * split / splits) * BK;
    int k_end = min(K, (int)((long long)steps * (split + 1) / splits) * BK);
    int tiles = (k_end - k_first + BK - 1) / BK;
    auto a_at = [](int m, int c) { return m * BK + (c ^ (m % 8)) * 8; };
    auto b_at = [](int k, int c) { return A_ELEMENTS + k * BN + (c ^ (k % 8)) * 8; };
    auto copy_tile = [&](int t) {
        __nv_bfloat16 *tile = shared + t % STAGES * STAGE_ELEMENTS;
        int k0 = k_first + t * BK;
        static_assert(BM * BK / 8 == THREADS, "each thread brings one piece of A");
        int m = tid / (BK / 8), c = tid % (BK / 8);
        bool valid = m0 + m < M && k0 + c * 8 < k_end;
        cp_async_16(tile + a_at(m, c), valid ? A + (size_t)(m0 + m) * K + k0 + c * 8 : A, valid);
#pragma unroll
        for (int i = tid; i < BK * BN / 8; i += THREADS) {
            int k = i / (BN / 8), c = i % (BN / 8);
            bool valid = k0 + k < k_end && n0 + c * 8 < N;
            cp_async_16(tile + b_at(k, c), valid ? B + (size_t)(k0 + k) * N + n0 + c * 8 : B, valid);
        }
    };
    float sum[WN / 8][4] = {{0}};
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles)
            copy_tile(t);
        cp_async_commit();
    }
    for (int t = 0; t < tiles; t++) {
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        if (t + STAGES - 1 < tiles)
            copy_tile(t + STAGES - 1);
        cp_async_commit();
        const __nv_bfloat16 *tile = shared + t % STAGES * STAGE_ELEMENTS;
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            uint32_t a[4], b[WN / 16][4];
            ldmatrix_x4(a, tile + a_at(lane % 16, k / 8 + lane / 16));
            for (int j = 0; j < WN / 16; j++)
                ldmatrix_x4_trans(b[j], tile + b_at(k + lane % 16, wn / 8 + j * 2 + lane / 16));
            for (int j = 0; j < WN / 8; j++)
                mma_m16n8k16_bf16(sum[j], a, b[j / 2] + j % 2 * 2);
        }
    }

    float *part = parts + ((size_t)tile_id * splits + split) * BM * BN;
    for (int j = 0; j < WN / 8; j++)
        for (int half = 0; half < 2; half++)
            *(float2 *)(part + (half * 8 + lane / 4) * BN + wn + j * 8 + lane % 4 * 2) =
                make_float2(sum[j][half * 2], sum[j][half * 2 + 1]);
    __threadfence(); /* my part is visible to all blocks before my ticket is */
    __syncthreads();
    if (tid == 0) {
        last = atomicAdd(tickets + tile_id, 1u) == (unsigned)splits - 1;
        if (last)
            tickets[tile_id] = 0; /* ready for the next launch */
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    const float *all = parts + (size_t)tile_id * splits * BM * BN;
    for (int e = tid * 4; e < BM * BN; e += THREADS * 4) {
        int m = m0 + e / BN, n = n0 + e % BN;
        if (m >= M || n >= N)
            continue;
        float4 total = {0, 0, 0, 0};
#pragma unroll 8
        for (int s = 0; s < splits; s++) {
            float4 v = __ldcg((const float4 *)(all + (size_t)s * BM * BN + e)); /* from L2: others wrote it */
            total.x += v.x, total.y += v.y, total.z += v.z, total.w += v.w;
        }
        __nv_bfloat162 *to = (__nv_bfloat162 *)(C + (size_t)m * N + n);
        to[0] = __floats2bfloat162_rn(total.x, total.y);
        to[1] = __floats2bfloat162_rn(total.z, total.w);
    }
}

/* Into how many parts: enough blocks for two on every multiprocessor, but each at least 4 steps long. */
[[maybe_unused]] static int gemm_bf16_splits(int M, int N, int K, int multiprocessors)
{
    using namespace gemm_bf16_7_shape;
    int tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN), steps = (K + BK - 1) / BK;
    int splits = tiles ? 2 * multiprocessors / tiles : 1;
    if (splits > steps / 4)
        splits = steps / 4;
    return splits < 1 ? 1 : splits;
}

/* What the workspace must hold for `splits` parts: the tickets, rounded up to 256 bytes, then the parts. */
static size_t gemm_bf16_workspace(int M, int N, int splits, size_t *ticket_bytes)
{
    using namespace gemm_bf16_7_shape;
    size_t tiles = (size_t)((M + BM - 1) / BM) * ((N + BN - 1) / BN);
    *ticket_bytes = (tiles * sizeof(unsigned) + 255) / 256 * 256;
    return *ticket_bytes + tiles * splits * BM * BN * sizeof(float);
}

static void gemm_bf16_split(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                            int splits, void *workspace, cudaStream_t stream)
{
    using namespace gemm_bf16_7_shape;
    size_t ticket_bytes;
    gemm_bf16_workspace(M, N, splits, &ticket_bytes);
    unsigned *tickets = (unsigned *)workspace;
    float *parts = (float *)((char *)workspace + ticket_bytes);
    dim3 block(THREADS), grid((M + BM - 1) / BM * ((N + BN - 1) / BN), splits);
    CUDA_CHECK(cudaFuncSetAttribute((const void *)gemm_bf16_kernel7, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)SHARED_BYTES));
    gemm_bf16_kernel7<<<grid, block, SHARED_BYTES, stream>>>(A, B, C, M, N, K, parts, tickets);
}

#endif
