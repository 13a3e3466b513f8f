#include "lab_internal.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "profiler.h"
#include "vendor.h"

static const Lab *the_lab;
static LabOptions options = {.seed = 1, .runs = 20};
const LabOptions *lab_options(void) { return &options; }
int lab_brief(void) { return options.heading && !options.verbose; }

/* ---- how things are timed -------------------------------------------------------------------------------------- */

const char *lab_mode(void) { return options.sustained ? "sustained" : options.burst ? "burst" : "interleaved"; }

BenchOptions lab_bench_options(cudaStream_t stream)
{
    return (BenchOptions){.stream = stream,
                          .warmups = options.burst || device_is_cpu() ? 1 : 5,
                          .rounds = options.sustained ? 1000
                                    : options.burst   ? 20
                                                      : options.runs,
                          .warm = options.sustained, /* back to back: a flush in between would be a rest */
                          .sustained_s = options.sustained ? 3 : 0,
                          .idle_s = options.burst ? 1 : 0,
                          .budget_ms = options.sustained ? 60e3
                                       : device_is_cpu() ? 150
                                                         : 400};
}

/* The places in subject[] of the three fastest, the best first; -1 where there are fewer. */
static void three_fastest(void (*run)(void *context), void *const *context, int count, const BenchOptions *o,
                          int best[3])
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

/* ---- the command line ------------------------------------------------------------------------------------------- */

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
        chosen |= lab_rung_chosen(options.rungs, lab->rungs[i].number);
        last = lab->rungs[i].number > last ? lab->rungs[i].number : last;
    }
    if (!chosen && !options.heading) /* in a walk-through the other labs may have them */
        die_usage("%s has rungs %d to %d; --rung %s is none of them", lab->name, lab->rungs[0].number, last,
                  options.rungs);
    if (options.sweep && !options.size && !lab->sweep && !options.heading)
        die_usage("%s has no sweep of its own; give one: --size 1024:65536:1024", lab->name);
    if (options.size && options.size[strspn(options.size, " ")] == 0)
        die_usage("--size wants %s, not nothing", lab->dims);
    for (const char *p = options.size; p && *(p += strspn(p, " "));) {
        LabSizes s;
        const char *end = lab_parse_shape(p, dims, &s);
        if (!end && dims == 1)
            die_usage("--size wants %s as a whole number or FIRST:LAST:STEP, not '%s'", lab->dims, p);
        if (!end)
            die_usage("--size wants %s as %d whole numbers joined by x (one may be FIRST:LAST:STEP), not '%s'",
                      lab->dims, dims, p);
        p = end;
    }
}

enum {
    KEY_CSV = 256,
    KEY_PLOT,
    KEY_SEED,
    KEY_RUNS,
    KEY_VERIFY,
    KEY_PROFILE,
    KEY_TRACE,
    KEY_SWEEP,
    KEY_SUSTAINED,
    KEY_BURST,
    KEY_ABOUT,
    KEY_HEADING,
    KEY_RUNG,
    KEY_SMALL,
    KEY_DEVICE,
    KEY_NO_VENDOR,
    KEY_REPEAT,
    KEY_COUNTS,
    KEY_LADDER_ONLY,
    KEY_VERBOSE,
    KEY_WIDE,
    KEY_TYPE,
    KEY_ANSWER,
    KEY_JUDGE,
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
    {"plot", KEY_PLOT, "BASE", OPTION_ARG_OPTIONAL, "draw BASE.svg and BASE.png; without BASE or gnuplot a text chart",
     0},
    {"profile", KEY_PROFILE, 0, 0, "print the profiler's table of the run", 0},
    {"trace", KEY_TRACE, "FILE", 0, "write a Chrome trace of the run to FILE", 0},
    {"small", KEY_SMALL, 0, 0, "the tests' shapes instead of the lecture's", 0},
    {"no-vendor", KEY_NO_VENDOR, 0, 0, "without NVIDIA's libraries (the sanitizers find fault with some of them)", 0},
    {"verbose", KEY_VERBOSE, 0, 0, "all that the lab can show; in a walk-through it is brief", 0},
    {"wide", KEY_WIDE, 0, 0, "all columns of the profiler's table, however wide", 0},
    {"counts", KEY_COUNTS, "FILE", OPTION_HIDDEN, 0, 0},
    {"ladder-only", KEY_LADDER_ONLY, 0, OPTION_HIDDEN, 0, 0},
    {"type", KEY_TYPE, "TYPE", OPTION_HIDDEN, 0, 0},
    {"answer", KEY_ANSWER, "FDS", OPTION_HIDDEN, 0, 0},
    {"judge", KEY_JUDGE, "FDS", OPTION_HIDDEN, 0, 0},
    {"heading", KEY_HEADING, "TEXT", OPTION_HIDDEN, 0, 0},
    {"about", KEY_ABOUT, 0, OPTION_HIDDEN, 0, 0},
    {"device-line", KEY_DEVICE, 0, OPTION_HIDDEN, 0, 0},
    {0},
};

