/* Block-sparse times dense, C = A B: whole blocks are zero, and the tensor cores see only the others.
 *
 * A is M x K in block CSR, square blocks, a share of them zero (--sparsity 0.9); B is K x N and C is M x N, bf16 with
 * fp32 sums. A kept block is dense, so tensor cores multiply it as they do any matrix, with no metadata inside: what is
 * lost is freedom (a block stays or goes as a whole), and what decides the speed is how much of B is fetched for each
 * kept block. Rates count the dense product's 2 M N K.
 *
 *   rung                        idea                                                       ./run spmm_block --rung N
 *   1  one thread per element   walks the blocks of its row, no reuse
 *   2  mma.sync                 one thread block per block row, 128 columns, two stages
 *   3  deep pipeline            256 columns, copies four stages ahead: fills an SM's shared memory with one block, and
 *                               gains nothing: a block row has only a dozen blocks, and it starts and ends too often
 *   4  two blocks per SM        the same tile with two stages: while one block starts or ends, the other multiplies
 *   6  wgmma                    Hopper's instructions: TMA fetches the blocks through their index, two block rows at a
 *                               time, and each consumer computes one of them. Where both have a block in the same
 *                               column, the rows of B are fetched once
 *   7  shared columns           the two block rows are chosen so that they share as many columns as they can
 *   8  multicast                two thread blocks compute the same rows, for neighbouring columns, and share A
 *   9  groups of four           four block rows by half the columns: less of B comes from L2, more of A into shared
 *                               memory. It is slower than two
 *  10  multicast to four        and A shared by four thread blocks: slower still
 *   5  cuBLASLt dense           as if nothing were zero; timed on a matrix without zeros
 *  11  cuSPARSE                 NVIDIA's library for block CSR
 *
 * All rungs have blocks of 64. Then two tables by block size: each with the fastest tiling found for it, and by rung 8,
 * forward and backward. Blocks of 128 are four of 64 there; blocks of 32 are parts of blocks of 64.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lab.h"
#include "product.h"
#include "side_csv.h"
#include "sparse.h"
#include "spmm_block/bsr.cuh"
#include "spmm_block/bsr_wgmma.cuh"
#include "spmm_block/plan.h"
#include "spmm_block/turn.h"
#include "stats.h"
#include "table.h"
#include "vendor.h"

typedef void Multiply(const BsrArguments &p, cudaStream_t stream);

static double sparsity = 0.9;

/* ---- the ladder */

__global__ void spmm_kernel1(BsrArguments p)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y, block = 64;
    if (n >= p.N)
        return;
    float sum = 0;
    for (int b = p.row_start[m / block]; b < p.row_start[m / block + 1]; b++) {
        const __nv_bfloat16 *a = (const __nv_bfloat16 *)p.value + ((size_t)b * block + m % block) * block;
        const __nv_bfloat16 *from = (const __nv_bfloat16 *)p.B + (size_t)p.column[b] * block * p.N + n;
        for (int k = 0; k < block; k++)
            sum += __bfloat162float(a[k]) * __bfloat162float(from[(size_t)k * p.N]);
    }
    ((__nv_bfloat16 *)p.C)[(size_t)m * p.N + n] = __float2bfloat16(sum);
}

static void spmm1(const BsrArguments &p, cudaStream_t stream)
{
    spmm_kernel1<<<dim3((p.N + 127) / 128, p.M), 128, 0, stream>>>(p);
}

static void spmm2(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<64, 128, 32, 64, 2>>(p, stream); }
static void spmm3(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<64, 256, 32, 64, 5>>(p, stream); }
static void spmm4(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<64, 256, 32, 64, 2>>(p, stream); }

/* Rungs 6 to 10 walk a plan, which comes after those of the earlier rungs in one array. */
typedef struct Planned {
    BsrPlan plan;
    size_t at; /* where it begins in the array */
} Planned;
typedef const char *MultiplyPlanned(const BsrArguments &p, size_t blocks, const Planned *plan, const int *plans,
                                    cudaStream_t stream);

