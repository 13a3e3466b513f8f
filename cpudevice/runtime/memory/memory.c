/* memory.c: the device's memory, and host access that faults. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory/memory.h"
#include "memory/owner.h"
#include "device/message.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "ipc/shared_file.h"

struct device_memory device_memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { GRAIN = 512, BIG = 2 << 20, JUNK_BELOW = 256 * 1024 };

typedef struct {
    uintptr_t base, top, open_top, end;
    allocation *list; /* by address, without gaps: used and free */
    int count, cap;
} region;

static region regions[4];

static bool closed;

static bool never_close;

/* Address space for a region, of which there are three: plenty, as it costs nothing; under a limit (ulimit -v) a part
 * that leaves room for the program, its threads' stacks and what it allocates itself. */
static size_t region_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return (size_t)1 << 40;
    return (size_t)limit.rlim_cur / 8 / BIG * BIG;
}

static void region_make(region *r, size_t bytes)
{
    const size_t least = (size_t)64 << 20;
    void *p = MAP_FAILED;
    while (bytes >= least &&
           (p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED)
        bytes /= 2;
    if (p == MAP_FAILED) {
        message("no address space for the device's memory (ulimit -v: it needs 1 GB)");
        exit(1);
    }
    r->base = r->top = r->open_top = ((uintptr_t)p + BIG - 1) / BIG * BIG;
    r->end = (uintptr_t)p + bytes;
}

void memory_init(void)
{
    size_t space = region_bytes();
    for (int k = R_DEVICE; k <= R_PINNED; k++)
        region_make(&regions[k], space);
    const long pages = sysconf(_SC_PHYS_PAGES);
    if (pages <= 0) {
        message("the system does not say how much memory it has");
        exit(2);
    }
    device_memory.total_bytes = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    device_memory.total_bytes = device_memory.total_bytes / BIG * BIG;
    const char *limit = getenv("CUDA_CPU_MEMORY"); /* bytes; for tests of what happens when memory ends */
    if (limit && strtoull(limit, NULL, 0))
        device_memory.total_bytes = strtoull(limit, NULL, 0);
    space = regions[R_DEVICE].end - regions[R_DEVICE].base;
    if (device_memory.total_bytes > space) {
        device_memory.total_bytes = space;
        message("address space is limited (ulimit -v): the device has %zu MB of memory", space >> 20);
    }
    never_close = getenv("CUDA_CPU_HOST_ACCESS") != NULL;
    never_close |= observed.sees_host_access;
    closed = !never_close;
}

/* An observer may keep the memory: between red zones, say, and what was freed for good. */
static region_kind kept_as(int kind)
{
    switch (kind) {
    case CPUDEV_MEM_DEVICE:
    case CPUDEV_MEM_HEAP: return R_DEVICE;
    case CPUDEV_MEM_MANAGED: return R_MANAGED;
    case CPUDEV_MEM_PINNED: return R_PINNED;
    }
    return R_NONE;
}

region_kind region_of(const void *p)
{
    const cpudev_observer *keeper = ASK(kind_of);
    if (keeper)
        return kept_as(keeper->kind_of(p));
    uintptr_t a = (uintptr_t)p;
    for (int k = R_DEVICE; k <= R_PINNED; k++)
        if (a >= regions[k].base && a < regions[k].end && regions[k].base)
            return (region_kind)k;
    return R_NONE;
}

/* The index of the entry that holds a, or -1. */
static int find(const region *r, uintptr_t a)
{
    int lo = 0, hi = r->count - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        const allocation *m = &r->list[mid];
        if (a < m->start)
            hi = mid - 1;
        else if (a >= m->start + m->reserved)
            lo = mid + 1;
        else
            return mid;
    }
    return -1;
}

bool allocation_of(const void *p, allocation *out)
{
    uintptr_t a = (uintptr_t)p;
    region_kind k = region_of(p);
    bool found = false;
    const cpudev_observer *keeper = ASK(find);
    if (keeper && k != R_NONE) {
        void *base;
        size_t bytes;
        if (!keeper->find(p, &base, &bytes))
            return false;
        *out = (allocation){(uintptr_t)base, bytes, bytes, k, true, 0};
        return true;
    }
    pthread_mutex_lock(&device_memory.lock);
    if (k != R_NONE) {
        int i = find(&regions[k], a);
        if (i >= 0 && regions[k].list[i].used) {
            *out = regions[k].list[i];
            found = true;
        }
    } else
        for (int i = 0; i < device_memory.nregistered && !found; i++)
            if (a >= device_memory.registered[i].start &&
                a < device_memory.registered[i].start + device_memory.registered[i].size) {
                *out = device_memory.registered[i];
                found = true;
            }
    pthread_mutex_unlock(&device_memory.lock);
    return found;
}

