/* result.c: what is known of a grade is a file in its folder, bound to the content of all that it came from. */
#include "grading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t content_of(const Grading *g, const Exercise *e, const char *file)
{
    uint64_t hash = hash_bytes(g->hash, e->number, strlen(e->number));
    hash = hash_file(hash, e->solution);
    return file ? hash_file(hash, file) : hash;
}

/* Is the course not what it was when the run began? */
int course_changed(const Grading *g, const Exercise *e)
{
    return hash_of_course() != g->hash || (g->solution && hash_file(HASH_START, e->solution) != g->solution);
}

int result_read(const Grading *g, const Exercise *e, const char *file, const char *work, Result *r)
{
    char *path = text("%s/result", work), *known = file_read(path, NULL);
    unsigned long long hash;
    int outcome, used = 0, found = -1;
    if (known &&
        sscanf(known, "%llx %d %d %lf %lf %zu %d %lf\n%n", &hash, &outcome, &r->verified, &r->took_s, &r->cpu_s,
               &r->memory_bytes, &r->stages, &r->turns, &used) == 8 &&
        used && hash == content_of(g, e, file) && outcome >= 0 && outcome < OUTCOMES) {
        r->outcome = (Outcome)outcome;
        r->said = copy(known + used);
        found = 0;
    }
    free(path), free(known);
    return found;
}

void result_write(const Grading *g, const Exercise *e, const char *file, const char *work, const Result *r)
{
    char *path = text("%s/result", work);
    char *line =
        text("%016llx %d %d %.3f %.3f %zu %d %.0f\n%s", (unsigned long long)content_of(g, e, file), (int)r->outcome,
             r->verified, r->took_s, r->cpu_s, r->memory_bytes, r->stages, r->turns, r->said ? r->said : "");
    if (file_write(path, line, strlen(line)))
        die(1, "cannot write %s: %s", path, strerror(errno));
    free(path), free(line);
}

void result_free(Result *r) { free(r->said); }
