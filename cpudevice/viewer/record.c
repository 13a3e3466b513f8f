/* record.c: records the launch that the page shows (view.h).
 *
 * The threads of a warp run one after the other, so a warp's instruction is put together as the counters do it: the
 * k-th visit of one place by each lane, between two barriers and in one round of the loops around it, is one
 * instruction.  Its place among the warp's others is behind the one that the lane which came first had met before, so
 * that each lane sees its own order. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "report/lines.h"
#include "cpudev_must.h"
#include "recorder.h"
#include "tape.h"

enum { STEPS = 24576 /* of a block */, CODE_BYTES = 900 << 10 };

struct recorder view = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread view_tape *view_on;
static __thread view_tape *spare;              /* this OS thread's, between two blocks */
static __thread const view_operation *running; /* whose block this OS thread runs */

/* ---- blocks ---- */

static bool wanted(const view_recording *r, const cpudev_block_info *b)
{
    uint64_t blocks = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2], n = b->linear_block;
    if (view.one)
        return !memcmp(view.block, b->block, sizeof view.block);
    return n == 0 || n == blocks - 1 ||
           n == ((uint64_t)r->grid[2] / 2 * r->grid[1] + r->grid[1] / 2) * r->grid[0] + r->grid[0] / 2;
}

/* Is `running` the launch that is recorded?  With the lock held. */
static bool recorded(void) { return view.r.any && running && running->number == view.r.number; }

void view_block_begin(const cpudev_block_info *b)
{
    running = b->op->of[view.observer];
    view_on = NULL;
    counters_followed = false;
    pthread_mutex_lock(&view.lock);
    bool record = recorded() && wanted(&view.r, b) && view.r.block_count < VIEW_BLOCKS;
    pthread_mutex_unlock(&view.lock);
    if (!record)
        return;
    view_tape *t = spare;
    if (!t && !(t = spare = calloc(1, sizeof *t)))
        return;
    t->of = &view.r;
    memcpy(t->block.block, b->block, sizeof b->block);
    t->block.linear = b->linear_block;
    t->block.threads = b->threads;
    t->warps = (b->threads + VIEW_LANES - 1) / VIEW_LANES;
    for (uint32_t w = 0; w < t->warps; w++)
        t->room[w] = STEPS / t->warps;
    view_on = t;
    counters_followed = true;
}

static void view_settle(void);

/* What is kept from one block to the next is only memory that a step needs. */
static void tape_empty(view_tape *t)
{
    for (uint32_t i = 0; i < t->site_count; i++) {
        for (int w = 0; w < VIEW_WARPS; w++)
            free(t->sites[i]->warp[w].v);
        free(t->sites[i]);
    }
    free(t->sites);
    free(t->patterns);
    free(t->pattern_slot);
    free(t->words);
    free(t->log);
    tape_chunk *chunks = t->chunks;
    memset(t, 0, sizeof *t);
    t->chunks = t->chunk = chunks;
}

void view_block_end(void)
{
    view_tape *t = view_on;
    if (!t)
        return;
    view_settle();
    tape_encode(t);
    pthread_mutex_lock(&view.lock);
    view_recording *r = t->of;
    int at = r->block_count++;
    for (; at > 0 && r->blocks[at - 1].linear > t->block.linear; at--)
        r->blocks[at] = r->blocks[at - 1];
    r->blocks[at] = t->block;
    pthread_mutex_unlock(&view.lock);
    tape_empty(t);
    view_on = NULL;
    counters_followed = false;
}

/* ---- steps ---- */

static tape_step *step_new(view_tape *t, uint32_t warp)
{
    if (!t->room[warp] || t->block.code.count > CODE_BYTES)
        return NULL;
    t->room[warp]--;
    if (!t->chunk || t->in_chunk == TAPE_CHUNK) {
        tape_chunk *next = t->chunk ? t->chunk->next : NULL;
        if (!next) {
            if (!(next = malloc(sizeof *next)))
                return NULL;
            next->next = NULL;
            if (t->chunk)
                t->chunk->next = next;
            else
                t->chunks = next;
        }
        t->chunk = next;
        t->in_chunk = 0;
    }
    tape_step *s = &t->chunk->step[t->in_chunk++];
    s->warp = warp;
    s->active = 0;
    s->written = false;
    s->site = NULL;
    return s;
}

