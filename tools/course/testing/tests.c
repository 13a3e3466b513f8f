#include "tests.h"
#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    Tests *all;
    Job *jobs; /* in the order in which they start */
    Test **tests;
    int count, done;
    double told_s;
} running; /* for the callback of jobs_run() alone */

void tests_open(Tests *s, Course *c)
{
    *s = (Tests){.c = c, .out = text("%s/check-results", c->build)};
    verdicts_read(&s->of_full_run, VERDICTS_OF_FULL_RUN);
    verdicts_read(&s->here, VERDICTS_HERE);
}

void tests_begin(const Tests *s)
{
    remove_tree(s->out);
    make_folders(s->out);
}

static Count count_tap(const char *tap)
{
    Count n = {0};
    for (const char *p = tap, *end; p && *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, "\n");
        char *line = text("%.*s", (int)(end - p), p);
        if (starts_with(line, "not ok"))
            n.failed++;
        else if (starts_with(line, "ok") && strstr(line, "# SKIP"))
            n.skipped++;
        else if (starts_with(line, "ok"))
            n.passed++;
        free(line);
    }
    return n;
}

static int count_lines(const char *s)
{
    int n = 0;
    for (; s && *s; s++)
        n += *s == '\n';
    return n;
}

static void tell_failure(const Job *job, const Test *t)
{
    char *log = file_read(t->log, NULL);
    const char *p = log ? log + strlen(log) : "";
    for (int lines = 0; log && p > log && lines < 26; p--)
        lines += p[-1] == '\n';
    printf("FAILED %s (status %d, %.1f s)\n", t->name, job->status, job->took_s);
    for (p += log && *p == '\n'; *p;) {
        int n = (int)strcspn(p, "\n");
        printf("    %.*s\n", n, p);
        p += n + (p[n] == '\n');
    }
    fflush(stdout);
    free(log);
}

/* The reasons that end in this (common/lab/lab_shape.c) are the same on every machine without a GPU. */
static int count_for_gpu(const char *reasons)
{
    static const char needs[] = ": needs a GPU\n";
    int n = 0;
    for (; reasons && (reasons = strstr(reasons, needs)) != NULL; reasons += strlen(needs))
        n++;
    return n;
}

Count count_said(const char *tap_file, const char *skips_file)
{
    char *tap = file_read(tap_file, NULL), *skips = file_read(skips_file, NULL);
    Count n = count_tap(tap);
    n.skipped += count_lines(skips);
    n.for_gpu = count_for_gpu(skips);
    n.passed -= count_lines(skips); /* Check knows no skipping: it took them for passed */
    free(tap), free(skips);
    return n;
}

static Count count_of(const Job *job, const Test *t)
{
    Count n = count_said(t->kind == KIND_PROGRAM ? t->tap : t->log, t->skips);
    if (n.failed == 0 && (job->status != 0 || n.passed + n.skipped == 0))
        n.failed = 1;
    return n;
}

static Count count_of_mutant(const Job *job, const Test *t)
{
    char *said = file_read(t->log, NULL);
    int endless = job->status == ENDLESS && said && starts_with(said, verdict_endless);
    Count n = {.passed = job->status == 0 || endless, .skipped = job->status == NOT_TRIED};
    n.failed = !n.passed && !n.skipped;
    if (job->status != 0)
        fputs(said ? said : "", stdout);
    fflush(stdout);
    free(said);
    return n;
}

static void add_count(Tests *s, Count n)
{
    s->count.passed += n.passed;
    s->count.failed += n.failed;
    s->count.skipped += n.skipped;
    s->count.for_gpu += n.for_gpu;
}

/* One line a minute, so that who watches sees that it goes on. */
static void tell_progress(void)
{
    running.done++;
    if (seconds() - running.told_s < 60)
        return;
    running.told_s = seconds();
    printf("  %d of %d done\n", running.done, running.count);
    fflush(stdout);
}

