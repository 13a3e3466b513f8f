/* addresses.c: what a recording keeps once for all of its blocks: its arrays, and places in the program.  Addresses of
 * shared memory, which each OS thread has elsewhere, become the same for all. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "memory/kernel_memory.h"
#include "cpudev_must.h"
#include "recorder.h"
#include "tape.h"

uint32_t tape_place(view_tape *t, uintptr_t pc)
{
    pthread_mutex_lock(&view.lock);
    view_recording *r = t->of;
    int i = 0;
    while (i < r->place_count && r->places[i] != pc)
        i++;
    if (i == r->place_count) {
        r->places = must(realloc(r->places, (size_t)(i + 1) * sizeof *r->places));
        r->places[r->place_count++] = pc;
    }
    pthread_mutex_unlock(&view.lock);
    return (uint32_t)i + 1;
}

enum { SHARED_ROOM = 1 << 20 };
#define SHARED_BASE ((uintptr_t)1 << 50)

/* The array's entry in the recording: of shared memory by name and size, of global memory by address. */
static uintptr_t array_base(view_recording *r, const view_array *a)
{
    uintptr_t base = a->base;
    pthread_mutex_lock(&view.lock);
    int i = 0;
    for (; i < r->array_count; i++) {
        const view_array *q = &r->arrays[i];
        if (q->memory == a->memory && q->bytes == a->bytes &&
            (a->memory == VIEW_SHARED ? !strcmp(q->name, a->name) : q->base == a->base))
            break;
    }
    if (i < r->array_count || i < (int)(sizeof r->arrays / sizeof *r->arrays)) {
        if (i == r->array_count) {
            r->arrays[r->array_count++] = *a;
            if (a->memory == VIEW_SHARED)
                r->arrays[i].base = SHARED_BASE + (uintptr_t)i * SHARED_ROOM;
        }
        base = r->arrays[i].base;
    }
    pthread_mutex_unlock(&view.lock);
    return base;
}

uintptr_t tape_address(view_tape *t, uintptr_t a, int memory)
{
    for (int i = 0; i < t->array_count; i++)
        if (a - t->array[i].lo < t->array[i].bytes)
            return t->array[i].base + (a - t->array[i].lo);
    view_array array = {.memory = memory};
    check_array found;
    if (!check_array_at(a, memory == VIEW_SHARED, &found))
        return a;
    array.base = found.base;
    array.bytes = found.bytes;
    memcpy(array.name, found.name, sizeof array.name);
    memcpy(array.about, found.about, sizeof array.about);
    uintptr_t base = array_base(t->of, &array);
    if (t->array_count < TAPE_ARRAYS && a - found.base < found.bytes) {
        t->array[t->array_count].lo = found.base;
        t->array[t->array_count].base = base;
        t->array[t->array_count++].bytes = found.bytes;
    }
    return base + (a - found.base);
}