template <int ROWS, int CLUSTER>
static const char *by_plan(const BsrArguments &p, size_t blocks, const Planned *plan, const int *plans,
                           cudaStream_t stream)
{
    return bsr_wgmma_launch<BsrRing<ROWS, CLUSTER>>(p, blocks, &plan->plan, plans + plan->at, stream);
}

/* What the plan of each of these rungs is made for. */
template <int ROWS, int CLUSTER> static int *make_plan(BsrPlan *plan, const Bsr *bsr, int N, int share)
{
    const int wide = BsrRing<ROWS, CLUSTER>::BN * CLUSTER;
    return bsr_plan(plan, bsr, ROWS, share, (N + wide - 1) / wide, bsr_wgmma_clusters<BsrRing<ROWS, CLUSTER>>());
}
typedef int *MakePlan(BsrPlan *plan, const Bsr *bsr, int N, int share);
static const struct {
    MakePlan *make;
    int share, rows, cluster;
} planned[] = {{make_plan<2, 1>, 0, 2, 1},
               {make_plan<2, 1>, 1, 2, 1},
               {make_plan<2, 2>, 1, 2, 2},
               {make_plan<4, 2>, 1, 4, 2},
               {make_plan<4, 4>, 1, 4, 4}};
enum { PLANS = LAB_COUNT(planned), FIRST_PLANNED = 6 };

