/* profiler_core.c: the profiler's core on events made up here, whose true totals are known. */
#include <check.h>
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profiler.h"
#include "profiler/profiler_core.h"
#include "suite.h"

/* ---- a run made up at random, with what the profiler should find in it ---- */

enum { NAMES = 6, APIS = 3, KERNELS = 4, PLANTED = 3 };
static const char *const range_names[NAMES] = {"load", "forward", "backward", "step", "a \"quoted\"\\ name\n", "load2"};
static const char *const api_names[APIS] = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaFree"};
static const char *const kernel_names[KERNELS] = {"_Z6squarePfPKfi", "gemm", "plain_kernel", "_Z1kv"};
static const char *const kernel_shown[KERNELS] = {"square(float*, float const*, int)", "gemm", "plain_kernel", "k()"};

typedef struct expected {
    uint64_t count, total, self, cuda_self, cuda_total;
} expected;

static struct {
    uint64_t random, clock;
    uint32_t thread, correlation;
    expected range[NAMES], api[APIS], kernel[KERNELS];
    uint64_t top_level, events, device_total;
    uint64_t path_self[64]; /* CUDA time launched directly in the open range at each depth */
    prof_event *api_events, *gpu_events;
    size_t api_count, gpu_count, room;
} g;

static uint64_t rnd(uint64_t n)
{
    g.random ^= g.random << 13;
    g.random ^= g.random >> 7;
    g.random ^= g.random << 17;
    return n ? (g.random >> 11) % n : 0;
}

static void keep(prof_event **list, size_t *n, prof_event e)
{
    if (*n % 1024 == 0)
        *list = realloc(*list, (*n + 1024) * sizeof e);
    (*list)[(*n)++] = e;
    g.events++;
}

/* One API call, maybe with device work; returns its length. */
static uint64_t make_api(int depth)
{
    uint64_t start = g.clock, length = 1 + rnd(50);
    int a = (int)rnd(APIS);
    g.clock += length;
    g.api[a].count++;
    g.api[a].total += length;
    g.api[a].self += length;
    uint32_t c = ++g.correlation;
    keep(&g.api_events, &g.api_count,
         (prof_event){.kind = PROF_API,
                      .start_ns = start,
                      .end_ns = g.clock,
                      .name = prof_name(api_names[a]),
                      .correlation = c,
                      .thread = g.thread});
    for (int work = a == 0 ? 1 + (rnd(20) == 0) * 3 : 0; work > 0; work--) { /* a graph launches several */
        int k = (int)rnd(KERNELS);
        uint64_t ns = rnd(2000), at = start + rnd(1500);
        g.kernel[k].count++;
        g.kernel[k].cuda_self += ns;
        g.device_total += ns;
        if (depth)
            g.path_self[depth - 1] += ns;
        keep(&g.gpu_events, &g.gpu_count,
             (prof_event){.kind = PROF_KERNEL,
                          .start_ns = at,
                          .end_ns = at + ns,
                          .name = prof_name(kernel_names[k]),
                          .correlation = c,
                          .stream = 7,
                          .block = {32, 1, 1},
                          .grid_x = 1,
                          .grid_y = 1,
                          .grid_z = 1});
    }
    return length;
}

/* One range and what is in it; returns its length and adds its CUDA time to *cuda. */
static uint64_t make_range(int depth, uint64_t *cuda)
{
    int n = (int)rnd(NAMES);
    uint64_t start = g.clock, children = 0, cuda_children = 0;
    prof_put(
        &(prof_event){.kind = PROF_BEGIN, .start_ns = start, .name = prof_name(range_names[n]), .thread = g.thread});
    g.events++;
    g.path_self[depth] = 0;
    for (int k = (int)rnd(5); k-- > 0;) {
        g.clock += rnd(2); /* neighbours may touch */
        if (depth < 12 && rnd(3))
            children += make_range(depth + 1, &cuda_children);
        else
            children += make_api(depth + 1);
    }
    g.clock += rnd(30);
    uint64_t length = g.clock - start;
    prof_put(&(prof_event){.kind = PROF_END, .start_ns = g.clock, .thread = g.thread});
    g.events++;
    g.range[n].count++;
    g.range[n].total += length;
    g.range[n].self += length - children;
    g.range[n].cuda_self += g.path_self[depth];
    g.range[n].cuda_total += g.path_self[depth] + cuda_children;
    *cuda += g.path_self[depth] + cuda_children;
    return length;
}

static void shuffle(prof_event *e, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = rnd(i);
        prof_event t = e[i - 1];
        e[i - 1] = e[k];
        e[k] = t;
    }
}

static void make_run(uint64_t seed, int spans)
{
    memset(&g, 0, sizeof g);
    g.random = seed * 0x9e3779b97f4a7c15u + 1;
    for (int t = 0; t < 3; t++) {
        g.thread = 100 + (uint32_t)t;
        g.clock = 1000 + rnd(1000);
        for (int i = 0; i < spans; i++) {
            uint64_t cuda = 0;
            g.clock += 1 + rnd(100);
            g.top_level += rnd(4) ? make_range(0, &cuda) : make_api(0);
        }
    }
    shuffle(g.api_events, g.api_count); /* a tracer delivers buffers in any order */
    shuffle(g.gpu_events, g.gpu_count);
    for (size_t i = 0; i < g.gpu_count; i++)
        prof_put(&g.gpu_events[i]);
    for (size_t i = 0; i < g.api_count; i++)
        prof_put(&g.api_events[i]);
    free(g.api_events);
    free(g.gpu_events);
}

static const prof_stat *find(const prof_analysis *a, const char *name, int kind)
{
    for (size_t i = 0; i < a->stat_count; i++)
        if (a->stats[i].kind == kind && !strcmp(a->stats[i].name, name))
            return &a->stats[i];
    return NULL;
}

