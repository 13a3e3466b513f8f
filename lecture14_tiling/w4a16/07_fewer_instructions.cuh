/* 07_fewer_instructions.cuh: a quarter fewer instructions for the same products. (Rung 7; before: 06_whole_rows.cuh.)
 *
 * In rung 6 a warp takes 180 instructions for its part of a unit (1 to 8 rows of x), and 202 with 9 to 16 rows. About half
 * are shifts, masks and sums of addresses, of which a quarter of a multiprocessor issues one every other cycle. Here a
 * warp takes 134 and 156:
 *
 *   codes     The bits of a bf16 number without an exponent are worth 2^-133, 2^-132 and so on: it is subnormal. The first
 *             bit of the exponent is worth what would come next. So a code in bits 4 to 7 is 16 times the same code in
 *             bits 0 to 3, no exponent needs to be inserted, and a word needs one shift instead of three. The
 *             multiplication that makes the code a normal number subtracts the zero point, too. Its result is exactly
 *             (code - zero) / 64, because 2^133 is too large a factor for bf16; the sums are multiplied by 64 at the end.
 *   addresses The compiler recomputes a lane's addresses for each slot, unless it cannot see how they were computed:
 *             kept().
 *   barriers  Each slot contains its two barriers, so that one base address is enough.
 *
 * The producer also makes its first requests without waiting for other warps. Tried, and slower: clusters of two blocks
 * that share their boxes of x by multicast, and clusters whose blocks split K. Both halve the bytes of x. */
#ifndef W4A16_07_FEWER_INSTRUCTIONS_CUH
#define W4A16_07_FEWER_INSTRUCTIONS_CUH

#include "06_whole_rows.cuh"

template <int NT> struct LeanSmem {
    enum {
        BOX_BYTES = NT * 8 * 128, /* rows of x, 64 elements of each, swizzled */
        X_BYTES = WIDE_QUARTERS * BOX_BYTES,
        FULL = X_BYTES + UNIT_BYTES, /* a slot: x, the unit, two barriers */
        EMPTY = FULL + 8,
        SLOT = (EMPTY + 8 + 1023) / 1024 * 1024,
        STAGES = NT == 1 ? 8 : 6,
        BYTES = STAGES * SLOT,
        TOTAL = 1024 /* to align */ + BYTES,
        COPY = NT * 8 * WIDE_SUM_ROW, /* floats of one of WIDE_COPIES copies of the sums */
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
    static_assert(STAGES % SETS == 0, "a slot belongs to one set");
    static_assert(2 * COPY * 4 <= FULL && WIDE_COPIES <= 2 * STAGES,
                  "the sums meet in the ring, and spare its barriers");
};

/* A block's ring, its first row of W and of x, and how many units along K it has. */
struct LeanBlock {
    uint8_t *slots;
    int n0, m0, units;
};
template <int NT> __device__ __forceinline__ LeanBlock lean_block(const W4a16 &p)
{
    extern __shared__ uint8_t w4a16_raw[];
    return LeanBlock{w4a16_raw + (1024 - shared_address(w4a16_raw) % 1024) % 1024, (int)blockIdx.x * WIDE_ROWS,
                     (int)blockIdx.y * NT * 8, (p.K + WIDE_COLUMNS - 1) / WIDE_COLUMNS};
}

__device__ __forceinline__ __nv_bfloat162 as_bf16_pair(uint32_t bits)
{
    __nv_bfloat162 pair;
    memcpy(&pair, &bits, 4);
    return pair;
}
__device__ __forceinline__ uint32_t bits_of(__nv_bfloat162 pair)
{
    uint32_t bits;
    memcpy(&bits, &pair, 4);
    return bits;
}

// notes: subnormal
/* -zero / 64 twice, as bf16, from byte i of four zero points: 2^-133 zero by -2^127. */
__device__ __forceinline__ uint32_t minus_zero(uint32_t zeros, int i)
{
    const uint32_t pair = __byte_perm(zeros, 0, (uint32_t)(0x4040 | i | i << 8));
    return bits_of(__hmul2(as_bf16_pair(pair), as_bf16_pair(0xff00ff00u)));
}

/* As unpack_codes() does, but (code - zero) / 64: 2^-133 code by 2^127, or 2^-129 code by 2^123. */
__device__ __forceinline__ void unpack_subnormal(uint32_t word, const uint32_t minus[2], uint32_t a[4])
{
    const __nv_bfloat162 low = as_bf16_pair(0x7f007f00u), high = as_bf16_pair(0x7d007d00u);
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t half = word >> 8 * i;
        a[2 * i] = bits_of(__hfma2(as_bf16_pair(half & 0x000f000fu), low, as_bf16_pair(minus[0])));
        a[2 * i + 1] = bits_of(__hfma2(as_bf16_pair(half & 0x00f000f0u), high, as_bf16_pair(minus[1])));
    }
}
// notes end

