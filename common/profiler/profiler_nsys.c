/* profiler_nsys.c: the analysis as the summaries of `nsys stats`, with its columns, titles and names of reports; as
 * text or as CSV. */
#include "profiler_core.h"

#include "profiler_writer.h"

#include <stdlib.h>
#include <string.h>

/* One report: what it lists, and the words that differ. */
typedef struct summary {
    const char *report, *title, *unit, *many, *what;
    int api, kernels, memory; /* the rows it takes */
    int sizes;                /* of bytes, in place of times */
    int category;             /* a column tells kernels from memory operations */
} summary;

static const summary summaries[] = {
    {.report = "cuda_api_sum",
     .title = "CUDA API Summary",
     .unit = "ns",
     .many = "Num Calls",
     .what = "Name",
     .api = 1},
    {.report = "cuda_gpu_kern_sum",
     .title = "CUDA GPU Kernel Summary",
     .unit = "ns",
     .many = "Instances",
     .what = "Name",
     .kernels = 1},
    {.report = "cuda_gpu_mem_time_sum",
     .title = "CUDA GPU MemOps Summary (by Time)",
     .unit = "ns",
     .many = "Count",
     .what = "Operation",
     .memory = 1},
    {.report = "cuda_gpu_mem_size_sum",
     .title = "CUDA GPU MemOps Summary (by Size)",
     .unit = "MB",
     .many = "Count",
     .what = "Operation",
     .memory = 1,
     .sizes = 1},
    {.report = "cuda_gpu_sum",
     .title = "CUDA GPU Summary (Kernels/MemOps)",
     .unit = "ns",
     .many = "Instances",
     .what = "Operation",
     .kernels = 1,
     .memory = 1,
     .category = 1},
};
enum { SUMMARIES = sizeof summaries / sizeof *summaries, OF_ALL = 4 }; /* "all" is the first four */

static const char *operation(const prof_stat *s)
{
#define PLACES(what)                                                                                                   \
    {                                                                                                                  \
        "[CUDA " what " Host-to-Host]", "[CUDA " what " Host-to-Device]", "[CUDA " what " Device-to-Host]",            \
            "[CUDA " what " Device-to-Device]", "[CUDA " what " Peer-to-Peer]", "[CUDA " what "]"                      \
    }
    static const char *const copies[] = PLACES("memcpy"), *const migrations[] = PLACES("Unified Memory memcpy");
    if (s->kind != PROF_STAT_COPY)
        return s->name;
    if (s->event_kind == PROF_MEMSET)
        return "[CUDA memset]";
    int place = s->copy_kind >= 0 && s->copy_kind < PROF_COPY_KINDS ? s->copy_kind : PROF_COPY_OTHER;
    return (s->event_kind == PROF_MIGRATION ? migrations : copies)[place];
}

typedef struct line {
    const char *text, *category;
    prof_dist d; /* merged; owns its sample when merged */
    int merged;
} line;

static int by_sum(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->d.sum != y->d.sum)
        return x->d.sum < y->d.sum ? 1 : -1;
    return strcmp(x->text, y->text);
}

/* Two rows of the table may be one operation of nsys: pinned and pageable copies, say. */
static void merge(line *l, const prof_dist *d)
{
    prof_dist m = {0};
    if (!l->merged) {
        for (size_t i = 0; i < l->d.sample_count; i++)
            prof_dist_add(&m, l->d.sample[i]);
        l->merged = 1;
    } else {
        m = l->d;
    }
    for (size_t i = 0; i < d->sample_count; i++)
        prof_dist_add(&m, d->sample[i]);
    /* Counts and sums stay exact even where the samples are not whole. */
    m.count = l->d.count + d->count;
    m.sum = l->d.sum + d->sum;
    m.min = l->d.min < d->min ? l->d.min : d->min;
    m.max = l->d.max > d->max ? l->d.max : d->max;
    double n1 = (double)l->d.count, n2 = (double)d->count, delta = d->mean - l->d.mean;
    m.mean = l->d.mean + delta * n2 / (n1 + n2);
    m.m2 = l->d.m2 + d->m2 + delta * delta * n1 * n2 / (n1 + n2);
    l->d = m;
}

static int takes(const summary *f, const prof_stat *s)
{
    return (s->kind == PROF_STAT_API && f->api) || (s->kind == PROF_STAT_KERNEL && f->kernels) ||
           (s->kind == PROF_STAT_COPY && f->memory);
}

/* Fills in the report's lines, the largest sum first; their number. `sum` is that of them all. */
static size_t collect(const summary *f, prof_analysis *a, line *lines, double *sum)
{
    size_t n = 0;
    for (size_t i = 0; i < a->stat_count; i++) {
        prof_stat *s = &a->stats[i];
        if (!takes(f, s))
            continue;
        const prof_dist *d = f->sizes ? &s->bytes : &s->time;
        *sum += (double)d->sum;
        const char *text = operation(s);
        size_t k = 0;
        while (k < n && (s->kind != PROF_STAT_COPY || strcmp(lines[k].text, text)))
            k++;
        if (k < n)
            merge(&lines[k], d);
        else
            lines[n++] =
                (line){.text = text, .category = s->kind == PROF_STAT_KERNEL ? "CUDA_KERNEL" : "MEMORY_OPER", .d = *d};
    }
    qsort(lines, n, sizeof *lines, by_sum);
    return n;
}

