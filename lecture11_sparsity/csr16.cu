/* CSR in 16 bits: single zeros against the dense product on tensor cores.
 *
 * C = A B, A M x K with a share of zeros (--sparsity 0.99), B and C row-major, all bf16, sums in fp32. `formats` does
 * the same in fp32. With half the bytes per element of B, a lane fetches twice as many columns at a time, and all rows
 * of B together are half as many bytes from L2, which we think limits rung 2.
 *
 *   rung                    idea                                                               ./run csr16 --rung N
 *   1  one warp per row     256 columns per warp, 16 bytes of B per lane
 *   2  one word per value   column and value share 32 bits: one load and one shuffle for both
 *   3  eight lanes per row  64 columns: for narrow B, where most lanes of a warp would have no column; slower for wide B
 *   4  rows by length       the four rows of a warp are of similar length (Sputnik's row swizzle): gains where lengths
 *                           differ, --uneven
 *   5  cuSPARSE             the algorithm that adds up in fp32
 *   6  cuBLASLt dense       verified on A, timed on a matrix without zeros
 *
 * Then the times over the share of zeros, for narrow and wide B.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "ceil_div.cuh"
#include "csr16/plan.h"
#include "csr16/rows.cuh"
#include "device.h"
#include "lab.h"
#include "random.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"
#include "vendor.h"

typedef void Multiply(const Csr16Arguments &p, cudaStream_t stream);

static double sparsity = 0.99;
static int uneven;

static dim3 warps_grid(const Csr16Arguments &p) { return dim3(ceil_div(p.M, 8), ceil_div(p.N, 256)); }

static void csr1(const Csr16Arguments &p, cudaStream_t stream) { csr16_kernel1<<<warps_grid(p), 256, 0, stream>>>(p); }
static void csr2(const Csr16Arguments &p, cudaStream_t stream) { csr16_kernel2<<<warps_grid(p), 256, 0, stream>>>(p); }

static void csr3(const Csr16Arguments &p, cudaStream_t stream)
{
    csr16_kernel3<<<dim3(ceil_div(p.M, 32), ceil_div(p.N, 64)), 256, 0, stream>>>(p);
}

static const LabRung rungs[] = {
    {1, "one warp per row", LAB_LAUNCH(Multiply, csr1), LAB_BF16, 0, 0},
    {2, "one word per value", LAB_LAUNCH(Multiply, csr2), LAB_BF16, 0, 0},
    {3, "eight lanes per row", LAB_LAUNCH(Multiply, csr3), LAB_BF16, 0, 0},
    {4, "rows by length", LAB_LAUNCH(Multiply, csr3), LAB_BF16, 0, 1},
    {5, "cuSPARSE", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {6, "cuBLASLt dense", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* ---- the matrix */

/* How many times the average share of this row is kept: 1, or from 1/4 to 4 of a common factor, as where the rows of a
 * trained matrix differ in scale and one threshold prunes all. */
static double row_share(size_t row, uint64_t seed, int differ)
{
    const double mean = (4 - 0.25) / (2 * log(4)); /* of 4^x for x from -1 to 1 */
    return differ ? pow(4, 2 * random_uniform(seed, row) - 1) / mean : 1;
}

/* Each element is kept with the probability of its row. Values are not zero. Returns 0, or -1: no memory. */
static int make_csr(Csr *csr, size_t rows, size_t columns, double zeros, int differ, uint64_t seed)
{
    *csr = Csr{};
    csr->rows = rows, csr->columns = columns;
    csr->row_start = (int *)calloc(rows + 1, sizeof *csr->row_start);
    if (!csr->row_start)
        return -1;
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            csr->row_start[r + 1] +=
                random_uniform(seed, r * columns + c) < (1 - zeros) * row_share(r, seed + 1, differ);
    for (size_t r = 0; r < rows; r++)
        csr->row_start[r + 1] += csr->row_start[r];
    csr->nonzeros = (size_t)csr->row_start[rows];
    csr->column = (int *)malloc((csr->nonzeros + 1) * sizeof *csr->column);
    csr->value = (float *)malloc((csr->nonzeros + 1) * sizeof *csr->value);
    if (!csr->column || !csr->value) {
        csr_free(csr);
        return -1;
    }
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        int at = csr->row_start[r];
        for (size_t c = 0; c < columns; c++)
            if (random_uniform(seed, r * columns + c) < (1 - zeros) * row_share(r, seed + 1, differ)) {
                const double x = 2 * random_uniform(seed + 2, r * columns + c) - 1;
                csr->column[at] = (int)c;
                csr->value[at++] = bf16_to_float(bf16_from_float((float)(x + (x < 0 ? -0.01 : 0.01))));
            }
    }
    return 0;
}

