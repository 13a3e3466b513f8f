/* The roofline: what a kernel could reach, given how much it computes for each byte it moves.
 *
 * A kernel that does I operations per byte is limited by memory to I * bandwidth, and by the arithmetic units to their
 * peak. The ladder here climbs from the one to the other: x (n) becomes y (n), each element by k multiply-adds, so I =
 * k / 4 for 8 bytes per element. Below it every rung of the course is put on one plot, from the figures under
 * results/: bytes and operations are counted (compulsory traffic: each input once, each output once), only time is
 * measured.
 *
 *   rung                     idea                                                            ./run roofline --rung N
 *   1  one chain             each multiply-add waits for the one before: arithmetic that is latency, not throughput
 *   2  four chains           a float4 per thread: four at a time, and 16-byte loads
 *   3  sixteen chains        four float4 per thread: what the units can do
 */
#include "ceil_div.cuh"
#include "device.h"
#include "lab.h"
#include "plot.h"
#include "table.h"

#include <argp.h>
#include <dirent.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void Chain(const float *x, float *y, size_t n, int k, cudaStream_t stream);

enum { THREADS = 256 };

/* v = v * FACTOR + ADD, k times: it converges, so rounding errors do not grow, and no product of constants replaces it.
 * */
#define FACTOR 0.999f
#define ADD 0.001f

static void chain_cpu(LabCase *c)
{
    size_t n = c->dim[0], k = c->dim[1];
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        c->expect[i] = lab_unchecked();
        if (!lab_sample_row(i / 4096, n / 4096 + 1, 4096.0 * (double)k))
            continue;
        double v = lab_h_in_f32(c, 0)[i];
        for (size_t j = 0; j < k; j++)
            v = v * (double)FACTOR + (double)ADD;
        c->expect[i] = v;
    }
}

/* 1 */
__global__ void chain_kernel1(const float *x, float *y, size_t n, int k)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
#pragma unroll 16
    for (int j = 0; j < k; j++)
        v = fmaf(v, FACTOR, ADD);
    y[i] = v;
}

static void chain1(const float *x, float *y, size_t n, int k, cudaStream_t stream)
{
    chain_kernel1<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(x, y, n, k);
}

/* 2 and 3: EACH float4 per thread; n is a multiple of 4. */
template <int EACH> __global__ void chain_kernel2(const float4 *x, float4 *y, size_t n4, int k)
{
    size_t i = (size_t)blockIdx.x * THREADS * EACH + threadIdx.x;
    float4 v[EACH] = {};
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (i + e * THREADS < n4)
            v[e] = x[i + e * THREADS];
#pragma unroll 16
    for (int j = 0; j < k; j++)
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            v[e].x = fmaf(v[e].x, FACTOR, ADD);
            v[e].y = fmaf(v[e].y, FACTOR, ADD);
            v[e].z = fmaf(v[e].z, FACTOR, ADD);
            v[e].w = fmaf(v[e].w, FACTOR, ADD);
        }
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (i + e * THREADS < n4)
            y[i + e * THREADS] = v[e];
}

static void chain2(const float *x, float *y, size_t n, int k, cudaStream_t stream)
{
    chain_kernel2<1>
        <<<(unsigned)ceil_div(n / 4, THREADS), THREADS, 0, stream>>>((const float4 *)x, (float4 *)y, n / 4, k);
}

static void chain3(const float *x, float *y, size_t n, int k, cudaStream_t stream)
{
    chain_kernel2<4>
        <<<(unsigned)ceil_div(n / 4, 4 * THREADS), THREADS, 0, stream>>>((const float4 *)x, (float4 *)y, n / 4, k);
}

static const LabRung rungs[] = {
    {1, "one chain", LAB_LAUNCH(Chain, chain1), LAB_F32, 0, 0},
    {2, "four chains", LAB_LAUNCH(Chain, chain2), LAB_F32, 0, 0},
    {3, "sixteen chains", LAB_LAUNCH(Chain, chain3), LAB_F32, 0, 0},
};

static const char *setup(LabCase *c)
{
    if (c->dim[0] > (size_t)1 << 36 || c->dim[1] > 1 << 20)
        return "n is at most 2^36 and k at most 2^20";
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = c->rtol = 1e-4; /* at its fixed point each step's rounding stays for a thousand steps */
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number > 1 && c->dim[0] % 4 ? "n must be whole float4" : NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count)
        ((Chain *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), c->dim[0], (int)c->dim[1], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }
static double flops(const LabCase *c) { return 2.0 * (double)c->dim[0] * (double)c->dim[1]; }

