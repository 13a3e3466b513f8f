/* array.c: CUDA arrays, and copies to and from them. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "memory/allocation.h"
#include "texture/array_layout.h"
#include "device/call.h"
#include "memory/copy.h"
#include "cuda_runtime_api.h"
#include "stream/host_wait.h"
#include "memory/memory.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    struct cudaChannelFormatDesc d = {x, y, z, w, f};
    return d;
}

static cudaError_t make_array(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags)
{
    if (!array || !format || !extent.width || !texel_bytes(format))
        return cudaErrorInvalidValue;
    if ((format->y && format->y != format->x) || (format->z && format->z != format->x) ||
        (format->w && format->w != format->x))
        return cudaErrorInvalidChannelDescriptor;
    if ((flags & cudaArrayCubemap) && (extent.width != extent.height || extent.depth % 6))
        return cudaErrorInvalidValue;
    struct cudaArray *a = calloc(1, sizeof *a);
    if (!a)
        return cudaErrorMemoryAllocation;
    a->format = *format;
    a->extent = extent;
    a->flags = flags;
    cudaError_t e = memory_device(&a->data, array_slice(a) * at_least_1(extent.depth));
    if (e) {
        free(a);
        return e;
    }
    *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned int flags)
{
    API;
    RESULT_AT(array);
    struct cudaExtent extent = {width, height, 0};
    RETURN(make_array(array, format, extent, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned int flags)
{
    API;
    RESULT_AT(array);
    RETURN(make_array(array, format, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    API;
    if (!array)
        RETURN(cudaSuccess);
    cudaError_t e = wait_for_everything();
    cudaError_t freed = memory_free(array->data, R_DEVICE);
    free(array);
    RETURN(freed ? freed : e);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    API;
    RESULT_AT(format);
    RESULT_AT(extent);
    RESULT_AT(flags);
    if (!array)
        RETURN(cudaErrorInvalidValue);
    if (format)
        *format = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    RETURN(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    API;
    RESULT_AT(format);
    if (!format || !array)
        RETURN(cudaErrorInvalidValue);
    *format = array->format;
    RETURN(cudaSuccess);
}

static bool inside(const struct cudaArray *a, size_t x, size_t y, size_t width, size_t height)
{
    return a && x + width <= array_pitch(a) && y + height <= at_least_1(a->extent.height);
}

static cudaError_t to_array(cudaArray_t a, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    if (!inside(a, x, y, width, height))
        return cudaErrorInvalidValue;
    if (width > pitch && height > 1) /* the pitch of one row is not looked at */
        return cudaErrorInvalidPitchValue;
    return memory_copy(a->data + y * array_pitch(a) + x, array_pitch(a), 0, src, pitch, 0, width, height, 1, kind,
                       stream, async);
}

static cudaError_t from_array(void *dst, size_t pitch, cudaArray_const_t a, size_t x, size_t y, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    if (!inside(a, x, y, width, height))
        return cudaErrorInvalidValue;
    if (width > pitch && height > 1)
        return cudaErrorInvalidPitchValue;
    return memory_copy(dst, pitch, 0, a->data + y * array_pitch(a) + x, array_pitch(a), 0, width, height, 1, kind,
                       stream, async);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    API;
    RETURN(to_array(dst, x, y, src, pitch, width, height, kind, 0, false));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(to_array(dst, x, y, src, pitch, width, height, kind, stream, true));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind)
{
    API;
    RETURN(from_array(dst, pitch, src, x, y, width, height, kind, 0, false));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(from_array(dst, pitch, src, x, y, width, height, kind, stream, true));
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    API;
    size_t row = dst ? array_pitch(dst) : 1;
    if (x || count % row)
        RETURN(to_array(dst, x, y, src, count, count, 1, kind, 0, false));
    RETURN(to_array(dst, 0, y, src, row, row, count / row, kind, 0, false));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    API;
    size_t row = src ? array_pitch(src) : 1;
    if (x || count % row)
        RETURN(from_array(dst, count, src, x, y, count, 1, kind, 0, false));
    RETURN(from_array(dst, row, src, 0, y, row, count / row, kind, 0, false));
}