/* Behind what the thread met last; NULL: at the beginning. */
static void step_insert(view_tape *t, tape_step *s, tape_step *after)
{
    tape_step **place = after ? &after->next : &t->first[s->warp];
    s->next = *place;
    *place = s;
}

/* The recording's entry, new or known already; line 0: any with this key. With the lock held. */
static view_site *site_in(view_recording *r, uintptr_t key, uintptr_t line, int kind, int memory, unsigned bytes)
{
    for (view_site *s = r->sites; s < r->sites + r->site_count; s++) {
        if (s->key != key || s->memory != memory)
            continue;
        if (line && s->line == tape_code(key)) /* so far it has only been counted */
            s->line = line;
        if (!line || s->line == line)
            return s;
    }
    if (!(r->sites = realloc(r->sites, (size_t)(r->site_count + 1) * sizeof *r->sites)))
        out_of_memory();
    r->sites[r->site_count] =
        (view_site){.key = key, .line = line ? line : tape_code(key), .kind = kind, .memory = memory, .bytes = bytes};
    return &r->sites[r->site_count++];
}

/* An access in one of the device's own headers, cp.async say, stands where the program calls it. */
static uintptr_t own_line(uintptr_t key)
{
    check_report_lock();
    uintptr_t line = (uintptr_t)check_students_pc((void *)tape_code(key));
    check_report_unlock();
    return line;
}

static tape_site *site_new(view_tape *t, uintptr_t key, uintptr_t line, int kind, int memory, unsigned bytes)
{
    tape_site *s = calloc(1, sizeof *s);
    tape_site **all = realloc(t->sites, (t->site_count + 1) * sizeof *all);
    if (!s || !all)
        out_of_memory();
    t->sites = all;
    t->sites[t->site_count++] = s;
    *s = (tape_site){.key = key, .memory = memory, .kind = kind, .bytes = bytes};
    s->line = line ? line : own_line(key);
    s->ours = s->line != tape_code(key);
    pthread_mutex_lock(&view.lock);
    view_site *known = site_in(t->of, key, s->line, kind, memory, bytes);
    s->index = (uint32_t)(known - t->of->sites);
    s->kind = known->kind;
    s->bytes = known->bytes;
    pthread_mutex_unlock(&view.lock);
    return s;
}

/* line 0: any with this key. */
static tape_site *site_of(view_tape *t, uintptr_t key, uintptr_t line, int kind, int memory, unsigned bytes)
{
    for (unsigned h = ((uint32_t)(key ^ key >> 40) * 2654435761u >> 20) + (unsigned)memory;; h++) {
        tape_site **s = &t->slot[h & (TAPE_SLOTS - 1)];
        if (!*s) {
            if (t->site_count == TAPE_SLOTS / 4)
                return NULL;
            *s = site_new(t, key, line, kind, memory, bytes);
        }
        if ((*s)->key == key && (*s)->memory == memory && (!line || (*s)->line == line))
            return *s;
    }
}

/* The first visit of this round that the lane has no part in, a new one if there is none. In most cases it is the one
 * after the lane's last. */
static tape_visit *visit(tape_visits *w, uint32_t lane, unsigned long round)
{
    uint32_t k = w->lane[lane];
    bool first = true;
    if (k >= w->count || w->v[k].round != round || w->v[k].active & 1u << lane ||
        (k && w->v[k - 1].round != round && !w->v[k].first)) {
        k = k && w->v[k - 1].round == round ? k : 0;
        first = !k;
        for (; k < w->count && (w->v[k].round != round || w->v[k].active & 1u << lane); k++)
            first = first && w->v[k].round != round;
    }
    if (k == w->capacity) {
        w->capacity = k ? 2 * k : 4;
        w->v = must(realloc(w->v, w->capacity * sizeof *w->v));
    }
    if (k == w->count)
        w->v[w->count++] = (tape_visit){.round = round, .first = first};
    w->v[k].active |= 1u << lane;
    w->lane[lane] = k + 1;
    return &w->v[k];
}

