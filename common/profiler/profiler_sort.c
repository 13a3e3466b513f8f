/* profiler_sort.c: the time order of one thread's events. See profiler_sort.h. */
#include "profiler_sort.h"

#include <stdlib.h>
#include <string.h>

/* Time order; at one moment ranges come first, in the order they were recorded (the sort is
 * stable), and of two API calls the outer one. */
static int entry_after(const prof_entry *x, const prof_entry *y)
{
    if (x->start != y->start)
        return x->start > y->start;
    int ax = x->event->kind == PROF_API, ay = y->event->kind == PROF_API;
    if (ax != ay)
        return ax;
    return ax && x->event->end_ns < y->event->end_ns;
}

/* Merge sort by runs: events come almost in order. */
int prof_sort_entries(prof_entry *e, size_t n)
{
    size_t i = 1;
    while (i < n && !entry_after(&e[i - 1], &e[i]))
        i++;
    if (i >= n)
        return 0;
    prof_entry *other = malloc(n * sizeof *other);
    if (!other)
        return -1;
    for (size_t runs = 2; runs > 1;) {
        runs = 0;
        for (size_t a = 0; a < n;) {
            size_t b = a + 1;
            while (b < n && !entry_after(&e[b - 1], &e[b]))
                b++;
            size_t c = b + (b < n);
            while (c < n && !entry_after(&e[c - 1], &e[c]))
                c++;
            size_t x = a, y = b, k = a;
            while (x < b && y < c)
                other[k++] = entry_after(&e[x], &e[y]) ? e[y++] : e[x++];
            while (x < b)
                other[k++] = e[x++];
            while (y < c)
                other[k++] = e[y++];
            a = c;
            runs++;
        }
        memcpy(e, other, n * sizeof *e);
    }
    free(other);
    return 0;
}
