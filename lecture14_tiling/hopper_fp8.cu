/* C = A B^T in fp8 (e4m3) with Hopper's instructions: the ladder of `hopper` with operands of half the bytes.
 *
 * A is M x K, B is N x K, C is M x N in bf16, all row-major; the tensor cores multiply fp8 twice as fast as bf16 and
 * add in something like 14 bits. `scales` 0: none. `scales` 1: each 128 elements of a row of A and each 128 x 128 of B
 * have a scale, fp32, which makes eight bits enough for training (DeepSeek-V3's layout).
 *
 *   rung             idea                                                               ./run hopper_fp8 --rung N
 *   1  ring          hopper's 128 x 256 tile, persistent, in fp8: the same bytes per step, twice the K
 *   2  pairs         two blocks of a cluster fetch half of B each
 *   3  ping-pong     the consumers take turns on tiles of 128 x 128
 *   4  stream-K      pairs, and tiles that fill no whole wave are cut along K
 *   5  block scales  a step's sums leave the tensor cores, and are scaled and added by ordinary instructions
 *   6  cuBLASLt      the yardstick, without scales; it adds the tensor cores' sums up in fp32 as rung 5 does, which
 *                    rungs 1 to 4 do not
 *   7  cuBLASLt, fast sums     the same with "fast accumulation", which is what rungs 1 to 4 do
 *   8  cuBLASLt, block scales  the yardstick of rung 5
 *
 * K is a multiple of 16 and N of 8: TMA wants rows of whole 16 bytes. The rungs: hopper/10_whole.cuh, 11_ping_pong.cuh,
 * fp8_blocks.cuh.
 */
#include <math.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "product.h"
#include "vendor.h"

#include "hopper/10_whole.cuh"
#include "hopper/11_ping_pong.cuh"
#include "hopper/fp8_blocks.cuh"

typedef const char *Rung(const HopperGemm *p, cudaStream_t stream);

/* e4m3: sign, 4 bits of exponent (bias 7), 3 of mantissa; no infinities, and NaN only where all bits but the sign are
 * one. */
static double e4m3_value(uint8_t code)
{
    const int exponent = code >> 3 & 15, mantissa = code & 7;
    const double magnitude = exponent ? ldexp(8 + mantissa, exponent - 10) : ldexp(mantissa, -9);
    return code & 0x80 ? -magnitude : magnitude;
}

/* Scale of A at (m, step), of B at (block of n, step). */
static float row_scale(const LabCase *c, size_t m, size_t step) { return lab_h_in_f32(c, 2)[step * c->dim[0] + m]; }
static float block_scale(const LabCase *c, size_t n, size_t step)
{
    return lab_h_in_f32(c, 3)[n / 128 * ((c->dim[2] + 127) / 128) + step];
}

static void gemm_cpu(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    const uint8_t *A = lab_h_in_u8(c, 0), *B = lab_h_in_u8(c, 1);
    double value[256];
    for (int i = 0; i < 256; i++)
        value[i] = e4m3_value((uint8_t)i);
#pragma omp parallel for schedule(dynamic)
    for (size_t m = 0; m < M; m++) {
        const int wanted = lab_sample_row(m, M, (double)N * (double)K);
        for (size_t n = 0; n < N; n++) {
            double sum = 0;
            for (size_t k0 = 0; wanted && k0 < K; k0 += 128) {
                double part = 0;
                for (size_t k = k0; k < K && k < k0 + 128; k++)
                    part += value[A[m * K + k]] * value[B[n * K + k]];
                sum += c->dim[3] ? part * row_scale(c, m, k0 / 128) * block_scale(c, n, k0 / 128) : part;
            }
            c->expect[m * N + n] = wanted ? sum : lab_unchecked();
        }
    }
}

static const char *rung1(const HopperGemm *p, cudaStream_t s)
{
    return whole_launch<E4m3, 128, 256, 4, 1, 1, 0>(p, device_multiprocessors(), 16, 256, s);
}
static const char *rung2(const HopperGemm *p, cudaStream_t s)
{
    return whole_launch<E4m3, 128, 256, 4, 2, 1, 0>(p, device_multiprocessors(), 8, 256, s);
}
static const char *rung3(const HopperGemm *p, cudaStream_t s)
{
    return ping_pong_launch<E4m3, 128, 6, 1, 1>(p, device_multiprocessors(), 16, 256, s);
}
static const char *rung4(const HopperGemm *p, cudaStream_t s)
{
    return whole_launch<E4m3, 128, 256, 4, 2, 1, 1>(p, device_multiprocessors(), 8, 256, s);
}
#define RUNG(n) LAB_LAUNCH(Rung, rung##n)

enum { SCALED = 5, FAST = 7, VENDOR_SCALED = 8 };

