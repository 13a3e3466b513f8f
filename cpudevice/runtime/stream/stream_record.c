/* stream_record.c: what is kept of a stream and of an event. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "device/devices.h"
#include "observe/observer.h"
#include "stream/stream_record.h"

struct CUstream_st default_stream;

static struct CUstream_st other_defaults[MAX_DEVICES - 1];

struct CUstream_st *default_stream_of(int device) { return device ? &other_defaults[device - 1] : &default_stream; }

void default_streams_make(int devices)
{
    for (int i = devices - 1; i >= 0; i--) {
        struct CUstream_st *s = default_stream_of(i);
        s->magic = STREAM_MAGIC;
        s->legacy = true;
        s->device = i;
        s->id = (uint32_t)i << STREAM_DEVICE_SHIFT;
        s->next = i + 1 < devices ? default_stream_of(i + 1) : NULL;
    }
}

struct CUstream_st *stream_new(unsigned flags, int priority)
{
    static _Atomic uint32_t id = 1;
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (s) {
        s->magic = STREAM_MAGIC;
        s->flags = flags;
        s->priority = priority;
        s->device = current_device();
        s->id = atomic_fetch_add(&id, 1) | (uint32_t)s->device << STREAM_DEVICE_SHIFT;
    }
    return s;
}

void streams_free(struct CUstream_st *list)
{
    while (list) {
        struct CUstream_st *next = list->next;
        list->magic = 0;
        free(list);
        list = next;
    }
}

void retire(void *record)
{
    enum { KEPT = 1024 };
    static void *kept[KEPT];
    static unsigned next;
    free(kept[next % KEPT]);
    kept[next++ % KEPT] = record;
}
