/* cpudevice_lanes.cu: shuffles that name lanes which do not come to them. One that comes by later is waited for, which is a
 * deadlock and is reported; one that ends is not, as on GPUs from Volta on. */
#include <check.h>
#include <cuda_runtime.h>
#include <string.h>

#include "said.h"
#include "suite.h"

enum { T = 64 };

/* The second half of each warp comes to the barrier, and waits there. */
__global__ void others_wait(int *x)
{
    int t = threadIdx.x, v = x[t];
    if (t % 32 < 16)
        v += __shfl_xor_sync(0xffffffff, v, 1);
    __syncthreads();
    x[t] = v;
}

__global__ void others_end(int *x)
{
    int t = threadIdx.x, v = x[t];
    __syncthreads();
    if (t % 32 < 16) {
        for (int i = 8; i > 0; i >>= 1)
            v += __shfl_xor_sync(0xffffffff, v, i);
        x[t] = v;
    }
}

__global__ void behind_a_return(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i * 3;
    x += __shfl_xor_sync(0xffffffff, x, 4);
    x += __shfl_up_sync(0xffffffff, x, 3, 8);
    out[i] = x;
}

static int *managed()
{
    int *x = NULL;
    if (cudaMallocManaged(&x, T * sizeof *x) == cudaSuccess)
        for (int i = 0; i < T; i++)
            x[i] = i;
    return x;
}

START_TEST(lanes_that_end_are_not_waited_for)
{
    int *x = managed();
    ck_assert_ptr_nonnull(x);
    others_end<<<1, T>>>(x);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < T; i++)
        ck_assert_int_eq(x[i], i % 32 < 16 ? 16 * (i - i % 32) + 120 : i);
    cudaFree(x);
}
END_TEST

START_TEST(lanes_that_have_returned_are_not_waited_for)
{
    const int n = T / 2 + 24;
    int *x = managed();
    ck_assert_ptr_nonnull(x);
    behind_a_return<<<2, T / 2>>>(x, n);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < T; i++) {
        int from = i % 8 < 3 ? i : i - 3;
        ck_assert_int_eq(x[i], i >= n ? i : 3 * (i + (i ^ 4)) + 3 * (from + (from ^ 4)));
    }
    cudaFree(x);
}
END_TEST

#ifdef LAB_CPU
static void waits()
{
    others_wait<<<1, T>>>(managed());
    _exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1);
}
START_TEST(lanes_that_wait_elsewhere_are_told)
{
    char text[4096];
    int status = said(waits, text, sizeof text);
    ck_assert_msg(status == 0, "status %d: %s", status, text);
    ck_assert_msg(strstr(text, "deadlock in kernel others_wait") && strstr(text, "mask 0xffffffff") &&
                      strstr(text, "lanes 0xffff0000"),
                  "%s", text);
}
END_TEST
#endif

int main(void)
{
    Suite *s = suite_create("lanes");
    TCase *t = tcase_create("lanes");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, lanes_that_end_are_not_waited_for);
    tcase_add_test(t, lanes_that_have_returned_are_not_waited_for);
#ifdef LAB_CPU
    tcase_add_test(t, lanes_that_wait_elsewhere_are_told);
#endif
    suite_add_tcase(s, t);
    return run_suite(s);
}
