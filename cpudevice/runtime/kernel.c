/* kernel.c: what is known of a kernel: its names, its attributes, how many blocks of it fit. */
#define _GNU_SOURCE

#include "runtime.h"
#include "tell.h"

/* The mangled name, for tools that demangle as a GPU's do. A class local to _Z1kPf is called Z1kPfE10cpudev_tag; where
 * there is no such type (-fno-rtti), the display name. */
const char *kernel_symbol(cpudev_kernel *k)
{
    static const char end[] = "E10cpudev_tag";
    char *known = __atomic_load_n(&k->symbol, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    const char *tag = k->tag ? k->tag() : NULL, *last = NULL;
    for (const char *p = tag; p && (p = strstr(p, end)); p++)
        last = p;
    if (!last || *tag != 'Z')
        return kernel_display(k);
    char *made = malloc((size_t)(last - tag) + 2);
    if (!made)
        return k->name;
    made[0] = '_';
    memcpy(made + 1, tag, (size_t)(last - tag));
    made[last - tag + 1] = 0;
    if (!__atomic_compare_exchange_n(&k->symbol, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return known;
    }
    return made;
}

/* "void k(T*) [with T = float]" -> "k<float>(float *)" would need a parser; tools get "k(T*) [with T = float]". */
const char *kernel_display(cpudev_kernel *k)
{
    char *d = __atomic_load_n(&k->display, __ATOMIC_ACQUIRE);
    if (d)
        return d;
    const char *p = k->pretty ? k->pretty : "?";
    static const char *const skip[] = {"static ", "inline ", "constexpr ", "void "};
    for (size_t i = 0; i < sizeof skip / sizeof *skip; i++)
        if (!strncmp(p, skip[i], strlen(skip[i])))
            p += strlen(skip[i]);
    char *made = strdup(p);
    if (!made)
        return k->name;
    if (!__atomic_compare_exchange_n(&k->display, &d, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return d;
    }
    return made;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    API;
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
    attr->maxDynamicSharedSizeBytes =
        k->max_dynamic_shared ? k->max_dynamic_shared : MAX_SHARED - (int)k->static_shared;
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
        k->max_dynamic_shared = value;
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

/* Blocks an H100 multiprocessor holds: threads in whole warps, blocks, shared memory (1 KB of it the system's). */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int blockSize, size_t shared)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!blocks || blockSize <= 0)
        RETURN(cudaErrorInvalidValue);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    *blocks = 0;
    if (blockSize > (int)(k->max_threads ? k->max_threads : MAX_THREADS))
        RETURN(cudaSuccess);
    size_t most = k->max_dynamic_shared ? (size_t)k->max_dynamic_shared : MAX_SHARED - k->static_shared;
    if (shared > most)
        RETURN(cudaSuccess);
    int n = MAX_RESIDENT_THREADS / ((blockSize + WARP - 1) / WARP * WARP);
    size_t each = (k->static_shared + shared + 127) / 128 * 128 + 1024;
    int by_shared = (int)(SHARED_PER_SM / each);
    if (n > MAX_RESIDENT_BLOCKS)
        n = MAX_RESIDENT_BLOCKS;
    if (n > by_shared)
        n = by_shared;
    *blocks = n;
    RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int blockSize,
                                                                   size_t shared, unsigned int flags)
{
    API;
    (void)flags;
    return call_.status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, blockSize, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int numBlocks, int blockSize)
{
    API;
    cpudev_kernel *k = kernel_of_function(func);
    if (!bytes || !k || numBlocks <= 0 || blockSize <= 0)
        RETURN(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    size_t each = SHARED_PER_SM / (size_t)numBlocks;
    *bytes = each > 1024 + k->static_shared ? each - 1024 - k->static_shared : 0;
    if (*bytes > MAX_SHARED_OPTIN - k->static_shared)
        *bytes = MAX_SHARED_OPTIN - k->static_shared;
    RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    API;
    (void)func;
    (void)config;
    if (!clusters)
        RETURN(cudaErrorInvalidValue);
    *clusters = 0;
    RETURN(cudaSuccess);
}
