/* cuprof.c: runs a program with cuprof_inject's library inside and reports what it did on the
 * device. The program's input, output and exit status are its own: reports go to stderr or a file.
 * Started by the script tools/cuprof, which builds it. */
#include "profiler_core.h"

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
    "  --no-migrations       do not record migrations of unified memory: a kernel that waits for them takes\n"
    "                        longer while they are recorded\n"
    "  -o, --output FILE     the tables go here instead of stderr\n"
    "  -h, --help            this text\n";

static struct {
    int summary, gpu_sum, table, csv, row_limit;
    const char *sort_by, *trace, *html, *output;
} o = {.row_limit = -1};

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fputs("cuprof: ", stderr);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
}

/* ---- running the program ---- */

static volatile sig_atomic_t child;

/* What a terminal sends (Ctrl-C) the program gets too; what somebody sends to us alone is meant for it. */
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

/* ---- the page ---- */

/* The page draws what fits a browser: the longest spans of a long run. */
enum { PAGE_SPANS = 100000 };

typedef struct page_span {
    uint64_t start_ns, duration_ns, bytes;
    uint32_t lane, name, correlation;
    int depth;
    uint32_t grid[3], block[3], registers, smem;
    char kind; /* r range, a API, k kernel, m copy */
} page_span;

typedef struct page_lane {
    uint32_t pid, number;
    int gpu;
    char label[160];
} page_lane;

static struct {
    page_span *spans;
    size_t count, seen;
    page_lane *lanes;
    size_t lane_count;
    const char **names;
    size_t name_count, name_room;
    uint32_t *slots;
    size_t slot_count;
} page;

static uint32_t page_name(const char *text)
{
    if (page.name_count * 2 >= page.slot_count) {
        size_t n = page.slot_count ? page.slot_count * 2 : 256;
        page.names = realloc(page.names, n * sizeof *page.names);
        free(page.slots);
        page.slots = calloc(n, sizeof *page.slots);
        if (!page.names || !page.slots)
            abort();
        page.slot_count = n;
        for (size_t i = 0; i < page.name_count; i++) {
            size_t k = ((uintptr_t)page.names[i] >> 4) * 31 & (n - 1);
            while (page.slots[k])
                k = (k + 1) & (n - 1);
            page.slots[k] = (uint32_t)i + 1;
        }
    }
    size_t k = ((uintptr_t)text >> 4) * 31 & (page.slot_count - 1); /* display names are one pointer a name */
    while (page.slots[k] && page.names[page.slots[k] - 1] != text)
        k = (k + 1) & (page.slot_count - 1);
    if (!page.slots[k]) {
        page.names[page.name_count++] = text;
        page.slots[k] = (uint32_t)page.name_count;
    }
    return page.slots[k] - 1;
}

static uint32_t page_lane_of(prof_source *s, uint32_t number, int gpu, unsigned device)
{
    for (size_t i = 0; i < page.lane_count; i++)
        if (page.lanes[i].pid == s->pid && page.lanes[i].number == number &&
            page.lanes[i].gpu == (gpu ? 1 + (int)device : 0))
            return (uint32_t)i;
    page.lanes = realloc(page.lanes, (page.lane_count + 1) * sizeof *page.lanes);
    if (!page.lanes)
        abort();
    page_lane *l = &page.lanes[page.lane_count];
    *l = (page_lane){s->pid, number, gpu ? 1 + (int)device : 0, ""};
    if (gpu)
        snprintf(l->label, sizeof l->label, "%s %u, stream %u", prof_is_cpu_device(s) ? "CPU device" : "GPU", device,
                 number);
    else
        snprintf(l->label, sizeof l->label, "thread %u%s", number, number == s->pid ? " (main)" : "");
    return (uint32_t)page.lane_count++;
}

static int longer(const void *a, const void *b)
{
    const page_span *x = a, *y = b;
    return x->duration_ns < y->duration_ns ? 1 : x->duration_ns > y->duration_ns ? -1 : 0;
}

static void page_add(const page_span *s)
{
    page.seen++;
    if (page.count == 2 * PAGE_SPANS) { /* keep the longer half */
        qsort(page.spans, page.count, sizeof *page.spans, longer);
        page.count = PAGE_SPANS;
    }
    page.spans[page.count++] = *s;
}