static const LabRung rungs[] = {
    {1, "one thread per element", LAB_LAUNCH(Multiply, spmm1), LAB_BF16, 0, 64},
    {2, "mma.sync", LAB_LAUNCH(Multiply, spmm2), LAB_BF16, LAB_NEEDS_SM80, 64},
    {3, "deep pipeline", LAB_LAUNCH(Multiply, spmm3), LAB_BF16, LAB_NEEDS_SM80, 64},
    {4, "two blocks per SM", LAB_LAUNCH(Multiply, spmm4), LAB_BF16, LAB_NEEDS_SM80, 64},
    {6, "wgmma", LAB_LAUNCH(MultiplyPlanned, by_plan<2, 1>), LAB_BF16, LAB_NEEDS_SM90A, 64},
    {7, "shared columns", LAB_LAUNCH(MultiplyPlanned, by_plan<2, 1>), LAB_BF16, LAB_NEEDS_SM90A, 64},
    {8, "multicast", LAB_LAUNCH(MultiplyPlanned, by_plan<2, 2>), LAB_BF16, LAB_NEEDS_SM90A, 64},
    {9, "groups of four", LAB_LAUNCH(MultiplyPlanned, by_plan<4, 2>), LAB_BF16, LAB_NEEDS_SM90A, 64},
    {10, "multicast to four", LAB_LAUNCH(MultiplyPlanned, by_plan<4, 4>), LAB_BF16, LAB_NEEDS_SM90A, 64},
    {5, "cuBLASLt dense", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {11, "cuSPARSE", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* What a case keeps on the host. */
typedef struct Matrix {
    Bsr bsr;
    Planned plan[PLANS];
    int verified; /* the vendor's rung: the framework verifies a rung before it times it */
} Matrix;

/* Input 7: all plans, one after the other. */
static const char *make_plans(LabCase *c, Matrix *m)
{
    int *made[PLANS];
    size_t words = 0;
    for (int i = 0; i < PLANS; i++) {
        made[i] = planned[i].make(&m->plan[i].plan, &m->bsr, (int)c->dim[1], planned[i].share);
        m->plan[i].at = words;
        words += made[i] ? m->plan[i].plan.words : 0;
    }
    int *all = (int *)lab_input(c, 7, words + 1, LAB_S32), whole = 1;
    for (int i = 0; i < PLANS; i++) {
        whole &= made[i] != NULL;
        if (made[i])
            memcpy(all + m->plan[i].at, made[i], m->plan[i].plan.words * sizeof *all);
        free(made[i]);
    }
    return whole ? NULL : "more block rows or columns than a plan numbers";
}

/* Inputs: 0 B, 1 row starts, 2 columns, 3 values, 4 order, 5 A dense and pruned, 6 A dense and unpruned, 7 plans. */
static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M % 64 || K % 64)
        return "M and K must be multiples of the block, 64";
    if (M > 1u << 17 || N > 1u << 17 || K > 1u << 17)
        return "M, N and K are at most 131072";
    Matrix *matrix = (Matrix *)calloc(1, sizeof *matrix);
    if (!matrix || bsr_random(&matrix->bsr, M, K, 64, sparsity, c->seed + 100))
        die("out of memory");
    Bsr *bsr = &matrix->bsr;
    c->user = matrix;
    lab_input(c, 0, K * N, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    memcpy(lab_input(c, 1, M / 64 + 1, LAB_S32), bsr->row_start, (M / 64 + 1) * 4);
    memcpy(lab_input(c, 2, bsr->blocks + 1, LAB_S32), bsr->column, bsr->blocks * 4);
    memcpy(lab_input(c, 3, bsr->blocks * 4096 + 1, LAB_BF16), bsr->value, bsr->blocks * 4096 * 2);
    lab_input(c, 4, M / 64 + 1, LAB_S32);
    bsr_longest_first(bsr, lab_h_in_s32(c, 4));
    lab_input(c, 5, M * K, LAB_BF16);
    bsr_to_dense(bsr, lab_h_in_u16(c, 5));
    lab_input(c, 6, M * K, LAB_BF16);
    lab_fill_uniform(c, 6, -1, 1);
    lab_output(c, M * N, LAB_BF16);
    c->out_width = N;
    c->atol = 1e-3;
    c->rtol = 1.0 / 256; /* C is rounded to bf16 */
    return make_plans(c, matrix);
}

static void teardown(LabCase *c)
{
    if (c->user)
        bsr_free(&((Matrix *)c->user)->bsr);
    free(c->user);
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    const uint16_t *A = lab_h_in_u16(c, 5), *B = lab_h_in_u16(c, 0);
#pragma omp parallel for schedule(dynamic)
    for (size_t m = 0; m < M; m++) {
        double *row = c->expect + m * N;
        int wanted = lab_sample_row(m, M, (double)N * (double)K * (1 - sparsity));
        for (size_t n = 0; n < N; n++)
            row[n] = wanted ? 0 : lab_unchecked();
        for (size_t k = 0; wanted && k < K; k++) {
            double a = bf16_to_float(A[m * K + k]);
            for (size_t n = 0; a != 0 && n < N; n++)
                row[n] += a * bf16_to_float(B[k * N + n]);
        }
    }
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->dim[0] == 0 || c->dim[1] == 0)
        return;
    Matrix *m = (Matrix *)c->user;
    if (r->number == 11) {
        vendor_spmm_bsr_bf16(lab_in_s32(c, 1), lab_in_s32(c, 2), c->in[3], m->bsr.blocks, 64, c->in[0], c->out,
                             c->dim[0], c->dim[1], c->dim[2], c->stream);
        return;
    }
    if (r->flags & LAB_VENDOR) {
        vendor_gemm_lt(c->in[m->verified ? 6 : 5], c->in[0], c->out, LAB_BF16, LAB_BF16, 0, c->dim[0], c->dim[1],
                       c->dim[2], c->stream);
        m->verified = 1;
        return;
    }
    BsrArguments p = {lab_in_s32(c, 1), lab_in_s32(c, 2), lab_in_s32(c, 4), lab_in_u16(c, 3), c->in[0],
                      c->out,           (int)c->dim[0],   (int)c->dim[1],   (int)c->dim[2]};
    if (!(r->flags & LAB_NEEDS_SM90A)) {
        ((Multiply *)r->launch)(p, c->stream);
        return;
    }
    const char *why = hopper_here();
    if (!why)
        why = ((MultiplyPlanned *)r->launch)(p, m->bsr.blocks, &m->plan[r->number - FIRST_PLANNED], lab_in_s32(c, 7),
                                             c->stream);
    if (why)
        lab_skip("%s", why);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number > 1 && c->dim[1] % 8 ? "rows must begin at multiples of 16 bytes: N a multiple of 8" : NULL;
}

static double bytes(const LabCase *c)
{
    const Bsr *bsr = &((const Matrix *)c->user)->bsr;
    return (double)bsr_bytes(bsr->rows, 64, bsr->blocks, 2) + 2.0 * (double)c->dim[1] * (double)(c->dim[0] + c->dim[2]);
}

/* ---- the table by block size */

static void block8(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<8, 256, 16, 64, 2>>(p, stream); }
static void block16(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<16, 256, 16, 32, 2>>(p, stream); }
static void block32(const BsrArguments &p, cudaStream_t stream) { bsr_launch<BsrTile<32, 256, 32, 64, 2>>(p, stream); }

static const struct {
    size_t block;
    Multiply *multiply;
} by_block[] = {{8, block8}, {16, block16}, {32, block32}, {64, spmm4}};

typedef struct Subject {
    Multiply *multiply; /* NULL: the vendor's dense product */
    BsrArguments p;
    const void *A;
} Subject;

static void run_subject(void *context)
{
    Subject *s = (Subject *)context;
    if (s->multiply)
        s->multiply(s->p, 0);
    else
        vendor_gemm_lt(s->A, s->p.B, s->p.C, LAB_BF16, LAB_BF16, 0, (size_t)s->p.M, (size_t)s->p.N, (size_t)s->p.K, 0);
}

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

/* The largest relative error over a few rows of C, against sums in double. */
static double error_of(const Bsr *bsr, const uint16_t *B, const uint16_t *C, size_t N)
{
    double worst = 0;
    double *row = (double *)malloc(N * sizeof *row);
    if (!row)
        die("out of memory");
    for (size_t t = 0; t < 6; t++) {
        size_t m = t * (bsr->rows - 1) / 5, b = bsr->block;
        memset(row, 0, N * sizeof *row);
        for (int i = bsr->row_start[m / b]; i < bsr->row_start[m / b + 1]; i++)
            for (size_t k = 0; k < b; k++) {
                double a = bf16_to_float(bsr->value[((size_t)i * b + m % b) * b + k]);
                for (size_t n = 0; n < N; n++)
                    row[n] += a * bf16_to_float(B[((size_t)bsr->column[i] * b + k) * N + n]);
            }
        for (size_t n = 0; n < N; n++) {
            double e = (bf16_to_float(C[m * N + n]) - row[n]) / (1 + (row[n] < 0 ? -row[n] : row[n]));
            if (e < 0)
                e = -e;
            if (!(e <= worst))
                worst = e;
        }
    }
    free(row);
    return worst;
}

enum { BLOCKS = LAB_COUNT(by_block), ROUNDS = 20 };

/* The same product by each size of block, and by the vendor's dense one; the arrays are on the device. */
typedef struct BySize {
    const LabOptions *options;
    size_t side, blocks[BLOCKS];
    uint16_t *B, *C; /* on the host */
    void *d_A, *d_B, *d_C, *held[BLOCKS][4];
    double bytes[BLOCKS];
    Subject subject[BLOCKS + 1];
} BySize;

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

/* Makes the product with blocks of one size, runs it once and verifies it. Returns 1 if it is wrong. */
static int make_and_verify(BySize *s, int i)
{
    const int side = (int)s->side;
    const size_t block = by_block[i].block;
    Bsr bsr;
    if (bsr_random(&bsr, s->side, s->side, block, sparsity, s->options->seed + block))
        die("out of memory");
    int *order = (int *)malloc(s->side / block * sizeof *order);
    if (!order)
        die("out of memory");
    bsr_longest_first(&bsr, order);
    void **h = s->held[i];
    h[0] = to_device(bsr.row_start, (s->side / block + 1) * 4);
    h[1] = to_device(bsr.column, bsr.blocks * 4);
    h[2] = to_device(order, s->side / block * 4);
    h[3] = to_device(bsr.value, bsr.blocks * block * block * 2);
    free(order);
    s->subject[i].multiply = by_block[i].multiply;
    s->subject[i].p = {(const int *)h[0],
                       (const int *)h[1],
                       (const int *)h[2],
                       (const uint16_t *)h[3],
                       s->d_B,
                       s->d_C,
                       side,
                       side,
                       side};
    CUDA_CHECK(cudaMemset(s->d_C, 0xff, s->side * s->side * 2));
    run_subject(&s->subject[i]);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(s->C, s->d_C, s->side * s->side * 2, cudaMemcpyDeviceToHost));
    const double error = error_of(&bsr, s->B, s->C, s->side);
    s->bytes[i] = (double)bsr_bytes(s->side, block, bsr.blocks, 2);
    s->blocks[i] = bsr.blocks;
    bsr_free(&bsr);
    return lab_claim(error <= 1.0 / 128, "blocks of %zu: relative error %.2g", block, error);
}

