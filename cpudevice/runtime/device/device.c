/* device.c: the device's identity, limits and settings. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "launch/kernel_heap.h"
#include "device/call.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "device/process.h"

cudaError_t cudaGetDeviceCount(int *count)
{
    API;
    RESULT_AT(count);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!count)
        RETURN(cudaErrorInvalidValue);
    *count = device_count();
    RETURN(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    API;
    RESULT_AT(device);
    if (!device)
        RETURN(cudaErrorInvalidValue);
    *device = current_device();
    RETURN(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    API;
    if (device)
        (void)device_ready(); /* which reads how many there are; an error of a kernel is not this call's */
    if (!device_exists(device))
        RETURN(cudaErrorInvalidDevice);
    make_current(device);
    RETURN(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    API;
    (void)deviceFlags;
    (void)flags;
    RETURN(device_ok(device));
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    API;
    for (int i = 0; devices && i < count; i++)
        if (!device_exists(devices[i]))
            RETURN(cudaErrorInvalidDevice);
    RETURN(cudaSuccess);
}

static _Atomic unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    API;
    if (flags & ~(unsigned)cudaDeviceMask)
        RETURN(cudaErrorInvalidValue);
    device_flags = flags;
    RETURN(device_ready());
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    API;
    RESULT_AT(flags);
    if (!flags)
        RETURN(cudaErrorInvalidValue);
    *flags = device_flags | cudaDeviceMapHost;
    RETURN(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    API;
    RESULT_AT(device);
    if (!device || !prop)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!id || len < 13)
        RETURN(cudaErrorInvalidValue);
    snprintf(id, (size_t)len, "0000:%02x:00.0", (unsigned)device);
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    API;
    RESULT_AT(device);
    if (!device || !id)
        RETURN(cudaErrorInvalidValue);
    for (int i = 0; i < device_count(); i++) {
        char its[sizeof "0000:ffffffff:00.0"];
        snprintf(its, sizeof its, "0000:%02x:00.0", (unsigned)i);
        if (!strcmp(id, its)) {
            *device = i;
            RETURN(cudaSuccess);
        }
    }
    RETURN(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    API;
    RESULT_AT(least);
    RESULT_AT(greatest);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    RETURN(device_ready());
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    API;
    RESULT_AT(value);
    if (!value)
        RETURN(cudaErrorInvalidValue);
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        RETURN(cudaErrorUnsupportedLimit);
    *value = device_limits[limit];
    RETURN(device_ready());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    API;
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        RETURN(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize && value > 512 * 1024)
        RETURN(cudaErrorInvalidValue);
    /* An H100 refuses another size once a kernel has taken memory from the heap. */
    if (limit == cudaLimitMallocHeapSize && value != device_limits[limit] && kernel_heap_used())
        RETURN(cudaErrorInvalidValue);
    device_limits[limit] = value;
    RETURN(device_ready());
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    API;
    RESULT_AT(config);
    if (config)
        *config = cudaFuncCachePreferNone;
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    API;
    (void)config;
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    API;
    RESULT_AT(config);
    if (config)
        *config = cudaSharedMemBankSizeFourByte;
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    API;
    (void)config;
    RETURN(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    API;
    RESULT_AT(version);
    if (!version)
        RETURN(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    RETURN(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    API;
    RESULT_AT(version);
    if (!version)
        RETURN(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    RETURN(cudaSuccess);
}

cudaError_t cudaProfilerStart(void)
{
    API;
    RETURN(device_ready());
}

cudaError_t cudaProfilerStop(void)
{
    API;
    RETURN(device_ready());
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    API;
    RETURN(device_ready());
}
