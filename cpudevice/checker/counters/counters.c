/* counters.c: counting.
 *
 * The threads of a warp run one after the other, so a warp's instruction is put together afterwards: the k-th visit of
 * one return address by each lane is one instruction. Visits are matched between barriers, at which all lanes stand
 * together again.
 *
 * Most instructions of one place in the code have the same pattern: their lanes lie as far apart as they did the last
 * time. So a place keeps one pattern, an instruction its base and the lanes that came, and what has been counted for a
 * pattern is not counted again. Only an instruction that departs from the pattern gets 32 offsets of its own. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "counters/counters.h"
#include "core/hooks.h"
#include "cpudev_must.h"
#include "counters/counters_instruction.h"
#include "counters/counters_launches.h"
#include "counters/counters_units.h"
#include "core/operation.h"
#include "core/tools.h"

__thread bool counters_followed;

enum { MAX_SITES = 1024, SLOTS = 4096 };

// A place in the code. What one warp touches lies together; the size is no
// power of two, so that the places of a loop do not share cache sets.
typedef struct site {
    uintptr_t key;
    int kind, shared;
    unsigned bytes;
    pattern usual;
    struct {
        uint32_t active, phase;
        sums s;
    } counted; // the pattern's last count: for these lanes, with this base % 32
    sums total;
    sums rows; // of a region that may yet run with its callbacks
    struct warp_visits {
        uint32_t lane[32]; // how often each lane has been here
        group *g;          // its instructions since the last barrier
        uint32_t count, capacity;
        group few[3]; // g at first
    } warp[32];
} site;

typedef struct counter_worker {
    site **sites;
    int count;
    site *slot[SLOTS]; // by return address
    check_op *op;
    uint32_t threads;
    pattern *own; // patterns of groups that depart from their site's, until the next barrier
    uint32_t owns, own_capacity;
    sums shared[KINDS], global[KINDS];
    uint64_t barriers;
    uint64_t under_way; // copies of cp.async that a wait left under way
    site *rows[16];     // sites with such sums
    int with_rows;
    struct counter_worker *next;
} counter_worker;

static __thread counter_worker *C;

static inline void count(const site *s, const group *g, const int32_t *off, sums *one)
{
    count_instruction(g, off, s->bytes, s->shared, s->kind == KIND_ATOM, one);
}

static void work_off(const counter_worker *c, site *s)
{
    const pattern *last = NULL;
    for (struct warp_visits *w = s->warp; w < s->warp + (c->threads + 31) / 32; w++) {
        if (!w->count)
            continue;
        for (group *g = w->g; g < w->g + w->count; g++) {
            sums one;
            uint32_t phase = g->base & 31; // sectors depend on it; to the banks a shift of all words means nothing
            if (g->own) {
                last = &c->own[g->own - 1];
                count(s, g, last->off, &one);
                check_sums_add(&s->total, &one);
            } else {
                if (s->counted.active != g->active || s->counted.phase != phase) {
                    s->counted.active = g->active;
                    s->counted.phase = phase;
                    count(s, g, s->usual.off, &s->counted.s);
                }
                check_sums_add(&s->total, &s->counted.s);
            }
            g->active = g->own = 0;
        }
        w->count = 0;
        memset(w->lane, 0, sizeof w->lane);
    }
    if (last) { // perhaps the next ones are like it
        s->usual = *last;
        s->counted.active = 0;
    }
}

static void flush_all(counter_worker *c)
{
    for (int i = 0; i < c->count; i++)
        work_off(c, c->sites[i]);
    c->owns = 0;
}

static __attribute__((noinline)) site *site_new(uintptr_t key, unsigned bytes, int kind, int shared)
{
    site *s = must(calloc(1, sizeof *s));
    s->key = key;
    s->bytes = bytes;
    s->kind = kind;
    s->shared = shared;
    for (int w = 0; w < 32; w++) {
        s->warp[w].g = s->warp[w].few;
        s->warp[w].capacity = sizeof s->warp[w].few / sizeof *s->warp[w].few;
    }
    return s;
}

static __attribute__((noinline)) void more_groups(struct warp_visits *w)
{
    group *old = w->g == w->few ? NULL : w->g;
    w->g = must(realloc(old, 2 * w->capacity * sizeof *w->g));
    if (!old)
        memcpy(w->g, w->few, sizeof w->few);
    memset(w->g + w->capacity, 0, w->capacity * sizeof *w->g);
    w->capacity *= 2;
}

static inline site *site_of(counter_worker *c, uintptr_t key, unsigned bytes, int kind, int shared)
{
    for (unsigned h = ((uint32_t)(key ^ key >> 40) * 2654435761u >> 20) + (unsigned)shared;; h++) {
        unsigned k = h & (SLOTS - 1);
        if (unlikely(!c->slot[k])) {
            if (c->count == MAX_SITES)
                return NULL;
            c->slot[k] = c->sites[c->count++] = site_new(key, bytes, kind, shared);
        }
        site *s = c->slot[k];
        if (likely(s->key == key && s->shared == shared && s->kind == kind)) // memcpy loads and stores at one place
            return s;
    }
}

static __attribute__((noinline)) void depart(counter_worker *c, const site *s, group *g, unsigned lane, uintptr_t a)
{
    if (!g->own) {
        if (c->owns == c->own_capacity) {
            c->own_capacity = c->own_capacity ? 2 * c->own_capacity : 256;
            c->own = must(realloc(c->own, c->own_capacity * sizeof *c->own));
        }
        c->own[c->owns] = s->usual;
        g->own = ++c->owns;
    }
    intptr_t d = (intptr_t)(a - g->base);
    if (d != (int32_t)d)
        d = INT32_MAX & ~(intptr_t)31; // two allocations far apart: another sector in any case
    c->own[g->own - 1].off[lane] = (int32_t)d;
}

// A struct: the pieces nvcc would make of it, each of which counts at a place of its own.
static unsigned piece_of(uintptr_t a, unsigned bytes)
{
    if (bytes % 16 == 0 && bytes > 16 && a % 16 == 0 && bytes < 64)
        return 16;
    return bytes % 4 == 0 && a % 4 == 0 ? 4 : bytes % 2 == 0 && a % 2 == 0 ? 2 : 1;
}

static void *place_of_piece(void *pc, unsigned i) { return (void *)((uintptr_t)pc | (uintptr_t)(1 + i) << 48); }

static __attribute__((noinline)) void pieces(uint32_t thread, uintptr_t a, unsigned bytes, int write, int atomic,
                                             int shared, void *pc)
{
    const unsigned piece = piece_of(a, bytes);
    for (unsigned i = 0; i < bytes; i += piece)
        counters_access(thread, a + i, piece, write, atomic, shared, place_of_piece(pc, i / piece));
}

void counters_unit_access(uint32_t thread, uintptr_t a, unsigned bytes, int write, void *pc)
{
    const unsigned piece = piece_of(a, bytes);
    for (unsigned i = 0; counters_followed && i < bytes; i += piece)
        check_hooks.access(thread, a + i, piece, write ? KIND_ST : KIND_LD, 0, place_of_piece(pc, i / piece));
}

void counters_access(uint32_t thread, uintptr_t a, unsigned bytes, int write, int atomic, int shared, void *pc)
{
    counter_worker *c = C;
    if (unlikely(!c))
        return;
    if (unlikely(bytes & (bytes - 1) || bytes > 16)) {
        pieces(thread, a, bytes, write, atomic, shared, pc);
        return;
    }
    site *s = site_of(c, (uintptr_t)pc, bytes, atomic ? KIND_ATOM : write ? KIND_ST : KIND_LD, shared);
    if (!s)
        return;
    if (unlikely(counters_followed))
        check_hooks.access(thread, a, bytes, s->kind, shared, pc);
    unsigned warp = thread / 32, lane = thread % 32;
    struct warp_visits *w = &s->warp[warp];
    uint32_t v = w->lane[lane]++;
    if (unlikely(v >= w->capacity))
        more_groups(w);
    group *g = &w->g[v];
    if (v >= w->count)
        w->count = v + 1;
    if (!g->active)
        g->base = a - (uintptr_t)(intptr_t)s->usual.off[lane];
    else if (g->own || a != g->base + (uintptr_t)(intptr_t)s->usual.off[lane])
        depart(c, s, g, lane, a);
    g->active |= 1u << lane;
}

void counters_row(const unsigned long *at, uint32_t threads, unsigned bytes, int write, void *pc)
{
    counter_worker *c = C;
    site *s = c ? site_of(c, (uintptr_t)pc, bytes, write ? KIND_ST : KIND_LD, 0) : NULL;
    for (uint32_t t = 0; s && t < threads; t += 32, at += 32) {
        uint32_t lanes = threads - t < 32 ? threads - t : 32;
        group g = {0};
        for (unsigned l = 0; l < lanes; l++)
            g.active |= (uint32_t)(at[l] != 0) << l;
        if (!g.active)
            continue;
        unsigned first = (unsigned)__builtin_ctz(g.active);
        g.base = at[first] - (uintptr_t)(intptr_t)s->usual.off[first];
        int departs = 0;
        for (unsigned l = 0; l < lanes; l++)
            departs |= at[l] && at[l] != g.base + (uintptr_t)(intptr_t)s->usual.off[l];
        if (departs) {
            for (uint32_t m = g.active; m; m &= m - 1) {
                unsigned l = (unsigned)__builtin_ctz(m);
                intptr_t d = (intptr_t)(at[l] - g.base);
                s->usual.off[l] = d == (int32_t)d ? (int32_t)d : INT32_MAX & ~31;
            }
            s->counted.active = 0;
        }
        uint32_t phase = g.base & 31;
        if (s->counted.active != g.active || s->counted.phase != phase) {
            s->counted.active = g.active;
            s->counted.phase = phase;
            count(s, &g, s->usual.off, &s->counted.s);
        }
        check_sums_add(&s->rows, &s->counted.s);
    }
    for (int i = 0; s && i <= c->with_rows && i < 16; i++) {
        if (i == c->with_rows)
            c->rows[c->with_rows++] = s;
        if (c->rows[i] == s)
            break;
    }
}

void counters_rows_done(int keep)
{
    counter_worker *c = C;
    for (; c && c->with_rows; c->with_rows--) {
        site *s = c->rows[c->with_rows - 1];
        if (keep)
            check_sums_add(&s->total, &s->rows);
        memset(&s->rows, 0, sizeof s->rows);
    }
}

struct counters_delta {
    site *s;
    sums d;
};

int counters_record(counters_delta **out, int end)
{
    static __thread sums *before;
    counter_worker *c = C;
    if (!c)
        return 0;
    flush_all(c);
    if (!end) {
        if (!before)
            before = must(calloc(MAX_SITES, sizeof *before));
        for (int i = 0; i < c->count; i++)
            before[i] = c->sites[i]->total;
        for (int i = c->count; i < MAX_SITES; i++)
            memset(&before[i], 0, sizeof before[i]);
        return 0;
    }
    counters_delta *d = *out = must(malloc((size_t)c->count * sizeof *d + 1));
    int n = 0;
    for (int i = 0; i < c->count; i++) {
        site *s = c->sites[i];
        if (!s->shared || s->total.instructions == before[i].instructions)
            continue;
        d[n].s = s;
        d[n++].d = (sums){.lanes = s->total.lanes - before[i].lanes,
                          .instructions = s->total.instructions - before[i].instructions,
                          .wavefronts = s->total.wavefronts - before[i].wavefronts,
                          .conflicts = s->total.conflicts - before[i].conflicts};
    }
    return n;
}

void counters_replay(const counters_delta *d, int n)
{
    for (; n; n--, d++)
        check_sums_add(&d->s->total, &d->d);
}

void counters_block_begin(check_op *op, uint32_t threads)
{
    counter_worker *c = C;
    if (!c) {
        c = C = must(calloc(1, sizeof *c));
        c->sites = must(calloc(MAX_SITES, sizeof *c->sites));
    }
    c->op = op;
    c->threads = threads;
    counters_units_begin();
}

void counters_barrier(void)
{
    counter_worker *c = C;
    if (!c)
        return;
    flush_all(c);
    c->barriers += (c->threads + 31) / 32;
}

void cpudev_check_under_way(unsigned copies)
{
    if (C)
        C->under_way += copies;
}

void counters_block_end(void)
{
    counter_worker *c = C;
    if (!c)
        return;
    flush_all(c);
    launch *l = check_launch_begin(c->op);
    for (int i = 0; i < c->count; i++) {
        site *s = c->sites[i];
        if (!s->total.lanes)
            continue;
        if (check_hooks.counted)
            check_hooks.counted(s->key, s->kind, s->shared, s->bytes, &s->total);
        check_launch_add(l, s->key, s->kind, s->shared, s->bytes, &s->total);
        memset(&s->total, 0, sizeof s->total);
    }
    counters_units_end(l);
    l->barriers += c->barriers;
    l->under_way += c->under_way;
    check_launch_end();
    c->barriers = c->under_way = 0;
}

void counters_op_end(check_op *op) { (void)op; }
