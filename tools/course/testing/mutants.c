/* mutants.c: the proof that the checks can fail.
 *   drift    each exercise is what its solution makes
 *   stubs    each untouched exercise builds, and fails when it is graded all the same
 *   mutants  each wrong answer under tests/mutants/ and cpudevice/tests/mutants/ is caught: exercises' by their grade
 * (numbers, cucc --check, limits), the library's and the device's by the test it names. A mutant that changes nothing is
 * an error too. A mutant is a sed script in a folder that is named as the file which it changes or as that file's folder
 * (tests/house/mutants_apply.sh checks that). Its first lines may say "# file: F", "# test: T" (a library's: a
 * test by its path, without .c or .cu; "SCRIPT.sh CASE", a script's one case; LECTURE/LAB; or
 * conformance/WAY/THEME/CASE; behind a blank, one test case or one test of a program) or "# caught by: numbers, check or limits" (an
 * exercise's: which of them must catch it; without it, numbers). A mutant whose test is skipped here, for want of a
 * browser say, is counted by itself. One whose test never ends is caught, and is named. */
#include "../commands.h"
#include "../limits.h"
#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char verdict_ok[] = "ok", verdict_endless[] = "ok, caught by a test that did not end:",
           verdict_skipped[] = "SKIPPED: its test cannot run here:";

const char *verdict_of(int status, const char *survived)
{
    return status == ENDLESS ? verdict_endless : status ? verdict_ok : survived;
}

/* ---- one exercise's stub or mutant, built and graded ----------------------------------------------------------- */

int mutants_sh(const char *const *set, const char *command, const char *log, int cpu_s)
{
    Job job = {.out = log, .err = log, .cpu_limit_s = cpu_s, .idle_limit_s = 120};
    list_add(&job.command, "sh"), list_add(&job.command, "-c"), list_add(&job.command, command);
    list_add(&job.set, "CUDA_CPU_WATCHDOG=5");
    for (; set && *set; set++)
        list_add(&job.set, *set);
    job_run(&job);
    int status = job.status;
    job_free(&job);
    return status;
}

char *mutant_key(const char *mutant, const char *key)
{
    char *prefix = text("# %s:", key), *value = NULL;
    for (const char *p = mutant; *p == '#' && !value; p += strcspn(p, "\n"), p += *p == '\n')
        if (starts_with(p, prefix)) {
            const char *v = p + strlen(prefix);
            v += strspn(v, " ");
            value = text("%.*s", (int)strcspn(v, "\n"), v);
        }
    free(prefix);
    return value;
}

static int build_trial(const Trial *t, int checked)
{
    char *command = text("CUCC_BUILDS=no cpudevice/cucc %s -O1 -std=c++17 -Wdouble-promotion -DLAB_CPU -Icommon %s.cu "
                         "build/cpu/libcourse.a -fopenmp -o %s.exe -ldl -lpthread -lm",
                         checked ? "--check -g" : "", t->base, t->base);
    char *log = text("%s.build.log", t->base);
    int status = mutants_sh(NULL, command, log, 120);
    free(command), free(log);
    return status;
}

static int run_trial(const Trial *t)
{
    char *command = text("exec %s.exe --verify --small", t->base), *log = text("%s.log", t->base);
    int status = mutants_sh(NULL, command, log, 60);
    free(command), free(log);
    return status;
}

/* Do the counters at the limits' shape catch it? 1: yes; 0: all limits hold; -1: it does not run right. The limits are
 * tightened by that share. */
static int limits_catch(const Trial *t, const ExerciseText *limits, double share)
{
    char *command = text("CUDA_CPU_TOOLS=counters CUDA_CPU_WORKERS=2 CUDA_CPU_COUNTERS=%s.launches.csv "
                         "CUDA_CPU_COUNTER_LINES=%s.lines.csv exec "
                         "%s.exe --verify %s%s",
                         t->base, t->base, t->base, limits->limits_at ? "--ladder-only --size " : "--small",
                         limits->limits_at ? limits->limits_at : "");
    char *log = text("%s.count.log", t->base), *name = text("%s.launches.csv", t->base);
    int caught = -1;
    if (mutants_sh(NULL, command, log, 60) == 0) {
        char *launches = file_read(name, NULL);
        free(name), name = text("%s.lines.csv", t->base);
        char *lines = file_read(name, NULL);
        free(name), name = text("%s.build.log", t->base);
        char *compiler = file_read(name, NULL);
        char *own = text("%s.cu", base_name(t->base)), *held = limits_tightened(limits->limits, share);
        char *missed = limits_missed(held, launches ? launches : "", lines ? lines : "", compiler ? compiler : "", own);
        free(own), free(held);
        caught = missed != NULL;
        if (missed)
            file_write(log, missed, strlen(missed));
        free(launches), free(lines), free(compiler), free(missed);
    }
    free(command), free(log), free(name);
    return caught;
}

