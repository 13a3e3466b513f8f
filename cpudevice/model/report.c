/* report.c: the launches' times as a table and as lines of a CSV. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpudev_must.h"
#include "model.h"
#include "registers.h"
#include "report/chinese.h"

/* What the model has no number for, in words; NULL: it has one. */
static const char *unknown(const model_launch *l)
{
    return l->nested                    ? "launched by a kernel: not modelled"
           : l->library                 ? "a library's kernel: not modelled"
           : l->cooperative || l->waits ? "blocks wait for each other or for the host: not modelled"
                                        : NULL;
}

/* How far a time may be off: by the launches that were compared with a GPU and that the same part limited. */
static const struct range {
    const char *limiter;
    unsigned pairs;
    double low, high;
} ranges[] = {
#include "ranges.inc"
};

static const struct range *range_of(int limiter)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!strcmp(ranges[i].limiter, model_part_names[limiter]))
            return &ranges[i];
    return NULL;
}

static const char *range_in_words(const estimate *e, double launches, char words[96])
{
    const struct range *r = range_of(e->limiter);
    if (!r)
        return "no range: few such launches were compared";
    snprintf(words, 96, "%.1f to %.1f us by %u comparisons", r->low * e->cold_us / launches,
             r->high * e->cold_us / launches, r->pairs);
    return words;
}