/* Returns v, and hides from the compiler how v was computed. */
__device__ __forceinline__ uint32_t kept(uint32_t v)
{
    asm volatile("" : "+r"(v));
    return v;
}
__device__ __forceinline__ const void *shared_at(uint32_t address) { return __cvta_shared_to_generic(address); }

/* The warp that requests everything. It begins without waiting for the others, which wait for it at barrier BEGUN. */
enum { CONSUMERS = WARPS * 32, BEGUN = 1, ALL_READ, ALL_LEFT /* barriers */ };
template <int NT> __device__ __forceinline__ void w4a16_begin(const CUtensorMap &map_x, uint32_t ring)
{
    using S = LeanSmem<NT>;
    const int lane = threadIdx.x % 32;
    if (lane == 0) {
        tma_prefetch_map(&map_x);
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(ring + s * S::SLOT + S::FULL, 1);
            mbarrier_init(ring + s * S::SLOT + S::EMPTY, SET_WARPS);
        }
        mbarrier_init_fence();
    }
    __syncwarp();
}
template <int NT>
__device__ __forceinline__ void w4a16_produce(const CUtensorMap &map_x, const W4a16 &p, uint32_t ring, int m0,
                                              int units)
{
    using S = LeanSmem<NT>;
    w4a16_begin<NT>(map_x, ring);
    named_barrier_arrive(BEGUN, CONSUMERS + 32);
    if (threadIdx.x % 32 == 0) {
        const uint8_t *from = p.wide_units + (size_t)blockIdx.x * units * UNIT_BYTES;
        uint32_t parity = 1; /* an empty ring: the first waits return at once */
        for (int u = 0, slot = 0; u < units; u++) {
            const uint32_t at = ring + slot * S::SLOT, bar = at + S::FULL;
            mbarrier_wait(at + S::EMPTY, parity);
            mbarrier_arrive_expect(bar, UNIT_BYTES + S::X_BYTES);
            bulk_load(at + S::X_BYTES, from + (size_t)u * UNIT_BYTES, UNIT_BYTES, bar);
            tma_load_heads(at, &map_x, 0, m0, u * WIDE_QUARTERS, 0, bar);
            if (++slot == S::STAGES) {
                slot = 0;
                parity ^= 1;
            }
        }
    }
}

/* The place of copy `copy` of the sums. The consumers write COPIES of them, add them up, and write y. */
template <int NT> __device__ __forceinline__ float *w4a16_sums(uint8_t *slots, int copy)
{
    using S = LeanSmem<NT>;
    return (float *)(slots + copy / 2 * S::SLOT) + copy % 2 * S::COPY;
}
template <int NT, int COPIES>
__device__ __forceinline__ void w4a16_store(const W4a16 &p, uint8_t *slots, int n0, int m0)
{
    for (int i = threadIdx.x; i < min(NT * 8, p.M - m0) * (WIDE_ROWS / 4); i += CONSUMERS) {
        const int m = i / (WIDE_ROWS / 4), r = i % (WIDE_ROWS / 4) * 4;
        float four[4] = {0, 0, 0, 0};
#pragma unroll
        for (int copy = 0; copy < COPIES; copy++) {
            const float4 v = *(const float4 *)(w4a16_sums<NT>(slots, copy) + m * WIDE_SUM_ROW + r);
            four[0] += v.x, four[1] += v.y, four[2] += v.z, four[3] += v.w;
        }
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (n0 + r + e < p.N)
                p.y[(size_t)(m0 + m) * p.N + n0 + r + e] = __float2bfloat16(64 * four[e]);
    }
}

