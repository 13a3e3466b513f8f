/* profiler_report.c: the analysis as torch.profiler's table and as nsys's summaries.
 *
 * Columns and their meaning are those of `nsys stats` and of torch's key_averages().table();
 * see profiler.h. */
#include "profiler_core.h"

#include <stdlib.h>
#include <string.h>

/* ---- torch's table ---- */

static const char *format_time(char *out, double ns)
{ /* torch's: three decimals of us, ms or s */
    if (ns >= 1e9)
        sprintf(out, "%.3fs", ns / 1e9);
    else if (ns >= 1e6)
        sprintf(out, "%.3fms", ns / 1e6);
    else
        sprintf(out, "%.3fus", ns / 1e3);
    return out;
}

static const char *format_share(char *out, double part, double whole)
{
    sprintf(out, "%.2f%%", whole > 0 ? part * 100 / whole : 0.0);
    return out;
}

static int on_cuda(const prof_stat *s) { return s->kind == PROF_STAT_KERNEL || s->kind == PROF_STAT_COPY; }
static double cpu_total(const prof_stat *s) { return on_cuda(s) ? 0 : (double)s->time.sum; }
static double self_cpu(const prof_stat *s) { return (double)s->self_cpu_ns; }
static double cuda_total(const prof_stat *s) { return (double)s->cuda_total_ns; }
static double self_cuda(const prof_stat *s) { return (double)s->self_cuda_ns; }
static double cpu_average(const prof_stat *s) { return cpu_total(s) / (double)s->time.count; }
static double cuda_average(const prof_stat *s) { return cuda_total(s) / (double)s->time.count; }
static double calls(const prof_stat *s) { return (double)s->time.count; }

static const struct {
    const char *name;
    double (*key)(const prof_stat *);
} sort_keys[] = {
    {"self_cpu_time_total", self_cpu},
    {"cpu_time_total", cpu_total},
    {"cpu_time", cpu_average},
    {"self_cuda_time_total", self_cuda},
    {"cuda_time_total", cuda_total},
    {"cuda_time", cuda_average},
    {"count", calls},
};

typedef struct order {
    const prof_stat *stat;
    double key;
    size_t place;
} order;

