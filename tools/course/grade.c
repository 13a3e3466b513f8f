/* grade.c: what an exercise is worth: it builds, its numbers are right, cucc --check finds no mistake in it, and it
 * keeps the limits that its text states. On a GPU the numbers alone are looked at, but of a project: its stages are
 * counted on the CPU device everywhere. */
#include "commands.h"
#include "leaderboard.h"
#include "limits.h"
#include "say.h"
#include "stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_CPU_S = 30, CHECK_CPU_S = 60, WATCHDOG_S = 5 };

typedef struct Work {
    const Course *c;
    const Exercise *e;
    ExerciseText text;
    char *program, *checked; /* what is built: plain, and under cucc --check (NULL on a GPU) */
    char *folder;            /* build/exercises */
    int *passing; /* set to 1 where the fault may lie with this machine and this moment, not with the content */
} Work;

static char *work_file(const Work *w, const char *suffix) { return text("%s/%s.%s", w->folder, w->e->number, suffix); }

/* ---- what is known already ------------------------------------------------------------------------------------- */

/* Of everything a grade depends on: the exercise, its solution (which holds the limits), the library and the compiler.
 */
static uint64_t content_hash(const Course *c, const Exercise *e)
{
    uint64_t hash = hash_bytes(HASH_START, c->device, strlen(c->device));
    if (say_in_chinese()) /* what the checker says of it is */
        hash = hash_bytes(hash, "zh", 2);
    List files = {0};
    list_add(&files, e->path);
    list_add(&files, e->solution);
    list_sources(&files);
    for (int i = 0; i < files.count; i++)
        hash = hash_file(hash_bytes(hash, files.item[i], strlen(files.item[i])), files.item[i]);
    list_free(&files);
    return hash;
}

static int recall(const Work *w, uint64_t hash, Grade *g)
{
    char *path = work_file(w, "grade"), *known = file_read(path, NULL);
    unsigned long long known_hash;
    int state, stages, used = 0, hit = 0;
    double turns;
    if (known && sscanf(known, "%llx %d %d %lf\n%n", &known_hash, &state, &stages, &turns, &used) == 4 && used &&
        known_hash == hash) {
        *g = (Grade){(State)state, copy(known + used), stages, turns};
        hit = 1;
    }
    free(path), free(known);
    return hit;
}

static void remember(const Work *w, uint64_t hash, const Grade *g)
{
    char *path = work_file(w, "grade"),
         *known = text("%016llx %d %d %.0f\n%s", (unsigned long long)hash, (int)g->state, g->stages, g->turns, g->said);
    file_write(path, known, strlen(known));
    free(path), free(known);
}

static char *read_or_empty(const char *path)
{
    char *s = file_read(path, NULL);
    return s ? s : copy("");
}

/* ---- building, running, counting ------------------------------------------------------------------------------- */

/* Explains the wait of the very first build, which compiles the CPU device and its checker. */
static void say_first_build(const Work *w)
{
    List library = {0};
    char *pattern = text("%s/cpu/*check*.a", w->c->build);
    list_glob(&library, pattern);
    if (w->checked && library.count == 0)
        fputs(say_words("building the CPU device and its checker, once: about half a minute ...\n"), stderr);
    list_free(&library);
    free(pattern);
}

/* Returns NULL, or why it does not build. */
/* What the compiler says, once: not what make adds, nor what the same mistake makes the checker's build say again. */
static char *compilers_words(const char *log)
{
    char *all = read_or_empty(log), *rest = all, *line, *words = copy("");
    List seen = {0};
    while ((line = strsep(&rest, "\n"))) {
        if (starts_with(line, "make: ") || starts_with(line, "make[") || list_has(&seen, line))
            continue;
        list_add(&seen, line);
        char *more = text("%s%s%s", words, *words ? "\n" : "", line);
        free(words);
        words = more;
    }
    list_free(&seen);
    free(all);
    return words;
}

static char *build(const Work *w)
{
    List targets = {0};
    char *log = work_file(w, "build.log");
    list_add(&targets, w->program);
    if (w->checked)
        list_add(&targets, w->checked);
    say_first_build(w);
    int status = course_make(w->c, &targets, log);
    char *said = status ? compilers_words(log) : NULL;
    if (status)
        *w->passing = 1;
    if (said && !*said) {
        free(said);
        said = copy("it does not build");
    }
    free(log);
    list_free(&targets);
    return said;
}

