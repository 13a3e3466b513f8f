/* wait.c: threads of a block wait. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "exec/wait.h"
#include "device/hooks.h"
#include "device/clock.h"
#include "async/async.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "exec/deadlock.h"
#include "exec/fiber.h"
#include "exec/order.h"
#include "observe/observers.h"
#include "observe/tell_block.h"
#include "exec/thread.h"
#include "exec/turn.h"

bool blocked(const cpudev_fiber *f)
{
    return f->barrier == cpudev_tls.epoch + 1 || (f->request && !f->request->done) || f->waiting;
}

enum {
    GIVEN_UP = 4096 /* tries in a row that brought nothing: more than a program makes that does not wait for ever */
};

/* Has nothing come since turns are counted in w->idle? Where something has, the count begins anew. */
static bool nothing_has_come(cpudev_worker *w)
{
    const unsigned stamp = w->progress + cpudev_tls.epoch + cpudev_tls.arrived;
    if (stamp == w->seen_progress)
        return true;
    w->seen_progress = stamp;
    w->idle = w->fruitless = 0;
    return false;
}

/* Turns that may bring nothing: two rounds of the live threads. */
static unsigned most_idle_turns(void) { return 2 * cpudev_tls.live + 2; }

/* Counts a turn. Have the rounds brought nothing, and is no asynchronous operation left that could land? */
static bool stands_still(cpudev_worker *w)
{
    if (!nothing_has_come(w) || ++w->idle <= most_idle_turns())
        return false;
    if (!async_stalled(w) && !cluster_pass(w))
        return true;
    w->idle = 0;
    return false;
}

/* The thread of the ring that goes on after `me`. All that a thread at the block's barrier does in its turn is to count
 * that it brought nothing; it is counted here, and the thread is passed over, unless the count is full. */
static cpudev_fiber *next_turn(cpudev_worker *w, const cpudev_fiber *me)
{
    cpudev_fiber *to = me->next;
    for (; to != me && to->barrier == cpudev_tls.epoch + 1; to = to->next)
        if (nothing_has_come(w)) {
            if (w->idle >= most_idle_turns())
                break;
            w->idle++;
        }
    return to;
}

static void deadlocked(cpudev_worker *w) __attribute__((noreturn));
static void deadlocked(cpudev_worker *w)
{
    if (observed.threads)
        tell_deadlock(w);
    if (!observed.reports_deadlock)
        report_deadlock(w);
    fail_kernel(cudaErrorLaunchFailure);
}

void wait_turn(cpudev_worker *w)
{
    cpudev_fiber *me = cpudev_tls.current;
    if (stands_still(w) && !w->tries) /* a thread that may give up does so in its turn */
        deadlocked(w);
    go(me, next_turn(w, me));
}

bool wait_try(cpudev_worker *w)
{
    cpudev_fiber *me = cpudev_tls.current;
    if (stands_still(w)) {
        w->idle = 0;
        if (++w->fruitless > GIVEN_UP)
            deadlocked(w);
        return false;
    }
    go(me, next_turn(w, me));
    return true;
}

/* Its turn has come, but the barrier's has not. */
void cpudev_barrier_again(unsigned epoch)
{
    while (cpudev_tls.epoch == epoch)
        wait_turn(cpudev_tls.worker);
}

/* The thread has come to the barrier and is not the last (a checked program's way; others go on inline). */
void cpudev_barrier_wait(void)
{
    cpudev_fiber *me = cpudev_tls.current;
    if (__builtin_expect(!me, 0)) {
        cpudev_fork();
        me = cpudev_tls.current;
    }
    const unsigned epoch = cpudev_tls.epoch;
    me->barrier = epoch + 1;
    cpudev_fiber *to = me->next;
    __builtin_prefetch(to->next->sp);
    go(me, to);
    while (__builtin_expect(cpudev_tls.epoch == epoch, 0))
        wait_turn(cpudev_tls.worker);
}

