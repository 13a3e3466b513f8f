/* one.c: one exercise of one submission. The answer is taken out of the file and put into the teacher's (answer.h),
 * compiled in a sandbox, and run in another, where it answers a judge outside (common/lab/lab_judge.c). It passes if the
 * judge found every output right, the checker wrote that it found nothing, and the counters keep the limits. */
#include "../course/commands.h"
#include "../course/limits.h"
#include "answer.h"
#include "grading.h"
#include "sandbox.h"
#include "source_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BUILD_CPU_S = 30,
    BUILD_WALL_S = 120,
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
    const char *work; /* its folder; sandboxes see only the folder `box` in it */
    char *box;
    char *source, *program, *judge;
    char *compiler; /* what it said */
    Result r;
} One;

static char *file_in(const One *o, const char *name) { return text("%s/%s", o->work, name); }

/* ---- what is known ---------------------------------------------------------------------------------------------- */

static uint64_t content_of(const Grading *g, const Exercise *e, const char *file)
{
    uint64_t hash = hash_bytes(g->hash, e->number, strlen(e->number));
    hash = hash_file(hash, e->solution);
    return file ? hash_file(hash, file) : hash;
}

int result_read(const Grading *g, const Exercise *e, const char *file, const char *work, Result *r)
{
    char *path = text("%s/result", work), *known = file_read(path, NULL);
    unsigned long long hash;
    int outcome, used = 0, found = -1;
    if (known &&
        sscanf(known, "%llx %d %d %lf %lf %zu\n%n", &hash, &outcome, &r->verified, &r->took_s, &r->cpu_s,
               &r->memory_bytes, &used) == 6 &&
        used && hash == content_of(g, e, file) && outcome >= 0 && outcome < OUTCOMES) {
        r->outcome = (Outcome)outcome;
        r->said = copy(known + used);
        found = 0;
    }
    free(path), free(known);
    return found;
}

static void result_write(const Grading *g, const Exercise *e, const char *file, const char *work, const Result *r)
{
    char *path = text("%s/result", work);
    char *line = text("%016llx %d %d %.3f %.3f %zu\n%s", (unsigned long long)content_of(g, e, file), (int)r->outcome,
                      r->verified, r->took_s, r->cpu_s, r->memory_bytes, r->said ? r->said : "");
    if (file_write(path, line, strlen(line)))
        die(1, "cannot write %s: %s", path, strerror(errno));
    free(path), free(line);
}

void result_free(Result *r) { free(r->said); }

/* ---- saying why ------------------------------------------------------------------------------------------------- */

/* Adds to what is said; a newline between. */
static void say(Result *r, const char *words)
{
    char *all = text("%s%s%s", r->said ? r->said : "", r->said && *r->said && *words ? "\n" : "", words);
    free(r->said);
    r->said = all;
}

