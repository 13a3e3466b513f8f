/* block.c: blocks of a kernel run, one after the other, on one OS thread. */
#undef _FORTIFY_SOURCE /* its longjmp() takes a jump from a fiber's stack to the worker's for an error */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdatomic.h>

#include "exec/block.h"
#include "device/hooks.h"
#include "async/async.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "device/device_state.h"
#include "exec/fiber.h"
#include "exec/flush.h"
#include "exec/grid.h"
#include "warp/meet.h"
#include "exec/order.h"
#include "observe/observers.h"
#include "exec/setmaxnreg.h"
#include "exec/shared_window.h"
#include "device/sizes.h"
#include "exec/slots.h"
#include "observe/tell_block.h"
#include "exec/thread.h"
#include "exec/turn.h"
#include "exec/worker.h"

static __attribute__((noinline)) void run_prepared(cpudev_worker *w, void (*run)(const void *))
{
    if (!_setjmp(w->kill))
        run(w->closure);
}

/* A thread, or all threads of a block in a loop, on the worker's own stack. */
static inline __attribute__((always_inline)) void run_here(cpudev_worker *w, void (*run)(const void *))
{
    if (__builtin_expect(observed.ends_threads, 0))
        run_prepared(w, run);
    else
        run(w->closure);
}

/* Runs thread t, whose threadIdx is set, to its end.  Returns true if it has become a fiber on the way: then all threads
 * of the block have ended. */
static inline __attribute__((always_inline)) bool run_one(cpudev_worker *w, unsigned t)
{
    cpudev_tls.polls = 0;
    if (observed.threads)
        tell_thread();
    run_here(w, w->work->run_thread);
    TELL(thread_exit, cpudev_tid());
    if (!cpudev_tls.current) {
        cpudev_tls.live--;
        if (w->cluster)
            cluster_thread_ended(w, t);
        return false;
    }
    cpudev_fiber *me = cpudev_tls.current;
    unsigned id = (unsigned)(me - w->fibers);
    thread_ended(w, me, id);
    if (w->warps[id / WARP].arrived)
        retry_warp(w, id / WARP);
    if (cpudev_tls.live)
        go(me, me->next);
    cpudev_tls.current = NULL;
    return true;
}

/* In another order than that of their numbers. */
static void run_in_order(cpudev_worker *w, const dim3 size)
{
    for (w->place = 0; w->place < w->threads; w->place++) {
        const unsigned t = (unsigned)order_number(w->place, w->threads);
        threadIdx.x = t % size.x;
        threadIdx.y = t / size.x % size.y;
        threadIdx.z = t / size.x / size.y;
        if (run_one(w, t))
            return;
    }
}

static void run_general(cpudev_worker *w, const dim3 size)
{
    if (!order_is_forward) {
        run_in_order(w, size);
        return;
    }
    for (unsigned z = 0, t = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++)
            for (unsigned x = 0; x < size.x; x++, t++) {
                threadIdx.x = x;
                threadIdx.y = y;
                threadIdx.z = z;
                if (run_one(w, t))
                    return;
            }
}

/* The state in which each block begins. */
static void begin_block(cpudev_worker *w)
{
    cpudev_tls.arrived = 0;
    cpudev_tls.live = w->threads;
    cpudev_tls.epoch = 0;
    cpudev_tls.current = NULL;
    w->begun++;
    w->progress = 0;
    w->yields = 0;
    w->tries = w->fruitless = 0;
    w->grid_epoch = ~0u;
    if (__builtin_expect(w->calls.kept, 0))
        runtime_hooks.forget_calls(w);
    atomic_store_explicit(&w->watch.heartbeat, atomic_load_explicit(&w->watch.heartbeat, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static void run_block(cpudev_worker *w, command *c)
{
    const bool turns = c->turns && !c->cluster.x; /* a cluster's blocks have one turn */
    if (turns)
        turn_block_begin(w, c->turns);
    if (observed.threads)
        tell_block(w, c);
    w->in_kernel = 1;
    if (c->work->run_block) {
        if (observed.threads)
            tell_loop();
        run_here(w, c->work->run_block);
        TELL(thread_exit, running_thread());
    } else
        run_general(w, c->block);
    async_block_ends(w);
    setmaxnreg_block_ends(w);
    if (c->cluster.x)
        TELL(cluster_left);
    w->in_kernel = 0;
    free_slots();
    TELL(block_end);
    if (turns)
        turn_block_end(w, c->turns, false);
    if (c->cooperative)
        grid_left(c);
}

/* Ends the launch on this worker: the kernel has failed in the running block, or no block is left. */
static void leave(cpudev_worker *w)
{
    cpudev_tls.current = NULL;
    cpudev_tls.worker = NULL;
    if (w->command->flush)
        set_float_control(w->float_control);
    w->command = NULL;
}

static void take_launch(cpudev_worker *w, command *c)
{
    const dim3 size = c->block;
    w->command = c;
    w->work = c->work;
    w->closure = c->closure;
    w->threads = size.x * size.y * size.z;
    gridDim = c->grid;
    blockDim = size;
    cpudev_tls.worker = w;
    cpudev_tls.dynamic_shared = w->dynamic_shared;
    if (c->flush)
        w->float_control = set_flush(true);
}

/* The kernel has failed in the running block. */
static void failed(cpudev_worker *w, command *c)
{
    w->in_kernel = 0;
    async_drop(w);
    free_slots();
    leave(w);
    TELL(block_end);
    set_sticky(w->abort_status);
    if (c->turns && !c->cluster.x)
        turn_block_end(w, c->turns, true);
}

/* The worker's block of a cluster. */
static void run_in_cluster(cpudev_worker *w, command *c)
{
    take_launch(w, c);
    if (_setjmp(w->abort)) {
        failed(w, c);
        return;
    }
    begin_block(w);
    run_block(w, c);
    leave(w);
}

static cpudev_worker *ready(void)
{
    cpudev_worker *w = worker_of_this_thread();
    shared_window_ready(w);
    return w;
}

unsigned long long run_blocks(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end)
{
    static const cluster_calls calls = {ready, run_in_cluster};
    if (c->cluster.x)
        return run_clusters(w, c, first, end, &calls);
    const dim3 grid = c->grid;
    w->block = w->unit = first;
    w->block_end = end;
    take_launch(w, c);
    if (_setjmp(w->abort)) {
        failed(w, c);
        w->cluster = NULL;
        return w->block_end - first;
    }
    uint3 b = {0, 0, 0};
    unsigned long long number = 0, follower = c->units; /* b is the index of block `follower`, if there is one */
    for (unsigned long long i = first; i < w->block_end; i++, follower = number + 1) {
        number = order_number(i, c->units);
        if (number != follower)
            b = (uint3){(unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                        (unsigned)(number / grid.x / grid.y)};
        blockIdx = b;
        w->block = number;
        w->unit = i;
        begin_block(w);
        run_block(w, c);
        w->cluster = NULL; /* the block may have become a cluster of its own */
        if (++b.x == grid.x) {
            b.x = 0;
            if (++b.y == grid.y) {
                b.y = 0;
                b.z++;
            }
        }
    }
    leave(w);
    return w->block_end - first;
}