static size_t argument_number(const char *what, const char *text, size_t most)
{
    size_t v;
    const char *p = text;
    if (lab_parse_number(&p, &v) || *p || v > most)
        die_usage("%s wants a whole number up to %zu, not '%s'", what, most, text);
    return v;
}

/* What ./run must know of a lab, in lines with tabs between: "lab ORDER NAME PAGE TITLE"; for each option "option NAME
 * LETTER ARGUMENT KIND", KIND none, needed or optional; for each rung that can run here "rung NUMBER TYPE SIZES". */
static void print_about(const Lab *lab)
{
    const struct argp_option *tables[] = {lab_argp_options, lab->argp ? lab->argp->options : NULL};
    printf("lab\t%d\t%s\t%s\t%s\n", lab->order, lab->name, lab->page ? lab->page : "", lab->title);
    for (int t = 0; t < 2; t++)
        for (const struct argp_option *o = tables[t]; o && o->name; o++)
            printf("option\t%s\t%.*s\t%s\t%s\n", o->name, o->key > ' ' && o->key < 127, (char[]){(char)o->key},
                   o->arg ? o->arg : "",
                   !o->arg                          ? "none"
                   : o->flags & OPTION_ARG_OPTIONAL ? "optional"
                                                    : "needed");
    for (int i = 0; i < lab->rung_count; i++)
        if (!lab_not_here(&lab->rungs[i]) && !(lab->rungs[i].flags & LAB_VENDOR))
            printf("rung\t%d\t%s\t%s\n", lab->rungs[i].number, lab_type_name(lab->rungs[i].type), lab->cpu_size);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case 's': options.size = arg; break;
    case KEY_RUNG:
        options.rungs = arg;
        lab_rung_chosen(arg, 0);
        break;
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
    case KEY_VERBOSE: options.verbose = 1; break;
    case KEY_WIDE: options.wide = 1; break;
    case KEY_COUNTS: options.counts = arg; break;
    case KEY_TYPE: options.type = arg; break;
    case KEY_LADDER_ONLY: options.ladder_only = 1; break;
    case KEY_ANSWER: options.answer = arg; break;
    case KEY_JUDGE: options.judge = arg; break;
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
    struct argp argp = {
        .options = lab_argp_options, .parser = parse_option, .doc = doc, .children = lab->argp ? children : NULL};
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
    if (options.answer)
        return lab_answer(lab, options.answer, &options);
    if (options.judge)
        return lab_judge(lab, options.judge, &options);

    if (options.heading)
        printf("%s %s: %s\n", options.heading, lab->name, lab->title);
    else
        printf("%s: %s · %s\n", lab->name, lab->title, device_line());
    if (lab->look)
        print_look(lab->look);
    fflush(stdout);

    FILE *csv = NULL;
    if (options.csv && lab->rungs) {
        if (!(csv = fopen(options.csv, "w")))
            die_usage("cannot write %s: %s", options.csv, strerror(errno));
        device_provenance(csv, argc, argv);
        fputs("lab,rung,name,type,size,mode,runs,time_ms,q1_ms,q3_ms,gbps,tflops,of_copy,vs_vendor,vs_before,check\n",
              csv);
    }
    profiler_table_fit(options.wide ? 0 : 100);
    int profiling = options.profile || options.trace;
    int refused = profiling ? profiler_main_begin(options.profile, options.trace) : 0;
    if (refused)
        return refused;

    int failed = lab->rungs ? lab_ladder(lab, csv) : 0;
    if (lab->show && !options.ladder_only)
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
