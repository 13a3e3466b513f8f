/* Exercise 3.8 to the device and back (3 points)
 *
 * Without managed memory you move the data yourself. triple() gets host arrays: allocate on the device, copy in, launch
 * the kernel (given), copy out, free. Return the first error, or cudaSuccess if there is none; free the memory after an
 * error, too. triple() is called for four arrays, and then three times more, each time with one of its CUDA calls made
 * to fail.
 *
 * Limits:
 *   launches >= 1
 *   launches <= 6
 *   global loads <= 450
 *   calls of cudaMemcpy* >= 7
 *
 * Hint 1: cudaMalloc(&d_x, bytes), cudaMemcpy(to, from, bytes, kind): the destination comes first, as in memcpy.
 *
 * Hint 2: sizes are in bytes: n * sizeof(float).
 *
 * Hint 3: the cudaMemcpy back waits for the kernel by itself.
 *
 * After a pass:
 * The first error is returned, nothing is done after it, and the memory is freed on every path. Put that discipline
 * into a helper or a macro, as this course's CUDA_CHECK does. Next: exercise 3.9.
 */
#include <stdlib.h>

#include "lab.h"

/* The calls below fail when their turn comes, as they would on a full or broken device. */
static int allocations_until_failure = -1, copies_until_failure = -1, allocated;
static bool comes_now(int *turn) { return *turn >= 0 && (*turn)-- == 0; }
#define cudaMalloc(...)                                                                                                \
    (comes_now(&allocations_until_failure) ? cudaErrorMemoryAllocation : (allocated++, cudaMalloc(__VA_ARGS__)))
#define cudaMemcpy(...) (comes_now(&copies_until_failure) ? cudaErrorIllegalAddress : cudaMemcpy(__VA_ARGS__))
#define cudaMemcpyAsync(...) (comes_now(&copies_until_failure) ? cudaErrorIllegalAddress : cudaMemcpyAsync(__VA_ARGS__))
#define cudaFree(...) (allocated--, cudaFree(__VA_ARGS__))

__global__ void triple_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 3;
}

/* h_x, h_y: host arrays of n floats; afterwards h_y = 3 h_x. */
static cudaError_t triple(const float *h_x, float *h_y, int n)
{
    // TODO(ex08): device memory, copy, launch, copy back, free (about 10 lines)
    // >>> answer
    // stub: (void)h_x, (void)h_y, (void)n, (void)triple_kernel;
    // stub: return cudaSuccess;
    float *d_x;
    size_t bytes = (size_t)n * sizeof(float);
    cudaError_t error = cudaMalloc(&d_x, bytes);
    if (error != cudaSuccess)
        return error;
    error = cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        triple_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);
    cudaError_t freed = cudaFree(d_x);
    return error != cudaSuccess ? error : freed;
    // <<< answer
}

/* triple() while its `allocation`-th allocation or its `copy`-th copy fails; -1: none does. */
static int failing(const char *call, int allocation, int copy, cudaError_t expected)
{
    float x[257] = {0}, y[257] = {0};
    allocations_until_failure = allocation, copies_until_failure = copy, allocated = 0;
    cudaError_t error = triple(x, y, 257);
    bool came = allocations_until_failure < 0 && copies_until_failure < 0; /* else it makes no such call */
    allocations_until_failure = copies_until_failure = -1;
    return lab_claim(!came || error == expected, "%s fails: triple() returns %s (it returned %s)", call,
                     cudaGetErrorName(expected), cudaGetErrorName(error)) +
           lab_claim(allocated <= 0, "%s fails: triple() still frees what it allocated", call);
}

static int show(const LabOptions *o)
{
    int failed = 0;
    for (int n : {1, 255, 257, 10007}) {
        float *x = (float *)malloc((size_t)n * sizeof(float)), *y = (float *)malloc((size_t)n * sizeof(float));
        for (int i = 0; i < n; i++) {
            x[i] = (float)random_uniform(o->seed, (uint64_t)i);
            y[i] = -1;
        }
        cudaError_t error = triple(x, y, n);
        int wrong = 0, first = 0;
        for (int i = n - 1; i >= 0; i--)
            if (!(y[i] == x[i] * 3))
                wrong++, first = i;
        failed += lab_claim(error == cudaSuccess, "n = %d: triple() returns cudaSuccess (it returned %s)", n,
                            cudaGetErrorName(error));
        failed += lab_claim(wrong == 0, "n = %d: y = 3 x; %d elements differ, y[%d] is %g where %g is expected", n,
                            wrong, first, y[first], x[first] * 3);
        free(x), free(y);
    }
    failed += failing("cudaMalloc", 0, -1, cudaErrorMemoryAllocation);
    failed += failing("the copy to the device", -1, 0, cudaErrorIllegalAddress);
    failed += failing("the copy back", -1, 1, cudaErrorIllegalAddress);
    return failed;
}

static const Lab ex08 = {.order = 8, .name = "ex08_copies", .title = "to the device and back", .show = show};
LAB_MAIN(ex08)
