/* order.c: order within one operation: barriers, warps, releases and what was seen of them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "observer.h"
#include "operation.h"
#include "segment.h"
#include "worker.h"

int check_warp_ordered(const worker *w, uint32_t t, uint32_t epoch)
{
    uint32_t warp = w->thread / 32;
    if (t / 32 != warp)
        return 0;
    if (epoch < w->full_sync[warp])
        return 1;
    return w->lanes && epoch < w->lanes[warp][w->thread % 32][t % 32];
}

// Was the access (block, epoch, thread) published by a fence and a flag that
// this thread has since seen?
int check_release_ordered(worker *w, uint32_t block, uint32_t epoch, uint32_t t)
{
    check_op *op = w->op;
    if (!op->sync || block >= op->grid_blocks)
        return 0;
    uint32_t seen =
        w->acquired[w->thread & 1023] > w->block_acquired ? w->acquired[w->thread & 1023] : w->block_acquired;
    if (!seen)
        return 0;
    while (__atomic_exchange_n(&op->cs_lock, 1, __ATOMIC_ACQUIRE))
        ;
    int ok = 0;
    check_block_sync *s = op->sync[block];
    if (s) {
        uint32_t lo = 0, hi = s->count;
        while (lo < hi) {
            uint32_t m = (lo + hi) / 2;
            if (s->list[m].epoch >= epoch)
                hi = m;
            else
                lo = m + 1;
        }
        for (uint32_t i = lo; i < s->count; i++)
            if ((s->list[i].epoch > epoch || s->list[i].thread == t) && (s->list[i].wide || block == w->block_id)) {
                ok = s->list[i].at <= seen;
                break;
            }
    }
    __atomic_store_n(&op->cs_lock, 0, __ATOMIC_RELEASE);
    return ok;
}

void check_release_now(worker *w, int wide)
{
    check_op *op = w->op;
    while (__atomic_exchange_n(&op->cs_lock, 1, __ATOMIC_ACQUIRE))
        ;
    if (!op->sync)
        op->sync = calloc(op->grid_blocks ? op->grid_blocks : 1, sizeof *op->sync);
    if (op->sync && w->block_id < op->grid_blocks) {
        check_block_sync *s = op->sync[w->block_id];
        if (!s)
            s = op->sync[w->block_id] = calloc(1, sizeof *s);
        if (s->count == s->capacity) {
            if (s->capacity >= 65536) { // forget the older half: taken as seen by all
                memmove(s->list, s->list + 32768, 32768 * sizeof *s->list);
                s->count = 32768;
                s->list[0].at = 0;
                s->list[0].wide = 1;
            } else {
                s->capacity = s->capacity ? 2 * s->capacity : 4;
                s->list = realloc(s->list, s->capacity * sizeof *s->list);
            }
        }
        s->list[s->count++] = (check_release){w->epoch, w->thread, ++op->releases, (uint32_t)wide};
    }
    __atomic_store_n(&op->cs_lock, 0, __ATOMIC_RELEASE);
    check_next_epoch(w);
    w->fenced[w->thread & 1023] = 0;
    w->used_sync = 1;
}

void check_acquire_now(worker *w)
{
    uint32_t n = w->op->releases;
    if (!n)
        return;
    w->acquired[w->thread & 1023] = n;
    if (n > w->max_acquired)
        w->max_acquired = n;
    w->used_sync = 1;
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
    if (g->grid < w->grid_epoch)
        return 1;
    if (g->block == w->block_id) {
        if (t == w->thread || g->epoch < w->barrier_epoch || check_warp_ordered(w, t, g->epoch))
            return 1;
    }
    return (w->used_sync || w->block_acquired) && check_release_ordered(w, g->block, g->epoch, t);
}
