/* recording.c: records a region's footprint while the region runs with its callbacks. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "regions/bulk.h"
#include "cpudev_must.h"
#include "memory/area.h"
#include "core/layout.h"
#include "memory/kernel_memory.h"
#include "race/record.h"
#include "core/worker.h"

__thread bulk_worker *check_B;

uint64_t check_mixed(uintptr_t a, size_t bytes, int write)
{
    uint64_t x = ((uint64_t)a << 6 ^ (uint64_t)bytes << 1 ^ (uint64_t) !!write) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return (x ^ x >> 32) | 1;
}

static void bulk_shared(worker *w, bulk_worker *b, int which, uintptr_t a, unsigned bytes, int flags)
{
    struct check_area *ar = &w->area[which];
    size_t off = a - ar->lo;
    if (ar->owner[off] == 0 || ar->owner[off] == 253)
        return; // the core's own
    if (flags & ~A_WRITE || bytes & 3 || off & 3 || !in_one_variable(ar, off, bytes)) {
        b->failed = 1;
        return;
    }
    if (only_counting())
        return;
    if (b->marked[which] != ar->cells) {
        b->marked[which] = ar->cells;
        b->mark[which] = check_must_reserve((ar->bytes / 4 + 1) * sizeof **b->mark, PROT_READ | PROT_WRITE);
    }
    for (unsigned i = 0; i < bytes && !b->failed; i += 4) {
        struct check_cell *c = &ar->cells[(off + i) >> 2];
        uint32_t *mark = &b->mark[which][(off + i) >> 2];
        if (*mark == b->serial)
            continue;
        *mark = b->serial;
        if (c->byte_epoch >= w->first_epoch || REC_SEG(c->w) >= w->barrier_epoch ||
            REC_SEG(c->r1) >= w->barrier_epoch || REC_SEG(c->r2) >= w->barrier_epoch ||
            (!(flags & A_WRITE) && REC_SEG(c->w) < w->first_epoch))
            b->failed = 1;
        if (b->touches == b->touch_capacity) {
            b->touch_capacity = b->touch_capacity ? 2 * b->touch_capacity : 1024;
            b->touched = must(realloc(b->touched, b->touch_capacity * sizeof *b->touched));
        }
        b->touched[b->touches++] = (first_touch){c, !(flags & A_WRITE)};
    }
}

// An access of the region that is being recorded.
void check_bulk_record(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    bulk_worker *b = check_B;
    if (a - w->area[0].lo < w->area[0].bytes)
        bulk_shared(w, b, 0, a, bytes, flags);
    else if (a - w->area[1].lo < w->area[1].bytes)
        bulk_shared(w, b, 1, a, bytes, flags);
    else if (a - check_heap.lo < check_heap.bytes) {
        if (flags & ~A_WRITE)
            b->failed = 1;
        b->seen[w->thread & 1023] += check_mixed(a, bytes, flags & A_WRITE);
        for (int i = 0; i < b->sites; i++)
            if (b->site[i].a == a && b->site[i].thread == w->thread && b->site[i].write == !!(flags & A_WRITE) &&
                (!b->site[i].pc || b->site[i].pc == pc)) {
                b->site[i].pc = pc;
                break;
            }
    } else if (a - w->args.lo >= w->args.bytes) {
        const check_variable *v = check_variable_at((void *)a, 0);
        int constant =
            v ? v->kind == 'c' && a + bytes <= v->p + v->bytes : a - check_program.text_lo < check_program.text_bytes;
        if (!constant || flags & A_WRITE)
            b->failed = 1;
    }
}
