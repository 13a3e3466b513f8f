/* cpudev_texture.h: texture and surface functions of kernels; runtime/texture/texture_fetch.c does the work. */
#ifndef CPUDEV_TEXTURE_H
#define CPUDEV_TEXTURE_H

#include "cpudev_abi.h"
#include "cuda_runtime_api.h"

/* Each function in CUDA's two forms: __T f<__T>(texture, ...) and f(&value, texture, ...). */
#define CPUDEV_TEXTURE(name, dims, parameters, names, x, y, z, layer, lod)                                             \
    template <class __T> CPUDEV_ALWAYS __T name(cudaTextureObject_t t, CPUDEV_LIST parameters)                         \
    {                                                                                                                  \
        __T value;                                                                                                     \
        cpudev_texture_fetch(t, dims, x, y, z, layer, lod, (void *)&value, sizeof(__T));                               \
        return value;                                                                                                  \
    }                                                                                                                  \
    template <class __T> CPUDEV_ALWAYS void name(__T *value, cudaTextureObject_t t, CPUDEV_LIST parameters)            \
    {                                                                                                                  \
        *value = name<__T>(t, CPUDEV_LIST names);                                                                      \
    }
#define CPUDEV_LIST(...) __VA_ARGS__
CPUDEV_TEXTURE(tex1Dfetch, 0, (int i), (i), 0, 0, 0, i, 0)
CPUDEV_TEXTURE(tex1D, 1, (float x), (x), x, 0, 0, -1, 0)
CPUDEV_TEXTURE(tex2D, 2, (float x, float y), (x, y), x, y, 0, -1, 0)
CPUDEV_TEXTURE(tex3D, 3, (float x, float y, float z), (x, y, z), x, y, z, -1, 0)
CPUDEV_TEXTURE(tex1DLayered, 1, (float x, int layer), (x, layer), x, 0, 0, layer, 0)
CPUDEV_TEXTURE(tex2DLayered, 2, (float x, float y, int layer), (x, y, layer), x, y, 0, layer, 0)
CPUDEV_TEXTURE(texCubemap, 4, (float x, float y, float z), (x, y, z), x, y, z, 0, 0)
CPUDEV_TEXTURE(texCubemapLayered, 4, (float x, float y, float z, int layer), (x, y, z, layer), x, y, z, layer, 0)
/* at a level of detail of a mipmapped array; an array has one level */
CPUDEV_TEXTURE(tex1DLod, 1, (float x, float lod), (x, lod), x, 0, 0, -1, lod)
CPUDEV_TEXTURE(tex2DLod, 2, (float x, float y, float lod), (x, y, lod), x, y, 0, -1, lod)
CPUDEV_TEXTURE(tex3DLod, 3, (float x, float y, float z, float lod), (x, y, z, lod), x, y, z, -1, lod)
CPUDEV_TEXTURE(tex1DLayeredLod, 1, (float x, int layer, float lod), (x, layer, lod), x, 0, 0, layer, lod)
CPUDEV_TEXTURE(tex2DLayeredLod, 2, (float x, float y, int layer, float lod), (x, y, layer, lod), x, y, 0, layer, lod)
CPUDEV_TEXTURE(texCubemapLod, 4, (float x, float y, float z, float lod), (x, y, z, lod), x, y, z, 0, lod)
#undef CPUDEV_TEXTURE

/* One channel of the four texels around a place; __T has four components. */
template <class __T> CPUDEV_ALWAYS __T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0)
{
    __T value;
    cpudev_texture_gather(t, x, y, channel, (void *)&value, sizeof(__T));
    return value;
}
template <class __T>
CPUDEV_ALWAYS void tex2Dgather(__T *value, cudaTextureObject_t t, float x, float y, int channel = 0)
{
    *value = tex2Dgather<__T>(t, x, y, channel);
}

#define CPUDEV_SURFACE(name, parameters, names, x, y, z)                                                               \
    template <class __T>                                                                                               \
    CPUDEV_ALWAYS __T name##read(cudaSurfaceObject_t s, CPUDEV_LIST parameters,                                        \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                  \
    {                                                                                                                  \
        const void *at = cpudev_surface_at(s, x, y, z, sizeof(__T), mode);                                             \
        return at ? *(const __T *)at : __T();                                                                          \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    CPUDEV_ALWAYS void name##read(__T *value, cudaSurfaceObject_t s, CPUDEV_LIST parameters,                           \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                 \
    {                                                                                                                  \
        *value = name##read<__T>(s, CPUDEV_LIST names, mode);                                                          \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    CPUDEV_ALWAYS void name##write(__T value, cudaSurfaceObject_t s, CPUDEV_LIST parameters,                           \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                \
    {                                                                                                                  \
        if (void *at = cpudev_surface_at(s, x, y, z, sizeof(__T), mode))                                               \
            *(__T *)at = value;                                                                                        \
    }
CPUDEV_SURFACE(surf1D, (int x), (x), x, 0, 0)
CPUDEV_SURFACE(surf2D, (int x, int y), (x, y), x, y, 0)
CPUDEV_SURFACE(surf3D, (int x, int y, int z), (x, y, z), x, y, z)
CPUDEV_SURFACE(surf1DLayered, (int x, int layer), (x, layer), x, 0, layer)
CPUDEV_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), x, y, layer)
#undef CPUDEV_SURFACE
#undef CPUDEV_LIST

#endif
