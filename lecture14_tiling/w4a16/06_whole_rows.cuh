/* 06_whole_rows.cuh: a block has half as many rows, and all of K. (Rung 6; before: 05_ring.cuh.)
 *
 * With 128 rows per block, 8192 rows make 64 blocks, and K must be cut so that all multiprocessors read. Then two blocks
 * have parts of the same sums: they wait for each other, add through each other's shared memory, and wait again, when
 * no weight is left to read. With 64 rows there are 128 blocks, none has anything for another one, and no cluster is
 * needed. The price: each block reads all of x.
 *
 * A unit has 64 rows by two groups, as many bytes as before. Of a set's eight warps two are along the rows, four along
 * the 256 columns, so that eight sums of each element meet in shared memory.
 *
 * x comes in four boxes of 64 columns, each for one of these warps. With 9 to 16 rows a tensor of three dimensions brings
 * all four by one instruction, which is faster there, and slower with fewer rows. Half as many slots as there is room for
 * are as fast as all with few rows, and faster with 9 to 16. */
#ifndef W4A16_06_WHOLE_ROWS_CUH
#define W4A16_06_WHOLE_ROWS_CUH

#include "05_ring.cuh"

enum {
    WIDE_QUARTERS = 4, /* warps of a set along a unit's columns, 64 each */
    WIDE_COPIES = SETS * WIDE_QUARTERS,
    WIDE_SUM_ROW = WIDE_ROWS + 4,
};

template <int NT> struct WideSmem {
    enum {
        BOX_BYTES = NT * 8 * 128, /* rows of x, 64 elements of each, swizzled */
        X_BYTES = WIDE_QUARTERS * BOX_BYTES,
        STAGES = NT == 1   ? 8
                 : NT == 2 ? 6
                           : 8,
        ONE_BOX = NT == 2,
        UNITS = STAGES * X_BYTES, /* where the units begin */
        BYTES = UNITS + STAGES * UNIT_BYTES,
        TOTAL = 1024 /* to align */ + BYTES,
    };
    static_assert(TOTAL + 16 * STAGES <= 232448, "a block has 227 KB of shared memory");
    static_assert(STAGES % SETS == 0, "a slot belongs to one set");
    static_assert(WIDE_COPIES * NT * 8 * WIDE_SUM_ROW * 4 <= BYTES, "the sums meet in the ring");
};

