/* setmaxnreg.h: see setmaxnreg.c. */
#ifndef SETMAXNREG_H
#define SETMAXNREG_H

#include "exec/thread.h"

/* The running block is about to end: have all threads of a warpgroup come to each setmaxnreg, as they must? */
void setmaxnreg_block_ends(const cpudev_worker *w);

#endif
