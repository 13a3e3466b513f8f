/* shared_window.h: where an address lies in a block's shared memory, as PTX addresses it. */
#ifndef SHARED_WINDOW_H
#define SHARED_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "exec/thread.h"

void shared_place(const void *p, char *text, size_t size); /* "shared+64"; of __shared__ variables "static shared+64" */

/* The memory of `bytes` bytes at this shared address, of this block or of another of its cluster. NULL: there is no such
 * shared memory. */
void *shared_at(uint32_t address, uint32_t bytes);

/* The shared address of which a matrix descriptor holds the low 18 bits: in the launch's dynamic memory if it can be, else
 * the first in __shared__ variables: the right one while the program's kernels have less than 256 KB of them together. */
uint32_t shared_start(uint32_t start);

/* Other blocks of the cluster may ask for the shared memory of the running OS thread's blocks from now on. */
void shared_window_ready(cpudev_worker *w);

#endif
