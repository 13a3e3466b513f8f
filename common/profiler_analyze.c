/* profiler_analyze.c: from loose events to a tree.
 *
 * The CPU side of each thread is replayed in time order on a stack: a range opens and closes,
 * an API call lies inside whatever is open. Self time is a span's time less its children's.
 * An API call remembers, by correlation number, the path of ranges it was made in; the kernel
 * or copy with that number adds its time to that path. Long runs are replayed in windows of
 * time, with the stacks and the open correlation numbers carried from one to the next, so the
 * result does not depend on the window. */
#include "profiler_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t prof_window_events = 2u << 20;

/* ---- distributions ---- */

static uint64_t next_random(uint64_t *state)
{ /* xorshift64* */
    uint64_t x = *state ? *state : 0x9e3779b97f4a7c15u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1du;
}

static uint64_t sample_random;

void prof_dist_add(prof_dist *d, uint64_t v)
{
    if (!d->count || v < d->min)
        d->min = v;
    if (!d->count || v > d->max)
        d->max = v;
    d->count++;
    d->sum += v;
    double delta = (double)v - d->mean; /* Welford */
    d->mean += delta / (double)d->count;
    d->m2 += delta * ((double)v - d->mean);
    if (d->sample_count == d->sample_room && d->sample_room < PROF_SAMPLES) {
        size_t room = d->sample_room ? d->sample_room * 2 : 16;
        uint64_t *s = realloc(d->sample, room * sizeof *s);
        if (s)
            d->sample = s, d->sample_room = room;
    }
    if (d->sample_count < d->sample_room) {
        d->sample[d->sample_count++] = v;
    } else { /* reservoir: each value stays with equal chance */
        uint64_t k = next_random(&sample_random) % d->count;
        if (k < d->sample_count)
            d->sample[k] = v;
    }
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

double prof_dist_median(prof_dist *d)
{
    size_t n = d->sample_count;
    if (!n)
        return 0;
    qsort(d->sample, n, sizeof *d->sample, compare_u64);
    return n % 2 ? (double)d->sample[n / 2] : ((double)d->sample[n / 2 - 1] + (double)d->sample[n / 2]) / 2;
}

double prof_dist_stddev(const prof_dist *d) { return d->count > 1 ? sqrt(d->m2 / (double)(d->count - 1)) : 0; }

/* ---- rows, by name and kind ---- */

static uint64_t hash_bytes(const char *s, size_t n, uint64_t h)
{
    h ^= 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return h ^ h >> 29;
}

/* The row's number, or UINT32_MAX out of memory. */
static uint32_t stat_find(prof_analysis *a, const char *name, int kind)
{
    if (kind == PROF_STAT_RANGE && !strncmp(name, "ProfilerStep#", 13))
        name = "ProfilerStep*";
    if (a->stat_count * 2 >= a->slot_count) {
        size_t n = a->slot_count ? a->slot_count * 2 : 128;
        uint32_t *slots = calloc(n, sizeof *slots);
        prof_stat *grown = realloc(a->stats, n * sizeof *grown);
        if (grown)
            a->stats = grown;
        if (!slots || !grown) {
            free(slots);
            return UINT32_MAX;
        }
        for (size_t i = 0; i < a->stat_count; i++) {
            const char *s = a->stats[i].name;
            size_t k = hash_bytes(s, strlen(s), (uint64_t)a->stats[i].kind) & (n - 1);
            while (slots[k])
                k = (k + 1) & (n - 1);
            slots[k] = (uint32_t)i + 1;
        }
        free(a->stat_slots);
        a->stat_slots = slots;
        a->slot_count = n;
    }
    size_t k = hash_bytes(name, strlen(name), (uint64_t)kind) & (a->slot_count - 1);
    for (; a->stat_slots[k]; k = (k + 1) & (a->slot_count - 1)) {
        prof_stat *s = &a->stats[a->stat_slots[k] - 1];
        if (s->kind == kind && !strcmp(s->name, name))
            return a->stat_slots[k] - 1;
    }
    char *copy = strdup(name);
    if (!copy)
        return UINT32_MAX;
    a->stats[a->stat_count] = (prof_stat){.name = copy, .kind = kind};
    a->stat_slots[k] = (uint32_t)++a->stat_count;
    return (uint32_t)a->stat_count - 1;
}

/* ---- the tree of range paths; node 0 is "in no range" ---- */

typedef struct prof_node {
    uint32_t parent, stat;
    uint64_t self_cuda_ns;
} prof_node;

static uint32_t node_find(prof_analysis *a, uint32_t parent, uint32_t stat)
{
    if (a->node_count * 2 >= a->node_slot_count) {
        size_t n = a->node_slot_count ? a->node_slot_count * 2 : 128;
        uint32_t *slots = calloc(n, sizeof *slots);
        prof_node *grown = realloc(a->nodes, n * sizeof *grown);
        if (grown)
            a->nodes = grown;
        if (!slots || !grown) {
            free(slots);
            return 0;
        }
        if (!a->node_count)
            a->nodes[a->node_count++] = (prof_node){0, UINT32_MAX, 0};
        for (size_t i = 1; i < a->node_count; i++) {
            size_t k = hash_bytes((char *)&a->nodes[i], 8, 0) & (n - 1);
            while (slots[k])
                k = (k + 1) & (n - 1);
            slots[k] = (uint32_t)i;
        }
        free(a->node_slots);
        a->node_slots = slots;
        a->node_slot_count = n;
    }
    prof_node key = {parent, stat, 0};
    size_t k = hash_bytes((char *)&key, 8, 0) & (a->node_slot_count - 1);
    for (; a->node_slots[k]; k = (k + 1) & (a->node_slot_count - 1)) {
        prof_node *n = &a->nodes[a->node_slots[k]];
        if (n->parent == parent && n->stat == stat)
            return a->node_slots[k];
    }
    a->nodes[a->node_count] = key;
    a->node_slots[k] = (uint32_t)a->node_count;
    return (uint32_t)a->node_count++;
}

/* ---- one source's replay ---- */

typedef struct frame {
    uint64_t start, end; /* end: API calls only */
    uint64_t children;
    uint32_t name, stat, node, correlation;
    uint8_t is_api, failed;
} frame;

typedef struct entry {
    uint64_t start;
    const prof_event *event;
} entry;

typedef struct thread_state {
    uint32_t thread;
    frame *frames;
    size_t depth, room;
    entry *entries;
    size_t count, entry_room;
} thread_state;

typedef struct launch_slot {
    uint32_t correlation, node; /* correlation 0: empty */
    prof_launch launch;
} launch_slot;

typedef struct launch_table {
    launch_slot *slots;
    size_t room, count;
} launch_table;

typedef struct replay {
    prof_analysis *a;
    prof_source *source;
    const prof_sink *sink;
    thread_state *threads;
    size_t thread_count, thread_room;
    launch_table now, before; /* this window's API calls and the last one's */
    uint32_t *stat_of[4];     /* by kind and name number, plus one */
    int failed;
} replay;

static uint32_t stat_of(replay *r, int kind, uint32_t name)
{
    if (name >= r->source->name_count)
        return stat_find(r->a, "?", kind);
    uint32_t *known = &r->stat_of[kind][name];
    if (!*known) {
        uint32_t s = stat_find(r->a, prof_display_name(r->source, name), kind);
        if (s == UINT32_MAX) {
            r->failed = 1;
            return 0;
        }
        *known = s + 1;
    }
    return *known - 1;
}

static size_t launch_hash(uint32_t c) { return (uint64_t)c * 0x9e3779b97f4a7c15u >> 20; }

static void launch_add(replay *r, uint32_t correlation, uint32_t node, prof_launch l)
{
    launch_table *t = &r->now;
    if (!correlation)
        return;
    if (t->count * 2 >= t->room) {
        size_t room = t->room ? t->room * 2 : 1024;
        launch_slot *slots = calloc(room, sizeof *slots);
        if (!slots) {
            r->failed = 1;
            return;
        }
        for (size_t i = 0; i < t->room; i++) {
            if (!t->slots[i].correlation)
                continue;
            size_t k = launch_hash(t->slots[i].correlation) & (room - 1);
            while (slots[k].correlation)
                k = (k + 1) & (room - 1);
            slots[k] = t->slots[i];
        }
        free(t->slots);
        t->slots = slots;
        t->room = room;
    }
    size_t k = launch_hash(correlation) & (t->room - 1);
    while (t->slots[k].correlation && t->slots[k].correlation != correlation)
        k = (k + 1) & (t->room - 1);
    if (t->slots[k].correlation)
        return; /* a driver call inside a runtime call: the outer one counts */
    t->count++;
    t->slots[k] = (launch_slot){correlation, node, l};
}

static launch_slot *launch_find(launch_table *t, uint32_t correlation)
{
    if (!t->room || !correlation)
        return NULL;
    size_t k = launch_hash(correlation) & (t->room - 1);
    for (; t->slots[k].correlation; k = (k + 1) & (t->room - 1))
        if (t->slots[k].correlation == correlation)
            return &t->slots[k];
    return NULL;
}

static thread_state *thread_find(replay *r, uint32_t thread)
{
    for (size_t i = r->thread_count; i-- > 0;)
        if (r->threads[i].thread == thread)
            return &r->threads[i];
    if (r->thread_count == r->thread_room) {
        size_t room = r->thread_room ? r->thread_room * 2 : 8;
        thread_state *t = realloc(r->threads, room * sizeof *t);
        if (!t) {
            r->failed = 1;
            return NULL;
        }
        r->threads = t;
        r->thread_room = room;
    }
    r->threads[r->thread_count] = (thread_state){.thread = thread};
    return &r->threads[r->thread_count++];
}

static void pop(replay *r, thread_state *t, uint64_t end)
{
    frame *f = &t->frames[--t->depth];
    if (end < f->start)
        end = f->start;
    uint64_t total = end - f->start;
    prof_stat *s = &r->a->stats[f->stat];
    prof_dist_add(&s->time, total);
    s->self_cpu_ns += total > f->children ? total - f->children : 0;
    if (t->depth)
        t->frames[t->depth - 1].children += total;
    if (r->sink && r->sink->cpu) {
        prof_cpu_span span = {.name = f->name,
                              .thread = t->thread,
                              .correlation = f->correlation,
                              .is_api = f->is_api,
                              .failed = f->failed,
                              .depth = (int)t->depth,
                              .start_ns = f->start,
                              .end_ns = end};
        r->sink->cpu(r->sink->user, r->source, &span);
    }
}

static void push(replay *r, thread_state *t, const prof_event *e, int is_api)
{
    if (t->depth == t->room) {
        size_t room = t->room ? t->room * 2 : 32;
        frame *f = realloc(t->frames, room * sizeof *f);
        if (!f) {
            r->failed = 1;
            return;
        }
        t->frames = f;
        t->room = room;
    }
    uint32_t parent = t->depth ? t->frames[t->depth - 1].node : 0;
    uint32_t stat = stat_of(r, is_api ? PROF_STAT_API : PROF_STAT_RANGE, e->name);
    t->frames[t->depth++] = (frame){.start = e->start_ns,
                                    .end = e->end_ns,
                                    .name = e->name,
                                    .stat = stat,
                                    .node = is_api ? parent : node_find(r->a, parent, stat),
                                    .correlation = e->correlation,
                                    .is_api = (uint8_t)is_api,
                                    .failed = e->failed};
}

static void replay_event(replay *r, thread_state *t, const prof_event *e)
{
    while (t->depth && t->frames[t->depth - 1].is_api && t->frames[t->depth - 1].end <= e->start_ns)
        pop(r, t, t->frames[t->depth - 1].end);
    if (e->kind == PROF_BEGIN) {
        push(r, t, e, 0);
        if (!r->failed)
            launch_add(r, e->correlation, t->frames[t->depth - 1].node,
                       (prof_launch){e->start_ns, e->start_ns, e->thread});
    } else if (e->kind == PROF_END) {
        while (t->depth && t->frames[t->depth - 1].is_api)
            pop(r, t, t->frames[t->depth - 1].end);
        if (t->depth)
            pop(r, t, e->start_ns);
    } else {
        push(r, t, e, 1);
        if (r->failed)
            return;
        launch_add(r, e->correlation, t->frames[t->depth - 1].node, (prof_launch){e->start_ns, e->end_ns, e->thread});
    }
}

/* Time order; at one moment ranges come first, in the order they were recorded (the sort is
 * stable), and of two API calls the outer one. */
static int entry_after(const entry *x, const entry *y)
{
    if (x->start != y->start)
        return x->start > y->start;
    int ax = x->event->kind == PROF_API, ay = y->event->kind == PROF_API;
    if (ax != ay)
        return ax;
    return ax && x->event->end_ns < y->event->end_ns;
}

/* Merge sort by runs: events come almost in order. */
static int sort_entries(entry *e, size_t n)
{
    size_t i = 1;
    while (i < n && !entry_after(&e[i - 1], &e[i]))
        i++;
    if (i >= n)
        return 0;
    entry *other = malloc(n * sizeof *other);
    if (!other)
        return -1;
    for (size_t runs = 2; runs > 1;) {
        runs = 0;
        for (size_t a = 0; a < n;) {
            size_t b = a + 1;
            while (b < n && !entry_after(&e[b - 1], &e[b]))
                b++;
            size_t c = b + (b < n);
            while (c < n && !entry_after(&e[c - 1], &e[c]))
                c++;
            size_t x = a, y = b, k = a;
            while (x < b && y < c)
                other[k++] = entry_after(&e[x], &e[y]) ? e[y++] : e[x++];
            while (x < b)
                other[k++] = e[x++];
            while (y < c)
                other[k++] = e[y++];
            a = c;
            runs++;
        }
        memcpy(e, other, n * sizeof *e);
    }
    free(other);
    return 0;
}

static void replay_gpu(replay *r, const prof_event *e)
{
    int kernel = e->kind == PROF_KERNEL;
    uint32_t si = stat_of(r, kernel ? PROF_STAT_KERNEL : PROF_STAT_COPY, e->name);
    if (r->failed)
        return;
    uint64_t ns = e->end_ns > e->start_ns ? e->end_ns - e->start_ns : 0;
    prof_stat *s = &r->a->stats[si];
    s->event_kind = e->kind;
    s->copy_kind = e->copy_kind;
    s->self_cuda_ns += ns;
    s->cuda_total_ns += ns;
    prof_dist_add(&s->time, ns);
    if (!kernel)
        prof_dist_add(&s->bytes, e->bytes);
    launch_slot *l = launch_find(&r->now, e->correlation);
    if (!l)
        l = launch_find(&r->before, e->correlation);
    if (l)
        r->a->nodes[l->node].self_cuda_ns += ns;
    else
        r->a->unmatched++;
    if (r->sink && r->sink->gpu)
        r->sink->gpu(r->sink->user, r->source, e, l ? &l->launch : NULL);
}

static int is_gpu(const prof_event *e) { return e->kind >= PROF_KERNEL && e->kind <= PROF_MIGRATION; }

/* Events with from <= start < to. */
static void replay_window(replay *r, uint64_t from, uint64_t to)
{
    size_t n = r->source->chunk_count;
    const prof_chunk **chunks = calloc(n + 1, sizeof *chunks);
    if (!chunks) {
        r->failed = 1;
        return;
    }
    for (size_t i = 0; i < n && !r->failed; i++) {
        const prof_chunk *c = prof_chunk_map(r->source, i);
        if (!c)
            continue;
        if (c->min_start >= to || c->max_start < from) {
            prof_chunk_unmap(r->source, i, c);
            continue;
        }
        chunks[i] = c;
        uint32_t count = atomic_load_explicit(&((prof_chunk *)(uintptr_t)c)->count, memory_order_acquire);
        if (count > PROF_CHUNK_EVENTS)
            count = PROF_CHUNK_EVENTS;
        thread_state *t = NULL;
        for (uint32_t k = 0; k < count && !r->failed; k++) {
            const prof_event *e = &c->events[k];
            if (e->start_ns < from || e->start_ns >= to || is_gpu(e))
                continue;
            if (!t || t->thread != e->thread)
                t = thread_find(r, e->thread);
            if (!t)
                break;
            if (t->count == t->entry_room) {
                size_t room = t->entry_room ? t->entry_room * 2 : 1024;
                entry *grown = realloc(t->entries, room * sizeof *grown);
                if (!grown) {
                    r->failed = 1;
                    break;
                }
                t->entries = grown;
                t->entry_room = room;
            }
            t->entries[t->count++] = (entry){e->start_ns, e};
        }
    }
    free(r->before.slots);
    r->before = r->now;
    r->now = (launch_table){0};
    for (size_t i = 0; i < r->thread_count && !r->failed; i++) {
        thread_state *t = &r->threads[i];
        if (sort_entries(t->entries, t->count))
            r->failed = 1;
        for (size_t k = 0; k < t->count && !r->failed; k++)
            replay_event(r, t, t->entries[k].event);
        r->a->events += t->count;
        t->count = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const prof_chunk *c = chunks[i];
        if (!c)
            continue;
        uint32_t count = atomic_load_explicit(&((prof_chunk *)(uintptr_t)c)->count, memory_order_acquire);
        if (count > PROF_CHUNK_EVENTS)
            count = PROF_CHUNK_EVENTS;
        for (uint32_t k = 0; k < count && !r->failed; k++) {
            const prof_event *e = &c->events[k];
            if (e->start_ns < from || e->start_ns >= to || !is_gpu(e))
                continue;
            replay_gpu(r, e);
            r->a->events++;
        }
        prof_chunk_unmap(r->source, i, c);
    }
    free(chunks);
}

/* Moments that cut the run into windows of about half prof_window_events each. */
static uint64_t *window_cuts(const prof_source *s, uint64_t events, size_t *cut_count)
{
    *cut_count = 0;
    if (events <= prof_window_events)
        return NULL;
    size_t step = prof_window_events / 64 ? 64 : 1, n = 0;
    uint64_t *starts = malloc((size_t)(events / step + s->chunk_count + 1) * sizeof *starts);
    if (!starts)
        return NULL;
    for (size_t i = 0; i < s->chunk_count; i++) {
        const prof_chunk *c = prof_chunk_map(s, i);
        if (!c)
            continue;
        uint32_t count = atomic_load_explicit(&((prof_chunk *)(uintptr_t)c)->count, memory_order_acquire);
        if (count > PROF_CHUNK_EVENTS)
            count = PROF_CHUNK_EVENTS;
        for (uint32_t k = 0; k < count; k += (uint32_t)step)
            starts[n++] = c->events[k].start_ns;
        prof_chunk_unmap(s, i, c);
    }
    qsort(starts, n, sizeof *starts, compare_u64);
    size_t stride = prof_window_events / 2 / step;
    if (!stride)
        stride = 1;
    for (size_t i = stride; i < n; i += stride)
        starts[(*cut_count)++] = starts[i];
    return starts;
}

int prof_analyze(prof_analysis *a, prof_source *source, const prof_sink *sink)
{
    replay r = {.a = a, .source = source, .sink = sink};
    if (!a->node_count)
        node_find(a, 0, UINT32_MAX - 1); /* makes the root */
    for (int i = 0; i < 4; i++)
        if (!(r.stat_of[i] = calloc(source->name_count + 1, sizeof(uint32_t))))
            r.failed = 1;
    size_t cut_count;
    uint64_t from = 0, *cuts = window_cuts(source, prof_source_events(source), &cut_count);
    for (size_t i = 0; i < cut_count && !r.failed; i++) {
        if (cuts[i] == from)
            continue;
        replay_window(&r, from, cuts[i]);
        from = cuts[i];
    }
    if (!r.failed)
        replay_window(&r, from, UINT64_MAX);
    /* What is still open when recording stopped ends there. */
    uint64_t end = source->end_ns;
    for (size_t i = 0; i < source->chunk_count && !source->end_ns; i++) { /* cut off: at the last event */
        const prof_chunk *c = prof_chunk_map(source, i);
        if (c && c->max_start > end && c->min_start <= c->max_start)
            end = c->max_start;
        prof_chunk_unmap(source, i, c);
    }
    for (size_t i = 0; i < r.thread_count; i++) {
        thread_state *t = &r.threads[i];
        while (t->depth) {
            frame *f = &t->frames[t->depth - 1];
            pop(&r, t, f->is_api ? f->end : end);
        }
        free(t->frames);
        free(t->entries);
    }
    for (int i = 0; i < 4; i++)
        free(r.stat_of[i]);
    free(cuts);
    free(r.threads);
    free(r.now.slots);
    free(r.before.slots);
    return r.failed ? -1 : 0;
}

void prof_analysis_finish(prof_analysis *a)
{
    uint64_t *total = calloc(a->node_count + 1, sizeof *total);
    if (!total)
        return;
    for (size_t i = a->node_count; i-- > 1;) { /* a child's number is larger than its parent's */
        prof_node *n = &a->nodes[i];
        total[i] += n->self_cuda_ns;
        total[n->parent] += total[i];
        if (n->stat >= a->stat_count)
            continue;
        a->stats[n->stat].self_cuda_ns += n->self_cuda_ns;
        a->stats[n->stat].cuda_total_ns += total[i];
    }
    free(total);
}

void prof_analysis_free(prof_analysis *a)
{
    for (size_t i = 0; i < a->stat_count; i++) {
        free(a->stats[i].name);
        free(a->stats[i].time.sample);
        free(a->stats[i].bytes.sample);
    }
    free(a->stats);
    free(a->stat_slots);
    free(a->nodes);
    free(a->node_slots);
    memset(a, 0, sizeof *a);
}
