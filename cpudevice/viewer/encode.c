/* encode.c: a block's steps as the page reads them (view_block in view.h). */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "tape.h"
#include "report/lines.h"
#include "cpudev_must.h"

static void put(view_bytes *b, uint8_t c)
{
    if (b->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 65536;
        if (!(b->p = realloc(b->p, b->capacity)))
            out_of_memory();
    }
    b->p[b->count++] = c;
}

static void put_number(view_bytes *b, uint64_t v)
{
    for (; v > 127; v >>= 7)
        put(b, (uint8_t)(v | 128));
    put(b, (uint8_t)v);
}

static void put_signed(view_bytes *b, int64_t v) { put_number(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0)); }

static void put_mask(view_bytes *b, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        put(b, (uint8_t)(v >> 8 * i));
}

/* ---- the memory that the page knows ---- */

static size_t word_slot(const view_tape *t, uintptr_t at)
{
    size_t k = (size_t)(at * 0x9e3779b97f4a7c15u >> 20) & (t->word_capacity - 1);
    while (t->words[k].at && t->words[k].at != at + 1)
        k = (k + 1) & (t->word_capacity - 1);
    return k;
}

static tape_word *word_of(view_tape *t, uintptr_t at)
{
    if (2 * t->word_count >= t->word_capacity) {
        tape_word *old = t->words;
        size_t n = t->word_capacity;
        t->word_capacity = n ? 2 * n : 4096;
        if (!(t->words = calloc(t->word_capacity, sizeof *t->words)))
            out_of_memory();
        for (size_t i = 0; i < n; i++)
            if (old[i].at)
                t->words[word_slot(t, old[i].at - 1)] = old[i];
        free(old);
    }
    tape_word *w = &t->words[word_slot(t, at)];
    if (!w->at) {
        w->at = at + 1;
        t->word_count++;
    }
    return w;
}

/* Does the page know that these bytes stand at a?  From now on it does. */
static bool known(view_tape *t, uintptr_t a, const uint8_t *value, unsigned bytes)
{
    bool all = true;
    for (unsigned i = 0; i < bytes; i++) {
        tape_word *w = word_of(t, (a + i) & ~(uintptr_t)3);
        unsigned k = (unsigned)(a + i) & 3;
        all &= (w->known >> k & 1) && w->value[k] == value[i];
        w->known |= (uint8_t)(1u << k);
        w->value[k] = value[i];
    }
    return all;
}

/* ---- patterns ---- */

enum { PATTERN_SLOTS = 65536 };

static uint32_t pattern_hash(const tape_pattern *p)
{
    uint64_t h = p->active;
    for (uint32_t m = p->active & (p->active - 1); m; m &= m - 1)
        h = (h ^ (uint64_t)p->step[__builtin_ctz(m)]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 40) & (PATTERN_SLOTS - 1);
}

static bool pattern_same(const tape_pattern *a, const tape_pattern *b)
{
    if (a->active != b->active)
        return false;
    for (uint32_t m = a->active & (a->active - 1); m; m &= m - 1)
        if (a->step[__builtin_ctz(m)] != b->step[__builtin_ctz(m)])
            return false;
    return true;
}

/* Index of the pattern; if it is new, t->pattern_count was. */
static uint32_t pattern_of(view_tape *t, const tape_pattern *p)
{
    if (!t->pattern_slot && !(t->pattern_slot = calloc(PATTERN_SLOTS, sizeof *t->pattern_slot)))
        out_of_memory();
    uint32_t h = pattern_hash(p);
    for (; t->pattern_slot[h]; h = (h + 1) & (PATTERN_SLOTS - 1))
        if (pattern_same(&t->patterns[t->pattern_slot[h] - 1], p))
            return t->pattern_slot[h] - 1;
    if (t->pattern_count == t->pattern_capacity) {
        t->pattern_capacity = t->pattern_capacity ? 2 * t->pattern_capacity : 64;
        if (!(t->patterns = realloc(t->patterns, t->pattern_capacity * sizeof *t->patterns)))
            out_of_memory();
    }
    t->patterns[t->pattern_count] = *p;
    t->pattern_slot[h] = t->pattern_count + 1;
    return t->pattern_count++;
}

/* ---- steps ---- */

