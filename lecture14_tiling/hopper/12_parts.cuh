/* 12_parts.cuh: few tiles, long K: each tile is cut along K into the parts of a cluster, and its blocks add it up together.
 * With stream-K's shares the block of a tile's first part adds all others, one after the other, through memory: eight parts
 * then cost more than they save. Here each block finishes its own share of the tile: the others write their sums of it
 * into its shared memory, where the ring was, and it adds them in their order along K, rounds and stores. So the result is
 * the same bits every time.
 *
 * C (M x N, bf16) = A (M x K) times the transpose of B (N x K), row-major. */
#ifndef HOPPER_PARTS_CUH
#define HOPPER_PARTS_CUH

#include <cuda_bf16.h>

#include "../../common/error.h"
#include "../../common/hopper.cuh"

enum { MOST_PARTS = 8 }; /* what a cluster may have on every device */

template <int BN, int STAGES> struct PartsSmem {
    enum {
        A_BYTES = 128 * 128,
        B_BYTES = BN * 128,
        STAGE_BYTES = A_BYTES + B_BYTES,
        TOTAL = 1024 + STAGES * STAGE_BYTES + 16 * STAGES
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
    static_assert((BN / 8 + MOST_PARTS) * 2 * 2048 <= STAGES * STAGE_BYTES, "the ring has room for all parts' sums");
};

/* Of a tile's CHUNKS times four numbers per thread, the first that is part `part`'s to finish. */
template <int CHUNKS> __device__ __forceinline__ int parts_first(int part, int parts)
{
    return (part * CHUNKS + parts - 1) / parts;
}

/* Sends each chunk to the block whose share it is: to `place` there, where the sums of this part and consumer go. */
template <int CHUNKS>
__device__ __forceinline__ void parts_send(const float (&acc)[4 * CHUNKS], uint32_t place, int part, int parts)
{
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        const int owner = c * parts / CHUNKS;
        if (owner == part)
            continue;
        uint32_t there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(there)
                     : "r"(place + (c - parts_first<CHUNKS>(owner, parts)) * 2048), "r"(owner));
        asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(there), "f"(acc[4 * c]),
                     "f"(acc[4 * c + 1]), "f"(acc[4 * c + 2]), "f"(acc[4 * c + 3])
                     : "memory");
    }
}

/* Adds up this part's chunks: acc holds its own sums, `received` those of part 0, the next part's `apart` bytes on. */
template <int CHUNKS>
__device__ __forceinline__ void parts_add(float (&acc)[4 * CHUNKS], uint32_t received, int apart, int part, int parts)
{
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        if (c * parts / CHUNKS != part)
            continue;
        const uint32_t from = received + (c - parts_first<CHUNKS>(part, parts)) * 2048;
        float sum[4] = {};
        for (int q = 0; q < parts; q++) {
            float v[4] = {acc[4 * c], acc[4 * c + 1], acc[4 * c + 2], acc[4 * c + 3]};
            if (q != part)
                asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                             : "r"(from + q * apart)
                             : "memory");
#pragma unroll
            for (int i = 0; i < 4; i++)
                sum[i] += v[i];
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            acc[4 * c + i] = sum[i];
    }
}

