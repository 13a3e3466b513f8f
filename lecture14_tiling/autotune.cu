/* A small tuner: which shape of tile is best for this M, N, K, on this device? Measure, choose, remember.
 *
 * No tile is best for all products. A wide one reads less, but a small or thin C has too few of them to fill the
 * multiprocessors; a ragged C wastes less with narrow ones; and at 16 rows the whole scheme is different. The templates
 * of gemm and gemm_bf16 are instantiated for a handful of shapes; the tuner
 *   1. checks that each gives the right answer (a tuner that times wrong kernels finds the fastest wrong one),
 *   2. times all of them, interleaved, a few rounds, and drops the slow ones; then the rest for longer,
 *   3. writes the winner into a file, keyed by device, type and shape, so that the next program need not search.
 *
 *   rung              what runs                                                       ./run autotune --rung N
 *   1  fixed          fp32, the one shape that gemm uses for everything
 *   2  tuned          fp32, what the tuner chose
 *   3  cuBLAS
 *   4  fixed, bf16    bf16, the one shape of gemm_bf16
 *   5  tuned, bf16    bf16, what the tuner chose, split-K among the choices
 *   6  cuBLASLt       its own heuristics, each timed
 *
 * The table times fixed and tuned afresh, side by side. That matters: the best of many noisy measurements is too good
 * to be true, so the time that made a candidate win is not the time to report.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "device.h"
#include "lab.h"
#include "product.h"
#include "progress.h"
#include "stats.h"
#include "table.h"
#include "vendor.h"

#include "gemm/10_register_banks.cuh"
#include "gemm/bf16_06_spread_copies.cuh"
#include "gemm/bf16_07_split_k.cuh"

typedef __nv_bfloat16 bf16;

/* ---- what there is to choose from */

template <class S>
static void launch_f32(const void *A, const void *B, void *C, int M, int N, int K, int group, void *,
                       cudaStream_t stream)
{
    gemm_banks<S>((const float *)A, (const float *)B, (float *)C, M, N, K, group, 1, K, stream);
}

template <class S>
static void launch_bf16(const void *A, const void *B, void *C, int M, int N, int K, int group, void *,
                        cudaStream_t stream)
{
    gemm_bf16_spread<S>((const bf16 *)A, (const bf16 *)B, (bf16 *)C, M, N, K, TileGrouped{group}, stream);
}

static void launch_split(const void *A, const void *B, void *C, int M, int N, int K, int splits, void *workspace,
                         cudaStream_t stream)
{
    gemm_bf16_split((const bf16 *)A, (const bf16 *)B, (bf16 *)C, M, N, K, splits, workspace, stream);
}

typedef struct Candidate {
    const char *name; /* in the cache too: a name means the same kernel for ever */
    LabType type;
    void (*launch)(const void *A, const void *B, void *C, int M, int N, int K, int parameter, void *workspace,
                   cudaStream_t stream);
    int parameter; /* rows of tiles in a group; for split-K the number of parts */
    int split;
} Candidate;