static void page_cpu(void *user, prof_source *s, const prof_cpu_span *e)
{
    (void)user;
    page_add(&(page_span){.start_ns = e->start_ns,
                          .duration_ns = e->end_ns - e->start_ns,
                          .lane = page_lane_of(s, e->thread, 0, 0),
                          .name = page_name(prof_display_name(s, e->name)),
                          .correlation = e->correlation,
                          .depth = e->depth,
                          .kind = e->is_api ? 'a' : 'r'});
}

static void page_gpu(void *user, prof_source *s, const prof_event *e, const prof_launch *l)
{
    (void)user, (void)l;
    page_span p = {.start_ns = e->start_ns,
                   .duration_ns = e->end_ns > e->start_ns ? e->end_ns - e->start_ns : 0,
                   .lane = page_lane_of(s, e->stream, 1, e->device),
                   .name = page_name(prof_display_name(s, e->name)),
                   .correlation = e->correlation,
                   .kind = e->kind == PROF_KERNEL ? 'k' : 'm'};
    if (e->kind == PROF_KERNEL) {
        p.grid[0] = e->grid_x, p.grid[1] = e->grid_y, p.grid[2] = e->grid_z;
        for (int i = 0; i < 3; i++)
            p.block[i] = e->block[i];
        p.registers = e->registers;
        p.smem = e->static_smem + e->dynamic_smem;
    } else {
        p.bytes = e->bytes;
    }
    page_add(&p);
}

static void page_rows(FILE *f, prof_analysis *a)
{
    static const char *const kinds[] = {"range", "api", "kernel", "memory"};
    for (size_t i = 0; i < a->stat_count; i++) {
        prof_stat *s = &a->stats[i];
        int cuda = s->kind >= PROF_STAT_KERNEL;
        fputs(i ? ",\n[" : "\n[", f);
        prof_json_string(f, s->name);
        fprintf(f, ",\"%s\",%llu,%llu,%llu,%llu,%llu", kinds[s->kind], (unsigned long long)s->self_cpu_ns,
                cuda ? 0ull : (unsigned long long)s->time.sum, (unsigned long long)s->self_cuda_ns,
                (unsigned long long)s->cuda_total_ns, (unsigned long long)s->time.count);
        fprintf(f, ",%llu,%.1f,%llu,%.1f]", (unsigned long long)s->time.min, prof_dist_median(&s->time),
                (unsigned long long)s->time.max, prof_dist_stddev(&s->time));
    }
}