static void csv_heading(FILE *out, const summary *f)
{
    const char *unit = f->unit;
    fprintf(out, f->sizes ? "Total (MB),%s" : "Time (%%),Total Time (ns),%s", f->many);
    fprintf(out, ",Avg (%s),Med (%s),Min (%s),Max (%s),StdDev (%s)%s,%s\n", unit, unit, unit, unit, unit,
            f->category ? ",Category" : "", f->what);
}

static void heading(FILE *out, const summary *f)
{
    const char *form = " %8s  %15s  %10s  %12s  %12s  %12s  %12s  %12s  ";
    char h[5][16];
    const char *const columns[] = {"Avg", "Med", "Min", "Max", "StdDev"};
    for (int i = 0; i < 5; i++)
        snprintf(h[i], sizeof h[i], "%s (%s)", columns[i], f->unit);
    if (f->sizes) /* no first column */
        fprintf(out, form + 6, "Total (MB)", f->many, h[0], h[1], h[2], h[3], h[4]);
    else
        fprintf(out, form, "Time (%)", "Total Time (ns)", f->many, h[0], h[1], h[2], h[3], h[4]);
    if (f->category)
        fprintf(out, "%-11s  ", "Category");
    fprintf(out, "%s\n", f->what);
    const char *dash = "---------------";
    if (f->sizes)
        fprintf(out, form + 6, dash, dash + 5, dash + 3, dash + 3, dash + 3, dash + 3, dash + 3);
    else
        fprintf(out, form, dash + 7, dash, dash + 5, dash + 3, dash + 3, dash + 3, dash + 3, dash + 3);
    fprintf(out, "%s----------------------------------------\n", f->category ? "-----------  " : "");
}

static void print_line(FILE *out, const summary *f, line *l, double sum, int csv)
{
    prof_dist *d = &l->d;
    double share = sum > 0 ? (double)d->sum * 100 / sum : 0;
    double median = prof_dist_median(d), average = d->mean, deviation = prof_dist_stddev(d);
    unsigned long long count = d->count;
    if (f->sizes)
        fprintf(out,
                csv ? "%.3f,%llu,%.3f,%.3f,%.3f,%.3f,%.3f" : " %15.3f  %10llu  %12.3f  %12.3f  %12.3f  %12.3f  %12.3f",
                (double)d->sum / 1e6, count, average / 1e6, median / 1e6, (double)d->min / 1e6, (double)d->max / 1e6,
                deviation / 1e6);
    else
        fprintf(out,
                csv ? "%.1f,%llu,%llu,%.1f,%.1f,%llu,%llu,%.1f"
                    : " %8.1f  %15llu  %10llu  %12.1f  %12.1f  %12llu  %12llu  %12.1f",
                share, (unsigned long long)d->sum, count, average, median, (unsigned long long)d->min,
                (unsigned long long)d->max, deviation);
    if (f->category)
        fprintf(out, csv ? ",%s" : "  %-11s", l->category);
    fputs(csv ? "," : "  ", out);
    if (csv)
        prof_csv_text(out, l->text);
    else
        fputs(l->text, out);
    fputc('\n', out);
}

static int print(FILE *out, const summary *f, prof_analysis *a, int csv)
{
    line *lines = calloc(a->stat_count + 1, sizeof *lines);
    if (!lines)
        return -2;
    double sum = 0;
    size_t n = collect(f, a, lines, &sum);
    if (csv)
        csv_heading(out, f);
    else
        fprintf(out, "\n ** %s (%s):\n\n", f->title, f->report);
    if (!csv && !n)
        fprintf(out, " (none)\n");
    else if (!csv)
        heading(out, f);
    for (size_t i = 0; i < n; i++) {
        print_line(out, f, &lines[i], sum, csv);
        if (lines[i].merged)
            free(lines[i].d.sample);
    }
    free(lines);
    return ferror(out) ? -3 : 0;
}

int prof_nsys(FILE *out, prof_analysis *a, const char *report, int csv)
{
    if (strcmp(report, "all")) {
        for (int i = 0; i < SUMMARIES; i++)
            if (!strcmp(report, summaries[i].report))
                return print(out, &summaries[i], a, csv);
        return -1;
    }
    for (int i = 0; i < OF_ALL; i++) {
        if (csv)
            fprintf(out, "%s%s\n", i ? "\n" : "", summaries[i].report);
        int error = print(out, &summaries[i], a, csv);
        if (error)
            return error;
    }
    if (!csv) {
        fputc('\n', out);
        prof_migration_note(out, a);
    }
    return 0;
}
