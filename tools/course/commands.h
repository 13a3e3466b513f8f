/* commands.h: what the course's tool can do, one function a command. Each returns the exit status: 0 done, 1 something
 * is wrong or not right yet, 2 bad input. argv[0] is the command's name. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "course.h"

int command_run(Course *c, int argc, char **argv);       /* run.c: ./run */
int command_exercises(Course *c, int argc, char **argv); /* progress.c */
int command_next(Course *c, int argc, char **argv);
int command_skip(Course *c, int argc, char **argv);
int command_hint(Course *c, int argc, char **argv);
int command_reset(Course *c, int argc, char **argv);
int command_watch(Course *c, int argc, char **argv);
int command_grade(Course *c, int argc, char **argv); /* prints todo, passed or failed */
int command_path(Course *c, int argc, char **argv);
int command_stubs(Course *c, int argc, char **argv);
int command_drift(Course *c, int argc, char **argv);
int command_stub(Course *c, int argc, char **argv);  /* stub.c: one solution's stub on stdout */
int command_check(Course *c, int argc, char **argv); /* check.c: make check */
int command_remembered(Course *c, int argc, char **argv);
int command_counts(Course *c, int argc, char **argv);  /* counts.c: counts ladders, or compares with what is recorded */
int command_listing(Course *c, int argc, char **argv); /* listing/listing_tool.c: what nvcc makes of a file's kernels */
int command_limits(Course *c, int argc, char **argv);  /* do these solutions keep their own limits? */
int command_leaderboard(Course *c, int argc, char **argv); /* ranking.c: merges the files named, and shows it */
int command_mutants(Course *c, int argc, char **argv);     /* mutants.c: the proof that the checks can fail */

/* view.c: ./run LAB --view [FILE], --view-launch, --view-block, --view-svg, --view-rows. */
typedef struct View {
    int on;
    const char *file, *launch, *block, *picture, *rows; /* NULL: not given */
} View;
int view_option(View *v, char **argv, int argc, int *i); /* takes argv[*i], and its value, if it is one of these */
/* Adds the environment in which a checked program of that name writes what is asked for. */
void view_settings(const View *v, const Course *c, const char *lab, List *set);

/* How many results of each kind. */
typedef struct Count {
    int passed, failed, skipped;
    int for_gpu; /* so many of the skipped ones need a GPU */
} Count;
/* tests.c: what a test of Check's or a script has said in TAP ("ok", "not ok", "ok # SKIP") in one file, less the tests
 * that it says in the other, a line each, to have skipped. A file that is not there says nothing. */
Count count_said(const char *tap_file, const char *skips_file);
/* The stubs and mutants that are named, or all: how many failed as they must, and how many did not. */
Count prove(Course *c, char **names, int count);

/* grade.c. What came of an exercise. `said` is what the student should read: why it does not build, what is wrong, or
 * the limit that it misses; may be "". */
typedef enum State { STATE_TODO, STATE_PASSED, STATE_FAILED } State;
typedef struct Grade {
    State state;
    char *said;
    int stages;   /* of a project: how many pass; else 0 */
    double turns; /* its memory turns (limits.h), counted on inputs that are drawn anew; 0: not counted */
} Grade;
/* Builds, runs, checks and counts; what is known of the same content is not done again. */
Grade exercise_grade(const Course *c, const Exercise *e);
/* The same for the student at the terminal: prints what came of it and what to do next. */
State exercise_grade_and_tell(const Course *c, const Exercise *e);

/* exercise_text.c. The first comment of an exercise, taken apart:
 *
 *     / * Exercise 5.4 turn a tile (2 points)
 *      *
 *      * What is asked.
 *      *
 *      * Limits at 130x70:
 *      *   ... (limits.h)
 *      *
 *      * Hint 1: ...
 *      *
 *      * After a pass:
 *      * ...
 */
typedef struct ExerciseText {
    char *title; /* "turn a tile (2 points)" */
    int points;
    char *asked;     /* the text between, lines without their " * " */
    List hints;      /* without "Hint N:" */
    char *after;     /* what a good solution does, and the next step, or NULL */
    char *limits;    /* the lines below "Limits", or NULL */
    char *limits_at; /* the shape they are for, or NULL: the tests' */
} ExerciseText;
/* Of the file's content. A file that does not begin so has empty parts. */
ExerciseText exercise_text(const char *content);
void exercise_text_free(ExerciseText *t);

/* exercise.c. What is remembered of the student: "hints" (how many were shown) and "skipped"; 0: nothing. */
int note_read(const char *what, const Exercise *e);
/* Title, points, hints and limits, from the solution, of which the exercise is made. */
ExerciseText text_of(const Exercise *e);

/* stub.c. The exercise that a solution makes: without its answers, its hints and what is said after a pass. NULL, with
 * *why set, if an answer is not closed. */
char *stub_of(const char *solution, const char **why);

#endif
