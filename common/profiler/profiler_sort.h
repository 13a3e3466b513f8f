/* profiler_sort.h: the order in which the events of one thread are replayed. */
#ifndef PROFILER_SORT_H
#define PROFILER_SORT_H

#include "profiler_core.h"

typedef struct prof_entry {
    uint64_t start; /* the event's, at hand */
    const prof_event *event;
} prof_entry;

/* By time. At one moment ranges come first, in the order they were recorded, and of two API calls the outer one. Nearly
 * linear where the events are almost in order. 0, or -1 out of memory. */
int prof_sort_entries(prof_entry *entries, size_t count);

#endif
