// A test for the CPU device only.
/* blocking.cu: CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel has ended, by <<<...>>> and by cudaLaunchKernel, on
 * any stream, and returns the kernel's error; without it, and within a capture, it does not wait. */
#include <check.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#include "suite.h"

enum { STEPS = 200000000 }; /* far longer than a launch takes */

__global__ static void count_slowly(volatile unsigned *count, unsigned steps)
{
    unsigned x = 1;
    for (unsigned i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u;
    *count = x ? x : 1;
}
__global__ static void stop(void) { __trap(); }

START_TEST(test_waits)
{
    unsigned *count;
    cudaStream_t stream;
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    ck_assert_int_eq(cudaMallocManaged(&count, 3 * sizeof *count), cudaSuccess);
    ck_assert_int_eq(cudaStreamCreate(&stream), cudaSuccess);
    count[0] = count[1] = count[2] = 0;
    volatile unsigned *seen = count;
    count_slowly<<<1, 1, 0, stream>>>(count, STEPS);
    ck_assert_uint_ne(seen[0], 0);
    unsigned *second = count + 1, steps = STEPS;
    void *args[] = {&second, &steps};
    ck_assert_int_eq(cudaLaunchKernel((const void *)count_slowly, dim3(1), dim3(1), args, 0, 0), cudaSuccess);
    ck_assert_uint_ne(seen[1], 0);
    cudaGraph_t graph;
    ck_assert_int_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    count_slowly<<<1, 1, 0, stream>>>(count + 2, 1);
    ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ck_assert_uint_eq(seen[2], 0);
    void *none[] = {NULL};
    ck_assert_int_ne(cudaLaunchKernel((const void *)stop, dim3(1), dim3(1), none, 0, 0), cudaSuccess);
}
END_TEST

START_TEST(test_does_not_wait)
{
    unsigned *count;
    unsetenv("CUDA_LAUNCH_BLOCKING");
    ck_assert_int_eq(cudaMallocManaged(&count, sizeof *count), cudaSuccess);
    *count = 0;
    volatile unsigned *seen = count;
    count_slowly<<<1, 1>>>(count, STEPS);
    ck_assert_uint_eq(*seen, 0);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_uint_ne(*seen, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blocking");
    TCase *t = tcase_create("blocking");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, test_waits);
    tcase_add_test(t, test_does_not_wait);
    suite_add_tcase(s, t);
    return run_suite(s);
}
