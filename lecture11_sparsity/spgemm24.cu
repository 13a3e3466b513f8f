/* 2:4 sparse times dense, C = A B: from undoing the compression to tensor cores that skip the zeros.
 *
 * A is M x K, pruned to 2:4 along its rows (two of every four kept, by magnitude) and compressed: values M x K/2 and 4
 * bits of metadata per group (common/sparse.h). B is dense. bf16 with fp32 sums, C in bf16; or int8 with s32 sums.
 * Rates count the operations of the dense product, 2 M N K, so that a rate says at once what was gained.
 *
 *   rung                       idea                                                            ./run spgemm24 --rung N
 *   bf16, B is K x N
 *   1  decompress, multiply    what a format costs that the multiplication does not understand
 *   2  skip the zeros          ordinary cores: half the steps, each where the metadata says
 *   3  mma.sp                  tensor cores, one instruction for twice the depth; two stages, small tiles
 *   4  dense mma.sync          the matrix as if it were dense, copies three stages ahead: the twin that 5 is measured
 *                              against
 *   5  mma.sp, multistage      the frame of rung 4 with `SPARSE` on, and the tile and stages that suit it
 *   6  decoding                N = 8 or 16 only: no arithmetic to save, but 7/16 of the bytes
 *   7  cuBLASLt dense          8  cuSPARSELt    9  cuSPARSELt, searched
 *   int8, B is stored N x K
 *   13 dense mma.sync          14 mma.sp, multistage
 *   17 cuBLASLt dense          18 cuSPARSELt    19 cuSPARSELt, searched
 *
 * Then two tables: what the instructions themselves can do, from registers alone, and what other tilings of rung 5
 * give.
 *
 * The dense rungs are verified on the pruned matrix and timed on the unpruned one: on zeros a GPU draws less power and
 * runs faster. The Hopper rungs, sparse wgmma, have a lab of their own.
 */
#include <stdlib.h>

#include "ceil_div.cuh"
#include "bench.h"
#include "device.h"
#include "lab.h"
#include "product.h"
#include "side_csv.h"
#include "sparse.h"
#include "spgemm24/decode.cuh"
#include "spgemm24/mma.cuh"
#include "spgemm24/simt.cuh"
#include "stats.h"
#include "table.h"
#include "vendor.h"

/* What a rung gets: A dense (pruned or not), compressed, and B. */
typedef struct Product {
    const void *dense, *values;
    const uint32_t *meta;
    const void *B;
    void *C, *scratch;
    int M, N, K, ld; /* ld: elements in a row of the values */
    cudaStream_t stream;
} Product;
typedef void Multiply(const Product *p);

static void spgemm1(const Product *p)
{
    int ld = 2 * p->ld;
    uint16_t *dense = (uint16_t *)p->scratch;
    simt_decompress_kernel<<<dim3(ceil_div(ld / 4, 128), p->M), 128, 0, p->stream>>>((const uint16_t *)p->values,
                                                                                     p->meta, dense, p->M, ld);
    simt_dense_kernel<<<dim3(ceil_div(p->N, SIMT_BN), ceil_div(p->M, SIMT_BM)), SIMT_THREADS, 0, p->stream>>>(
        dense, (const uint16_t *)p->B, (__nv_bfloat16 *)p->C, p->M, p->N, p->K, ld);
}

static void spgemm2(const Product *p)
{
    simt_sparse_kernel<<<dim3(ceil_div(p->N, SIMT_BN), ceil_div(p->M, SIMT_BM)), SIMT_THREADS, 0, p->stream>>>(
        (const uint16_t *)p->values, p->meta, (const uint16_t *)p->B, (__nv_bfloat16 *)p->C, p->M, p->N, p->K,
        2 * p->ld);
}

static void spgemm3(const Product *p)
{
    mma_launch<MmaTile<2, true, false, 64, 128, 32, 64, 2, 1>>(
        {p->values, p->meta, p->B, p->C, p->M, p->N, p->K, p->ld}, p->stream);
}

static void spgemm4(const Product *p)
{
    mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1>>({p->dense, NULL, p->B, p->C, p->M, p->N, p->K, p->K},
                                                                 p->stream);
}

