/* errors.c: runtime calls that fail, and failures that nobody looks at. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "counters/counters_launches.h"
#include "host/errors.h"
#include "report/findings.h"
#include "report/lines.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

// One finding says why; the call's own failure is not reported again.
static __thread void *explained;

void check_explained(void) { explained = cpudev_api.caller; }

/* Any host thread may launch and look. */
static pthread_mutex_t unseen_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int status;
    void *caller;
    char kernel[192];
} unseen;

/* Advice about a launch that cannot be. */
static const char *const of_launches[CPUDEV_REASONS] = {
    [CPUDEV_WHY_EMPTY] = "n / block rounds down to 0, or there is nothing to do: round up, (n + block - 1) / block, "
                         "and launch nothing for n = 0",
    [CPUDEV_WHY_LARGE_BLOCK] = "use smaller blocks and more of them, or let each thread process several elements",
    [CPUDEV_WHY_LARGE_GRID] = "put the longest dimension into x, or let each block process several tiles in a loop",
    [CPUDEV_WHY_LAUNCH_BOUNDS] = "launch blocks of at most as many threads as __launch_bounds__ says, or raise its "
                                 "number: the compiler has allocated registers for that many",
    [CPUDEV_WHY_STATIC_SHARED] = "use dynamic shared memory: extern __shared__, cudaFuncSetAttribute(), and the bytes "
                                 "as the launch's third argument",
    [CPUDEV_WHY_DYNAMIC_SHARED] = "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                                  "bytes) first, or use a smaller tile",
    [CPUDEV_WHY_LARGE_CLUSTER] = "use smaller clusters, or set cudaFuncAttributeNonPortableClusterSizeAllowed",
    [CPUDEV_WHY_PART_OF_CLUSTER] = "round each dimension of the grid up to a multiple of the cluster's",
    [CPUDEV_WHY_COOPERATIVE] =
        "launch at most as many blocks as run at once (cudaOccupancyMaxActiveBlocksPerMultiprocessor() times the "
        "number of multiprocessors), and let each do more in a loop",
    [CPUDEV_WHY_OTHER_DEVICE] = "call cudaSetDevice() with the stream's device before the launch",
};

void check_call_end(int status, const cpudev_event *e)
{
    (void)e;
    if (check_tools & TOOL_COUNTERS && cpudev_api.name && !cpudev_on_device())
        counters_call(cpudev_api.name);
    if (status == SUCCESS || status == NOT_READY)
        return;
    if (!(check_tools & TOOL_MEM))
        return;
    const char *fn = cpudev_api.name ? cpudev_api.name : "a runtime call";
    if (explained) {
        void *same = explained;
        explained = NULL;
        if (same == cpudev_api.caller)
            return;
    }
    // A kernel's failure comes back from every later call: the kernel's own finding has said it.
    if (check_findings() && status >= 700 && status <= 720)
        return;
    // These return the state that another call left behind.
    if (!strcmp(fn, "cudaGetLastError") || !strcmp(fn, "cudaPeekAtLastError"))
        return;
    check_finding f = check_host_finding(TOOL_MEM, "api");
    snprintf(f.title, sizeof f.title, "%s failed: %s (%d, %s)", fn,
             cudaGetErrorName ? cudaGetErrorName(status) : "error", status,
             cudaGetErrorString ? cudaGetErrorString(status) : "");
    if (cpudev_api.why && *cpudev_api.why)
        snprintf(f.note, sizeof f.note, "%s", cpudev_api.why);
    const char *advice = of_launches[cpudev_api.reason];
    f.cause =
        advice          ? advice
        : status == 400 ? "the handle was destroyed before, or never created"
        : status == 9   ? "the launch configuration breaks a limit (at most 1024 threads per block, no zero dimension, "
                          "shared memory up to the limit)"
        : status == 2   ? "more memory is requested than there is: check the byte count"
        : status >= 700 && status <= 720 ? "a kernel failed before: see its own message"
        : status == 800 && f.at.device   ? "only the host may call it; a kernel has cudaMalloc, cudaFree, launches, "
                                           "streams and the asynchronous copies"
        : status == 800 ? "a host function that runs in a stream may not call CUDA: it would wait for itself"
        : status == 904 ? "work on a stream that joined the capture must be waited for (an event, cudaStreamWaitEvent) "
                          "by the stream that began it"
        : status == 907 ? "an event that was recorded in a capture stands for a place in the graph, and never happens "
                          "by itself: wait for the stream on which the graph runs, or record the event there"
        : status >= 900 && status <= 907 ? "while a stream is captured nothing runs: no synchronize, no allocation, "
                                           "and no work on the default stream until cudaStreamEndCapture"
        : status == 21                   ? "the direction argument does not fit the pointers"
                                         : "an argument is not what the function asks for";
    check_report(&f);
}

void check_error_seen(int status)
{
    if (status == SUCCESS)
        return;
    check_lock(&unseen_lock);
    unseen.status = 0;
    check_unlock(&unseen_lock);
}

void check_launch_failed(const char *kernel, int status)
{
    check_lock(&unseen_lock);
    unseen.status = status;
    unseen.caller = cpudev_api.caller;
    check_kernel_name(kernel, unseen.kernel, sizeof unseen.kernel);
    check_unlock(&unseen_lock);
}

/* At the end: a launch failed and the program has not looked. */
void check_unseen_error(void)
{
    if (!unseen.status || !(check_tools & TOOL_HOST) || cpudev_errors_expected_now())
        return;
    check_finding f = check_host_finding(TOOL_HOST, "unseen-error");
    f.at.pc = unseen.caller;
    snprintf(f.title, sizeof f.title, "the launch of %s failed (%s), and the error was never checked", unseen.kernel,
             cudaGetErrorName ? cudaGetErrorName(unseen.status) : "error");
    f.cause = "a launch returns nothing: call cudaGetLastError() after it and check the result";
    check_report(&f);
}

void check_unawaited(void)
{
    const check_op *op = check_tools & TOOL_HOST ? check_last_kernel() : NULL;
    if (!op || check_op_before_host(op->id))
        return;
    check_finding f = check_host_finding(TOOL_HOST, "unawaited");
    f.only_note = 1;
    f.at.pc = op->caller;
    char name[192];
    snprintf(f.title, sizeof f.title, "the program ends without having waited for %s",
             check_kernel_name(op->name ? op->name : "a kernel", name, sizeof name));
    f.cause =
        "a launch returns at once, and when the program ends a GPU drops what its kernels have still to do and to "
        "print: call cudaDeviceSynchronize() after the last launch";
    check_report(&f);
}
