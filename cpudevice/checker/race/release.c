/* release.c: fences and strong accesses: what threads release, and what they come to see.
 *
 * A release is seen by threads of the same block, of other blocks, and of kernels that run beside its own, on the same
 * device or on another. The flags in global memory are therefore those of all operations. What the end of an operation
 * has seen of others is known to all that come after it, as its own accesses are. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "race/clock.h"
#include "cpudev_must.h"
#include "core/operation.h"
#include "race/links.h"
#include "race/peers.h"
#include "race/release.h"
#include "memory/area.h"
#include "observe/observer.h"
#include "core/worker.h"

/* ---- words ---- */

/* Shared memory has the same addresses in every block that an OS thread runs. */
static uintptr_t key_of(worker *w, uintptr_t a)
{
    const worker *of = is_shared(w, a) ? w : check_is_remote(w, a) ? check_owner(w, a) : NULL;
    return of ? a ^ ((uintptr_t)of->block_id + 1) << 48 : a;
}

int check_order_locked;

static struct check_words global_words;

static struct check_flag *flag_at(const struct check_words *f, uintptr_t key)
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
    f = must(calloc(1, sizeof *f));
    __atomic_store_n(&op->flags, f, __ATOMIC_RELEASE);
}

void check_words_free(struct check_words *words)
{
    for (uint32_t i = 0; i < words->room; i++)
        for (int k = 0; k < LEVELS; k++)
            check_clock_drop(words->of[i].clock[k]);
    free(words->of);
    *words = (struct check_words){0};
}

void check_words_forget(void) { check_words_free(&global_words); }

