/* tell_block.h: reports to observers the block that this OS thread runs, and its threads.
 *
 * Called only where observed.threads, but for tell_mistake() and tell_fault(). */
#ifndef TELL_BLOCK_H
#define TELL_BLOCK_H

#include "stream/command.h"
#include "exec/thread.h"

void tell_block(cpudev_worker *w, command *c);
void tell_loop(void);               /* the block's threads are about to run in a loop */
void tell_thread(void);             /* the running thread begins */
void tell_turn(cpudev_fiber *to);   /* the worker goes on with this fiber */
void tell_arrive(const void *site); /* the running thread has come to the block's barrier */
void tell_barrier(void);            /* which is passed */
void tell_wait(const void *site);   /* the running thread waits in a way of its own */
/* The barrier that is about to come stands here; `place` is a __builtin_source_location's data, or NULL. */
void tell_site(const void *site, const void *place);
void tell_lane(const cpudev_request *r); /* the running lane has come to a warp primitive */
void tell_meet(cpudev_worker *w, unsigned warp, unsigned lanes, int op);
void tell_deadlock(cpudev_worker *w);

void tell_mistake(int what, const void *pc, unsigned mask); /* by the running thread: CPUDEV_SYNC_... */
void tell_fault(bool stack, const void *context);           /* `context` is the signal's ucontext_t */

#endif
