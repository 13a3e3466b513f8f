/* profiler_analyze.c: from loose events to a tree.
 *
 * The CPU side of each thread is replayed in time order on a stack: a range opens and closes,
 * an API call lies inside whatever is open. Self time is a span's time less its children's.
 * An API call remembers, by correlation number, the path of ranges it was made in; the kernel
 * or copy with that number adds its time to that path. Long runs are replayed in windows of
 * time, with the stacks and the open correlation numbers carried from one to the next, so the
 * result does not depend on the window. */
#include "profiler_launches.h"
#include "profiler_sort.h"
#include "profiler_tree.h"

#include <stdlib.h>
#include <string.h>

size_t prof_window_events = 2u << 20;

typedef struct frame {
    uint64_t start, end; /* end: API calls only */
    uint64_t children;
    uint32_t name, stat, node, correlation;
    uint8_t is_api, failed;
} frame;

typedef struct thread_state {
    uint32_t thread;
    frame *frames;
    size_t depth, room;
    prof_entry *entries;
    size_t count, entry_room;
} thread_state;

typedef struct replay {
    prof_analysis *a;
    prof_source *source;
    const prof_sink *sink;
    thread_state *threads;
    size_t thread_count, thread_room;
    prof_launches now, before; /* this window's API calls and the last one's */
    uint32_t *stat_of[4];      /* by kind and name number, plus one */
    int failed;
} replay;

static uint32_t stat_of(replay *r, int kind, uint32_t name)
{
    if (name >= r->source->name_count)
        return prof_stat_find(r->a, "?", kind);
    uint32_t *known = &r->stat_of[kind][name];
    if (!*known) {
        uint32_t s = prof_stat_find(r->a, prof_display_name(r->source, name), kind);
        if (s == UINT32_MAX) {
            r->failed = 1;
            return 0;
        }
        *known = s + 1;
    }
    return *known - 1;
}

static void remember_launch(replay *r, const thread_state *t, const prof_event *e, uint64_t end_ns)
{
    if (!r->failed && prof_launches_add(&r->now, e->correlation, t->frames[t->depth - 1].node,
                                        (prof_launch){e->start_ns, end_ns, e->thread}))
        r->failed = 1;
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
                                    .node = is_api ? parent : prof_node_find(r->a, parent, stat),
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
        remember_launch(r, t, e, e->start_ns);
    } else if (e->kind == PROF_END) {
        while (t->depth && t->frames[t->depth - 1].is_api)
            pop(r, t, t->frames[t->depth - 1].end);
        if (t->depth)
            pop(r, t, e->start_ns);
    } else {
        push(r, t, e, 1);
        remember_launch(r, t, e, e->end_ns);
    }
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
    const prof_launch_slot *l = prof_launches_find(&r->now, e->correlation);
    if (!l)
        l = prof_launches_find(&r->before, e->correlation);
    if (l)
        r->a->nodes[l->node].self_cuda_ns += ns;
    else
        r->a->unmatched++;
    if (r->sink && r->sink->gpu)
        r->sink->gpu(r->sink->user, r->source, e, l ? &l->launch : NULL);
}

static int is_gpu(const prof_event *e) { return e->kind >= PROF_KERNEL && e->kind <= PROF_MIGRATION; }

/* The events of a chunk. A log that was cut off may say more than a chunk holds. */
static uint32_t chunk_count(const prof_chunk *c)
{
    uint32_t count = atomic_load_explicit(&((prof_chunk *)(uintptr_t)c)->count, memory_order_acquire);
    return count < PROF_CHUNK_EVENTS ? count : PROF_CHUNK_EVENTS;
}

/* A stretch of time, from <= start < to, and the chunks that have events in it (NULL: none), mapped. */
typedef struct window {
    uint64_t from, to;
    const prof_chunk **chunks;
} window;

static int in_window(const window *w, const prof_event *e) { return e->start_ns >= w->from && e->start_ns < w->to; }

