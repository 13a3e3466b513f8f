/* fiber.h: going from one thread of a block to another. */
#ifndef FIBER_H
#define FIBER_H

#include "tell.h"

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
