/* align.h: which words of a file that was handed in are an exercise's answers, by an alignment with the exercise's
 * solution. Words, not lines: how a student breaks lines, and what stands on the line of a given word, is free. */
#ifndef ALIGN_H
#define ALIGN_H

#include "../course/course.h"

enum { MOST_GAPS = 16 };

typedef struct Line {
    const char *at;
    int length, number; /* without the newline; from 1 */
    int weight;         /* characters that are neither blanks nor in comments */
} Line;

typedef struct Lines {
    Line *at;
    int count;
} Lines;

/* A name, a number, a literal, one character of anything else, or a directive's whole line. */
typedef struct Word {
    const char *at;
    int length, line; /* the line's number */
    uint64_t key;     /* equal for words that are equal */
} Word;

typedef struct Words {
    Word *at;
    int count;
} Words;

/* The solution, taken apart: its given lines and, between them, places for answers. */
typedef struct Given {
    Lines all, fixed;
    int gaps, before[MOST_GAPS]; /* how many given lines stand above a gap */
    Words words;                 /* of the given lines */
    int *first;                  /* of each given line its first word; fixed.count + 1 of them */
    char *answers;               /* the solution's own */
} Given;

enum { NOWHERE = -1, IS_GIVEN = -2 };

/* Which word of the file stands for each given word (-1: none); for each word of the file the gap that it stands in,
 * IS_GIVEN, or NOWHERE, and how many given words stand before it. */
typedef struct Alignment {
    int *word_of, *place, *after;
} Alignment;

/* The lines after the first comment. */
Lines lines_of(const char *file);
Words words_of_lines(const Lines *l);
/* Does the line begin with these characters, after blanks? */
int begins(const Line *l, const char *with);
/* Does it end with a backslash, so that the next line belongs to it? */
int goes_on(const Line *l);
/* Adds a line to a text. */
void append(char **to, const char *at, int length);

Given given_by(const char *solution);
void given_free(Given *g);
/* Which gap stands behind so many given lines; -1: none. */
int gap_at(const Given *g, int fixed);
/* The cheapest way from the given words to the file's: a given word that is missing costs its characters, a word that
 * stands where nothing belongs costs one, a word in a gap costs nothing. Returns 0, or -1: the file is too long. */
int align(const Given *g, const Words *file, Alignment *a);
void alignment_free(Alignment *a);

#endif
