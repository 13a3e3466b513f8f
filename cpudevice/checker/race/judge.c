/* judge.c: is a pair of accesses that nothing orders a race?
 *
 * Some pairs are judged only at the thread's next access: two writes of equal values are none, and a plain read that
 * begins a compare-and-swap loop is none. */
#define _GNU_SOURCE
#include <string.h>

#include "race/race.h"
#include "race/looks.h"
#include "race/order.h"
#include "race/record.h"
#include "race/release.h"
#include "core/running.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "core/worker.h"

// Does this exchange overwrite a value that another thread has put there? An exchange that claims a free word (0 before)
// or finds it claimed (the same value before) loses nothing.
__thread uint64_t check_exchanged;

int check_replaces(uintptr_t a, unsigned bytes, int flags)
{
    uint64_t now = 0;
    if (!(flags & A_EXCHANGE))
        return 0;
    memcpy(&now, (void *)a, bytes < 8 ? bytes : 8);
    return now && now != check_exchanged;
}

/* An atomic follows its thread's plain look at the word. It knows what is there now; only an exchange that replaces
 * another's value trusts the look. */
void check_look_then_atomic(void *look, uintptr_t a, unsigned bytes, int flags)
{
    check_look_leads(look, a, check_replaces(a, bytes, flags) ? LOOK_TRUSTED : flags & A_CAS ? LOOK_CAS : LOOK_ATOMIC);
}

/* A granule's address and size, or those of the whole access that it is a part of. */
static void whole_access(const worker *w, uintptr_t *a, unsigned *bytes)
{
    if (*a - w->whole.a < w->whole.bytes) {
        *a = w->whole.a;
        *bytes = w->whole.bytes;
    }
}

static void report_pending(worker *w, int how, void *look)
{
    record r = w->pending.rec;
    check_report_race(w, &(check_race){how,
                                       w->pending.whole_a,
                                       w->pending.whole_bytes,
                                       how == WRITE_WRITE ? A_WRITE : 0,
                                       w->pending.pc,
                                       w->pending.thread,
                                       w->pending.shared,
                                       REC_SEG(r),
                                       REC_THREAD(r),
                                       pc_of(r),
                                       REC_ATOMIC(r),
                                       look,
                                       {w->pending.owner, w->pending.block}});
}

void check_resolve(worker *w, uintptr_t a, int flags)
{
    if (w->pending.kind) {
        int kind = w->pending.kind;
        w->pending.kind = PEND_NONE;
        if (kind == PEND_READ_OF_ATOMIC) {
            if (flags & A_ATOMIC && flags & A_WRITE && a == w->pending.a && w->thread == w->pending.thread)
                check_look_then_atomic(w->pending.pc, a, w->pending.bytes, flags);
            report_pending(w, READ_AFTER, w->pending.pc);
        } else if (memcmp((void *)w->pending.a, w->pending.old, w->pending.bytes)) {
            // Equal values: no order of the two writes can be told from another.
            report_pending(w, WRITE_WRITE, NULL);
        }
    }
    w->busy = w->index.on || w->strong.looked.clock;
    set_key(w);
}

static void pend(worker *w, int kind, uintptr_t a, unsigned bytes, record rec, void *pc, int shared)
{
    if (w->pending.kind)
        check_resolve(w, 0, 0);
    w->pending.kind = kind;
    w->busy = 1;
    look_at_all(w);
    w->pending.a = a;
    w->pending.bytes = bytes > 16 ? 16 : bytes;
    w->pending.whole_a = a;
    w->pending.whole_bytes = bytes;
    whole_access(w, &w->pending.whole_a, &w->pending.whole_bytes);
    w->pending.rec = rec;
    w->pending.pc = pc;
    w->pending.thread = w->thread;
    w->pending.shared = shared;
    w->pending.owner = NULL;
    memcpy(w->pending.old, (void *)a, w->pending.bytes);
}

