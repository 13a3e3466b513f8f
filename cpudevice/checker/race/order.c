/* order.c: order of two accesses: by barriers, by releases that have been seen, and of operations that run beside each other. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "race/order.h"
#include "cpudev_must.h"
#include "race/clock.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/links.h"
#include "race/release.h"
#include "race/segment.h"
#include "core/worker.h"

/* ---- barriers ---- */

/* All threads of the block know what one knew, or had observed up to that level without a fence. */
static void all_know(worker *w, int level)
{
    for (uint32_t t = 0; t < w->threads && t < 1024; t++) {
        struct check_thread_sync *s = &w->order.sync[t];
        for (int i = -1; i <= level; i++) {
            check_clock **of = i < 0 ? &s->known : &s->observed[i];
            if (*of) {
                check_clock_add(&w->order.block_known, *of);
                check_clock_put(of, NULL);
            }
        }
    }
}

/* Behind a barrier of the block all threads know what one knew. What a thread has read without a fence counts as known
 * too: the barrier replaces the fence, as in every kernel whose last block adds up what the others have published. Not
 * where another device has published it. */
void check_sync_barrier(worker *w)
{
    if (!w->order.sync)
        return;
    check_order_lock();
    all_know(w, WIDE);
    if (w->order.fences_scope) {
        struct check_fenced *f = must(calloc(1, sizeof *f));
        check_flags_make(w->op);
        f->next = w->op->flags->fenced;
        w->op->flags->fenced = f;
        f->barrier = w->barrier_epoch;
        f->scope = w->order.fences_scope;
        memcpy(f->thread, w->order.fences, sizeof f->thread);
        memset(w->order.fences, 0, sizeof w->order.fences);
        w->order.fences_scope = 0;
        w->order.fenced = f;
    }
    check_order_unlock();
}

void check_sync_warp(worker *w, uint32_t warp, uint32_t mask)
{
    if (!w->order.sync)
        return;
    check_clock *all = NULL;
    check_order_lock();
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            check_clock_add(&all, w->order.sync[warp * 32 + (uint32_t)i].known);
    for (int i = 0; all && i < 32; i++)
        if (mask >> i & 1)
            check_clock_put(&w->order.sync[warp * 32 + (uint32_t)i].known, check_clock_keep(all));
    check_clock_drop(all);
    check_order_unlock();
}

/* A new block begins: forgets what the last block's threads knew. */
void check_sync_block_begin(worker *w)
{
    w->order.fenced = NULL;
    if (!w->order.sync)
        return;
    for (uint32_t t = 0; t < 1024; t++) {
        struct check_thread_sync *s = &w->order.sync[t];
        check_clock_drop(s->known);
        for (int i = 0; i < LEVELS; i++) {
            check_clock_drop(s->observed[i]);
            check_clock_drop(s->fence[i].known);
        }
    }
    check_clock_drop(w->order.block_known);
    w->order.block_known = NULL;
    free(w->order.sync);
    w->order.sync = NULL;
    memset(w->order.fences, 0, sizeof w->order.fences);
    w->order.fences_scope = 0;
}

void check_sync_free(check_op *op)
{
    if (!op) { /* none is left */
        check_words_forget();
        check_links_forget();
        return;
    }
    for (uint64_t i = 0; op->sync && i < op->grid_blocks; i++)
        if (op->sync[i]) {
            free(op->sync[i]->list);
            free(op->sync[i]->of);
            free(op->sync[i]);
        }
    free(op->sync);
    check_clock_drop(op->ends);
    check_clock_drop(op->inherited);
    if (!op->flags)
        return;
    check_words_free(&op->flags->shared);
    while (op->flags->fenced) {
        struct check_fenced *f = op->flags->fenced;
        op->flags->fenced = f->next;
        free(f);
    }
    free(op->flags);
}

/* ---- questions ---- */

int check_warp_ordered(const worker *w, uint32_t t, uint32_t epoch)
{
    uint32_t warp = w->thread / 32;
    if (t / 32 != warp)
        return 0;
    if (epoch < w->order.full_sync[warp])
        return 1;
    return w->order.lanes && epoch < w->order.lanes[warp][w->thread % 32][t % 32];
}

