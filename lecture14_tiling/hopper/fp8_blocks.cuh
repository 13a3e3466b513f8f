/* fp8_blocks.cuh: a product of fp8 matrices whose scales change every 128 elements. (hopper_fp8, rung 5.)
 *
 * e4m3 has four bits of exponent: one scale for a whole tensor lets small rows drown beside large ones. So each 128
 * elements of a row of A have their own scale, and so has each 128 x 128 of B. The tensor cores do not know the scales
 * of a step of K: a step's sums go to separate registers, and ordinary instructions scale them and add them to the
 * tile's sums. This also makes up for the tensor cores' sums of fp8, which keep about 14 bits: over 128 elements that
 * is enough, over 8192 it is not. (Both as in DeepGEMM.)
 *
 * A tile is 128 x 256, a consumer's part 64 x 256: 128 registers for the tile's sums. A step's come in two halves of 128
 * columns, 64 registers: while one consumer adds, the other one's products run. Both halves need the same part of A,
 * which comes to registers once per step. The next step's comes as soon as this one's products have ended, before their
 * sums are added: between two steps no product waits for it. (Quarters of 64 columns in turn, so that a consumer's own
 * products run while it adds, take twice as many wgmma for no gain. Tiles of 128 x 128, whose whole steps alternate
 * in this way, fetch more bytes for each product, and are slower by a tenth.)
 * Two blocks of a cluster fetch half of B each for both, as in 08_multicast.cuh. */
#ifndef HOPPER_FP8_BLOCKS_CUH
#define HOPPER_FP8_BLOCKS_CUH

#include "10_whole.cuh"

/* Loads four 8 x 8 matrices of 16-bit elements: lane l gives the address of row l % 8 of matrix l / 8, and gets of matrix
 * i, in r[i], elements 2 (l % 4) and the next of row l / 4. */
__device__ __forceinline__ void ldmatrix_x4_at(uint32_t (&r)[4], uint32_t smem)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(smem)
                 : "memory");
}

/* d (64 x 128) (+)= a (64 x 32, from registers) times b (128 x 32, K-major), e4m3. Register i of a: row l / 4 (i even) or
 * eight further down (i odd) of the warp's sixteen, bytes 4 (l % 4) .. + 3, sixteen to the right for i >= 2: where
 * ldmatrix_x4_at() puts them. */
__device__ __forceinline__ void wgmma_registers_e4m3(float (&d)[64], const uint32_t (&a)[4], uint64_t b, int accumulate)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {" WGMMA_R64
                 "}, {%64, %65, %66, %67}, %68, p, 1, 1;\n}"
                 : WGMMA_O64("+f", d, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
}

/* by_row[k / 128][m], by_block[n / 128][k / 128]: A's and B's scales. */
typedef struct BlockScales {
    const float *by_row, *by_block;
    int steps; /* of K */
} BlockScales;

template <int STAGES>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    fp8_blocks_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                      const __grid_constant__ CUtensorMap map_c, int M, int N,
                      const __grid_constant__ BlockScales scales, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    constexpr int BM = 128, BN = 256, WM = 64;
    using S = WholeSmem<BM, BN, STAGES>;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), steps = scales.steps, clusters = gridDim.x / 2;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 16); /* the warps of both blocks' consumers: each has read A itself */
        }
        mbarrier_init_fence();
    }
    cluster_sync();

    if (group == 2) { /* producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = blockIdx.x / 2; tile < order.tiles; tile += clusters) {
                int row, col;
                tile_place(order, tile, &row, &col);
                for (int k = 0; k < steps; k++) {
                    const uint32_t a = smem + slot * S::STAGE_BYTES, bar = full + 8 * slot;
                    mbarrier_wait(empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, S::STAGE_BYTES);
                    cluster_fetch<2, 1>(a, &map_a, (row * 2 + rank) * BM, a + S::A_BYTES + rank * (S::B_BYTES / 2),
                                        &map_b, col * BN + rank * (BN / 2), k * 128, rank, 0, bar);
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* consumers */
        registers_take<232>();
        const int warp = t / 32, lane = t % 32;
        int slot = 0;
        uint32_t parity = 0;
        float acc[2][64], part[64];
        uint32_t a[4][4]; /* A's part of a step: the tensor cores take it from here, twice */
        const auto fetch_a = [&](uint32_t stage) {
            const int r = warp * 16 + lane % 16;
            const uint32_t from = stage + group * (WM * 128) + r * 128;
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
                ldmatrix_x4_at(a[kk], from + (((kk * 2 + lane / 16) ^ (r & 7)) << 4));
        };
        /* Half `half` of a step's products, begun. */
        const auto issue = [&](uint32_t stage, int half) {
            const uint64_t db = wgmma_descriptor(stage + S::A_BYTES + half * (128 * 128), 128);
            wgmma_fence();
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
                wgmma_registers_e4m3(part, a[kk], db + kk * 2, kk);
            wgmma_commit();
        };
        const auto add = [&](float(&sum)[64], float scale0, float scale1) {
            wgmma_pin(part);
#pragma unroll
            for (int i = 0; i < 64; i++)
                sum[i] += part[i] * (i / 2 % 2 ? scale1 : scale0);
        };
        for (int tile = blockIdx.x / 2; tile < order.tiles; tile += clusters) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * 2 + rank) * BM + group * WM, n = col * BN, last = (N + 127) / 128 - 1;
            const float *by_row0 = scales.by_row + min(m + warp * 16 + lane / 4, M - 1),
                        *by_row1 = scales.by_row + min(m + warp * 16 + lane / 4 + 8, M - 1),
                        *by_block0 = scales.by_block + (size_t)min(n / 128, last) * steps,
                        *by_block1 = scales.by_block + (size_t)min(n / 128 + 1, last) * steps;
