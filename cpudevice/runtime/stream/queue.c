/* queue.c: commands are put on streams. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>

#include "stream/queue.h"
#include "graph/capture.h"
#include "stream/command.h"
#include "ipc/event_watch.h"
#include "stream/scheduler.h"
#include "stream/stream_record.h"
#include "observe/tell_command.h"
#include "stream/units.h"

/* With the scheduler's lock: c comes after what is in its stream, and in the streams that the default stream orders. */
static void depend_on_stream(command *c, struct CUstream_st *s)
{
    if (s->legacy) {
        for (struct CUstream_st *o = &default_stream; o; o = o->next)
            if (o->device == s->device && !(o->flags & cudaStreamNonBlocking))
                depend(c, o->last);
        return;
    }
    depend(c, s->last);
    if (!(s->flags & cudaStreamNonBlocking))
        depend(c, default_stream_of(s->device)->last);
}

cudaError_t graph_queue(command **nodes, int *const *deps, const int *ndeps, int count, struct CUstream_st *s)
{
    command *begin = command_new(C_MARKER), *end = command_new(C_MARKER);
    for (int i = 0; i < count; i++)
        tell_queue(nodes[i], s); /* to observers they come one after the other */
    pthread_mutex_lock(&scheduler.lock);
    ready_workers();
    begin->stream = end->stream = s;
    depend_on_stream(begin, s);
    begin->deps++; /* not before everything is tied together */
    for (int i = 0; i < count; i++) {
        nodes[i]->stream = s;
        for (int k = 0; k < ndeps[i]; k++)
            depend(nodes[i], nodes[deps[i][k]]);
        if (ndeps[i] == 0)
            depend(nodes[i], begin);
        depend(end, nodes[i]);
        scheduler.unfinished++;
    }
    depend(end, begin);
    begin->seq = 0;
    end->seq = ++s->issued;
    s->last = end;
    scheduler.unfinished += 2;
    if (--begin->deps == 0)
        make_ready(begin);
    pthread_mutex_unlock(&scheduler.lock);
    return cudaSuccess;
}

void graph_queue_below(command **nodes, int *const *deps, const int *ndeps, int count, command *below)
{
    command *begin = command_new(C_MARKER);
    for (int i = 0; i < count; i++)
        tell_queue_below(nodes[i], below);
    pthread_mutex_lock(&scheduler.lock);
    begin->stream = below->stream;
    begin->family.parent = below;
    begin->deps = 1; /* not before everything is tied together */
    for (int i = 0; i < count; i++) {
        nodes[i]->stream = below->stream;
        nodes[i]->family.parent = below;
        nodes[i]->family.generation = below->family.generation;
        nodes[i]->correlation = below->correlation;
        for (int k = 0; k < ndeps[i]; k++)
            depend(nodes[i], nodes[deps[i][k]]);
        if (ndeps[i] == 0)
            depend(nodes[i], begin);
    }
    below->family.children += count + 1;
    scheduler.unfinished += (unsigned)count + 1;
    begin->deps = 0;
    make_ready(begin);
    pthread_mutex_unlock(&scheduler.lock);
}

/* With the scheduler's lock: what c waits for of events, and what it is to them. */
static void tie_event(command *c)
{
    if (c->kind == C_MARKER && c->event) { /* a wait for an event */
        if (c->event->shared)
            event_watch(c, c->event);
        else
            depend(c, c->event->command);
        c->event = NULL;
    }
    if (c->kind == C_EVENT) {
        c->event->command = c;
        c->event->recorded = true;
        c->event->pending = true;
    }
}

/* A kernel puts c on one of its streams. */
static void queue_nested(command *c, struct CUstream_st *s)
{
    command *parent = s->grid;
    pthread_mutex_lock(&scheduler.lock);
    c->stream = s;
    c->family.parent = parent;
    c->family.generation = parent->family.generation + 1;
    c->correlation = parent->correlation;
    c->seq = ++s->issued;
    scheduler.unfinished++;
    if (s->order == TAIL_LAUNCH) {
        c->next_ready = NULL;
        if (parent->family.tail)
            parent->family.last->next_ready = c;
        else
            parent->family.tail = c;
        parent->family.last = c;
    } else {
        parent->family.children++;
        if (s->order == IN_ORDER) {
            depend(c, s->last);
            s->last = c;
        }
        tie_event(c);
        if (c->deps == 0)
            make_ready(c);
    }
    pthread_mutex_unlock(&scheduler.lock);
}

cudaError_t command_queue(command *c, struct CUstream_st *s)
{
    if (s->capture)
        return capture_command(s, c);
    cudaError_t refused = s->legacy ? capture_forbids(true) : cudaSuccess;
    if (refused) {
        command_free(c);
        return refused;
    }
    tell_queue(c, s);
    if (s->grid) {
        queue_nested(c, s);
        return cudaSuccess;
    }
    pthread_mutex_lock(&scheduler.lock);
    ready_workers();
    c->stream = s;
    c->seq = ++s->issued;
    depend_on_stream(c, s);
    tie_event(c);
    s->last = c;
    scheduler.unfinished++;
    if (c->deps == 0)
        make_ready(c);
    pthread_mutex_unlock(&scheduler.lock);
    return cudaSuccess;
}
