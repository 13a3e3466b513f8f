/* profiler_launches.h: which path of ranges, and which moment, each correlation number was used in: what a kernel's or
 * a copy's record is matched by. */
#ifndef PROFILER_LAUNCHES_H
#define PROFILER_LAUNCHES_H

#include "profiler_core.h"

typedef struct prof_launch_slot {
    uint32_t correlation, node; /* correlation 0: empty; node: prof_node_find() */
    prof_launch launch;
} prof_launch_slot;

/* Empty when zero. */
typedef struct prof_launches {
    prof_launch_slot *slots;
    size_t room, count;
} prof_launches;

/* A number that is known keeps its first launch; number 0 is none. 0, or -1 out of memory. */
int prof_launches_add(prof_launches *t, uint32_t correlation, uint32_t node, prof_launch launch);
/* NULL: not known. Valid until the next is added. */
const prof_launch_slot *prof_launches_find(const prof_launches *t, uint32_t correlation);
void prof_launches_free(prof_launches *t);

#endif