static void test_done(Job *job)
{
    Test *t = running.tests[job - running.jobs];
    if (t->kind == KIND_STATUS)
        t->count = (Count){.passed = job->status == 0, .failed = job->status != 0};
    else
        t->count = t->kind == KIND_MUTANT ? count_of_mutant(job, t) : count_of(job, t);
    t->job.took_s = job->took_s, t->job.cpu_s = job->cpu_s, t->job.status = job->status;
    add_count(running.all, t->count);
    running.all->ran += t->count.passed + t->count.failed + t->count.skipped;
    if (t->count.failed && t->kind != KIND_MUTANT)
        tell_failure(job, t);
    tell_progress();
}

Test *tests_add(Tests *s, Kind kind, const char *name, const char *const *words, uint64_t key)
{
    Test *t = calloc(1, sizeof *t);
    char *file = copy(name);
    for (char *p = file; *p; p++)
        if (*p == '/' || *p == ' ')
            *p = '-';
    *t = (Test){.kind = kind,
                .name = copy(name),
                .log = text("%s/%s.log", s->out, file),
                .tap = text("%s/%s.tap", s->out, file),
                .skips = text("%s/%s.skips", s->out, file),
                .key = key};
    t->job = (Job){.out = t->log, .err = t->log, .cpu_limit_s = kind == KIND_MUTANT ? 0 : 600, .idle_limit_s = 600};
    for (int i = 0; words[i]; i++)
        list_add(&t->job.command, words[i]);
    char *set_tap = text("CK_TAP_LOG_FILE_NAME=%s", t->tap), *set_skips = text("COURSE_SKIPS=%s", t->skips);
    if (kind == KIND_PROGRAM)
        list_add(&t->job.set, set_tap);
    list_add(&t->job.set, set_skips);
    free(set_tap), free(set_skips), free(file);
    s->tests = realloc(s->tests, sizeof *s->tests * (size_t)(s->test_count + 1));
    return s->tests[s->test_count++] = t;
}

static const Verdict *verdict_of_test(const Tests *s, const Test *t)
{
    const Verdict *v = verdict_of_name(&s->here, t->name, &t->key);
    v = v ? v : verdict_of_name(&s->of_full_run, t->name, &t->key);
    return v && v->passed ? v : NULL;
}

static int by_sample_number(const void *a, const void *b)
{
    const uint64_t x = sample_number((*(Test *const *)a)->name), y = sample_number((*(Test *const *)b)->name);
    return (x > y) - (x < y);
}

/* Processor time: what the test took, and what it takes to build its program. */
static double needed_s(const Test *t) { return t->verdict.cpu_s + (t->target ? 5 : 0); }

/* What is remembered and is run all the same: in the order that the commit draws, as much as is that share of the
 * processor time of all, and one at least. */
static void run_sample(Tests *s)
{
    Test **drawn = calloc((size_t)s->test_count + 1, sizeof *drawn);
    double all_s = 0, taken_s = 0;
    int count = 0;
    for (int i = 0; i < s->test_count; i++)
        if (s->tests[i]->remembered) {
            drawn[count++] = s->tests[i];
            all_s += needed_s(s->tests[i]);
        }
    qsort(drawn, (size_t)count, sizeof *drawn, by_sample_number);
    for (int i = 0; i < count && s->sample > 0; i++) {
        if (i && s->sample < 100 && taken_s + needed_s(drawn[i]) > all_s * s->sample / 100)
            continue;
        taken_s += needed_s(drawn[i]);
        drawn[i]->remembered = NULL;
    }
    free(drawn);
}

void tests_remember(Tests *s)
{
    for (int i = 0; i < s->test_count; i++) {
        Test *t = s->tests[i];
        const Verdict *any = verdict_of_name(&s->here, t->name, NULL);
        any = any ? any : verdict_of_name(&s->of_full_run, t->name, NULL);
        t->expected_s = any ? any->wall_s : 1e9;
        const Verdict *v = s->remembers ? verdict_of_test(s, t) : NULL;
        if (v)
            t->verdict = *v, t->remembered = &t->verdict;
    }
    run_sample(s);
    for (int i = 0; i < s->test_count; i++)
        if (s->tests[i]->remembered) {
            s->count.passed += s->tests[i]->verdict.passed;
            s->count.skipped += s->tests[i]->verdict.for_gpu;
            s->remembered += s->tests[i]->verdict.passed;
        }
}

