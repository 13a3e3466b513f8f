/* profiler_api.cu: the profiler on a real device: counts exact, time given to the right range, the schedule, toggling,
 * what happens without a tracer, and that a program which never starts it is left alone. */
#include <check.h>
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

#ifdef LAB_CPU
#include "cpudevice.h"
#endif
#include "profiler.h"

__global__ void square(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

__global__ void busy(float *x, int rounds)
{
    float v = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = v * 0.999f + 1.0f;
    x[threadIdx.x] = v;
}

enum { N = 1000 };
static float *d_in, *d_out, h[N];

static void setup(void)
{
    ck_assert_int_eq(cudaMalloc((void **)&d_in, sizeof h), cudaSuccess);
    ck_assert_int_eq(cudaMalloc((void **)&d_out, sizeof h), cudaSuccess);
    ck_assert_int_eq(cudaMemset(d_in, 0, sizeof h), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
}

static void launch_square(void) { square<<<(N + 127) / 128, 128>>>(d_out, d_in, N); }

static ProfilerRow row(const char *part, int device)
{
    ProfilerKeyAverages a;
    ProfilerRow found = {};
    ck_assert_int_eq(profiler_key_averages(&a), PROFILER_OK);
    for (size_t i = 0; i < a.count; i++)
        if (a.rows[i].device == device && strstr(a.rows[i].name, part))
            found = a.rows[i];
    profiler_key_averages_free(&a);
    return found;
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    char *text = (char *)calloc(1, (size_t)n + 1);
    rewind(f);
    ck_assert_uint_eq(fread(text, 1, (size_t)n, f), (size_t)n);
    fclose(f);
    return text;
}

START_TEST(counts_are_exact)
{
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    for (int i = 0; i < 37; i++)
        launch_square();
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(cudaMemcpy(h, d_out, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemset(d_out, 1, sizeof h), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_uint_eq(row("square", PROFILER_CUDA).count, 37);
    ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, 37);
    ck_assert_uint_eq(row("cudaMemcpy", PROFILER_CPU).count, 8);
    ck_assert_uint_eq(row("Memcpy DtoH", PROFILER_CUDA).count, 5);
    ck_assert_uint_eq(row("Memcpy HtoD", PROFILER_CUDA).count, 3);
    ck_assert_uint_eq(row("Memset", PROFILER_CUDA).count, 1);
    ck_assert_uint_eq(row("cudaDeviceSynchronize", PROFILER_CPU).count, 1); /* the profiler's own are not counted */
    ck_assert_ptr_nonnull(strstr(row("square", PROFILER_CUDA).name, "square"));
    ck_assert_uint_gt(row("square", PROFILER_CUDA).self_cuda_ns, 0);
}
END_TEST

START_TEST(calls_have_their_own_names) /* also those that are a special case of another */
{
    cudaStream_t s, t;
    cudaEvent_t e;
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    ck_assert_int_eq(cudaStreamCreate(&s), cudaSuccess);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking), cudaSuccess);
    ck_assert_int_eq(cudaEventCreate(&e), cudaSuccess);
    ck_assert_int_eq(cudaEventRecord(e, s), cudaSuccess);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    static const char *const called[] = {"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaEventCreate",
                                         "cudaEventRecord", "cudaStreamSynchronize"};
    ProfilerKeyAverages a;
    ck_assert_int_eq(profiler_key_averages(&a), PROFILER_OK);
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        unsigned times = 0;
        for (size_t k = 0; k < a.count; k++)
            if (!strcmp(a.rows[k].name, called[i]))
                times += a.rows[k].count;
        ck_assert_msg(times == 1, "%s: %u", called[i], times);
    }
    profiler_key_averages_free(&a);
}
END_TEST

