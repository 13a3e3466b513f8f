/* async.c: asynchronous operations, and a thread's accesses beside them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sync/async.h"
#include "sync/async_state.h"
#include "race/clock.h"
#include "race/links.h"
#include "memory/describe.h"
#include "memory/memcheck.h"
#include "core/layout.h"
#include "core/tools.h"
#include "cpudev_must.h"

struct check_async *check_async_state(worker *w)
{
    if (w->async.now)
        return w->async.now;
    if (!w->async.own && !(w->async.own = calloc(1, sizeof *w->async.own)))
        out_of_memory();
    struct check_async *s = w->async.own;
    if (!s->of && !(s->of = calloc(s->room = 256, sizeof *s->of)))
        out_of_memory();
    s->count = 1;
    for (int i = 0; i < 2; i++) {
        if (s->grains[i])
            munmap(s->grains[i], s->grain_bytes[i]);
        s->grain_bytes[i] = (w->area[i].bytes / GRAIN + 1) * sizeof *s->grains[i];
        s->grains[i] = check_must_reserve(s->grain_bytes[i], PROT_READ | PROT_WRITE);
    }
    memset(s->chain, 0, sizeof s->chain);
    memset(s->issued, 0, sizeof s->issued);
    w->async.now = s;
    set_key(w); /* from now on each access of shared memory is looked at */
    return s;
}

async_operation *check_async_add(worker *t)
{
    struct check_async *s = check_async_state(t);
    if (s->count == s->room) {
        s->of = realloc(s->of, (s->room *= 2) * sizeof *s->of);
        if (!s->of)
            out_of_memory();
    }
    async_operation *o = &s->of[s->count];
    memset(o, 0, sizeof *o);
    o->a.number = s->count++;
    return o;
}

struct check_fences *check_fences(void)
{
    static __thread struct check_fences f;
    return &f;
}

void check_async_new(cpudev_async *a)
{
    worker *w = &check_self;
    if (!w->in_kernel || !w->op)
        return;
    async_operation *o = check_async_add(w);
    struct check_async *s = w->async.now;
    a->number = o->a.number;
    o->a = *a;
    o->epoch = w->epoch;
    o->issuer = w;
    if (a->kind == OF_MBARRIER)
        return;
    const uint32_t owner = (uint32_t)(uintptr_t)a->object % GROUP_OWNERS;
    check_order_lock();
    check_flags_make(w->op);
    for (int i = 0; i < STAGES; i++) {
        uint32_t *chain = &s->chain[a->kind][owner][i];
        if (!*chain)
            *chain = check_chain_new(w->op);
        o->over[i].chain = *chain;
        o->over[i].number = s->issued[a->kind][owner] + 1;
    }
    s->issued[a->kind][owner]++;
    check_order_unlock();
}

int check_async_is_over(worker *w, const async_operation *o, int stage)
{
    const uint32_t chain = o->over[stage].chain, number = o->over[stage].number;
    if (!chain)
        return 0;
    check_order_lock();
    const int known = check_clock_of(w->order.block_known, chain) >= number ||
                      (w->order.sync && check_clock_of(w->order.sync[w->thread & 1023].known, chain) >= number);
    check_order_unlock();
    return known;
}

/* ---- findings ---- */

const char *check_async_wait_of(const async_operation *o, int write)
{
    if (o->a.kind == OF_MBARRIER)
        return "the phase of its mbarrier";
    if (o->a.kind == OF_WGMMA)
        return "its group (wgmma.wait_group)";
    return write ? "its group (cp.async.bulk.wait_group)" : "its reads (cp.async.bulk.wait_group.read)";
}

void check_async_other(const worker *w, check_finding *f, uint32_t block, uint32_t thread, void *pc)
{
    f->has_other = 1;
    check_place_thread(&f->other, w->op, block, thread, 1);
    f->other.pc = pc;
}