/* Prints a line behind so many blanks, in the reader's language. */
static void say(int blanks, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(int blanks, const char *format, ...)
{
    char english[1024], said[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(english, sizeof english, format, values);
    va_end(values);
    fprintf(stderr, "%*s%s\n", blanks, "", check_say_text(english, said, sizeof said));
}

/* Did the compiler put counts into the kernel? */
static bool counted(const model_launch *l) { return l->sum.computing > 0; }

static void csv_line(FILE *o, const model_launch *l, const estimate *e)
{
    fprintf(o, "\"%s\",%ux%ux%u,%ux%ux%u,", l->kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
            l->block[2]);
    if (unknown(l)) {
        fprintf(o, ",,,,,,,,,,,,\"%s\"\n", unknown(l));
        return;
    }
    fprintf(o, "%.3f,%.3f,%s", e->cold_us, e->warm_us, model_part_names[e->limiter]);
    for (int i = 0; i < PARTS; i++)
        fprintf(o, ",%.3f", e->part[i]);
    char range[96];
    fprintf(o, ",%u,%.1f,\"%s", l->registers, e->occupancy_pct, range_in_words(e, 1, range));
    fprintf(o, "; instructions %s%s\"\n",
            counted(l) ? "are estimated from the source"
                       : "other than accesses are not counted (cucc --model counts them)",
            l->assumed ? "; registers are assumed" : "");
}

/* One line of the table: all launches of a kernel with one grid, whose times are added up. */
typedef struct row {
    const model_launch *of;
    unsigned launches;
    estimate sum;
} row;

static bool same(const model_launch *a, const model_launch *b)
{
    return !strcmp(a->kernel, b->kernel) && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block);
}

static void print_bars(const estimate *e, unsigned launches)
{
    for (int i = 0; i < PARTS; i++) {
        const double part = e->part[i] / launches, all = e->cold_us / launches;
        char bar[41];
        int n = all > 0 ? (int)(40 * part / all + 0.5) : 0;
        n = n > 40 ? 40 : n;
        memset(bar, '#', (size_t)n);
        bar[n] = 0;
        if (part < all / 200)
            continue;
        fputs("      ", stderr);
        check_say_cell(stderr, model_part_names[i], -8);
        fprintf(stderr, " %10.2f us  %s\n", part, bar);
    }
}

static void print_gain(const char *what, double better, const estimate *e, unsigned launches)
{
    if (better < 0.97 * e->cold_us)
        say(6, "%s: about %.1f us", what, better / launches);
}

static void print_row(const row *r)
{
    const estimate *e = &r->sum;
    const double n = r->launches;
    char launched[640], range[96];
    snprintf(launched, sizeof launched, "%s<<<(%u, %u, %u), (%u, %u, %u)>>>, %u launch%s", r->of->kernel,
             r->of->grid[0], r->of->grid[1], r->of->grid[2], r->of->block[0], r->of->block[1], r->of->block[2],
             r->launches, r->launches == 1 ? "" : "es");
    if (unknown(r->of)) {
        say(4, "%s: no time (%s)", launched, unknown(r->of));
        return;
    }
    say(4, "%s: about %.1f us cold (%s), %.1f us warm; what limits: %s; occupancy %.0f %%", launched, e->cold_us / n,
        range_in_words(e, n, range), e->warm_us / n, model_part_names[e->limiter], e->occupancy_pct);
    print_bars(e, r->launches);
    if (e->host_us > 0)
        say(6, "the host waits for the launch before: %.2f us of this", e->host_us / n);
    print_gain("if its accesses were coalesced", e->coalesced_us, e, r->launches);
    print_gain("if its shared memory had no bank conflicts", e->unconflicted_us, e, r->launches);
    print_gain("if more loads were in flight", e->in_flight_us, e, r->launches);
}

static void add(row *r, const estimate *e)
{
    estimate *s = &r->sum;
    for (int i = 0; i < PARTS; i++)
        s->part[i] += e->part[i];
    s->cold_us += e->cold_us;
    s->warm_us += e->warm_us;
    s->host_us += e->host_us;
    s->coalesced_us += e->coalesced_us;
    s->unconflicted_us += e->unconflicted_us;
    s->in_flight_us += e->in_flight_us;
    s->limiter = e->limiter;
    s->occupancy_pct = e->occupancy_pct;
    r->launches++;
}

void model_tell(const chip *c, const model_launch *l, cpudev_model_time *t)
{
    const estimate e = model_estimate(c, l);
    const struct range *r = range_of(e.limiter);
    *t = (cpudev_model_time){.kernel = l->kernel, .chip = c->name, .unknown = unknown(l)};
    if (t->unknown)
        return;
    t->limiter = model_part_names[e.limiter];
    t->us = e.cold_us;
    t->low_us = r ? r->low * e.cold_us : 0;
    t->high_us = r ? r->high * e.cold_us : 0;
}

void model_report(const chip *c, const model_launch *first, FILE *csv, bool quiet)
{
    enum { ROWS = 200 };
    row *rows = must(calloc(ROWS, sizeof *rows));
    unsigned count = 0, left_out = 0;
    bool all_counted = true, assumed = false;
    if (csv)
        fputs("kernel,grid,block,cold_us,warm_us,limiter,dram_us,l2_us,l1_us,issue_us,math_us,latency_us,launch_us,"
              "registers,occupancy_pct,note\n",
              csv);
    for (const model_launch *l = first; l; l = l->next) {
        const estimate e = model_estimate(c, l);
        if (csv)
            csv_line(csv, l, &e);
        assumed |= l->assumed;
        all_counted &= counted(l) || unknown(l);
        row *r = rows;
        while (r < rows + count && !same(r->of, l))
            r++;
        if (r == rows + ROWS) {
            left_out++;
            continue;
        }
        if (r == rows + count)
            rows[count++].of = l;
        add(r, &e);
    }
    fflush(stdout);
    if (quiet) {
        free(rows);
        return;
    }
    say(0,
        "model of the chip %s%s: times by arithmetic from what was counted here; instructions other than accesses "
        "are estimated from the source",
        c->name, c->measured > 0 ? "" : " (nobody has measured this chip; latencies are another chip's)");
    if (!all_counted)
        say(4, "the arithmetic of programs that cucc --check has compiled is not counted; cucc --model counts it");
    if (assumed)
        say(4,
            registers_are_listed() ? "%d registers per thread are assumed for kernels that the file does not name"
                                   : "%d registers per thread are assumed (CUDA_CPU_MODEL_REGISTERS=N)",
            REGISTERS_ASSUMED);
    for (unsigned i = 0; i < count; i++)
        print_row(&rows[i]);
    if (left_out)
        say(4, "and %u launches more", left_out);
    free(rows);
}
