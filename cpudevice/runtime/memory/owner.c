/* owner.c: which device an allocation belongs to: a list by address, beside the allocations themselves, because under
 * --check the checker keeps those. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/devices.h"
#include "memory/owner.h"
#include "observe/observer.h"
#include "cpudev_must.h"

typedef struct {
    uintptr_t start;
    size_t bytes;
    int device;
    const void *pool; /* NULL: of no pool, or of one that has ended */
    unsigned readers; /* of pools: which devices may access it; 0: of no pool */
} owned;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static owned *list;

static size_t count, room;

/* With the lock: how many begin at a or below. */
static size_t below(uintptr_t a)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (list[mid].start <= a)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

void memory_owned(const void *p, size_t bytes)
{
    if (device_count() == 1)
        return;
    pthread_mutex_lock(&lock);
    if (count == room) {
        owned *more = realloc(list, (room = room ? 2 * room : 64) * sizeof *list);
        if (!more)
            out_of_memory();
        list = more;
    }
    const size_t at = below((uintptr_t)p);
    memmove(&list[at + 1], &list[at], (count - at) * sizeof *list);
    list[at] = (owned){.start = (uintptr_t)p, .bytes = bytes, .device = current_device()};
    count++;
    pthread_mutex_unlock(&lock);
}

void memory_disowned(const void *p)
{
    if (device_count() == 1)
        return;
    pthread_mutex_lock(&lock);
    const size_t at = below((uintptr_t)p);
    if (at && list[at - 1].start == (uintptr_t)p) {
        memmove(&list[at - 1], &list[at], (count - at) * sizeof *list);
        count--;
    }
    pthread_mutex_unlock(&lock);
}

void memory_disown_all(void)
{
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
}

/* With the lock: what p is part of, or NULL. */
static owned *find(const void *p)
{
    const size_t at = below((uintptr_t)p);
    return at && (uintptr_t)p - list[at - 1].start < list[at - 1].bytes ? &list[at - 1] : NULL;
}

void memory_of_pool(const void *p, const void *pool, int device, unsigned readers)
{
    if (device_count() == 1)
        return;
    pthread_mutex_lock(&lock);
    owned *o = find(p);
    if (o)
        o->device = device, o->pool = pool, o->readers = readers;
    pthread_mutex_unlock(&lock);
}

void memory_pool_access(const void *pool, unsigned readers)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (list[i].pool == pool)
            list[i].readers = readers;
    pthread_mutex_unlock(&lock);
}

void memory_pool_ends(const void *pool)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (list[i].pool == pool)
            list[i].pool = NULL;
    pthread_mutex_unlock(&lock);
}

int memory_owner(const void *p)
{
    if (device_count() == 1)
        return 0;
    pthread_mutex_lock(&lock);
    const owned *o = find(p);
    const int device = o ? o->device : 0;
    pthread_mutex_unlock(&lock);
    return device;
}

static bool reaches(int from, const owned *o)
{
    return o->readers ? o->readers >> from & 1 : may_access(from, o->device);
}

bool cpudev_reaches_all(void)
{
    bool all = true;
    if (device_count() == 1)
        return true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && all; i++)
        all = reaches(current_device(), &list[i]);
    pthread_mutex_unlock(&lock);
    return all;
}

int cpudev_out_of_reach(const void *p)
{
    if (device_count() == 1)
        return -1;
    pthread_mutex_lock(&lock);
    const owned *o = find(p);
    const int owner = o && !reaches(current_device(), o) ? o->device : -1;
    pthread_mutex_unlock(&lock);
    return owner;
}

void *memory_owned_by(int device)
{
    void *p = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && !p; i++)
        if (list[i].device == device)
            p = (void *)list[i].start;
    pthread_mutex_unlock(&lock);
    return p;
}
