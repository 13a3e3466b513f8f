/* watchdog.h: kernels that do not get on: a thread looks at the workers now and then. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "exec/thread.h"

/* Once.  wait_for_work() is called before each look, and may sleep while there is no work. */
void start_watchdog(void (*wait_for_work)(void));
void watch_worker(cpudev_worker *w);
void unwatch_worker(cpudev_worker *w);

#endif