static bool insert(region *r, int at, allocation a)
{
    if (r->count == r->cap) {
        int cap = r->cap ? r->cap * 2 : 64;
        allocation *list = realloc(r->list, (size_t)cap * sizeof *list);
        if (!list)
            return false;
        r->list = list;
        r->cap = cap;
    }
    memmove(&r->list[at + 1], &r->list[at], (size_t)(r->count - at) * sizeof *r->list);
    r->list[at] = a;
    r->count++;
    return true;
}

/* The address of `reserved` bytes that were freed, or 0. */
static uintptr_t take_freed(region *r, region_kind k, size_t size, size_t reserved, size_t grain, unsigned flags)
{
    for (int i = 0; i < r->count; i++) {
        const allocation whole = r->list[i];
        uintptr_t start = (whole.start + grain - 1) / grain * grain;
        if (whole.used || start + reserved > whole.start + whole.reserved)
            continue;
        size_t before = start - whole.start, after = whole.reserved - before - reserved;
        r->list[i] = (allocation){start, size, reserved, k, true, flags};
        if (after)
            insert(r, i + 1, (allocation){start + reserved, 0, after, k, false, 0});
        if (before)
            insert(r, i, (allocation){whole.start, 0, before, k, false, 0});
        return start;
    }
    return 0;
}

/* The address of `reserved` bytes behind all that was ever used, or 0. */
static uintptr_t take_fresh(region *r, region_kind k, size_t size, size_t reserved, size_t grain, unsigned flags)
{
    uintptr_t start = (r->top + grain - 1) / grain * grain;
    if (start + reserved > r->end)
        return 0;
    if (start > r->top)
        insert(r, r->count, (allocation){r->top, 0, start - r->top, k, false, 0});
    insert(r, r->count, (allocation){start, size, reserved, k, true, flags});
    r->top = start + reserved;
    if (r->top > r->open_top) {
        uintptr_t open = (r->top + BIG - 1) / BIG * BIG;
        if (!(k == R_DEVICE && closed) && mprotect((void *)r->open_top, open - r->open_top, PROT_READ | PROT_WRITE))
            return 0;
        r->open_top = open;
    }
    return start;
}

static int keepers_kind(region_kind k)
{
    return k == R_DEVICE ? CPUDEV_MEM_DEVICE : k == R_MANAGED ? CPUDEV_MEM_MANAGED : CPUDEV_MEM_PINNED;
}

void *allocate(region_kind k, size_t size, unsigned flags)
{
    region *r = &regions[k];
    size_t grain = size >= BIG ? BIG : GRAIN, unit = size >= BIG ? 4096 : GRAIN;
    size_t reserved = (size + unit - 1) / unit * unit;
    if (size > device_memory.total_bytes || reserved > device_memory.total_bytes - device_memory.used_bytes)
        return NULL;
    const cpudev_observer *keeper = ASK(alloc);
    if (keeper) {
        void *p = keeper->alloc(flags == MEMORY_OF_GRAPH ? CPUDEV_MEM_GRAPH : keepers_kind(k), size);
        device_memory.used_bytes += p ? size : 0;
        return p;
    }
    uintptr_t start = take_freed(r, k, size, reserved, grain, flags);
    if (!start && !(start = take_fresh(r, k, size, reserved, grain, flags)))
        return NULL;
    device_memory.used_bytes += reserved;
    if (size >= BIG)
        madvise((void *)start, reserved, MADV_HUGEPAGE);
    return (void *)start;
}

static void protect_device(int protection)
{
    const region *r = &regions[R_DEVICE];
    if (r->open_top > r->base && mprotect((void *)r->base, r->open_top - r->base, protection) &&
        protection != PROT_NONE) { /* or the kernel that is to use it would be blamed */
        message("the device's memory cannot be opened: %s", strerror(errno));
        _exit(2);
    }
}

void junk(void *p, size_t size)
{
    if (size > JUNK_BELOW)
        return;
    pthread_mutex_lock(&device_memory.lock);
    bool was = closed && region_of(p) == R_DEVICE;
    if (was)
        protect_device(PROT_READ | PROT_WRITE);
    memset(p, 0xff, size);
    if (was)
        protect_device(PROT_NONE);
    pthread_mutex_unlock(&device_memory.lock);
}

cudaError_t memory_share(const allocation *a, shared_key *key)
{
    pthread_mutex_lock(&device_memory.lock);
    if (closed)
        protect_device(PROT_READ | PROT_WRITE);
    cudaError_t e = shared_export(a->start, a->size, a->reserved, key);
    if (closed)
        protect_device(PROT_NONE);
    pthread_mutex_unlock(&device_memory.lock);
    return e;
}

static int device_protection(void) { return closed ? PROT_NONE : PROT_READ | PROT_WRITE; }

bool memory_register(allocation a)
{
    pthread_mutex_lock(&device_memory.lock);
    allocation *list = realloc(device_memory.registered, (size_t)(device_memory.nregistered + 1) * sizeof *list);
    if (list) {
        device_memory.registered = list;
        list[device_memory.nregistered++] = a;
    }
    pthread_mutex_unlock(&device_memory.lock);
    if (list)
        TELL(register_memory, (void *)a.start, a.size, true, a.kind == R_DEVICE);
    return list != NULL;
}

