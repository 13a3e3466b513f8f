/* allocation.c: cudaMalloc and its like. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory/allocation.h"
#include "device/call.h"
#include "graph/capture.h"
#include "stream/command.h"
#include "cuda_runtime_api.h"
#include "device/devices.h"
#include "graph/graph_memory.h"
#include "stream/host_wait.h"
#include "memory/memory.h"
#include "memory/owner.h"
#include "launch/nested.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/stream.h"
#include "stream/stream_record.h"

cudaError_t allocate_now(region_kind k, void **ptr, size_t size, unsigned flags)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    if (!ptr)
        return cudaErrorInvalidValue;
    if (size == 0) {
        *ptr = NULL;
        return cudaSuccess;
    }
    pthread_mutex_lock(&device_memory.lock);
    void *p = allocate(k, size, flags);
    pthread_mutex_unlock(&device_memory.lock);
    if (!p)
        return cudaErrorMemoryAllocation;
    if (k == R_DEVICE)
        junk(p, size);
    memory_owned(p, size);
    *ptr = p;
    return cudaSuccess;
}

static cudaError_t allocate_as(region_kind k, void **ptr, size_t size, unsigned flags)
{
    cudaError_t e = capture_forbids(false);
    return e ? e : allocate_now(k, ptr, size, flags);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
    API;
    RESULT_AT(ptr);
    if (call_.nested)
        RETURN(nested_malloc(ptr, size));
    RETURN(allocate_as(R_DEVICE, ptr, size, 0));
}

cudaError_t memory_device(char **p, size_t bytes)
{
    void *got = NULL;
    cudaError_t e = allocate_as(R_DEVICE, &got, bytes, 0);
    *p = got;
    return e;
}

cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
    API;
    RESULT_AT(ptr);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        RETURN(cudaErrorInvalidValue);
    if (size == 0)
        RETURN(cudaErrorInvalidValue);
    RETURN(allocate_as(R_MANAGED, ptr, size, flags));
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    API;
    RESULT_AT(ptr);
    if (flags > 7)
        RETURN(cudaErrorInvalidValue);
    RETURN(allocate_as(R_PINNED, ptr, size, flags));
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    API;
    RESULT_AT(ptr);
    RETURN(allocate_as(R_PINNED, ptr, size, 0));
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    API;
    RESULT_AT(ptr);
    RESULT_AT(pitch);
    if (!pitch)
        RETURN(cudaErrorInvalidValue);
    size_t p = (width + 511) / 512 * 512;
    cudaError_t e = allocate_as(R_DEVICE, ptr, p * height, 0);
    if (!e)
        *pitch = p;
    RETURN(e);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
    API;
    RESULT_AT(ptr);
    if (!ptr)
        RETURN(cudaErrorInvalidValue);
    size_t p = (extent.width + 511) / 512 * 512;
    void *base;
    cudaError_t e = allocate_as(R_DEVICE, &base, p * extent.height * extent.depth, 0);
    if (!e)
        *ptr = make_cudaPitchedPtr(base, p, extent.width, extent.height);
    RETURN(e);
}

cudaError_t cudaFree(void *ptr)
{
    API;
    if (call_.nested)
        RETURN(nested_free(ptr));
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    if (is_graph_memory(ptr, NULL)) {
        e = wait_for_everything();
        const bool there = graph_memory_launch_frees(ptr, 0);
        cudaError_t f = there ? graph_memory_freed(ptr) : cudaErrorInvalidValue;
        if (!there && ASK(free))
            ASK(free)->free(CPUDEV_MEM_DEVICE, ptr); /* which says why */
        RETURN(f ? f : e);
    }
    region_kind k = ASK(free) ? R_DEVICE : region_of(ptr); /* a keeper of the memory judges the pointer itself */
    if (k != R_DEVICE && k != R_MANAGED)
        RETURN(cudaErrorInvalidValue);
    e = wait_for_everything();
    cudaError_t f = memory_free(ptr, k);
    RETURN(f ? f : e);
}