static void fail(One *o, Outcome outcome, const char *words)
{
    o->r.outcome = outcome;
    say(&o->r, words);
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

static void see(const One *o, Sandbox *s, const char *in_course)
{
    char *path = text("%s/%s", o->g->root, in_course);
    list_add(&s->readable, path);
    free(path);
}

/* A variable of ours, if it is set. */
static void pass_on(Sandbox *s, const char *name)
{
    const char *value = getenv(name);
    char *set = value ? text("%s=%s", name, value) : NULL;
    if (set)
        list_add(&s->set, set);
    free(set);
}

/* Lines of the compiler's with an error, else all. */
static char *errors_of(const char *said)
{
    char *all = copy(said), *rest = all, *line, *errors = copy("");
    while ((line = strsep(&rest, "\n")))
        if (strstr(line, "error") || strstr(line, "undefined reference")) {
            char *more = text("%s%s%s", errors, *errors ? "\n" : "", line);
            free(errors);
            errors = more;
        }
    char *few = head(*errors ? errors : said, 10);
    free(all), free(errors);
    return few;
}

/* Returns 1 if there is a program. */
static int compile(One *o)
{
    Sandbox s = {.cpu_s = BUILD_CPU_S,
                 .wall_s = BUILD_WALL_S,
                 .memory_bytes = 2048 * MEGABYTE,
                 .file_bytes = 64 * MEGABYTE,
                 .tmp_bytes = 128 * MEGABYTE,
                 .output_bytes = MEGABYTE / 4,
                 .unsafe = o->g->unsafe,
                 .groups = o->g->groups,
                 .folder = copy(o->g->root)};
    char *command = text("cpudevice/cucc --check -O1 -g -std=c++17 -Wdouble-promotion -DLAB_CPU -Icommon -c '%s' -o "
                         "'%s.o' && exec cpudevice/cucc --check -fopenmp '%s.o' build/cpu/libcourse.a -o '%s' -ldl "
                         "-lpthread -lm",
                         o->source, o->program, o->program, o->program);
    const char *words[] = {"/bin/sh", "-c", command};
    for (int i = 0; i < 3; i++)
        list_add(&s.command, words[i]);
    pass_on(&s, "CUCC_CC"), pass_on(&s, "CUCC_CXX");
    see(o, &s, "common"), see(o, &s, "cpudevice"), see(o, &s, "build/cpu");
    list_add(&s.writable, o->box);
    sandbox_run(&s);
    account(o, &s);
    struct stat st;
    int built = s.status == 0 && lstat(o->program, &st) == 0 && S_ISREG(st.st_mode);
    char *unknown = answer_unknown(s.err);
    answer_unname(s.err);
    o->compiler = copy(s.err);
    if (!built) {
        char *errors = s.stopped ? text("the compiler was stopped: %s", s.stopped) : errors_of(s.err);
        fail(o, FAILED, "it does not build");
        say(&o->r, errors);
        say(&o->r, unknown ? unknown : "");
        free(errors);
    }
    free(command), free(unknown);
    sandbox_free(&s);
    return built;
}

/* ---- running, judged -------------------------------------------------------------------------------------------- */

/* The judge's process, and its words. */
typedef struct Judged {
    int status, held, asked;
    char *wrong; /* its words but the last line */
} Judged;

/* Two pipes and the memory between them. Sizes of the memory cannot be changed by anybody. */
typedef struct Channel {
    int question[2], reply[2], memory;
} Channel;

static Channel channel_open(void)
{
    enum { OUTPUT_BYTES = 1 << 24 };
    Channel c;
    if (pipe(c.question) != 0 || pipe(c.reply) != 0 || (c.memory = memfd_create("output", MFD_ALLOW_SEALING)) < 0 ||
        ftruncate(c.memory, OUTPUT_BYTES) != 0 ||
        fcntl(c.memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        die(1, "no channel for the judge: %s", strerror(errno));
    return c;
}

static pid_t judge_start(const One *o, const Channel *c, const char *shape, const char *said)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char *fds = text("%d,%d,%d%s", c->reply[0], c->question[1], c->memory, shape ? ",1" : "");
    close(c->question[0]), close(c->reply[1]);
    int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(out, 1), dup2(out, 2);
    setenv("CUDA_CPU_WORKERS", "1", 1);
    alarm(RUN_WALL_S + 20);
    if (shape)
        execl(o->judge, o->judge, "--judge", fds, "--size", shape, "--ladder-only", (char *)NULL);
    else
        execl(o->judge, o->judge, "--judge", fds, (char *)NULL);
    _exit(127);
}

static Judged judge_end(pid_t pid, const char *said)
{
    Judged j = {.wrong = copy("")};
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    j.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    char *words = file_read(said, NULL), *rest = words, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (sscanf(line, "judge: %d of %d hold", &j.held, &j.asked) == 2 || !*line)
            continue;
        char *more = text("%s%s%s", j.wrong, *j.wrong ? "\n" : "", line);
        free(j.wrong);
        j.wrong = more;
    }
    free(words);
    clean_output(j.wrong);
    return j;
}

/* Lines in which the checker names a finding, and what is below them, from what came on the channel of findings. */
static int has_finding(const char *err)
{
    static const char *const tool[] = {"memcheck:", "racecheck:", "initcheck:", "synccheck:", "hostcheck:"};
    for (const char *p = err; *p; p += strcspn(p, "\n"), p += *p == '\n')
        for (size_t i = 0; i < sizeof tool / sizeof tool[0]; i++)
            if (starts_with(p, tool[i]))
                return 1;
    return 0;
}

/* What the process, the judge and the checker say, put together: passes only if all three say so. */
static void verdict(One *o, const Sandbox *s, const Judged *j)
{
    int right = j->status == 0 && j->asked > 0 && j->held == j->asked, found = has_finding(s->err),
        clean = !found && strstr(s->err, "cucc --check: 0 errors ") != NULL && s->status == 0;
    o->r.verified = j->held;
    o->r.outcome = right && clean ? PASSED : FAILED;
    if (j->asked == 0 || j->status > 1) {
        fail(o, BROKEN, "the judge could not judge");
        say(&o->r, j->wrong);
        return;
    }
    if (!right) {
        char *shown = head(s->out, 8), *wrong = head(j->wrong, 6);
        say(&o->r, shown), say(&o->r, wrong);
        free(shown), free(wrong);
    }
    if (s->stopped)
        say(&o->r, s->stopped);
    else if (!clean) {
        char *findings = head(s->err, SAID_LINES);
        say(&o->r, findings);
        free(findings);
        if (!found && right)
            say(&o->r, "it ended before the checker had reported");
    }
}

/* Runs it against the judge: all shapes, or with counters the one of the limits. Returns 1 if all is right. */
static int run_judged(One *o, int counting)
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
    list_add(&s.readable, o->program);
    if (counting) {
        char *set_launches = text("CUDA_CPU_COUNTERS=%s", launches),
             *set_lines = text("CUDA_CPU_COUNTER_LINES=%s", lines);
        list_add(&s.set, "CUDA_CPU_TOOLS=memcheck,counters");
        list_add(&s.set, set_launches), list_add(&s.set, set_lines);
        file_write(launches, "", 0), file_write(lines, "", 0);
        list_add(&s.writable, launches), list_add(&s.writable, lines);
        free(set_launches), free(set_lines);
    }
    pid_t judge = judge_start(o, &c, counting ? o->text.limits_at : NULL, said);
    close(c.question[1]), close(c.reply[0]);
    sandbox_run(&s); /* it closes its own ends here, so that the judge sees their end */
    lines_end(&l);
    Judged j = judge_end(judge, said);
    lines_shorten(o->g, s.err);
    int verified = o->r.verified;
    account(o, &s);
    verdict(o, &s, &j);
    o->r.verified += verified;
    free(said), free(launches), free(lines), free(j.wrong), free(watchdog);
    sandbox_free(&s);
    return o->r.outcome == PASSED;
}

