/* device.c: blocks, threads and barriers, as the runtime reports them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "memory/describe.h"
#include "memory/area.h"
#include "race/held.h"
#include "race/atomics.h"
#include "regions/bulk.h"
#include "race/cluster.h"
#include "counters/counters.h"
#include "report/findings.h"
#include "core/layout.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/order.h"
#include "race/peers.h"
#include "race/race.h"
#include "race/record.h"
#include "core/running.h"
#include "core/tools.h"
#include "race/release.h"
#include "race/shadow.h"
#include "core/worker.h"

static void settle_accesses(worker *w)
{
    if (w->strong.late)
        check_acquire_late(w);
    check_resolve(w, 0, 0);
    if (w->index.on)
        check_ub_report(w);
}

static void settle(worker *w)
{
    check_look_was_last(w);
    settle_accesses(w);
}

void check_launch_place(check_op *op)
{
    worker *w = &check_self;
    if (w->busy)
        settle(w);
    op->launch_block = w->block_id;
    op->launch_thread = w->thread;
    op->launch_epoch = w->epoch;
    op->launch_barrier = w->barrier_epoch;
    op->launch_grid = w->global.grid_epoch;
    op->knows_blocks = w->order.sync || w->order.block_known;
    check_next_epoch(w); // what follows the launch has no order with it
}

// The local and shared memory of a kernel's threads cannot be used by a kernel that it launches.
void check_nested_args(const void *args, size_t bytes)
{
    worker *w = &check_self;
    for (size_t i = 0; i + sizeof(uintptr_t) <= bytes; i += sizeof(uintptr_t)) {
        uintptr_t a = *(const uintptr_t *)((const char *)args + i), base;
        char object[256];
        int local = a - w->stack.lo < w->stack.bytes;
        if (!local) {
            check_shared_name(w, a, object, sizeof object, &base);
            if (!*object)
                continue; // nobody's shared memory
        }
        check_finding f;
        check_here(&f, TOOL_MEM, "nested-argument", cpudev_api.caller);
        snprintf(f.title, sizeof f.title,
                 "a kernel is launched with a pointer to %s memory of the thread that launches it",
                 local ? "local" : "shared");
        if (!local)
            memcpy(f.object, object, sizeof f.object);
        f.cause = "the new kernel's threads cannot see it: put the data into memory from cudaMalloc, or from malloc in "
                  "the kernel, or pass it by value";
        check_report(&f);
        return;
    }
}

static void mark_core(void *p, size_t bytes)
{
    struct check_area *ar = &check_self.area[0];
    if ((uintptr_t)p - ar->lo < ar->bytes)
        memset(ar->owner + ((uintptr_t)p - ar->lo), 253, bytes);
}

void check_block_begin(const cpudev_block_info *b)
{
    worker *w = &check_self;
    if (check_known_words == check_nothing_known)
        check_known_words = check_must_reserve(sizeof check_nothing_known, PROT_READ | PROT_WRITE);
    w->op = b->op->of[check_observer];
    check_active++;
    memcpy(w->block, b->block, sizeof w->block);
    w->block_id = (uint32_t)b->linear_block;
    w->threads = b->threads;
    w->os_stack.lo = (uintptr_t)b->stack;
    w->os_stack.bytes = b->stack_bytes;
    w->fiber_stacks.bytes = 0;
    w->slots.count = 0; // what a thread that was ended left
    w->args.lo = (uintptr_t)b->args;
    w->args.bytes = b->args_bytes;
    if (!w->area[0].owner) {
        uintptr_t lo = check_tls_start();
        check_area_init(&w->area[0], lo, check_program.tls_bytes + 64);
        for (int i = 0; i < b->owns; i++)
            mark_core(b->own[i].p, b->own[i].bytes);
        size_t n;
        const check_file_shared *s = check_file_shared_list(&n);
        for (size_t i = 0; i < n; i++)
            check_add_shared(w, s[i].name, lo + s[i].offset, s[i].bytes);
    }
    if (b->shared && b->shared_bytes &&
        (b->shared != w->shared.arena || b->shared_bytes > w->shared.arena_bytes ||
         w->shared.dynamic != b->dynamic_bytes)) {
        if (b->shared != w->shared.arena || b->shared_bytes > w->shared.arena_bytes) {
            check_area_init(&w->area[1], (uintptr_t)b->shared, b->shared_bytes + 1024);
            w->shared.arena = b->shared;
            w->shared.arena_bytes = b->shared_bytes;
        }
        memset(w->area[1].owner, 255, w->area[1].bytes);
        w->shared.dynamic = b->dynamic_bytes;
        size_t base = (uintptr_t)b->shared - w->area[1].lo;
        memset(w->area[1].owner + base, 254, b->dynamic_bytes);
    } else if (!b->shared || !b->shared_bytes) {
        w->shared.dynamic = 0;
        if (w->area[1].owner)
            memset(w->area[1].owner, 255, w->area[1].bytes);
    }
    check_look_was_last(w);
    w->busy = w->strong.late = w->loops = w->region.recording = w->region.deferred = 0;
    w->async.now = NULL;
    w->async.registers = NULL;
    w->apart = check_tools & TOOL_MEM && !cpudev_reaches_all();
    check_peer_begin(w);
    check_cluster_block_begin(w);
    check_next_epoch(w);
    w->first_epoch = w->epoch;
    check_next_epoch(w); // what an asynchronous copy fills counts as written before all that threads do
    w->barrier_epoch = w->epoch;
    w->global.floor = check_op_floor(w->op);
    w->global.grid_epoch = 0;
    w->strong.poll_a = 0;
    w->strong.looks_around = 0;
    w->pending.kind = 0;
    w->index.on = 0;
    w->unset.count = w->looked.count = w->order.warps_meet = 0;
    w->last_var = NULL;
    check_runs(w);
    check_sync_block_begin(w);
    check_held_block_begin(w);
    if (check_tools & TOOL_COUNTERS)
        counters_block_begin(w->op, w->threads);
}

void check_block_end(void)
{
    worker *w = &check_self;
    check_active--;
    settle(w);
    w->in_kernel = 1;
    if (w->unset.count && w->op)
        check_unset_settle(w);
    for (int i = 0; i < w->looked.count && w->op; i++) {
        record r = w->looked.at[i].reader;
        if (pc_of(r))
            check_report_race(w, &(check_race){AFTER_READ,
                                               w->looked.at[i].a,
                                               w->looked.at[i].bytes,
                                               A_WRITE | A_ATOMIC,
                                               w->looked.at[i].pc,
                                               w->looked.at[i].thread,
                                               0,
                                               REC_SEG(r),
                                               REC_THREAD(r),
                                               pc_of(r),
                                               0,
                                               pc_of(r),
                                               {0}});
    }
    w->looked.count = 0;
    check_links_block_end(w);
    if (check_tools & TOOL_COUNTERS)
        counters_block_end();
    check_bulk_block_end();
    check_peer_end(w);
    check_runs_not(w);
    w->in_kernel = w->region.recording = 0;
    set_key(w);
    w->op = NULL;
    w->stack.bytes = 0;
}

void check_thread_now(uint32_t t, void *lo, size_t bytes)
{
    worker *w = &check_self;
    if (w->busy)
        settle_accesses(w); /* a thread that polls may go on with it */
    if (!w->in_kernel) {
        w->in_kernel = 1;
        set_key(w);
    }
    cpudev_check_atomic_kind = 0;
    w->thread = t;
    if (w->held.open)
        check_held_thread(w);
    w->stack.lo = (uintptr_t)lo;
    w->stack.bytes = bytes;
    if (w->stack.lo != w->os_stack.lo) {
        w->fiber_stacks.lo = w->stack.lo - t * bytes;
        w->fiber_stacks.bytes = w->threads * bytes;
    }
    // A thread's static TLS, and shared arrays in it, lies at the end of its stack.
    if (w->area[0].lo - w->stack.lo < bytes)
        w->stack.bytes = w->area[0].lo - w->stack.lo;
}