/* A solution is that far from its limits, so that another right way may need more than it does. */
static const double SOLUTIONS_ROOM = 0.08;

/* Does the solution itself keep its limits, with room? */
static const char *try_solution(const Trial *t)
{
    char *solution = file_read(t->what, NULL), *path = text("%s.cu", t->base);
    const char *verdict = "ok";
    ExerciseText limits = exercise_text(solution ? solution : "");
    if (!solution || file_write(path, solution, strlen(solution)))
        verdict = "BROKEN: it cannot be copied";
    else if (limits.limits && build_trial(t, 1) != 0)
        verdict = "BROKEN: it does not build";
    else if (limits.limits && limits_catch(t, &limits, SOLUTIONS_ROOM) != 0)
        verdict = "MISSED: the solution does not keep its own limits with room to spare";
    free(solution), free(path);
    return verdict;
}

static const char *try_stub(const Trial *t)
{
    const char *why, *verdict;
    char *solution = file_read(t->what, NULL), *stub = stub_of(solution, &why), *path = text("%s.cu", t->base);
    if (!stub)
        return "BROKEN: its stub cannot be made";
    file_write(path, stub, strlen(stub));
    if (build_trial(t, 0) != 0)
        verdict = "BROKEN: its stub does not build";
    else
        verdict = verdict_of(run_trial(t), NULL);
    if (!verdict) { /* a broken kernel may only be wrong in the checker's eyes, or slow */
        ExerciseText limits = exercise_text(solution);
        int caught =
            build_trial(t, 1) == 0 && (run_trial(t) != 0 || (limits.limits && limits_catch(t, &limits, 0) == 1));
        verdict = caught ? verdict_ok : "SURVIVED: its stub passes";
    }
    free(solution), free(stub), free(path);
    return verdict;
}

int mutate(const char *script, const char *file, const char *to)
{
    char *command = script ? text("sed -f '%s' '%s' >'%s' && ! cmp -s '%s' '%s'", script, file, to, file, to)
                           : text("cat '%s' >'%s'", file, to);
    int status = mutants_sh(NULL, command, "/dev/null", 60);
    free(command);
    return status;
}

char *mutant_solution(const char *what)
{
    static const char home[] = "tests/mutants/";
    if (!starts_with(what, home))
        return NULL;
    const char *exercise = what + strlen(home);
    int length = (int)(strrchr(what, '/') - exercise);
    char *solution = text("solutions/%.*s.cu", length, exercise);
    if (file_exists(solution))
        return solution;
    free(solution);
    return NULL;
}