check_finding *check_async_finding(worker *w, worker *t, check_finding *f, const char *kind, uintptr_t a, void *pc,
                                   const char *verb)
{
    char where[160];
    if (!(check_tools & TOOL_RACE) || w->op->killed || check_seen(kind, pc))
        return NULL;
    check_here(f, TOOL_RACE, kind, pc);
    check_describe_address(t, a, 1, pc, f->object, sizeof f->object, where, sizeof where);
    snprintf(f->at.what, sizeof f->at.what, "%s %s", verb, where);
    return f;
}

static int is_mma(const async_operation *o) { return o->a.kind == OF_WGMMA; }

void check_async_too_early(worker *w, worker *t, const async_operation *o, uintptr_t a, int flags, void *pc,
                           int o_writes)
{
    check_finding f;
    if (!check_async_finding(w, t, &f, "async-race", a, pc, check_verb(flags)))
        return;
    check_async_other(w, &f, o->issuer->block_id, o->a.thread, (void *)o->a.site);
    snprintf(f.title, sizeof f.title, "shared memory is %s while %s %s it", flags & A_WRITE ? "written" : "read",
             is_mma(o) ? "wgmma" : "an asynchronous copy", o_writes ? "fills" : "reads");
    snprintf(f.other.what, sizeof f.other.what,
             "%s %s it, and nothing that this thread has waited for shows that it is over", o->a.name,
             o_writes ? "writes" : "reads");
    static __thread char cause[256];
    snprintf(cause, sizeof cause, "the thread has not waited for %s, nor for a thread that has",
             check_async_wait_of(o, o_writes));
    f.cause = cause;
    check_report(&f);
}

/* ---- accesses ---- */

/* Does the running thread know that the operation has begun? If not, it might as well have come before. */
static int has_begun(worker *w, const async_operation *o)
{
    return cluster_ordered(w, o->issuer->block_id, REC_MAKE(o->epoch, 0, o->a.thread, NULL));
}

/* The thread's bytes at a, words `of` of the grain at p, and what operations write there. */
static void against_writers(worker *w, worker *t, async_grain *g, uintptr_t p, grain_words of, uintptr_t a,
                            unsigned bytes, int flags, void *pc)
{
    struct check_async *s = t->async.now;
    uint32_t over = 0; /* the last writer that was seen to be */
    for (unsigned k = of.from; k < of.to; k++) {
        const uint32_t by = g->writer[k];
        if (!by || by == over)
            continue;
        const async_operation *o = &s->of[by];
        if (check_async_is_over(w, o, ALL_DONE)) {
            over = by;
            continue;
        }
        const uintptr_t at = k == of.from && a > p ? a : p + 4 * k;
        check_async_too_early(w, t, o, at, flags, pc, 1);
        if (g->first >> k & 1 && !(flags & A_WRITE) && t == w && !has_begun(w, o))
            check_report_uninit(w, at, bytes, flags, pc, 1);
        for (unsigned i = 0; i < WORDS; i++)
            if (g->writer[i] == by)
                g->writer[i] = 0;
    }
}

void check_async_accessed(worker *w, worker *t, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    struct check_async *s = t->async.now;
    for (uintptr_t p = a & ~(uintptr_t)(GRAIN - 1); p < a + bytes; p += GRAIN) {
        async_grain *g = async_grain_at(s, t, ar, p);
        const grain_words of = words_of(p, a, bytes);
        against_writers(w, t, g, p, of, a, bytes, flags, pc);
        if (!(flags & A_WRITE))
            continue;
        g->rewritten |= bits_of(of);
        for (int i = 0; i < READERS; i++)
            if (g->reader[i]) {
                if (!check_async_is_over(w, &s->of[g->reader[i]], READ_DONE))
                    check_async_too_early(w, t, &s->of[g->reader[i]], p < a ? a : p, flags, pc, 0);
                g->reader[i] = 0;
            }
    }
}
