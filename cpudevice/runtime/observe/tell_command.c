/* tell_command.c: reports work on streams to observers. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "observe/tell_command.h"
#include "device/clock.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "launch/kernel_info.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "stream/stream_record.h"

static void describe(cpudev_op_desc *d, const command *c)
{
    memset(d, 0, sizeof *d);
    switch (c->kind) {
    case C_KERNEL:
        d->kind = CPUDEV_OP_KERNEL;
        d->name = kernel_display(c->kernel);
        d->file = c->kernel->file;
        d->line = c->kernel->line;
        d->grid[0] = c->grid.x, d->grid[1] = c->grid.y, d->grid[2] = c->grid.z;
        d->block[0] = c->block.x, d->block[1] = c->block.y, d->block[2] = c->block.z;
        d->dynamic_smem = c->shared;
        d->static_smem = c->kernel->static_shared;
        d->cooperative = c->cooperative;
        break;
    case C_COPY:
    case C_SET:
        d->kind = c->kind == C_COPY ? CPUDEV_OP_COPY : CPUDEV_OP_SET;
        d->dst = c->copy.dst;
        d->src = c->copy.src;
        d->bytes = c->copy.width;
        d->rows = c->copy.height;
        d->dpitch = c->copy.dpitch;
        d->spitch = c->copy.spitch;
        d->slices = c->copy.depth;
        d->dslice = c->copy.dslice;
        d->sslice = c->copy.sslice;
        d->copy_kind = (int)c->copy.kind;
        break;
    case C_ALLOC:
        d->kind = CPUDEV_OP_ALLOC;
        d->dst = c->user;
        d->bytes = c->copy.width;
        d->rows = 1;
        break;
    case C_CONDITIONAL: d->kind = CPUDEV_OP_CONDITIONAL; break;
    case C_FREE:
    case C_RELEASE:
        d->kind = CPUDEV_OP_FREE;
        d->dst = c->user;
        d->rows = 1;
        break;
    default: d->kind = CPUDEV_OP_HOSTFN; /* also a value's write: what a flag tells whom is not seen */
    }
    d->async = 1; /* a call that waits for it says so by stream_sync */
}

static bool silent(const command *c)
{
    return !observed.any || c->kind == C_EVENT || c->kind == C_MARKER || c->kind == C_WAIT_VALUE || c->kind == C_ASSIGN;
}

void tell_queue_below(command *c, command *below)
{
    if (silent(c))
        return;
    cpudev_op_desc d;
    describe(&d, c);
    d.stream = below->stream->id;
    d.parent = &below->op;
    d.nested_stream = below; /* to observers they come one after the other */
    if (c->kind == C_KERNEL)
        TELL(launch_args, c->closure, c->work->size);
    TELL(op_enqueue, &c->op, &d);
}

void tell_queue(command *c, struct CUstream_st *s)
{
    if (silent(c))
        return;
    cpudev_op_desc d;
    describe(&d, c);
    d.stream = s->id;
    if (s->grid) {
        d.parent = &s->grid->op;
        d.nested_stream = s->order == FIRE_AND_FORGET ? NULL : s->order == TAIL_LAUNCH ? (const void *)s->grid : s;
        d.tail = s->order == TAIL_LAUNCH;
    }
    if (c->kind == C_KERNEL)
        TELL(launch_args, c->closure, c->work->size);
    TELL(op_enqueue, &c->op, &d);
}

static bool as_event(cpudev_event *e, const command *c)
{
    *e = (cpudev_event){.correlation = c->correlation,
                        .start = c->start,
                        .end = c->end,
                        .thread = os_thread_id(),
                        .stream = c->stream->id,
                        .status = (int)c->status};
    if (c->kind == C_KERNEL) {
        e->kind = CPUDEV_EVENT_KERNEL;
        e->name = kernel_symbol(c->kernel);
        e->grid[0] = c->grid.x, e->grid[1] = c->grid.y, e->grid[2] = c->grid.z;
        e->block[0] = c->block.x, e->block[1] = c->block.y, e->block[2] = c->block.z;
        e->static_smem = c->kernel->static_shared;
        e->dynamic_smem = (uint32_t)c->shared;
        return true;
    }
    if (c->kind != C_COPY && c->kind != C_SET)
        return false;
    e->kind = c->kind == C_COPY ? CPUDEV_EVENT_MEMCPY : CPUDEV_EVENT_MEMSET;
    e->name = c->kind == C_COPY ? "memcpy" : "memset";
    e->bytes = (uint64_t)c->copy.width * c->copy.height * c->copy.depth;
    e->copy_kind = c->copy.kind;
    return true;
}

void tell_done(command *c)
{
    if (c->kind == C_ASSIGN || (c->kind == C_CONDITIONAL && c->family.again))
        return;
    cpudev_event e;
    bool timed = observed.timed && as_event(&e, c);
    TELL(op_end, &c->op, timed ? &e : NULL);
}

void tell_async_alloc(void *p, size_t bytes, struct CUstream_st *s)
{
    cpudev_op_desc d = {.kind = CPUDEV_OP_ALLOC, .stream = s->id, .dst = p, .bytes = bytes, .rows = 1, .async = 1};
    cpudev_op op = {0};
    TELL(op_enqueue, &op, &d);
    TELL(op_begin, &op);
}

void tell_stream_wait(struct CUstream_st *s, const void *event)
{
    if (s->grid)
        TELL(nested_wait, &s->grid->op);
    else
        TELL(stream_wait, s->id, event);
}

void tell_event_record(const void *event, struct CUstream_st *s)
{
    if (!s->grid)
        TELL(event_record, event, s->id);
}
