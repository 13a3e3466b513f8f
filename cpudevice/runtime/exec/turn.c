/* turn.c: blocks that communicate take turns, where an observer asks for it.
 *
 * What two blocks see of each other through atomics, volatile accesses and flags depends on which comes first.  Under
 * an observer with `turns` that is decided by the blocks' numbers, not by the machine: one block of a launch has the
 * turn, and only that block makes accesses that others may wait for (the observer calls cpudev_turn before each).  The
 * turn begins with block 0.  Who has it keeps it until it ends, waits at a grid barrier, or has polled for a whole
 * round of its threads; then it goes round among those that have had it, and after a circle in which no memory has
 * changed to the next block that has not.  Blocks that never communicate run side by side as ever.
 *
 * In such an order the first block would have ended before the second begins, and a block would never meet one that is
 * half done.  So among a launch's first blocks four at a time are interleaved: one that has published something gives
 * the turn to the next new one, before whatever it does next; the fourth of them keeps it, and so sees what three others
 * have begun, and comes to its end before them.
 *
 * The first launch of a kernel begins with block 0 alone.  If that block publishes data (cpudev_turn_publishes), all
 * blocks of that launch and of later ones wait for their turn before they begin, so that plain accesses too come in one
 * order for any number of workers. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/turn.h"
#include "device/hooks.h"
#include "stream/command.h"
#include "device/device_state.h"
#include "observe/observer.h"
#include "exec/thread.h"
#include "cpudev_must.h"

enum { NOBODY = -1, CIRCLE = 16 /* of a circle, what a pass counts that has changed nothing */ };
enum { UNKNOWN, SIDE_BY_SIDE, ONE_BY_ONE }; /* cpudev_kernel.turns */
enum { TOGETHER = 4, FIRST_BLOCKS = 64 };   /* so many are interleaved, of so many */
enum { NOTHING, JUST_NOW, SEEN };           /* cpudev_worker.turn.shown */

typedef struct waiter {
    struct waiter *next;
    long long block;
    pthread_cond_t go;
} waiter;

struct turns {
    pthread_mutex_t lock;
    long long blocks, next, holder; /* next: the lowest block that has never had the turn */
    unsigned char *begun, *gone;    /* a bit a block; gone: ended, or at a grid barrier */
    long long *members, *away;      /* ascending: those that have had the turn; those at a grid barrier */
    long long count, aways, at, room;
    long long passed; /* since somebody was new: CIRCLE for each pass that changed nothing, else 1 */
    cpudev_kernel *kernel;
    int order; /* of the kernel, as this launch knows it */
    waiter *waiting;
};

static bool bit(const unsigned char *of, long long k) { return of[k / 8] >> k % 8 & 1; }
static void bit_set(unsigned char *of, long long k) { of[k / 8] |= (unsigned char)(1 << k % 8); }

turns *turns_new(const command *c)
{
    turns *t = calloc(1, sizeof *t);
    size_t bytes = (size_t)c->units / 8 + 1;
    if (!t || !(t->begun = calloc(bytes, 1)) || !(t->gone = calloc(bytes, 1)))
        out_of_memory();
    pthread_mutex_init(&t->lock, NULL);
    t->blocks = (long long)c->units;
    t->holder = NOBODY;
    t->kernel = c->kernel;
    t->order = c->kernel->turns;
    return t;
}

void turns_free(turns *t)
{
    if (!t)
        return;
    free(t->begun);
    free(t->gone);
    free(t->members);
    free(t->away);
    free(t);
}

/* ---- who has the turn; all with the lock ---- */

static void wake(turns *t, long long block) /* or all: NOBODY */
{
    for (waiter *w = t->waiting; w; w = w->next)
        if (w->block == block || block == NOBODY)
            pthread_cond_signal(&w->go);
}

static void room_for(turns *t, long long n)
{
    if (n <= t->room)
        return;
    t->room = n < 16 ? 16 : 2 * n;
    t->members = realloc(t->members, (size_t)t->room * sizeof *t->members);
    t->away = realloc(t->away, (size_t)t->room * sizeof *t->away);
    if (!t->members || !t->away)
        out_of_memory();
}

/* Gives the turn to the next block that has never had it. A block that has ended without asking for the turn uses its
 * turn up. */
