/* async_order.c: what orders asynchronous operations with threads: mbarriers, groups, fences; and what a block leaves. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sync/async.h"
#include "sync/async_state.h"
#include "memory/area.h"
#include "race/clock.h"
#include "race/links.h"
#include "race/cluster.h"
#include "cpudev_abi.h"
#include "memory/describe.h"
#include "race/peers.h"
#include "core/tools.h"
#include "core/lock.h"

enum { POINTS = 4096 };

/* What threads meet at. It may be another block's, so all of a process are in one table. */
typedef struct point {
    uintptr_t object;
    uint32_t op, chain, number;
    record made;             /* by whom; 0: unknown */
    check_clock *now, *done; /* what has been released to it; what of that before its last phase ended */
} point;

static point points[POINTS];
static pthread_mutex_t points_lock = PTHREAD_MUTEX_INITIALIZER;

/* With the lock of the points. Where many others lie in the way one is forgotten. */
static point *point_at(const worker *w, uintptr_t object, int anew)
{
    enum { PROBES = 64 };
    const uint32_t h = (uint32_t)(object * 0x9e3779b97f4a7c15u >> 40);
    int i = 0;
    while (i < PROBES && points[(h + (uint32_t)i) % POINTS].object &&
           points[(h + (uint32_t)i) % POINTS].object != object)
        i++;
    point *p = &points[(h + (uint32_t)(i < PROBES ? i : 0)) % POINTS];
    if (p->object != object || p->op != w->op->id || anew) {
        check_clock_drop(p->now);
        check_clock_drop(p->done);
        *p = (point){.object = object, .op = w->op->id};
    }
    return p;
}

/* A further release to the point. With both locks. */
static void next_number(const worker *w, point *p)
{
    check_flags_make(w->op);
    if (!p->chain)
        p->chain = check_chain_new(w->op);
    p->number++;
}

/* Somebody uses an mbarrier that another thread has just made, with nothing between. */
static void made_just_now(worker *w, const worker *t, const point *p, const void *site)
{
    check_finding f;
    if (!(check_tools & TOOL_RACE) || w->op->killed || check_seen("mbarrier-init", (void *)site))
        return;
    check_here(&f, TOOL_RACE, "mbarrier-init", (void *)site);
    snprintf(f.title, sizeof f.title, "an mbarrier is used with nothing between its initialisation and this");
    snprintf(f.at.what, sizeof f.at.what, "uses it");
    check_async_other(w, &f, t->block_id, REC_THREAD(p->made), pc_of(p->made));
    snprintf(f.other.what, sizeof f.other.what, "initialised it");
    f.cause =
        t == w ? "a __syncthreads() is missing after mbarrier.init" : "a cluster.sync() is missing after mbarrier.init";
    check_report(&f);
}

void check_point(int what, const void *object, const void *site)
{
    worker *w = &check_self;
    if ((!w->in_kernel && what != CPUDEV_POINT_PHASE) || !w->op)
        return;
    async_resolve(w);
    worker *t = w; /* whose mbarrier it is; NULL: nobody's, as the cluster's barrier */
    if (what != CPUDEV_POINT_PHASE && !is_shared(w, (uintptr_t)object))
        t = check_is_remote(w, (uintptr_t)object) ? check_owner_for(w, (uintptr_t)object, A_WRITE, (void *)site) : NULL;
    if (t && t != w)
        check_visit_arrival(w, t, (void *)site);
    check_lock(&points_lock);
    check_order_lock();
    point *p = point_at(w, (uintptr_t)object, what == CPUDEV_POINT_INIT);
    const point as_made = *p;
    check_order_unlock();
    if (as_made.made && what != CPUDEV_POINT_PHASE && t && !cluster_ordered(w, t->block_id, as_made.made))
        made_just_now(w, t, &as_made, site);
    check_order_lock();
    if (what == CPUDEV_POINT_INIT)
        p->made = REC_MAKE(w->epoch, 0, w->thread, (void *)site);
    if (what == CPUDEV_POINT_ARRIVE) {
        next_number(w, p);
        check_clock *all = check_release_all(w, p->chain, p->number);
        check_clock_add(&p->now, all);
        check_clock_drop(all);
    } else if (what == CPUDEV_POINT_PHASE) {
        check_clock_put(&p->done, check_clock_keep(p->now));
    } else if (what == CPUDEV_POINT_PASSED && p->done) {
        check_clock_add(&check_my_sync(w)->known, p->done);
    }
    check_order_unlock();
    check_unlock(&points_lock);
    if (what == CPUDEV_POINT_ARRIVE)
        check_next_epoch(w); /* what follows is not released */
}

