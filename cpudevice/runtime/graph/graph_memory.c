/* graph_memory.c: memory that graphs allocate. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "graph/graph_memory.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "cpudev_must.h"

typedef struct record {
    struct record *next;
    uintptr_t p;
    size_t bytes, reserved;
    int holders;
    bool taken;      /* allocated, by the order of the host's calls */
    bool planned;    /* the same, while a launch is being judged */
    int pending;     /* steps on streams that are not over */
    bool backed;     /* counted as the graphs' */
    uint32_t stream; /* of the last step */
} record;

static record *records;

static uint64_t used, most_used; /* bytes of those that are backed */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* before that of the device's memory */

static record *find(const void *p)
{
    record *r = records;
    while (r && r->p != (uintptr_t)p)
        r = r->next;
    return r;
}

/* Bytes that the device has more, or less. */
static void count_device(size_t more, size_t less)
{
    pthread_mutex_lock(&device_memory.lock);
    device_memory.used_bytes += more;
    device_memory.used_bytes -= less;
    pthread_mutex_unlock(&device_memory.lock);
}

static void back(record *r, bool yes)
{
    if (r->backed == yes)
        return;
    r->backed = yes;
    used += yes ? r->reserved : 0;
    used -= yes ? 0 : r->reserved;
    count_device(yes ? r->reserved : 0, yes ? 0 : r->reserved);
    if (used > most_used)
        most_used = used;
}

cudaError_t graph_memory_new(void **p, size_t bytes)
{
    allocation a;
    pthread_mutex_lock(&device_memory.lock);
    *p = allocate(R_DEVICE, bytes, MEMORY_OF_GRAPH);
    pthread_mutex_unlock(&device_memory.lock);
    if (!*p)
        return cudaErrorMemoryAllocation;
    record *r = must(calloc(1, sizeof *r));
    if (!allocation_of(*p, &a))
        abort();
    r->p = (uintptr_t)*p;
    r->bytes = bytes;
    r->reserved = a.reserved;
    count_device(0, r->reserved);
    pthread_mutex_lock(&lock);
    r->next = records;
    records = r;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

bool is_graph_memory(const void *p, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const record *r = find(p);
    if (r && bytes)
        *bytes = r->bytes;
    pthread_mutex_unlock(&lock);
    return r;
}

/* With the lock. An observer that keeps the memory knows by itself that there is none. */
static void release_if_unused(record *r)
{
    if (r->holders || r->taken || r->pending)
        return;
    back(r, false);
    for (record **at = &records; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    if (!ASK(free)) {
        count_device(r->reserved, 0);
        memory_free((void *)r->p, R_DEVICE);
    }
    free(r);
}

void graph_memory_hold(const void *p)
{
    pthread_mutex_lock(&lock);
    record *r = find(p);
    if (r)
        r->holders++;
    pthread_mutex_unlock(&lock);
}

void graph_memory_let(const void *p)
{
    pthread_mutex_lock(&lock);
    record *r = find(p);
    if (r && --r->holders == 0)
        release_if_unused(r);
    pthread_mutex_unlock(&lock);
}

/* With the lock: room for r, from what others on this stream, or that are over, have freed. */
static cudaError_t find_room(record *r, uint32_t stream)
{
    if (r->backed)
        return cudaSuccess;
    size_t got = 0;
    for (record *o = records; o && got < r->reserved; o = o->next)
        if (o->backed && !o->taken && !o->planned && (!o->pending || o->stream == stream)) {
            got += o->reserved;
            back(o, false);
        }
    if (r->reserved > device_memory.total_bytes - memory_used())
        return cudaErrorMemoryAllocation;
    back(r, true);
    return cudaSuccess;
}

static cudaError_t judge(const graph_memory_step *steps, int n)
{
    for (int i = 0; i < n; i++) {
        record *r = find(steps[i].p);
        if (r)
            r->planned = r->taken;
    }
    for (int i = 0; i < n; i++) {
        record *r = find(steps[i].p);
        if (!r || r->planned == steps[i].allocates)
            return cudaErrorInvalidValue;
        r->planned = steps[i].allocates;
    }
    return cudaSuccess;
}

cudaError_t graph_memory_launch(const graph_memory_step *steps, int n, uint32_t stream)
{
    pthread_mutex_lock(&lock);
    cudaError_t e = judge(steps, n);
    for (int i = 0; !e && i < n; i++) /* all that is allocated is so at one time: none lends to another */
        find(steps[i].p)->planned = true;
    for (int i = 0; !e && i < n; i++)
        e = find_room(find(steps[i].p), stream);
    for (int i = 0; !e && i < n; i++) {
        record *r = find(steps[i].p);
        r->taken = steps[i].allocates;
        r->pending++;
        r->stream = stream;
    }
    for (record *r = records; r; r = r->next)
        r->planned = false;
    pthread_mutex_unlock(&lock);
    return e;
}

bool graph_memory_launch_frees(void *p, uint32_t stream)
{
    pthread_mutex_lock(&lock);
    record *r = find(p);
    const bool was = r && r->taken;
    if (was) {
        r->taken = false;
        r->pending++;
        r->stream = stream;
    }
    pthread_mutex_unlock(&lock);
    return was;
}

void graph_memory_allocated(void *p, size_t bytes)
{
    junk(p, bytes);
    pthread_mutex_lock(&lock);
    record *r = find(p);
    if (r)
        r->pending--;
    pthread_mutex_unlock(&lock);
}

cudaError_t graph_memory_freed(void *p)
{
    const cpudev_observer *keeper = ASK(free);
    pthread_mutex_lock(&lock);
    record *r = find(p);
    const bool bad = keeper ? keeper->free(CPUDEV_MEM_DEVICE, p) : !r;
    const size_t page = 4096, large = (size_t)2 << 20;
    if (r && !keeper && r->reserved >= large) {
        const uintptr_t from = (r->p + page - 1) / page * page, to = (r->p + r->reserved) / page * page;
        madvise((void *)from, to - from, MADV_DONTNEED);
    }
    if (r) {
        r->pending--;
        release_if_unused(r);
    }
    pthread_mutex_unlock(&lock);
    return bad ? cudaErrorInvalidValue : cudaSuccess;
}

void graph_memory_trim(void)
{
    pthread_mutex_lock(&lock);
    for (record *r = records; r; r = r->next)
        if (!r->taken && !r->pending)
            back(r, false);
    pthread_mutex_unlock(&lock);
}

void graph_memory_forget(void)
{
    pthread_mutex_lock(&lock);
    while (records) {
        record *r = records;
        records = r->next;
        free(r);
    }
    used = most_used = 0;
    pthread_mutex_unlock(&lock);
}

uint64_t graph_memory_used(bool most)
{
    pthread_mutex_lock(&lock);
    const uint64_t bytes = most ? most_used : used;
    pthread_mutex_unlock(&lock);
    return bytes;
}

void graph_memory_used_reset(void)
{
    pthread_mutex_lock(&lock);
    most_used = used;
    pthread_mutex_unlock(&lock);
}