int check_publishes(const struct check_release *r, int to, uint32_t epoch, uint32_t t)
{
    const past *by = &r->by[to];
    if (by->scope &&
        (epoch < by->barrier || (t == r->thread && epoch < by->own) || (t / 32 == r->thread / 32 && epoch < by->warp)))
        return 1;
    return r->fenced && (to == NARROW || (r->fenced->scope >= FENCE_BLOCK + to && !r->narrow)) &&
           epoch < r->fenced->barrier && r->fenced->thread[t >> 3 & 127] >> (t & 7) & 1;
}

/* The clocks of what the running thread knows; NULL ones among them. A strong access is content with having observed a
 * release: it reads or writes memory itself, whatever a fence would have made visible. */
enum { CLOCKS = 3 + LEVELS };
static void my_clocks(const worker *w, const check_clock *of[CLOCKS])
{
    const struct check_thread_sync *me = w->order.sync ? &w->order.sync[w->thread & 1023] : NULL;
    memset(of, 0, CLOCKS * sizeof *of);
    of[0] = w->order.block_known;
    of[1] = check_inherited(w->op);
    of[2] = me ? me->known : NULL;
    for (int i = 0; me && w->strong.now && i < LEVELS; i++)
        of[3 + i] = me->observed[i];
}

/* Up to which release of the chain do these clocks know it? */
static uint32_t known_of(const check_clock *const of[CLOCKS], uint32_t chain)
{
    uint32_t most = 0;
    for (int k = 0; k < CLOCKS; k++) {
        const uint32_t number = check_clock_of(of[k], chain);
        most = number > most ? number : most;
    }
    return most;
}

/* The block's first release that came after that epoch: its count if there is none. */
static uint32_t first_after(const check_block_sync *s, uint32_t epoch)
{
    uint32_t lo = 0, hi = s->count;
    while (lo < hi) {
        const uint32_t m = (lo + hi) / 2;
        if (s->list[m].until <= epoch)
            lo = m + 1;
        else
            hi = m;
    }
    return lo;
}

/* With the lock: has the running thread, which knows these clocks, seen a release of a block of op's that publishes the
 * access of thread t of it in that epoch?
 *
 * Two invariants of the block's list (append() in release.c) make this a short walk instead of one through all of it.
 * No release publishes an access of its `until` epoch or a later one, and `until` never falls along the list: what
 * came before the access is left out by binary search. The releases of one chain have ascending numbers, and who knows
 * a number of a chain knows all below it: the first that is not known ends the walk along the chain. The walk begins
 * at the chain's first release after the access, which is the one that `before` says nothing after the access precedes.
 * It is mostly the very release that followed the access. */
static int published(const worker *w, const check_clock *const of[CLOCKS], const check_op *op, uint32_t block,
                     uint32_t epoch, uint32_t t)
{
    const int level = check_level(w, op, block);
    const check_block_sync *s = op->sync && block < op->grid_blocks ? op->sync[block] : NULL;
    const uint32_t begin = s ? first_after(s, epoch) : 0;
    uint32_t chains = 0;
    for (uint32_t i = begin; s && i < s->count && chains < s->chains; i++) {
        if (s->list[i].before > begin) /* counts from 1: an earlier one of the chain has been looked at */
            continue;
        chains++;
        const uint32_t most = known_of(of, s->list[i].chain);
        for (uint32_t k = i + 1; k && s->list[k - 1].number <= most; k = s->list[k - 1].after)
            if (check_publishes(&s->list[k - 1], level, epoch, t))
                return 1;
    }
    return 0;
}

int check_published(worker *w, uint32_t block, uint32_t epoch, uint32_t t)
{
    if (!w->op->sync || block >= w->op->grid_blocks || (!w->order.sync && !w->order.block_known))
        return 0;
    const check_clock *of[CLOCKS];
    check_order_lock();
    my_clocks(w, of);
    const int ok = published(w, of, w->op, block, epoch, t);
    check_order_unlock();
    return ok;
}

