/* cuprof_say.h: what cuprof says itself. */
#ifndef CUPROF_SAY_H
#define CUPROF_SAY_H

#include <stdio.h>

/* A line, or lines, in the user's language. */
void say_to(FILE *to, const char *english);

/* A line with cuprof's name before it. */
void say_in(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define say(...) say_in(stderr, __VA_ARGS__)

#endif