/* The first of each type is the fixed choice. */
static const Candidate candidates[] = {
    {"128x256x16 8x16 3 stages, group 8", LAB_F32, launch_f32<GemmShape10>, 8, 0},
    {"128x128x16 8x16 3 stages, group 8", LAB_F32, launch_f32<GemmShape<128, 128, 16, 64, 64, 8, 16, 3, 2>>, 8, 0},
    {"64x256x16 8x16 3 stages, group 16", LAB_F32, launch_f32<GemmShape<64, 256, 16, 64, 64, 8, 16, 3, 2>>, 16, 0},
    {"128x64x16 8x8 3 stages, group 8", LAB_F32, launch_f32<GemmShape<128, 64, 16, 64, 32, 8, 8, 3, 3>>, 8, 0},
    {"64x64x16 8x4 4 stages, group 8", LAB_F32, launch_f32<GemmShape<64, 64, 16, 32, 32, 8, 4, 4, 3>>, 8, 0},
    {"32x64x16 4x4 4 stages, group 16", LAB_F32, launch_f32<GemmShape<32, 64, 16, 16, 32, 4, 4, 4, 4>>, 16, 0},
    {"256x128x32 5 stages, group 4", LAB_BF16, launch_bf16<GemmBf16Shape6>, 4, 0},
    {"256x128x32 5 stages, group 8", LAB_BF16, launch_bf16<GemmBf16Shape6>, 8, 0},
    {"256x128x64 3 stages, group 8", LAB_BF16, launch_bf16<GemmBf16Shape<256, 128, 64, 64, 64, 3, 1>>, 8, 0},
    {"128x256x64 3 stages, group 16", LAB_BF16, launch_bf16<GemmBf16Shape<128, 256, 64, 64, 64, 3, 1>>, 16, 0},
    {"128x128x32 4 stages, group 8", LAB_BF16, launch_bf16<GemmBf16Shape<128, 128, 32, 64, 64, 4, 2>>, 8, 0},
    {"64x128x64 3 stages, group 16", LAB_BF16, launch_bf16<GemmBf16Shape<64, 128, 64, 32, 64, 3, 2>>, 16, 0},
    {"64x64x64 4 stages, group 16", LAB_BF16, launch_bf16<GemmBf16Shape<64, 64, 64, 32, 64, 4, 3>>, 16, 0},
    {"split-K in 2", LAB_BF16, launch_split, 2, 1},
    {"split-K in 4", LAB_BF16, launch_split, 4, 1},
    {"split-K in 8", LAB_BF16, launch_split, 8, 1},
    {"split-K in 16", LAB_BF16, launch_split, 16, 1},
};
enum { CANDIDATES = LAB_COUNT(candidates), MOST_SPLITS = 16, THIN = 512 /* rows up to which split-K is a candidate */ };

static int first_of(LabType type)
{
    int i = 0;
    while (candidates[i].type != type)
        i++;
    return i;
}

static void launch(int candidate, LabCase *c, void *C)
{
    const Candidate *k = &candidates[candidate];
    k->launch(c->in[0], c->in[1], C, (int)c->dim[0], (int)c->dim[1], (int)c->dim[2], k->parameter, c->scratch,
              c->stream);
}

static const char *refused(int candidate, const LabCase *c)
{
    const Candidate *k = &candidates[candidate];
    if (k->type == LAB_BF16 && (c->dim[1] % 8 != 0 || c->dim[2] % 8 != 0))
        return "N and K must be multiples of 8: it loads 16 bytes at a time, which must begin at multiples of 16";
    if (k->split && c->dim[0] > THIN)
        return "split-K is for thin products here";
    return NULL;
}

/* ---- the cache: text, one line per choice: device|type|MxNxK|candidate|ms. The last line for a key counts, so that
 * writing is appending, and programs that run side by side do no harm. Lines that make no sense are passed over. */

static const char *cache_path = "build/autotune.txt";

static void cache_key(char *key, size_t bytes, const char *device, LabType type, const size_t dim[3])
{
    snprintf(key, bytes, "%s|%s|%zux%zux%zu|", device, lab_type_name(type), dim[0], dim[1], dim[2]);
}

/* The candidate remembered for key, or -1. */
static int cache_read(const char *path, const char *key, LabType type)
{
    char line[512];
    int found = -1;
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        char *name = line + strlen(key), *end;
        if (strncmp(line, key, strlen(key)) != 0 || !(end = strchr(name, '|')))
            continue;
        for (int i = 0; i < CANDIDATES; i++)
            if (candidates[i].type == type && strlen(candidates[i].name) == (size_t)(end - name) &&
                strncmp(candidates[i].name, name, (size_t)(end - name)) == 0)
                found = i;
    }
    fclose(f);
    return found;
}

