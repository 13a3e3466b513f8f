#include "lab.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "device.h"
#include "plot.h"
#include "profiler.h"
#include "progress.h"
#include "stats.h"
#include "table.h"
#include "vendor.h"

static LabOptions options = {.seed = 1, .runs = 20};
const LabOptions *lab_options(void) { return &options; }

/* ---- shapes ---------------------------------------------------------------------------------------------------- */

/* One shape with at most one range, "4096x256:12672:128": the range's dimension counts up from first to last. */
typedef struct Sizes {
    size_t dim[LAB_MAX_DIMS];
    int range_dim; /* -1: none */
    size_t last, step;
} Sizes;

static int parse_number(const char **p, size_t *value)
{
    if (!isdigit((unsigned char)**p))
        return -1;
    errno = 0;
    char *end;
    unsigned long long v = strtoull(*p, &end, 10);
    if (errno || v > (1ull << 48))
        return -1;
    *value = (size_t)v;
    *p = end;
    return 0;
}

/* Reads one shape of `dims` numbers; stops at a blank or the end. Returns where, or NULL. */
static const char *parse_shape(const char *p, int dims, Sizes *s)
{
    s->range_dim = -1;
    for (int d = 0; d < dims; d++) {
        if (d && *p++ != 'x')
            return NULL;
        if (parse_number(&p, &s->dim[d]))
            return NULL;
        if (*p == ':') {
            p++;
            if (s->range_dim >= 0 || parse_number(&p, &s->last) || *p++ != ':' || parse_number(&p, &s->step) ||
                s->step == 0 || s->last < s->dim[d])
                return NULL;
            s->range_dim = d;
        }
    }
    return *p == 0 || *p == ' ' ? p : NULL;
}

int lab_dims(const Lab *lab)
{
    int n = 0;
    for (const char *p = lab->dims; p && *p; p++)
        n += *p != ' ' && (p[1] == ' ' || p[1] == 0);
    return n;
}

static void shape_text(const size_t *dim, int dims, char text[96])
{
    int n = 0;
    for (int d = 0; d < dims; d++)
        n += snprintf(text + n, 96 - (size_t)n, "%s%zu", d ? "x" : "", dim[d]);
}

/* ---- cases ----------------------------------------------------------------------------------------------------- */

static void *host_alloc(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, bytes ? bytes : 64))
        die_usage("not enough host memory for %.1f GB; choose a smaller --size", (double)bytes * 1e-9);
    return p;
}

static void *device_alloc(size_t bytes)
{
    void *p = NULL;
    if (cudaMalloc(&p, bytes ? bytes : 1) != cudaSuccess) {
        cudaGetLastError();
        die_usage("%.1f GB do not fit the device's memory (%.1f GB are free); choose a smaller --size",
                  (double)bytes * 1e-9, (double)device_free_bytes() * 1e-9);
    }
    return p;
}

static size_t checked_bytes(size_t count, LabType type)
{
    if (count > ((size_t)1 << 62) / lab_type_bytes(type))
        die_usage("the shape overflows; choose a smaller --size");
    return count * lab_type_bytes(type);
}

void *lab_input(LabCase *c, int i, size_t count, LabType type)
{
    size_t bytes = checked_bytes(count, type);
    c->in_count[i] = count;
    c->in_type[i] = type;
    c->in[i] = device_alloc(bytes);
    c->h_in[i] = host_alloc(bytes);
    memset(c->h_in[i], 0, bytes);
    if (c->inputs <= i)
        c->inputs = i + 1;
    return c->h_in[i];
}

void lab_output(LabCase *c, size_t count, LabType type)
{
    size_t bytes = checked_bytes(count, type);
    c->out_count = count;
    c->out_type = type;
    c->out = device_alloc(bytes);
    c->h_out = host_alloc(bytes);
}

void lab_fill_uniform(LabCase *c, int i, double lo, double hi)
{
    uint64_t seed = c->seed * LAB_MAX_INPUTS + (uint64_t)i;
#pragma omp parallel for
    for (size_t k = 0; k < c->in_count[i]; k++)
        lab_set(c->h_in[i], c->in_type[i], k, lo + (hi - lo) * random_uniform(seed, k));
}

void *lab_scratch(LabCase *c, size_t bytes)
{
    if (c->scratch_bytes < bytes) {
        CUDA_CHECK(cudaStreamSynchronize(c->stream));
        if (c->scratch)
            CUDA_CHECK(cudaFree(c->scratch));
        c->scratch = device_alloc(bytes);
        c->scratch_bytes = bytes;
    }
    return c->scratch;
}

int lab_sample_row(size_t row, size_t rows, double work_per_row)
{
    if ((double)rows * work_per_row <= 0x1p26)
        return 1;
    size_t stride = rows / 30 + 1;
    return row == 0 || row + 1 == rows || (row + 7) % stride == 0;
}

