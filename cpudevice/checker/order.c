/* order.c: order within one operation. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "clock.h"
#include "observer.h"
#include "operation.h"
#include "segment.h"
#include "worker.h"

/* A fence of the thread, or the whole of its past for a write of release order: what a release publishes. */
typedef struct past {
    uint32_t own, barrier, warp; /* accesses below these epochs: its own, the block's, its warp's */
    int scope;                   /* FENCE_...; 0: no fence yet */
    check_clock *known;
} past;

/* What one thread of the block knows beyond what the whole block does. */
struct check_thread_sync {
    check_clock *known;       /* by acquire patterns */
    check_clock *observed[2]; /* read, but behind no fence yet: [0] of its own block, [1] of others */
    past fence[2];            /* its last fence, and its last one of more than the block: NARROW, WIDE */
};

/* Threads that had passed a fence when they came to a barrier: what they did before it is published by whoever releases
 * behind the barrier. */
struct check_fenced {
    struct check_fenced *next;
    uint32_t barrier; /* epoch */
    int scope;
    uint8_t thread[128];
};

enum { NARROW, WIDE };

/* A release: which accesses of its block it publishes, to its block and to others, and its place in a chain. */
struct check_release {
    past by[2];
    uint32_t thread;
    int narrow; /* the write was of block scope */
    const struct check_fenced *fenced;
    uint32_t chain, number;
};

/* A word that some thread has released. */
struct check_flag {
    uintptr_t key;
    uint32_t chain, number; /* chain 0: nothing to be seen, its last write released nothing */
    check_clock *clock;     /* what a read that acquires comes to know */
    uint32_t block;         /* of the last release */
    int narrow;             /* its last write was of block scope */
    uint32_t narrow_reader; /* the block that last read it by an access of block scope, plus one */
};
struct check_flags {
    struct check_flag *of;
    uint32_t count, room; /* room is a power of two */
    uint32_t chains;
    struct check_fenced *fenced;
};

static void lock(check_op *op)
{
    while (__atomic_exchange_n(&op->cs_lock, 1, __ATOMIC_ACQUIRE))
        ;
}
static void unlock(check_op *op) { __atomic_store_n(&op->cs_lock, 0, __ATOMIC_RELEASE); }

static void put(check_clock **to, check_clock *c) /* takes the reference over */
{
    check_clock_drop(*to);
    *to = c;
}

static void add(check_clock **to, check_clock *c) { put(to, check_clock_join(*to, c)); }

/* ---- words ---- */

/* Shared memory has the same addresses in every block that an OS thread runs. */
static uintptr_t key_of(const worker *w, uintptr_t a)
{
    int shared = a - w->area[0].lo < w->area[0].bytes || a - w->area[1].lo < w->area[1].bytes;
    return shared ? a ^ ((uintptr_t)w->block_id + 1) << 48 : a;
}

static struct check_flag *flag_at(const struct check_flags *f, uintptr_t key)
{
    for (uint32_t h = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);; h++) {
        struct check_flag *at = &f->of[h & (f->room - 1)];
        if (!at->key || at->key == key)
            return at;
    }
}

static struct check_flag *flag_of(check_op *op, uintptr_t key, int make)
{
    struct check_flags *f = op->flags;
    if (!f && make) {
        f = calloc(1, sizeof *f);
        f->of = calloc(f->room = 64, sizeof *f->of);
        __atomic_store_n(&op->flags, f, __ATOMIC_RELEASE);
    }
    if (!f)
        return NULL;
    struct check_flag *at = flag_at(f, key);
    if (at->key || !make)
        return at->key ? at : NULL;
    if (2 * f->count++ >= f->room) {
        struct check_flags old = *f;
        f->of = calloc(f->room *= 2, sizeof *f->of);
        for (uint32_t i = 0; i < old.room; i++)
            if (old.of[i].key)
                *flag_at(f, old.of[i].key) = old.of[i];
        free(old.of);
        at = flag_at(f, key);
    }
    at->key = key;
    return at;
}

/* ---- threads ---- */

static struct check_thread_sync *my_sync(worker *w)
{
    if (!w->sync)
        w->sync = calloc(1024, sizeof *w->sync);
    return &w->sync[w->thread & 1023];
}

