/* shadow.c: pages of the shadow, which come from slabs and go to free lists, one a mode. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <stdatomic.h>

#include "race/shadow.h"
#include "core/layout.h"
#include "memory/kernel_memory.h"
#include "race/record.h"
#include "report/chinese.h"
#include "core/lock.h"

static _Atomic size_t shadow_bytes;

static size_t shadow_peak;

size_t check_shadow_bytes(void) { return shadow_peak; }

static size_t cells_bytes(int mode)
{
    return (mode == MODE_WORD   ? 1024 * (sizeof(gcell) + 4)
            : mode == MODE_HALF ? 2048 * (sizeof(gcell) + 4)
                                : 4096 * 12) +
           LINES * (sizeof(line) + sizeof(uint32_t)) + 64; /* the last holds the address of the places */
}

// Shadow pages come from slabs and go to free lists, one a mode.
_Atomic int check_active;

static pthread_mutex_t slab_lock = PTHREAD_MUTEX_INITIALIZER;

static void *cells_free[3], *places_free[3];

enum { SLAB = 8 << 20, HUGE_PAGE = 2 << 20 };

static uintptr_t slab, slab_end;

/* Slabs are filled from their beginning to their end, so huge pages cost no memory, and spare two page faults for each
 * 4 KiB (a look at a new record, and then its write) and most misses of the TLB. */
