/* profile.c: the profiler's subscription. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/clock.h"
#include "cpudevice.h"
#include "observe/observer.h"
#include "device/process.h"

static void (*_Atomic listener)(void *user, const cpudev_event *e);

static void *listener_user;

static cpudev_event_clock events_clock = {now_ticks, 0, 0, (uint64_t)1 << 32};

static void measure_clock(void)
{
    uint64_t ticks[2], ns[2];
    if (ticks_are_ns())
        return;
    for (int end = 0; end < 2; end++) { /* the tightest of a few pairs at each end of 10 ms */
        uint64_t best = UINT64_MAX;
        for (int i = 0; i < 20; i++) {
            uint64_t a = now_ticks(), t = now_ns(), b = now_ticks();
            if (b - a < best) {
                best = b - a;
                ticks[end] = a + (b - a) / 2;
                ns[end] = t;
            }
        }
        while (!end && now_ns() - ns[0] < 10000000)
            ;
    }
    events_clock.ticks = ticks[1];
    events_clock.ns = ns[1];
    events_clock.rate = (uint64_t)(((unsigned __int128)(ns[1] - ns[0]) << 32) / (ticks[1] - ticks[0]));
}

/* Whoever calls cpudev_subscribe hears of each call and operation once it is over. */
static void hear(const cpudev_event *e)
{
    void (*fn)(void *, const cpudev_event *) = atomic_load(&listener);
    if (fn && e)
        fn(listener_user, e);
}

static void hear_call(int status, const cpudev_event *e)
{
    (void)status;
    hear(e);
}

static void hear_op(cpudev_op *op, const cpudev_event *e)
{
    (void)op;
    hear(e);
}

static const cpudev_observer profiler = {.timed = true, .call_end = hear_call, .op_end = hear_op};

int cpudev_subscribe(void (*fn)(void *, const cpudev_event *), void *user, cpudev_event_clock *clock)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (atomic_load(&listener))
        return -1;
    device_ready();
    pthread_once(&once, measure_clock);
    *clock = events_clock;
    listener_user = user;
    atomic_store(&listener, fn);
    return observer_add(&profiler) < 0 ? -1 : 0;
}

void cpudev_unsubscribe(void)
{
    observer_remove(&profiler);
    atomic_store(&listener, NULL);
}
