/* cuprof_bench.cu: what the profiler costs, and whether it holds a million events.
 *
 *     tools/profiler/cuprof_bench.py              builds and runs it on the device that is here
 *
 *     cuprof_bench overhead              10,000 empty launches and one 10 ms kernel, without and with the profiler in
 *                                        turn (A B A B ...); medians
 *     cuprof_bench million TRACE.json    500,000 launches: time, memory, the trace's speed
 *     cuprof_bench kernels               known numbers of known kernels, to be profiled from outside
 *
 * Prints CSV: what,value,unit,limit. Exit status 1 where a limit is broken. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "profiler.h"

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            fprintf(stderr, "cuprof_bench: %s: %s\n", #call, cudaGetErrorString(e_));                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__global__ void empty() {}

__global__ void copy(float4 *out, const float4 *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

__global__ void chain(float *x, int rounds) /* dependent arithmetic: its time is its length */
{
    float v = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = v * 0.999f + 1.0f;
    x[threadIdx.x] = v;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, compare);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static int broken;
static void print(const char *what, double value, const char *unit, double limit, int at_least)
{
    printf("%s,%.4g,%s,", what, value, unit);
    if (limit > 0)
        printf("%s %.4g", at_least ? ">=" : "<=", limit);
    printf("\n");
    if (limit > 0 && !(at_least ? value >= limit : value <= limit))
        broken = 1;
}

static void started(int error)
{
    if (error) {
        fprintf(stderr, "cuprof_bench: %s\n", profiler_last_error());
        exit(1);
    }
}

static float *d_x;

static double empty_launches(void)
{
    enum { LAUNCHES = 10000 };
    double start = now_s();
    for (int i = 0; i < LAUNCHES; i++)
        empty<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    return now_s() - start;
}

static int long_rounds;
static double long_kernel(void)
{
    double start = now_s();
    chain<<<1, 32>>>(d_x, long_rounds);
    CHECK(cudaDeviceSynchronize());
    return now_s() - start;
}

/* Medians without and with the profiler, and of the ratios of neighbours. The work done first after a start is apart: a
 * tracer prepares each kernel at its first launch, as the schedule's warm-up is there to take. */
static void compare_with_profiler(const char *what, double (*work)(void), double scale, const char *unit, double limit)
{
    enum { ROUNDS = 101 };
    double plain[ROUNDS], profiled[ROUNDS], ratio[ROUNDS], first[ROUNDS];
    char name[80];
    work();
    for (int i = -1; i < ROUNDS; i++) { /* the first round only warms up */
        double p, f, a;
        work(); /* as the profiled one, the plain one follows upon work: the CPU device's threads are awake */
        a = work();
        started(profiler_start(NULL));
        f = work();
        p = work();
        started(profiler_stop());
        if (i < 0)
            continue;
        plain[i] = a, first[i] = f, profiled[i] = p, ratio[i] = p / a;
    }
    snprintf(name, sizeof name, "%s: plain", what);
    print(name, median(plain, ROUNDS) * scale, unit, 0, 0);
    snprintf(name, sizeof name, "%s: profiled (first after the start)", what);
    print(name, median(first, ROUNDS) * scale, unit, 0, 0);
    snprintf(name, sizeof name, "%s: profiled", what);
    print(name, median(profiled, ROUNDS) * scale, unit, 0, 0);
    snprintf(name, sizeof name, "%s: ratio", what);
    print(name, median(ratio, ROUNDS), "x", limit, 0);
}

static void overhead(int cpu_device)
{
    compare_with_profiler("10000 empty launches (per launch)", empty_launches, 1e6 / 10000, "us",
                          cpu_device ? 1.3 : 1.5);
    long_rounds = 100000; /* as many as make 10 ms */
    for (int i = 0; i < 3; i++)
        long_rounds = (int)(long_rounds * 10e-3 / long_kernel()) + 1;
    compare_with_profiler("one 10 ms kernel", long_kernel, 1e3, "ms", 1.01);
}

static void million(const char *path)
{
    enum { LAUNCHES = 500000 };
    double start = now_s(), seconds;
    started(profiler_start(NULL));
    for (int i = 0; i < LAUNCHES; i++)
        empty<<<1, 1>>>();
    started(profiler_stop());
    print("500000 launches recorded", now_s() - start, "s", 0, 0);
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    print("peak memory after recording", (double)r.ru_maxrss / 1024, "MiB", 1024, 0);
    ProfilerKeyAverages a;
    start = now_s();
    started(profiler_key_averages(&a));
    print("key_averages", now_s() - start, "s", 0, 0);
    uint64_t launches = 0, kernels = 0;
    for (size_t i = 0; i < a.count; i++) {
        if (!strcmp(a.rows[i].name, "cudaLaunchKernel"))
            launches = a.rows[i].count;
        if (strstr(a.rows[i].name, "empty"))
            kernels = a.rows[i].count;
    }
    profiler_key_averages_free(&a);
    print("launches missed", (double)LAUNCHES - (double)launches, "", 0, 0);
    print("kernels missed", (double)LAUNCHES - (double)kernels, "", 0, 0);
    if (launches != LAUNCHES || kernels != LAUNCHES)
        broken = 1;
    start = now_s();
    started(profiler_export_chrome_trace(path));
    seconds = now_s() - start;
    struct stat st;
    if (stat(path, &st))
        exit(1);
    print("trace", (double)st.st_size / 1e6, "MB", 0, 0);
    print("trace written at", (double)st.st_size / 1e6 / seconds, "MB/s", 100, 1);
    getrusage(RUSAGE_SELF, &r);
    print("peak memory", (double)r.ru_maxrss / 1024, "MiB", 1024, 0);
}

static void kernels(void)
{
    enum { MOST = 1 << 22 }; /* float4: 64 MiB */
    float4 *a, *b;
    CHECK(cudaMalloc((void **)&a, MOST * sizeof *a));
    CHECK(cudaMalloc((void **)&b, MOST * sizeof *b));
    CHECK(cudaMemset(a, 0, MOST * sizeof *a));
    for (int i = 0; i < 200; i++) {
        empty<<<1, 1>>>();
        copy<<<1024, 256>>>(b, a, MOST);
        chain<<<1, 32>>>(d_x, 20000);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "overhead";
    setvbuf(stdout, NULL, _IOLBF, 0);
    cudaDeviceProp p;
    int cpu_device = 0;
#ifdef LAB_CPU
    cpu_device = 1;
#endif
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaMalloc((void **)&d_x, 4096));
    if (!strcmp(what, "overhead"))
        overhead(cpu_device);
    else if (!strcmp(what, "million") && argc > 2)
        million(argv[2]);
    else if (!strcmp(what, "kernels"))
        kernels();
    else {
        fprintf(stderr, "usage: cuprof_bench overhead | million TRACE.json | kernels\n");
        return 2;
    }
    return broken;
}