static void spgemm5(const Product *p)
{
    mma_launch<MmaTile<2, true, false, 256, 128, 64, 64, 5, 2, false>>(
        {p->values, p->meta, p->B, p->C, p->M, p->N, p->K, p->ld}, p->stream);
}

static void spgemm6(const Product *p)
{
    if (p->N == 16)
        decode_launch<DecodeTile<true, 64, 1, 128, 8, 2>>(p->values, p->meta, p->B, p->C, p->M, p->K, p->ld, p->stream);
    else
        decode_launch<DecodeTile<true, 64, 1, 128, 8, 1>>(p->values, p->meta, p->B, p->C, p->M, p->K, p->ld, p->stream);
}

static void dense_vendor(const Product *p)
{
    vendor_gemm_lt(p->dense, p->B, p->C, LAB_BF16, LAB_BF16, 0, p->M, p->N, p->K, p->stream);
}

static void spgemm13(const Product *p)
{
    mma_launch<MmaTile<1, false, true, 128, 128, 64, 64, 3, 1>>({p->dense, NULL, p->B, p->C, p->M, p->N, p->K, p->K},
                                                                p->stream);
}

static void spgemm14(const Product *p)
{
    mma_launch<MmaTile<1, true, true, 128, 128, 64, 64, 3, 2>>(
        {p->values, p->meta, p->B, p->C, p->M, p->N, p->K, p->ld}, p->stream);
}

static void dense_vendor_s8(const Product *p)
{
    vendor_gemm_lt(p->dense, p->B, p->C, LAB_S8, LAB_S32, 1, p->M, p->N, p->K, p->stream);
}

/* The vendor's sparse library compresses on its first call and keeps the result, so it always gets the pruned matrix.
 * */
static void sparse_vendor(const Product *p)
{
    vendor_gemm_sparse24(p->dense, p->B, p->C, LAB_BF16, LAB_BF16, 0, p->M, p->N, p->K, 0, p->stream);
}

static void sparse_vendor_searched(const Product *p)
{
    vendor_gemm_sparse24(p->dense, p->B, p->C, LAB_BF16, LAB_BF16, 0, p->M, p->N, p->K, 1, p->stream);
}

static void sparse_vendor_s8(const Product *p)
{
    vendor_gemm_sparse24(p->dense, p->B, p->C, LAB_S8, LAB_S32, 1, p->M, p->N, p->K, 0, p->stream);
}

static void sparse_vendor_s8_searched(const Product *p)
{
    vendor_gemm_sparse24(p->dense, p->B, p->C, LAB_S8, LAB_S32, 1, p->M, p->N, p->K, 1, p->stream);
}

enum { USES_UNPRUNED = 1, ANY_SHAPE = 2, NARROW = 4 }; /* LabRung.variant */

