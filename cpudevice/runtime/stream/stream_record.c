/* stream_record.c: what is kept of a stream and of an event. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "stream/stream_record.h"

struct CUstream_st default_stream;

struct CUstream_st *stream_new(unsigned flags, int priority)
{
    static _Atomic uint32_t id = 1;
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (s) {
        s->magic = STREAM_MAGIC;
        s->flags = flags;
        s->priority = priority;
        s->id = atomic_fetch_add(&id, 1);
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