/* One row of the table and of the CSV: row BLOCKS is the dense product's. dense_ms is 0 where there is none. */
static void report_size(const BySize *s, int i, double ms, double dense_ms, Table *t, FILE *csv)
{
    const double side = (double)s->side, ratio = dense_ms / ms, rate = 2 * side * side * side / ms * 1e-9;
    const double share = i < BLOCKS ? s->bytes[i] / (2 * side * side) : 1;
    char text[32];
    if (i < BLOCKS)
        table_cell(t, "%zu", by_block[i].block), table_cell(t, "%zu", s->blocks[i]);
    else
        table_cell(t, "dense"), table_cell(t, "%s", "");
    table_cell(t, "%.3f", share);
    table_cell(t, "%s", format_ms(ms, text));
    table_cell(t, "%.3g", rate);
    if (dense_ms > 0)
        table_cell(t, "%.2f", ratio);
    else
        table_cell(t, "%s", "");
    if (csv && i < BLOCKS)
        fprintf(csv, "%zu,%g,%zu,%zu,%.4f,%.5f,%.2f,%.3f\n", s->side, sparsity, by_block[i].block, s->blocks[i], share,
                ms, rate, ratio);
    else if (csv)
        fprintf(csv, "%zu,0,dense,,1,%.5f,%.2f,1\n", s->side, ms, rate);
}

