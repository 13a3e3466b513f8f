/* lab_ladder.c: a ladder on one shape and type: every rung verified, those that are right timed side by side, then one
 * table, the CSV's lines, a plot or a sweep's points. */
#include "lab_rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "plot.h"
#include "profiler.h"
#include "progress.h"
#include "vendor.h"

/* ---- verify ---------------------------------------------------------------------------------------------------- */

static void verify_row(Ladder *l, Row *r)
{
    const LabRung *rung = r->rung;
    if (lab_options()->no_vendor && (rung->flags & LAB_VENDOR)) {
        r->verdict = LAB_SKIPPED;
        snprintf(r->why, sizeof r->why, "--no-vendor");
        return;
    }
    progress("verifying, rung", rung->number, l->lab->rungs[l->lab->rung_count - 1].number + 1);
    r->verdict = lab_verify(rung, &l->c, r->why, sizeof r->why);
    if (r->verdict != LAB_SKIPPED && r->verdict != LAB_REFUSED)
        lab_modelled(&r->modelled);
    r->failed = r->verdict == LAB_FAIL;
    if (rung->flags & LAB_WRONG) {
        r->failed = r->verdict == LAB_PASS;
        if (r->failed) {
            r->verdict = LAB_FAIL;
            snprintf(r->why, sizeof r->why, "passes, but is kept as a mistake that must not");
        }
    }
}

