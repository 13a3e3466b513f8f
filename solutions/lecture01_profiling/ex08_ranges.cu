/* Exercise 1.8 where does the time go? (2 points)
 *
 * work() runs three steps, and one of them launches far more than the others. Wrap each step in a range of the
 * profiler, under the names "load", "compute" and "store", so that the table shows which launches belong to which step.
 *
 * Hint 1: profiler_record_function("name") { ... } is a statement with a block.
 *
 * Hint 2: the kernels belong to the range in which they were launched, whenever they run.
 *
 * After a pass:
 * Each step has its own range, and the table adds up what was launched within it. Names that say what a step does are
 * easier to read than those of kernels. Next: profile a lab with --profile.
 */
#include <string.h>

#include "lab.h"
#include "profiler.h"

__global__ void load_kernel(float *x) { *x += 1; }
__global__ void compute_kernel(float *x) { *x += 2; }
__global__ void store_kernel(float *x) { *x += 3; }

static void load(float *x) { load_kernel<<<1, 1>>>(x); }
static void compute(float *x)
{
    for (int i = 0; i < 20; i++)
        compute_kernel<<<1, 1>>>(x);
}
static void store(float *x)
{
    for (int i = 0; i < 3; i++)
        store_kernel<<<1, 1>>>(x);
}

static void work(float *x)
{
    // TODO(ex08): a range around each of the three calls (about 6 lines)
    // >>> answer
    // stub: load(x);
    // stub: compute(x);
    // stub: store(x);
    profiler_record_function("load") { load(x); }
    profiler_record_function("compute") { compute(x); }
    profiler_record_function("store") { store(x); }
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
    int failed =
        lab_claim(profiler_key_averages(&rows) == PROFILER_OK, "the profile can be read: %s", profiler_last_error());
    const char *names[3] = {"load", "compute", "store"},
               *kernels[3] = {"load_kernel", "compute_kernel", "store_kernel"};
    for (int k = 0; k < 3; k++) {
        uint64_t count = 0, range_ns = 0, kernel_ns = 0;
        for (size_t i = 0; i < rows.count; i++) {
            const ProfilerRow *r = &rows.rows[i];
            if (r->device == PROFILER_CPU && strcmp(r->name, names[k]) == 0) {
                count += r->count;
                range_ns += r->cuda_total_ns;
            }
            if (r->device == PROFILER_CUDA && strncmp(r->name, kernels[k], strlen(kernels[k])) == 0)
                kernel_ns += r->cuda_total_ns;
        }
        failed += lab_claim(count == 1, "range \"%s\" must appear once, not %d times", names[k], (int)count);
        failed += lab_claim(kernel_ns > 0 && range_ns == kernel_ns,
                            "the CUDA time of \"%s\" (%d ns) is that of its kernels (%d ns), no more and no less",
                            names[k], (int)range_ns, (int)kernel_ns);
    }
    profiler_key_averages_free(&rows);
    CUDA_CHECK(cudaFree(x));
    return failed;
}

static const Lab ex08 = {.order = 8, .name = "ex08_ranges", .title = "where does the time go?", .show = show};
LAB_MAIN(ex08)
