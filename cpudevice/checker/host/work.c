/* work.c: operations as they are queued, begin and end: the accesses of copies and memsets. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "cpudev_must.h"
#include "race/looks.h"
#include "counters/counters.h"
#include "counters/counters_launches.h"
#include "report/findings.h"
#include "host/host.h"
#include "report/lines.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "core/tools.h"
#include "core/worker.h"

void check_op_enqueue(cpudev_op *work, const cpudev_op_desc *d)
{
    check_op *op = work->of[check_observer] = must(calloc(1, sizeof *op));
    op->kind = d->kind;
    op->d = *d;
    op->name = d->name ? must(strdup(d->name)) : NULL;
    op->caller = cpudev_api.caller;
    op->grid_blocks =
        (uint64_t)(d->grid[0] ? d->grid[0] : 1) * (d->grid[1] ? d->grid[1] : 1) * (d->grid[2] ? d->grid[2] : 1);

    if (d->parent) {
        check_op *parent = d->parent->of[check_observer];
        op->parent = parent;
        op->depth = parent->depth + 1;
        op->index = ++parent->launches;
        op->host_clock = parent->host_clock;
        if (parent->kind == CPUDEV_OP_KERNEL)
            check_launch_place(op);
    }
    check_op_queue(op);
}

static void touch(check_op *op, const void *p, size_t pitch, int write)
{
    size_t slices = op->d.slices ? op->d.slices : 1, slice = write ? op->d.dslice : op->d.sslice;
    for (size_t z = 0; z < slices; z++)
        for (size_t r = 0; r < op->d.rows; r++)
            check_touch_op(op, (const char *)p + z * slice + r * pitch, op->d.bytes, write);
}

// What was allocated when the copy was queued may be gone when its turn comes: a cudaFreeAsync stood before it.
static int gone(const check_op *op, const void *p, const char *what)
{
    check_alloc *a;
    if (check_range(p, op->d.bytes, &a, NULL) != CHECK_RANGE_FREED)
        return 0;
    if (!(check_tools & TOOL_MEM))
        return 1;
    check_finding f;
    memset(&f, 0, sizeof f);
    f.tool = TOOL_MEM;
    f.kind = "use-after-free";
    f.at.pc = op->caller;
    snprintf(f.title, sizeof f.title,
             a->freed == NOT_YET ? "%s: the %s is a graph's memory, which is not allocated yet"
                                 : "%s: the %s is freed before this operation's turn comes",
             op->kind == CPUDEV_OP_SET ? "memset" : "copy", what);
    f.has_other = a->freed != NOT_YET;
    f.other.pc = a->free_pc;
    snprintf(f.other.what, sizeof f.other.what, "freed");
    check_describe_alloc(a, f.object, sizeof f.object);
    f.cause = a->freed == NOT_YET ? "the node that allocates it comes later, or its graph was not launched"
                                  : "cudaFreeAsync takes its place in the stream: queue it behind the last operation "
                                    "that uses the memory";
    check_report(&f);
    return 1;
}

void check_op_begin(cpudev_op *work)
{
    check_op *op = work->of[check_observer];
    if (!op)
        return;
    check_op_begins(op);
    if (op->kind == CPUDEV_OP_SET && op->d.bytes && op->d.rows && gone(op, op->d.dst, "memory"))
        return;
    if (op->kind == CPUDEV_OP_COPY && op->d.bytes && op->d.rows &&
        (gone(op, op->d.src, "source") | gone(op, op->d.dst, "destination")))
        return;
    if (op->kind == CPUDEV_OP_COPY && op->d.bytes && op->d.rows) {
        touch(op, op->d.src, op->d.spitch, 0);
        if (check_tools & TOOL_INIT && check_is_heap(op->d.src) && !check_is_heap(op->d.dst)) {
            size_t missing = 0, first = 0, row_first;
            check_alloc *a = check_alloc_near(op->d.src, NULL);
            for (size_t r = 0; r < op->d.rows; r++) {
                size_t m = check_uninitialised((const char *)op->d.src + r * op->d.spitch, op->d.bytes, &row_first);
                if (m && !missing)
                    first = r * op->d.spitch + row_first;
                missing += m;
            }
            if (missing && a && (a->kind == CPUDEV_MEM_DEVICE)) {
                check_finding f;
                memset(&f, 0, sizeof f);
                f.tool = TOOL_INIT;
                f.kind = "copy-uninitialised";
                f.at.pc = op->caller;
                snprintf(f.title, sizeof f.title,
                         "the copy to the host reads %zu bytes of device memory that nothing has written (the first at "
                         "byte %zu of %zu)",
                         missing, first, op->d.bytes * op->d.rows);
                check_describe_alloc(a, f.object, sizeof f.object);
                f.cause = "the kernel was not launched, failed, or covers only a part of the array (the grid is too "
                          "small, or the last elements are left out)";
                check_report(&f);
            }
        }
        touch(op, op->d.dst, op->d.dpitch, 1);
        if (check_is_heap(op->d.src) && check_is_heap(op->d.dst))
            for (size_t r = 0; r < op->d.rows; r++)
                check_copy_init((char *)op->d.dst + r * op->d.dpitch, (const char *)op->d.src + r * op->d.spitch,
                                op->d.bytes);
    }
    if (op->kind == CPUDEV_OP_SET && op->d.bytes && op->d.rows)
        touch(op, op->d.dst, op->d.dpitch, 1);
    if (op->kind == CPUDEV_OP_ALLOC)
        check_heap_again(op->d.dst);
    // A look at the first page is enough to tell who uses the memory too early or too late.
    if (op->kind == CPUDEV_OP_ALLOC)
        check_touch_op(op, op->d.dst, op->d.bytes < 4096 ? op->d.bytes & ~(size_t)3 : 4096, 0);
    if (op->kind == CPUDEV_OP_FREE) {
        check_alloc *a = check_alloc_near(op->d.dst, NULL);
        if (a && !a->freed)
            check_touch_op(op, op->d.dst, a->bytes < 4096 ? a->bytes : 4096, 1);
    }
    if (check_tools & TOOL_COUNTERS && op->kind == CPUDEV_OP_KERNEL)
        counters_op_begin(op);
    if (op->kind == CPUDEV_OP_HOSTFN) {
        // What runs in the function may tell the host's threads, in ways that are not seen here.
        check_host_joins(op);
        check_hostfn(op, 1);
    }
}

void check_op_end(cpudev_op *work, const cpudev_event *e)
{
    (void)e;
    check_op *op = work->of[check_observer];
    if (!op)
        return;
    if (check_tools & TOOL_COUNTERS && op->kind == CPUDEV_OP_KERNEL)
        counters_op_end(op);
    if (op->kind == CPUDEV_OP_HOSTFN)
        check_hostfn(op, 0);
    if (op->kind == CPUDEV_OP_KERNEL)
        check_settle_looks();
}
