/* order.c: order within one operation: barriers, and whether a release has been seen. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "race/order.h"
#include "cpudev_must.h"
#include "race/clock.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/release.h"
#include "race/segment.h"
#include "core/worker.h"

/* ---- barriers ---- */

/* Behind a barrier of the block all threads know what one knew. What a thread has read without a fence counts as known
 * too: the barrier replaces the fence, as in every kernel whose last block adds up what the others have published. */
void check_sync_barrier(worker *w)
{
    if (!w->order.sync)
        return;
    check_order_lock(w->op);
    for (uint32_t t = 0; t < w->threads && t < 1024; t++) {
        struct check_thread_sync *s = &w->order.sync[t];
        check_clock **const of[] = {&s->known, &s->observed[0], &s->observed[1]};
        for (int i = 0; i < 3; i++)
            if (*of[i]) {
                check_clock_add(&w->order.block_known, *of[i]);
                check_clock_put(of[i], NULL);
            }
    }
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
    check_order_unlock(w->op);
}

void check_sync_warp(worker *w, uint32_t warp, uint32_t mask)
{
    if (!w->order.sync)
        return;
    check_clock *all = NULL;
    check_order_lock(w->op);
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            check_clock_add(&all, w->order.sync[warp * 32 + (uint32_t)i].known);
    for (int i = 0; all && i < 32; i++)
        if (mask >> i & 1)
            check_clock_put(&w->order.sync[warp * 32 + (uint32_t)i].known, check_clock_keep(all));
    check_clock_drop(all);
    check_order_unlock(w->op);
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
        check_clock_drop(s->observed[0]);
        check_clock_drop(s->observed[1]);
        check_clock_drop(s->fence[NARROW].known);
        check_clock_drop(s->fence[WIDE].known);
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
    for (uint64_t i = 0; op->sync && i < op->grid_blocks; i++)
        if (op->sync[i]) {
            free(op->sync[i]->list);
            free(op->sync[i]);
        }
    free(op->sync);
    if (!op->flags)
        return;
    for (uint32_t i = 0; i < op->flags->room; i++)
        for (int k = NARROW; k <= WIDE; k++)
            check_clock_drop(op->flags->of[i].clock[k]);
    while (op->flags->fenced) {
        struct check_fenced *f = op->flags->fenced;
        op->flags->fenced = f->next;
        free(f);
    }
    free(op->flags->of);
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

/* Does the release publish the access of thread t in that epoch, to other blocks or (NARROW) to its own? */
static int publishes(const struct check_release *r, int to, uint32_t epoch, uint32_t t)
{
    const past *by = &r->by[to];
    if (by->scope &&
        (epoch < by->barrier || (t == r->thread && epoch < by->own) || (t / 32 == r->thread / 32 && epoch < by->warp)))
        return 1;
    return r->fenced && (to == NARROW || (r->fenced->scope == FENCE_DEVICE && !r->narrow)) &&
           epoch < r->fenced->barrier && r->fenced->thread[t >> 3 & 127] >> (t & 7) & 1;
}

/* Has the running thread seen a release that publishes the access of thread t of `block` in that epoch? A strong access
 * is content with having observed it: it reads or writes memory itself, whatever a fence would have made visible. */
int check_published(worker *w, uint32_t block, uint32_t epoch, uint32_t t)
{
    check_op *op = w->op;
    const struct check_thread_sync *me = w->order.sync ? &w->order.sync[w->thread & 1023] : NULL;
    if (!op->sync || block >= op->grid_blocks || (!me && !w->order.block_known))
        return 0;
    check_order_lock(op);
    const check_block_sync *s = op->sync[block];
    int ok = 0;
    for (uint32_t i = s ? s->count : 0; i > 0 && !ok; i--) { /* it is mostly one of the last */
        const struct check_release *r = &s->list[i - 1];
        if (!publishes(r, block == w->block_id ? NARROW : WIDE, epoch, t))
            continue;
        ok = check_clock_of(w->order.block_known, r->chain) >= r->number ||
             (me && check_clock_of(me->known, r->chain) >= r->number) ||
             (me && w->strong.now &&
              (check_clock_of(me->observed[0], r->chain) >= r->number ||
               check_clock_of(me->observed[1], r->chain) >= r->number));
    }
    check_order_unlock(op);
    return ok;
}

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

int check_global_ordered_slow(worker *w, uint32_t seg, uint32_t t)
{
    check_seg *g = check_seg_get(seg);
    if (!g)
        return 1;
    if (g->op == 0)
        return g->block <= w->op->host_clock;
    if (g->op != w->op->id) {
        const check_op *child = check_launched(g->op, w->op);
        return child ? before_launch(child, g, t) : check_op_before(g->op, w->op);
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
