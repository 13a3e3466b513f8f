/*
 * cuda.h for the CPU device: the driver interface. Modules are what `cucc -cubin`, -fatbin or -ptx made, or NVRTC: there
 * is no GPU code to load. A program that loads them is linked with -lcuda. cuInit() and a current context are not asked
 * for where the runtime's functions would do without. C-clean.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cpudev_driver_errors.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
    CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98,
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
    CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
    CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
    CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,
    CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
    CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,
    CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
    CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124,
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125,
    CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126,
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128,
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129,
    CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130,
    CU_DEVICE_ATTRIBUTE_NUMA_ID = 131,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132,
    CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
    CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
    CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138,
    CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139,
    CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140,
    CU_DEVICE_ATTRIBUTE_CPUDEV_END
} CUdevice_attribute;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

/* ---- tensor maps ---- */

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#define CU_TENSOR_MAP_NUM_QWORDS 16
typedef struct CUtensorMap_st {
#ifdef __cplusplus
    alignas(128)
#else
    _Alignas(128)
#endif
        cuuint64_t opaque[CU_TENSOR_MAP_NUM_QWORDS];
} CUtensorMap;

typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, /* these three want sm_100: no map can be made with them */
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, /* these three want sm_100, too */
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                 const cuuint64_t *size, const cuuint64_t *stride, const int *lower, const int *upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base);
#ifdef __cplusplus
}
#endif

#include "cpudev_driver.h"
#include "cpudev_driver_arrays.h"
#include "cpudev_driver_missing.h"
#include "cpudev_stream_memory.h"
#include "cpudev_vmm.h"

#ifndef CPUDEV_DRIVER /* shared/libcuda.c exports them */
#define CPUDEV_DRIVER static inline __attribute__((unused))
#endif

/* The numbers of errors and attributes are the runtime's. */
CPUDEV_DRIVER CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CPUDEV_DRIVER CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
CPUDEV_DRIVER CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
CPUDEV_DRIVER CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    if (ordinal < 0 || ordinal >= count)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}
CPUDEV_DRIVER CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error == cudaSuccess)
        snprintf(name, (size_t)length, "%s", p.name);
    return (CUresult)error;
}
CPUDEV_DRIVER CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error == cudaSuccess)
        *bytes = p.totalGlobalMem;
    return (CUresult)error;
}
CPUDEV_DRIVER CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}
CPUDEV_DRIVER CUresult cuDeviceCanAccessPeer(int *can, CUdevice a, CUdevice b)
{
    return (CUresult)cudaDeviceCanAccessPeer(can, a, b);
}
/* The name of an error and what it means; NULL and CUDA_ERROR_INVALID_VALUE for a number that is none. */
CPUDEV_DRIVER CUresult cuGetErrorName(CUresult error, const char **text)
{
    *text = NULL;
    switch ((int)error) {
#define CPUDEV_NAME(value, name)                                                                                       \
    case value: *text = #name; break;
        CPUDEV_DRIVER_ERRORS(CPUDEV_NAME)
#undef CPUDEV_NAME
    }
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CPUDEV_DRIVER CUresult cuGetErrorString(CUresult error, const char **text)
{
    const CUresult known = cuGetErrorName(error, text);
    if (known == CUDA_SUCCESS)
        *text = cudaGetErrorString((cudaError_t)error);
    return known;
}

CPUDEV_DRIVER CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    return device >= 0 && device < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CPUDEV_DRIVER CUresult cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }

CPUDEV_DRIVER CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes)
{
    void *memory = NULL;
    CUresult result = (CUresult)cudaMalloc(&memory, bytes);
    *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuMemFree(CUdeviceptr p) { return (CUresult)cudaFree((void *)(size_t)p); }
CPUDEV_DRIVER CUresult cuMemGetInfo(size_t *left, size_t *total) { return (CUresult)cudaMemGetInfo(left, total); }
CPUDEV_DRIVER CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)(size_t)to, from, bytes, cudaMemcpyHostToDevice);
}
CPUDEV_DRIVER CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy(to, (const void *)(size_t)from, bytes, cudaMemcpyDeviceToHost);
}
CPUDEV_DRIVER CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)(size_t)to, (const void *)(size_t)from, bytes, cudaMemcpyDeviceToDevice);
}
CPUDEV_DRIVER CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t bytes)
{
    return (CUresult)cudaMemset((void *)(size_t)p, value, bytes);
}
CPUDEV_DRIVER CUresult cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }

CPUDEV_DRIVER CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    (void)config;
    return CUDA_SUCCESS;
}
CPUDEV_DRIVER CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    return (CUresult)cudaDeviceGetLimit(value, (enum cudaLimit)limit);
}
CPUDEV_DRIVER CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    return (CUresult)cudaDeviceSetLimit((enum cudaLimit)limit, value);
}
CPUDEV_DRIVER CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
CPUDEV_DRIVER CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    return (CUresult)cudaStreamCreateWithPriority(stream, flags, priority);
}
CPUDEV_DRIVER CUresult cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }
CPUDEV_DRIVER CUresult cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
CPUDEV_DRIVER CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}
CPUDEV_DRIVER CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags)
{
    return (CUresult)cudaStreamAttachMemAsync(stream, (void *)(size_t)p, bytes, flags);
}
CPUDEV_DRIVER CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    return (CUresult)cudaLaunchHostFunc(stream, function, data);
}
CPUDEV_DRIVER CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return (CUresult)cudaEventCreateWithFlags(event, flags);
}
CPUDEV_DRIVER CUresult cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }
CPUDEV_DRIVER CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return (CUresult)cudaEventRecord(event, stream);
}
CPUDEV_DRIVER CUresult cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
CPUDEV_DRIVER CUresult cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
CPUDEV_DRIVER CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return (CUresult)cudaEventElapsedTime(ms, start, end);
}

CPUDEV_DRIVER CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
    void *memory = NULL;
    CUresult result = element == 4 || element == 8 || element == 16
                          ? (CUresult)cudaMallocPitch(&memory, pitch, width, height)
                          : CUDA_ERROR_INVALID_VALUE;
    *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags)
{
    void *memory = NULL;
    CUresult result = (CUresult)cudaMallocManaged(&memory, bytes, flags);
    *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream)
{
    void *memory = NULL;
    CUresult result = (CUresult)cudaMallocAsync(&memory, bytes, stream);
    *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    return (CUresult)cudaFreeAsync((void *)(size_t)p, stream);
}
CPUDEV_DRIVER CUresult cuMemAllocHost(void **p, size_t bytes) { return (CUresult)cudaMallocHost(p, bytes); }
CPUDEV_DRIVER CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
    return (CUresult)cudaHostAlloc(p, bytes, flags);
}
CPUDEV_DRIVER CUresult cuMemFreeHost(void *p) { return (CUresult)cudaFreeHost(p); }
CPUDEV_DRIVER CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags)
{
    return (CUresult)cudaHostRegister(p, bytes, flags);
}
CPUDEV_DRIVER CUresult cuMemHostGetFlags(unsigned *flags, void *p) { return (CUresult)cudaHostGetFlags(flags, p); }
CPUDEV_DRIVER CUresult cuMemHostUnregister(void *p) { return (CUresult)cudaHostUnregister(p); }
CPUDEV_DRIVER CUresult cuMemHostGetDevicePointer(CUdeviceptr *p, void *host, unsigned flags)
{
    void *memory = NULL;
    CUresult result = (CUresult)cudaHostGetDevicePointer(&memory, host, flags);
    *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)(size_t)to, (const void *)(size_t)from, bytes, cudaMemcpyDefault);
}
CPUDEV_DRIVER CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)(size_t)to, (const void *)(size_t)from, bytes, cudaMemcpyDefault, stream);
}
CPUDEV_DRIVER CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)(size_t)to, from, bytes, cudaMemcpyHostToDevice, stream);
}
CPUDEV_DRIVER CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync(to, (const void *)(size_t)from, bytes, cudaMemcpyDeviceToHost, stream);
}
CPUDEV_DRIVER CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)(size_t)to, (const void *)(size_t)from, bytes, cudaMemcpyDeviceToDevice,
                                     stream);
}
CPUDEV_DRIVER CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemsetAsync((void *)(size_t)p, value, bytes, stream);
}

#include "cpudev_driver_device.h"
#include "cpudev_ipc.h"
#include "cpudev_memset.h"

#endif
