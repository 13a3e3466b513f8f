/* release.c: fences and strong accesses: what threads release, and what they come to see. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "race/clock.h"
#include "cpudev_must.h"
#include "core/operation.h"
#include "race/peers.h"
#include "race/release.h"
#include "memory/area.h"
#include "core/worker.h"

/* ---- words ---- */

/* Shared memory has the same addresses in every block that an OS thread runs. */
static uintptr_t key_of(worker *w, uintptr_t a)
{
    const worker *of = is_shared(w, a) ? w : check_is_remote(w, a) ? check_owner(w, a) : NULL;
    return of ? a ^ ((uintptr_t)of->block_id + 1) << 48 : a;
}

static struct check_flag *flag_at(const struct check_flags *f, uintptr_t key)
{
    for (uint32_t h = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);; h++) {
        struct check_flag *at = &f->of[h & (f->room - 1)];
        if (!at->key || at->key == key)
            return at;
    }
}

void check_flags_make(check_op *op)
{
    struct check_flags *f = op->flags;
    if (f)
        return;
    f = calloc(1, sizeof *f);
    if (!f || !(f->of = calloc(f->room = 64, sizeof *f->of)))
        abort();
    __atomic_store_n(&op->flags, f, __ATOMIC_RELEASE);
}

struct check_flag *check_flag_at(worker *w, uintptr_t a, int make)
{
    const uintptr_t key = key_of(w, a);
    if (make)
        check_flags_make(w->op);
    struct check_flags *f = w->op->flags;
    if (!f)
        return NULL;
    struct check_flag *at = flag_at(f, key);
    if (at->key || !make)
        return at->key ? at : NULL;
    if (2 * f->count++ >= f->room) {
        struct check_flags old = *f;
        f->of = must(calloc(f->room *= 2, sizeof *f->of));
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

struct check_thread_sync *check_my_sync(worker *w)
{
    if (!w->order.sync)
        w->order.sync = must(calloc(1024, sizeof *w->order.sync));
    return &w->order.sync[w->thread & 1023];
}

static past past_now(worker *w, int scope)
{
    struct check_thread_sync *s = check_my_sync(w);
    past p = {w->epoch + 1, w->barrier_epoch, w->order.full_sync[w->thread / 32 & 31], scope, NULL};
    p.known = check_clock_join(w->order.block_known, s->known);
    return p;
}

void check_fence_passed(worker *w, int scope)
{
    struct check_thread_sync *s = check_my_sync(w);
    check_order_lock(w->op);
    check_clock_add(&s->known, s->observed[0]);
    check_clock_put(&s->observed[0], NULL);
    if (scope == FENCE_DEVICE) {
        check_clock_add(&s->known, s->observed[1]);
        check_clock_put(&s->observed[1], NULL);
    }
    for (int i = NARROW; i <= (scope == FENCE_DEVICE ? WIDE : NARROW); i++) {
        check_clock_drop(s->fence[i].known);
        s->fence[i] = past_now(w, scope);
    }
    w->order.fences[w->thread >> 3 & 127] |= (uint8_t)(1 << (w->thread & 7));
    if (!w->order.fences_scope || scope < w->order.fences_scope)
        w->order.fences_scope = scope;
    check_order_unlock(w->op);
    check_next_epoch(w);
}

/* Who has written a flag, and which flags a thread has seen, from the operation's first volatile write on: passed.c
 * asks for it. */
static void flag_written(worker *w, struct check_flag *f, int is_volatile)
{
    f->last = (check_written){w->block_id, w->thread, ++w->op->flags->writes, is_volatile};
}

static void flag_seen(worker *w, const struct check_flag *f)
{
    if (!f->last.at || f->last.block == w->block_id)
        return;
    struct check_thread_sync *me = check_my_sync(w);
    int i = 0;
    while (i < WRITES_SEEN && (me->seen[i].block != f->last.block || me->seen[i].thread != f->last.thread))
        i++;
    if (i == WRITES_SEEN)
        i = (int)(me->next_seen++ % WRITES_SEEN);
    else if (me->seen[i].at > f->last.at)
        return;
    me->seen[i] = f->last;
}

static void observe(worker *w, const struct check_flag *f, const check_strong *s)
{
    struct check_thread_sync *me = check_my_sync(w);
    int others = f->block != w->block_id;
    if (others && s->narrow)
        return;
    check_clock **to = s->acquires ? &me->known : &me->observed[others];
    check_clock_add(to, f->clock[others ? WIDE : NARROW]);
}

static void append(check_op *op, const worker *w, const struct check_release *r)
{
    if (!op->sync)
        op->sync = calloc(op->grid_blocks ? op->grid_blocks : 1, sizeof *op->sync);
    if (!op->sync || w->block_id >= op->grid_blocks)
        return;
    check_block_sync *s = op->sync[w->block_id];
    if (!s)
        s = op->sync[w->block_id] = must(calloc(1, sizeof *s));
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
    struct check_thread_sync *me = w->order.sync ? &w->order.sync[w->thread & 1023] : NULL;
    int fence = me ? me->fence[NARROW].scope : 0, releases = fence || s->orders || w->order.fenced;
    int told = s->is_volatile || (op->flags && op->flags->writes);
    struct check_flag *f = check_flag_at(w, s->a, releases || s->narrow || told);
    if (!f)
        return;
    if (told)
        flag_written(w, f, s->is_volatile);
    f->narrow = s->narrow;
    if (!update && f->chain) {
        check_clock_put(&f->clock[NARROW], NULL);
        check_clock_put(&f->clock[WIDE], NULL);
        f->chain = 0;
    }
    if (!releases)
        return;
    if (!f->chain) {
        f->chain = ++op->flags->chains;
        f->number = 0;
    }
    struct check_release r = {.thread = w->thread, .fenced = w->order.fenced, .chain = f->chain, .number = ++f->number};
    past all = s->orders ? past_now(w, FENCE_DEVICE) : (past){0};
    for (int i = NARROW; i <= WIDE; i++)
        r.by[i] = s->orders ? all : fence ? me->fence[i] : (past){0};
    if (s->narrow)
        r.by[WIDE].scope = 0;
    r.narrow = s->narrow;
    for (int i = NARROW; i <= WIDE; i++) {
        int all_fenced = w->order.fenced && (i == NARROW || (w->order.fenced->scope == FENCE_DEVICE && !s->narrow));
        check_clock *known =
            check_clock_join(r.by[i].scope ? r.by[i].known : NULL, all_fenced ? w->order.block_known : NULL);
        check_clock_add(&f->clock[i], known);
        check_clock_put(&f->clock[i], check_clock_with(f->clock[i], r.chain, r.number));
        check_clock_drop(known);
    }
    check_clock_drop(all.known);
    f->block = w->block_id;
    append(op, w, &r);
}

check_clock *check_release_all(worker *w, uint32_t chain, uint32_t number)
{
    const past all = past_now(w, FENCE_DEVICE);
    const struct check_release r = {
        .by = {all, all}, .thread = w->thread, .fenced = w->order.fenced, .chain = chain, .number = number};
    check_clock *known = check_clock_join(all.known, w->order.fenced ? w->order.block_known : NULL);
    check_clock *with = check_clock_with(known, chain, number);
    check_clock_drop(known);
    check_clock_drop(all.known);
    append(w->op, w, &r);
    return with;
}

/* The lock is taken even where nothing has been released yet: another worker's first release may come between this and
 * the access itself, which then reads what that release wrote. */
void check_strong_begin(worker *w) { check_order_lock(w->op); }

void check_strong_end(worker *w, check_strong *s, int read, int write)
{
    const struct check_flag *f = read ? check_flag_at(w, s->a, 0) : NULL;
    if (f) {
        observe(w, f, s);
        flag_seen(w, f);
    }
    if (write)
        written(w, s, read);
    else if (s->narrow)
        check_flag_at(w, s->a, 1)->narrow_reader = w->block_id + 1;
    check_order_unlock(w->op);
    if (write && s->orders)
        check_next_epoch(w);
}

int check_has_fenced(const worker *w)
{
    return w->order.fenced || (w->order.sync && w->order.sync[w->thread & 1023].fence[NARROW].scope);
}

int check_narrow_elsewhere(worker *w, uintptr_t a, int write)
{
    if (!w->op->flags)
        return 0;
    check_order_lock(w->op);
    const struct check_flag *f = check_flag_at(w, a, 0);
    int narrow = f && (f->narrow || (write && f->narrow_reader && f->narrow_reader != w->block_id + 1));
    check_order_unlock(w->op);
    return narrow;
}
