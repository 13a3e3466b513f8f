/* mbarrier.h: PTX's mbarrier objects ("Parallel Synchronization and Communication Instructions: mbarrier").
 *
 * An object is the 64 bits in shared memory, as the chip keeps it, so it may lie in another block of the cluster:
 *
 *   bit 0       the phase that is under way: how many have ended, modulo 2
 *   1 .. 20     arrivals that a phase expects
 *   21 .. 40    arrivals that this one still waits for
 *   41 .. 61    bytes that were announced and have not come, signed
 *   62, 63      MBARRIER_TAG
 *
 * A phase ends when neither arrivals nor bytes are missing.  What is no mbarrier, more arrivals than expected, and
 * counts out of range end the kernel with a message. `site` is the place in the kernel. */
#ifndef MBARRIER_H
#define MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

enum { MBARRIER_TAG = 2, MBARRIER_MOST = (1 << 20) - 1 /* arrivals, or bytes */ };

/* Bytes of an asynchronous operation have come; by whatever thread it lands on. */
void mbarrier_complete(void *object, uint32_t bytes);

/* ---- what the instructions become (include/cpudev_ptx/mbarrier.h); `object` is in this block's memory or a peer's */

enum { MBARRIER_NO_COMPLETE = 1, MBARRIER_DROP = 2, MBARRIER_EXPECT = 4, MBARRIER_REMOTE = 8 };

#ifdef __cplusplus
extern "C" {
#endif
void cpudev_mbarrier_init(void *object, uint32_t count);
void cpudev_mbarrier_inval(void *object);
/* `count` arrivals, and before them the announcement of `bytes` where MBARRIER_EXPECT. Returns the state before. */
uint64_t cpudev_mbarrier_arrive(void *object, uint32_t count, uint32_t bytes, int how);
void cpudev_mbarrier_expect(void *object, uint32_t bytes);
void cpudev_mbarrier_complete(void *object, uint32_t bytes);
/* Has the phase ended that `state` is of, or that has this parity? With `suspend` the thread waits for it as long as
 * something can happen meanwhile; without it lets the others have one turn. */
int cpudev_mbarrier_test(void *object, uint64_t state, int suspend);
int cpudev_mbarrier_test_parity(void *object, uint32_t parity, int suspend);
#ifdef __cplusplus
}
#endif

#endif