/* The template's one line "CUPROF_DATA" is replaced by the run. */
static int write_page(const char *path, const char *template_path, prof_source **sources, size_t count,
                      const char *command)
{
    prof_analysis a = {0};
    prof_sink sink = {NULL, page_cpu, page_gpu};
    int failed = 0;
    char line[4096];
    page.spans = malloc(2 * PAGE_SPANS * sizeof *page.spans);
    FILE *t = fopen(template_path, "r"), *f = fopen(path, "w");
    if (!t || !f || !page.spans) {
        say("cannot write %s: %s", path, strerror(errno));
        if (t)
            fclose(t);
        if (f)
            fclose(f);
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        failed |= prof_analyze(&a, sources[i], &sink);
    prof_analysis_finish(&a);
    if (page.count > PAGE_SPANS) {
        qsort(page.spans, page.count, sizeof *page.spans, longer);
        page.count = PAGE_SPANS;
    }
    uint64_t base = sources[0]->base_ns;
    while (fgets(line, sizeof line, t)) {
        if (strncmp(line, "CUPROF_DATA", 11)) {
            fputs(line, f);
            continue;
        }
        fputs("{\"command\":", f);
        prof_json_string(f, command);
        fputs(",\"device\":", f);
        prof_json_string(f, sources[0]->device);
        fprintf(f, ",\"cpu_device\":%s,\"backend\":\"%s\",\"unix_ms\":%llu,\"seen\":%zu,\"rows\":[",
                prof_is_cpu_device(sources[0]) ? "true" : "false", sources[0]->backend,
                (unsigned long long)(sources[0]->unix_ns / 1000000), page.seen);
        page_rows(f, &a);
        fputs("],\"lanes\":[", f);
        for (size_t i = 0; i < page.lane_count; i++) {
            fputs(i ? "," : "", f);
            prof_json_string(f, page.lanes[i].label);
        }
        fputs("],\"gpu\":[", f);
        for (size_t i = 0; i < page.lane_count; i++)
            fprintf(f, "%s%d", i ? "," : "", page.lanes[i].gpu > 0);
        fputs("],\"names\":[", f);
        for (size_t i = 0; i < page.name_count; i++) {
            fputs(i ? "," : "", f);
            prof_json_string(f, page.names[i]);
        }
        fputs("],\"spans\":[", f);
        for (size_t i = 0; i < page.count;
             i++) { /* lane, name, start ns, length ns, depth, kind, correlation, what else */
            const page_span *s = &page.spans[i];
            fprintf(f, "%s[%u,%u,%lld,%llu,%d,\"%c\",%u", i ? ",\n" : "\n", s->lane, s->name,
                    (long long)(s->start_ns - base), (unsigned long long)s->duration_ns, s->depth, s->kind,
                    s->correlation);
            if (s->kind == 'k')
                fprintf(f, ",\"grid %u,%u,%u block %u,%u,%u, %u registers, %u bytes shared\"", s->grid[0], s->grid[1],
                        s->grid[2], s->block[0], s->block[1], s->block[2], s->registers, s->smem);
            if (s->kind == 'm')
                fprintf(f, ",\"%llu bytes\"", (unsigned long long)s->bytes);
            fputc(']', f);
        }
        fputs("],\"summaries\":{", f);
        static const char *const reports[] = {"cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum",
                                              "cuda_gpu_mem_size_sum", "cuda_gpu_sum"};
        for (int i = 0; i < 5; i++) {
            char *text = NULL;
            size_t size;
            FILE *m = open_memstream(&text, &size);
            if (!m)
                continue;
            prof_nsys(m, &a, reports[i], 0);
            fclose(m);
            fprintf(f, "%s\"%s\":", i ? "," : "", reports[i]);
            prof_json_string(f, text);
            free(text);
        }
        fputs("}}\n", f);
    }
    fclose(t);
    failed |= ferror(f) != 0;
    failed |= fclose(f) != 0;
    if (failed)
        say("cannot write %s", path);
    prof_analysis_free(&a);
    return failed ? -1 : 0;
}

/* ---- */

static int report(prof_source **sources, size_t count, const char *command)
{
    int failed = 0;
    prof_analysis a = {0};
    if (o.trace && prof_trace_write(o.trace, sources, count, &a)) {
        say("cannot write %s: %s", o.trace, strerror(errno));
        failed = 1;
    } else if (!o.trace) {
        for (size_t i = 0; i < count; i++)
            failed |= prof_analyze(&a, sources[i], NULL);
    }
    prof_analysis_finish(&a);
    FILE *out = o.output ? fopen(o.output, "w") : stderr;
    if (!out) {
        say("cannot write %s: %s", o.output, strerror(errno));
        return -1;
    }
    if (!o.csv) {
        fprintf(out, "cuprof: %s: %llu events, %s%s%s\n", command, (unsigned long long)a.events,
                prof_is_cpu_device(sources[0]) ? "CPU device (counts are a GPU's, times are this CPU's)" : "GPU",
                sources[0]->device[0] ? ": " : "", sources[0]->device);
        for (size_t i = 0; i < count; i++)
            if (!sources[i]->closed)
                fprintf(out, "cuprof: process %u did not end in good order: this is what it had done until then\n",
                        sources[i]->pid);
    }
    if (o.table)
        failed |= o.csv ? prof_table_csv(out, &a) : prof_table(out, &a, o.sort_by, o.row_limit, 0);
    if (o.summary)
        failed |= prof_nsys(out, &a, "all", o.csv);
    if (o.gpu_sum)
        failed |= prof_nsys(out, &a, "cuda_gpu_sum", o.csv);
    if (o.output && fclose(out)) {
        say("cannot write %s: %s", o.output, strerror(errno));
        failed = 1;
    }
    prof_analysis_free(&a);
    const char *page_template = getenv("CUPROF_PAGE");
    if (o.html)
        failed |= write_page(o.html, page_template ? page_template : "cuprof.html", sources, count, command);
    return failed;
}

static void options(int argc, char **argv)
{
    enum { SUMMARY = 256, GPU_SUM, TABLE, SORT_BY, ROW_LIMIT, CSV, TRACE, HTML, NO_MIGRATIONS };
    static const struct option longs[] = {{"summary", 0, NULL, SUMMARY},
                                          {"gpu-sum", 0, NULL, GPU_SUM},
                                          {"table", 0, NULL, TABLE},
                                          {"sort-by", 1, NULL, SORT_BY},
                                          {"row-limit", 1, NULL, ROW_LIMIT},
                                          {"csv", 0, NULL, CSV},
                                          {"trace", 1, NULL, TRACE},
                                          {"html", 1, NULL, HTML},
                                          {"output", 1, NULL, 'o'},
                                          {"no-migrations", 0, NULL, NO_MIGRATIONS},
                                          {"help", 0, NULL, 'h'},
                                          {0}};
    static const char *const columns[] = {"self_cpu_time_total", "cpu_time_total", "cpu_time", "self_cuda_time_total",
                                          "cuda_time_total",     "cuda_time",      "count",    "name"};
    int c;
    char *end;
    while ((c = getopt_long(argc, argv, "+:o:h", longs, NULL)) >= 0) {
        switch (c) {
        case SUMMARY: o.summary = 1; break;
        case GPU_SUM: o.gpu_sum = 1; break;
        case TABLE: o.table = 1; break;
        case SORT_BY: {
            size_t i = 0;
            while (i < sizeof columns / sizeof *columns && strcmp(columns[i], optarg))
                i++;
            if (i == sizeof columns / sizeof *columns) {
                say("no such column: %s (see --help)", optarg);
                exit(2);
            }
            o.sort_by = optarg;
            o.table = 1;
            break;
        }
        case ROW_LIMIT:
            errno = 0;
            long n = strtol(optarg, &end, 10);
            if (errno || end == optarg || *end || n < 0 || n > 1000000000) {
                say("--row-limit takes a number, not %s", optarg);
                exit(2);
            }
            o.row_limit = (int)n;
            o.table = 1;
            break;
        case CSV: o.csv = 1; break;
        case TRACE: o.trace = optarg; break;
        case HTML: o.html = optarg; break;
        case NO_MIGRATIONS: setenv("PROFILER_MIGRATIONS", "0", 1); break;
        case 'o': o.output = optarg; break;
        case 'h': fputs(usage, stdout); exit(0);
        case ':': say("%s needs a value (see --help)", argv[optind - 1]); exit(2);
        default: say("what is %s? (see --help)", argv[optind - 1]); exit(2);
        }
    }
    if (optind >= argc) {
        say("which program? (see --help)");
        exit(2);
    }
    if (!o.summary && !o.table && !o.gpu_sum)
        o.summary = 1;
    const char *const files[] = {o.trace, o.html, o.output};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) /* the program may run for an hour */
        if (files[i] && !prof_can_write(files[i])) {
            say("cannot write %s: %s", files[i], strerror(errno));
            exit(2);
        }
}

int main(int argc, char **argv)
{
    options(argc, argv);
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
    int start_error, status = run(argv + optind, &start_error);
    if (start_error) {
        say("cannot run %s: %s", argv[optind], strerror(start_error));
        remove_logs(directory);
        return start_error == ENOENT ? 127 : 126;
    }
    size_t count;
    prof_source **sources = read_logs(directory, &count);
    int failed = 0, events = 0;
    for (size_t i = 0; i < count; i++) {
        events |= prof_source_events(sources[i]) > 0;
        if (sources[i]->message[0])
            say("%s", sources[i]->message);
        if (sources[i]->lost)
            say("%llu events of process %u found no room in %s and are lost", (unsigned long long)sources[i]->lost,
                sources[i]->pid, directory);
    }
    if (!events && !count)
        say("%s made no CUDA call that could be seen%s", argv[optind],
            cuda && *cuda ? "" : " (programs for a GPU need CUPTI, which was not found when cuprof was built)");
    else if (!events)
        say("%s: no events were recorded", argv[optind]);
    else
        failed = report(sources, count, command);
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
