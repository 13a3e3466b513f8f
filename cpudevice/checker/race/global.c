/* global.c: accesses to the checked heap. */
#define _GNU_SOURCE
#include <string.h>

#include "race/global.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "race/order.h"
#include "race/race.h"
#include "race/record.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "race/shared.h"
#include "core/tools.h"
#include "core/worker.h"

// Thread 0 of another block, or of the host, is not this thread 0.
__attribute__((noinline)) int check_of_other_block(const worker *w, record r)
{
    const check_seg *g = check_seg_get(REC_SEG(r));
    return g && (g->op != w->op->id || g->block != w->block_id);
}

/* One granule of an access, and what was on record of it: the last write, and for a write its readers. */
typedef struct granule {
    uintptr_t a;
    unsigned bytes;
    record old, reader, me;
    uint32_t second, place; /* of the second reader; of single bytes none is kept */
    int init;               /* it should have been written */
} granule;

static inline void write_judge(worker *w, const granule *g, int flags, void *pc)
{
    const record old = g->old, x = g->reader;
    const uint32_t y = g->second;
    const uintptr_t a = g->a;
    if (flags & A_ATOMIC && x && REC_THREAD(x) == w->thread && REC_SEG(x) == REC_SEG(g->me))
        check_look_then_atomic(pc_of(x), a, g->bytes, flags);
    if (unlikely(!old) && g->init && flags & A_READ_TOO)
        check_report_uninit(w, a, g->bytes, flags, pc, 0);
    if (unlikely(REC_SEG(old) >= w->global.floor) && !global_ordered(w, REC_SEG(old), REC_THREAD(old)))
        check_conflict(w, old, WRITE_WRITE, a, g->bytes, flags, pc, 0);
    if (unlikely(x && REC_SEG(x) >= w->global.floor) && !global_ordered(w, REC_SEG(x), REC_THREAD(x)))
        check_conflict(w, x, AFTER_READ, a, g->bytes, flags, pc, 0);
    else if (unlikely(y) && widen(y) >= w->global.floor && !global_ordered(w, widen(y), y & 1023))
        check_conflict(w, second_record(y, g->place), AFTER_READ, a, g->bytes, flags, pc, 0);
}

static inline void read_judge(worker *w, const granule *g, int flags, void *pc)
{
    const record old = g->old;
    if (unlikely(!old) && g->init)
        check_report_uninit(w, g->a, g->bytes, flags, pc, 0);
    if (unlikely(REC_SEG(old) >= w->global.floor) && !global_ordered(w, REC_SEG(old), REC_THREAD(old)))
        check_conflict(w, old, READ_AFTER, g->a, g->bytes, flags, pc, 0);
}

bool check_second_reader(worker *w, record x, uint32_t y)
{
    if (REC_SEG(x) == w->global.segment && REC_THREAD(x) == w->thread)
        return false;
    if (!y || widen(y) < w->global.floor || widen(y) == w->global.segment || global_ordered(w, widen(y), y & 1023))
        return true;
    return REC_SEG(x) != w->global.segment && !global_ordered(w, REC_SEG(x), REC_THREAD(x));
}

/* The thread is put on record as a reader. In pages of single bytes there is room for one. */
static inline void reader_note(worker *w, record *r1, uintptr_t c, unsigned i, record me)
{
    uint32_t y = second_at(c)[i];
    if (!r1) {
        if (!y || widen(y) < w->global.floor)
            second_put(c, i, me);
        return;
    }
    record x = *r1;
    if (x == me)
        return;
    if (x && REC_SEG(x) >= w->global.floor && readers_ordered(w, x)) {
        if (check_second_reader(w, x, y))
            second_put(c, i, x);
    } else if (x && REC_SEG(x) >= w->global.floor && other_reader(w, x, y) &&
               (!y || widen(y) < w->global.floor || REC_SEG(x) != REC_SEG(me))) {
        second_put(c, i, x);
    }
    *r1 = me;
}

