/* access.c: the compiler's callbacks before each access.
 *
 * Nearly all accesses are aligned, with nothing on record that the running thread could be in conflict with. The
 * usual_* functions return 1 if that was so and the access is on record now, else 0; then access_at() judges it. */
#define _GNU_SOURCE
#include <string.h>

#include "core/access.h"
#include "core/hooks.h"
#include "memory/area.h"
#include "regions/bulk.h"
#include "counters/counters.h"
#include "race/global.h"
#include "race/held.h"
#include "host/host.h"
#include "core/layout.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "race/race.h"
#include "race/record.h"
#include "race/release.h"
#include "race/shadow.h"
#include "race/shared.h"
#include "core/tools.h"
#include "core/worker.h"

static inline void forget(uintptr_t a, unsigned bytes)
{
    for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4)
        *known_slot(p) = 0;
}

static void count_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    uint8_t o = a - w->area[0].lo < w->area[0].bytes ? w->area[0].owner[a - w->area[0].lo] : 0;
    int shared = (o && o != 253) || a - w->area[1].lo < w->area[1].bytes;
    if (!shared && a - check_heap.lo >= check_heap.bytes) {
        if (!w->last_var || a - w->last_var->p >= w->last_var->bytes)
            w->last_var = check_variable_at((void *)a, 0);
        if (w->last_var && w->last_var->kind == 'c' && unlikely(counters_followed))
            check_hooks.constant(w->thread, a, bytes, pc);
        if (!w->last_var || w->last_var->kind == 'c')
            return;
    }
    if (flags & A_UNIT) {
        counters_unit_access(w->thread, a, bytes, flags & A_WRITE, pc);
        return;
    }
    counters_access(w->thread, a, bytes, flags & A_WRITE, flags & A_ATOMIC && !(flags & A_VOLATILE), shared, pc);
}

static __attribute__((noinline)) void count_pieces(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    for (unsigned i = 0, piece = w->range_piece; i < bytes; i += piece)
        count_access(w, a + i, piece, flags, (char *)pc + (i / piece & 15));
}

/* Set around an atomic whose scope is the block (1), and around one that names its order (2), as those of <cuda/atomic>
 * do: a relaxed one acquires nothing. */
__thread int cpudev_check_atomic_kind;

/* Does the thread whose load was the last make the same one again? Or is it about to say what kind of load that is? */
static int loads_again(const worker *w, uintptr_t a, int flags, const void *pc)
{
    if (a == (uintptr_t)&cpudev_check_atomic_kind)
        return 1;
    return (flags & (A_ATOMIC | A_VOLATILE | A_WRITE)) == A_ATOMIC && a == w->strong.looked.a &&
           pc == w->strong.looked.pc && w->thread == w->strong.looked.thread;
}

