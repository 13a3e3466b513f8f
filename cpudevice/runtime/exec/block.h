/* block.h: blocks of a kernel run, one after the other, on one OS thread. */
#ifndef BLOCK_H
#define BLOCK_H

#include "stream/command.h"
#include "exec/thread.h"

/* Returns how many blocks it has run, from the first on: those behind one that waits for others may be given back. */
unsigned long long run_blocks(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end);

#endif
