/* texture_fetch.c: textures are read, and surfaces addressed.
 *
 * Filtering is that of the CUDA C++ Programming Guide ("Texture Fetching"), with the weights and the rounding that an
 * H200 was found to have (corner_weights(), rounded()). */
#define _GNU_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cpudev_smallfloat.h"
#include "cpudevice.h"
#include "device/message.h"
#include "observe/observers.h"
#include "texture/texture.h"

/* Index i of n texels under the addressing mode, or -1: the border. */
static inline int addressed(long i, int n, int mode, bool normalized)
{
    if (i >= 0 && i < n)
        return (int)i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeClamp || !normalized) /* the other two want normalized coordinates */
        return i < 0 ? 0 : n - 1;
    long period = mode == cudaAddressModeMirror ? 2L * n : n;
    i = (i % period + period) % period;
    return (int)(i < n ? i : period - 1 - i);
}

static inline const struct texture *object_of(unsigned long long object, const void *site)
{
    static __thread const struct texture *last; /* known to be readable */
    const struct texture *t = (const struct texture *)(uintptr_t)object;
    if (!t || (t != last && !handle_ok(t)) || t->magic != TEXTURE_MAGIC) {
        TELL(no_texture, site);
        message("no such texture or surface object: it was never created, or was destroyed");
        cpudev_trap();
    }
    last = t;
    return t;
}

static inline const char *texel_at(const struct texture *t, const int *i)
{
    if (i[0] < 0 || i[1] < 0 || i[2] < 0)
        return NULL;
    return t->data + (size_t)i[2] * t->slice + (size_t)i[1] * t->pitch + (size_t)i[0] * (size_t)t->texel;
}

/* The same for a fetch, which is reported to the checker. */
static inline const char *read_texel(const struct texture *t, const int *i, const void *site)
{
    const char *p = texel_at(t, i);
    if (p)
        TELL(texel, p, (unsigned)t->texel, site);
    return p;
}

static inline void as_floats(const struct texture *t, const char *p, float *out)
{
    for (int c = 0; c < t->channels; c++) {
        if (!p)
            out[c] = t->how.borderColor[c];
        else if (t->is_float && t->bits == 32)
            memcpy(&out[c], p + 4 * c, 4);
        else if (t->bits == 8)
            out[c] = t->is_signed ? (float)((const int8_t *)p)[c] / 127.0f : (float)((const uint8_t *)p)[c] / 255.0f;
        else {
            uint16_t v;
            memcpy(&v, p + 2 * c, 2);
            out[c] = t->is_float    ? cpudev_half_to_float(v)
                     : t->is_signed ? (float)(int16_t)v / 32767.0f
                                    : (float)v / 65535.0f;
        }
    }
}

/* The direction (x, y, z) as a face of a cube and a place on it. */
static int cube_face(float *x, float *y, float z)
{
    float ax = fabsf(*x), ay = fabsf(*y), az = fabsf(z), m, s, u;
    int face;
    if (ax >= ay && ax >= az)
        face = *x < 0, m = ax, s = *x < 0 ? z : -z, u = -*y;
    else if (ay >= az)
        face = 2 + (*y < 0), m = ay, s = *x, u = *y < 0 ? -z : z;
    else
        face = 4 + (z < 0), m = az, s = z < 0 ? -*x : *x, u = -*y;
    *x = (s / m + 1) / 2;
    *y = (u / m + 1) / 2;
    return face;
}

/* The weights of the 2, 4 or 8 texels around a place, in 256ths; bit d of the index: the upper one along dimension d.
 * a: the place between them, in 256ths. Read out of an H200, one texel being 1 and the others 0: the corners' weights
 * are whole 256ths, too, and add up to 256. In two dimensions this agrees at all 65536 places, in three (x and z first,
 * then y) at 390 of 400 random ones, the others being off by one 256th. */
static inline void corner_weights(const int *a, int dims, int *w)
{
    const int other = dims == 3 ? 2 : 1, both = dims > 1 ? (a[0] * a[other] + 128) >> 8 : 0;
    w[0] = 256 - a[0];
    w[1] = a[0];
    if (dims == 1)
        return;
    const int pair[4] = {256 - a[0] - a[other] + both, a[0] - both, a[other] - both, both};
    for (int k = 0; k < 4; k++) {
        const int to = (k & 1) | (k >> 1) << other;
        w[to] = pair[k];
        if (dims == 3) {
            w[to | 2] = k & 1 ? (pair[k] * a[1] + 128) >> 8 : pair[k] - ((pair[k] * (256 - a[1]) + 128) >> 8);
            w[to] -= w[to | 2];
        }
    }
}

/* What an H200 makes of a filtered value: as many bits as 16 hold in the texture's format. */
static inline float rounded(const struct texture *t, float v)
{
    if (t->bits == 32)
        return v;
    if (!t->is_float) {
        const float steps = t->is_signed ? 32767 : 65535;
        return fmaxf(rintf(v * steps) / steps, -1); /* -128 is -128/127 until here */
    }
    if (!(fabsf(v) < 65520))
        return v;
    int exponent;
    frexpf(v, &exponent);
    const float step = ldexpf(1, (exponent < -13 ? -13 : exponent) - 11);
    return rintf(v / step) * step;
}