/* ---- the case */

enum { B, ROW_START, COLUMN, VALUE, WORD, ROW, PRUNED, FULL }; /* inputs */

typedef struct Matrix {
    Csr csr;
    int verified; /* the dense rung: the framework verifies a rung before it times it */
} Matrix;

static void input_matrix(LabCase *c, const Csr *csr)
{
    memcpy(lab_input(c, ROW_START, csr->rows + 1, LAB_S32), csr->row_start, (csr->rows + 1) * 4);
    memcpy(lab_input(c, COLUMN, csr->nonzeros + 1, LAB_S32), csr->column, csr->nonzeros * 4);
    uint16_t *value = (uint16_t *)lab_input(c, VALUE, csr->nonzeros + 1, LAB_BF16);
    for (size_t i = 0; i < csr->nonzeros; i++)
        value[i] = bf16_from_float(csr->value[i]);
    csr16_words(csr, (uint32_t *)lab_input(c, WORD, csr->nonzeros + 1, LAB_S32));
    if (csr16_rows_by_length(csr, (int *)lab_input(c, ROW, csr->rows + 1, LAB_S32)))
        die("out of memory");
}

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 65535 || N > 65535 || K > 65536)
        return "M and N are at most 65535, K at most 65536";
    if (N % 8)
        return "rows of B must begin at multiples of 16 bytes: N a multiple of 8";
    Matrix *a = (Matrix *)calloc(1, sizeof *a);
    if (!a || make_csr(&a->csr, M, K, sparsity, uneven, c->seed + 100))
        die("out of memory");
    c->user = a;
    lab_input(c, B, K * N, LAB_BF16);
    lab_fill_uniform(c, B, -1, 1);
    input_matrix(c, &a->csr);
    lab_input(c, PRUNED, M * K, LAB_BF16); /* zeros */
    uint16_t *pruned = lab_h_in_u16(c, PRUNED);
    memset(pruned, 0, M * K * 2);
    for (size_t m = 0; m < M; m++)
        for (int i = a->csr.row_start[m]; i < a->csr.row_start[m + 1]; i++)
            pruned[m * K + (size_t)a->csr.column[i]] = bf16_from_float(a->csr.value[i]);
    lab_input(c, FULL, M * K, LAB_BF16);
    lab_fill_uniform(c, FULL, -1, 1);
    lab_output(c, M * N, LAB_BF16);
    c->out_width = N;
    c->atol = 1e-6 * (1 + 4 * (1 - sparsity) * (double)K); /* sums in fp32 */
    c->rtol = 1.0 / 256;                                   /* C is rounded to bf16 */
    return NULL;
}

static void teardown(LabCase *c)
{
    if (c->user)
        csr_free(&((Matrix *)c->user)->csr);
    free(c->user);
}

static void reference(LabCase *c)
{
    const Csr *csr = &((const Matrix *)c->user)->csr;
    const size_t N = c->dim[1];
    const uint16_t *from = lab_h_in_u16(c, B);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t m = 0; m < csr->rows; m++) {
        double *row = c->expect + m * N;
        memset(row, 0, N * sizeof *row);
        for (int i = csr->row_start[m]; i < csr->row_start[m + 1]; i++)
            for (size_t n = 0; n < N; n++)
                row[n] += (double)csr->value[i] * bf16_to_float(from[(size_t)csr->column[i] * N + n]);
    }
}

static void run(const LabRung *r, LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    Matrix *a = (Matrix *)c->user;
    if (M == 0 || N == 0)
        return;
    if (r->number == 5) {
        vendor_spmm_csr_bf16(lab_in_s32(c, ROW_START), lab_in_s32(c, COLUMN), c->in[VALUE], a->csr.nonzeros, c->in[B],
                             c->out, M, N, K, c->stream);
        return;
    }
    if (r->number == 6) {
        vendor_gemm_lt(c->in[a->verified ? FULL : PRUNED], c->in[B], c->out, LAB_BF16, LAB_BF16, 0, M, N, K, c->stream);
        a->verified = 1;
        return;
    }
    const Csr16Arguments p = {lab_in_s32(c, ROW_START),
                              lab_in_s32(c, COLUMN),
                              lab_in_u16(c, VALUE),
                              (const uint32_t *)c->in[WORD],
                              r->variant ? lab_in_s32(c, ROW) : NULL,
                              lab_in_u16(c, B),
                              (uint16_t *)c->out,
                              (int)M,
                              (int)N,
                              (int)K};
    ((Multiply *)r->launch)(p, c->stream);
}

static double bytes(const LabCase *c)
{
    const Csr *csr = &((const Matrix *)c->user)->csr;
    return (double)csr_bytes(csr->rows, csr->nonzeros, 2) + 2.0 * (double)c->dim[1] * (double)(c->dim[0] + c->dim[2]);
}