/* ---- operations that run beside each other ---- */

/* The end of a block comes before what follows its kernel, as a barrier comes before what follows it. */
void check_links_block_end(worker *w)
{
    check_op *op = w->op;
    if (!op || op->kind != CPUDEV_OP_KERNEL || !op->flags || (!w->order.sync && !w->order.block_known))
        return;
    check_order_lock();
    if (w->order.sync)
        all_know(w, FAR);
    check_links_end(op, w->order.block_known);
    check_order_unlock();
}

/* Is what an operation did (the host, up to a clock: NULL) ordered before the running thread's access by a release that
 * it has seen: of that operation itself, or of one that comes after it? */
static int linked(worker *w, const check_op *op, const check_seg *g, uint32_t t)
{
    if (!w->op->flags && !check_links)
        return 0;
    const check_clock *of[CLOCKS];
    check_order_lock();
    my_clocks(w, of);
    int ok = op && op->kind == CPUDEV_OP_KERNEL && published(w, of, op, g->block, g->epoch, t);
    for (int k = 0; k < CLOCKS && !ok; k++)
        for (uint32_t i = 0, last = w->op->id; of[k] && i < of[k]->count && !ok; i++) {
            const uint32_t id = check_chain_op(of[k]->of[i].chain);
            const check_op *by = id != last ? check_op_by_id(id) : NULL;
            if (by && by != op)
                ok = op ? check_op_before(op->id, by) : g->block <= by->host_clock;
            last = id;
        }
    check_order_unlock();
    return ok;
}

/* ---- all together ---- */

// Did thread t of the kernel that launched `child` come by before that?
static int before_launch(const check_op *child, const check_seg *g, uint32_t t)
{
    if (child->d.tail || g->grid < child->launch_grid)
        return 1;
    if (g->block != child->launch_block)
        return child->knows_blocks;
    if (t == child->launch_thread)
        return g->epoch <= child->launch_epoch;
    return g->epoch < child->launch_barrier || (t / 32 == child->launch_thread / 32 && g->epoch < child->launch_epoch);
}

static int global_ordered_by_all(worker *w, uint32_t seg, uint32_t t)
{
    check_seg *g = check_seg_get(seg);
    if (!g)
        return 1;
    if (g->op == 0)
        return g->block <= w->op->host_clock || linked(w, NULL, g, t);
    if (g->op != w->op->id) {
        const check_op *child = check_launched(g->op, w->op);
        return child ? before_launch(child, g, t)
                     : check_op_before(g->op, w->op) || linked(w, check_op_by_id(g->op), g, t);
    }
    if (w->op->kind != CPUDEV_OP_KERNEL)
        return 1;
    if (g->grid < w->global.grid_epoch)
        return 1;
    if (g->block == w->block_id) {
        if (t == w->thread || g->epoch < w->barrier_epoch || check_warp_ordered(w, t, g->epoch))
            return 1;
    }
    return w->op->flags && check_published(w, g->block, g->epoch, t);
}

/* A bulk copy asks the same of each word that it reads, and the answer takes a walk through all releases of a block. */
int check_global_ordered_slow(worker *w, uint32_t seg, uint32_t t)
{
    struct check_asked *asked = w->global.asked;
    if (!w->global.in_access)
        return global_ordered_by_all(w, seg, t);
    for (int i = 0; i < 2; i++)
        if (asked[i].seg == seg && asked[i].thread == t)
            return asked[i].is_ordered;
    asked[1] = asked[0];
    asked[0] = (struct check_asked){seg, t, global_ordered_by_all(w, seg, t)};
    return asked[0].is_ordered;
}

void check_global_access_begins(worker *w)
{
    w->global.in_access = 1;
    for (int i = 0; i < 2; i++)
        w->global.asked[i] = (struct check_asked){.thread = UINT32_MAX};
}

void check_global_access_ends(worker *w) { w->global.in_access = 0; }