/* ---- every rung of the course ---------------------------------------------------------------------------------- */

/* One line of a results file. */
typedef struct Point {
    char lab[64], name[96], type[8], size[64];
    int rung;
    int as_dense; /* its operations are those of the dense product that it replaces: more than it does */
    int brief;    /* under 20 us: a launch takes microseconds itself, so it says nothing of memory or arithmetic */
    double ms, gbps, tflops, of_copy;
} Point;

typedef struct Points {
    Point *p;
    int n, without_arithmetic, brief;
} Points;

/* Cuts a line at its commas, in place. Returns how many fields. */
static int fields_of(char *line, char **field, int most)
{
    int n = 0;
    for (char *p = line; n < most; p++) {
        field[n++] = p;
        p += strcspn(p, ",\r\n");
        int more = *p == ',';
        *p = 0;
        if (!more)
            break;
    }
    return n;
}

enum { LAB, NAME, TYPE, SIZE, RUNG, TIME, GBPS, TFLOPS, OF_COPY, COLUMNS };
static const char *const column_name[COLUMNS] = {"lab",     "name", "type",   "size",   "rung",
                                                 "time_ms", "gbps", "tflops", "of_copy"};

static int column(char **header, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(header[i], name) == 0)
            return i;
    return -1;
}

/* Finds them all in a header. Returns 0 where one is missing: a file of another kind. */
static int find_columns(char **header, int n, int *at)
{
    for (int i = 0; i < COLUMNS; i++)
        if ((at[i] = column(header, n, column_name[i])) < 0)
            return 0;
    return 1;
}

/* Adds a file's timed rungs. */
static void read_csv(const char *path, int as_dense, Points *all)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    enum { MOST = 40 };
    static char line[2048], head[2048];
    char *header[MOST], *field[MOST];
    int columns = 0, at[COLUMNS];
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (!columns) {
            strcpy(head, line);
            columns = fields_of(head, header, MOST);
            if (!find_columns(header, columns, at))
                break;
            continue;
        }
        if (fields_of(line, field, MOST) != columns)
            continue;
        double ms = atof(field[at[TIME]]), gbps = atof(field[at[GBPS]]);
        double tflops = atof(field[at[TFLOPS]]);
        if (!(ms > 0) || !(gbps > 0))
            continue;
        if (!(tflops > 0)) {
            all->without_arithmetic++;
            continue;
        }
        all->p = (Point *)realloc(all->p, sizeof *all->p * (size_t)(all->n + 1));
        Point *p = &all->p[all->n++];
        memset(p, 0, sizeof *p);
        snprintf(p->lab, sizeof p->lab, "%s", field[at[LAB]]);
        snprintf(p->name, sizeof p->name, "%s", field[at[NAME]]);
        snprintf(p->type, sizeof p->type, "%s", field[at[TYPE]]);
        snprintf(p->size, sizeof p->size, "%s", field[at[SIZE]]);
        p->rung = atoi(field[at[RUNG]]);
        p->as_dense = as_dense;
        all->brief += p->brief = ms < 0.02;
        p->ms = ms, p->gbps = gbps, p->tflops = tflops;
        p->of_copy = atof(field[at[OF_COPY]]);
    }
    fclose(f);
}

static int is_folder(const struct dirent *e) { return e->d_name[0] != '.' && strcmp(e->d_name, "cpu") != 0; }

static const char *results; /* --results */

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    if (key != 'f')
        return ARGP_ERR_UNKNOWN;
    results = arg;
    return 0;
}
static const struct argp_option own_options[] = {
    {"results", 'f', "FOLDER", 0, "the folder of CSV files to draw (results/<device>)", 0},
    {0, 0, 0, 0, 0, 0},
};
static const struct argp own = {own_options, parse, 0, 0, 0, 0, 0};

static double intensity(const Point *p) { return p->tflops * 1e3 / p->gbps; }

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The memory roof: what a copy reached in the same runs, the median over all lines of at least 0.1 ms. */
static double copy_gbps(const Points *all)
{
    double *v = (double *)malloc(sizeof *v * (size_t)(all->n + 1)), middle = 0;
    int n = 0;
    for (int i = 0; i < all->n; i++)
        if (all->p[i].of_copy > 0 && all->p[i].ms > 0.1)
            v[n++] = all->p[i].gbps / all->p[i].of_copy;
    qsort(v, (size_t)n, sizeof *v, by_number);
    if (n)
        middle = v[n / 2];
    free(v);
    return middle;
}

static const char *const types[] = {"fp32", "bf16", "fp16", "int8"};