static int by_key(const void *a, const void *b)
{
    const order *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? 1 : -1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_name(const void *a, const void *b)
{
    const order *x = a, *y = b;
    int c = strcmp(x->stat->name, y->stat->name);
    return c ? c : x->place < y->place ? -1 : x->place > y->place;
}

/* 0, -1 unknown column, -2 out of memory. */
static int sorted(prof_analysis *a, const char *sort_by, order **out)
{
    size_t k = 0;
    int named = sort_by && !strcmp(sort_by, "name");
    if (sort_by && !named) {
        while (k < sizeof sort_keys / sizeof *sort_keys && strcmp(sort_keys[k].name, sort_by))
            k++;
        if (k == sizeof sort_keys / sizeof *sort_keys)
            return -1;
    }
    order *o = malloc((a->stat_count + 1) * sizeof *o);
    if (!o)
        return -2;
    for (size_t i = 0; i < a->stat_count; i++)
        o[i] = (order){&a->stats[i], sort_by && !named ? sort_keys[k].key(&a->stats[i]) : 0, i};
    if (sort_by)
        qsort(o, a->stat_count, sizeof *o, named ? by_name : by_key);
    *out = o;
    return 0;
}

/* The one case in which the record changes what it records by far more than a launch's cost: say so. */
static void migration_note(FILE *out, const prof_analysis *a)
{
    for (size_t i = 0; i < a->stat_count; i++) {
        if (a->stats[i].kind != PROF_STAT_COPY || a->stats[i].event_kind != PROF_MIGRATION)
            continue;
        fprintf(out, "Migrations of unified memory were recorded: a kernel that waited for them took longer for it "
                     "(PROFILER_MIGRATIONS=0, cuprof --no-migrations)\n");
        return;
    }
}

enum { NAME_MOST = 55, NAME_LEAST = 24, COLUMNS = 10, CELL = 12 }; /* NAME_MOST is torch's max_name_column_width */

static const char *const column_name[COLUMNS] = {"Self CPU %",    "Self CPU",  "CPU total %", "CPU total",
                                                 "CPU time avg",  "Self CUDA", "Self CUDA %", "CUDA total",
                                                 "CUDA time avg", "# of Calls"};

/* Which columns are shown so that the table is at most `fit` wide, and how wide names may be; fit 0: all. The first to
 * go say least: shares of the host's time, then averages. */
static int choose_columns(int fit, int width, char shown[COLUMNS])
{
    static const int goes[] = {2, 0, 4, 8, 3, 7};
    const int least = width > NAME_LEAST ? NAME_LEAST : width, most = (int)(sizeof goes / sizeof goes[0]);
    int count = COLUMNS;
    memset(shown, 1, COLUMNS);
    for (int i = 0; fit && i < most && least + count * (CELL + 2) + 2 > fit; i++)
        shown[goes[i]] = 0, count--;
    int room = fit - count * (CELL + 2) - 2;
    return fit && width > room ? (room > least ? room : least) : width;
}

static void rule(FILE *out, int width, const char shown[COLUMNS])
{
    for (int i = 0; i < width; i++)
        fputc('-', out);
    for (int k = 0; k < COLUMNS; k++)
        if (shown[k])
            fputs("  ------------", out);
    fputs("  \n", out);
}

static void table_row(FILE *out, const prof_stat *s, int width, const char shown[COLUMNS], double cpu_sum,
                      double cuda_sum)
{
    char t[COLUMNS][64], name[NAME_MOST + 1];
    if ((int)strlen(s->name) > width)
        snprintf(name, sizeof name, "%.*s...", width - 3, s->name);
    else
        snprintf(name, sizeof name, "%s", s->name);
    format_share(t[0], self_cpu(s), cpu_sum), format_time(t[1], self_cpu(s));
    format_share(t[2], cpu_total(s), cpu_sum), format_time(t[3], cpu_total(s)), format_time(t[4], cpu_average(s));
    format_time(t[5], self_cuda(s)), format_share(t[6], self_cuda(s), cuda_sum), format_time(t[7], cuda_total(s));
    format_time(t[8], cuda_average(s)), snprintf(t[9], sizeof t[9], "%llu", (unsigned long long)s->time.count);
    fprintf(out, "%*s", width, name);
    for (int k = 0; k < COLUMNS; k++)
        if (shown[k])
            fprintf(out, "  %*s", CELL, t[k]);
    fputs("  \n", out);
}

int prof_table(FILE *out, prof_analysis *a, const char *sort_by, int row_limit, int fit)
{
    order *rows;
    int error = sorted(a, sort_by, &rows);
    if (error)
        return error;
    double cpu_sum = 0, cuda_sum = 0;
    int width = 4;
    char shown[COLUMNS];
    for (size_t i = 0; i < a->stat_count; i++) {
        const prof_stat *s = &a->stats[i];
        if (on_cuda(s))
            cuda_sum += self_cuda(s);
        else
            cpu_sum += self_cpu(s);
        int n = (int)strlen(s->name);
        if (n > width)
            width = n > NAME_MOST ? NAME_MOST : n;
    }
    width = choose_columns(fit, width, shown);
    rule(out, width, shown);
    fprintf(out, "%*s", width, "Name");
    for (int k = 0; k < COLUMNS; k++)
        if (shown[k])
            fprintf(out, "  %*s", CELL, column_name[k]);
    fputs("  \n", out);
    rule(out, width, shown);
    size_t printed = row_limit >= 0 && (size_t)row_limit < a->stat_count ? (size_t)row_limit : a->stat_count;
    for (size_t i = 0; i < printed; i++)
        table_row(out, rows[i].stat, width, shown, cpu_sum, cuda_sum);
    rule(out, width, shown);
    char t[64];
    if (printed < a->stat_count)
        fprintf(out, "%zu of %zu rows\n", printed, a->stat_count);
    fprintf(out, "Self CPU time total: %s\n", format_time(t, cpu_sum));
    fprintf(out, "Self CUDA time total: %s\n", format_time(t, cuda_sum));
    migration_note(out, a);
    free(rows);
    return ferror(out) ? -3 : 0;
}

static void csv_text(FILE *out, const char *s)
{
    if (!strpbrk(s, ",\"\n\r")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

int prof_table_csv(FILE *out, prof_analysis *a)
{
    static const char *const kinds[] = {"range", "api", "kernel", "memory"};
    fputs("name,kind,calls,self_cpu_us,cpu_total_us,cpu_avg_us,self_cuda_us,cuda_total_us,cuda_avg_us\n", out);
    for (size_t i = 0; i < a->stat_count; i++) {
        const prof_stat *s = &a->stats[i];
        csv_text(out, s->name);
        fprintf(out, ",%s,%llu,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", kinds[s->kind], (unsigned long long)s->time.count,
                self_cpu(s) / 1e3, cpu_total(s) / 1e3, cpu_average(s) / 1e3, self_cuda(s) / 1e3, cuda_total(s) / 1e3,
                cuda_average(s) / 1e3);
    }
    return ferror(out) ? -3 : 0;
}

/* ---- nsys's summaries ---- */

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

static int summary(FILE *out, prof_analysis *a, const char *report, int csv)
{
    int api = !strcmp(report, "cuda_api_sum"), kernels = !strcmp(report, "cuda_gpu_kern_sum");
    int memory_time = !strcmp(report, "cuda_gpu_mem_time_sum"), memory_size = !strcmp(report, "cuda_gpu_mem_size_sum");
    int both = !strcmp(report, "cuda_gpu_sum");
    if (!api && !kernels && !memory_time && !memory_size && !both)
        return -1;
    line *lines = calloc(a->stat_count + 1, sizeof *lines);
    if (!lines)
        return -2;
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < a->stat_count; i++) {
        prof_stat *s = &a->stats[i];
        int wanted =
            api ? s->kind == PROF_STAT_API
                : (s->kind == PROF_STAT_KERNEL && (kernels || both)) || (s->kind == PROF_STAT_COPY && !kernels);
        if (!wanted)
            continue;
        const prof_dist *d = memory_size ? &s->bytes : &s->time;
        sum += (double)d->sum;
        line *l = &lines[n];
        const char *text = operation(s);
        size_t k = 0;
        while (k < n && (s->kind != PROF_STAT_COPY || strcmp(lines[k].text, text)))
            k++;
        if (k < n) {
            merge(&lines[k], d);
            continue;
        }
        l->text = text;
        l->category = s->kind == PROF_STAT_KERNEL ? "CUDA_KERNEL" : "MEMORY_OPER";
        l->d = *d;
        n++;
    }
    qsort(lines, n, sizeof *lines, by_sum);
    static const char *const titles[] = {"CUDA API Summary", "CUDA GPU Kernel Summary",
                                         "CUDA GPU MemOps Summary (by Time)", "CUDA GPU MemOps Summary (by Size)",
                                         "CUDA GPU Summary (Kernels/MemOps)"};
    const char *title = titles[api ? 0 : kernels ? 1 : memory_time ? 2 : memory_size ? 3 : 4];
    const char *unit = memory_size ? "MB" : "ns";
    const char *many = api ? "Num Calls" : memory_time || memory_size ? "Count" : "Instances";
    const char *what = api || kernels ? "Name" : "Operation";
    if (csv) {
        fprintf(out, memory_size ? "Total (MB),%s" : "Time (%%),Total Time (ns),%s", many);
        fprintf(out, ",Avg (%s),Med (%s),Min (%s),Max (%s),StdDev (%s)%s,%s\n", unit, unit, unit, unit, unit,
                both ? ",Category" : "", what);
    } else {
        fprintf(out, "\n ** %s (%s):\n\n", title, report);
        if (!n) {
            fprintf(out, " (none)\n");
        } else {
            const char *form = " %8s  %15s  %10s  %12s  %12s  %12s  %12s  %12s  ";
            char h[5][16];
            const char *const columns[] = {"Avg", "Med", "Min", "Max", "StdDev"};
            for (int i = 0; i < 5; i++)
                snprintf(h[i], sizeof h[i], "%s (%s)", columns[i], unit);
            if (memory_size)
                fprintf(out, form + 6, "Total (MB)", many, h[0], h[1], h[2], h[3], h[4]);
            else
                fprintf(out, form, "Time (%)", "Total Time (ns)", many, h[0], h[1], h[2], h[3], h[4]);
            if (both)
                fprintf(out, "%-11s  ", "Category");
            fprintf(out, "%s\n", what);
            const char *dash = "---------------";
            if (memory_size)
                fprintf(out, form + 6, dash, dash + 5, dash + 3, dash + 3, dash + 3, dash + 3, dash + 3);
            else
                fprintf(out, form, dash + 7, dash, dash + 5, dash + 3, dash + 3, dash + 3, dash + 3, dash + 3);
            fprintf(out, "%s----------------------------------------\n", both ? "-----------  " : "");
        }
    }
    for (size_t i = 0; i < n; i++) {
        prof_dist *d = &lines[i].d;
        double share = sum > 0 ? (double)d->sum * 100 / sum : 0;
        double median = prof_dist_median(d), average = d->mean, deviation = prof_dist_stddev(d);
        unsigned long long count = d->count;
        if (memory_size)
            fprintf(out,
                    csv ? "%.3f,%llu,%.3f,%.3f,%.3f,%.3f,%.3f"
                        : " %15.3f  %10llu  %12.3f  %12.3f  %12.3f  %12.3f  %12.3f",
                    (double)d->sum / 1e6, count, average / 1e6, median / 1e6, (double)d->min / 1e6,
                    (double)d->max / 1e6, deviation / 1e6);
        else
            fprintf(out,
                    csv ? "%.1f,%llu,%llu,%.1f,%.1f,%llu,%llu,%.1f"
                        : " %8.1f  %15llu  %10llu  %12.1f  %12.1f  %12llu  %12llu  %12.1f",
                    share, (unsigned long long)d->sum, count, average, median, (unsigned long long)d->min,
                    (unsigned long long)d->max, deviation);
        if (csv) {
            if (both)
                fprintf(out, ",%s", lines[i].category);
            fputc(',', out);
            csv_text(out, lines[i].text);
            fputc('\n', out);
        } else {
            if (both)
                fprintf(out, "  %-11s", lines[i].category);
            fprintf(out, "  %s\n", lines[i].text);
        }
        if (lines[i].merged)
            free(d->sample);
    }
    free(lines);
    return ferror(out) ? -3 : 0;
}

int prof_nsys(FILE *out, prof_analysis *a, const char *report, int csv)
{
    static const char *const four[] = {"cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum",
                                       "cuda_gpu_mem_size_sum"};
    if (strcmp(report, "all"))
        return summary(out, a, report, csv);
    for (int i = 0; i < 4; i++) {
        if (csv)
            fprintf(out, "%s%s\n", i ? "\n" : "", four[i]);
        int error = summary(out, a, four[i], csv);
        if (error)
            return error;
    }
    if (!csv) {
        fputc('\n', out);
        migration_note(out, a);
    }
    return 0;
}
