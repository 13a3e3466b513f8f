/* What the driver interface says of devices, contexts and addresses, against what the runtime says, and against
 * what was asked for. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: devices, contexts and addresses are described
// RUN: $exe
// SAYS: cuPointerGetAttribute: attribute 5 is not supported
// TEST: the same with two devices
// RUN: CUDA_CPU_DEVICES=2 $exe
#include <cuda.h>
#include <cudaProfiler.h>

#include <string.h>

#include "../../harness/is.h"

static void test_device(CUdevice device)
{
    int major = 0, minor = 0, value = 0;
    char id[32] = "", short_id[13];
    CUdevice found = -1;
    CUdevprop p;
    cudaDeviceProp q;
    IS(cudaGetDeviceProperties(&q, device), 0);
    IS(cuDeviceComputeCapability(&major, &minor, device), 0);
    IS(major, q.major);
    IS(minor, q.minor);
    IS(cuDeviceGetPCIBusId(id, sizeof id, device), 0);
    IS(strlen(id), sizeof "0000:00:00.0" - 1); /* domain:bus:device.function */
    IS(cuDeviceGetPCIBusId(short_id, sizeof short_id - 1, device), CUDA_ERROR_INVALID_VALUE);
    IS(cuDeviceGetByPCIBusId(&found, id), 0);
    IS(found, device);
    IS(cuDeviceGetByPCIBusId(&found, "0000:77:00.0"), CUDA_ERROR_INVALID_DEVICE);
    IS(cuDeviceGetProperties(&p, device), 0);
    IS(p.maxThreadsPerBlock, q.maxThreadsPerBlock);
    for (int i = 0; i < 3; i++) {
        IS(p.maxThreadsDim[i], q.maxThreadsDim[i]);
        IS(p.maxGridSize[i], q.maxGridSize[i]);
    }
    IS(p.sharedMemPerBlock, q.sharedMemPerBlock);
    IS(p.totalConstantMemory, 65536);
    IS(p.SIMDWidth, 32);
    IS(p.memPitch, 2147483647);
    IS(p.regsPerBlock, q.regsPerBlock);
    IS(p.textureAlign, q.textureAlignment);
    IS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device), 0);
    IS(p.clockRate, value);
    IS(cuDeviceGetProperties(NULL, device), CUDA_ERROR_INVALID_VALUE);
}

static void test_settings(CUcontext context)
{
    CUsharedconfig config = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
    CUfunc_cache cache = CU_FUNC_CACHE_PREFER_L1;
    int least = -1, greatest = -1, l = 0, g = 0;
    IS(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE), 0);
    IS(cuCtxGetSharedMemConfig(&config), 0);
    IS(config, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE); /* as on a chip whose banks have one width */
    IS(cuCtxSetSharedMemConfig((CUsharedconfig)3), CUDA_ERROR_INVALID_VALUE);
    IS(cuCtxGetSharedMemConfig(NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuCtxGetCacheConfig(&cache), 0);
    IS(cache, CU_FUNC_CACHE_PREFER_NONE);
    IS(cuCtxGetCacheConfig(NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuCtxGetStreamPriorityRange(&least, &greatest), 0);
    IS(cudaDeviceGetStreamPriorityRange(&l, &g), 0);
    IS(least, l);
    IS(greatest, g);
    IS(cuProfilerStart(), 0);
    IS(cuProfilerStop(), 0);

    /* as many detach a context as have created or attached it */
    CUcontext second, again = NULL, seen = NULL;
    IS(cuCtxCreate(&second, (CUctxCreateParams *)NULL, 0, 0), 0);
    IS(cuCtxAttach(&again, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuCtxAttach(&again, 0), 0);
    IS(again == second, 1);
    IS(cuCtxDetach(context), CUDA_ERROR_INVALID_CONTEXT); /* which is not current */
    IS(cuCtxDetach(second), 0);
    IS(cuCtxGetCurrent(&seen), 0);
    IS(seen == second, 1);
    IS(cuCtxDetach(second), 0);
    IS(cuCtxGetCurrent(&seen), 0);
    IS(seen == context, 1);
    IS(cuCtxPushCurrent(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

/* Of p, which lies in an allocation of `bytes` at `base`. */
static void test_pointer(CUdeviceptr p, CUmemorytype type, bool managed, bool of_host, CUdeviceptr base, size_t bytes,
                         int device)
{
    CUmemorytype t = (CUmemorytype)0;
    CUdeviceptr at = 0, start = 0;
    void *host = NULL;
    unsigned is_managed = 7, mapped = 0;
    int ordinal = -1;
    size_t size = 0;
    CUcontext context = NULL, primary = NULL;
    IS(cuPointerGetAttribute(&t, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p), 0);
    IS(t, type);
    IS(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p), 0);
    IS(at, p);
    IS(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, p), of_host ? 0 : CUDA_ERROR_INVALID_VALUE);
    IS((size_t)host, of_host ? p : 0);
    IS(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p), 0);
    IS(is_managed, managed);
    IS(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, p), 0);
    IS(mapped, 1);
    IS(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p), 0);
    IS(ordinal, device);
    IS(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, p), 0);
    IS(cuDevicePrimaryCtxRetain(&primary, device), 0);
    IS(context == primary, 1);
    IS(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p), 0);
    IS(start, base);
    IS(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p), 0);
    IS(size, bytes);
    start = size = 0;
    const bool of_device = type == CU_MEMORYTYPE_DEVICE;
    IS(cuMemGetAddressRange(&start, &size, p), of_device ? 0 : CUDA_ERROR_NOT_FOUND);
    IS(start, of_device ? base : 0);
    IS(size, of_device ? bytes : 0);
}

