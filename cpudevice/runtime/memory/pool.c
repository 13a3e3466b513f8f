/* pool.c: memory in the order of a stream, and its pools. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory/allocation.h"
#include "device/call.h"
#include "stream/command.h"
#include "cuda_runtime_api.h"
#include "graph/graph_memory.h"
#include "graph/graph_memory_nodes.h"
#include "memory/memory.h"
#include "memory/owner.h"
#include "device/devices.h"
#include "device/message.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/stream.h"
#include "stream/stream_record.h"
#include "observe/tell_command.h"

struct CUmemPool_st {
    _Atomic uint64_t threshold;
    int device;
    _Atomic unsigned readers; /* a bit per device that may access its memory, beside its own */
};

static struct CUmemPool_st default_pool[MAX_DEVICES]; /* their `device` is their place */

static _Atomic(struct CUmemPool_st *) chosen[MAX_DEVICES]; /* by cudaDeviceSetMemPool */

static bool is_default(const struct CUmemPool_st *p) { return p >= default_pool && p < default_pool + MAX_DEVICES; }

static int device_of(const struct CUmemPool_st *p) { return is_default(p) ? (int)(p - default_pool) : p->device; }

static unsigned readers_of(const struct CUmemPool_st *p) { return p->readers | 1u << device_of(p); }

static struct CUmemPool_st *pool_of(int device)
{
    struct CUmemPool_st *p = chosen[device];
    return p ? p : &default_pool[device];
}