/* The rungs of this type that were asked for, each verified. */
static void verify(Ladder *l)
{
    l->row = calloc((size_t)l->lab->rung_count, sizeof *l->row);
    for (int i = 0; i < l->lab->rung_count; i++) {
        const LabRung *rung = &l->lab->rungs[i];
        if (rung->type != l->type || !lab_rung_chosen(lab_options()->rungs, rung->number))
            continue;
        Row *r = &l->row[l->rows++];
        r->rung = rung, r->place = i, r->c = &l->c;
        verify_row(l, r);
    }
    progress("", 1, 1);
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

static void run_row(void *context)
{
    Row *r = context;
    profiler_record_function_begin(r->rung->name);
    r->c->lab->run(r->rung, r->c);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        die("rung %d, %s: %s", r->rung->number, r->rung->name, cudaGetErrorString(error));
    profiler_record_function_end();
}

static void run_copy(void *context)
{
    CopyCeiling *k = context;
    bench_copy(k->bytes, k->stream, &k->moved);
}

static void report_progress(void *context, int round)
{
    const BenchOptions *o = context;
    progress("timing, round", round, o->rounds);
}

/* Times the rungs that are right, side by side, and beside them a copy of as many bytes where memory is the limit. */
static void time_rows(Ladder *l)
{
    BenchOptions o = lab_bench_options(l->c.stream);
    BenchSubject *subjects = calloc((size_t)l->rows + 1, sizeof *subjects);
    Row **row_of = calloc((size_t)l->rows + 1, sizeof *row_of);
    int n = 0, with_copy;
    l->samples = calloc((size_t)(l->rows + 1) * (size_t)o.rounds, sizeof *l->samples);
    o.between = report_progress;
    o.between_context = &o;
    for (int i = 0; i < l->rows; i++) {
        Row *r = &l->row[i];
        if (r->verdict != LAB_PASS || (r->rung->flags & LAB_WRONG))
            continue;
        if ((r->rung->flags & LAB_VENDOR) && !l->vendor)
            l->vendor = r;
        subjects[n] = (BenchSubject){run_row, r, l->samples + (size_t)n * (size_t)o.rounds, 0};
        row_of[n++] = r;
    }
    l->ceiling = (CopyCeiling){(size_t)l->bytes, 0, l->c.stream};
    subjects[n] = (BenchSubject){run_copy, &l->ceiling, l->samples + (size_t)n * (size_t)o.rounds, 0};
    with_copy =
        l->bytes > 0 && n > 0 && !((lab_options()->sustained || lab_options()->burst) && l->flops > 8 * l->bytes);
    if (n)
        bench(subjects, n + with_copy, &o);
    progress("", 1, 1);
    for (int i = 0; i < n; i++) {
        row_of[i]->subject = subjects[i];
        row_of[i]->ms = stats_of(subjects[i].samples_ms, subjects[i].runs);
    }
    if (with_copy)
        l->copy = subjects[n];
    free(subjects), free(row_of);
}

/* One more timed run, and no other. */
static void run_timed(void *context)
{
    Row *r = context;
    BenchOptions o = lab_bench_options(r->c->stream);
    double ms;
    BenchSubject subject = {run_row, r, &ms, 0};
    o.warmups = 0, o.rounds = 1;
    o.sustained_s = 0, o.idle_s = 0;
    bench(&subject, 1, &o);
}

/* Figures that are written down are of runs whose results are right: each rung that was timed runs once more in the same way, on
 * inputs that it has not seen, in the same buffers. What it kept from before, leaves out or does later is wrong there, and its
 * times do not count. */
static void verify_timed(Ladder *l)
{
    const char *refused = lab_case_renew(&l->c, l->c.seed + 1);
    if (refused)
        die("%s", refused);
    vendor_inputs_changed();
    for (int i = 0; i < l->rows; i++) {
        Row *r = &l->row[i];
        char why[sizeof r->why / 2];
        if (!ladder_is_timed(r))
            continue;
        progress("verifying what was timed, rung", r->rung->number, l->lab->rungs[l->lab->rung_count - 1].number + 1);
        if (lab_verify_by(run_timed, r, &l->c, why, sizeof why) == LAB_PASS)
            continue;
        snprintf(r->why, sizeof r->why, "after the timed runs, on other inputs, %s", why);
        r->verdict = LAB_FAIL, r->failed = 1;
        r->subject.runs = 0;
        if (l->vendor == r)
            l->vendor = NULL;
    }
    progress("", 1, 1);
}

/* ---- CSV, plot, sweep ------------------------------------------------------------------------------------------ */

/* A rung's name as a cell: commas would be columns. */
static void csv_name(FILE *csv, const char *name)
{
    for (; *name; name++)
        fputc(*name == ',' ? ';' : *name, csv);
}

/* A cell; what is not known is empty. */
static void csv_cell(FILE *csv, const char *format, double value)
{
    fputc(',', csv);
    if (value > 0)
        fprintf(csv, format, value);
}

static void csv_times(const Ladder *l, const Row *r, const Row *before, FILE *csv)
{
    fprintf(csv, ",%.6g,%.6g,%.6g", r->ms.median, r->ms.q1, r->ms.q3);
    csv_cell(csv, "%.5g", l->bytes / r->ms.median * 1e-6);
    csv_cell(csv, "%.5g", l->flops / r->ms.median * 1e-9);
    csv_cell(csv, "%.4f", ladder_of_copy(l, r));
    csv_cell(csv, "%.4f", l->vendor && l->vendor != r ? bench_ratio(&l->vendor->subject, &r->subject) : 0);
    csv_cell(csv, "%.4f", before ? bench_ratio(&before->subject, &r->subject) : 0);
}

static void write_csv(const Ladder *l, FILE *csv)
{
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i], *b = ladder_before(l, r);
        fprintf(csv, "%s,%d,", l->lab->name, r->rung->number);
        csv_name(csv, r->rung->name);
        fprintf(csv, ",%s,%s,%s,%d", lab_type_name(l->type), l->size, lab_mode(), r->subject.runs);
        if (ladder_is_timed(r))
            csv_times(l, r, b, csv);
        else
            fputs(",,,,,,,,", csv);
        fprintf(csv, ",%s\n", ladder_check_word(r));
    }
}

/* What is drawn of a ladder: names, values, and what they are. */
typedef struct Bars {
    const char **name;
    double *value;
    int n;
    char unit[96], title[224];
} Bars;

