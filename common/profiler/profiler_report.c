/* profiler_report.c: the analysis as torch.profiler's table, text or CSV: columns and their meaning are those of
 * key_averages().table(); see profiler.h. */
#include "profiler_core.h"

#include "profiler_writer.h"

#include <stdlib.h>
#include <string.h>

#include "../../cpudevice/runtime/device/columns.h"
#include "words.h"

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

void prof_migration_note(FILE *out, const prof_analysis *a)
{
    for (size_t i = 0; i < a->stat_count; i++) {
        if (a->stats[i].kind != PROF_STAT_COPY || a->stats[i].event_kind != PROF_MIGRATION)
            continue;
        fprintf(out,
                "Migrations of unified memory were recorded: a kernel that waited for them took longer because of it "
                "(PROFILER_MIGRATIONS=0, cuprof --no-migrations)\n");
        return;
    }
}

/* NAME_MOST is torch's max_name_column_width; a name of NAME_LEAST leaves room for four columns in 80 letters. */
enum { NAME_MOST = 55, NAME_LEAST = 22, COLUMNS = 10, CELL = 12 };

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

/* In the reader's language, at the right of so many columns. */
static void at_right(FILE *out, int width, const char *english)
{
    char said[256];
    const char *words = words_in(english, said, sizeof said);
    const int blanks = width - columns_in(words);
    fprintf(out, "%*s%s", blanks > 0 ? blanks : 0, "", words);
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
    at_right(out, width, name);
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
    at_right(out, width, "Name");
    for (int k = 0; k < COLUMNS; k++)
        if (shown[k])
            at_right(out, CELL + 2, column_name[k]);
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
    prof_migration_note(out, a);
    free(rows);
    return ferror(out) ? -3 : 0;
}

int prof_table_csv(FILE *out, prof_analysis *a)
{
    static const char *const kinds[] = {"range", "api", "kernel", "memory"};
    fputs("name,kind,calls,self_cpu_us,cpu_total_us,cpu_avg_us,self_cuda_us,cuda_total_us,cuda_avg_us\n", out);
    for (size_t i = 0; i < a->stat_count; i++) {
        const prof_stat *s = &a->stats[i];
        prof_csv_text(out, s->name);
        fprintf(out, ",%s,%llu,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", kinds[s->kind], (unsigned long long)s->time.count,
                self_cpu(s) / 1e3, cpu_total(s) / 1e3, cpu_average(s) / 1e3, self_cuda(s) / 1e3, cuda_total(s) / 1e3,
                cuda_average(s) / 1e3);
    }
    return ferror(out) ? -3 : 0;
}