void cpudev_syncthreads(void)
{
    cpudev_block *b = &cpudev_tls;
    if (!b->worker)
        cpudev_fork(); /* says why not */
    if (__builtin_expect(observed.threads, 0))
        tell_arrive(__builtin_return_address(0));
    if (++b->arrived == b->live) {
        b->arrived = 0;
        b->epoch++;
        barrier_released();
        return;
    }
    cpudev_barrier_wait();
}

/* __syncthreads() of a checked program: `place` is what the compiler says of its place, or NULL. */
void cpudev_syncthreads_at(const void *place)
{
    if (observed.threads)
        tell_site(__builtin_return_address(0), place);
    cpudev_syncthreads();
}

/* Of a checked program, between two loops over the threads: none of them can have missed it. */
void cpudev_loop_barrier(void)
{
    if (observed.threads)
        tell_site(__builtin_return_address(0), NULL);
    cpudev_tls.epoch++;
    barrier_released();
}

int cpudev_syncthreads_reduce(int pred, int op)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w)
        cpudev_fork();
    unsigned slot = cpudev_tls.epoch & 1;
    if (cpudev_tls.arrived == 0) {
        w->reduce[slot].sum = 0;
        w->reduce[slot].and_ = 1;
        w->reduce[slot].or_ = 0;
    }
    w->reduce[slot].sum += pred != 0;
    w->reduce[slot].and_ &= pred != 0;
    w->reduce[slot].or_ |= pred != 0;
    if (observed.threads)
        tell_site(__builtin_return_address(0), NULL);
    cpudev_syncthreads();
    return op == 0 ? w->reduce[slot].sum : op == 1 ? w->reduce[slot].and_ : w->reduce[slot].or_;
}

void cpudev_wait(int (*ready)(void *), void *arg, const char *what)
{
    (void)what;
    if (ready(arg))
        return;
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    w->progress++; /* whatever it did before may be what another waits for */
    if (observed.threads)
        tell_wait(__builtin_return_address(0));
    me->waiting = 1;
    while (!ready(arg))
        wait_turn(w);
    me->waiting = 0;
    w->progress++;
}

void cpudev_yield(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->in_kernel || w->work->run_block) {
        if (!w || !w->in_kernel || !w->command->turns || !turn_polled(w))
            sched_yield();
        return;
    }
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_fiber *me = cpudev_tls.current;
    w->progress++;
    w->yields++;
    if (w->command->turns && turn_polled(w)) {
        /* another block goes on */
    } else if (w->yields % (2ull * cpudev_tls.live) == 0) {
        /* whole rounds of nothing but yields: perhaps what a thread waits for that does not stand still to see */
        async_stalled(w);
        /* or another block, which needs a thread to run on */
        if (cluster_yield(w)) {
            /* one of its cluster has run */
        } else if (w->yields > 256ull * cpudev_tls.live) {
            runtime_hooks.blocks_wait(w);
            struct timespec nap = {0, 20000};
            nanosleep(&nap, NULL);
        } else
            sched_yield();
    }
    cpudev_fiber *to = order_is_forward ? next_turn(w, me) : next_in_order(w, me);
    if (to != me)
        go(me, to);
}

void cpudev_poll(void)
{
    if (cpudev_tls.worker && cpudev_tls.worker->work->run_block) /* nobody of this block to wait for */
        return;
    unsigned n = ++cpudev_tls.polls;
    if (cpudev_tls.current ? n % 8 == 0 : n >= 256)
        cpudev_yield();
}

/* A thread that waits by the clock lets the others of its block do so at the same time. */
long long cpudev_clock(void)
{
    if (cpudev_on_device())
        cpudev_poll();
#ifdef __x86_64__
    return (long long)__builtin_ia32_rdtsc();
#else
    return (long long)now_ns();
#endif
}

void cpudev_fence(int scope)
{
    atomic_thread_fence(memory_order_seq_cst);
    TELL(fence, scope);
}
