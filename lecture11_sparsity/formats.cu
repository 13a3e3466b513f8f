/* Sparse formats: how many bytes they take, and from which sparsity on they are faster than dense.
 *
 * The ladder is CSR times dense, C = A B, A M x K with a share of zeros (--sparsity 0.99), B and C row-major, fp32.
 * Each nonzero of A fetches a row of B and adds it into a row of C: two operations for every 4 bytes of B, from the L2
 * at best. So it is all a matter of how B is fetched.
 *
 *   rung                       idea                                                            ./run formats --rung N
 *   1  by elements             a thread per element of C walks the row's nonzeros; neighbours read neighbouring columns
 *                              of B
 *   2  by rows                 a warp per row fetches 32 nonzeros at once and passes them around; 16 bytes of B per
 *                              lane, several rows in flight
 *   3  256 columns             per warp: each nonzero that was fetched and passed around serves twice as many columns
 *   4  B in shared             memory: a block keeps 4 columns of all of B, and every row of A runs over them: no row
 *                              of B is fetched twice. Slower all the same: we think because the nonzeros are now read
 *                              N / 4 times
 *   7  tiles of B              256 rows of A share each tile of B that TMA brings: L2 delivers it once for all of them
 *   5  cuSPARSE                6  cuBLAS, dense
 *
 * Then two tables: the bytes of COO, CSR, block CSR and 2:4 for one matrix, computed and counted in the arrays built;
 * and the time of each over sparsity, against dense: where each begins to win.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "ceil_div.cuh"
#include "bench.h"
#include "device.h"
#include "formats/csr.cuh"
#include "formats/tiles.cuh"
#include "lab.h"
#include "plot.h"
#include "side_csv.h"
#include "sparse.h"
#include "spmm_block/bsr.cuh"
#include "stats.h"
#include "table.h"
#include "vendor.h"

typedef void Multiply(const CsrArguments &p, cudaStream_t stream);

static double sparsity = 0.99;

static void csr1(const CsrArguments &p, cudaStream_t stream)
{
    csr_kernel1<<<dim3(ceil_div(p.N, 128), p.M), 128, 0, stream>>>(p);
}

template <int VECTORS> static void csr2(const CsrArguments &p, cudaStream_t stream)
{
    csr_kernel2<VECTORS><<<dim3(ceil_div(p.M, 8), ceil_div(p.N, VECTORS * 128)), 256, 0, stream>>>(p);
}

static void csr4(const CsrArguments &p, cudaStream_t stream)
{
    CUDA_CHECK(cudaFuncSetAttribute(csr_kernel3<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, p.K * 16));
    int every = device_multiprocessors(), across = p.N / 4, down = across >= every ? 1 : every / across;
    csr_kernel3<8><<<dim3(across, down), 1024, (size_t)p.K * 16, stream>>>(p);
}

static void csr7(const CsrArguments &p, cudaStream_t stream)
{
    const char *why = csr_tiles_launch(p, stream);
    if (why)
        lab_skip("%s", why);
}

static const LabRung rungs[] = {
    {1, "by elements", LAB_LAUNCH(Multiply, csr1), LAB_F32, 0, 1},
    {2, "by rows", LAB_LAUNCH(Multiply, csr2<1>), LAB_F32, 0, 4},
    {3, "256 columns", LAB_LAUNCH(Multiply, csr2<2>), LAB_F32, 0, 4},
    {4, "B in shared", LAB_LAUNCH(Multiply, csr4), LAB_F32, 0, 4},
    {7, "tiles of B", LAB_LAUNCH(Multiply, csr7), LAB_F32, LAB_NEEDS_SM90A, 4},
    {5, "cuSPARSE", NULL, LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
    {6, "cuBLAS, dense", NULL, LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* Inputs: 0 B, 1 row starts, 2 columns, 3 values, 4 A dense. */
static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 65535 || N > 65535 || K > 65535)
        return "M, N and K are at most 65535";
    Csr *csr = (Csr *)calloc(1, sizeof *csr);
    if (!csr || csr_random(csr, M, K, sparsity, c->seed + 100))
        die("out of memory");
    c->user = csr;
    lab_input(c, 0, K * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    memcpy(lab_input(c, 1, M + 1, LAB_S32), csr->row_start, (M + 1) * 4);
    memcpy(lab_input(c, 2, csr->nonzeros + 1, LAB_S32), csr->column, csr->nonzeros * 4);
    memcpy(lab_input(c, 3, csr->nonzeros + 1, LAB_F32), csr->value, csr->nonzeros * 4);
    lab_input(c, 4, M * K, LAB_F32);
    csr_to_dense(csr, lab_h_in_f32(c, 4));
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    c->atol = 1e-5 + 6e-8 * (1 - sparsity) * (double)K; /* sums in fp32: half an ulp at each addition */
    c->rtol = 1e-4;
    return NULL;
}

