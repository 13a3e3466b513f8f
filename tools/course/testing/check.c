/* check.c: make check. Builds and runs the library's tests, every rung of every lab, every lab and solution under
 * cucc --check; with the mutants it also proves that the checks can fail. What the student has done about the exercises
 * is graded beside it and told apart: the tests use solutions and stubs, never the student's files.
 *
 * A test of which the verdict is remembered (verdicts.h) is neither built nor run, but for a sample; the last lines count
 * what ran and what was remembered. What runs is built by one make and then runs in one pool, the longest first. */
#include "../commands.h"
#include "keys.h"
#include "../labs.h"
#include "../limits.h"
#include "mutants.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: course.sh check cpu|cuda [--all | --changed | --mutants] [--sample=PERCENT] [--list]";

/* ---- what there is to test -------------------------------------------------------------------------------------- */

static void add_program(Tests *s, Kind kind, const char *what, const char *program, const char *source, int checked)
{
    char *name = text("%s %s", what, program);
    const char *plain[] = {program, NULL}, *verify[] = {program, "--verify", "--small", NULL};
    uint64_t key = s->remembers ? key_of_test(source, checked) : 0;
    Test *t = tests_add(s, kind, name, kind == KIND_PROGRAM ? plain : verify, key);
    t->target = copy(program);
    if (checked) /* the same number of multiprocessors everywhere, and one that leaves persistent grids tiles to share */
        list_add(&t->job.set, "CUDA_CPU_WORKERS=5");
    free(name);
}

/* The programs that `folder` has of the sources: of "lecture03_x/add.cu" build/cpu/lecture03_x/add. */
static void add_programs(Tests *s, Kind kind, const char *what, const char *folder, const char *pattern, int checked)
{
    List sources = {0};
    list_glob(&sources, pattern);
    for (int i = 0; i < sources.count; i++) {
        const char *source = sources.item[i];
        char *program = text("%s/%.*s", folder, (int)(strrchr(source, '.') - source), source);
        add_program(s, kind, what, program, source, checked);
        free(program);
    }
    list_free(&sources);
}

static void add_script(Tests *s, const char *script)
{
    const char *words[] = {"sh", script, s->c->device, NULL};
    char *name = text("test %s", script);
    tests_add(s, KIND_SCRIPT, name, words, s->remembers ? key_of_test(script, 0) : 0);
    free(name);
}

/* The test programs and scripts, as the Makefile lists them. */
static void add_unit_tests(Tests *s)
{
    char *command = text("make -s --no-print-directory DEVICE=%s list-tests", s->c->device);
    char *said = output_of_shell(command), *rest = said, *built = text("build/%s/", s->c->device);
    for (char *source; (source = strsep(&rest, " \n"));)
        if (ends_with(source, ".sh")) {
            add_script(s, source);
        } else if (*source) {
            char *program = text("%s%.*s", built, (int)(strrchr(source, '.') - source), source);
            add_program(s, KIND_PROGRAM, "test", program, source, 0);
            free(program);
        }
    free(command), free(said), free(built);
}

/* Each solution that states limits must keep them. */
static void add_limits(Tests *s)
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
        char *solution = file_read(sources.item[i], NULL), *name = text("limits %s", sources.item[i]);
        const char *words[] = {COURSE_TOOL, "limits", sources.item[i], NULL};
        if (solution && exercise_text(solution).limits)
            tests_add(s, KIND_STATUS, name, words, s->remembers ? key_of_solution(sources.item[i], NULL) : 0);
        free(solution), free(name);
    }
    list_free(&sources);
}

/* What each lab's rungs ask of the memory must be what is recorded. */
static void add_counts(Tests *s)
{
    List sources = {0};
    list_glob(&sources, "lecture[0-9][0-9]_*/*.cu");
    for (int i = 0; i < sources.count; i++) {
        const char *source = sources.item[i], *lab = base_name(source);
        char *name = text("%.*s", (int)(strrchr(lab, '.') - lab), lab), *title = text("counts %s", source);
        char *recorded = counts_recorded(source, name);
        const char *words[] = {COURSE_TOOL, "counts", "--check", name, NULL};
        Test *t = tests_add(s, KIND_SCRIPT, title, words, s->remembers ? key_of_counts(source, recorded) : 0);
        t->target = text("build/check/%.*s", (int)(strrchr(source, '.') - source), source);
        free(recorded), free(title), free(name);
    }
    list_free(&sources);
}