/* The other warps: they multiply and write y. */
template <int NT>
__device__ __forceinline__ void w4a16_by_mma(const W4a16 &p, uint8_t *slots, int n0, int m0, int units)
{
    using S = LeanSmem<NT>;
    const uint32_t ring = shared_address(slots);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    enum { AT_ONCE = NT == 1 ? 2 : 1 /* steps for which a load brings x: of 8 rows, or of 16 */ };
    const int set = warp / SET_WARPS, of_set = warp % SET_WARPS, quarter = of_set % WIDE_QUARTERS,
              strip = of_set / WIDE_QUARTERS * 32;
    const int rows = quarter / 2 * WIDE_ROWS + strip + lane / 4 * 4; /* of the scales and zero points of both groups */
    const uint32_t end = ring + set * S::SLOT + S::BYTES, of_codes = kept(S::X_BYTES + of_set * 1024 + lane * 16),
                   of_scales = kept(S::X_BYTES + CODE_BYTES + rows * 2),
                   of_zeros = kept(S::X_BYTES + CODE_BYTES + SCALE_BYTES + rows),
                   of_x = kept(quarter * S::BOX_BYTES + (AT_ONCE == 2 ? lane % 8 : lane / 16 * 8 + lane % 8) * 128 +
                               ((AT_ONCE == 2 ? lane / 8 : lane / 8 % 2) ^ lane % 8) * 16);
    float acc[2][NT][4] = {};
    uint32_t at = end - S::BYTES, parity = 0;
    named_barrier(BEGUN, CONSUMERS + 32);
    for (int u = set; u < units; u += SETS) {
        mbarrier_wait(at + S::FULL, parity);
        const uint4 words[2] = {*(const uint4 *)shared_at(at + of_codes),
                                *(const uint4 *)shared_at(at + of_codes + 512)};
        const uint32_t word[2][4] = {{words[0].x, words[0].y, words[0].z, words[0].w},
                                     {words[1].x, words[1].y, words[1].z, words[1].w}}; /* [strip][step] */
        const uint32_t zeros = *(const uint32_t *)shared_at(at + of_zeros);
        const uint2 scales = *(const uint2 *)shared_at(at + of_scales);
        const uint32_t minus[2][2] = {{minus_zero(zeros, 0), minus_zero(zeros, 1)},
                                      {minus_zero(zeros, 2), minus_zero(zeros, 3)}};
        float part[2][NT][4] = {};
#pragma unroll
        for (int first_step = 0; first_step < 4; first_step += AT_ONCE) {
            uint32_t b[NT * AT_ONCE * 2];
#pragma unroll
            for (int i = 0; i < NT * AT_ONCE / 2; i++)
                ldmatrix_x4(b + i * 4, shared_at(at + (of_x ^ first_step * 32) + i * 2048));
#pragma unroll
            for (int s = 0; s < 2; s++)
#pragma unroll
                for (int step = 0; step < AT_ONCE; step++) {
                    uint32_t a[4];
                    unpack_subnormal(word[s][first_step + step], minus[s], a);
#pragma unroll
                    for (int n = 0; n < NT; n++)
                        mma_m16n8k16_bf16(part[s][n], a, b + (n * AT_ONCE + step) * 2);
                }
        }
        __syncwarp();
        if (lane == 0) /* this warp has read the slot */
            mbarrier_arrive(at + S::EMPTY);
        add_group<NT>(acc, part, scales);
        at += SETS * S::SLOT;
        if (at == end) {
            at -= S::BYTES;
            parity ^= 1;
        }
    }
    named_barrier(ALL_READ, CONSUMERS); /* no warp reads the ring any more: the sums may go there */
    float *sums = w4a16_sums<NT>(slots, set * WIDE_QUARTERS + quarter) + strip;
#pragma unroll
    for (int s = 0; s < 2; s++)
#pragma unroll
        for (int n = 0; n < NT; n++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                sums[(n * 8 + lane % 4 * 2 + e % 2) * WIDE_SUM_ROW + s * 16 + e / 2 * 8 + lane / 4] = acc[s][n][e];
    named_barrier(ALL_LEFT, CONSUMERS);
    w4a16_store<NT, WIDE_COPIES>(p, slots, n0, m0);
}

template <int NT>
__global__ void __launch_bounds__((WARPS + 1) * 32, 1) w4a16_kernel7(const __grid_constant__ CUtensorMap map_x, W4a16 p)
{
#ifdef HOPPER_CODE
    const LeanBlock b = lean_block<NT>(p);
    if (threadIdx.x / 32 == WARPS)
        w4a16_produce<NT>(map_x, p, shared_address(b.slots), b.m0, b.units);
    else
        w4a16_by_mma<NT>(p, b.slots, b.n0, b.m0, b.units);
#endif
}

/* Launches the instance for the rows of x that there are: with NT = 1 for up to 8, 2 for up to 16, or 4 for more. */
static const char *lean_launch(WholeRows *up_to_8, WholeRows *up_to_16, WholeRows *more, const W4a16 *p,
                               cudaStream_t stream, int early = 0)
{
    return p->M <= 8    ? w4a16_rows_launch<1>(up_to_8, LeanSmem<1>::TOTAL, p, stream, early)
           : p->M <= 16 ? w4a16_rows_launch<2>(up_to_16, LeanSmem<2>::TOTAL, p, stream, early)
                        : w4a16_rows_launch<4>(more, LeanSmem<4>::TOTAL, p, stream, early);
}
static const char *w4a16_7(const W4a16 *p, cudaStream_t stream)
{
    return lean_launch(w4a16_kernel7<1>, w4a16_kernel7<2>, w4a16_kernel7<4>, p, stream);
}

#endif
