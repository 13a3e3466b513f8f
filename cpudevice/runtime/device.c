/* device.c: the device's properties and limits. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

uint64_t cpudev_globaltimer(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

long long cpudev_clock(void)
{
#ifdef __x86_64__
    return (long long)__builtin_ia32_rdtsc();
#else
    return (long long)now_ns();
#endif
}

size_t device_limits[8] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 128,
    [cudaLimitPersistingL2CacheSize] = 0,
};

/* A kernel can use the host's own memory; to the checker that is a mistake, as it is on most GPUs. */
#define PAGEABLE (!observed.sees_host_access)

/* Limits of an H100, so that what fits here fits there; one multiprocessor a core. */
enum { CLOCK_KHZ = 1980000, MEMORY_CLOCK_KHZ = 2619000 };

static void properties(struct cudaDeviceProp *p)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU device (%d cores)", processor_count());
    memcpy(p->uuid.bytes, "CUDAonCPUdevice", 16);
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
    p->totalConstMem = 65536;
    p->major = 9;
    p->minor = 0;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->multiProcessorCount = processor_count();
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
    p->pciBusID = 0;
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
    p->pageableMemoryAccess = PAGEABLE;
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->sharedMemPerBlockOptin = MAX_SHARED_OPTIN;
    p->pageableMemoryAccessUsesHostPageTables = PAGEABLE;
    p->maxBlocksPerMultiProcessor = MAX_RESIDENT_BLOCKS;
    p->reservedSharedMemPerBlock = 1024;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!count)
        RETURN(cudaErrorInvalidValue);
    *count = 1;
    RETURN(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    API;
    if (!device)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}

static cudaError_t device_ok(int device)
{
    cudaError_t e = device_ready();
    return e ? e : device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaSetDevice(int device)
{
    API;
    RETURN(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
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
        if (devices[i])
            RETURN(cudaErrorInvalidDevice);
    RETURN(cudaSuccess);
}

static unsigned device_flags;

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
    if (!flags)
        RETURN(cudaErrorInvalidValue);
    *flags = device_flags | cudaDeviceMapHost;
    RETURN(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    API;
    if (!device || !prop)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!prop)
        RETURN(cudaErrorInvalidValue);
    properties(prop);
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!value || attr < 1 || attr >= cudaDevAttrMax)
        RETURN(cudaErrorInvalidValue);
    struct cudaDeviceProp p;
    properties(&p);
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = WARP; break;
    case cudaDevAttrMaxPitch: *value = 2147483647; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = CLOCK_KHZ; break;
    case cudaDevAttrMemoryClockRate: *value = MEMORY_CLOCK_KHZ; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrTextureAlignment: *value = 512; break;
    case cudaDevAttrTexturePitchAlignment: *value = 32; break;
    case cudaDevAttrGpuOverlap: *value = 1; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrIntegrated: *value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: *value = 1; break;
    case cudaDevAttrConcurrentKernels: *value = 1; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = MAX_RESIDENT_THREADS; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: *value = 1; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: *value = 1; break;
    case cudaDevAttrGlobalL1CacheSupported: *value = 1; break;
    case cudaDevAttrLocalL1CacheSupported: *value = 1; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = SHARED_PER_SM; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
    case cudaDevAttrManagedMemory: *value = 1; break;
    case cudaDevAttrHostNativeAtomicSupported: *value = 1; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
    case cudaDevAttrPageableMemoryAccess: *value = PAGEABLE; break;
    case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
    case cudaDevAttrComputePreemptionSupported: *value = 1; break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: *value = 1; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = MAX_SHARED_OPTIN; break;
    case cudaDevAttrHostRegisterSupported: *value = 1; break;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables: *value = PAGEABLE; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = MAX_RESIDENT_BLOCKS; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = 1024; break;
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
    }
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
    snprintf(id, (size_t)len, "0000:00:00.0");
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    API;
    if (!device || !id)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(!strcmp(id, "0000:00:00.0") ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    API;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    RETURN(device_ready());
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    API;
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
    device_limits[limit] = value;
    RETURN(device_ready());
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    API;
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
    if (!version)
        RETURN(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    RETURN(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    API;
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

/* One device: nobody to be a peer of. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    API;
    if (!can)
        RETURN(cudaErrorInvalidValue);
    *can = 0;
    RETURN(device || peer ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    API;
    (void)peer;
    (void)flags;
    RETURN(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API;
    (void)peer;
    RETURN(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    API;
    (void)value;
    (void)attr;
    (void)src;
    (void)dst;
    RETURN(cudaErrorInvalidDevice);
}