/* Returns 0, or -1 if the file cannot be written. */
static int cache_write(const char *path, const char *key, int candidate, double ms)
{
    char line[512];
    int n = snprintf(line, sizeof line, "%s%s|%.6f\n", key, candidates[candidate].name, ms);
    FILE *f = fopen(path, "a");
    if (!f)
        return -1;
    int bad = fwrite(line, 1, (size_t)n, f) != (size_t)n; /* one write: lines of two programs do not mix */
    return fclose(f) || bad ? -1 : 0;
}

/* ---- the tuner */

/* The largest |x - y|, and NaN counts as infinite: x from a candidate, y from the fixed choice. */
template <class T> __global__ void difference_kernel(const T *x, const T *y, size_t n, float *largest)
{
    float worst = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        float d = fabsf((float)x[i] - (float)y[i]);
        worst = d <= worst ? worst : d == d ? d : INFINITY;
    }
    for (int lane = 16; lane > 0; lane /= 2)
        worst = fmaxf(worst, __shfl_xor_sync(0xffffffff, worst, lane));
    if (threadIdx.x % 32 == 0)
        atomicMax((int *)largest, __float_as_int(worst)); /* not negative, so the bits are in the numbers' order */
}

static float difference(const void *x, const void *y, size_t n, LabType type, cudaStream_t stream)
{
    float *d_largest, largest;
    CUDA_CHECK(cudaMalloc(&d_largest, sizeof *d_largest));
    CUDA_CHECK(cudaMemsetAsync(d_largest, 0, sizeof *d_largest, stream));
    int blocks = n < 256 * 1024 ? (int)((n + 255) / 256) : 1024;
    if (type == LAB_F32)
        difference_kernel<<<blocks, 256, 0, stream>>>((const float *)x, (const float *)y, n, d_largest);
    else
        difference_kernel<<<blocks, 256, 0, stream>>>((const bf16 *)x, (const bf16 *)y, n, d_largest);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(&largest, d_largest, sizeof largest, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(d_largest));
    return largest;
}

/* What was chosen in this run, for the report. */
typedef struct Choice {
    size_t dim[3];
    LabType type;
    int candidate, tried, wrong, cached;
    double chosen_ms, fixed_ms, tuned_ms, tuning_s;
    double *all_ms; /* of the first rounds, by candidate; 0: not tried */
} Choice;
static Choice *choices;
static int choice_count;
static int again; /* --again */

typedef struct Subject {
    LabCase *c;
    void *C;
    int candidate;
} Subject;

static void run_subject(void *context)
{
    Subject *s = (Subject *)context;
    launch(s->candidate, s->c, s->C);
}

