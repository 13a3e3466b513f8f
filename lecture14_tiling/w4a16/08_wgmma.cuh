/* 08_wgmma.cuh: the products by wgmma, whose weights are in registers. (Rung 8; before: 07_fewer_instructions.cuh.)
 *
 * From 9 rows of x on, rung 7 waits for mma.sync: it is faster without the products, and not faster without x
 * (results/h200/lecture14/w4a16_read-parts.csv). wgmma multiplies 64 rows of W at a time, 16 per warp, and reads x from
 * shared memory by itself. It takes W in the same registers of a lane as mma.sync. So the units are those of rung 6: a
 * lane only reads other words of them: a warp has 16 rows by a whole group, instead of 32 by half a group. Up to 8 rows
 * of x stay with mma.sync, which takes fewer instructions for so few products: 134 instead of 157. */
#ifndef W4A16_08_WGMMA_CUH
#define W4A16_08_WGMMA_CUH

#include "07_fewer_instructions.cuh"

enum { GROUP_COPIES = SETS * 2 /* of a block's sums: one per set and group of a unit */ };

/* 16 rows per warp of 16 weights by NT * 8 rows of x; FIRST: d is 0 before. Asynchronous. */
template <int NT, bool FIRST>
__device__ __forceinline__ void wgmma_codes(float (&d)[NT][4], const uint32_t a[4], uint64_t x)
{
    static_assert(NT == 2 || NT == 4, "the shapes below");
#define CODES_IN "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(x), "n"(!FIRST)
#define CODES_D(n) "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
    if constexpr (NT == 2)
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {" WGMMA_R8 "}, "
                     "{%8, %9, %10, %11}, %12, p, 1, 1, 0;\n}"
                     : CODES_D(0), CODES_D(1)
                     : CODES_IN
                     : "memory");
    else
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {" WGMMA_R16 "}, "
                     "{%16, %17, %18, %19}, %20, p, 1, 1, 0;\n}"
                     : CODES_D(0), CODES_D(1), CODES_D(2), CODES_D(3)
                     : CODES_IN
                     : "memory");
#undef CODES_D
#undef CODES_IN
}

/* Unpacks STEPS steps of 16 weights while the STEPS steps before them are multiplied. */
template <int NT, int STEPS>
__device__ __forceinline__ void w4a16_by_wgmma(const W4a16 &p, uint8_t *slots, int n0, int m0, int units)
{
    using S = LeanSmem<NT>;
    const uint32_t ring = shared_address(slots);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int set = warp / SET_WARPS, group = warp % SET_WARPS / 4, strip = warp % 4;   /* strips of 16 rows */
    const int rows = group * WIDE_ROWS + strip / 2 * 32 + lane / 4 * 4 + strip % 2 * 2; /* see unit_row() */
    const uint32_t first = kept(ring + set * S::SLOT),
                   of_codes = kept(S::X_BYTES + ((strip / 2 * 4 + group * 2) * 2 + strip % 2) * 512 + lane * 16),
                   of_scales = kept(S::X_BYTES + CODE_BYTES + rows * 2),
                   of_zeros = kept(S::X_BYTES + CODE_BYTES + SCALE_BYTES + rows);
    const uint64_t descriptor = wgmma_descriptor(first + group * 2 * S::BOX_BYTES, 128), upper = descriptor >> 32 << 32;
    const uint32_t x = (uint32_t)descriptor; /* the address is in the lower half, which no slot makes overflow */
    float acc[NT][4] = {};
    uint32_t at = first, parity = 0;
    named_barrier(BEGUN, CONSUMERS + 32);
    for (int u = set; u < units; u += SETS) {
        mbarrier_wait(at + S::FULL, parity);
        __syncwarp();
        const uint4 words[2] = {*(const uint4 *)shared_at(at + of_codes),
                                *(const uint4 *)shared_at(at + of_codes + 1024)};
        const uint32_t word[2][4] = {{words[0].x, words[0].y, words[0].z, words[0].w},
                                     {words[1].x, words[1].y, words[1].z, words[1].w}}; /* [box of x][step] */
        const uint32_t zeros = *(const uint16_t *)shared_at(at + of_zeros),
                       scales = *(const uint32_t *)shared_at(at + of_scales);
        const uint32_t minus[2] = {minus_zero(zeros, 0), minus_zero(zeros, 1)};
        const uint32_t here = x + ((at - first) >> 4);
        float part[NT][4];
        uint32_t a[2][STEPS][4];
#pragma unroll
        for (int first_step = 0; first_step < 8; first_step += STEPS) { /* four of each box of x */
            const int half = first_step / STEPS % 2;
            if (first_step >= 2 * STEPS)
                wgmma_wait<1>(); /* the products that read this half of a */
#pragma unroll
            for (int i = 0; i < STEPS; i++)
                unpack_subnormal(word[(first_step + i) / 4][(first_step + i) % 4], minus, a[half][i]);
            wgmma_fence();
#pragma unroll
            for (int i = 0; i < STEPS; i++) {
                const int step = first_step + i;
                const uint64_t of_step = upper | (here + ((step / 4 * S::BOX_BYTES + step % 4 * 32) >> 4));
                if (step == 0)
                    wgmma_codes<NT, true>(part, a[half][i], of_step);
                else
                    wgmma_codes<NT, false>(part, a[half][i], of_step);
            }
            wgmma_commit();
        }
        wgmma_wait<0>();
        __syncwarp();
        if (lane == 0) /* this warp has read the slot */
            mbarrier_arrive(at + S::EMPTY);
        const float low = __uint_as_float(scales << 16), high = __uint_as_float(scales & 0xffff0000u);
#pragma unroll
        for (int n = 0; n < NT; n++) {
            acc[n][0] += low * part[n][0];
            acc[n][1] += low * part[n][1];
            acc[n][2] += high * part[n][2];
            acc[n][3] += high * part[n][3];
        }
        at += SETS * S::SLOT;
        if (at >= ring + S::BYTES) {
            at = first;
            parity ^= 1;
        }
    }
    named_barrier(ALL_READ, CONSUMERS); /* no warp reads the ring any more: the sums may go there */
    float *sums = w4a16_sums<NT>(slots, set * 2 + group) + strip * 16;
#pragma unroll
    for (int n = 0; n < NT; n++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            sums[(n * 8 + lane % 4 * 2 + e % 2) * WIDE_SUM_ROW + e / 2 * 8 + lane / 4] = acc[n][e];
    named_barrier(ALL_LEFT, CONSUMERS);
    w4a16_store<NT, GROUP_COPIES>(p, slots, n0, m0);
}

template <int NT>
__global__ void __launch_bounds__((WARPS + 1) * 32, 1) w4a16_kernel8(const __grid_constant__ CUtensorMap map_x, W4a16 p)
{
#ifdef HOPPER_CODE
    const LeanBlock b = lean_block<NT>(p);
    if (threadIdx.x / 32 == WARPS)
        w4a16_produce<NT>(map_x, p, shared_address(b.slots), b.m0, b.units);
    else
        w4a16_by_wgmma<NT, 4>(p, b.slots, b.n0, b.m0, b.units);
#endif
}

static const char *w4a16_8(const W4a16 *p, cudaStream_t stream)
{
    return lean_launch(w4a16_kernel7<1>, w4a16_kernel8<2>, w4a16_kernel8<4>, p, stream);
}

#endif
