/* 2:4 sparse times dense with Hopper's own instructions: sparse wgmma on the ring of lecture 14.
 *
 * A is M x K, pruned to 2:4 along its rows and compressed (common/sparse.h); B is dense and stored N x K. bf16 with
 * fp32 sums and C in bf16, or int8 with s32 sums and C in s32. Rates count the operations of the dense product,
 * 2 M N K.
 *
 * The sparse instruction does twice the work of the dense one in the same time, out of the same shared memory: it needs
 * 144 bytes per cycle where 128 are available, before TMA has written a byte. So most rungs here save traffic of
 * shared memory.
 *
 *   rung                    idea                                                     ./run hopper_sparse --rung N
 *   bf16
 *   1  sparse wgmma         128 x 256 tiles; metadata straight from global memory, reordered offline
 *   2  taller tile          256 x 192: a byte of B written to shared memory serves twice the rows
 *   3  multicast            128 x 256 again, two blocks of a cluster fetching half of B each, for both
 *   4  stream-K             tiles that fill no whole wave are cut along K and shared by all
 *   5  tile by size         the shape chosen by timing the candidates once
 *   7  cuBLASLt dense       8  cuSPARSELt    9  cuSPARSELt, searched: the yardstick
 *   int8
 *  11  sparse wgmma        12  multicast    13  stream-K     14  tile by size
 *  17  cuBLASLt dense      18  cuSPARSELt   19  cuSPARSELt, searched
 *   fp8 (e4m3, kept as its 8 bits; C in bf16)
 *  21  sparse wgmma        22  multicast    23  stream-K     24  tile by size
 *  27  cuBLASLt dense      28  cuSPARSELt   29  cuSPARSELt, searched
 *
 * The dense rung is verified on the pruned matrix and timed on the unpruned one: on zeros a GPU draws less power and
 * runs faster. The notes: hopper.md. The kernel: lecture11_sparsity/hopper_sparse/.
 */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "product.h"
#include "sparse.h"
#include "vendor.h"

#include "hopper_sparse/meta_order.h"
#include "hopper_sparse/choose_sparse.cuh"
#include "hopper_sparse/ring_sparse.cuh"

/* What a rung gets. */
typedef struct Product {
    const void *dense; /* A, pruned or not */
    HopperGemm sparse; /* A is the kept elements */
    const uint32_t *meta;
    int type;
    cudaStream_t stream;
} Product;
typedef const char *Multiply(const Product *p);

static const char *sparse1(const Product *p)
{
    return ring_sparse_launch<Bf16, 128, 256, 5, 2, 1, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 16,
                                                                p->stream);
}
static const char *sparse2(const Product *p)
{
    return ring_sparse_launch<Bf16, 256, 192, 5, 2, 1, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                                p->stream);
}
static const char *sparse3(const Product *p)
{
    return ring_sparse_launch<Bf16, 128, 256, 5, 2, 2, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                                p->stream);
}
static const char *sparse4(const Product *p)
{
    return ring_sparse_launch<Bf16, 128, 256, 5, 2, 2, 1, 1, 1>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                                p->stream);
}
static const char *sparse5(const Product *p) { return choose_sparse_launch<Bf16>(&p->sparse, p->meta, p->stream); }
static const char *sparse11(const Product *p)
{
    return ring_sparse_launch<S8, 128, 256, 5, 2, 1, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 16,
                                                              p->stream);
}
static const char *sparse12(const Product *p)
{
    return ring_sparse_launch<S8, 128, 256, 5, 2, 2, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                              p->stream);
}
static const char *sparse13(const Product *p)
{
    return ring_sparse_launch<S8, 128, 256, 5, 2, 2, 1, 1, 1>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                              p->stream);
}
static const char *sparse14(const Product *p) { return choose_sparse_launch<S8>(&p->sparse, p->meta, p->stream); }
static const char *sparse21(const Product *p)
{
    return ring_sparse_launch<E4m3, 128, 256, 5, 2, 1, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 16,
                                                                p->stream);
}
static const char *sparse22(const Product *p)
{
    return ring_sparse_launch<E4m3, 128, 256, 5, 2, 2, 1, 1, 0>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                                p->stream);
}
static const char *sparse23(const Product *p)
{
    return ring_sparse_launch<E4m3, 128, 256, 5, 2, 2, 1, 1, 1>(&p->sparse, p->meta, device_multiprocessors(), 8,
                                                                p->stream);
}
static const char *sparse24(const Product *p) { return choose_sparse_launch<E4m3>(&p->sparse, p->meta, p->stream); }
#define RUNG(n) LAB_LAUNCH(Multiply, sparse##n)