static void time_sizes(BySize *s)
{
    const int count = BLOCKS + !device_is_cpu();
    double samples[BLOCKS + 1][ROUNDS];
    BenchSubject bs[BLOCKS + 1];
    uint16_t *A = random_bf16(s->side * s->side, s->options->seed + 60);
    s->d_A = to_device(A, s->side * s->side * 2);
    free(A);
    s->subject[BLOCKS] = s->subject[0];
    s->subject[BLOCKS].multiply = NULL;
    s->subject[BLOCKS].A = s->d_A;
    for (int i = 0; i < count; i++)
        bs[i] = (BenchSubject){run_subject, &s->subject[i], samples[i], 0};
    BenchOptions bo = {};
    bo.warmups = 3;
    bo.rounds = device_is_cpu() ? 3 : ROUNDS;
    bench(bs, count, &bo);
    FILE *csv = side_csv(s->options, "blocks", "side,sparsity,block,blocks,bytes_of_dense,time_ms,tflops,vs_dense");
    Table *t = table_new(">block|>blocks kept|>bytes of dense|>time|>TFLOP/s (as dense)|>vs dense");
    const double dense_ms = count > BLOCKS ? stats_of(samples[BLOCKS], bs[BLOCKS].runs).median : 0;
    printf("\n    %zu x %zu x %zu, %.0f %% of the blocks zero\n", s->side, s->side, s->side, 100 * sparsity);
    for (int i = 0; i < count; i++)
        report_size(s, i, stats_of(samples[i], bs[i].runs).median, dense_ms, t, csv);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
}

