/* shared.h: accesses to shared memory. It has the same records as global memory, with epochs of the block instead of
 * segments, and a map that says which variable a byte belongs to. */
#ifndef CHECKER_SHARED_H
#define CHECKER_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "memory/area.h"
#include "regions/bulk.h"
#include "core/worker.h"

void check_shared_access(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc);

// 1 if two threads are now on record for this epoch that represent all others:
// any two in a kernel of loops, else two of different warps, since a __syncwarp
// can order a write after all readers of one warp.
static inline int shared_read_note(worker *w, record *r1, record *r2, record me)
{
    record r = *r1;
    if (REC_THREAD(r) == REC_THREAD(me) || REC_SEG(r) < w->barrier_epoch) {
        *r1 = me;
        return 0;
    }
    record s = *r2;
    if (REC_THREAD(s) == REC_THREAD(me) || REC_SEG(s) < REC_SEG(me) ||
        (!w->loops && (REC_THREAD(s) ^ REC_THREAD(r)) < 32))
        *r2 = s = me;
    return REC_SEG(r) == REC_SEG(me) && REC_SEG(s) == REC_SEG(me) &&
           (w->loops || (REC_THREAD(s) ^ REC_THREAD(r)) >= 32);
}

// An atomic does not take the place of its own thread's plain write of the same
// stretch: what races with the write would no longer be seen.
static inline int hides_plain(record old, record me)
{
    return REC_ATOMIC(me) && !REC_ATOMIC(old) && REC_SEG(old) == REC_SEG(me) && REC_THREAD(old) == REC_THREAD(me);
}

#endif
