/* A mixture of experts: each token chooses A of E matrices, and is multiplied by them.
 *
 * x is T x K, w E matrices of N x K, y T A x N, bf16 (experts/problem.cuh). Sorted by expert, the work is E products
 * whose numbers of rows, the groups, are known only when the tokens have chosen. There is as much arithmetic as in one
 * product of T A x N x K.
 *
 *   rung                      idea                                                       ./run experts --rung N
 *   1  naive                  sort; then one thread per element of y
 *   2  one launch per expert  rows gathered, then hopper's kernel once per expert: too few tiles each
 *   3  one grid               a persistent grid walks through the tiles of all groups; tiles are 128 rows high
 *   4  fitted tile heights    a group is cut into equal tiles of 112 to 168 rows, the highest first
 *   5  cuBLASLt          the yardstick: its product once per expert, on the gathered rows
 *
 * Every rung sorts and, from rung 2 on, gathers: both are in the time. Rungs 2 and 5 get the numbers of rows from
 * the host, which a real program would have to wait for. K and N are multiples of 64. After the ladder each part is
 * timed alone, beside one dense product of the same size.
 */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "vendor.h"

#include "experts/01_naive.cuh"
#include "experts/03_one_grid.cuh"
#include "hopper/10_whole.cuh"

typedef const char *Rung(const Experts *p, cudaStream_t stream);

enum { X, W, EXPERT };
enum { VENDOR = 5 };

/* Host: what the kernels make on the device. `order` may be NULL. */
static void sort_cpu(const LabCase *c, int *order, int *offset)
{
    const size_t pairs = c->dim[0] * c->dim[4], E = c->dim[3];
    const int *expert = lab_h_in_s32(c, EXPERT);
    int at = 0;
    for (size_t e = 0; e < E; e++) {
        offset[e] = at;
        for (size_t i = 0; i < pairs; i++)
            if ((size_t)expert[i] == e) {
                if (order)
                    order[at] = (int)i;
                at++;
            }
    }
    offset[E] = at;
}

static void experts_cpu(LabCase *c)
{
    const size_t K = c->dim[1], N = c->dim[2], A = c->dim[4], pairs = c->dim[0] * A;
    int *order = (int *)malloc(sizeof(int) * (pairs + 1)), *offset = (int *)malloc(sizeof(int) * (c->dim[3] + 1));
    sort_cpu(c, order, offset);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < pairs; i++) {
        const int wanted = lab_sample_row(i, pairs, (double)N * (double)K);
        const uint16_t *x = lab_h_in_u16(c, X) + (size_t)order[i] / A * K,
                       *w = lab_h_in_u16(c, W) + (size_t)lab_h_in_s32(c, EXPERT)[order[i]] * N * K;
        for (size_t n = 0; n < N; n++) {
            double sum = 0;
            for (size_t k = 0; wanted && k < K; k++)
                sum += (double)bf16_to_float(x[k]) * bf16_to_float(w[n * K + k]);
            c->expect[i * N + n] = wanted ? sum : lab_unchecked();
        }
    }
    free(order);
    free(offset);
}