/* What the plans of rungs 6 to 10 fetch for the ladder's matrix: counted, not measured. */
static void show_plans(const LabOptions *options, size_t side)
{
    Bsr bsr;
    if (bsr_random(&bsr, side, side, 64, sparsity, options->seed + 100))
        die("out of memory");
    FILE *csv = side_csv(options, "plans", "rung,rows,cluster,blocks,steps,steps_of_blocks,from_l2_gb,to_shared_gb");
    Table *t = table_new(">rung|>block rows together|>thread blocks that share A|>steps|>steps / blocks|>from L2, "
                         "GB|>to shared memory, GB");
    for (int i = 0; i < PLANS; i++) {
        BsrPlan plan;
        free(planned[i].make(&plan, &bsr, (int)side, planned[i].share));
        const double steps = (double)(plan.step - plan.column), wide = 512.0 / planned[i].rows; /* columns of a tile */
        const double b = steps * 64 * 2 * (double)side * 1e-9;
        const double a = (double)bsr.blocks * 4096 * 2 * (double)side / wide * 1e-9;
        const double share = steps / (double)(bsr.blocks ? bsr.blocks : 1);
        table_cell(t, "%d", FIRST_PLANNED + i);
        table_cell(t, "%d", planned[i].rows);
        table_cell(t, "%d", planned[i].cluster);
        table_cell(t, "%.0f", steps);
        table_cell(t, "%.3f", share);
        table_cell(t, "%.3g", b + a / planned[i].cluster);
        table_cell(t, "%.3g", b + a);
        if (csv)
            fprintf(csv, "%d,%d,%d,%zu,%.0f,%.4f,%.4f,%.4f\n", FIRST_PLANNED + i, planned[i].rows, planned[i].cluster,
                    bsr.blocks, steps, share, b + a / planned[i].cluster, b + a);
    }
    printf("\n    %zu x %zu x %zu, %.0f %% of the blocks zero: what the plans fetch\n", side, side, side,
           100 * sparsity);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    bsr_free(&bsr);
}

/* ---- rung 8 by block size, forward and backward */

typedef BsrRing<2, 2, 0> Forward;
typedef BsrRing<2, 2, 1> Backward;
static const size_t hopper_sizes[] = {32, 64, 128};
enum { SIZES = LAB_COUNT(hopper_sizes), HOPPER_WAYS = 2 * SIZES };

/* A product: of A (turned 0) or of its transpose; as it is on the device. */
typedef struct HopperWay {
    int turned, side;
    size_t blocks;
    BsrPlan plan;
    void *value, *plans, *B, *C;
    const char *why;
} HopperWay;

static void run_hopper_way(void *context)
{
    HopperWay *w = (HopperWay *)context;
    const BsrArguments p = {NULL, NULL, NULL, (const uint16_t *)w->value, w->B, w->C, w->side, w->side, w->side};
    const int *plans = (const int *)w->plans;
    w->why = w->turned ? bsr_wgmma_launch<Backward>(p, w->blocks, &w->plan, plans, 0)
                       : bsr_wgmma_launch<Forward>(p, w->blocks, &w->plan, plans, 0);
}