/* Of a stub or a mutant. */
static uint64_t key_of_wrong(const char *what)
{
    char *mutant = file_read(what, NULL), *file = NULL, *test = NULL, *solution = NULL;
    uint64_t key;
    if (mutant && ends_with(what, ".sed")) {
        file = mutant_key(mutant, "file"), test = mutant_key(mutant, "test");
        solution = test ? NULL : mutant_solution(what);
    }
    if (test)
        key = key_of_mutant(what, file ? file : "", test);
    else
        key = key_of_solution(solution ? solution : what, solution ? what : NULL);
    free(mutant), free(file), free(test), free(solution);
    return key;
}

static void add_mutants(Tests *s)
{
    List what = {0};
    const char *drift[] = {COURSE_TOOL, "drift", NULL};
    List exercises = {0};
    list_add(&exercises, "solutions");
    list_glob(&exercises, "lecture[0-9][0-9]_*/exercises");
    uint64_t key = key_of_files((const char *const *)exercises.item, exercises.count, "drift");
    tests_add(s, KIND_STATUS, "drift", drift, key)->mutant = 1;
    list_free(&exercises);
    mutants_list(&what);
    for (int i = 0; i < what.count; i++) {
        const char *words[] = {COURSE_TOOL, "mutants", "--one", what.item[i], NULL};
        char *name = text("%s %s", ends_with(what.item[i], ".cu") ? "stub" : "mutant", what.item[i]);
        Test *t = tests_add(s, KIND_MUTANT, name, words, s->remembers ? key_of_wrong(what.item[i]) : 0);
        t->mutant = 1;
        t->target = mutant_program(what.item[i]);
        free(name);
    }
    list_free(&what);
}

static void add_tests(Tests *s)
{
    char *labs = text("build/%s/tests/labs", s->c->device);
    add_unit_tests(s);
    add_programs(s, KIND_PROGRAM, "test", labs, "lecture[0-9][0-9]_*/*.cu", 0);
    if (strcmp(s->c->device, "cpu") == 0) {
        add_programs(s, KIND_STATUS, "sanitize", "build/check", "lecture[0-9][0-9]_*/*.cu", 1);
        add_programs(s, KIND_STATUS, "solution", "build/check", "solutions/*/*.cu", 1);
        add_limits(s);
        add_counts(s);
    } else {
        add_programs(s, KIND_STATUS, "solution", "build/cuda", "solutions/*/*.cu", 0);
    }
    free(labs);
}

/* ---- building it ------------------------------------------------------------------------------------------------ */

/* What make says is printed only if it fails; one lab that does not build does not hide the rest. */
static void build(Tests *s, const List *targets)
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
        s->broken = 1;
        free(words);
    }
    free(log);
}

/* All that is not remembered, and what scripts take for built. */
static void build_all(Tests *s)
{
    List targets = {0};
    char *base = text("build/%s/libcourse.a", s->c->device);
    int scripts = 0;
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        if (t->remembered)
            continue;
        scripts |= t->kind == KIND_SCRIPT || t->kind == KIND_PROGRAM;
    }
    list_add(&targets, base);
    if (strcmp(s->c->device, "cpu") == 0)
        list_add(&targets, "device-parts");
    if (scripts)
        list_add(&targets, "cuprof");
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        if (!t->remembered && t->target && !list_has(&targets, t->target))
            list_add(&targets, t->target);
    }
    build(s, &targets);
    list_free(&targets);
    free(base);
}

/* ---- telling ---------------------------------------------------------------------------------------------------- */

/* What would run, and what is remembered. */
static int tell_list(const Tests *s)
{
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        printf("%s,%s,%s,%016llx\n", t->remembered ? "remembered" : "run", t->name,
               t->remembered ? t->remembered->run : "", (unsigned long long)t->key);
    }
    return 0;
}

static void tell_mutants(const Tests *s)
{
    Count n = {0};
    for (int i = 0; i < s->test_count; i++) {
        const Test *t = s->tests[i];
        if (!t->mutant)
            continue;
        n.passed += t->remembered ? t->remembered->passed : t->count.passed;
        n.failed += t->count.failed;
        n.skipped += t->count.skipped;
    }
    printf("stubs and mutants: %d as they should be, %d not, %d skipped\n", n.passed, n.failed, n.skipped);
}