/* fp8 is kept as its 8 bits. */
static const LabRung rungs[] = {
    {1, "ring", RUNG(1), LAB_U8, LAB_NEEDS_SM90A, 0},
    {2, "pairs", RUNG(2), LAB_U8, LAB_NEEDS_SM90A, 0},
    {3, "ping-pong", RUNG(3), LAB_U8, LAB_NEEDS_SM90A, 0},
    {4, "stream-K", RUNG(4), LAB_U8, LAB_NEEDS_SM90A, 0},
    {SCALED, "block scales", NULL, LAB_U8, LAB_NEEDS_SM90A, 0},
    {6, "cuBLASLt", NULL, LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {FAST, "cuBLASLt, fast sums", NULL, LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {VENDOR_SCALED, "cuBLASLt, block scales", NULL, LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2], steps = (K + 127) / 128;
    if (M > 1u << 24 || N > 1u << 24 || K > 1u << 24)
        return "M, N and K are at most 16777216: coordinates are ints";
    if (K % 16 || N % 8)
        return "K is a multiple of 16 and N of 8";
    if (c->dim[3] > 1)
        return "scales is 0 or 1";
    for (int i = 0; i < 2; i++) {
        lab_input(c, i, (i ? N : M) * K, LAB_U8);
        uint8_t *codes = lab_h_in_u8(c, i);
#pragma omp parallel for
        for (size_t j = 0; j < (i ? N : M) * K; j++) { /* both signs, exponents -4 to 0 */
            const uint64_t random = random_u64(c->seed + (uint64_t)i, j);
            codes[j] = (uint8_t)((random & 0x87) | (3 + (random >> 8) % 5) << 3);
        }
    }
    lab_input(c, 2, M * steps, LAB_F32);
    lab_input(c, 3, (N + 127) / 128 * steps, LAB_F32);
    lab_fill_uniform(c, 2, 0.25, 2);
    lab_fill_uniform(c, 3, 0.25, 2);
    lab_output(c, M * N, LAB_BF16);
    c->out_width = N;
    /* The tensor cores drop what is less than 2^-13 of the running sum, at each of K / 32 steps, and always towards
     * zero: so many parts of the sum itself, and of what it was on the way, which grows like the square root of K: here
     * twice its standard deviation, for which a product has 0.57. A step of 128 elements that is added in fp32 loses
     * that much of its own sum only. */
    const double steps_lost = c->dim[3] ? 4 : (double)K / 32, step_sum = 1.15 * sqrt(c->dim[3] ? 128.0 : (double)K + 1);
    c->atol = 1.2e-4 * step_sum * (steps_lost + 4) * (c->dim[3] ? 4 * sqrt((double)steps) : 1) + 1e-6;
    c->rtol = 1.0 / 256 + 6e-5 * steps_lost;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if ((r->number == SCALED || r->number == VENDOR_SCALED) != (int)c->dim[3])
        return c->dim[3] ? "knows no scales" : "is for scaled operands";
    if (r->number == VENDOR_SCALED && c->dim[2] % 512)
        return "the library pads the scales of B to four per row: K is a multiple of 512";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M == 0 || N == 0)
        return;
    if (r->flags & LAB_VENDOR) {
        if (r->number == 6)
            vendor_gemm_lt(c->in[0], c->in[1], c->out, VENDOR_E4M3, LAB_BF16, VENDOR_B_TURNED, M, N, K, c->stream);
        else if (r->number == FAST)
            vendor_gemm_fp8(c->in[0], c->in[1], c->out, NULL, NULL, M, N, K, c->stream);
        else
            vendor_gemm_fp8(c->in[0], c->in[1], c->out, lab_in_f32(c, 2), lab_in_f32(c, 3), M, N, K, c->stream);
        return;
    }
    const char *why = hopper_here();
    const HopperGemm p = {c->in[0], c->in[1], c->out, (int)M, (int)N, (int)K, (int)K, (int)K, (int)N};
    const BlockScales scales = {lab_in_f32(c, 2), lab_in_f32(c, 3), (int)(K + 127) / 128};
    if (!why)
        why = r->number == SCALED ? fp8_blocks_launch(&p, &scales, device_multiprocessors(), c->stream)
                                  : ((Rung *)r->launch)(&p, c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    const double M = (double)c->dim[0], N = (double)c->dim[1], K = (double)c->dim[2];
    return M * K + N * K + 2 * M * N;
}

static const Lab lab = {
    .order = 14,
    .name = "hopper_fp8",
    .title = "eight bits per element: twice the speed, and what it takes to keep the digits",
    .page = "hopper.md",
    .look = "Without scales the ladder of `hopper` only changes its element type. With them, compare with cuBLASLt's "
            "time at\n"
            "the same shape without: the difference is what scaling by ordinary instructions costs.",
    .dims = "M N K scales",
    .size = "8192x8192x8192x0 8192x8192x8192x1 4096x4096x4096x0 4096x4096x4096x1",
    .cpu_size = "256x512x256x0 256x512x256x1",
    .test_sizes =
        "128x256x128x0 1x8x16x0 64x8x16x1 200x328x144x0 257x264x272x0 128x256x512x1 257x264x272x1 1000x1032x528x1 "
        "1000x1032x528x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = gemm_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
