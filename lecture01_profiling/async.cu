/* async.cu: why a host clock lies. A launch only queues the kernel and returns; the host runs on.
 *
 * Four clocks time the same kernel (y = x * x on 2^24 floats, or 2^20 on the CPU device):
 *   host, no synchronize     stops when the launch has returned: it measures the launch (median of 21 after the first)
 *   host, synchronize        waits for the kernel: right, plus the wait itself and whatever the first call costs
 *   events, cold             the device's own clock around the first launch: still the first-call cost
 *   events, after 5 warm-ups what the kernel takes
 * The first-call cost (context, module load, lazy loading of the kernel) is measured separately, in a fresh kernel
 * each time.
 */
#include <string.h>

#include "device.h"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

/* The same kernel four times, so that each clock has its own first call. */
template <int CLOCK> __global__ void square_kernel(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

static unsigned blocks(size_t n) { return (unsigned)((n + 255) / 256); }

static double event_ms(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

enum { RUNS = 21 };

typedef struct {
    double context_ms, first_launch_ms, no_sync_ms, with_sync_ms, cold_ms;
    Stats warm;
} Times;

/* The host's clock around launches alone. The median of several: one alone may have been interrupted. */
static void time_launches(const float *x, float *y, size_t n, Times *times)
{
    double samples[RUNS], t0 = bench_host_ms();
    square_kernel<0><<<blocks(n), 256>>>(x, y, n);
    times->first_launch_ms = bench_host_ms() - t0;
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    // notes: host_clock
    for (int i = 0; i < RUNS; i++) {
        t0 = bench_host_ms();
        square_kernel<0><<<blocks(n), 256>>>(x, y, n);
        samples[i] = bench_host_ms() - t0;
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    // notes end
    times->no_sync_ms = stats_of(samples, RUNS).median;
}

/* The host's clock around a first launch and the wait for it. */
static void time_launch_and_wait(const float *x, float *y, size_t n, Times *times)
{
    double t0 = bench_host_ms();
    square_kernel<1><<<blocks(n), 256>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    times->with_sync_ms = bench_host_ms() - t0;
}

/* The device's clock around a first launch, and around later ones. */
static void time_with_events(const float *x, float *y, size_t n, Times *times)
{
    double samples[RUNS];
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    square_kernel<2><<<blocks(n), 256>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    times->cold_ms = event_ms(start, stop);
    // notes: events
    for (int warmup = 0; warmup < 5; warmup++)
        square_kernel<3><<<blocks(n), 256>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
    for (int i = 0; i < RUNS; i++) {
        CUDA_CHECK(cudaEventRecord(start));
        square_kernel<3><<<blocks(n), 256>>>(x, y, n);
        CUDA_CHECK(cudaEventRecord(stop));
        samples[i] = event_ms(start, stop);
    }
    // notes end
    times->warm = stats_of(samples, RUNS);
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
}

static void print_table(Table *t)
{
    putchar('\n');
    table_print(t, stdout, 4);
    table_free(t);
}

static void print_times(const Times *times)
{
    char b[32];
    const Stats *warm = &times->warm;
    Table *t = table_new("clock|>time|what it measured");
    table_row(t, "host, no synchronize|%s|the launch (median of %d)", format_ms(times->no_sync_ms, b), RUNS);
    table_row(t, "host, synchronize|%s|kernel, wait, and first-call cost", format_ms(times->with_sync_ms, b));
    table_row(t, "events, cold|%s|kernel and first-call cost", format_ms(times->cold_ms, b));
    table_row(t, "events, after 5 warm-ups|%s|the kernel (median of %d, IQR %.0f%%)", format_ms(warm->median, b), RUNS,
              100 * (warm->q3 - warm->q1) / warm->median);
    print_table(t);

    t = table_new("first-call cost, separately|>time|what it does");
    table_row(t, "first CUDA call of the program|%s|makes the context", format_ms(times->context_ms, b));
    table_row(t, "first launch of the program|%s|loads the kernel, and returns", format_ms(times->first_launch_ms, b));
    table_row(t, "any later launch|%s|queues it", format_ms(times->no_sync_ms, b));
    print_table(t);
}

static void write_times(const LabOptions *o, const Times *times)
{
    FILE *csv = side_csv(o, NULL, "clock,time_ms");
    if (!csv)
        return;
    fprintf(csv, "host without synchronize,%.6g\nhost with synchronize,%.6g\nevents cold,%.6g\nevents warm,%.6g\n",
            times->no_sync_ms, times->with_sync_ms, times->cold_ms, times->warm.median);
    fprintf(csv, "first CUDA call,%.6g\nfirst launch,%.6g\n", times->context_ms, times->first_launch_ms);
    lab_close(csv);
}

static int show(const LabOptions *o)
{
    size_t n = o->verify_only ? 1 << 12 : device_is_cpu() ? 1 << 20 : 1 << 24;
    Times times;
    double t0 = bench_host_ms();
    CUDA_CHECK(cudaFree(0));
    times.context_ms = bench_host_ms() - t0;
    float *x, *y;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&y, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(x, 0x3f, n * sizeof(float)));
    CUDA_CHECK(cudaDeviceSynchronize());

    time_launches(x, y, n, &times);
    time_launch_and_wait(x, y, n, &times);
    time_with_events(x, y, n, &times);

    float last = 0;
    CUDA_CHECK(cudaMemcpy(&last, y + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));

    print_times(&times);
    write_times(o, &times);

    uint32_t bits = 0x3f3f3f3f;
    float value;
    memcpy(&value, &bits, sizeof value);
    return lab_claim(last == value * value, "the kernel squared its input (%g, not %g)", last, value * value);
}

static const Lab async_lab = {
    .order = 1,
    .name = "async",
    .title = "why a host clock lies",
    .look = "A launch returns before the kernel has run. Four clocks time the same kernel, and only the last\n"
            "one is right.",
    .show = show,
};
LAB_MAIN(async_lab)
