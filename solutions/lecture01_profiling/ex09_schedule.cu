/* Exercise 1.9 only the steps that matter (2 points)
 *
 * A loop has 10 steps, of which the first 3 are start-up. Profile exactly steps 4 and 5 (counted from 0), once: skip or
 * wait for what comes before, warm the profiler up for one step, and record two. Set the schedule, and tell the
 * profiler where a step ends.
 *
 * Hint 1: profiler_schedule(wait, warmup, active, repeat, skip_first).
 *
 * Hint 2: wait + warmup = 4 steps before the two that count.
 *
 * Hint 3: profiler_step() at the end of each iteration.
 *
 * After a pass:
 * Warm-up steps are run but not kept, and profiler_step() says where a step ends. Without a schedule the first, slow
 * steps would be part of the mean. Next: exercise 1.10.
 */
#include <string.h>

#include "lab.h"
#include "profiler.h"

__global__ void step_kernel(float *x) { *x += 1; }

static int cycles, step_rows, kernels, warmups;

/* Called by the profiler at the end of each cycle: which ProfilerStep#N did it record, how many kernels? */
static void on_trace_ready(void *)
{
    ProfilerKeyAverages rows;
    cycles++;
    if (profiler_key_averages(&rows) != PROFILER_OK)
        return;
    for (size_t i = 0; i < rows.count; i++) {
        if (strncmp(rows.rows[i].name, "ProfilerStep", 12) == 0 && rows.rows[i].device == PROFILER_CPU)
            step_rows += (int)rows.rows[i].count;
        if (strstr(rows.rows[i].name, "step_kernel"))
            kernels += (int)rows.rows[i].count;
    }
    profiler_key_averages_free(&rows);
}

static void loop(float *x)
{
    ProfilerOptions options = {};
    options.on_trace_ready = on_trace_ready;
    // TODO(ex09): the schedule (about 1 line)
    // >>> answer
    // stub: options.schedule = profiler_schedule(0, 0, 10, 1, 0);
    options.schedule = profiler_schedule(3, 1, 2, 1, 0);
    // <<< answer
    warmups = options.schedule.warmup;
    if (profiler_start(&options) != PROFILER_OK)
        die("the profiler: %s", profiler_last_error());
    for (int step = 0; step < 10; step++) {
        for (int k = 0; k <= step; k++) /* step n launches n + 1 kernels */
            step_kernel<<<1, 1>>>(x);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        // TODO(ex09): the step ends here (about 1 line)
        // >>> answer
        profiler_step();
        // <<< answer
    }
    profiler_stop();
}

static int show(const LabOptions *o)
{
    if (o->profile || o->trace)
        return 0;
    float *x;
    CUDA_CHECK(cudaMalloc(&x, sizeof(float)));
    CUDA_CHECK(cudaMemset(x, 0, sizeof(float)));
    cycles = step_rows = kernels = 0;
    loop(x);
    CUDA_CHECK(cudaFree(x));
    return lab_claim(warmups == 1, "the profiler is warmed up for one step, not %d", warmups) +
           lab_claim(cycles == 1, "one cycle, not %d", cycles) +
           lab_claim(step_rows == 2, "two steps recorded, not %d", step_rows) +
           lab_claim(kernels == 5 + 6, "steps 4 and 5 launch 11 kernels; %d were recorded", kernels);
}

static const Lab ex09 = {.order = 9, .name = "ex09_schedule", .title = "only the steps that matter", .show = show};
LAB_MAIN(ex09)
