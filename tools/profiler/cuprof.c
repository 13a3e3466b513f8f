/* cuprof.c: runs a program with cuprof_inject's library inside and reports what it did on the
 * device. The program's input, output and exit status are its own: reports go to stderr or a file.
 * Started by the script tools/cuprof, which builds it. */
#include "cuprof_model.h"
#include "cuprof_page.h"
#include "cuprof_say.h"
#include "../../cpudevice/include/cpudev_written.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: cuprof [options] PROGRAM [ARGS]\n"
    "Profiles any CUDA program, unmodified: built by nvcc and run on a GPU, or built by cucc.\n"
    "Prints nsys's four summaries on stderr; the program's own input, output and exit status\n"
    "are untouched.\n"
    "\n"
    "  --summary             nsys's summaries (the default): API calls, kernels, memory by time and by size\n"
    "  --gpu-sum             kernels and memory operations in one table\n"
    "  --table               torch.profiler's table\n"
    "  --sort-by COLUMN      its order: self_cpu_time_total, cpu_time_total, cpu_time,\n"
    "                        self_cuda_time_total, cuda_time_total, cuda_time, count, name\n"
    "  --row-limit N         its first N rows\n"
    "  --csv                 the same as CSV\n"
    "  --trace FILE.json     a trace for Perfetto and chrome://tracing\n"
    "  --html FILE.html      a page with the table, the timeline and the summaries\n"
    "  --model CHIP          without a GPU: each kernel's time on a CHIP (h100, h200, ...) by the model of\n"
    "                        cpudevice/docs/model.md, one after another; for programs built by cucc --model\n"
    "  --no-migrations       do not record migrations of unified memory: a kernel that waits for them takes\n"
    "                        longer while they are recorded\n"
    "  -o, --output FILE     the tables go here instead of stderr\n"
    "  -h, --help            this text";

typedef struct settings {
    int summary, gpu_sum, table, csv, row_limit;
    const char *sort_by, *trace, *html, *output, *model;
} settings;

/* ---- running the program ---- */

static volatile sig_atomic_t child;

/* A signal from the terminal (Ctrl-C) reaches the program by itself. One that was sent to cuprof alone is passed on. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (child > 0 && info->si_code != SI_KERNEL)
        kill((pid_t)child, number);
}

/* Runs it; its wait status, or -1 when it could not be started (said on stderr). */
static int run(char **argv, int *start_error)
{
    int report[2], status;
    *start_error = 0;
    if (pipe2(report, O_CLOEXEC))
        return -1;
    /* The program decides what it does about these, we wait for it. What is ignored (nohup) stays so in both. */
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction old, ours = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &ours, NULL);
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (!pid) {
        execvp(argv[0], argv);
        int e = errno;
        if (write(report[1], &e, sizeof e) != sizeof e)
            _exit(126);
        _exit(127);
    }
    child = pid;
    close(report[1]);
    if (read(report[0], start_error, sizeof *start_error) != (ssize_t)sizeof *start_error)
        *start_error = 0;
    close(report[0]);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    child = 0;
    return status;
}

/* ---- the logs ---- */

static int by_base(const void *a, const void *b)
{
    const prof_source *x = *(prof_source *const *)a, *y = *(prof_source *const *)b;
    return x->base_ns < y->base_ns ? -1 : x->base_ns > y->base_ns;
}

static prof_source **read_logs(const char *directory, size_t *count)
{
    DIR *d = opendir(directory);
    struct dirent *e;
    prof_source **list = NULL;
    *count = 0;
    while (d && (e = readdir(d))) {
        char path[1024];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        prof_source *s = prof_source_read(path);
        prof_source **grown = s ? realloc(list, (*count + 1) * sizeof *list) : NULL;
        if (!grown)
            continue;
        list = grown;
        list[(*count)++] = s;
    }
    if (d)
        closedir(d);
    if (*count)
        qsort(list, *count, sizeof *list, by_base);
    return list;
}

static void remove_logs(const char *directory)
{
    DIR *d = opendir(directory);
    struct dirent *e;
    while (d && (e = readdir(d))) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(directory);
}

/* ---- the model ---- */