int check_host_flags; // the host has written something that kernels may wait for

// The host's last write of a word that the host and kernels both use atomically.
void check_acquire_from_host(worker *w, record r)
{
    check_seg *g = REC_ATOMIC(r) ? check_seg_get(REC_SEG(r)) : NULL;
    if (g && g->op == 0 && w->op && g->block > w->op->host_clock)
        w->op->host_clock = g->block;
}

// The load comes after the callback: what it saw of the host, or of an operation that runs beside its own, is acquired at
// the next access.
void check_acquire_late(worker *w)
{
    w->strong.late = 0;
    check_seen_late(w, w->strong.late_a);
    if (check_host_flags)
        check_acquire_from_host(w, check_last_write(w->strong.late_a));
}

// A record that is not ordered before this access: decide what it is.
void check_conflict(worker *w, record r, int how, uintptr_t a, unsigned bytes, int flags, void *pc, int shared)
{
    int mine = flags & A_ATOMIC ? 1 : 0, other = REC_ATOMIC(r);
    bulk_failed();
    if (mine && other) { // atomics, flags: morally strong unless one is of block scope and they are of two blocks
        const check_seg *g = shared ? NULL : check_seg_get(REC_SEG(r));
        int others = g && w->op && g->op == w->op->id && g->block != w->block_id;
        if (!others || (!(flags & A_BLOCK) && !check_narrow_elsewhere(w, a, flags & A_WRITE))) {
            if (!shared)
                check_acquire_from_host(w, r);
            return;
        }
    }
    if (how == WRITE_WRITE && !mine && !other && w->in_kernel) {
        if (!shared)
            check_let_land(w, check_seg_get(REC_SEG(r)));
        pend(w, PEND_WAW, a, bytes, r, pc, shared);
        return;
    }
    if (how == READ_AFTER && other && !mine) {
        pend(w, PEND_READ_OF_ATOMIC, a, bytes, r, pc, shared);
        return;
    }
    if (how == AFTER_READ && mine &&
        !shared) { // perhaps the first read of another thread's compare-and-swap loop: the block's end will tell
        check_seg *g = check_seg_get(REC_SEG(r));
        if (g && w->op && (g->op == w->op->id || g->op == 0)) {
            int n = 0;
            while (n < w->looked.count && pc_of(w->looked.at[n].reader) != pc_of(r))
                n++;
            if (n == w->looked.count && n < 16) {
                w->looked.at[n].a = a;
                w->looked.at[n].bytes = bytes;
                w->looked.at[n].reader = r;
                w->looked.at[n].pc = pc;
                w->looked.at[n].thread = w->thread;
                w->looked.count++;
            }
            return;
        }
    }
    whole_access(w, &a, &bytes);
    check_report_race(
        w, &(check_race){
               how, a, bytes, flags, pc, w->thread, shared, REC_SEG(r), REC_THREAD(r), pc_of(r), other, NULL, {0}});
}

void check_conflict_remote(worker *w, const check_others *o, record r, int how, uintptr_t a, unsigned bytes, int flags,
                           void *pc)
{
    const int mine = flags & (A_ATOMIC | A_VOLATILE) && !(flags & A_BLOCK), other = REC_ATOMIC(r);
    if (mine && other && !check_narrow_elsewhere(w, a, flags & A_WRITE))
        return;
    if ((how == WRITE_WRITE && !mine && !other) || (how == READ_AFTER && other && !mine)) {
        pend(w, how == WRITE_WRITE ? PEND_WAW : PEND_READ_OF_ATOMIC, a, bytes, r, pc, 1);
        w->pending.owner = o->owner;
        w->pending.block = o->block;
        return;
    }
    whole_access(w, &a, &bytes);
    check_report_race(
        w, &(check_race){how, a, bytes, flags, pc, w->thread, 1, REC_SEG(r), REC_THREAD(r), pc_of(r), other, NULL, *o});
}
