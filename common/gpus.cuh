/* gpus.cuh: ranks of an exercise on several GPUs, with a stream and an event each. Rank r is on GPU r % (the GPUs that
 * are there), so that the exercises run on one GPU too; the CPU device has four unless CUDA_CPU_DEVICES says otherwise. */
#ifndef GPUS_CUH
#define GPUS_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

#include "error.h"

enum { GPUS_MAX = 4 };

#ifdef LAB_CPU
static const int gpus_asked = setenv("CUDA_CPU_DEVICES", "4", 0);
#endif

typedef struct Gpus {
    int count, devices; /* ranks, and the GPUs that they are on */
    int device[GPUS_MAX];
    cudaStream_t stream[GPUS_MAX];
    cudaEvent_t ready[GPUS_MAX];
} Gpus;

/* Each device may access the memory of all others, or no longer. */
static inline void gpus_peers(int devices, bool may)
{
    for (int d = 0; d < devices; d++) {
        CUDA_CHECK(cudaSetDevice(d));
        for (int k = 0; k < devices; k++)
            if (k != d)
                CUDA_CHECK(may ? cudaDeviceEnablePeerAccess(k, 0) : cudaDeviceDisablePeerAccess(k));
    }
}

static inline void gpus_begin(Gpus *g, int count)
{
    int there;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    g->count = count;
    g->devices = count < there ? count : there;
    gpus_peers(g->devices, true);
    for (int r = 0; r < count; r++) {
        g->device[r] = r % there;
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaStreamCreateWithFlags(&g->stream[r], cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&g->ready[r], cudaEventDisableTiming));
    }
}

static inline void gpus_synchronize(const Gpus *g)
{
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaStreamSynchronize(g->stream[r]));
    }
}

static inline void gpus_end(const Gpus *g)
{
    gpus_synchronize(g);
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaStreamDestroy(g->stream[r]));
        CUDA_CHECK(cudaEventDestroy(g->ready[r]));
    }
    gpus_peers(g->devices, false);
    CUDA_CHECK(cudaSetDevice(0));
}

/* Memory of each rank's GPU, every byte of which is `byte`. */
static inline void gpus_malloc(const Gpus *g, void **x, size_t bytes, int byte)
{
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaMalloc(&x[r], bytes));
        CUDA_CHECK(cudaMemsetAsync(x[r], byte, bytes, g->stream[r]));
    }
    gpus_synchronize(g);
}

static inline void gpus_free(const Gpus *g, void **x)
{
    for (int r = 0; r < g->count; r++)
        CUDA_CHECK(cudaFree(x[r]));
}

#endif