/* Zeros where nothing is mapped: the access that is about to fail is recorded too. */
static void copy_value(const view_tape *t, uint8_t *to, uintptr_t a, unsigned bytes)
{
    bool inside = false;
    for (int i = 0; i < t->array_count && !inside; i++)
        inside = a - t->array[i].lo < t->array[i].bytes;
    if (inside || check_readable((void *)a))
        memcpy(to, (void *)a, bytes);
}

/* The running thread is about to change, or to access something else: what it wrote last is there. */
static void view_settle(void)
{
    view_tape *t = view_on;
    for (int i = 0; t && i < t->pending_count; i++)
        copy_value(t, t->pending[i].to, t->pending[i].a, t->pending[i].bytes);
    if (t)
        t->pending_count = 0;
}

static void take_value(view_tape *t, tape_step *s, uint32_t thread, uintptr_t a, unsigned bytes, int kind,
                       const void *pc)
{
    uint8_t *to = s->value[thread % VIEW_LANES];
    memset(to, 0, VIEW_WIDEST);
    if (kind == VIEW_LOAD) {
        copy_value(t, to, a, bytes);
        return;
    }
    t->pending[t->pending_count].a = a;
    t->pending[t->pending_count].bytes = bytes;
    t->pending[t->pending_count].to = to;
    t->pending[t->pending_count].pc = (void *)tape_code((uintptr_t)pc);
    t->pending[t->pending_count++].thread = thread;
}

/* Does this write go on where the last one stopped, as the pieces of one struct do, before any of them is there? */
static bool goes_on(const view_tape *t, uint32_t thread, uintptr_t a, const void *pc)
{
    int n = t->pending_count;
    return n && n < TAPE_PENDING && t->pending[n - 1].thread == thread &&
           t->pending[n - 1].a + t->pending[n - 1].bytes == a &&
           t->pending[n - 1].pc == (void *)tape_code((uintptr_t)pc);
}

void view_thread_now(uint32_t thread, void *lo, size_t bytes)
{
    (void)thread, (void)lo, (void)bytes;
    if (view_on)
        view_settle();
}

void view_access(uint32_t thread, uintptr_t a, unsigned bytes, int kind, int memory, void *pc)
{
    view_tape *t = view_on;
    if (t->pending_count && !(kind == VIEW_STORE && goes_on(t, thread, a, pc)))
        view_settle();
    tape_site *site = site_of(t, (uintptr_t)pc, 0, kind, memory, bytes);
    if (site && site->ours)
        site = site_of(t, (uintptr_t)pc, own_line((uintptr_t)pc), kind, memory, bytes);
    if (!site || thread >= 1024)
        return;
    uint32_t warp = thread / VIEW_LANES, lane = thread % VIEW_LANES;
    tape_visit *v = visit(&site->warp[warp], lane, cpudev_check_round());
    bool begins = v->active == 1u << lane;
    tape_step *s = begins ? v->step = step_new(t, warp) : v->step;
    t->a = a;
    t->bytes = bytes;
    if (!s) {
        t->block.left_out += begins;
        return;
    }
    if (begins) {
        s->site = site;
        tape_address(t, a, memory); /* the array is known from here on */
        step_insert(t, s, t->last[thread]);
    }
    s->active |= 1u << lane;
    s->at[lane] = a;
    t->last[thread] = s;
    take_value(t, s, thread, a, bytes, kind, pc);
}

