/* lab_options.c: the command line that every lab understands. */
#include "lab_internal.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"

static const Lab *the_lab;
static LabOptions options = {.seed = 1, .runs = 20};
const LabOptions *lab_options(void) { return &options; }
int lab_brief(void) { return options.heading && !options.verbose; }

/* Before anything is printed: is what was asked for there? */
static void check_arguments(const Lab *lab)
{
    int dims = lab_dims(lab), chosen = 0, last = 0;
    if (!lab->rungs && !options.heading && (options.size || options.rungs || options.sweep))
        die_usage("%s is not a ladder: it has no --size, --rung or --sweep", lab->name);
    if (!lab->rungs)
        return;
    if (lab->rung_count == 0)
        die_usage("%s has no rung for this device", lab->name);
    for (int i = 0; i < lab->rung_count; i++) {
        chosen |= lab_rung_chosen(options.rungs, lab->rungs[i].number);
        last = lab->rungs[i].number > last ? lab->rungs[i].number : last;
    }
    if (!chosen && !options.heading) /* in a walk-through the other labs may have them */
        die_usage("%s has rungs %d to %d; --rung %s is not one of them", lab->name, lab->rungs[0].number, last,
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
    KEY_WORDS,
    KEY_CATALOGUE,
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
    {"wide", KEY_WIDE, 0, 0, "all columns of a table, however wide", 0},
    {"counts", KEY_COUNTS, "FILE", OPTION_HIDDEN, 0, 0},
    {"ladder-only", KEY_LADDER_ONLY, 0, OPTION_HIDDEN, 0, 0},
    {"type", KEY_TYPE, "TYPE", OPTION_HIDDEN, 0, 0},
    {"answer", KEY_ANSWER, "FDS", OPTION_HIDDEN, 0, 0},
    {"judge", KEY_JUDGE, "FDS", OPTION_HIDDEN, 0, 0},
    {"heading", KEY_HEADING, "TEXT", OPTION_HIDDEN, 0, 0},
    {"words", KEY_WORDS, "TITLE-LOOK", OPTION_HIDDEN, 0, 0},
    {"catalogue", KEY_CATALOGUE, "FILE", OPTION_HIDDEN, 0, 0},
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
    case KEY_WORDS: options.words = arg; break;
    case KEY_CATALOGUE:
        lab_words(arg);
        state->err_stream = stderr;
        break;
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

/* The shapes of --small. */
static const char *small_sizes(const Lab *lab)
{
#ifdef LAB_CPU
    if (lab->small_sizes)
        return lab->small_sizes;
#endif
    return lab->test_sizes ? lab->test_sizes : lab->cpu_size;
}

LabOptions *lab_options_parse(const Lab *lab, int argc, char **argv)
{
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
        options.size = small_sizes(lab);
    return &options;
}

int lab_columns(void)
{
    struct winsize w;
    const char *columns = getenv("COLUMNS");
    int n = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col
            : columns                                                                      ? atoi(columns)
                                                                                           : LAB_COLUMNS;
    return n < 60 || n > LAB_COLUMNS ? n > 0 && n < 60 ? 60 : LAB_COLUMNS : n;
}
