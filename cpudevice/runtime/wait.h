/* wait.h: threads of a block wait: for the block's barrier, for each other, for memory that another is to write.
 *
 * If a whole round of the live threads brings nothing, the block is deadlocked. */
#ifndef WAIT_H
#define WAIT_H

#include "thread.h"

bool blocked(const cpudev_fiber *f);
void wait_turn(cpudev_worker *w); /* one turn of waiting, once the thread has looked and must go on waiting */

#endif