/* Median times of `count` candidates, interleaved, in rounds rounds. */
static void time_all(LabCase *c, void *C, const int *which, int count, int rounds, double *ms)
{
    BenchSubject *subjects = (BenchSubject *)calloc((size_t)count, sizeof *subjects);
    Subject *contexts = (Subject *)calloc((size_t)count, sizeof *contexts);
    for (int i = 0; i < count; i++) {
        contexts[i] = Subject{c, C, which[i]};
        subjects[i].run = run_subject;
        subjects[i].context = &contexts[i];
        subjects[i].samples_ms = (double *)malloc(sizeof(double) * (size_t)rounds);
    }
    BenchOptions o = {};
    o.stream = c->stream;
    o.warmups = 1;
    o.rounds = rounds;
    o.budget_ms = 400;
    bench(subjects, count, &o);
    for (int i = 0; i < count; i++) {
        ms[i] = stats_of(subjects[i].samples_ms, subjects[i].runs).median;
        free(subjects[i].samples_ms);
    }
    free(subjects);
    free(contexts);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Searches; fills in what it found. */
static void search(LabCase *c, Choice *choice)
{
    double begin = now_s(), ms[CANDIDATES];
    int which[CANDIDATES], n = 0, fixed = first_of(c->type), rounds = device_is_cpu() ? 1 : 5;
    void *C, *right;
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    char what[96];
    snprintf(what, sizeof what, "tuning %s %zux%zux%zu, candidate", lab_type_name(c->type), c->dim[0], c->dim[1],
             c->dim[2]);
    CUDA_CHECK(cudaMalloc(&C, bytes));
    CUDA_CHECK(cudaMalloc(&right, bytes));
    launch(fixed, c, right);
    /* 1. which are right? As far apart as two ways of rounding the same sum may be. */
    double tolerance = c->atol + (c->type == LAB_BF16 ? sqrt((double)c->dim[2]) / 64 : 0);
    for (int i = 0; i < CANDIDATES; i++) {
        progress(what, i, CANDIDATES + 1);
        if (candidates[i].type != c->type || refused(i, c))
            continue;
        choice->tried++;
        CUDA_CHECK(cudaMemsetAsync(C, 0xff, bytes, c->stream)); /* NaN: what is not written does not compare equal */
        launch(i, c, C);
        cudaError_t e = cudaGetLastError();
        float d = e == cudaSuccess ? difference(C, right, c->out_count, c->type, c->stream) : INFINITY;
        if (d <= tolerance) {
            which[n++] = i;
        } else {
            fprintf(stderr, "autotune: '%s' is left out: %s\n", candidates[i].name,
                    e == cudaSuccess ? "its result is wrong" : cudaGetErrorString(e));
            choice->wrong++;
        }
    }
    /* 2. a few rounds of all; those within a tenth of the best once more, for longer */
    time_all(c, C, which, n, rounds, ms);
    double best = ms[0];
    for (int i = 0; i < n; i++) {
        best = ms[i] < best ? ms[i] : best;
        choice->all_ms[which[i]] = ms[i];
    }
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (ms[i] <= 1.1 * best)
            which[kept++] = which[i];
    progress(what, CANDIDATES, CANDIDATES + 1);
    time_all(c, C, which, kept, 4 * rounds, ms);
    choice->candidate = which[0];
    choice->chosen_ms = ms[0];
    for (int i = 1; i < kept; i++)
        if (ms[i] < choice->chosen_ms) {
            choice->candidate = which[i];
            choice->chosen_ms = ms[i];
        }
    progress(what, 1, 1);
    choice->tuning_s = now_s() - begin;
    /* 3. the winner against the fixed choice, measured afresh */
    int pair[2] = {fixed, choice->candidate};
    time_all(c, C, pair, 2, 4 * rounds, ms);
    choice->fixed_ms = ms[0];
    choice->tuned_ms = ms[1];
    CUDA_CHECK(cudaFree(C));
    CUDA_CHECK(cudaFree(right));
}

/* The candidate for this case: from this run, from the file, or by searching. */
static int tuned(LabCase *c)
{
    static char warned;
    char key[384];
    cudaDeviceProp p;
    for (int i = 0; i < choice_count; i++)
        if (choices[i].type == c->type && memcmp(choices[i].dim, c->dim, sizeof choices[i].dim) == 0)
            return choices[i].candidate;
    choices = (Choice *)realloc(choices, sizeof *choices * (size_t)(choice_count + 1));
    Choice *choice = &choices[choice_count++];
    *choice = Choice{};
    choice->all_ms = (double *)calloc(CANDIDATES, sizeof(double));
    memcpy(choice->dim, c->dim, sizeof choice->dim);
    choice->type = c->type;
    if (lab_options()->ladder_only) /* one launch is to be counted, not a search; at this size the fixed choice wins */
        return choice->candidate = first_of(c->type);
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    cache_key(key, sizeof key, p.name, c->type, c->dim);
    int verify = lab_options()->verify_only, found = again || verify ? -1 : cache_read(cache_path, key, c->type);
    if (found >= 0 && !refused(found, c)) {
        choice->cached = 1;
        choice->candidate = found;
        return found;
    }
    search(c, choice);
    if (!verify && cache_write(cache_path, key, choice->candidate, choice->chosen_ms) != 0 && !warned++)
        fprintf(stderr, "autotune: cannot write %s (%s): the choice is not remembered\n", cache_path, strerror(errno));
    return choice->candidate;
}

/* ---- the lab */

enum { FIXED, TUNED, VENDOR };

static const LabRung rungs[] = {
    {1, "fixed", NULL, LAB_F32, LAB_NEEDS_SM80, FIXED},
    {2, "tuned", NULL, LAB_F32, LAB_NEEDS_SM80, TUNED},
    {3, "cuBLAS", NULL, LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, VENDOR},
    {4, "fixed, bf16", NULL, LAB_BF16, LAB_NEEDS_SM80, FIXED},
    {5, "tuned, bf16", NULL, LAB_BF16, LAB_NEEDS_SM80, TUNED},
    {6, "cuBLASLt", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, VENDOR},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1 << 20 || N > 1 << 20 || K > 1 << 20)
        return "M, N and K are at most 1048576";
    lab_input(c, 0, M * K, c->type);
    lab_input(c, 1, K * N, c->type);
    lab_output(c, M * N, c->type);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = c->type == LAB_BF16 ? 1.0 / 256 + 1e-5 : 1e-5;
    if (c->type == LAB_BF16 && M <= THIN) {
        size_t ticket_bytes, bytes = gemm_bf16_workspace((int)M, (int)N, MOST_SPLITS, &ticket_bytes);
        CUDA_CHECK(cudaMemsetAsync(lab_scratch(c, bytes), 0, ticket_bytes, c->stream));
    }
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    if (r->variant == FIXED)
        launch(first_of(c->type), c, c->out);
    else if (r->variant == TUNED)
        launch(tuned(c), c, c->out);
    else if (c->type == LAB_F32)
        vendor_gemm_f32(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), c->dim[0], c->dim[1], c->dim[2], c->stream);
    else
        vendor_gemm_lt(c->in[0], c->in[1], c->out, LAB_BF16, LAB_BF16, 0, c->dim[0], c->dim[1], c->dim[2], c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->variant == VENDOR ? NULL : refused(first_of(c->type), c);
}