/* Asks for the model's times; the program's own file is used if it asks for one. The caller frees the file's name. */
static char *ask_model(const char *chip, const char *directory)
{
    const char *own = getenv("CUDA_CPU_MODEL_CSV");
    char *csv = NULL;
    if (own && *own ? asprintf(&csv, "%s", own) < 0 : asprintf(&csv, "%s/model.csv", directory) < 0)
        abort();
    setenv("CUDA_CPU_MODEL", chip, 1);
    setenv("CUDA_CPU_MODEL_CSV", csv, 1);
    return csv;
}

/* The model's launches take the place of what was recorded. Returns how many sources there are now:
 * 1, or 0. */
static size_t put_model(const char *chip, const char *csv, prof_source **sources, size_t count, const char *program)
{
    prof_source *modelled = count ? cuprof_model(csv, chip) : NULL;
    unsigned long long left_out = 0;
    for (size_t i = 0; i < count; i++) {
        left_out += cuprof_not_modelled(sources[i]);
        if (modelled && !i)
            memcpy(modelled->program, sources[i]->program, sizeof modelled->program);
        prof_source_free(sources[i]);
    }
    if (!modelled)
        say("%s launched nothing that the model could count; it sees programs built by cucc --check or cucc --model",
            program);
    else if (left_out)
        say("the model has no times for copies, fills and migrations; left out: %llu", left_out);
    if (count)
        sources[0] = modelled;
    return modelled != NULL;
}

/* ---- the reports ---- */

static int report(const settings *o, prof_source **sources, size_t count, const char *command)
{
    int failed = 0;
    prof_analysis a = {0};
    if (o->trace && prof_trace_write(o->trace, sources, count, &a)) {
        say("cannot write %s: %s", o->trace, strerror(errno));
        failed = 1;
    } else if (!o->trace) {
        for (size_t i = 0; i < count; i++)
            failed |= prof_analyze(&a, sources[i], NULL);
    }
    prof_analysis_finish(&a);
    FILE *out = o->output ? fopen(o->output, "w") : stderr;
    if (!out) {
        say("cannot write %s: %s", o->output, strerror(errno));
        return -1;
    }
    if (!o->csv) {
        say_in(out, "%s: %llu events, %s%s%s%s", command, (unsigned long long)a.events,
               prof_is_cpu_device(sources[0]) ? "CPU device (counts are a GPU's, times are this CPU's)" : "GPU",
               sources[0]->device[0] ? ": " : "", sources[0]->device,
               o->model ? ", launches one after another, each with cold caches" : "");
        for (size_t i = 0; i < count; i++)
            if (!sources[i]->closed)
                say_in(out, "process %u did not end normally: this is what it had done until then", sources[i]->pid);
    }
    if (o->table)
        failed |= o->csv ? prof_table_csv(out, &a) : prof_table(out, &a, o->sort_by, o->row_limit, 0);
    if (o->summary)
        failed |= prof_nsys(out, &a, "all", o->csv);
    if (o->gpu_sum)
        failed |= prof_nsys(out, &a, "cuda_gpu_sum", o->csv);
    if (o->output && written_close(out)) {
        say("cannot write %s: %s", o->output, strerror(errno));
        failed = 1;
    }
    prof_analysis_free(&a);
    const char *page_template = getenv("CUPROF_PAGE");
    int error =
        o->html ? cuprof_page(o->html, page_template ? page_template : "cuprof.html", sources, count, command) : 0;
    if (error)
        say("cannot write %s%s%s", o->html, error > 0 ? ": " : "", error > 0 ? strerror(error) : "");
    return failed || error;
}

static const char *column(const char *name)
{
    static const char *const columns[] = {"self_cpu_time_total", "cpu_time_total", "cpu_time", "self_cuda_time_total",
                                          "cuda_time_total",     "cuda_time",      "count",    "name"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!strcmp(columns[i], name))
            return name;
    say("no such column: %s (see --help)", name);
    exit(2);
}

static int row_limit(const char *text)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < 0 || n > 1000000000) {
        say("--row-limit takes a number, not %s", text);
        exit(2);
    }
    return (int)n;
}