static void tolerance_for(LabType t, double *atol, double *rtol)
{
    switch (t) {
    case LAB_F32: *atol = 1e-6, *rtol = 1e-5; break;
    case LAB_BF16: *atol = 1e-4, *rtol = 0x1p-7; break;
    case LAB_F16: *atol = 1e-4, *rtol = 0x1p-9; break;
    case LAB_F64: *atol = 1e-13, *rtol = 1e-12; break;
    default: *atol = *rtol = 0; break;
    }
}

const char *lab_case_make(LabCase *c, const Lab *lab, const size_t *dim, LabType type, uint64_t seed, int with_reference)
{
    *c = (LabCase){.lab = lab, .dims = lab_dims(lab), .type = type, .seed = seed};
    memcpy(c->dim, dim, sizeof *dim * (size_t)c->dims);
    tolerance_for(type, &c->atol, &c->rtol);
    CUDA_CHECK(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking));
    const char *why = lab->setup(c);
    if (why) {
        lab_case_free(c);
        return why;
    }
    for (int i = 0; i < c->inputs; i++)
        if (c->in[i])
            CUDA_CHECK(cudaMemcpy(c->in[i], c->h_in[i], c->in_count[i] * lab_type_bytes(c->in_type[i]),
                                  cudaMemcpyHostToDevice));
    if (with_reference && lab->reference) {
        c->expect = (double *)host_alloc(c->out_count * sizeof(double));
        lab->reference(c);
    }
    return NULL;
}

void lab_case_free(LabCase *c)
{
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
    if (c->lab->teardown)
        c->lab->teardown(c);
    for (int i = 0; i < c->inputs; i++) {
        CUDA_CHECK(cudaFree(c->in[i]));
        free(c->h_in[i]);
    }
    CUDA_CHECK(cudaFree(c->out));
    free(c->h_out);
    free(c->expect);
    CUDA_CHECK(cudaFree(c->scratch));
    CUDA_CHECK(cudaStreamDestroy(c->stream));
    *c = (LabCase){0};
}

/* ---- verification ---------------------------------------------------------------------------------------------- */

static char skip_reason[256];

void lab_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(skip_reason, sizeof skip_reason, format, args);
    va_end(args);
}

