/* mutants.h: what the trials of an exercise's mutants and of the library's share. */
#ifndef MUTANTS_H
#define MUTANTS_H

#include "../course.h"

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

/* Runs a shell's command, with these variables ("NAME=value", ended by NULL; or NULL) and with its words in `log`; each of its
 * processes may use so much CPU time. Returns its status. */
int mutants_sh(const char *const *set, const char *command, const char *log, int cpu_s);
/* The value of "# KEY: value" in a mutant's first lines, or NULL. */
char *mutant_key(const char *mutant, const char *key);
/* The solution that an exercise's mutant changes, or NULL: tests/mutants/lectureNN_x/exMM_y/NAME.sed changes
 * solutions/lectureNN_x/exMM_y.cu. */
char *mutant_solution(const char *what);
/* All stubs (their solutions) and mutants. */
void mutants_list(List *what);
/* What make should have built before the mutant is tried, so that its tree has it: its test's program; NULL: nothing. */
char *mutant_program(const char *what);
/* Applies the sed script to `file`, into `to`: 0 if that changes something. Without a script it copies the file. */
int mutate(const char *script, const char *file, const char *to);

/* mutant_tree.c. Makes the folder `tree`: the course with `changed` in place of `file` ("": with no change), and what has
 * been built of the program `test` (its path below build/cpu, or ""). With `copies`, files that the course's own tests
 * write to are copied. Returns 0 or -1; what commands print goes to `log`. */
int mutant_tree(const char *tree, const char *file, const char *changed, const char *test, int copies, const char *log);
/* The tree is spare now: the next one is made from it. */
void mutant_tree_done(const char *tree);
/* Removes all that are spare, when the last mutant has been tried. */
void mutant_trees_remove(void);

/* library_mutants.c. The mutant of `file`, which `test` must catch, in a tree of its own; with `script` NULL the tree as
 * it is, on which the test must pass. */
const char *try_library(const Trial *t, const char *script, const char *file, const char *test);

#endif
