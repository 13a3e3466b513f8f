/* check.c: make check. Builds and runs the library's tests, every rung of every lab, every lab and solution under
 * cucc --check; with --all also proves that the checks can fail (stubs, mutants). What the student has done about the
 * exercises is graded beside it and told apart: the tests use solutions and stubs, never the student's files.
 *
 * A test program is one of the Check library: it writes TAP to a file, and what it had to skip to another
 * (cpudevice/tests/harness/suite.h). A test script prints TAP. Everything else counts as one test, by its exit status. */
#include "commands.h"
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { KIND_PROGRAM, KIND_SCRIPT, KIND_STATUS } Kind;

typedef struct Test {
    Kind kind;
    char *name, *log, *tap, *skips;
} Test;

typedef struct Suite {
    Course *c;
    char *out; /* folder of the logs */
    Count count;
    Job *jobs;
    int job_count;
} Suite;

static Suite *running; /* for the callback of jobs_run() alone */

Count count_tap(const char *tap)
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

static void test_done(Job *job)
{
    const Test *t = job->user;
    Count n = {0};
    if (t->kind == KIND_STATUS) {
        n.passed = job->status == 0;
        n.failed = job->status != 0;
    } else {
        char *tap = file_read(t->kind == KIND_PROGRAM ? t->tap : t->log, NULL), *skips = file_read(t->skips, NULL);
        n = count_tap(tap);
        n.skipped += count_lines(skips);
        n.passed -= count_lines(skips); /* Check knows no skipping: it took them for passed */
        if (n.failed == 0 && (job->status != 0 || n.passed + n.skipped == 0))
            n.failed = 1;
        free(tap), free(skips);
    }
    running->count.passed += n.passed;
    running->count.failed += n.failed;
    running->count.skipped += n.skipped;
    if (n.failed)
        tell_failure(job, t);
}

static void add(Suite *s, Kind kind, const char *what, const char *const *words)
{
    Test *t = calloc(1, sizeof *t);
    char *file = text("%s.%s", what, words[0]);
    for (char *p = file; *p; p++)
        if (*p == '/' || *p == ' ')
            *p = '-';
    *t = (Test){.kind = kind,
                .name = text("%s %s", what, kind == KIND_SCRIPT ? words[1] : words[0]),
                .log = text("%s/%s%s%s.log", s->out, file, kind == KIND_SCRIPT ? "-" : "",
                            kind == KIND_SCRIPT ? base_name(words[1]) : ""),
                .tap = text("%s/%s.tap", s->out, file),
                .skips = text("%s/%s.skips", s->out, file)};
    s->jobs = realloc(s->jobs, sizeof *s->jobs * (size_t)(s->job_count + 1));
    Job *job = &s->jobs[s->job_count++];
    *job = (Job){.out = t->log, .err = t->log, .cpu_limit_s = 600, .user = t};
    for (int i = 0; words[i]; i++)
        list_add(&job->command, words[i]);
    char *set_tap = text("CK_TAP_LOG_FILE_NAME=%s", t->tap), *set_skips = text("COURSE_SKIPS=%s", t->skips);
    if (kind == KIND_PROGRAM)
        list_add(&job->set, set_tap);
    list_add(&job->set, set_skips);
    free(set_tap), free(set_skips), free(file);
}

static void run_all(Suite *s)
{
    running = s;
    jobs_run(s->jobs, s->job_count, s->c->cores, test_done);
    for (int i = 0; i < s->job_count; i++)
        job_free(&s->jobs[i]);
    s->job_count = 0;
}

/* What make says is told only if it fails; one lab that does not build does not hide the rest. */
static void build(Suite *s, const List *targets)
{
    char *log = text("%s/build.log", s->out);
    if (course_make(s->c, targets, log) != 0) {
        char *words = file_read(log, NULL);
        int told = 0;
        for (char *p = words, *line; p && told < 20 && (line = strsep(&p, "\n"));)
            if (strstr(line, "rror") || strstr(line, "undefined") || strstr(line, "fatal"))
                puts(line), told++;
        printf("FAILED to build: see %s\n", log);
        s->count.failed++;
        free(words);
    }
    free(log);
}

static void build_words(Suite *s, const char *a, const char *b)
{
    List targets = {0};
    list_add(&targets, a);
    list_add(&targets, b);
    build(s, &targets);
    list_free(&targets);
}

/* "lecture03_x/add.cu" as "build/cpu/lecture03_x/add". */
static char *program_of(const char *folder, const char *source)
{
    return text("%s/%.*s", folder, (int)(strrchr(source, '.') - source), source);
}

static void add_programs(Suite *s, Kind kind, const char *what, const char *folder, const char *pattern)
{
    List sources = {0};
    list_glob(&sources, pattern);
    for (int i = 0; i < sources.count; i++) {
        char *program = program_of(folder, sources.item[i]);
        const char *plain[] = {program, NULL}, *verify[] = {program, "--verify", "--small", NULL};
        if (file_exists(program))
            add(s, kind, what, kind == KIND_PROGRAM ? plain : verify);
        else if (kind == KIND_STATUS)
            s->count.failed++; /* make has said why */
        free(program);
    }
    list_free(&sources);
}

