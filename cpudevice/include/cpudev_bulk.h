/* cpudev_bulk.h: the runtime's side of PTX's bulk copies and tensor copies.  C-clean.
 *
 * Addresses are plain pointers; shared ones may lie in another block of the cluster.  `bar` is the mbarrier that counts
 * the bytes; where there is none the copy joins the thread's bulk group. */
#ifndef CPUDEV_BULK_H
#define CPUDEV_BULK_H

#include <stdint.h>

enum { /* of cp.reduce.async.bulk */
       CPUDEV_BULK_COPY,
       CPUDEV_BULK_ADD,
       CPUDEV_BULK_MIN,
       CPUDEV_BULK_MAX,
       CPUDEV_BULK_INC,
       CPUDEV_BULK_DEC,
       CPUDEV_BULK_AND,
       CPUDEV_BULK_OR,
       CPUDEV_BULK_XOR
};

#ifdef __cplusplus
extern "C" {
#endif
/* global -> shared; `blocks`: of the cluster, one bit each, to the same place in each; 0: to this place only. */
void cpudev_bulk_load(uint32_t to, const void *from, uint32_t bytes, uint32_t bar, uint32_t blocks);
/* shared -> another block's shared */
void cpudev_bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t bar, int reduce, int type);
/* registers -> shared, of this block or another: st.async and red.async */
void cpudev_async_value(uint32_t to, const void *value, uint32_t bytes, uint32_t bar, int reduce, int type);
/* shared -> global; of each 16 bytes those whose bit is set in `bytes_kept` */
void cpudev_bulk_store(void *to, uint32_t from, uint32_t bytes, uint32_t bytes_kept, int reduce, int type);
void cpudev_bulk_commit(void);
void cpudev_bulk_wait(uint32_t pending, int read); /* read: only until the sources may be written again */

/* The box of a tensor map at these coordinates, `rank` of them. `offsets`: of im2col, rank - 2; NULL: tiled. */
void cpudev_tensor_load(uint32_t to, const void *map, int rank, const int32_t *at, const uint16_t *offsets,
                        uint32_t bar, uint32_t blocks);
void cpudev_tensor_store(const void *map, int rank, const int32_t *at, uint32_t from, int reduce, int im2col);
void cpudev_tensor_prefetch(const void *map, int rank, const int32_t *at, const uint16_t *offsets);
#ifdef __cplusplus
}
#endif
#endif
