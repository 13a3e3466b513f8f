/* cpudev_driver_device.h: the driver interface's older questions about devices, and its settings of banks and
 * caches, which have no effect on a chip of compute capability 7.0 or later. Part of cuda.h. C-clean. */
#ifndef CPUDEV_DRIVER_DEVICE_H
#define CPUDEV_DRIVER_DEVICE_H

typedef enum CUsharedconfig_enum {
    CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0,
    CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
} CUsharedconfig;
typedef struct CUdevprop_st {
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory, SIMDWidth,
        memPitch, regsPerBlock, clockRate, textureAlign;
} CUdevprop;

CPUDEV_DRIVER CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    const CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result ? result : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CPUDEV_DRIVER CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    return (CUresult)cudaDeviceGetPCIBusId(id, length, device);
}
CPUDEV_DRIVER CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    return (CUresult)cudaDeviceGetByPCIBusId(device, id);
}
CPUDEV_DRIVER CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    const CUresult result = uuid ? (CUresult)cudaGetDeviceProperties(&p, device) : CUDA_ERROR_INVALID_VALUE;
    if (!result)
        *uuid = p.uuid;
    return result;
}
CPUDEV_DRIVER CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    int before = 0, result = cudaGetDevice(&before);
    if (result || (result = cudaSetDevice(device)) != 0)
        return (CUresult)result;
    result = cudaDeviceReset();
    cudaSetDevice(before);
    return (CUresult)result;
}
CPUDEV_DRIVER CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult result = prop ? (CUresult)cudaGetDeviceProperties(&p, device) : CUDA_ERROR_INVALID_VALUE;
    int i;
    if (result)
        return result;
    prop->maxThreadsPerBlock = p.maxThreadsPerBlock;
    for (i = 0; i < 3; i++) {
        prop->maxThreadsDim[i] = p.maxThreadsDim[i];
        prop->maxGridSize[i] = p.maxGridSize[i];
    }
    prop->sharedMemPerBlock = (int)p.sharedMemPerBlock;
    prop->totalConstantMemory = (int)p.totalConstMem;
    prop->SIMDWidth = p.warpSize;
    prop->memPitch = (int)p.memPitch;
    prop->regsPerBlock = p.regsPerBlock;
    prop->textureAlign = (int)p.textureAlignment;
    return cuDeviceGetAttribute(&prop->clockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
}

CPUDEV_DRIVER CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    enum cudaFuncCache value = cudaFuncCachePreferNone;
    const CUresult result = config ? (CUresult)cudaDeviceGetCacheConfig(&value) : CUDA_ERROR_INVALID_VALUE;
    if (!result)
        *config = (CUfunc_cache)value;
    return result;
}
CPUDEV_DRIVER CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    enum cudaSharedMemConfig value = cudaSharedMemBankSizeFourByte;
    const CUresult result = config ? (CUresult)cudaDeviceGetSharedMemConfig(&value) : CUDA_ERROR_INVALID_VALUE;
    if (!result)
        *config = (CUsharedconfig)value;
    return result;
}
CPUDEV_DRIVER CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? CUDA_ERROR_INVALID_VALUE
               : (CUresult)cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config);
}
CPUDEV_DRIVER CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return (CUresult)cudaDeviceGetStreamPriorityRange(least, greatest);
}

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
#ifdef __cplusplus
}
#endif

#endif
