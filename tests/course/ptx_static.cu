/* ptx_static.cu: wgmma on tiles that are __shared__ variables. A descriptor holds 18 bits of a shared address; a program's
 * kernels may have more of such variables together, as each has its own place on the CPU device. */
#include <stdint.h>
#include <string.h>

#include <cuda_runtime.h>

#include "hopper.cuh"
#include "suite.h"

enum { KERNELS = 5, PADDING = 40 * 1024, ROWS = 64, COLUMNS = 8, DEPTH = 16 };

static __device__ uint64_t descriptor(const uint16_t *tile) /* 8 x 8 core matrices, one behind the other: two along K */
{
    return (uint64_t)(shared_address(tile) >> 4 & 0x3fff) | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}

static __device__ uint16_t bf16_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* D = the first eight columns of A, as B is the identity: A[m][k] = 2 m + k % 2. */
template <int number> static __global__ void product(float *d, const float *padding)
{
#ifdef HOPPER_CODE
    __shared__ float room[PADDING / 4];
    __shared__ __align__(128) uint16_t a[ROWS * DEPTH], b[COLUMNS * DEPTH];
    float sum[4] = {};
    for (int i = (int)threadIdx.x; i < PADDING / 4; i += 128)
        room[i] = padding[0] + number;
    for (int i = (int)threadIdx.x; i < ROWS * DEPTH; i += 128)
        a[i] = bf16_of((float)(2 * (i / 128 * 8 + i % 64 / 8) + i % 2));
    for (int i = (int)threadIdx.x; i < COLUMNS * DEPTH; i += 128)
        b[i] = bf16_of(i / 64 * 8 + i % 8 == i % 64 / 8 ? 1.0f : 0.0f);
    fence_proxy_async();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(descriptor(a)), "l"(descriptor(b))
                 : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; i++)
        d[4 * threadIdx.x + i] = sum[i] + room[threadIdx.x] - number;
#else
    (void)d, (void)padding;
#endif
}

START_TEST(each_finds_its_tiles)
{
    typedef void Kernel(float *, const float *);
    static Kernel *const kernels[KERNELS] = {product<0>, product<1>, product<2>, product<3>, product<4>};
    float d[4 * 128], *d_d, *d_padding;
    const char *why = hopper_here();
    if (why)
        return test_skip("kernel %d: %s", _i, why);
    ck_assert_int_eq(cudaMalloc((void **)&d_d, sizeof d), cudaSuccess);
    ck_assert_int_eq(cudaMalloc((void **)&d_padding, 4), cudaSuccess);
    ck_assert_int_eq(cudaMemset(d_padding, 0, 4), cudaSuccess);
    kernels[_i]<<<1, 128>>>(d_d, d_padding);
    ck_assert_int_eq(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int thread = 0; thread < 128; thread++)
        for (int i = 0; i < 4; i++) {
            const int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2), column = thread % 4 * 2 + i % 2;
            ck_assert_msg(d[4 * thread + i] == (float)(2 * row + column % 2), "kernel %d, row %d, column %d: %g", _i,
                          row, column, (double)d[4 * thread + i]);
        }
    cudaFree(d_d);
    cudaFree(d_padding);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wgmma on __shared__ variables");
    TCase *tests = tcase_create("tiles");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, each_finds_its_tiles, 0, KERNELS);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
