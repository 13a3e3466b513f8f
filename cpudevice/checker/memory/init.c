/* init.c: initcheck: reads of memory that nothing has written. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "memory/memcheck.h"
#include "memory/describe.h"
#include "race/cluster.h"
#include "memory/area.h"
#include "regions/bulk.h"
#include "report/findings.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/race.h"
#include "race/record.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"

void check_report_uninit(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, int shared)
{
    if (!(check_tools & TOOL_INIT) || w->op->killed)
        return;
    if (shared && check_remotely_written(w, a))
        return;
    if (check_seen("uninitialised", pc))
        return;
    check_op *late = shared ? NULL : check_pending_copy(a, w->op);
    if (late) { // what should have filled it is on a stream that this kernel does not wait for
        check_report_race(w, &(check_race){READ_AFTER,
                                           a,
                                           bytes,
                                           flags,
                                           pc,
                                           w->thread,
                                           0,
                                           check_seg_new((check_seg){late->id, 0, 0, 0}),
                                           0,
                                           NULL,
                                           0,
                                           NULL,
                                           {0}});
        return;
    }
    check_finding f;
    check_here(&f, TOOL_INIT, "uninitialised", pc);
    char where[160];
    check_describe_address(w, a, shared, pc, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.title, sizeof f.title, "%s memory is read before anything was written there",
             shared ? "shared" : "device");
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", flags & A_ATOMIC ? "updates" : "reads", bytes,
             bytes == 1 ? "" : "s", where);
    f.cause = shared ? "shared memory starts with whatever the last block left: every element that is read must first "
                       "be written, with a __syncthreads() between, and an asynchronous copy to it waited for"
                     : "neither cudaMalloc nor cudaMallocManaged clears memory: copy or cudaMemset all of it first "
                       "(and count bytes, not elements), or let every thread that should write do so";
    check_report(&f);
}

// A read of shared memory that nothing has written yet is judged at the next
// barrier: if another thread has written it by then, it was a race instead. If an
// asynchronous copy has, it was read before anything was there all the same.
void check_unset_read(worker *w, const record *cell, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (check_remotely_written(w, a))
        return;
    if (flags & A_WRITE || w->unset.count == 64) {
        check_report_uninit(w, a, bytes, flags, pc, 1);
        return;
    }
    for (int i = 0; i < w->unset.count; i++)
        if (w->unset.at[i].pc == pc)
            return;
    w->unset.at[w->unset.count].cell = cell;
    w->unset.at[w->unset.count].a = a;
    w->unset.at[w->unset.count].bytes = bytes;
    w->unset.at[w->unset.count].flags = flags;
    w->unset.at[w->unset.count].pc = pc;
    w->unset.at[w->unset.count].copied = false;
    w->unset.at[w->unset.count++].thread = w->thread;
}

void check_unset_copied(worker *w, const record *cell)
{
    for (int i = 0; i < w->unset.count; i++)
        if (w->unset.at[i].cell == cell)
            w->unset.at[i].copied = true;
}

void check_unset_settle(worker *w)
{
    uint32_t keep = w->thread;
    shared_touched(w);
    for (int i = 0; i < w->unset.count; i++) {
        record r = *w->unset.at[i].cell;
        if (!w->unset.at[i].copied && REC_SEG(r) >= w->first_epoch && REC_THREAD(r) != w->unset.at[i].thread &&
            check_tools & TOOL_RACE)
            continue;
        w->thread = w->unset.at[i].thread;
        check_report_uninit(w, w->unset.at[i].a, w->unset.at[i].bytes, w->unset.at[i].flags, w->unset.at[i].pc, 1);
    }
    w->thread = keep;
    w->unset.count = 0;
}

__attribute__((noinline)) int check_never_written(const check_alloc *al, uintptr_t a, unsigned bytes)
{
    if (al->bytes > UNSET_LIMIT)
        return 0;
    for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4)
        if (p + 4 > al->base + al->bytes || *(const uint32_t *)p != UNSET || check_last_write(p))
            return 0;
    return 1;
}

size_t check_uninitialised(const void *ptr, size_t bytes, size_t *first)
{
    uintptr_t a = (uintptr_t)ptr, end = a + bytes;
    size_t total = 0, run = 0, runs = 0, longest = 0;
    if (!check_is_heap(ptr))
        return 0;
    while (a < end) {
        page *p = &check_heap.pages[(a - check_heap.lo) >> 12];
        uintptr_t c = p->cells;
        unsigned g = c ? 4u >> (c & 3) : 4096u, off = a & 4095;
        int set = 0;
        if (c)
            set = (c & 3) == MODE_BYTE ? ((record *)cells_at(c))[off] != 0 : cells_at(c)[off / g].w != 0;
        uintptr_t next = (a & ~(uintptr_t)(g - 1)) + g;
        if (next > end)
            next = end;
        if (!set) {
            if (!total && first)
                *first = (size_t)(a - (uintptr_t)ptr);
            if (!run)
                runs++;
            run += next - a;
            total += next - a;
            if (run > longest)
                longest = run;
        } else {
            run = 0;
        }
        a = next;
    }
    // Many short gaps, all alike: the padding of a struct (up to 12 bytes behind a float4 and an int).
    if (runs > 8 && (longest < 8 || longest == 12))
        return 0;
    return longest < 4 && runs > 1 ? 0 : total;
}

void check_copy_init(void *dst, const void *src, size_t bytes)
{
    if (!check_is_heap(dst) || !check_is_heap(src) || ((uintptr_t)dst | (uintptr_t)src) & 3)
        return;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        page *s = &check_heap.pages[((uintptr_t)src + i - check_heap.lo) >> 12],
             *d = &check_heap.pages[((uintptr_t)dst + i - check_heap.lo) >> 12];
        unsigned so = ((uintptr_t)src + i) & 4095, po = ((uintptr_t)dst + i) & 4095;
        if ((s->cells & 3) != MODE_WORD || (d->cells & 3) != MODE_WORD || !d->cells)
            continue;
        if (s->cells && cells_at(s->cells)[so / 4].w)
            continue;
        uintptr_t c = cells_lock(d, po, MODE_WORD);
        if ((c & 3) == MODE_WORD) {
            line_settle(c, po);
            cells_at(c)[po / 4].w = 0;
        }
        line_unlock(line_at(c, po));
    }
}

// A struct is copied whole, its padding too. Padding is never as long as the
// struct's alignment, so a longer gap is a member that nobody has written.
void check_range_initialised(worker *w, uintptr_t a, size_t bytes, size_t align, void *pc)
{
    if (!(check_tools & TOOL_INIT))
        return;
    size_t gap = 0, set = 0;
    uintptr_t longest = 0;
    int shared = is_shared(w, a);
    for (uintptr_t p = a; p < a + bytes; p++) {
        check_alloc *al = shared ? NULL : (p & 4095) == 0 || p == a ? check_alloc_near((void *)p, NULL) : NULL;
        if (al && (al->freed || a + bytes > al->base + al->bytes))
            return; // that will be said
        if (al && al->kind != CPUDEV_MEM_DEVICE && al->kind != CPUDEV_MEM_HEAP)
            return;
        if (shared && !is_variable(w, p))
            return; // the core's own, or beyond the end
        if (shared)
            shared_touched(w);
        if (shared ? REC_SEG(*shared_record(w, p)) >= w->first_epoch || check_remotely_written(w, p)
                   : check_last_write(p) != 0) {
            gap = 0;
            set++;
        } else if (++gap >= align && !longest)
            longest = p + 1 - gap;
    }
    if (!longest && set)
        return;
    uintptr_t at = longest ? longest : a;
    unsigned n = (unsigned)(longest ? align : bytes);
    if (shared)
        check_unset_read(w, shared_record(w, at), at, n, 0, pc);
    else
        check_report_uninit(w, at, n, 0, pc, 0);
}