START_TEST(ranges_get_their_kernels)
{
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    profiler_record_function("outer")
    {
        launch_square();
        profiler_record_function("inner")
        {
            busy<<<1, 32>>>(d_out, 20000);
            launch_square();
        }
    }
    launch_square();
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ProfilerRow outer = row("outer", PROFILER_CPU), inner = row("inner", PROFILER_CPU),
                sq = row("square", PROFILER_CUDA), b = row("busy", PROFILER_CUDA);
    ck_assert_uint_eq(sq.count, 3);
    ck_assert_uint_eq(inner.self_cuda_ns, inner.cuda_total_ns);
    ck_assert_uint_ge(inner.cuda_total_ns, b.cuda_total_ns);
    ck_assert_uint_eq(outer.cuda_total_ns, outer.self_cuda_ns + inner.cuda_total_ns);
    ck_assert_uint_lt(outer.cuda_total_ns, sq.cuda_total_ns + b.cuda_total_ns); /* the last launch is in no range */
    ck_assert_uint_eq(outer.cpu_total_ns >= inner.cpu_total_ns, 1);
    ProfilerKeyAverages a;
    ck_assert_int_eq(profiler_key_averages(&a), PROFILER_OK);
    uint64_t self = 0;
    for (size_t i = 0; i < a.count; i++)
        self += a.rows[i].self_cpu_ns;
    ck_assert_uint_eq(self, a.self_cpu_total_ns);
    ck_assert_uint_eq(a.self_cuda_total_ns, sq.cuda_total_ns + b.cuda_total_ns);
    profiler_key_averages_free(&a);
}
END_TEST

static int cycles, squares_in_cycle[8], steps_in_cycle[8];
static void on_ready(void *user)
{
    ck_assert_ptr_eq(user, &cycles);
    squares_in_cycle[cycles] = (int)row("square", PROFILER_CUDA).count;
    steps_in_cycle[cycles] = (int)row("ProfilerStep*", PROFILER_CPU).count;
    cycles++;
}

START_TEST(schedule_of_torch)
{
    static const struct {
        int wait, warmup, active, repeat, skip_first, cycles;
    } cases[] = {{1, 1, 2, 1, 0, 1}, {1, 1, 2, 0, 0, 3}, {0, 1, 1, 0, 3, 4}, {2, 0, 3, 1, 1, 1}, {0, 0, 1, 0, 0, 10}};
    setup();
    ProfilerOptions o = {};
    o.schedule =
        profiler_schedule(cases[_i].wait, cases[_i].warmup, cases[_i].active, cases[_i].repeat, cases[_i].skip_first);
    o.on_trace_ready = on_ready;
    o.user = &cycles;
    if (cases[_i].cycles > 8)
        o.schedule.repeat = 8;
    ck_assert_int_eq(profiler_start(&o), PROFILER_OK);
    for (int step = 0; step < 10; step++) {
        for (int k = 0; k <= step; k++) /* step n launches n + 1 */
            launch_square();
        ck_assert_int_eq(profiler_step(), PROFILER_OK);
        ck_assert_int_eq(profiler_step_num(), step + 1);
    }
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_int_eq(cycles, cases[_i].cycles > 8 ? 8 : cases[_i].cycles);
    int cycle = cases[_i].wait + cases[_i].warmup + cases[_i].active;
    for (int c = 0; c < cycles; c++) {
        int expect = 0, first = cases[_i].skip_first + c * cycle + cases[_i].wait + cases[_i].warmup;
        for (int k = 0; k < cases[_i].active && first < 10; k++)
            expect += first + k + 1;
        ck_assert_int_eq(squares_in_cycle[c], expect); /* warm-up launches are dropped, late kernels are not */
        ck_assert_int_eq(steps_in_cycle[c],
                         first < 10 ? cases[_i].active : 1); /* stop ends a cycle early, as torch's does */
    }
}
END_TEST

START_TEST(toggling)
{
    setup();
    for (int which = 0; which < 4; which++) { /* both, CPU alone, CUDA alone, neither */
        ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
        launch_square();
        if (which & 1)
            ck_assert_int_eq(profiler_toggle_collection(PROFILER_CUDA, 0), PROFILER_OK);
        if (which & 2)
            ck_assert_int_eq(profiler_toggle_collection(PROFILER_CPU, 0), PROFILER_OK);
        profiler_record_function("between") launch_square();
        launch_square();
        ck_assert_int_eq(profiler_toggle_collection(PROFILER_CPU | PROFILER_CUDA, 1), PROFILER_OK);
        launch_square();
        ck_assert_int_eq(profiler_stop(), PROFILER_OK);
        ck_assert_uint_eq(row("square", PROFILER_CUDA).count, which & 1 ? 2 : 4);
        ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, which & 2 ? 2 : 4);
        ck_assert_uint_eq(row("between", PROFILER_CPU).count, which & 2 ? 0 : 1);
    }
}
END_TEST

