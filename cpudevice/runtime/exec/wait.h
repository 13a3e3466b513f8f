/* wait.h: threads of a block wait: for the block's barrier, for each other, for memory that another is to write.
 *
 * If a whole round of the live threads brings nothing, the block is deadlocked. */
#ifndef WAIT_H
#define WAIT_H

#include "exec/thread.h"

bool blocked(const cpudev_fiber *f);
void wait_turn(cpudev_worker *w); /* one turn of waiting, once the thread has looked and must go on waiting */
/* The same for a thread that may give up: false, and no turn, where nothing can happen while it waits. A block whose
 * threads all give up again and again is deadlocked. The caller counts itself in w->tries meanwhile. */
bool wait_try(cpudev_worker *w);

#endif
