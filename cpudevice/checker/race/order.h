/* order.h: is an access on record ordered before the one that the running thread makes?
 *
 * Order within a kernel is base causality order of the PTX memory model (PTX ISA, "Memory Consistency Model"), as far
 * as accesses to one granule need it:
 *
 *   program order, the block's barriers, __syncwarp(), barriers of the cluster and of the grid;
 *   a release pattern synchronizes with an acquire pattern that observes it. A release pattern is a write of release
 *   order, or a fence followed by a strong write of the same thread; an acquire pattern is a read of acquire order, or
 * a strong read followed by a fence. A read observes the last release of its word through read-modify-writes alone: any
 *   other write begins anew. Strong are atomics and, relaxed at system scope, volatile accesses. */
#ifndef CHECKER_ORDER_H
#define CHECKER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

void check_sync_barrier(worker *w); /* what one thread of the block has seen, all have seen after it */
void check_sync_warp(worker *w, uint32_t warp, uint32_t mask);
void check_sync_block_begin(worker *w);
void check_sync_free(check_op *op); /* NULL: no operation is left */
/* The running block ends: what it has seen of other operations goes to those that come after its own. */
void check_links_block_end(worker *w);

int check_warp_ordered(const worker *w, uint32_t t, uint32_t epoch);
int check_published(worker *w, uint32_t block, uint32_t epoch, uint32_t t);
int check_global_ordered_slow(worker *w, uint32_t seg, uint32_t t);
/* Between these the running thread learns of no release, so that the answers of check_global_ordered_slow() hold. */
void check_global_access_begins(worker *w);
void check_global_access_ends(worker *w);

static inline uint32_t my_segment(worker *w)
{
    if (unlikely(!w->global.segment))
        w->global.segment = check_seg_new((check_seg){w->op->id, w->block_id, w->epoch, w->global.grid_epoch});
    return w->global.segment;
}

// Shared memory: is record r (epoch, thread) ordered before the running thread?
static inline int shared_ordered(worker *w, record r)
{
    uint32_t e = REC_SEG(r);
    if (e < w->barrier_epoch || REC_THREAD(r) == w->thread)
        return 1;
    if (check_warp_ordered(w, REC_THREAD(r), e))
        return 1;
    return w->order.sync && check_published(w, w->block_id, e, REC_THREAD(r));
}

/* Shared memory: is what a thread of `block` of the same cluster did, in that block's epochs? */
static inline int cluster_ordered(worker *w, uint32_t block, record r)
{
    return block == w->block_id ? shared_ordered(w, r) : check_published(w, block, REC_SEG(r), REC_THREAD(r));
}

static inline int global_ordered(worker *w, uint32_t seg, uint32_t t)
{
    if (likely(seg < w->global.floor))
        return 1;
    if (seg == w->global.segment && t == w->thread)
        return 1;
    return check_global_ordered_slow(w, seg, t);
}

#endif
