/* registered.c: host memory that the device uses, of cudaHostRegister or simply because a kernel touched it. */
#define _GNU_SOURCE
#include <pthread.h>

#include "memory/kernel_memory.h"
#include "core/layout.h"
#include "observe/observer.h"
#include "core/lock.h"

enum { PLACES = sizeof check_registry.at / sizeof *check_registry.at };

/* Called with the lock. Does nothing when all places are taken. */
static void add(uintptr_t lo, size_t bytes, void *caller, bool pageable, bool device)
{
    const uintptr_t hi = lo + bytes;
    unsigned i = 0;
    while (i < PLACES && check_registry.at[i].bytes)
        i++;
    if (i == PLACES)
        return;
    check_registered *r = &check_registry.at[i];
    r->pages = check_must_reserve(((hi >> 12) - (lo >> 12) + 2) * sizeof(page), PROT_READ | PROT_WRITE);
    r->p = lo;
    r->caller = caller;
    r->pageable = pageable;
    r->device = device;
    if (i >= check_registry.used)
        check_registry.used = i + 1;
    uintptr_t first = lo, end = hi;
    if (check_registry.bytes) {
        if (check_registry.lo < first)
            first = check_registry.lo;
        if (check_registry.lo + check_registry.bytes > end)
            end = check_registry.lo + check_registry.bytes;
    }
    check_registry.lo = first;
    check_registry.bytes = end - first;
    if (r->pages)
        __atomic_store_n(&r->bytes, bytes, __ATOMIC_RELEASE);
}

/* Called with the lock. A kernel may still be reading the pages' records, so they are kept. */
static void forget(uintptr_t p, size_t bytes)
{
    for (unsigned i = 0; i < check_registry.used; i++) {
        check_registered *r = &check_registry.at[i];
        if (r->pageable && r->bytes && r->p < p + bytes && p < r->p + r->bytes)
            __atomic_store_n(&r->bytes, 0, __ATOMIC_RELEASE);
    }
}

void check_register_memory(void *p, size_t bytes, bool on, bool device)
{
    check_lock(&check_registry.lock);
    forget((uintptr_t)p, bytes ? bytes : 1);
    if (on)
        add((uintptr_t)p, bytes, cpudev_api.caller, false, device);
    else {
        check_registered *r = check_registered_at((uintptr_t)p, 0);
        if (r)
            __atomic_store_n(&r->bytes, 0, __ATOMIC_RELEASE);
    }
    check_unlock(&check_registry.lock);
}

void check_register_pageable(uintptr_t p, size_t bytes)
{
    enum { MOST = 1 << 14 }; /* each leaves its pages behind */
    static unsigned so_far;
    check_lock(&check_registry.lock);
    if (so_far < MOST && !check_registered_at(p, 0)) {
        so_far++;
        add(p, bytes, NULL, true, false);
    }
    check_unlock(&check_registry.lock);
}

void check_forget_pageable(uintptr_t p, size_t bytes)
{
    if (!check_pageable || !check_registry.bytes)
        return;
    check_lock(&check_registry.lock);
    forget(p, bytes);
    check_unlock(&check_registry.lock);
}