static void teardown(LabCase *c)
{
    if (c->user)
        csr_free((Csr *)c->user);
    free(c->user);
}

static void reference(LabCase *c)
{
    const Csr *csr = (const Csr *)c->user;
    size_t N = c->dim[1];
    const float *B = lab_h_in_f32(c, 0);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t m = 0; m < csr->rows; m++) {
        double *row = c->expect + m * N;
        memset(row, 0, N * sizeof *row);
        for (int i = csr->row_start[m]; i < csr->row_start[m + 1]; i++)
            for (size_t n = 0; n < N; n++)
                row[n] += (double)csr->value[i] * B[(size_t)csr->column[i] * N + n];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M == 0 || N == 0)
        return;
    CsrArguments p = {lab_in_s32(c, 1), lab_in_s32(c, 2), lab_in_f32(c, 3), lab_in_f32(c, 0),
                      lab_out_f32(c),   (int)M,           (int)N,           (int)K};
    if (r->number == 5)
        vendor_spmm_csr(p.row_start, p.column, p.value, ((Csr *)c->user)->nonzeros, p.B, p.C, M, N, K, c->stream);
    else if (r->number == 6)
        vendor_gemm_f32(lab_in_f32(c, 4), p.B, p.C, M, N, K, c->stream);
    else
        ((Multiply *)r->launch)(p, c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (r->variant == 4 && c->dim[1] % 4)
        return "rows of B must begin at multiples of 16 bytes: N a multiple of 4";
    if (r->number == 4 && (c->dim[2] * 16 > 227 * 1024 || c->dim[2] == 0))
        return "4 columns of B must fit in shared memory: K at most 14528";
    if (r->number == 7 && c->dim[2] == 0)
        return "TMA fetches from a matrix that has rows: K at least 1";
    return NULL;
}

static double bytes(const LabCase *c)
{
    const Csr *csr = (const Csr *)c->user;
    return (double)csr_bytes(csr->rows, csr->nonzeros, 4) + 4.0 * (double)c->dim[1] * (double)(c->dim[0] + c->dim[2]);
}

static double flops(const LabCase *c) { return 2.0 * (double)((const Csr *)c->user)->nonzeros * (double)c->dim[1]; }

/* ---- bytes, and time over sparsity */

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

/* Bytes of one 1024 x 1024 matrix in each format: the formulas, against arrays that are built. */
static int show_bytes(const LabOptions *options)
{
    enum { SIDE = 1024 };
    int failed = 0;
    float *dense = (float *)malloc(SIDE * SIDE * sizeof *dense);
    uint16_t *bits = (uint16_t *)malloc(SIDE * SIDE * 2);
    if (!dense || !bits)
        die("out of memory");
    Table *t = table_new(">sparsity|>COO|>CSR|>block CSR, 8|>block CSR, 64|>2:4");
    FILE *csv = side_csv(options, "bytes", "sparsity,coo,csr,bsr8_random_elements,bsr64_whole_blocks,sp24");
    static const double shares[] = {0.5, 0.75, 0.9, 0.95, 0.99};
    printf("\n    bytes of a %d x %d matrix with 16-bit elements and 32-bit indices, as a share of dense\n", SIDE,
           SIDE);
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
        Csr csr;
        Bsr small, large;
        if (csr_random(&csr, SIDE, SIDE, shares[s], options->seed + s))
            die("out of memory");
        csr_to_dense(&csr, dense);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            bits[i] = bf16_from_float(dense[i]);
        if (bsr_from_dense(&small, bits, SIDE, SIDE, 8) ||
            bsr_random(&large, SIDE, SIDE, 64, shares[s], options->seed + s))
            die("out of memory");
        size_t counted = 0; /* what the arrays hold, element by element */
        for (size_t r = 0; r < SIDE; r++)
            for (size_t c = 0; c < SIDE; c++)
                counted += dense[r * SIDE + c] != 0;
        failed += lab_claim(csr_problem(&csr) == NULL, "CSR of the random matrix is malformed");
        failed += lab_claim(csr_bytes(SIDE, csr.nonzeros, 2) == counted * 6 + (SIDE + 1) * 4,
                            "CSR bytes do not match what is stored");
        const double full = 2.0 * SIDE * SIDE;
        const double share[5] = {
            (double)coo_bytes(csr.nonzeros, 2) / full, (double)csr_bytes(SIDE, csr.nonzeros, 2) / full,
            (double)bsr_bytes(SIDE, 8, small.blocks, 2) / full, (double)bsr_bytes(SIDE, 64, large.blocks, 2) / full,
            (double)sparse24_bytes(SIDE, SIDE, 2) / full};
        table_cell(t, "%g %%", 100 * shares[s]);
        for (int i = 0; i < 5; i++)
            if (i == 4 && shares[s] != 0.5)
                table_cell(t, "%s", "");
            else
                table_cell(t, "%.3f", share[i]);
        if (csv)
            fprintf(csv, "%g,%.4f,%.4f,%.4f,%.4f,%.4f\n", shares[s], share[0], share[1], share[2], share[3], share[4]);
        csr_free(&csr);
        bsr_free(&small);
        bsr_free(&large);
    }
    table_print(t, stdout, 4);
    table_free(t);
    puts("    (zeros fall at random for COO, CSR and blocks of 8; as whole blocks for blocks of 64; 2:4 is 50 % by "
         "nature)");
    free(dense), free(bits);
    lab_close(csv);
    return failed;
}

