/* tell_block.c: reports to observers the block that this OS thread runs, and its threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "observe/tell_block.h"
#include "async/async.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "observe/observers.h"
#include "device/message.h"
#include "device/sizes.h"
#include "exec/thread.h"
#include "cpudev_must.h"

/* The block that this OS thread runs, as observers see it. */
typedef struct {
    char *stack; /* this OS thread's own; the part below the frame that runs the block: */
    size_t stack_bytes, kernel_bytes;
    const void *first_site; /* of the barrier that is filling */
    unsigned first_place;
    bool sites_differ;
    const void *next_site; /* of the barrier that is about to come, if its caller has said so */
    unsigned next_place;   /* line and column, if known */
    const void *said_exited, *said_different;
    unsigned place[MAX_THREADS];
    const void *site[MAX_THREADS];
    cpudev_waiter waiters[MAX_THREADS];
} block_told;

static block_told *told(void)
{
    static __thread block_told *mine;
    if (!mine && !(mine = calloc(1, sizeof *mine)))
        out_of_memory();
    return mine;
}

/* An observer judges accesses by the stack that they meet, so a thread whose stack is not known runs no block. */
static void know_stack(block_told *b)
{
    pthread_attr_t a;
    void *lo = NULL;
    if (b->stack)
        return;
    int error = pthread_getattr_np(pthread_self(), &a);
    if (!error) {
        error = pthread_attr_getstack(&a, &lo, &b->stack_bytes);
        pthread_attr_destroy(&a);
    }
    if (error || !lo) {
        message("the system does not say where a thread's stack is: %s", strerror(error));
        _exit(2);
    }
    b->stack = lo;
}

static void thread_now(const cpudev_worker *w, unsigned t, bool on_own_stack)
{
    if (on_own_stack)
        TELL(thread_now, t, told()->stack, told()->kernel_bytes);
    else
        TELL(thread_now, t, w->stacks.memory + t * w->stacks.bytes, w->stacks.bytes);
}

void tell_turn(cpudev_fiber *to)
{
    cpudev_worker *w = cpudev_tls.worker;
    thread_now(w, (unsigned)(to - w->fibers), to == w->root);
}

void tell_thread(void)
{
    cpudev_fiber *me = cpudev_tls.current;
    if (me)
        tell_turn(me);
    else
        thread_now(cpudev_tls.worker, cpudev_tid(), true);
}

void tell_loop(void) { TELL(loop_begin, told()->stack, told()->kernel_bytes); }

void tell_block(cpudev_worker *w, command *c)
{
    const cpudev_span own[] = {{&cpudev_tls, sizeof cpudev_tls},
                               {&threadIdx, sizeof threadIdx},
                               {&blockIdx, sizeof blockIdx},
                               {&blockDim, sizeof blockDim},
                               {&gridDim, sizeof gridDim}};
    block_told *now = told();
    know_stack(now);
    /* Up to the caller's stack pointer, as the kernel is called from there; a frame address may lie lower (aarch64). */
    now->kernel_bytes = (size_t)((char *)__builtin_dwarf_cfa() - now->stack);
    now->first_site = NULL;
    now->sites_differ = false;
    cpudev_block_info b = {.op = &c->op,
                           .block = {blockIdx.x, blockIdx.y, blockIdx.z},
                           .linear_block = w->block,
                           .threads = w->threads,
                           .stack = now->stack,
                           .stack_bytes = now->kernel_bytes,
                           .shared = (uint8_t *)w->dynamic_shared,
                           .shared_bytes = MAX_SHARED_OPTIN,
                           .dynamic_bytes = c->shared,
                           .args = c->closure,
                           .args_bytes = c->work->size,
                           .own = own,
                           .owns = sizeof own / sizeof *own};
    TELL(block_begin, &b);
}

void tell_mistake(int what, const void *pc, unsigned mask)
{
    const cpudev_mistake m = {.what = what, .pc = (void *)pc, .thread = running_thread(), .mask = mask};
    TELL(mistake, &m);
}