/* A GPU: what was measured here. */
static void bars_measured(const Ladder *l, Bars *b)
{
    snprintf(b->unit, sizeof b->unit, "%s", l->by_flops ? "TFLOP/s" : "GB/s");
    snprintf(b->title, sizeof b->title, "%s, %s, %s, measured on %s", l->lab->name, l->size, lab_type_name(l->type),
             device_name());
    for (int i = 0; i < l->rows; i++)
        if (ladder_is_timed(&l->row[i])) {
            b->name[b->n] = l->row[i].rung->name;
            b->value[b->n++] = ladder_rate(l, &l->row[i]);
        }
}

/* The CPU device: what an H200 took, as how many times as fast as the slowest; else what is counted. This CPU's times
 * are no lesson. */
static void bars_known(const Ladder *l, Bars *b)
{
    double slowest = 0;
    for (int i = 0; i < l->rows; i++)
        slowest = l->row[i].recorded_ms > slowest ? l->row[i].recorded_ms : slowest;
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i];
        const LabCounts *k = &r->counts;
        double moved =
            32 * (k->load_sectors + k->store_sectors + k->atomic_sectors) + k->tma_load_bytes + k->tma_store_bytes;
        double value = slowest > 0                  ? (r->recorded_ms > 0 ? slowest / r->recorded_ms : 0)
                       : r->counted && l->bytes > 0 ? moved / l->bytes
                                                    : 0;
        if (value > 0) {
            b->name[b->n] = r->rung->name;
            b->value[b->n++] = value;
        }
    }
    if (slowest > 0) {
        snprintf(b->unit, sizeof b->unit, "times as fast as the slowest");
        snprintf(b->title, sizeof b->title, "%s, %s, %s, recorded on an H200", l->lab->name, l->recorded.size,
                 lab_type_name(l->type));
    } else {
        snprintf(b->unit, sizeof b->unit, "bytes moved / fewest possible");
        snprintf(b->title, sizeof b->title, "%s, %s, %s, counted (less is better)", l->lab->name, l->size,
                 lab_type_name(l->type));
    }
}

static void plot(const Ladder *l)
{
    const char *to = lab_options()->plot;
    Bars b = {calloc((size_t)l->rows + 1, sizeof *b.name), calloc((size_t)l->rows + 1, sizeof *b.value), 0, "", ""};
    char base[PATH_MAX];
    int named = to[0] != 0;
    if (device_is_cpu())
        bars_known(l, &b);
    else
        bars_measured(l, &b);
    snprintf(base, sizeof base, "%s-%s-%s", to, l->size, lab_type_name(l->type));
    if (b.n) {
        putchar('\n');
        if (plot_bars(b.title, b.unit, b.name, b.value, b.n, named ? base : NULL) == 0 && named && plot_available())
            printf("    drawn: %s.svg\n", base);
    } else {
        puts("\n    nothing is drawn: no GPU's times are recorded for this lab, and nothing was counted at this size");
    }
    free(b.name), free(b.value);
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

/* All points are in the first one's unit. */
static void add_to_sweep(Ladder *l, LabSweep *sweep, double x)
{
    l->by_flops = sweep->count ? sweep->by_flops : l->by_flops;
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i];
        if (ladder_is_timed(r)) {
            lab_sweep_add(sweep, x, ladder_rate(l, r), r->place, l->by_flops);
        } else if (ladder_is_modelled(r)) {
            snprintf(sweep->chip, sizeof sweep->chip, "%s", r->modelled.chip);
            lab_sweep_add(sweep, x, ladder_rate_of(l, r->modelled.ms), r->place, l->by_flops);
        }
    }
}

