/* async.c: which asynchronous operation lands when. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "async/async.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "cpudev_must.h"

enum { EARLY, LATE, RANDOM };
enum { GROUP_KINDS = ASYNC_WGMMA + 1, SOON = 24 /* steps */ };
#define NEVER (~0ull)

/* Of the block that an OS thread runs. */
typedef struct cpudev_async_engine {
    async_op *first, **last;
    async_waiter *waiters;
    unsigned short waiting[64]; /* how many of them wait for an object of each place() */
    unsigned long long step;
    unsigned begun;
    unsigned open[GROUP_KINDS][MAX_THREADS]; /* the number of each thread's open group */
    bool used, landing;                      /* landing: an operation lands, and the list is not to be changed */
} cpudev_async_engine;

static struct {
    int mode;
    uint64_t seed;
} wish = {-1, 1};

static void read_wish(void)
{
    const char *s = getenv("CUDA_CPU_ASYNC");
    char *end = NULL;
    int mode = RANDOM;
    if (s && !strcmp(s, "early"))
        mode = EARLY;
    else if (s && !strcmp(s, "late"))
        mode = LATE;
    else if (s && !strncmp(s, "random:", 7))
        wish.seed = strtoull(s + 7, &end, 10);
    if (s && mode == RANDOM && (!end || end == s + 7 || *end)) {
        message("CUDA_CPU_ASYNC must be early, late or random:SEED, not \"%s\"", s);
        _exit(2);
    }
    __atomic_store_n(&wish.mode, mode, __ATOMIC_RELEASE);
}

/* splitmix64 */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static cpudev_async_engine *engine(cpudev_worker *w)
{
    if (!w->async) {
        w->async = held_calloc(1, sizeof *w->async);
        if (!w->async)
            out_of_memory();
        w->async->last = &w->async->first;
    }
    w->async->used = true;
    return w->async;
}

static unsigned *open_group(cpudev_async_engine *a, int kind, const void *object)
{
    return &a->open[kind][(uintptr_t)object % MAX_THREADS];
}

void *async_new(size_t size, int kind, const void *object, void (*land)(async_op *op, int stage))
{
    async_op *op = held_calloc(1, size);
    if (!op)
        out_of_memory();
    op->land = land;
    op->kind = kind;
    op->object = object;
    op->stages = 1;
    op->thread = cpudev_tid();
    if (kind < GROUP_KINDS)
        op->group = *open_group(engine(cpudev_tls.worker), kind, object);
    return op;
}

void async_tell(async_op *op, const char *name, const void *site)
{
    if (!observed.threads)
        return;
    op->told = (cpudev_async){.name = name,
                              .site = site,
                              .thread = op->thread,
                              .kind = op->kind,
                              .object = op->object,
                              .stages = op->stages,
                              .group = op->group};
    TELL(async_new, &op->told);
}

void async_touches(async_op *op, const void *p, size_t bytes, bool write)
{
    if (op->told.name)
        TELL(async_touches, &op->told, p, bytes, write);
}

void async_holds(async_op *op, const void *registers, size_t bytes)
{
    if (op->told.name)
        TELL(async_holds, &op->told, registers, bytes);
}

static void take_out(cpudev_async_engine *a, async_op *op)
{
    async_op **p = &a->first;
    while (*p != op)
        p = &(*p)->next;
    *p = op->next;
    if (!op->next)
        a->last = p;
    if (op->gone)
        op->gone(op);
    held_free(op);
}

static void land_stage(async_op *op)
{
    if (op->told.name)
        TELL(async_lands, &op->told, op->stage);
    op->land(op, op->stage++);
}

/* Lands its stages up to `stages`; of a warpgroup's products those before it first. */
static void land(cpudev_worker *w, async_op *op, int stages)
{
    cpudev_async_engine *a = w->async;
    a->landing = true;
    if (op->kind == ASYNC_WGMMA)
        for (async_op *p = a->first, *next; p != op; p = next) {
            next = p->next;
            if (p->kind == ASYNC_WGMMA && p->object == op->object) {
                while (p->stage < p->stages)
                    land_stage(p);
                take_out(a, p);
            }
        }
    while (op->stage < stages)
        land_stage(op);
    if (op->stage == op->stages)
        take_out(a, op);
    a->landing = false;
    w->progress++;
}

static unsigned long long when(const cpudev_worker *w, const cpudev_async_engine *a, const async_op *op)
{
    const int mode = __atomic_load_n(&wish.mode, __ATOMIC_ACQUIRE);
    if (mode != RANDOM)
        return mode == EARLY ? a->step : NEVER;
    const uint64_t draw = mixed(mixed(mixed(wish.seed) + w->block) + op->number);
    return draw % 3 == 0 ? a->step : draw % 3 == 1 ? a->step + 1 + draw / 3 % SOON : NEVER;
}