/* All scripts in the tests' rooms, but for those that say that it does not run them. */
static void add_scripts(Suite *s)
{
    List scripts = {0};
    list_glob(&scripts, "tests/*/*.sh");
    list_glob(&scripts, "cpudevice/tests/*/*.sh");
    for (int i = 0; i < scripts.count; i++) {
        const char *words[] = {"sh", scripts.item[i], s->c->device, NULL};
        char *script = file_read(scripts.item[i], NULL);
        if (script && !strstr(script, "make check does not run this"))
            add(s, KIND_SCRIPT, "test", words);
        free(script);
    }
    list_free(&scripts);
}

/* Each solution that states limits must keep them. */
static void add_limits(Suite *s)
{
    List sources = {0};
    const char *why_not = limits_not_judged();
    if (why_not) {
        printf("skipped: the solutions' limits: %s\n", why_not);
        s->count.skipped++;
        return;
    }
    list_glob(&sources, "solutions/*/*.cu");
    for (int i = 0; i < sources.count; i++) {
        char *solution = file_read(sources.item[i], NULL);
        const char *words[] = {"tools/course.sh", "limits", sources.item[i], NULL};
        if (solution && exercise_text(solution).limits) {
            char *what = text("limits-%d", i);
            add(s, KIND_STATUS, what, words);
            free(what);
        }
        free(solution);
    }
    list_free(&sources);
}

static void solutions_on_gpu(Suite *s)
{
    List sources = {0}, targets = {0};
    list_glob(&sources, "solutions/*/*.cu");
    for (int i = 0; i < sources.count; i++) {
        char *program = program_of("build/cuda", sources.item[i]);
        list_add(&targets, program);
        free(program);
    }
    build(s, &targets);
    add_programs(s, KIND_STATUS, "solution", "build/cuda", "solutions/*/*.cu");
    list_free(&sources), list_free(&targets);
}

static void prove_that_checks_fail(Suite *s)
{
    puts("the checks must be able to fail: stubs and mutants ...");
    fflush(stdout);
    Count p = prove(s->c, NULL, 0);
    s->count.passed += p.passed;
    s->count.failed += p.failed;
    s->count.skipped += p.skipped;
}

static void report(const Suite *s, double start)
{
    Exercises all = exercises_find();
    int solved = 0, wrong = 0, todo = 0;
    for (int i = 0; i < all.count; i++) {
        Grade g = exercise_grade(s->c, &all.at[i]);
        solved += g.state == STATE_PASSED;
        todo += g.state == STATE_TODO;
        if (g.state == STATE_FAILED)
            wrong++, printf("exercise not right yet: %s\n", all.at[i].path);
        free(g.said);
    }
    printf("\ntook %.0f s; logs are in %s\n", seconds() - start, s->out);
    printf("tests: %d passed, %d failed, %d skipped\n", s->count.passed, s->count.failed, s->count.skipped);
    printf("exercises, yours: %d solved, %d not right yet, %d to do\n", solved, wrong, todo);
}

int command_check(Course *c, int argc, char **argv)
{
    double start = seconds();
    if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "--all") != 0))
        die(2, "usage: course.sh check cpu|cuda [--all]");
    course_use(c, argv[1]);
    Suite s = {.c = c, .out = text("%s/check-results", c->build)};
    char *built = text("build/%s", c->device), *labs = text("build/%s/tests/labs", c->device);
    remove_tree(s.out);
    make_folders(s.out);
    Job need = {0};
    list_add(&need.command, "tools/setup/need.sh"), list_add(&need.command, "check");
    if (job_run(&need) != 0)
        return 2;
    puts("building the tests ...");
    fflush(stdout);
    build_words(&s, "tests", "cuprof");
    puts("running the library's tests and every rung of every lab ...");
    static const char *const tests[] = {"tests/*/*.c", "tests/*/*.cu", "cpudevice/tests/*/*.c",
                                        "cpudevice/tests/*/*.cu"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        add_programs(&s, KIND_PROGRAM, "test", built, tests[i]);
    add_programs(&s, KIND_PROGRAM, "test", labs, "lecture[0-9][0-9]_*/*.cu");
    add_scripts(&s);
    if (argc == 3) {
        const char *threads[] = {"sh", "cpudevice/tests/runtime/threads.sh", c->device, NULL};
        add(&s, KIND_SCRIPT, "test", threads);
    }
    run_all(&s);
    if (strcmp(c->device, "cpu") == 0) {
        puts("building labs and solutions under cucc --check ...");
        fflush(stdout);
        build_words(&s, "solutions-check", "labs-check");
        puts("running them ...");
        add_programs(&s, KIND_STATUS, "sanitize", "build/check", "lecture[0-9][0-9]_*/*.cu");
        add_programs(&s, KIND_STATUS, "solution", "build/check", "solutions/*/*.cu");
        add_limits(&s);
        const char *counts[] = {"tools/course.sh", "counts", "--check", NULL};
        add(&s, KIND_SCRIPT, "counts", counts);
    } else {
        solutions_on_gpu(&s);
    }
    run_all(&s);
    if (argc == 3)
        prove_that_checks_fail(&s);
    report(&s, start);
    return s.count.failed == 0 && s.count.passed > 0 ? 0 : 1;
}
