/* kernel.c: kernels' attributes and their occupancy. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "device/call.h"
#include "exec/cluster.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "launch/kernel_info.h"
#include "launch/launch.h"
#include "device/process.h"
#include "device/sizes.h"

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    API;
    RESULT_AT(attr);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!attr)
        RETURN(cudaErrorInvalidValue);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    memset(attr, 0, sizeof *attr);
    attr->sharedSizeBytes = k->static_shared;
    attr->maxThreadsPerBlock = k->max_threads ? (int)k->max_threads : MAX_THREADS;
    attr->numRegs = 0; /* a CPU's registers say nothing about a GPU's */
    attr->ptxVersion = attr->binaryVersion = 90;
    attr->maxDynamicSharedSizeBytes = (int)kernel_most_shared(k);
    attr->preferredShmemCarveout = -1;
    RETURN(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value + k->static_shared > MAX_SHARED_OPTIN)
            RETURN(cudaErrorInvalidValue);
        __atomic_store_n(&k->max_dynamic_shared, value, __ATOMIC_RELAXED);
    } else if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        __atomic_store_n(&k->nonportable_cluster, value != 0, __ATOMIC_RELAXED);
    } else if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            RETURN(cudaErrorInvalidValue);
    } else if (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax)
        RETURN(cudaErrorInvalidValue);
    RETURN(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    API;
    (void)config;
    RETURN(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    API;
    (void)config;
    RETURN(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    API;
    cpudev_kernel *k = kernel_of_function(func);
    if (!k || !name)
        RETURN(cudaErrorInvalidValue);
    *name = k->name;
    RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int blockSize, size_t shared)
{
    API;
    RESULT_AT(blocks);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!blocks || blockSize <= 0)
        RETURN(cudaErrorInvalidValue);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    bool impossible =
        blockSize > (int)(k->max_threads ? k->max_threads : MAX_THREADS) || shared > kernel_most_shared(k);
    *blocks = impossible ? 0 : kernel_resident_blocks(k, (unsigned)blockSize, shared);
    RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int blockSize,
                                                                   size_t shared, unsigned int flags)
{
    API;
    RESULT_AT(blocks);
    (void)flags;
    return call_.status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, blockSize, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int numBlocks, int blockSize)
{
    API;
    RESULT_AT(bytes);
    cpudev_kernel *k = kernel_of_function(func);
    if (!bytes || !k || numBlocks <= 0 || blockSize <= 0)
        RETURN(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    size_t each = SHARED_PER_SM / (size_t)numBlocks;
    *bytes = each > SHARED_RESERVED + k->static_shared ? each - SHARED_RESERVED - k->static_shared : 0;
    if (*bytes > MAX_SHARED_OPTIN - k->static_shared)
        *bytes = MAX_SHARED_OPTIN - k->static_shared;
    RETURN(cudaSuccess);
}

/* Of the launch's attribute, else of the kernel; 1 without either. */
static unsigned blocks_of_cluster(const cudaLaunchConfig_t *config, const cpudev_kernel *k)
{
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            return config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y *
                   config->attrs[i].val.clusterDim.z;
    return k->cluster.x ? k->cluster.x * k->cluster.y * k->cluster.z : 1;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    API;
    RESULT_AT(clusters);
    cpudev_kernel *k = kernel_of_function(func);
    if (!clusters || !config || !k)
        RETURN(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    const unsigned threads = volume(config->blockDim), blocks = blocks_of_cluster(config, k);
    const bool impossible = !blocks || blocks > kernel_most_cluster(k) || !threads ||
                            threads > (k->max_threads ? k->max_threads : MAX_THREADS) ||
                            config->dynamicSmemBytes > kernel_most_shared(k);
    *clusters = impossible ? 0
                           : kernel_resident_clusters(k, blocks, threads, config->dynamicSmemBytes,
                                                      (unsigned)multiprocessor_count());
    RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func, const cudaLaunchConfig_t *config)
{
    API;
    RESULT_AT(size);
    cpudev_kernel *k = kernel_of_function(func);
    if (!size || !config || !k)
        RETURN(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    *size = (int)kernel_most_cluster(k);
    RETURN(cudaSuccess);
}
