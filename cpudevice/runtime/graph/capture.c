/* capture.c: what is queued on a stream in capture becomes nodes of a graph. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph/capture.h"
#include "stream/command.h"
#include "graph/graph_nodes.h"
#include "stream/scheduler.h"
#include "stream/stream_record.h"
#include "cpudev_must.h"

_Atomic int captures;

__thread enum cudaStreamCaptureMode thread_capture_mode;

cudaError_t capture_forbids(bool legacy)
{
    cudaError_t e = cudaSuccess;
    if (__builtin_expect(!captures, 1))
        return e;
    pthread_mutex_lock(&scheduler.lock);
    for (struct CUstream_st *s = &default_stream; s; s = s->next) {
        if (!s->capture || !s->capture_origin)
            continue;
        bool mine =
            s->capture_mode == cudaStreamCaptureModeGlobal ||
            (s->capture_mode == cudaStreamCaptureModeThreadLocal && pthread_equal(s->capture_thread, pthread_self()));
        if (legacy ? s->flags & cudaStreamNonBlocking : !mine || thread_capture_mode == cudaStreamCaptureModeRelaxed)
            continue;
        s->capture_invalid = 1;
        e = legacy ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported;
    }
    pthread_mutex_unlock(&scheduler.lock);
    return e;
}

void streams_leave_capture(struct CUgraph_st *g)
{
    pthread_mutex_lock(&scheduler.lock);
    for (struct CUstream_st *o = &default_stream; o; o = o->next)
        if (o->capture == g) {
            o->capture = NULL;
            o->capture_origin = false;
            o->capture_invalid = 0;
            o->ncapture_deps = 0;
        }
    pthread_mutex_unlock(&scheduler.lock);
}

/* With the lock: the stream where the capture began; NULL if it has ended. */
static struct CUstream_st *origin_of(unsigned long long capture)
{
    struct CUstream_st *s = &default_stream;
    while (s && !(s->capture_origin && s->capture->capture_id == capture))
        s = s->next;
    return s;
}

cudaError_t capture_command(struct CUstream_st *s, command *c)
{
    if (c->kind == C_MARKER) {
        command_free(c);
        return cudaSuccess;
    }
    c->stream = s;
    int index = graph_add(s->capture, c, s->capture_deps, s->ncapture_deps)->index;
    set_deps(&s->capture_deps, &s->ncapture_deps, &index, 1);
    return cudaSuccess;
}

cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e)
{
    e->capture_id = s->capture->capture_id;
    e->recorded = true;
    set_deps(&e->capture_deps, &e->ncapture_deps, s->capture_deps, s->ncapture_deps);
    return cudaSuccess;
}

cudaError_t capture_owns(const struct CUevent_st *e)
{
    if (!e->capture_id)
        return cudaSuccess;
    pthread_mutex_lock(&scheduler.lock);
    struct CUstream_st *s = origin_of(e->capture_id);
    if (s)
        s->capture_invalid = 1;
    pthread_mutex_unlock(&scheduler.lock);
    return cudaErrorCapturedEvent;
}

cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e)
{
    pthread_mutex_lock(&scheduler.lock);
    const struct CUstream_st *origin = origin_of(e->capture_id);
    const cudaError_t refused = !origin ? cudaErrorCapturedEvent /* it has ended */
                                : s->capture && s->capture != origin->capture ? cudaErrorStreamCaptureMerge
                                : s->legacy                                   ? cudaErrorStreamCaptureImplicit
                                                                              : cudaSuccess;
    if (!refused)
        s->capture = origin->capture;
    pthread_mutex_unlock(&scheduler.lock);
    if (refused)
        return refused;
    int n = s->ncapture_deps + e->ncapture_deps;
    int *all = malloc((size_t)(n ? n : 1) * sizeof *all);
    if (!all)
        out_of_memory();
    if (s->ncapture_deps)
        memcpy(all, s->capture_deps, (size_t)s->ncapture_deps * sizeof *all);
    if (e->ncapture_deps)
        memcpy(all + s->ncapture_deps, e->capture_deps, (size_t)e->ncapture_deps * sizeof *all);
    set_deps(&s->capture_deps, &s->ncapture_deps, all, n);
    free(all);
    return cudaSuccess;
}
