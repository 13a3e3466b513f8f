/* C = A B in bf16 on the tensor cores, from wmma to all that mma.sync can give.
 *
 * A is M x K, B is K x N, C is M x N, all bf16 and row-major; products are summed in fp32. The same matrices as in the
 * fp32 ladder at half the bytes, and units ten times as fast: what was the limit there is the limit here at once.
 *
 *   rung                     idea                                                          ./run gemm_bf16 --rung N
 *   1  wmma                  a warp, a 16 x 16 tile, fragments straight from global memory
 *   2  wmma, shared tile     128 x 128 tiles in shared memory, a fragment serves several products
 *   3  mma.sync, ldmatrix    the instruction itself: 64 x 64 per warp, results straight from registers
 *   4  multistage            four tiles in flight by cp.async; a swizzle instead of padding
 *   5  one step ahead        fragments fetched while the step before multiplies; grouped tiles; 16-byte results
 *   6  spread copies         a copy with each row of products instead of a tile's all at once
 *   7  split-K               for thin products: K is cut among blocks too, the last block of a tile adds the parts
 *   8  cuBLASLt              the yardstick: the fastest of its heuristics, which on Hopper use wgmma
 *
 * mma.sync is Ampere's instruction for tensor cores. On Hopper it reaches only about two thirds of their speed; the
 * instruction that reaches all of it, wgmma, is asynchronous and is fed by TMA: the Hopper labs of this lecture.
 *
 * Each rung is a file of lecture14_tiling/gemm/.
 */
#include "lab.h"
#include "product.h"
#include "vendor.h"

#include "gemm/bf16_01_wmma.cuh"
#include "gemm/bf16_02_wmma_shared.cuh"
#include "gemm/bf16_03_mma_sync.cuh"
#include "gemm/bf16_04_multistage.cuh"
#include "gemm/bf16_05_one_step_ahead.cuh"
#include "gemm/bf16_06_spread_copies.cuh"
#include "gemm/bf16_07_split_k.cuh"

typedef __nv_bfloat16 bf16;
typedef void GemmBf16(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K, cudaStream_t stream);

static int splits_for(const LabCase *c)
{
    static int multiprocessors;
    if (multiprocessors == 0)
        CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return gemm_bf16_splits((int)c->dim[0], (int)c->dim[1], (int)c->dim[2], multiprocessors);
}

/* Rungs marked so need a workspace, which setup() makes. */
enum { SPLIT = 9, ANY16 = 16, ANY8 = 8 };

static const LabRung rungs[] = {
    {1, "wmma", LAB_LAUNCH(GemmBf16, gemm_bf16_1), LAB_BF16, LAB_NEEDS_SM80, ANY16},
    {2, "wmma, shared tile", LAB_LAUNCH(GemmBf16, gemm_bf16_2), LAB_BF16, LAB_NEEDS_SM80, ANY8},
    {3, "mma.sync, ldmatrix", LAB_LAUNCH(GemmBf16, gemm_bf16_3), LAB_BF16, LAB_NEEDS_SM80, ANY8},
    {4, "multistage", LAB_LAUNCH(GemmBf16, gemm_bf16_4), LAB_BF16, LAB_NEEDS_SM80, ANY8},
    {5, "one step ahead", LAB_LAUNCH(GemmBf16, gemm_bf16_5), LAB_BF16, LAB_NEEDS_SM80, ANY8},
    {6, "spread copies", LAB_LAUNCH(GemmBf16, gemm_bf16_6), LAB_BF16, LAB_NEEDS_SM80, ANY8},
    {7, "split-K", NULL, LAB_BF16, LAB_NEEDS_SM80, SPLIT},
    {8, "cuBLASLt", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, ANY8},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 65535u * 16 || N > 65535u * 16) /* a grid's y is at most 65535 */
        return "M and N are at most 1048560: a grid has at most 65535 rows of blocks";
    if (K > INT32_MAX / 2)
        return "K must fit 30 bits";
    lab_input(c, 0, M * K, LAB_BF16);
    lab_input(c, 1, K * N, LAB_BF16);
    lab_output(c, M * N, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4; /* as in fp32 */
    c->rtol = 1.0 / 256 + 1e-5;           /* one rounding to 8 bits of mantissa */
    size_t ticket_bytes, bytes = gemm_bf16_workspace((int)M, (int)N, splits_for(c), &ticket_bytes);
    CUDA_CHECK(cudaMemsetAsync(lab_scratch(c, bytes), 0, ticket_bytes, c->stream));
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const bf16 *A = lab_in_bf16(c, 0), *B = lab_in_bf16(c, 1);
    bf16 *C = lab_out_bf16(c);
    int M = (int)c->dim[0], N = (int)c->dim[1], K = (int)c->dim[2];
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    if (r->flags & LAB_VENDOR)
        vendor_gemm_lt(A, B, C, LAB_BF16, LAB_BF16, 0, c->dim[0], c->dim[1], c->dim[2], c->stream);
    else if (r->variant == SPLIT)
        gemm_bf16_split(A, B, C, M, N, K, splits_for(c), c->scratch, c->stream);
    else
        ((GemmBf16 *)r->launch)(A, B, C, M, N, K, c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (r->variant == ANY16 && (c->dim[0] % 16 != 0 || c->dim[1] % 16 != 0 || c->dim[2] % 16 != 0))
        return "M, N and K must be multiples of 16: a fragment read from global memory cannot be half full";
    if (c->dim[1] % 8 != 0 || c->dim[2] % 8 != 0)
        return "N and K must be multiples of 8: it loads 16 bytes at a time, which must begin at multiples of 16";
    return NULL;
}

static const Lab lab = {
    .order = 4,
    .name = "gemm_bf16",
    .title = "the same product on tensor cores: wmma, then mma.sync and its pipeline",
    .look = "Tensor cores are so fast that feeding them is all that counts: rungs 3 to 6 only move data\n"
            "better. At 16 x 4096 x 4096 rung 7 wins, because only many blocks together can read B fast\n"
            "enough.",
    .dims = "M N K",
    .size = "4096x4096x4096 4000x4104x1032 16x4096x4096",
    .cpu_size = "128x128x128",
    .test_sizes = "16x16x16 128x128x32 1x8x8 31x40x24 130x136x72 16x256x512 257x264x40 7x128x64 64x0x16 0x16x8 48x32x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