static const LabRung rungs[] = {
    {1, "decompress, multiply", LAB_LAUNCH(Multiply, spgemm1), LAB_BF16, 0, ANY_SHAPE},
    {2, "skip the zeros", LAB_LAUNCH(Multiply, spgemm2), LAB_BF16, 0, ANY_SHAPE},
    {3, "mma.sp", LAB_LAUNCH(Multiply, spgemm3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {4, "dense mma.sync", LAB_LAUNCH(Multiply, spgemm4), LAB_BF16, LAB_NEEDS_SM80, USES_UNPRUNED},
    {5, "mma.sp, multistage", LAB_LAUNCH(Multiply, spgemm5), LAB_BF16, LAB_NEEDS_SM80, 0},
    {6, "decoding", LAB_LAUNCH(Multiply, spgemm6), LAB_BF16, LAB_NEEDS_SM80, NARROW},
    {7, "cuBLASLt dense", LAB_LAUNCH(Multiply, dense_vendor), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, USES_UNPRUNED},
    {8, "cuSPARSELt", LAB_LAUNCH(Multiply, sparse_vendor), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {9, "cuSPARSELt, searched", LAB_LAUNCH(Multiply, sparse_vendor_searched), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {13, "dense mma.sync", LAB_LAUNCH(Multiply, spgemm13), LAB_S8, LAB_NEEDS_SM80, USES_UNPRUNED},
    {14, "mma.sp, multistage", LAB_LAUNCH(Multiply, spgemm14), LAB_S8, LAB_NEEDS_SM80, 0},
    {17, "cuBLASLt dense", LAB_LAUNCH(Multiply, dense_vendor_s8), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY, USES_UNPRUNED},
    {18, "cuSPARSELt", LAB_LAUNCH(Multiply, sparse_vendor_s8), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {19, "cuSPARSELt, searched", LAB_LAUNCH(Multiply, sparse_vendor_s8_searched), LAB_S8, LAB_VENDOR | LAB_CUDA_ONLY,
     0},
};

/* Inputs: 0 A unpruned, 1 B, 2 A pruned, 3 its values, 4 its metadata. */
static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1u << 20 || N > 1u << 20 || K > 1u << 20)
        return "M, N and K are at most 1048576";
    lab_input(c, 0, M * K, c->type);
    lab_input(c, 1, K * N, c->type);
    void *pruned = lab_input(c, 2, M * K, c->type);
    void *values = lab_input(c, 3, sparse24_value_count(M, K), c->type);
    lab_input(c, 4, sparse24_meta_words(M, K), LAB_S32);
    uint32_t *meta = lab_h_in_u32(c, 4);
    const char *why = NULL;
    if (c->type == LAB_S8) {
        lab_fill_uniform(c, 0, -128, 128);
        lab_fill_uniform(c, 1, -128, 128);
        sparse24_compress_s8(lab_h_in_s8(c, 0), M, K, K, (int8_t *)values, meta);
        sparse24_decompress_s8((const int8_t *)values, meta, M, K, (int8_t *)pruned, K, &why);
        c->atol = c->rtol = 0;
    } else {
        lab_fill_uniform(c, 0, -1, 1);
        lab_fill_uniform(c, 1, -1, 1);
        sparse24_compress_bf16(lab_h_in_u16(c, 0), M, K, K, (uint16_t *)values, meta);
        sparse24_decompress_bf16((const uint16_t *)values, meta, M, K, (uint16_t *)pruned, K, &why);
        /* C is rounded to bf16: half a unit in its last place, 2^-9; the sums in fp32 lose far less */
        c->atol = 1e-3;
        c->rtol = 1.0 / 256;
    }
    lab_output(c, M * N, c->type == LAB_S8 ? LAB_S32 : LAB_BF16);
    c->out_width = N;
    c->user = calloc(1, sizeof(unsigned)); /* one bit per rung: has been verified */
    return why;
}

static void teardown(LabCase *c) { free(c->user); }

static void reference(LabCase *c) { product_cpu_of(c, 2, 1, c->type == LAB_S8); }

static void run(const LabRung *r, LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M == 0 || N == 0)
        return;
    unsigned *verified = (unsigned *)c->user, bit = 1u << r->number;
    /* the framework verifies a rung before it times it */
    const void *dense = r->variant & USES_UNPRUNED && *verified & bit ? c->in[0] : c->in[2];
    *verified |= bit;
    Product p = {dense,  c->in[3], lab_in_u32(c, 4),    c->in[1], c->out, NULL, (int)M,
                 (int)N, (int)K,   (int)sparse24_ld(K), c->stream};
    if (r->number == 1)
        p.scratch = lab_scratch(c, M * sparse24_padded(K) * 2);
    ((Multiply *)r->launch)(&p);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    size_t N = c->dim[1], K = c->dim[2];
    if (r->variant & ANY_SHAPE)
        return K == 0 ? "K must be at least 1" : NULL;
    if (r->variant & NARROW)
        return N == 8 || N == 16 ? NULL : "it is for N = 8 and N = 16";
    if (c->type == LAB_S8)
        return K % 16 || K == 0 ? "rows of 8-bit elements must begin at multiples of 16 bytes: K a multiple of 16"
                                : NULL;
    return N % 8 || K % 8 || K == 0 ? "rows must begin at multiples of 16 bytes: N and K multiples of 8" : NULL;
}

static double bytes(const LabCase *c)
{
    double e = (double)lab_type_bytes(c->type);
    return (double)sparse24_bytes(c->dim[0], c->dim[2], lab_type_bytes(c->type)) +
           (double)c->dim[2] * (double)c->dim[1] * e +
           (double)c->dim[0] * (double)c->dim[1] * (c->type == LAB_S8 ? 4 : 2);
}

/* ---- what bounds it: the instruction alone, and other tilings */

/* One block of 8 warps per SM, each 64 x 64 of accumulators, operands that never change: the instruction and nothing
 * else. */
template <bool SPARSE> __global__ void __launch_bounds__(256, 1) ceiling_kernel(float *out, int rounds, uint32_t seed)
{
    float d[4][8][4] = {};
    uint32_t a[4][4], b[8][4];
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < 4; i++)
            a[i][r] = ((threadIdx.x * 77 + i * 13 + r * 7 + seed) * 2654435761u & 0x807f807f) |
                      0x3f003f00; /* of 0.5 to 1, either sign */
        for (int j = 0; j < 8; j++)
            b[j][r] = ((threadIdx.x * 37 + j * 11 + r * 5 + seed) * 2654435761u & 0x807f807f) | 0x3f003f00;
    }
    for (int k = 0; k < rounds; k++)
#pragma unroll
        for (int j = 0; j < 8; j++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                if constexpr (SPARSE)
                    mma_sp_m16n8k32_bf16<0>(d[i][j], a[i], b[j], 0x44444444);
                else
                    mma_m16n8k16_bf16(d[i][j], a[i], b[j]);
            }
    float sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            for (int e = 0; e < 4; e++)
                sum += d[i][j][e];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

typedef struct Subject {
    void (*run)(const MmaArguments &p, cudaStream_t stream);
    MmaArguments p;
} Subject;
enum { CEILING_ROUNDS = 4000 };

template <bool SPARSE> static void ceiling(const MmaArguments &p, cudaStream_t stream)
{
    ceiling_kernel<SPARSE><<<(unsigned)p.M, 256, 0, stream>>>((float *)p.C, CEILING_ROUNDS, 1);
    CUDA_CHECK(cudaGetLastError());
}

static void run_subject(void *context)
{
    const Subject *s = (const Subject *)context;
    s->run(s->p, 0);
}

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

/* The operands of the tilings, on the device: 4096 x 4096 each, A also compressed. */
enum { SIDE = 4096, ROUNDS = 20 };
typedef struct Operands {
    void *A, *B, *C, *values, *meta;
} Operands;

static Operands operands_make(uint64_t seed)
{
    const size_t S = SIDE;
    Operands o;
    uint16_t *A = (uint16_t *)malloc(S * S * 2), *B = (uint16_t *)malloc(S * S * 2),
             *values = (uint16_t *)malloc(S * S);
    uint32_t *meta = (uint32_t *)malloc(sparse24_meta_words(S, S) * 4);
    if (!A || !B || !values || !meta)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < S * S; i++) {
        A[i] = bf16_from_float((float)(2 * random_uniform(seed + 1, i) - 1));
        B[i] = bf16_from_float((float)(2 * random_uniform(seed + 2, i) - 1));
    }
    sparse24_compress_bf16(A, S, S, S, values, meta);
    o.A = to_device(A, S * S * 2), o.B = to_device(B, S * S * 2), o.values = to_device(values, S * S);
    o.meta = to_device(meta, sparse24_meta_words(S, S) * 4);
    CUDA_CHECK(cudaMalloc(&o.C, S * S * 2));
    free(A), free(B), free(values), free(meta);
    return o;
}

