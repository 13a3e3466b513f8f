/* launch.cuh: a kernel on every rank, for as little of the host's time as a launch can take. A stream of small collectives
 * runs no faster than one thread of the host launches them.
 *
 * On a GPU that is the driver's call: it takes the kernel's handle on that GPU, so the runtime looks up no kernel, and the
 * device need not be made current: about a tenth of the time of a pair of launches. */
#ifndef LAUNCH_CUH
#define LAUNCH_CUH

#include <cuda.h>

#include "../../common/device.h"
#include "ranks.cuh"

#ifdef LAB_CUDA
typedef CUresult LaunchKernelEx(const CUlaunchConfig *, CUfunction, void **, void **);

/* The driver's call. The runtime is asked for it once, so no program links libcuda. */
static inline LaunchKernelEx *driver_launch(void)
{
    static void *entry;
    cudaDriverEntryPointQueryResult found;
    if (!entry)
        CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &entry, 12000, cudaEnableDefault, &found));
    if (!entry)
        die("the driver has no cuLaunchKernelEx");
    return (LaunchKernelEx *)entry;
}

/* The driver's handle of `kernel` on a GPU, asked for once. */
static inline CUfunction function_on(int device, const void *kernel)
{
    enum { KERNELS = 16 };
    static struct {
        const void *kernel;
        CUfunction on[MAX_RANKS];
    } known[KERNELS];
    int k = 0;
    while (known[k].kernel && known[k].kernel != kernel)
        if (++k == KERNELS)
            die("launch.cuh: more than %d kernels", KERNELS);
    known[k].kernel = kernel;
    if (!known[k].on[device]) {
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaGetFuncBySymbol(&known[k].on[device], kernel));
    }
    return known[k].on[device];
}
#endif

/* kernel(arguments of rank i, n) on each rank i, in its stream; set up while the kernel before it in the stream still runs,
 * where the GPU can do that. */
template <typename Arguments>
static void launch_on_ranks(const Ranks *r, void (*kernel)(const Arguments, size_t), unsigned blocks, unsigned threads,
                            const Arguments *arguments, size_t n)
{
#ifdef LAB_CUDA
    CUlaunchAttribute early = {};
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig config = {};
    config.gridDimX = blocks;
    config.blockDimX = threads;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.attrs = &early;
    config.numAttrs = device_capability() >= 90;
    LaunchKernelEx *launch = driver_launch();
    for (int i = 0; i < r->count; i++) {
        void *pointers[] = {(void *)&arguments[i], &n};
        config.hStream = r->stream[i];
        const CUresult e = launch(&config, function_on(i, (const void *)kernel), pointers, NULL);
        if (e != CUDA_SUCCESS)
            die("cuLaunchKernelEx failed: %d", (int)e);
    }
#else
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        kernel<<<blocks, threads, 0, r->stream[i]>>>(arguments[i], n);
    }
#endif
}

#endif
