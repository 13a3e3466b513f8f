/* class.c: all grades of a class, side by side. Each is a process of its own (this program with --one), so that a grade
 * that goes wrong costs no other; what came of it is a file, so that a run that was broken off goes on where it was. */
#include "grading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRADE_WALL_S = 600 };

typedef struct Bar {
    int done, all, width;
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

static int is_graded(const Submission *s) { return s->root && !s->instead; }

int class_grade(const Grading *g, const Submissions *all)
{
    int most = all->count * g->exercises.count, count = 0;
    Job *jobs = calloc((size_t)most + 1, sizeof *jobs);
    char *self = realpath("/proc/self/exe", NULL);
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < g->exercises.count && is_graded(&all->at[i]); k++) {
            const Submission *s = &all->at[i];
            const Exercise *e = &g->exercises.at[k];
            char *why = NULL, *file = submission_file(s, e, &why), *work = work_folder(g, s, e);
            Result known;
            if (file && result_read(g, e, file, work, &known) != 0) {
                char *hash = text("%llx", (unsigned long long)g->hash);
                const char *words[] = {self, "--one", hash, e->number, file, work, g->unsafe ? "--unsafe" : NULL, NULL};
                Job *job = &jobs[count++];
                *job = (Job){.wall_limit_s = GRADE_WALL_S};
                for (int n = 0; words[n]; n++)
                    list_add(&job->command, words[n]);
                free(hash);
            } else if (file) {
                result_free(&known);
            }
            free(why), free(file), free(work);
        }
    bar = (Bar){.all = count, .start = seconds()};
    jobs_run(jobs, count, g->course.cores, one_done);
    for (int i = 0; i < count; i++)
        job_free(&jobs[i]);
    free(jobs), free(self);
    return count;
}

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
