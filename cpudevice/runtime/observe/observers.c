/* observers.c: subscribing, and what all observers want, taken together. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "observe/observers.h"
#include "observe/observer.h"

const cpudev_observer *cpudev_observers[CPUDEV_OBSERVERS + 1];
struct observed observed;
__thread cpudev_call cpudev_api;
__thread uint32_t current_correlation;

static const cpudev_observer nobody; /* takes the place of one that has left, which may be in use at that moment */

static void sum_up(void)
{
    struct observed all = {0};
    for (int i = 0; cpudev_observers[i]; i++) {
        const cpudev_observer *o = cpudev_observers[i];
        if (o == &nobody)
            continue;
        all.any = true;
        all.threads |= o->thread_now || o->barrier || o->block_begin;
        all.timed |= o->timed;
        all.sees_host_access |= o->sees_host_access;
        all.reports_deadlock |= o->reports_deadlock;
        all.waits_at_exit |= o->waits_at_exit;
        all.ends_threads |= o->ends_threads;
        all.turns |= o->turns;
        all.stack_bytes += o->stack_bytes;
        if (o->watchdog_seconds > all.watchdog_seconds)
            all.watchdog_seconds = o->watchdog_seconds;
    }
    observed = all;
}

static pthread_mutex_t observers_lock = PTHREAD_MUTEX_INITIALIZER;

int observer_add(const cpudev_observer *o)
{
    pthread_mutex_lock(&observers_lock);
    int i = 0;
    while (i < CPUDEV_OBSERVERS && cpudev_observers[i] && cpudev_observers[i] != &nobody)
        i++;
    if (i < CPUDEV_OBSERVERS) {
        __atomic_store_n(&cpudev_observers[i], o, __ATOMIC_RELEASE);
        sum_up();
    }
    pthread_mutex_unlock(&observers_lock);
    return i < CPUDEV_OBSERVERS ? i : -1;
}

void observer_remove(const cpudev_observer *o)
{
    pthread_mutex_lock(&observers_lock);
    for (int i = 0; i < CPUDEV_OBSERVERS; i++)
        if (cpudev_observers[i] == o)
            __atomic_store_n(&cpudev_observers[i], cpudev_observers[i + 1] ? &nobody : NULL, __ATOMIC_RELEASE);
    sum_up();
    pthread_mutex_unlock(&observers_lock);
}
