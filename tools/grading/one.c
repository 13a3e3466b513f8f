/* one.c: one exercise of one submission. The answer is taken out of the file and put into the teacher's (answer.h),
 * compiled in a sandbox, and run in another, where it answers a judge outside (common/lab/lab_judge.c). It passes if the
 * judge found every output right, the checker wrote that it found nothing, and the counters keep the limits. */
#include "../course/commands.h"
#include "../course/limits.h"
#include "../course/stages.h"
#include "answer.h"
#include "clean.h"
#include "compiler.h"
#include "grading.h"
#include "judge.h"
#include "plain.h"
#include "sandbox.h"
#include "source_lines.h"
#include "unseen.h"
#include "verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RUN_CPU_S = 7,
    RUN_WALL_S = 120, /* a machine that grades a class is busy: 7 s of processor time may take long */
    WATCHDOG_S = 4,
    SAID_LINES = 24,
};
#define MEGABYTE ((size_t)1 << 20)

const char *const outcome_word[OUTCOMES] = {"passed", "failed", "to do", "missing", "not graded"};

typedef struct One {
    const Grading *g;
    const Exercise *e;
    ExerciseText text;
    const char *file; /* NULL: the teacher's own solution */
    const char *work; /* its folder; sandboxes see only the folder `box` in it */
    char *box;
    char *source, *program, *judge;
    char *compiler; /* what it said */
    Result r;
    int perhaps; /* it failed by something that must happen twice to count */
} One;

static char *file_in(const One *o, const char *name) { return text("%s/%s", o->work, name); }

/* ---- saying why ------------------------------------------------------------------------------------------------- */

/* Adds to what is said; a newline between. */
static void say(Result *r, const char *words)
{
    char *all = text("%s%s%s", r->said ? r->said : "", r->said && *r->said && *words ? "\n" : "", words);
    free(r->said);
    r->said = all;
    clean_output(r->said);
}

static void fail(One *o, Outcome outcome, const char *words)
{
    o->r.outcome = outcome;
    say(&o->r, words);
}

/* It cannot be graded here and now: all that was said of the answer until now says nothing of it. */
static void not_graded(One *o, char *why)
{
    free(o->r.said);
    o->r.said = why;
    o->r.stages = 0;
    o->r.outcome = BROKEN;
}