void check_async_lands(cpudev_async *a, int stage)
{
    worker *w = &check_self;
    (void)stage;
    if (!w->op || !w->async.now || !a->number || a->kind != OF_MBARRIER)
        return;
    async_operation *o = &w->async.now->of[a->number];
    check_lock(&points_lock);
    check_order_lock();
    point *p = point_at(w, (uintptr_t)a->object, 0);
    next_number(w, p);
    for (int i = 0; i < STAGES; i++) {
        o->over[i].chain = p->chain;
        o->over[i].number = p->number;
    }
    if (o->to)
        memcpy(o->to->async.now->of[o->copy].over, o->over, sizeof o->over);
    check_clock_put(&p->now, check_clock_with(p->now, p->chain, p->number));
    check_order_unlock();
    check_unlock(&points_lock);
}

void check_async_waited(cpudev_async *group, int stages)
{
    worker *w = &check_self;
    struct check_async *s = w->async.now;
    if (!w->in_kernel || !w->op || !s)
        return;
    /* The last operation of the groups that were waited for. */
    for (uint32_t i = s->count - 1; i > 0; i--) {
        const async_operation *o = &s->of[i];
        if (o->a.kind != group->kind || o->a.object != group->object || (int32_t)(o->a.group - group->group) >= 0)
            continue;
        struct check_thread_sync *me = check_my_sync(w);
        check_order_lock();
        for (int k = READ_DONE; k <= (stages > 1 || o->a.stages == 1 ? ALL_DONE : READ_DONE); k++)
            check_clock_put(&me->known, check_clock_with(me->known, o->over[k].chain, o->over[k].number));
        check_order_unlock();
        return;
    }
}

void check_proxy_fence(int what)
{
    worker *w = &check_self;
    if (!w->in_kernel || what == CPUDEV_FENCE_MBARRIER_INIT || what == CPUDEV_FENCE_ALIAS ||
        what == CPUDEV_FENCE_TENSORMAP || what == CPUDEV_FENCE_ASYNC_GLOBAL)
        return;
    async_resolve(w);
    check_next_epoch(w);
    struct check_fences *f = check_fences();
    f->of[w->thread & 1023] = w->epoch;
    if (w->barrier_epoch > f->all)
        f->all = w->barrier_epoch;
}

/* ---- the end ---- */

/* What any thread of the block knows. */
static check_clock *known_to_somebody(const worker *w)
{
    check_clock *all = check_clock_keep(w->order.block_known);
    for (uint32_t t = 0; w->order.sync && t < w->threads && t < 1024; t++)
        check_clock_add(&all, w->order.sync[t].known);
    return all;
}

void check_async_end(void)
{
    worker *w = &check_self;
    if (!w->op || !w->async.now || !(check_tools & TOOL_RACE))
        return;
    const int in_kernel = w->in_kernel;
    check_order_lock();
    check_clock *all = known_to_somebody(w);
    check_order_unlock();
    w->in_kernel = 1;
    for (uint32_t i = 1; i < w->async.now->count && !w->op->killed; i++) {
        check_finding f;
        const async_operation *o = &w->async.now->of[i];
        if (o->a.kind == OF_MBARRIER && !is_shared(w, (uintptr_t)o->a.object) && !o->reads_own)
            continue; /* it is another block's */
        if ((o->over[READ_DONE].chain && check_clock_of(all, o->over[READ_DONE].chain) >= o->over[READ_DONE].number) ||
            check_seen("async-left", (void *)o->a.site))
            continue;
        check_here(&f, TOOL_RACE, "async-left", (void *)o->a.site);
        check_place_thread(&f.at, w->op, o->issuer->block_id, o->a.thread, 1);
        snprintf(f.title, sizeof f.title, "the block ends, and no thread has waited for %s", o->a.name);
        f.cause = "it may still be in flight when the block's shared memory is given to another block: wait before the "
                  "last thread leaves";
        check_report(&f);
    }
    check_order_lock();
    check_clock_drop(all);
    check_order_unlock();
    w->in_kernel = in_kernel;
}

static void mistake(check_finding *f, const char *cause)
{
    f->cause = cause;
    check_report(f);
    check_self.op->killed = 1; /* what follows is of no interest */
}

void check_async_mistake(const void *site, const char *name, const char *what)
{
    check_finding f;
    if (!check_self.op || check_self.op->killed)
        return;
    check_here(&f, TOOL_MEM, "async-operand", (void *)site);
    snprintf(f.title, sizeof f.title, "%s: %s", name, what);
    mistake(&f, "see what the PTX ISA demands of this instruction's addresses, sizes, maps and descriptors, and for "
                "copies also cuTensorMapEncodeTiled in the driver API");
}

void check_point_mistake(const void *object, const void *site, const char *what)
{
    worker *w = &check_self;
    check_finding f;
    char where[160];
    if (!w->op || w->op->killed)
        return;
    check_here(&f, TOOL_SYNC, "mbarrier", (void *)site);
    check_describe_address(w, (uintptr_t)object, 1, NULL, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.title, sizeof f.title, "an mbarrier is misused: %s", what);
    snprintf(f.at.what, sizeof f.at.what, "uses the mbarrier in %s", where);
    mistake(&f, "one thread initialises it, before a barrier of the block, with the number of arrivals of each phase; "
                "a phase takes no more arrivals than that, and only the bytes that were announced");
}
