/* bsr_wgmma.cuh: C = A B, A in block CSR with blocks of 64, by wgmma. A, B and C as in bsr.cuh; the order of the work is
 * a plan (plan.h).
 *
 * A thread block computes ROWS block rows by BN columns of C, at the same time: the sums of 128 x 256 or of 256 x 128.
 * The producer fetches, for each step, 64 rows of B and those blocks of A that the group has in this block column:
 * TMA finds both by their numbers, which come from the index. Each of the two consumers computes half of the rows; a
 * step in which its rows have no block it only hands back.
 *
 * The thread blocks of a cluster compute the same rows, for neighbouring columns. Each fetches a part of every block of
 * A, and multicast brings it to all.
 *
 * B's rows have their columns in order, and wgmma reads them so ("MN-major", bf16 only): nothing is transposed. */
#ifndef SPMM_BLOCK_BSR_WGMMA_CUH
#define SPMM_BLOCK_BSR_WGMMA_CUH

#include "../../common/device.h"
#include "../../common/hopper.cuh"
#include "bsr.cuh"
#include "plan.h"

WGMMA_MN(WgmmaRows, 0, 128, WGMMA_R64, WGMMA_O64, 64, 65, 66)
WGMMA_MN(WgmmaRows, 0, 256, WGMMA_R128, WGMMA_O128, 128, 129, 130)

