/* host_heap.c: the host's own arrays.
 *
 * One byte of shadow for 16 of the address space: 0 where all may be touched, 1 to 15 where so many of them may, else
 * none. Blocks that the program's own malloc and new gave out end in some bytes that may not be touched, and wait a
 * while after their free. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <search.h>
#include <malloc.h>

#include "host/host.h"
#include "report/findings.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

uint8_t *check_host_shadow;

static void host_shadow_set(uintptr_t p, size_t bytes, int freed)
{
    if (!check_host_shadow || p >> 4 >= HOST_SHADOW - bytes / 16 - 4)
        return;
    uint8_t *s = check_host_shadow + (p >> 4);
    if (freed)
        memset(s, HOST_FREED, bytes / 16);
    s += bytes / 16;
    if (bytes % 16)
        *s++ = freed ? HOST_FREED : (uint8_t)(bytes % 16);
    *s = HOST_END;
}

static void host_shadow_clear(uintptr_t p, size_t bytes)
{
    if (check_host_shadow && p >> 4 < HOST_SHADOW - bytes / 16 - 4)
        memset(check_host_shadow + (p >> 4), 0, bytes / 16 + 2);
}

// The program's own malloc and new are known by their sizes, for the host's side of copies.
typedef struct host_block {
    uintptr_t p;
    size_t bytes, usable;
    void *freed_at;
    struct host_block *next;
} host_block;

static void *host_blocks;

static pthread_mutex_t host_blocks_lock = PTHREAD_MUTEX_INITIALIZER;

// What was freed last waits a while before it may be given out again, so that a use of it is seen.
enum { QUARANTINE = 16 << 20 };

static host_block *oldest_freed, **newest_freed = &oldest_freed;

static size_t quarantined;

static int zone_byte(uintptr_t p) { return (int)(p * 0x9e3779b97f4a7c15u >> 56) | 1; }

static int by_range(const void *a, const void *b)
{
    const host_block *x = a, *y = b;
    if (x->p + x->bytes <= y->p)
        return -1;
    return x->p >= y->p + y->bytes;
}

void *check_host_malloc(size_t n)
{
    if (n < 16 || n > SIZE_MAX - 64)
        return malloc(n); // not worth it
    size_t whole = ((n + 15) & ~(size_t)15) + HOST_ZONE;
    void *p = malloc(whole);
    host_block *b = p ? calloc(1, sizeof *b) : NULL;
    if (!b)
        return p;
    b->p = (uintptr_t)p;
    b->bytes = n;
    b->usable = malloc_usable_size(p);
    memset((char *)p + n, zone_byte(b->p), whole - n); // not up to `usable`: a fortified memset() would abort
    check_lock(&host_blocks_lock);
    for (host_block **at; (at = tsearch(b, &host_blocks, by_range)) &&
                          *at != b;) { // the old owner was freed by code that is not watched
        host_block *old = *at;
        tdelete(old, &host_blocks, by_range);
        host_shadow_clear(old->p, old->bytes);
        if (!old->freed_at)
            free(old); // else it waits in the queue below
        else
            old->p = 0;
    }
    host_shadow_set(b->p, n, 0);
    check_forget_pageable(b->p, n); // what was there before may have been freed by code that is not watched
    check_unlock(&host_blocks_lock);
    return p;
}

// The block that a bad access meant. 0 if what is known of it is out of date:
// code that is not watched has freed it or made it longer.
static int host_block_at(uintptr_t a, uintptr_t *p, size_t *bytes, void **freed_at)
{
    int found = 0;
    check_lock(&host_blocks_lock);
    for (unsigned back = 0; back <= 32 && !found; back += 16) {
        host_block one = {(a - back) & ~(uintptr_t)15, 1, 0, NULL, NULL}, **at = tfind(&one, &host_blocks, by_range);
        const host_block *b = at ? *at : NULL;
        if (!b || a - b->p >= b->bytes + 32 || malloc_usable_size((void *)b->p) != b->usable)
            continue;
        const unsigned char *zone = (unsigned char *)b->p + b->bytes;
        if (!b->freed_at && zone[0] != zone_byte(b->p) && zone[HOST_ZONE - 1] != zone_byte(b->p))
            continue;
        *p = b->p;
        *bytes = b->bytes;
        *freed_at = b->freed_at;
        found = 1;
    }
    check_unlock(&host_blocks_lock);
    return found;
}

bool check_host_block(uintptr_t a, uintptr_t *p, size_t *bytes)
{
    void *freed_at;
    return host_block_at(a, p, bytes, &freed_at) && !freed_at && a - *p < *bytes;
}

__attribute__((noinline)) void check_out_of_bounds_host(uintptr_t a, unsigned bytes, int flags, void *pc)
{
    uintptr_t p;
    size_t whole;
    void *freed_at;
    if ((cpudev_api.name && !check_self.in_kernel) || !(check_tools & TOOL_MEM) || check_seen("host-heap", pc))
        return;
    if (!host_block_at(a, &p, &whole, &freed_at))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "host-heap", pc);
    if (freed_at) {
        snprintf(f.title, sizeof f.title, "%s memory after it was freed",
                 check_self.in_kernel ? "a kernel uses host" : "the host uses");
        f.has_other = 1;
        f.other.pc = freed_at;
        snprintf(f.other.what, sizeof f.other.what, "freed");
        f.cause = "free and delete come after the last use of the array";
    } else {
        snprintf(f.title, sizeof f.title, "out of bounds of a host array: %zu bytes past its end",
                 (size_t)(a + bytes - (p + whole)));
        f.cause = "an index beyond the last element (i <= n), or the size was counted in elements instead of bytes";
    }
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    snprintf(f.object, sizeof f.object, "host array, %zu bytes", whole);
    check_report(&f);
}

void check_host_block_free(void *p, void *pc)
{
    host_block one = {(uintptr_t)p, 1, 0, NULL, NULL}, *b = NULL;
    check_lock(&host_blocks_lock);
    host_block **at = tfind(&one, &host_blocks, by_range);
    if (at && (*at)->p == (uintptr_t)p)
        b = *at;
    void *before = b ? b->freed_at : NULL;
    if (b && !before) {
        check_forget_pageable(b->p, b->bytes);
        b->freed_at = pc;
        *newest_freed = b;
        newest_freed = &b->next;
        quarantined += b->bytes;
        if (b->bytes <= QUARANTINE)
            host_shadow_set(b->p, b->bytes, 1);
    }
    while (quarantined > QUARANTINE) {
        host_block *o = oldest_freed;
        oldest_freed = o->next;
        if (!oldest_freed)
            newest_freed = &oldest_freed;
        quarantined -= o->bytes;
        if (o->p) {
            tdelete(o, &host_blocks, by_range);
            host_shadow_clear(o->p, o->bytes);
            free((void *)o->p);
        }
        free(o);
    }
    check_unlock(&host_blocks_lock);
    if (check_host_free(p, pc, before) && before)
        return;
    if (!b)
        free(p);
}

// What the compiler knows of the host's side of the copy that is about to be made (cpudev_templates.h).
static __thread struct {
    const void *p;
    size_t bytes;
} objects[2];

void cpudev_check_objects(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes)
{
    objects[0].p = dst;
    objects[0].bytes = dst_bytes;
    objects[1].p = src;
    objects[1].bytes = src_bytes;
}

void check_objects_end(void) { objects[0].p = objects[1].p = NULL; }

// Bytes from p to the end of the host block it lies in; -1 if it lies in none that is known.
long check_host_room(const void *p, size_t *bytes, void **freed_at)
{
    host_block one = {(uintptr_t)p, 1, 0, NULL, NULL};
    long room = -1;
    check_lock(&host_blocks_lock);
    host_block **at = tfind(&one, &host_blocks, by_range);
    for (int i = 0; i < 2; i++)
        if (p && objects[i].p == p && objects[i].bytes != (size_t)-1)
            room = (long)(*bytes = objects[i].bytes);
    if (at) {
        room = (long)((*at)->p + (*at)->bytes - (uintptr_t)p);
        *bytes = (*at)->bytes;
        *freed_at = (*at)->freed_at;
    }
    check_unlock(&host_blocks_lock);
    return room;
}

// The host frees p: 1 if a finding says why it may not.
int check_host_free(void *p, void *pc, void *freed_at)
{
    check_finding f;
    memset(&f, 0, sizeof f);
    f.tool = TOOL_MEM;
    f.at.pc = pc;
    f.has_other = 1;
    if (freed_at) {
        f.kind = "double-free";
        f.other.pc = freed_at;
        snprintf(f.title, sizeof f.title, "free of host memory that was freed before");
        snprintf(f.other.what, sizeof f.other.what, "freed here first");
        f.cause = "two owners of one pointer; set it to NULL after the free";
    } else {
        f.kind = "free-registered";
        check_registered *r = check_registered_at((uintptr_t)p, 0);
        if (!r || r->p != (uintptr_t)p || r->pageable)
            return 0;
        f.other.pc = r->caller;
        snprintf(f.title, sizeof f.title, "free of host memory that is still registered with cudaHostRegister");
        snprintf(f.other.what, sizeof f.other.what, "registered");
        f.cause = "call cudaHostUnregister before freeing the memory: the driver keeps its pages pinned";
    }
    if (check_tools & TOOL_MEM)
        check_report(&f);
    return 1;
}
