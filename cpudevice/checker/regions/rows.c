/* rows.c: accesses of a region to global memory, a row of threads at a time. */
#define _GNU_SOURCE

#include "regions/bulk.h"
#include "memory/kernel_memory.h"
#include "race/global.h"
#include "race/record.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"

// As widen(), with a count of segments that may be a little old: what was
// written a million segments ago is taken as new, which is safe.
static inline uint32_t widen_about(uint32_t r32, uint32_t now)
{
    uint32_t top = now + (1u << 20), s = (top & ~((1u << 22) - 1)) | r32 >> 10;
    return s > top ? s >= 1u << 22 ? s - (1u << 22) : 0 : s;
}

// As line_settle(); what comes before this operation need not be kept.
static inline void line_leave(const worker *w, uintptr_t c, unsigned off)
{
    line *l = line_at(c, off);
    if (likely(!(l->state & ~LINE_LOCKED)))
        return;
    if (REC_SEG(l->r1) < w->global.floor && (!l->second || widen(l->second) < w->global.floor))
        *l = (line){0, 0, LINE_LOCKED};
    else
        check_line_settle(c, off);
}

// The top bit of the result is set unless least <= r < floor, and may be set needlessly for records beyond 2^63. Results
// of many records can be combined by |: that takes no comparison for each of them.
static inline record outside(record r, record least, record floor) { return (r - least) | (floor - 1 - r); }

static inline int any_outside(record combined) { return combined >> 63 != 0; }

// What is said of a line holds for so many segments: its second reader, of which 22 bits are kept, is no older.
enum { LINE_AGE = 1 << 20 };

// Are the words of a line in that state all known to be written before this operation?
static inline int line_known(const worker *w, uint32_t state)
{
    uint32_t floor = state >> 2;
    return floor && w->global.floor - floor <= LINE_AGE;
}

// Can nothing order the blocks of the kernel? It cannot where the kernel runs in loops, out of clusters: such
// a kernel has no fence, no atomic that releases, and no barrier of a grid.
static inline int unordered_blocks(const worker *w)
{
    return w->loops && !w->cluster.in && !w->global.grid_epoch && !w->op->flags;
}

// Are two other blocks of this kernel on record as its readers? Asked without the lock: whoever takes them off the record
// changes the state before, and judges them.
static inline int line_shared(const worker *w, const line *l)
{
    uint32_t state = __atomic_load_n(&l->state, __ATOMIC_ACQUIRE);
    if (!(state & LINE_SHARED) || state & LINE_LOCKED || !line_known(w, state) || !unordered_blocks(w))
        return 0;
    const check_seg *g = check_seg_get(REC_SEG(__atomic_load_n(&l->r1, __ATOMIC_ACQUIRE)));
    return g && g->op == w->op->id && __atomic_load_n(&l->state, __ATOMIC_ACQUIRE) == state;
}

// Notes whether they are, the running block being one of them. Under the lock.
static inline void line_share(const worker *w, line *l, uint32_t now)
{
    const check_seg *g = l->second && unordered_blocks(w) ? check_seg_get(widen_about(l->second, now)) : NULL;
    l->state &= ~LINE_SHARED;
    if (g && g->op == w->op->id && g->block != w->block_id)
        l->state |= LINE_SHARED;
}

static inline int words_written(const worker *w, const gcell *g, int init)
{
    const record floor = (record)w->global.floor << 33, least = init;
    record bad = 0;
    for (int i = 0; i < LINE_WORDS; i++)
        bad |= outside(g[i].w, least, floor);
    return !any_outside(bad);
}

// The same, by a look at each; what is found is noted, until somebody writes there. Under the lock.
static inline int line_clean(const worker *w, uintptr_t c, unsigned off, int init)
{
    line *l = line_at(c, off);
    if (likely(line_known(w, l->state)))
        return 1;
    line_leave(w, c, off);
    if (w->global.floor >> 30 || !words_written(w, cells_at(c) + off / 4, init))
        return 0;
    l->state = w->global.floor << 2 | LINE_LOCKED;
    return 1;
}

// `me` has read what has *r1 and y for its readers; two of them are kept, as in usual_granule(). The result becomes the
// second one; 0: it stays.
static inline record reader_put(worker *w, record *r1, uint32_t y, record me, uint32_t now)
{
    record r = *r1;
    *r1 = me;
    if (!r || REC_SEG(r) < w->global.floor || !((r ^ me) >> 22))
        return 0;
    if (readers_ordered(w, r))
        return check_second_reader(w, r, y) ? r : 0;
    const bool put = !y || widen_about(y, now) < w->global.floor ||
                     (REC_SEG(r) != w->global.segment && REC_THREAD(r) != REC_THREAD(me));
    return put ? r : 0;
}

// Of one page: `count` granules of which each thread has `per`, the first one's record being `me`.
static inline int granules_clear(const worker *w, const gcell *g, const uint32_t *second, uint32_t count, uint32_t per,
                                 record me, int write, int init, uint32_t now)
{
    const record floor = (record)w->global.floor << 33, least = init && !write;
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
        if (unlikely(REC_SEG(old) >= w->global.floor && (old ^ me) >> 22 & ~(record)0x400))
            return 0; // another thread's, or block's
        if (write ? (REC_SEG(r) >= w->global.floor && (r ^ me) >> 22) ||
                        (second[i] && widen_about(second[i], now) >= w->global.floor)
                  : init && !old)
            return 0;
        if (++k == per) {
            k = 0;
            me += (record)1 << 22;
        }
    }
    return 1;
}