static void operands_free(Operands *o)
{
    void *all[] = {o->A, o->B, o->values, o->meta, o->C};
    for (int i = 0; i < LAB_COUNT(all); i++)
        CUDA_CHECK(cudaFree(all[i]));
}

static const char *const tiling_name[] = {"mma.sync from registers",
                                          "mma.sp from registers",
                                          "dense: 128 x 256 (two sets of A fragments)",
                                          "dense: 128 x 256 (one set)",
                                          "2:4: 256 x 128 (one set of A fragments)",
                                          "2:4: 256 x 128 (two sets of A fragments)",
                                          "2:4: 128 x 256 (two sets)",
                                          "2:4: 192 x 256 (warps of 96 x 64)",
                                          "2:4: 128 x 128 (two blocks per SM)"};
enum { TILINGS = LAB_COUNT(tiling_name) };

/* One row of the table and of the CSV: rows 0 and 1 are the instructions alone, on each of `processors`. */
static void report_tiling(int i, double ms, const double *dense_ms, int processors, Table *t, FILE *csv)
{
    char text[32];
    const double alone = 2.0 * processors * 8 * CEILING_ROUNDS * 32 * 16 * 8; /* a depth of 1 */
    const double work = i < 2 ? alone * (i ? 32 : 16) : 2.0 * SIDE * SIDE * (double)SIDE;
    const double ratio = i < 2 ? work / ms / (alone * 16) * dense_ms[0] : dense_ms[1] / ms;
    table_cell(t, "%s", tiling_name[i]);
    table_cell(t, "%s", format_ms(ms, text));
    table_cell(t, "%.0f", work / ms * 1e-9);
    table_cell(t, "%.2f", ratio);
    if (csv)
        fprintf(csv, "%s,%.5f,%.1f,%.3f\n", tiling_name[i], ms, work / ms * 1e-9, ratio);
}