bool memory_unregister(uintptr_t start, region_kind kind)
{
    bool found = false;
    pthread_mutex_lock(&device_memory.lock);
    for (int i = 0; i < device_memory.nregistered && !found; i++)
        if (device_memory.registered[i].start == start && device_memory.registered[i].kind == kind) {
            device_memory.registered[i] = device_memory.registered[--device_memory.nregistered];
            TELL(register_memory, (void *)start, 0, false, kind == R_DEVICE);
            found = true;
        }
    pthread_mutex_unlock(&device_memory.lock);
    return found;
}

void device_memory_open(void)
{
    pthread_mutex_lock(&device_memory.lock);
    if (closed)
        protect_device(PROT_READ | PROT_WRITE);
    closed = false;
    pthread_mutex_unlock(&device_memory.lock);
}

void device_memory_close(void)
{
    region *r = &regions[R_DEVICE];
    pthread_mutex_lock(&device_memory.lock);
    if (!never_close && !closed && r->open_top > r->base) {
        protect_device(PROT_NONE);
        closed = true;
    }
    pthread_mutex_unlock(&device_memory.lock);
}

void report_host_fault(uintptr_t address)
{
    allocation a;
    char where[160] = "in no live allocation";
    if (allocation_of((void *)address, &a))
        snprintf(where, sizeof where, "%zu bytes into the %zu bytes that cudaMalloc returned at %p",
                 (size_t)(address - a.start), a.size, (void *)a.start);
    message(
        "host code touched device memory: address %p, %s.\n"
        "  Memory from cudaMalloc belongs to the device: copy it with cudaMemcpy, or allocate with cudaMallocManaged.",
        (void *)address, where);
    /* the caller lets the fault happen again, which ends the process as on a machine with a GPU */
}

static cudaError_t free_kept(const cpudev_observer *keeper, void *p, region_kind kind)
{
    void *base;
    size_t was = 0;
    if (!keeper->find(p, &base, &was))
        was = 0;
    if (keeper->free(kind == R_PINNED ? CPUDEV_MEM_PINNED : CPUDEV_MEM_DEVICE, p))
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&device_memory.lock);
    shared_revoke((uintptr_t)p, device_protection());
    device_memory.used_bytes -= was;
    pthread_mutex_unlock(&device_memory.lock);
    return cudaSuccess;
}

cudaError_t memory_free(void *p, region_kind kind)
{
    memory_disowned(p);
    region *r = &regions[kind];
    const cpudev_observer *keeper = ASK(free);
    if (keeper)
        return free_kept(keeper, p, kind);
    pthread_mutex_lock(&device_memory.lock);
    int i = find(r, (uintptr_t)p);
    if (i < 0 || !r->list[i].used || r->list[i].start != (uintptr_t)p) {
        pthread_mutex_unlock(&device_memory.lock);
        return cudaErrorInvalidValue;
    }
    allocation *a = &r->list[i];
    shared_revoke(a->start, device_protection());
    a->used = false;
    a->size = 0;
    device_memory.used_bytes -= a->reserved;
    if (a->reserved >= 8 * (size_t)BIG) {
        uintptr_t from = (a->start + 4095) / 4096 * 4096, to = (a->start + a->reserved) / 4096 * 4096;
        madvise((void *)from, to - from, MADV_DONTNEED);
    }
    if (i + 1 < r->count && !r->list[i + 1].used) {
        a->reserved += r->list[i + 1].reserved;
        memmove(&r->list[i + 1], &r->list[i + 2], (size_t)(r->count - i - 2) * sizeof *r->list);
        r->count--;
    }
    if (i > 0 && !r->list[i - 1].used) {
        r->list[i - 1].reserved += r->list[i].reserved;
        memmove(&r->list[i], &r->list[i + 1], (size_t)(r->count - i - 1) * sizeof *r->list);
        r->count--;
    }
    pthread_mutex_unlock(&device_memory.lock);
    return cudaSuccess;
}

void memory_reset(void)
{
    TELL(reset);
    memory_disown_all();
    shared_revoke_all(device_protection());
    for (int k = R_DEVICE; k <= R_PINNED; k++) {
        pthread_mutex_lock(&device_memory.lock);
        regions[k].count = 0;
        regions[k].top = regions[k].base;
        pthread_mutex_unlock(&device_memory.lock);
    }
    pthread_mutex_lock(&device_memory.lock);
    device_memory.used_bytes = 0;
    pthread_mutex_unlock(&device_memory.lock);
}

size_t memory_used(void)
{
    pthread_mutex_lock(&device_memory.lock);
    const size_t bytes = device_memory.used_bytes;
    pthread_mutex_unlock(&device_memory.lock);
    return bytes;
}