static int add_entry(thread_state *t, const prof_event *e)
{
    if (t->count == t->entry_room) {
        size_t room = t->entry_room ? t->entry_room * 2 : 1024;
        prof_entry *grown = realloc(t->entries, room * sizeof *grown);
        if (!grown)
            return -1;
        t->entries = grown;
        t->entry_room = room;
    }
    t->entries[t->count++] = (prof_entry){e->start_ns, e};
    return 0;
}

/* Gives the CPU side's events of one chunk to their threads. */
static void gather(replay *r, const window *w, const prof_chunk *c)
{
    uint32_t count = chunk_count(c);
    thread_state *t = NULL;
    for (uint32_t k = 0; k < count && !r->failed; k++) {
        const prof_event *e = &c->events[k];
        if (!in_window(w, e) || is_gpu(e))
            continue;
        if (!t || t->thread != e->thread)
            t = thread_find(r, e->thread);
        if (!t || add_entry(t, e))
            r->failed = 1;
    }
}

static void replay_threads(replay *r)
{
    for (size_t i = 0; i < r->thread_count && !r->failed; i++) {
        thread_state *t = &r->threads[i];
        if (prof_sort_entries(t->entries, t->count))
            r->failed = 1;
        for (size_t k = 0; k < t->count && !r->failed; k++)
            replay_event(r, t, t->entries[k].event);
        r->a->events += t->count;
        t->count = 0;
    }
}

static void replay_device(replay *r, const window *w, const prof_chunk *c)
{
    uint32_t count = chunk_count(c);
    for (uint32_t k = 0; k < count && !r->failed; k++) {
        const prof_event *e = &c->events[k];
        if (!in_window(w, e) || !is_gpu(e))
            continue;
        replay_gpu(r, e);
        r->a->events++;
    }
}

/* The CPU side first: what it launched is known when the device's side comes. */
static void replay_window(replay *r, uint64_t from, uint64_t to)
{
    size_t n = r->source->chunk_count;
    window w = {from, to, calloc(n + 1, sizeof *w.chunks)};
    if (!w.chunks) {
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
        w.chunks[i] = c;
        gather(r, &w, c);
    }
    prof_launches_free(&r->before);
    r->before = r->now;
    r->now = (prof_launches){0};
    replay_threads(r);
    for (size_t i = 0; i < n; i++) {
        if (!w.chunks[i])
            continue;
        replay_device(r, &w, w.chunks[i]);
        prof_chunk_unmap(r->source, i, w.chunks[i]);
    }
    free(w.chunks);
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
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
        uint32_t count = chunk_count(c);
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

/* What is still open when recording stopped ends there; in a log that was cut off, at its last event. */
static void end_open_spans(replay *r)
{
    uint64_t end = r->source->end_ns;
    for (size_t i = 0; i < r->source->chunk_count && !r->source->end_ns; i++) {
        const prof_chunk *c = prof_chunk_map(r->source, i);
        if (c && c->max_start > end && c->min_start <= c->max_start)
            end = c->max_start;
        prof_chunk_unmap(r->source, i, c);
    }
    for (size_t i = 0; i < r->thread_count; i++) {
        thread_state *t = &r->threads[i];
        while (t->depth) {
            frame *f = &t->frames[t->depth - 1];
            pop(r, t, f->is_api ? f->end : end);
        }
        free(t->frames);
        free(t->entries);
    }
}

int prof_analyze(prof_analysis *a, prof_source *source, const prof_sink *sink)
{
    replay r = {.a = a, .source = source, .sink = sink};
    if (!a->node_count)
        prof_node_find(a, 0, UINT32_MAX - 1); /* makes the root */
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
    end_open_spans(&r);
    for (int i = 0; i < 4; i++)
        free(r.stat_of[i]);
    free(cuts);
    free(r.threads);
    prof_launches_free(&r.now);
    prof_launches_free(&r.before);
    return r.failed ? -1 : 0;
}
