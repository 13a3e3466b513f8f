/* deadlock.h: a block's threads wait, and none of them can go on. */
#ifndef DEADLOCK_H
#define DEADLOCK_H

#include "exec/thread.h"

/* Says on stderr where the threads of the running block stand. */
void report_deadlock(const cpudev_worker *w);

#endif
