/* global.c: accesses to the checked heap. */
#define _GNU_SOURCE
#include <string.h>

#include "global.h"
#include "memcheck.h"
#include "memory.h"
#include "observer.h"
#include "order.h"
#include "race.h"
#include "record.h"
#include "segment.h"
#include "shadow.h"
#include "shared.h"
#include "tools.h"
#include "worker.h"

// Thread 0 of another block, or of the host, is not this thread 0.
__attribute__((noinline)) int check_of_other_block(const worker *w, record r)
{
    const check_seg *g = check_seg_get(REC_SEG(r));
    return g && (g->op != w->op->id || g->block != w->block_id);
}

/* A write takes the place of what is on record, and then is judged against it. */
static inline void global_write(worker *w, record *cw, record *r1, uint32_t *r2, uintptr_t a, unsigned bytes, int flags,
                                void *pc, int init)
{
    record me = REC_MAKE(my_segment(w), flags & A_ATOMIC ? 1 : 0, w->thread, pc);
    record old = __atomic_load_n(cw, __ATOMIC_RELAXED);
    if (!hides_plain(old, me))
        old = record_swap(cw, me);
    record x = r1 && *r1 ? record_swap(r1, 0) : 0;
    uint32_t y = *r2 ? reader_swap(r2, 0) : 0;
    if (flags & A_ATOMIC && x && REC_THREAD(x) == w->thread && REC_SEG(x) == REC_SEG(me))
        check_look_then_atomic(pc_of(x), a, bytes, flags);
    if (unlikely(!old) && init && flags & A_READ_TOO)
        check_report_uninit(w, a, bytes, flags, pc, 0);
    if (unlikely(REC_SEG(old) >= w->floor) && !global_ordered(w, REC_SEG(old), REC_THREAD(old)))
        check_conflict(w, old, WRITE_WRITE, a, bytes, flags, pc, 0);
    if (unlikely(x && REC_SEG(x) >= w->floor) && !global_ordered(w, REC_SEG(x), REC_THREAD(x)))
        check_conflict(w, x, AFTER_READ, a, bytes, flags, pc, 0);
    else if (unlikely(y) && widen(y) >= w->floor && !global_ordered(w, widen(y), y & 1023))
        check_conflict(w, REC_MAKE(widen(y), 0, y & 1023, r1 ? pc_of(x) : NULL), AFTER_READ, a, bytes, flags, pc, 0);
}

/* Blocks release data: which of the readers x and y is kept beside the running thread? Not one that comes before it, for
 * whoever comes behind the running thread comes behind that one too; and rather one of another segment than of its own.
 */
static uint32_t second_reader(worker *w, record x, uint32_t y)
{
    const uint32_t x32 = REC32_MAKE(REC_SEG(x), REC_THREAD(x));
    if (REC_SEG(x) == w->segment && REC_THREAD(x) == w->thread)
        return y;
    if (!y || widen(y) < w->floor || widen(y) == w->segment || global_ordered(w, widen(y), y & 1023))
        return x32;
    return REC_SEG(x) == w->segment || global_ordered(w, REC_SEG(x), REC_THREAD(x)) ? y : x32;
}

/* The thread is put on record as a reader. In pages of single bytes there is room for one. */
static inline void reader_note(worker *w, record *r1, uint32_t *r2, void *pc)
{
    record me = REC_MAKE(my_segment(w), 0, w->thread, pc);
    uint32_t y = *r2;
    if (!r1) {
        if (!y || widen(y) < w->floor)
            reader_swap(r2, REC32_MAKE(REC_SEG(me), w->thread));
        return;
    }
    record x = __atomic_load_n(r1, __ATOMIC_RELAXED);
    if (x == me)
        return;
    if (x && REC_SEG(x) >= w->floor && w->op->flags)
        *r2 = second_reader(w, x, y);
    else if (x && REC_SEG(x) >= w->floor && other_reader(w, x, y) &&
             (!y || widen(y) < w->floor || REC_SEG(x) != REC_SEG(me)))
        *r2 = REC32_MAKE(REC_SEG(x), REC_THREAD(x));
    record was = record_swap(r1, me);
    if (unlikely(was != x) && was) // another worker's reader, which came in between
        reader_swap(r2, REC32_MAKE(REC_SEG(was), REC_THREAD(was)));
}

