/* registered.c: host memory of cudaHostRegister. */
#define _GNU_SOURCE
#include <pthread.h>

#include "memory.h"
#include "layout.h"
#include "observer.h"

void check_register_host(void *p, size_t bytes, bool on)
{
    uintptr_t lo = (uintptr_t)p, hi = lo + bytes;
    pthread_mutex_lock(&check_registry.lock);
    check_registered *r = on ? NULL : check_registered_at(lo, 0);
    for (unsigned i = 0; on && !r && i < sizeof check_registry.at / sizeof *check_registry.at; i++)
        if (!check_registry.at[i].bytes)
            r = &check_registry.at[i];
    if (r && on) {
        if ((unsigned)(r - check_registry.at) >= check_registry.used)
            check_registry.used = (unsigned)(r - check_registry.at) + 1;
        r->pages = check_reserve(((hi >> 12) - (lo >> 12) + 2) * sizeof(page), PROT_READ | PROT_WRITE);
        r->p = lo;
        r->caller = cpudev_api.caller;
        if (check_registry.bytes) {
            if (check_registry.lo < lo)
                lo = check_registry.lo;
            if (check_registry.lo + check_registry.bytes > hi)
                hi = check_registry.lo + check_registry.bytes;
        }
        check_registry.lo = lo;
        check_registry.bytes = hi - lo;
        if (r->pages)
            __atomic_store_n(&r->bytes, bytes, __ATOMIC_RELEASE);
    } else if (r) { // what is behind its pages may still be looked at by a kernel: it stays
        r->bytes = 0;
    }
    pthread_mutex_unlock(&check_registry.lock);
}