/* The roofs that the points are under: the memory's, and for each type the most TFLOP/s that a rung reached. */
typedef struct Roofs {
    double memory, peak[LAB_COUNT(types)];
    const Point *who[LAB_COUNT(types)];
} Roofs;

/* The folder of results: --results, else the first of results/ that is no CPU's. */
static void results_folder(char folder[512])
{
    struct dirent **list = NULL;
    if (results) {
        snprintf(folder, 512, "%s", results);
        return;
    }
    const int count = scandir("results", &list, is_folder, alphasort);
    snprintf(folder, 512, "results/%.200s", count > 0 ? list[0]->d_name : "h200");
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* FOLDER/lectureNN/LAB.csv, as in results/, or FOLDER/LAB.csv. */
static Points read_folder(const char *folder)
{
    char path[1024];
    glob_t found = {};
    snprintf(path, sizeof path, "%s/*.csv", folder);
    glob(path, 0, NULL, &found);
    snprintf(path, sizeof path, "%s/lecture[0-9][0-9]/*.csv", folder);
    glob(path, GLOB_APPEND, NULL, &found);
    if (results && access(folder, R_OK) != 0)
        die_usage("cannot read the folder %s", folder);
    Points all = {};
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_csv(found.gl_pathv[i], strstr(found.gl_pathv[i], "lecture11") != NULL, &all);
    globfree(&found);
    return all;
}

static Roofs roofs_of(const Points *all)
{
    Roofs r = {};
    r.memory = copy_gbps(all);
    for (int i = 0; i < all->n; i++)
        for (int t = 0; t < LAB_COUNT(types); t++) {
            const Point *p = &all->p[i];
            if (strcmp(p->type, types[t]) == 0 && !p->as_dense && !p->brief && p->tflops > r.peak[t]) {
                r.peak[t] = p->tflops;
                r.who[t] = p;
            }
        }
    return r;
}

static void print_roofs(const char *folder, const Points *all, const Roofs *r)
{
    printf("\n    every rung in %s: %d with arithmetic; left out %d without (copies, transposes) and %d under 20 us\n",
           folder, all->n - all->brief, all->without_arithmetic, all->brief);
    printf("    the memory roof is the copy of the same runs, %.4g GB/s; a compute roof is the most that any rung "
           "reached:\n",
           r->memory);
    for (int t = 0; t < LAB_COUNT(types); t++)
        if (r->who[t])
            printf(
                "        %s: %.4g TFLOP/s (%s rung %d, %s, %s); memory limits what does less than %.3g operations per "
                "byte\n",
                types[t], r->peak[t], r->who[t]->lab, r->who[t]->rung, r->who[t]->name, r->who[t]->size,
                r->peak[t] * 1e3 / r->memory);
    for (int i = 0; i < all->n; i++)
        if (all->p[i].as_dense) {
            printf("        lecture 11 counts the operations of the dense product that a sparse one replaces, and may "
                   "be above its roof\n");
            break;
        }
}

/* Is this the fastest rung of its lab, type and size? */
static int is_best(const Points *all, int i)
{
    const Point *p = &all->p[i];
    int best = 1;
    for (int j = 0; j < all->n && best; j++) {
        const Point *q = &all->p[j];
        if (strcmp(p->lab, q->lab) == 0 && strcmp(p->type, q->type) == 0 && strcmp(p->size, q->size) == 0)
            best = p->tflops > q->tflops || (p->tflops == q->tflops && i <= j);
    }
    return best;
}

/* One row for each lab, type and size: its best rung, and how near it came to the roof above it. */
static void print_best(const Points *all, const Roofs *r)
{
    Table *t = table_new("lab|type|size|>rung|best|>ops/byte|>TFLOP/s|>roof|>of roof");
    for (int i = 0; i < all->n; i++) {
        const Point *p = &all->p[i];
        if (!is_best(all, i))
            continue;
        double compute = 0;
        for (int k = 0; k < LAB_COUNT(types); k++)
            if (strcmp(p->type, types[k]) == 0)
                compute = r->peak[k];
        double roof = r->memory > 0 && compute > 0 ? fmin(compute, intensity(p) * r->memory * 1e-3) : compute;
        table_cell(t, "%s", p->lab);
        table_cell(t, "%s", p->type);
        table_cell(t, "%s", p->size);
        table_cell(t, "%d", p->rung);
        table_cell(t, "%s", p->name);
        table_cell(t, "%.3g", intensity(p));
        table_cell(t, "%.4g", p->tflops);
        if (p->brief) {
            table_cell(t, "under"), table_cell(t, "20 us");
        } else if (roof > 0) {
            table_cell(t, "%.4g", roof);
            table_cell(t, "%.2f", p->tflops / roof);
        } else {
            table_cell(t, "%s", ""), table_cell(t, "%s", ""); /* no dense rung of this type has been measured */
        }
    }
    table_print(t, stdout, 4);
    table_free(t);
}

/* The roofs as series of the plot: up along the memory's, then level. Returns how many. */
static int roof_series(const Points *all, const Roofs *r, PlotSeries *series)
{
    static double x[LAB_COUNT(types)][3], y[LAB_COUNT(types)][3];
    static char names[LAB_COUNT(types)][32];
    double low = 1e30, high = 0;
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        if (all->p[i].brief)
            continue;
        low = fmin(low, intensity(&all->p[i]));
        high = fmax(high, intensity(&all->p[i]));
    }
    for (int k = 0; k < LAB_COUNT(types); k++)
        if (r->who[k] && r->memory > 0) {
            double ridge = r->peak[k] * 1e3 / r->memory;
            x[k][0] = fmin(low, ridge) / 2, x[k][1] = ridge, x[k][2] = fmax(high, ridge) * 2;
            y[k][0] = x[k][0] * r->memory * 1e-3, y[k][1] = y[k][2] = r->peak[k];
            snprintf(names[k], sizeof names[k], "roof, %s", types[k]);
            series[n++] = PlotSeries{names[k], x[k], y[k], 3, 0};
        }
    return n;
}

