/* Exercise 3.7 the launch that says nothing (2 points)
 *
 * fill() launches `threads` threads in one block. With more than 1024 the launch fails, and nobody notices: a launch
 * returns nothing. Return the error: first that of the launch itself, then that of the kernel's run. Afterwards no
 * error of a launch may be left for a later call to find. fill() is called for 64 and 2048 threads, and twice more for
 * 64: once the launch is made to fail, once the kernel.
 *
 * Limits:
 *   calls of cuda*Synchronize >= 1
 */
#ifdef __CUCC__
#include "cpudevice.h"
#endif
#include "lab.h"

__global__ void fill_kernel(int *p, int value) { p[threadIdx.x] = value; }

/* The calls below report what they would after a launch that fails for want of registers, or after a kernel that fails
 * as it runs: an error of the run is known once somebody has waited for it. */
typedef enum Fault { NONE, LAUNCH_FAILS, RUN_FAILS, RUN_FAILED } Fault;
static Fault fault;
[[maybe_unused]] static cudaError_t waited(cudaError_t error)
{
    fault = fault == RUN_FAILS ? RUN_FAILED : fault;
    return fault == RUN_FAILED ? cudaErrorLaunchFailure : error;
}
static cudaError_t last(cudaError_t error, Fault then)
{
    const Fault now = fault;
    fault = now == LAUNCH_FAILS ? then : now;
    return now == LAUNCH_FAILS ? cudaErrorLaunchOutOfResources : now == RUN_FAILED ? cudaErrorLaunchFailure : error;
}
#define cudaDeviceSynchronize() waited(cudaDeviceSynchronize())
#define cudaStreamSynchronize(...) waited(cudaStreamSynchronize(__VA_ARGS__))
#define cudaGetLastError() last(cudaGetLastError(), NONE)
#define cudaPeekAtLastError() last(cudaPeekAtLastError(), LAUNCH_FAILS)

static cudaError_t fill(int *p, int value, int threads)
{
    fill_kernel<<<1, threads>>>(p, value);
    // TODO(ex07): return what went wrong, if anything (about 4 lines)
    return cudaSuccess;
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
    fault = LAUNCH_FAILS;
    cudaError_t launch = fill(p, 7, 64);
    const bool forgotten = fault != LAUNCH_FAILS;
    fault = RUN_FAILS;
    cudaError_t run = fill(p, 7, 64);
    fault = NONE;
    CUDA_CHECK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(p));
    printf("    64 threads: %s\n    2048 threads: %s\n", cudaGetErrorString(good), cudaGetErrorString(bad));
    return lab_claim(good == cudaSuccess, "64 threads are fine") +
           lab_claim(bad != cudaSuccess, "2048 threads must be an error") +
           lab_claim(launch == cudaErrorLaunchOutOfResources && forgotten,
                     "64 threads that need too many registers: fill() returns %s, and none is left (it returned %s)",
                     cudaGetErrorName(cudaErrorLaunchOutOfResources), cudaGetErrorName(launch)) +
           lab_claim(run == cudaErrorLaunchFailure,
                     "a kernel that fails as it runs: fill() returns %s (it returned %s)",
                     cudaGetErrorName(cudaErrorLaunchFailure), cudaGetErrorName(run)) +
           lab_claim(left == cudaSuccess, "no error may be left behind") +
           lab_claim(h[0] == 7 && h[63] == 7, "the first launch must have run");
}

static const Lab ex07 = {
    .order = 7, .name = "ex07_launch_errors", .title = "the launch that says nothing", .show = show};
LAB_MAIN(ex07)
