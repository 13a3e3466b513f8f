/* profiler.cu: what to record, and when. Three lessons on one kernel (y = x * x + y), with common/profiler.h, which
 * uses torch.profiler's names.
 *
 *   one bare call    the first launch of a kernel pays for loading it and for waking the profiler; the mean of the next
 *                    seven is what it costs from then on. A profile of one call shows the wrong figure.
 *   the schedule     so a loop is profiled by steps: wait 1, warm up 1, record 2, once, in 10 steps. Only two steps are
 *                    in the table, and warm-up is not.
 *   toggling         collection of the CPU's side (API calls and ranges) and of the CUDA side (kernels and copies) is
 *                    switched on and off in mid-run: the four cases, counted.
 */
#include <string.h>

#include "device.h"
#include "lab.h"
#include "profiler.h"
#include "table.h"

__global__ void add_square_kernel(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] + y[i];
}

/* The same again: its first launch is still to come when the others are warm. */
__global__ void fresh_kernel(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] + y[i];
}

enum { BLOCK = 256 };
static size_t n;
static float *x, *y;

static void add_square(void)
{
    add_square_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

static void fresh(void)
{
    fresh_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

/* The row of that name, all zero if there is none. */
static ProfilerRow row(const char *name, int device)
{
    ProfilerKeyAverages averages;
    ProfilerRow found = {};
    if (profiler_key_averages(&averages) != PROFILER_OK)
        return found;
    for (size_t i = 0; i < averages.count; i++)
        if (averages.rows[i].device == device && strstr(averages.rows[i].name, name))
            found = averages.rows[i];
    profiler_key_averages_free(&averages);
    return found;
}

static int started(const ProfilerOptions *options)
{
    int error = profiler_start(options);
    return lab_claim(!error, "the profiler starts: %s", profiler_last_error());
}

/* Lesson 1. Each call is a range: launch it and wait for it. */
static int bare_call(void)
{
    enum { CALLS = 8 };
    static const char *const names[CALLS] = {"call 1", "call 2", "call 3", "call 4",
                                             "call 5", "call 6", "call 7", "call 8"};
    if (started(NULL))
        return 1;
    for (int i = 0; i < CALLS; i++)
        profiler_record_function(names[i])
        {
            fresh();
            CUDA_CHECK(cudaDeviceSynchronize());
        }
    profiler_stop();

    double later_host = 0, later_cuda = 0;
    ProfilerRow first = row(names[0], PROFILER_CPU);
    for (int i = 1; i < CALLS; i++) {
        ProfilerRow r = row(names[i], PROFILER_CPU);
        later_host += (double)r.cpu_total_ns / (CALLS - 1);
        later_cuda += (double)r.cuda_total_ns / (CALLS - 1);
    }
    char b[32];
    Table *t = table_new("one call, launched and waited for|>on the host|>on the device");
    table_cell(t, "the first");
    table_cell(t, "%s", format_ms((double)first.cpu_total_ns * 1e-6, b));
    table_cell(t, "%s", format_ms((double)first.cuda_total_ns * 1e-6, b));
    table_cell(t, "mean of the next seven");
    table_cell(t, "%s", format_ms(later_host * 1e-6, b));
    table_cell(t, "%s", format_ms(later_cuda * 1e-6, b));
    table_cell(t, "first / mean");
    table_cell(t, "%.2f", later_host > 0 ? (double)first.cpu_total_ns / later_host : 0);
    table_cell(t, "%.2f", later_cuda > 0 ? (double)first.cuda_total_ns / later_cuda : 0);
    printf("\n    1. one bare call\n\n");
    table_print(t, stdout, 4);
    table_free(t);
    return lab_claim(row("fresh_kernel", PROFILER_CUDA).count == CALLS, "all %d calls are recorded", CALLS);
}

/* Lesson 2. */
static void table_ready(void *cycles)
{
    ++*(int *)cycles;
    profiler_key_averages_table(stdout, "cuda_time_total", 10);
}

static int scheduled(void)
{
    enum { STEPS = 10, LAUNCHES = 3 };
    int cycles = 0, failed = 0;
    ProfilerOptions options = {};
    // notes: schedule
    options.schedule = profiler_schedule(1, 1, 2, 1, 0); /* wait, warmup, active, repeat, skip_first */
    options.on_trace_ready = table_ready;
    options.user = &cycles;
    // notes end
    static const char *const actions[] = {"-", "warm up", "record", "record, then save"};
    printf("\n    2. schedule(wait 1, warmup 1, active 2, repeat 1), %d steps of %d launches\n\n", STEPS, LAUNCHES);
    Table *t = table_new("step|what the profiler does");
    for (int step = 0, next; step < STEPS; step = next) { /* steps in a row with which it does the same are one line */
        int action = profiler_schedule_action(&options.schedule, step);
        for (next = step + 1; next < STEPS && profiler_schedule_action(&options.schedule, next) == action;)
            next++;
        if (next > step + 1)
            table_cell(t, "%d to %d", step, next - 1);
        else
            table_cell(t, "%d", step);
        table_cell(t, "%s", actions[action]);
    }
    table_print(t, stdout, 4);
    table_free(t);
    putchar('\n');
    if (started(&options))
        return 1;
    // notes: steps
    for (int step = 0; step < STEPS; step++) {
        profiler_record_function("forward")
        {
            for (int i = 0; i < LAUNCHES; i++)
                add_square();
        }
        profiler_step();
    }
    profiler_stop();
    // notes end
    failed += lab_claim(cycles == 1, "one cycle, not %d", cycles);
    failed += lab_claim(row("ProfilerStep*", PROFILER_CPU).count == 2, "two steps are recorded");
    failed += lab_claim(row("add_square_kernel", PROFILER_CUDA).count == 2 * LAUNCHES,
                        "and the kernels of two steps, not %llu",
                        (unsigned long long)row("add_square_kernel", PROFILER_CUDA).count);
    return failed;
}

/* Lesson 3. Ten launches, of which five after the switch. */
static int toggled(void)
{
    enum { BEFORE = 5, AFTER = 5 };
    static const struct {
        const char *name;
        unsigned off;
    } cases[] = {{"both on all the time", 0},
                 {"CUDA off after 5 launches", PROFILER_CUDA},
                 {"CPU off after 5 launches", PROFILER_CPU},
                 {"both off after 5 launches", PROFILER_CPU | PROFILER_CUDA}};
    int failed = 0;
    printf("\n    3. toggle_collection: ten launches\n\n");
    Table *t = table_new("case|>cudaLaunchKernel|>ranges|>kernels");
    for (int k = 0; k < LAB_COUNT(cases); k++) {
        if (started(NULL))
            return 1;
        for (int i = 0; i < BEFORE; i++)
            profiler_record_function("call") add_square();
        if (cases[k].off)
            profiler_toggle_collection(cases[k].off, 0);
        for (int i = 0; i < AFTER; i++)
            profiler_record_function("call") add_square();
        profiler_stop();
        unsigned long long launches = row("cudaLaunchKernel", PROFILER_CPU).count,
                           ranges = row("call", PROFILER_CPU).count,
                           kernels = row("add_square_kernel", PROFILER_CUDA).count;
        table_cell(t, "%s", cases[k].name);
        table_cell(t, "%llu", launches);
        table_cell(t, "%llu", ranges);
        table_cell(t, "%llu", kernels);
        unsigned cpu = cases[k].off & PROFILER_CPU ? BEFORE : BEFORE + AFTER;
        unsigned cuda = cases[k].off & PROFILER_CUDA ? BEFORE : BEFORE + AFTER;
        failed += lab_claim(launches == cpu && ranges == cpu && kernels == cuda, "%s: counts are exact", cases[k].name);
    }
    table_print(t, stdout, 4);
    table_free(t);
    return failed;
}

static int show(const LabOptions *o)
{
    if (o->profile || o->trace) {
        printf("\n    this lab starts the profiler itself: run it without --profile and --trace\n");
        return 0;
    }
    n = o->verify_only ? 1 << 12 : device_is_cpu() ? 1 << 18 : 1 << 24;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&y, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(y, 0, n * sizeof(float)));
    CUDA_CHECK(cudaDeviceSynchronize());
    int failed = started(NULL); /* is there a tracer at all? */
    if (failed)
        return failed;
    int traced = strcmp(profiler_backend(), "CUDA events") != 0;
    profiler_stop();
    if (traced)
        failed = bare_call() + scheduled() + (lab_brief() ? 0 : toggled());
    else
        printf("\n    no tracer here (%s): nothing to count\n", profiler_last_error());
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    return failed;
}

static const Lab profiler_lab = {
    .order = 5,
    .name = "profiler",
    .title = "what to record, and when",
    .look = "The first call is slower than the others: compare it with the mean of the next seven. Then see\n"
            "which of ten steps the schedule records, and what each switch leaves out.",
    .show = show,
};
LAB_MAIN(profiler_lab)