static inline __attribute__((always_inline)) void access_at(uintptr_t a, unsigned bytes, int flags, void *pc)
{
    worker *w = &check_self;
    if (unlikely(!w->in_kernel)) {
        if (unlikely(a - check_heap.lo < check_heap.bytes || a - check_program.data_lo < check_program.data_bytes ||
                     a - check_registry.lo < check_registry.bytes))
            check_host_access(w, a, bytes, flags, pc);
        else if (unlikely(host_heap_bad(a, bytes)))
            check_out_of_bounds_host(a, bytes, flags, pc);
        return;
    }
    if (a - w->stack.lo < w->stack.bytes) {
        check_stack_access(w, a, bytes, flags, pc);
        return;
    }
    if (flags & A_WRITE)
        forget(a, bytes);
    if (unlikely(w->held.open))
        check_held_access(w, a, bytes, flags, pc);
    if (unlikely(w->region.recording)) {
        if (w->region.recording == REGION_PLAIN)
            return; // in a function that was not inlined: all is on record
        check_bulk_record(w, a, bytes, flags, pc);
    }
    w->whole.a = a;
    w->strong.now = (flags & (A_ATOMIC | A_BLOCK)) == A_ATOMIC;
    w->whole.bytes = flags & A_RANGE || bytes > 16 ? 0 : bytes;
    if (unlikely(w->busy)) {
        bulk_failed();
        if (w->strong.late)
            check_acquire_late(w);
        if (w->strong.looked.clock && !loads_again(w, a, flags, pc))
            check_look_was_last(w);
        check_resolve(w, a, flags);
        if (w->index.on)
            check_ub_settle(w, a, bytes);
    }
    if (unlikely(check_tools & TOOL_COUNTERS)) {
        if (flags & A_PIECES)
            count_pieces(w, a, bytes, flags, pc);
        else
            count_access(w, a, bytes, flags, pc);
        if (!(check_tools & ~TOOL_COUNTERS))
            return;
    }
    if (a - w->area[0].lo < w->area[0].bytes)
        check_shared_access(w, &w->area[0], a, bytes, flags, pc);
    else if (a - check_heap.lo < check_heap.bytes)
        check_global_access(w, a, bytes, flags, pc);
    else if (a - w->area[1].lo < w->area[1].bytes)
        check_shared_access(w, &w->area[1], a, bytes, flags, pc);
    else
        check_other_access(w, a, bytes, flags, pc);
}

// A record of shared memory needs no judgement if a barrier has passed since, or if it is this thread's own.
static inline int passed(const worker *w, record r)
{
    return REC_SEG(r) < w->barrier_epoch || REC_THREAD(r) == w->thread;
}

// Of `bytes` at a: 0 if something is in the way, 2 if further reads bring nothing new.
static inline __attribute__((always_inline)) int usual_shared_granule(worker *w, const struct check_area *ar,
                                                                      record *cw, record *r1, record *r2, uintptr_t a,
                                                                      unsigned bytes, int write, record me)
{
    record old = *cw;
    if (!write) {
        if (unlikely(REC_SEG(old) < w->first_epoch || !passed(w, old)))
            return 0;
        return shared_read_note(w, r1, r2, me) && REC_SEG(old) < w->barrier_epoch ? 2 : 1;
    }
    if (REC_SEG(old) < w->first_epoch ? unlikely(!in_one_variable(ar, a - ar->lo, bytes)) : unlikely(!passed(w, old)))
        return 0;
    if (unlikely(!passed(w, *r1) || !passed(w, *r2)))
        return 0;
    *cw = me;
    *r1 = *r2 = 0;
    return 1;
}

static inline __attribute__((always_inline)) int usual_shared(worker *w, struct check_area *ar, uintptr_t a,
                                                              unsigned bytes, int write, void *pc)
{
    record me = REC_MAKE(w->epoch, 0, w->thread, pc);
    unsigned step = bytes < 4 ? bytes : 4;
    if (unlikely(w->async.now || w->cluster.remote))
        return 0;
    shared_touched(w);
    for (uintptr_t end = a + bytes; a < end; a += step) {
        size_t off = a - ar->lo;
        struct check_cell *c = &ar->cells[off >> 2];
        if (likely(step == 4 && c->byte_epoch < w->first_epoch)) {
            int how = usual_shared_granule(w, ar, &c->w, &c->r1, &c->r2, a, 4, write, me);
            if (unlikely(!how))
                return 0;
            if (how == 2)
                make_known(w, a, WORD);
        } else if (c->byte_epoch >= w->first_epoch) {
            struct check_byte_cell *b = &ar->byte_cells[off];
            for (unsigned k = 0; k < step; k++)
                if (!usual_shared_granule(w, ar, &b[k].w, &b[k].r1, &b[k].r2, a + k, 1, write, me))
                    return 0;
        } else {
            return 0;
        }
    }
    return 1;
}

// A record of global memory needs none if its operation was over before this one began, or if it is this thread's own.
static inline int over(const worker *w, record r)
{
    return REC_SEG(r) < w->global.floor || (REC_SEG(r) == w->global.segment && REC_THREAD(r) == w->thread);
}

