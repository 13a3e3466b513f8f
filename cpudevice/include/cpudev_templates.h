/* cpudev_templates.h: the C++ forms of the runtime API, which take typed pointers, symbols and kernels. */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef CPUDEV_TEMPLATES_H
#define CPUDEV_TEMPLATES_H

#include "cpudev_abi.h"
#include "cuda_runtime_api.h"

#define CPUDEV_CALL static inline __attribute__((always_inline, unused))

#ifdef __CUCC_CHECK__
/* Passes the checker what the compiler knows of the size of a copy's two ends, an array on the host's stack say. */
extern "C" {
#define CPUDEV_SIZE(p) __builtin_object_size(p, 0)
#define CPUDEV_SIZED(name, parameters, arguments)                                                                                  \
    cudaError_t cpudev_##name parameters __asm__(#name);                                                                          \
    extern inline __attribute__((gnu_inline, always_inline, artificial)) cudaError_t name parameters                               \
    {                                                                                                                             \
        if (CPUDEV_SIZE(dst) != (size_t)-1 || CPUDEV_SIZE(src) != (size_t)-1)                                                     \
            cpudev_check_objects(dst, CPUDEV_SIZE(dst), src, CPUDEV_SIZE(src));                                                   \
        return cpudev_##name arguments;                                                                                           \
    }
CPUDEV_SIZED(cudaMemcpy, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind), (dst, src, count, kind))
CPUDEV_SIZED(cudaMemcpyAsync, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream), (dst, src, count, kind, stream))
CPUDEV_SIZED(cudaMemcpy2D, (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind),
             (dst, dpitch, src, spitch, width, height, kind))
#undef CPUDEV_SIZED
}
#define CPUDEV_TELL(dst, src) cpudev_check_objects(dst, CPUDEV_SIZE(dst), src, CPUDEV_SIZE(src))
#else
#define CPUDEV_TELL(dst, src) ((void)0)
#endif

template <class __T> CPUDEV_CALL cudaError_t cudaMalloc(__T **ptr, size_t size) { return ::cudaMalloc((void **)(void *)ptr, size); }
template <class __T> CPUDEV_CALL cudaError_t cudaMallocManaged(__T **ptr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)ptr, size, flags);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMallocHost(__T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class __T> CPUDEV_CALL cudaError_t cudaHostAlloc(__T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMallocPitch(__T **ptr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMallocAsync(__T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMallocAsync(__T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMallocFromPoolAsync(__T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}
template <class __T> CPUDEV_CALL cudaError_t cudaHostGetDevicePointer(__T **device, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMemcpyToSymbol(const __T &symbol, const void *src, size_t count, size_t offset = 0,
                                                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    CPUDEV_TELL(&symbol, src);
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMemcpyFromSymbol(void *dst, const __T &symbol, size_t count, size_t offset = 0,
                                                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    CPUDEV_TELL(dst, &symbol);
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMemcpyToSymbolAsync(const __T &symbol, const void *src, size_t count, size_t offset = 0,
                                                                     enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class __T> CPUDEV_CALL cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const __T &symbol, size_t count, size_t offset = 0,
                                                                       enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
template <class __T> CPUDEV_CALL cudaError_t cudaGetSymbolAddress(void **ptr, const __T &symbol)
{
    return ::cudaGetSymbolAddress(ptr, (const void *)&symbol);
}
template <class __T> CPUDEV_CALL cudaError_t cudaGetSymbolSize(size_t *size, const __T &symbol)
{
    (void)symbol;
    *size = sizeof(__T);
    return cudaSuccess;
}
CPUDEV_CALL cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }

template <class __T> CPUDEV_CALL cudaError_t cudaLaunchKernel(__T *func, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, grid, block, args, shared, stream);
}
template <class __T>
CPUDEV_CALL cudaError_t cudaLaunchCooperativeKernel(__T *func, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, grid, block, args, shared, stream);
}
namespace cpudev {
template <class __P, class __A> struct arg_holder {
    __P value;
    arg_holder(__A &&a) : value(static_cast<__A &&>(a)) {}
};
}
template <class... __P, class... __A> CPUDEV_CALL cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(__P...), __A &&...args)
{
    struct launch {
        static cudaError_t now(const cudaLaunchConfig_t *config, void (*kernel)(__P...), __P... values)
        {
            void *pointers[] = {(void *)&values..., nullptr};
            return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
        }
    };
    return launch::now(config, kernel, static_cast<__A &&>(args)...);
}
template <class __T> CPUDEV_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, __T *func)
{
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}
template <class __T> CPUDEV_CALL cudaError_t cudaFuncSetAttribute(__T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class __T> CPUDEV_CALL cudaError_t cudaFuncSetCacheConfig(__T *func, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}
template <class __T> CPUDEV_CALL cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, __T *func, const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)func, config);
}
template <class __T> CPUDEV_CALL cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, __T *func, const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)func, config);
}
template <class __T> CPUDEV_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, __T *func, int blockSize, size_t shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, blockSize, shared);
}
template <class __T>
CPUDEV_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, __T *func, int blockSize, size_t shared, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, blockSize, shared, flags);
}
template <class __T> CPUDEV_CALL cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, __T *func, int numBlocks, int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)func, numBlocks, blockSize);
}
/* The largest occupancy wins; of equals, the larger block. */
template <class __F, class __T>
CPUDEV_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize, __T func, __F shared_of, int limit = 0,
                                                                                unsigned int flags = 0)
{
    cudaFuncAttributes attr;
    cudaError_t error = ::cudaFuncGetAttributes(&attr, (const void *)func);
    int device = 0, processors = 0, best = 0, best_threads = 0, best_size = 0;
    if (error == cudaSuccess)
        error = ::cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    int most = attr.maxThreadsPerBlock;
    if (limit > 0 && limit < most)
        most = limit;
    for (int size = most % 32 ? (most / 32 + 1) * 32 : most; size > 0; size -= 32) {
        int threads = size < most ? size : most, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)func, threads, shared_of(threads), flags);
        if (error != cudaSuccess)
            return error;
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            best = blocks;
            best_size = threads;
        }
    }
    *minGridSize = best * processors;
    *blockSize = best_size;
    return cudaSuccess;
}
template <class __T, class __F>
CPUDEV_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, __T func, __F shared_of, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, shared_of, limit);
}
template <class __T>
CPUDEV_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, __T func, size_t shared = 0, int limit = 0,
                                                                    unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, [shared](int) { return shared; }, limit, flags);
}
template <class __T>
CPUDEV_CALL cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, __T func, size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, shared, limit);
}
/* the older order of arguments, which C++ still has */
CPUDEV_CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
/* The forms of CUDA 12 and before, which name a device by its number; the compiler warns that CUDA 13 has them no more. */
CPUDEV_CALL cudaMemLocation cpudev_location(int device)
{
    cudaMemLocation l = {};
    l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    l.id = device == cudaCpuDeviceId ? 0 : device;
    return l;
}
__attribute__((deprecated("CUDA 13 takes a cudaMemLocation, and flags before the stream"))) CPUDEV_CALL cudaError_t
cudaMemPrefetchAsync(const void *ptr, size_t count, int device, cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync(ptr, count, cpudev_location(device), 0u, stream);
}
__attribute__((deprecated("CUDA 13 takes a cudaMemLocation"))) CPUDEV_CALL cudaError_t
cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, int device)
{
    return ::cudaMemAdvise(ptr, count, advice, cpudev_location(device));
}

