/* Load as sparse, compute as dense: zeros anywhere, for a handful of tokens.
 *
 * A language model that decodes multiplies a few tokens x by each weight matrix W: y = x W'. The time is that of reading
 * W. Tensor cores cannot skip single zeros; but for so few tokens they need not: it is enough not to *read* them. W is
 * kept as a bitmap and its values, and each tile is filled up with zeros in registers. (Flash-LLM's idea, VLDB 2023;
 * that the format follows the fragments of mma is SpInfer's, EuroSys 2025.)
 *
 * y is tokens x out, x is tokens x in, W is out x in, bf16; --sparsity of W's elements are zero, those of the smallest
 * magnitude. Rates count the dense product.
 *
 *   rung                     idea                                                        ./run load_sparse --rung N
 *   1  CSR                   a warp per row; each value meets 16 tokens, one by one
 *   2  bitmap                8 elements of a tile per lane: a byte of bitmap, and values that a count of ones finds;
 *                            the product by mma
 *   3  bulk copies           a chunk of 64 x 256 elements is contiguous: one copy fetches it, many chunks ahead
 *   4  cuBLASLt dense        timed on a matrix without zeros
 *
 * Then the times over the share of zeros.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "hopper.cuh"
#include "lab.h"
#include "product.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"
#include "vendor.h"

#include "load_sparse/bitmap.cuh"
#include "load_sparse/bitmap.h"

typedef const char *Multiply(const BitmapProduct *p, size_t most, cudaStream_t stream);
static double sparsity = 0.7;

/* ---- rung 1 */

struct CsrProduct {
    const int *row_start, *column;
    const uint16_t *value, *x;
    uint16_t *y;
    int tokens, M, K;
};
typedef void MultiplyCsr(const CsrProduct *p, cudaStream_t stream);