/* What the search of each shape found, and what it cost. */
static void report(void)
{
    char t1[32], t2[32], t3[32];
    Table *t = table_new("type|shape|chosen|>promised|>afresh|>fixed|>gain|>search|>pays after");
    int searched = 0;
    for (int i = 0; i < choice_count; i++) {
        Choice *k = &choices[i];
        table_cell(t, "%s", lab_type_name(k->type));
        table_cell(t, "%zux%zux%zu", k->dim[0], k->dim[1], k->dim[2]);
        table_cell(t, "%s", candidates[k->candidate].name);
        if (k->cached) {
            for (int j = 0; j < 5; j++)
                table_cell(t, "%s", "");
            table_cell(t, "%s", "(remembered)");
            continue;
        }
        searched++;
        double saved_ms = k->fixed_ms - k->tuned_ms;
        table_cell(t, "%s", format_ms(k->chosen_ms, t1));
        table_cell(t, "%s", format_ms(k->tuned_ms, t2));
        table_cell(t, "%s", format_ms(k->fixed_ms, t3));
        table_cell(t, "%.2f x", k->fixed_ms / k->tuned_ms);
        table_cell(t, "%.2f s", k->tuning_s);
        if (k->candidate == first_of(k->type) || saved_ms <= 0)
            table_cell(t, "%s", "never");
        else
            table_cell(t, "%.0f runs", k->tuning_s * 1e3 / saved_ms);
    }
    printf("\n    What the tuner chose: its time while searching, measured afresh, and the fixed choice beside it\n\n");
    table_print(t, stdout, 4);
    table_free(t);
    if (searched) {
        printf("\n    All candidates, in ms, as the first rounds saw them\n\n");
        t = table_new("type|candidate|>a|>b|>c|>d|>e|>f|>g|>h");
        for (int j = 0; j < CANDIDATES; j++) {
            int shown = 0;
            table_cell(t, "%s", lab_type_name(candidates[j].type));
            table_cell(t, "%s", candidates[j].name);
            for (int i = 0; i < choice_count && shown < 8; i++)
                if (choices[i].type == candidates[j].type && !choices[i].cached) {
                    shown++;
                    if (choices[i].all_ms[j] > 0)
                        table_cell(t, "%.4f", choices[i].all_ms[j]);
                    else
                        table_cell(t, "%s", "-");
                }
            for (; shown < 8; shown++)
                table_cell(t, "%s", "");
        }
        table_print(t, stdout, 4);
        table_free(t);
        printf("\n    (a, b, ...: the shapes in the order of the table above, by type)\n");
    }
}