/* Under the line's lock: puts the access to granule i of a page with cells c on record, and takes what was there. */
static inline void granule_put(worker *w, granule *g, record *cw, record *r1, uintptr_t c, unsigned i, int flags)
{
    uint32_t *r2 = &second_at(c)[i];
    g->old = *cw;
    if (!(flags & A_WRITE)) {
        if (!(flags & A_ATOMIC))
            reader_note(w, r1, c, i, g->me);
        return;
    }
    g->reader = r1 ? *r1 : 0;
    g->second = *r2;
    g->place = *r2 ? second_place(c, i) : 0;
    if (!hides_plain(g->old, g->me))
        *cw = g->me;
    if (g->reader)
        *r1 = 0;
    if (g->second)
        *r2 = 0;
}

/* Is there no earlier record that must be judged against this access? */
static inline bool met_nothing(const worker *w, const granule *g)
{
    return REC_SEG(g->old) < w->global.floor && REC_SEG(g->reader) < w->global.floor && !g->second &&
           (g->old || !g->init);
}

/* Of a word of which some byte is written the rest may be a struct's padding: not of a word that is read by itself, and
 * whose neighbour is written whole. */
static inline bool may_be_padding(const record *b, bool alone)
{
    return (b[0] || b[1] || b[2] || b[3]) && !(alone && b[-1] && b[-2] && b[-3] && b[-4]);
}

/* One granule at `off` of a page with cells c, of an access that ends at `end`. */
static inline void granule_at(worker *w, granule *g, uintptr_t c, unsigned off, unsigned end, unsigned *padded,
                              int flags, bool alone)
{
    gcell *cell = cells_at(c);
    const unsigned i = off / g->bytes;
    if (g->bytes > 1) {
        granule_put(w, g, &cell[i].w, &cell[i].r1, c, i, flags);
        return;
    }
    const record *b = (record *)cell + off;
    if (!(off & 3) && off + 4 <= end && may_be_padding(b, alone && off >= 4))
        *padded = off + 4;
    g->init = g->init && off >= *padded;
    granule_put(w, g, (record *)cell + off, NULL, c, i, flags);
}

void check_global_bytes(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc, int init)
{
    const int want = (a | bytes) & 1 ? MODE_BYTE : (a | bytes) & 2 ? MODE_HALF : MODE_WORD;
    const unsigned first = a & 4095, end = first + bytes;
    const record me = REC_MAKE(my_segment(w), flags & A_ATOMIC ? 1 : 0, w->thread, pc);
    const bool alone = bytes == 4 && !(flags & A_RANGE), asks_again = bytes > 16;
    unsigned padded = 0;
    if (asks_again)
        check_global_access_begins(w);
    for (unsigned off = first; off < end;) { // what is judged is judged without the lock
        uintptr_t c = cells_lock(p, off, want);
        line *l = line_at(c, off);
        granule g;
        if (flags & A_WRITE)
            line_settle(c, off);
        do {
            g = (granule){.a = a - first + off, .bytes = 4u >> (c & 3), .me = me, .init = init};
            granule_at(w, &g, c, off, end, &padded, flags, alone);
            off += g.bytes;
        } while (off < end && off & 63 && met_nothing(w, &g));
        line_unlock(l);
        if (flags & A_WRITE)
            write_judge(w, &g, flags, pc);
        else
            read_judge(w, &g, flags, pc);
    }
    if (asks_again)
        check_global_access_ends(w);
}

/* Do the pages from p on belong to one allocation up to byte `end`, counted from the beginning of the first? */
static int pages_hold(const page *p, size_t end)
{
    for (; end > 4096; end -= 4096, p++)
        if (p->hi < 4096 || p[1].alloc != p->alloc)
            return 0;
    return end <= p->hi;
}

void check_global_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
    unsigned off = a & 4095;
    if (unlikely(!(flags & A_RANGE) && a & (bytes - 1) && p->hi) && check_misaligned(w, a, bytes, flags, pc))
        return;
    if (unlikely(off < p->lo || off + bytes > p->hi)) {
        if (p->hi && off < p->hi && off + bytes > 4096 && pages_hold(p, off + bytes)) {
            unsigned here = 4096 - off; // crosses into the next page of the same allocation
            check_global_access(w, a, here, flags | A_RANGE, pc);
            check_global_access(w, a + here, bytes - here, flags | A_RANGE, pc);
            return;
        }
        check_out_of_bounds_heap(w, a, bytes, flags, pc);
        return;
    }
    if (unlikely(w->apart))
        check_peer_memory(w, &check_heap.allocs[p->alloc - 1], a, bytes, flags, pc);
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