__attribute__((deprecated("CUDA 12 takes a cudaGraphExecUpdateResultInfo"))) CPUDEV_CALL cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node, enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t e = ::cudaGraphExecUpdate(exec, graph, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return e;
}

/* How an array stores a __T: its channels, their bits and their kind. */
namespace cpudev {
template <class __T> struct channels;
}
#define CPUDEV_CHANNELS(type, count, kind)                                                                  \
    template <> struct cpudev::channels<type> {                                                             \
        static cudaChannelFormatDesc desc()                                                                 \
        {                                                                                                   \
            const int bits = (int)(sizeof(type) * 8 / (count == 3 ? 3 : count));                            \
            return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind}; \
        }                                                                                                   \
    };
#define CPUDEV_CHANNELS4(type, base, kind)                                                                  \
    CPUDEV_CHANNELS(type, 1, kind)                                                                          \
    CPUDEV_CHANNELS(base##1, 1, kind)                                                                       \
    CPUDEV_CHANNELS(base##2, 2, kind)                                                                       \
    CPUDEV_CHANNELS(base##3, 3, kind)                                                                       \
    CPUDEV_CHANNELS(base##4, 4, kind)
CPUDEV_CHANNELS(char, 1, cudaChannelFormatKindSigned)
CPUDEV_CHANNELS4(signed char, char, cudaChannelFormatKindSigned)
CPUDEV_CHANNELS4(unsigned char, uchar, cudaChannelFormatKindUnsigned)
CPUDEV_CHANNELS4(short, short, cudaChannelFormatKindSigned)
CPUDEV_CHANNELS4(unsigned short, ushort, cudaChannelFormatKindUnsigned)
CPUDEV_CHANNELS4(int, int, cudaChannelFormatKindSigned)
CPUDEV_CHANNELS4(unsigned int, uint, cudaChannelFormatKindUnsigned)
CPUDEV_CHANNELS4(float, float, cudaChannelFormatKindFloat)
#undef CPUDEV_CHANNELS4
#undef CPUDEV_CHANNELS
template <class __T> CPUDEV_CALL cudaChannelFormatDesc cudaCreateChannelDesc() { return cpudev::channels<__T>::desc(); }
CPUDEV_CALL cudaChannelFormatDesc cudaCreateChannelDescHalf() { return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }

#endif
