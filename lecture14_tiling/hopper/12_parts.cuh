/* 12_parts.cuh: few tiles, long K: each tile is cut along K into as many parts as there are multiprocessors for, and all
 * blocks of a tile add it up together. With stream-K's shares the block of a tile's first part adds all others, one
 * after the other; fourteen parts then cost more than they save. Here a block hands over all of its sums but its own
 * share of the tile, waits for the other parts, and finishes that share: sum, round, store. The parts are added in their
 * order along K, so the result is the same bits every time.
 *
 * The exchange still takes 5 to 7 us on an H100, of 25 to 35. Blocks of a cluster that send the sums to each other's
 * shared memory instead, at most eight parts, were slower in every shape tried: 29 us, not 25, where a tile has two parts.
 *
 * A block waits for blocks of the same launch: all must be on the device at one time (see stream_k_wait()).
 *
 * C (M x N, bf16) = A (M x K) times the transpose of B (N x K), row-major. */
#ifndef HOPPER_PARTS_CUH
#define HOPPER_PARTS_CUH

#include <cuda_bf16.h>

#include "../../common/hopper.cuh"
#include "allow_shared.cuh"
#include "stream_k.cuh"

enum { MOST_PARTS = 16 };

template <int BN, int STAGES> struct PartsSmem {
    enum {
        A_BYTES = 128 * 128,
        B_BYTES = BN * 128,
        STAGE_BYTES = A_BYTES + B_BYTES,
        TOTAL = 1024 + STAGES * STAGE_BYTES + 16 * STAGES
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

/* A consumer's 128 threads add up their share of a tile: of its CHUNKS times four numbers per thread those whose chunk
 * is this part's, c * parts / CHUNKS == part. `slot`: of part 0; the next part's is `apart` slots on. */
template <int CHUNKS>
__device__ __forceinline__ void parts_add(float (&acc)[4 * CHUNKS], const StreamK &s, int slot, int apart, int part,
                                          int parts, int barrier, int t)
{
    float4 *mine = s.sums + (size_t)(slot + part * apart) * CHUNKS * 128 + t;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
        if (c * parts / CHUNKS != part)
            __stcg(mine + c * 128, make_float4(acc[4 * c], acc[4 * c + 1], acc[4 * c + 2], acc[4 * c + 3]));
    __threadfence();
    named_barrier(barrier, 128);
    if (t == 0)
        asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(s.flags + slot + part * apart), "r"(s.launch)
                     : "memory");
    if (t < parts) {
        int seen;
        do
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                         : "=r"(seen)
                         : "l"(s.flags + slot + t * apart)
                         : "memory");
        while (seen != s.launch);
    }
    named_barrier(barrier, 128);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
        if (c * parts / CHUNKS == part) {
            const float4 *from = s.sums + (size_t)slot * CHUNKS * 128 + c * 128 + t;
            const float own[4] = {acc[4 * c], acc[4 * c + 1], acc[4 * c + 2], acc[4 * c + 3]};
            float sum[4] = {};
#pragma unroll 4
            for (int q = 0; q < parts; q++) {
                float4 v = make_float4(own[0], own[1], own[2], own[3]);
                if (q != part)
                    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                                 : "l"(from + (size_t)q * apart * CHUNKS * 128)
                                 : "memory");
                sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w;
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
                acc[4 * c + i] = sum[i];
        }
}

template <int BN, int STAGES>
__global__ void __launch_bounds__(288, 1)
    parts_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, __nv_bfloat16 *C,
                 int M, int N, int K, int ldc, int parts, const __grid_constant__ StreamK share)
{
#ifdef HOPPER_CODE
    using S = PartsSmem<BN, STAGES>;
    constexpr int CHUNKS = BN / 8; /* a consumer computes 64 rows */
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, full = smem + STAGES * S::STAGE_BYTES,
                   empty = full + 8 * STAGES;
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0), group = warp / 4, t = threadIdx.x % 128;
    /* Neighbouring blocks have the same part of K: those of a row of tiles fetch the same rows of A at one time. */
    const int tiles = gridDim.x / parts, tile = blockIdx.x % tiles, part = blockIdx.x / tiles;
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
    parts_add<CHUNKS>(acc, share, tile * 2 + group, tiles * 2, part, parts, 1 + group, t);
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
    const char *why =
        tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->A, p->M, p->K, p->lda, 128, 64, 128, 256);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->B, p->N, p->K, p->ldb, BN, 64, 128, 256);
    StreamK share = {};
    const int grid = (int)tiles * parts;
    if (!why)
        why = stream_k_room(&share, grid * 2, 64 * BN);
    if (why)
        return why;
    auto kernel = parts_kernel<BN, STAGES>;
    static uint32_t raised;
    if ((why = allow_shared((const void *)kernel, S::TOTAL, &raised)))
        return why;
    kernel<<<grid, 288, S::TOTAL, stream>>>(a, b, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, p->ldc, parts, share);
    return NULL;
}

#endif
