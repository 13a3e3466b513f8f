/* Exercise 3.8 to the device and back (3 points)
 *
 * Without managed memory you move the data yourself. triple() gets host arrays: allocate on the device, copy in, launch
 * the kernel (given), copy out, free. Return the first error there is, or cudaSuccess. triple() is called for four
 * arrays.
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
 * Hint 3: cudaMemcpy back waits for the kernel by itself.
 */
#include <stdlib.h>

#include "lab.h"

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
        int wrong = 0;
        for (int i = 0; i < n; i++)
            wrong += !(y[i] == x[i] * 3);
        failed += lab_claim(error == cudaSuccess && wrong == 0, "n = %d: %s, %d of %d wrong", n,
                            cudaGetErrorString(error), wrong, n);
        free(x), free(y);
    }
    return failed;
}

static const Lab ex08 = {.order = 8, .name = "ex08_copies", .title = "to the device and back", .show = show};
LAB_MAIN(ex08)
