/* Exercise 3.7 the launch that says nothing (2 points)
 *
 * fill() launches `threads` threads in one block. With more than 1024 the launch fails, and nobody notices: a launch
 * returns nothing. Return the error: first of the launch itself, then of the kernel's run. Afterwards no error may be
 * left waiting for somebody else.
 *
 * Limits:
 *   calls of cuda*Synchronize >= 1
 *
 * Hint 1: cudaGetLastError() returns the launch's error, and forgets it.
 *
 * Hint 2: what goes wrong while the kernel runs comes back from cudaDeviceSynchronize().
 *
 * After a pass:
 * cudaGetLastError() finds what was wrong with the launch, and cudaDeviceSynchronize() what went wrong while the kernel
 * ran. A launch itself returns nothing. Next: exercise 3.8.
 */
#ifdef __CUCC__
#include "cpudevice.h"
#endif
#include "lab.h"

__global__ void fill_kernel(int *p, int value) { p[threadIdx.x] = value; }

static cudaError_t fill(int *p, int value, int threads)
{
    fill_kernel<<<1, threads>>>(p, value);
    // TODO(ex07): return what went wrong, if anything (about 4 lines)
    // >>> answer
    // stub: return cudaSuccess;
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return cudaDeviceSynchronize();
    // <<< answer
}

static int show(const LabOptions *)
{
    int *p, h[64] = {0};
    CUDA_CHECK(cudaMalloc(&p, 64 * sizeof(int)));
#ifdef __CUCC__
    cpudev_expect_errors(1); /* a launch here is meant to fail */
#endif
    cudaError_t good = fill(p, 7, 64), bad = fill(p, 8, 2048), left = cudaGetLastError();
#ifdef __CUCC__
    cpudev_expect_errors(0);
#endif
    CUDA_CHECK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(p));
    printf("    64 threads: %s\n    2048 threads: %s\n", cudaGetErrorString(good), cudaGetErrorString(bad));
    return lab_claim(good == cudaSuccess, "64 threads are fine") +
           lab_claim(bad != cudaSuccess, "2048 threads must be an error") +
           lab_claim(left == cudaSuccess, "no error may be left behind") +
           lab_claim(h[0] == 7 && h[63] == 7, "the first launch must have run");
}

static const Lab ex07 = {
    .order = 7, .name = "ex07_launch_errors", .title = "the launch that says nothing", .show = show};
LAB_MAIN(ex07)