static void test_memory(int device)
{
    CUdeviceptr p, m;
    void *h;
    int local = 0;
    unsigned flags = 0;
    IS(cuMemAlloc(&p, 1000), 0);
    IS(cuMemAllocManaged(&m, 500, CU_MEM_ATTACH_GLOBAL), 0);
    IS(cuMemHostAlloc(&h, 300, CU_MEMHOSTALLOC_PORTABLE), 0);
    test_pointer(p, CU_MEMORYTYPE_DEVICE, false, false, p, 1000, device);
    test_pointer(p + 999, CU_MEMORYTYPE_DEVICE, false, false, p, 1000, device);
    test_pointer(m + 1, CU_MEMORYTYPE_DEVICE, true, true, m, 500, device);
    test_pointer((CUdeviceptr)(size_t)h + 299, CU_MEMORYTYPE_HOST, false, true, (CUdeviceptr)(size_t)h, 300, device);
    IS(cuMemGetAddressRange(NULL, NULL, p), 0);
    IS(cuMemGetAddressRange(NULL, NULL, p + 1000), CUDA_ERROR_NOT_FOUND);
    IS(cuPointerGetAttribute(&local, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 1000), CUDA_ERROR_INVALID_VALUE);
    IS(cuPointerGetAttribute(&local, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)&local),
       CUDA_ERROR_INVALID_VALUE);
    IS(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p), CUDA_ERROR_INVALID_VALUE);
    IS(cuPointerGetAttribute(&local, CU_POINTER_ATTRIBUTE_P2P_TOKENS, p), CUDA_ERROR_NOT_SUPPORTED);
    IS(cuMemHostGetFlags(&flags, h), 0);
    IS(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    IS(cuMemHostGetFlags(&flags, &local), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamAttachMemAsync(NULL, m, 0, CU_MEM_ATTACH_GLOBAL), 0);
    IS(cuStreamAttachMemAsync(NULL, p, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(p), 0);
    IS(cuMemFree(m), 0);
    IS(cuMemFreeHost(h), 0);
}

int main()
{
    CUcontext context;
    int count = 0;
    if (cuInit(0) || cuCtxCreate(&context, (CUctxCreateParams *)NULL, 0, 0) || cuDeviceGetCount(&count))
        return 2;
    test_settings(context);
    for (int i = 0; i < count; i++) {
        IS(cudaSetDevice(i), 0);
        test_device(i);
        test_memory(i);
    }
    return failed;
}