static cudaError_t allocate_on(struct CUstream_st *s, struct CUmemPool_st *pool, void **ptr, size_t size)
{
    if (s->capture) {
        cudaError_t added = graph_add_alloc(s->capture, s->capture_deps, s->ncapture_deps, size, ptr);
        if (!added)
            set_deps(&s->capture_deps, &s->ncapture_deps, (int[]){s->capture->count - 1}, 1);
        return added;
    }
    cudaError_t e = allocate_now(R_DEVICE, ptr, size, MEMORY_OF_POOL);
    if (e || !size)
        return e;
    memory_of_pool(*ptr, pool, device_of(pool), readers_of(pool));
    tell_async_alloc(*ptr, size, s);
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
{
    API;
    RESULT_AT(ptr);
    struct CUstream_st *s = stream_of(stream);
    RETURN(s ? allocate_on(s, pool_of(s->device), ptr, size) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    API;
    RESULT_AT(ptr);
    struct CUstream_st *s = stream_of(stream);
    if (!pool || !s)
        RETURN(pool ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    RETURN(allocate_on(s, pool, ptr, size));
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    struct CUstream_st *s = stream_of(stream);
    allocation a;
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        if (!(e = graph_add_free(s->capture, s->capture_deps, s->ncapture_deps, ptr)))
            set_deps(&s->capture_deps, &s->ncapture_deps, (int[]){s->capture->count - 1}, 1);
        RETURN(e);
    }
    if (is_graph_memory(ptr, NULL)) {
        if (!graph_memory_launch_frees(ptr, s->id))
            RETURN(cudaErrorInvalidValue);
        command *of_graph = command_new(C_RELEASE);
        of_graph->user = ptr;
        RETURN(command_queue(of_graph, s));
    }
    if (region_of(ptr) != R_DEVICE || !allocation_of(ptr, &a) || a.start != (uintptr_t)ptr)
        RETURN(cudaErrorInvalidValue);
    command *c = command_new(C_FREE);
    c->user = ptr;
    RETURN(command_queue(c, s));
}

static cudaError_t pool_asked(cudaMemPool_t *pool, int device)
{
    if (!pool)
        return cudaErrorInvalidValue;
    return device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    API;
    RESULT_AT(pool);
    cudaError_t e = pool_asked(pool, device);
    if (!e)
        *pool = &default_pool[device];
    RETURN(e);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    API;
    RESULT_AT(pool);
    cudaError_t e = pool_asked(pool, device);
    if (!e)
        *pool = pool_of(device);
    RETURN(e);
}

/* The pool must be the device's own. */
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    API;
    if (!device_exists(device))
        RETURN(cudaErrorInvalidDevice);
    if (!pool || device_of(pool) != device)
        RETURN(cudaErrorInvalidValue);
    chosen[device] = pool;
    RETURN(cudaSuccess);
}

static bool location_exists(const struct cudaMemLocation *l)
{
    return l->type == cudaMemLocationTypeDevice && device_exists(l->id);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    API;
    RESULT_AT(pool);
    if (pool && props &&
        (props->location.type == cudaMemLocationTypeHost || props->location.type == cudaMemLocationTypeHostNuma)) {
        message("memory pools: only device memory is supported, not host memory");
        RETURN(cudaErrorNotSupported);
    }
    if (!pool || !props || !location_exists(&props->location))
        RETURN(cudaErrorInvalidValue);
    *pool = calloc(1, sizeof **pool);
    if (!*pool)
        RETURN(cudaErrorMemoryAllocation);
    (*pool)->device = props->location.id;
    RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    API;
    if (!pool || is_default(pool))
        RETURN(cudaErrorInvalidValue);
    for (int d = 0; d < MAX_DEVICES; d++)
        if (chosen[d] == pool)
            chosen[d] = NULL;
    memory_pool_ends(pool);
    free(pool);
    RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    API;
    (void)keep;
    RETURN(pool ? cudaSuccess : cudaErrorInvalidValue);
}

/* A pool's memory, what it has given out and what it will give out, is open to the devices that are named here.
 * cudaDeviceEnablePeerAccess() is about cudaMalloc()'s. The pool's own device always has access. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
    API;
    if (!pool || (count && !list))
        RETURN(cudaErrorInvalidValue);
    unsigned readers = pool->readers;
    for (size_t i = 0; i < count; i++) {
        const bool all = list[i].flags == cudaMemAccessFlagsProtReadWrite;
        if (!location_exists(&list[i].location))
            RETURN(cudaErrorInvalidDevice);
        if (!all && (list[i].flags != cudaMemAccessFlagsProtNone || list[i].location.id == device_of(pool)))
            RETURN(cudaErrorInvalidValue);
        readers = all ? readers | 1u << list[i].location.id : readers & ~(1u << list[i].location.id);
    }
    pool->readers = readers;
    memory_pool_access(pool, readers_of(pool));
    RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    API;
    RESULT_AT(flags);
    RESULT_AT(location);
    if (!flags || !pool || !location)
        RETURN(cudaErrorInvalidValue);
    if (!location_exists(location))
        RETURN(cudaErrorInvalidDevice);
    *flags = readers_of(pool) >> location->id & 1 ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    RETURN(cudaSuccess);
}

/* Pools are a process's own. */
#define BETWEEN_PROCESSES(name, ...)                                                                                   \
    cudaError_t name(__VA_ARGS__)                                                                                      \
    {                                                                                                                  \
        API;                                                                                                           \
        message(#name ": the CPU device cannot share pools between processes");                                        \
        RETURN(cudaErrorNotSupported);                                                                                 \
    }

#pragma GCC diagnostic push

#pragma GCC diagnostic ignored "-Wunused-parameter"

BETWEEN_PROCESSES(cudaMemPoolExportToShareableHandle, void *handle, cudaMemPool_t pool,
                  enum cudaMemAllocationHandleType type, unsigned int flags)

BETWEEN_PROCESSES(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *pool, void *handle,
                  enum cudaMemAllocationHandleType type, unsigned int flags)

BETWEEN_PROCESSES(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *data, void *ptr)

BETWEEN_PROCESSES(cudaMemPoolImportPointer, void **ptr, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data)

#pragma GCC diagnostic pop

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    API;
    if (!pool || !value)
        RETURN(cudaErrorInvalidValue);
    if (attr == cudaMemPoolAttrReleaseThreshold)
        pool->threshold = *(const uint64_t *)value;
    RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    API;
    if (!pool || !value)
        RETURN(cudaErrorInvalidValue);
    if (attr <= cudaMemPoolReuseAllowInternalDependencies)
        *(int *)value = 1;
    else
        *(uint64_t *)value = attr == cudaMemPoolAttrReleaseThreshold ? pool->threshold : memory_used();
    RETURN(cudaSuccess);
}
