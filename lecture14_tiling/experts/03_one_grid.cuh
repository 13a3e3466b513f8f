/* 03_one_grid.cuh: all groups in one launch. (Rungs 3 and 4; rung 2 launches hopper/10_whole.cuh once per expert.)
 *
 * An expert has some 500 rows, which is a quarter of a wave of tiles: launched one after the other, 64 products leave
 * most of the chip idle. Here a persistent grid walks through one list of tiles, whatever group they are of. The kernel
 * is hopper/11_ping_pong.cuh with the differences that the list makes:
 *
 *   - Where a tile is, is read from memory: 20 bytes, made by experts_plan().
 *   - A tile's height differs from tile to tile. The products are compiled once per height, and the tensor maps
 *     of x's rows are as many, since a box has one height.
 *   - Below a group's last row is the next group, so a tile's last rows must not be written: results go out by ordinary
 *     stores of 16 bytes, a line of 128 bytes per eight lanes, through a buffer in shared memory.
 *
 * As there, a row of w is a row of the 64-row operand, and rows of x are its N: 16 to 168, in steps of 8. The two blocks
 * of a cluster have the same rows of x, of which each fetches half for both, and 128 columns of y each. */
#ifndef EXPERTS_03_ONE_GRID_CUH
#define EXPERTS_03_ONE_GRID_CUH

#include "../../common/hopper.cuh"
#include "sort.cuh"

enum {
    GRID_STAGES = 5,
    GRID_COLUMNS = 128,
    ROW_BYTES = 128, /* of K a stage has of each row, and of y a row of a box */
    X_BYTES = MOST_ROWS * ROW_BYTES,
    GRID_STAGE_BYTES = X_BYTES + GRID_COLUMNS * ROW_BYTES,
    BOX_ROWS = 64,
    GRID_SMEM =
        1024 /* to align */ + GRID_STAGES * GRID_STAGE_BYTES + 2 * BOX_ROWS * ROW_BYTES + 2 * GRID_STAGES * 8 + 2 * 8,
};
static_assert(GRID_SMEM <= 232448, "a block has 227 KB of shared memory");
static_assert(GRID_STAGE_BYTES % 1024 == 0, "slots begin on multiples of 1024 bytes, as the swizzle asks");

/* Boxes of 8 (i + 1) rows of x: a block's part of a tile's rows. */
typedef struct ExpertMaps {
    CUtensorMap x[MOST_ROWS / 8 / CLUSTER + 1], w;
} ExpertMaps;

/* What a consumer knows of its block. */
typedef struct Consumer {
    uint32_t smem, buffer, full, empty, turn;
    int group, rank, steps, all_steps;
} Consumer;

__device__ __forceinline__ void hand_back(const Consumer &c, int slot)
{
    const int t = threadIdx.x % 128;
    if (t < CLUSTER)
        mbarrier_arrive_cluster(c.empty + 8 * slot, (uint32_t)t);
}

/* The results of a tile: 64 columns of y for each half of acc, rows in boxes of BOX_ROWS. */
template <int HEIGHT>
__device__ __forceinline__ void store_tile(const Consumer &c, const Experts &p, const ExpertTile &tile,
                                           const float (&acc)[2][HEIGHT / 2])
{
    const int t = threadIdx.x % 128, warp = t / 32, lane = t % 32;
    const uint32_t columns = (uint32_t)((warp * 2 + lane / 8 % 2) ^ (lane & 7)) << 4;
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int row0 = 0; row0 < HEIGHT; row0 += BOX_ROWS) {
            named_barrier(1 + c.group, 128); /* the box before has been read */
#pragma unroll
            for (int row = row0; row < row0 + BOX_ROWS && row < HEIGHT; row += 16) {
                const float *d = acc[half] + row * 4 / 8;
                const bool pair = row + 8 < HEIGHT;
                const uint32_t to =
                    c.buffer + (uint32_t)(row - row0 + (pair ? lane / 16 * 8 : 0) + (lane & 7)) * ROW_BYTES + columns;
                if (pair)
                    stmatrix_x4_trans(to, pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]), pack_bf16(d[4], d[5]),
                                      pack_bf16(d[6], d[7]));
                else
                    stmatrix_x2_trans(to, pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]));
            }
            named_barrier(1 + c.group, 128);
            const int n = tile.column * CLUSTER_COLUMNS + c.rank * GRID_COLUMNS + half * 64;
            for (int i = t; n < p.N && i < BOX_ROWS * 8; i += 128) {
                const int row = i / 8, piece = i % 8;
                uint4 v;
                if (row0 + row >= tile.rows)
                    break;
                asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                             : "r"(c.buffer + (uint32_t)(row * ROW_BYTES + (piece ^ (row & 7)) * 16))
                             : "memory");
                *(uint4 *)(p.y + (size_t)(tile.row + row0 + row) * p.N + n + piece * 8) = v;
            }
        }
}

