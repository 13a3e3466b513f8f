/* order.h: is an access on record ordered before the one that the running thread makes? */
#ifndef CHECKER_ORDER_H
#define CHECKER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker.h"

int check_warp_ordered(const worker *w, uint32_t t, uint32_t epoch);
int check_release_ordered(worker *w, uint32_t block, uint32_t epoch, uint32_t t);
void check_release_now(worker *w, int wide);
void check_acquire_now(worker *w);
int check_global_ordered_slow(worker *w, uint32_t seg, uint32_t t);

static inline uint32_t my_segment(worker *w)
{
    if (unlikely(!w->segment))
        w->segment = check_seg_new((check_seg){w->op->id, w->block_id, w->epoch, w->grid_epoch});
    return w->segment;
}

// Shared memory: is record r (epoch, thread) ordered before the running thread?
static inline int shared_ordered(worker *w, record r)
{
    uint32_t e = REC_SEG(r);
    if (e < w->barrier_epoch || REC_THREAD(r) == w->thread)
        return 1;
    if (check_warp_ordered(w, REC_THREAD(r), e))
        return 1;
    return w->used_sync && check_release_ordered(w, w->block_id, e, REC_THREAD(r));
}

static inline int global_ordered(worker *w, uint32_t seg, uint32_t t)
{
    if (likely(seg < w->floor))
        return 1;
    if (seg == w->segment && t == w->thread)
        return 1;
    return check_global_ordered_slow(w, seg, t);
}

#endif
