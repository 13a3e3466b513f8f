/* region.c: what the compiler's code for regions calls. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "regions/bulk.h"
#include "cpudev_must.h"
#include "counters/counters.h"
#include "race/order.h"
#include "core/hooks.h"
#include "core/tools.h"
#include "core/worker.h"

int check_bulk_off; // CUDA_CPU_BULK=0

static unsigned long regions_plain; // run without callbacks

unsigned long check_regions_plain(void) { return regions_plain; }

void check_bulk_block_end(void)
{
    if (!check_B || !check_B->hits)
        return;
    __atomic_add_fetch(&regions_plain, check_B->hits, __ATOMIC_RELAXED);
    check_B->hits = 0;
}

static region *region_of(worker *w, bulk_worker *b, cpudev_bulk *r)
{
    static int numbers;
    int number = __atomic_load_n(&r->number, __ATOMIC_RELAXED);
    if (unlikely(!number)) {
        int none = 0;
        number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
        if (!__atomic_compare_exchange_n(&r->number, &none, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            number = none;
    }
    if (number >= MOST_REGIONS)
        return NULL;
    region *g = b->regions[number];
    if (!g)
        g = b->regions[number] = must(calloc(1, sizeof *g));
    if (g->op != w->op->id || g->cells != w->area[1].cells) {
        for (int i = 0; i < g->count; i++)
            check_bulk_forget(g->list[i]);
        memset(g, 0, sizeof *g);
        g->op = w->op->id;
        g->cells = w->area[1].cells;
    }
    return g;
}

static sequence *sequence_of(const worker *w, bulk_worker *b)
{
    sequence *s = &b->sequence;
    if (s->op != w->op->id)
        s->known = 0;
    if (s->op != w->op->id || s->block != w->first_epoch)
        s->gone = s->put = 0;
    s->op = w->op->id;
    s->block = w->first_epoch;
    return s;
}

static int known_well(worker *w, bulk_worker *b, footprint *f)
{
    if (unlikely(check_hooks.instruction != NULL) && f->delta_count)
        return SLOW; // the counts of shared memory are sums, and each instruction is asked for
    const sequence *s = sequence_of(w, b);
    const int untouched = w->region.shared_epoch != w->epoch && w->region.print_epoch != w->epoch; // since the barrier
    // In a block in which it has been found clear and put once, all that it reads is written. If nothing else has
    // touched shared memory since the barrier it is clear again, and need not be put unless something does.
    if (only_counting() || !f->run_count || (f->block == w->first_epoch && untouched))
        b->clear = BY_ITSELF;
    else if (untouched && w->region.shared_epoch < w->first_epoch && s->gone < s->known &&
             s->step[s->gone].print == f && !w->cluster.in) // whose blocks look at each other's shadow
        b->clear = BY_SEQUENCE;
    else {
        if (w->region.deferred)
            check_footprints_put(w);
        if (!check_footprint_clear(w, f)) {
            b->now->misses++;
            return SLOW;
        }
        b->clear = BY_LOOK;
    }
    my_segment(w);
    return PLAIN;
}

// The region leaves its footprint, in the shadow or to be put there when something else touches it.
static void leave(worker *w, bulk_worker *b, footprint *f)
{
    sequence *s = &b->sequence;
    if (!f->run_count)
        return;
    w->region.print_epoch = w->epoch;
    if (b->clear == BY_ITSELF) {
        w->region.lazy = f;
        w->region.deferred = 1;
        return;
    }
    f->block = w->first_epoch;
    if (b->clear == BY_SEQUENCE) {
        s->step[s->gone++].epoch = w->epoch;
        w->region.deferred = 1;
        return;
    }
    check_footprint_put(w, f, w->epoch);
    if (w->region.shared_epoch < w->first_epoch && s->gone < MOST_STEPS) {
        s->step[s->gone++].print = f;
        s->known = s->put = s->gone;
    }
}

int cpudev_region(cpudev_bulk *r, unsigned block_x, unsigned long k0, unsigned long k1, unsigned long k2,
                  unsigned long k3)
{
    worker *w = &check_self;
    bulk_worker *b = check_B;
    if (!b)
        b = check_B = must(calloc(1, sizeof *b));
    const unsigned all = TOOL_MEM | TOOL_RACE | TOOL_INIT | TOOL_HOST;
    if (check_bulk_off || counters_followed || w->busy || w->held.open || w->apart || block_x > 0xfffff ||
        w->op->killed || w->threads > 1024 || (!only_counting() && (check_tools & all) != all))
        return SLOW;
    region *g = region_of(w, b, r);
    if (!g || g->misses > 16 + 4 * g->hits)
        return SLOW;
    const uint64_t key[4] = {k0, k1, k2, k3};
    footprint *f = NULL;
    for (int i = 0; i < g->count && !f; i++)
        if (!memcmp(g->list[i]->key, key, sizeof key))
            f = g->list[i];
    if (!f) {
        if (g->count == FOOTPRINTS) {
            g->misses++;
            return SLOW;
        }
        f = g->list[g->count++] = must(calloc(1, sizeof *f));
        memcpy(f->key, key, sizeof key);
        return SLOW;
    }
    b->now = g;
    b->print = f;
    b->sites = r->sites;
    b->row_count = b->rows_seen = 0;
    if (f->state == GIVEN_UP)
        return SLOW;
    if (f->state == KNOWN_WELL)
        return known_well(w, b, f);
    if (w->region.deferred)
        check_footprints_put(w);
    b->failed = w->region.failed = 0;
    b->touches = 0;
    b->serial++;
    b->epoch = w->epoch;
    w->region.recording = REGION_RECORDED;
    set_key(w);
    memset(b->site, 0, sizeof b->site);
    b->mixed = 0;
    if (r->sites) {
        memset(b->said, 0, sizeof b->said);
        memset(b->once, 0, sizeof b->once);
        memset(b->seen, 0, sizeof b->seen);
    }
    if (check_tools & TOOL_COUNTERS)
        counters_record(NULL, 0);
    return RECORD;
}

unsigned long *cpudev_region_addresses(void) { return check_B->at; }

static void touch_recorded(const worker *w, bulk_worker *b, int n, int site, size_t bytes, int write)
{
    uint64_t row = 0;
    int again = 0;
    for (uint32_t t = 0; t < w->threads; t++)
        row = (row + b->at[t]) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++)
        again |= i != site && b->site[i].a && b->site[i].row == row && b->site[i].write == write && !b->site[i].again;
    if (b->site[site].calls++ && b->site[site].again != again)
        b->mixed = 1;
    b->site[site].row = row;
    b->site[site].again = again;
    for (uint32_t t = 0; t < w->threads; t++) {
        if (!b->at[t])
            continue;
        uint64_t x = check_mixed(b->at[t], bytes, write);
        b->said[t] += x;
        if (!again)
            b->once[t] += x;
        if (b->site[site].a)
            continue;
        b->site[site].a = b->at[t];
        b->site[site].thread = t;
        b->site[site].write = write;
    }
}

// What site number `site` accesses: for each thread an address, or 0.
_Bool cpudev_region_touch(cpudev_bulk *r, int site, size_t bytes, int write)
{
    worker *w = &check_self;
    bulk_worker *b = check_B;
    footprint *f = b->print;
    if (w->region.recording) {
        touch_recorded(w, b, r->sites, site, bytes, write);
        return 1;
    }
    if (f->site[site].again)
        return 1;
    void *pc = f->site[site].pc;
    if (unlikely(!pc)) { // no thread came here when it was recorded
        for (uint32_t t = 0; t < w->threads; t++)
            if (b->at[t]) {
                f->state = SEEN_ONCE;
                return 0;
            }
        return 1;
    }
    if (check_tools & ~TOOL_COUNTERS && !check_touch_rows(w, b, bytes, write, r->writes, pc))
        return 0;
    if (check_tools & TOOL_COUNTERS)
        counters_row(b->at, w->threads, (unsigned)bytes, write, pc);
    return 1;
}

// The region is not to be run without callbacks.
int cpudev_region_not(cpudev_bulk *r)
{
    worker *w = &check_self;
    bulk_worker *b = check_B;
    (void)r;
    if (check_tools & TOOL_COUNTERS)
        counters_rows_done(0);
    b->now->misses++;
    w->region.recording = 0;
    set_key(w);
    return SLOW;
}

int cpudev_region_plain(cpudev_bulk *bulk)
{
    footprint *f = check_B->print;
    // A row of this region, or another OS thread since the look, may have put a conflicting access there. What is on
    // record by then remains: the threads are about to make these accesses, and their callbacks judge them.
    for (const row *r = check_B->rows; r < check_B->rows + check_B->row_count; r++)
        if (unlikely(!check_row_put(&check_self, r)))
            return cpudev_region_not(bulk);
    leave(&check_self, check_B, f);
    if (check_tools & TOOL_COUNTERS)
        counters_rows_done(1);
    if (f->delta_count)
        counters_replay(f->deltas, f->delta_count);
    check_B->now->hits++;
    check_B->hits++;
    check_self.region.recording = REGION_PLAIN;
    set_key(&check_self);
    return PLAIN;
}

void cpudev_region_end(cpudev_bulk *r)
{
    worker *w = &check_self;
    bulk_worker *b = check_B;
    int recording = w->region.recording;
    if (!recording)
        return;
    footprint *f = b->print;
    w->region.recording = 0;
    if (recording == REGION_PLAIN) {
        set_key(w);
        return;
    }
    if (w->region.failed || w->busy || w->epoch != b->epoch)
        b->failed = 1;
    // All addresses must be those that the callbacks saw; or all but those of accesses that the compiler made one.
    int each = !memcmp(b->said, b->seen, sizeof b->said);
    if (r->sites && !each && (b->mixed || memcmp(b->once, b->seen, sizeof b->once)))
        b->failed = 1;
    for (int i = 0; i < r->sites; i++) {
        f->site[i].again = !each && b->site[i].again;
        f->site[i].pc = b->site[i].pc;
        if (b->site[i].a && !f->site[i].again && !f->site[i].pc)
            b->failed = 1;
    }
    set_key(w);
    counters_delta *deltas = NULL;
    int count = check_tools & TOOL_COUNTERS ? counters_record(&deltas, 1) : 0;
    if (b->failed) {
        free(deltas);
        if (++f->misses == 3)
            f->state = GIVEN_UP;
        return;
    }
    free(f->deltas);
    f->deltas = deltas;
    f->delta_count = count;
    check_recorded(w, b, f);
    f->state = KNOWN_WELL;
}