struct check_flag *check_flag_at(worker *w, uintptr_t a, int make)
{
    const uintptr_t key = key_of(w, a);
    if (make)
        check_flags_make(w->op);
    struct check_words *f = key == a && !is_shared(w, a) ? &global_words : w->op->flags ? &w->op->flags->shared : NULL;
    if (!f || (!f->room && !make))
        return NULL;
    struct check_flag *at = f->room ? flag_at(f, key) : NULL;
    if (at && (at->key || !make))
        return at->key ? at : NULL;
    if (2 * f->count++ >= f->room) {
        const struct check_words old = *f;
        f->room = f->room ? 2 * f->room : 64;
        f->of = must(calloc(f->room, sizeof *f->of));
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

/* A block of all operations'. */
static uint64_t who(const worker *w) { return (uint64_t)w->op->id << 32 | w->block_id; }

static int device_of(const check_op *op) { return (int)(op->d.stream >> STREAM_DEVICE_SHIFT); }

int check_level(const worker *w, const check_op *op, uint32_t block)
{
    if (op == w->op)
        return block == w->block_id ? NARROW : WIDE;
    return !op || device_of(op) == device_of(w->op) ? WIDE : FAR;
}

struct check_thread_sync *check_my_sync(worker *w)
{
    if (!w->order.sync)
        w->order.sync = must(calloc(1024, sizeof *w->order.sync));
    return &w->order.sync[w->thread & 1023];
}

/* But for what the thread knows. */
static past epochs_now(const worker *w, int scope)
{
    return (past){w->epoch + 1, w->barrier_epoch, w->order.full_sync[w->thread / 32 & 31], scope, NULL};
}

static past past_now(worker *w, int scope)
{
    struct check_thread_sync *s = check_my_sync(w);
    past p = epochs_now(w, scope);
    p.known = check_clock_join(w->order.block_known, s->known);
    check_clock_add(&p.known, check_inherited(w->op));
    return p;
}

void check_fence_passed(worker *w, int scope)
{
    check_look_was_last(w);
    struct check_thread_sync *s = check_my_sync(w);
    check_order_lock();
    for (int i = NARROW; i <= scope - FENCE_BLOCK; i++) { /* as far as the fence reaches */
        check_clock_add(&s->known, s->observed[i]);
        check_clock_put(&s->observed[i], NULL);
    }
    for (int i = NARROW; i <= scope - FENCE_BLOCK; i++) {
        check_clock_drop(s->fence[i].known);
        s->fence[i] = past_now(w, scope);
    }
    w->order.fences[w->thread >> 3 & 127] |= (uint8_t)(1 << (w->thread & 7));
    if (!w->order.fences_scope || scope < w->order.fences_scope)
        w->order.fences_scope = scope;
    check_order_unlock();
    check_next_epoch(w);
}

/* Who has written a flag, and which flags a thread has seen, from the operation's first volatile write on: passed.c
 * asks for it. */
static void flag_written(worker *w, struct check_flag *f, int is_volatile)
{
    f->last = (check_written){w->op->id, w->block_id, w->thread, ++w->op->flags->writes, is_volatile};
}

static void flag_seen(worker *w, const struct check_flag *f)
{
    if (!f->last.at || f->last.op != w->op->id || f->last.block == w->block_id)
        return;
    struct check_thread_sync *me = check_my_sync(w);
    int i = 0;
    while (i < WRITES_SEEN &&
           (me->seen[i].op != f->last.op || me->seen[i].block != f->last.block || me->seen[i].thread != f->last.thread))
        i++;
    if (i == WRITES_SEEN)
        i = (int)(me->next_seen++ % WRITES_SEEN);
    else if (me->seen[i].at > f->last.at)
        return;
    me->seen[i] = f->last;
}

void check_look_was_last(worker *w)
{
    if (!w->strong.looked.clock)
        return;
    check_order_lock();
    check_clock_add(w->strong.looked.to, w->strong.looked.clock);
    check_clock_put(&w->strong.looked.clock, NULL);
    check_order_unlock();
}

static void observe(worker *w, const struct check_flag *f, const check_strong *s)
{
    struct check_thread_sync *me = check_my_sync(w);
    const int level = check_level(w, check_op_by_id(f->op), f->block);
    if (level != NARROW && s->narrow)
        return;
    if (f->chain && f->op != w->op->id)
        check_flags_make(w->op);
    check_clock **to = s->acquires ? &me->known : &me->observed[level];
    if (!s->load) {
        check_clock_add(to, f->clock[level]);
        return;
    }
    w->strong.looked.clock = check_clock_keep(f->clock[level]);
    w->strong.looked.to = to;
    w->strong.looked.a = s->a;
    w->strong.looked.pc = s->load;
    w->strong.looked.thread = w->thread;
    if (f->clock[level]) {
        w->busy = 1;
        look_at_all(w);
    }
}

static struct check_chain_last *chain_slot(const check_block_sync *s, uint32_t chain)
{
    for (uint32_t h = chain * 0x9e3779b1u >> 8;; h++) {
        struct check_chain_last *at = &s->of[h & (s->room - 1)];
        if (!at->chain || at->chain == chain)
            return at;
    }
}

/* The chain's last release by the block, whose next one takes that place in the list. */
static uint32_t last_of_chain(check_block_sync *s, uint32_t chain, uint32_t place)
{
    if (2 * s->chains >= s->room) {
        const check_block_sync old = *s;
        s->room = s->room ? 2 * s->room : 4;
        s->of = must(calloc(s->room, sizeof *s->of));
        for (uint32_t i = 0; i < old.room; i++)
            if (old.of[i].chain)
                *chain_slot(s, old.of[i].chain) = old.of[i];
        free(old.of);
    }
    struct check_chain_last *at = chain_slot(s, chain);
    const uint32_t before = at->last;
    s->chains += !at->chain;
    *at = (struct check_chain_last){chain, place};
    return before;
}

/* To the end of the block's list, where order.c counts on two things: the epochs of a worker only grow, so that `until`
 * never falls along the list, and no fence or barrier whose past the release publishes was later than now; the numbers
 * of a chain only grow. */
static void append(check_op *op, const worker *w, const struct check_release *r)
{
    if (!op->sync)
        op->sync = must(calloc(op->grid_blocks ? op->grid_blocks : 1, sizeof *op->sync));
    if (w->block_id >= op->grid_blocks)
        return;
    check_block_sync *s = op->sync[w->block_id];
    if (!s)
        s = op->sync[w->block_id] = must(calloc(1, sizeof *s));
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 4;
        s->list = realloc(s->list, s->capacity * sizeof *s->list);
        if (!s->list)
            out_of_memory();
    }
    struct check_release *to = &s->list[s->count++];
    *to = *r;
    to->until = w->epoch + 1;
    to->before = last_of_chain(s, r->chain, s->count);
    if (to->before)
        s->list[to->before - 1].after = s->count;
    op->releases++;
}

/* What a strong write of the running thread would release, without its place in a chain. `all` is its whole past. */
static struct check_release release_of(const worker *w, const check_strong *s, past all)
{
    const struct check_thread_sync *me = w->order.sync ? &w->order.sync[w->thread & 1023] : NULL;
    struct check_release r = {.thread = w->thread, .fenced = w->order.fenced, .narrow = s->narrow};
    for (int i = 0; i < LEVELS; i++)
        if (i == NARROW || !s->narrow)
            r.by[i] = s->orders ? all : me ? me->fence[i] : (past){0};
    return r;
}

struct check_release check_release_now(const worker *w, const check_strong *s)
{
    return release_of(w, s, epochs_now(w, FENCE_SYSTEM));
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
        for (int i = 0; i < LEVELS; i++)
            check_clock_put(&f->clock[i], NULL);
        f->chain = 0;
    }
    if (!releases)
        return;
    check_flags_make(op);
    if (!f->chain || f->op != op->id) {
        f->chain = check_chain_new(op);
        f->number = 0;
    }
    past all = s->orders ? past_now(w, FENCE_SYSTEM) : (past){0};
    struct check_release r = release_of(w, s, all);
    r.chain = f->chain;
    r.number = ++f->number;
    for (int i = 0; i < LEVELS; i++) {
        const int all_fenced =
            w->order.fenced && (i == NARROW || (w->order.fenced->scope >= FENCE_BLOCK + i && !s->narrow));
        check_clock *known =
            check_clock_join(r.by[i].scope ? r.by[i].known : NULL, all_fenced ? w->order.block_known : NULL);
        check_clock_add(&f->clock[i], known);
        check_clock_put(&f->clock[i], check_clock_with(f->clock[i], r.chain, r.number));
        check_clock_drop(known);
    }
    check_clock_drop(all.known);
    f->op = op->id;
    f->block = w->block_id;
    append(op, w, &r);
}