template <int BN, int STAGES>
__global__ void __launch_bounds__(288, 1)
    parts_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, __nv_bfloat16 *C,
                 int M, int N, int K, int ldc, int parts)
{
#ifdef HOPPER_CODE
    using S = PartsSmem<BN, STAGES>;
    constexpr int CHUNKS = BN / 8; /* a consumer computes 64 rows */
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, full = smem + STAGES * S::STAGE_BYTES,
                   empty = full + 8 * STAGES;
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0), group = warp / 4, t = threadIdx.x % 128;
    const int part = cluster_rank(), tile = blockIdx.x / parts;
    const int columns = (N + BN - 1) / BN, m = tile / columns * 128, n = tile % columns * BN, steps = (K + 63) / 64;
    const int begin = (int)((long long)steps * part / parts), end = (int)((long long)steps * (part + 1) / parts);

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 2);
        }
        mbarrier_init_fence();
    }
    __syncthreads();
    if (group == 2) { /* producer */
        if (threadIdx.x == 256) {
            int slot = 0;
            uint32_t parity = 1;
            for (int k = begin; k < end; k++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES, bar = full + 8 * slot;
                mbarrier_wait(empty + 8 * slot, parity);
                mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                tma_load(a, &map_a, k * 64, m, bar);
                tma_load(a + S::A_BYTES, &map_b, k * 64, n, bar);
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
        }
        __syncwarp();
        cluster_sync();
        cluster_sync();
        return;
    }
    float acc[BN / 2];
    int slot = 0, last = 0;
    uint32_t parity = 0;
    for (int k = begin; k < end; k++) {
        const uint32_t a = smem + slot * S::STAGE_BYTES + group * (64 * 128);
        const uint64_t da = wgmma_descriptor(a, 128);
        const uint64_t db = wgmma_descriptor(smem + slot * S::STAGE_BYTES + S::A_BYTES, 128);
        mbarrier_wait(full + 8 * slot, parity);
        wgmma_fence();
#pragma unroll
        for (int kk = 0; kk < 4; kk++)
            Wgmma<Bf16, BN>::run(acc, da + kk * 2, db + kk * 2, (k - begin) | kk);
        wgmma_commit();
        wgmma_wait<1>();
        if (k > begin && t == 0)
            mbarrier_arrive(empty + 8 * last);
        last = slot;
        if (++slot == STAGES) {
            slot = 0;
            parity ^= 1;
        }
    }
    wgmma_wait<0>();
    wgmma_pin(acc);
    /* The rings are free in all blocks of the cluster: sums may be written there. They are in order of part, consumer,
     * chunk and thread. */
    const int most = (CHUNKS + parts - 1) / parts, apart = 2 * most * 2048;
    const uint32_t mine = smem + group * most * 2048 + t * 16;
    cluster_sync();
    parts_send<CHUNKS>(acc, mine + part * apart, part, parts);
    cluster_sync();
    parts_add<CHUNKS>(acc, mine, apart, part, parts);
    const int lane = t % 32, row = m + group * 64 + t / 32 * 16 + lane / 4;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
        if (c * parts / CHUNKS == part)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int r = row + 8 * h, col = n + c * 8 + 2 * (lane % 4);
                if (r < M && col < N)
                    *(uint32_t *)(C + (size_t)r * ldc + col) = pack_bf16(acc[4 * c + 2 * h], acc[4 * c + 2 * h + 1]);
            }
#endif
}

/* As many parts as there are multiprocessors for, each of at least four steps. NULL, or why the shape cannot be done. */
template <int BN, int STAGES> const char *parts_launch(const HopperGemm *p, int blocks, cudaStream_t stream)
{
    using S = PartsSmem<BN, STAGES>;
    const long long tiles = (long long)((p->M + 127) / 128) * ((p->N + BN - 1) / BN);
    int parts = (p->K + 63) / 64 / 4;
    parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    if (tiles * parts > blocks)
        parts = (int)(blocks / tiles);
    if (parts < 2)
        return "too many tiles, or too few steps, to cut them along K";
    CUtensorMap a, b;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, 128, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN, 64, 128);
    if (why)
        return why;
    auto kernel = parts_kernel<BN, STAGES>;
    static uint32_t raised;
    if (shared_memory_raise((const void *)kernel, S::TOTAL, &raised) != cudaSuccess)
        return "this device gives a block too little shared memory";
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = (unsigned)parts;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(tiles * parts));
    config.blockDim = dim3(288);
    config.dynamicSmemBytes = S::TOTAL;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, a, b, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc, parts));
    return NULL;
}

#endif