/* TURNED: the product of A's transpose. The plan then walks A's columns; the blocks are as they were. */
template <int ROWS_, int CLUSTER_, int TURNED_ = 0> struct BsrRing {
    enum {
        ROWS = ROWS_,
        CLUSTER = CLUSTER_,
        TURNED = TURNED_,
        CONSUMERS = 2,
        MINE = ROWS / CONSUMERS, /* block rows of a consumer */
        BN = 256 / MINE,
        STAGES = 4,
        BOX = 64 * 128, /* bytes of 64 rows of 64 elements */
        A_BYTES = ROWS * BOX,
        B_BYTES = BN / 64 * BOX,
        TOTAL = 1024 + STAGES * (A_BYTES + B_BYTES) + CONSUMERS * BOX + STAGES * (8 + 8 + 4),
    };
    static_assert(ROWS % CONSUMERS == 0, "each consumer has the same number of block rows");
    static_assert(!TURNED || MINE == 1, "the instruction for a turned A is there for 256 columns");
    static_assert(MINE * BN == 256, "64 rows by 256 sums fill a consumer's registers");
    static_assert(64 / CLUSTER % 8 == 0, "the parts of a block of A are whole groups of eight rows, as swizzled");
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

/* The plan on the device. */
struct BsrPlanArrays {
    const int *block, *column, *step, *row, *first, *tile;
};

/* One step of the plan: where the next rows of B are, and the blocks of A that meet them (-1: this row has none). */
template <int ROWS> struct BsrStep {
    int column, block[ROWS];
    __device__ __forceinline__ void read(const BsrPlanArrays &plan, int s)
    {
        column = __ldg(plan.column + s);
        if constexpr (ROWS == 2) {
            const int2 b = __ldg((const int2 *)plan.block + s);
            block[0] = b.x, block[1] = b.y;
        } else {
            const int4 b = __ldg((const int4 *)plan.block + s);
            block[0] = b.x, block[1] = b.y, block[2] = b.z, block[3] = b.w;
        }
    }
    __device__ __forceinline__ uint32_t mask() const
    {
        uint32_t m = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            m |= (uint32_t)(block[r] >= 0) << r;
        return m;
    }
};

/* Where the ring is in shared memory, and how far this thread has come in it. */
struct BsrRingState {
    uint32_t a, b, full, empty; /* shared addresses */
    volatile uint32_t *mask;    /* of each stage: which rows of the group have a block */
    int slot;
    uint32_t parity;
    template <int STAGES> __device__ __forceinline__ void next()
    {
        if (++slot == STAGES) {
            slot = 0;
            parity ^= 1;
        }
    }
};

/* One thread fetches all steps of all tiles of its cluster. */
template <class R>
__device__ __forceinline__ void bsr_produce(BsrRingState &ring, const CUtensorMap *map_a, const CUtensorMap *map_b,
                                            const BsrPlanArrays &plan, int cluster, int rank)
{
#ifdef HOPPER_CODE
    for (int i = plan.first[cluster]; i < plan.first[cluster + 1]; i++) {
        const int tile = plan.tile[i], group = tile >> 16, n = ((tile & 0xffff) * R::CLUSTER + rank) * R::BN;
        const int end = plan.step[group + 1];
        BsrStep<R::ROWS> here, ahead;
        int s = plan.step[group];
        if (s < end)
            ahead.read(plan, s);
        for (; s < end; s++) {
            here = ahead;
            if (s + 1 < end)
                ahead.read(plan, s + 1); /* so that no step waits for its own index */
            const uint32_t mask = here.mask(), bar = ring.full + 8 * ring.slot;
            const uint32_t a = ring.a + ring.slot * R::A_BYTES, b = ring.b + ring.slot * R::B_BYTES;
            mbarrier_wait(ring.empty + 8 * ring.slot, ring.parity);
            ring.mask[ring.slot] = mask;
            mbarrier_arrive_expect(bar, R::B_BYTES + __popc(mask) * R::BOX);
#pragma unroll
            for (int j = 0; j < R::BN / 64; j++)
                tma_load(b + j * R::BOX, map_b, n + j * 64, here.column * 64, bar);
            constexpr int PART = 64 / R::CLUSTER; /* rows of each block of A that this thread block fetches for all */
#pragma unroll
            for (int r = 0; r < R::ROWS; r++) {
                if (here.block[r] < 0)
                    continue;
                if (R::CLUSTER == 1)
                    tma_load(a + r * R::BOX, map_a, 0, here.block[r] * 64, bar);
                else
                    tma_load_multicast(a + r * R::BOX + rank * (R::BOX / R::CLUSTER), map_a, 0,
                                       here.block[r] * 64 + rank * PART, bar, (1 << R::CLUSTER) - 1);
            }
            ring.template next<R::STAGES>();
        }
    }
#endif
}

/* The sums of a consumer's block rows for one tile; `consumer` is 0 or 1. */
template <class R>
__device__ __forceinline__ void bsr_multiply(BsrRingState &ring, float (&acc)[R::MINE][R::BN / 2], int consumer,
                                             int steps, int lane)
{
#ifdef HOPPER_CODE
#pragma unroll
    for (int r = 0; r < R::MINE; r++)
#pragma unroll
        for (int i = 0; i < R::BN / 2; i++)
            acc[r][i] = 0; /* a row without any block is zero */
    const int rank = R::CLUSTER > 1 ? (int)cluster_rank() : 0;
    // notes: consumer
    for (int s = 0; s < steps; s++) {
        mbarrier_wait(ring.full + 8 * ring.slot, ring.parity);
        /* The lane that tells this block's producer that the slot is free reads the mask, for all. */
        const uint32_t mask = lane == rank ? ring.mask[ring.slot] : 0;
        const uint32_t mine = __shfl_sync(~0u, mask, rank) >> (consumer * R::MINE);
        const uint32_t a = ring.a + ring.slot * R::A_BYTES + consumer * R::MINE * R::BOX;
        const uint64_t da = R::TURNED ? wgmma_descriptor_mn(a, R::BOX) : wgmma_descriptor(a, 128);
        const uint64_t db = wgmma_descriptor_mn(ring.b + ring.slot * R::B_BYTES, R::BOX);
#pragma unroll
        for (int r = 0; r < R::MINE; r++) {
            if (!(mine >> r & 1))
                continue;
            wgmma_fence();
#pragma unroll
            for (int i = 0; i < 4; i++) /* 16 elements of A are 32 bytes, 16 rows of it or of B 2048 */
                if constexpr (R::TURNED)
                    WgmmaColumns<R::BN>::run(acc[r], da + i * (2048 / 16), db + i * (2048 / 16), 1);
                else
                    WgmmaRows<R::BN>::run(acc[r], da + r * (R::BOX / 16) + i * 2, db + i * (2048 / 16), 1);
            wgmma_commit();
            wgmma_wait<0>(); /* the other consumer keeps the tensor cores busy, and they are not the limit */
            wgmma_pin(acc[r]);
        }
        __syncwarp();
        if (R::CLUSTER == 1) {
            if (lane == 0)
                mbarrier_arrive(ring.empty + 8 * ring.slot);
        } else if (lane < R::CLUSTER)
            mbarrier_arrive_cluster(ring.empty + 8 * ring.slot, lane);
        ring.template next<R::STAGES>();
    }
    // notes end
#endif
}

/* 64 rows by BN columns leave through one box of shared memory, 64 columns at a time. */
template <int BN>
__device__ __forceinline__ void bsr_store(const CUtensorMap *map, const float (&acc)[BN / 2], uint32_t buffer,
                                          int consumer, int row, int column, int t)
{
#ifdef HOPPER_CODE
    const int warp = t / 32, lane = t % 32;
    const uint32_t row_smem = buffer + (warp * 16 + lane % 16) * 128;
#pragma unroll
    for (int box = 0; box < BN / 64; box++) {
        if (t == 0)
            tma_store_wait_read<0>();
        named_barrier(1 + consumer, 128);
#pragma unroll
        for (int jj = 0; jj < 8; jj += 2) {
            const float *d = acc + (box * 8 + jj) * 4;
            stmatrix_x4(row_smem + (((jj + lane / 16) ^ (lane & 7)) << 4), pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]),
                        pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
        }
        fence_proxy_async();
        named_barrier(1 + consumer, 128);
        if (t == 0) {
            tma_store(map, column + box * 64, row, buffer);
            tma_store_commit();
        }
    }
#endif
}