static int show(const LabOptions *options)
{
    if (options->verify_only || options->small || options->rungs || device_is_cpu() || device_capability() < 80)
        return 0; /* times of a GPU, and nothing else */
    const int S = SIDE;
    Operands o = operands_make(options->seed);
    int device, processors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const MmaArguments dense = {o.A, NULL, o.B, o.C, S, S, S, S};
    const MmaArguments sparse = {o.values, (const uint32_t *)o.meta, o.B, o.C, S, S, S, S / 2};
    MmaArguments alone = dense;
    alone.M = processors;
    Subject subject[TILINGS] = {{ceiling<false>, alone},
                                {ceiling<true>, alone},
                                {mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1>>, dense},
                                {mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1, false>>, dense},
                                {mma_launch<MmaTile<2, true, false, 256, 128, 64, 64, 5, 2, false>>, sparse},
                                {mma_launch<MmaTile<2, true, false, 256, 128, 64, 64, 5, 2>>, sparse},
                                {mma_launch<MmaTile<2, true, false, 128, 256, 64, 64, 5, 2>>, sparse},
                                {mma_launch<MmaTile<2, true, false, 192, 256, 96, 64, 4, 4, false>>, sparse},
                                {mma_launch<MmaTile<2, true, false, 128, 128, 64, 64, 4, 2>>, sparse}};
    static double samples[TILINGS][ROUNDS];
    BenchSubject s[TILINGS];
    for (int i = 0; i < TILINGS; i++)
        s[i] = (BenchSubject){run_subject, &subject[i], samples[i], 0};
    BenchOptions bo = {};
    bo.warmups = 3, bo.rounds = ROUNDS;
    bench(s, TILINGS, &bo);
    CUDA_CHECK(cudaGetLastError());
    Table *t = table_new("4096 x 4096 x 4096, bf16|>time|>TFLOP/s|>vs dense");
    FILE *csv = side_csv(options, "tilings", "kernel,time_ms,tflops,vs_dense");
    const double dense_ms[2] = {stats_of(samples[0], s[0].runs).median, stats_of(samples[2], s[2].runs).median};
    for (int i = 0; i < TILINGS; i++)
        report_tiling(i, stats_of(samples[i], s[i].runs).median, dense_ms, processors, t, csv);
    printf("\n    what the instructions can do, and other tilings of the same kernel\n");
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    operands_free(&o);
    return 0;
}

static const Lab lab = {
    .order = 4,
    .name = "spgemm24",
    .title = "2:4 sparse times dense, half the multiplications left out",
    .look = "Rung 5 is rung 4 with the sparse instruction and its own tile. (TFLOP/s count the operations\n"
            "of the dense product.) With only 16 columns of B, as in decoding, the bytes of A are what counts: rung 6.",
    .dims = "M N K",
    .size = "4096x4096x4096 8192x8192x8192 8192x16x8192",
    .cpu_size = "128x256x256 256x16x512",
    .test_sizes = "1x8x16 33x40x80 64x16x128 130x264x272 128x256x64 17x8x208 31x33x35 5x7x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = product_flops,
    .show = show,
};
LAB_MAIN(lab)
