/* event_watch.c: streams wait for events that other processes record. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "ipc/event_watch.h"
#include "exec/os_thread.h"
#include "stream/scheduler.h"
#include "ipc/shared_event.h"
#include "cpudev_must.h"

typedef struct event_wait {
    struct event_wait *next;
    command *waits;
    uint64_t record;
} event_wait;

static void let_go(shared_event *e)
{
    for (event_wait **at = &e->waits, *w; (w = *at);) {
        if (shared_event_pending(e, w->record)) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        if (--w->waits->deps == 0)
            make_ready(w->waits);
        free(w);
    }
}

static void *watch_main(void *event)
{
    shared_event *e = event;
    scheduler_lock();
    for (;;) {
        while (!e->waits && !e->destroyed)
            pthread_cond_wait(&e->some_wait, &scheduler.lock);
        const uint32_t seen = shared_event_word(e);
        let_go(e);
        if (e->destroyed && !e->waits)
            break;
        if (e->waits) {
            scheduler_unlock();
            shared_event_sleep(e, seen);
            scheduler_lock();
        }
    }
    shared_event_drop(e);
    scheduler_unlock();
    return NULL;
}

bool event_watch_ready(shared_event *e)
{
    scheduler_lock();
    if (!e->watched && start_os_thread(watch_main, e)) {
        e->watched = true;
        e->uses++;
    }
    const bool watched = e->watched;
    scheduler_unlock();
    return watched;
}

void event_watch(command *c, const struct CUevent_st *event)
{
    shared_event *e = event->shared;
    const uint64_t last = shared_event_last(e);
    if (event->command && event->command->record == last) {
        depend(c, event->command);
        return;
    }
    if (!shared_event_pending(e, last))
        return;
    event_wait *w = malloc(sizeof *w);
    if (!w)
        out_of_memory();
    *w = (event_wait){e->waits, c, last};
    e->waits = w;
    c->deps++;
    pthread_cond_signal(&e->some_wait);
}

void event_watch_end(shared_event *e)
{
    e->destroyed = true;
    pthread_cond_signal(&e->some_wait);
    shared_event_drop(e);
}
