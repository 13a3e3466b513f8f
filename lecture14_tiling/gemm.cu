/* C = A B in fp32, from the naive kernel to cuBLAS's speed and past it, on the ordinary cores (no tf32).
 *
 * A is M x K, B is K x N, C is M x N, row-major. 2 M N K operations on M K + K N + M N numbers: at 4096 there are 2731
 * operations for each number that must move, so memory need not be the limit. Every rung removes what is the limit
 * instead.
 *
 *   rung                        idea                                                            ./run gemm --rung N
 *   1  naive                    one thread per element, x down the rows: 32 sectors per load
 *   2  coalesced                x along the columns: 4 sectors per load
 *   3  shared tile              32 x 32 tiles: global traffic falls 32 times, two shared loads per multiply-add remain
 *   4  register tile, 1D        8 elements per thread: a value of B serves 8 multiply-adds
 *   5  register tile, 2D        8 x 8 elements per thread: 16 loads for 64 multiply-adds
 *   6  vectorised               A's tile transposed, all loads 16 bytes: 4 load instructions for 64
 *   7  warp tiles               which elements a thread owns, chosen for the banks
 *   8  cp.async                 the next tile travels while this one is multiplied
 *   9  wide thread tile         8 x 16 per thread: 6 load instructions for 128; three stages, one barrier per tile
 *  10  register banks           B's columns in swapped pairs, so that sums and operands are in different banks
 *  12  split-K                  where C has few tiles: K cut as well, and the parts added up (--size 512x512x16384)
 *  11  cuBLAS                   the yardstick
 *
 * Each rung is a file of lecture14_tiling/gemm/. The tensor cores' ladder is gemm_bf16.cu.
 */
#include "device.h"
#include "lab.h"
#include "product.h"
#include "vendor.h"

#include "gemm/01_naive.cuh"
#include "gemm/02_coalesced.cuh"
#include "gemm/03_shared_tile.cuh"
#include "gemm/04_register_tile_1d.cuh"
#include "gemm/05_register_tile_2d.cuh"
#include "gemm/06_vectorised.cuh"
#include "gemm/07_warp_tiles.cuh"
#include "gemm/08_cp_async.cuh"
#include "gemm/09_wide_thread_tile.cuh"
#include "gemm/10_register_banks.cuh"
#include "gemm/12_split_k.cuh"

typedef void Gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static void gemm_vendor(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    vendor_gemm_f32(A, B, C, (size_t)M, (size_t)N, (size_t)K, stream);
}

/* The last number: K and N must be multiples of it. */
static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Gemm, gemm1), LAB_F32, 0, 1},
    {2, "coalesced", LAB_LAUNCH(Gemm, gemm2), LAB_F32, 0, 1},
    {3, "shared tile", LAB_LAUNCH(Gemm, gemm3), LAB_F32, 0, 1},
    {4, "register tile, 1D", LAB_LAUNCH(Gemm, gemm4), LAB_F32, 0, 1},
    {5, "register tile, 2D", LAB_LAUNCH(Gemm, gemm5), LAB_F32, 0, 1},
    {6, "vectorised", LAB_LAUNCH(Gemm, gemm6), LAB_F32, 0, 4},
    {7, "warp tiles", LAB_LAUNCH(Gemm, gemm7), LAB_F32, 0, 4},
    {8, "cp.async", LAB_LAUNCH(Gemm, gemm8), LAB_F32, LAB_NEEDS_SM80, 4},
    {9, "wide thread tile", LAB_LAUNCH(Gemm, gemm9), LAB_F32, LAB_NEEDS_SM80, 1},
    {10, "register banks", LAB_LAUNCH(Gemm, gemm10), LAB_F32, LAB_NEEDS_SM80, 1},
    {12, "split-K", NULL, LAB_F32, LAB_NEEDS_SM80, 1},
    {11, "cuBLAS", LAB_LAUNCH(Gemm, gemm_vendor), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 1},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 65535u * 8 || N > 65535u * 8) /* a grid's y is at most 65535, and the smallest block 8 high */
        return "M and N are at most 524280: a grid has at most 65535 rows of blocks";
    if (K > INT32_MAX / 2)
        return "K must fit 30 bits";
    lab_input(c, 0, M * K, LAB_F32);
    lab_input(c, 1, K * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    /* A sum of K products of numbers below 1 walks about as far as sqrt(K) / 3, and rounds K times on the way. */
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = 1e-5;
    return NULL;
}

/* Split-K's room for the parts, made when it first runs a shape. */
static void run_split(LabCase *c, int M, int N, int K)
{
    int part;
    const int parts = gemm_parts(M, N, K, device_multiprocessors(), &part);
    if (parts > 1 && !c->user)
        CUDA_CHECK(cudaMalloc(&c->user, (size_t)parts * (size_t)M * (size_t)N * sizeof(float)));
    gemm12(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), M, N, K, parts, part, (float *)c->user, c->stream);
}

static void teardown(LabCase *c) { CUDA_CHECK(cudaFree(c->user)); }

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    if (r->number == 12) {
        run_split(c, (int)c->dim[0], (int)c->dim[1], (int)c->dim[2]);
        return;
    }
    ((Gemm *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
                        (int)c->dim[2], c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (r->variant == 4 && (c->dim[1] % 4 != 0 || c->dim[2] % 4 != 0))
        return "N and K must be multiples of 4: it loads 16 bytes at a time, which must begin at multiples of 16";
    return NULL;
}

static const Lab lab = {
    .order = 3,
    .name = "gemm",
    .title = "matrix multiplication in fp32, one idea per rung, to cuBLAS's speed",
    .look = "Go down the table and ask at each rung what the limit was: sectors (1), global loads (2), shared\n"
            "loads (3 to 5), the number of load instructions (6), banks (7), waiting (8), instructions that\n"
            "do not multiply (9), and at last the register file itself (10).",
    .dims = "M N K",
    .size = "4096x4096x4096",
    .cpu_size = "192x192x128",
    .test_sizes = "1x1x1 31x33x32 32x32x32 33x31x17 128x128x16 130x132x20 257x260x40 7x130x61 1x300x4 140x1x36 "
                  "65x37x530 0x5x3 5x0x3 5x7x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = product_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