enum { DENSE, CSR, CUSPARSE, BSR8, BSR16, BSR32, BSR64, SP24, WAYS };
static const char *const way_name[WAYS] = {"dense (cuBLASLt)", "CSR",          "cuSPARSE",     "blocks of 8",
                                           "blocks of 16",     "blocks of 32", "blocks of 64", "2:4 mma.sp"};

typedef struct Way {
    int kind;
    size_t side;
    CsrArguments csr;
    size_t nonzeros;
    BsrArguments bsr;
    MmaArguments mma;
} Way;

static void run_way(void *context)
{
    const Way *w = (const Way *)context;
    switch (w->kind) {
    case DENSE:
        vendor_gemm_lt(w->mma.A, w->mma.B, w->mma.C, LAB_BF16, LAB_BF16, 0, w->side, w->side, w->side, 0);
        break;
    case CSR: csr2<2>(w->csr, 0); break;
    case CUSPARSE:
        vendor_spmm_csr(w->csr.row_start, w->csr.column, w->csr.value, w->nonzeros, w->csr.B, w->csr.C, w->side,
                        w->side, w->side, 0);
        break;
    case BSR8: bsr_launch<BsrTile<8, 256, 16, 64, 2>>(w->bsr, 0); break;
    case BSR16: bsr_launch<BsrTile<16, 256, 16, 32, 2>>(w->bsr, 0); break;
    case BSR32: bsr_launch<BsrTile<32, 256, 32, 64, 2>>(w->bsr, 0); break;
    case BSR64: bsr_launch<BsrTile<64, 256, 32, 64, 2>>(w->bsr, 0); break;
    default: mma_launch<MmaTile<2, true, false, 256, 128, 64, 64, 5, 2, false>>(w->mma, 0); break;
    }
}

/* Where the curve y over x (sparsity) is first below `dense`, by linear interpolation; < 0: nowhere. */
static double crossing(const double *x, const double *y, int n, double dense)
{
    for (int i = 0; i < n; i++)
        if (y[i] > 0 && y[i] <= dense)
            return i == 0 || y[i - 1] <= dense ? x[i]
                                               : x[i - 1] + (x[i] - x[i - 1]) * (y[i - 1] - dense) / (y[i - 1] - y[i]);
    return -1;
}

enum { SWEEP_SIDE = 4096, SWEEP_ROUNDS = 10 };
static const double sweep_shares[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998};
enum { LEVELS = LAB_COUNT(sweep_shares) };

/* What all levels of the sweep share, on the device, and the times that they came to. */
typedef struct Sweep {
    const LabOptions *options;
    void *B32, *B16, *A, *values, *meta, *C;
    double time_ms[WAYS][LEVELS], percent[LEVELS];
} Sweep;

/* One level: the same product in each format, and the arrays to free after it. */
typedef struct Level {
    Way way[WAYS];
    int count, kept;
    void *held[7 * 4];
} Level;

