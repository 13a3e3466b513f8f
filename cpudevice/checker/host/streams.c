/* streams.c: streams, events and the host as clocks. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/operation.h"
#include "cpudev_must.h"
#include "report/findings.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct stream {
    uint64_t id;
    int nonblocking, destroyed;
    uint32_t last;   // operations so far
    uint32_t *clock; // what its next operation comes after
    uint32_t clocks;
} stream;

static stream *streams;

static uint32_t stream_count;

static uint32_t *host_clock_v; // what the host has waited for

static uint32_t host_clocks;

static _Atomic uint32_t host_time = 1;

uint32_t check_host_clock(void) { return host_time; }

void check_host_tick(void) { host_time++; }

int check_op_before_host(uint32_t a)
{
    const check_op *o = check_op_by_id(a);
    if (!o)
        return 1;
    while (o->parent)
        o = o->parent;
    check_lock(&lock);
    int before = o->stream < host_clocks && host_clock_v[o->stream] >= o->index;
    check_unlock(&lock);
    return before;
}

static void join(uint32_t **to, uint32_t *n, const uint32_t *from, uint32_t m)
{
    if (m > *n) {
        *to = must(realloc(*to, m * sizeof **to));
        memset(*to + *n, 0, (m - *n) * sizeof **to);
        *n = m;
    }
    for (uint32_t i = 0; i < m; i++)
        if (from[i] > (*to)[i])
            (*to)[i] = from[i];
}

static void set_clock(uint32_t **to, uint32_t *n, uint32_t i, uint32_t v)
{
    if (i >= *n) {
        *to = must(realloc(*to, (i + 1) * sizeof **to));
        memset(*to + *n, 0, (i + 1 - *n) * sizeof **to);
        *n = i + 1;
    }
    if (v > (*to)[i])
        (*to)[i] = v;
}

static uint32_t stream_index(uint64_t id)
{
    for (uint32_t i = stream_count; i-- > 0;)
        if (streams[i].id == id)
            return i;
    streams = must(realloc(streams, (stream_count + 1) * sizeof *streams));
    streams[stream_count] = (stream){.id = id};
    return stream_count++;
}

static uint64_t device_of(const stream *s) { return s->id >> STREAM_DEVICE_SHIFT; }

static int is_default(const stream *s) { return !(s->id & ((UINT64_C(1) << STREAM_DEVICE_SHIFT) - 1)); }

// The legacy default stream waits for all blocking streams of its device, and they for it.
static void legacy_join(uint32_t s)
{
    stream *me = &streams[s];
    if (me->nonblocking)
        return;
    for (uint32_t i = 0; i < stream_count; i++)
        if (i != s && !streams[i].nonblocking && device_of(&streams[i]) == device_of(me) &&
            (is_default(me) || is_default(&streams[i]))) {
            join(&me->clock, &me->clocks, streams[i].clock, streams[i].clocks);
        }
}

static void put_in_stream(check_op *op)
{
    uint32_t s = stream_index(op->d.stream);
    legacy_join(s);
    stream *st = &streams[s];
    join(&st->clock, &st->clocks, host_clock_v, host_clocks);
    op->stream = s;
    op->index = ++st->last;
    join(&op->clock, &op->clocks, st->clock, st->clocks);
    op->ordered_after_all = 1;
    for (uint32_t i = 0; i < stream_count; i++) {
        uint32_t last = streams[i].last - (i == s);
        if (last && (i >= op->clocks || op->clock[i] < last))
            op->ordered_after_all = 0;
    }
    set_clock(&st->clock, &st->clocks, s, st->last);
    op->host_clock = host_time;
    host_time++;
    // A copy that returns when it is done has been waited for, and so has all before it.
    if (!op->d.async && (op->kind == CPUDEV_OP_COPY || op->kind == CPUDEV_OP_SET))
        join(&host_clock_v, &host_clocks, st->clock, st->clocks);
}

void check_stream_create(uint64_t id, bool nonblocking)
{
    check_lock(&lock);
    uint32_t s = stream_index(id);
    streams[s].nonblocking = nonblocking;
    streams[s].destroyed = 0;
    check_unlock(&lock);
}

void check_stream_destroy(uint64_t id)
{
    check_lock(&lock);
    streams[stream_index(id)].destroyed = 1;
    check_unlock(&lock);
}

static int all_waited(void)
{
    for (uint32_t i = 0; i < stream_count; i++)
        if (streams[i].last && (i >= host_clocks || host_clock_v[i] < streams[i].last))
            return 0;
    return 1;
}

void check_stream_sync(uint64_t id)
{
    check_lock(&lock);
    uint32_t s = stream_index(id);
    legacy_join(s);
    join(&host_clock_v, &host_clocks, streams[s].clock, streams[s].clocks);
    check_host_tick();
    if (all_waited())
        check_ops_forget();
    check_unlock(&lock);
}

void check_device_sync(void)
{
    check_lock(&lock);
    for (uint32_t i = 0; i < stream_count; i++)
        join(&host_clock_v, &host_clocks, streams[i].clock, streams[i].clocks);
    check_host_tick();
    check_ops_forget();
    check_unlock(&lock);
}

typedef struct event {
    const void *handle;
    uint32_t *clock;
    uint32_t clocks;
    struct event *next;
} event;

static event *events[256];

static event *event_of(const void *h)
{
    unsigned k = (unsigned)((uintptr_t)h * 2654435761u >> 16) & 255;
    for (event *e = events[k]; e; e = e->next)
        if (e->handle == h)
            return e;
    event *e = must(calloc(1, sizeof *e));
    e->handle = h;
    e->next = events[k];
    return events[k] = e;
}

void check_event_record(const void *h, uint64_t id)
{
    check_lock(&lock);
    uint32_t s = stream_index(id);
    legacy_join(s);
    event *e = event_of(h);
    e->clocks = 0;
    join(&e->clock, &e->clocks, streams[s].clock, streams[s].clocks);
    join(&e->clock, &e->clocks, host_clock_v, host_clocks);
    check_host_tick();
    check_unlock(&lock);
}

void check_event_sync(const void *h)
{
    check_lock(&lock);
    event *e = event_of(h);
    join(&host_clock_v, &host_clocks, e->clock, e->clocks);
    check_host_tick();
    if (all_waited())
        check_ops_forget();
    check_unlock(&lock);
}

void check_stream_wait(uint64_t id, const void *h)
{
    check_lock(&lock);
    event *e = event_of(h);
    uint32_t s = stream_index(id);
    join(&streams[s].clock, &streams[s].clocks, e->clock, e->clocks);
    check_unlock(&lock);
}

void check_nested_wait(cpudev_op *parent) { ((check_op *)parent->of[check_observer])->events = 1; }

void check_event_elapsed(const void *h)
{
    check_lock(&lock);
    event *e = event_of(h);
    int waited = 1;
    for (uint32_t i = 0; i < e->clocks; i++)
        waited &= !e->clock[i] || (i < host_clocks && host_clock_v[i] >= e->clock[i]);
    check_unlock(&lock);
    if (waited || !(check_tools & TOOL_HOST))
        return;
    check_finding f = check_host_finding(TOOL_HOST, "event-not-waited");
    snprintf(f.title, sizeof f.title, "the time of an event is requested before the event has been waited for");
    f.cause = "the event is recorded when the device gets there: call cudaEventSynchronize(stop) before "
              "cudaEventElapsedTime (which otherwise fails with cudaErrorNotReady)";
    check_report(&f);
}

void check_event_destroy(const void *h)
{
    check_lock(&lock);
    event_of(h)->clocks = 0;
    check_unlock(&lock);
}

/* The operation gets its number, and its place in its stream unless a kernel queued it. */
void check_op_queue(check_op *op)
{
    check_lock(&lock);
    if (!op->parent)
        put_in_stream(op);
    check_op_publish(op);
    check_unlock(&lock);
}

/* A host function may signal the host's threads in ways that the checker does not see. So the host counts as having waited
 * for it. */
void check_host_joins(const check_op *op)
{
    check_lock(&lock);
    join(&host_clock_v, &host_clocks, op->clock, op->clocks);
    check_host_tick();
    check_unlock(&lock);
}
