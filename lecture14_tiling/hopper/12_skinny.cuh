/* 12_skinny.cuh: few rows (M up to 64), many columns: y = x W^T for a small batch. Each element of W is used M times,
 * so this is bound by reading W once, and the tile of the square kernels would leave most multiprocessors idle. Two
 * ideas:
 *
 *   - the operands change places: 64 rows of W are wgmma's 64-row operand, the batch is its N (16, 32 or 64), so
 *     that no part of a product is wasted on padding 16 rows to 64;
 *   - split K: the SPLIT blocks of a cluster share a tile, each with its part of K, and the first adds the others'
 * sums, which they write into its shared memory, always in the same order: the result is the same bits every time.
 *
 * C (M x N, bf16) = A (M x K) times the transpose of B (N x K), row-major. */
#ifndef HOPPER_SKINNY_CUH
#define HOPPER_SKINNY_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"

template <int BATCH, int STAGES, int SPLIT> struct SkinnySmem {
    enum {
        W_BYTES = 64 * 128,
        X_BYTES = BATCH * 128,
        STAGE_BYTES = W_BYTES + X_BYTES,
        TOTAL = 1024 + STAGES * STAGE_BYTES
    };
    static_assert(TOTAL + 16 * STAGES + 256 * BATCH * SPLIT <= 232448, "a block has 227 KB of shared memory");
};

template <int BATCH, int STAGES, int SPLIT>
__global__ void HOPPER_CLUSTER(SPLIT) __launch_bounds__(160)
    skinny_kernel(const __grid_constant__ CUtensorMap map_x, const __grid_constant__ CUtensorMap map_w,
                  __nv_bfloat16 *C, int M, int N, int K, int ldc)
{
#ifdef HOPPER_CODE
    using S = SkinnySmem<BATCH, STAGES, SPLIT>;
    extern __shared__ uint8_t raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ float other[SPLIT > 1 ? SPLIT - 1 : 1][BATCH / 2][128];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t rank = SPLIT > 1 ? cluster_rank() : 0;
    const int n = blockIdx.x / SPLIT * 64, steps = (K + 63) / 64;
    const int begin = steps * (int)rank / SPLIT, end = steps * ((int)rank + 1) / SPLIT;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(shared_address(&full[s]), 1);
            mbarrier_init(shared_address(&empty[s]), 1);
        }
        mbarrier_init_fence();
    }
    if (SPLIT > 1)
        cluster_arrive(); /* this block has begun: waited for below, before anyone writes into its shared memory */
    __syncthreads();

    if (threadIdx.x >= 128) { /* producer */
        if (threadIdx.x == 128) {
            int slot = 0;
            uint32_t parity = 1;
            for (int k = begin; k < end; k++) {
                const uint32_t w = smem + slot * S::STAGE_BYTES, bar = shared_address(&full[slot]);
                mbarrier_wait(shared_address(&empty[slot]), parity);
                mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                tma_load(w, &map_w, k * 64, n, bar);
                tma_load(w + S::W_BYTES, &map_x, k * 64, 0, bar);
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
        }
        if (SPLIT > 1) {
            cluster_wait();
            cluster_sync();
        }
    } else {
        const int t = threadIdx.x, warp = t / 32, lane = t % 32;
        float acc[BATCH / 2];
#pragma unroll
        for (int i = 0; i < BATCH / 2; i++)
            acc[i] = 0; /* a block may get no step at all */
        int slot = 0, last = 0;
        uint32_t parity = 0;
        for (int k = begin; k < end; k++) {
            const uint32_t w = smem + slot * S::STAGE_BYTES;
            const uint64_t dw = wgmma_descriptor(w, 128), dx = wgmma_descriptor(w + S::W_BYTES, 128);
            mbarrier_wait(shared_address(&full[slot]), parity);
            wgmma_fence();
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
                Wgmma<Bf16, BATCH>::run(acc, dw + kk * 2, dx + kk * 2, 1);
            wgmma_commit();
            wgmma_wait<1>();
            if (k > begin && t == 0)
                mbarrier_arrive(shared_address(&empty[last]));
            last = slot;
            if (++slot == STAGES) {
                slot = 0;
                parity ^= 1;
            }
        }
        wgmma_wait<0>();
        wgmma_pin(acc);
        if (SPLIT > 1) {
            cluster_wait();
            if (rank > 0) {
                uint32_t there;
                asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(shared_address(&other[rank - 1][0][t])));
#pragma unroll
                for (int i = 0; i < BATCH / 2; i++)
                    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there + i * 512), "f"(acc[i]) : "memory");
            }
            cluster_sync();
            if (rank > 0)
                return;
#pragma unroll
            for (int r = 0; r < SPLIT - 1; r++)
#pragma unroll
                for (int i = 0; i < BATCH / 2; i++)
                    acc[i] += other[r][i][t];
        }
#pragma unroll
        for (int i = 0; i < BATCH / 2; i++) { /* the tile is transposed: rows of the accumulators are columns of C */
            const int c = n + warp * 16 + lane / 4 + 8 * (i / 2 % 2), r = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
            if (r < M && c < N)
                C[(size_t)r * ldc + c] = __float2bfloat16(acc[i]);
        }
    }
#endif
}

template <int BATCH, int STAGES, int SPLIT> const char *skinny_launch(const HopperGemm *p, cudaStream_t stream)
{
    using S = SkinnySmem<BATCH, STAGES, SPLIT>;
    if (p->M > BATCH)
        return "more rows than this instance is made for";
    CUtensorMap x, w;
    const char *why = tensor_map_2d(&x, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, BATCH, 64, 128);
    if (!why)
        why = tensor_map_2d(&w, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, 64, 64, 128);
    if (why)
        return why;
    auto kernel = skinny_kernel<BATCH, STAGES, SPLIT>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, S::TOTAL, &raised)))
        return why;
    kernel<<<(p->N + 63) / 64 * SPLIT, 160, S::TOTAL, stream>>>(x, w, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc);
    return NULL;
}

#endif