static void same(const prof_analysis *a, const char *name, int kind, const expected *e)
{
    const prof_stat *s = find(a, name, kind);
    if (!e->count) {
        ck_assert_ptr_null(s);
        return;
    }
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_eq(s->time.count, e->count);
    if (kind == PROF_STAT_KERNEL) {
        ck_assert_uint_eq(s->self_cuda_ns, e->cuda_self);
        ck_assert_uint_eq(s->time.sum, e->cuda_self);
        return;
    }
    ck_assert_uint_eq(s->time.sum, e->total);
    ck_assert_uint_eq(s->self_cpu_ns, e->self);
    ck_assert_uint_eq(s->self_cuda_ns, e->cuda_self);
    ck_assert_uint_eq(s->cuda_total_ns, e->cuda_total);
}

static void check_run(prof_analysis *a)
{
    uint64_t self = 0, cuda = 0;
    for (int i = 0; i < NAMES; i++)
        same(a, range_names[i], PROF_STAT_RANGE, &g.range[i]);
    for (int i = 0; i < APIS; i++)
        same(a, api_names[i], PROF_STAT_API, &g.api[i]);
    for (int i = 0; i < KERNELS; i++)
        same(a, kernel_shown[i], PROF_STAT_KERNEL, &g.kernel[i]);
    for (size_t i = 0; i < a->stat_count; i++) {
        if (a->stats[i].kind == PROF_STAT_RANGE || a->stats[i].kind == PROF_STAT_API)
            self += a->stats[i].self_cpu_ns;
        else
            cuda += a->stats[i].self_cuda_ns;
    }
    ck_assert_uint_eq(self, g.top_level); /* nothing counted twice, nothing lost */
    ck_assert_uint_eq(cuda, g.device_total);
    ck_assert_uint_eq(a->events, g.events);
    ck_assert_uint_eq(a->unmatched, 0);
}

START_TEST(random_nestings)
{
    /* The answer must not depend on where long runs are cut. */
    static const size_t windows[] = {1u << 20, 4096, 512};
    for (int w = 0; w < 3; w++) {
        prof_window_events = windows[w];
        ck_assert_int_eq(prof_store_open(NULL, 64 << 20), 0);
        make_run((uint64_t)_i + 1, 40);
        prof_source *s = prof_store_close();
        prof_analysis a = {0};
        ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
        prof_analysis_finish(&a);
        /* Work starts up to 1500 ns after its launch: windows of 512 events are shorter than that, and
         * then the range is not known. */
        if (prof_window_events >= 4096)
            check_run(&a);
        else
            ck_assert_uint_eq(a.events, g.events);
        prof_analysis_free(&a);
        prof_source_free(s);
    }
}
END_TEST

START_TEST(spills_to_a_file)
{ /* one chunk of memory, the rest in a file */
    prof_window_events = 1u << 20;
    ck_assert_int_eq(prof_store_open(NULL, PROF_CHUNK_BYTES), 0);
    make_run(77, 300);
    prof_source *s = prof_store_close();
    ck_assert_int_ge(s->fd, 0);
    size_t in_memory = 0;
    for (size_t i = 0; i < s->chunk_count; i++)
        in_memory += s->chunks[i].memory != NULL;
    ck_assert_uint_eq(in_memory, 1);
    ck_assert_uint_gt(s->chunk_count, 4);
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    prof_analysis_finish(&a);
    check_run(&a);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

START_TEST(log_survives)
{ /* a log is readable while the program still runs, or after it died */
    char path[] = "/tmp/profiler_logXXXXXX";
    close(mkstemp(path));
    prof_window_events = 1u << 20;
    ck_assert_int_eq(prof_store_open(path, 0), 0);
    make_run(5, 50);
    prof_source *s = prof_source_read(path); /* not closed: as after kill -9 */
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(s->closed, 0);
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    prof_analysis_finish(&a);
    check_run(&a);
    prof_analysis_free(&a);
    prof_source_free(s);
    prof_source_free(prof_store_close());
    s = prof_source_read(path);
    ck_assert_int_eq(s->closed, 1);
    ck_assert_uint_eq(prof_source_events(s), g.events);
    prof_source_free(s);
    ck_assert_int_eq(truncate(path, PROF_CHUNK_BYTES + 1000), 0); /* cut off in the middle of a chunk */
    s = prof_source_read(path);
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_eq(prof_source_events(s), 0);
    prof_source_free(s);
    ck_assert_int_eq(truncate(path, 10), 0);
    ck_assert_ptr_null(prof_source_read(path));
    unlink(path);
}
END_TEST

START_TEST(what_finds_no_room_is_counted)
{ /* a log that may not grow beyond its header and two chunks */
    enum { EVENTS = 3 * PROF_CHUNK_EVENTS };
    char path[] = "/tmp/profiler_logXXXXXX";
    close(mkstemp(path));
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){3 * PROF_CHUNK_BYTES, 3 * PROF_CHUNK_BYTES}), 0);
    ck_assert_int_eq(prof_store_open(path, 0), 0);
    for (uint64_t i = 0; i < EVENTS; i++)
        prof_put(&(prof_event){.start_ns = 1 + i, .end_ns = 2 + i, .kind = PROF_API});
    prof_source *s = prof_source_read(path); /* whoever reads it after a crash is told too */
    ck_assert_uint_eq(s->lost, PROF_CHUNK_EVENTS);
    prof_source_free(s);
    s = prof_store_close();
    ck_assert_uint_eq(s->lost, PROF_CHUNK_EVENTS);
    prof_source_free(s);
    s = prof_source_read(path);
    ck_assert_uint_eq(s->lost, PROF_CHUNK_EVENTS);
    ck_assert_uint_eq(prof_source_events(s), EVENTS - PROF_CHUNK_EVENTS);
    prof_source_free(s);
    unlink(path);
}
END_TEST

