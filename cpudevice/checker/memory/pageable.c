/* pageable.c: kernels on the host's own memory, as on a device that reads what malloc gave out (CUDA_CPU_PAGEABLE=1).
 *
 * An array that the program's own malloc or new made is followed from the first access of a kernel to it: its bounds and its
 * end are known, and what kernels and the host do to it is ordered as with registered memory. Of other memory, of the host's
 * variables and of libraries that are not watched, only this is known: whether there is any. So an access that begins behind
 * a __device__ variable may be one of a variable of the host. Whether the host has written an element is never known. */
#define _GNU_SOURCE
#include "memory/pageable.h"
#include "host/host.h"
#include "core/layout.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"

/* Is the page mapped? The answer takes a system call, so each page is asked for once. */
static bool is_there(uintptr_t a)
{
    static __thread uintptr_t known;
    if (a < 65536)
        return false;
    if (known == a >> 12)
        return true;
    if (!check_readable((void *)a))
        return false;
    known = a >> 12;
    return true;
}

bool check_pageable_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, bool *follow)
{
    uintptr_t p;
    size_t whole;
    *follow = false;
    if (!check_pageable || !is_there(a))
        return false;
    if (host_heap_bad(a, bytes)) {
        check_out_of_bounds_host(a, bytes, flags, pc);
        return true;
    }
    if (!(flags & A_RANGE) && a & (bytes - 1) && check_misaligned(w, a, bytes, flags, pc))
        return true;
    if (check_host_block(a, &p, &whole)) {
        check_register_pageable(p, whole);
        *follow = check_registered_at(a, 0) != NULL;
    }
    return true;
}
