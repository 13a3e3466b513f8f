/* counters.c: counting.
 *
 * The threads of a warp run one after the other, so a warp's instruction is put together afterwards: the k-th visit of
 * one return address by each lane, in the same round of each loop around it, is one instruction. Loops whose rounds matter
 * report them (compiler/emit/print_rounds.c). Visits are matched between barriers, at which all lanes stand together again.
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
#include "counters/counters_told.h"
#include "counters/counters_units.h"
#include "core/operation.h"
#include "core/tools.h"
#include "core/worker.h"

__thread bool counters_followed;
extern char __start_cpudev_text __attribute__((weak)), __stop_cpudev_text __attribute__((weak)); // the runtime's

enum { MAX_SITES = 1024, SLOTS = 4096, MAX_THREADS = 1024 };

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
        uint32_t lane[32]; // each lane's last instruction, index + 1
        group *g;          // its instructions since the last barrier
        uint32_t count, capacity;
        uint32_t *first, firsts, slots; // by round: the first instruction of it, index + 1; g[0] is not in it
        group few[3];                   // g at first
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
    uint32_t phase;     // barriers that the block has passed
    uint32_t loader;    // 1 + the thread that has loaded last, since the barrier
    uint32_t ordered;   // of the copies that land now, as in a group
    site *rows[16];     // sites with such sums
    int with_rows;
    uint64_t round[MAX_THREADS]; // of its loops and calls, in which each thread is
    uint64_t block_round;        // of loops around all threads
    struct counter_worker *next;
} counter_worker;

static __thread counter_worker *C;

static inline void count(const site *s, const group *g, const int32_t *off, sums *one)
{
    count_instruction(g, off, s->bytes, s->shared, s->kind == KIND_ATOM, one);
}

// What one instruction of the site has cost; and its lanes' offsets.
static inline const int32_t *count_one(const counter_worker *c, site *s, const group *g, sums *one)
{
    uint32_t phase = g->base & 31; // sectors depend on it; to the banks a shift of all words means nothing
    if (g->own) {
        const int32_t *off = c->own[g->own - 1].off;
        count(s, g, off, one);
        return off;
    }
    if (s->counted.active != g->active || s->counted.phase != phase) {
        s->counted.active = g->active;
        s->counted.phase = phase;
        count(s, g, s->usual.off, &s->counted.s);
    }
    *one = s->counted.s;
    return s->usual.off;
}

static void work_off(const counter_worker *c, site *s)
{
    const pattern *last = NULL;
    for (struct warp_visits *w = s->warp; w < s->warp + (c->threads + 31) / 32; w++) {
        if (!w->count)
            continue;
        for (group *g = w->g; g < w->g + w->count; g++) {
            sums one;
            if (g->own)
                last = &c->own[g->own - 1];
            count_one(c, s, g, &one);
            check_sums_add(&s->total, &one);
            g->active = g->own = g->next = g->ordered = 0;
        }
        w->count = 0;
        if (w->firsts)
            memset(w->first, 0, w->slots * sizeof *w->first);
        w->firsts = 0;
        memset(w->lane, 0, sizeof w->lane);
    }
    if (last) { // perhaps the next ones are like it
        s->usual = *last;
        s->counted.active = 0;
    }
}

static uint32_t visits_of(const counter_worker *c, const site *s)
{
    uint32_t most = 0;
    for (const struct warp_visits *w = s->warp; w < s->warp + (c->threads + 31) / 32; w++)
        most = w->count > most ? w->count : most;
    return most;
}

static void tell_visit(const counter_worker *c, site *s, uint32_t visit, told_instruction *told)
{
    for (uint32_t w = 0; w < (c->threads + 31) / 32; w++) {
        const group *g = &s->warp[w].g[visit];
        if (visit >= s->warp[w].count || !g->active)
            continue;
        told->off = count_one(c, s, g, &told->counted);
        told->base = g->base;
        told->ordered = g->ordered;
        told->active = g->active;
        told->warp = w;
        check_hooks.instruction(told);
    }
}

// All instructions since the last barrier, as if the warps went on side by side: a place that is passed less often has
// its turn as often as that.
static void tell_all(const counter_worker *c)
{
    uint32_t visits[MAX_SITES], steps = 0, stores = 0;
    for (int i = 0; i < c->count; i++) {
        visits[i] = visits_of(c, c->sites[i]);
        steps = visits[i] > steps ? visits[i] : steps;
        if (c->sites[i]->kind != KIND_LD && !c->sites[i]->shared && visits[i] > stores)
            stores = visits[i];
    }
    told_instruction told = {.stores_between = 2 * (uint64_t)stores > steps};
    for (told.step = 0; told.step < steps; told.step++)
        for (int i = 0; i < c->count; i++) {
            site *s = c->sites[i];
            told.bytes = s->bytes;
            told.kind = s->kind;
            told.shared = s->shared;
            uint32_t from = (uint32_t)((uint64_t)told.step * visits[i] / steps),
                     to = (uint32_t)((uint64_t)(told.step + 1) * visits[i] / steps);
            for (uint32_t v = from; v < to; v++)
                tell_visit(c, s, v, &told);
        }
}

static void flush_all(counter_worker *c)
{
    if (unlikely(check_hooks.instruction != NULL))
        tell_all(c);
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

// Where the index of the first instruction of the round is, or will be.
static uint32_t *first_of(const struct warp_visits *w, uint64_t round)
{
    uint32_t k = (uint32_t)((round * 0x9e3779b97f4a7c15u) >> 32);
    while (w->first[k & (w->slots - 1)] && w->g[w->first[k & (w->slots - 1)] - 1].round != round)
        k++;
    return &w->first[k & (w->slots - 1)];
}

static void more_rounds(struct warp_visits *w)
{
    uint32_t *old = w->first, slots = w->slots;
    w->slots = slots ? 2 * slots : 64;
    w->first = must(calloc(w->slots, sizeof *w->first));
    for (uint32_t i = 0; i < slots; i++)
        if (old[i])
            *first_of(w, w->g[old[i] - 1].round) = old[i];
    free(old);
}

// The lane's next instruction of the round, where it is not the one after its last: index + 1.
static __attribute__((noinline)) uint32_t instruction_of(struct warp_visits *w, unsigned lane, uint64_t round)
{
    const uint32_t last = w->lane[lane];
    uint32_t *link, begin = w->count != 0;
    bool first = false;
    if (last && w->g[last - 1].round == round)
        link = &w->g[last - 1].next;
    else if (!w->count || w->g[0].round == round)
        link = &begin;
    else {
        if (2 * w->firsts >= w->slots)
            more_rounds(w);
        link = first_of(w, round);
        first = !*link;
        w->firsts += first;
    }
    for (; *link; link = &w->g[*link - 1].next)
        if (!(w->g[*link - 1].active & 1u << lane))
            return *link;
    *link = w->count + 1;
    if (w->count == w->capacity)
        more_groups(w); // `link` may be in what it moves
    w->g[w->count].round = round;
    w->g[w->count].first = first;
    return ++w->count;
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
    const uint64_t round = c->round[thread];
    uint32_t v = w->lane[lane]; // in most cases the one after its last, and in the same round or that round's first
    if (unlikely(v >= w->count || w->g[v].round != round || w->g[v].active & 1u << lane ||
                 (v && w->g[v - 1].round != round && !w->g[v].first)))
        v = instruction_of(w, lane, round) - 1;
    w->lane[lane] = v + 1;
    group *g = &w->g[v];
    if (!g->active)
        g->base = a - (uintptr_t)(intptr_t)s->usual.off[lane];
    else if (g->own || a != g->base + (uintptr_t)(intptr_t)s->usual.off[lane])
        depart(c, s, g, lane, a);
    g->active |= 1u << lane;
    g->ordered = c->ordered;
    if (s->kind == KIND_LD && !c->ordered)
        c->loader = thread + 1;
}

// Keeps a warp's instruction of a row for an observer that hears of each one. Lanes off the site's pattern depart in this
// instruction alone, because the instructions that wait to be counted rely on the pattern.
static __attribute__((noinline)) void row_kept(counter_worker *c, site *s, uint32_t warp, group g,
                                               const unsigned long *at)
{
    struct warp_visits *w = &s->warp[warp];
    if (w->count == w->capacity)
        more_groups(w);
    for (uint32_t m = g.active; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctz(m);
        if (at[l] != g.base + (uintptr_t)(intptr_t)s->usual.off[l])
            depart(c, s, &g, l, at[l]);
    }
    w->g[w->count++] = g;
}

// Counts the instructions of the rows as visits of the lanes (keep), or takes them back.
static void rows_kept(const counter_worker *c, site *s, int keep)
{
    for (struct warp_visits *w = s->warp; w < s->warp + (c->threads + 31) / 32; w++) {
        uint32_t before = 0;
        for (int l = 0; l < 32; l++) {
            before = w->lane[l] > before ? w->lane[l] : before;
            w->lane[l] = keep ? w->count : w->lane[l];
        }
        if (keep)
            continue;
        memset(w->g + before, 0, (w->count - before) * sizeof *w->g);
        w->count = before;
    }
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
        if (unlikely(check_hooks.instruction != NULL)) {
            row_kept(c, s, t / 32, g, at);
            continue;
        }
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
        if (unlikely(check_hooks.instruction != NULL))
            rows_kept(c, s, keep);
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
    c->phase = c->loader = c->ordered = 0;
    c->block_round = 0;
    memset(c->round, 0, threads * sizeof *c->round); // a thread that was ended has left its loops without a word
    counters_units_begin();
}

unsigned long cpudev_check_round(void) { return C ? C->round[check_self.thread] : 0; }

// The runtime calls kernels from several places. Where g++ inlines them into what it calls (10 and older), a function that is
// inlined into a kernel returns to the runtime, too.
unsigned long cpudev_check_enter(unsigned long id, const void *back)
{
    if (!C)
        return 0;
    uint64_t *round = &C->round[check_self.thread], before = *round, at = (uintptr_t)back;
    if (at >= (uintptr_t)&__start_cpudev_text && at < (uintptr_t)&__stop_cpudev_text)
        at = 0;
    *round = (before ^ id ^ at << 16) * 0x9e3779b97f4a7c15u ^ before >> 31;
    return before;
}

void cpudev_check_block_round(void)
{
    if (!C)
        return;
    C->block_round++;
    for (uint32_t t = 0; t < C->threads; t++)
        C->round[t] = C->block_round * 0x9e3779b97f4a7c15u;
}

void cpudev_check_set_round(unsigned long round)
{
    if (C)
        C->round[check_self.thread] = round;
}

void counters_barrier(void)
{
    counter_worker *c = C;
    if (!c)
        return;
    flush_all(c);
    c->barriers += (c->threads + 31) / 32;
    c->phase++;
    c->loader = 0;
}

uint32_t counters_phase(void) { return C ? C->phase : 0; }

// A thread that has loaded since the barrier orders its copies when it has what it loaded: at the end of the phase.
unsigned cpudev_check_ordered(void)
{
    const counter_worker *c = C;
    return c ? 1 + c->phase + (c->loader == check_self.thread + 1) : 0;
}

void cpudev_check_landing(unsigned ordered)
{
    if (C)
        C->ordered = ordered;
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
