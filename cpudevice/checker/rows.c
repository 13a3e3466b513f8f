/* rows.c: accesses of a region to global memory, a row of threads at a time. */
#define _GNU_SOURCE

#include "bulk.h"
#include "memory.h"
#include "record.h"
#include "segment.h"
#include "shadow.h"
#include "tools.h"
#include "worker.h"

// As widen(), with a count of segments that may be a little old: what was
// written a million segments ago is taken as new, which is safe.
static inline uint32_t widen_about(uint32_t r32, uint32_t now)
{
    uint32_t top = now + (1u << 20), s = (top & ~((1u << 22) - 1)) | r32 >> 10;
    return s > top ? s >= 1u << 22 ? s - (1u << 22) : 0 : s;
}

// As lines_settle(); what comes before this operation need not be kept.
static inline void line_leave(const worker *w, uintptr_t c, unsigned which)
{
    line *l = &lines_at(c)[which];
    if (likely(!l->clean))
        return;
    if (REC_SEG(l->r1) < w->floor && (!l->second || widen(l->second) < w->floor))
        *l = (line){0, 0, 0};
    else
        check_line_settle(c, which);
}

// The top bit of the result is set unless least <= r < floor, and may be set needlessly for records beyond 2^63. Results
// of many records can be combined by |: that takes no comparison for each of them.
static inline record outside(record r, record least, record floor) { return (r - least) | (floor - 1 - r); }

static inline int any_outside(record combined) { return combined >> 63 != 0; }

// Are the line's words all written, before this operation? (If so that is noted, until somebody writes there.)
static inline int line_clean(const worker *w, uintptr_t c, unsigned which, int init)
{
    line *l = &lines_at(c)[which];
    if (likely(l->clean == w->op->id))
        return 1;
    line_leave(w, c, which);
    const gcell *g = cells_at(c) + which * LINE_WORDS;
    const record floor = (record)w->floor << 33, least = init;
    record bad = 0;
    for (int i = 0; i < LINE_WORDS; i++)
        bad |= outside(g[i].w, least, floor);
    if (any_outside(bad))
        return 0;
    l->clean = w->op->id;
    return 1;
}

// `me` has read what has *r1 and *second for its readers; two of them are kept, as in usual_granule().
static inline void reader_put(const worker *w, record *r1, uint32_t *second, record me, uint32_t now)
{
    record r = *r1;
    if (r && REC_SEG(r) >= w->floor && (r ^ me) >> 22) {
        uint32_t y = *second;
        if (!y || widen_about(y, now) < w->floor || (REC_SEG(r) != w->segment && REC_THREAD(r) != REC_THREAD(me)))
            *second = REC32_MAKE(REC_SEG(r), REC_THREAD(r));
    }
    *r1 = me;
}

// Of one page: `count` granules of which each thread has `per`, the first one's record being `me`.
static inline int granules_clear(const worker *w, const gcell *g, const uint32_t *second, uint32_t count, uint32_t per,
                                 record me, int write, int init, uint32_t now)
{
    const record floor = (record)w->floor << 33, least = init && !write;
    record any = 0;
    uint32_t seconds = 0;
    if (write)
        for (uint32_t i = 0; i < count; i++) {
            any |= outside(g[i].w, 0, floor) | outside(g[i].r1, 0, floor);
            seconds |= second[i];
        }
    else
        for (uint32_t i = 0; i < count; i++)
            any |= outside(g[i].w, least, floor);
    if (likely(!any_outside(any) && !seconds))
        return 1;
    for (uint32_t i = 0, k = 0; i < count; i++) {
        record old = g[i].w, r = g[i].r1;
        if (unlikely(REC_SEG(old) >= w->floor && (old ^ me) >> 22 & ~(record)0x400))
            return 0; // another thread's, or block's
        if (write ? (REC_SEG(r) >= w->floor && (r ^ me) >> 22) || (second[i] && widen_about(second[i], now) >= w->floor)
                  : init && !old)
            return 0;
        if (++k == per) {
            k = 0;
            me += (record)1 << 22;
        }
    }
    return 1;
}

static inline void granules_put(const worker *w, gcell *g, uint32_t *second, uint32_t count, uint32_t per, record me,
                                int write, uint32_t now)
{
    for (uint32_t i = 0, k = 0; i < count; i++) {
        if (write) {
            g[i].w = me;
            g[i].r1 = 0;
            second[i] = 0;
        } else
            reader_put(w, &g[i].r1, &second[i], me, now);
        if (++k == per) {
            k = 0;
            me += (record)1 << 22;
        }
    }
}

