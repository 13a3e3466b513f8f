/* symbol.c: copies to and from __device__ and __constant__ variables. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "device/call.h"
#include "memory/copy.h"
#include "cuda_runtime_api.h"
#include "observe/observers.h"

static cudaError_t to_symbol(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind,
                             cudaStream_t stream, bool async)
{
    if (!symbol)
        return cudaErrorInvalidSymbol;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return memory_copy((char *)symbol + offset, 0, 0, src, 0, 0, count, 1, 1, kind, stream, async);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
                               cudaStream_t stream, bool async)
{
    if (!symbol)
        return cudaErrorInvalidSymbol;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return memory_copy(dst, 0, 0, (const char *)symbol + offset, 0, 0, count, 1, 1, kind, stream, async);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    API;
    RETURN(to_symbol(symbol, src, count, offset, kind, 0, false));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(to_symbol(symbol, src, count, offset, kind, stream, true));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    API;
    RETURN(from_symbol(dst, symbol, count, offset, kind, 0, false));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(from_symbol(dst, symbol, count, offset, kind, stream, true));
}

cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
    API;
    RESULT_AT(ptr);
    if (!ptr || !symbol)
        RETURN(cudaErrorInvalidValue);
    *ptr = (void *)symbol;
    TELL(symbol_address, symbol);
    RETURN(cudaSuccess);
}
