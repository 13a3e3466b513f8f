/* tests.h: the tests of one run: what is remembered of them, and running the others. */
#ifndef COURSE_TESTS_H
#define COURSE_TESTS_H

#include "../commands.h"
#include "verdicts.h"

/* A program of Check's says in a file of TAP what came of each test, a script prints TAP, of everything else the exit
 * status counts; of a mutant it is one of mutants.h. */
typedef enum Kind { KIND_PROGRAM, KIND_SCRIPT, KIND_STATUS, KIND_MUTANT } Kind;

typedef struct Test {
    Kind kind;
    char *name, *log, *tap, *skips;
    char *target; /* what make must have built, or NULL */
    int mutant;   /* one of the proof that the checks can fail */
    uint64_t key;
    Verdict verdict, *remembered; /* NULL: it is run */
    double expected_s;            /* how long it took when it was last run; those that are not known come first */
    Job job;
    Count count;
} Test;

typedef struct Tests {
    Course *c;
    char *out; /* folder of the logs */
    Count count;
    Test **tests;
    int test_count;
    Verdicts of_full_run, here;
    int remembers, sample; /* is anything remembered, and how many of a hundred of that are run all the same? */
    int broken;            /* something does not build: nothing of this run is remembered */
    int ran, remembered;   /* tests, as they are counted in the last line */
} Tests;

/* Reads the verdicts. It leaves the logs alone, which may be those of a run that is under way. */
void tests_open(Tests *s, Course *c);
/* Adds a test with the words of its command (the list ends with NULL); its log is named after `name`. */
Test *tests_add(Tests *s, Kind kind, const char *name, const char *const *words, uint64_t key);
/* Sets what is remembered of each test, and takes the counts of that. */
void tests_remember(Tests *s);
/* Empties the folder of the logs, before anything is built or run. */
void tests_begin(const Tests *s);
/* Runs the others, the longest first. */
void tests_run(Tests *s);
/* Notes what passed. `all`: it is the full run, whose verdicts belong to the repository. */
void tests_note(Tests *s, int all);
/* "ran N tests, remembered M (of ...)". */
void tests_tell(const Tests *s);

#endif
