/* 01_single_stage.cuh: one stage of shared memory: fetch, wait, multiply, and again. TMA and wgmma at their plainest;
 * the ladder's first two rungs are two tile sizes of it. Nothing overlaps inside a block; several blocks on one
 * multiprocessor overlap a little. C (M x N) = A (M x K) times the transpose of B (N x K), row-major bf16. */
#ifndef HOPPER_01_SINGLE_STAGE_CUH
#define HOPPER_01_SINGLE_STAGE_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"

/* GROUPS warpgroups, each BM / GROUPS rows of the tile. */
template <int BM, int BN, int GROUPS>
__global__ void __launch_bounds__(GROUPS * 128)
    hopper1_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   __nv_bfloat16 *C, int M, int N, int K, int ldc)
{
#ifdef HOPPER_CODE
    constexpr int WM = BM / GROUPS, MI = WM / 64, A_BYTES = BM * 128, B_BYTES = BN * 128;
    extern __shared__ uint8_t raw[];
    __shared__ uint64_t arrived;
    const uint32_t a = (shared_address(raw) + 1023) & ~1023u, b = a + A_BYTES, bar = shared_address(&arrived);
    const int group = threadIdx.x / 128, t = threadIdx.x % 128, warp = t / 32, lane = t % 32;
    const int m = blockIdx.y * BM, n = blockIdx.x * BN;

    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init_fence();
    }
    __syncthreads();

    float acc[MI][BN / 2];
    const uint64_t da = wgmma_descriptor(a + group * WM * 128, 128), db = wgmma_descriptor(b, 128);
    // notes: single
    uint32_t parity = 0;
    for (int k = 0; k < K; k += 64) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect(bar, A_BYTES + B_BYTES);
            tma_load(a, &map_a, k, m, bar);
            tma_load(b, &map_b, k, n, bar);
        }
        mbarrier_wait(bar, parity);
        parity ^= 1;
        wgmma_fence();
#pragma unroll
        for (int kk = 0; kk < 4; kk++)
#pragma unroll
            for (int mi = 0; mi < MI; mi++)
                Wgmma<Bf16, BN>::run(acc[mi], da + (mi * 64 * 128 + kk * 32) / 16, db + kk * 2, k | kk);
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads(); /* no thread still reads the tiles: they may be overwritten */
    }
    // notes end
#pragma unroll
    for (int mi = 0; mi < MI; mi++)
        wgmma_pin(acc[mi]);
#pragma unroll
    for (int mi = 0; mi < MI; mi++)
#pragma unroll
        for (int j = 0; j < BN / 8; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int r = m + group * WM + mi * 64 + warp * 16 + lane / 4 + 8 * h, c = n + 8 * j + 2 * (lane % 4);
                if (r < M && c < N)
                    *(uint32_t *)(C + (size_t)r * ldc + c) =
                        pack_bf16(acc[mi][4 * j + 2 * h], acc[mi][4 * j + 2 * h + 1]);
            }
#endif
}

template <int BM, int BN, int GROUPS> const char *hopper1_launch(const HopperGemm *p, cudaStream_t stream)
{
    CUtensorMap a, b;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BM, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN, 64, 128);
    if (why)
        return why;
    const int bytes = 1024 + (BM + BN) * 128;
    auto kernel = hopper1_kernel<BM, BN, GROUPS>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, bytes, &raised)))
        return why;
    const dim3 grid((p->N + BN - 1) / BN, (p->M + BM - 1) / BM);
    kernel<<<grid, GROUPS * 128, bytes, stream>>>(a, b, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc);
    return NULL;
}

#endif