static bool slab_new(void)
{
    slab = (uintptr_t)check_reserve(SLAB + HUGE_PAGE, PROT_READ | PROT_WRITE);
    if (!slab)
        return false;
    slab = (slab + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    slab_end = slab + SLAB;
    madvise((void *)slab, SLAB, MADV_HUGEPAGE);
    return true;
}

/* With the lock: of a free list, whose memory is not cleared, or of the slab, whose is. */
static void *slab_take(void **list, size_t bytes, bool *cleared)
{
    void *p = *list;
    *cleared = !p;
    if (p) {
        *list = *(void **)p;
    } else {
        if (slab_end - slab < bytes && !slab_new()) {
            check_say_line("cucc --check: out of memory for the shadow");
            _exit(2);
        }
        p = (void *)slab;
        slab += bytes;
    }
    shadow_bytes += bytes;
    if (shadow_bytes > shadow_peak)
        shadow_peak = shadow_bytes;
    return p;
}

static uintptr_t cells_new(int mode)
{
    size_t bytes = cells_bytes(mode);
    bool cleared;
    check_lock(&slab_lock);
    void *p = slab_take(&cells_free[mode], bytes, &cleared);
    check_unlock(&slab_lock);
    if (!cleared)
        memset(p, 0, bytes);
    return (uintptr_t)p | (uintptr_t)mode;
}

static size_t places_bytes(int mode) { return (mode == MODE_WORD ? 1024 : 2048) * sizeof(uint32_t); }

/* Two lines of a page may come here at a time. The places need not be cleared: none is read before it is set. */
__attribute__((noinline)) uint32_t *check_places_new(uintptr_t c)
{
    const int mode = (int)(c & 3);
    bool cleared;
    check_lock(&slab_lock);
    uint32_t *p = *places_at(c);
    if (!p) {
        p = slab_take(&places_free[mode], places_bytes(mode), &cleared);
        __atomic_store_n(places_at(c), p, __ATOMIC_RELEASE);
    }
    check_unlock(&slab_lock);
    return p;
}

void check_cells_drop(uintptr_t c)
{
    if (!c)
        return;
    int mode = (int)(c & 3);
    void *p = (void *)(c & ~(uintptr_t)3), *places = *places_at(c);
    check_lock(&slab_lock);
    if (places) {
        *(void **)places = places_free[mode];
        places_free[mode] = places;
        shadow_bytes -= places_bytes(mode);
    }
    *(void **)p = cells_free[mode];
    cells_free[mode] = p;
    shadow_bytes -= cells_bytes(mode);
    check_unlock(&slab_lock);
}

bool check_line_wait(line *l)
{
    for (unsigned n = 0;; n++) {
        uint32_t state = __atomic_load_n(&l->state, __ATOMIC_ACQUIRE);
        if (state == LINE_GONE)
            return false;
        if (!(state & LINE_LOCKED) && !(__atomic_fetch_or(&l->state, LINE_LOCKED, __ATOMIC_ACQUIRE) & LINE_LOCKED))
            return true;
        if (n >= 64)
            sched_yield();
    }
}

// Copies the record that the whole line shares to each of its words.
__attribute__((noinline)) void check_line_settle(uintptr_t c, unsigned off)
{
    line *l = line_at(c, off);
    gcell *g = cells_at(c) + off / 64 * LINE_WORDS;
    const uint32_t first = off / 64 * LINE_WORDS;
    record r1 = l->r1;
    uint32_t y = l->second;
    l->state &= LINE_LOCKED;
    l->r1 = 0;
    l->second = 0;
    for (uint32_t i = 0; r1 && i < LINE_WORDS; i++) {
        record old = g[i].r1, me = r1 + ((record)i << 22);
        uint32_t other = y ? y + i : 0, older = old ? REC32_MAKE(REC_SEG(old), REC_THREAD(old)) : 0,
                 place = *line_place_at(c, off);
        if (!other || (widen(other) == REC_SEG(me) && older && REC_SEG(old) != REC_SEG(me))) {
            other = older; // one of another segment says more
            place = REC_PLACE(old);
        }
        g[i].r1 = me;
        if (other && other != REC32_MAKE(REC_SEG(me), REC_THREAD(me)))
            second_set(c, first + i, other, place);
    }
}

/* Copies the records of the cells c to the finer cells n. */
static void cells_copy(uintptr_t n, uintptr_t c)
{
    int old = (int)(c & 3), mode = (int)(n & 3), step = mode == MODE_BYTE ? 4096 : 2048,
        per = step / (old == MODE_WORD ? 1024 : 2048);
    const gcell *from = cells_at(c);
    const uint32_t *second = second_at(c);
    for (unsigned off = 0; off < 4096 && old == MODE_WORD; off += 64)
        line_settle(c, off);
    for (int i = 0; i < step; i++) {
        if (mode == MODE_BYTE) {
            ((record *)cells_at(n))[i] = from[i / per].w;
            record r1 = from[i / per].r1;
            second_at(n)[i] = r1 ? REC32_MAKE(REC_SEG(r1), REC_THREAD(r1)) : 0;
        } else {
            cells_at(n)[i] = from[i / per];
            if (second[i / per])
                second_set(n, (unsigned)i, second[i / per], second_place(c, (unsigned)(i / per)));
        }
    }
}

// Shadow of a page in a mode at least as fine as asked for. Old cells of a page that becomes finer stay allocated, all
// their lines locked for good: another worker may be waiting for one, and then looks for the new cells.
uintptr_t check_cells_refine(page *p, int mode)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
    if (c && (int)(c & 3) >= mode)
        return c;
    check_lock(&lock);
    c = p->cells;
    if (!c || (int)(c & 3) < mode) {
        uintptr_t n = cells_new(mode);
        for (unsigned off = 0; c && off < 4096; off += 64)
            line_lock(line_at(c, off));
        if (c)
            cells_copy(n, c);
        __atomic_store_n(&p->cells, n, __ATOMIC_RELEASE);
        for (unsigned off = 0; c && off < 4096; off += 64)
            __atomic_store_n(&line_at(c, off)->state, LINE_GONE, __ATOMIC_RELEASE);
        c = n;
    }
    check_unlock(&lock);
    return c;
}

record check_last_write(uintptr_t a)
{
    page *p = page_of(a);
    uintptr_t c = p ? __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE) : 0;
    if (!c)
        return 0;
    unsigned off = a & 4095;
    return (c & 3) == MODE_BYTE ? ((record *)cells_at(c))[off] : cells_at(c)[off / (4u >> (c & 3))].w;
}
