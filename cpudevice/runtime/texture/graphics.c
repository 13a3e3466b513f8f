/* graphics.c: buffers and textures of OpenGL as device memory and arrays (cuda_gl_interop.h).
 *
 * Each has device memory of its own size; mapping copies from OpenGL into it, unmapping back. OpenGL's functions are the
 * program's own, found by their names when the first object is registered, as the runtime links with no OpenGL. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory/allocation.h"
#include "texture/array_layout.h"
#include "device/call.h"
#include "memory/copy.h"
#include "cuda_runtime_api.h"
#include "stream/host_wait.h"
#include "device/message.h"

/* OpenGL's numbers, from its specification: a program without OpenGL has no header of it either. */
enum {
    GL_TEXTURE_2D = 0x0de1,
    GL_ARRAY_BUFFER = 0x8892,
    GL_ARRAY_BUFFER_BINDING = 0x8894,
    GL_BUFFER_SIZE = 0x8764,
    GL_TEXTURE_BINDING_2D = 0x8069,
    GL_TEXTURE_WIDTH = 0x1000,
    GL_TEXTURE_HEIGHT = 0x1001,
    GL_TEXTURE_INTERNAL_FORMAT = 0x1003,
    GL_UNPACK_ALIGNMENT = 0x0cf5,
    GL_PACK_ALIGNMENT = 0x0d05
};

static struct {
    void (*BindBuffer)(unsigned target, unsigned buffer);
    void (*BindTexture)(unsigned target, unsigned texture);
    void (*BufferSubData)(unsigned target, ptrdiff_t offset, ptrdiff_t size, const void *data);
    void (*GetBufferParameteriv)(unsigned target, unsigned name, int *value);
    void (*GetBufferSubData)(unsigned target, ptrdiff_t offset, ptrdiff_t size, void *data);
    void (*GetIntegerv)(unsigned name, int *value);
    void (*GetTexImage)(unsigned target, int level, unsigned format, unsigned type, void *data);
    void (*GetTexLevelParameteriv)(unsigned target, int level, unsigned name, int *value);
    void (*PixelStorei)(unsigned name, int value);
    void (*TexSubImage2D)(unsigned target, int level, int x, int y, int width, int height, unsigned format,
                          unsigned type, const void *data);
} gl;

struct cudaGraphicsResource {
    unsigned object, flags; /* OpenGL's number of it; cudaGraphicsMapFlags */
    unsigned format, type;  /* of a texture's texels, as OpenGL copies them */
    char *memory;           /* of a buffer */
    size_t bytes;
    cudaArray_t array; /* of a texture */
    bool mapped;
};

static bool find_functions(void)
{
    static bool found;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *const names[] = {
        "glBindBuffer",  "glBindTexture", "glBufferSubData",          "glGetBufferParameteriv", "glGetBufferSubData",
        "glGetIntegerv", "glGetTexImage", "glGetTexLevelParameteriv", "glPixelStorei",          "glTexSubImage2D"};
    pthread_mutex_lock(&lock);
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        if (!(((void **)&gl)[i] = dlsym(RTLD_DEFAULT, names[i]))) {
            message("OpenGL's objects can be shared only with a program that is linked with OpenGL: there is no %s",
                    names[i]);
            pthread_mutex_unlock(&lock);
            return false;
        }
    found = true;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Of a sized format of OpenGL's: the channels, and how its texels are copied as they are. */
static bool format_of(int internal, struct cudaGraphicsResource *r, struct cudaChannelFormatDesc *d)
{
    enum { RED = 0x1903, RGBA = 0x1908, RG = 0x8227, RED_INTEGER = 0x8d94, RG_INTEGER = 0x8228, RGBA_INTEGER = 0x8d99 };
    enum { I8 = 0x1400, U8, I16, U16, I32, U32, F32, F16 = 0x140b };
    enum { U = cudaChannelFormatKindUnsigned, I = cudaChannelFormatKindSigned, F = cudaChannelFormatKindFloat };
    static const struct {
        int internal;
        unsigned format, type;
        int channels, bits, kind;
    } known[] = {
        {0x8058, RGBA, U8, 4, 8, U},
        {0x1908, RGBA, U8, 4, 8, U},
        {4, RGBA, U8, 4, 8, U},
        {0x805b, RGBA, U16, 4, 16, U},
        {0x881a, RGBA, F16, 4, 16, F},
        {0x8814, RGBA, F32, 4, 32, F},
        {0x8229, RED, U8, 1, 8, U},
        {0x822b, RG, U8, 2, 8, U},
        {0x822a, RED, U16, 1, 16, U},
        {0x822c, RG, U16, 2, 16, U},
        {0x822d, RED, F16, 1, 16, F},
        {0x822e, RED, F32, 1, 32, F},
        {0x822f, RG, F16, 2, 16, F},
        {0x8230, RG, F32, 2, 32, F},
        {0x8231, RED_INTEGER, I8, 1, 8, I},
        {0x8232, RED_INTEGER, U8, 1, 8, U},
        {0x8233, RED_INTEGER, I16, 1, 16, I},
        {0x8234, RED_INTEGER, U16, 1, 16, U},
        {0x8235, RED_INTEGER, I32, 1, 32, I},
        {0x8236, RED_INTEGER, U32, 1, 32, U},
        {0x8237, RG_INTEGER, I8, 2, 8, I},
        {0x8238, RG_INTEGER, U8, 2, 8, U},
        {0x8239, RG_INTEGER, I16, 2, 16, I},
        {0x823a, RG_INTEGER, U16, 2, 16, U},
        {0x823b, RG_INTEGER, I32, 2, 32, I},
        {0x823c, RG_INTEGER, U32, 2, 32, U},
        {0x8d70, RGBA_INTEGER, U32, 4, 32, U},
        {0x8d76, RGBA_INTEGER, U16, 4, 16, U},
        {0x8d7c, RGBA_INTEGER, U8, 4, 8, U},
        {0x8d82, RGBA_INTEGER, I32, 4, 32, I},
        {0x8d88, RGBA_INTEGER, I16, 4, 16, I},
        {0x8d8e, RGBA_INTEGER, I8, 4, 8, I},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].internal == internal) {
            const int b = known[i].bits, n = known[i].channels;
            *d = (struct cudaChannelFormatDesc){b, n > 1 ? b : 0, n > 2 ? b : 0, n > 2 ? b : 0,
                                                (enum cudaChannelFormatKind)known[i].kind};
            r->format = known[i].format;
            r->type = known[i].type;
            return true;
        }
    message("the CPU device cannot share OpenGL textures of the internal format 0x%x", internal);
    return false;
}

