/* cpudev_ptx_memory.h: the shared window: a block's shared memory as PTX addresses it, in 32 bits, and other blocks' of
 * its cluster above it.  C-clean. */
#ifndef CPUDEV_PTX_MEMORY_WINDOW_H
#define CPUDEV_PTX_MEMORY_WINDOW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint32_t cpudev_to_shared(const void *generic);
void *cpudev_from_shared(uint32_t address);
int cpudev_is_shared(const void *generic);         /* of this block */
int cpudev_is_cluster_shared(const void *generic); /* of a block of its cluster */
int cpudev_is_local(const void *generic);
uint32_t cpudev_mapa(uint32_t address, uint32_t rank); /* the same place in block `rank` of the cluster */
void *cpudev_map_shared_rank(const void *generic, unsigned rank);
uint32_t cpudev_rank_of(uint32_t address);
int cpudev_block_has_ended(uint32_t rank); /* of the cluster */
#ifdef __cplusplus
}
#endif
#endif
