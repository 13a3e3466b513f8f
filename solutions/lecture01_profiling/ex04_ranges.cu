/* Exercise 1.4 where does the time go? (2 points)
 *
 * work() runs three steps, and one of them launches far more than the others. Wrap each step in a range of the profiler,
 * under the names "load", "compute" and "store", so that the table tells which launches belong to which step.
 *
 * Hint 1: profiler_record_function("name") { ... } is a statement with a block.
 *
 * Hint 2: the kernels belong to the range in which they were launched, whenever they run.
 */
#include <string.h>

#include "lab.h"
#include "profiler.h"

/* Long enough to stand out from what a first launch costs. */
static __global__ void step_kernel(float *x)
{
    float v = *x;
    for (int i = 0; i < 50000; i++)
        v = v * 0.999f + 0.001f;
    *x = v;
}

static void load(float *x) { step_kernel<<<1, 1>>>(x); }
static void compute(float *x)
{
    for (int i = 0; i < 20; i++)
        step_kernel<<<1, 1>>>(x);
}
static void store(float *x)
{
    for (int i = 0; i < 3; i++)
        step_kernel<<<1, 1>>>(x);
}

static void work(float *x)
{
    // TODO(ex04): a range around each of the three calls (about 6 lines)
    // >>> answer
    // stub: load(x);
    // stub: compute(x);
    // stub: store(x);
    profiler_record_function("load")
    {
        load(x);
    }
    profiler_record_function("compute")
    {
        compute(x);
    }
    profiler_record_function("store")
    {
        store(x);
    }
    // <<< answer
}

static int show(const LabOptions *o)
{
    if (o->profile || o->trace) /* the profiler is running for the whole program: show that instead */
        return 0;
    float *x;
    CUDA_CHECK(cudaMalloc(&x, sizeof(float)));
    CUDA_CHECK(cudaMemset(x, 0, sizeof(float)));
    CUDA_CHECK(cudaDeviceSynchronize());
    if (profiler_start(NULL) != PROFILER_OK)
        die("the profiler: %s", profiler_last_error());
    work(x);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    profiler_stop();
    profiler_key_averages_table(stdout, "cuda_time_total", 10);
    ProfilerKeyAverages rows;
    int failed = lab_claim(profiler_key_averages(&rows) == PROFILER_OK, "the profile can be read: %s", profiler_last_error());
    uint64_t cuda_ns[3] = {0, 0, 0};
    const char *names[3] = {"load", "compute", "store"};
    for (int k = 0; k < 3; k++) {
        uint64_t count = 0;
        for (size_t i = 0; i < rows.count; i++)
            if (strcmp(rows.rows[i].name, names[k]) == 0 && rows.rows[i].device == PROFILER_CPU) {
                count += rows.rows[i].count;
                cuda_ns[k] += rows.rows[i].cuda_total_ns;
            }
        failed += lab_claim(count == 1, "range \"%s\" must appear once, not %d times", names[k], (int)count);
    }
    profiler_key_averages_free(&rows);
    failed += lab_claim(cuda_ns[1] > cuda_ns[0] && cuda_ns[1] > cuda_ns[2] && cuda_ns[0] > 0 && cuda_ns[2] > 0,
                        "\"compute\" launches most, and each range launches something");
    CUDA_CHECK(cudaFree(x));
    return failed;
}

static const Lab ex04 = {.order = 4, .name = "ex04_ranges", .title = "where does the time go?", .show = show};
LAB_MAIN(ex04)