/* The next two look at what is on record and change it under the lock of its line. */
static inline __attribute__((always_inline)) int usual_granule(worker *w, uintptr_t c, unsigned i, uint32_t *second,
                                                               uintptr_t a, int kind, int write, record me)
{
    gcell *g = &cells_at(c)[i];
    record old = g->w, r = g->r1;
    if (write) {
        if (unlikely(*second || !over(w, old) || !over(w, r)))
            return 0;
        g->w = me;
        if (r)
            g->r1 = 0;
        return 1;
    }
    if (unlikely(!old || !over(w, old)))
        return 0;
    if (r && REC_SEG(r) >= w->global.floor && (REC_SEG(r) != w->global.segment || REC_THREAD(r) != w->thread) &&
        readers_ordered(w, r))
        return 0; // which readers to keep is a longer question
    if (r && REC_SEG(r) >= w->global.floor && other_reader(w, r, *second)) {
        uint32_t y = *second;
        if (!y || widen(y) < w->global.floor || REC_SEG(r) != w->global.segment) {
            y = REC32_MAKE(REC_SEG(r), REC_THREAD(r));
            second_put(c, i, r);
        }
        // This thread and another are on record; later readers of the segment are like them.
        if (w->loops && REC_SEG(r) == w->global.segment && REC_SEG(old) < w->global.floor &&
            y != REC32_MAKE(w->global.segment, w->thread))
            make_known(w, a, kind);
    }
    g->r1 = me;
    return 1;
}

// In pages of single bytes there is room for one reader.
static inline __attribute__((always_inline)) int usual_byte(worker *w, record *cw, uint32_t *reader, int write,
                                                            record me)
{
    uint32_t y = *reader;
    if (write) {
        if (unlikely(y || !over(w, *cw)))
            return 0;
        *cw = me;
        return 1;
    }
    if (unlikely(!*cw || !over(w, *cw)))
        return 0;
    if (!y || widen(y) < w->global.floor)
        *reader = REC32_MAKE(w->global.segment, w->thread);
    return 1;
}

static inline __attribute__((always_inline)) int usual_cells(worker *w, uintptr_t c, uintptr_t a, unsigned bytes,
                                                             int write, record me)
{
    const unsigned off = a & 4095;
    gcell *g = cells_at(c);
    if ((c & 3) == MODE_BYTE) {
        uint32_t *reader = (uint32_t *)((char *)g + 4096 * sizeof(record));
        for (unsigned i = 0; i < bytes; i++)
            if (!usual_byte(w, (record *)g + off + i, &reader[off + i], write, me))
                return 0;
        return 1;
    }
    if ((c & 3) == MODE_HALF) {
        uint32_t *second = (uint32_t *)((char *)g + 2048 * sizeof *g);
        for (unsigned i = 0; i < bytes; i += 2)
            if (!usual_granule(w, c, (off + i) / 2, &second[(off + i) / 2], a + i, HALF, write, me))
                return 0;
        return 1;
    }
    uint32_t *second = (uint32_t *)((char *)g + 1024 * sizeof *g);
    if (write)
        line_settle(c, off);
    for (unsigned i = 0; i < bytes; i += 4)
        if (!usual_granule(w, c, (off + i) / 4, &second[(off + i) / 4], a + i, WORD, write, me))
            return 0;
    return 1;
}

// The access is aligned, and so lies in one line.
static inline __attribute__((always_inline)) int usual_global(worker *w, uintptr_t a, unsigned bytes, int write,
                                                              void *pc)
{
    const page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
    unsigned off = a & 4095;
    uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
    if (unlikely(off + bytes > p->hi || !c || !w->global.segment || bytes < 4u >> (c & 3)))
        return 0;
    line *l = line_at(c, off);
    if (unlikely(!line_lock(l)))
        return 0;
    int done = usual_cells(w, c, a, bytes, write, REC_MAKE(w->global.segment, 0, w->thread, pc));
    line_unlock(l);
    return done;
}

