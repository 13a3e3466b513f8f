/* fp8_blocks.cuh: a product of fp8 matrices whose scales change every 128 elements. (hopper_fp8, rung 5.)
 *
 * e4m3 has four bits of exponent: one scale for a whole tensor lets small rows drown beside large ones. So each 128
 * elements of a row of A have their own scale, and so has each 128 x 128 of B. The tensor cores do not know the scales
 * of a step of K: a step's sums go to separate registers, and ordinary instructions scale them and add them to the
 * tile's sums. This also makes up for the tensor cores' sums of fp8, which keep about 14 bits: over 128 elements that
 * is enough, over 8192 it is not. (Both as in DeepGEMM.)
 *
 * A tile is 128 x 256, a consumer's part 64 x 256: 128 registers for the tile's sums. A step's come in four quarters of
 * 64 columns, 32 registers each, and two sets of these take turns: while a consumer adds one quarter, its own products of
 * the next one run. All quarters need the same part of A, which comes to registers once per step. Between two steps the
 * next step's A comes and its first quarter begins before this step's last quarter is added.
 * (Halves of 128 columns with one set of registers take half as many wgmma, but leave the adding to the other consumer's
 * products to cover. Tiles of 128 x 128, whose whole steps alternate, fetch more bytes for each product.)
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

/* d (64 x 64) (+)= a (64 x 32, from registers) times b (64 x 32, K-major), e4m3. Register i of a: row l / 4 (i even) or
 * eight further down (i odd) of the warp's sixteen, bytes 4 (l % 4) .. + 3, sixteen to the right for i >= 2: where
 * ldmatrix_x4_at() puts them. */
