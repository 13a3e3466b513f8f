/* bulk.c: PTX's bulk copies and their groups ("Data Movement and Conversion Instructions: Bulk copy" of the PTX ISA). */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "async/async.h"
#include "async/bulk_reduce.h"
#include "cpudev_abi.h"
#include "cpudevice.h"
#include "async/mbarrier.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observers.h"
#include "async/tensor_map.h"
#include "exec/thread.h"
#include "cpudev_must.h"

typedef struct copy {
    async_op op;
    void *to, *bar;
    const void *from;
    uint32_t bytes, kept; /* kept: of each 16 bytes those that are written */
    int reduce, type;
    const void *site;
    void *buffer; /* of a store: what was read; of a value: the value */
} copy;

static const void *of_thread(void) { return (const void *)(uintptr_t)cpudev_tid(); }

static void check(const void *to, const void *from, uint32_t bytes, const void *site)
{
    static const char what[] = "source, destination and size must be multiples of 16 bytes";
    char where[256];
    if (((uintptr_t)to | (uintptr_t)from | bytes) % 16 == 0)
        return;
    describe_place(where, sizeof where);
    TELL(async_mistake, site, "cp.async.bulk", what);
    if (!observed.reports_deadlock)
        message("%s: cp.async.bulk: %s (%p, %p, %u bytes)", where, what, to, from, bytes);
    fail_kernel(cudaErrorMisalignedAddress);
}

static void land_load(async_op *op, int stage)
{
    copy *c = (copy *)op;
    (void)stage;
    if (c->reduce)
        bulk_reduce(c->to, c->from, c->bytes / tensor_element(c->type), c->reduce, c->type);
    else
        memcpy(c->to, c->from, c->bytes);
    mbarrier_bytes(c->bar, c->bytes, c->site);
}

static copy *new_load(void *to, const void *from, uint32_t bytes, void *bar, int reduce, int type, const void *site)
{
    copy *c = async_new(sizeof *c, ASYNC_MBARRIER, bar, land_load);
    c->to = to;
    c->from = from;
    c->bytes = bytes;
    c->bar = bar;
    c->reduce = reduce;
    c->type = type;
    c->site = site;
    return c;
}

static void load(void *to, const void *from, uint32_t bytes, void *bar, int reduce, int type, const void *site)
{
    check(to, from, bytes, site);
    copy *c = new_load(to, from, bytes, bar, reduce, type, site);
    async_tell(&c->op, reduce ? "cp.reduce.async.bulk" : "cp.async.bulk", site);
    async_touches(&c->op, from, bytes, false);
    async_touches(&c->op, to, bytes, true);
    async_begin(&c->op);
}

void cpudev_bulk_load(uint32_t to, const void *from, uint32_t bytes, uint32_t bar, uint32_t blocks)
{
    const void *site = __builtin_return_address(0);
    TELL(unit, CPUDEV_TMA_LOAD, site, 1, bytes);
    if (!blocks)
        load(cpudev_from_shared(to), from, bytes, cpudev_from_shared(bar), 0, 0, site);
    for (uint32_t rank = 0; rank < CLUSTER_MOST && blocks >> rank; rank++)
        if (blocks >> rank & 1)
            load(cpudev_from_shared(cpudev_mapa(to, rank)), from, bytes, cpudev_from_shared(cpudev_mapa(bar, rank)), 0,
                 0, site);
}

void cpudev_bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t bar, int reduce, int type)
{
    load(cpudev_from_shared(to), cpudev_from_shared(from), bytes, cpudev_from_shared(bar), reduce, type,
         __builtin_return_address(0));
}

static void buffer_gone(async_op *op) { held_free(((copy *)op)->buffer); }

void cpudev_async_value(uint32_t to, const void *value, uint32_t bytes, uint32_t bar, int reduce, int type)
{
    const void *site = __builtin_return_address(0);
    void *place = cpudev_from_shared(to), *buffer = held_malloc(bytes);
    if (!buffer)
        out_of_memory();
    if (to % bytes)
        fail_kernel(cudaErrorMisalignedAddress);
    memcpy(buffer, value, bytes);
    copy *c = new_load(place, buffer, bytes, cpudev_from_shared(bar), reduce, type, site);
    c->buffer = buffer;
    c->op.gone = buffer_gone;
    async_tell(&c->op, reduce ? "red.async" : "st.async", site);
    async_touches(&c->op, place, bytes, true);
    async_begin(&c->op);
}

static void land_store(async_op *op, int stage)
{
    copy *c = (copy *)op;
    if (stage == 0) {
        c->buffer = held_malloc(c->bytes);
        if (!c->buffer)
            out_of_memory();
        memcpy(c->buffer, c->from, c->bytes);
    } else if (c->reduce) {
        bulk_reduce(c->to, c->buffer, c->bytes / tensor_element(c->type), c->reduce, c->type);
    } else if (c->kept == 0xffff) {
        memcpy(c->to, c->buffer, c->bytes);
    } else {
        for (uint32_t i = 0; i < c->bytes; i++)
            if (c->kept >> i % 16 & 1)
                ((char *)c->to)[i] = ((char *)c->buffer)[i];
    }
}

void cpudev_bulk_store(void *to, uint32_t from, uint32_t bytes, uint32_t bytes_kept, int reduce, int type)
{
    const void *source = cpudev_from_shared(from), *site = __builtin_return_address(0);
    check(to, source, bytes, site);
    copy *c = async_new(sizeof *c, ASYNC_BULK, of_thread(), land_store);
    c->op.stages = 2;
    c->op.gone = buffer_gone;
    c->to = to;
    c->from = source;
    c->bytes = bytes;
    c->kept = bytes_kept;
    c->reduce = reduce;
    c->type = type;
    TELL(unit, CPUDEV_TMA_STORE, site, 1, bytes / 16 * (unsigned)__builtin_popcount(bytes_kept & 0xffff));
    async_tell(&c->op, reduce ? "cp.reduce.async.bulk" : "cp.async.bulk", site);
    async_touches(&c->op, source, bytes, false);
    c->op.told.reduces = reduce != 0;
    async_touches(&c->op, to, bytes, true);
    async_begin(&c->op);
}

void cpudev_bulk_commit(void) { async_commit(ASYNC_BULK, of_thread()); }

void cpudev_bulk_wait(uint32_t pending, int read) { async_wait_group(ASYNC_BULK, of_thread(), pending, read ? 1 : 2); }