static unsigned bind_buffer(unsigned buffer) /* returns the one before */
{
    int before = 0;
    gl.GetIntegerv(GL_ARRAY_BUFFER_BINDING, &before);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    return (unsigned)before;
}

static unsigned bind_texture(unsigned texture)
{
    int before = 0;
    gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    return (unsigned)before;
}

cudaError_t cudaGLGetDevices(unsigned int *found, int *devices, unsigned int most, int which);
cudaError_t cudaGLGetDevices(unsigned int *found, int *devices, unsigned int most, int which)
{
    API;
    RESULT_AT(found);
    if (!found || (most && !devices) || which < 1 || which > 3)
        RETURN(cudaErrorInvalidValue);
    *found = 1;
    if (most)
        devices[0] = 0;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, unsigned buffer, unsigned int flags);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, unsigned buffer, unsigned int flags)
{
    API;
    int bytes = 0;
    if (!resource || flags > 2)
        RETURN(cudaErrorInvalidValue);
    if (!find_functions())
        RETURN(cudaErrorNotSupported);
    const unsigned before = bind_buffer(buffer);
    gl.GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &bytes);
    bind_buffer(before);
    if (bytes <= 0) /* no such buffer, or no context */
        RETURN(cudaErrorInvalidGraphicsContext);
    struct cudaGraphicsResource *r = calloc(1, sizeof *r);
    if (!r)
        RETURN(cudaErrorMemoryAllocation);
    *r = (struct cudaGraphicsResource){.object = buffer, .flags = flags, .bytes = (size_t)bytes};
    const cudaError_t e = memory_device(&r->memory, r->bytes);
    if (e)
        free(r);
    else
        *resource = r;
    RETURN(e);
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, unsigned image, unsigned target,
                                        unsigned int flags);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, unsigned image, unsigned target,
                                        unsigned int flags)
{
    API;
    int width = 0, height = 0, internal = 0;
    if (!resource || flags > 15)
        RETURN(cudaErrorInvalidValue);
    if (target != GL_TEXTURE_2D) {
        message("the CPU device can share OpenGL textures of the target GL_TEXTURE_2D only, not of 0x%x", target);
        RETURN(cudaErrorNotSupported);
    }
    if (!find_functions())
        RETURN(cudaErrorNotSupported);
    const unsigned before = bind_texture(image);
    gl.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    gl.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    gl.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &internal);
    bind_texture(before);
    if (width <= 0 || height <= 0)
        RETURN(cudaErrorInvalidGraphicsContext);
    struct cudaGraphicsResource *r = calloc(1, sizeof *r);
    struct cudaChannelFormatDesc channels;
    if (!r)
        RETURN(cudaErrorMemoryAllocation);
    *r = (struct cudaGraphicsResource){.object = image, .flags = flags & 3};
    const cudaError_t e = format_of(internal, r, &channels)
                              ? cudaMallocArray(&r->array, &channels, (size_t)width, (size_t)height, 0)
                              : cudaErrorNotSupported;
    if (e)
        free(r);
    else
        *resource = r;
    RETURN(e);
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    API;
    if (!resource)
        RETURN(cudaErrorInvalidResourceHandle);
    const cudaError_t e = resource->array ? cudaFreeArray(resource->array) : cudaFree(resource->memory);
    free(resource);
    RETURN(e);
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags)
{
    API;
    if (!resource || flags > 2)
        RETURN(cudaErrorInvalidValue);
    if (resource->mapped)
        RETURN(cudaErrorAlreadyMapped);
    resource->flags = flags;
    RETURN(cudaSuccess);
}

