/* event.c: events. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "device/call.h"
#include "graph/capture.h"
#include "stream/command.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "ipc/event_watch.h"
#include "stream/host_wait.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/scheduler.h"
#include "ipc/shared_event.h"
#include "stream/stream.h"
#include "stream/stream_record.h"
#include "observe/tell_command.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    API;
    RESULT_AT(event);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!event || flags > 7 || ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)) ||
        (call_.nested && flags != cudaEventDisableTiming))
        RETURN(cudaErrorInvalidValue);
    struct CUevent_st *v = calloc(1, sizeof *v);
    if (!v)
        RETURN(cudaErrorMemoryAllocation);
    v->magic = EVENT_MAGIC;
    v->flags = flags;
    v->device = current_device();
    TELL(handle_made, "event", v, (void *)event);
    *event = v;
    RETURN(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    API;
    RESULT_AT(event);
    return call_.status = cudaEventCreateWithFlags(event, 0);
}

static bool is_event(cudaEvent_t event) { return event && handle_ok(event) && event->magic == EVENT_MAGIC; }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(event ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    pthread_mutex_lock(&scheduler.lock);
    event->magic = 0;
    TELL(event_destroy, event);
    TELL(handle_gone, event);
    if (event->command) {
        event->command->event = NULL;
        event->command = NULL;
    }
    if (event->shared)
        event_watch_end(event->shared);
    retire(event);
    pthread_mutex_unlock(&scheduler.lock);
    RETURN(cudaSuccess);
}

/* The other processes know of the record before the caller can tell them of it. */
static cudaError_t record_shared(command *c, shared_event *shared, struct CUstream_st *s)
{
    const uint64_t record = shared_event_record(shared);
    c->record_of = shared;
    c->record = record;
    scheduler_lock();
    shared->uses++;
    scheduler_unlock();
    cudaError_t e = command_queue(c, s);
    if (e) {
        scheduler_lock();
        shared_event_true(shared, record);
        shared_event_drop(shared);
        scheduler_unlock();
    }
    return e;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    API;
    (void)flags;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->order != IN_ORDER)
        RETURN(cudaErrorInvalidValue);
    if (event->device != s->device && !s->grid)
        RETURN(cudaErrorInvalidResourceHandle);
    event->stream = s;
    if (s->capture)
        RETURN(capture_event_record(s, event));
    event->capture_id = 0;
    tell_event_record(event, s);
    command *c = command_new(C_EVENT);
    pthread_mutex_lock(&scheduler.lock);
    if (event->command) /* recorded anew before the old record came true */
        event->command->event = NULL;
    pthread_mutex_unlock(&scheduler.lock);
    c->event = event;
    RETURN(event->shared ? record_shared(c, event->shared, s) : command_queue(c, s));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    API;
    return call_.status = cudaEventRecordWithFlags(event, stream, 0);
}

/* Is the last record another process's? */
static bool recorded_elsewhere(const struct CUevent_st *event, uint64_t *record)
{
    scheduler_lock();
    *record = event->shared ? shared_event_last(event->shared) : 0;
    const bool elsewhere = event->shared && !(event->command && event->command->record == *record);
    scheduler_unlock();
    return elsewhere;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    if ((e = capture_owns(event)))
        RETURN(e);
    uint64_t record;
    if (recorded_elsewhere(event, &record))
        shared_event_wait(event->shared, record);
    else
        wait_for_event(event);
    TELL(event_sync, event);
    RETURN(sticky_error());
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    if ((e = capture_owns(event)))
        RETURN(e);
    pthread_mutex_lock(&scheduler.lock);
    bool pending =
        event->shared ? shared_event_pending(event->shared, shared_event_last(event->shared)) : event->pending;
    pthread_mutex_unlock(&scheduler.lock);
    if (pending) {
        sched_yield();
        return call_.status = cudaErrorNotReady;
    }
    TELL(event_sync, event);
    RETURN(sticky_error());
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start_event, cudaEvent_t end)
{
    API;
    RESULT_AT(ms);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ms)
        RETURN(cudaErrorInvalidValue);
    if (!is_event(start_event) || !is_event(end))
        RETURN(cudaErrorInvalidResourceHandle);
    if (start_event->device != end->device)
        RETURN(cudaErrorInvalidResourceHandle);
    if ((start_event->flags | end->flags) & cudaEventDisableTiming || !start_event->recorded || !end->recorded)
        RETURN(cudaErrorInvalidResourceHandle);
    TELL(event_elapsed, start_event);
    TELL(event_elapsed, end);
    pthread_mutex_lock(&scheduler.lock);
    bool pending = start_event->pending || end->pending;
    *ms = (float)((double)((int64_t)(end->time_ns - start_event->time_ns)) * 1e-6);
    pthread_mutex_unlock(&scheduler.lock);
    if (pending)
        return call_.status = cudaErrorNotReady;
    RETURN(cudaSuccess);
}
