/* footprint.c: what a region leaves in the shadow of shared memory. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "regions/bulk.h"
#include "cpudev_must.h"
#include "race/record.h"
#include "core/worker.h"

static int by_cell(const void *a, const void *b)
{
    const first_touch *x = a, *y = b;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static record without_epoch(const worker *w, record r)
{
    return REC_SEG(r) >= w->barrier_epoch ? r & (((record)1 << 33) - 1) : 0;
}

void check_recorded(worker *w, bulk_worker *b, footprint *f)
{
    uint32_t n = b->touches;
    qsort(b->touched, n, sizeof *b->touched, by_cell);
    free(f->traces);
    free(f->runs);
    f->traces = must(malloc((n ? n : 1) * sizeof *f->traces));
    f->runs = must(malloc((n ? n : 1) * sizeof *f->runs));
    f->run_count = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct check_cell *c = b->touched[i].cell;
        trace_run *r = f->run_count ? &f->runs[f->run_count - 1] : NULL;
        f->traces[i] = (trace){without_epoch(w, c->w), without_epoch(w, c->r1), without_epoch(w, c->r2)};
        int written = f->traces[i].w != 0;
        if (r && r->cell + r->count == c && r->written == written && r->read_first == b->touched[i].read_first)
            r->count++;
        else
            f->runs[f->run_count++] = (trace_run){c, i, 1, written, b->touched[i].read_first};
    }
    b->sequence.known = 0; // which may have f as it was; this block has none
    b->sequence.gone = b->sequence.put = MOST_STEPS;
}

void check_bulk_forget(footprint *f)
{
    free(f->traces);
    free(f->runs);
    free(f->deltas);
    free(f);
}

int check_footprint_clear(const worker *w, const footprint *f)
{
    const record barrier = (record)w->barrier_epoch << 33, first = (record)w->first_epoch << 33;
    for (const trace_run *r = f->runs; r < f->runs + f->run_count; r++) {
        const record least = r->read_first ? first : 0;
        int bad = 0;
        for (const struct check_cell *c = r->cell; c < r->cell + r->count; c++)
            bad |= (c->w < least) | (c->w >= barrier) | (c->r1 >= barrier) | (c->r2 >= barrier) |
                   (c->byte_epoch >= w->first_epoch);
        if (bad)
            return 0;
    }
    return 1;
}

void check_footprint_put(worker *w, const footprint *f, uint32_t epoch)
{
    w->region.print_epoch = epoch;
    const record now = (record)epoch << 33;
    for (const trace_run *r = f->runs; r < f->runs + f->run_count; r++) {
        const trace *t = f->traces + r->first;
        struct check_cell *c = r->cell;
        if (r->written)
            for (uint32_t i = 0; i < r->count; i++) {
                c[i].w = t[i].w | now;
                c[i].r1 = t[i].r1 ? t[i].r1 | now : 0;
                c[i].r2 = t[i].r2 ? t[i].r2 | now : 0;
            }
        else
            for (uint32_t i = 0; i < r->count; i++) {
                c[i].r1 = t[i].r1 | now;
                c[i].r2 = t[i].r2 ? t[i].r2 | now : c[i].r2;
            }
    }
}

void check_footprints_put(worker *w)
{
    sequence *s = &check_B->sequence;
    for (; s->put < s->gone; s->put++)
        check_footprint_put(w, s->step[s->put].print, s->step[s->put].epoch);
    if (w->region.lazy)
        check_footprint_put(w, w->region.lazy, w->epoch);
    w->region.lazy = NULL;
    w->region.deferred = 0;
}