void view_constant(uint32_t thread, uintptr_t a, unsigned bytes, void *pc)
{
    if (bytes <= VIEW_WIDEST && !(bytes & (bytes - 1))) {
        view_access(thread, a, bytes, VIEW_LOAD, VIEW_CONSTANT, pc);
        return;
    }
    unsigned piece = bytes % 4 == 0 ? 4 : 1; /* a struct */
    for (unsigned i = 0; i < bytes; i += piece)
        view_access(thread, a + i, piece, VIEW_LOAD, VIEW_CONSTANT,
                    (void *)((uintptr_t)pc | (uintptr_t)(1 + i / piece) << 48));
}

void view_meet(const cpudev_meeting *m)
{
    view_tape *t = view_on;
    if (!t)
        return;
    view_settle();
    if (m->warp >= t->warps || !m->lanes)
        return;
    tape_step *s = step_new(t, m->warp);
    if (!s) {
        t->block.left_out++;
        return;
    }
    s->meeting = *m;
    s->meeting.site = m->site ? (void *)own_line((uintptr_t)m->site) : NULL;
    s->active = m->lanes;
    /* Behind what any of the lanes met last: the furthest in the warp's list. */
    tape_step *after = NULL;
    for (tape_step *q = t->first[m->warp]; q; q = q->next)
        for (uint32_t lanes = m->lanes; lanes; lanes &= lanes - 1)
            if (t->last[m->warp * VIEW_LANES + (uint32_t)__builtin_ctz(lanes)] == q)
                after = q;
    step_insert(t, s, after);
    for (uint32_t lanes = m->lanes; lanes; lanes &= lanes - 1)
        t->last[m->warp * VIEW_LANES + (uint32_t)__builtin_ctz(lanes)] = s;
}

void view_barrier(const void *site)
{
    view_tape *t = view_on;
    if (!t)
        return;
    view_settle();
    tape_encode(t);
    tape_encode_barrier(t, site ? tape_place(t, (uintptr_t)site) : 0);
    for (uint32_t i = 0; i < t->site_count; i++)
        for (uint32_t w = 0; w < t->warps; w++) {
            tape_visits *v = &t->sites[i]->warp[w];
            if (!v->count)
                continue;
            memset(v->lane, 0, sizeof v->lane);
            v->count = 0;
        }
    memset(t->first, 0, sizeof t->first);
    memset(t->last, 0, sizeof t->last);
    t->chunk = t->chunks;
    t->in_chunk = 0;
}

/* ---- counts and findings ---- */

void view_counted(uintptr_t key, int kind, int memory, unsigned bytes, const sums *s)
{
    if (!running)
        return;
    pthread_mutex_lock(&view.lock);
    if (recorded())
        check_sums_add(&site_in(&view.r, key, 0, kind, memory, bytes)->total, s);
    pthread_mutex_unlock(&view.lock);
}

static void add_finding(view_recording *r, int number)
{
    r->findings = must(realloc(r->findings, (size_t)(r->finding_count + 1) * sizeof *r->findings));
    r->findings[r->finding_count++] = number;
}

void view_finding(int number, const check_finding *f)
{
    if (!f->at.device || !running)
        return;
    pthread_mutex_lock(&view.lock);
    view.launches[running->number - 1].findings++;
    if (recorded())
        add_finding(&view.r, number);
    pthread_mutex_unlock(&view.lock);
    view_tape *t = view_on;
    if (!t || !f->at.has_thread || t->mark_count == (int)(sizeof t->marks / sizeof *t->marks))
        return;
    for (int i = 0; i < t->mark_count; i++)
        if (t->marks[i].finding == number)
            return;
    const uint32_t *b = t->of->block;
    tape_mark m = {.finding = number, .pc = f->at.pc, .a = t->a, .bytes = t->bytes};
    m.thread = f->at.thread[0] + b[0] * (f->at.thread[1] + b[1] * f->at.thread[2]);
    if (f->has_other && f->other.device && f->other.has_thread &&
        !memcmp(f->other.block, t->block.block, sizeof f->other.block)) {
        m.has_other = true;
        m.other_pc = f->other.pc;
        m.other_thread = f->other.thread[0] + b[0] * (f->other.thread[1] + b[1] * f->other.thread[2]);
    }
    t->marks[t->mark_count++] = m;
}