static void report(const Tests *s, double start)
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
    tests_tell(s);
    printf("tests: %d passed, %d failed, %d skipped\n", s->count.passed, s->count.failed, s->count.skipped);
    printf("exercises, yours: %d solved, %d not right yet, %d to do\n", solved, wrong, todo);
}

typedef struct Wish {
    int all, changed, mutants, list, sample;
} Wish;

static Wish wish_of(int argc, char **argv)
{
    enum { SAMPLE = 10 }; /* of a hundred */
    Wish w = {.sample = SAMPLE};
    if (argc < 2)
        die(2, "%s", usage);
    for (int i = 2; i < argc; i++)
        if (starts_with(argv[i], "--sample="))
            w.sample = atoi(argv[i] + strlen("--sample="));
        else if (strcmp(argv[i], "--list") == 0)
            w.list = 1;
        else if (strcmp(argv[i], "--all") == 0)
            w.all = 1;
        else if (strcmp(argv[i], "--changed") == 0)
            w.changed = 1;
        else if (strcmp(argv[i], "--mutants") == 0)
            w.mutants = 1;
        else
            die(2, "%s", usage);
    if (w.all + w.changed + w.mutants > 1)
        die(2, "%s", usage);
    return w;
}

int command_check(Course *c, int argc, char **argv)
{
    double start = seconds();
    Wish w = wish_of(argc, argv);
    course_use(c, argv[1]);
    Tests s;
    tests_open(&s, c);
    int on_cpu = strcmp(c->device, "cpu") == 0, proves = w.all || w.changed || w.mutants;
    s.remembers = on_cpu; /* a GPU is not in the key */
    s.sample = w.all || asked_for_all() ? 100 : w.sample;
    Job need = {0};
    list_add(&need.command, "tools/setup/need.sh"), list_add(&need.command, "check");
    if (job_run(&need) != 0)
        return 2;
    if (!w.mutants)
        add_tests(&s);
    if (proves)
        add_mutants(&s);
    tests_remember(&s);
    if (w.list)
        return tell_list(&s);
    tests_begin(&s);
    puts(s.sample == 100 || !on_cpu ? "building the tests ..."
                                    : "building the tests of what has changed, and of a sample ...");
    fflush(stdout);
    build_all(&s);
    puts(proves ? "running the tests, and the proof that they can fail: stubs and mutants ..."
                : "running the library's tests and every rung of every lab ...");
    fflush(stdout);
    tests_run(&s);
    mutant_trees_remove();
    tests_note(&s, w.all && on_cpu);
    if (proves)
        tell_mutants(&s);
    report(&s, start);
    return s.count.failed == 0 && s.count.passed > 0 ? 0 : 1;
}

/* remembered NAME PATH... exits with 0 if these files were found right under that name, and with 1 if it is to be found out
 * (again, if it is in the sample of this commit); note NAME PATH... remembers that they are. $WITH is part of what they
 * depend on. What is noted belongs to the repository where COURSE_REMEMBERS says so (verdicts.h). */
int command_remembered(Course *c, int argc, char **argv)
{
    enum { SAMPLE = 5 };
    (void)c;
    if (argc < 3)
        die(2, "usage: course.sh %s NAME PATH...", argv[0]);
    const char *with = getenv("WITH");
    char *name = text("ci %s", argv[1]);
    uint64_t key = key_of_files((const char *const *)argv + 2, argc - 2, with ? with : "");
    Verdicts of_full_run = {0}, here = {0};
    verdicts_read(&of_full_run, VERDICTS_OF_FULL_RUN);
    verdicts_read(&here, VERDICTS_HERE);
    if (strcmp(argv[0], "note") == 0) {
        Verdict v = {.name = name, .run = this_run(), .key = key, .passed = 1};
        verdict_set(&here, v);
        verdict_set(&of_full_run, v);
        return verdicts_write(&here, VERDICTS_HERE) ||
               ((asked_for_all() || asked_for_more()) && verdicts_write(&of_full_run, VERDICTS_OF_FULL_RUN));
    }
    const Verdict *v = verdict_of_name(&here, name, &key);
    v = v ? v : verdict_of_name(&of_full_run, name, &key);
    if (asked_for_all() || !v || in_sample(name, SAMPLE))
        return 1;
    printf("remembered: %s, of the run of %s\n", argv[1], v->run);
    return 0;
}