enum { WRITERS = 8, EACH = 20000 };
static void *writer(void *arg)
{
    uint32_t thread = 1 + (uint32_t)(uintptr_t)arg;
    char name[40];
    for (uint32_t i = 0; i < EACH; i++) {
        snprintf(name, sizeof name, "name %u", (i * 7 + thread) % 500);
        prof_put(&(prof_event){.kind = PROF_API,
                               .start_ns = 10 + 10 * i,
                               .end_ns = 15 + 10 * i,
                               .thread = thread,
                               .name = prof_name(name)});
    }
    return NULL;
}

START_TEST(many_threads)
{
    pthread_t t[WRITERS];
    prof_window_events = 1u << 20;
    ck_assert_int_eq(prof_store_open(NULL, 64 << 20), 0);
    for (uintptr_t i = 0; i < WRITERS; i++)
        pthread_create(&t[i], NULL, writer, (void *)i);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(t[i], NULL);
    prof_source *s = prof_store_close();
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    ck_assert_uint_eq(a.events, (uint64_t)WRITERS * EACH);
    ck_assert_uint_eq(a.stat_count, 500);
    uint64_t calls = 0;
    for (size_t i = 0; i < a.stat_count; i++) {
        ck_assert_uint_eq(a.stats[i].self_cpu_ns, 5 * a.stats[i].time.count);
        calls += a.stats[i].time.count;
    }
    ck_assert_uint_eq(calls, (uint64_t)WRITERS * EACH);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

static uint64_t still(void) { return 1000000; }

START_TEST(readings_become_nanoseconds)
{ /* events in memory (0), in a file (1), in the log of a program that goes on (2) or has ended (3) */
    enum { EVENTS = PROF_CHUNK_EVENTS + 10, BEFORE = 20, AT_NS = 5000000 };
    char path[] = "/tmp/profiler_logXXXXXX";
    close(mkstemp(path));
    prof_set_clock((prof_clock){still, still(), AT_NS, (uint64_t)1 << 31}); /* two a nanosecond */
    ck_assert_uint_eq(prof_now_ns(), AT_NS);
    ck_assert_int_eq(_i < 2 ? prof_store_open(NULL, _i ? 0 : 1 << 20) : prof_store_open(path, 0), 0);
    prof_set_clock((prof_clock){still, still(), AT_NS, (uint64_t)1 << 31}); /* a log may be open by then */
    for (uint64_t k = 0; k < EVENTS; k++) /* the first lie before the moment that the clock was set */
        prof_put(&(prof_event){.start_ns = still() - 2 * BEFORE + 2 * k, .end_ns = still() + 2 * k, .kind = PROF_API});
    prof_source *s = _i == 2 ? prof_source_read(path) : prof_store_close();
    if (_i == 3) {
        prof_source_free(s);
        prof_set_clock((prof_clock){0});
        s = prof_source_read(path);
    }
    ck_assert_uint_eq(prof_source_events(s), EVENTS);
    for (int again = 0; again < 2; again++)
        for (size_t i = 0, k = 0; i < s->chunk_count; i++) {
            const prof_chunk *c = prof_chunk_map(s, i);
            ck_assert_uint_eq(c->min_start, AT_NS - BEFORE + k);
            for (uint32_t e = 0; e < c->count; e++, k++) {
                ck_assert_uint_eq(c->events[e].start_ns, AT_NS - BEFORE + k);
                ck_assert_uint_eq(c->events[e].end_ns, AT_NS + k);
            }
            ck_assert_uint_eq(c->max_start, AT_NS - BEFORE + k - 1);
            prof_chunk_unmap(s, i, c);
        }
    prof_source_free(s);
    prof_source_free(prof_store_close());
    prof_set_clock((prof_clock){0});
    unlink(path);
}
END_TEST

START_TEST(open_ranges_end_with_the_recording)
{
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    uint64_t t = prof_now_ns();
    prof_put(&(prof_event){.kind = PROF_BEGIN, .start_ns = t, .name = prof_name("outer"), .thread = 1});
    prof_put(
        &(prof_event){.kind = PROF_API, .start_ns = t + 10, .end_ns = t + 20, .name = prof_name("call"), .thread = 1});
    prof_source *s = prof_store_close();
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    const prof_stat *outer = find(&a, "outer", PROF_STAT_RANGE);
    ck_assert_ptr_nonnull(outer);
    ck_assert_uint_eq(outer->time.sum, s->end_ns - t);
    ck_assert_uint_eq(outer->self_cpu_ns, s->end_ns - t - 10);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

START_TEST(a_call_inside_a_call) /* both begin at one moment; the inner one is delivered first, as it ends first */
{
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = 10, .end_ns = 15, .name = prof_name("inner"), .thread = 1, .correlation = 2});
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = 10, .end_ns = 20, .name = prof_name("outer"), .thread = 1, .correlation = 1});
    prof_source *s = prof_store_close();
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    ck_assert_uint_eq(find(&a, "outer", PROF_STAT_API)->self_cpu_ns, 5);
    ck_assert_uint_eq(find(&a, "outer", PROF_STAT_API)->time.sum, 10);
    ck_assert_uint_eq(find(&a, "inner", PROF_STAT_API)->self_cpu_ns, 5);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

/* ---- distributions ---- */

static int compare_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