static const char *try_exercise(const Trial *t, const char *by)
{
    char *solution = mutant_solution(t->what), *path = text("%s.cu", t->base);
    const char *verdict = "ok";
    int checked = by && strcmp(by, "numbers") != 0;
    if (!solution)
        verdict = "BROKEN: there is no solution for it";
    else if (mutate(t->what, solution, path) != 0)
        verdict = "BROKEN: it changes nothing";
    else if (build_trial(t, checked) != 0)
        verdict = "BROKEN: it does not build";
    else if (by && (strcmp(by, "limits") == 0 || strcmp(by, "nothing") == 0)) {
        ExerciseText limits = exercise_text(file_read(solution, NULL));
        int right = strcmp(by, "nothing") == 0;
        if (!limits.limits && !right)
            verdict = "BROKEN: the exercise states no limits";
        else if (run_trial(t) != 0)
            verdict = "BROKEN: its numbers are wrong, not only its technique";
        else if (right && limits.limits)
            verdict = limits_catch(t, &limits, 0) == 0 ? "ok" : "MISSED: a second right way does not keep the limits";
        else if (!right)
            verdict = limits_catch(t, &limits, 0) == 1 ? "ok" : "SURVIVED: it keeps the limits";
    } else
        verdict = verdict_of(run_trial(t), "SURVIVED");
    free(solution), free(path);
    return verdict;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* One, in this process; prints "ok WHAT", "SURVIVED ...", "BROKEN ..." or "SKIPPED ...". `unchanged`: a library's mutant
 * without its change, which its test must pass. */
static int try_one(const Course *c, const char *what, int unchanged)
{
    make_folders("build/mutants");
    Trial t = {c, what, text("build/mutants/%s%s", what, unchanged ? ".unchanged" : "")};
    for (char *p = t.base + strlen("build/mutants/"); *p; p++)
        if (*p == '/')
            *p = '-';
    const char *verdict;
    if (ends_with(what, ".cu")) {
        verdict = try_stub(&t);
    } else {
        char *mutant = file_read(what, NULL);
        if (!mutant)
            die(2, "there is no mutant %s", what);
        char *file = mutant_key(mutant, "file"), *test = mutant_key(mutant, "test"),
             *by = mutant_key(mutant, "caught by");
        if (unchanged) {
            const char *is = test ? try_library(&t, NULL, file ? file : "", test) : "SURVIVED";
            verdict = strcmp(is, "SURVIVED") == 0 ? verdict_ok
                      : is == verdict_skipped     ? is
                                                  : "BROKEN: its test fails anyway";
        } else
            verdict = test ? try_library(&t, what, file ? file : "", test) : try_exercise(&t, by);
        free(mutant), free(file), free(test), free(by);
    }
    printf("%s %s\n", verdict, what);
    char *program = text("%s.exe", t.base);
    unlink(program);
    free(program), free(t.base);
    return verdict == verdict_skipped ? NOT_TRIED : verdict == verdict_endless ? ENDLESS : strcmp(verdict, "ok") != 0;
}

void mutants_list(List *what)
{
    list_glob(what, "solutions/*/ex*.cu");
    static const char *const homes[] = {"tests/mutants", "cpudevice/tests/mutants"};
    for (int k = 0; k < 2; k++) {
        List files = {0};
        list_below(&files, homes[k]);
        for (int i = 0; i < files.count; i++)
            if (ends_with(files.item[i], ".sed"))
                list_add(what, files.item[i]);
        list_free(&files);
    }
}

char *mutant_program(const char *what)
{
    char *mutant = ends_with(what, ".sed") ? file_read(what, NULL) : NULL, *program = NULL;
    char *test = mutant ? mutant_key(mutant, "test") : NULL;
    if (test)
        test[strcspn(test, " ")] = 0;
    if (test && !ends_with(test, ".sh") && !starts_with(test, "conformance/"))
        program = text("build/cpu/%s%s", test, starts_with(test, "lecture") ? ".o" : "");
    free(mutant), free(test);
    return program;
}

static Count *proof; /* for the callback of jobs_run() alone */

static void one_done(Job *job)
{
    if (job->status == 0) {
        proof->passed++;
        return;
    }
    char *said = file_read(job->out, NULL);
    if (job->status == NOT_TRIED)
        proof->skipped++;
    else if (job->status == ENDLESS && said && starts_with(said, verdict_endless))
        proof->passed++;
    else
        proof->failed++;
    fputs(said ? said : "", stdout);
    fflush(stdout);
    free(said);
}

/* What trials are built with. */
static void build_library(Course *c)
{
    static const char *const parts[] = {"build/cpu/libcourse.a", "device-parts"};
    make_folders("build/mutants");
    course_use(c, "cpu");
    for (int i = 0; i < 2; i++)
        if (course_make_one(c, parts[i], "build/mutants/library.log") != 0)
            die(1, "the library does not build: see build/mutants/library.log");
}

Count prove(Course *c, char **names, int count)
{
    Count p = {0};
    List what = {0};
    for (int i = 0; i < count; i++)
        list_add(&what, names[i]);
    if (!count) {
        mutants_list(&what);
        if (command_drift(c, 0, NULL))
            p.failed++;
        else
            p.passed++;
    }
    build_library(c);
    Job *jobs = calloc((size_t)what.count + 1, sizeof *jobs);
    for (int i = 0; i < what.count; i++) {
        char *log = text("build/mutants/%d.verdict", i);
        jobs[i] = (Job){.out = log, .err = log, .idle_limit_s = 600};
        const char *words[] = {"tools/course.sh", "mutants", "--one", what.item[i]};
        for (int k = 0; k < 4; k++)
            list_add(&jobs[i].command, words[k]);
    }
    proof = &p;
    jobs_run(jobs, what.count, c->cores + 1, 2 * c->cores, one_done);
    mutant_trees_remove();
    printf("stubs and mutants: %d as they should be, %d not, %d skipped\n", p.passed, p.failed, p.skipped);
    return p;
}

int command_limits(Course *c, int argc, char **argv)
{
    int bad = 0;
    build_library(c);
    for (int i = 1; i < argc; i++) {
        Trial t = {c, argv[i], text("build/mutants/limits-%s", argv[i])};
        for (char *p = t.base + strlen("build/mutants/"); *p; p++)
            if (*p == '/')
                *p = '-';
        const char *verdict = try_solution(&t);
        printf("%s %s\n", verdict, argv[i]);
        int kept = strcmp(verdict, "ok") == 0;
        bad |= !kept;
        char *program = text("%s.exe", t.base), *log = text("%s.count.log", t.base),
             *missed = kept ? NULL : file_read(log, NULL);
        if (missed)
            puts(missed);
        unlink(program);
        free(program), free(log), free(missed), free(t.base);
    }
    return bad;
}

int command_mutants(Course *c, int argc, char **argv)
{
    if (argc == 3 && (strcmp(argv[1], "--one") == 0 || strcmp(argv[1], "--unchanged") == 0))
        return try_one(c, argv[2], strcmp(argv[1], "--unchanged") == 0);
    Count p = prove(c, argv + 1, argc - 1);
    return p.failed != 0;
}
