/* allocators.c: malloc, new and their like, of the program and of its kernels. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"

static void *kernel_malloc(size_t n, void *pc)
{
    if (!check_self.in_kernel)
        return check_host_malloc(n);
    cpudev_call keep = cpudev_api;
    cpudev_api = (cpudev_call){.name = "malloc", .caller = pc};
    void *p = check_heap_alloc(CPUDEV_MEM_HEAP, n);
    cpudev_api = keep;
    return p;
}

static void kernel_free(void *p, void *pc)
{
    if (!p)
        return;
    if (!check_is_heap(p) && !check_self.in_kernel) {
        check_host_block_free(p, pc);
        return;
    }
    cpudev_call keep = cpudev_api;
    cpudev_api = (cpudev_call){.name = "free", .caller = pc};
    check_heap_free(CPUDEV_MEM_HEAP, p);
    cpudev_api = keep;
}

void *cpudev_check_malloc(size_t n) { return kernel_malloc(n, CALLER); }

void *cpudev_check_calloc(size_t n, size_t each)
{
    if (check_self.in_kernel || (each && n > SIZE_MAX / each))
        return calloc(n, each); // our headers': CUDA has none for kernels
    void *p = check_host_malloc(n * each);
    return p ? memset(p, 0, n * each) : NULL;
}

void *cpudev_check_realloc(void *old, size_t n)
{
    size_t bytes = 0;
    void *freed_at = NULL;
    if (check_self.in_kernel)
        return realloc(old, n);
    if (check_is_heap(old)) { // never malloc's: says so
        cpudev_api = (cpudev_call){.name = "realloc", .caller = CALLER};
        check_heap_free(CPUDEV_MEM_HEAP, old);
        cpudev_api.name = NULL;
        return NULL;
    }
    if (!old)
        return check_host_malloc(n);
    if (check_host_room(old, &bytes, &freed_at) < 0 || freed_at || !n)
        return realloc(old, n);
    void *p = check_host_malloc(n);
    if (!p)
        return NULL;
    memcpy(p, old, bytes < n ? bytes : n);
    check_host_block_free(old, CALLER);
    return p;
}

void cpudev_check_free(void *p) { kernel_free(p, CALLER); }

static void *new_or_die(size_t n, void *pc)
{
    void *p = kernel_malloc(n ? n : 1, pc);
    if (!p && !check_self.in_kernel) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return p;
}

void *_Znwm(size_t n) { return new_or_die(n, CALLER); }

void *_Znam(size_t n) { return new_or_die(n, CALLER); }

void _ZdlPv(void *p) { kernel_free(p, CALLER); }

void _ZdaPv(void *p) { kernel_free(p, CALLER); }

void _ZdlPvm(void *p, size_t n)
{
    (void)n;
    kernel_free(p, CALLER);
}

void _ZdaPvm(void *p, size_t n)
{
    (void)n;
    kernel_free(p, CALLER);
}
