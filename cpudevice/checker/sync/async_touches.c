/* async_touches.c: what an asynchronous operation reads and writes, against what was there before it. */
#define _GNU_SOURCE
#include <stdio.h>

#include "sync/async.h"
#include "sync/async_state.h"
#include "core/access.h"
#include "memory/area.h"
#include "regions/bulk.h"
#include "race/cluster.h"
#include "memory/describe.h"
#include "memory/memcheck.h"
#include "race/peers.h"
#include "core/tools.h"

/* An operation touches what another still uses. */
static void operations_clash(worker *w, worker *t, const async_operation *me, const async_operation *o, uintptr_t a,
                             int write, int o_writes)
{
    check_finding f;
    if (!check_async_finding(w, t, &f, "async-race", a, (void *)me->a.site, write ? "fills" : "reads"))
        return;
    check_async_other(w, &f, o->issuer->block_id, o->a.thread, (void *)o->a.site);
    snprintf(f.title, sizeof f.title,
             !write     ? "%s reads shared memory that %s still fills"
             : o_writes ? "%s fills shared memory that %s still fills"
                        : "%s fills shared memory that %s still reads",
             me->a.name, o->a.name);
    snprintf(f.other.what, sizeof f.other.what,
             "%s it, and nothing that the issuer has waited for shows that it is over", o_writes ? "writes" : "reads");
    static __thread char cause[256];
    snprintf(cause, sizeof cause, "before the slot is used again, a thread must wait for %s and signal the issuer",
             check_async_wait_of(o, o_writes));
    f.cause = cause;
    check_report(&f);
}

/* Shared memory is read in another order of its bytes than it was written in. */
static void other_swizzle(worker *w, const async_operation *me, const async_operation *o, uintptr_t a)
{
    check_finding f;
    if (!check_async_finding(w, w, &f, "async-layout", a, (void *)me->a.site, "reads"))
        return;
    f.tool = TOOL_MEM;
    check_async_other(w, &f, o->issuer->block_id, o->a.thread, (void *)o->a.site);
    snprintf(f.title, sizeof f.title, "%s reads with a swizzle of %u bytes what %s wrote with one of %u", me->a.name,
             me->a.swizzle, o->a.name, o->a.swizzle);
    snprintf(f.other.what, sizeof f.other.what, "wrote it");
    f.cause = "the layout type in bits 62 and 63 of the descriptor differs from the tensor map's swizzle (16: none)";
    check_report(&f);
}

void check_async_layout(cpudev_async *a, const void *p, const char *what)
{
    worker *w = &check_self;
    check_finding f;
    if (!w->op || !(check_tools & TOOL_MEM) || w->op->killed || check_seen("async-layout", (void *)a->site))
        return;
    char where[160];
    check_here(&f, TOOL_MEM, "async-layout", (void *)a->site);
    check_describe_address(w, (uintptr_t)p, 1, (void *)a->site, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.at.what, sizeof f.at.what, "reads from %s on", where);
    snprintf(f.title, sizeof f.title, "%s: %s", a->name, what);
    f.cause = "align the tile in shared memory to the whole pattern of its swizzle";
    check_report(&f);
}

/* An operation touches what a thread has read or written with nothing between them. */
static void after_thread(worker *w, worker *t, const async_operation *me, uint32_t block, record r, uintptr_t a,
                         int write, int r_wrote)
{
    check_finding f;
    if (!check_async_finding(w, t, &f, "async-race", a, (void *)me->a.site, write ? "fills" : "reads"))
        return;
    check_async_other(w, &f, block, REC_THREAD(r), pc_of(r));
    snprintf(f.title, sizeof f.title, "%s %s shared memory that a thread %s with nothing between them", me->a.name,
             write ? "fills" : "reads", r_wrote ? "writes" : "reads");
    snprintf(f.other.what, sizeof f.other.what, "%s it, with no barrier in between", r_wrote ? "wrote" : "read");
    f.cause = block == w->block_id
                  ? "the issuing thread must have waited for that thread: a __syncthreads() or an mbarrier is missing"
                  : "the issuing thread must have waited for that thread of another block: a cluster.sync(), or an "
                    "mbarrier at which that block's threads arrive, is missing";
    check_report(&f);
}