START_TEST(activities_chosen_at_the_start)
{
    setup();
    ProfilerOptions o = {};
    o.activities = PROFILER_CPU;
    ck_assert_int_eq(profiler_start(&o), PROFILER_OK);
    launch_square();
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_uint_eq(row("square", PROFILER_CUDA).count, 0);
    ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, 1);
    o.activities = PROFILER_CUDA;
    ck_assert_int_eq(profiler_start(&o), PROFILER_OK);
    profiler_record_function("range") launch_square();
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_uint_eq(row("square", PROFILER_CUDA).count, 1);
    ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, 0);
    ck_assert_uint_eq(row("range", PROFILER_CPU).count, 0);
}
END_TEST

START_TEST(wrong_use_is_an_error)
{
    setup();
    ProfilerKeyAverages a;
    ck_assert_int_eq(profiler_stop(), PROFILER_ERROR_STATE);
    ck_assert_int_eq(profiler_step(), PROFILER_ERROR_STATE);
    ck_assert_int_eq(profiler_toggle_collection(PROFILER_CUDA, 0), PROFILER_ERROR_STATE);
    ck_assert_int_eq(profiler_key_averages(&a), PROFILER_ERROR_STATE);
    ck_assert_int_eq(profiler_export_chrome_trace("/tmp/never"), PROFILER_ERROR_STATE);
    ProfilerOptions o = {};
    o.schedule = profiler_schedule(-1, 0, 1, 0, 0);
    ck_assert_int_eq(profiler_start(&o), PROFILER_ERROR_ARGUMENT);
    o.schedule = profiler_schedule(1, 1, 0, 0, 0);
    ck_assert_int_eq(profiler_start(&o), PROFILER_ERROR_ARGUMENT);
    o.schedule = profiler_schedule(0, 0, 0, 0, 0);
    o.activities = 8;
    ck_assert_int_eq(profiler_start(&o), PROFILER_ERROR_ARGUMENT);
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    ck_assert_int_eq(profiler_start(NULL), PROFILER_ERROR_STATE);
    ck_assert_int_eq(profiler_toggle_collection(0, 0), PROFILER_ERROR_ARGUMENT);
    profiler_record_function_end(); /* an end too many does no harm */
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_int_eq(profiler_key_averages_table(stderr, "speed", -1), PROFILER_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(profiler_last_error(), "speed"));
    ck_assert_int_eq(profiler_nsys_summary(stderr, "gpu", 0), PROFILER_ERROR_ARGUMENT);
    ck_assert_int_eq(profiler_export_chrome_trace("/nonexistent/x.json"), PROFILER_ERROR_IO);
}
END_TEST

START_TEST(microseconds) /* a sleep of 20 ms is 20,000 in a trace */
{
    char path[] = "/tmp/profiler_apiXXXXXX";
    close(mkstemp(path));
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    struct timespec t = {0, 20000000};
    profiler_record_function("sleep") nanosleep(&t, NULL);
    profiler_record_function("after") {}
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_int_eq(profiler_export_chrome_trace(path), PROFILER_OK);
    char *text = slurp(path), *sleep = strstr(text, "\"name\":\"sleep\""), *after = strstr(text, "\"name\":\"after\"");
    ck_assert(sleep && after);
    double dur = atof(strstr(sleep, "\"dur\":") + 6);
    double gap = atof(strstr(after, "\"ts\":") + 5) - atof(strstr(sleep, "\"ts\":") + 5);
    ck_assert_double_ge(dur, 20000);
    ck_assert_double_lt(dur, 2000000); /* in ns it would be 20,000,000 */
    ck_assert_double_ge(gap, dur);
    free(text);
    unlink(path);
}
END_TEST