static past past_now(worker *w, int scope)
{
    struct check_thread_sync *s = my_sync(w);
    past p = {w->epoch + 1, w->barrier_epoch, w->full_sync[w->thread / 32 & 31], scope, NULL};
    p.known = check_clock_join(w->block_known, s->known);
    return p;
}

void check_fence_passed(worker *w, int scope)
{
    struct check_thread_sync *s = my_sync(w);
    lock(w->op);
    add(&s->known, s->observed[0]);
    put(&s->observed[0], NULL);
    if (scope == FENCE_DEVICE) {
        add(&s->known, s->observed[1]);
        put(&s->observed[1], NULL);
    }
    for (int i = NARROW; i <= (scope == FENCE_DEVICE ? WIDE : NARROW); i++) {
        check_clock_drop(s->fence[i].known);
        s->fence[i] = past_now(w, scope);
    }
    w->fences[w->thread >> 3 & 127] |= (uint8_t)(1 << (w->thread & 7));
    if (!w->fences_scope || scope < w->fences_scope)
        w->fences_scope = scope;
    unlock(w->op);
    check_next_epoch(w);
}

static void observe(worker *w, const struct check_flag *f, const check_strong *s)
{
    struct check_thread_sync *me = my_sync(w);
    int others = f->block != w->block_id;
    if (others && s->narrow)
        return;
    check_clock **to = s->acquires ? &me->known : &me->observed[others];
    add(to, f->clock);
}

static void append(check_op *op, const worker *w, const struct check_release *r)
{
    if (!op->sync)
        op->sync = calloc(op->grid_blocks ? op->grid_blocks : 1, sizeof *op->sync);
    if (!op->sync || w->block_id >= op->grid_blocks)
        return;
    check_block_sync *s = op->sync[w->block_id];
    if (!s)
        s = op->sync[w->block_id] = calloc(1, sizeof *s);
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 4;
        s->list = realloc(s->list, s->capacity * sizeof *s->list);
        if (!s->list)
            abort();
    }
    s->list[s->count++] = *r;
    op->releases++;
}

/* A strong write of the running thread: a release, or the end of its word's release sequence, or neither. */
static void written(worker *w, const check_strong *s, int update)
{
    check_op *op = w->op;
    struct check_thread_sync *me = w->sync ? &w->sync[w->thread & 1023] : NULL;
    int fence = me ? me->fence[NARROW].scope : 0, releases = fence || s->orders || w->fenced;
    struct check_flag *f = flag_of(op, key_of(w, s->a), releases || s->narrow);
    if (!f)
        return;
    f->narrow = s->narrow;
    if (!update && f->chain) {
        put(&f->clock, NULL);
        f->chain = 0;
    }
    if (!releases)
        return;
    if (!f->chain) {
        f->chain = ++op->flags->chains;
        f->number = 0;
    }
    struct check_release r = {.thread = w->thread, .fenced = w->fenced, .chain = f->chain, .number = ++f->number};
    past all = s->orders ? past_now(w, FENCE_DEVICE) : (past){0};
    for (int i = NARROW; i <= WIDE; i++)
        r.by[i] = s->orders ? all : fence ? me->fence[i] : (past){0};
    if (s->narrow)
        r.by[WIDE].scope = 0;
    r.narrow = s->narrow;
    check_clock *known = check_clock_join(r.by[NARROW].known, w->fenced ? w->block_known : NULL);
    add(&f->clock, known);
    put(&f->clock, check_clock_with(f->clock, r.chain, r.number));
    check_clock_drop(known);
    check_clock_drop(all.known);
    f->block = w->block_id;
    append(op, w, &r);
}

/* The lock is taken even where nothing has been released yet: another worker's first release may come between this and
 * the access itself, which then reads what that release wrote. */
void check_strong_begin(worker *w) { lock(w->op); }

void check_strong_end(worker *w, check_strong *s, int read, int write)
{
    const struct check_flag *f = read ? flag_of(w->op, key_of(w, s->a), 0) : NULL;
    if (f)
        observe(w, f, s);
    if (write)
        written(w, s, read);
    else if (s->narrow)
        flag_of(w->op, key_of(w, s->a), 1)->narrow_reader = w->block_id + 1;
    unlock(w->op);
    if (write && s->orders)
        check_next_epoch(w);
}

int check_has_fenced(const worker *w)
{
    return w->fenced || (w->sync && w->sync[w->thread & 1023].fence[NARROW].scope);
}