/* The operation fills what a thread of the block has read, with nothing between them, before anything was there. The
 * finding is the one that there would be if the thread had come second. */
static void after_early_reader(worker *w, const async_operation *me, record r, uintptr_t a)
{
    const uint32_t keep = w->thread;
    w->thread = REC_THREAD(r);
    check_async_too_early(w, w, me, a, 0, pc_of(r), 1);
    w->thread = keep;
}

static void no_fence(worker *w, const async_operation *me, record r, uintptr_t a)
{
    check_finding f;
    if (!check_async_finding(w, w, &f, "proxy-fence", a, (void *)me->a.site, "reads"))
        return;
    check_async_other(w, &f, w->block_id, REC_THREAD(r), pc_of(r));
    snprintf(f.title, sizeof f.title, "%s reads what a thread wrote with no fence.proxy.async in between", me->a.name);
    snprintf(f.other.what, sizeof f.other.what, "wrote it by an ordinary store");
    f.cause = "asynchronous operations see ordinary writes only after a fence.proxy.async: each thread that wrote must "
              "call it before the barrier after which the operation is issued";
    check_report(&f);
}

/* Is what thread t wrote in that epoch behind a fence of the proxies? */
static int fenced(const worker *w, uint32_t t, uint32_t epoch)
{
    const struct check_fences *f = check_fences();
    return epoch < f->of[t & 1023] || epoch < f->all || epoch < f->of[w->thread & 1023];
}

/* One record of a granule of t's against the operation. first: nothing has been written there yet. 1: there was something
 * to say. */
static int clash_record(worker *w, worker *t, const async_operation *me, record r, uintptr_t a, int write, int r_wrote,
                        int first)
{
    if (REC_SEG(r) < t->first_epoch || !pc_of(r))
        return 0;
    if (!cluster_ordered(w, t->block_id, r)) {
        if (first && t == w)
            after_early_reader(w, me, r, a);
        else
            after_thread(w, t, me, t->block_id, r, a, write, r_wrote);
        return 1;
    }
    if (!write && r_wrote && !fenced(w, REC_THREAD(r), REC_SEG(r))) {
        no_fence(w, me, r, a);
        return 1;
    }
    return 0;
}

/* What threads of t have done to the operation's bytes. Behind a write all of them count as written, and in order. */
static int against_threads(worker *w, worker *t, const async_operation *me, struct check_area *ar, uintptr_t a,
                           size_t bytes, int write)
{
    const record done = (record)(t->barrier_epoch - 1) << 33;
    int told = 0;
    for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4) {
        struct check_cell *c = &ar->cells[(p - ar->lo) >> 2];
        const int fine = c->byte_epoch >= t->first_epoch;
        for (int k = 0; k < (fine ? 4 : 1); k++) {
            struct check_byte_cell *b = &ar->byte_cells[(p - ar->lo) + (size_t)k];
            record *cw = fine ? &b->w : &c->w, *r1 = fine ? &b->r1 : &c->r1, *r2 = fine ? &b->r2 : &c->r2;
            const int first = REC_SEG(*cw) < t->first_epoch;
            if (!told)
                told = clash_record(w, t, me, *cw, p, write, 1, 0);
            if (!told && write)
                told = clash_record(w, t, me, *r1, p, 1, 0, first) || clash_record(w, t, me, *r2, p, 1, 0, first);
            if (write) {
                if (first && t->unset.count)
                    check_unset_copied(t, cw);
                *cw = done;
                *r1 = *r2 = 0;
            }
        }
    }
    return told;
}

static void note_reader(struct check_async *s, async_grain *g, uint32_t number)
{
    int i = 0;
    while (
        i < READERS - 1 && g->reader[i] &&
        !(s->of[g->reader[i]].a.kind == s->of[number].a.kind && s->of[g->reader[i]].a.object == s->of[number].a.object))
        i++;
    g->reader[i] = number;
}

