/* allow_shared.cuh: what each launcher asks for before its launch, because a block of its kernel has more than 48 KB of
 * shared memory. */
#ifndef HOPPER_ALLOW_SHARED_CUH
#define HOPPER_ALLOW_SHARED_CUH

#include "../../common/hopper.cuh"

/* As shared_memory_raise(); NULL, or why not. */
static inline const char *allow_shared(const void *kernel, int bytes, uint32_t *raised)
{
    return shared_memory_raise(kernel, bytes, raised) == cudaSuccess
               ? NULL
               : "this device gives a block too little shared memory";
}

#endif