static void hold_limits(One *o)
{
    char *launches = file_in(o, "launches.csv"), *lines = file_in(o, "lines.csv");
    if (run_judged(o, 1)) {
        char *csv = file_read(launches, NULL), *by_line = file_read(lines, NULL);
        char *missed =
            limits_missed(o->text.limits, csv ? csv : "", by_line ? by_line : "", o->compiler, base_name(o->e->path));
        if (missed) {
            clean_output(missed);
            fail(o, FAILED, missed);
        }
        free(csv), free(by_line), free(missed);
    }
    free(launches), free(lines);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void grade_answer(One *o, const char *program)
{
    if (file_write(o->source, program, strlen(program))) {
        fail(o, BROKEN, "the grader's folder cannot be written");
        return;
    }
    if (compile(o) && run_judged(o, 0) && o->text.limits)
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

Result grade_file(const Grading *g, const Exercise *e, const char *file, const char *work)
{
    Result known = {0};
    if (result_read(g, e, file, work, &known) == 0 && known.outcome != BROKEN)
        return known;
    result_free(&known);
    char *submitted = file ? file_read(file, NULL) : NULL, *solution = file_read(e->solution, NULL);
    One o = {.g = g, .e = e, .text = exercise_text(solution ? solution : ""), .work = work, .r = {.said = copy("")}};
    double start = seconds();
    remove_tree(work);
    o.box = file_in(&o, "box");
    if (make_folders(o.box))
        die(1, "cannot make %s: %s", o.box, strerror(errno));
    o.source = text("%s/%s", o.box, base_name(e->path));
    o.program = text("%s/program", o.box);
    o.judge = text("%s/build/cpu/%.*s", g->root, (int)strlen(e->solution) - 3, e->solution);
    if (!submitted) {
        o.r.outcome = MISSING;
    } else if (strstr(submitted, "TODO(ex")) {
        o.r.outcome = TODO;
    } else {
        Answer a = answer_take(solution ? solution : "", submitted, base_name(e->path));
        if (a.program)
            grade_answer(&o, a.program);
        else
            fail(&o, FAILED, a.why);
        if (a.note && o.r.outcome == FAILED)
            say(&o.r, a.note);
        answer_free(&a);
    }
    o.r.took_s = seconds() - start;
    remove_files(&o);
    result_write(g, e, file, work, &o.r);
    free(submitted), free(solution), free(o.box), free(o.source), free(o.program), free(o.judge), free(o.compiler);
    return o.r;
}
