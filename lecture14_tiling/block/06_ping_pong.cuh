/* Rung 6, ping-pong: each consumer has its own tiles, and they take turns at the tensor cores.
 *
 * In rung 5 both consumers reach the end of a tile together, and while they add, take exponentials and store, the tensor
 * cores rest: a sixth of the time where K is 2048 and gelu follows. Now each has a tile of 64 x 256 to itself, and while
 * one finishes its tile the other multiplies (as in the lab hopper's rung 11).
 *
 * By itself it is no gain: 24 KB come from L2 for as many products as 16 KB in rung 5. With all products done this way
 * a large block was 7 % slower than rung 5, since the power that bytes take lowers the clock. So it is used where it
 * pays: before gelu, and where tiles of 128 rows leave multiprocessors idle. */
#ifndef BLOCK_06_PING_PONG_CUH
#define BLOCK_06_PING_PONG_CUH

#include "03_wgmma.cuh"

typedef BlockSmem<64, 4, 4, 1> BlockSmem6;

template <int KIND, int EPILOGUE>
__global__ void HOPPER_CLUSTER(2) __launch_bounds__(3 * 128, 1)
    block_product_kernel6(const __grid_constant__ BlockMaps maps, const __nv_bfloat16 *with, int M, int N, int K,
                          int a_each, int c_each, const __grid_constant__ TileOrder order)
{
#ifdef HOPPER_CODE
    using S = BlockSmem6;
    constexpr int STAGES = S::STAGES;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, c_smem = smem + STAGES * S::STAGE_BYTES;
    const uint32_t full = c_smem + S::C_BYTES, empty = full + 8 * STAGES, turn = empty + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = cluster_rank(), tiles = order.tiles, steps = (K + S::BK - 1) / S::BK;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&maps.a);
        tma_prefetch_map(&maps.b);
        tma_prefetch_map(&maps.c);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 2); /* the consumer in each of two blocks */
        }
        for (int g = 0; g < 2; g++)
            mbarrier_init(turn + 8 * g, 4); /* the other consumer's warps */
        mbarrier_init_fence();
    }
    cluster_sync(); /* the other block's barriers are ready, too */

    if (group == 2) { /* producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1;
            for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
                int row, col;
                tile_place(order, tile, &row, &col);
                int m = (row * 2 + rank) * S::BM, part = KIND == WEIGHT_GRAD ? part_of(&m, a_each) : 0;
                for (int k = 0, k_part = 0; k < steps * S::BK; k += S::BK) {
                    mbarrier_wait(empty + 8 * slot, parity);
                    block_fetch<KIND, S>(smem + slot * S::STAGE_BYTES, maps, m, col * S::BN + rank * (S::BN / 2), k,
                                         k_part, part, rank, full + 8 * slot);
                    k_part += S::BK;
                    if (KIND == INPUT_GRAD && k_part == a_each)
                        k_part = 0, part++;
                    if (++slot == STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* consumers */
        registers_take<232>();
        const int apart = gridDim.x / 2;   /* a pair's tiles; they go to consumers 0 and 1 in turn */
        uint32_t turn_parity = group == 0; /* consumer 0 begins: its first wait returns at once */
        float acc[S::BN / 2];
        uint4 operand[S::AHEAD][4];
        for (int tile = blockIdx.x / 2 + group * apart, all = group * steps; tile < tiles;
             tile += 2 * apart, all += steps /* the other's tile */) {
            int row, col;
            tile_place(order, tile, &row, &col);
            const int m = (row * 2 + rank) * S::BM, n = col * S::BN;
            if (EPILOGUE == ADD || EPILOGUE == TIMES)
#pragma unroll
                for (int box = 0; box < S::AHEAD; box++)
                    block_operand<S>(operand, with, box, m, n, M, N);
            int slot = all % STAGES, last = slot;
            uint32_t parity = all / STAGES & 1;
            mbarrier_wait(turn + 8 * group, turn_parity);
            turn_parity ^= 1;
            for (int step = 0; step < steps; step++, all++) {
                const uint32_t a = smem + slot * S::STAGE_BYTES;
                mbarrier_wait(full + 8 * slot, parity);
                wgmma_fence();
                block_multiply<KIND, S>(acc, a, a + S::A_BYTES, step);
                wgmma_commit();
                wgmma_wait<1>();
                if (step > 0 && t < 2)
                    mbarrier_arrive_cluster(empty + 8 * last, t);
                last = slot;
                if (++slot == STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
            __syncwarp();
            if (t % 32 == 0)
                mbarrier_arrive(turn + 8 * (1 - group)); /* the tensor cores are the other's from here */
            wgmma_wait<0>();
            if (t < 2)
                mbarrier_arrive_cluster(empty + 8 * last, t);
            wgmma_pin(acc);
            block_epilogue<EPILOGUE, S>(acc, operand, maps, with, m, n, M, N, c_each,
                                        c_smem + group * S::BOXES * S::BOX, group);
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    cluster_sync(); /* a block may leave only when the other can no longer send to it */
#endif
}

/* Is this kernel faster than rung 5's? Both by what a multiprocessor does one after the other, in units of a step of K of
 * a tile of 128 x 256: waves of tiles times K, there with each tile's end in the open, here with the last one's only, and
 * a quarter more for the products. That number was measured: power limits the clock, and bytes take power. */
static inline bool block_turns(const Product *p)
{
    const double end = p->epilogue == STORE ? 200 : p->epilogue == GELU ? 500 : 300; /* steps of K that it takes */
    const int blocks = whole_clusters(block_multiprocessors(), 2), columns = (p->N + 255) / 256;
    const int tall = ((p->M + 255) / 256 * 2 * columns + blocks - 1) / blocks,
              flat = ((p->M + 127) / 128 * 2 * columns + blocks - 1) / blocks;
    return flat * (p->K / 2.0) * 1.25 + end < tall * (p->K + end);
}

static const char *block_product6(const Product *p, cudaStream_t stream)
{
    if (!block_turns(p))
        return block_product3(p, stream);
    BlockKernel *kernel = p->kind == WEIGHT_GRAD ? block_product_kernel6<WEIGHT_GRAD, STORE>
                          : p->kind == OUTPUT    ? p->epilogue == ADD    ? block_product_kernel6<OUTPUT, ADD>
                                                   : p->epilogue == GELU ? block_product_kernel6<OUTPUT, GELU>
                                                                         : block_product_kernel6<OUTPUT, STORE>
                             : p->epilogue == TIMES ? block_product_kernel6<INPUT_GRAD, TIMES>
                                                 : block_product_kernel6<INPUT_GRAD, STORE>;
    return block_launch<BlockSmem6>(kernel, p, stream);
}

#endif
