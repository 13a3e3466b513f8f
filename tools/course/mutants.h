/* mutants.h: what the trials of an exercise's mutants and of the library's share. */
#ifndef MUTANTS_H
#define MUTANTS_H

#include "course.h"

typedef struct Trial {
    const Course *c;
    const char *what; /* the stub's solution, or the mutant's path */
    char *base;       /* build/mutants/NAME: .cu, .exe, .log */
} Trial;

/* Exit statuses of a mutant whose test is skipped (Automake's for a skipped test), or never ends (as timeout's). */
enum { NOT_TRIED = 77, ENDLESS = 124 };

/* Verdicts: caught; caught by a test that did not end; not tried. Everything else is wrong. */
extern const char verdict_ok[], verdict_endless[], verdict_skipped[];
/* What the exit status of a test says of the mutant that it was run on. */
const char *verdict_of(int status, const char *survived);

/* Runs a shell's command with its words in `log`; each of its processes may use so much CPU time. Returns its status. */
int mutants_sh(const char *command, const char *log, int cpu_s);
/* Applies the sed script to `file`, into `to`. 0 if that changes something. */
int mutate(const char *script, const char *file, const char *to);

/* library_mutants.c. The mutant of `file`, which `test` must catch, in a tree of its own; with `script` NULL the tree as
 * it is, on which the test must pass. */
const char *try_library(const Trial *t, const char *script, const char *file, const char *test);

#endif