static void sweep_make(Sweep *w)
{
    const size_t S = SWEEP_SIDE, seed = w->options->seed;
    float *B32 = (float *)malloc(S * S * sizeof *B32);
    uint16_t *B16 = (uint16_t *)malloc(S * S * 2), *A16 = (uint16_t *)malloc(S * S * 2);
    uint16_t *values = (uint16_t *)malloc(sparse24_value_count(S, S) * 2);
    uint32_t *meta = (uint32_t *)malloc(sparse24_meta_words(S, S) * 4);
    if (!B32 || !B16 || !A16 || !values || !meta)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < S * S; i++) {
        B32[i] = (float)(2 * random_uniform(seed + 1, i) - 1);
        B16[i] = bf16_from_float(B32[i]);
        A16[i] = bf16_from_float((float)(2 * random_uniform(seed + 2, i) - 1));
    }
    sparse24_compress_bf16(A16, S, S, S, values, meta);
    w->B32 = to_device(B32, S * S * 4), w->B16 = to_device(B16, S * S * 2), w->A = to_device(A16, S * S * 2);
    w->values = to_device(values, sparse24_value_count(S, S) * 2);
    w->meta = to_device(meta, sparse24_meta_words(S, S) * 4);
    CUDA_CHECK(cudaMalloc(&w->C, S * S * 4));
    free(B32), free(B16), free(A16), free(values), free(meta);
}

static void sweep_free(Sweep *w)
{
    void *all[] = {w->B32, w->B16, w->A, w->values, w->meta, w->C};
    for (int i = 0; i < LAB_COUNT(all); i++)
        CUDA_CHECK(cudaFree(all[i]));
}

/* The CSR matrix of a level, and the dense product beside it: what each Way of the level begins as. */
static Way level_base(const Sweep *w, Level *l, double share)
{
    const int S = SWEEP_SIDE;
    Csr c;
    if (csr_random(&c, S, S, share, w->options->seed + 10))
        die("out of memory");
    const int *row_start = (const int *)(l->held[l->kept++] = to_device(c.row_start, (S + 1) * 4));
    const int *column = (const int *)(l->held[l->kept++] = to_device(c.column, c.nonzeros * 4));
    const float *value = (const float *)(l->held[l->kept++] = to_device(c.value, c.nonzeros * 4));
    Way base = {};
    base.side = S;
    base.nonzeros = c.nonzeros;
    base.csr = {row_start, column, value, (const float *)w->B32, (float *)w->C, S, S, S};
    base.mma = {w->A, NULL, w->B16, w->C, S, S, S, S};
    csr_free(&c);
    return base;
}

/* A matrix of as many zeros, in blocks. */
static BsrArguments level_blocks(const Sweep *w, Level *l, double share, size_t block)
{
    const int S = SWEEP_SIDE;
    Bsr b;
    if (bsr_random(&b, S, S, block, share, w->options->seed + 20))
        die("out of memory");
    int *order = (int *)malloc(S / block * sizeof *order);
    if (!order)
        die("out of memory");
    bsr_longest_first(&b, order);
    const int *row_start = (const int *)(l->held[l->kept++] = to_device(b.row_start, (S / block + 1) * 4));
    const int *column = (const int *)(l->held[l->kept++] = to_device(b.column, b.blocks * 4));
    const int *longest = (const int *)(l->held[l->kept++] = to_device(order, S / block * 4));
    const void *value = l->held[l->kept++] = to_device(b.value, b.blocks * block * block * 2);
    free(order);
    bsr_free(&b);
    return BsrArguments{row_start, column, longest, (const uint16_t *)value, w->B16, w->C, S, S, S};
}

static void level_make(const Sweep *w, Level *l, int level)
{
    const int S = SWEEP_SIDE;
    *l = Level{};
    const Way base = level_base(w, l, sweep_shares[level]);
    for (int kind = 0; kind < WAYS; kind++) {
        if (kind == SP24 && level > 0) /* half of the elements, no more */
            continue;
        Way *way = &l->way[l->count++];
        *way = base;
        way->kind = kind;
        if (kind >= BSR8 && kind <= BSR64)
            way->bsr = level_blocks(w, l, sweep_shares[level], (size_t)8 << (kind - BSR8));
        if (kind == SP24)
            way->mma = {w->values, (const uint32_t *)w->meta, w->B16, w->C, S, S, S, (int)sparse24_ld(SWEEP_SIDE)};
    }
}

/* Times a level's products side by side. */
static void level_time(Sweep *w, Level *l, int level)
{
    static double samples[WAYS][SWEEP_ROUNDS];
    BenchSubject s[WAYS];
    for (int i = 0; i < l->count; i++)
        s[i] = (BenchSubject){run_way, &l->way[i], samples[i], 0};
    BenchOptions bo = {};
    bo.warmups = 2, bo.rounds = SWEEP_ROUNDS, bo.budget_ms = 60;
    bench(s, l->count, &bo);
    w->percent[level] = 100 * sweep_shares[level];
    for (int i = 0; i < l->count; i++)
        w->time_ms[l->way[i].kind][level] = stats_of(samples[i], s[i].runs).median;
}