static const char *experts2(const Experts *p, cudaStream_t stream)
{
    experts_sort_launch(p, stream);
    experts_gather_launch(p, stream);
    const char *why = NULL;
    for (int e = 0; e < p->E && !why; e++) {
        const size_t row = (size_t)p->h_offset[e];
        const HopperGemm g = {p->rows + row * p->K,
                              p->w + (size_t)e * p->N * p->K,
                              p->y + row * p->N,
                              p->h_offset[e + 1] - p->h_offset[e],
                              p->N,
                              p->K,
                              p->K,
                              p->K,
                              p->N};
        if (g.M > 0)
            why = whole_launch<Bf16, 128, 128, 6, 1, 1, 0>(&g, device_multiprocessors(), 16, 256, stream);
    }
    return why;
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Rung, experts1), LAB_BF16, 0, 0},
    {2, "one launch per expert", LAB_LAUNCH(Rung, experts2), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {3, "one grid", LAB_LAUNCH(Rung, experts3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "fitted tile heights", LAB_LAUNCH(Rung, experts4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {VENDOR, "cuBLASLt per expert", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* What the device makes, in the scratch memory. Every part begins on a multiple of 256 bytes. */
static Experts problem(LabCase *c)
{
    const size_t T = c->dim[0], K = c->dim[1], N = c->dim[2], E = c->dim[3], A = c->dim[4], pairs = T * A;
    const auto whole = [](size_t bytes) { return (bytes + 255) / 256 * 256; };
    const size_t rows = whole(pairs * K * 2), order = whole(pairs * 4), offset = whole((E + 1) * 4),
                 tiles = whole(experts_max_tiles(pairs, E, N) * sizeof(ExpertTile));
    uint8_t *scratch = (uint8_t *)lab_scratch(c, rows + order + offset + tiles + 256);
    Experts p = {};
    p.x = lab_in_bf16(c, X), p.w = lab_in_bf16(c, W), p.expert = lab_in_s32(c, EXPERT), p.y = lab_out_bf16(c);
    p.T = (int)T, p.K = (int)K, p.N = (int)N, p.E = (int)E, p.A = (int)A;
    p.rows = (__nv_bfloat16 *)scratch;
    p.order = (int *)(scratch + rows);
    p.offset = (int *)(scratch + rows + order);
    p.tiles = (ExpertTile *)(scratch + rows + order + offset);
    p.tile_count = (int *)(scratch + rows + order + offset + tiles);
    p.h_offset = (const int *)c->user;
    return p;
}

static const char *setup(LabCase *c)
{
    const size_t T = c->dim[0], K = c->dim[1], N = c->dim[2], E = c->dim[3], A = c->dim[4];
    if (K == 0 || K % 64 || N == 0 || N % 64)
        return "K and N are multiples of 64";
    if (E == 0 || E > MAX_EXPERTS || A == 0 || A > E)
        return "at most 256 experts, and a token chooses at least one of them, each once";
    if (T * A > 1u << 24 || E * N > 1u << 24 || K > 1u << 20)
        return "at most 16777216 pairs and rows of all experts: coordinates are ints";
    lab_input(c, X, T * K, LAB_BF16);
    lab_input(c, W, E * N * K, LAB_BF16);
    int *expert = (int *)lab_input(c, EXPERT, T * A, LAB_S32);
    lab_output(c, T * A * N, LAB_BF16);
    lab_fill_uniform(c, X, -1, 1);
    lab_fill_uniform(c, W, -1, 1);
    for (size_t t = 0; t < T; t++) /* A different ones. A squared random number: early experts are chosen more often. */
        for (size_t a = 0; a < A; a++) {
            const double u = random_uniform(c->seed + EXPERT, t * A + a), skewed = 0.5 * u + 0.5 * u * u;
            int e = (int)(skewed * (double)E);
            for (size_t before = 0; before < a; before++)
                if (expert[t * A + before] == e) { /* taken: the next one, and compare again */
                    e = (e + 1) % (int)E;
                    before = (size_t)-1;
                }
            expert[t * A + a] = e;
        }
    c->user = malloc(sizeof(int) * (E + 1));
    if (!c->user)
        return "out of memory";
    sort_cpu(c, NULL, (int *)c->user);
    c->out_width = N;
    c->atol = 2e-5 * sqrt((double)K) + 1e-6;
    c->rtol = 1.0 / 256;
    return NULL;
}
static void teardown(LabCase *c) { free(c->user); }

static const char *product_per_expert_vendor(const Experts *p, cudaStream_t stream)
{
    for (int e = 0; e < p->E; e++) {
        const size_t row = (size_t)p->h_offset[e], rows = (size_t)(p->h_offset[e + 1] - p->h_offset[e]);
        if (rows > 0 && vendor_gemm_lt(p->rows + row * p->K, p->w + (size_t)e * p->N * p->K, p->y + row * p->N,
                                       LAB_BF16, LAB_BF16, 1, rows, (size_t)p->N, (size_t)p->K, stream))
            return NULL; /* vendor_gemm_lt() has said why */
    }
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    const Experts p = problem(c);
    const char *why = r->flags & LAB_NEEDS_SM90A ? hopper_here() : NULL;
    if (r->flags & LAB_VENDOR) {
        experts_sort_launch(&p, c->stream);
        experts_gather_launch(&p, c->stream);
        why = product_per_expert_vendor(&p, c->stream);
    } else if (!why)
        why = ((Rung *)r->launch)(&p, c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    return 2.0 * ((double)c->in_count[X] + (double)c->in_count[W] + (double)c->out_count) +
           4.0 * (double)c->in_count[EXPERT];
}
static double flops(const LabCase *c) { return 2.0 * (double)c->out_count * (double)c->dim[1]; }

/* The parts of rung 4, each alone, and one dense product of as many rows. */
static void run_sort(void *x)
{
    LabCase *c = (LabCase *)x;
    const Experts p = problem(c);
    experts_sort_launch(&p, c->stream);
    experts_plan_launch(&p, 0, c->stream);
}
static void run_gather(void *x)
{
    LabCase *c = (LabCase *)x;
    const Experts p = problem(c);
    experts_gather_launch(&p, c->stream);
}
static void run_product(void *x)
{
    LabCase *c = (LabCase *)x;
    const Experts p = problem(c);
    const char *why = experts_product(&p, device_multiprocessors(), c->stream);
    if (why)
        lab_skip("%s", why);
}
static void run_dense(void *x)
{
    LabCase *c = (LabCase *)x;
    const Experts p = problem(c);
    vendor_gemm_lt(p.rows, p.w, p.y, LAB_BF16, LAB_BF16, 1, c->dim[0] * c->dim[4], c->dim[2], c->dim[1], c->stream);
}

static void run_vendor(void *x)
{
    LabCase *c = (LabCase *)x;
    const Experts p = problem(c);
    product_per_expert_vendor(&p, c->stream);
}

static void show_parts(const LabOptions *o, LabCase *c, Table *t, FILE *csv)
{
    const BenchOptions bo = lab_bench_options(c->stream);
    void (*const parts[])(void *) = {run_sort, run_gather, run_product, run_dense, run_vendor};
    const char *name[] = {"sort and plan", "gather", "product", "one dense product (cuBLASLt)",
                          "product per expert (cuBLASLt)"};
    const int count = device_is_cpu() || o->no_vendor ? 3 : 5;
    double *samples = (double *)malloc(sizeof(double) * 5 * (size_t)bo.rounds);
    BenchSubject subjects[5];
    run_sort(c);
    for (int i = 0; i < count; i++)
        subjects[i] = BenchSubject{parts[i], c, samples + i * bo.rounds, 0};
    bench(subjects, count, &bo);
    for (int i = 0; i < count; i++) {
        char text[32];
        const double ms = stats_of(subjects[i].samples_ms, subjects[i].runs).median,
                     tflops = i < 2 ? 0 : 1e-9 * flops(c) / ms,
                     of = count == 5 && i >= 2 ? bench_ratio(&subjects[3], &subjects[i]) : 0;
        table_row(t, i < 2 ? "%zu|%s|%s||" : "%zu|%s|%s|%.4g|%.3f", c->dim[2], name[i], format_ms(ms, text), tflops,
                  of);
        if (csv) { /* what a part has no figure of is empty */
            fprintf(csv, "%s,%zux%zux%zux%zux%zu,%s,%d,%.6g,", name[i], c->dim[0], c->dim[1], c->dim[2], c->dim[3],
                    c->dim[4], lab_mode(), subjects[i].runs, ms);
            fprintf(csv, tflops > 0 ? "%.4g," : ",", tflops);
            fprintf(csv, of > 0 ? "%.4g\n" : "\n", of);
        }
    }
    free(samples);
}

static int show(const LabOptions *o)
{
    if (lab_brief() || o->verify_only || o->size)
        return 0;
    const char *why = hopper_here();
    if (why) {
        printf("\n    (the parts alone: %s)\n", why);
        return 0;
    }
    printf("\n    each part alone%s\n", device_is_cpu() ? " (this CPU's times)" : "");
    Table *t = table_new(">N|part|>time|>TFLOP/s|>of the dense product");
    FILE *csv = side_csv(o, "parts", "name,size,mode,runs,time_ms,tflops,of_dense");
    for (size_t N = 2048; N >= 1024; N -= 512) {
        const size_t gpu[] = {4096, 2048, N, 64, 8}, cpu[] = {64, 64, N / 8, 4, 2};
        LabCase c;
        why = lab_case_make(&c, lab_this(), device_is_cpu() ? cpu : gpu, LAB_BF16, o->seed, 0);
        if (why)
            die("%s", why);
        show_parts(o, &c, t, csv);
        lab_case_free(&c);
    }
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    return 0;
}

static const Lab lab = {
    .order = 21,
    .name = "experts",
    .title = "a product whose rows chose their matrix: 64 small products as one",
    .page = "serving.md",
    .look =
        "The arithmetic is that of one product of T A rows. Look at what 64 launches lose, and how near one grid gets\n"
        "to one dense product (after the ladder).",
    .dims = "T K N E A",
    .size = "4096x2048x2048x64x8 4096x2048x1536x64x8 4096x2048x1024x64x8",
    .cpu_size = "64x64x128x4x2",
    .small_sizes = "20x64x64x3x2 100x128x320x4x2",
    .test_sizes =
        "1x64x64x1x1 5x64x192x3x2 20x128x64x8x3 100x64x256x4x2 300x192x320x2x1 333x64x320x3x3 40x64x128x256x2 "
        "0x64x64x2x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = experts_cpu,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};

LAB_MAIN(lab)
