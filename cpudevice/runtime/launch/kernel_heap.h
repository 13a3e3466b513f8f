/* kernel_heap.h: the size of the heap that kernels' malloc() takes from. */
#ifndef KERNEL_HEAP_H
#define KERNEL_HEAP_H

#include <stdbool.h>
#include <stddef.h>

bool cpudev_heap_take(size_t bytes); /* false: that does not fit any more */
void cpudev_heap_give(size_t bytes);
bool kernel_heap_used(void);

#endif
