/* align.h: which lines of a file that was handed in are an exercise's answers, by an alignment with the exercise's
 * solution. */
#ifndef ALIGN_H
#define ALIGN_H

#include "../course/course.h"

enum { MOST_GAPS = 16 };

typedef struct Line {
    const char *at;
    int length, number; /* without the newline; from 1 */
    char *key;          /* without blanks and comments: what is compared */
    int weight;         /* characters of the key */
} Line;

typedef struct Lines {
    Line *at;
    int count;
} Lines;

/* The solution, taken apart: its given lines and, between them, places for answers. */
typedef struct Given {
    Lines all, fixed;
    int gaps, before[MOST_GAPS]; /* how many given lines stand above a gap */
    char *answers;               /* the solution's own */
} Given;

/* Which line of the file stands for each given line (-1: none), and which gap each line belongs to (-1: none). */
typedef struct Alignment {
    int *line_of, *gap_of;
} Alignment;

/* The lines after the first comment. */
Lines lines_of(const char *file);
void lines_free(Lines *l);
/* Does the line begin with these words, after blanks? */
int begins(const Line *l, const char *words);
/* Adds a line to a text. */
void append(char **to, const char *at, int length);

Given given_by(const char *solution);
/* Which gap stands behind so many given lines; -1: none. */
int gap_at(const Given *g, int fixed);
/* The cheapest way from the given lines to the file's: a given line that is missing costs its characters, a line that
 * stands where nothing belongs costs one, a line in a gap costs nothing. */
Alignment align(const Given *g, const Lines *file);

#endif