void tell_fault(bool stack, const void *context)
{
    const ucontext_t *u = context;
    void *pc = NULL;
#if defined(__x86_64__)
    pc = (void *)(u->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    pc = (void *)(u->uc_mcontext.pc + 1);
#endif
    (void)u;
    tell_mistake(stack ? CPUDEV_SYNC_STACK : CPUDEV_SYNC_FAULT, pc, 0);
}

void tell_site(const void *site, const void *place)
{
    const struct {
        const char *file, *function;
        unsigned line, column;
    } *p = place; /* as g++ lays it out */
    told()->next_site = site;
    told()->next_place = p ? p->line << 12 ^ p->column : 0;
}

void tell_wait(const void *site) { told()->site[cpudev_tid()] = site; }

void tell_arrive(const void *site)
{
    block_told *b = told();
    if (b->next_site) {
        site = b->next_site;
        b->next_site = NULL;
    }
    if (cpudev_tls.arrived == 0) {
        b->first_site = site;
        b->first_place = b->next_place;
        b->sites_differ = false;
    } else if (site != b->first_site || b->next_place != b->first_place)
        b->sites_differ = true;
    b->site[cpudev_tid()] = site;
    b->place[cpudev_tid()] = b->next_place;
    b->next_place = 0;
}

/* Where every thread of the block stands; released: those that live have just passed the block's barrier. */
static int waiters(const cpudev_worker *w, bool released)
{
    block_told *b = told();
    for (unsigned t = 0; t < w->threads; t++) {
        const cpudev_fiber *f = &w->fibers[t];
        cpudev_waiter *q = &b->waiters[t];
        *q = (cpudev_waiter){.thread = t};
        if (cpudev_tls.current ? !f->live : t != cpudev_tid()) /* without fibers the running thread is the last one */
            q->state = CPUDEV_LEFT;
        else if (cpudev_tls.current && f->request && !f->request->done) {
            q->state = CPUDEV_AT_WARP;
            q->pc = (void *)f->request->site;
            q->mask = f->request->mask;
        } else if (released || f->barrier == cpudev_tls.epoch + 1) {
            q->state = CPUDEV_AT_BARRIER;
            q->pc = (void *)b->site[t];
            q->place = b->place[t];
        } else if (cpudev_tls.current && f->waiting) {
            q->state = CPUDEV_WAITS;
            q->pc = (void *)b->site[t];
        }
    }
    return (int)w->threads;
}

static void tell_waiting(int what, const cpudev_waiter *at, int count)
{
    const cpudev_mistake m = {
        .what = what, .pc = at->pc, .thread = at->thread, .mask = at->mask, .waiters = told()->waiters, .count = count};
    TELL(mistake, &m);
}

/* How many wait at the same mbarrier. */
static int companions(const async_waiter *of)
{
    int n = 0;
    for (const async_waiter *p = async_waiters(); p; p = p->next)
        n += p->object == of->object;
    return n;
}

/* Describes a deadlock at mbarriers, each mbarrier once, and picks the thread to blame: one whose mbarrier lacks bytes, or
 * else one that waits with the fewest others, because in a ring many threads wait for one. */
static int tell_points(int n)
{
    enum { SHOWN = 4 };
    char note[SHOWN * 200] = "", line[200];
    const async_waiter *who = NULL;
    const void *announced = NULL, *at_fault;
    int shown = 0, fewest = 0;
    bool lacks = false;
    for (const async_waiter *p = async_waiters(); p; p = p->next) {
        const bool bytes = p->describe(p, line, sizeof line, &at_fault);
        const int n_here = companions(p);
        if (!who || (bytes && !lacks) || (bytes == lacks && n_here <= fewest)) {
            who = p;
            announced = at_fault;
            lacks = bytes;
            fewest = n_here;
        }
        if (shown < SHOWN && !strstr(note, line)) {
            const size_t used = strlen(note);
            snprintf(note + used, sizeof note - used, "%sthread %u waits for %s", shown++ ? "; " : "", p->thread, line);
        }
    }
    if (!who)
        return 0;
    const cpudev_waiter *at = &told()->waiters[who->thread];
    const cpudev_mistake m = {.what = CPUDEV_SYNC_DEADLOCK,
                              .pc = at->pc,
                              .thread = at->thread,
                              .waiters = told()->waiters,
                              .count = n,
                              .note = note,
                              .announced = announced};
    TELL(mistake, &m);
    return 1;
}

void tell_barrier(void)
{
    const cpudev_worker *w = cpudev_tls.worker;
    block_told *b = told();
    unsigned left = w->threads - cpudev_tls.live;
    if (left && cpudev_tls.live && b->said_exited != b->first_site) {
        int n = waiters(w, true), first = 0;
        b->said_exited = b->first_site;
        while (first < n - 1 && b->waiters[first].state != CPUDEV_AT_BARRIER)
            first++;
        tell_waiting(CPUDEV_SYNC_EXITED, &b->waiters[first], n);
    }
    if (b->sites_differ && b->said_different != b->first_site) {
        int n = waiters(w, true), first = 0;
        const cpudev_waiter *q = b->waiters;
        b->said_different = b->first_site;
        while (first < n - 1 && (q[first].state != CPUDEV_AT_BARRIER || q[first].pc != b->first_site ||
                                 q[first].place != b->first_place))
            first++;
        tell_waiting(CPUDEV_SYNC_DIFFERENT_BARRIERS, &q[first], n);
    }
    const void *site = b->next_site ? b->next_site : b->first_site;
    b->next_site = NULL;
    TELL(barrier, site);
}

/* A lane that waits for its warp says more than the threads that wait behind it at the block's barrier. */
static int who_is_stuck(const cpudev_waiter *q, int n)
{
    for (int i = 0; i < n; i++)
        if (q[i].state == CPUDEV_AT_WARP)
            return i;
    for (int i = 0; i < n; i++)
        if (q[i].state == CPUDEV_AT_BARRIER || q[i].state == CPUDEV_WAITS)
            return i;
    return 0;
}

void tell_deadlock(cpudev_worker *w)
{
    const cpudev_waiter *q = told()->waiters;
    int n = waiters(w, false), which = who_is_stuck(q, n), what = CPUDEV_SYNC_DEADLOCK;
    int first = which / WARP * WARP;
    if (tell_points(n))
        return;
    for (int i = first; q[which].state == CPUDEV_AT_WARP && i < first + WARP && i < n; i++) {
        if (!(q[which].mask >> (i - first) & 1) || i == which)
            continue;
        if (q[i].state == CPUDEV_AT_WARP && q[i].mask != q[which].mask)
            what = CPUDEV_SYNC_MASK_MISMATCH;
        else if (q[i].state != CPUDEV_AT_WARP && what == CPUDEV_SYNC_DEADLOCK)
            what = CPUDEV_SYNC_MASK_EXITED;
    }
    tell_waiting(what, &q[which], n);
}

void tell_lane(const cpudev_request *r)
{
    unsigned t = cpudev_tid(), lane = t % WARP;
    if (r->op == OP_ACTIVE)
        return;
    if (!(r->mask >> lane & 1))
        tell_mistake(CPUDEV_SYNC_MASK_SELF, r->site, r->mask);
    else if (r->op == OP_SHUFFLE && r->src < WARP &&
             (!(r->mask >> r->src & 1) || t - lane + r->src >= cpudev_tls.worker->threads))
        tell_mistake(CPUDEV_SYNC_SHFL_INACTIVE, r->site, r->mask);
}

static void tell_meeting(const cpudev_fiber *base, unsigned warp, unsigned lanes, int op)
{
    cpudev_meeting m = {.warp = warp,
                        .lanes = lanes,
                        .site = base[__builtin_ctz(lanes)].request->site,
                        .what = op == OP_SYNC      ? CPUDEV_MEET_SYNC
                                : op == OP_SHUFFLE ? CPUDEV_MEET_SHUFFLE
                                : op == OP_BALLOT  ? CPUDEV_MEET_VOTE
                                                   : CPUDEV_MEET_OTHER};
    for (unsigned l = 0; l < WARP; l++) {
        const cpudev_request *r = lanes >> l & 1 ? base[l].request : NULL;
        m.source[l] = (uint8_t)(r && op == OP_SHUFFLE && r->src < WARP ? r->src : l);
        m.yes |= (uint32_t)(r && op == OP_BALLOT && r->src) << l;
    }
    TELL(meet, &m);
}

void tell_meet(cpudev_worker *w, unsigned warp, unsigned lanes, int op)
{
    unsigned first = (unsigned)__builtin_ctz(lanes), existing = w->threads - warp * WARP;
    const cpudev_request *r = w->fibers[warp * WARP + first].request;
    unsigned there = existing >= WARP ? ~0u : (1u << existing) - 1, gone = r->mask & there & ~lanes;
    if (gone && r->mask >> first & 1) {
        const cpudev_mistake m = {
            .what = CPUDEV_SYNC_MASK_EXITED, .pc = (void *)r->site, .thread = warp * WARP + first, .mask = r->mask};
        TELL(mistake, &m);
    }
    if (ASK(meet))
        tell_meeting(w->fibers + warp * WARP, warp, lanes, op);
    if (op == OP_SYNC)
        TELL(syncwarp, warp, lanes);
}
