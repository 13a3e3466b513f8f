/* cpudevice_lockstep.cu: lanes of a warp that exchange values through volatile memory with no __syncwarp() between them, as
 * textbooks from before Volta do. By CUDA's rules that is a race, which cucc --check tells (cpudevice/tests/mistakes); without it the CPU
 * device runs it as GPUs do: what all lanes read in a statement is from before that statement. Expected values are sums on
 * the host. */
#include <check.h>
#include <cuda_runtime.h>

#include "suite.h"

enum { BLOCKS = 8, THREADS = 256, N = BLOCKS * THREADS };

static int *x, *y;

/* N numbers without a pattern, and room for N results. */
static void setup(void)
{
    ck_assert_int_eq(cudaMallocManaged(&x, N * sizeof *x), cudaSuccess);
    ck_assert_int_eq(cudaMallocManaged(&y, N * sizeof *y), cudaSuccess);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (int)(state >> 20);
        y[i] = -1;
    }
}

static void teardown(void)
{
    cudaFree(x);
    cudaFree(y);
}

static int sum(int from, int count)
{
    int total = 0;
    for (int i = from; i < from + count; i++)
        total += x[i];
    return total;
}

static void wait(void)
{
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
}

/* ---- a tree's last warp, in a function ---- */

template <class T> __device__ void sum_warp(volatile T *s, unsigned t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void reduce(const int *x, int *y)
{
    __shared__ int s[THREADS];
    unsigned t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned k = THREADS / 2; k > 32; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32)
        sum_warp(s, t);
    if (t == 0)
        y[blockIdx.x] = s[0];
}

START_TEST(test_function)
{
    reduce<<<BLOCKS, THREADS>>>(x, y);
    wait();
    for (int b = 0; b < BLOCKS; b++)
        ck_assert_int_eq(y[b], sum(b * THREADS, THREADS));
}
END_TEST

/* ---- in place in global memory, by whole warps ---- */

__global__ void reduce_global(int *x, int *y)
{
    volatile int *v = x + blockIdx.x * THREADS;
    int t = (int)threadIdx.x;
    if (t < 32) {
        for (int k = 32; k < THREADS; k += 32)
            v[t] += v[t + k];
        v[t] = v[t] + v[t + 16];
        v[t] = v[t] + v[t + 8];
        v[t] = v[t] + v[t + 4];
        v[t] = v[t] + v[t + 2];
        v[t] = v[t] + v[t + 1];
    }
    if (t == 0)
        y[blockIdx.x] = v[0];
}

START_TEST(test_global)
{
    int expected[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        expected[b] = sum(b * THREADS, THREADS);
    reduce_global<<<BLOCKS, THREADS>>>(x, y);
    wait();
    for (int b = 0; b < BLOCKS; b++)
        ck_assert_int_eq(y[b], expected[b]);
}
END_TEST

/* ---- some lanes sit out: an inclusive scan of each warp, downwards and upwards ---- */

__global__ void scan(const int *x, int *y)
{
    volatile __shared__ int s[THREADS];
    int t = (int)threadIdx.x, lane = t % 32;
    s[t] = x[blockIdx.x * THREADS + t];
    if (lane >= 1)
        s[t] = s[t - 1] + s[t];
    if (lane >= 2)
        s[t] += s[t - 2];
    if (lane >= 4)
        s[t] = s[t - 4] + s[t];
    if (lane >= 8)
        s[t] += s[t - 8];
    if (lane >= 16)
        s[t] += s[t - 16];
    y[blockIdx.x * THREADS + t] = s[t];
}

START_TEST(test_scan)
{
    scan<<<BLOCKS, THREADS>>>(x, y);
    wait();
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(y[i], sum(i - i % 32, i % 32 + 1));
}
END_TEST

/* ---- in a loop, the sum also in a register ---- */

__global__ void in_a_loop(const int *x, int *y)
{
    __shared__ int s[THREADS];
    volatile int *v = s;
    int t = (int)threadIdx.x, lane = t % 32, own = x[blockIdx.x * THREADS + t];
    v[t] = own;
    for (int k = 16; k > 0; k /= 2)
        if (lane < k)
            v[t] = own = own + v[t + k];
    if (lane == 0)
        y[(blockIdx.x * THREADS + t) / 32] = own;
}

START_TEST(test_loop)
{
    in_a_loop<<<BLOCKS, THREADS>>>(x, y);
    wait();
    for (int w = 0; w < N / 32; w++)
        ck_assert_int_eq(y[w], sum(w * 32, 32));
}
END_TEST

/* ---- one half of a warp, then the other: the second half waits for the first ---- */

__global__ void halves(const int *x, int *y)
{
    __shared__ volatile int s[THREADS];
    int t = (int)threadIdx.x, lane = t % 32;
    s[t] = x[blockIdx.x * THREADS + t];
    if (lane < 16)
        s[t] += s[t + 16];
    if (lane >= 16)
        s[t] += s[t - 16];
    y[blockIdx.x * THREADS + t] = s[t];
}

START_TEST(test_halves)
{
    halves<<<BLOCKS, THREADS>>>(x, y);
    wait();
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(y[i], i % 32 < 16 ? x[i] + x[i + 16] : x[i - 16] + 2 * x[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: lockstep");
    TCase *tests = tcase_create("lockstep");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_function);
    tcase_add_test(tests, test_global);
    tcase_add_test(tests, test_scan);
    tcase_add_test(tests, test_loop);
    tcase_add_test(tests, test_halves);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
