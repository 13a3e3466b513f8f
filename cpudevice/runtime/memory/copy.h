/* copy.h: copies as cudaMemcpy3D's, for those who are within a call of the API. */
#ifndef COPY_H
#define COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "driver_types.h"

/* Copies block by default; an asynchronous one returns at once if both sides are device, managed or pinned memory. */
cudaError_t memory_copy(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice,
                        size_t width, size_t height, size_t depth, enum cudaMemcpyKind kind, cudaStream_t stream,
                        bool async);
bool is_global(const void *p); /* Might this be a __device__ or __constant__ variable? */

#endif