static inline void global_cell(worker *w, record *cw, record *r1, uint32_t *r2, uintptr_t a, unsigned bytes, int flags,
                               void *pc, int init)
{
    if (flags & A_WRITE) {
        global_write(w, cw, r1, r2, a, bytes, flags, pc, init);
        return;
    }
    if (!(flags & A_ATOMIC))
        reader_note(w, r1, r2, pc);
    record old = __atomic_load_n(cw, __ATOMIC_RELAXED);
    if (unlikely(!old) && init)
        check_report_uninit(w, a, bytes, flags, pc, 0);
    if (unlikely(REC_SEG(old) >= w->floor) && !global_ordered(w, REC_SEG(old), REC_THREAD(old)))
        check_conflict(w, old, READ_AFTER, a, bytes, flags, pc, 0);
}

void check_global_bytes(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc, int init)
{
    uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
    int want = (a | bytes) & 1 ? MODE_BYTE : (a | bytes) & 2 ? MODE_HALF : MODE_WORD;
    if (unlikely(!c || (int)(c & 3) < want))
        c = check_cells_refine(p, want);
    unsigned off = a & 4095, padded = 0;
    gcell *g = cells_at(c);
    uint32_t *second = second_at(c);
    switch (c & 3) {
    case MODE_WORD:
        if (flags & A_WRITE)
            lines_settle(c, off, bytes);
        for (unsigned i = off / 4; i < (off + bytes) / 4; i++)
            global_cell(w, &g[i].w, &g[i].r1, &second[i], a - off + 4 * i, 4, flags, pc, init);
        break;
    case MODE_HALF:
        for (unsigned i = off / 2; i < (off + bytes) / 2; i++)
            global_cell(w, &g[i].w, &g[i].r1, &second[i], a - off + 2 * i, 2, flags, pc, init);
        break;
    default:
        for (unsigned i = off; i < off + bytes; i++) {
            if (!(i & 3) &&
                i + 4 <= off + bytes) { // a word of which some byte is written: the rest may be a struct's padding
                const record *b = (record *)g + i;
                if (b[0] || b[1] || b[2] || b[3])
                    padded = i + 4;
            }
            global_cell(w, (record *)g + i, NULL, &second[i], a - off + i, 1, flags, pc, init && i >= padded);
        }
    }
}

void check_global_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
    unsigned off = a & 4095;
    if (unlikely(!(flags & A_RANGE) && a & (bytes - 1) && p->hi) && check_misaligned(w, a, bytes, flags, pc))
        return;
    if (unlikely(off < p->lo || off + bytes > p->hi)) {
        if (p->hi && off < p->hi && off + bytes > 4096 && p[1].alloc == p->alloc && off + bytes - 4096 <= p[1].hi) {
            unsigned here = 4096 - off; // crosses into the next page of the same allocation
            check_global_access(w, a, here, flags | A_RANGE, pc);
            check_global_access(w, a + here, bytes - here, flags | A_RANGE, pc);
            return;
        }
        check_out_of_bounds_heap(w, a, bytes, flags, pc);
        return;
    }
    if (unlikely(!(check_tools & (TOOL_RACE | TOOL_INIT | TOOL_HOST))))
        return;
    int kind = check_heap.allocs[p->alloc - 1].kind;
    if (kind == CPUDEV_MEM_MANAGED && (!(flags & A_WRITE) || flags & A_READ_TOO) && !(flags & A_PADDED) &&
        *(const uint32_t *)(a & ~(uintptr_t)3) == UNSET &&
        check_never_written(&check_heap.allocs[p->alloc - 1], a, bytes))
        check_report_uninit(w, a, bytes, flags, pc, 0);
    check_global_bytes(w, p, a, bytes, flags, pc,
                       !(flags & A_PADDED) && (kind == CPUDEV_MEM_DEVICE || kind == CPUDEV_MEM_HEAP));
}
