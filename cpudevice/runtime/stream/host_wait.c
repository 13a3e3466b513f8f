/* host_wait.c: host threads wait for work on streams. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>

#include "stream/host_wait.h"
#include "device/device_state.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "stream/scheduler.h"
#include "stream/stream_record.h"
#include "stream/units.h"

/* With the scheduler's lock: helps until the condition holds. */
#define HELP_UNTIL(condition)                                                                                          \
    while (!(condition)) {                                                                                             \
        if (processor_count() > 1 && !cpudev_tls.worker && work_once(true))                                            \
            continue;                                                                                                  \
        if (condition)                                                                                                 \
            break;                                                                                                     \
        scheduler.host_waiters++;                                                                                      \
        pthread_cond_wait(&scheduler.something_done, &scheduler.lock);                                                 \
        scheduler.host_waiters--;                                                                                      \
    }

static void maybe_close(void)
{
    if (scheduler.unfinished == 0 && scheduler.device_open && scheduler.protect_budget > 0) {
        scheduler.protect_budget--;
        device_memory_close();
        scheduler.device_open = false;
    }
}

cudaError_t stream_wait_all(struct CUstream_st *s)
{
    if (in_host_function())
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&scheduler.lock);
    unsigned long long target = s->issued;
    HELP_UNTIL(s->completed >= target);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
    TELL(stream_sync, s->id);
    return sticky_error();
}

cudaError_t wait_for_all_work(void)
{
    if (in_host_function())
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&scheduler.lock);
    HELP_UNTIL(scheduler.unfinished == 0);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
    return cudaSuccess;
}

cudaError_t wait_for_everything(void)
{
    cudaError_t e = wait_for_all_work();
    if (e)
        return e;
    TELL(device_sync);
    return sticky_error();
}

/* The device's streams alone: another device's work may wait for what this host thread has yet to queue. */
cudaError_t wait_for_device(int device)
{
    if (in_host_function())
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&scheduler.lock);
    for (struct CUstream_st *s = &default_stream; s;) {
        if (s->device == device && s->completed < s->issued) {
            const unsigned long long target = s->issued;
            HELP_UNTIL(s->completed >= target);
            s = &default_stream; /* the list may have changed */
        } else
            s = s->next;
    }
    for (struct CUstream_st *s = &default_stream; s; s = s->next)
        if (s->device == device)
            TELL(stream_sync, s->id);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
    return sticky_error();
}

void help_until_completed(struct CUstream_st *s, unsigned long long seq) { HELP_UNTIL(s->completed >= seq); }

void wait_for_event(struct CUevent_st *event)
{
    pthread_mutex_lock(&scheduler.lock);
    HELP_UNTIL(!event->pending);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
}
