/* async.h: asynchronous operations (bulk and tensor copies, wgmma) and what orders them with a block's threads.
 *
 * An operation begins behind what its issuer did and knew. It is over for a thread that knows so: one that has seen the
 * phase of the mbarrier that counts its bytes end, or waited for its group, or was told by a thread that has. Nothing
 * else orders it: not the block's barrier, nor the moment at which it happened to land here.
 *
 * Of each 16 bytes of shared memory the last operation that writes them is kept, and those that read them. Of each
 * thread the registers that operations write are, and its own accesses since its last wgmma.fence. */
#ifndef CHECKER_ASYNC_H
#define CHECKER_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "observe/observer.h"
#include "core/worker.h"

void check_async_new(cpudev_async *a);
void check_async_touches(cpudev_async *a, const void *p, size_t bytes, bool write);
void check_async_holds(cpudev_async *a, const void *registers, size_t bytes);
void check_registers_fence(void);
void check_async_layout(cpudev_async *a, const void *p, const char *what);
void check_async_lands(cpudev_async *a, int stage);
void check_async_waited(cpudev_async *group, int stages);
void check_async_mistake(const void *site, const char *name, const char *what);
void check_async_end(void);
void check_proxy_fence(int what);
void check_point(int what, const void *object, const void *site);
void check_point_mistake(const void *object, const void *site, const char *what);

/* The running thread accesses its own stack, in a block whose threads hold registers of operations (w->async.registers). */
void check_registers_accessed(worker *w, uintptr_t a, size_t bytes, int flags, void *pc);
void check_registers_new(worker *w, uintptr_t a, size_t bytes); /* a local array begins there */

/* The running thread accesses shared memory of t, its block or another of its cluster, in which asynchronous operations
 * have begun (t->async.now). */
void check_async_accessed(worker *w, worker *t, struct check_area *ar, uintptr_t a, unsigned bytes, int flags,
                          void *pc);

#endif
