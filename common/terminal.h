/* terminal.h: whether output may be marked by colours and dimmed. Only a terminal gets escape sequences, never a file or
 * a pipe; NO_COLOR (https://no-color.org) turns colours off, if it is not empty, and so does a terminal of type "dumb". */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int terminal_marks(FILE *to)
{
    const char *no = getenv("NO_COLOR"), *type = getenv("TERM");
    return !(no && *no) && !(type && strcmp(type, "dumb") == 0) && isatty(fileno(to));
}

/* A heading, in bold cyan where that is possible. */
static inline void terminal_heading(FILE *to, const char *words)
{
    const int marks = terminal_marks(to);
    fprintf(to, "%s%s%s", marks ? "\033[1;36m" : "", words, marks ? "\033[0m" : "");
}

#endif