// Does nothing stand against the row (put = 0)? Puts it on record (put = 1).
static inline __attribute__((always_inline)) int row_over(worker *w, const row *r, int put)
{
    const uint32_t now = check_seg_next(), per = r->bytes / 4;
    record me = REC_MAKE(w->segment, 0, r->thread, r->pc);
    uintptr_t a = r->a;
    if (!put && (a & (r->bytes - 1) || r->bytes & 3 || a - check_heap.lo >= check_heap.bytes))
        return 0;
    for (size_t left = (size_t)r->threads * r->bytes, here; left;
         left -= here, a += here, me += (record)(here / r->bytes) << 22) {
        page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
        size_t off = a & 4095;
        here = 4096 - off < left ? 4096 - off : left;
        if (!put && (off < p->lo || off + here > p->hi))
            return 0;
        uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
        if (unlikely(!c))
            c = check_cells_refine(p, MODE_WORD);
        if (unlikely((c & 3) != MODE_WORD))
            return 0;
        int init = check_heap.allocs[p->alloc - 1].kind != CPUDEV_MEM_PINNED &&
                   check_tools & TOOL_INIT; // of managed memory the host may have written it: that is not known here
        if (r->write)
            for (unsigned k = (unsigned)off / 64; k <= (off + here - 1) / 64; k++)
                line_leave(w, c, k);
        else if (r->bytes == 4) {
            unsigned which = (unsigned)off / 64;
            if (!(off & 63) && here >= 64) {
                here = 64;
                if (line_clean(w, c, which, init)) {
                    if (put)
                        reader_put(w, &lines_at(c)[which].r1, &lines_at(c)[which].second, me, now);
                    continue;
                }
            } else if (here > 64 - (off & 63))
                here = 64 - (off & 63);
        }
        gcell *g = cells_at(c) + off / 4;
        uint32_t *second = second_at(c) + off / 4, count = (uint32_t)(here / 4);
        if (put)
            granules_put(w, g, second, count, per, me, r->write, now);
        else if (!granules_clear(w, g, second, count, per, me, r->write, init, now))
            return 0;
    }
    return 1;
}

static __attribute__((noinline)) int row_clear(worker *w, const row *r) { return row_over(w, r, 0); }

__attribute__((noinline)) int check_row_put(worker *w, const row *r) { return row_over(w, r, 1); }

// In a region that writes global memory, rows wait until all of them are clear, and no thread writes what another has
// in the same region. (Words that two rows have in common are one thread's own if both begin with it at one place.)
static int row_waits(bulk_worker *b, const row *r)
{
    uintptr_t end = r->a + (uintptr_t)r->threads * r->bytes;
    for (int i = 0; i < b->sites; i++) {
        if (!(r->write || b->reach[i].write) || r->a >= b->reach[i].end || end <= b->reach[i].a)
            continue;
        for (const row *o = b->rows; o < b->rows + b->row_count; o++)
            if (o->site == i && r->a < o->a + (uintptr_t)o->threads * o->bytes && end > o->a &&
                (o->bytes != r->bytes ||
                 o->a - (uintptr_t)o->thread * o->bytes != r->a - (uintptr_t)r->thread * r->bytes))
                return 0;
    }
    b->rows[b->row_count++] = *r;
    if (r->a < b->reach[r->site].a)
        b->reach[r->site].a = r->a;
    if (end > b->reach[r->site].end)
        b->reach[r->site].end = end;
    b->reach[r->site].write = r->write;
    return 1;
}

// A region with many more rows than threads reads the same again and again, which costs callbacks little: they know it.
static int row_done(worker *w, bulk_worker *b, const row *r, int wait)
{
    return b->rows_seen++ < MOST_ROWS && row_clear(w, r) && (wait ? row_waits(b, r) : check_row_put(w, r));
}

int check_touch_rows(worker *w, bulk_worker *b, size_t bytes, int site, int write, int wait, void *pc)
{
    const unsigned long *at = b->at;
    row r = {.bytes = (uint32_t)bytes, .site = site, .write = write, .pc = pc};
    for (uint32_t t = 0, e, n = w->threads; t < n; t = e) {
        e = t + 1;
        if (!at[t])
            continue;
        r.a = at[t];
        r.thread = t;
        if (e < n && at[e] == r.a) { // all read one word: two of them stand for all
            while (e < n && at[e] == r.a)
                e++;
            r.threads = 1;
            if (write || !row_done(w, b, &r, wait))
                return 0;
            r.thread = e - 1;
        } else {
            while (e < n && at[e] == r.a + (e - t) * bytes)
                e++;
            r.threads = e - t;
        }
        if (!row_done(w, b, &r, wait))
            return 0;
    }
    return 1;
}
