#include "leaderboard.h"
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char heading[] = "exercise,student,turns,points,of,date";

char *leaderboard_date(void)
{
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    return copy(date);
}

/* A name is one cell of the table: no commas, quotes or control characters. */
static char *cell(const char *name)
{
    char *clean = copy(name);
    for (char *p = clean; *p; p++)
        if (*p == ',' || *p == '"' || (unsigned char)*p < ' ' || *p == 127)
            *p = '_';
    return clean;
}

Entries leaderboard_read(const char *path)
{
    Entries e = {0};
    char *all = file_read(path, NULL), *rest = all, *line;
    while ((line = strsep(&rest, "\n"))) {
        char exercise[16], student[256], date[16], after;
        double turns;
        int points, of;
        if (sscanf(line, "%15[0-9.],%255[^,],%lf,%d,%d,%15[0-9-]%c", exercise, student, &turns, &points, &of, date,
                   &after) == 6 &&
            turns > 0 && points >= 0 && points <= of)
            leaderboard_merge(&e, &(Entry){exercise, student, turns, points, of, date});
    }
    free(all);
    return e;
}

static int is_better(const Entry *a, const Entry *b)
{
    return a->points != b->points ? a->points > b->points : a->turns < b->turns;
}

void leaderboard_merge(Entries *to, const Entry *e)
{
    char *student = cell(e->student);
    Entry copied = {copy(e->exercise), student, e->turns, e->points, e->of, copy(e->date)};
    for (int i = 0; i < to->count; i++)
        if (strcmp(to->at[i].exercise, e->exercise) == 0 && strcmp(to->at[i].student, student) == 0) {
            if (is_better(e, &to->at[i]))
                to->at[i] = copied;
            return;
        }
    to->at = realloc(to->at, sizeof *to->at * (size_t)(to->count + 1));
    if (!to->at)
        die(1, "not enough memory");
    to->at[to->count++] = copied;
}

int leaderboard_order(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    int order = strverscmp(x->exercise, y->exercise);
    if (order == 0)
        order = is_better(y, x) - is_better(x, y);
    return order ? order : strcmp(x->student, y->student);
}

int leaderboard_write(const char *path, Entries *e)
{
    char *all = text("%s\n", heading);
    qsort(e->at, (size_t)e->count, sizeof *e->at, leaderboard_order);
    for (int i = 0; i < e->count; i++) {
        const Entry *n = &e->at[i];
        char *more = text("%s%s,%s,%.0f,%d,%d,%s\n", all, n->exercise, n->student, n->turns, n->points, n->of, n->date);
        free(all);
        all = more;
    }
    int written = file_write(path, all, strlen(all));
    free(all);
    return written;
}