void check_thread_exit(uint32_t t)
{
    (void)t;
    worker *w = &check_self;
    if (w->busy)
        settle(w);
    if (w->held.open)
        check_held_exit(w);
    w->in_kernel = 0;
    set_key(w);
}

void check_loop_begin(void *lo, size_t bytes)
{
    check_self.loops = 1;
    check_thread_now(0, lo, bytes);
}

void check_barrier(const void *site)
{
    (void)site;
    worker *w = &check_self;
    settle(w);
    check_runs(w); // it may come from a grid barrier
    if (w->unset.count)
        check_unset_settle(w);
    if (w->cluster.remote)
        check_cluster_barrier(w);
    check_next_epoch(w);
    w->barrier_epoch = w->epoch;
    if (w->held.open)
        check_held_barrier(w);
    check_sync_barrier(w);
    if (check_tools & TOOL_COUNTERS)
        counters_barrier();
}

void check_syncwarp(uint32_t warp, uint32_t mask)
{
    worker *w = &check_self;
    settle(w);
    if (warp >= 32)
        return;
    w->order.warps_meet = 1;
    check_next_epoch(w);
    uint32_t e = w->epoch;
    uint32_t lanes = w->threads - warp * 32 >= 32 ? 0xffffffffu : (1u << (w->threads - warp * 32)) - 1;
    check_sync_warp(w, warp, mask);
    if ((mask & lanes) == lanes) {
        w->order.full_sync[warp] = e;
        return;
    }
    if (!w->order.lanes)
        w->order.lanes = check_must_reserve(32 * sizeof *w->order.lanes, PROT_READ | PROT_WRITE);
    uint32_t joined[32];
    memset(joined, 0, sizeof joined);
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            for (int k = 0; k < 32; k++)
                if (w->order.lanes[warp][i][k] > joined[k])
                    joined[k] = w->order.lanes[warp][i][k];
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            joined[i] = e;
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            memcpy(w->order.lanes[warp][i], joined, sizeof joined);
}

void check_grid_sync(void)
{
    worker *w = &check_self;
    check_barrier(NULL);
    check_stands(w);
    w->global.grid_epoch++;
}
