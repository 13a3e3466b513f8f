/* allocation.h: cudaMalloc and its like, for those who are within a call of the API. */
#ifndef ALLOCATION_H
#define ALLOCATION_H

#include "memory/memory.h"

cudaError_t allocate_now(region_kind k, void **ptr, size_t size, unsigned flags);
cudaError_t memory_device(char **p, size_t bytes); /* not while a capture forbids it */

#endif
