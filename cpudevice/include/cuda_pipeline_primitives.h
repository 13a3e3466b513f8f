/* cuda_pipeline_primitives.h: __pipeline_memcpy_async and its kin, on the CPU device's cp.async. */
#ifndef CUDA_PIPELINE_PRIMITIVES_H
#define CUDA_PIPELINE_PRIMITIVES_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "cpudev_async.h"

static inline void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zfill = 0)
{
    cpudev_async_enqueue(shared, global, (unsigned)bytes, (unsigned)(bytes - zfill));
}
static inline void __pipeline_commit(void) { cpudev_async_commit(); }
static inline void __pipeline_wait_prior(size_t prior) { cpudev_async_wait((unsigned)prior, false); }

#endif
#endif
