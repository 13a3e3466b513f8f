/* kernel_memory.c: the tables of the memory that kernels may use. heap.c, registered.c and variables.c fill them. */
#define _GNU_SOURCE
#include <pthread.h>

#include "memory/kernel_memory.h"

struct check_heap check_heap = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct check_registry check_registry = {.lock = PTHREAD_MUTEX_INITIALIZER};
page *check_var_pages;
bool check_pageable;

check_registered *check_registered_at(uintptr_t a, size_t slack)
{
    if (a - check_registry.lo >= check_registry.bytes + slack)
        return NULL;
    for (unsigned i = 0; i < check_registry.used; i++) {
        size_t n = __atomic_load_n(&check_registry.at[i].bytes, __ATOMIC_ACQUIRE);
        if (n && a - check_registry.at[i].p < n + slack)
            return &check_registry.at[i];
    }
    return NULL;
}
