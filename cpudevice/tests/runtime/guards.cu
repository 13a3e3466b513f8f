/* cpudevice_guards.cu: barriers behind guards that some threads of a block pass and others do not: those that have returned
 * are gone, as on GPUs from Volta on, and the others wait for each other (cucc --check tells it). */
#include <check.h>
#include <cuda_runtime.h>

#include "suite.h"

enum { T = 64, N = 150, ROUNDS = 3, BLOCKS = 3, X = 21, Y = 13 };

__global__ void behind(int *out, const int *in, int n, int rounds)
{
    __shared__ int s[T];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    if (t % 3 == 1)
        return;
    int sum = in[i], kept = sum * 3;
    for (int r = 0; r < rounds; r++) {
        s[t] = sum + r;
        __syncthreads();
        sum += s[t % 3 == 2 ? t - 2 : t >= 1 ? t - 1 : 0]; /* one that takes part, too */
        __syncthreads();
    }
    out[i] = sum + kept;
}

__global__ void within(int *out, const int *in, int width, int height)
{
    __shared__ int s[8][9];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int mine = in[y * width + x];
        s[threadIdx.y][threadIdx.x] = mine;
        __syncthreads();
        for (int i = 0; i <= (int)threadIdx.x; i++)
            mine += s[threadIdx.y][i];
        __syncthreads();
        s[threadIdx.y][threadIdx.x] = mine * 5;
        __syncthreads();
        out[y * width + x] = s[0][threadIdx.x] - s[threadIdx.y][0];
    }
}

static int *managed(int n)
{
    int *p = NULL;
    ck_assert_int_eq(cudaMallocManaged(&p, n * sizeof *p), cudaSuccess);
    for (int i = 0; i < n; i++)
        p[i] = i * 7 % 23;
    return p;
}

START_TEST(threads_that_return_are_gone)
{
    int *in = managed(BLOCKS * T), *out = managed(BLOCKS * T), want[BLOCKS * T], now[BLOCKS * T];
    for (int i = 0; i < BLOCKS * T; i++)
        want[i] = in[i], out[i] = -9;
    behind<<<BLOCKS, T>>>(out, in, N, ROUNDS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++) {
            int t = i % T;
            now[i] = want[i] + want[i - t + (t % 3 == 2 ? t - 2 : t >= 1 ? t - 1 : 0)] + r;
        }
        for (int i = 0; i < N; i++)
            want[i] = i % T % 3 == 1 ? want[i] : now[i];
    }
    for (int i = 0; i < BLOCKS * T; i++)
        ck_assert_int_eq(out[i], i >= N || i % T % 3 == 1 ? -9 : want[i] + in[i] * 3);
    cudaFree(in);
    cudaFree(out);
}
END_TEST

static int sum_of_row(const int *in, int x, int y)
{
    int sum = in[y * X + x];
    for (int i = x / 8 * 8; i <= x; i++)
        sum += in[y * X + i];
    return sum * 5;
}

START_TEST(threads_beyond_the_edge_are_not_waited_for)
{
    int *in = managed(X * Y), *out = managed(X * Y);
    within<<<dim3(3, 2), dim3(8, 8)>>>(out, in, X, Y);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int y = 0; y < Y; y++)
        for (int x = 0; x < X; x++)
            ck_assert_int_eq(out[y * X + x], sum_of_row(in, x, y / 8 * 8) - sum_of_row(in, x / 8 * 8, y));
    cudaFree(in);
    cudaFree(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("guards");
    TCase *t = tcase_create("guards");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, threads_that_return_are_gone);
    tcase_add_test(t, threads_beyond_the_edge_are_not_waited_for);
    suite_add_tcase(s, t);
    return run_suite(s);
}