/* A level's times as a row of the table and of the CSV; 0 is a format that has no matrix of so many zeros. */
static void level_report(const Sweep *w, int level, Table *t, FILE *csv)
{
    char text[32];
    table_cell(t, "%g %%", w->percent[level]);
    if (csv)
        fprintf(csv, "%g", sweep_shares[level]);
    for (int kind = 0; kind < WAYS; kind++) {
        const double ms = w->time_ms[kind][level];
        table_cell(t, "%s", ms > 0 ? format_ms(ms, text) : "");
        if (csv && ms > 0)
            fprintf(csv, ",%.5f", ms);
        else if (csv)
            fputc(',', csv);
    }
    if (csv)
        fputc('\n', csv);
}

static void report_crossings(const Sweep *w)
{
    puts("    faster than dense from a sparsity of");
    for (int kind = CSR; kind < WAYS; kind++) {
        const double *ms = w->time_ms[kind], dense = w->time_ms[DENSE][0];
        double at = kind == SP24 ? (ms[0] <= dense ? 50 : -1) : crossing(w->percent, ms, LEVELS, dense);
        if (at < 0)
            printf("      %-14s nowhere here\n", way_name[kind]);
        else
            printf("      %-14s %.1f %%\n", way_name[kind], at);
    }
}

/* Returns 1 if it cannot. */
static int draw_sweep(const Sweep *w)
{
    PlotSeries series[SP24]; /* 2:4 is one point, no curve */
    for (int kind = 0; kind < SP24; kind++)
        series[kind] = {way_name[kind], w->percent, w->time_ms[kind], LEVELS, 0};
    Plot plot = {};
    plot.title = "sparse times dense, 4096 x 4096 x 4096", plot.xlabel = "sparsity (%)", plot.ylabel = "ms",
    plot.log_y = 1;
    plot.series = series, plot.count = SP24;
    char base[1024];
    snprintf(base, sizeof base, "%s_sweep", w->options->plot);
    return plot_lines(&plot, w->options->plot[0] ? base : NULL) != 0;
}

static int show_sweep(const LabOptions *options)
{
    static Sweep w;
    w.options = options;
    sweep_make(&w);
    Table *t = table_new(">sparsity|>dense|>CSR|>cuSPARSE|>blocks of 8|>of 16|>of 32|>of 64|>2:4");
    FILE *csv =
        side_csv(options, "sweep", "sparsity,dense_ms,csr_ms,cusparse_ms,bsr8_ms,bsr16_ms,bsr32_ms,bsr64_ms,sp24_ms");
    for (int level = 0; level < LEVELS; level++) {
        Level l;
        level_make(&w, &l, level);
        level_time(&w, &l, level);
        level_report(&w, level, t, csv);
        for (int i = 0; i < l.kept; i++)
            CUDA_CHECK(cudaFree(l.held[i]));
    }
    printf("\n    %d x %d x %d: CSR and cuSPARSE in fp32, the others and dense in bf16\n", SWEEP_SIDE, SWEEP_SIDE,
           SWEEP_SIDE);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    report_crossings(&w);
    int failed = options->plot ? draw_sweep(&w) : 0;
    sweep_free(&w);
    return failed;
}

static int show(const LabOptions *options)
{
    if (lab_brief())
        return 0;
    int failed = show_bytes(options);
    if (options->verify_only || options->small)
        return failed;
    if (device_is_cpu()) {
        puts("    where each begins to win over dense is a question for a GPU; results/ holds an H200's answer");
        return failed;
    }
    return failed + show_sweep(options);
}

static const struct argp_option own_options[] = {
    {"sparsity", 'z', "SHARE", 0, "the share of zeros in the ladder's matrix, from 0 to 1 (0.99)", 0},
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
    .order = 2,
    .name = "formats",
    .title = "how many bytes sparse formats take, and where they begin to win",
    .look = "Only the multiplications that are really done are counted; cuBLAS does a hundred times as many.\n"
            "./run formats also shows the bytes of each format, and where it gets faster than dense.",
    .dims = "M N K",
    .size = "8192x512x8192",
    .cpu_size = "256x128x256",
    .test_sizes = "1x1x1 31x33x32 32x32x32 33x20x65 64x128x96 100x264x257 7x512x40 9x132x3000",
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