template <int NT>
__global__ void __launch_bounds__((WARPS + 1) * 32, 1) w4a16_kernel6(const __grid_constant__ CUtensorMap map_x, W4a16 p)
{
#ifdef HOPPER_CODE
    using S = WideSmem<NT>;
    extern __shared__ uint8_t w4a16_raw[];
    __shared__ uint64_t full[S::STAGES], empty[S::STAGES];
    uint8_t *const ring = w4a16_raw + (1024 - shared_address(w4a16_raw) % 1024) % 1024;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int n0 = blockIdx.x * WIDE_ROWS, m0 = blockIdx.y * NT * 8, units = (p.K + WIDE_COLUMNS - 1) / WIDE_COLUMNS;

    if (threadIdx.x == WARPS * 32) {
        tma_prefetch_map(&map_x);
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(shared_address(&full[s]), 1);
            mbarrier_init(shared_address(&empty[s]), SET_WARPS);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (warp == WARPS) { /* ------------------------------------------------------------------------ producer */
        if (lane == 0) {
            const uint8_t *from = p.wide_units + (size_t)blockIdx.x * units * UNIT_BYTES;
            uint32_t parity = 1; /* an empty ring: the first waits return at once */
            for (int u = 0, slot = 0; u < units; u++) {
                const uint32_t bar = shared_address(&full[slot]), x = shared_address(ring) + slot * S::X_BYTES;
                mbarrier_wait(shared_address(&empty[slot]), parity);
                mbarrier_arrive_expect(bar, UNIT_BYTES + S::X_BYTES);
                bulk_load(shared_address(ring) + S::UNITS + slot * UNIT_BYTES, from + (size_t)u * UNIT_BYTES,
                          UNIT_BYTES, bar);
                if (S::ONE_BOX)
                    tma_load_heads(x, &map_x, 0, m0, u * WIDE_QUARTERS, 0, bar);
                for (int q = 0; q < (S::ONE_BOX ? 0 : WIDE_QUARTERS); q++)
                    tma_load(x + q * S::BOX_BYTES, &map_x, u * WIDE_COLUMNS + q * 64, m0, bar);
                if (++slot == S::STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
        }
        return;
    }
    /* ------------------------------------------------------------------------------------------------ consumers */
    const int of_set = warp % SET_WARPS, quarter = of_set % WIDE_QUARTERS, strip = of_set / WIDE_QUARTERS * 32;
    const int rows = quarter / 2 * WIDE_ROWS + strip + lane / 4 * 4; /* of the scales and zero points of both groups */
    float acc[2][NT][4] = {};
    uint32_t parity = 0;
    int slot = warp / SET_WARPS;
    for (int u = slot; u < units; u += SETS) {
        const uint8_t *unit = ring + S::UNITS + slot * UNIT_BYTES,
                      *x = ring + slot * S::X_BYTES + quarter * S::BOX_BYTES;
        mbarrier_wait(shared_address(&full[slot]), parity);
        const uint4 words[2] = {((const uint4 *)unit)[of_set * 64 + lane],
                                ((const uint4 *)unit)[of_set * 64 + 32 + lane]};
        const uint32_t word[2][4] = {{words[0].x, words[0].y, words[0].z, words[0].w},
                                     {words[1].x, words[1].y, words[1].z, words[1].w}}; /* [strip][step] */
        const uint32_t zeros = *(const uint32_t *)(unit + CODE_BYTES + SCALE_BYTES + rows);
        const uint2 scales = *(const uint2 *)(unit + CODE_BYTES + rows * 2);
        float part[2][NT][4] = {};
#pragma unroll
        for (int two = 0; two < 2; two++) { /* a load brings x for two steps */
            uint32_t b[NT][4];
#pragma unroll
            for (int n = 0; n < NT; n++)
                ldmatrix_x4(b[n], x + (n * 8 + lane % 8) * 128 + ((two * 4 + lane / 8) ^ (lane % 8)) * 16);
#pragma unroll
            for (int s = 0; s < 2; s++) {
                const uint32_t zero[2] = {zero_pair(zeros, 2 * s), zero_pair(zeros, 2 * s + 1)};
#pragma unroll
                for (int step = 0; step < 2; step++) {
                    uint32_t a[4];
                    unpack_codes(word[s][two * 2 + step], zero, a);
#pragma unroll
                    for (int n = 0; n < NT; n++)
                        mma_m16n8k16_bf16(part[s][n], a, b[n] + step * 2);
                }
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
    float *sums = (float *)ring + (warp / SET_WARPS * WIDE_QUARTERS + quarter) * NT * 8 * WIDE_SUM_ROW + strip;
#pragma unroll
    for (int s = 0; s < 2; s++)
#pragma unroll
        for (int n = 0; n < NT; n++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                sums[(n * 8 + lane % 4 * 2 + e % 2) * WIDE_SUM_ROW + s * 16 + e / 2 * 8 + lane / 4] = acc[s][n][e];
    named_barrier(1, WARPS * 32);
    for (int i = threadIdx.x; i < min(NT * 8, p.M - m0) * (WIDE_ROWS / 4); i += WARPS * 32) {
        const int m = i / (WIDE_ROWS / 4), r = i % (WIDE_ROWS / 4) * 4;
        float four[4] = {0, 0, 0, 0};
#pragma unroll
        for (int copy = 0; copy < WIDE_COPIES; copy++) {
            const float4 v = *(const float4 *)((const float *)ring + (copy * NT * 8 + m) * WIDE_SUM_ROW + r);
            four[0] += v.x, four[1] += v.y, four[2] += v.z, four[3] += v.w;
        }
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (n0 + r + e < p.N)
                p.y[(size_t)(m0 + m) * p.N + n0 + r + e] = __float2bfloat16(four[e]);
    }
#endif
}

/* x as [K / 64][M][64], of which a box is the four boxes of a unit: a tensor of four dimensions, the last of which is 1, for
 * tma_load_heads(). NULL, or the reason why not. */
static const char *w4a16_quarters_map(CUtensorMap *map, const W4a16 *p, uint32_t rows)
{
    TensorMapEncode *encode = tensor_map_encode();
    if (!encode)
        return "the driver has no cuTensorMapEncodeTiled";
    const cuuint64_t row = (cuuint64_t)p->K * 2, size[4] = {64, (cuuint64_t)p->M, (cuuint64_t)p->K / 64, 1},
                     stride[3] = {row, 128, (cuuint64_t)p->M * row};
    const cuuint32_t box[4] = {64, rows, WIDE_QUARTERS, 1}, step[4] = {1, 1, 1, 1};
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, (void *)p->x, size, stride, box, step,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
               ? NULL
               : "the driver refused this tensor map";
}

/* Launches a kernel of whole rows, NT eights of rows of x and 64 rows of W per block, with `bytes` of shared memory. With
 * `early` it may begin before the kernel before it in the stream has ended (rung 9). */
typedef void WholeRows(CUtensorMap, W4a16);
template <int NT, bool ONE_BOX = true>
static const char *w4a16_rows_launch(WholeRows *kernel, int bytes, const W4a16 *p, cudaStream_t stream, int early = 0)
{
    CUtensorMap map;
    const char *why = ONE_BOX ? w4a16_quarters_map(&map, p, NT * 8)
                              : tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p->x, (uint64_t)p->M,
                                              (uint64_t)p->K, (uint64_t)p->K, NT * 8, 64, 128);
    if (why)
        return why;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)((p->N + WIDE_ROWS - 1) / WIDE_ROWS), (unsigned)((p->M + NT * 8 - 1) / (NT * 8)));
    config.blockDim = dim3((WARPS + 1) * 32);
    config.dynamicSmemBytes = (size_t)bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, map, *p));
    return NULL;
}
template <int NT> static const char *w4a16_6_launch(const W4a16 *p, cudaStream_t stream)
{
    return w4a16_rows_launch<NT, WideSmem<NT>::ONE_BOX>(w4a16_kernel6<NT>, WideSmem<NT>::TOTAL, p, stream);
}
static const char *w4a16_6(const W4a16 *p, cudaStream_t stream)
{
    return p->M <= 8    ? w4a16_6_launch<1>(p, stream)
           : p->M <= 16 ? w4a16_6_launch<2>(p, stream)
                        : w4a16_6_launch<4>(p, stream);
}

#endif
