/* operation.h: kernels, copies and host functions, and which of them is over before another starts.
 *
 * Every operation gets a vector clock when it is queued: for each stream, how many of its operations are over before
 * this one starts. Stream order, events, the legacy default stream and the host's synchronizations make the order; the
 * order in which the operations happened to run is never used. The host has a clock too: its own accesses come before
 * what it queues later, and after what it has waited for. */
#ifndef CHECKER_OPERATION_H
#define CHECKER_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "observe/observer.h"
#include "race/segment.h"

struct check_chain_last {
    uint32_t chain, last; // chain 0: nothing; last: the block's last release of it in the list, from 1
};

typedef struct check_block_sync { // what a block has released
    struct check_release *list;
    uint32_t count, capacity;
    struct check_chain_last *of; // by hash of the chain
    uint32_t chains, room;       // room is a power of two; 0: none yet
} check_block_sync;

typedef struct check_op {
    uint32_t id;
    int kind;        // CPUDEV_OP_*
    uint32_t stream; // dense index
    uint32_t index;  // how many operations the stream had before, plus one
    uint32_t *clock; // per stream: the last operation that is over before this one
    uint32_t clocks;
    uint32_t host_clock; // host accesses up to this clock come before
    int ordered_after_all;
    uint32_t floor_at_issue;
    char *name; // kernel
    void *caller;
    cpudev_op_desc d;
    uint64_t grid_blocks;
    _Atomic uint32_t releases; // the operation's clock of releases (fence + flag)
    struct check_block_sync **sync;
    struct check_flags *flags; // what release.c keeps of it; NULL while its threads have released and observed nothing
    struct check_clock *ends;  // what its blocks, at their ends, had seen of operations that ran beside it
    struct check_clock *inherited; // the same of all operations before it
    int inherits;                  // that is known
    int wrong_mask;
    int host_saw; // the host has read a flag that it wrote behind a fence
    // Launched by a kernel: by which thread of it, when, and what that thread knew of the others.
    struct check_op *parent;
    uint32_t depth, launches; // of this operation's own kernel, so far
    int events;               // its kernel made streams wait for each other
    int knows_blocks;
    uint32_t launch_block, launch_thread, launch_epoch, launch_barrier, launch_grid;
    int killed; // a fatal finding was written: later ones of this launch are consequences
} check_op;

void check_host_joins(const check_op *op);
void check_op_queue(check_op *op);
void check_op_publish(check_op *op);
void check_op_begins(check_op *op);

check_op *check_op_by_id(uint32_t id); // NULL: long over
// The operation that the kernel of `a` launched and that led to `b`; NULL if b does not come from a.
const check_op *check_launched(uint32_t a, const check_op *b);
// Is operation `a` over before `b` starts, by the program's own ordering?
int check_op_before(uint32_t a, const check_op *b);
uint32_t check_op_floor(check_op *op); // segments below it are ordered before op
check_op *check_pending_copy(uintptr_t a, const check_op *op);
void check_ops_forget(void);
const check_op *check_last_kernel(void); // that the host launched; NULL: none since the host last waited for all
uint32_t check_host_clock(void);
void check_host_tick(void); // what the host writes from here on comes later
// Has the host waited for operation `a`? `host_clock` of an access: order of b after it.
int check_op_before_host(uint32_t a);
void check_stream_create(uint64_t id, bool nonblocking);
void check_stream_destroy(uint64_t id);
void check_stream_sync(uint64_t id);
void check_device_sync(void);
void check_event_record(const void *h, uint64_t id);
void check_event_sync(const void *h);
void check_stream_wait(uint64_t id, const void *h);
void check_nested_wait(cpudev_op *parent);
void check_event_elapsed(const void *h);
void check_event_destroy(const void *h);

#endif
