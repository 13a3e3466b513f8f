/* parameter_block.c: CUDA 3's launches: a function keeps its block's shape, its shared memory and its parameters,
 * as bytes at the places where a compiler puts them, from one launch to the next. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "driver_api/module.h"
#include "driver_api/module_launch.h"

enum { MOST = 32764 /* bytes of parameters */ };

struct parameter_block {
    dim3 shape;
    unsigned shared;
    size_t bytes; /* of the parameters */
    char parameters[MOST];
};

/* The function's block, made at the first call; NULL: the function is none, or there is no memory (`result`). */
static struct parameter_block *block_of(CUfunction f, CUresult *result)
{
    if (!function_usable(f)) {
        *result = CUDA_ERROR_INVALID_HANDLE;
        return NULL;
    }
    if (!f->block && (f->block = calloc(1, sizeof *f->block)))
        f->block->shape = (dim3){0, 0, 0};
    *result = f->block ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    return f->block;
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    DRIVER;
    CUresult result;
    struct parameter_block *b = block_of(function, &result);
    if (!result && (x <= 0 || y <= 0 || z <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        b->shape = (dim3){(unsigned)x, (unsigned)y, (unsigned)z};
    RESULT(result);
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
    DRIVER;
    CUresult result;
    struct parameter_block *b = block_of(function, &result);
    if (b)
        b->shared = bytes;
    RESULT(result);
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes)
{
    DRIVER;
    CUresult result;
    struct parameter_block *b = block_of(function, &result);
    if (!result && bytes > MOST)
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        b->bytes = bytes;
    RESULT(result);
}

static CUresult set(CUfunction f, int offset, const void *p, size_t bytes)
{
    CUresult result;
    struct parameter_block *b = block_of(f, &result);
    if (!result && (!p || offset < 0 || offset > MOST || bytes > (size_t)(MOST - offset)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        memcpy(b->parameters + offset, p, bytes);
    return result;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value)
{
    DRIVER;
    RESULT(set(function, offset, &value, sizeof value));
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
    DRIVER;
    RESULT(set(function, offset, &value, sizeof value));
}

CUresult cuParamSetv(CUfunction function, int offset, void *p, unsigned bytes)
{
    DRIVER;
    RESULT(set(function, offset, p, bytes));
}

static CUresult launch_grid(CUfunction f, int width, int height, CUstream stream)
{
    CUresult result;
    struct parameter_block *b = block_of(f, &result);
    if (result)
        return result;
    if (width <= 0 || height <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, b->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &b->bytes,
                     CU_LAUNCH_PARAM_END};
    return launch_function(f, (dim3){(unsigned)width, (unsigned)height, 1}, b->shape, b->shared, stream, NULL, extra,
                           false, (dim3){0, 0, 0});
}

CUresult cuLaunch(CUfunction function)
{
    DRIVER;
    RESULT(launch_grid(function, 1, 1, 0));
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
    DRIVER;
    RESULT(launch_grid(function, width, height, 0));
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    DRIVER;
    RESULT(launch_grid(function, width, height, stream));
}