/* The first lines of a text, at most so many. */
static char *head(const char *s, int lines)
{
    const char *p = s;
    for (int i = 0; i < lines && *p; i++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    int n = (int)(p - s);
    while (n && s[n - 1] == '\n')
        n--;
    return text("%.*s%s", n, s, *p ? "\n..." : "");
}

static void account(One *o, const Sandbox *s)
{
    o->r.took_s += s->took_s;
    o->r.cpu_s += s->cpu_s_used;
    if (s->memory_used > o->r.memory_bytes)
        o->r.memory_bytes = s->memory_used;
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

/* The first lines that have one of the words, else the first of all. */
static char *lines_with(const char *said, const char *const *words, int most)
{
    char *all = copy(said), *rest = all, *line, *chosen = copy("");
    while ((line = strsep(&rest, "\n"))) {
        int has = 0;
        for (int i = 0; words[i]; i++)
            has |= strstr(line, words[i]) != NULL;
        if (has) {
            char *more = text("%s%s%s", chosen, *chosen ? "\n" : "", line);
            free(chosen);
            chosen = more;
        }
    }
    char *few = head(*chosen ? chosen : said, most);
    free(all), free(chosen);
    return few;
}

/* Lines of the compiler's with an error, else all. */
static char *errors_of(const char *said)
{
    static const char *const words[] = {"error", "undefined reference", "multiple definition", NULL};
    return lines_with(said, words, 10);
}

/* The claims that failed, else all that the program showed: a table may be longer than a report. */
static char *claims_of(const char *said)
{
    static const char *const words[] = {"    FAILED: ", NULL};
    return lines_with(said, words, 8);
}

/* Without the folders before it. */
static void shorten(const One *o, char *said)
{
    lines_shorten(o->box, said);
    lines_shorten(o->g->root, said);
}

static void compiler_failed(One *o, const Sandbox *s, Blame blame)
{
    if (blame == MACHINE) {
        not_graded(o, cause_of(s, "the compiler"));
        return;
    }
    o->perhaps = blame == PERHAPS;
    char *unknown = answer_unknown(s->err);
    answer_unname(s->err);
    char *errors = s->stopped ? text("the compiler was stopped: %s", s->stopped) : errors_of(s->err);
    fail(o, FAILED, "it does not build");
    say(&o->r, errors);
    say(&o->r, unknown ? unknown : "");
    free(errors), free(unknown);
}

/* Returns 1 if there is a program. Paths are the script's arguments, whatever characters they have. */
static int compile(One *o)
{
    static const char script[] = COMPILE_ANSWER "\"$1\" -o \"$2.o\" && exec cpudevice/cucc --check -fopenmp \"$2.o\" "
                                                "build/cpu/libcourse.a -o \"$2\" -ldl -lpthread -lm";
    Sandbox s = compiler_sandbox(o->g);
    const char *words[] = {"/bin/sh", "-c", script, "compile", o->source, o->program};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&s.command, words[i]);
    list_add(&s.writable, o->box);
    sandbox_run(&s);
    account(o, &s);
    struct stat st;
    int built = s.status == 0 && lstat(o->program, &st) == 0 && S_ISREG(st.st_mode);
    shorten(o, s.err);
    if (!built)
        compiler_failed(o, &s, blame_of_compiler(&s, base_name(o->source)));
    answer_unname(s.err);
    o->compiler = copy(s.err);
    sandbox_free(&s);
    return built;
}

/* ---- running, judged -------------------------------------------------------------------------------------------- */

/* Why it failed: what it wrote itself, what the judge saw, what the checker found or how it was ended. */
static void say_why(One *o, const Sandbox *s, const Judged *j, int right)
{
    if (!right) {
        char *shown = claims_of(s->out), *wrong = head(j->wrong, 6);
        say(&o->r, shown), say(&o->r, wrong);
        free(shown), free(wrong);
    }
    if (s->stopped)
        say(&o->r, s->stopped);
    if (s->stopped ? has_finding(s->err) : !strstr(s->err, NOTHING_FOUND)) { /* often why it had to be stopped */
        char *findings = head(s->err, SAID_LINES);
        say(&o->r, findings);
        free(findings);
    }
    if (!s->stopped && s->status > 128)
        say(&o->r, "the program crashed");
}

/* What the process, the judge and the checker say, put together: it passes only if all three say so, and fails only if
 * one of them says so. */
static void verdict(One *o, const Sandbox *s, const Judged *j)
{
    int right = j->status == 0 && j->asked > 0 && j->held == j->asked;
    o->r.verified = j->held;
    if (j->asked == 0 || j->status > 1) {
        not_graded(o, text("the judge could not judge%s%s", *j->wrong ? ": " : "", j->wrong));
        return;
    }
    Blame blame = blame_of_program(s, right, j->wrong);
    if (blame == MACHINE) {
        not_graded(o, cause_of(s, "the program"));
        return;
    }
    o->r.outcome = blame == NOBODY ? PASSED : FAILED;
    o->perhaps = blame == PERHAPS;
    if (blame != NOBODY)
        say_why(o, s, j, right);
}

/* All shapes; the one of the limits, counted, on the seed that counts were recorded with; or the same on a random seed. */
typedef enum Way { ALL_SHAPES, COUNTED, COUNTED_UNSEEN } Way;

/* Runs it against the judge, at all shapes or at this one. Returns 1 if all is right. */
static int run_judged(One *o, Way way, const char *shape)
{
    SourceLines l = lines_start(o->g, o->program);
    Channel c = channel_open();
    char *said = file_in(o, "judge"), *launches = file_in(o, "launches.csv"), *lines = file_in(o, "lines.csv");
    Sandbox s = {.cpu_s = RUN_CPU_S,
                 .wall_s = RUN_WALL_S,
                 .memory_bytes = 1024 * MEGABYTE,
                 .file_bytes = 4 * MEGABYTE,
                 .output_bytes = MEGABYTE / 8,
                 .one_process = 1,
                 .unsafe = o->g->unsafe,
                 .groups = o->g->groups,
                 .fd = {c.question[0], c.reply[1], c.memory, l.question[1], l.reply[0]},
                 .fds = 5};
    char *watchdog = text("CUDA_CPU_WATCHDOG=%d", WATCHDOG_S);
    list_add(&s.command, o->program), list_add(&s.command, "--answer"), list_add(&s.command, "10,11,12");
    list_add(&s.set, watchdog), list_add(&s.set, "CUDA_CPU_WORKERS=2"), list_add(&s.set, "CUDA_CPU_MEMORY=268435456");
    list_add(&s.set, "CUDA_CPU_ADDR2LINE=13,14");
    list_add(&s.set, "OMP_WAIT_POLICY=passive"); /* as the judge's, for the CPU time is limited */
    list_add(&s.readable, o->program);
    if (way != ALL_SHAPES) {
        char *set_launches = text("CUDA_CPU_COUNTERS=%s", launches),
             *set_lines = text("CUDA_CPU_COUNTER_LINES=%s", lines);
        list_add(&s.set, "CUDA_CPU_TOOLS=memcheck,counters");
        list_add(&s.set, set_launches), list_add(&s.set, set_lines);
        file_write(launches, "", 0), file_write(lines, "", 0);
        list_add(&s.writable, launches), list_add(&s.writable, lines);
        free(set_launches), free(set_lines);
    }
    pid_t judge = judge_start(o->judge, &c, way == ALL_SHAPES ? NULL : shape, way == COUNTED, said);
    close(c.question[1]), close(c.reply[0]);
    sandbox_run(&s); /* it closes its own ends here, so that the judge sees their end */
    lines_end(&l);
    Judged j = judge_end(judge, said);
    shorten(o, s.err), shorten(o, s.out);
    int verified = o->r.verified;
    account(o, &s);
    verdict(o, &s, &j);
    o->r.verified += verified;
    free(said), free(launches), free(lines), free(j.wrong), free(watchdog);
    sandbox_free(&s);
    return o->r.outcome == PASSED;
}

/* A project's stages. What was counted must be right on other inputs too: the judge asks once more. */
static void hold_stages(One *o, const Stages *stages, const char *csv, const char *by_line)
{
    char *missed, *words;
    int passed = stages_passed(stages, csv, by_line, o->compiler, base_name(o->e->path), &missed);
    if (!run_judged(o, COUNTED_UNSEEN, o->text.limits_at))
        return;
    o->r.stages = passed;
    o->r.turns = limits_turns(by_line);
    o->r.outcome = passed == stages->count ? PASSED : FAILED;
    words = stages_words(stages, passed, missed);
    say(&o->r, words);
    free(missed), free(words);
}

/* Runs it under the counters at a shape: csv[0] are the launches, csv[1] the lines. Returns 1 if all is right. */
static int run_counted(One *o, Way way, const char *shape, char *csv[2])
{
    static const char *const name[] = {"launches.csv", "lines.csv"};
    csv[0] = csv[1] = NULL;
    if (!run_judged(o, way, shape))
        return 0;
    for (int i = 0; i < 2; i++) {
        char *path = file_in(o, name[i]);
        csv[i] = file_read(path, NULL);
        free(path);
    }
    if (csv[0] && csv[1] && *csv[0] && *csv[1])
        return 1;
    not_graded(o, copy("the counters wrote no figures"));
    free(csv[0]), free(csv[1]);
    csv[0] = csv[1] = NULL;
    return 0;
}

static int limits_kept(One *o, const char *limits, char *const csv[2], const char *shape)
{
    char *missed = limits_missed(limits, csv[0], csv[1], o->compiler, base_name(o->e->path));
    if (missed) {
        char *words = shape ? text("at another shape, %s: %s", shape, missed) : copy(missed);
        fail(o, FAILED, words);
        free(words), free(missed);
    }
    return !missed;
}

/* The technique is used at another shape, too: one that the exercise does not name. */
static void hold_elsewhere(One *o)
{
    char *csv[2], *why = NULL;
    Unseen u = unseen_of(o->g, o->e, o->work, &why);
    if (why)
        not_graded(o, why);
    else if (*u.shape && run_counted(o, COUNTED, u.shape, csv)) {
        limits_kept(o, u.limits, csv, u.shape);
        free(csv[0]), free(csv[1]);
    }
    unseen_free(&u);
}

static void hold_limits(One *o)
{
    Stages stages = stages_of(&o->text);
    char *csv[2];
    if (run_counted(o, stages.count ? COUNTED_UNSEEN : COUNTED, o->text.limits_at, csv)) {
        if (stages.count)
            hold_stages(o, &stages, csv[0], csv[1]);
        else if (limits_kept(o, o->text.limits, csv, NULL) && o->text.limits_at && o->file)
            hold_elsewhere(o);
        free(csv[0]), free(csv[1]);
    }
    stages_free(&stages);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void grade_answer(One *o, const char *program)
{
    if (file_write(o->source, program, strlen(program))) {
        not_graded(o, text("the grader's folder cannot be written: %s", strerror(errno)));
        return;
    }
    if (compile(o) && run_judged(o, ALL_SHAPES, NULL) && o->text.limits)
        hold_limits(o);
}

static void remove_files(const One *o)
{
    static const char *const names[] = {"judge", "launches.csv", "lines.csv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = file_in(o, names[i]);
        unlink(path);
        free(path);
    }
    remove_tree(o->box);
}

static void grade_text(One *o, const char *solution, const char *submitted)
{
    Answer a = answer_take(solution, submitted, base_name(o->e->path));
    if (a.program)
        grade_answer(o, a.program);
    else
        fail(o, FAILED, a.why);
    if (a.note && o->r.outcome == FAILED)
        say(&o->r, a.note);
    answer_free(&a);
}

static One one_begin(const Grading *g, const Exercise *e, const char *solution, const char *file, const char *work)
{
    One o = {.g = g,
             .e = e,
             .text = exercise_text(solution ? solution : ""),
             .file = file,
             .work = work,
             .r = {.said = copy("")}};
    remove_tree(work);
    o.box = file_in(&o, "box");
    if (make_folders(o.box))
        die(1, "cannot make %s: %s", o.box, strerror(errno));
    o.source = text("%s/%s", o.box, base_name(e->path));
    o.program = text("%s/program", o.box);
    o.judge = text("%s/build/cpu/%.*s", g->root, (int)strlen(e->solution) - 3, e->solution);
    return o;
}

static void one_end(One *o)
{
    remove_files(o);
    free(o->box), free(o->source), free(o->program), free(o->judge), free(o->compiler);
}

/* What the file says, graded once; without a file the teacher's own solution. */
static One grade_once(const Grading *g, const Exercise *e, const char *file, const char *work)
{
    size_t size = 0;
    const char *no_text = NULL;
    char *bytes = file_read(file ? file : e->solution, &size),
         *submitted = bytes ? plain_text(bytes, size, &no_text) : NULL;
    char *solution = file_read(e->solution, NULL);
    One o = one_begin(g, e, solution, file, work);
    double start = seconds();
    if (!bytes || !solution)
        not_graded(&o, text("%s cannot be read", bytes || !file ? e->solution : base_name(file)));
    else if (!file)
        grade_answer(&o, solution);
    else if (size > MOST_FILE_BYTES)
        fail(&o, FAILED, "the file has more than 256 KB, and an exercise's file has fewer than 20");
    else if (!submitted)
        fail(&o, FAILED, no_text);
    else if (strstr(submitted, "TODO(ex"))
        o.r.outcome = TODO;
    else
        grade_text(&o, solution, submitted);
    if (o.r.outcome == FAILED && course_changed(g, e))
        not_graded(&o, copy("the course's files were changed while it was graded"));
    o.r.took_s = seconds() - start;
    one_end(&o);
    free(bytes), free(submitted), free(solution);
    return o;
}

int teacher_counts(const Grading *g, const Exercise *e, const char *work, char *const *shapes, char *here[2],
                   char *there[2], char **why)
{
    char *solution = file_read(e->solution, NULL);
    One o = one_begin(g, e, solution, NULL, work);
    int found = -2;
    if (file_write(o.source, solution ? solution : "", solution ? strlen(solution) : 0))
        not_graded(&o, text("the grader's folder cannot be written: %s", strerror(errno)));
    else if (compile(&o) && run_counted(&o, COUNTED, o.text.limits_at, here))
        for (found = 0; shapes[found] && !run_counted(&o, COUNTED, shapes[found], there);)
            found++;
    if (found == -2)
        *why = text("the teacher's own solution cannot be counted here and now: %s", o.r.said);
    else if (!shapes[found])
        found = -1;
    result_free(&o.r);
    one_end(&o);
    free(solution);
    return found;
}

/* What failed twice, perhaps by itself: is it a machine on which nothing runs? NULL, or why, in words. */
static char *doubt(const Grading *g, const Exercise *e, const char *work)
{
    One own = grade_once(g, e, NULL, work);
    char *why = own.r.outcome == PASSED
                    ? NULL
                    : text("it failed, and so does the teacher's own solution here and now: %s", own.r.said);
    result_free(&own.r);
    return why;
}

/* What was not the answer's fault, and what may not have been, is tried once more. */
Result grade_file(const Grading *g, const Exercise *e, const char *file, const char *work)
{
    Result known = {0};
    if (result_read(g, e, file, work, &known) == 0 && known.outcome != BROKEN)
        return known;
    result_free(&known);
    One o = grade_once(g, e, file, work);
    if (o.r.outcome == BROKEN || o.perhaps) {
        int once = o.perhaps;
        result_free(&o.r);
        o = grade_once(g, e, file, work);
        char *why = NULL;
        if (o.perhaps)
            why = once ? doubt(g, e, work) : text("it failed once, which may be the machine's fault: %s", o.r.said);
        if (why)
            not_graded(&o, why);
    }
    result_write(g, e, file, work, &o.r);
    return o.r;
}