static cudaError_t copy_buffer(struct cudaGraphicsResource *r, bool to_device, void *between)
{
    cudaError_t e = cudaSuccess;
    const unsigned before = bind_buffer(r->object);
    if (to_device)
        gl.GetBufferSubData(GL_ARRAY_BUFFER, 0, (ptrdiff_t)r->bytes, between);
    e = memory_copy(to_device ? r->memory : between, r->bytes, 0, to_device ? between : r->memory, r->bytes, 0,
                    r->bytes, 1, 1, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, 0, false);
    if (!to_device && !e)
        gl.BufferSubData(GL_ARRAY_BUFFER, 0, (ptrdiff_t)r->bytes, between);
    bind_buffer(before);
    return e;
}

static cudaError_t copy_texture(struct cudaGraphicsResource *r, bool to_device, void *between)
{
    const size_t row = array_pitch(r->array), width = r->array->extent.width, height = r->array->extent.height;
    const unsigned before = bind_texture(r->object), setting = to_device ? GL_PACK_ALIGNMENT : GL_UNPACK_ALIGNMENT;
    int alignment = 4;
    cudaError_t e;
    gl.GetIntegerv(setting, &alignment);
    gl.PixelStorei(setting, 1);
    if (to_device) {
        gl.GetTexImage(GL_TEXTURE_2D, 0, r->format, r->type, between);
        e = memory_copy(r->array->data, row, 0, between, row, 0, row, height, 1, cudaMemcpyHostToDevice, 0, false);
    } else if (!(e = memory_copy(between, row, 0, r->array->data, row, 0, row, height, 1, cudaMemcpyDeviceToHost, 0,
                                 false)))
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (int)width, (int)height, r->format, r->type, between);
    gl.PixelStorei(setting, alignment);
    bind_texture(before);
    return e;
}

static cudaError_t copy_resource(struct cudaGraphicsResource *r, bool to_device)
{
    if ((to_device && r->flags == cudaGraphicsMapFlagsWriteDiscard) ||
        (!to_device && r->flags == cudaGraphicsMapFlagsReadOnly))
        return cudaSuccess;
    void *between = malloc(r->array ? array_slice(r->array) : r->bytes);
    if (!between)
        return cudaErrorMemoryAllocation;
    const cudaError_t e = r->array ? copy_texture(r, to_device, between) : copy_buffer(r, to_device, between);
    free(between);
    return e;
}

static cudaError_t map_all(int count, cudaGraphicsResource_t *resources, bool map)
{
    if (count < 0 || (count && !resources))
        return cudaErrorInvalidValue;
    for (int i = 0; i < count; i++) {
        if (!resources[i])
            return cudaErrorInvalidResourceHandle;
        if (resources[i]->mapped == map)
            return map ? cudaErrorAlreadyMapped : cudaErrorNotMapped;
    }
    cudaError_t e = wait_for_everything();
    for (int i = 0; i < count && !e; i++) {
        e = copy_resource(resources[i], map);
        resources[i]->mapped = map;
    }
    return e;
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
    API;
    (void)stream; /* what is mapped is there for all */
    RETURN(map_all(count, resources, true));
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
    API;
    (void)stream;
    RETURN(map_all(count, resources, false));
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *bytes, cudaGraphicsResource_t resource)
{
    API;
    RESULT_AT(pointer);
    RESULT_AT(bytes);
    if (!pointer || !resource)
        RETURN(cudaErrorInvalidValue);
    if (!resource->mapped)
        RETURN(cudaErrorNotMapped);
    if (resource->array)
        RETURN(cudaErrorNotMappedAsPointer);
    *pointer = resource->memory;
    if (bytes)
        *bytes = resource->bytes;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
                                                  unsigned int arrayIndex, unsigned int mipLevel)
{
    API;
    RESULT_AT(array);
    if (!array || !resource || arrayIndex || mipLevel)
        RETURN(cudaErrorInvalidValue);
    if (!resource->mapped)
        RETURN(cudaErrorNotMapped);
    if (!resource->array)
        RETURN(cudaErrorNotMappedAsArray);
    *array = resource->array;
    RETURN(cudaSuccess);
}