template <class R>
__global__ void HOPPER_CLUSTER(R::CLUSTER) __launch_bounds__(384, 1)
    bsr_wgmma_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                     const __grid_constant__ CUtensorMap map_c, const __grid_constant__ BsrPlanArrays plan)
{
#ifdef HOPPER_CODE
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, b_smem = smem + R::STAGES * R::A_BYTES;
    const uint32_t c_smem = b_smem + R::STAGES * R::B_BYTES, full = c_smem + R::CONSUMERS * R::BOX;
    const uint32_t empty = full + 8 * R::STAGES;
    BsrRingState ring = {smem, b_smem, full, empty, NULL, 0, 0};
    ring.mask = (volatile uint32_t *)(raw + (empty + 8 * R::STAGES - shared_address(raw)));
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int rank = R::CLUSTER > 1 ? (int)cluster_rank() : 0, cluster = blockIdx.x / R::CLUSTER;

    if (threadIdx.x == 0) {
        tma_prefetch_map(&map_a);
        tma_prefetch_map(&map_b);
        tma_prefetch_map(&map_c);
        for (int s = 0; s < R::STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, 4 * R::CONSUMERS * R::CLUSTER); /* each warp of each consumer */
        }
        mbarrier_init_fence();
    }
    if (R::CLUSTER > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == R::CONSUMERS) {
        registers_give<40>();
        ring.parity = 1;
        if (t == 0)
            bsr_produce<R>(ring, &map_a, &map_b, plan, cluster, rank);
    } else {
        registers_take<232>();
        float acc[R::MINE][R::BN / 2];
        for (int i = plan.first[cluster]; i < plan.first[cluster + 1]; i++) {
            const int tile = plan.tile[i], g = tile >> 16, n = ((tile & 0xffff) * R::CLUSTER + rank) * R::BN;
            bsr_multiply<R>(ring, acc, group, plan.step[g + 1] - plan.step[g], t % 32);
#pragma unroll
            for (int r = 0; r < R::MINE; r++) {
                const int row = plan.row[g * R::ROWS + group * R::MINE + r];
                if (row >= 0)
                    bsr_store<R::BN>(&map_c, acc[r], c_smem + group * R::BOX, group, row * 64, n, t);
            }
        }
        if (t == 0)
            tma_store_wait_read<0>();
    }
    if (R::CLUSTER > 1)
        cluster_sync(); /* a block's shared memory stays until its neighbours have sent their last arrival to it */
#endif
}

/* How many clusters the device runs at the same time: the plan is made for them. Asked once. */
template <class R> static int bsr_wgmma_clusters(void)
{
    static int clusters = 0;
    if (clusters)
        return clusters;
    cudaFuncSetAttribute(bsr_wgmma_kernel<R>, cudaFuncAttributeMaxDynamicSharedMemorySize, R::TOTAL);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = R::CLUSTER;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)whole_clusters(device_multiprocessors(), R::CLUSTER));
    config.blockDim = dim3(384);
    config.dynamicSmemBytes = R::TOTAL;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaOccupancyMaxActiveClusters(&clusters, bsr_wgmma_kernel<R>, &config) != cudaSuccess || clusters < 1)
        clusters = 1;
    const int most = whole_clusters(device_multiprocessors(), R::CLUSTER) / R::CLUSTER;
    return clusters = clusters < most ? clusters : most;
}

/* `blocks`: of A. NULL, or why not. */
template <class R>
static const char *bsr_wgmma_launch(const BsrArguments &p, size_t blocks, const BsrPlan *plan, const int *arrays,
                                    cudaStream_t stream)
{
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    CUtensorMap a, b, c;
    const char *why = tensor_map_2d(&a, type, 2, p.value, (blocks ? blocks : 1) * 64, 64, 64, 64 / R::CLUSTER, 64, 128);
    if (!why)
        why = tensor_map_2d(&b, type, 2, p.B, p.K, p.N, p.N, 64, 64, 128);
    if (!why)
        why = tensor_map_2d(&c, type, 2, p.C, p.M, p.N, p.N, 64, 64, 128);
    if (why)
        return why;
    const BsrPlanArrays on_device = {arrays + plan->block, arrays + plan->column, arrays + plan->step,
                                     arrays + plan->row,   arrays + plan->first,  arrays + plan->tile};
    bsr_wgmma_kernel<R><<<plan->clusters * R::CLUSTER, 384, R::TOTAL, stream>>>(a, b, c, on_device);
    return NULL;
}

#endif