static int longest_first(const void *a, const void *b)
{
    const Test *x = *(Test *const *)a, *y = *(Test *const *)b;
    return x->expected_s != y->expected_s ? (x->expected_s < y->expected_s) - (x->expected_s > y->expected_s)
                                          : strcmp(x->name, y->name);
}

void tests_run(Tests *s)
{
    running.all = s;
    running.tests = calloc((size_t)s->test_count + 1, sizeof *running.tests);
    running.jobs = calloc((size_t)s->test_count + 1, sizeof *running.jobs);
    running.count = running.done = 0;
    running.told_s = seconds();
    for (int i = 0; i < s->test_count; i++)
        if (!s->tests[i]->remembered)
            running.tests[running.count++] = s->tests[i];
    qsort(running.tests, (size_t)running.count, sizeof *running.tests, longest_first);
    for (int i = 0; i < running.count; i++)
        running.jobs[i] = running.tests[i]->job;
    /* More than there are cores: most are programs one after another, which wait for the disk and for each other. */
    const int cores = s->c->cores, width = cores > 1 ? cores + 2 : cores + 1;
    jobs_run(running.jobs, running.count, width, 2 * cores, test_done);
    free(running.tests), free(running.jobs);
}

/* NAME, seconds, and what came of it, of what was run. */
static void write_durations(const Tests *s)
{
    char *path = text("%s/durations.csv", s->c->build), *content = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&content, &size);
    if (!f)
        die(1, "out of memory");
    fputs("name,cpu_s,wall_s,passed,failed,skipped\n", f);
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        if (!t->remembered)
            fprintf(f, "%s,%.2f,%.2f,%d,%d,%d\n", t->name, t->job.cpu_s, t->job.took_s, t->count.passed,
                    t->count.failed, t->count.skipped);
    }
    fclose(f);
    file_write(path, content, size);
    free(content), free(path);
}

void tests_note(Tests *s, int all)
{
    char *run = this_run();
    write_durations(s);
    Verdicts full = {0};
    const int more = !all && asked_for_more();
    for (int i = 0; i < s->of_full_run.count; i++) /* those of a full run anew, but for .ci/run's own: course.sh note */
        if (more || starts_with(s->of_full_run.at[i].name, "ci "))
            verdict_set(&full, s->of_full_run.at[i]);
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        int whole = t->count.passed > 0 && !t->count.failed && t->count.skipped == t->count.for_gpu && !s->broken;
        Verdict v = {t->name, run, t->key, t->count.passed, t->count.for_gpu, t->job.cpu_s, t->job.took_s};
        if (t->remembered)
            continue;
        v.passed = whole ? v.passed : 0; /* whatever the full run found */
        if (whole || more)
            verdict_set(&full, v);
        verdict_set(&s->here, v);
    }
    if (verdicts_write(&s->here, VERDICTS_HERE) || ((all || more) && verdicts_write(&full, VERDICTS_OF_FULL_RUN)))
        die(1, "what was found cannot be written to %s", VERDICTS_HERE);
    free(run);
}

void tests_tell(const Tests *s)
{
    List runs = {0};
    printf("ran %d tests, remembered %d", s->ran, s->remembered);
    for (int i = 0; i < s->test_count; i++)
        if (s->tests[i]->remembered && !list_has(&runs, s->tests[i]->remembered->run))
            list_add(&runs, s->tests[i]->remembered->run);
    for (int i = 0; i < runs.count; i++) {
        int n = 0;
        for (int k = 0; k < s->test_count; k++)
            if (s->tests[k]->remembered && strcmp(s->tests[k]->remembered->run, runs.item[i]) == 0)
                n += s->tests[k]->remembered->passed;
        printf("%s%d of the run of %s", i ? ", " : ": ", n, runs.item[i]);
    }
    putchar('\n');
    list_free(&runs);
}