cudaError_t cudaFreeHost(void *ptr)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    if (!ASK(free) && region_of(ptr) != R_PINNED)
        RETURN(cudaErrorInvalidValue);
    e = wait_for_everything();
    cudaError_t f = memory_free(ptr, R_PINNED);
    RETURN(f ? f : e);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ptr || !size)
        RETURN(cudaErrorInvalidValue);
    allocation known;
    if (allocation_of(ptr, &known))
        RETURN(cudaErrorHostMemoryAlreadyRegistered);
    const bool added = memory_register((allocation){(uintptr_t)ptr, size, size, R_REGISTERED, true, flags});
    RETURN(added ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *ptr)
{
    API;
    RETURN(memory_unregister((uintptr_t)ptr, R_REGISTERED) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    API;
    RESULT_AT(device);
    allocation a;
    if (!device || flags || !allocation_of(host, &a) || (a.kind != R_PINNED && a.kind != R_REGISTERED))
        RETURN(cudaErrorInvalidValue);
    *device = host;
    RETURN(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    API;
    RESULT_AT(flags);
    allocation a;
    if (!flags || !allocation_of(host, &a) || (a.kind != R_PINNED && a.kind != R_REGISTERED))
        RETURN(cudaErrorInvalidValue);
    *flags = a.flags | cudaHostAllocMapped;
    RETURN(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    API;
    RESULT_AT(free_bytes);
    RESULT_AT(total);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!free_bytes || !total)
        RETURN(cudaErrorInvalidValue);
    *total = device_memory.total_bytes;
    *free_bytes = device_memory.total_bytes - memory_used();
    RETURN(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    API;
    RESULT_AT(attributes);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!attributes)
        RETURN(cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    allocation a;
    if (!allocation_of(ptr, &a)) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = (void *)ptr;
        RETURN(cudaSuccess);
    }
    attributes->type = a.kind == R_DEVICE    ? cudaMemoryTypeDevice
                       : a.kind == R_MANAGED ? cudaMemoryTypeManaged
                                             : cudaMemoryTypeHost;
    attributes->device = memory_owner(ptr);
    attributes->devicePointer = (void *)ptr;
    attributes->hostPointer = a.kind == R_DEVICE ? NULL : (void *)ptr;
    RETURN(cudaSuccess);
}

static cudaError_t managed_range(const void *ptr, size_t count)
{
    allocation a;
    if (!count || !allocation_of(ptr, &a) || a.kind != R_MANAGED || (uintptr_t)ptr + count > a.start + a.size)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static bool location_ok(struct cudaMemLocation l)
{
    return l.type == cudaMemLocationTypeHost || (l.type == cudaMemLocationTypeDevice && device_exists(l.id));
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, struct cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    struct CUstream_st *s = stream_of(stream);
    if (!e && !s)
        e = cudaErrorInvalidResourceHandle;
    if (!e)
        e = flags ? cudaErrorInvalidValue : location_ok(location) ? managed_range(ptr, count) : cudaErrorInvalidDevice;
    if (e)
        RETURN(e);
    RETURN(command_queue(command_new(C_MARKER), s));
}

cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation location)
{
    API;
    (void)location;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        RETURN(cudaErrorInvalidValue);
    RETURN(managed_range(ptr, count));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute, const void *ptr,
                                     size_t count)
{
    API;
    (void)attribute;
    if (!data || dataSize < 4)
        RETURN(cudaErrorInvalidValue);
    memset(data, 0, dataSize);
    RETURN(managed_range(ptr, count));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length, unsigned int flags)
{
    API;
    (void)length;
    allocation a;
    if (!stream_of(stream) || flags > 4 || !allocation_of(ptr, &a) || a.kind != R_MANAGED)
        RETURN(cudaErrorInvalidValue);
    RETURN(cudaSuccess);
}
