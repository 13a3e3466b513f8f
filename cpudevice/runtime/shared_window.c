/* shared_window.c: a block's shared memory as PTX addresses it, in 32 bits.
 *
 *   0x400                dynamic shared memory
 *   STATIC_WINDOW        __shared__ variables: this OS thread's thread-local storage, program and libraries one by one
 *
 * An address agrees with the pointer modulo 1024, so what a program aligns stays aligned and swizzles mean the same.
 * Matrix descriptors hold 18 bits: all of dynamic memory, and the first 28 KB of static, lie below 2^18. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>

#include "shared_window.h"
#include "sizes.h"
#include "thread.h"

enum { DYNAMIC_WINDOW = 0x400, STATIC_WINDOW = DYNAMIC_WINDOW + MAX_SHARED_OPTIN, MODULES = 16 };

static __thread struct {
    int count;
    struct module {
        char *lo, *hi;    /* of its thread-local storage */
        uint32_t address; /* of lo in the window */
    } module[MODULES];
} statics;

static int add_module(struct dl_phdr_info *info, size_t size, void *next)
{
    uint32_t *address = next;
    (void)size;
    if (!info->dlpi_tls_data || statics.count == MODULES)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_TLS)
            continue;
        struct module *m = &statics.module[statics.count++];
        m->lo = info->dlpi_tls_data;
        m->hi = m->lo + info->dlpi_phdr[i].p_memsz;
        m->address = *address + (uint32_t)((uintptr_t)m->lo % 1024);
        *address = (m->address + (uint32_t)(m->hi - m->lo) + 1023) / 1024 * 1024;
    }
    return 0;
}

static void find_modules(void)
{
    uint32_t address = STATIC_WINDOW;
    statics.count = 0;
    dl_iterate_phdr(add_module, &address);
}

static const struct module *module_of(const void *p)
{
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < statics.count; i++)
            if ((char *)p >= statics.module[i].lo && (char *)p < statics.module[i].hi)
                return &statics.module[i];
        if (!again)
            find_modules(); /* the first question, or a library loaded since */
    }
    return NULL;
}

uint32_t cpudev_to_shared(const void *generic)
{
    const char *p = generic, *dynamic = cpudev_tls.dynamic_shared;
    if (dynamic && p >= dynamic && p <= dynamic + MAX_SHARED_OPTIN)
        return DYNAMIC_WINDOW + (uint32_t)(p - dynamic);
    const struct module *m = module_of(p);
    return m ? m->address + (uint32_t)(p - m->lo) : 0;
}

void *cpudev_from_shared(uint32_t address)
{
    if (address >= DYNAMIC_WINDOW && address < STATIC_WINDOW)
        return (char *)cpudev_tls.dynamic_shared + (address - DYNAMIC_WINDOW);
    if (!statics.count)
        find_modules();
    for (int i = 0; i < statics.count; i++) {
        const struct module *m = &statics.module[i];
        if (address >= m->address && address - m->address < (size_t)(m->hi - m->lo))
            return m->lo + (address - m->address);
    }
    return (void *)(uintptr_t)address; /* no shared memory: using it faults, and the message names the address */
}

void *shared_at(uint32_t address, uint32_t bytes)
{
    if (address >= DYNAMIC_WINDOW && address + bytes <= STATIC_WINDOW)
        return (char *)cpudev_tls.dynamic_shared + (address - DYNAMIC_WINDOW);
    void *p = cpudev_from_shared(address);
    return p && cpudev_to_shared(p) == address ? p : NULL;
}

int cpudev_is_shared(const void *generic) { return cpudev_to_shared(generic) != 0; }

int cpudev_is_local(const void *generic)
{
    const cpudev_worker *w = cpudev_tls.worker;
    const uintptr_t p = (uintptr_t)generic, stacks = w ? (uintptr_t)w->stacks : 0, here = (uintptr_t)&w;
    if (stacks && p - stacks < w->stack_bytes * w->stack_count)
        return 1;
    return p - here + 64 * 1024 < 128 * 1024; /* a thread that runs on the worker's own stack */
}

void shared_place(const void *p, char *text, size_t size)
{
    const uint32_t address = cpudev_to_shared(p);
    if (!address)
        snprintf(text, size, "%p", p);
    else if (address < STATIC_WINDOW)
        snprintf(text, size, "shared+%u", address - DYNAMIC_WINDOW);
    else
        snprintf(text, size, "static shared+%u", address - STATIC_WINDOW);
}

/* ---- clusters: each block is a cluster of its own ---- */

uint32_t cpudev_mapa(uint32_t address, uint32_t rank)
{
    if (rank)
        fail_kernel(cudaErrorIllegalAddress);
    return address;
}

uint32_t cpudev_rank_of(uint32_t address)
{
    (void)address;
    return 0;
}