__attribute__((noinline)) void check_access(uintptr_t a, unsigned bytes, int flags, void *pc)
{
    access_at(a, bytes, flags, pc);
}

// 16 bytes, or less that need not lie at a multiple of as many, may be a struct's.
static __attribute__((noinline)) void struct_access(uintptr_t a, unsigned bytes, int flags, void *pc)
{
    worker *w = &check_self;
    if (w->in_kernel && !(flags & A_WRITE) && bytes > 1 && a - w->stack.lo >= w->stack.bytes &&
        (check_is_heap((void *)a) || is_shared(w, a))) {
        check_range_initialised(w, a, bytes, bytes / 2, pc);
        flags |= A_PADDED;
    }
    access_at(a, bytes, flags, pc);
}

static inline __attribute__((always_inline)) void usual(uintptr_t a, unsigned bytes, int write, void *pc)
{
    worker *w = &check_self;
    if (likely(w->known_key != KEY_OFF && !(a & (bytes - 1)))) {
        if (a - w->stack.lo < w->stack.bytes) {
            check_stack_access(w, a, bytes, write ? A_WRITE : 0, pc);
            return;
        }
        if (write)
            forget(a, bytes);
        if (a - check_heap.lo < check_heap.bytes) {
            if (likely(usual_global(w, a, bytes, write, pc)))
                return;
        } else if (a - w->area[0].lo < w->area[0].bytes) {
            if (likely(usual_shared(w, &w->area[0], a, bytes, write, pc)))
                return;
        } else if (a - w->area[1].lo < w->area[1].bytes) {
            if (likely(usual_shared(w, &w->area[1], a, bytes, write, pc)))
                return;
        }
    }
    if (w->counting) {
        if (a - w->stack.lo >= w->stack.bytes)
            count_access(w, a, bytes, write ? A_WRITE : 0, pc);
        return;
    }
    if (bytes == 16 && !write)
        struct_access(a, bytes, 0, pc);
    else
        check_access(a, bytes, write ? A_WRITE : 0, pc);
}

// Are all words of an aligned read known?
static inline int all_known(uintptr_t a, unsigned bytes)
{
    const worker *w = &check_self;
    if (bytes < 4)
        return known(w, a, bytes == 2 ? HALF : BYTE);
    if (bytes > 4 && a & (bytes - 1))
        return 0;
    for (unsigned i = 0; i < bytes; i += 4)
        if (!known(w, a + i, WORD))
            return 0;
    return 1;
}

#define USUAL(n)                                                                                                       \
    static __attribute__((noinline)) void read##n(uintptr_t a, void *pc) { usual(a, n, 0, pc); }                       \
    static __attribute__((noinline)) void write##n(uintptr_t a, void *pc) { usual(a, n, 1, pc); }                      \
    void __tsan_read##n(void *a);                                                                                      \
    void __tsan_read##n(void *a)                                                                                       \
    {                                                                                                                  \
        if (!likely(all_known((uintptr_t)a, n)))                                                                       \
            read##n((uintptr_t)a, CALLER);                                                                             \
    }                                                                                                                  \
    void __tsan_write##n(void *a);                                                                                     \
    void __tsan_write##n(void *a) { write##n((uintptr_t)a, CALLER); }

USUAL(1)

USUAL(2)

USUAL(4)

USUAL(8)

USUAL(16)

#define ACCESS(n)                                                                                                      \
    void __tsan_unaligned_read##n(void *a);                                                                            \
    void __tsan_unaligned_read##n(void *a) { struct_access((uintptr_t)a, n, A_RANGE, CALLER); }                        \
    void __tsan_unaligned_write##n(void *a);                                                                           \
    void __tsan_unaligned_write##n(void *a) { struct_access((uintptr_t)a, n, A_WRITE | A_RANGE, CALLER); }

ACCESS(1)

ACCESS(2)

ACCESS(4)

ACCESS(8)

ACCESS(16)
