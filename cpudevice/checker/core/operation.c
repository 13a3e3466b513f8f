/* operation.c: all operations by number, and which of them is over before another starts. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>

#include "core/operation.h"
#include "core/hooks.h"
#include "cpudev_must.h"
#include "observe/observer.h"
#include "race/segment.h"

enum { OPS_CHUNK = 4096, OPS_CHUNKS = 1 << 20 };

static check_op **op_chunk[OPS_CHUNKS];

static uint32_t op_count = 1; // ids start at 1; 0 is the host

static uint32_t op_live_from = 1;

static _Atomic uint32_t last_begun; // the largest id of an operation that has started

check_op *check_op_by_id(uint32_t id)
{
    if (!id)
        return NULL;
    check_op **c = __atomic_load_n(&op_chunk[id / OPS_CHUNK], __ATOMIC_ACQUIRE);
    return c ? __atomic_load_n(&c[id % OPS_CHUNK], __ATOMIC_ACQUIRE) : NULL;
}

const check_op *check_launched(uint32_t a, const check_op *b)
{
    while (b->parent && b->parent->id != a)
        b = b->parent;
    return b->parent ? b : NULL;
}

// A launch ends after everything that its kernel launched. So two operations are in the order of their nearest ancestors
// that were launched by the same kernel, or by the host.
int check_op_before(uint32_t a, const check_op *b)
{
    const check_op *o = check_op_by_id(a);
    if (!o)
        return 1;
    while (o->depth > b->depth)
        o = o->parent;
    while (b->depth > o->depth)
        b = b->parent;
    if (o == b)
        return 0; // one has launched the other, and does not wait for it
    for (; o->parent != b->parent; b = b->parent)
        o = o->parent;
    if (!o->parent)
        return o->stream < b->clocks && b->clock[o->stream] >= o->index;
    if (o->d.tail != b->d.tail)
        return b->d.tail;
    return o->parent->events || (o->d.nested_stream && o->d.nested_stream == b->d.nested_stream && o->index < b->index);
}

uint32_t check_op_floor(check_op *op) { return op->floor_at_issue; }

// A copy or memset that is queued, has not begun, would write to `a`, and does not come before op.
check_op *check_pending_copy(uintptr_t a, const check_op *op)
{
    for (uint32_t id = op_live_from; id < op_count; id++) {
        check_op *o = check_op_by_id(id);
        if (!o || o == op || (o->kind != CPUDEV_OP_COPY && o->kind != CPUDEV_OP_SET) ||
            a - (uintptr_t)o->d.dst >= o->d.bytes)
            continue;
        if (!check_op_before(id, op) && !check_op_before(op->id, o))
            return o;
    }
    return NULL;
}

const check_op *check_last_kernel(void)
{
    for (uint32_t id = op_count; id-- > op_live_from;) {
        const check_op *o = check_op_by_id(id);
        if (o && o->kind == CPUDEV_OP_KERNEL && !o->parent)
            return o;
    }
    return NULL;
}

// All operations queued so far are over, so nothing new can race with them: they are freed.
void check_ops_forget(void)
{
    check_seg_free_below(check_seg_next());
    for (; op_live_from < op_count; op_live_from++) {
        check_op **slot = &op_chunk[op_live_from / OPS_CHUNK][op_live_from % OPS_CHUNK], *op = *slot;
        *slot = NULL;
        if (!op)
            continue;
        check_hooks.free_sync(op);
        free(op->clock);
        free(op->name);
        free(op);
    }
    check_hooks.free_sync(NULL);
}

/* With the lock of streams.c. */
void check_op_publish(check_op *op)
{
    op->id = op_count++;
    check_op ***c = &op_chunk[op->id / OPS_CHUNK];
    if (!*c)
        __atomic_store_n(c, must(calloc(OPS_CHUNK, sizeof **c)), __ATOMIC_RELEASE);
    __atomic_store_n(&(*c)[op->id % OPS_CHUNK], op, __ATOMIC_RELEASE);
}

/* The operation starts: which segments are known to come before it? */
void check_op_begins(check_op *op)
{
    uint32_t floor = check_global_floor(), newest = last_begun;
    if (op->ordered_after_all && newest < op->id) {
        uint32_t next = check_seg_next(), host = check_first_host_seg_after(op->host_clock);
        floor = host < next ? host : next;
        if (floor < check_global_floor())
            floor = check_global_floor();
    }
    op->floor_at_issue = op->parent ? op->parent->floor_at_issue : floor;
    while (newest < op->id && !atomic_compare_exchange_weak(&last_begun, &newest, op->id))
        ;
}
