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
 * counts out of range end the kernel with a message.  What the instructions become is in include/cpudev_abi.h. */
#ifndef MBARRIER_H
#define MBARRIER_H

#include <stdint.h>

enum { MBARRIER_TAG = 2, MBARRIER_MOST = (1 << 20) - 1 /* arrivals, or bytes */ };

/* Bytes of an asynchronous operation have come, by whatever thread it lands on. */
void mbarrier_bytes(void *object, uint32_t bytes, const void *site);

#endif