static Job run_of(const Work *w, const char *program, const char *shape, int cpu_s, const char *out, const char *err)
{
    Job job = {.out = out, .err = err, .cpu_limit_s = cpu_s};
    char *watchdog = text("CUDA_CPU_WATCHDOG=%d", WATCHDOG_S);
    list_add(&job.command, program);
    list_add(&job.command, "--verify");
    list_add(&job.command, shape ? "--size" : "--small");
    if (shape)
        list_add(&job.command, shape);
    list_add(&job.set, watchdog);
    free(watchdog);
    if (say_in_chinese()) { /* the heading of what it says */
        ExerciseText t = text_of(w->e);
        char *title = text("%s\n", t.title);
        list_add(&job.command, "--words"), list_add(&job.command, title);
        free(title);
    }
    return job;
}

/* The numbers, plain and under the checker, side by side. Returns NULL, or what is wrong. */
static char *run_and_check(const Work *w)
{
    char *out = work_file(w, "log"), *check_out = work_file(w, "check.out"), *check_err = work_file(w, "check.err");
    Job jobs[2] = {run_of(w, w->program, NULL, RUN_CPU_S, out, out)};
    if (w->checked)
        jobs[1] = run_of(w, w->checked, NULL, CHECK_CPU_S, check_out, check_err);
    int width = w->c->cores > 1 ? 2 : 1;
    jobs_run(jobs, w->checked ? 2 : 1, width, width, NULL);
    char *wrong = NULL, *said = read_or_empty(out);
    if (jobs[0].status >= 124 || jobs[1].status >= 124)
        *w->passing = 1;
    if (jobs[0].status == 124)
        wrong = text("%s\nIt did not end: stopped after %d s.", said, RUN_CPU_S);
    else if (jobs[0].status != 0)
        wrong = copy(said);
    if (w->checked && jobs[1].status != 0) {
        char *more = read_or_empty(jobs[1].status == 1 && !wrong ? check_out : check_err), *both;
        if (jobs[1].status != 1 || !wrong) {
            both = text("%s%s%s", wrong ? wrong : said, *more ? "\n" : "", more);
            free(wrong);
            wrong = both;
        }
        free(more);
    }
    for (int i = 0; i < 2; i++)
        job_free(&jobs[i]);
    unlink(check_out), unlink(check_err);
    free(out), free(check_out), free(check_err), free(said);
    return wrong;
}

/* What the compiler says of floats that become doubles. */
static char *promotions(const Work *w)
{
    char *log = work_file(w, "promotions.log"), *object = work_file(w, "promotions.o");
    Job job = {.out = log, .err = log};
    const char *words[] = {"cpudevice/cucc", "-std=c++17", "-DLAB_CPU", "-Icommon", "-Wdouble-promotion", "-c",
                           w->e->path,       "-o",         object,      NULL};
    for (int i = 0; words[i]; i++)
        list_add(&job.command, words[i]);
    job_run(&job);
    job_free(&job);
    char *said = read_or_empty(log);
    unlink(object);
    free(log), free(object);
    return said;
}

/* The job of the limits' shape, on inputs from that seed (NULL: the labs' usual one). */
static Job run_at_limits(const Work *w, const char *seed, const char *log)
{
    Job job = run_of(w, w->checked, w->text.limits_at, CHECK_CPU_S, log, log);
    if (w->text.limits_at)
        list_add(&job.command, "--ladder-only");
    if (seed)
        list_add(&job.command, "--seed"), list_add(&job.command, seed);
    return job;
}

