/* class.c: all grades of a class, side by side. Each is a process of its own (this program with --one), so that a grade
 * that goes wrong costs no other; what came of it is a file, so that a run that was broken off goes on where it was. */
#include "grading.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { GRADE_WALL_S = 600 };

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
    fprintf(stderr, "\r%d of %d grades, about %.0f s more   ", bar.done, bar.all, left);
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
            char *why = NULL, *file = submission_file(s, e, &why), *work = work_folder(g, s, e);
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

int class_grade(const Grading *g, const Submissions *all)
{
    Tasks tasks = tasks_to_do(g, all);
    Job *jobs = calloc((size_t)tasks.count + 1, sizeof *jobs);
    char *self = realpath("/proc/self/exe", NULL), *hash = text("%llx", (unsigned long long)g->hash);
    for (int i = 0; i < tasks.count; i++) {
        const Task *t = &tasks.at[i];
        const char *words[] = {self, "--one", hash, t->number, t->file, t->work, g->unsafe ? "--unsafe" : NULL, NULL};
        jobs[i] = (Job){.wall_limit_s = GRADE_WALL_S};
        for (int n = 0; words[n]; n++)
            list_add(&jobs[i].command, words[n]);
    }
    bar = (Bar){.all = tasks.count, .start = seconds()};
    jobs_run(jobs, tasks.count, g->course.cores, one_done);
    for (int i = 0; i < tasks.count; i++)
        job_free(&jobs[i]);
    int count = tasks.count;
    tasks_free(&tasks);
    free(jobs), free(self), free(hash);
    return count;
}

/* ---- what came of it -------------------------------------------------------------------------------------------- */

Result *class_results(const Grading *g, const Submissions *all)
{
    Result *results = calloc((size_t)(all->count * g->exercises.count) + 1, sizeof *results);
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < g->exercises.count; k++) {
            const Submission *s = &all->at[i];
            const Exercise *e = &g->exercises.at[k];
            Result *r = &results[i * g->exercises.count + k];
            char *why = NULL, *file = submission_file(s, e, &why), *work = work_folder(g, s, e);
            if (s->instead || !s->root)
                *r = (Result){.outcome = BROKEN, .said = copy(s->why ? s->why : "another submission is graded")};
            else if (!file)
                *r = (Result){.outcome = MISSING, .said = text("there is no %s", e->path)};
            else if (result_read(g, e, file, work, r) != 0)
                *r = (Result){.outcome = BROKEN, .said = copy("the grade did not come to its end")};
            if (why) {
                char *more = text("%s%s%s", r->said, *r->said ? "\n" : "", why);
                free(r->said);
                r->said = more;
            }
            free(why), free(file), free(work);
        }
    return results;
}
