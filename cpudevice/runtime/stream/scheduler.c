/* scheduler.c: the order in which commands run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stream/scheduler.h"
#include "device/hooks.h"
#include "device/clock.h"
#include "stream/command.h"
#include "ipc/shared_event.h"
#include "device/sizes.h"
#include "stream/stream_record.h"
#include "cpudev_must.h"

struct scheduler scheduler = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work_to_do = PTHREAD_COND_INITIALIZER,
    .something_done = PTHREAD_COND_INITIALIZER,
    .protect_budget = 256,
};

void scheduler_lock(void) { pthread_mutex_lock(&scheduler.lock); }

void scheduler_unlock(void) { pthread_mutex_unlock(&scheduler.lock); }

void depend(command *later, command *earlier)
{
    if (!earlier || earlier->finished || earlier == later)
        return;
    if (earlier->ndependents == earlier->cap) {
        earlier->cap = earlier->cap ? earlier->cap * 2 : 4;
        earlier->dependents = realloc(earlier->dependents, (size_t)earlier->cap * sizeof *earlier->dependents);
        if (!earlier->dependents)
            out_of_memory();
    }
    earlier->dependents[earlier->ndependents++] = later;
    later->deps++;
}

/* The end of one command makes others ready, and one without units, such as an event, then ends at once. Those wait in a
 * list for settle(), because a call per command would need a stack as deep as the stream is long. */
static void put_over(command *c)
{
    c->next_ready = NULL;
    if (scheduler.over_last)
        scheduler.over_last->next_ready = c;
    else
        scheduler.over_first = c;
    scheduler.over_last = c;
}

static void now_ready(command *c)
{
    c->ready = true;
    if (c->units == 0) {
        put_over(c);
        return;
    }
    if (c->kind == C_WRITE_VALUE || c->kind == C_WAIT_VALUE) {
        runtime_hooks.begin_memory_op(c);
        return;
    }
    c->next_ready = NULL;
    if (scheduler.ready_last)
        scheduler.ready_last->next_ready = c;
    else
        scheduler.ready_first = c;
    scheduler.ready_last = c;
    if (c->cooperative)
        while (scheduler.workers < MAX_OS_THREADS && (unsigned long long)scheduler.idle_workers < c->units &&
               (unsigned long long)scheduler.workers < c->units + (unsigned)scheduler.base_workers)
            runtime_hooks.spawn_worker();
    if (c->units > 1 && scheduler.idle_workers > 1)
        pthread_cond_broadcast(&scheduler.work_to_do);
    else if (scheduler.idle_workers > 0)
        pthread_cond_signal(&scheduler.work_to_do);
    if (scheduler.host_waiters)
        pthread_cond_broadcast(&scheduler.something_done);
}

/* The command's own units are done. It ends after the kernels that its threads launched (its children) and then, one
 * after the other, those that they put on the tail launch stream (its tail). */
static void now_ended(command *c)
{
    c->family.ended = true;
    if (c->family.children)
        return; /* the last of them comes here */
    if (c->family.again) {
        c->family.ended = false;
        c->next_unit = c->done_units = 0;
        now_ready(c);
        return;
    }
    if (c->kind == C_CONDITIONAL)
        runtime_hooks.conditional_over(c);
    command *behind = c->family.tail;
    if (!behind) {
        put_over(c);
        return;
    }
    c->family.tail = behind->next_ready;
    c->family.children++;
    now_ready(behind);
}

static void finish(command *c)
{
    c->finished = true;
    struct CUstream_st *s = c->stream;
    if (c->seq) { /* a graph's inner nodes have none */
        s->completed = c->seq;
        if (s->last == c)
            s->last = NULL;
    }
    if (c->event) {
        if (c->event->command == c) {
            c->event->time_ns = now_ns();
            c->event->command = NULL;
            c->event->pending = false;
        }
    }
    if (c->record_of) {
        shared_event_true(c->record_of, c->record);
        shared_event_drop(c->record_of);
    }
    scheduler.unfinished--;
    if (scheduler.host_waiters)
        pthread_cond_broadcast(&scheduler.something_done);
    command *parent = c->family.parent;
    streams_free(c->family.streams);
    for (int i = 0; i < c->ndependents; i++)
        if (--c->dependents[i]->deps == 0)
            now_ready(c->dependents[i]);
    c->ndependents = 0;
    command_free(c);
    if (parent) {
        parent->family.children--;
        if (parent->family.ended)
            now_ended(parent);
    }
}

static void settle(void)
{
    command *c;
    while ((c = scheduler.over_first)) {
        scheduler.over_first = c->next_ready;
        if (!scheduler.over_first)
            scheduler.over_last = NULL;
        finish(c);
    }
}

void make_ready(command *c)
{
    now_ready(c);
    settle();
}

void command_ended(command *c)
{
    now_ended(c);
    settle();
}
