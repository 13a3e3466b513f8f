/* driver_array.c: the driver interface's arrays, copies of areas and textures, by the runtime's. */
#define _GNU_SOURCE
#include <string.h>

#include "driver_api/module.h"

static cudaError_t format_of(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *d)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } known[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                 {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].format == format && (channels == 1 || channels == 2 || channels == 4)) {
            const int b = known[i].bits;
            *d = (struct cudaChannelFormatDesc){b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 2 ? b : 0,
                                                known[i].kind};
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *a)
{
    DRIVER;
    struct cudaChannelFormatDesc d;
    if (!array || !a || format_of(a->Format, a->NumChannels, &d))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    RESULT(cudaMallocArray(array, &d, a->Width, a->Height, 0));
}

CUresult cuArrayDestroy(CUarray array)
{
    DRIVER;
    RESULT(cudaFreeArray(array));
}

/* One end of a copy: an array, or memory. */
typedef struct End {
    CUarray array;
    char *memory;
    size_t x, y, pitch;
} End;

static bool end_of(End *e, CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, size_t x, size_t y,
                   size_t pitch, size_t width)
{
    *e = (End){.x = x, .y = y, .pitch = pitch ? pitch : width};
    if (type == CU_MEMORYTYPE_ARRAY)
        e->array = array;
    else if (type == CU_MEMORYTYPE_HOST)
        e->memory = (char *)(uintptr_t)host + y * e->pitch + x;
    else if (type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED)
        e->memory = (char *)(uintptr_t)device + y * e->pitch + x;
    return e->array || e->memory;
}

static cudaError_t copy_area(const CUDA_MEMCPY2D *c, CUstream stream)
{
    static const enum cudaMemcpyKind kinds[2][2] = {{cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToHost},
                                                    {cudaMemcpyHostToDevice, cudaMemcpyHostToHost}};
    End to, from;
    if (!c ||
        !end_of(&from, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, c->srcPitch,
                c->WidthInBytes) ||
        !end_of(&to, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, c->dstPitch,
                c->WidthInBytes))
        return cudaErrorInvalidValue;
    const bool unified = c->srcMemoryType == CU_MEMORYTYPE_UNIFIED || c->dstMemoryType == CU_MEMORYTYPE_UNIFIED;
    const enum cudaMemcpyKind kind =
        unified ? cudaMemcpyDefault
                : kinds[c->srcMemoryType == CU_MEMORYTYPE_HOST][c->dstMemoryType == CU_MEMORYTYPE_HOST];
    if (to.array && from.array)
        return cudaErrorNotSupported;
    if (to.array)
        return cudaMemcpy2DToArrayAsync(to.array, to.x, to.y, from.memory, from.pitch, c->WidthInBytes, c->Height, kind,
                                        stream);
    if (from.array)
        return cudaMemcpy2DFromArrayAsync(to.memory, to.pitch, from.array, from.x, from.y, c->WidthInBytes, c->Height,
                                          kind, stream);
    return cudaMemcpy2DAsync(to.memory, to.pitch, from.memory, from.pitch, c->WidthInBytes, c->Height, kind, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    DRIVER;
    cudaError_t e = copy_area(copy, 0);
    RESULT(e ? e : cudaStreamSynchronize(0));
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    DRIVER;
    RESULT(copy_area(copy, stream));
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    DRIVER;
    struct cudaResourceDesc r = {0};
    struct cudaTextureDesc t = {0};
    cudaError_t e = cudaSuccess;
    if (!texture || !resource || !how || view)
        RESULT(view ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE);
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        r.resType = cudaResourceTypeArray;
        r.res.array.array = resource->res.array.hArray;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = (void *)(uintptr_t)resource->res.linear.devPtr;
        r.res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        e = format_of(resource->res.linear.format, resource->res.linear.numChannels, &r.res.linear.desc);
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = (void *)(uintptr_t)resource->res.pitch2D.devPtr;
        r.res.pitch2D.width = resource->res.pitch2D.width;
        r.res.pitch2D.height = resource->res.pitch2D.height;
        r.res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        e = format_of(resource->res.pitch2D.format, resource->res.pitch2D.numChannels, &r.res.pitch2D.desc);
        break;
    default: RESULT(CUDA_ERROR_NOT_SUPPORTED);
    }
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = (enum cudaTextureAddressMode)how->addressMode[i];
    t.filterMode = (enum cudaTextureFilterMode)how->filterMode;
    /* The driver's textures of integers are fractions unless they are said to be read as integers. */
    struct cudaChannelFormatDesc d = r.resType == cudaResourceTypeLinear ? r.res.linear.desc : r.res.pitch2D.desc;
    if (!e && r.resType == cudaResourceTypeArray)
        e = cudaArrayGetInfo(&d, NULL, NULL, r.res.array.array);
    bool fraction = d.f != cudaChannelFormatKindFloat && d.x < 32 && !(how->flags & CU_TRSF_READ_AS_INTEGER);
    t.readMode = fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
    t.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    memcpy(t.borderColor, how->borderColor, sizeof t.borderColor);
    RESULT(e ? e : cudaCreateTextureObject(texture, &r, &t, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    DRIVER;
    RESULT(cudaDestroyTextureObject(texture));
}