START_TEST(tensorboard_handler)
{
    char dir[] = "/tmp/profiler_tbXXXXXX", logs[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(logs, sizeof logs, "%s/a/b", dir);
    setup();
    ProfilerOptions o = {};
    o.schedule = profiler_schedule(0, 0, 1, 2, 0);
    o.on_trace_ready = profiler_tensorboard_trace_handler;
    o.user = logs;
    ck_assert_int_eq(profiler_start(&o), PROFILER_OK);
    for (int i = 0; i < 3; i++) {
        launch_square();
        profiler_step();
    }
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    DIR *d = opendir(logs);
    ck_assert_ptr_nonnull(d);
    int files = 0;
    char path[600];
    while (struct dirent *e = readdir(d)) {
        if (e->d_name[0] == '.')
            continue;
        files++;
        const char *tail = ".pt.trace.json";
        ck_assert_str_eq(e->d_name + strlen(e->d_name) - strlen(tail), tail);
        snprintf(path, sizeof path, "%s/%s", logs, e->d_name);
        char *text = slurp(path);
        ck_assert_ptr_nonnull(strstr(text, "ProfilerStep#"));
        ck_assert_ptr_nonnull(strstr(text, "\"cat\":\"kernel\""));
        free(text);
        unlink(path);
    }
    closedir(d);
    ck_assert_int_eq(files, 2);
    rmdir(logs);
    snprintf(path, sizeof path, "%s/a", dir);
    rmdir(path);
    rmdir(dir);
}
END_TEST

static void *worker(void *arg)
{
    for (int i = 0; i < 200; i++)
        profiler_record_function("worker") launch_square();
    return arg;
}

START_TEST(threads)
{
    enum { THREADS = 4 };
    pthread_t t[THREADS];
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ProfilerRow w = row("worker", PROFILER_CPU), sq = row("square", PROFILER_CUDA);
    ck_assert_uint_eq(w.count, THREADS * 200);
    ck_assert_uint_eq(sq.count, THREADS * 200);
    ck_assert_uint_eq(w.cuda_total_ns, sq.cuda_total_ns);
}
END_TEST

START_TEST(without_a_tracer) /* ranges are timed with events, the rest is empty */
{
    setenv("PROFILER_BACKEND", "events", 1);
    setup();
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK);
    ck_assert_str_eq(profiler_backend(), "CUDA events");
    profiler_record_function("outer")
    {
        busy<<<1, 32>>>(d_out, 20000);
        profiler_record_function("inner") busy<<<1, 32>>>(d_out, 200000);
    }
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ProfilerRow outer = row("outer", PROFILER_CPU), inner = row("inner", PROFILER_CPU);
    ck_assert_uint_eq(outer.count, 1);
    ck_assert_uint_gt(inner.self_cuda_ns, 0);
    ck_assert_uint_gt(outer.self_cuda_ns, 0);
    ck_assert_uint_eq(outer.cuda_total_ns, outer.self_cuda_ns + inner.cuda_total_ns);
    ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, 0);
    unsetenv("PROFILER_BACKEND");
    ck_assert_int_eq(profiler_start(NULL), PROFILER_OK); /* and again with one */
    launch_square();
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_uint_eq(row("cudaLaunchKernel", PROFILER_CPU).count, 1);
}
END_TEST

#ifdef LAB_CPU
static void nobody(void *user, const cpudev_event *e) { (void)user, (void)e; }

enum { CALLERS = 4, CALLS = 10000 };
static struct {
    cpudev_event_clock clock;
    uint64_t from_ns, to_ns;
    unsigned char seen[2][CALLERS * CALLS * 4]; /* of calls and of kernels, by correlation */
    unsigned wrong;
} heard;

static uint64_t monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int64_t heard_ns(uint64_t reading) /* as cpudevice.h says */
{
    return (int64_t)(heard.clock.ns +
                     (uint64_t)((__int128)(int64_t)(reading - heard.clock.ticks) * heard.clock.rate >> 32));
}

static void hear(void *user, const cpudev_event *e)
{
    (void)user;
    enum { SLACK = 100000 }; /* what two ways to tell the time may differ by */
    int64_t start = heard_ns(e->start), end = heard_ns(e->end), now = (int64_t)monotonic_ns();
    if (start > end || start < (int64_t)heard.from_ns - SLACK || end > now + SLACK || !e->correlation ||
        e->correlation >= sizeof heard.seen[0] || e->kind > CPUDEV_EVENT_KERNEL ||
        __atomic_fetch_add(&heard.seen[e->kind][e->correlation], 1, __ATOMIC_RELAXED))
        __atomic_fetch_add(&heard.wrong, 1, __ATOMIC_RELAXED);
}

