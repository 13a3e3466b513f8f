/* Exercise 1.4 time it right (2 points)
 *
 * time_ms() gets a function that launches something. Warm it up `warmups` times, then time `runs` runs, each between
 * two events, and return the median in milliseconds. `runs` is odd, so the median is one of the samples.
 *
 * Limits:
 *   calls of cudaEventRecord >= 24
 */
#include <stdlib.h>

#include "lab.h"

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float time_ms(void (*launch)(void), int warmups, int runs)
{
    float *samples = (float *)malloc((size_t)runs * sizeof(float)), median = -1;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    // TODO(ex04): warm up, time each run, take the median (about 10 lines)
    (void)launch, (void)warmups, (void)ascending;
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    free(samples);
    return median;
}

/* Spins for as many steps as it is told. */
__global__ void spin_kernel(float *x, int steps)
{
    float v = *x;
    for (int i = 0; i < steps; i++)
        v = v * 0.999f + 0.001f;
    *x = v;
}

static float *d_x;
static int launches;
enum { UNIT = 100000, WARM_UPS = 3, RUNS = 9, LONG_RUN = 1, MEDIAN_RUN = 2, TRIES = 9 };

/* Warm-ups take 36 units. Of the runs, four take 1, four take 36 and one takes 6: the median is neither the shortest,
 * the longest, the mean, nor the run in the middle. */
static const int units[WARM_UPS + RUNS] = {36, 36, 36, 1, 36, 6, 1, 36, 1, 36, 1, 36};

static void launch(void)
{
    int steps = UNIT * units[launches % (WARM_UPS + RUNS)];
    launches++;
    spin_kernel<<<1, 1>>>(d_x, steps);
    CUDA_CHECK(cudaGetLastError());
}

static float least(float a, float b) { return b < a ? b : a; }

static int show(const LabOptions *)
{
    int failed = 0;
    /* Each time is the least of several: a busy machine makes a time longer, and never shorter. */
    float one = 1e9f, longer = 1e9f, median = 1e9f;
    CUDA_CHECK(cudaMalloc(&d_x, sizeof(float)));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof(float)));
    for (int i = 0; i < TRIES; i++) {
        launches = WARM_UPS + LONG_RUN;
        longer = least(longer, time_ms(launch, 0, 1));
        launches = WARM_UPS + MEDIAN_RUN;
        one = least(one, time_ms(launch, 0, 1));
    }
    failed += lab_claim(launches == WARM_UPS + MEDIAN_RUN + 1, "no warm-up and 1 run make 1 launch, not %d",
                        launches - WARM_UPS - MEDIAN_RUN);
    failed += lab_claim(longer > 2.5f * one,
                        "a launch of 36 units takes longer than one of 6 units: time_ms() returns %.3f ms and %.3f ms",
                        longer, one);
    for (int i = 0; i < TRIES; i++) {
        launches = 0;
        median = least(median, time_ms(launch, WARM_UPS, RUNS));
    }
    failed += lab_claim(launches == WARM_UPS + RUNS, "3 warm-ups and 9 runs make 12 launches, not %d", launches);
    failed += lab_claim(one > 0 && median > 0, "a time must be greater than 0");
    failed +=
        lab_claim(median > one / 2.5f && median < 2.5f * one,
                  "the runs take 1, 36, 6, 1, 36, 1, 36, 1 and 36 units; 6 units, the median, take about %.3f ms, "
                  "and time_ms() returns %.3f ms",
                  one, median);
    CUDA_CHECK(cudaFree(d_x));
    return failed;
}

static const Lab ex04 = {.order = 4, .name = "ex04_clock", .title = "time it right", .show = show};
LAB_MAIN(ex04)