__device__ __forceinline__ void wgmma_registers_e4m3(float (&d)[32], const uint32_t (&a)[4], uint64_t b, int accumulate)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {" WGMMA_R32
                 "}, {%32, %33, %34, %35}, %36, p, 1, 1;\n}"
                 : WGMMA_O32("+f", d, 0)
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
                      const __grid_constant__ BlockScales scales, const __grid_constant__ TileOrder order, int clusters)
{
#ifdef HOPPER_CODE
    constexpr int BM = 128, BN = 256, WM = 64, QUARTER = 64;
    using S = WholeSmem<BM, BN, STAGES>;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t c_smem = smem + STAGES * S::STAGE_BYTES, full = c_smem + S::C_BYTES, empty = full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), steps = scales.steps, me = blockIdx.x / 2, end = order.tiles;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 16); /* the warps of both blocks' consumers: each has read A itself */
        }
        mbarrier_init_fence();
    }
    cluster_sync();

    if (group == 2) { /* producer */
        registers_give<24>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = me; tile < end; tile += clusters) {
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
        registers_take<240>();
        const int warp = t / 32, lane = t % 32;
        /* Lanes 0 and 1 notify the pair's two blocks. (If this is just `lane`, ptxas puts 32 additions between the last
         * two wgmma of a quarter, and the product takes 4 % longer.) */
        const int tell = rank / 2 * 2 + lane;
        int slot = 0;
        uint32_t parity = 0;
        float sum[4][32], part[2][32];
        uint32_t a[4][4]; /* A's part of a step: the tensor cores take it from here, four times */
        const auto fetch_a = [&](uint32_t stage) {
            const int r = warp * 16 + lane % 16;
            const uint32_t from = stage + group * (WM * 128) + r * 128;
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
                ldmatrix_x4_at(a[kk], from + (((kk * 2 + lane / 16) ^ (r & 7)) << 4));
        };
        /* Quarter `quarter` of a step's products, begun. */
        const auto issue = [&](uint32_t stage, int quarter) {
            const uint64_t db = wgmma_descriptor(stage + S::A_BYTES + quarter * (QUARTER * 128), 128);
            wgmma_fence();
#pragma unroll
            for (int kk = 0; kk < 4; kk++)
                wgmma_registers_e4m3(part[quarter % 2], a[kk], db + kk * 2, kk);
            wgmma_commit();
        };
        const auto add = [&](int quarter, float row0, float row1, const float *column) {
            wgmma_pin(part[quarter % 2]);
#pragma unroll
            for (int i = 0; i < 32; i++)
                sum[quarter][i] += part[quarter % 2][i] * ((i / 2 % 2 ? row1 : row0) * column[quarter / 2]);
        };
        const auto release = [&](int of) {
            __syncwarp();
            if (lane < 2)
                mbarrier_arrive_cluster(empty + 8 * of, tell);
        };
        const float *by_row0, *by_row1, *by_block[2];
        float next_row0, next_row1, next_column[2], row0, row1, column[2];
        int m, n;
        const auto load_scales = [&](int k) {
            next_row0 = __ldg(by_row0 + (size_t)k * M), next_row1 = __ldg(by_row1 + (size_t)k * M);
#pragma unroll
            for (int j = 0; j < 2; j++)
                next_column[j] = __ldg(by_block[j] + k);
        };
        /* Where tile number `tile` is, and its first step's scales. */
        const auto place = [&](int tile) {
            int row, col;
            tile_place(order, tile, &row, &col);
            m = (row * 2 + rank) * BM + group * WM, n = col * BN;
            const int last = (N + 127) / 128 - 1;
            by_row0 = scales.by_row + min(m + warp * 16 + lane / 4, M - 1);
            by_row1 = scales.by_row + min(m + warp * 16 + lane / 4 + 8, M - 1);
#pragma unroll
            for (int j = 0; j < 2; j++)
                by_block[j] = scales.by_block + (size_t)min((n + j * 128) / 128, last) * steps;
            load_scales(0);
        };
        if (me < end)
            place(me);
        for (int tile = me; tile < end; tile += clusters) {
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int i = 0; i < 32; i++)
                    sum[j][i] = 0;
            mbarrier_wait(full + 8 * slot, parity);
            fetch_a(smem + slot * S::STAGE_BYTES);
            issue(smem + slot * S::STAGE_BYTES, 0);
            /* A step, whose first quarter's products have begun. It begins the next step's, unless it is the last. The
             * compiler must see which it is: products that may or may not be in flight, it makes wait for each other. */
            const auto step = [&](int k, auto is_last) {
                constexpr bool LAST = decltype(is_last)::value;
                row0 = next_row0, row1 = next_row1, column[0] = next_column[0], column[1] = next_column[1];
                load_scales(min(k + 1, steps - 1)); /* the next step's scales are in flight during this one */
                const uint32_t stage = smem + slot * S::STAGE_BYTES;
#pragma unroll
                for (int quarter = 0; quarter < 4; quarter += 2) {
                    issue(stage, quarter + 1);
                    wgmma_wait<1>();
                    add(quarter, row0, row1, column);
                    if (quarter == 0) {
                        issue(stage, 2);
                        wgmma_wait<1>();
                    } else {
                        const int done = slot;
                        if (++slot == STAGES) {
                            slot = 0;
                            parity ^= 1;
                        }
                        if (!LAST)
                            mbarrier_wait(full + 8 * slot, parity);
                        wgmma_wait<0>();
                        wgmma_pin(part[1]);
                        if (!LAST) { /* A's registers are free; the last quarter has still to be added */
                            fetch_a(smem + slot * S::STAGE_BYTES);
                            issue(smem + slot * S::STAGE_BYTES, 0);
                        }
                        release(done);
                    }
                    add(quarter + 1, row0, row1, column);
                }
            };
            int k = 0;
            for (; k < steps - 2; k += 2) { /* with one step per iteration, too, the products would wait */
                step(k, Times<0>());
                step(k + 1, Times<0>());
            }
            if (k == steps - 2) {
                step(k, Times<0>());
                step(k + 1, Times<1>());
            } else
                step(k, Times<1>());

            const int m0 = m, n0 = n;
            if (tile + clusters < end)
                place(tile + clusters); /* its scales come while this tile is stored */
            const uint32_t in_box = (warp * 16 + lane % 16) * 128;
#pragma unroll
            for (int box = 0; box < BN / 64; box++) {
                const uint32_t buffer = c_smem + (group * 2 + box % 2) * S::C_BOX;
                if (t == 0)
                    tma_store_wait_read<1>();
                named_barrier(1 + group, 128);
#pragma unroll
                for (int jj = 0; jj < 8; jj += 2) {
                    const float *d = sum[box] + jj * 4;
                    stmatrix_x4(buffer + in_box + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]),
                                pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
                }
                fence_proxy_async();
                named_barrier(1 + group, 128);
                if (t == 0) {
                    tma_store(&map_c, n0 + box * 64, m0, buffer);
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
    fp8_blocks_kernel<STAGES><<<grid, 3 * 128, S::TOTAL, stream>>>(a, b, c, p->M, p->N, *scales, order, grid / 2);
    return NULL;
}

#endif