static void encode_access(view_tape *t, tape_step *s)
{
    view_bytes *b = &t->block.code;
    uintptr_t at[VIEW_LANES], before = 0;
    tape_pattern p = {.active = s->active};
    uint32_t values = 0, count = t->pattern_count;
    for (uint32_t m = s->active; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        at[l] = tape_address(t, s->at[l], s->site->memory);
        p.step[l] = (intptr_t)(at[l] - before);
        before = at[l];
        if (!known(t, at[l], s->value[l], s->site->bytes) || s->site->kind != VIEW_LOAD)
            values |= 1u << l;
    }
    /* cppcheck-suppress uninitvar ; an access has an active lane */
    uintptr_t first = at[__builtin_ctz(s->active)];
    p.step[__builtin_ctz(s->active)] = 0;
    put_number(b, 2 + (uint64_t)s->site->index);
    put_number(b, s->warp);
    put_mask(b, s->active);
    put_signed(b, (int64_t)(first - s->site->last));
    s->site->last = first;
    uint32_t k = pattern_of(t, &p);
    put_number(b, k);
    for (uint32_t m = k == count ? s->active & (s->active - 1) : 0; m; m &= m - 1)
        put_signed(b, p.step[__builtin_ctz(m)]);
    put_mask(b, values);
    for (uint32_t m = values; m; m &= m - 1)
        for (unsigned i = 0; i < s->site->bytes; i++)
            put(b, s->value[__builtin_ctz(m)][i]);
}

static void encode_meeting(view_tape *t, const tape_step *s)
{
    view_bytes *b = &t->block.code;
    const cpudev_meeting *m = &s->meeting;
    put_number(b, 1);
    put_number(b, s->warp);
    put_mask(b, m->lanes);
    put(b, (uint8_t)m->what);
    put_number(b, m->site ? tape_place(t, (uintptr_t)m->site) : 0);
    for (int l = 0; m->what == CPUDEV_MEET_SHUFFLE && l < VIEW_LANES; l++)
        put(b, m->source[l]);
    if (m->what == CPUDEV_MEET_VOTE)
        put_mask(b, m->yes);
}

static void encode_step(view_tape *t, tape_step *s)
{
    if (s->site)
        encode_access(t, s);
    else
        encode_meeting(t, s);
    s->number = t->block.steps++;
    s->written = true;
    if (s->number >= t->log_capacity) {
        t->log_capacity = t->log_capacity ? 2 * t->log_capacity : 4096;
        if (!(t->log = realloc(t->log, t->log_capacity * sizeof *t->log)))
            out_of_memory();
    }
    t->log[s->number] = (tape_log){s->site, s->warp, s->active};
}

/* ---- findings ---- */

/* The thread's step at pc since the last barrier, the one that touches [a, a + bytes) if there is one; else an earlier
 * step at pc; else one at the same line; -1: none. */
static long step_at(const view_tape *t, const void *pc, uint32_t thread, uintptr_t a, unsigned bytes)
{
    uint32_t warp = thread / VIEW_LANES, lane = thread % VIEW_LANES;
    long at_pc = -1, at_line = -1;
    for (const tape_step *s = t->first[warp]; s; s = s->next) {
        if (!s->site || !s->written || !(s->active >> lane & 1))
            continue;
        if (tape_code(s->site->key) != (uintptr_t)pc) {
            if (at_pc < 0 && check_same_line((void *)tape_code(s->site->key), (void *)pc))
                at_line = s->number;
            continue;
        }
        at_pc = s->number;
        if (a < s->at[lane] + s->site->bytes && s->at[lane] < a + bytes)
            return s->number;
    }
    if (at_pc >= 0)
        return at_pc;
    for (uint32_t i = t->block.steps; i-- > 0;)
        if (t->log[i].site && t->log[i].warp == warp && t->log[i].active >> lane & 1 &&
            tape_code(t->log[i].site->key) == (uintptr_t)pc)
            return i;
    return at_line;
}

static void encode_marks(view_tape *t)
{
    view_block *b = &t->block;
    for (tape_mark *m = t->marks; m < t->marks + t->mark_count; m++) {
        if (m->entry)
            continue;
        if (!(b->marks = realloc(b->marks, (size_t)(b->mark_count + 1) * sizeof *b->marks)))
            out_of_memory();
        b->marks[b->mark_count++] =
            (view_mark){m->finding, step_at(t, m->pc, m->thread, m->a, m->bytes),
                        m->has_other ? step_at(t, m->other_pc, m->other_thread, m->a, m->bytes) : -1};
        m->entry = b->mark_count;
    }
}

/* All warps go on side by side, an instruction each in turn. */
void tape_encode(view_tape *t)
{
    tape_step *next[VIEW_WARPS];
    bool any = true;
    memcpy(next, t->first, sizeof next);
    while (any) {
        any = false;
        for (uint32_t w = 0; w < t->warps; w++)
            if (next[w]) {
                encode_step(t, next[w]);
                next[w] = next[w]->next;
                any = true;
            }
    }
    encode_marks(t);
}

void tape_encode_barrier(view_tape *t, uint32_t place)
{
    put_number(&t->block.code, 0);
    put_number(&t->block.code, place);
    t->block.steps++;
    t->block.barriers++;
    if (t->block.steps >= t->log_capacity) {
        t->log_capacity = t->log_capacity ? 2 * t->log_capacity : 4096;
        if (!(t->log = realloc(t->log, t->log_capacity * sizeof *t->log)))
            out_of_memory();
    }
    t->log[t->block.steps - 1] = (tape_log){0};
}
