/* ipc_event.c: events of one process, recorded and waited for by others. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/call.h"
#include "stream/command.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/scheduler.h"
#include "ipc/shared_event.h"
#include "stream/stream_record.h"

_Static_assert(sizeof(shared_key) <= sizeof(cudaIpcEventHandle_t), "a key fits into a handle");

/* With the scheduler's lock. A record that is under way is the shared event's first. */
static cudaError_t share(struct CUevent_st *event)
{
    shared_key key;
    event_slot *slot;
    pthread_mutex_lock(&device_memory.lock);
    cudaError_t e = shared_export_event(&key, &slot);
    pthread_mutex_unlock(&device_memory.lock);
    if (e)
        return e;
    event->shared = shared_event_new(slot, &key, false);
    if (!event->shared) {
        slot->number = 0;
        return cudaErrorMemoryAllocation;
    }
    command *c = event->command;
    if (c) {
        c->record_of = event->shared;
        c->record_of->uses++;
        c->record = shared_event_record(c->record_of);
    }
    return cudaSuccess;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    API;
    RESULT_AT(handle);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!handle || !event)
        RETURN(cudaErrorInvalidValue);
    if (!handle_ok(event) || event->magic != EVENT_MAGIC || !(event->flags & cudaEventInterprocess))
        RETURN(cudaErrorInvalidResourceHandle);
    scheduler_lock();
    if (!event->shared)
        e = share(event);
    if (!e) {
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &event->shared->key, sizeof event->shared->key);
    }
    scheduler_unlock();
    RETURN(e);
}

static cudaError_t map_event(const shared_key *key, struct CUevent_st *event)
{
    event_slot *slot;
    int file;
    cudaError_t e = shared_open(key, EVENT_KEY, &file);
    if (e)
        return e;
    e = shared_map_event(key, file, &slot);
    close(file);
    if (!e && !(event->shared = shared_event_new(slot, key, true)))
        e = cudaErrorMemoryAllocation;
    return e;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    API;
    RESULT_AT(event);
    static const cudaIpcEventHandle_t zeros;
    shared_key key;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!event || !memcmp(&handle, &zeros, sizeof zeros))
        RETURN(cudaErrorInvalidValue);
    memcpy(&key, &handle, sizeof key);
    struct CUevent_st *v = calloc(1, sizeof *v);
    e = v ? map_event(&key, v) : cudaErrorMemoryAllocation;
    if (e) {
        free(v);
        RETURN(e);
    }
    v->magic = EVENT_MAGIC;
    v->flags = cudaEventDisableTiming;
    TELL(handle_made, "event", v, (void *)event);
    *event = v;
    RETURN(cudaSuccess);
}