/* What the command line asks for; the program and its arguments begin at optind. Bad input ends with status 2. */
static void options(settings *o, int argc, char **argv)
{
    enum { SUMMARY = 256, GPU_SUM, TABLE, SORT_BY, ROW_LIMIT, CSV, TRACE, HTML, MODEL, NO_MIGRATIONS };
    static const struct option longs[] = {{"summary", 0, NULL, SUMMARY},
                                          {"gpu-sum", 0, NULL, GPU_SUM},
                                          {"table", 0, NULL, TABLE},
                                          {"sort-by", 1, NULL, SORT_BY},
                                          {"row-limit", 1, NULL, ROW_LIMIT},
                                          {"csv", 0, NULL, CSV},
                                          {"trace", 1, NULL, TRACE},
                                          {"html", 1, NULL, HTML},
                                          {"output", 1, NULL, 'o'},
                                          {"model", 1, NULL, MODEL},
                                          {"no-migrations", 0, NULL, NO_MIGRATIONS},
                                          {"help", 0, NULL, 'h'},
                                          {0}};
    int c;
    while ((c = getopt_long(argc, argv, "+:o:h", longs, NULL)) >= 0) {
        switch (c) {
        case SUMMARY: o->summary = 1; break;
        case GPU_SUM: o->gpu_sum = 1; break;
        case TABLE: o->table = 1; break;
        case SORT_BY: o->sort_by = column(optarg), o->table = 1; break;
        case ROW_LIMIT: o->row_limit = row_limit(optarg), o->table = 1; break;
        case CSV: o->csv = 1; break;
        case TRACE: o->trace = optarg; break;
        case HTML: o->html = optarg; break;
        case MODEL: o->model = optarg; break;
        case NO_MIGRATIONS: setenv("PROFILER_MIGRATIONS", "0", 1); break;
        case 'o': o->output = optarg; break;
        case 'h': say_to(stdout, usage); exit(0);
        case ':': say("%s needs a value (see --help)", argv[optind - 1]); exit(2);
        default: say("what is %s? (see --help)", argv[optind - 1]); exit(2);
        }
    }
    if (optind >= argc) {
        say("which program? (see --help)");
        exit(2);
    }
    if (!o->summary && !o->table && !o->gpu_sum)
        o->summary = 1;
    const char *const files[] = {o->trace, o->html, o->output};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) /* the program may run for an hour */
        if (files[i] && !prof_can_write(files[i])) {
            say("cannot write %s: %s", files[i], strerror(errno));
            exit(2);
        }
}

int main(int argc, char **argv)
{
    settings o = {.row_limit = -1};
    options(&o, argc, argv);
    char directory[512], command[1024] = "";
    const char *tmp = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/cuprofXXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(directory)) {
        say("cannot make %s: %s", directory, strerror(errno));
        return 2;
    }
    for (int i = optind; i < argc; i++) {
        size_t n = strlen(command);
        snprintf(command + n, sizeof command - n, "%s%s", i > optind ? " " : "", argv[i]);
    }
    setenv("CUPROF_LOGS", directory, 1);
    const char *cuda = getenv("CUPROF_CUDA"), *cpu = getenv("CUPROF_CPU");
    if (cuda && *cuda)
        setenv("CUDA_INJECTION64_PATH", cuda, 1);
    if (cpu && *cpu)
        setenv("CUDA_CPU_INJECTION", cpu, 1);
    char *csv = o.model ? ask_model(o.model, directory) : NULL;
    int start_error, status = run(argv + optind, &start_error);
    if (start_error) {
        say("cannot run %s: %s", argv[optind], strerror(start_error));
        remove_logs(directory);
        return start_error == ENOENT ? 127 : 126;
    }
    size_t count;
    prof_source **sources = read_logs(directory, &count);
    int failed = 0, events = 0;
    if (csv)
        count = put_model(o.model, csv, sources, count, argv[optind]);
    free(csv);
    for (size_t i = 0; i < count; i++) {
        events |= prof_source_events(sources[i]) > 0;
        if (sources[i]->message[0])
            say("%s", sources[i]->message);
        if (sources[i]->lost)
            say("%llu events of process %u did not fit in %s and are lost", (unsigned long long)sources[i]->lost,
                sources[i]->pid, directory);
    }
    if (!events && !count && !o.model)
        say("%s made no CUDA call that could be seen%s", argv[optind],
            cuda && *cuda ? "" : " (programs for a GPU need CUPTI, which was not found when cuprof was built)");
    else if (!events && count)
        say("%s: no events were recorded", argv[optind]);
    else if (count)
        failed = report(&o, sources, count, command);
    for (size_t i = 0; i < count; i++)
        prof_source_free(sources[i]);
    free(sources);
    remove_logs(directory);
    if (failed)
        say("the report is not complete");
    if (status != -1 && WIFSIGNALED(status)) { /* die as the program did, but without a core of our own */
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return status == -1 ? 2 : WEXITSTATUS(status);
}
