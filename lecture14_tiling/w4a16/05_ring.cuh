/* 05_ring.cuh: the copy engine reads ahead. (Rung 5; before: 03_tensor_cores.cuh.)
 *
 * To keep the memory busy, a multiprocessor needs tens of kilobytes on their way at any time, and a warp that loads into
 * registers has no room for that. Here one thread requests a unit, 8576 contiguous bytes, with one instruction, and
 * the group's columns of x with two more. The ring has 20 slots (16, 12 with more rows of x): at K = 8192 and two parts, most
 * of what a block will ever need is on its way before the first product.
 *
 * A product needs no barrier between warps: each waits for a slot's bytes, and says when it has read them. The warps
 * are two sets, which take turns: while one waits for its products, the other takes codes apart. Tried, and slower: to
 * request the whole ring's weights first and x after them, so that the first product waits for half of all bytes. */
#ifndef W4A16_05_RING_CUH
#define W4A16_05_RING_CUH

#include "03_tensor_cores.cuh"

template <int NT> struct RingSmem {
    enum {
        BOX_BYTES = NT * 8 * 128, /* rows of x, 64 elements of each, swizzled */
        X_BYTES = 2 * BOX_BYTES,
        STAGES = NT == 1   ? 20
                 : NT == 2 ? 16
                           : 12,
        UNITS = STAGES * X_BYTES, /* where the units begin */
        BYTES = UNITS + STAGES * UNIT_BYTES,
        TOTAL = 1024 /* to align */ + BYTES,
    };
    static_assert(TOTAL + 16 * STAGES <= 232448, "a block has 227 KB of shared memory");
    /* If both sets read a slot, a warp waits for every second fill of it, whose parity the fill it has read has, too. */
    static_assert(STAGES % SETS == 0, "a slot belongs to one set");
    static_assert(COPIES * NT * 8 * SUM_ROW * 4 <= BYTES, "the sums meet in the ring");
};