static double flops(const LabCase *c)
{
    return 2.0 * (double)((const Matrix *)c->user)->csr.nonzeros * (double)c->dim[1];
}

/* ---- the times over the share of zeros */

enum { ONE_WORD, EIGHT_LANES, BY_LENGTH, CUSPARSE, DENSE, WAYS };
enum { SWEEP_SIDE = 8192, SWEEP_ROUNDS = 20, WIDEST = 4096 };
static const int sweep_columns[] = {64, 512, WIDEST};
static const double sweep_shares[] = {0.9, 0.95, 0.98, 0.99, 0.995};
enum { WIDTHS = LAB_COUNT(sweep_columns), LEVELS = LAB_COUNT(sweep_shares) };

typedef struct Way {
    int kind;
    size_t nonzeros;
    const void *dense;
    Csr16Arguments p;
} Way;

static void run_way(void *context)
{
    const Way *w = (const Way *)context;
    const size_t M = (size_t)w->p.M, N = (size_t)w->p.N, K = (size_t)w->p.K;
    switch (w->kind) {
    case ONE_WORD: csr2(w->p, 0); break;
    case CUSPARSE:
        vendor_spmm_csr_bf16(w->p.row_start, w->p.column, w->p.value, w->nonzeros, w->p.B, w->p.C, M, N, K, 0);
        break;
    case DENSE: vendor_gemm_lt(w->dense, w->p.B, w->p.C, LAB_BF16, LAB_BF16, 0, M, N, K, 0); break;
    default: csr3(w->p, 0); break;
    }
}

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

static void *random_on_device(size_t count, uint64_t seed)
{
    uint16_t *x = (uint16_t *)malloc(count * 2);
    if (!x)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        x[i] = bf16_from_float((float)(2 * random_uniform(seed, i) - 1));
    void *d = to_device(x, count * 2);
    free(x);
    return d;
}

typedef struct Sweep {
    const LabOptions *options;
    void *B, *C, *dense;
    Table *table;
    FILE *csv;
    double ours[WIDTHS][LEVELS], dense_ms[WIDTHS][LEVELS]; /* ours: the faster of rungs 2 and 3; of even rows */
} Sweep;

/* A matrix on the device in all its forms: a Way for each kind. `held` gets the arrays to free. */
enum { HELD = 5 };
static void make_ways(const Sweep *s, const Csr *csr, Way way[WAYS], void *held[HELD])
{
    const size_t M = csr->rows, n = csr->nonzeros;
    uint16_t *value = (uint16_t *)malloc((n + 1) * 2);
    uint32_t *word = (uint32_t *)malloc((n + 1) * 4);
    int *row = (int *)malloc((M + 1) * 4);
    if (!value || !word || !row || csr16_rows_by_length(csr, row))
        die("out of memory");
    for (size_t i = 0; i < n; i++)
        value[i] = bf16_from_float(csr->value[i]);
    csr16_words(csr, word);
    held[0] = to_device(csr->row_start, (M + 1) * 4), held[1] = to_device(csr->column, n * 4);
    held[2] = to_device(value, n * 2), held[3] = to_device(word, n * 4), held[4] = to_device(row, M * 4);
    free(value), free(word), free(row);
    for (int i = 0; i < WAYS; i++) {
        way[i].kind = i, way[i].nonzeros = n, way[i].dense = s->dense;
        way[i].p = Csr16Arguments{(const int *)held[0],
                                  (const int *)held[1],
                                  (const uint16_t *)held[2],
                                  (const uint32_t *)held[3],
                                  i == BY_LENGTH ? (const int *)held[4] : NULL,
                                  (const uint16_t *)s->B,
                                  (uint16_t *)s->C,
                                  SWEEP_SIDE,
                                  0,
                                  SWEEP_SIDE};
    }
}