__global__ void csr_kernel1(const __grid_constant__ CsrProduct p)
{
    const int row = (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
    if (row >= p.M)
        return;
    float sum[BITMAP_TOKENS] = {};
    for (int i = p.row_start[row] + lane; i < p.row_start[row + 1]; i += 32) {
        const float w = __bfloat162float(((const __nv_bfloat16 *)p.value)[i]);
        const __nv_bfloat16 *x = (const __nv_bfloat16 *)p.x + p.column[i];
#pragma unroll
        for (int t = 0; t < BITMAP_TOKENS; t++)
            if (t < p.tokens)
                sum[t] += w * __bfloat162float(x[(size_t)t * p.K]);
    }
#pragma unroll
    for (int t = 0; t < BITMAP_TOKENS; t++) {
        for (int d = 16; d > 0; d /= 2)
            sum[t] += __shfl_xor_sync(~0u, sum[t], d);
        if (lane == t && t < p.tokens)
            ((__nv_bfloat16 *)p.y)[(size_t)t * p.M + row] = __float2bfloat16(sum[t]);
    }
}

static void csr1(const CsrProduct *p, cudaStream_t stream)
{
    csr_kernel1<<<(unsigned)(p->M + 7) / 8, 256, 0, stream>>>(*p);
}

static const LabRung rungs[] = {
    {1, "CSR", LAB_LAUNCH(MultiplyCsr, csr1), LAB_BF16, 0, 0},
    {2, "bitmap", LAB_LAUNCH(Multiply, bitmap_launch2), LAB_BF16, LAB_NEEDS_SM80, 0},
    {3, "bulk copies", LAB_LAUNCH(Multiply, bitmap_launch3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "cuBLASLt dense", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* ---- the case */

enum { X, PRUNED, FULL, BYTES, START, ROW_START, COLUMN, VALUE }; /* inputs */

typedef struct Weights {
    size_t most, bytes; /* of the largest chunk, of all */
    int verified;       /* the vendor's rung: the framework verifies a rung before it times it */
} Weights;

/* Zeros where the magnitude is below `share`: of numbers uniform in [-1, 1) that is this share. */
static void prune(const uint16_t *full, uint16_t *pruned, size_t count, double share)
{
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        pruned[i] = fabs(bf16_to_float(full[i])) < share ? 0 : full[i];
}

static void make_csr(LabCase *c, const uint16_t *W, size_t rows, size_t columns)
{
    int *row_start = (int *)lab_input(c, ROW_START, rows + 1, LAB_S32);
    size_t n = 0;
    for (size_t i = 0; i < rows * columns; i++)
        n += (W[i] & 0x7fff) != 0;
    int *column = (int *)lab_input(c, COLUMN, n + 1, LAB_S32);
    uint16_t *value = (uint16_t *)lab_input(c, VALUE, n + 1, LAB_BF16);
    n = 0;
    for (size_t r = 0; r < rows; r++) {
        row_start[r] = (int)n;
        for (size_t k = 0; k < columns; k++)
            if (W[r * columns + k] & 0x7fff)
                column[n] = (int)k, value[n++] = W[r * columns + k];
    }
    row_start[rows] = (int)n;
    column[n] = 0, value[n] = 0;
}

static const char *setup(LabCase *c)
{
    const size_t T = c->dim[0], M = c->dim[1], K = c->dim[2];
    if (T > BITMAP_TOKENS)
        return "at most 16 tokens";
    if (K % 16 || K == 0)
        return "whole tiles: in is a multiple of 16";
    if (M > 1u << 17 || K > 1u << 14)
        return "out is at most 131072, in at most 16384";
    Weights *w = (Weights *)calloc(1, sizeof *w);
    if (!w)
        die("out of memory");
    c->user = w;
    lab_input(c, X, T * K, LAB_BF16);
    lab_fill_uniform(c, X, -1, 1);
    uint16_t *pruned = (uint16_t *)lab_input(c, PRUNED, M * K, LAB_BF16);
    lab_input(c, FULL, M * K, LAB_BF16);
    lab_fill_uniform(c, FULL, -1, 1);
    prune(lab_h_in_u16(c, FULL), pruned, M * K, sparsity);
    Bitmap b;
    if (bitmap_from_dense(&b, pruned, M, K))
        die("out of memory");
    w->most = b.most, w->bytes = bitmap_bytes(&b);
    memcpy(lab_input(c, BYTES, w->bytes + 16, LAB_U8), b.bytes, w->bytes);
    memcpy(lab_input(c, START, b.strips * b.chunks + 1, LAB_S32), b.start, (b.strips * b.chunks + 1) * 4);
    bitmap_free(&b);
    make_csr(c, pruned, M, K);
    lab_output(c, T * M, LAB_BF16);
    c->out_width = M;
    c->atol = 1e-3;
    c->rtol = 1.0 / 256; /* y is rounded to bf16 */
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

static void reference(LabCase *c) { product_cpu_of(c, X, PRUNED, 1); }

static void run(const LabRung *r, LabCase *c)
{
    const int T = (int)c->dim[0], M = (int)c->dim[1], K = (int)c->dim[2];
    Weights *w = (Weights *)c->user;
    if (T == 0 || M == 0)
        return;
    if (r->flags & LAB_VENDOR) {
        vendor_gemm_lt(c->in[X], c->in[w->verified ? FULL : PRUNED], c->out, LAB_BF16, LAB_BF16, VENDOR_B_TURNED,
                       c->dim[0], c->dim[1], c->dim[2], c->stream);
        w->verified = 1;
        return;
    }
    if (r->number == 1) {
        const CsrProduct p = {lab_in_s32(c, ROW_START),
                              lab_in_s32(c, COLUMN),
                              lab_in_u16(c, VALUE),
                              lab_in_u16(c, X),
                              (uint16_t *)c->out,
                              T,
                              M,
                              K};
        ((MultiplyCsr *)r->launch)(&p, c->stream);
        return;
    }
    const BitmapProduct p = {
        (const char *)c->in[BYTES], (const uint32_t *)c->in[START], lab_in_u16(c, X), (uint16_t *)c->out, T, M, K};
    const char *why = r->flags & LAB_NEEDS_SM90A ? hopper_here() : NULL;
    if (!why)
        why = ((Multiply *)r->launch)(&p, w->most, c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    return (double)((const Weights *)c->user)->bytes + 2.0 * (double)c->dim[0] * (double)(c->dim[1] + c->dim[2]);
}

/* ---- the times over the share of zeros */

typedef struct Subject {
    BitmapProduct p;
    size_t most;
    const void *dense; /* not NULL: the vendor's product */
} Subject;

static void run_subject(void *context)
{
    const Subject *s = (const Subject *)context;
    if (s->dense)
        vendor_gemm_lt(s->p.x, s->dense, s->p.y, LAB_BF16, LAB_BF16, VENDOR_B_TURNED, (size_t)s->p.tokens,
                       (size_t)s->p.M, (size_t)s->p.K, 0);
    else
        bitmap_launch3(&s->p, s->most, 0);
}

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

static uint16_t *random_bf16(size_t count, uint64_t seed)
{
    uint16_t *x = (uint16_t *)malloc(count * 2);
    if (!x)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        x[i] = bf16_from_float((float)(2 * random_uniform(seed, i) - 1));
    return x;
}

enum { SHARES = 6, ROUNDS = 30, SWEEP_TOKENS = 16, SWEEP_SIDE = 8192 };

/* One row: this share of zeros against the dense product, interleaved. */
static void time_share(double share, const uint16_t *full, uint16_t *pruned, Subject *dense, Table *t, FILE *csv)
{
    const size_t side = SWEEP_SIDE;
    prune(full, pruned, side * side, share);
    Bitmap b;
    if (bitmap_from_dense(&b, pruned, side, side))
        die("out of memory");
    Subject sparse = *dense;
    void *d_bytes = to_device(b.bytes, bitmap_bytes(&b)), *d_start = to_device(b.start, (b.strips * b.chunks + 1) * 4);
    sparse.dense = NULL, sparse.most = b.most;
    sparse.p.bytes = (const char *)d_bytes, sparse.p.start = (const uint32_t *)d_start;
    double samples[2][ROUNDS];
    BenchSubject subjects[2] = {{run_subject, &sparse, samples[0], 0}, {run_subject, dense, samples[1], 0}};
    BenchOptions options = {};
    options.warmups = 3;
    options.rounds = ROUNDS;
    bench(subjects, 2, &options);
    const double ms = stats_of(samples[0], subjects[0].runs).median,
                 dense_ms = stats_of(samples[1], subjects[1].runs).median;
    const double of_dense = (double)bitmap_bytes(&b) / (2.0 * (double)(side * side));
    table_cell(t, "%.1f", share);
    table_cell(t, "%.3f", of_dense);
    table_cell(t, "%.5f", ms);
    table_cell(t, "%.5f", dense_ms);
    table_cell(t, "%.2f", dense_ms / ms);
    table_cell(t, "%.0f", (double)bitmap_bytes(&b) / ms * 1e-6);
    if (csv)
        fprintf(csv, "%.1f,%.4f,%.5f,%.5f,%.3f,%.0f\n", share, of_dense, ms, dense_ms, dense_ms / ms,
                (double)bitmap_bytes(&b) / ms * 1e-6);
    CUDA_CHECK(cudaFree(d_bytes));
    CUDA_CHECK(cudaFree(d_start));
    bitmap_free(&b);
}

static int show(const LabOptions *options)
{
    if (lab_brief() || device_is_cpu() || options->verify_only || hopper_here())
        return 0; /* times, of a Hopper GPU */
    const size_t side = SWEEP_SIDE;
    uint16_t *full = random_bf16(side * side, options->seed + 70),
             *x = random_bf16(SWEEP_TOKENS * side, options->seed + 71);
    uint16_t *pruned = (uint16_t *)malloc(side * side * 2);
    if (!pruned)
        die("out of memory");
    void *d_full = to_device(full, side * side * 2), *d_x = to_device(x, SWEEP_TOKENS * side * 2), *d_y;
    CUDA_CHECK(cudaMalloc(&d_y, SWEEP_TOKENS * side * 2));
    Subject dense = {
        {NULL, NULL, (const uint16_t *)d_x, (uint16_t *)d_y, SWEEP_TOKENS, SWEEP_SIDE, SWEEP_SIDE}, 0, d_full};
    FILE *csv = side_csv(options, "sweep", "sparsity,bytes_of_dense,time_ms,dense_ms,vs_dense,gbps");
    Table *t = table_new(">zeros|>bytes of dense|>time, ms|>dense, ms|>vs dense|>GB/s");
    for (int i = 0; i < SHARES; i++)
        time_share(0.4 + 0.1 * i, full, pruned, &dense, t, csv);
    printf("\n    %d x %zu x %zu, over the share of zeros\n", SWEEP_TOKENS, side, side);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    CUDA_CHECK(cudaFree(d_full));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    free(full), free(x), free(pruned);
    return 0;
}

static const struct argp_option own_options[] = {
    {"sparsity", 'z', "SHARE", 0, "the share of elements that are zero, from 0 to 1 (0.7)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    if (key != 'z')
        return ARGP_ERR_UNKNOWN;
    char *end;
    sparsity = strtod(arg, &end);
    if (end == arg || *end || !(sparsity >= 0 && sparsity <= 1))
        die_usage("--sparsity wants a number from 0 to 1, not '%s'", arg);
    return 0;
}

static const struct argp own_argp = {own_options, parse, NULL, NULL, NULL, NULL, NULL};

static const Lab lab = {
    .order = 14,
    .name = "load_sparse",
    .title = "loaded sparse, multiplied dense: zeros anywhere, for a few tokens",
    .page = "blocks.md",
    .look = "With 70 % zeros a bitmap and its values are 0.39 of the dense bytes. A lane finds its values by counting\n"
            "the ones before its own; the tensor cores multiply the zeros, too, and that costs nothing.",
    .dims = "tokens out in",
    .size = "16x8192x8192",
    .cpu_size = "16x128x512",
    .small_sizes = "16x64x256 5x100x272",
    .test_sizes = "16x64x256 5x100x272 1x8x16 16x200x1040 3x65x48",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = product_flops,
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
