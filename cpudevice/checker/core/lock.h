/* lock.h: mutexes that kernels' threads come to: none is ended while it holds one. */
#ifndef CHECKER_LOCK_H
#define CHECKER_LOCK_H

#include <pthread.h>

#include "observe/observer.h"

static inline void check_lock(pthread_mutex_t *lock)
{
    cpudev_hold();
    pthread_mutex_lock(lock);
}

static inline void check_unlock(pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
    cpudev_let_go();
}

#endif
