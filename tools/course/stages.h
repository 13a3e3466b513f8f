/* stages.h: a project is an exercise in stages. Its limits have headings, and those below a heading are that stage's:
 *
 *      * Limits at 256x128:
 *      *   stage 2, whole sectors (2 points):
 *      *     sectors / possible sectors of global stores <= 1.5
 *      *   stage 3, no bank conflicts (2 points):
 *      *     bank conflicts <= 200
 *
 * Stage 1 is "right", and has the rest of the exercise's points: the numbers, and no finding of the checker. A stage
 * counts if it and all before it pass. */
#ifndef STAGES_H
#define STAGES_H

#include "commands.h"

enum { MOST_STAGES = 8 };

typedef struct Stage {
    char *name; /* "whole sectors" */
    int points;
    char *limits; /* limits.h; NULL for the first */
} Stage;

typedef struct Stages {
    Stage at[MOST_STAGES];
    int count; /* 0: the exercise has no stages */
} Stages;

/* Is this line of the limits the heading of a stage? */
int stage_heading(const char *line);
Stages stages_of(const ExerciseText *t);
void stages_free(Stages *s);

/* How many stages pass, of an exercise whose numbers are right; *why is what the next one misses, or NULL. The last three
 * are limits_missed()'s. */
int stages_passed(const Stages *s, const char *launches_csv, const char *lines_csv, const char *compiler_said,
                  const char *file, char **why);
/* The points that so many stages make. */
int stages_points(const Stages *s, int passed);
/* The points of an exercise: all if it passes, else those of the stages that do. */
int points_earned(const ExerciseText *t, int passes, int stages);
/* A line for each stage, with its points, and one that names the next. `why` may be NULL. */
char *stages_words(const Stages *s, int passed, const char *why);

#endif
