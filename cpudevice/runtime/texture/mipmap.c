/* mipmap.c: mipmapped arrays: a CUDA array for each level. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "texture/array_layout.h"
#include "device/call.h"
#include "cuda_runtime_api.h"

static size_t half(size_t n) { return n > 1 ? n / 2 : n; }

/* How many levels there are until all sides are 1; layers and the faces of cubes stay as they are. */
static unsigned all_levels(struct cudaExtent e, unsigned flags)
{
    const size_t depth = flags & (cudaArrayLayered | cudaArrayCubemap) ? 1 : e.depth;
    size_t longest = e.width > e.height ? e.width : e.height;
    unsigned levels = 1;
    for (longest = longest > depth ? longest : depth; longest > 1; longest /= 2)
        levels++;
    return levels < MIPMAP_LEVELS ? levels : MIPMAP_LEVELS;
}

static cudaError_t free_levels(struct cudaMipmappedArray *m)
{
    cudaError_t e = cudaSuccess;
    while (m->levels) {
        const cudaError_t freed = cudaFreeArray(m->level[--m->levels]);
        e = e ? e : freed;
    }
    free(m);
    return e;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned int levels, unsigned int flags)
{
    API;
    RESULT_AT(array);
    if (!array || !format || !extent.width)
        RETURN(cudaErrorInvalidValue);
    struct cudaMipmappedArray *m = calloc(1, sizeof *m);
    if (!m)
        RETURN(cudaErrorMemoryAllocation);
    const unsigned all = all_levels(extent, flags), wanted = levels < 1 ? 1 : levels < all ? levels : all;
    while (m->levels < wanted) {
        const cudaError_t e = cudaMalloc3DArray(&m->level[m->levels], format, extent, flags);
        if (e) {
            (void)free_levels(m);
            RETURN(e);
        }
        m->levels++;
        extent.width = half(extent.width);
        extent.height = half(extent.height);
        if (!(flags & (cudaArrayLayered | cudaArrayCubemap)))
            extent.depth = half(extent.depth);
    }
    *array = m;
    RETURN(cudaSuccess);
}

/* The array belongs to the mipmapped array, and is freed with it. */
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_const_t array, unsigned int level)
{
    API;
    RESULT_AT(level_array);
    if (!level_array || !array || level >= array->levels)
        RETURN(cudaErrorInvalidValue);
    *level_array = array->level[level];
    RETURN(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    API;
    RETURN(array ? free_levels(array) : cudaSuccess);
}
