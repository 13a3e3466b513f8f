/* driver_copy.c: the driver interface's copies between memory and arrays of up to three dimensions. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>

#include "driver_api/context.h"
#include "driver_api/module.h"
#include "memory/copy.h"
#include "texture/array_layout.h"

/* One side of a copy. */
typedef struct Side {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
} Side;

#define SIDE(c, side)                                                                                                  \
    (Side)                                                                                                             \
    {                                                                                                                  \
        (c)->side##MemoryType, (c)->side##Host, (c)->side##Device, (c)->side##Array, (c)->side##XInBytes,              \
            (c)->side##Y, (c)->side##Z, (c)->side##Pitch, (c)->side##Height                                            \
    }

/* The bytes of a row, the rows and the slices that are copied. */
typedef struct Box {
    size_t width, height, depth;
} Box;

/* Where the box lies on a side: its first byte, and the bytes from row to row and from slice to slice. */
typedef struct Place {
    char *at;
    size_t pitch, slice;
} Place;

static bool within(size_t first, size_t count, size_t all) { return first <= all && count <= all - first; }

static bool place_in_array(Place *p, const Side *s, const Box *box)
{
    const struct cudaArray *a = s->array;
    if (!a)
        return false;
    const size_t texel = texel_bytes(&a->format);
    *p = (Place){NULL, array_pitch(a), array_slice(a)};
    if (s->x % texel || box->width % texel || !within(s->x, box->width, p->pitch) ||
        !within(s->y, box->height, at_least_1(a->extent.height)) ||
        !within(s->z, box->depth, at_least_1(a->extent.depth)))
        return false;
    p->at = a->data + s->z * p->slice + s->y * p->pitch + s->x;
    return true;
}

/* A pitch or a height of 0 is the box's own. */
static bool place_in_memory(Place *p, const Side *s, const Box *box, char *base)
{
    const size_t pitch = s->pitch ? s->pitch : box->width, height = s->height ? s->height : box->height;
    if (!base || (s->pitch && (pitch > INT_MAX || !within(s->x, box->width, pitch))) ||
        (s->height && !within(s->y, box->height, height)))
        return false;
    *p = (Place){base + s->z * height * pitch + s->y * pitch + s->x, pitch, height * pitch};
    return true;
}

static bool place_of(Place *p, const Side *s, const Box *box)
{
    switch (s->type) {
    case CU_MEMORYTYPE_HOST: return place_in_memory(p, s, box, (char *)(uintptr_t)s->host);
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return place_in_memory(p, s, box, (char *)(uintptr_t)s->device);
    case CU_MEMORYTYPE_ARRAY: return place_in_array(p, s, box);
    default: return false;
    }
}

static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from)
{
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (from == CU_MEMORYTYPE_HOST)
        return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

static CUresult copy_box(const Side *to, const Side *from, Box box, CUstream stream, bool async)
{
    Place d, s;
    if (!place_of(&d, to, &box) || !place_of(&s, from, &box))
        return CUDA_ERROR_INVALID_VALUE;
    return (CUresult)memory_copy(d.at, d.pitch, d.slice, s.at, s.pitch, s.slice, box.width, box.height, box.depth,
                                 kind_of(to->type, from->type), stream, async);
}

/* ---- areas ---- */

static CUresult copy_area(const CUDA_MEMCPY2D *c, CUstream stream, bool async)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const Side to = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
                     c->dstPitch,      0},
               from = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
                       c->srcPitch,      0};
    return copy_box(&to, &from, (Box){c->WidthInBytes, c->Height, 1}, stream, async);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    DRIVER;
    RESULT(copy_area(copy, 0, false));
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    DRIVER;
    RESULT(copy_area(copy, 0, false));
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    DRIVER;
    RESULT(copy_area(copy, stream, true));
}

/* ---- boxes ---- */

static CUresult copy_3d(const CUDA_MEMCPY3D *c, CUstream stream, bool async)
{
    if (!c || c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    return copy_box(&SIDE(c, dst), &SIDE(c, src), (Box){c->WidthInBytes, c->Height, c->Depth}, stream, async);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
    DRIVER;
    RESULT(copy_3d(copy, 0, false));
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    DRIVER;
    RESULT(copy_3d(copy, stream, true));
}

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *c, CUstream stream, bool async)
{
    if (!c || c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    if ((c->srcMemoryType != CU_MEMORYTYPE_HOST && !context_is_valid(c->srcContext)) ||
        (c->dstMemoryType != CU_MEMORYTYPE_HOST && !context_is_valid(c->dstContext)))
        return CUDA_ERROR_INVALID_CONTEXT;
    return copy_box(&SIDE(c, dst), &SIDE(c, src), (Box){c->WidthInBytes, c->Height, c->Depth}, stream, async);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy)
{
    DRIVER;
    RESULT(copy_3d_peer(copy, 0, false));
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    DRIVER;
    RESULT(copy_3d_peer(copy, stream, true));
}

/* ---- rows ---- */

static Side in_host(const void *p) { return (Side){.type = CU_MEMORYTYPE_HOST, .host = p}; }

static Side in_device(CUdeviceptr p) { return (Side){.type = CU_MEMORYTYPE_DEVICE, .device = p}; }

static Side in_array(CUarray a, size_t offset) { return (Side){.type = CU_MEMORYTYPE_ARRAY, .array = a, .x = offset}; }

static CUresult copy_row(Side to, Side from, size_t bytes, CUstream stream, bool async)
{
    return copy_box(&to, &from, (Box){bytes, 1, 1}, stream, async);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes)
{
    DRIVER;
    if (!context_is_valid(to_context) || !context_is_valid(from_context))
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    RESULT(copy_row(in_device(to), in_device(from), bytes, 0, false));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream)
{
    DRIVER;
    if (!context_is_valid(to_context) || !context_is_valid(from_context))
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    RESULT(copy_row(in_device(to), in_device(from), bytes, stream, true));
}

CUresult cuMemcpyDtoA(CUarray to, size_t to_offset, CUdeviceptr from, size_t bytes)
{
    DRIVER;
    RESULT(copy_row(in_array(to, to_offset), in_device(from), bytes, 0, false));
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t from_offset, size_t bytes)
{
    DRIVER;
    RESULT(copy_row(in_device(to), in_array(from, from_offset), bytes, 0, false));
}

CUresult cuMemcpyHtoA(CUarray to, size_t to_offset, const void *from, size_t bytes)
{
    DRIVER;
    RESULT(copy_row(in_array(to, to_offset), in_host(from), bytes, 0, false));
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t from_offset, size_t bytes)
{
    DRIVER;
    RESULT(copy_row(in_host(to), in_array(from, from_offset), bytes, 0, false));
}

/* The arrays' elements may differ in their format, but not in their size. */
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes)
{
    DRIVER;
    if (!to || !from || texel_bytes(&to->format) != texel_bytes(&from->format))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    RESULT(copy_row(in_array(to, to_offset), in_array(from, from_offset), bytes, 0, false));
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t to_offset, const void *from, size_t bytes, CUstream stream)
{
    DRIVER;
    RESULT(copy_row(in_array(to, to_offset), in_host(from), bytes, stream, true));
}

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t from_offset, size_t bytes, CUstream stream)
{
    DRIVER;
    RESULT(copy_row(in_host(to), in_array(from, from_offset), bytes, stream, true));
}