/* The operation, one of t's, touches t's memory. */
static void in_shared(worker *w, worker *t, async_operation *me, struct check_area *ar, uintptr_t a, size_t bytes,
                      int write)
{
    struct check_async *s = t->async.now;
    int told = 0;
    const async_operation *over = NULL; /* the last that was seen to be */
    shared_touched(w);
    for (uintptr_t p = a & ~(uintptr_t)(GRAIN - 1); p < a + bytes; p += GRAIN) {
        async_grain *g = async_grain_at(s, t, ar, p);
        const grain_words of = words_of(p, a, bytes);
        for (unsigned k = of.from; k < of.to && !told; k++) {
            const async_operation *by = g->writer[k] ? &s->of[g->writer[k]] : NULL;
            if (!by || by == me || by == over)
                continue;
            if (!check_async_is_over(w, by, ALL_DONE)) {
                operations_clash(w, t, me, by, p + 4 * k, write, 1);
                told = 1;
            } else if (me->a.kind == OF_WGMMA && !(g->rewritten >> k & 1) && by->a.swizzle &&
                       me->a.swizzle != by->a.swizzle) {
                other_swizzle(w, me, by, p + 4 * k);
                told = 1;
            }
            over = by;
        }
        for (int i = 0; write && i < READERS; i++) {
            if (g->reader[i] && &s->of[g->reader[i]] != me && !told &&
                !check_async_is_over(w, &s->of[g->reader[i]], READ_DONE)) {
                operations_clash(w, t, me, &s->of[g->reader[i]], p, 1, 0);
                told = 1;
            }
            g->reader[i] = 0;
        }
        if (write) {
            const uint8_t bits = bits_of(of);
            const int first = REC_SEG(*shared_record(t, p < a ? a : p)) < t->first_epoch;
            g->first = (uint8_t)(first ? g->first | bits : g->first & ~bits);
            g->rewritten &= (uint8_t)~bits;
            for (unsigned k = of.from; k < of.to; k++)
                g->writer[k] = me->a.number;
        } else {
            note_reader(s, g, me->a.number);
        }
    }
    const check_visit v = t->cluster.remote ? check_visit_before(w, t, a, bytes, write) : (check_visit){0};
    if (!told && !against_threads(w, t, me, ar, a, bytes, write) && v.block)
        after_thread(w, t, me, v.block - 1, v.by, a, write, v.wrote);
}

/* The copy of the running thread's operation in t's list. */
static async_operation *copy_in(worker *w, worker *t, const cpudev_async *a)
{
    async_operation *me = &w->async.now->of[a->number];
    if (me->to != t) {
        async_operation *c = check_async_add(t);
        const uint32_t number = c->a.number;
        *c = *me;
        c->a.number = number;
        me->to = t;
        me->copy = number;
    }
    return &t->async.now->of[me->copy];
}

static int within_bounds(worker *t, struct check_area *ar, uintptr_t a, size_t bytes, int write, void *pc)
{
    const size_t off = a - ar->lo;
    const uint8_t owner = ar->owner[off];
    if (owner && owner != 253 && owner != 255 && off + bytes <= ar->bytes && ar->owner[off + bytes - 1] == owner)
        return 1;
    check_out_of_bounds_shared(t, ar, a, (unsigned)bytes, A_RANGE | (write ? A_WRITE : 0), pc);
    return 0;
}

void check_async_touches(cpudev_async *a, const void *p, size_t bytes, bool write)
{
    worker *w = &check_self;
    const uintptr_t at = (uintptr_t)p;
    if (!w->in_kernel || !w->op || !a->number || !bytes)
        return;
    async_resolve(w);
    const int flags = A_RANGE | (write ? A_WRITE : 0);
    const bool remote = check_is_remote(w, at);
    worker *t = remote ? check_owner_for(w, at, flags, (void *)a->site) : is_shared(w, at) ? w : NULL;
    w->async.now->of[a->number].a.swizzle = a->swizzle;
    if (t) {
        struct check_area *ar = area_of(t, at);
        if (!within_bounds(t, ar, at, bytes, write, (void *)a->site))
            return;
        w->async.now->of[a->number].reads_own |= !write;
        in_shared(w, t, remote ? copy_in(w, t, a) : &w->async.now->of[a->number], ar, at, bytes, write);
    } else if (!remote) {
        check_access(at, (unsigned)bytes, flags | A_UNIT | (a->reduces ? A_ATOMIC : 0), (void *)a->site);
    }
}
