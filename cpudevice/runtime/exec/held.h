/* held.h: the C library's memory for what a kernel's thread calls. A thread that the watchdog ended there would leave its
 * lock locked. The watchdog's reports use what is allocated here, so its next signal ends the kernel. */
#ifndef CPUDEV_EXEC_HELD_H
#define CPUDEV_EXEC_HELD_H

#include <stdlib.h>

#include "observe/observer.h"

static inline void *held_malloc(size_t bytes)
{
    cpudev_hold();
    void *p = malloc(bytes);
    cpudev_let_go_for_now();
    return p;
}

static inline void *held_calloc(size_t count, size_t bytes)
{
    cpudev_hold();
    void *p = calloc(count, bytes);
    cpudev_let_go_for_now();
    return p;
}

static inline void *held_realloc(void *old, size_t bytes)
{
    cpudev_hold();
    void *p = realloc(old, bytes);
    cpudev_let_go_for_now();
    return p;
}

static inline void held_free(void *p)
{
    cpudev_hold();
    free(p);
    cpudev_let_go_for_now();
}

#endif
