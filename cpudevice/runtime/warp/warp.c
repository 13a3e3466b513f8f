/* warp.c: what lanes of a warp do together: shuffles, votes, __syncwarp(), matrix instructions. */
#define _GNU_SOURCE
#include "warp/warp.h"
#include "exec/fiber.h"
#include "warp/meet.h"
#include "exec/order.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "observe/tell_block.h"
#include "exec/thread.h"
#include "exec/wait.h"

/* In another order than forward: the next lane in the ring. */
static cpudev_fiber *runnable_lane_in_order(cpudev_worker *w, unsigned warp, const cpudev_fiber *me)
{
    for (cpudev_fiber *f = me->next; f != me; f = f->next) {
        const unsigned t = (unsigned)(f - w->fibers);
        if (t / WARP == warp && !(w->warps[warp].arrived >> t % WARP & 1) && !blocked(f))
            return f;
    }
    return NULL;
}

/* The next lane of the warp that can run, or NULL. */
static cpudev_fiber *runnable_lane(cpudev_worker *w, unsigned warp, unsigned lane)
{
    cpudev_fiber *base = w->fibers + warp * WARP;
    if (__builtin_expect(!order_is_forward, 0))
        return runnable_lane_in_order(w, warp, base + lane);
    unsigned others = w->warps[warp].live & ~w->warps[warp].arrived & ~(1u << lane);
    unsigned after = others & ~((2u << lane) - 1u);
    if (lane == 31)
        after = 0;
    for (int half = 0; half < 2; half++, after = others)
        for (unsigned m = after; m; m &= m - 1) {
            cpudev_fiber *f = base + __builtin_ctz(m);
            if (!blocked(f))
                return f;
        }
    return NULL;
}

static void warp_request(cpudev_request *r)
{
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    unsigned t = (unsigned)(me - w->fibers), warp = t / WARP, lane = t % WARP;
    me->request = r;
    w->warps[warp].arrived |= 1u << lane;
    if (__builtin_expect(observed.threads, 0))
        tell_lane(r);
    if (!try_meet(w, warp, lane)) {
        w->progress++;
        for (;;) {
            cpudev_fiber *to = runnable_lane(w, warp, lane);
            if (to)
                go(me, to);
            else
                wait_turn(w);
            if (r->done)
                break;
        }
    }
    me->request = NULL;
}

void cpudev_warp_allgather(unsigned mask, const void *mine, void *all, unsigned bytes)
{
    cpudev_request r = {.mask = mask, .op = OP_GATHER, .in = mine, .out = all, .bytes = bytes};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site)
{
    cpudev_request r = {.mask = ~0u, .op = OP_CALL, .out = mine, .call = call};
    r.site = site;
    warp_request(&r);
}

void warp_multiplies(int m, int n, int k, const void *site)
{
    if (observed.threads && cpudev_tid() % WARP == 0)
        TELL(unit, CPUDEV_TENSOR, site, 1, (uint64_t)(m * n * k));
}

void cpudev_warp_shuffle(unsigned mask, const void *mine, void *result, unsigned bytes, unsigned src)
{
    cpudev_request r = {.mask = mask, .op = OP_SHUFFLE, .in = mine, .out = result, .bytes = bytes, .src = src};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

unsigned cpudev_ballot(unsigned mask, int pred)
{
    unsigned result = 0;
    cpudev_request r = {.mask = mask, .op = OP_BALLOT, .out = &result, .src = pred != 0};
    r.site = __builtin_return_address(0);
    warp_request(&r);
    return result;
}

void cpudev_syncwarp(unsigned mask)
{
    cpudev_request r = {.mask = mask, .op = OP_SYNC};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

/* Of the lanes of a warp that wait for no one in particular: those whose request is like r. */
static unsigned alike(cpudev_fiber *base, unsigned arrived, const cpudev_request *r)
{
    unsigned lanes = 0;
    for (unsigned m = arrived; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        const cpudev_request *o = base[l].request;
        if (o && !o->done && o->op == OP_ACTIVE && o->site == r->site && o->src == r->src)
            lanes |= 1u << l;
    }
    return lanes;
}

/* What mine has to wait for: of the requests with an order the one with the smallest. */
static const cpudev_request *first_in_order(cpudev_fiber *base, unsigned arrived, const cpudev_request *mine)
{
    const cpudev_request *first = mine;
    for (unsigned m = mine->src ? arrived : 0; m; m &= m - 1) {
        const cpudev_request *o = base[__builtin_ctz(m)].request;
        if (o && !o->done && o->op == OP_ACTIVE && o->src && o->src < first->src)
            first = o;
    }
    return first;
}

/* The lanes that reach this place together: those that have come when no other lane of the warp can go on. */
static unsigned come_together(const void *site, unsigned order)
{
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    unsigned t = (unsigned)(me - w->fibers), warp = t / WARP, lane = t % WARP, result = 0;
    cpudev_request r = {.op = OP_ACTIVE, .out = &result, .src = order, .site = site};
    me->request = &r;
    w->warps[warp].arrived |= 1u << lane;
    w->progress++;
    for (int tries = 0; !r.done; tries++) {
        cpudev_fiber *to = tries < 256 ? runnable_lane(w, warp, lane) : NULL;
        if (to) {
            go(me, to);
            continue;
        }
        cpudev_fiber *base = w->fibers + warp * WARP;
        unsigned together = alike(base, w->warps[warp].arrived, first_in_order(base, w->warps[warp].arrived, &r));
        for (unsigned m = together; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            *(unsigned *)base[l].request->out = together;
            base[l].request->done = 1;
        }
        w->warps[warp].arrived &= ~together;
        w->progress++;
    }
    me->request = NULL;
    return result;
}

unsigned cpudev_activemask(const void *site) { return come_together(site, 0); }

void cpudev_lockstep(unsigned order) { come_together(NULL, order); }
