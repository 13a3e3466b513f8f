/* slots.c: one pointer of each thread's own, freed with the block. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "exec/slots.h"
#include "cpudevice.h"

static __thread void *thread_slots[1024];

static __thread bool slots_used;

void **cpudev_thread_slot(void)
{
    slots_used = true;
    return &thread_slots[cpudev_tid() % 1024];
}

void free_slots(void)
{
    for (unsigned t = 0; slots_used && t < 1024; t++) {
        free(thread_slots[t]);
        thread_slots[t] = NULL;
    }
    slots_used = false;
}
