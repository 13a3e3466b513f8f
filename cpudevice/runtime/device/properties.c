/* properties.c: the device's properties: an H100's, with one multiprocessor a core. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/call.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "observe/observers.h"
#include "device/process.h"
#include "device/sizes.h"

bool pageable_access(bool unsaid)
{
    const char *wish = getenv("CUDA_CPU_PAGEABLE");
    return wish && *wish ? strcmp(wish, "0") != 0 : unsaid;
}

/* To the checker it is a mistake, as on most GPUs, unless it was asked for. */
static int pageable(void) { return pageable_access(!observed.sees_host_access); }

enum { CLOCK_KHZ = 1980000, MEMORY_CLOCK_KHZ = 2619000, CONSTANT_BYTES = 65536 };

static void properties(struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU device (%d cores)", processor_count());
    memcpy(p->uuid.bytes, "CUDAonCPUdevice", 16);
    p->uuid.bytes[15] = (char)device;
    size_t free_bytes;
    cudaMemGetInfo(&free_bytes, &p->totalGlobalMem);
    p->sharedMemPerBlock = MAX_SHARED;
    p->regsPerBlock = 65536;
    p->warpSize = WARP;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = CONSTANT_BYTES;
    p->major = 9;
    p->minor = 0;
    p->textureAlignment = TEXTURE_ALIGNMENT;
    p->texturePitchAlignment = TEXTURE_PITCH_ALIGNMENT;
    p->multiProcessorCount = multiprocessor_count();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    p->clockRate = CLOCK_KHZ;
    p->memoryClockRate = MEMORY_CLOCK_KHZ;
    p->deviceOverlap = 1;
#pragma GCC diagnostic pop
    p->integrated = 1;
    p->canMapHostMemory = 1;
    p->surfaceAlignment = 512;
    p->concurrentKernels = 1;
    p->pciBusID = device;
    p->asyncEngineCount = 2;
    p->unifiedAddressing = 1;
    p->memoryBusWidth = 64;
    long l2 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    p->l2CacheSize = l2 > 0 && l2 < 2147483647 ? (int)l2 : 32 << 20;
    p->maxThreadsPerMultiProcessor = MAX_RESIDENT_THREADS;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = SHARED_PER_SM;
    p->regsPerMultiprocessor = 65536;
    p->managedMemory = 1;
    p->hostNativeAtomicSupported = 1;
    p->pageableMemoryAccess = pageable();
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->clusterLaunch = 1;
    p->sharedMemPerBlockOptin = MAX_SHARED_OPTIN;
    p->pageableMemoryAccessUsesHostPageTables = pageable();
    p->maxBlocksPerMultiProcessor = MAX_RESIDENT_BLOCKS;
    p->reservedSharedMemPerBlock = 1024;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->ipcEventSupported = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    API;
    RESULT_AT(prop);
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!prop)
        RETURN(cudaErrorInvalidValue);
    properties(prop, device);
    RETURN(cudaSuccess);
}

/* The attributes that are members of struct cudaDeviceProp, and the others. */
#define FIELD(member) offsetof(struct cudaDeviceProp, member)
static const struct {
    enum cudaDeviceAttr attribute;
    size_t member; /* an int */
} of_properties[] = {
    {cudaDevAttrPageableMemoryAccess, FIELD(pageableMemoryAccess)},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, FIELD(pageableMemoryAccessUsesHostPageTables)},
    {cudaDevAttrMaxThreadsPerBlock, FIELD(maxThreadsPerBlock)},
    {cudaDevAttrMaxBlockDimX, FIELD(maxThreadsDim[0])},
    {cudaDevAttrMaxBlockDimY, FIELD(maxThreadsDim[1])},
    {cudaDevAttrMaxBlockDimZ, FIELD(maxThreadsDim[2])},
    {cudaDevAttrMaxGridDimX, FIELD(maxGridSize[0])},
    {cudaDevAttrMaxGridDimY, FIELD(maxGridSize[1])},
    {cudaDevAttrMaxGridDimZ, FIELD(maxGridSize[2])},
    {cudaDevAttrMaxRegistersPerBlock, FIELD(regsPerBlock)},
    {cudaDevAttrGlobalMemoryBusWidth, FIELD(memoryBusWidth)},
    {cudaDevAttrMultiProcessorCount, FIELD(multiProcessorCount)},
    {cudaDevAttrIntegrated, FIELD(integrated)},
    {cudaDevAttrL2CacheSize, FIELD(l2CacheSize)},
    {cudaDevAttrAsyncEngineCount, FIELD(asyncEngineCount)},
    {cudaDevAttrComputeCapabilityMajor, FIELD(major)},
    {cudaDevAttrComputeCapabilityMinor, FIELD(minor)},
};

static const struct {
    enum cudaDeviceAttr attribute;
    int value;
} constants[] = {
    {cudaDevAttrMaxSharedMemoryPerBlock, MAX_SHARED},
    {cudaDevAttrTotalConstantMemory, CONSTANT_BYTES},
    {cudaDevAttrWarpSize, WARP},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrClockRate, CLOCK_KHZ},
    {cudaDevAttrMemoryClockRate, MEMORY_CLOCK_KHZ},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrMaxThreadsPerMultiProcessor, MAX_RESIDENT_THREADS},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SHARED_PER_SM},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrHostNativeAtomicSupported, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrClusterLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, MAX_SHARED_OPTIN},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrMaxBlocksPerMultiprocessor, MAX_RESIDENT_BLOCKS},
    {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrIpcEventSupport, 1},
    {(enum cudaDeviceAttr)122, 1}, /* a stream's operations on memory, of 64 bits, */
    {(enum cudaDeviceAttr)123, 1}, /* and its waits with NOR; CUDA 11's (92 to 94) are 0, as on an H200 */
    {(enum cudaDeviceAttr)102, 1}, /* the driver's virtual memory management, */
    {(enum cudaDeviceAttr)103, 1}, /* whose memory is shared as POSIX file descriptors */
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    API;
    RESULT_AT(value);
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!value || attr < 1 || attr >= cudaDevAttrMax)
        RETURN(cudaErrorInvalidValue);
    struct cudaDeviceProp p;
    properties(&p, device);
    *value = 0;
    for (size_t i = 0; i < sizeof of_properties / sizeof *of_properties; i++)
        if (of_properties[i].attribute == attr)
            memcpy(value, (const char *)&p + of_properties[i].member, sizeof *value);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].attribute == attr)
            *value = constants[i].value;
    RETURN(cudaSuccess);
}