/* Lands what is due. An operation of two stages that is due once is given a second moment. */
static void land_due(cpudev_worker *w, cpudev_async_engine *a)
{
    bool again;
    do {
        again = false;
        for (async_op *op = a->first; op; op = op->next)
            if (op->due <= a->step) {
                if (op->stage + 1 < op->stages && __atomic_load_n(&wish.mode, __ATOMIC_RELAXED) == RANDOM)
                    op->due = mixed(op->due + op->number) % 2 ? NEVER : a->step + 1 + op->number % SOON;
                land(w, op, op->stage + 1);
                again = true; /* the list has changed, and the operation may be gone */
                break;
            }
    } while (again);
}

void async_begin(async_op *op)
{
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_async_engine *a = engine(w);
    if (__atomic_load_n(&wish.mode, __ATOMIC_ACQUIRE) < 0)
        read_wish();
    op->number = a->begun++;
    op->due = when(w, a, op);
    *a->last = op;
    a->last = &op->next;
    w->progress++;
    async_step();
}

void async_step(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_async_engine *a = w->async;
    if (!a || !a->first || a->landing) /* what lands tells others, and the list is being walked */
        return;
    a->step++;
    land_due(w, a);
}

/* ---- groups ---- */

void async_commit(int kind, const void *object) { (*open_group(engine(cpudev_tls.worker), kind, object))++; }

static void land_of(int kind, const void *object, unsigned end, int stages)
{
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_async_engine *a = w->async;
    bool again = a != NULL;
    while (again) {
        again = false;
        for (async_op *op = a->first; op; op = op->next) {
            const int want = stages < op->stages ? stages : op->stages;
            if (op->kind == kind && op->object == object && (int)(op->group - end) < 0 && op->stage < want) {
                land(w, op, want);
                again = true;
                break;
            }
        }
    }
}

void async_wait_group(int kind, const void *object, unsigned pending, int stages)
{
    cpudev_async_engine *a = engine(cpudev_tls.worker);
    async_step();
    const unsigned open = *open_group(a, kind, object);
    if (pending < open)
        land_of(kind, object, open - pending, stages);
    if (observed.threads)
        async_ordered(kind, object, pending, stages);
}

/* Tells the observers, by the group's number, that the running thread has waited for it. The group's operations may have
 * landed and been freed by then. */
void async_ordered(int kind, const void *object, unsigned pending, int stages)
{
    const unsigned open = *open_group(engine(cpudev_tls.worker), kind, object);
    cpudev_async group = {.kind = kind, .object = object, .group = pending < open ? open - pending : 0};
    TELL(async_waited, &group, stages);
}

/* ---- blocks in which no thread can go on ---- */

/* A hash: the blocks of a cluster have their objects at the same offset of windows that lie side by side. */
static unsigned short *place(cpudev_async_engine *a, const void *object)
{
    return &a->waiting[mixed((uintptr_t)object) % (sizeof a->waiting / sizeof *a->waiting)];
}

void async_waits(async_waiter *me)
{
    cpudev_async_engine *a = engine(cpudev_tls.worker);
    ++*place(a, me->object);
    me->next = a->waiters;
    me->back = &a->waiters;
    if (me->next)
        me->next->back = &me->next;
    a->waiters = me;
}

void async_waits_no_more(async_waiter *me)
{
    --*place(cpudev_tls.worker->async, me->object);
    *me->back = me->next;
    if (me->next)
        me->next->back = me->back;
}

const async_waiter *async_waiters(void)
{
    const cpudev_async_engine *a = cpudev_tls.worker->async;
    return a ? a->waiters : NULL;
}

static bool waited_for(cpudev_async_engine *a, const async_op *op)
{
    if (op->kind != ASYNC_MBARRIER || !*place(a, op->object))
        return false;
    const async_waiter *p = a->waiters;
    while (p && p->object != op->object)
        p = p->next;
    return p;
}

bool async_stalled(cpudev_worker *w)
{
    cpudev_async_engine *a = w->async;
    if (!a || !a->first)
        return false;
    async_op *op = a->first;
    while (op && !waited_for(a, op))
        op = op->next;
    if (!op)
        op = a->first;
    land(w, op, op->stage + 1);
    return true;
}

/* ---- the block's end ---- */

static void clear(cpudev_async_engine *a)
{
    a->waiters = NULL;
    memset(a->waiting, 0, sizeof a->waiting);
    a->step = a->begun = 0;
    memset(a->open, 0, sizeof a->open);
    a->used = false;
}

void async_block_ends(cpudev_worker *w)
{
    if (!w->async || !w->async->used)
        return;
    TELL(async_end);
    while (w->async->first)
        land(w, w->async->first, w->async->first->stages);
    clear(w->async);
}

void async_drop(cpudev_worker *w)
{
    if (!w->async || !w->async->used)
        return;
    while (w->async->first)
        take_out(w->async, w->async->first);
    clear(w->async);
}

void async_free(cpudev_worker *w)
{
    async_drop(w);
    free(w->async);
    w->async = NULL;
}