/* The plan of `a`, or of its transpose, on the device. */
static void plan_hopper_way(HopperWay *w, const Bsr *a)
{
    const int wide = 2 * Forward::BN, slabs = (w->side + wide - 1) / wide;
    int *plan, *block = NULL;
    if (w->turned) {
        Bsr turned;
        if (bsr_turn(a, &turned, &block))
            die("out of memory");
        plan = bsr_plan(&w->plan, &turned, 2, 1, slabs, bsr_wgmma_clusters<Backward>());
        if (plan)
            bsr_plan_turn(&w->plan, plan, block);
        bsr_free(&turned);
        free(block);
    } else
        plan = bsr_plan(&w->plan, a, 2, 1, slabs, bsr_wgmma_clusters<Forward>());
    if (!plan)
        die("more block rows or columns than a plan numbers");
    w->plans = to_device(plan, w->plan.words * sizeof *plan);
    free(plan);
}

/* The largest relative error over a few rows of C = A B, or of A' B, against sums in double. */
static double hopper_error(const HopperWay *w, const uint16_t *A, const uint16_t *B, const uint16_t *C)
{
    const size_t N = (size_t)w->side;
    double worst = 0, *row = (double *)malloc(N * sizeof *row);
    if (!row)
        die("out of memory");
    for (size_t t = 0; t < 6; t++) {
        const size_t m = t * (N - 1) / 5;
        memset(row, 0, N * sizeof *row);
        for (size_t k = 0; k < N; k++) {
            const double a = bf16_to_float(w->turned ? A[k * N + m] : A[m * N + k]);
            for (size_t n = 0; a != 0 && n < N; n++)
                row[n] += a * bf16_to_float(B[k * N + n]);
        }
        for (size_t n = 0; n < N; n++) {
            const double e = fabs(bf16_to_float(C[m * N + n]) - row[n]) / (1 + fabs(row[n]));
            if (!(e <= worst))
                worst = e;
        }
    }
    free(row);
    return worst;
}

/* Both ways of a matrix with blocks of one size, run once and verified. Returns how many are wrong. */
static int make_hopper_ways(const BySize *s, size_t block, HopperWay way[2])
{
    uint16_t *A = (uint16_t *)malloc(s->side * s->side * 2);
    Bsr of_size, a;
    int failed = 0;
    if (!A || bsr_random(&of_size, s->side, s->side, block, sparsity, s->options->seed + block))
        die("out of memory");
    bsr_to_dense(&of_size, A);
    bsr_free(&of_size);
    if (bsr_from_dense(&a, A, s->side, s->side, 64))
        die("out of memory");
    void *value = to_device(a.value, a.blocks * 4096 * 2);
    for (int turned = 0; turned < 2; turned++) {
        HopperWay *w = &way[turned];
        *w = HopperWay{};
        w->turned = turned, w->side = (int)s->side, w->blocks = a.blocks, w->value = value;
        w->B = s->d_B, w->C = s->d_C;
        plan_hopper_way(w, &a);
        CUDA_CHECK(cudaMemset(s->d_C, 0xff, s->side * s->side * 2));
        run_hopper_way(w);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(s->C, s->d_C, s->side * s->side * 2, cudaMemcpyDeviceToHost));
        const double error = hopper_error(w, A, s->B, s->C);
        failed += lab_claim(!w->why && error <= 1.0 / 128, "blocks of %zu, %s: relative error %.2g", block,
                            turned ? "backward" : "forward", error);
    }
    bsr_free(&a);
    free(A);
    return failed;
}