/* A series of points for each lab; x and y have room for all of them. Returns how many series. */
static int lab_series(const Points *all, PlotSeries *series, double *x, double *y)
{
    int n = 0, at = 0;
    for (int i = 0; i < all->n; i++) {
        int seen = all->p[i].brief;
        for (int j = 0; j < i; j++)
            seen |= !all->p[j].brief && strcmp(all->p[i].lab, all->p[j].lab) == 0;
        if (seen)
            continue;
        PlotSeries *s = &series[n++];
        *s = PlotSeries{all->p[i].lab, x + at, y + at, 0, 1};
        for (int j = i; j < all->n; j++)
            if (!all->p[j].brief && strcmp(all->p[i].lab, all->p[j].lab) == 0) {
                x[at] = intensity(&all->p[j]);
                y[at++] = all->p[j].tflops;
                s->n++;
            }
    }
    return n;
}

static void draw(const LabOptions *o, const Points *all, const Roofs *r)
{
    const size_t points = all->n > 0 ? (size_t)all->n : 0;
    PlotSeries *series = (PlotSeries *)calloc(points + LAB_COUNT(types), sizeof *series);
    double *x = (double *)calloc(points, sizeof *x), *y = (double *)calloc(points, sizeof *y);
    char path[1024];
    int n = roof_series(all, r, series);
    n += lab_series(all, series + n, x, y);
    Plot plot = {};
    plot.title = "every rung of the course";
    plot.xlabel = "operations per byte of compulsory traffic";
    plot.ylabel = "TFLOP/s";
    plot.log_x = plot.log_y = 1;
    plot.series = series;
    plot.count = n;
    snprintf(path, sizeof path, "%.900s-rungs", o->plot);
    plot_lines(&plot, o->plot[0] ? path : NULL);
    free(series), free(x), free(y);
}

static int show(const LabOptions *o)
{
    if (lab_brief())
        return 0;
    char folder[512];
    results_folder(folder);
    Points all = read_folder(folder);
    if (all.n == 0) {
        printf("\n    no figures in %s: nothing to draw (./run LAB --csv %s/LAB.csv makes some)\n", folder, folder);
        free(all.p);
        return 0;
    }
    const Roofs roofs = roofs_of(&all);
    print_roofs(folder, &all, &roofs);
    print_best(&all, &roofs);
    if (o->plot)
        draw(o, &all, &roofs);
    free(all.p);
    return 0;
}

static const Lab lab = {
    .order = 9,
    .name = "roofline",
    .title = "what limits a kernel: memory or arithmetic",
    .look = "With few operations for each element the time does not change at all: arithmetic is free while\n"
            "memory is the limit. Then comes the bend, and from there on every further operation costs its\n"
            "full time.",
    .dims = "n k",
    .size = "67108864x1 67108864x8 67108864x32 67108864x64 67108864x128 67108864x512",
    .cpu_size = "262144x1 262144x8 262144x32 262144x128",
    .test_sizes = "0x3 1x1 4x0 31x7 1024x16 4100x33 10007x5",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = chain_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
    .show = show,
    .argp = &own,
};
LAB_MAIN(lab)
