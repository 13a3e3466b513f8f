/* C = A B^T in bf16 with Hopper's own instructions: TMA fetches, wgmma multiplies, mbarriers keep them in step.
 *
 * A is M x K, B is N x K (as the weights of a linear layer, y = x W^T, are stored), C is M x N, all bf16 and row-major;
 * products are summed in fp32. The ladder of gemm_bf16 ends at half of the data sheet; this one begins with the
 * instruction that reaches the rest, and ends beside the vendor's library.
 *
 *   rung                  idea                                                              ./run hopper --rung N
 *   1  TMA and wgmma      one thread fetches a 128-byte-swizzled tile, 128 threads multiply it, and again
 *   2  bigger tile        128 x 256 by two warpgroups: fewer bytes for each product
 *   3  ring               a producer warpgroup fetches ahead through a ring of slots; consumers get its registers
 *   4  128 x 256 ring     the ring with two consumers on the bigger tile
 *   5  persistent         one block per multiprocessor: the producer fetches the next tile while this one is written
 *   6  grouped order      tiles in flight form a square, so that L2 serves each operand several times
 *   7  Hilbert order      the same by a space-filling curve
 *   8  multicast          two blocks of a cluster fetch half of B each, for both
 *   9  TMA store          stmatrix into shared memory, TMA to C: written in full lines, beside the next product
 *  10  stream-K           tiles that fill no whole wave are cut along K and shared out
 *  11  ping-pong          the consumers take turns: one stores its tile while the other multiplies
 *  12  tile by size       the tile shape, and for small batches split K, chosen by timing them once for each shape
 *  13  cuBLASLt           the yardstick: the fastest of its heuristics
 *
 * TMA needs rows that are multiples of 16 bytes. Where K or N is no multiple of 8 the operands are copied to padded
 * rows first, in the timed run.
 *
 * The notes, with what each rung was predicted and measured to gain: hopper.md. The rungs: lecture14_tiling/hopper/.
 */
#include <stdlib.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "product.h"
#include "vendor.h"

#include "hopper/01_single_stage.cuh"
#include "hopper/03_ring.cuh"
#include "hopper/05_persistent.cuh"
#include "hopper/08_multicast.cuh"
#include "hopper/09_tma_store.cuh"
#include "hopper/10_whole.cuh"
#include "hopper/11_ping_pong.cuh"
#include "hopper/12_choose.cuh"

typedef const char *Rung(const HopperGemm *p, cudaStream_t stream);

static void gemm_cpu(LabCase *c) { product_cpu_of(c, 0, 1, 1); }

static const char *rung1(const HopperGemm *p, cudaStream_t s) { return hopper1_launch<128, 128, 1>(p, s); }
static const char *rung2(const HopperGemm *p, cudaStream_t s) { return hopper1_launch<128, 256, 2>(p, s); }
static const char *rung3(const HopperGemm *p, cudaStream_t s) { return hopper3_launch<128, 128, 6>(p, s); }
static const char *rung4(const HopperGemm *p, cudaStream_t s) { return hopper3_launch<128, 256, 4>(p, s); }
static const char *rung5(const HopperGemm *p, cudaStream_t s)
{
    return hopper5_launch<128, 256, 4>(p, device_multiprocessors(), 1, NULL, s);
}
static const char *rung6(const HopperGemm *p, cudaStream_t s)
{
    return hopper5_launch<128, 256, 4>(p, device_multiprocessors(), 16, NULL, s);
}
static const char *rung7(const HopperGemm *p, cudaStream_t s)
{
    const uint32_t *order = hilbert_on_device((p->M + 127) / 128, (p->N + 255) / 256);
    return hopper5_launch<128, 256, 4>(p, device_multiprocessors(), 1, order, s);
}
static const char *rung8(const HopperGemm *p, cudaStream_t s)
{
    return hopper8_launch<128, 256, 4>(p, device_multiprocessors(), 8, s);
}
static const char *rung9(const HopperGemm *p, cudaStream_t s)
{
    return hopper9_launch<128, 256, 4>(p, device_multiprocessors(), 8, s);
}
static const char *rung10(const HopperGemm *p, cudaStream_t s)
{
    return whole_launch<Bf16, 128, 256, 4, 2, 1, 1>(p, device_multiprocessors(), 8, 256, s);
}
static const char *rung11(const HopperGemm *p, cudaStream_t s)
{
    return ping_pong_by_waves(p, device_multiprocessors(), s);
}
static const char *rung12(const HopperGemm *p, cudaStream_t s) { return choose_launch(p, s); }
#define RUNG(n) LAB_LAUNCH(Rung, rung##n)

static const LabRung rungs[] = {
    {1, "TMA and wgmma", RUNG(1), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {2, "bigger tile", RUNG(2), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {3, "ring", RUNG(3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "128 x 256 ring", RUNG(4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "persistent", RUNG(5), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "grouped order", RUNG(6), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "Hilbert order", RUNG(7), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "multicast", RUNG(8), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {9, "TMA store", RUNG(9), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {10, "stream-K", RUNG(10), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {11, "ping-pong", RUNG(11), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {12, "tile by size", RUNG(12), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {13, "cuBLASLt", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1u << 24 || N > 1u << 24 || K > 1u << 24)
        return "M, N and K are at most 16777216: coordinates are ints";
    lab_input(c, 0, M * K, LAB_BF16);
    lab_input(c, 1, N * K, LAB_BF16);
    lab_output(c, M * N, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol =
        1e-6 * (1 + (double)K) / 4; /* fp32 sums: an ulp of the running sum at each of K steps, seldom all one way */
    c->rtol = 1.0 / 256 + 1e-5;     /* one rounding to bf16's 8 bits */
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M == 0 || N == 0)
        return;
    if (r->flags & LAB_VENDOR) {
        vendor_gemm_lt(c->in[0], c->in[1], c->out, LAB_BF16, LAB_BF16, 1, M, N, K, c->stream);
        return;
    }
    const char *why = hopper_here();
    if (!why && K == 0)
        CUDA_CHECK(cudaMemsetAsync(c->out, 0, M * N * 2, c->stream)); /* an empty sum */
    if (!why && K > 0) {
        HopperGemm p = {c->in[0], c->in[1], c->out, (int)M, (int)N, (int)K, (int)K, (int)K, (int)N};
        why = padded_launch((Rung *)r->launch, p, lab_scratch(c, padded_bytes(&p)), c->stream);
    }
    if (why)
        lab_skip("%s", why);
}

static const Lab lab = {
    .order = 12,
    .name = "hopper",
    .title = "tensor cores fed by Hopper's copy engine: the ladder to the vendor's speed",
    .page = "hopper.md",
    .look = "Rung 2 loses the overlap between three blocks that rung 1 had by luck; rung 3 builds it on purpose:\n"
            "fetching and multiplying are different warps' work. The rest is bytes saved.\n"
            "On random data the clock falls with the power it costs to move bits: moving fewer is faster.",
    .dims = "M N K",
    .size = "8192x8192x8192 4096x4096x4096 2048x2048x2048 4000x4104x1032 16x4096x4096",
    .cpu_size = "256x512x128",
    .small_sizes = "128x256x64 1x1x1 31x33x32 200x328x136 16x512x1024 0x8x8 8x8x0",
    .test_sizes =
        "128x256x64 1x1x1 31x33x32 64x8x8 128x256x512 200x328x136 257x521x263 16x512x1024 1000x1032x264 100x184x2056 "
        "100x56x1096 "
        "2304x2304x264 300x344x136 30x264x136 40x1400x456 0x8x8 "
        "8x8x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = gemm_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