/* Counts at the limits' shape. Returns NULL, or which limits are missed. Of a project, `g` gets stages and turns. */
static char *count(const Work *w, const Stages *stages, const char *seed, Grade *g)
{
    char *launches = work_file(w, "launches.csv"), *lines = work_file(w, "lines.csv"), *log = work_file(w, "count.log");
    char *set_launches = text("CUDA_CPU_COUNTERS=%s", launches), *set_lines = text("CUDA_CPU_COUNTER_LINES=%s", lines);
    Job job = run_at_limits(w, seed, log);
    list_add(&job.set, "CUDA_CPU_TOOLS=counters");
    list_add(&job.set, "CUDA_CPU_WORKERS=2"); /* the same number of multiprocessors on every machine */
    list_add(&job.set, set_launches);
    list_add(&job.set, set_lines);
    unlink(launches), unlink(lines);
    char *missed, *csv = NULL, *by_line = NULL;
    if (job_run(&job) != 0) {
        missed = read_or_empty(log);
    } else {
        csv = read_or_empty(launches);
        by_line = read_or_empty(lines);
        char *said = strstr(w->text.limits, "double promotions") ? promotions(w) : copy("");
        const char *file = base_name(w->e->path);
        missed = NULL;
        if (stages->count) {
            g->stages = stages_passed(stages, csv, by_line, said, file, &missed);
            g->turns = limits_turns(by_line);
        } else {
            missed = limits_missed(w->text.limits, csv, by_line, said, file);
        }
        free(said);
    }
    job_free(&job);
    free(csv), free(by_line), free(launches), free(lines), free(log), free(set_launches), free(set_lines);
    return missed;
}

/* A project's stages: counted on inputs that nobody has seen, then verified on others. */
static Grade grade_stages(const Work *w, const Stages *stages)
{
    Grade g = {.state = STATE_FAILED};
    char *log = work_file(w, "after.log"), *seed = text("%ld", (long)(seconds() * 1e6) % 1000000000 + 2),
         *other = text("%ld", atol(seed) + 1);
    char *missed = count(w, stages, seed, &g);
    Job after = run_at_limits(w, other, log);
    if (g.stages && job_run(&after) != 0) {
        g.stages = 0;
        g.said = text("right on the inputs that were counted, wrong on others:\n%s", read_or_empty(log));
    } else {
        g.said = g.stages ? stages_words(stages, g.stages, missed) : copy(missed ? missed : "");
    }
    g.state = g.stages == stages->count ? STATE_PASSED : STATE_FAILED;
    job_free(&after);
    unlink(log);
    free(log), free(seed), free(other), free(missed);
    return g;
}

static Grade grade_anew(const Work *w)
{
    char *wrong = build(w);
    if (!wrong)
        wrong = run_and_check(w);
    if (!wrong && w->checked && w->text.limits) {
        Stages stages = stages_of(&w->text);
        if (limits_not_judged())
            say("its technique is not judged: %s\n", limits_not_judged());
        else if (stages.count)
            return grade_stages(w, &stages);
        else
            wrong = count(w, &stages, NULL, NULL);
    }
    return wrong ? (Grade){.state = STATE_FAILED, .said = wrong} : (Grade){.state = STATE_PASSED, .said = copy("")};
}

Grade exercise_grade(const Course *course, const Exercise *e)
{
    Course here = *course;
    char *content = file_read(e->path, NULL), *solution;
    if (!content || strstr(content, "TODO(ex")) {
        free(content);
        return (Grade){.state = STATE_TODO, .said = copy("")};
    }
    free(content);
    if (!here.device) {
        here.device = NULL;
        course_use(&here, NULL);
    }
    solution = file_read(e->solution, NULL);
    int passing = 0;
    Work w = {.passing = &passing,
              .c = &here,
              .e = e,
              .text = exercise_text(solution ? solution : ""),
              .folder = text("%s/exercises", here.build)};
    int stem = (int)strlen(e->path) - 3;
    w.program = text("build/%s/%.*s", here.device, stem, e->path);
    Stages stages = stages_of(&w.text);
    w.checked = stages.count || strcmp(here.device, "cpu") == 0 ? text("build/check/%.*s", stem, e->path) : NULL;
    make_folders(w.folder);
    uint64_t hash = content_hash(&here, e);
    Grade g;
    if (!recall(&w, hash, &g)) {
        g = grade_anew(&w);
        if (!passing)
            remember(&w, hash, &g);
    }
    stages_free(&stages);
    free(solution), free(w.program), free(w.checked), free(w.folder);
    return g;
}
