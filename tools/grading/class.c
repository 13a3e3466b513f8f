/* class.c: all grades of a class, side by side. Each is a process of its own (this program with --one), so that a grade
 * that goes wrong costs no other; what came of it is a file, so that a run that was broken off goes on where it was. */
#include "clean.h"
#include "grading.h"
#include "../course/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { GRADE_WALL_S = 900 }; /* a grade may be made twice in its process (one.c) */

typedef struct Bar {
    int done, all;
    double start;
} Bar;

static Bar bar; /* for the callback of jobs_run() alone */

static void one_done(Job *job)
{
    (void)job;
    bar.done++;
    if (!isatty(STDERR_FILENO))
        return;
    double left = (seconds() - bar.start) / bar.done * (bar.all - bar.done);
    fputc('\r', stderr);
    say_to(stderr, "%d of %d grades, about %.0f s more", bar.done, bar.all, left);
    fputs("   ", stderr);
    if (bar.done == bar.all)
        fprintf(stderr, "\r%60s\r", "");
}

/* ---- what is to be done ----------------------------------------------------------------------------------------- */

Tasks tasks_to_do(const Grading *g, const Submissions *all)
{
    Tasks t = {calloc((size_t)(all->count * g->exercises.count) + 1, sizeof *t.at), 0};
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < g->exercises.count && all->at[i].root && !all->at[i].instead; k++) {
            const Submission *s = &all->at[i];
            const Exercise *e = &g->exercises.at[k];
            char *why = NULL, *file = submission_file(g, s, e, &why), *work = work_folder(g, s, e);
            Result known = {0};
            if (file && (result_read(g, e, file, work, &known) != 0 || known.outcome == BROKEN))
                t.at[t.count++] = (Task){e->number, file, work};
            else
                free(file), free(work);
            result_free(&known);
            free(why);
        }
    return t;
}

void tasks_free(Tasks *t)
{
    for (int i = 0; i < t->count; i++)
        free(t->at[i].file), free(t->at[i].work);
    free(t->at);
}

/* ---- one of them --------------------------------------------------------------------------------------------- */

/* No two processes grade into one folder, even if one of them belongs to a run that was broken off. */
static int lock_folder(const char *folder)
{
    char *path = text("%s.lock", folder), *above = copy(folder);
    *strrchr(above, '/') = 0;
    if (make_folders(above))
        die(1, "cannot make %s: %s", above, strerror(errno));
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || flock(fd, LOCK_EX) != 0)
        die(1, "cannot lock %s: %s", path, strerror(errno));
    free(path), free(above);
    return fd;
}

int grade_alone(const Grading *g, const Exercise *e, const char *file, const char *work)
{
    Result r = {0};
    int lock = lock_folder(work), known = result_read(g, e, file, work, &r) == 0 && r.outcome != BROKEN;
    if (!known) {
        result_free(&r);
        r = grade_file(g, e, file, work);
    }
    result_free(&r);
    close(lock);
    return !known;
}

/* ---- on this machine -------------------------------------------------------------------------------------------- */

/* What a grade's process says when it cannot go on. */
static char *words_file(const char *work) { return text("%s.err", work); }

static Job job_of(const Grading *g, const Task *t, const char *self, const char *hash)
{
    Job job = {.wall_limit_s = GRADE_WALL_S};
    Exercise *e = exercise_named(&g->exercises, t->number);
    char *solution = text("%llx", (unsigned long long)hash_file(HASH_START, e->solution));
    const char *words[] = {self, "--one", hash, solution, t->number, t->file, t->work, g->unsafe ? "--unsafe" : NULL};
    for (size_t n = 0; n < sizeof words / sizeof words[0] && words[n]; n++)
        list_add(&job.command, words[n]);
    char *above = text("%.*s", (int)(base_name(t->work) - t->work - 1), t->work), *err = words_file(t->work);
    if (make_folders(above) == 0)
        job.err = err;
    else
        free(err);
    free(solution), free(above);
    return job;
}

/* Does them side by side. Those whose process came to its end are taken off the list. */
static void run(const Grading *g, Tasks *t, const char *self, const char *hash)
{
    Job *jobs = calloc((size_t)t->count + 1, sizeof *jobs);
    int left = 0;
    if (!jobs)
        die(1, "not enough memory");
    for (int i = 0; i < t->count; i++)
        jobs[i] = job_of(g, &t->at[i], self, hash);
    bar = (Bar){.all = t->count, .start = seconds()};
    jobs_run(jobs, t->count, g->course.cores, g->course.cores, one_done);
    for (int i = 0; i < t->count; i++) {
        if (jobs[i].status != 0) {
            t->at[left++] = t->at[i];
        } else {
            if (jobs[i].err)
                unlink(jobs[i].err);
            free(t->at[i].file), free(t->at[i].work);
        }
        free((char *)jobs[i].err);
        job_free(&jobs[i]);
    }
    t->count = left;
    free(jobs);
}

int class_grade(const Grading *g, const Submissions *all)
{
    Tasks tasks = tasks_to_do(g, all);
    char *self = realpath("/proc/self/exe", NULL), *hash = text("%llx", (unsigned long long)g->hash);
    int count = tasks.count;
    if (!self)
        die(1, "grade: cannot start the grades: %s", strerror(errno));
    run(g, &tasks, self, hash);
    if (tasks.count) /* their processes were killed, or could not go on: once more */
        run(g, &tasks, self, hash);
    tasks_free(&tasks);
    free(self), free(hash);
    return count;
}

/* ---- what came of it -------------------------------------------------------------------------------------------- */

static char *no_result(const char *work)
{
    char *file = words_file(work), *words = file_read(file, NULL);
    char *said = text("the grading did not finish%s%.*s", words && *words ? ": " : "",
                      words ? (int)strcspn(words, "\n") : 0, words ? words : "");
    free(file), free(words);
    return said;
}

Result *class_results(const Grading *g, const Submissions *all)
{
    Result *results = calloc((size_t)(all->count * g->exercises.count) + 1, sizeof *results);
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < g->exercises.count; k++) {
            const Submission *s = &all->at[i];
            const Exercise *e = &g->exercises.at[k];
            Result *r = &results[i * g->exercises.count + k];
            char *why = NULL, *file = submission_file(g, s, e, &why), *work = work_folder(g, s, e);
            if (s->instead || !s->root)
                *r = (Result){.outcome = BROKEN, .said = copy(s->why ? s->why : "another submission is graded")};
            else if (!file && why)
                *r = (Result){.outcome = BROKEN, .said = copy("")};
            else if (!file)
                *r = (Result){.outcome = MISSING, .said = text("there is no %s", e->path)};
            else if (result_read(g, e, file, work, r) != 0)
                *r = (Result){.outcome = BROKEN, .said = no_result(work)};
            if (why) {
                char *more = text("%s%s%s", r->said, *r->said ? "\n" : "", why);
                free(r->said);
                r->said = more;
            }
            clean_output(r->said);
            free(why), free(file), free(work);
        }
    return results;
}