/* One tile of HEIGHT rows, whose first step is number `step` of the block. */
template <int HEIGHT>
__device__ __forceinline__ void expert_tile(const Consumer &c, const Experts &p, const ExpertTile &tile, int step,
                                            uint32_t turn_parity)
{
    float acc[2][HEIGHT / 2]; /* 64 columns of y each */
    /* Zeroed, not left to the first product: a register that a product may read is live on every way here, and
     * those of all heights together are more than there are. */
#pragma unroll
    for (int i = 0; i < HEIGHT / 2; i++)
        acc[0][i] = acc[1][i] = 0;
    const int lane = threadIdx.x % 32;
    int slot = step % GRID_STAGES, last = slot;
    uint32_t parity = (uint32_t)(step / GRID_STAGES & 1);
    mbarrier_wait(c.turn + 8 * c.group, turn_parity);
    for (int k = 0; k < c.steps; k++, step++) {
        const uint32_t x = c.smem + slot * GRID_STAGE_BYTES;
        const uint64_t dx = wgmma_descriptor(x, 128), dw = wgmma_descriptor(x + X_BYTES, 128);
        mbarrier_wait(c.full + 8 * slot, parity);
        wgmma_fence();
#pragma unroll
        for (int kk = 0; kk < 4; kk++)
#pragma unroll
            for (int half = 0; half < 2; half++)
                Wgmma<Bf16, HEIGHT>::run(acc[half], dw + (half * 64 * ROW_BYTES + kk * 32) / 16, dx + kk * 2, 1);
        wgmma_commit();
        wgmma_wait<1>();
        /* A slot that is never filled again is not handed back: no arrival comes to a block that has left. */
        if (k > 0 && step - 1 + GRID_STAGES < c.all_steps)
            hand_back(c, last);
        last = slot;
        if (++slot == GRID_STAGES) {
            slot = 0;
            parity ^= 1;
        }
    }
    __syncwarp();
    if (lane == 0)
        mbarrier_arrive(c.turn + 8 * (1 - c.group)); /* the tensor cores are the other's from here */
    wgmma_wait<0>();
    if (step - 1 + GRID_STAGES < c.all_steps)
        hand_back(c, last);
    wgmma_pin(acc[0]);
    wgmma_pin(acc[1]);
    store_tile<HEIGHT>(c, p, tile, acc);
}

