/* profiler_launches.c: an open-addressing table by correlation number. See profiler_launches.h. */
#include "profiler_launches.h"

#include <stdlib.h>

static size_t hash(uint32_t c) { return (uint64_t)c * 0x9e3779b97f4a7c15u >> 20; }

static int grow(prof_launches *t)
{
    size_t room = t->room ? t->room * 2 : 1024;
    prof_launch_slot *slots = calloc(room, sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < t->room; i++) {
        if (!t->slots[i].correlation)
            continue;
        size_t k = hash(t->slots[i].correlation) & (room - 1);
        while (slots[k].correlation)
            k = (k + 1) & (room - 1);
        slots[k] = t->slots[i];
    }
    free(t->slots);
    t->slots = slots;
    t->room = room;
    return 0;
}

int prof_launches_add(prof_launches *t, uint32_t correlation, uint32_t node, prof_launch launch)
{
    if (!correlation)
        return 0;
    if (t->count * 2 >= t->room && grow(t))
        return -1;
    size_t k = hash(correlation) & (t->room - 1);
    while (t->slots[k].correlation && t->slots[k].correlation != correlation)
        k = (k + 1) & (t->room - 1);
    if (t->slots[k].correlation)
        return 0; /* a driver call inside a runtime call: the outer one counts */
    t->count++;
    t->slots[k] = (prof_launch_slot){correlation, node, launch};
    return 0;
}

const prof_launch_slot *prof_launches_find(const prof_launches *t, uint32_t correlation)
{
    if (!t->room || !correlation)
        return NULL;
    size_t k = hash(correlation) & (t->room - 1);
    for (; t->slots[k].correlation; k = (k + 1) & (t->room - 1))
        if (t->slots[k].correlation == correlation)
            return &t->slots[k];
    return NULL;
}

void prof_launches_free(prof_launches *t)
{
    free(t->slots);
    *t = (prof_launches){0};
}
