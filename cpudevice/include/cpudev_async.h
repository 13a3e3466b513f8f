/*
 * cpudev_async.h: cp.async, on which the pipelines and memcpy_async are built.
 *
 * The copy is put off until the thread waits for its group, so that reading too early finds what a GPU may find: the
 * old bytes. A thread's queue hangs in its slot of the runtime, which frees it when the thread ends.
 */
#ifndef CPUDEV_ASYNC_H
#define CPUDEV_ASYNC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpudev_abi.h"

/* Under cucc --check the copies are watched like the kernel's own accesses; the queue is not, for it is no memory of
 * the program's. A watched function must not be merged into one that is not, nor the other way (gcc 10 would). */
#define CPUDEV_ASYNC_OWN CPUDEV_ASYNC_WATCHED __attribute__((no_sanitize("thread")))
#ifdef __SANITIZE_THREAD__
#define CPUDEV_ASYNC_WATCHED __attribute__((noinline))
#else
#define CPUDEV_ASYNC_WATCHED
#endif

struct cpudev_async_copy {
    void *to;
    const void *from;
    unsigned short bytes, valid; /* the bytes past `valid` become zero */
    unsigned group;
#ifdef __SANITIZE_THREAD__
    unsigned ordered; /* when, as the checker counts */
#endif
};
struct cpudev_async_queue {
    unsigned size, capacity, group; /* copies waiting, room for copies, number of the group being filled */
    cpudev_async_copy copies[1];
};

CPUDEV_ASYNC_WATCHED static inline void cpudev_async_copy_bytes(void *to, const void *from, unsigned bytes,
                                                                unsigned valid)
{
    if (bytes == 16 && valid == 16) {
        *(uint4 *)to = *(const uint4 *)from;
    } else if (bytes == 8 && valid == 8) {
        *(uint2 *)to = *(const uint2 *)from;
    } else if (bytes == 4 && valid == 4) {
        *(uint32_t *)to = *(const uint32_t *)from;
    } else if (bytes % 4 == 0 && valid % 4 == 0) {
        for (unsigned i = 0; i < bytes / 4; i++)
            ((uint32_t *)to)[i] = 4 * i < valid ? ((const uint32_t *)from)[i] : 0;
    } else {
        for (unsigned i = 0; i < bytes; i++)
            ((unsigned char *)to)[i] = i < valid ? ((const unsigned char *)from)[i] : 0;
    }
}

#ifdef __SANITIZE_THREAD__
/* The hardware may write the bytes at any time from now on, not only when somebody waits: a write that racecheck sees,
 * and bytes that nobody can take for the right ones, nor read before they are there. */
CPUDEV_ASYNC_WATCHED static inline void cpudev_async_spoil(void *to, unsigned bytes)
{
    if (bytes == 16)
        *(uint4 *)to = uint4{~0u, ~0u, ~0u, ~0u};
    else if (bytes == 8)
        *(uint2 *)to = uint2{~0u, ~0u};
    else if (bytes == 4)
        *(uint32_t *)to = ~0u;
    cpudev_check_in_flight(to, bytes);
}
#endif

CPUDEV_ASYNC_OWN static inline void cpudev_async_enqueue(void *to, const void *from, unsigned bytes, unsigned valid)
{
#ifdef __SANITIZE_THREAD__
    cpudev_async_spoil(to, bytes);
#endif
    void **slot = cpudev_thread_slot();
    cpudev_async_queue *q = (cpudev_async_queue *)*slot;
    if (!q || q->size == q->capacity) {
        unsigned capacity = q ? 2 * q->capacity : 16;
        q = (cpudev_async_queue *)realloc((void *)q, sizeof(*q) + capacity * sizeof(q->copies[0]));
        if (!q)
            abort();
        if (!*slot)
            q->size = q->group = 0;
        q->capacity = capacity;
        *slot = q;
    }
    q->copies[q->size] = cpudev_async_copy{to, from, (unsigned short)bytes, (unsigned short)valid, q->group};
#ifdef __SANITIZE_THREAD__
    q->copies[q->size].ordered = cpudev_check_ordered();
#endif
    q->size++;
}

CPUDEV_ASYNC_OWN static inline void cpudev_async_commit(void)
{
    void **slot = cpudev_thread_slot();
    if (!*slot) { /* an empty group counts, too */
        cpudev_async_enqueue(0, 0, 0, 0);
        ((cpudev_async_queue *)*slot)->size = 0;
    }
    ((cpudev_async_queue *)*slot)->group++;
}

/* Do the copies of every group but the last `pending` committed ones; with `all`, also those not committed. */
CPUDEV_ASYNC_OWN static inline void cpudev_async_wait(unsigned pending, bool all)
{
    cpudev_async_queue *q = (cpudev_async_queue *)*cpudev_thread_slot();
    unsigned done = 0;
    if (!q)
        return;
    while (done < q->size && (all || q->copies[done].group + pending < q->group)) {
        const cpudev_async_copy *c = &q->copies[done++];
#ifdef __SANITIZE_THREAD__
        cpudev_check_landing(c->ordered);
#endif
        cpudev_async_copy_bytes(c->to, c->from, c->bytes, c->valid);
    }
#ifdef __SANITIZE_THREAD__
    cpudev_check_landing(0);
#endif
    for (unsigned i = done; i < q->size; i++) {
        q->copies[i - done] = q->copies[i];
        __asm__ volatile("" ::: "memory"); /* no memmove: under --check that would be watched */
    }
    q->size -= done;
#ifdef __SANITIZE_THREAD__
    cpudev_check_under_way(q->size);
#endif
}

/* One thread's share of a copy by `threads` threads: 16 bytes each in turn where both sides and the size allow it. */
static inline void cpudev_async_share(void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    size_t alignment = (size_t)to | (size_t)from | bytes, unit = 1;
    while (unit < 16 && !(alignment & unit))
        unit *= 2;
    for (size_t at = rank * unit; at < bytes; at += threads * unit)
        cpudev_async_enqueue((char *)to + at, (const char *)from + at, (unsigned)unit, (unsigned)unit);
}

#endif
