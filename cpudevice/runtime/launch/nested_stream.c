/* nested_stream.c: streams of kernels. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "launch/nested_stream.h"
#include "stream/command.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "stream/scheduler.h"
#include "stream/stream_record.h"
#include "exec/thread.h"
#include "cpudev_must.h"

static struct CUstream_st *stream_make(int order)
{
    command *grid = cpudev_tls.worker->command;
    struct CUstream_st *s = stream_new(cudaStreamNonBlocking, 0);
    if (!s)
        out_of_memory();
    s->id = grid->stream->id; /* tools show what it does beside its parent */
    s->grid = grid;
    s->order = order;
    scheduler_lock();
    s->next = grid->family.streams;
    grid->family.streams = s;
    scheduler_unlock();
    return s;
}

struct CUstream_st *nested_stream_of(cudaStream_t s)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (s == cudaStreamLegacy)
        return NULL;
    if (s == NULL || s == cudaStreamPerThread || s == cudaStreamTailLaunch || s == cudaStreamFireAndForget) {
        int order = s == cudaStreamTailLaunch ? TAIL_LAUNCH : s == cudaStreamFireAndForget ? FIRE_AND_FORGET : IN_ORDER;
        if (!w->calls.streams[order])
            w->calls.streams[order] = stream_make(order);
        return w->calls.streams[order];
    }
    return region_of(s) == R_NONE && handle_ok(s) && s->magic == STREAM_MAGIC && s->grid == w->command ? s : NULL;
}

cudaError_t nested_stream_create(cudaStream_t *stream, unsigned flags)
{
    if (!stream || flags != cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    *stream = stream_make(IN_ORDER);
    return cudaSuccess;
}