static LabType result_type(int type) { return type == LAB_S8 ? LAB_S32 : LAB_BF16; }
static int vendor_type(int type) { return type == LAB_U8 ? (int)VENDOR_E4M3 : type; }

static const char *dense_vendor(const Product *p)
{
    const HopperGemm *g = &p->sparse;
    vendor_gemm_lt(p->dense, g->B, g->C, vendor_type(p->type), result_type(p->type), 1, (size_t)g->M, (size_t)g->N,
                   (size_t)g->K, p->stream);
    return NULL;
}

/* The library compresses on its first call and keeps the result: it always gets the pruned matrix. */
static const char *sparse_vendor(const Product *p, int search)
{
    const HopperGemm *g = &p->sparse;
    vendor_gemm_sparse24(p->dense, g->B, g->C, vendor_type(p->type), result_type(p->type), 1, (size_t)g->M,
                         (size_t)g->N, (size_t)g->K, search, p->stream);
    return NULL;
}
static const char *sparse_vendor_default(const Product *p) { return sparse_vendor(p, 0); }
static const char *sparse_vendor_searched(const Product *p) { return sparse_vendor(p, 1); }

enum { USES_UNPRUNED = 1 }; /* LabRung.variant */

static const LabRung rungs[] = {
    {1, "sparse wgmma", RUNG(1), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {2, "taller tile", RUNG(2), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {3, "multicast", RUNG(3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "stream-K", RUNG(4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "tile by size", RUNG(5), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {9, "cuSPARSELt, searched", LAB_LAUNCH(Multiply, sparse_vendor_searched), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {8, "cuSPARSELt", LAB_LAUNCH(Multiply, sparse_vendor_default), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {7, "cuBLASLt dense", LAB_LAUNCH(Multiply, dense_vendor), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, USES_UNPRUNED},
    {11, "sparse wgmma", RUNG(11), LAB_S8, LAB_NEEDS_SM90A, 0},
    {12, "multicast", RUNG(12), LAB_S8, LAB_NEEDS_SM90A, 0},
    {13, "stream-K", RUNG(13), LAB_S8, LAB_NEEDS_SM90A, 0},
    {14, "tile by size", RUNG(14), LAB_S8, LAB_NEEDS_SM90A, 0},
    {19, "cuSPARSELt, searched", LAB_LAUNCH(Multiply, sparse_vendor_searched), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {18, "cuSPARSELt", LAB_LAUNCH(Multiply, sparse_vendor_default), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {17, "cuBLASLt dense", LAB_LAUNCH(Multiply, dense_vendor), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY, USES_UNPRUNED},
    {21, "fp8, sparse wgmma", RUNG(21), LAB_U8, LAB_NEEDS_SM90A, 0},
    {22, "fp8, multicast", RUNG(22), LAB_U8, LAB_NEEDS_SM90A, 0},
    {23, "fp8, stream-K", RUNG(23), LAB_U8, LAB_NEEDS_SM90A, 0},
    {24, "fp8, tile by size", RUNG(24), LAB_U8, LAB_NEEDS_SM90A, 0},
    {29, "fp8, cuSPARSELt, searched", LAB_LAUNCH(Multiply, sparse_vendor_searched), LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY,
     0},
    {28, "fp8, cuSPARSELt", LAB_LAUNCH(Multiply, sparse_vendor_default), LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {27, "fp8, cuBLASLt dense", LAB_LAUNCH(Multiply, dense_vendor), LAB_U8, LAB_VENDOR | LAB_CUDA_ONLY, USES_UNPRUNED},
};

/* e4m3: sign, 4 bits of exponent (bias 7), 3 of mantissa; no infinities, and NaN only where all bits are one. */
static double e4m3_value(uint8_t code)
{
    const int exponent = code >> 3 & 15, mantissa = code & 7;
    const double magnitude = exponent ? ldexp(8 + mantissa, exponent - 10) : ldexp(mantissa, -9);
    return code & 0x80 ? -magnitude : magnitude;
}

/* Random codes of numbers in [-1, 1]: 0x38 is 1.0, and codes below it are the numbers below it. Uniform numbers, so the
 * code is looked up by value. */
static void fill_e4m3(LabCase *c, int input)
{
    uint8_t *codes = lab_h_in_u8(c, input);
    const uint64_t seed = c->seed * LAB_MAX_INPUTS + (uint64_t)input;
#pragma omp parallel for
    for (size_t i = 0; i < c->in_count[input]; i++) {
        const double x = 2 * random_uniform(seed, i) - 1, magnitude = fabs(x);
        int low = 0, high = 0x38;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (e4m3_value((uint8_t)middle) <= magnitude)
                low = middle;
            else
                high = middle;
        }
        if (magnitude - e4m3_value((uint8_t)low) > e4m3_value((uint8_t)high) - magnitude)
            low = high;
        codes[i] = (uint8_t)(low | (x < 0 ? 0x80 : 0));
    }
}

/* Codes are sign and magnitude, int8 is two's complement: turned into it they compare by magnitude like the numbers
 * they stand for, so int8's pruning serves. */
static void codes_to_s8(uint8_t *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        codes[i] = codes[i] & 0x80 ? (uint8_t) - (codes[i] & 0x7f) : codes[i];
}
static void s8_to_codes(uint8_t *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        codes[i] = codes[i] & 0x80 ? (uint8_t)(0x80 | (uint8_t)-codes[i]) : codes[i];
}

/* Inputs: 0 A unpruned, 1 B, 2 A pruned, 3 its values, 4 its metadata in the kernel's order. */
static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1u << 20 || N > 1u << 20 || K > 1u << 20)
        return "M, N and K are at most 1048576";
    lab_input(c, 0, M * K, c->type);
    lab_input(c, 1, N * K, c->type);
    void *pruned = lab_input(c, 2, M * K, c->type);
    void *values = lab_input(c, 3, sparse24_value_count(M, K), c->type);
    lab_input(c, 4, meta_order_words(M, K), LAB_S32);
    uint32_t *order = lab_h_in_u32(c, 4);
    uint32_t *meta = (uint32_t *)malloc(sizeof *meta * (sparse24_meta_words(M, K) + 1));
    const char *why = NULL;
    if (c->type == LAB_S8) {
        lab_fill_uniform(c, 0, -128, 128);
        lab_fill_uniform(c, 1, -128, 128);
        sparse24_compress_s8(lab_h_in_s8(c, 0), M, K, K, (int8_t *)values, meta);
        sparse24_decompress_s8((const int8_t *)values, meta, M, K, (int8_t *)pruned, K, &why);
        c->atol = c->rtol = 0;
    } else if (c->type == LAB_U8) {
        fill_e4m3(c, 0);
        fill_e4m3(c, 1);
        codes_to_s8(lab_h_in_u8(c, 0), M * K);
        sparse24_compress_s8(lab_h_in_s8(c, 0), M, K, K, (int8_t *)values, meta);
        sparse24_decompress_s8((const int8_t *)values, meta, M, K, (int8_t *)pruned, K, &why);
        s8_to_codes(lab_h_in_u8(c, 0), M * K);
        s8_to_codes((uint8_t *)values, sparse24_value_count(M, K));
        s8_to_codes((uint8_t *)pruned, M * K);
        /* The fp8 tensor cores align the products of one instruction and keep about 14 bits of the sum. */
        c->atol = 1e-3 + 1e-4 * (double)K;
        c->rtol = 1.0 / 256 + 1e-3;
    } else {
        lab_fill_uniform(c, 0, -1, 1);
        lab_fill_uniform(c, 1, -1, 1);
        sparse24_compress_bf16(lab_h_in_u16(c, 0), M, K, K, (uint16_t *)values, meta);
        sparse24_decompress_bf16((const uint16_t *)values, meta, M, K, (uint16_t *)pruned, K, &why);
        c->atol = 1e-6 * (1 + (double)K) / 4; /* as for the dense product */
        c->rtol = 1.0 / 256 + 1e-5;
    }
    meta_order(meta, M, K, order);
    free(meta);
    lab_output(c, M * N, result_type(c->type));
    c->out_width = N;
    c->user = calloc(1, sizeof(unsigned)); /* one bit per rung: has been verified */
    return why;
}

static void teardown(LabCase *c) { free(c->user); }

static double element(const LabCase *c, int input, size_t i)
{
    return c->type == LAB_U8 ? e4m3_value(lab_h_in_u8(c, input)[i]) : lab_get(c->h_in[input], c->type, i);
}

static void reference(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    double *B = (double *)malloc(sizeof *B * N * K + 8), *A = (double *)malloc(sizeof *A * K * M + 8);
#pragma omp parallel for
    for (size_t i = 0; i < N * K; i++)
        B[i] = element(c, 1, i);
#pragma omp parallel for schedule(dynamic)
    for (size_t m = 0; m < M; m++) {
        const int wanted = lab_sample_row(m, M, (double)N * (double)K);
        for (size_t k = 0; wanted && k < K; k++)
            A[m * K + k] = element(c, 2, m * K + k);
        for (size_t n = 0; n < N; n++) {
            double sum = 0;
            for (size_t k = 0; wanted && k < K; k++)
                sum += A[m * K + k] * B[n * K + k];
            c->expect[m * N + n] = wanted ? sum : lab_unchecked();
        }
    }
    free(A);
    free(B);
}

static void run(const LabRung *r, LabCase *c)
{
    const int M = (int)c->dim[0], N = (int)c->dim[1], K = (int)c->dim[2];
    if (M == 0 || N == 0)
        return;
    if (!(r->flags & LAB_VENDOR) && hopper_here()) {
        lab_skip("%s", hopper_here());
        return;
    }
    unsigned *verified = (unsigned *)c->user, bit = 1u << r->number;
    /* the framework verifies a rung before it times it */
    const void *dense = r->variant & USES_UNPRUNED && *verified & bit ? c->in[0] : c->in[2];
    *verified |= bit;
    const Product p = {dense,
                       {c->in[3], c->in[1], c->out, M, N, K, (int)sparse24_ld((size_t)K), K, N},
                       lab_in_u32(c, 4),
                       (int)c->type,
                       c->stream};
    const char *why = ((Multiply *)r->launch)(&p);
    if (why)
        lab_skip("%s", why);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    (void)r;
    const size_t N = c->dim[1], K = c->dim[2];
    if (c->type == LAB_U8)
        return K % 16 || N % 8 || K == 0 ? "TMA needs rows of a multiple of 16 bytes: K a multiple of 16, N of 8"
                                         : NULL;
    if (c->type == LAB_S8)
        return K % 16 || N % 4 || K == 0 ? "TMA needs rows of a multiple of 16 bytes: K a multiple of 16, N of 4"
                                         : NULL;
    return N % 8 || K % 8 || K == 0 ? "TMA needs rows of a multiple of 16 bytes: N and K multiples of 8" : NULL;
}

static double bytes(const LabCase *c)
{
    const double e = (double)lab_type_bytes(c->type);
    return (double)sparse24_bytes(c->dim[0], c->dim[2], lab_type_bytes(c->type)) +
           (double)c->dim[2] * (double)c->dim[1] * e +
           (double)c->dim[0] * (double)c->dim[1] * (c->type == LAB_S8 ? 4 : 2);
}

static const Lab lab = {
    .order = 10,
    .name = "hopper_sparse",
    .title = "2:4 on Hopper's tensor cores: bound by shared memory, not by arithmetic",
    .page = "hopper.md",
    .look =
        "TFLOP/s count the dense operations. The dense product is bound by power, the sparse one by shared memory:\n"
        "rung 2 does the arithmetic of rung 1 with fewer bytes written there for each product, rung 3 with fewer from "
        "L2.",
    .dims = "M N K",
    .size = "8192x8192x8192 4096x4096x4096",
    .cpu_size = "256x768x256",
    .small_sizes = "128x256x64 8x8x16 33x40x80 200x328x136",
    .test_sizes =
        "128x256x64 8x8x16 33x40x80 64x16x128 130x264x272 200x328x136 256x512x1024 1000x1032x272 2304x2304x528",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