/* The ways beside the dense product, and their table. */
static void time_hopper_ways(BySize *s, HopperWay *way)
{
    const int count = HOPPER_WAYS + !device_is_cpu();
    static double samples[HOPPER_WAYS + 1][ROUNDS];
    BenchSubject bs[HOPPER_WAYS + 1];
    for (int i = 0; i < HOPPER_WAYS; i++)
        bs[i] = {run_hopper_way, &way[i], samples[i], 0};
    bs[HOPPER_WAYS] = {run_subject, &s->subject[BLOCKS], samples[HOPPER_WAYS], 0};
    BenchOptions bo = {};
    bo.warmups = 1, bo.rounds = device_is_cpu() ? 1 : ROUNDS, bo.budget_ms = 200;
    bench(bs, count, &bo);
    const double dense = count > HOPPER_WAYS ? stats_of(samples[HOPPER_WAYS], bs[HOPPER_WAYS].runs).median : 0;
    FILE *csv = side_csv(s->options, "hopper", "side,sparsity,block,way,blocks_of_64,time_ms,vs_dense");
    Table *t = table_new(">block|way|>blocks of 64|>time|>vs dense");
    for (int i = 0; i < HOPPER_WAYS; i++) {
        const double ms = stats_of(samples[i], bs[i].runs).median;
        const char *name = way[i].turned ? "backward" : "forward";
        char text[32];
        table_cell(t, "%zu", hopper_sizes[i / 2]);
        table_cell(t, "%s", name);
        table_cell(t, "%zu", way[i].blocks);
        table_cell(t, "%s", format_ms(ms, text));
        table_cell(t, dense > 0 ? "%.2f" : "", dense / ms);
        if (csv)
            fprintf(csv, "%zu,%g,%zu,%s,%zu,%.5f,%.3f\n", s->side, sparsity, hopper_sizes[i / 2], name, way[i].blocks,
                    ms, dense / ms);
    }
    printf("\n    %zu x %zu x %zu by rung 8, %.0f %% of the blocks zero; backward: by the transpose of A\n", s->side,
           s->side, s->side, 100 * sparsity);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
}

static int show_hopper(BySize *s)
{
    if (hopper_here())
        return 0;
    HopperWay way[HOPPER_WAYS];
    int failed = 0;
    for (int i = 0; i < SIZES; i++)
        failed += make_hopper_ways(s, hopper_sizes[i], way + 2 * i);
    if (!s->options->verify_only)
        time_hopper_ways(s, way);
    for (int i = 0; i < HOPPER_WAYS; i++) {
        if (!way[i].turned)
            CUDA_CHECK(cudaFree(way[i].value));
        CUDA_CHECK(cudaFree(way[i].plans));
    }
    return failed;
}

static int show(const LabOptions *options)
{
    if (lab_brief())
        return 0;
    BySize s = {};
    s.options = options;
    s.side = device_is_cpu() || options->small ? 256 : 8192;
    show_plans(options, options->small ? s.side : 8192);
    s.B = random_bf16(s.side * s.side, options->seed + 50);
    s.C = (uint16_t *)malloc(s.side * s.side * 2);
    if (!s.C)
        die("out of memory");
    s.d_B = to_device(s.B, s.side * s.side * 2);
    CUDA_CHECK(cudaMalloc(&s.d_C, s.side * s.side * 2));
    int failed = 0;
    for (int i = 0; i < BLOCKS; i++)
        failed += make_and_verify(&s, i);
    if (!options->verify_only)
        time_sizes(&s);
    failed += show_hopper(&s);
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < 4; j++)
            CUDA_CHECK(cudaFree(s.held[i][j]));
    CUDA_CHECK(cudaFree(s.d_A));
    CUDA_CHECK(cudaFree(s.d_B));
    CUDA_CHECK(cudaFree(s.d_C));
    free(s.B), free(s.C);
    return failed;
}

static const struct argp_option own_options[] = {
    {"sparsity", 'z', "SHARE", 0, "the share of blocks that are zero, from 0 to 1 (0.9)", 0},
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
    .order = 7,
    .name = "spmm_block",
    .title = "whole blocks left out, the rest on tensor cores",
    .look = "At 90 % zeros, ten times the dense product's speed would be perfect. (TFLOP/s count its\n"
            "operations.) The smaller the blocks, the less often each fetched row of B is used.",
    .dims = "M N K",
    .size = "8192x8192x8192",
    .cpu_size = "256x256x256",
    .small_sizes = "64x8x64 128x40x192 320x136x448",
    .test_sizes = "64x8x64 128x40x192 64x264x128 192x512x64 64x7x64 448x136x704 320x520x1280",
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
    .argp = &own_argp,
};
LAB_MAIN(lab)
