/* cluster.h: shared memory that blocks of a cluster access of each other ("distributed shared memory").
 *
 * What orders blocks of a cluster are its barrier, mbarriers at which threads of one block arrive for another, and
 * releases and acquires of words in global or shared memory. An access must come behind the other block's beginning and
 * before its end; it may race with the accesses of that block and of others; and it may read what nothing has written. */
#ifndef CHECKER_CLUSTER_H
#define CHECKER_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

void check_cluster_block_begin(worker *w);
void check_cluster_left(void); /* the running block's threads have ended, and its shared memory goes */

/* Of memory that is another block's: the block, if it runs; with what is to be said if it has ended, or may not have
 * begun. */
worker *check_owner_for(worker *w, uintptr_t a, int flags, void *pc);

/* The running thread accesses shared memory of t, another block: judged and put on record. */
void check_visit_put(worker *w, worker *t, uintptr_t a, unsigned bytes, int flags, void *pc);
/* It arrives at an mbarrier there, which t must see before it ends. */
void check_visit_arrival(worker *w, worker *t, void *pc);
/* It accesses its own block's, which others have accessed (w->cluster.remote). */
void check_visited_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
/* An asynchronous operation that it issues touches t's memory, which others have accessed: the first of their accesses
 * that nothing orders before it. A write takes the place of all. */
typedef struct check_visit {
    record by;      /* in the epochs of its block */
    uint32_t block; /* plus one; 0: there is none */
    bool wrote;
} check_visit;
check_visit check_visit_before(worker *w, worker *t, uintptr_t a, size_t bytes, bool write);
/* Has another block written it? */
bool check_remotely_written(const worker *w, uintptr_t a);
/* Reads by other blocks of words that the running block had not written by then are judged at its next barrier. */
void check_cluster_barrier(worker *w);

#endif
