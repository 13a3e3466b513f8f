/* Block-sparse times dense, C = A B: whole blocks are zero, and the tensor cores see only the others.
 *
 * A is M x K in block CSR, square blocks, a share of them zero (--sparsity 0.9); B is K x N and C is M x N, bf16 with fp32
 * sums. A kept block is dense, so tensor cores multiply it as they do any matrix, with no metadata inside: what is lost is freedom
 * (a block stays or goes as a whole), and what decides the speed is how much of B is fetched for each kept block.
 * Rates count the dense product's 2 M N K.
 *
 *   rung                        idea                                                       ./run spmm_block --rung N
 *   1  a thread an element      walks the blocks of its row, no reuse
 *   2  mma.sync                 a block of threads for each block row, 128 columns, two stages
 *   3  deep pipeline            256 columns, copies four stages ahead: fills an SM's shared memory with one block, and
 *                               gains nothing: a block row has only a dozen blocks, and it starts and ends too often
 *   4  two blocks an SM         the same tile with two stages: while one block starts or ends, the other multiplies
 *   5  cuBLASLt dense           as if nothing were zero; timed on a matrix without zeros
 *
 * Rungs 1 to 4 have blocks of 64. Then the table by block size, each with the fastest tiling found for it.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lab.h"
#include "side_csv.h"
#include "sparse.h"
#include "spmm_block/bsr.cuh"
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

static const LabRung rungs[] = {
    {1, "a thread an element", LAB_LAUNCH(Multiply, spmm1), LAB_BF16, 0, 64},
    {2, "mma.sync", LAB_LAUNCH(Multiply, spmm2), LAB_BF16, LAB_NEEDS_SM80, 64},
    {3, "deep pipeline", LAB_LAUNCH(Multiply, spmm3), LAB_BF16, LAB_NEEDS_SM80, 64},
    {4, "two blocks an SM", LAB_LAUNCH(Multiply, spmm4), LAB_BF16, LAB_NEEDS_SM80, 64},
    {5, "cuBLASLt dense", NULL, LAB_BF16, LAB_VENDOR, 0},
};

/* Inputs: 0 B, 1 row starts, 2 columns, 3 values, 4 order, 5 A dense and pruned, 6 A dense and unpruned. */
static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M % 64 || K % 64)
        return "M and K must be multiples of the block, 64";
    if (M > 1u << 17 || N > 1u << 17 || K > 1u << 17)
        return "M, N and K are at most 131072";
    Bsr *bsr = (Bsr *)calloc(1, sizeof(Bsr) + sizeof(int));
    if (!bsr || bsr_random(bsr, M, K, 64, sparsity, c->seed + 100))
        die("out of memory");
    c->user = bsr;
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
    return NULL;
}

