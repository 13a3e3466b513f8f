/* driver_array.c: the driver interface's arrays, textures and surfaces, by the runtime's. */
#define _GNU_SOURCE
#include <string.h>

#include "driver_api/module.h"

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

static cudaError_t format_of(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *d)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].format == format && (channels == 1 || channels == 2 || channels == 4)) {
            const int b = known[i].bits;
            *d = (struct cudaChannelFormatDesc){b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 2 ? b : 0,
                                                known[i].kind};
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* The flags have the runtime's numbers. */
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *a)
{
    DRIVER;
    struct cudaChannelFormatDesc d;
    if (!array || !a || format_of(a->Format, a->NumChannels, &d))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    const bool layers = a->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    if (a->Depth && !a->Height && !layers)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    RESULT(cudaMalloc3DArray(array, &d, (struct cudaExtent){a->Width, a->Height, a->Depth}, a->Flags));
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

static CUresult describe_array(CUDA_ARRAY3D_DESCRIPTOR *a, CUarray array)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent extent;
    unsigned flags;
    if (!a || cudaArrayGetInfo(&d, &extent, &flags, array))
        return a ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *a = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    a->NumChannels = (unsigned)((d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].bits == d.x && known[i].kind == d.f)
            a->Format = known[i].format;
    return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array)
{
    DRIVER;
    RESULT(describe_array(description, array));
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *description, CUarray array)
{
    DRIVER;
    CUDA_ARRAY3D_DESCRIPTOR a;
    if (!description)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    CUresult result = describe_array(&a, array);
    if (!result)
        *description = (CUDA_ARRAY_DESCRIPTOR){a.Width, a.Height, a.Format, a.NumChannels};
    RESULT(result);
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

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    DRIVER;
    if (!surface || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY || !resource->res.array.hArray)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray, .res.array.array = resource->res.array.hArray};
    RESULT(cudaCreateSurfaceObject(surface, &r));
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
    DRIVER;
    RESULT(cudaDestroySurfaceObject(surface));
}
