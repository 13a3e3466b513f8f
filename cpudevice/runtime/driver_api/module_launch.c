/* module_launch.c: the kernels of modules: launches, attributes, parameters and occupancy. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"
#include "driver_api/module.h"
#include "driver_api/module_launch.h"

/* What the runtime has for a function that is no kernel is an invalid handle here. */
static CUresult driver_error(cudaError_t e)
{
    return e == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_INVALID_HANDLE : (CUresult)e;
}

bool function_usable(CUfunction f) { return f && f->module->loaded; }

static size_t aligned(size_t offset, size_t align) { return (offset + align - 1) / align * align; }

/* The arguments in a buffer, each at the next multiple of its alignment, as pointers to them; NULL: the list is wrong,
 * or the buffer too small. The caller frees them. */
static void **unpacked(const cpudev_parameter *p, size_t n, void **extra)
{
    char *buffer = NULL;
    size_t bytes = 0, offset = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(size_t *)extra[1];
        else
            return NULL;
    }
    void **args = buffer ? malloc((n + 1) * sizeof *args) : NULL;
    for (size_t i = 0; args && i < n; i++) {
        offset = aligned(offset, p[i].align);
        if (offset + p[i].size > bytes)
            return free(args), NULL;
        args[i] = buffer + offset;
        offset += p[i].size;
    }
    return args;
}

CUresult launch_function(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **parameters,
                         void **extra, bool cooperative, dim3 cluster)
{
    if (!function_usable(f))
        return CUDA_ERROR_INVALID_HANDLE;
    size_t n = 0;
    const cpudev_parameter *p = kernel_parameters(f->function, &n);
    if (parameters && extra)
        return CUDA_ERROR_INVALID_VALUE;
    void **args = extra ? unpacked(p, n, extra) : parameters;
    if (n && !args)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result =
        driver_error(launch_with_args(f->function, grid, block, args, shared, stream, cooperative, cluster));
    if (extra)
        free(args);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **parameters,
                        void **extra)
{
    DRIVER;
    RESULT(launch_function(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                           parameters, extra, false, (dim3){0, 0, 0}));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void **parameters)
{
    DRIVER;
    RESULT(launch_function(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                           parameters, NULL, true, (dim3){0, 0, 0}));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **parameters, void **extra)
{
    DRIVER;
    bool cooperative = false;
    dim3 cluster = {0, 0, 0};
    if (!c || (c->numAttrs && !c->attrs))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttributeValue *v = &c->attrs[i].value;
        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            cooperative = v->cooperative;
        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            cluster = (dim3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
    }
    RESULT(launch_function(function, (dim3){c->gridDimX, c->gridDimY, c->gridDimZ},
                           (dim3){c->blockDimX, c->blockDimY, c->blockDimZ}, c->sharedMemBytes, c->hStream, parameters,
                           extra, cooperative, cluster));
}

/* ---- what is known of them ---- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    DRIVER;
    struct cudaFuncAttributes a;
    if (!value)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (!function_usable(function))
        RESULT(CUDA_ERROR_INVALID_HANDLE);
    cudaError_t e = cudaFuncGetAttributes(&a, function->function);
    if (e)
        RESULT(driver_error(e));
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = a.preferredShmemCarveout; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = kernel_of_function(function->function)->nonportable_cluster;
        break;
    default: RESULT(CUDA_ERROR_INVALID_VALUE);
    }
    RESULT(CUDA_SUCCESS);
}

/* The three that can be set have the runtime's numbers. */
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    DRIVER;
    if (!function_usable(function))
        RESULT(CUDA_ERROR_INVALID_HANDLE);
    if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    RESULT(driver_error(cudaFuncSetAttribute(function->function, (enum cudaFuncAttribute)attribute, value)));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    DRIVER;
    (void)config;
    RESULT(function_usable(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

/* The banks of a chip of compute capability 7.0 or later have one width. */
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    DRIVER;
    if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    RESULT(function_usable(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    DRIVER;
    if (!name || !function_usable(function))
        RESULT(name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    *name = function->name;
    RESULT(CUDA_SUCCESS);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    DRIVER;
    if (!module || !function_usable(function))
        RESULT(module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    *module = function->module;
    RESULT(CUDA_SUCCESS);
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    DRIVER;
    size_t n, at = 0;
    if (!offset || !function_usable(function))
        RESULT(offset ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    const cpudev_parameter *p = kernel_parameters(function->function, &n);
    if (index >= n)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i <= index; i++)
        at = aligned(i ? at + p[i - 1].size : 0, p[i].align);
    *offset = at;
    if (bytes)
        *bytes = p[index].size;
    RESULT(CUDA_SUCCESS);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared)
{
    DRIVER;
    if (!function_usable(function))
        RESULT(CUDA_ERROR_INVALID_HANDLE);
    RESULT(driver_error(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function->function, threads, shared)));
}

/* The largest occupancy wins; of equals, the larger block. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t shared, int limit)
{
    DRIVER;
    struct cudaFuncAttributes a;
    int processors = 0, best = 0;
    if (!grid || !block)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (!function_usable(function))
        RESULT(CUDA_ERROR_INVALID_HANDLE);
    cudaError_t e = cudaFuncGetAttributes(&a, function->function);
    if (!e)
        e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    *grid = *block = 0;
    const int most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int size = (most + 31) / 32 * 32; size > 0 && !e; size -= 32) {
        int threads = size < most ? size : most, blocks = 0;
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function->function, threads,
                                                          shared_of ? shared_of(threads) : shared);
        if (blocks * threads > best) {
            best = blocks * threads;
            *grid = blocks * processors;
            *block = threads;
        }
    }
    RESULT(driver_error(e));
}