#define ALWAYS_INLINE static inline __attribute__((always_inline)) /* into a copy for each dims and linear */

/* The texels on both sides of a place, and how far it is from the lower one, in 256ths. */
ALWAYS_INLINE void find_texels(const struct texture *t, const int dims, const bool linear, bool normalized,
                               const float *at, int layer, int low[3], int high[3], int between[3])
{
#pragma GCC unroll 3
    for (int d = 0; d < dims; d++) {
        const int n = t->size[d];
        const enum cudaTextureAddressMode mode = t->how.addressMode[d];
        float c = normalized ? at[d] * (float)n : at[d];
        if (linear)
            c -= 0.5f;
        const float whole = floorf(c);
        long i = whole > -1e9f && whole < 1e9f ? (long)whole : whole > 0 ? 1000000000 : -1000000000;
        low[d] = addressed(i, n, mode, normalized);
        if (linear) {
            between[d] = (int)floorf((c - whole) * 256 + 0.5f);
            high[d] = addressed(i + 1, n, mode, normalized);
        }
    }
    if (dims == 0)
        low[0] = layer < t->size[0] ? layer : -1;
    else if (dims < 3 && layer >= 0)
        low[2] = high[2] = layer < t->size[2] ? layer : t->size[2] - 1;
}

/* One channel of floats, and nothing lies in the border. */
ALWAYS_INLINE float filter_one(const struct texture *t, const int dims, const int low[3], const int high[3],
                               const int *weight, const void *site)
{
    float sum = 0;
    if (weight[0] == 256)
        return sum + *(const float *)(const void *)read_texel(t, low, site);
#pragma GCC unroll 8
    for (int corner = 0; corner < 1 << dims; corner++) {
        int i[3] = {low[0], low[1], low[2]};
#pragma GCC unroll 3
        for (int d = 0; d < dims; d++)
            i[d] = corner >> d & 1 ? high[d] : low[d];
        if (weight[corner])
            sum += (float)weight[corner] / 256 * *(const float *)(const void *)read_texel(t, i, site);
    }
    return sum;
}

ALWAYS_INLINE void filter(const struct texture *t, const int dims, const bool linear, const int low[3],
                          const int high[3], const int *weight, float sum[4], const void *site)
{
    for (int corner = 0; corner < (linear ? 1 << dims : 1); corner++) {
        int i[3] = {low[0], low[1], low[2]};
        const float w = (float)weight[corner] / 256;
        float v[4];
        for (int d = 0; d < dims; d++)
            i[d] = corner >> d & 1 ? high[d] : low[d];
        if (w == 0)
            continue;
        as_floats(t, read_texel(t, i, site), v);
        for (int c = 0; c < t->channels; c++)
            sum[c] += w == 1 ? v[c] : w * v[c];
    }
    for (int c = 0; c < t->channels; c++)
        sum[c] = linear ? rounded(t, sum[c]) : t->is_float ? sum[c] : fmaxf(sum[c], -1);
}

ALWAYS_INLINE void fetch(const struct texture *t, const int dims, const bool linear, bool normalized, const float *at,
                         int layer, void *out, unsigned size, const void *site)
{
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    int between[3] = {0, 0, 0}, weight[8] = {256};
    find_texels(t, dims, linear, normalized, at, layer, low, high, between);
    if (linear)
        corner_weights(between, dims, weight);
    /* the commonest texture has a short way */
    if (t->one_float && size == sizeof(float) && (low[0] | low[1] | low[2] | high[0] | high[1] | high[2]) >= 0) {
        const float value = filter_one(t, dims, low, high, weight, site);
        memcpy(out, &value, sizeof value);
        return;
    }
    memset(out, 0, size);
    if (!t->floats) {
        const char *p = read_texel(t, low, site);
        if (p)
            memcpy(out, p, size < (unsigned)t->texel ? size : (unsigned)t->texel);
        return;
    }
    float sum[4] = {0, 0, 0, 0};
    filter(t, dims, linear, low, high, weight, sum, site);
    const unsigned bytes = (unsigned)t->channels * (unsigned)sizeof(float);
    memcpy(out, sum, size < bytes ? size : bytes);
}

/* One level. dims: 0 to 3; 0 is an index, which is `layer`. */
static void fetch_level(const struct texture *t, int dims, bool normalized, const float *at, int layer, void *out,
                        unsigned size, const void *site)
{
    switch (2 * dims + (t->how.filterMode == cudaFilterModeLinear)) {
    case 0:
    case 1: fetch(t, 0, false, false, at, layer, out, size, site); break;
    case 2: fetch(t, 1, false, normalized, at, layer, out, size, site); break;
    case 3: fetch(t, 1, true, normalized, at, layer, out, size, site); break;
    case 4: fetch(t, 2, false, normalized, at, layer, out, size, site); break;
    case 5: fetch(t, 2, true, normalized, at, layer, out, size, site); break;
    case 6: fetch(t, 3, false, normalized, at, layer, out, size, site); break;
    default: fetch(t, 3, true, normalized, at, layer, out, size, site);
    }
}