// The page has cells c; `first` is the first granule.
static inline void granules_put(worker *w, uintptr_t c, uint32_t first, uint32_t count, uint32_t per, record me,
                                int write, uint32_t now)
{
    gcell *g = cells_at(c) + first;
    uint32_t *second = second_at(c) + first;
    for (uint32_t i = 0, k = 0; i < count; i++) {
        if (write) {
            g[i].w = me;
            g[i].r1 = 0;
            second[i] = 0;
        } else {
            const record x = reader_put(w, &g[i].r1, second[i], me, now);
            if (unlikely(x))
                second_put(c, first + i, x);
        }
        if (++k == per) {
            k = 0;
            me += (record)1 << 22;
        }
    }
}

// What of a row lies in one line: `bytes` at `off` of a page with cells c.
typedef struct part {
    uintptr_t c;
    unsigned off, bytes;
    record me;
    int init;
} part;

static inline int whole_line(const row *r, const part *p)
{
    return !r->write && r->bytes == 4 && p->bytes == 4 * LINE_WORDS;
}

// Is there no record that the access would conflict with? This looks without the lock; the caller repeats it with the lock.
static inline int part_clear(const worker *w, const row *r, const part *p, uint32_t now)
{
    if (whole_line(r, p) && line_known(w, __atomic_load_n(&line_at(p->c, p->off)->state, __ATOMIC_ACQUIRE)))
        return 1;
    return granules_clear(w, cells_at(p->c) + p->off / 4, second_at(p->c) + p->off / 4, p->bytes / 4, r->bytes / 4,
                          p->me, r->write, p->init, now);
}

// Records the access if no record conflicts with it.
static inline int part_put(worker *w, const row *r, const part *p, uint32_t now)
{
    line *l = line_at(p->c, p->off);
    int clear = 1;
    if (whole_line(r, p) && line_shared(w, l))
        return 1;
    if (unlikely(!line_lock(l)))
        return 0;
    if (r->write)
        line_leave(w, p->c, p->off);
    if (whole_line(r, p) && line_clean(w, p->c, p->off, p->init)) {
        const record x = reader_put(w, &l->r1, l->second, p->me, now);
        if (x) {
            l->second = REC32_MAKE(REC_SEG(x), REC_THREAD(x));
            *line_place_at(p->c, p->off) = REC_PLACE(x);
        }
        line_share(w, l, now);
    } else {
        const uint32_t count = p->bytes / 4, per = r->bytes / 4;
        clear = granules_clear(w, cells_at(p->c) + p->off / 4, second_at(p->c) + p->off / 4, count, per, p->me,
                               r->write, p->init, now);
        if (clear)
            granules_put(w, p->c, p->off / 4, count, per, p->me, r->write, now);
    }
    line_unlock(l);
    return clear;
}

// Does nothing conflict with the row (put = 0)? If nothing does, puts it on record (put = 1); its beginning may be on
// record where something does.
static inline __attribute__((always_inline)) int row_over(worker *w, const row *r, int put)
{
    const uint32_t now = check_seg_next();
    part part = {.me = REC_MAKE(w->global.segment, 0, r->thread, r->pc)};
    uintptr_t a = r->a, end = a + (uintptr_t)r->threads * r->bytes;
    if (a & (r->bytes - 1) || r->bytes & 3 || r->bytes & (r->bytes - 1) || a - check_heap.lo >= check_heap.bytes)
        return 0;
    while (a < end) {
        page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
        uintptr_t here = (a | 4095) + 1 < end ? (a | 4095) + 1 : end;
        part.off = a & 4095;
        if (part.off < p->lo || part.off + (here - a) > p->hi)
            return 0;
        part.c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
        if (unlikely(!part.c))
            part.c = check_cells_refine(p, MODE_WORD);
        if (unlikely((part.c & 3) != MODE_WORD))
            return 0;
        part.init = check_heap.allocs[p->alloc - 1].kind != CPUDEV_MEM_PINNED &&
                    check_tools & TOOL_INIT; // of managed memory the host may have written it: that is not known here
        for (; a < here; a += part.bytes, part.off += part.bytes, part.me += (record)(part.bytes / r->bytes) << 22) {
            part.bytes = 64 - (part.off & 63);
            if (part.bytes > here - a)
                part.bytes = (unsigned)(here - a);
            if (!(put ? part_put(w, r, &part, now) : part_clear(w, r, &part, now)))
                return 0;
        }
    }
    return 1;
}

static __attribute__((noinline)) int row_clear(worker *w, const row *r) { return row_over(w, r, 0); }

__attribute__((noinline)) int check_row_put(worker *w, const row *r) { return row_over(w, r, 1); }

// In a region that writes global memory, rows wait until all of them are clear: each that is put then meets those before
// it. A region with many more rows than threads reads the same again and again, which costs callbacks little: they know
// it.
static int row_done(worker *w, bulk_worker *b, const row *r, int wait)
{
    if (b->rows_seen++ >= MOST_ROWS)
        return 0;
    if (!wait)
        return check_row_put(w, r);
    if (!row_clear(w, r))
        return 0;
    b->rows[b->row_count++] = *r;
    return 1;
}

int check_touch_rows(worker *w, bulk_worker *b, size_t bytes, int write, int wait, void *pc)
{
    const unsigned long *at = b->at;
    row r = {.bytes = (uint32_t)bytes, .write = write, .pc = pc};
    for (uint32_t t = 0, e, n = w->threads; t < n; t = e) {
        e = t + 1;
        if (!at[t])
            continue;
        r.a = at[t];
        r.thread = t;
        if (e < n && at[e] == r.a) { // all read one word: two of them represent all
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
