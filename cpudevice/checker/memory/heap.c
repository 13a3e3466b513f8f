/* heap.c: the checked heap: one reserved range, allocations far apart, so that an index that is far off meets no other.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/mman.h>

#include "memory/kernel_memory.h"
#include "host/errors.h"
#include "report/chinese.h"
#include "report/findings.h"
#include "core/layout.h"
#include "report/lines.h"
#include "launch/kernel_heap.h"
#include "observe/observer.h"
#include "device/message.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

// Plenty of address space, which costs nothing; under a limit (ulimit -v) a part.
void check_heap_init(void)
{
    struct rlimit limit;
    size_t most = (size_t)16 << 40;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
        most = (size_t)limit.rlim_cur / 4;
    for (size_t bytes = most; bytes >= (size_t)64 << 20; bytes /= 4) {
        void *p = check_reserve(bytes, PROT_NONE);
        if (!p)
            continue;
        check_heap.limit = bytes / (2 * NEAR) < 1u << 24 ? (uint32_t)(bytes / (2 * NEAR)) : 1u << 24;
        check_heap.pages = check_reserve(bytes / 4096 * sizeof(page), PROT_READ | PROT_WRITE);
        check_heap.allocs = check_reserve((size_t)check_heap.limit * sizeof(check_alloc), PROT_READ | PROT_WRITE);
        if (check_heap.pages && check_heap.allocs) {
            check_heap.lo = ((uintptr_t)p + 4095) & ~(uintptr_t)4095;
            check_heap.bytes = bytes - 4096;
            check_heap.top = check_heap.lo;
            return;
        }
        munmap(p, bytes);
        if (check_heap.pages)
            munmap(check_heap.pages, bytes / 4096 * sizeof(page));
    }
    check_say_line("cucc --check: no address space for the checked heap (ulimit -v: it needs 1 GB)");
    exit(2);
}

void *check_heap_alloc(int kind, size_t bytes)
{
    size_t zone = bytes < NEAR ? NEAR : bytes > (64u << 20) ? (64u << 20) : bytes;
    // The first ones lie so far apart that even an index of 32 bits finds no neighbour: that takes no memory.
    if (check_heap.count < 128 && check_heap.bytes >= (size_t)1 << 43)
        zone = (size_t)8 << 30;
    zone = (zone + 4095) & ~(size_t)4095;
    size_t body = (bytes + 4095) & ~(size_t)4095;
    if (!body)
        body = 4096;
    if (bytes > ((size_t)1 << 46) || (kind == CPUDEV_MEM_HEAP && !cpudev_heap_take(bytes)))
        return NULL;
    check_lock(&check_heap.lock);
    if (check_heap.top + 2 * zone + body > check_heap.lo + check_heap.bytes || check_heap.count >= check_heap.limit) {
        check_unlock(&check_heap.lock);
        return NULL;
    }
    uintptr_t base = check_heap.top + zone;
    if (mprotect((void *)(base - NEAR), body + 2 * NEAR, PROT_READ | PROT_WRITE)) {
        refused_memory(bytes);
        check_unlock(&check_heap.lock);
        return NULL;
    }
    check_heap.top = base + body + zone - NEAR;
    check_alloc *a = &check_heap.allocs[check_heap.count];
    a->base = base;
    a->bytes = bytes;
    a->graph = kind == CPUDEV_MEM_GRAPH;
    a->kind = a->graph ? CPUDEV_MEM_DEVICE : kind;
    if (kind == CPUDEV_MEM_MANAGED && bytes <= UNSET_LIMIT)
        for (size_t i = 0; i + 4 <= bytes; i += 4)
            *(uint32_t *)(base + i) = UNSET;
    a->freed = a->graph ? NOT_YET : 0;
    a->number = check_heap.count + 1;
    a->alloc_pc = cpudev_api.caller;
    a->alloc_name = cpudev_api.name;
    a->caller = kind == CPUDEV_MEM_HEAP ? NULL : check_caller_of(a->alloc_pc);
    for (size_t o = 0; o < body; o += 4096) {
        page *p = &check_heap.pages[(base + o - check_heap.lo) >> 12];
        p->alloc = check_heap.count + 1;
        p->lo = 0;
        p->hi = a->graph ? 0 : (uint16_t)(bytes - o < 4096 ? bytes - o : 4096);
    }
    __atomic_store_n(&check_heap.count, check_heap.count + 1, __ATOMIC_RELEASE);
    check_unlock(&check_heap.lock);
    return (void *)base;
}

void check_heap_again(void *ptr)
{
    check_alloc *a = check_alloc_near(ptr, NULL);
    if (!a || a->base != (uintptr_t)ptr || !a->graph)
        return;
    check_lock(&check_heap.lock);
    a->freed = 0;
    for (size_t o = 0; o < a->bytes; o += 4096)
        check_heap.pages[(a->base + o - check_heap.lo) >> 12].hi =
            (uint16_t)(a->bytes - o < 4096 ? a->bytes - o : 4096);
    check_unlock(&check_heap.lock);
}

check_alloc *check_alloc_near(const void *ptr, long *offset)
{
    uintptr_t p = (uintptr_t)ptr;
    uint32_t n = __atomic_load_n(&check_heap.count, __ATOMIC_ACQUIRE), lo = 0, hi = n;
    if (!n || p - check_heap.lo >= check_heap.bytes)
        return NULL;
    while (lo < hi) { // first allocation beyond p
        uint32_t m = (lo + hi) / 2;
        if (check_heap.allocs[m].base > p)
            hi = m;
        else
            lo = m + 1;
    }
    check_alloc *before = lo ? &check_heap.allocs[lo - 1] : NULL, *after = lo < n ? &check_heap.allocs[lo] : NULL,
                *a = before;
    if (!a || (after && p >= a->base + a->bytes && after->base - p < p - (a->base + a->bytes)))
        a = after;
    if (offset)
        *offset = (long)(p - a->base);
    return a;
}

int check_is_heap(const void *p) { return (uintptr_t)p - check_heap.lo < check_heap.bytes; }

int check_heap_free(int kind, void *ptr)
{
    check_finding f;
    long offset;
    check_alloc *a = check_alloc_near(ptr, &offset);
    const char *cause = NULL;
    memset(&f, 0, sizeof f);
    if (check_self.in_kernel)
        check_here(&f, TOOL_MEM, "", cpudev_api.caller);
    f.tool = TOOL_MEM;
    f.at.pc = cpudev_api.caller;
    const char *fn = cpudev_api.name ? cpudev_api.name : "free";
    if (!a || offset < 0 || (size_t)offset > a->bytes + (a->bytes == 0)) {
        check_variable *v = check_variable_at(ptr, 0);
        f.kind = "bad-free";
        if (v)
            snprintf(f.title, sizeof f.title, "%s of the variable %s", fn, v->name);
        else
            snprintf(f.title, sizeof f.title, "%s of %p, which is not memory that the CUDA runtime gave out", fn, ptr);
        cause = "the pointer came from malloc, from new or from nowhere; give back only what cudaMalloc and its like "
                "returned";
    } else if (a->freed) {
        f.kind = "double-free";
        snprintf(f.title, sizeof f.title,
                 a->freed == NOT_YET ? "%s of memory that no launch of its graph has allocated"
                                     : "%s of memory that was freed before",
                 fn);
        f.has_other = a->freed != NOT_YET;
        f.other.pc = a->free_pc;
        snprintf(f.other.what, sizeof f.other.what, "freed here first");
        cause = a->freed == NOT_YET ? "launch the graph first, and free what it allocates once per launch"
                                    : "two owners of one pointer; set it to NULL after the free";
    } else if (offset != 0) {
        f.kind = "interior-free";
        snprintf(f.title, sizeof f.title, "%s of a pointer %ld bytes into an allocation", fn, offset);
        cause = "the pointer was moved after the allocation; free the address that the allocation returned";
    } else if (a->kind != kind && !(kind == CPUDEV_MEM_DEVICE && a->kind == CPUDEV_MEM_MANAGED)) {
        f.kind = "wrong-free";
        snprintf(f.title, sizeof f.title, "%s of memory that came from %s", fn,
                 a->alloc_name ? a->alloc_name : "another allocator");
        cause =
            "cudaFree belongs to cudaMalloc and cudaMallocManaged, cudaFreeHost to cudaMallocHost, free() to malloc()";
    }
    if (cause) {
        if (a && offset >= 0 && (size_t)offset <= a->bytes)
            check_describe_alloc(a, f.object, sizeof f.object);
        f.cause = cause;
        check_explained();
        if (check_tools & TOOL_MEM)
            check_report(&f);
        return 1; // cudaErrorInvalidValue
    }
    if (a->kind == CPUDEV_MEM_HEAP)
        cpudev_heap_give(a->bytes);
    check_lock(&check_heap.lock);
    a->freed = 1;
    a->free_pc = cpudev_api.caller;
    a->free_name = cpudev_api.name;
    size_t body = (a->bytes + 4095) & ~(size_t)4095;
    for (size_t o = 0; o < (body ? body : 4096); o += 4096) {
        page *p = &check_heap.pages[(a->base + o - check_heap.lo) >> 12];
        p->hi = 0;
        check_cells_drop(p->cells);
        p->cells = 0;
    }
    madvise((void *)a->base, body, MADV_DONTNEED);
    check_unlock(&check_heap.lock);
    return 0;
}

bool check_heap_find(const void *p, void **base, size_t *bytes)
{
    long off;
    check_alloc *a = check_alloc_near(p, &off);
    if (!a || (a->freed && !a->graph) || off < 0 || (size_t)off >= a->bytes)
        return 0;
    if (base)
        *base = (void *)a->base;
    if (bytes)
        *bytes = a->bytes;
    return 1;
}

int check_heap_kind(const void *p)
{
    check_alloc *a;
    long off;
    return check_range(p, 1, &a, &off) == CHECK_RANGE_UNKNOWN ? -1 : a->kind;
}

int check_range(const void *p, size_t bytes, check_alloc **out, long *offset)
{
    long off = 0;
    check_alloc *a = check_alloc_near(p, &off);
    if (out)
        *out = a;
    if (offset)
        *offset = off;
    if (!a)
        return CHECK_RANGE_UNKNOWN;
    if (off < -(long)NEAR || off > (long)(a->bytes + NEAR))
        return CHECK_RANGE_UNKNOWN;
    if (a->freed && off >= 0 && (size_t)off < a->bytes)
        return CHECK_RANGE_FREED;
    if (off < 0 || (size_t)off + bytes > a->bytes)
        return CHECK_RANGE_OVERRUN;
    return CHECK_RANGE_OK;
}

void check_alloc_leaks(void)
{
    for (uint32_t i = 0; i < check_heap.count; i++) {
        check_alloc *a = &check_heap.allocs[i];
        if (a->freed || a->kind == CPUDEV_MEM_HEAP || !a->alloc_pc)
            continue;
        check_finding f;
        memset(&f, 0, sizeof f);
        f.tool = TOOL_MEM;
        f.kind = "leak";
        f.at.pc = a->alloc_pc;
        char name[64];
        int named = check_alloc_name(a, name, sizeof name);
        snprintf(f.title, sizeof f.title, "leak: %zu bytes%s%s are never freed", a->bytes, named ? " of " : "",
                 named ? name : "");
        f.cause = "every cudaMalloc needs its cudaFree, on every path out of the function";
        check_report(&f);
    }
}

void check_heap_reset(void)
{
    for (uint32_t i = 0; i < check_heap.count; i++)
        if (!check_heap.allocs[i].freed) {
            check_heap.allocs[i].freed = 1;
            check_heap.allocs[i].free_pc = cpudev_api.caller;
            for (size_t o = 0; o < (check_heap.allocs[i].bytes ? check_heap.allocs[i].bytes : 1); o += 4096)
                check_heap.pages[(check_heap.allocs[i].base + o - check_heap.lo) >> 12].hi = 0;
        }
}
