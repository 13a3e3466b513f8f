/* kernel_info.h: what is known of a kernel: its names, and how many blocks of it a multiprocessor holds. */
#ifndef KERNEL_INFO_H
#define KERNEL_INFO_H

#include "cpudev_abi.h"

const char *kernel_symbol(cpudev_kernel *k);  /* mangled, for tools that demangle it; lives for ever */
const char *kernel_display(cpudev_kernel *k); /* as people read it; lives for ever */

/* Dynamic shared memory that a launch may ask for, in bytes. */
size_t kernel_most_shared(const cpudev_kernel *k);
/* Blocks that a cluster may have. */
unsigned kernel_most_cluster(const cpudev_kernel *k);
/* Blocks of `threads` threads and `shared` bytes of dynamic shared memory that an H100's multiprocessor holds at once:
 * limited by its threads in whole warps, by its blocks, and by its shared memory. */
int kernel_resident_blocks(const cpudev_kernel *k, unsigned threads, size_t shared);
/* Clusters of `blocks` such blocks that the device holds at once. */
int kernel_resident_clusters(const cpudev_kernel *k, unsigned blocks, unsigned threads, size_t shared,
                             unsigned multiprocessors);

#endif
