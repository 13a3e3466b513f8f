/* leaderboard.h: the lowest score of each student in each project: a CSV for one class, which nobody else sees.
 * ./run writes the student's own line into .course/leaderboard.csv, tools/grade the class's into its folder.
 *
 *     exercise,student,turns,points,of,date
 *     5.15,ada,23808,12,12,2026-11-26 */
#ifndef LEADERBOARD_H
#define LEADERBOARD_H

#include "support.h"

#define LEADERBOARD ".course/leaderboard.csv"

typedef struct Entry {
    char *exercise, *student;
    double turns; /* the score: memory turns (limits.h), fewer is better */
    int points, of;
    char *date;
} Entry;

typedef struct Entries {
    Entry *at;
    int count;
} Entries;

/* Lines that cannot be read are left out; a file that is not there has none. */
Entries leaderboard_read(const char *path);
/* Of two entries of one student in one exercise the one with more points stays, and of equal points that with fewer turns.
 * The strings are kept. */
void leaderboard_merge(Entries *to, const Entry *e);
/* For qsort: by exercise, then points, then turns. */
int leaderboard_order(const void *a, const void *b);
/* In that order. Returns 0, or -1 with errno. */
int leaderboard_write(const char *path, Entries *e);
/* Today, as a date of an entry. */
char *leaderboard_date(void);

#endif