int lab_claim(int holds, const char *format, ...)
{
    if (holds)
        return 0;
    va_list args;
    va_start(args, format);
    fputs("    does not hold: ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    return 1;
}

/* Why the device at hand cannot run the rung, or NULL. */
static const char *not_here(const LabRung *r)
{
    if (device_is_cpu() && (r->flags & LAB_NEEDS_SM90A))
        return "needs a Hopper GPU (sm_90a)";
    if (device_is_cpu() && (r->flags & LAB_CUDA_ONLY))
        return "needs a GPU";
    if (!device_is_cpu() && (r->flags & LAB_NEEDS_SM90A) && device_capability() != 90)
        return "needs compute capability 9.0 (sm_90a)";
    if (!device_is_cpu() && (r->flags & LAB_NEEDS_SM80) && device_capability() < 80)
        return "needs compute capability 8.0";
    return NULL;
}

/* How many repeated runs, of --repeat's, give the bits that lie in h_out. */
static int same_bits(const LabRung *r, LabCase *c, size_t bytes)
{
    void *again = malloc(bytes + 1);
    int same = 0;
    for (; same < options.repeat; same++) {
        progress("repeating, run", same, options.repeat);
        CUDA_CHECK(cudaMemsetAsync(c->out, 0xff, bytes, c->stream));
        c->lab->run(r, c);
        CUDA_CHECK(cudaMemcpyAsync(again, c->out, bytes, cudaMemcpyDeviceToHost, c->stream));
        CUDA_CHECK(cudaStreamSynchronize(c->stream));
        if (memcmp(again, c->h_out, bytes) != 0)
            break;
    }
    progress("", 1, 1);
    free(again);
    return same;
}

LabVerdict lab_verify(const LabRung *r, LabCase *c, char *why, size_t why_bytes)
{
    const char *reason = not_here(r);
    if (reason) {
        snprintf(why, why_bytes, "%s", reason);
        return LAB_SKIPPED;
    }
    if (c->lab->refuse && (reason = c->lab->refuse(r, c))) {
        snprintf(why, why_bytes, "%s", reason);
        return LAB_REFUSED;
    }
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    CUDA_CHECK(cudaMemset(c->out, 0xff, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    skip_reason[0] = 0;
    c->lab->run(r, c);
    if (skip_reason[0]) {
        snprintf(why, why_bytes, "%s", skip_reason);
        return LAB_SKIPPED;
    }
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(c->stream);
    if (error != cudaSuccess) {
        snprintf(why, why_bytes, "%s", cudaGetErrorString(error));
        return LAB_FAIL;
    }
    CUDA_CHECK(cudaMemcpy(c->h_out, c->out, bytes, cudaMemcpyDeviceToHost));
    Mismatch m;
    if (compare(c->h_out, c->out_type, c->expect, c->out_count, c->atol, c->rtol, &m) == 0) {
        int n = snprintf(why, why_bytes, "max error %.2g", m.max_error);
        if (options.repeat == 0)
            return LAB_PASS;
        int same = same_bits(r, c, bytes);
        if (same == options.repeat)
            snprintf(why + n, why_bytes - (size_t)n, "; the same bits %d times more", same);
        else
            snprintf(why, why_bytes, "repeated run %d gives other bits than the first", same + 1);
        return same == options.repeat ? LAB_PASS : LAB_FAIL;
    }
    char place[64], got[32] = "was never written", should_be[48] = "", unwritten[48] = "";
    if (c->out_width)
        snprintf(place, sizeof place, "row %zu, column %zu", m.index / c->out_width, m.index % c->out_width);
    else
        snprintf(place, sizeof place, "element %zu", m.index);
    if (!m.first_unwritten)
        snprintf(got, sizeof got, "is %.9g", m.got);
    if (lab_is_untouched(m.expected))
        snprintf(should_be, sizeof should_be, ", should not have been written");
    else if (!lab_is_unchecked(m.expected))
        snprintf(should_be, sizeof should_be, ", should be %.9g", m.expected);
    if (m.unwritten)
        snprintf(unwritten, sizeof unwritten, " (%zu never written)", m.unwritten);
    snprintf(why, why_bytes, "%s %s%s; %zu of %zu wrong%s", place, got, should_be, m.wrong, c->out_count, unwritten);
    return LAB_FAIL;
}

/* ---- the ladder: verify, time, print --------------------------------------------------------------------------- */

typedef struct Timed {
    const LabRung *rung;
    LabCase *c;
    BenchSubject subject;
    double *samples;
} Timed;

static void run_timed(void *context)
{
    Timed *t = (Timed *)context;
    profiler_record_function_begin(t->rung->name);
    t->c->lab->run(t->rung, t->c);
    profiler_record_function_end();
}

typedef struct CopyCeiling {
    size_t bytes, moved;
    cudaStream_t stream;
} CopyCeiling;

static void run_copy(void *context)
{
    CopyCeiling *k = (CopyCeiling *)context;
    bench_copy(k->bytes, k->stream, &k->moved);
}

const char *lab_mode(void)
{
    return options.sustained ? "sustained" : options.burst ? "burst" : "interleaved";
}

/* --rung 1,3-5: is this number chosen? */
static int rung_chosen(int number)
{
    const char *p = options.rungs;
    if (!p)
        return 1;
    if (!*p)
        die_usage("--rung wants numbers like 1,3-5, not nothing");
    while (*p) {
        char *end;
        long first = strtol(p, &end, 10), last = first;
        if (end == p)
            die_usage("--rung wants numbers like 1,3-5, not '%s'", options.rungs);
        if (*end == '-') {
            p = end + 1;
            last = strtol(p, &end, 10);
            if (end == p)
                die_usage("--rung wants numbers like 1,3-5, not '%s'", options.rungs);
        }
        if (number >= first && number <= last)
            return 1;
        if (*end && *end != ',')
            die_usage("--rung wants numbers like 1,3-5, not '%s'", options.rungs);
        p = *end ? end + 1 : end;
    }
    return 0;
}

static FILE *csv;

/* A rung's name as a CSV cell: commas would be columns. */
static const char *csv_name(const char *name)
{
    static char cell[128];
    snprintf(cell, sizeof cell, "%s", name);
    for (char *p = cell; *p; p++)
        if (*p == ',')
            *p = ';';
    return cell;
}

static void report_progress(void *context, int round)
{
    const BenchOptions *o = (const BenchOptions *)context;
    progress("timing, round", round, o->rounds);
}

/* Figures of a sweep, kept for its plot. */
typedef struct SweepPoint {
    double x, value;
    int rung;
} SweepPoint;
static SweepPoint *sweep_points;
static int sweep_count;
static int sweep_by_flops; /* in TFLOP/s, not GB/s: as its first point */

BenchOptions lab_bench_options(cudaStream_t stream)
{
    return (BenchOptions){.stream = stream,
                          .warmups = options.burst || device_is_cpu() ? 1 : 5,
                          .rounds = options.sustained ? 1000 : options.burst ? 20 : options.runs,
                          .warm = options.sustained, /* back to back: a flush in between would be a rest */
                          .sustained_s = options.sustained ? 3 : 0,
                          .idle_s = options.burst ? 1 : 0,
                          .budget_ms = options.sustained ? 60e3 : device_is_cpu() ? 150 : 400};
}

/* The places in subject[] of the three fastest, the best first; -1 where there are fewer. */
static void three_fastest(void (*run)(void *context), void *const *context, int count, const BenchOptions *o, int best[3])
{
    BenchSubject *subject = calloc((size_t)count, sizeof *subject);
    double *samples = calloc((size_t)(count * o->rounds), sizeof *samples), least[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < count; i++)
        subject[i] = (BenchSubject){run, context[i], samples + i * o->rounds, 0};
    bench(subject, count, o);
    best[0] = best[1] = best[2] = -1;
    for (int i = 0; i < count; i++) {
        double time = bench_ratio(&subject[i], &subject[0]);
        for (int j = 0, who = i; j < 3; j++)
            if (time < least[j]) {
                double m = least[j];
                int w = best[j];
                least[j] = time, best[j] = who;
                time = m, who = w;
            }
    }
    free(samples);
    free(subject);
}

int lab_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream)
{
    BenchOptions o = lab_bench_options(stream);
    void *finalist[3];
    int first[3], last[3], finalists = 0;
    if (options.verify_only || count < 2)
        return 0;
    o.rounds = options.sustained ? 64 : 16;
    o.sustained_s = options.sustained ? 1 : 0;
    three_fastest(run, context, count, &o, first);
    /* Once more among the best: slow rivals change what those beside them find, in L2 and in the clock. */
    while (finalists < 3 && first[finalists] >= 0) {
        finalist[finalists] = context[first[finalists]];
        finalists++;
    }
    o.rounds *= 2;
    three_fastest(run, finalist, finalists, &o, last);
    return first[last[0]];
}

static const char *const verdict_word[] = {"ok", "WRONG", "skipped", "refused"};

/* Verifies every rung of one type on one shape, then times those that pass, side by side. Returns how many failed. */
static int ladder_type(const Lab *lab, const size_t *dim, LabType type, double sweep_x)
{
    LabCase c;
    char size[96], why[512];
    const char *refused = lab_case_make(&c, lab, dim, type, options.seed, 1);
    if (refused)
        die_usage("%s", refused);
    shape_text(dim, c.dims, size);
    if (c.out_count == 0 && !options.small) /* the tests' shapes may be empty: then it counts that nothing is written */
        die_usage("%s = %s has no element to compute", lab->dims, size);

    Timed *timed = calloc((size_t)lab->rung_count, sizeof *timed);
    LabVerdict *verdict = calloc((size_t)lab->rung_count, sizeof *verdict);
    char(*reason)[512] = calloc((size_t)lab->rung_count, sizeof *reason);
    int n = 0, failed = 0, vendor = -1;
    for (int i = 0; i < lab->rung_count; i++) {
        const LabRung *r = &lab->rungs[i];
        if (r->type != type || !rung_chosen(r->number))
            continue;
        if (options.no_vendor && (r->flags & LAB_VENDOR)) {
            verdict[i] = LAB_SKIPPED;
            snprintf(reason[i], sizeof reason[i], "--no-vendor");
            continue;
        }
        progress("verifying, rung", r->number, lab->rungs[lab->rung_count - 1].number + 1);
        verdict[i] = lab_verify(r, &c, why, sizeof why);
        memcpy(reason[i], why, sizeof why);
        if (r->flags & LAB_WRONG) {
            if (verdict[i] == LAB_PASS) {
                failed++;
                snprintf(reason[i], sizeof reason[i], "passes, but is kept as a mistake that must not");
                verdict[i] = LAB_FAIL;
            }
        } else if (verdict[i] == LAB_FAIL) {
            failed++;
        } else if (verdict[i] == LAB_PASS && !options.verify_only) {
            Timed *t = &timed[n];
            t->rung = r;
            t->c = &c;
            if ((r->flags & LAB_VENDOR) && vendor < 0)
                vendor = n;
            n++;
        }
    }
    progress("", 1, 1);

    double bytes = lab->bytes ? lab->bytes(&c) : 0, flops = lab->flops ? lab->flops(&c) : 0;
    BenchOptions o = lab_bench_options(c.stream);
    int rounds = o.rounds;
    o.between = report_progress;
    o.between_context = &o;
    BenchSubject *subjects = calloc((size_t)n + 1, sizeof *subjects);
    double *samples = calloc((size_t)(n + 1) * (size_t)rounds, sizeof *samples);
    for (int i = 0; i < n; i++)
        subjects[i] = (BenchSubject){run_timed, &timed[i], samples + (size_t)i * (size_t)rounds, 0};
    CopyCeiling ceiling = {(size_t)bytes, 0, c.stream};
    subjects[n] = (BenchSubject){run_copy, &ceiling, samples + (size_t)n * (size_t)rounds, 0};
    int with_copy = bytes > 0 && n > 0 && !((options.sustained || options.burst) && flops > 8 * bytes), copy = n;
    if (n)
        bench(subjects, n + with_copy, &o);
    progress("", 1, 1);

    Table *t = table_new(">rung|idea|type|>time|>IQR|>GB/s|>of copy|>TFLOP/s|>vs vendor|>vs rung before|check");
    int at = 0, previous = -1;
    const char **bar_names = calloc((size_t)n + 1, sizeof *bar_names);
    double *bar_values = calloc((size_t)n + 1, sizeof *bar_values);
    int bars = 0, by_flops = flops > 0 && (bytes <= 0 || flops / bytes > 8);
    for (int i = 0; i < lab->rung_count; i++) {
        const LabRung *r = &lab->rungs[i];
        if (r->type != type || !rung_chosen(r->number))
            continue;
        table_cell(t, "%d", r->number);
        table_cell(t, "%s", r->name);
        table_cell(t, "%s", lab_type_name(r->type));
        const char *check = (r->flags & LAB_WRONG) && verdict[i] == LAB_FAIL && !strstr(reason[i], "must not")
                                ? "wrong as it should be"
                                : verdict_word[verdict[i]];
        if (at >= n || timed[at].rung != r || subjects[at].runs == 0) {
            for (int k = 0; k < 7; k++)
                table_cell(t, "%s", "");
            table_cell(t, "%s: %s", check, reason[i]);
            if (csv)
                fprintf(csv, "%s,%d,%s,%s,%s,%s,0,,,,,,,,,%s\n", lab->name, r->number, csv_name(r->name),
                        lab_type_name(type), size, lab_mode(), check);
            continue;
        }
        BenchSubject *s = &subjects[at];
        Stats st = stats_of(s->samples_ms, s->runs);
        char ms[32];
        double gbps = bytes / st.median * 1e-6, tflops = flops / st.median * 1e-9, of_copy = 0, vs_vendor = 0, vs_before = 0;
        if (with_copy)
            of_copy = bytes / (double)ceiling.moved * bench_ratio(&subjects[copy], s);
        if (vendor >= 0 && vendor != at)
            vs_vendor = bench_ratio(&subjects[vendor], s);
        if (previous >= 0 && !(r->flags & LAB_VENDOR))
            vs_before = bench_ratio(&subjects[previous], s);
        table_cell(t, "%s", format_ms(st.median, ms));
        table_cell(t, "%.1f%%", 100 * (st.q3 - st.q1) / st.median);
        table_cell(t, bytes > 0 && !by_flops ? "%.4g" : "", gbps);
        table_cell(t, of_copy > 0 && !by_flops ? "%.2f" : "", of_copy);
        table_cell(t, flops > 0 && by_flops ? "%.4g" : "", tflops);
        table_cell(t, vs_vendor > 0 ? "%.3f" : "", vs_vendor);
        table_cell(t, vs_before > 0 ? "%.2fx" : "", vs_before);
        table_cell(t, "%s", check);
        if (csv)
            fprintf(csv, "%s,%d,%s,%s,%s,%s,%d,%.6g,%.6g,%.6g,%.5g,%.5g,%.4f,%.4f,%.4f,%s\n", lab->name, r->number,
                    csv_name(r->name), lab_type_name(type), size, lab_mode(), s->runs, st.median, st.q1, st.q3, gbps, tflops, of_copy,
                    vs_vendor, vs_before, check);
        bar_names[bars] = r->name;
        bar_values[bars++] = by_flops ? tflops : gbps;
        if (sweep_x >= 0) {
            SweepPoint *more = realloc(sweep_points, sizeof *more * (size_t)(sweep_count + 1));
            if (!more)
                die("not enough memory");
            if (sweep_count == 0)
                sweep_by_flops = by_flops;
            sweep_points = more;
            sweep_points[sweep_count++] = (SweepPoint){sweep_x, sweep_by_flops ? tflops : gbps, i};
        }
        if (!(r->flags & LAB_VENDOR))
            previous = at;
        at++;
    }
    if (sweep_x < 0 && options.verify_only && lab->rung_count == 1) { /* an exercise: one line a shape says it all */
        static int begun;
        printf("%s    %s = %-12s %s: %s\n", begun++ ? "" : "\n", lab->dims, size, verdict_word[verdict[0]], reason[0]);
    } else if (sweep_x < 0) {
        char title[160];
        printf("\n    %s = %s, %s%s\n", lab->dims, size, lab_type_name(type),
               options.verify_only ? "" : options.sustained ? ", sustained (3 s of warm-up, back to back, L2 warm)"
                                      : options.burst       ? ", burst (cold, after an idle second)"
                                                            : "");
        table_print(t, stdout, 4);
        if (options.plot && bars) {
            char base[PATH_MAX];
            int named = options.plot[0] != 0;
            snprintf(title, sizeof title, "%s, %s, %s", lab->name, size, lab_type_name(type));
            snprintf(base, sizeof base, "%s-%s-%s", options.plot, size, lab_type_name(type));
            putchar('\n');
            if (plot_bars(title, by_flops ? "TFLOP/s" : "GB/s", bar_names, bar_values, bars, named ? base : NULL) == 0 &&
                named && plot_available())
                printf("    drawn: %s.svg\n", base);
        }
    }
    table_free(t);
    free(bar_names), free(bar_values), free(samples), free(subjects);
    free(timed), free(verdict), free(reason);
    lab_case_free(&c);
    return failed;
}

static int ladder_shape(const Lab *lab, const size_t *dim, double sweep_x)
{
    int failed = 0;
    for (int type = 0; type < LAB_TYPE_COUNT; type++) {
        int some = 0;
        for (int i = 0; i < lab->rung_count; i++)
            some |= lab->rungs[i].type == (LabType)type && rung_chosen(lab->rungs[i].number);
        if (some)
            failed += ladder_type(lab, dim, (LabType)type, sweep_x);
    }
    return failed;
}

static void draw_sweep(const Lab *lab, const char *x_name)
{
    PlotSeries *series = calloc((size_t)lab->rung_count, sizeof *series);
    char(*label)[96] = calloc((size_t)lab->rung_count, sizeof *label);
    int count = 0, types = 0;
    for (int i = 0; i < lab->rung_count; i++)
        types |= lab->rungs[i].type != lab->rungs[0].type;
    for (int i = 0; i < lab->rung_count; i++) {
        double *x = malloc(sizeof *x * (size_t)sweep_count), *y = malloc(sizeof *y * (size_t)sweep_count);
        int n = 0;
        for (int k = 0; k < sweep_count; k++)
            if (sweep_points[k].rung == i)
                x[n] = sweep_points[k].x, y[n++] = sweep_points[k].value;
        snprintf(label[i], sizeof *label, "%s%s%s", lab->rungs[i].name, types ? ", " : "", types ? lab_type_name(lab->rungs[i].type) : "");
        if (n)
            series[count++] = (PlotSeries){label[i], x, y, n, 0};
        else
            free(x), free(y);
    }
    Plot p = {.title = lab->name, .xlabel = x_name, .ylabel = sweep_by_flops ? "TFLOP/s" : "GB/s", .series = series, .count = count};
    char base[PATH_MAX];
    snprintf(base, sizeof base, "%s-sweep", options.plot ? options.plot : "");
    int named = options.plot && options.plot[0];
    if (plot_lines(&p, named ? base : NULL) == 0 && named && plot_available())
        printf("\n    drawn: %s.svg\n", base);
    for (int i = 0; i < count; i++)
        free((void *)series[i].x), free((void *)series[i].y);
    free(series), free(label);
    sweep_count = 0;
}

static void ladder(const Lab *lab, int *failed)
{
    const char *list = options.size, *p;
    int dims = lab_dims(lab);
    if (!list && options.sweep)
        list = device_is_cpu() ? lab->cpu_sweep : lab->sweep;
    if (!list)
        list = device_is_cpu() ? lab->cpu_size : lab->size;
    for (p = list + strspn(list, " "); *p; p += strspn(p, " ")) {
        Sizes s;
        p = parse_shape(p, dims, &s);
        if (s.range_dim < 0) {
            *failed += ladder_shape(lab, s.dim, -1);
            continue;
        }
        size_t first = s.dim[s.range_dim];
        for (size_t v = first; v <= s.last; v += s.step) {
            progress("sweep", (long)((v - first) / s.step), (long)((s.last - first) / s.step + 1));
            s.dim[s.range_dim] = v;
            *failed += ladder_shape(lab, s.dim, (double)v);
        }
        char name[64];
        const char *q = lab->dims;
        for (int d = 0; d < s.range_dim; d++)
            q = strchr(q, ' ') + 1;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(q, " "), q);
        draw_sweep(lab, name);
    }
}

/* Before anything is printed: is what was asked for there? */
static void check_arguments(const Lab *lab)
{
    int dims = lab_dims(lab), chosen = 0, last = 0;
    if (!lab->rungs && !options.heading && (options.size || options.rungs || options.sweep))
        die_usage("%s is no ladder: it has no --size, --rung or --sweep", lab->name);
    if (!lab->rungs)
        return;
    if (lab->rung_count == 0)
        die_usage("%s has no rung for this device", lab->name);
    for (int i = 0; i < lab->rung_count; i++) {
        chosen |= rung_chosen(lab->rungs[i].number);
        last = lab->rungs[i].number > last ? lab->rungs[i].number : last;
    }
    if (!chosen && !options.heading) /* in a walk-through the other labs may have them */
        die_usage("%s has rungs %d to %d; --rung %s is none of them", lab->name, lab->rungs[0].number, last, options.rungs);
    if (options.sweep && !options.size && !lab->sweep && !options.heading)
        die_usage("%s has no sweep of its own; give one: --size 1024:65536:1024", lab->name);
    if (options.size && options.size[strspn(options.size, " ")] == 0)
        die_usage("--size wants %s, not nothing", lab->dims);
    for (const char *p = options.size; p && *(p += strspn(p, " "));) {
        Sizes s;
        const char *end = parse_shape(p, dims, &s);
        if (!end && dims == 1)
            die_usage("--size wants %s as a whole number or FIRST:LAST:STEP, not '%s'", lab->dims, p);
        if (!end)
            die_usage("--size wants %s as %d whole numbers joined by x (one may be FIRST:LAST:STEP), not '%s'", lab->dims,
                      dims, p);
        p = end;
    }
}

/* ---- the program ----------------------------------------------------------------------------------------------- */

enum {
    KEY_CSV = 256, KEY_PLOT, KEY_SEED, KEY_RUNS, KEY_VERIFY, KEY_PROFILE, KEY_TRACE, KEY_SWEEP, KEY_SUSTAINED, KEY_BURST,
    KEY_ABOUT, KEY_HEADING, KEY_RUNG, KEY_SMALL, KEY_DEVICE, KEY_NO_VENDOR,
    KEY_REPEAT,
};

static const struct argp_option lab_argp_options[] = {
    {"size", 's', "SHAPE", 0, "the problem's shape, e.g. 4096x4096; one number may be FIRST:LAST:STEP", 0},
    {"rung", KEY_RUNG, "LIST", 0, "only these rungs, e.g. 1,3-5", 0},
    {"verify", KEY_VERIFY, 0, 0, "verify the answers, time nothing", 0},
    {"repeat", KEY_REPEAT, "N", 0, "verify as well that N more runs give the same bits", 0},
    {"runs", KEY_RUNS, "N", 0, "timed runs of each rung (20)", 0},
    {"seed", KEY_SEED, "N", 0, "seed of the random input (1)", 0},
    {"sweep", KEY_SWEEP, 0, 0, "time the lab's range of sizes and draw it", 0},
    {"sustained", KEY_SUSTAINED, 0, 0, "3 s of warm-up, then 1000 interleaved runs", 0},
    {"burst", KEY_BURST, 0, 0, "20 cold launches after an idle second", 0},
    {"csv", KEY_CSV, "FILE", 0, "write the figures to FILE as well", 0},
    {"plot", KEY_PLOT, "BASE", OPTION_ARG_OPTIONAL, "draw BASE.svg and BASE.png; without BASE or gnuplot a text chart", 0},
    {"profile", KEY_PROFILE, 0, 0, "print the profiler's table of the run", 0},
    {"trace", KEY_TRACE, "FILE", 0, "write a Chrome trace of the run to FILE", 0},
    {"small", KEY_SMALL, 0, 0, "the tests' shapes instead of the lecture's", 0},
    {"no-vendor", KEY_NO_VENDOR, 0, 0, "without NVIDIA's libraries (the sanitizers find fault with some of them)", 0},
    {"heading", KEY_HEADING, "TEXT", OPTION_HIDDEN, 0, 0},
    {"about", KEY_ABOUT, 0, OPTION_HIDDEN, 0, 0},
    {"device-line", KEY_DEVICE, 0, OPTION_HIDDEN, 0, 0},
    {0},
};

static const Lab *the_lab;

static size_t argument_number(const char *what, const char *text, size_t most)
{
    size_t v;
    const char *p = text;
    if (parse_number(&p, &v) || *p || v > most)
        die_usage("%s wants a whole number up to %zu, not '%s'", what, most, text);
    return v;
}

/* What ./run must know of a lab, in lines with tabs between:
 * "lab ORDER NAME TITLE", then for each option "option NAME LETTER ARGUMENT KIND", KIND none, needed or optional. */
static void print_about(const Lab *lab)
{
    const struct argp_option *tables[] = {lab_argp_options, lab->argp ? lab->argp->options : NULL};
    printf("lab\t%d\t%s\t%s\n", lab->order, lab->name, lab->title);
    for (int t = 0; t < 2; t++)
        for (const struct argp_option *o = tables[t]; o && o->name; o++)
            printf("option\t%s\t%.*s\t%s\t%s\n", o->name, o->key > ' ' && o->key < 127, (char[]){(char)o->key}, o->arg ? o->arg : "",
                   !o->arg ? "none" : o->flags & OPTION_ARG_OPTIONAL ? "optional" : "needed");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case 's': options.size = arg; break;
    case KEY_RUNG: options.rungs = arg; rung_chosen(0); break;
    case KEY_VERIFY: options.verify_only = 1; break;
    case KEY_RUNS:
        options.runs = (int)argument_number("--runs", arg, 100000);
        if (options.runs == 0)
            die_usage("--runs wants at least 1");
        break;
    case KEY_REPEAT: options.repeat = (int)argument_number("--repeat", arg, 1000000); break;
    case KEY_SEED: options.seed = argument_number("--seed", arg, (size_t)1 << 48); break;
    case KEY_SWEEP: options.sweep = 1; break;
    case KEY_SUSTAINED: options.sustained = 1; break;
    case KEY_BURST: options.burst = 1; break;
    case KEY_CSV: options.csv = arg; break;
    case KEY_PLOT: options.plot = arg ? arg : ""; break;
    case KEY_PROFILE: options.profile = 1; break;
    case KEY_TRACE: options.trace = arg; break;
    case KEY_SMALL: options.small = 1; break;
    case KEY_NO_VENDOR: options.no_vendor = 1; break;
    case KEY_HEADING: options.heading = arg; break;
    case KEY_ABOUT: print_about(the_lab); exit(0);
    case KEY_DEVICE: puts(device_line()); exit(0);
    case ARGP_KEY_ARG: die_usage("unexpected argument '%s' (see --help)", arg);
    case ARGP_KEY_INIT:
        if (the_lab->argp)
            state->child_inputs[0] = NULL;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Prose, each line behind four blanks. */
static void print_look(const char *text)
{
    while (*text) {
        int n = (int)strcspn(text, "\n");
        printf("    %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

/* A full disk or a closed pipe is a failure too, on every way out of the program. */
static void output_is_complete(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "%s: cannot write the output%s%s\n", program_invocation_short_name, errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(1);
}

int lab_main(const Lab *lab, int argc, char **argv)
{
    atexit(output_is_complete);
    char doc[1024];
    struct argp_child children[2] = {{lab->argp, 0, "This lab's own:", 1}, {0}};
    snprintf(doc, sizeof doc, "%s: %s", lab->name, lab->title);
    for (char *p = doc; *p; p++)
        if (*p == '\v')
            *p = ' ';
    struct argp argp = {.options = lab_argp_options, .parser = parse_option, .doc = doc, .children = lab->argp ? children : NULL};
    the_lab = lab;
    argp_err_exit_status = 2;
    char *path = argv[0], typed[128]; /* help and errors name the command as people type it */
    snprintf(typed, sizeof typed, "run %s", lab->name);
    argv[0] = typed;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    argv[0] = path;
    check_arguments(lab);
    if (options.small && !options.size && lab->rungs)
        options.size = lab->test_sizes ? lab->test_sizes : lab->cpu_size;

    if (options.heading)
        printf("%s %s: %s\n", options.heading, lab->name, lab->title);
    else
        printf("%s: %s · %s\n", lab->name, lab->title, device_line());
    if (lab->look)
        print_look(lab->look);
    if (options.heading && lab->rungs && !options.verify_only && device_is_cpu()) /* on its own the lab's first line says it */
        puts("    Times are this CPU's: which rung is faster on a GPU is another matter.");
    fflush(stdout);

    if (options.csv && lab->rungs) {
        if (!(csv = fopen(options.csv, "w")))
            die_usage("cannot write %s: %s", options.csv, strerror(errno));
        device_provenance(csv, argc, argv);
        fputs("lab,rung,name,type,size,mode,runs,time_ms,q1_ms,q3_ms,gbps,tflops,of_copy,vs_vendor,vs_before,check\n", csv);
    }
    int profiling = options.profile || options.trace;
    int refused = profiling ? profiler_main_begin(options.profile, options.trace) : 0;
    if (refused)
        return refused;

    int failed = 0;
    if (lab->rungs)
        ladder(lab, &failed);
    if (lab->show)
        failed += lab->show(&options) != 0;

    if (profiling && profiler_main_end(stdout))
        return 1;
    if (csv && fclose(csv))
        die("cannot write %s: %s", options.csv, strerror(errno));
    bench_flush_free();
    bench_copy_free();
    vendor_close();
    if (failed)
        printf("\n    %d wrong\n", failed);
    fflush(stdout);
    return failed ? 1 : 0;
}