/* The cache must survive lines of nonsense, and the last word counts. */
static int check_cache(void)
{
    char path[] = "/tmp/autotune.XXXXXX", key[384], other[384];
    const size_t dim[3] = {16, 32, 48}, dim2[3] = {16, 32, 4};
    int failed = 0, fd = mkstemp(path);
    if (fd < 0)
        die("cannot make a file in /tmp: %s", strerror(errno));
    FILE *f = fdopen(fd, "w");
    cache_key(key, sizeof key, "A device", LAB_BF16, dim);
    cache_key(other, sizeof other, "A device", LAB_BF16, dim2);
    fprintf(f, "nonsense\n%sno such kernel|1\n%s\n\n|||||\n%s%s", key, key, key, candidates[first_of(LAB_BF16)].name);
    fclose(f);
    failed |= lab_claim(cache_read(path, key, LAB_BF16) == -1, "a cache of nonsense and half a line remembers nothing");
    f = fopen(path, "a");
    fprintf(f, "\n");
    fclose(f);
    int first = first_of(LAB_BF16) + 1, second = first + 1;
    failed |= lab_claim(cache_write(path, key, first, 1.5) == 0 && cache_write(path, key, second, 1.25) == 0 &&
                            cache_read(path, key, LAB_BF16) == second,
                        "the last line for a shape counts");
    failed |= lab_claim(cache_read(path, other, LAB_BF16) == -1, "another shape is not taken for it");
    failed |= lab_claim(cache_read("/nonexistent/autotune.txt", key, LAB_BF16) == -1 &&
                            cache_write("/nonexistent/autotune.txt", key, first, 1) == -1,
                        "a file that cannot be opened is no disaster");
    remove(path);
    return failed;
}

static int show(const LabOptions *)
{
    if (lab_brief())
        return 0;
    int wrong = 0;
    if (choice_count)
        report();
    for (int i = 0; i < choice_count; i++)
        wrong += choices[i].wrong;
    return check_cache() | lab_claim(wrong == 0, "every candidate gives the right answer on every shape of this run");
}

static error_t parse(int key, char *arg, struct argp_state *)
{
    switch (key) {
    case 'c': cache_path = arg; return 0;
    case 'a': again = 1; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}
static const struct argp_option own_options[] = {
    {"cache", 'c', "FILE", 0, "where choices are remembered (build/autotune.txt)", 0},
    {"again", 'a', 0, 0, "search again, whatever is remembered", 0},
    {}};
static const struct argp own_argp = {own_options, parse, 0, 0, 0, 0, 0};

static const Lab lab = {
    .order = 8,
    .name = "autotune",
    .title = "which tile is best for this shape? Measure, choose, remember",
    .look = "Where the fixed tile was made for the size, tuning gains nothing; at odd shapes it gains much.\n"
            "./run autotune shows what was chosen, what the search promised, what a fresh measurement says,\n"
            "and what the search cost.",
    .dims = "M N K",
    .size = "4096x4096x4096 1000x4104x520 16x4096x4096 512x512x16384",
    .cpu_size = "128x128x64 16x256x128",
    .test_sizes = "64x64x32 16x128x128 33x40x24 0x16x8",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = product_bytes,
    .flops = product_flops,
    .show = show,
    .argp = &own_argp,
};

LAB_MAIN(lab)
