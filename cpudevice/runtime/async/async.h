/* async.h: work that the hardware does beside a block's threads: copies of the bulk engine, products of the tensor cores.
 *
 * An operation begins when a thread issues it, and lands (reads its sources, writes its results, completes what waits
 * for it) at a moment between that and the wait that orders it.  The moment is the scheduler's choice, CUDA_CPU_ASYNC:
 *
 *   early         at once, before the thread's next instruction
 *   late          when a wait for its group asks for it, or when no thread of the block can go on without it
 *   random:SEED   early, a few steps later, or late: each with a chance of a third (the default, with seed 1)
 *
 * What is chosen depends on the seed, the block and how many operations the block began before, on nothing of the
 * machine.  An operation belongs to the block that issued it, also where it writes to another block of its cluster.
 * All that is left when a block ends lands then; a kernel that fails drops it.
 *
 * What an operation completes is its `kind` and `object`:
 *   ASYNC_MBARRIER  object: the mbarrier's place in memory; land() tells it the bytes
 *   ASYNC_BULK      object: (void *) the linear index of the thread, whose bulk group it joins
 *   ASYNC_WGMMA     object: (void *) the first thread of the warpgroup, whose wgmma group it joins; they land in order
 */
#ifndef ASYNC_H
#define ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "observe/observer.h"
#include "exec/thread.h"

enum { ASYNC_BULK, ASYNC_WGMMA, ASYNC_MBARRIER };

typedef struct async_op {
    struct async_op *next; /* in the order in which they began */
    /* Does the operation, or the next stage of it: once for each of its stages, on the stack of any thread of the block.
     * It must not wait. */
    void (*land)(struct async_op *op, int stage);
    void (*gone)(struct async_op *op); /* before the memory of op is freed, also if it never landed; or NULL */
    int kind;
    int stages, stage; /* how many there are (a bulk store reads, then writes: 2); how many have landed */
    const void *object;
    unsigned group;         /* of ASYNC_BULK, ASYNC_WGMMA: its object's open group when it was made */
    unsigned thread;        /* the issuer */
    unsigned long long due; /* the step of the block's at which it lands by itself */
    unsigned number;        /* how many the block began before it */
    cpudev_async told;      /* what observers know of it */
} async_op;

/* Room for an operation of this many bytes, async_op first: zeros but for the kind, the object, one stage and the
 * running thread. */
void *async_new(size_t size, int kind, const void *object, void (*land)(async_op *op, int stage));
/* Observers hear of it (only needed where observed.threads): `name` is the instruction's, `site` the place in the kernel.
 * Then what it will read and write: memory, and registers of the running thread. */
void async_tell(async_op *op, const char *name, const void *site);
void async_touches(async_op *op, const void *p, size_t bytes, bool write);
void async_holds(async_op *op, const void *registers, size_t bytes);
/* It has begun: from now on it may land at any time, and be freed when all of its stages have. */
void async_begin(async_op *op);

/* Groups of the running block. A thread (a warpgroup) has one open group at a time, into which its operations go. */
void async_commit(int kind, const void *object);
/* Lands `stages` stages of all operations of its committed groups but the last `pending`. */
void async_wait_group(int kind, const void *object, unsigned pending, int stages);
/* The running thread knows that they have landed, as one of the warpgroup that waited. Observers hear of it. */
void async_ordered(int kind, const void *object, unsigned pending, int stages);

/* A step of the block: what is due lands. To be called at instructions that have to do with asynchronous work. */
void async_step(void);

/* No thread of the running block can go on. Lands one operation, if there is one: what a waiting thread waits for
 * before anything else. */
bool async_stalled(cpudev_worker *w);

/* A thread that waits for a mbarrier, while it waits: on its stack. For async_stalled, and to tell a deadlock. */
typedef struct async_waiter {
    struct async_waiter *next, **back; /* back: what points to this one */
    const void *object;
    unsigned thread;
    /* What it waits for, and what is missing; *at_fault: where bytes were announced last, or else the mbarrier made.
     * Returns whether bytes are missing. */
    bool (*describe)(const struct async_waiter *w, char *text, size_t size, const void **at_fault);
} async_waiter;
void async_waits(async_waiter *me); /* from now on */
void async_waits_no_more(async_waiter *me);
const async_waiter *async_waiters(void); /* of the running block, the last to come first */

void async_block_ends(cpudev_worker *w); /* everything lands */
void async_drop(cpudev_worker *w);       /* nothing does: the kernel has failed */
void async_free(cpudev_worker *w);       /* the OS thread ends */

#endif
