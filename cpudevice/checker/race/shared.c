/* shared.c: accesses to shared memory. */
#define _GNU_SOURCE
#include <string.h>

#include "race/shared.h"
#include "sync/async.h"
#include "race/cluster.h"
#include "memory/memcheck.h"
#include "race/order.h"
#include "race/race.h"
#include "race/record.h"
#include "core/tools.h"
#include "core/worker.h"

// 1 if further reads of this epoch need no look.
static inline int shared_cell(worker *w, record *cw, record *r1, record *r2, uintptr_t a, unsigned bytes, int flags,
                              void *pc)
{
    int plain = 1;
    // A volatile read races with no flag; a volatile write is one only behind a fence.
    record old = *cw,
           me = REC_MAKE(w->epoch, flags & (flags & A_WRITE ? A_ATOMIC : A_ATOMIC | A_VOLATILE) ? 1 : 0, w->thread, pc);
    uint32_t e = REC_SEG(old);
    if ((!(flags & A_WRITE) || flags & A_READ_TOO) && !(flags & A_PADDED)) {
        if (unlikely(e < w->first_epoch)) {
            if (check_tools & TOOL_INIT)
                check_unset_read(w, cw, a, bytes, flags, pc);
        }
    }
    if (unlikely(e >= w->barrier_epoch)) {
        plain = 0;
        if (REC_THREAD(old) != w->thread && !shared_ordered(w, old))
            check_conflict(w, old, flags & A_WRITE ? WRITE_WRITE : READ_AFTER, a, bytes, flags, pc, 1);
    }
    if (flags & A_WRITE) {
        record x = *r1, y = *r2;
        if (flags & A_ATOMIC && x && REC_THREAD(x) == w->thread && REC_SEG(x) == w->epoch)
            check_look_then_atomic(pc_of(x), a, bytes, flags);
        if (unlikely(REC_SEG(x) >= w->barrier_epoch && REC_THREAD(x) != w->thread) && !shared_ordered(w, x))
            check_conflict(w, x, AFTER_READ, a, bytes, flags, pc, 1);
        else if (unlikely(REC_SEG(y) >= w->barrier_epoch && REC_THREAD(y) != w->thread) && !shared_ordered(w, y))
            check_conflict(w, y, AFTER_READ, a, bytes, flags, pc, 1);
        if (!hides_plain(old, me))
            *cw = me;
        *r1 = *r2 = 0;
    } else if (!(flags & A_ATOMIC)) { // a flag that is polled races with nothing that is a flag too
        return shared_read_note(w, r1, r2, me) && plain && e >= w->first_epoch;
    }
    return 0;
}

void cpudev_check_in_flight(void *p, unsigned bytes)
{
    worker *w = &check_self;
    for (int i = 0; i < 2 && w->in_kernel; i++) {
        struct check_area *ar = &w->area[i];
        size_t off = (uintptr_t)p - ar->lo;
        if (off >= ar->bytes)
            continue;
        shared_touched(w);
        for (size_t k = off; k < off + bytes && k < ar->bytes; k++) {
            *known_slot((ar->lo + k) & ~(uintptr_t)3) = 0;
            if (ar->cells[k >> 2].byte_epoch >= w->first_epoch)
                ar->byte_cells[k].w = 0;
            else
                ar->cells[k >> 2].w = 0;
        }
    }
}

static struct check_byte_cell *shared_bytes_mode(struct check_area *ar, size_t off, worker *w)
{
    struct check_cell *c = &ar->cells[off >> 2];
    struct check_byte_cell *b = &ar->byte_cells[off & ~(size_t)3];
    if (c->byte_epoch < w->first_epoch) {
        for (int i = 0; i < 4; i++)
            b[i] = (struct check_byte_cell){c->w, c->r1, c->r2};
        c->byte_epoch = w->first_epoch;
    }
    return b;
}

void check_shared_access(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    size_t off = a - ar->lo;
    uint8_t o = ar->owner[off];
    if (unlikely(o == 0 || o == 253))
        return; // the core's own thread-local data
    shared_touched(w);
    if (unlikely(o == 255 || off + bytes > ar->bytes || ar->owner[off + bytes - 1] != o)) {
        check_out_of_bounds_shared(w, ar, a, bytes, flags, pc);
        return;
    }
    if (unlikely(w->async.now != NULL))
        check_async_accessed(w, w, ar, a, bytes, flags, pc);
    if (unlikely(w->cluster.remote != NULL))
        check_visited_access(w, a, bytes, flags, pc);
    if (unlikely(!(flags & A_RANGE) && a & (bytes - 1)))
        check_misaligned(w, a, bytes, flags, pc);
    if (likely(bytes >= 4 && !(off & 3))) {
        for (unsigned i = 0; i + 4 <= bytes; i += 4) {
            struct check_cell *c = &ar->cells[(off + i) >> 2];
            if (unlikely(c->byte_epoch >= w->first_epoch)) {
                struct check_byte_cell *b = &ar->byte_cells[off + i];
                int part = 0; // a word of which some byte is written: the rest may be a struct's padding
                for (int k = 0; k < 4; k++)
                    part |= REC_SEG(b[k].w) >= w->first_epoch;
                for (int k = 0; k < 4; k++)
                    shared_cell(w, &b[k].w, &b[k].r1, &b[k].r2, a + i + k, 1, flags | (part ? A_PADDED : 0), pc);
            } else {
                if (shared_cell(w, &c->w, &c->r1, &c->r2, a + i, 4, flags, pc))
                    make_known(w, a + i, WORD);
            }
        }
        unsigned rest = bytes & 3;
        if (!rest)
            return;
        off += bytes - rest;
        a += bytes - rest;
        bytes = rest;
    }
    for (unsigned i = 0; i < bytes; i++) {
        struct check_byte_cell *b = shared_bytes_mode(ar, off + i, w) + ((off + i) & 3);
        shared_cell(w, &b->w, &b->r1, &b->r2, a + i, 1, flags, pc);
    }
}
