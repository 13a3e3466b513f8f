/* cpudev_mbarrier.h: the runtime's side of PTX's mbarriers and proxy fences.  C-clean.
 *
 * An object is in the running block's shared memory or in another's of its cluster. */
#ifndef CPUDEV_MBARRIER_H
#define CPUDEV_MBARRIER_H

#include <stdint.h>

enum { /* how */
       CPUDEV_MBARRIER_NO_COMPLETE = 1,
       CPUDEV_MBARRIER_DROP = 2,
       CPUDEV_MBARRIER_EXPECT = 4,
       CPUDEV_MBARRIER_RELAXED = 8,
       CPUDEV_MBARRIER_SUSPEND = 16
};
enum {
    CPUDEV_FENCE_MBARRIER_INIT,
    CPUDEV_FENCE_ALIAS,
    CPUDEV_FENCE_ASYNC, /* of all memory */
    CPUDEV_FENCE_ASYNC_SHARED,
    CPUDEV_FENCE_ASYNC_GLOBAL,
    CPUDEV_FENCE_TENSORMAP
};

#ifdef __cplusplus
extern "C" {
#endif
void cpudev_mbarrier_init(void *object, uint32_t count);
void cpudev_mbarrier_inval(void *object);
/* `count` arrivals, and before them with EXPECT the announcement of `bytes`. Returns the state before. */
uint64_t cpudev_mbarrier_arrive(void *object, uint32_t count, uint32_t bytes, int how);
void cpudev_mbarrier_expect(void *object, uint32_t bytes);
void cpudev_mbarrier_complete(void *object, uint32_t bytes);
/* Has the phase ended that `state` is of, or that has this parity? With SUSPEND the thread waits for it as long as
 * something can happen meanwhile; without it lets the others have one turn. */
int cpudev_mbarrier_test(void *object, uint64_t state, int how);
int cpudev_mbarrier_test_parity(void *object, uint32_t parity, int how);
void cpudev_mbarrier_arrive_later(void *object,
                                  int noinc);     /* an arrival, some time; without noinc one more is awaited */
uint32_t cpudev_mbarrier_pending(uint64_t state); /* arrivals that were missing */
void cpudev_proxy_fence(int what);
#ifdef __cplusplus
}
#endif
#endif