#pragma unroll
            for (int i = 0; i < 64; i++)
                acc[0][i] = acc[1][i] = 0;
            float next_row0 = __ldg(by_row0), next_row1 = __ldg(by_row1), next_left = __ldg(by_block0),
                  next_right = __ldg(by_block1);
            mbarrier_wait(full + 8 * slot, parity);
            fetch_a(smem + slot * S::STAGE_BYTES);
            for (int k = 0; k < steps; k++) {
                const float row0 = next_row0, row1 = next_row1, left = next_left, right = next_right;
                const int k1 = min(k + 1, steps - 1); /* the next step's scales are in flight during this one */
                next_row0 = __ldg(by_row0 + (size_t)k1 * M), next_row1 = __ldg(by_row1 + (size_t)k1 * M);
                next_left = __ldg(by_block0 + k1), next_right = __ldg(by_block1 + k1);
                const uint32_t stage = smem + slot * S::STAGE_BYTES;
                issue(stage, 0);
                wgmma_wait<0>();
                add(acc[0], row0 * left, row1 * left);
                issue(stage, 1);
                const int last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
                if (k < steps - 1)
                    mbarrier_wait(full + 8 * slot, parity);
                wgmma_wait<0>();
                if (k < steps - 1) /* A's registers are free; the sums have still to be added */
                    fetch_a(smem + slot * S::STAGE_BYTES);
                __syncwarp();
                if (lane < 2)
                    mbarrier_arrive_cluster(empty + 8 * last, lane);
                add(acc[1], row0 * right, row1 * right);
            }
            const uint32_t in_box = (warp * 16 + lane % 16) * 128;
#pragma unroll
            for (int box = 0; box < BN / 64; box++) {
                const uint32_t buffer = c_smem + (group * 2 + box % 2) * S::C_BOX;
                if (t == 0)
                    tma_store_wait_read<1>();
                named_barrier(1 + group, 128);
#pragma unroll
                for (int jj = 0; jj < 8; jj += 2) {
                    const float *d = acc[box / 2] + (box % 2 * 8 + jj) * 4;
                    stmatrix_x4(buffer + in_box + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                                pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                }
                fence_proxy_async();
                named_barrier(1 + group, 128);
                if (t == 0) {
                    tma_store(&map_c, n + box * 64, m, buffer);
                    tma_store_commit();
                }
            }
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    cluster_sync(); /* no block leaves while the other may still write here */
#endif
}

static inline const char *fp8_blocks_launch(const HopperGemm *p, const BlockScales *scales, int blocks,
                                            cudaStream_t stream)
{
    constexpr int BM = 128, BN = 256, STAGES = 4;
    using S = WholeSmem<BM, BN, STAGES>;
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, p->A, p->M, p->K, p->lda, BM, 128, 128);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, p->B, p->N, p->K, p->ldb, BN / 2, 128, 128);
    if (!why)
        why = tensor_map_2d(&c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->C, p->M, p->N, p->ldc, 64, 64, 128);
    if (why)
        return why;
    const int rows = (p->M + 2 * BM - 1) / (2 * BM), cols = (p->N + BN - 1) / BN;
    TileOrder order;
    if ((why = tile_order(&order, rows, cols, 8)))
        return why;
    const void *kernel = (const void *)fp8_blocks_kernel<STAGES>;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::TOTAL) != cudaSuccess)
        return "this device gives a block too little shared memory";
    const int most = whole_clusters(blocks, 2), grid = 2 * rows * cols < most ? 2 * rows * cols : most;
    fp8_blocks_kernel<STAGES><<<grid, 3 * 128, S::TOTAL, stream>>>(a, b, c, p->M, p->N, *scales, order);
    return NULL;
}

#endif