int check_narrow_elsewhere(worker *w, uintptr_t a, int write)
{
    if (!w->op->flags)
        return 0;
    lock(w->op);
    const struct check_flag *f = flag_of(w->op, key_of(w, a), 0);
    int narrow = f && (f->narrow || (write && f->narrow_reader && f->narrow_reader != w->block_id + 1));
    unlock(w->op);
    return narrow;
}

/* ---- barriers ---- */

/* Behind a barrier of the block all threads know what one knew. What a thread has read without a fence counts as known
 * too: the barrier stands for the fence, as in every kernel whose last block adds up what the others have published. */
void check_sync_barrier(worker *w)
{
    if (!w->sync)
        return;
    lock(w->op);
    for (uint32_t t = 0; t < w->threads && t < 1024; t++) {
        struct check_thread_sync *s = &w->sync[t];
        check_clock **const of[] = {&s->known, &s->observed[0], &s->observed[1]};
        for (int i = 0; i < 3; i++)
            if (*of[i]) {
                add(&w->block_known, *of[i]);
                put(of[i], NULL);
            }
    }
    if (w->fences_scope) {
        struct check_fenced *f = calloc(1, sizeof *f);
        flag_of(w->op, 1, 1);
        f->next = w->op->flags->fenced;
        w->op->flags->fenced = f;
        f->barrier = w->barrier_epoch;
        f->scope = w->fences_scope;
        memcpy(f->thread, w->fences, sizeof f->thread);
        memset(w->fences, 0, sizeof w->fences);
        w->fences_scope = 0;
        w->fenced = f;
    }
    unlock(w->op);
}

void check_sync_warp(worker *w, uint32_t warp, uint32_t mask)
{
    if (!w->sync)
        return;
    check_clock *all = NULL;
    lock(w->op);
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            add(&all, w->sync[warp * 32 + (uint32_t)i].known);
    for (int i = 0; all && i < 32; i++)
        if (mask >> i & 1)
            put(&w->sync[warp * 32 + (uint32_t)i].known, check_clock_keep(all));
    check_clock_drop(all);
    unlock(w->op);
}

/* The last block's threads are gone, and with them what they knew. */
void check_sync_block_begin(worker *w)
{
    w->fenced = NULL;
    if (!w->sync)
        return;
    for (uint32_t t = 0; t < 1024; t++) {
        struct check_thread_sync *s = &w->sync[t];
        check_clock_drop(s->known);
        check_clock_drop(s->observed[0]);
        check_clock_drop(s->observed[1]);
        check_clock_drop(s->fence[NARROW].known);
        check_clock_drop(s->fence[WIDE].known);
    }
    check_clock_drop(w->block_known);
    w->block_known = NULL;
    free(w->sync);
    w->sync = NULL;
    memset(w->fences, 0, sizeof w->fences);
    w->fences_scope = 0;
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
        check_clock_drop(op->flags->of[i].clock);
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
    if (epoch < w->full_sync[warp])
        return 1;
    return w->lanes && epoch < w->lanes[warp][w->thread % 32][t % 32];
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
    const struct check_thread_sync *me = w->sync ? &w->sync[w->thread & 1023] : NULL;
    if (!op->sync || block >= op->grid_blocks || (!me && !w->block_known))
        return 0;
    lock(op);
    const check_block_sync *s = op->sync[block];
    int ok = 0;
    for (uint32_t i = 0; s && i < s->count && !ok; i++) {
        const struct check_release *r = &s->list[i];
        if (!publishes(r, block == w->block_id ? NARROW : WIDE, epoch, t))
            continue;
        ok = check_clock_of(w->block_known, r->chain) >= r->number ||
             (me && check_clock_of(me->known, r->chain) >= r->number) ||
             (me && w->strong &&
              (check_clock_of(me->observed[0], r->chain) >= r->number ||
               check_clock_of(me->observed[1], r->chain) >= r->number));
    }
    unlock(op);
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
    if (g->grid < w->grid_epoch)
        return 1;
    if (g->block == w->block_id) {
        if (t == w->thread || g->epoch < w->barrier_epoch || check_warp_ordered(w, t, g->epoch))
            return 1;
    }
    return w->op->flags && check_published(w, g->block, g->epoch, t);
}
