/* fiber.h: a block's threads as fibers, which hand over to each other round a ring.
 *
 * Threads start as plain calls, one after the other.  The first that has to wait calls cpudev_fork: it keeps the
 * worker's stack as its fiber, and the threads that have not begun get stacks of their own. */
#ifndef FIBER_H
#define FIBER_H

#include "cpudev_core.h"
#include "observe/observers.h"
#include "observe/tell_block.h"

/* A thread has ended: it leaves the ring and its warp, and others may have waited only for it. */
void thread_ended(cpudev_worker *w, cpudev_fiber *me, unsigned t);

/* In another order than forward: the thread that goes on when `me` polls, or me if there is no other. */
cpudev_fiber *next_in_order(cpudev_worker *w, cpudev_fiber *me);

static inline void barrier_released(void)
{
    if (__builtin_expect(observed.threads, 0))
        tell_barrier();
}

static inline void go(cpudev_fiber *from, cpudev_fiber *to)
{
    cpudev_tls.current = to;
    threadIdx = to->tid;
    if (__builtin_expect(observed.threads, 0))
        tell_turn(to);
    cpudev_switch(from, to);
}

#endif