/* One matrix, by B of each width: a row of the table each. Rows that differ are timed last, and not kept. */
static void sweep_matrix(Sweep *s, int level, int differ)
{
    static double samples[WAYS][SWEEP_ROUNDS];
    const double share = sweep_shares[level];
    Csr csr;
    Way way[WAYS];
    void *held[HELD];
    if (make_csr(&csr, SWEEP_SIDE, SWEEP_SIDE, share, differ, s->options->seed + 200))
        die("out of memory");
    make_ways(s, &csr, way, held);
    for (int w = 0; w < WIDTHS; w++) {
        BenchSubject subject[WAYS];
        for (int i = 0; i < WAYS; i++) {
            way[i].p.N = sweep_columns[w];
            subject[i] = (BenchSubject){run_way, &way[i], samples[i], 0};
        }
        BenchOptions bo = {};
        bo.warmups = 2, bo.rounds = SWEEP_ROUNDS, bo.budget_ms = 100;
        bench(subject, WAYS, &bo);
        table_cell(s->table, "%d", sweep_columns[w]);
        table_cell(s->table, "%s", differ ? "uneven" : "even");
        table_cell(s->table, "%g %%", 100 * share);
        if (s->csv)
            fprintf(s->csv, "%d,%s,%g", sweep_columns[w], differ ? "uneven" : "even", share);
        double ms[WAYS];
        for (int i = 0; i < WAYS; i++) {
            ms[i] = stats_of(samples[i], subject[i].runs).median;
            table_cell(s->table, "%.4f", ms[i]);
            if (s->csv)
                fprintf(s->csv, ",%.5f", ms[i]);
        }
        if (!differ) {
            s->ours[w][level] = fmin(ms[ONE_WORD], ms[EIGHT_LANES]);
            s->dense_ms[w][level] = ms[DENSE];
        }
        if (s->csv)
            fputc('\n', s->csv);
    }
    for (int i = 0; i < HELD; i++)
        CUDA_CHECK(cudaFree(held[i]));
    csr_free(&csr);
}

/* From which share of zeros on CSR is faster than the dense product, between two levels of the sweep. */
static void report_pays(const Sweep *s)
{
    FILE *csv = side_csv(s->options, "pays", "columns,pays_from");
    for (int w = 0; w < WIDTHS; w++) {
        int i = 0;
        while (i < LEVELS && s->ours[w][i] > s->dense_ms[w][i])
            i++;
        if (i == 0 || i == LEVELS) {
            printf("    %d columns: %s\n", sweep_columns[w],
                   i ? "CSR is slower everywhere" : "CSR is faster everywhere");
            continue;
        }
        const double above = s->ours[w][i - 1] - s->dense_ms[w][i - 1], under = s->dense_ms[w][i] - s->ours[w][i];
        const double from = sweep_shares[i - 1] + (sweep_shares[i] - sweep_shares[i - 1]) * above / (above + under);
        printf("    %d columns: CSR is faster than dense from %.1f %% zeros on\n", sweep_columns[w], 100 * from);
        if (csv)
            fprintf(csv, "%d,%.4f\n", sweep_columns[w], from);
    }
    lab_close(csv);
}

static int show(const LabOptions *options)
{
    if (lab_brief() || device_is_cpu() || options->verify_only)
        return 0; /* times, of a GPU */
    const size_t S = SWEEP_SIDE;
    static Sweep s;
    s.options = options;
    s.B = random_on_device(S * WIDEST, options->seed + 300);
    s.dense = random_on_device(S * S, options->seed + 301);
    CUDA_CHECK(cudaMalloc(&s.C, S * WIDEST * 2));
    s.table = table_new(">columns of B|rows|>zeros|>one word per value|>eight lanes|>rows by length|>cuSPARSE|>dense");
    s.csv = side_csv(options, "sweep",
                     "columns,rows,sparsity,one_word_ms,eight_lanes_ms,by_length_ms,cusparse_ms,dense_ms");
    for (int level = 0; level < LEVELS; level++)
        sweep_matrix(&s, level, 0);
    sweep_matrix(&s, 3, 1);
    printf("\n    %d x %d times %d x columns, bf16; ms\n", SWEEP_SIDE, SWEEP_SIDE, SWEEP_SIDE);
    table_print(s.table, stdout, 4);
    table_free(s.table);
    lab_close(s.csv);
    report_pays(&s);
    CUDA_CHECK(cudaFree(s.B));
    CUDA_CHECK(cudaFree(s.C));
    CUDA_CHECK(cudaFree(s.dense));
    return 0;
}

static const struct argp_option own_options[] = {
    {"sparsity", 'z', "SHARE", 0, "the share of zeros in the ladder's matrix, from 0 to 1 (0.99)", 0},
    {"uneven", 'u', NULL, 0, "rows of different lengths, up to 16 times as long as others", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    if (key == 'u') {
        uneven = 1;
        return 0;
    }
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
    .order = 15,
    .name = "csr16",
    .title = "single zeros in 16 bits, against the dense product of tensor cores",
    .page = "blocks.md",
    .look = "Only the multiplications that are really done are counted. A row of B is fetched for each value of A:\n"
            "in 16 bits a request brings twice as many columns, so there are half as many requests as in fp32.",
    .dims = "M N K",
    .size = "8192x512x8192",
    .cpu_size = "256x128x1024",
    .small_sizes = "64x72x800 37x8x40",
    .test_sizes = "1x8x1 37x8x40 64x72x800 100x264x1537 65x64x769 5x8x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