START_TEST(distributions)
{
    static double v[5000];
    for (int n = 1; n < 5000; n = n * 2 + 1) {
        prof_dist d = {0};
        double sum = 0, squares = 0;
        g.random = (uint64_t)n;
        for (int i = 0; i < n; i++) {
            v[i] = (double)rnd(1000000);
            prof_dist_add(&d, (uint64_t)v[i]);
            sum += v[i];
        }
        for (int i = 0; i < n; i++)
            squares += (v[i] - sum / n) * (v[i] - sum / n);
        qsort(v, (size_t)n, sizeof *v, compare_double);
        ck_assert_uint_eq(d.count, (uint64_t)n);
        ck_assert_double_eq((double)d.sum, sum);
        ck_assert_double_eq((double)d.min, v[0]);
        ck_assert_double_eq((double)d.max, v[n - 1]);
        ck_assert_double_eq(prof_dist_median(&d), n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2);
        ck_assert_double_eq_tol(prof_dist_stddev(&d), n > 1 ? sqrt(squares / (n - 1)) : 0, 1e-6 * (sum / n + 1));
        free(d.sample);
    }
}
END_TEST

/* ---- the schedule, against torch's own words ---- */

START_TEST(schedules)
{
    /* N none, W warm-up, R record, S record and save */
    static const struct {
        int wait, warmup, active, repeat, skip_first;
        const char *steps;
    } cases[] = {
        {1, 1, 2, 1, 0, "NWRSNNNNNN"},   {1, 1, 2, 0, 0, "NWRSNWRSNWRS"}, {0, 0, 1, 0, 0, "SSSS"},
        {0, 1, 3, 2, 2, "NNWRRSWRRSNN"}, {2, 0, 1, 2, 1, "NNNSNNSNNN"},   {0, 0, 3, 1, 0, "RRSNN"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ProfilerSchedule s =
            profiler_schedule(cases[i].wait, cases[i].warmup, cases[i].active, cases[i].repeat, cases[i].skip_first);
        for (int k = 0; cases[i].steps[k]; k++)
            ck_assert_int_eq("NWRS"[profiler_schedule_action(&s, k)], cases[i].steps[k]);
    }
}
END_TEST

/* ---- reports ---- */

static char *report(prof_analysis *a, int (*print)(FILE *, prof_analysis *, const void *), const void *arg, int *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    *error = print(f, a, arg);
    fclose(f);
    return text;
}

typedef struct table_args {
    const char *sort_by;
    int row_limit, fit;
} table_args;
static int print_table(FILE *f, prof_analysis *a, const void *arg)
{
    const table_args *t = arg;
    return prof_table(f, a, t->sort_by, t->row_limit, t->fit);
}
static int print_nsys(FILE *f, prof_analysis *a, const void *arg) { return prof_nsys(f, a, arg, 1); }

/* outer [0, 100] us holds launch [10, 20] and inner [30, 80], which holds launch [40, 50]; kernels of
 * 5 and 7 us, a copy of 4 us and 8000 bytes launched outside any range, [200, 230]. */
static prof_source *small_run(void)
{
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    uint64_t t = 1000000;
#define AT(us) t + (us)*1000
    uint32_t launch = prof_name("cudaLaunchKernel"), copy = prof_name("cudaMemcpy");
    prof_put(&(prof_event){.kind = PROF_BEGIN, .start_ns = AT(0), .name = prof_name("outer"), .thread = 9});
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = AT(10), .end_ns = AT(20), .name = launch, .thread = 9, .correlation = 1});
    prof_put(&(prof_event){.kind = PROF_BEGIN, .start_ns = AT(30), .name = prof_name("inner"), .thread = 9});
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = AT(40), .end_ns = AT(50), .name = launch, .thread = 9, .correlation = 2});
    prof_put(&(prof_event){.kind = PROF_END, .start_ns = AT(80), .thread = 9});
    prof_put(&(prof_event){.kind = PROF_END, .start_ns = AT(100), .thread = 9});
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = AT(200), .end_ns = AT(230), .name = copy, .thread = 9, .correlation = 3});
    uint32_t k = prof_name("_Z6squarePfPKfi");
    prof_put(&(prof_event){.kind = PROF_KERNEL,
                           .start_ns = AT(20),
                           .end_ns = AT(25),
                           .name = k,
                           .correlation = 1,
                           .stream = 7,
                           .grid_x = 10,
                           .grid_y = 2,
                           .grid_z = 1,
                           .block = {256, 1, 1},
                           .registers = 16});
    prof_put(&(prof_event){.kind = PROF_KERNEL,
                           .start_ns = AT(50),
                           .end_ns = AT(57),
                           .name = k,
                           .correlation = 2,
                           .stream = 7,
                           .grid_x = 10,
                           .grid_y = 2,
                           .grid_z = 1,
                           .block = {256, 1, 1},
                           .registers = 16});
    prof_put(&(prof_event){.kind = PROF_MEMCPY,
                           .copy_kind = PROF_HTOD,
                           .start_ns = AT(210),
                           .end_ns = AT(214),
                           .name = prof_name(prof_copy_name(PROF_MEMCPY, PROF_HTOD)),
                           .correlation = 3,
                           .stream = 7,
                           .bytes = 8000});
    prof_source *s = prof_store_close();
    s->base_ns = t;
    return s;
}

static int row_of(const char *table, const char *name)
{ /* the line the name ends, counted from the first row */
    char *copy = strdup(table), *save = NULL;
    int n = 0, found = -1;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
        while (*line == ' ')
            line++;
        if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ' ')
            found = n - 3;
    }
    free(copy);
    return found;
}

