/* stream.c: streams as programs name them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"
#include "device/call.h"
#include "graph/capture.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "ipc/event_watch.h"
#include "stream/host_wait.h"
#include "memory/memory.h"
#include "launch/nested_stream.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/scheduler.h"
#include "stream/stream_record.h"
#include "observe/tell_command.h"

static __thread struct CUstream_st *per_thread[MAX_DEVICES];

static bool default_is_per_thread;

/* --default-stream per-thread: the default stream of each host thread is its own. */
int cpudev_default_stream_per_thread(void)
{
    default_is_per_thread = true;
    return 0;
}

struct CUstream_st *stream_of(cudaStream_t s)
{
    if (__builtin_expect(cpudev_on_device(), 0))
        return nested_stream_of(s);
    if (s == cudaStreamLegacy || (s == NULL && !default_is_per_thread))
        return default_stream_of(current_device());
    if (s == cudaStreamPerThread || s == NULL) {
        struct CUstream_st **mine = &per_thread[current_device()];
        if (!*mine) {
            cudaStream_t made;
            cudaStreamCreate(&made);
            *mine = made;
        }
        return *mine;
    }
    if (s == cudaStreamTailLaunch || s == cudaStreamFireAndForget) /* a kernel's */
        return NULL;
    return region_of(s) == R_NONE && handle_ok(s) && s->magic == STREAM_MAGIC && !s->grid ? s : NULL;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    API;
    RESULT_AT(stream);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!stream || flags > 1)
        RETURN(cudaErrorInvalidValue);
    struct CUstream_st *s = stream_new(flags, priority > 0 ? 0 : priority < -5 ? -5 : priority);
    if (!s)
        RETURN(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&scheduler.lock);
    s->next = default_stream.next;
    default_stream.next = s;
    pthread_mutex_unlock(&scheduler.lock);
    TELL(stream_create, s->id, (s->flags & cudaStreamNonBlocking) != 0);
    TELL(handle_made, "stream", s, (void *)stream);
    *stream = s;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    API;
    RESULT_AT(stream);
    return call_.status = cudaStreamCreateWithPriority(stream, 0, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    API;
    RESULT_AT(stream);
    if (call_.nested)
        RETURN(nested_stream_create(stream, flags));
    return call_.status = cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || s->legacy || (uintptr_t)stream < 16) /* the default streams have no other names */
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->grid) { /* what is in it still runs: it goes with its grid */
        s->magic = 0;
        RETURN(cudaSuccess);
    }
    pthread_mutex_lock(&scheduler.lock);
    for (struct CUstream_st **p = &default_stream.next; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    unsigned long long target = s->issued;
    help_until_completed(s, target);
    s->magic = 0;
    TELL(stream_destroy, s->id);
    TELL(handle_gone, s);
    retire(s);
    pthread_mutex_unlock(&scheduler.lock);
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture_invalid = 1;
        RETURN(cudaErrorStreamCaptureUnsupported);
    }
    if (!s->legacy)
        RETURN(stream_wait_all(s));
    e = device_count() > 1 ? wait_for_device(s->device) : wait_for_all_work();
    if (e)
        RETURN(e);
    TELL(stream_sync, s->id); /* nobody may count on streams that the default stream does not wait for */
    RETURN(sticky_error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&scheduler.lock);
    bool done = s->completed >= s->issued;
    pthread_mutex_unlock(&scheduler.lock);
    if (!done) {
        sched_yield();
        return call_.status = cudaErrorNotReady;
    }
    TELL(stream_sync, s->id);
    RETURN(sticky_error());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    API;
    (void)flags;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !event || !handle_ok(event) || event->magic != EVENT_MAGIC)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->order != IN_ORDER)
        RETURN(cudaErrorInvalidValue);
    if (event->capture_id)
        RETURN(capture_event_wait(s, event));
    if (event->shared && !event_watch_ready(event->shared))
        RETURN(cudaErrorMemoryAllocation);
    tell_stream_wait(s, event);
    command *c = command_new(C_MARKER);
    c->event = event;
    RETURN(command_queue(c, s));
}

/* The stream that a question is about; an error if there is none, or no place for the answer. */
static cudaError_t asked(cudaStream_t stream, const void *answer, struct CUstream_st **s)
{
    *s = stream_of(stream);
    return !*s ? cudaErrorInvalidResourceHandle : answer ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    API;
    RESULT_AT(flags);
    struct CUstream_st *s;
    cudaError_t e = asked(stream, flags, &s);
    if (!e)
        *flags = s->flags;
    RETURN(e);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    API;
    RESULT_AT(priority);
    struct CUstream_st *s;
    cudaError_t e = asked(stream, priority, &s);
    if (!e)
        *priority = s->priority;
    RETURN(e);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    API;
    RESULT_AT(id);
    struct CUstream_st *s;
    cudaError_t e = asked(stream, id, &s);
    if (!e)
        *id = s->id;
    RETURN(e);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    API;
    RESULT_AT(device);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !device)
        RETURN(cudaErrorInvalidValue);
    *device = s->device;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    API;
    (void)attr;
    RETURN(stream_of(stream) && value ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !fn)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    command *c = command_new(C_HOST);
    c->fn = fn;
    c->user = userData;
    RETURN(command_queue(c, s));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !callback || flags)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    command *c = command_new(C_CALLBACK);
    c->callback = callback;
    c->user = userData;
    c->user_stream = stream;
    RETURN(command_queue(c, s));
}