static void have_new(turns *t)
{
    t->at = 0;
    t->passed = 0;
    while (t->next < t->blocks) {
        long long block = t->next++;
        if (!bit(t->gone, block)) {
            room_for(t, t->count + 1);
            t->at = t->count;
            t->members[t->count++] = block;
            break;
        }
        if (t->count)
            break;
    }
}

static void settle_holder(turns *t)
{
    t->holder = t->count ? t->members[t->at] : NOBODY;
    if (t->holder != NOBODY)
        wake(t, t->holder);
}

static void pass(turns *t, bool changed)
{
    t->passed += changed ? 1 : CIRCLE;
    if (t->next < t->blocks && t->passed >= CIRCLE * t->count)
        have_new(t);
    else
        t->at = (t->at + 1) % t->count;
    settle_holder(t);
}

static void leave(turns *t, long long block)
{
    bit_set(t->gone, block);
    if (t->holder != block)
        return;
    t->count--;
    memmove(t->members + t->at, t->members + t->at + 1, (size_t)(t->count - t->at) * sizeof *t->members);
    t->passed = 0;
    if (t->at == t->count)
        t->at = 0;
    if (!t->count)
        have_new(t);
    settle_holder(t);
}

/* Block 0 has shown whether the kernel's blocks publish data. */
static void order_known(turns *t)
{
    if (t->order != UNKNOWN)
        return;
    int unknown = UNKNOWN;
    __atomic_compare_exchange_n(&t->kernel->turns, &unknown, SIDE_BY_SIDE, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    t->order = __atomic_load_n(&t->kernel->turns, __ATOMIC_RELAXED);
    wake(t, NOBODY);
}

/* ---- what the running block does ---- */

static void lock_turns(cpudev_worker *w, turns *t)
{
    w->turn.waits = 1;
    pthread_mutex_lock(&t->lock);
}

static void unlock_turns(cpudev_worker *w, turns *t)
{
    pthread_mutex_unlock(&t->lock);
    w->turn.waits = 0;
}

/* With the lock. `begins`: it may go on without the turn where the kernel's blocks run side by side. */
static void wait_for(turns *t, cpudev_worker *w, bool begins)
{
    const long long block = (long long)w->unit;
    waiter me = {t->waiting, block, PTHREAD_COND_INITIALIZER};
    /* cppcheck-suppress autoVariables ; it leaves the list before this function returns */
    t->waiting = &me;
    while (t->holder != block && !(begins && t->order == SIDE_BY_SIDE) && !sticky_error()) {
        bool missing = t->holder != NOBODY && !bit(t->begun, t->holder);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (missing) {
            pthread_mutex_unlock(&t->lock);
            runtime_hooks.blocks_wait(w);
            pthread_mutex_lock(&t->lock);
            if (t->holder == block)
                break;
        }
        if (pthread_cond_timedwait(&me.go, &t->lock, &until) == ETIMEDOUT)
            atomic_fetch_add(&w->watch.heartbeat, 1); /* others get on */
    }
    waiter **p = &t->waiting;
    while (*p != &me)
        p = &(*p)->next;
    *p = me.next;
    pthread_cond_destroy(&me.go);
}

void turn_block_begin(cpudev_worker *w, turns *t)
{
    w->turn.held = w->turn.changed = false;
    w->turn.shown = NOTHING;
    w->turn.first = NULL;
    lock_turns(w, t);
    bit_set(t->begun, (long long)w->unit);
    if (t->holder == NOBODY && t->next == 0) {
        have_new(t);
        settle_holder(t);
    }
    if (t->order != SIDE_BY_SIDE) {
        wait_for(t, w, true);
        w->turn.held = t->holder == (long long)w->unit;
    }
    unlock_turns(w, t);
}

bool cpudev_has_turn(void)
{
    const cpudev_worker *w = this_worker;
    return !w || !w->command || !w->command->turns || (w->turn.held && w->turn.shown != JUST_NOW);
}

void cpudev_turn_shown(void)
{
    cpudev_worker *w = this_worker;
    const command *c = w ? w->command : NULL;
    if (c && c->turns && !c->cluster.x && w->turn.shown == NOTHING && w->unit < FIRST_BLOCKS)
        w->turn.shown = JUST_NOW;
}

/* With the lock: the running block has the turn and has just published data, so a new block may begin. */
static void let_see(cpudev_worker *w, turns *t)
{
    w->turn.shown = SEEN;
    if (t->holder != (long long)w->unit || t->next >= t->blocks || t->count >= TOGETHER)
        return;
    have_new(t);
    settle_holder(t);
    w->turn.held = w->turn.changed = false;
}

void cpudev_turn(void)
{
    cpudev_worker *w = this_worker;
    if (cpudev_has_turn())
        return;
    turns *t = w->command->turns;
    lock_turns(w, t);
    if (w->turn.shown == JUST_NOW)
        let_see(w, t);
    wait_for(t, w, false);
    w->turn.held = t->holder == (long long)w->unit;
    unlock_turns(w, t);
}

void cpudev_turn_changed(void)
{
    if (this_worker)
        this_worker->turn.changed = true;
}

void cpudev_turn_publishes(void)
{
    command *c = this_worker ? this_worker->command : NULL;
    if (c && c->turns)
        __atomic_store_n(&c->kernel->turns, ONE_BY_ONE, __ATOMIC_RELAXED);
}

/* A thread of the block polls. When a whole round of the block's threads has only polled, the turn passes to another block.
 * Returns whether it has. */
bool turn_polled(cpudev_worker *w)
{
    turns *t = w->command->turns;
    const void *me = cpudev_tls.current ? (const void *)cpudev_tls.current : w; /* or all threads in a loop */
    unsigned stamp = w->progress - (unsigned)w->yields + w->watch.events + cpudev_tls.epoch + cpudev_tls.arrived;
    if (!w->turn.first || stamp != w->turn.stamp) {
        w->turn.first = me;
        w->turn.stamp = stamp;
        w->turn.polls = 0;
        return false;
    }
    if (me != w->turn.first && ++w->turn.polls < 2 * cpudev_tls.live)
        return false;
    lock_turns(w, t);
    const long long block = (long long)w->unit;
    bool missing = false;
    if (t->holder == block) {
        order_known(t);
        pass(t, w->turn.changed);
        w->turn.changed = false;
        w->turn.held = t->holder == block;
        /* or all wait for a kernel that runs beside this one, and needs threads to run on */
        missing = !bit(t->begun, t->holder) || (t->next >= t->blocks && t->passed >= CIRCLE * t->count);
    }
    bool others = !w->turn.held;
    unlock_turns(w, t);
    if (missing)
        runtime_hooks.blocks_wait(w);
    return others;
}

/* The block comes to a grid barrier, or ends. A block that has had the turn waits for it once more before it leaves;
 * otherwise the moment at which it leaves would depend on the machine. */
static bool leaves(cpudev_worker *w, turns *t, bool failed)
{
    const long long block = (long long)w->unit;
    if (block < t->next && !failed)
        wait_for(t, w, false);
    bool member = block < t->next;
    if (block == 0)
        order_known(t);
    leave(t, block);
    w->turn.held = false;
    return member;
}

void turn_block_end(cpudev_worker *w, turns *t, bool failed)
{
    lock_turns(w, t);
    leaves(w, t, failed);
    unlock_turns(w, t);
}

void turn_grid_arrive(cpudev_worker *w, turns *t)
{
    lock_turns(w, t);
    leaves(w, t, false);
    room_for(t, t->aways + 1);
    long long k = t->aways++;
    for (; k > 0 && t->away[k - 1] > (long long)w->unit; k--)
        t->away[k] = t->away[k - 1];
    t->away[k] = (long long)w->unit;
    unlock_turns(w, t);
}

/* All blocks have arrived at the grid barrier. Each gets the turn once more, the lowest number first. */
void turn_grid_release(turns *t)
{
    pthread_mutex_lock(&t->lock);
    for (long long i = 0; i < t->aways; i++)
        t->gone[t->away[i] / 8] &= (unsigned char)~(1 << t->away[i] % 8);
    memcpy(t->members, t->away, (size_t)t->aways * sizeof *t->members);
    t->count = t->aways;
    t->next = t->blocks;
    t->aways = t->at = t->passed = 0;
    settle_holder(t);
    pthread_mutex_unlock(&t->lock);
}

void turn_grid_leave(turns *t)
{
    if (t->order == ONE_BY_ONE)
        cpudev_turn();
}
