/* copying.h: an answer's text on its way into the teacher's file: names are renamed that it may not use, and what could
 * reach beyond the answer is refused (answer.h). */
#ifndef COPYING_H
#define COPYING_H

#include <ctype.h>
#include <stdio.h>

#include "align.h"

/* A bracket that is open, and in whose text: an answer's (the gap's number) or a given line's. */
enum { GIVEN = -1 };
typedef struct Bracket {
    char is;
    int gap, line;
} Bracket;

/* `words`: what the answer may name of the file. `why`: it is refused because. */
typedef struct Copying {
    const List *words;
    FILE *out;
    List labels;   /* words before a colon */
    int gap, line; /* of the file that was handed in */
    Bracket open[256];
    int depth;
    char *why;
} Copying;

static inline int starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}
static inline int in_word(char c) { return starts_word(c) || isdigit((unsigned char)c); }

/* Copies the text of the gap c->gap, which begins on line c->line, renamed. */
void copy_answer(Copying *c, const char *p);
/* Takes note of a given line's brackets: none of them may close an answer's. */
void given_brackets(Copying *c, const Given *g, int fixed);
/* May an answer close the last open bracket by this one? A block may end in a later gap than it began in: given lines
 * then stand in it. Parentheses may not. */
int may_close(const Copying *c, char b);

#endif
