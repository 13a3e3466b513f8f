#include "unseen.h"

#include "../course/commands.h"
#include "../course/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

enum { DRAWS = 8, NARROW = 32 };

static unsigned drawn(unsigned below)
{
    unsigned bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        die(1, "cannot get random numbers: %s", strerror(errno));
    return bits % below;
}

/* Up to half as large again in each dimension, and as ragged: warps, tiles and vectors end where they ended. The second
 * half of the draws leaves dimensions below a warp as they are: there may be a number of heads, or of ranks. */
static char *draw(const char *at, int keep_narrow)
{
    char *shape = copy(""), *end;
    for (const char *p = at; *p; p = *end == 'x' ? end + 1 : end) {
        unsigned n = (unsigned)strtoul(p, &end, 10);
        if (end == p)
            break;
        unsigned more = n >= NARROW   ? NARROW * (1 + drawn(n / (2 * NARROW) + 1))
                        : keep_narrow ? 0
                                      : 1 + drawn(n / 2 + 1);
        char *longer = text("%s%s%u", shape, *shape ? "x" : "", n + more);
        free(shape);
        shape = longer;
    }
    return shape;
}

/* What it is bound to: the course, and the teacher's text. */
static char *bound_to(const Grading *g, const Exercise *e)
{
    return text("%016llx", (unsigned long long)hash_file(g->hash, e->solution));
}

static Unseen unseen_find(const Grading *g, const Exercise *e, const char *work, char **why)
{
    Unseen u = {copy(""), copy("")};
    char *solution = file_read(e->solution, NULL), *shapes[DRAWS + 1] = {NULL}, *here[2] = {NULL}, *there[2] = {NULL};
    ExerciseText t = exercise_text(solution ? solution : "");
    for (int i = 0; i < DRAWS; i++)
        shapes[i] = draw(t.limits_at, i >= DRAWS / 2);
    int found = teacher_counts(g, e, work, shapes, here, there, why);
    if (found >= 0) {
        free(u.shape), free(u.limits);
        u.shape = copy(shapes[found]);
        u.limits = limits_elsewhere(t.limits, here, there);
    }
    for (int i = 0; i < DRAWS; i++)
        free(shapes[i]);
    free(solution), free(here[0]), free(here[1]), free(there[0]), free(there[1]);
    return u;
}

/* GRADES/unseen, where the grade's own folder is GRADES/work/STUDENT/EXERCISE. */
static char *folder_of(const char *work)
{
    const char *end = work + strlen(work);
    for (int i = 0; i < 3; i++)
        while (end > work && *--end != '/')
            continue;
    return text("%.*s/unseen", (int)(end - work), work);
}

/* What was drawn before, if it is of this exercise as it is. */
static int is_known(const char *path, const char *bound, Unseen *u)
{
    char *all = file_read(path, NULL);
    const int known = all && starts_with(all, bound);
    if (known) {
        const char *shape = all + strlen(bound) + 1, *end = shape + strcspn(shape, "\n");
        *u = (Unseen){text("%.*s", (int)(end - shape), shape), copy(*end ? end + 1 : end)};
    }
    free(all);
    return known;
}

static Unseen draw_and_keep(const Grading *g, const Exercise *e, const char *work, const char *path, const char *bound,
                            char **why)
{
    char *own = text("%s/teacher", work);
    Unseen u = unseen_find(g, e, own, why);
    char *all = text("%s %s\n%s", bound, u.shape, u.limits);
    if (!*why && file_write(path, all, strlen(all)))
        *why = text("%s cannot be written: %s", base_name(path), strerror(errno));
    remove_tree(own);
    free(own), free(all);
    return u;
}

/* Grades run side by side: one draws, the others wait for what it has drawn. */
Unseen unseen_of(const Grading *g, const Exercise *e, const char *work, char **why)
{
    char *folder = folder_of(work), *path = text("%s/%s", folder, e->number), *bound = bound_to(g, e);
    Unseen u = {NULL, NULL};
    if (!is_known(path, bound, &u)) {
        const int lock = make_folders(folder) ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock < 0 || flock(lock, LOCK_EX)) {
            u = (Unseen){copy(""), copy("")};
            *why = text("%s cannot be written: %s", base_name(path), strerror(errno));
        } else if (!is_known(path, bound, &u)) {
            u = draw_and_keep(g, e, work, path, bound, why);
        }
        if (lock >= 0)
            close(lock);
    }
    free(folder), free(path), free(bound);
    return u;
}

void unseen_free(Unseen *u) { free(u->shape), free(u->limits); }