START_TEST(table)
{
    prof_source *s = small_run();
    prof_analysis a = {0};
    int error;
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    prof_analysis_finish(&a);
    char *t = report(&a, print_table, &(table_args){"cuda_time_total", -1, 0}, &error);
    ck_assert_int_eq(error, 0);
    /* name, self cpu %, self cpu, cpu total %, cpu total, avg, self cuda, %, cuda total, avg, calls */
    ck_assert_msg(strstr(t,
                         " 30.77%      40.000us        76.92%     100.000us     100.000us       5.000us        31.25%"
                         "      12.000us      12.000us             1"),
                  "outer:\n%s", t);
    ck_assert_ptr_nonnull(strstr(t, "inner        30.77%      40.000us        38.46%      50.000us      50.000us"
                                    "       7.000us        43.75%       7.000us       7.000us             1"));
    ck_assert_ptr_nonnull(
        strstr(t, "cudaLaunchKernel        15.38%      20.000us        15.38%      20.000us      10.000us"
                  "       0.000us         0.00%       0.000us       0.000us             2"));
    ck_assert_ptr_nonnull(strstr(
        t, "square(float*, float const*, int)         0.00%       0.000us         0.00%"
           "       0.000us       0.000us      12.000us        75.00%      12.000us       6.000us             2"));
    ck_assert_ptr_nonnull(strstr(t, "Self CPU time total: 130.000us\nSelf CUDA time total: 16.000us\n"));
    ck_assert_int_lt(row_of(t, "square(float*, float const*, int)"), row_of(t, "inner"));
    ck_assert_int_lt(row_of(t, "inner"), row_of(t, "Memcpy HtoD"));
    free(t);
    t = report(&a, print_table, &(table_args){"cpu_time", 2, 0}, &error);
    ck_assert_int_eq(row_of(t, "outer"), 0);
    ck_assert_int_eq(row_of(t, "inner"), 1);
    ck_assert_int_lt(row_of(t, "cudaMemcpy"), 0);
    free(t);
    t = report(&a, print_table, &(table_args){"count", 1, 0}, &error);
    ck_assert_int_eq(row_of(t, "cudaLaunchKernel"), 0);
    free(t);
    t = report(&a, print_table, &(table_args){"name", -1, 0}, &error);
    ck_assert_int_eq(row_of(t, "Memcpy HtoD"), 0);
    free(t);
    t = report(&a, print_table, &(table_args){NULL, -1, 100}, &error); /* fits a terminal */
    for (const char *line = t; *line; line += strcspn(line, "\n"), line += *line == '\n')
        ck_assert_msg(strcspn(line, "\n") <= 100, "too wide:\n%s", t);
    ck_assert_ptr_nonnull(strstr(t, "square(float*, float cons...       0.000us"));
    ck_assert_ptr_nonnull(strstr(t, "  # of Calls"));
    ck_assert_ptr_null(strstr(t, "CPU total %"));
    free(t);
    free(report(&a, print_table, &(table_args){"speed", -1, 0}, &error));
    ck_assert_int_eq(error, -1);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

START_TEST(nsys_summaries)
{
    prof_source *s = small_run();
    prof_analysis a = {0};
    int error;
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    prof_analysis_finish(&a);
    char *t = report(&a, print_nsys, "cuda_api_sum", &error);
    ck_assert_str_eq(t, "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
                        "60.0,30000,1,30000.0,30000.0,30000,30000,0.0,cudaMemcpy\n"
                        "40.0,20000,2,10000.0,10000.0,10000,10000,0.0,cudaLaunchKernel\n");
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_kern_sum", &error);
    ck_assert_str_eq(t, "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
                        "100.0,12000,2,6000.0,6000.0,5000,7000,1414.2,\"square(float*, float const*, int)\"\n");
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_mem_time_sum", &error);
    ck_assert_ptr_nonnull(strstr(t, "\n100.0,4000,1,4000.0,4000.0,4000,4000,0.0,[CUDA memcpy Host-to-Device]\n"));
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_mem_size_sum", &error);
    ck_assert_str_eq(t, "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
                        "0.008,1,0.008,0.008,0.008,0.008,0.000,[CUDA memcpy Host-to-Device]\n");
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_sum", &error);
    ck_assert_ptr_nonnull(strstr(t, "\n75.0,12000,2,6000.0,6000.0,5000,7000,1414.2,CUDA_KERNEL,\"square("));
    ck_assert_ptr_nonnull(strstr(t, "\n25.0,4000,1,4000.0,4000.0,4000,4000,0.0,MEMORY_OPER,[CUDA memcpy"));
    free(t);
    free(report(&a, print_nsys, "gpu_sum", &error));
    ck_assert_int_eq(error, -1);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

START_TEST(migrations_are_said_to_cost)
{
    int error;
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    prof_put(&(prof_event){.kind = PROF_MIGRATION,
                           .copy_kind = PROF_HTOD,
                           .start_ns = 1,
                           .end_ns = 11,
                           .name = prof_name(prof_copy_name(PROF_MIGRATION, PROF_HTOD)),
                           .bytes = 65536});
    prof_source *s = prof_store_close(), *none = small_run();
    prof_analysis a = {0}, b = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    ck_assert_int_eq(prof_analyze(&b, none, NULL), 0);
    char *t = report(&a, print_table, &(table_args){NULL, -1, 0}, &error);
    ck_assert_ptr_nonnull(strstr(t, "--no-migrations"));
    free(t);
    t = report(&b, print_table, &(table_args){NULL, -1, 0}, &error);
    ck_assert_ptr_null(strstr(t, "--no-migrations"));
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_mem_size_sum", &error);
    ck_assert_ptr_nonnull(strstr(t, "[CUDA Unified Memory memcpy Host-to-Device]"));
    free(t);
    prof_analysis_free(&a);
    prof_analysis_free(&b);
    prof_source_free(s);
    prof_source_free(none);
}
END_TEST

START_TEST(nsys_counts_copies_of_one_kind_together) /* pinned and pageable: two rows of the table, one of nsys's */
{
    static const struct {
        const char *name;
        uint64_t ns;
    } copies[] = {{"Memcpy DtoH (Device -> Pinned)", 100},
                  {"Memcpy DtoH (Device -> Pageable)", 200},
                  {"Memcpy DtoH (Device -> Pinned)", 300},
                  {"Memcpy DtoH (Device -> Pageable)", 1000}};
    int error;
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    for (uint64_t i = 0; i < 4; i++)
        prof_put(&(prof_event){.kind = PROF_MEMCPY,
                               .copy_kind = PROF_DTOH,
                               .start_ns = 10000 * i + 1,
                               .end_ns = 10000 * i + 1 + copies[i].ns,
                               .name = prof_name(copies[i].name),
                               .bytes = 1000000 * (i + 1)});
    prof_source *s = prof_store_close();
    prof_analysis a = {0};
    ck_assert_int_eq(prof_analyze(&a, s, NULL), 0);
    ck_assert_uint_eq(a.stat_count, 2);
    char *t = report(&a, print_nsys, "cuda_gpu_mem_time_sum", &error); /* deviation of 100 200 300 1000, n - 1: 408.2 */
    ck_assert_ptr_nonnull(strstr(t, "\n100.0,1600,4,400.0,250.0,100,1000,408.2,[CUDA memcpy Device-to-Host]\n"));
    free(t);
    t = report(&a, print_nsys, "cuda_gpu_mem_size_sum", &error);
    ck_assert_ptr_nonnull(strstr(t, "\n10.000,4,2.500,2.500,1.000,4.000,1.291,[CUDA memcpy Device-to-Host]\n"));
    free(t);
    prof_analysis_free(&a);
    prof_source_free(s);
}
END_TEST

/* ---- the trace: a JSON parser of our own, and the Trace Event format's rules ---- */

typedef struct json {
    const char *p;
    int bad;
} json;

static void space(json *j)
{
    while (*j->p && strchr(" \t\r\n", *j->p))
        j->p++;
}

static void value(json *j, void (*member)(void *, const char *key, size_t, const char *text, size_t), void *user);

static const char *string(json *j, size_t *length)
{ /* raw, between the quotes */
    if (*j->p != '"') {
        j->bad = 1;
        return j->p;
    }
    const char *start = ++j->p;
    while (*j->p && *j->p != '"' && !j->bad) {
        unsigned char c = (unsigned char)*j->p;
        if (c < 0x20)
            j->bad = 1;
        if (c == '\\') {
            c = (unsigned char)*++j->p;
            if (c == 'u') {
                for (int i = 0; i < 4; i++)
                    if (!isxdigit((unsigned char)*++j->p)) {
                        j->bad = 1;
                        break;
                    }
            } else if (!c || !strchr("\"\\/bfnrt", c)) {
                j->bad = 1;
            }
        }
        j->p++;
    }
    *length = (size_t)(j->p - start);
    if (*j->p == '"')
        j->p++;
    else
        j->bad = 1;
    return start;
}

static void value(json *j, void (*member)(void *, const char *, size_t, const char *, size_t), void *user)
{
    space(j);
    if (j->bad)
        return;
    if (*j->p == '{' || *j->p == '[') {
        char close = *j->p == '{' ? '}' : ']';
        j->p++;
        space(j);
        for (int first = 1; *j->p != close && !j->bad; first = 0) {
            size_t n = 0;
            const char *key = NULL;
            if (!first && *j->p++ != ',')
                j->bad = 1;
            space(j);
            if (close == '}') {
                key = string(j, &n);
                space(j);
                if (*j->p++ != ':')
                    j->bad = 1;
                space(j);
            }
            const char *start = j->p;
            value(j, NULL, NULL);
            if (member && !j->bad)
                member(user, key ? key : "", n, start, (size_t)(j->p - start));
            space(j);
        }
        if (*j->p)
            j->p++;
        else
            j->bad = 1;
    } else if (*j->p == '"') {
        size_t n;
        string(j, &n);
    } else if (!strncmp(j->p, "true", 4) || !strncmp(j->p, "null", 4)) {
        j->p += 4;
    } else if (!strncmp(j->p, "false", 5)) {
        j->p += 5;
    } else { /* a number as JSON has it: no leading zero or plus, digits on both sides of the point */
        const char *s = j->p;
        if (*s == '-')
            s++;
        if (*s == '0' && isdigit((unsigned char)s[1]))
            j->bad = 1;
        if (!isdigit((unsigned char)*s))
            j->bad = 1;
        while (isdigit((unsigned char)*s))
            s++;
        if (*s == '.' && !isdigit((unsigned char)*++s))
            j->bad = 1;
        while (isdigit((unsigned char)*s))
            s++;
        if (*s == 'e' || *s == 'E')
            j->bad = 1; /* we never write one */
        j->p = s;
    }
}

typedef struct trace_event {
    char ph, name[128], cat[32];
    double ts, dur, pid, tid, id;
    int has_ts, has_dur, has_id, has_pid, has_tid, has_args;
} trace_event;

static void event_member(void *user, const char *key, size_t n, const char *text, size_t length)
{
    trace_event *e = user;
    char k[32];
    snprintf(k, sizeof k, "%.*s", (int)n, key);
#define NUMBER(f)                                                                                                      \
    if (!strcmp(k, #f))                                                                                                \
    e->f = atof(text), e->has_##f = *text == '-' || isdigit((unsigned char)*text)
    NUMBER(ts);
    NUMBER(dur);
    NUMBER(pid);
    NUMBER(tid);
    NUMBER(id);
    if (!strcmp(k, "ph"))
        e->ph = text[1];
    if (!strcmp(k, "name"))
        snprintf(e->name, sizeof e->name, "%.*s", (int)length - 2, text + 1);
    if (!strcmp(k, "cat"))
        snprintf(e->cat, sizeof e->cat, "%.*s", (int)length - 2, text + 1);
    if (!strcmp(k, "args"))
        e->has_args = *text == '{';
}

typedef struct trace {
    trace_event *e;
    size_t n;
} trace;

static void trace_element(void *user, const char *key, size_t n, const char *text, size_t length)
{
    (void)key, (void)n, (void)length;
    trace *t = user;
    json j = {text, 0};
    if (t->n % 1024 == 0)
        t->e = realloc(t->e, (t->n + 1024) * sizeof *t->e);
    memset(&t->e[t->n], 0, sizeof *t->e);
    value(&j, event_member, &t->e[t->n++]);
}

static void trace_member(void *user, const char *key, size_t n, const char *text, size_t length)
{
    (void)length;
    json j = {text, 0};
    if (n == 11 && !strncmp(key, "traceEvents", n))
        value(&j, trace_element, user);
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    char *text = malloc((size_t)n + 1);
    rewind(f);
    ck_assert_uint_eq(fread(text, 1, (size_t)n, f), (size_t)n);
    text[n] = 0;
    fclose(f);
    return text;
}

static trace read_trace(const char *path)
{
    char *text = slurp(path);
    json j = {text, 0};
    trace t = {0};
    value(&j, trace_member, &t);
    space(&j);
    ck_assert_msg(!j.bad && !*j.p, "not JSON at byte %ld: %.60s", (long)(j.p - text), j.p);
    for (size_t i = 0; i < t.n; i++) { /* the rules of "Trace Event Format" */
        trace_event *e = &t.e[i];
        ck_assert_msg(e->ph && strchr("XMsf", e->ph), "event %zu has phase '%c'", i, e->ph);
        ck_assert_msg(e->name[0] && e->has_ts && e->has_pid && e->has_tid, "event %zu lacks a member", i);
        if (e->ph == 'X')
            ck_assert_msg(e->has_dur && e->dur >= 0 && e->cat[0], "event %zu is not complete", i);
        if (e->ph == 'M')
            ck_assert(e->has_args);
        if (e->ph != 's')
            continue;
        ck_assert(e->has_id);
        size_t starts = 0, ends = 0;
        for (size_t k = 0; k < t.n && t.n < 5000; k++)
            if (t.e[k].id == e->id && (t.e[k].ph == 's' || t.e[k].ph == 'f')) {
                starts += t.e[k].ph == 's';
                ends += t.e[k].ph == 'f' && t.e[k].ts >= e->ts;
            }
        ck_assert_msg((starts == 1 && ends == 1) || t.n >= 5000, "arrow %g: %zu starts, %zu ends", e->id, starts, ends);
    }
    free(text);
    return t;
}

static const trace_event *trace_find(const trace *t, char ph, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->e[i].ph == ph && !strcmp(t->e[i].name, name))
            return &t->e[i];
    return NULL;
}

START_TEST(trace_of_a_small_run)
{
    char path[] = "/tmp/profiler_traceXXXXXX";
    close(mkstemp(path));
    prof_source *s = small_run();
    ck_assert_int_eq(prof_trace_write(path, &s, 1, NULL), 0);
    trace t = read_trace(path);
    const trace_event *outer = trace_find(&t, 'X', "outer"), *inner = trace_find(&t, 'X', "inner"),
                      *kernel = trace_find(&t, 'X', "square(float*, float const*, int)"),
                      *copy = trace_find(&t, 'X', "Memcpy HtoD");
    ck_assert(outer && inner && kernel && copy);
    ck_assert_double_eq(outer->ts, 0);
    ck_assert_double_eq(outer->dur, 100);
    ck_assert_double_eq(inner->ts, 30);
    ck_assert_double_eq(kernel->ts, 20);
    ck_assert_double_eq(kernel->dur, 5);
    ck_assert_double_eq(kernel->tid, 7);
    ck_assert_str_eq(kernel->cat, "kernel");
    ck_assert_double_eq(copy->dur, 4);
    size_t starts = 0, names = 0;
    for (size_t i = 0; i < t.n; i++) {
        starts += t.e[i].ph == 's';
        names += t.e[i].ph == 'M' && (!strcmp(t.e[i].name, "process_name") || !strcmp(t.e[i].name, "thread_name"));
        if (t.e[i].ph == 's' && t.e[i].id == 1)
            ck_assert_double_eq(t.e[i].ts, 10);
        if (t.e[i].ph == 'f' && t.e[i].id == 1)
            ck_assert_double_eq(t.e[i].ts, 20);
    }
    ck_assert_uint_eq(starts, 3);
    ck_assert_uint_ge(names, 4);
    char *text = slurp(path);
    ck_assert_ptr_nonnull(strstr(text, "\"registers per thread\":16"));
    ck_assert_ptr_nonnull(strstr(text, "\"grid\":[10,2,1],\"block\":[256,1,1]"));
    ck_assert_ptr_nonnull(strstr(text, "\"bytes\":8000,\"memory bandwidth (GB/s)\":2.000"));
    free(text);
    free(t.e);
    prof_source_free(s);
    unlink(path);
}
END_TEST

START_TEST(arrows_of_one_call) /* a graph's launch has many kernels */
{
    enum { KERNELS_OF_ONE = 3 };
    char path[] = "/tmp/profiler_traceXXXXXX";
    close(mkstemp(path));
    ck_assert_int_eq(prof_store_open(NULL, 1 << 20), 0);
    prof_put(&(prof_event){
        .kind = PROF_API, .start_ns = 1, .end_ns = 2, .thread = 1, .name = prof_name("call"), .correlation = 1});
    for (uint64_t i = 0; i < KERNELS_OF_ONE; i++)
        prof_put(&(prof_event){.kind = PROF_KERNEL,
                               .start_ns = 10 * i + 10,
                               .end_ns = 10 * i + 15,
                               .name = prof_name("k"),
                               .correlation = 1});
    prof_source *s = prof_store_close();
    ck_assert_int_eq(prof_trace_write(path, &s, 1, NULL), 0);
    trace t = read_trace(path); /* no two arrows with one number */
    size_t arrows = 0;
    for (size_t i = 0; i < t.n; i++)
        arrows += t.e[i].ph == 'f';
    ck_assert_uint_eq(arrows, KERNELS_OF_ONE);
    free(t.e);
    prof_source_free(s);
    unlink(path);
}
END_TEST

START_TEST(trace_of_random_runs)
{
    char path[] = "/tmp/profiler_traceXXXXXX";
    close(mkstemp(path));
    prof_window_events = 1u << 20;
    ck_assert_int_eq(prof_store_open(NULL, 64 << 20), 0);
    make_run((uint64_t)_i + 100, 5);
    prof_put(&(prof_event){.kind = PROF_API,
                           .start_ns = 1,
                           .end_ns = 2,
                           .thread = 100,
                           .name = prof_name("\x01 \xff \xc3\xa9 \xe2\x82 k<float>\n\t")});
    prof_source *s = prof_store_close();
    ck_assert_int_eq(prof_trace_write(path, &s, 1, NULL), 0);
    trace t = read_trace(path);
    size_t spans = 0;
    for (size_t i = 0; i < t.n; i++)
        spans += t.e[i].ph == 'X';
    uint64_t ranges = 0;
    for (int i = 0; i < NAMES; i++)
        ranges += g.range[i].count;
    ck_assert_uint_eq(spans, g.events - ranges + 1); /* a range is two events here and one there */
    char *text = slurp(path);
    ck_assert_ptr_nonnull(strstr(text, " k<float>\\n\\t\"")); /* Perfetto shows \u003c as it stands */
    free(text);
    free(t.e);
    prof_source_free(s);
    unlink(path);
}
END_TEST

START_TEST(strings_for_a_page) /* nothing ends the script that they stand in */
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    prof_json_string(f, "k<float>\n</script>\"");
    fclose(f);
    ck_assert_str_eq(text, "\"k\\u003cfloat>\\n\\u003c/script>\\\"\"");
    free(text);
}
END_TEST

START_TEST(a_million_events)
{ /* memory stays bounded; counts stay exact; the file is JSON */
    enum { LAUNCHES = 500000 };
    char path[] = "/tmp/profiler_traceXXXXXX";
    close(mkstemp(path));
    prof_window_events = 100000;
    ck_assert_int_eq(prof_store_open(NULL, 8 << 20), 0);
    uint32_t launch = prof_name("cudaLaunchKernel"), kernel = prof_name("empty()");
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        uint64_t t = 1000 + 10 * (uint64_t)i;
        prof_put(&(prof_event){
            .kind = PROF_API, .start_ns = t, .end_ns = t + 3, .name = launch, .correlation = i + 1, .thread = 1});
        prof_put(&(prof_event){
            .kind = PROF_KERNEL, .start_ns = t + 100, .end_ns = t + 101, .name = kernel, .correlation = i + 1});
    }
    prof_source *s = prof_store_close();
    prof_analysis a = {0};
    ck_assert_int_eq(prof_trace_write(path, &s, 1, &a), 0);
    prof_analysis_finish(&a);
    ck_assert_uint_eq(find(&a, "cudaLaunchKernel", PROF_STAT_API)->time.count, LAUNCHES);
    ck_assert_uint_eq(find(&a, "empty()", PROF_STAT_KERNEL)->self_cuda_ns, LAUNCHES);
    ck_assert_uint_eq(a.unmatched, 0);
    prof_analysis_free(&a);
    prof_source_free(s);
    char *text = slurp(path);
    json j = {text, 0};
    value(&j, NULL, NULL);
    space(&j);
    ck_assert(!j.bad && !*j.p);
    size_t kernels = 0;
    for (char *p = text; (p = strstr(p, "\"cat\":\"kernel\"")); p++)
        kernels++;
    ck_assert_uint_eq(kernels, LAUNCHES);
    free(text);
    unlink(path);
}
END_TEST

START_TEST(a_failed_write_is_an_error)
{
    prof_source *s = small_run();
    ck_assert_int_ne(prof_trace_write("/nonexistent/trace.json", &s, 1, NULL), 0);
    if (!access("/dev/full", W_OK))
        ck_assert_int_ne(prof_trace_write("/dev/full", &s, 1, NULL), 0);
    prof_source_free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profiler core");
    TCase *t = tcase_create("core");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, random_nestings, 0, 20);
    tcase_add_test(t, spills_to_a_file);
    tcase_add_test(t, log_survives);
    tcase_add_test(t, what_finds_no_room_is_counted);
    tcase_add_test(t, many_threads);
    tcase_add_loop_test(t, readings_become_nanoseconds, 0, 4);
    tcase_add_test(t, open_ranges_end_with_the_recording);
    tcase_add_test(t, a_call_inside_a_call);
    tcase_add_test(t, distributions);
    tcase_add_test(t, schedules);
    tcase_add_test(t, table);
    tcase_add_test(t, nsys_summaries);
    tcase_add_test(t, migrations_are_said_to_cost);
    tcase_add_test(t, nsys_counts_copies_of_one_kind_together);
    tcase_add_test(t, trace_of_a_small_run);
    tcase_add_test(t, arrows_of_one_call);
    tcase_add_loop_test(t, trace_of_random_runs, 0, 3);
    tcase_add_test(t, strings_for_a_page);
    tcase_add_test(t, a_million_events);
    tcase_add_test(t, a_failed_write_is_an_error);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