check_clock *check_release_all(worker *w, uint32_t chain, uint32_t number)
{
    const past all = past_now(w, FENCE_SYSTEM);
    const struct check_release r = {
        .by = {all, all, all}, .thread = w->thread, .fenced = w->order.fenced, .chain = chain, .number = number};
    check_clock *known = check_clock_join(all.known, w->order.fenced ? w->order.block_known : NULL);
    check_clock *with = check_clock_with(known, chain, number);
    check_clock_drop(known);
    check_clock_drop(all.known);
    append(w->op, w, &r);
    return with;
}

/* The lock is taken even where nothing has been released yet: another worker's first release may come between this and
 * the access itself, which then reads what that release wrote. */
void check_strong_begin(worker *w) { check_order_lock(); }

void check_strong_end(worker *w, check_strong *s, int read, int write)
{
    const struct check_flag *f = read ? check_flag_at(w, s->a, 0) : NULL;
    check_clock_put(&w->strong.looked.clock, NULL); /* of the same load, which was in vain: see access_at() */
    if (f) {
        observe(w, f, s);
        flag_seen(w, f);
    }
    if (write)
        written(w, s, read);
    else if (s->narrow)
        check_flag_at(w, s->a, 1)->narrow_reader = who(w);
    check_order_unlock();
    if (write && s->orders)
        check_next_epoch(w);
}

void check_seen_late(worker *w, uintptr_t a)
{
    if (!w->in_kernel || !w->op)
        return;
    check_order_lock();
    const struct check_flag *f = check_flag_at(w, a, 0);
    if (f && f->chain && f->op != w->op->id)
        observe(w, f, &(check_strong){.a = a});
    check_order_unlock();
}

int check_has_fenced(const worker *w)
{
    return w->order.fenced || (w->order.sync && w->order.sync[w->thread & 1023].fence[NARROW].scope);
}

int check_narrow_elsewhere(worker *w, uintptr_t a, int write)
{
    check_order_lock();
    const struct check_flag *f = check_flag_at(w, a, 0);
    int narrow = f && (f->narrow || (write && f->narrow_reader && f->narrow_reader != who(w)));
    check_order_unlock();
    return narrow;
}