template <int NT>
__global__ void __launch_bounds__((WARPS + 1) * 32, 1)
    w4a16_kernel5(const __grid_constant__ CUtensorMap map_x, W4a16 p, int parts)
{
#ifdef HOPPER_CODE
    using S = RingSmem<NT>;
    extern __shared__ uint8_t w4a16_raw[];
    __shared__ uint64_t full[S::STAGES], empty[S::STAGES];
    uint8_t *const ring = w4a16_raw + (1024 - shared_address(w4a16_raw) % 1024) % 1024;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, rank = (int)cluster_rank();
    const int n0 = blockIdx.x / parts * UNIT_ROWS, m0 = blockIdx.y * NT * 8, groups = p.K / GROUP;
    const int begin = groups * rank / parts, end = groups * (rank + 1) / parts;

    if (threadIdx.x == WARPS * 32) {
        tma_prefetch_map(&map_x);
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(shared_address(&full[s]), 1);
            mbarrier_init(shared_address(&empty[s]), SET_WARPS);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    float acc[2][NT][4] = {};
    int slot = 0;
    if (warp == WARPS) { /* ------------------------------------------------------------------------ producer */
        if (lane == 0) {
            const uint8_t *units = p.units + (size_t)(n0 / UNIT_ROWS) * groups * UNIT_BYTES;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            for (int g = begin; g < end; g++) {
                const uint32_t bar = shared_address(&full[slot]), x = shared_address(ring) + slot * S::X_BYTES;
                mbarrier_wait(shared_address(&empty[slot]), parity);
                mbarrier_arrive_expect(bar, UNIT_BYTES + S::X_BYTES);
                bulk_load(shared_address(ring) + S::UNITS + slot * UNIT_BYTES, units + (size_t)g * UNIT_BYTES,
                          UNIT_BYTES, bar);
                tma_load(x, &map_x, g * GROUP, m0, bar);
                tma_load(x + S::BOX_BYTES, &map_x, g * GROUP + 64, m0, bar);
                if (++slot == S::STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
        }
    } else { /* ------------------------------------------------------------------------------------ consumers */
        const int of_set = warp % SET_WARPS, rows = of_set / 2 * 32 + lane / 4 * 4;
        uint32_t parity = 0;
        slot = warp / SET_WARPS;
        for (int g = begin + slot; g < end; g += SETS) {
            const uint8_t *unit = ring + S::UNITS + slot * UNIT_BYTES,
                          *x = ring + slot * S::X_BYTES + of_set % 2 * S::BOX_BYTES;
            mbarrier_wait(shared_address(&full[slot]), parity);
            const uint4 words[2] = {((const uint4 *)unit)[of_set * 64 + lane],
                                    ((const uint4 *)unit)[of_set * 64 + 32 + lane]};
            const uint32_t word[2][4] = {{words[0].x, words[0].y, words[0].z, words[0].w},
                                         {words[1].x, words[1].y, words[1].z, words[1].w}}; /* [strip][step] */
            const uint2 scales = *(const uint2 *)(unit + CODE_BYTES + rows * 2);
            const uint32_t zeros = *(const uint32_t *)(unit + CODE_BYTES + SCALE_BYTES + rows);
            const uint32_t zero[2][2] = {{zero_pair(zeros, 0), zero_pair(zeros, 1)},
                                         {zero_pair(zeros, 2), zero_pair(zeros, 3)}};
            float part[2][NT][4] = {};
#pragma unroll
            for (int two = 0; two < 2; two++) { /* a load brings x for two steps */
                uint32_t b[NT][4];
#pragma unroll
                for (int n = 0; n < NT; n++)
                    ldmatrix_x4(b[n], x + (n * 8 + lane % 8) * 128 + ((two * 4 + lane / 8) ^ (lane % 8)) * 16);
#pragma unroll
                for (int s = 0; s < 2; s++)
#pragma unroll
                    for (int step = 0; step < 2; step++) {
                        uint32_t a[4];
                        unpack_codes(word[s][two * 2 + step], zero[s], a);
#pragma unroll
                        for (int n = 0; n < NT; n++)
                            mma_m16n8k16_bf16(part[s][n], a, b[n] + step * 2);
                    }
            }
            __syncwarp();
            if (lane == 0) /* this warp has read the slot */
                mbarrier_arrive(shared_address(&empty[slot]));
            add_group<NT>(acc, part, scales);
            slot += SETS;
            if (slot >= S::STAGES) {
                slot -= S::STAGES;
                parity ^= 1;
            }
        }
        named_barrier(1, WARPS * 32); /* no warp reads the ring any more: the sums may go there */
        leave_sums<NT>((float *)ring, acc);
    }
    cluster_sync();
    store_sums<NT, true>(p, (const float *)ring, n0, m0, rank, parts);
    cluster_sync(); /* no block leaves while another one reads its sums */
#endif
}

template <int NT> static const char *w4a16_5_launch(const W4a16 *p, cudaStream_t stream)
{
    CUtensorMap map;
    const char *why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->x, (uint64_t)p->M, (uint64_t)p->K,
                                    (uint64_t)p->K, NT * 8, 64, 128);
    if (why)
        return why;
    Clusters c;
    const int parts = w4a16_parts(p, device_multiprocessors());
    clusters_of(&c, p, NT * 8, parts, (WARPS + 1) * 32, RingSmem<NT>::TOTAL, stream);
    CUDA_CHECK(
        cudaFuncSetAttribute(w4a16_kernel5<NT>, cudaFuncAttributeMaxDynamicSharedMemorySize, RingSmem<NT>::TOTAL));
    CUDA_CHECK(cudaLaunchKernelEx(&c.config, w4a16_kernel5<NT>, map, *p, parts));
    return NULL;
}
static const char *w4a16_5(const W4a16 *p, cudaStream_t stream)
{
    return p->M <= 8    ? w4a16_5_launch<1>(p, stream)
           : p->M <= 16 ? w4a16_5_launch<2>(p, stream)
                        : w4a16_5_launch<4>(p, stream);
}

#endif
