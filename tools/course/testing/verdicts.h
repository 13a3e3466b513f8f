/* verdicts.h: what tests said, remembered by the content of all that they depend on (keys.h).
 *
 * tests/verdicts.csv is written by the full run (make check-all) and belongs to the repository; build/verdicts.csv has
 * what ran here since. Only what passed whole is remembered: nothing that failed, and nothing of which a part was
 * skipped, unless that part is for a GPU and can run on no machine that these verdicts are for. Each line ends with a checksum of the line; one that does not fit is as if it were not there. */
#ifndef VERDICTS_H
#define VERDICTS_H

#include "../support.h"

typedef struct Verdict {
    char *name, *run; /* the run's day and commit */
    uint64_t key;
    int passed;  /* so many tests; 0: not all did, and nothing is remembered of them */
    int for_gpu; /* so many were skipped, because they need a GPU */
    double cpu_s, wall_s;
} Verdict;

typedef struct Verdicts {
    Verdict *at;
    int count;
} Verdicts;

#define VERDICTS_OF_FULL_RUN "tests/verdicts.csv"
#define VERDICTS_HERE "build/verdicts.csv"

/* Adds the file's; a file that is not there has none. */
void verdicts_read(Verdicts *v, const char *path);
/* In the order of their names. Returns 0, or -1 with errno. */
int verdicts_write(const Verdicts *v, const char *path);
/* The one of that name and key, or NULL; `key` NULL: of any, the last that was added. */
const Verdict *verdict_of_name(const Verdicts *v, const char *name, const uint64_t *key);
/* Takes the place of those with its name; the strings are copied. */
void verdict_set(Verdicts *v, Verdict verdict);

/* What COURSE_REMEMBERS asks for: "no" (the full run): everything runs, and what passes is written for the repository;
 * "more": what has changed runs, and what passes is added to what the repository has. */
int asked_for_all(void);
int asked_for_more(void);

/* Today and the commit, as "2026-01-31 0123abcd"; with a + behind it if files are changed. */
char *this_run(void);
/* What this commit draws for the item of that name. */
uint64_t sample_number(const char *name);
/* Is it in the sample of this commit? So many of a hundred are. */
int in_sample(const char *name, int percent);

#endif
