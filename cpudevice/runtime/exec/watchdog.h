/* watchdog.h: kernels that do not get on: a thread looks at the workers now and then. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "exec/thread.h"

void start_watchdog(void); /* once */
void watch_worker(cpudev_worker *w);
void unwatch_worker(cpudev_worker *w);

#endif