static void teardown(LabCase *c)
{
    if (c->user)
        bsr_free((Bsr *)c->user);
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
    if (r->flags & LAB_VENDOR) {
        int *verified = (int *)((Bsr *)c->user + 1); /* the framework verifies a rung before it times it */
        vendor_gemm_lt(c->in[*verified ? 6 : 5], c->in[0], c->out, LAB_BF16, LAB_BF16, 0, c->dim[0], c->dim[1],
                       c->dim[2], c->stream);
        *verified = 1;
        return;
    }
    BsrArguments p = {lab_in_s32(c, 1), lab_in_s32(c, 2), lab_in_s32(c, 4), lab_in_u16(c, 3), c->in[0],
                      c->out,           (int)c->dim[0],   (int)c->dim[1],   (int)c->dim[2]};
    ((Multiply *)r->launch)(p, c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number > 1 && c->dim[1] % 8 ? "rows must begin at multiples of 16 bytes: N a multiple of 8" : NULL;
}

static double bytes(const LabCase *c)
{
    const Bsr *bsr = (const Bsr *)c->user;
    return (double)bsr_bytes(bsr->rows, 64, bsr->blocks, 2) + 2.0 * (double)c->dim[1] * (double)(c->dim[0] + c->dim[2]);
}

static double flops(const LabCase *c) { return 2.0 * (double)c->dim[0] * (double)c->dim[1] * (double)c->dim[2]; }

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

static int show(const LabOptions *options)
{
    if (lab_brief())
        return 0;
    constexpr int COUNT = LAB_COUNT(by_block), ROUNDS = 20;
    const size_t side = device_is_cpu() || options->small ? 128 : 8192;
    const int dense = !device_is_cpu();
    int failed = 0;
    uint16_t *B = (uint16_t *)malloc(side * side * 2), *C = (uint16_t *)malloc(side * side * 2);
    if (!B || !C)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < side * side; i++)
        B[i] = bf16_from_float((float)(2 * random_uniform(options->seed + 50, i) - 1));
    void *d_B = to_device(B, side * side * 2), *d_C;
    CUDA_CHECK(cudaMalloc(&d_C, side * side * 2));

    Subject subject[COUNT + 1];
    BenchSubject bs[COUNT + 1];
    double samples[COUNT + 1][ROUNDS], bytes_of[COUNT], error[COUNT];
    void *held[COUNT][4];
    size_t blocks[COUNT];
    for (int i = 0; i < COUNT; i++) {
        Bsr bsr;
        size_t block = by_block[i].block;
        if (bsr_random(&bsr, side, side, block, sparsity, options->seed + block))
            die("out of memory");
        int *order = (int *)malloc(side / block * sizeof *order);
        if (!order)
            die("out of memory");
        bsr_longest_first(&bsr, order);
        held[i][0] = to_device(bsr.row_start, (side / block + 1) * 4);
        held[i][1] = to_device(bsr.column, bsr.blocks * 4);
        held[i][2] = to_device(order, side / block * 4);
        held[i][3] = to_device(bsr.value, bsr.blocks * block * block * 2);
        free(order);
        subject[i].multiply = by_block[i].multiply;
        subject[i].p = {(const int *)held[i][0],
                        (const int *)held[i][1],
                        (const int *)held[i][2],
                        (const uint16_t *)held[i][3],
                        d_B,
                        d_C,
                        (int)side,
                        (int)side,
                        (int)side};
        CUDA_CHECK(cudaMemset(d_C, 0xff, side * side * 2));
        run_subject(&subject[i]);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(C, d_C, side * side * 2, cudaMemcpyDeviceToHost));
        error[i] = error_of(&bsr, B, C, side);
        failed += lab_claim(error[i] <= 1.0 / 128, "blocks of %zu: relative error %.2g", block, error[i]);
        bytes_of[i] = (double)bsr_bytes(side, block, bsr.blocks, 2);
        blocks[i] = bsr.blocks;
        bsr_free(&bsr);
    }
    if (!options->verify_only) {
        subject[COUNT] = subject[0];
        subject[COUNT].multiply = NULL;
        uint16_t *A = (uint16_t *)malloc(side * side * 2);
        if (!A)
            die("out of memory");
#pragma omp parallel for
        for (size_t i = 0; i < side * side; i++)
            A[i] = bf16_from_float((float)(2 * random_uniform(options->seed + 60, i) - 1));
        void *d_A = to_device(A, side * side * 2);
        subject[COUNT].A = d_A;
        free(A);
        for (int i = 0; i < COUNT + dense; i++)
            bs[i] = (BenchSubject){run_subject, &subject[i], samples[i], 0};
        BenchOptions bo = {};
        bo.warmups = 3;
        bo.rounds = device_is_cpu() ? 3 : ROUNDS;
        bench(bs, COUNT + dense, &bo);
        FILE *csv = side_csv(options, "blocks", "side,sparsity,block,blocks,bytes_of_dense,time_ms,tflops,vs_dense");
        Table *t = table_new(">block|>blocks kept|>bytes of dense|>time|>TFLOP/s (as dense)|>vs dense");
        char text[32];
        printf("\n    %zu x %zu x %zu, %.0f %% of the blocks zero\n", side, side, side, 100 * sparsity);
        for (int i = 0; i < COUNT + dense; i++) {
            double ms = stats_of(samples[i], bs[i].runs).median;
            double ratio = dense ? stats_of(samples[COUNT], bs[COUNT].runs).median / ms : 0;
            double rate = 2.0 * (double)side * (double)side * (double)side / ms * 1e-9;
            if (i < COUNT)
                table_cell(t, "%zu", by_block[i].block), table_cell(t, "%zu", blocks[i]);
            else
                table_cell(t, "dense"), table_cell(t, "%s", "");
            double share = i < COUNT ? bytes_of[i] / (2.0 * (double)side * (double)side) : 1;
            table_cell(t, "%.3f", share);
            table_cell(t, "%s", format_ms(ms, text));
            table_cell(t, "%.3g", rate);
            if (dense)
                table_cell(t, "%.2f", ratio);
            else
                table_cell(t, "%s", "");
            if (csv && i < COUNT)
                fprintf(csv, "%zu,%g,%zu,%zu,%.4f,%.5f,%.2f,%.3f\n", side, sparsity, by_block[i].block, blocks[i],
                        share, ms, rate, ratio);
            else if (csv)
                fprintf(csv, "%zu,0,dense,,1,%.5f,%.2f,1\n", side, ms, rate);
        }
        table_print(t, stdout, 4);
        table_free(t);
        if (csv && fclose(csv))
            die("cannot write the table of blocks");
        CUDA_CHECK(cudaFree(d_A));
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 4; j++)
            CUDA_CHECK(cudaFree(held[i][j]));
    CUDA_CHECK(cudaFree(d_B));
    CUDA_CHECK(cudaFree(d_C));
    free(B), free(C);
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
            "operations.) Smaller blocks use each row of B that was fetched less often.",
    .dims = "M N K",
    .size = "8192x8192x8192",
    .cpu_size = "256x256x256",
    .test_sizes = "64x8x64 128x40x192 64x264x128 192x512x64 64x7x64",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