/* One type on one shape; sweep is NULL outside a sweep. Returns how many rungs failed. */
static int ladder_type(const Lab *lab, const size_t *dim, LabType type, FILE *csv, LabSweep *sweep, double x)
{
    Ladder l = {.lab = lab, .type = type};
    const char *refused = lab_case_make(&l.c, lab, dim, type, lab_options()->seed, 1);
    int failed = 0;
    if (refused)
        die_usage("%s", refused);
    lab_shape_text(dim, l.c.dims, l.size);
    if (l.c.out_count == 0 &&
        !lab_options()->small) /* the tests' shapes may be empty: then it counts that nothing is written */
        die_usage("%s = %s has no element to compute", lab->dims, l.size);
    l.bytes = lab->bytes ? lab->bytes(&l.c) : 0;
    l.flops = lab->flops ? lab->flops(&l.c) : 0;
    l.by_flops = l.flops > 0 && (l.bytes <= 0 || l.flops / l.bytes > 8);
    verify(&l);
    if (!lab_options()->verify_only)
        time_rows(&l);
    if (csv && !lab_options()->verify_only && l.rows)
        verify_timed(&l);
    if (csv)
        write_csv(&l, csv);
    for (int i = 0; i < l.rows; i++)
        failed += l.row[i].failed;
    if (sweep)
        add_to_sweep(&l, sweep, x);
    if (!sweep)
        ladder_print(&l);
    if (!sweep && lab_options()->plot && !lab_options()->verify_only)
        plot(&l);
    lab_case_free(&l.c);
    free(l.row), free(l.samples);
    return failed;
}

/* Is one table all that there should be, of the lab's first type and largest shape? */
static int is_brief(void)
{
    const LabOptions *o = lab_options();
    return lab_brief() && !o->size && !o->sweep && !o->rungs && !o->csv && !o->plot;
}

static int ladder_shape(const Lab *lab, const size_t *dim, FILE *csv, LabSweep *sweep, double x)
{
    int failed = 0, brief = is_brief();
    for (int type = 0; type < LAB_TYPE_COUNT; type++) {
        int some = 0;
        if (lab_options()->type && strcmp(lab_options()->type, lab_type_name((LabType)type)) != 0)
            continue;
        if (brief && lab->rungs[0].type != (LabType)type)
            continue;
        for (int i = 0; i < lab->rung_count; i++)
            some |= lab->rungs[i].type == (LabType)type && lab_rung_chosen(lab_options()->rungs, lab->rungs[i].number);
        if (some)
            failed += ladder_type(lab, dim, (LabType)type, csv, sweep, x);
    }
    return failed;
}

/* A range of shapes, drawn. */
static int ladder_range(const Lab *lab, LabSizes *s, FILE *csv)
{
    LabSweep sweep = {0};
    size_t first = s->dim[s->range_dim];
    int failed = 0;
    for (size_t v = first; v <= s->last; v += s->step) {
        progress("sweep", (long)((v - first) / s->step), (long)((s->last - first) / s->step + 1));
        s->dim[s->range_dim] = v;
        failed += ladder_shape(lab, s->dim, csv, &sweep, (double)v);
    }
    char name[64];
    const char *q = lab->dims;
    for (int d = 0; d < s->range_dim; d++)
        q = strchr(q, ' ') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(q, " "), q);
    lab_sweep_draw(&sweep, lab, name);
    return failed;
}

/* The place of the largest shape in the list. */
static int largest(const char *list, int dims)
{
    double most = -1;
    int place = -1, i = 0;
    for (const char *p = list + strspn(list, " "); *p; p += strspn(p, " "), i++) {
        LabSizes s;
        double n = 1;
        p = lab_parse_shape(p, dims, &s);
        for (int d = 0; d < dims; d++)
            n *= (double)s.dim[d];
        if (n > most)
            most = n, place = i;
    }
    return place;
}

int lab_ladder(const Lab *lab, FILE *csv)
{
    const char *list = lab_options()->size, *p;
    int failed = 0;
    if (!list && lab_options()->sweep)
        list = device_is_cpu() ? lab->cpu_sweep : lab->sweep;
    if (!list)
        list = device_is_cpu() ? lab->cpu_size : lab->size;
    int only = is_brief() ? largest(list, lab_dims(lab)) : -1, i = 0;
    for (p = list + strspn(list, " "); *p; p += strspn(p, " "), i++) {
        LabSizes s;
        p = lab_parse_shape(p, lab_dims(lab), &s);
        if (only >= 0 && i != only)
            continue;
        failed += s.range_dim < 0 ? ladder_shape(lab, s.dim, csv, NULL, 0) : ladder_range(lab, &s, csv);
    }
    return failed;
}