static void *call(void *arg)
{
    for (int i = 0; i < CALLS; i++)
        busy<<<1, 1>>>(d_out, 0);
    return arg;
}

START_TEST(correlations_are_unique) /* whichever thread calls; and what is heard has happened just now */
{
    pthread_t t[CALLERS];
    setup();
    heard.from_ns = monotonic_ns();
    ck_assert_int_eq(cpudev_subscribe(hear, NULL, &heard.clock), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_create(&t[i], NULL, call, NULL);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(t[i], NULL);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    cpudev_unsubscribe();
    ck_assert_uint_eq(heard.wrong, 0);
    unsigned calls = 0, pairs = 0;
    for (size_t i = 0; i < sizeof heard.seen[0]; i++) {
        calls += heard.seen[CPUDEV_EVENT_API][i];
        pairs += heard.seen[CPUDEV_EVENT_API][i] && heard.seen[CPUDEV_EVENT_KERNEL][i];
    }
    ck_assert_uint_eq(calls, CALLERS * CALLS + 1); /* and the synchronize */
    ck_assert_uint_eq(pairs, CALLERS * CALLS);
}
END_TEST

START_TEST(another_profiler) /* one clear line, and ranges are timed with events */
{
    char text[400] = "", path[] = "/tmp/profiler_errXXXXXX";
    int file = mkstemp(path), err = dup(2);
    setup();
    cpudev_event_clock clock;
    ck_assert_int_eq(cpudev_subscribe(nobody, NULL, &clock), 0);
    dup2(file, 2);
    int error = profiler_start(NULL);
    dup2(err, 2);
    ck_assert_int_eq(error, PROFILER_OK);
    ck_assert_str_eq(profiler_backend(), "CUDA events");
    profiler_record_function("range") busy<<<1, 32>>>(d_out, 20000);
    ck_assert_int_eq(profiler_stop(), PROFILER_OK);
    ck_assert_uint_gt(row("range", PROFILER_CPU).self_cuda_ns, 0);
    ck_assert_int_gt((int)pread(file, text, sizeof text - 1, 0), 0);
    ck_assert_ptr_nonnull(strstr(text, "another profiler is attached"));
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    close(file);
    unlink(path);
    cpudev_unsubscribe();
}
END_TEST
#endif

START_TEST(never_started)
{
    profiler_record_function("range") {}
    ck_assert_str_eq(profiler_backend(), "none");
    ck_assert_int_eq(profiler_main_begin(0, NULL), 0);
    ck_assert_int_eq(profiler_main_end(stdout), 0);
}
END_TEST

START_TEST(in_a_main)
{
    char path[] = "/tmp/profiler_mainXXXXXX", *text = NULL;
    size_t size;
    close(mkstemp(path));
    FILE *out = open_memstream(&text, &size);
    setup();
    ck_assert_int_eq(profiler_main_begin(1, "/nonexistent/trace.json"), 2); /* at once, not at the end */
    ck_assert_str_eq(profiler_backend(), "none");
    ck_assert_int_eq(profiler_main_begin(1, path), 0);
    launch_square();
    ck_assert_int_eq(profiler_main_end(out), 0);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "Self CUDA time total"));
    ck_assert_ptr_nonnull(strstr(text, "square"));
    free(text);
    text = slurp(path);
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"cudaLaunchKernel\""));
    free(text);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profiler on the device");
    TCase *t = tcase_create("api");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, counts_are_exact);
    tcase_add_test(t, calls_have_their_own_names);
    tcase_add_test(t, ranges_get_their_kernels);
    tcase_add_loop_test(t, schedule_of_torch, 0, 5);
    tcase_add_test(t, toggling);
    tcase_add_test(t, activities_chosen_at_the_start);
    tcase_add_test(t, wrong_use_is_an_error);
    tcase_add_test(t, microseconds);
    tcase_add_test(t, tensorboard_handler);
    tcase_add_test(t, threads);
    tcase_add_test(t, without_a_tracer);
#ifdef LAB_CPU
    tcase_add_test(t, correlations_are_unique);
    tcase_add_test(t, another_profiler);
#endif
    tcase_add_test(t, never_started);
    tcase_add_test(t, in_a_main);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
