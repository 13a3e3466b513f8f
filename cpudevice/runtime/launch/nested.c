/* nested.c: runtime calls by threads of kernels, and their heap. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "launch/kernel_heap.h"
#include "launch/nested.h"
#include "cpudevice.h"
#include "memory/memory.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "exec/thread.h"
#include "cpudev_must.h"

/* What CUDA's device runtime has; nvcc takes nothing else in a kernel. */
static const char *const allowed[] = {"cudaLaunchKernel",
                                      "cudaMalloc",
                                      "cudaFree",
                                      "cudaMemcpyAsync",
                                      "cudaMemcpy2DAsync",
                                      "cudaMemcpy3DAsync",
                                      "cudaMemsetAsync",
                                      "cudaMemset2DAsync",
                                      "cudaMemset3DAsync",
                                      "cudaStreamCreateWithFlags",
                                      "cudaStreamDestroy",
                                      "cudaStreamWaitEvent",
                                      "cudaEventCreateWithFlags",
                                      "cudaEventRecord",
                                      "cudaEventRecordWithFlags",
                                      "cudaEventDestroy",
                                      "cudaGetDevice",
                                      "cudaGetDeviceCount",
                                      "cudaDeviceGetAttribute",
                                      "cudaDeviceGetLimit",
                                      "cudaDeviceGetCacheConfig",
                                      "cudaDeviceGetSharedMemConfig",
                                      "cudaRuntimeGetVersion",
                                      "cudaFuncGetAttributes",
                                      "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                      "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                      NULL};

static __thread int depth; /* of such calls in each other: the outermost is the thread's own */

void nested_forget(cpudev_worker *w)
{
    w->calls.kept = false;
    w->calls.count = 0;
    memset(w->calls.streams, 0, sizeof w->calls.streams);
    free(w->calls.errors);
    w->calls.errors = NULL;
    depth = 0;
}

void nested_used(cpudev_worker *w) { w->calls.kept = true; }

/* A host thread that helps to run a kernel may be inside a call itself, which goes on after this one. */
static __thread cpudev_call helper_call;

static void tell_nested_call(const char *name, const void *caller)
{
    helper_call = cpudev_api;
    cpudev_api = (cpudev_call){.name = name, .caller = (void *)caller};
}

static void tell_nested_call_end(int status)
{
    TELL(call_end, status, NULL);
    cpudev_api = helper_call;
}

static void tell_nested_refused(const char *name, const void *caller)
{
    tell_nested_call(name, caller);
    cpudev_api.why = "a kernel cannot call it: nvcc would refuse to compile this";
    tell_nested_call_end(cudaErrorNotPermitted);
}

void nested_enter(const char *name, const void *caller)
{
    nested_used(cpudev_tls.worker);
    if (depth++)
        return;
    for (const char *const *a = allowed; *a; a++)
        if (!strcmp(*a, name)) {
            cpudev_hold();
            if (observed.any)
                tell_nested_call(name, caller);
            return;
        }
    depth = 0;
    char place[512];
    describe_place(place, sizeof place);
    if (observed.any)
        tell_nested_refused(name, caller);
    message("%s: a kernel cannot call it: %s", name, place);
    fail_kernel(cudaErrorLaunchFailure);
}

void nested_leave(int status)
{
    if (--depth)
        return;
    if (observed.any)
        tell_nested_call_end(status);
    cpudev_let_go();
}

cudaError_t *nested_error(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    nested_used(w);
    if (!w->calls.errors && !(w->calls.errors = held_calloc(MAX_THREADS, sizeof *w->calls.errors)))
        out_of_memory();
    return &w->calls.errors[cpudev_tid()];
}

/* It comes from the heap of the kernels' malloc and new. */
cudaError_t nested_malloc(void **p, size_t bytes)
{
    if (!p)
        return cudaErrorInvalidValue;
    *p = NULL;
    if (!bytes)
        return cudaSuccess;
    const cpudev_observer *keeper = ASK(alloc);
    if (keeper)
        *p = keeper->alloc(CPUDEV_MEM_HEAP, bytes);
    else if (bytes <= SIZE_MAX - 255 && cpudev_heap_take((bytes + 255) / 256 * 256))
        *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t nested_free(void *p)
{
    if (!p)
        return cudaSuccess;
    const cpudev_observer *keeper = ASK(free);
    if (keeper)
        return (cudaError_t)keeper->free(CPUDEV_MEM_HEAP, p);
    if (region_of(p) != R_NONE) /* the host's cudaMalloc made it */
        return cudaErrorInvalidValue;
    cpudev_kernel_free(p);
    return cudaSuccess;
}
