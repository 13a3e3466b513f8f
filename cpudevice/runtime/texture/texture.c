/* texture.c: texture and surface objects. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "texture/texture.h"
#include "texture/array_layout.h"
#include "device/call.h"
#include "device/sizes.h"
#include "cuda_runtime_api.h"
#include "stream/host_wait.h"
#include "observe/observers.h"

enum { GRAVES = 256 };

/* Kernels that were launched before still use the object: they end first, as on a GPU. Destroyed objects stay for a
 * while, so that a later use is seen to be one. */
static cudaError_t destroy(struct texture *t)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct texture *grave[GRAVES];
    static unsigned next;
    if (!t)
        return cudaSuccess;
    if (!handle_ok(t) || t->magic != TEXTURE_MAGIC)
        return cudaErrorInvalidResourceHandle;
    (void)wait_for_all_work();
    t->magic = 0;
    pthread_mutex_lock(&lock);
    free(grave[next]);
    grave[next] = t;
    next = (next + 1) % GRAVES;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

static int channels_of(const struct cudaChannelFormatDesc *d)
{
    return (d->x > 0) + (d->y > 0) + (d->z > 0) + (d->w > 0);
}

/* All but the levels below the first of a mipmapped array. */
static cudaError_t describe(struct texture *t, const struct cudaResourceDesc *r)
{
    struct cudaChannelFormatDesc f;
    t->resource = *r;
    t->levels = 1;
    switch (r->resType) {
    case cudaResourceTypeArray: {
        const struct cudaArray *a = r->res.array.array;
        if (!a)
            return cudaErrorInvalidResourceHandle;
        f = a->format;
        t->data = a->data;
        t->pitch = array_pitch(a);
        t->slice = array_slice(a);
        t->size[0] = (int)a->extent.width;
        t->size[1] = (int)at_least_1(a->extent.height);
        t->size[2] = (int)at_least_1(a->extent.depth);
        break;
    }
    case cudaResourceTypeLinear:
        f = r->res.linear.desc;
        if (!texel_bytes(&f))
            return cudaErrorInvalidChannelDescriptor;
        t->data = r->res.linear.devPtr;
        if ((uintptr_t)t->data % TEXTURE_ALIGNMENT)
            return cudaErrorInvalidValue;
        t->size[0] = (int)(r->res.linear.sizeInBytes / texel_bytes(&f));
        t->size[1] = t->size[2] = 1;
        break;
    case cudaResourceTypePitch2D:
        f = r->res.pitch2D.desc;
        t->data = r->res.pitch2D.devPtr;
        t->pitch = r->res.pitch2D.pitchInBytes;
        if ((uintptr_t)t->data % TEXTURE_ALIGNMENT || t->pitch % TEXTURE_PITCH_ALIGNMENT)
            return cudaErrorInvalidValue;
        t->size[0] = (int)r->res.pitch2D.width;
        t->size[1] = (int)r->res.pitch2D.height;
        t->size[2] = 1;
        break;
    default: return cudaErrorInvalidValue;
    }
    t->magic = TEXTURE_MAGIC;
    t->texel = (int)texel_bytes(&f);
    t->channels = channels_of(&f);
    t->bits = f.x;
    t->is_signed = f.f == cudaChannelFormatKindSigned;
    t->is_float = t->floats = f.f == cudaChannelFormatKindFloat;
    t->one_float = t->is_float && t->channels == 1 && t->bits == 32;
    return t->data && t->texel ? cudaSuccess : cudaErrorInvalidValue;
}

/* One level of a texture; its memory and `how` are set. */
static cudaError_t make_level(struct texture *t, const struct cudaResourceDesc *resource)
{
    const cudaError_t e = describe(t, resource);
    if (e)
        return e;
    if (t->how.filterMode == cudaFilterModeLinear && !t->floats && t->how.readMode == cudaReadModeElementType)
        return cudaErrorInvalidFilterSetting;
    if (t->how.readMode == cudaReadModeNormalizedFloat && !t->floats && t->bits > 16)
        return cudaErrorInvalidNormSetting;
    t->floats |= t->how.readMode == cudaReadModeNormalizedFloat;
    return cudaSuccess;
}

/* A texture with all its levels, one behind the other. */
static cudaError_t make_levels(struct texture **made, const struct cudaResourceDesc *resource,
                               const struct cudaTextureDesc *how)
{
    const bool mipmapped = resource->resType == cudaResourceTypeMipmappedArray;
    const struct cudaMipmappedArray *m = mipmapped ? resource->res.mipmap.mipmap : NULL;
    const unsigned levels = m ? m->levels : 1;
    struct cudaResourceDesc one = *resource;
    cudaError_t e = cudaSuccess;
    if (mipmapped && !m)
        return cudaErrorInvalidResourceHandle;
    if (mipmapped && !how->normalizedCoords)
        return cudaErrorInvalidValue;
    struct texture *t = calloc(levels, sizeof *t);
    if (!t)
        return cudaErrorMemoryAllocation;
    for (unsigned level = 0; level < levels && !e; level++) {
        if (m) {
            one.resType = cudaResourceTypeArray;
            one.res.array.array = m->level[level];
        }
        t[level].how = *how;
        e = make_level(&t[level], &one);
    }
    if (!e && mipmapped && how->mipmapFilterMode == cudaFilterModeLinear && !t->floats)
        e = cudaErrorInvalidFilterSetting;
    t->resource = *resource;
    t->levels = levels;
    if (e)
        free(t);
    else
        *made = t;
    return e;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view)
{
    API;
    RESULT_AT(object);
    if (!object || !resource || !how || view)
        RETURN(view ? cudaErrorNotSupported : cudaErrorInvalidValue);
    struct texture *t = NULL;
    const cudaError_t e = make_levels(&t, resource, how);
    if (e)
        RETURN(e);
    if (resource->resType == cudaResourceTypeLinear || resource->resType == cudaResourceTypePitch2D)
        TELL(texture_memory, t->data, (size_t)t->size[0] * (size_t)t->texel, (size_t)t->size[1], t->pitch);
    *object = (cudaTextureObject_t)(uintptr_t)t;
    RETURN(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    API;
    RETURN(destroy((struct texture *)(uintptr_t)object));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{
    API;
    RESULT_AT(resource);
    if (!resource || !object)
        RETURN(cudaErrorInvalidValue);
    *resource = ((const struct texture *)(uintptr_t)object)->resource;
    RETURN(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how, cudaTextureObject_t object)
{
    API;
    RESULT_AT(how);
    if (!how || !object)
        RETURN(cudaErrorInvalidValue);
    *how = ((const struct texture *)(uintptr_t)object)->how;
    RETURN(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
    API;
    RESULT_AT(object);
    if (!object || !resource || resource->resType != cudaResourceTypeArray)
        RETURN(cudaErrorInvalidValue);
    struct texture *t = calloc(1, sizeof *t);
    if (!t)
        RETURN(cudaErrorMemoryAllocation);
    cudaError_t e = describe(t, resource);
    if (e)
        free(t);
    else
        *object = (cudaSurfaceObject_t)(uintptr_t)t;
    RETURN(e);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    API;
    RETURN(destroy((struct texture *)(uintptr_t)object));
}