__global__ void HOPPER_CLUSTER(CLUSTER) __launch_bounds__(3 * 128, 1)
    experts_kernel3(const __grid_constant__ ExpertMaps maps, const __grid_constant__ Experts p)
{
#ifdef HOPPER_CODE
    extern __shared__ uint8_t experts_raw[];
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int clusters = gridDim.x / CLUSTER, me = blockIdx.x / CLUSTER, tiles = *p.tile_count;
    Consumer c;
    c.smem = (shared_address(experts_raw) + 1023) & ~1023u;
    c.buffer = c.smem + GRID_STAGES * GRID_STAGE_BYTES + group * BOX_ROWS * ROW_BYTES;
    c.full = c.smem + GRID_STAGES * GRID_STAGE_BYTES + 2 * BOX_ROWS * ROW_BYTES;
    c.empty = c.full + 8 * GRID_STAGES;
    c.turn = c.empty + 8 * GRID_STAGES;
    c.group = group;
    c.rank = (int)cluster_rank();
    c.steps = p.K / 64;
    c.all_steps = (tiles - me + clusters - 1) / clusters * c.steps;

    if (threadIdx.x == 2 * 128) { /* the producer's thread */
        tma_prefetch_map(&maps.w);
        for (int s = 0; s < GRID_STAGES; s++) {
            mbarrier_init(c.full + 8 * s, 1);        /* the producer, and the bytes */
            mbarrier_init(c.empty + 8 * s, CLUSTER); /* the consumer in each block */
        }
        for (int g = 0; g < 2; g++)
            mbarrier_init(c.turn + 8 * g, 4); /* the other consumer's warps */
        mbarrier_init_fence();
    }
    cluster_sync();

    if (group == 2) { /* ---------------------------------------------------------------------------- producer */
        registers_give<40>();
        if (t == 0) {
            int slot = 0;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            ExpertTile tile = p.tiles[min(me, max(tiles - 1, 0))], next;
            for (int i = me; i < tiles; i += clusters, tile = next) {
                next = p.tiles[min(i + clusters, tiles - 1)]; /* needed when this tile is fetched */
                /* Rows of x in eights: the first block has one more, where they are odd. */
                const int eights = tile.height / 8, first = (eights + CLUSTER - 1) / CLUSTER,
                          mine = c.rank ? eights - first : first, row = tile.row + c.rank * first * 8;
                const int n = tile.expert * p.N + tile.column * CLUSTER_COLUMNS + c.rank * GRID_COLUMNS;
                for (int k = 0; k < c.steps; k++) {
                    const uint32_t x = c.smem + slot * GRID_STAGE_BYTES, bar = c.full + 8 * slot;
                    mbarrier_wait(c.empty + 8 * slot, parity);
                    mbarrier_arrive_expect(bar, (uint32_t)(tile.height + GRID_COLUMNS) * ROW_BYTES);
                    tma_load_multicast(x + c.rank * first * 8 * ROW_BYTES, &maps.x[mine - 1], k * 64, row, bar,
                                       (1 << CLUSTER) - 1);
                    tma_load(x + X_BYTES, &maps.w, k * 64, n, bar);
                    if (++slot == GRID_STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        registers_take<232>();
        uint32_t turn_parity = group == 0; /* consumer 0 begins: its first wait returns at once */
        int step = group * c.steps;
        for (int i = me + group * clusters; i < tiles; i += 2 * clusters, step += 2 * c.steps, turn_parity ^= 1) {
            const ExpertTile tile = p.tiles[i];
            switch (tile.height) {
#define HEIGHT(h)                                                                                                      \
    case h: expert_tile<h>(c, p, tile, step, turn_parity); break;
                EXPERT_HEIGHTS(HEIGHT)
#undef HEIGHT
            }
        }
    }
#endif
}

/* Sort, gather, plan and product; `fixed` as in experts_plan(). The product alone: experts_product(). */
static const char *experts_product(const Experts *p, int multiprocessors, cudaStream_t stream)
{
    ExpertMaps maps;
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    const uint64_t pairs = (uint64_t)p->T * p->A, K = (uint64_t)p->K;
    const char *why = tensor_map_2d(&maps.w, type, 2, p->w, (uint64_t)p->E * p->N, K, K, GRID_COLUMNS, 64, 128);
    for (int i = 0; i < MOST_ROWS / 8 / CLUSTER + 1 && !why; i++)
        why = tensor_map_2d(&maps.x[i], type, 2, p->rows, pairs, K, K, 8 * (uint32_t)(i + 1), 64, 128);
    if (why)
        return why;
    if (cudaFuncSetAttribute(experts_kernel3, cudaFuncAttributeMaxDynamicSharedMemorySize, GRID_SMEM) != cudaSuccess)
        return "this device gives a block too little shared memory";
    experts_kernel3<<<(unsigned)whole_clusters(multiprocessors, CLUSTER), 3 * 128, GRID_SMEM, stream>>>(maps, *p);
    return NULL;
}

static const char *experts_grouped(const Experts *p, int fixed, cudaStream_t stream)
{
    experts_sort_launch(p, stream);
    experts_gather_launch(p, stream);
    experts_plan_launch(p, fixed, stream);
    return experts_product(p, device_multiprocessors(), stream);
}
static const char *experts3(const Experts *p, cudaStream_t stream) { return experts_grouped(p, 128, stream); }
static const char *experts4(const Experts *p, cudaStream_t stream) { return experts_grouped(p, 0, stream); }

#endif