/* The level of detail as a place between levels, and a fetch there: of the nearest level, or of the two around it, weighed
 * in 256ths. What a kernel reads without a level is level 0, as there are no neighbouring pixels to derive one from. */
static void fetch_between_levels(const struct texture *t, int dims, const float *at, int layer, float lod, void *out,
                                 unsigned size, const void *site)
{
    float low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0};
    lod = fminf(fmaxf(lod + t->how.mipmapLevelBias, t->how.minMipmapLevelClamp), t->how.maxMipmapLevelClamp);
    lod = fminf(fmaxf(lod, 0), (float)(t->levels - 1));
    if (t->how.mipmapFilterMode == cudaFilterModePoint) {
        fetch_level(t + (int)floorf(lod + 0.5f), dims, true, at, layer, out, size, site);
        return;
    }
    const int level = (int)lod, weight = (int)floorf((lod - (float)level) * 256 + 0.5f);
    fetch_level(t + level, dims, true, at, layer, low, sizeof low, site);
    if (weight)
        fetch_level(t + level + 1, dims, true, at, layer, high, sizeof high, site);
    for (int c = 0; c < 4; c++)
        low[c] += (float)weight / 256 * (high[c] - low[c]) * (weight != 0);
    memset(out, 0, size);
    memcpy(out, low, size < sizeof low ? size : sizeof low);
}

/* dims: 1, 2, 3; 4 for a cube; 0 for an index, which is `layer`. layer: -1 if there are none. lod: the level of detail
 * of a mipmapped array. The value goes to out. */
void cpudev_texture_fetch(cudaTextureObject_t object, int dims, float x, float y, float z, int layer, float lod,
                          void *out, unsigned size)
{
    const void *site = __builtin_return_address(0);
    const struct texture *t = object_of(object, site);
    bool normalized = t->how.normalizedCoords != 0;
    if (dims == 4) {
        layer = cube_face(&x, &y, z) + 6 * layer;
        dims = 2;
        normalized = true;
    }
    const float at[3] = {x, y, z};
    if (t->resource.resType == cudaResourceTypeMipmappedArray)
        fetch_between_levels(t, dims, at, layer, lod, out, size, site);
    else
        fetch_level(t, dims, normalized, at, layer, out, size, site);
}

/* Channel `channel` of the four texels that a filtered fetch at (x, y) would weigh, counter-clockwise from the lower left
 * one as the programming guide's "Texture Gather" has them: (0,1), (1,1), (1,0), (0,0). */
void cpudev_texture_gather(cudaTextureObject_t object, float x, float y, int channel, void *out, unsigned size)
{
    const void *site = __builtin_return_address(0);
    const struct texture *t = object_of(object, site);
    const float at[3] = {x, y, 0};
    const unsigned bytes = t->floats ? sizeof(float) : (unsigned)t->bits / 8;
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, between[3] = {0, 0, 0};
    find_texels(t, 2, true, t->how.normalizedCoords != 0, at, -1, low, high, between);
    memset(out, 0, size);
    for (unsigned k = 0; k < 4 && (k + 1) * bytes <= size && channel >= 0 && channel < t->channels; k++) {
        const int i[3] = {k == 1 || k == 2 ? high[0] : low[0], k < 2 ? high[1] : low[1], 0};
        const char *p = read_texel(t, i, site);
        float v[4];
        if (t->floats)
            as_floats(t, p, v);
        if (t->floats || p)
            memcpy((char *)out + k * bytes, t->floats ? (const char *)&v[channel] : p + (unsigned)channel * bytes,
                   bytes);
    }
}

/* cudaBoundaryModeTrap, the default. */
static __attribute__((noreturn)) void outside(int dimension, int at, int size, const void *site)
{
    TELL(surface_outside, dimension, at, size, site);
    message("a surface is accessed out of bounds: %c is %d, and the surface has %d %s", "xyz"[dimension], at, size,
            dimension ? dimension == 1 ? "rows" : "layers" : "bytes per row");
    cpudev_trap();
}

/* Where a surface's bytes lie, or NULL: outside, and the access is to read 0 or do nothing. x counts in bytes. */
void *cpudev_surface_at(cudaSurfaceObject_t object, int x, int y, int z, unsigned bytes, int mode)
{
    const struct texture *t = object_of(object, __builtin_return_address(0));
    if (x & (int)(bytes - 1))
        TELL(surface_misaligned, __builtin_return_address(0));
    int i[3] = {x / t->texel, y, z};
    for (int d = 0; d < 3; d++) {
        if (i[d] >= 0 && i[d] < t->size[d] && (d || (x >= 0 && (unsigned)x + bytes <= t->pitch)))
            continue;
        if (mode == cudaBoundaryModeTrap)
            outside(d, d ? i[d] : x, d ? t->size[d] : (int)t->pitch, __builtin_return_address(0));
        if (mode == cudaBoundaryModeZero)
            return NULL;
        i[d] = i[d] < 0 || x < 0 ? 0 : t->size[d] - 1;
    }
    return (void *)(uintptr_t)texel_at(t, i);
}
