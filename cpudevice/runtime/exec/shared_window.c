/* shared_window.c: a block's shared memory as PTX addresses it, in 32 bits.
 *
 *   0x400                dynamic shared memory
 *   STATIC_WINDOW        __shared__ variables: this OS thread's thread-local storage, program and libraries one by one
 *
 * An address agrees with the pointer modulo 1024, so what a program aligns stays aligned and swizzles mean the same.
 * Matrix descriptors hold 18 bits of it: shared_start() gives back the rest.
 *
 * A block of the cluster (shared::cluster) has 1 + its rank in the bits from RANK_BIT on; an address without is the
 * running block's own. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>

#include "exec/shared_window.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "device/message.h"
#include "device/sizes.h"

enum { DYNAMIC_WINDOW = 0x400, STATIC_WINDOW = DYNAMIC_WINDOW + MAX_SHARED_OPTIN, MODULES = 16, RANK_BIT = 24 };
enum { DESCRIPTOR_BITS = 18 };

struct shared_window {
    int count;
    struct module {
        ElfW(Addr) base;  /* whose storage it is */
        char *lo, *hi;    /* of its thread-local storage */
        uint32_t address; /* of lo in the window */
    } module[MODULES];
};

static __thread struct shared_window statics;

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
        m->base = info->dlpi_addr;
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

void shared_window_ready(cpudev_worker *w)
{
    if (!statics.count)
        find_modules();
    w->window = &statics;
}

/* ---- a block's window: that of the worker which runs it ---- */

static const struct module *module_of(const struct shared_window *of, const void *p)
{
    for (int i = 0; of && i < of->count; i++)
        if ((const char *)p >= of->module[i].lo && (const char *)p < of->module[i].hi)
            return &of->module[i];
    return NULL;
}

/* 0: p is none of the block's shared memory. */
static uint32_t address_in(const struct shared_window *of, const char *dynamic, const void *p)
{
    if (dynamic && (const char *)p >= dynamic && (const char *)p <= dynamic + MAX_SHARED_OPTIN)
        return DYNAMIC_WINDOW + (uint32_t)((const char *)p - dynamic);
    const struct module *m = module_of(of, p);
    return m ? m->address + (uint32_t)((const char *)p - m->lo) : 0;
}

static void *pointer_in(const struct shared_window *of, char *dynamic, uint32_t address)
{
    if (address >= DYNAMIC_WINDOW && address < STATIC_WINDOW)
        return dynamic + (address - DYNAMIC_WINDOW);
    for (int i = 0; of && i < of->count; i++) {
        const struct module *m = &of->module[i];
        if (address >= m->address && address - m->address < (size_t)(m->hi - m->lo))
            return m->lo + (address - m->address);
    }
    return NULL;
}

static uint32_t own_address(const void *p)
{
    for (int again = 0; again < 2; again++) {
        const uint32_t address = address_in(&statics, cpudev_tls.dynamic_shared, p);
        if (address)
            return address;
        if (!again)
            find_modules(); /* the first question, or a library loaded since */
    }
    return 0;
}

uint32_t cpudev_to_shared(const void *generic)
{
    uint32_t address = own_address(generic);
    const cpudev_worker *w = cpudev_tls.worker, *of;
    for (unsigned rank = 0; !address && w && w->cluster && (of = cluster_member(rank)); rank++)
        if (of != w && (address = address_in(of->window, of->dynamic_shared, generic)))
            address |= (rank + 1) << RANK_BIT;
    return address;
}

void *cpudev_from_shared(uint32_t address)
{
    const uint32_t place = address & ((1u << RANK_BIT) - 1);
    void *p = NULL;
    if (!statics.count)
        find_modules();
    if (address == place) {
        p = pointer_in(&statics, cpudev_tls.dynamic_shared, place);
    } else {
        const cpudev_worker *of = cluster_member((address >> RANK_BIT) - 1);
        if (of)
            p = pointer_in(of->window, of->dynamic_shared, place);
    }
    return p ? p
             : (void *)(uintptr_t)address; /* no shared memory: using it faults, and the message names the address */
}

void *shared_at(uint32_t address, uint32_t bytes)
{
    if (address >= DYNAMIC_WINDOW && address + bytes <= STATIC_WINDOW)
        return (char *)cpudev_tls.dynamic_shared + (address - DYNAMIC_WINDOW);
    void *p = cpudev_from_shared(address);
    return p != (void *)(uintptr_t)address ? p : NULL;
}

uint32_t shared_start(uint32_t start)
{
    const size_t dynamic = cpudev_tls.worker ? cpudev_tls.worker->command->shared : 0;
    if (start >= DYNAMIC_WINDOW && start - DYNAMIC_WINDOW < dynamic)
        return start;
    for (uint32_t address = start; address < 1u << RANK_BIT; address += 1u << DESCRIPTOR_BITS)
        if (address >= STATIC_WINDOW && shared_at(address, 1))
            return address;
    return start;
}

int cpudev_is_shared(const void *generic) { return own_address(generic) != 0; }
int cpudev_is_cluster_shared(const void *generic) { return cpudev_to_shared(generic) != 0; }

int cpudev_is_local(const void *generic)
{
    const cpudev_worker *w = cpudev_tls.worker;
    const uintptr_t p = (uintptr_t)generic, stacks = w ? (uintptr_t)w->stacks.memory : 0, here = (uintptr_t)&w;
    if (stacks && p - stacks < w->stacks.bytes * w->stacks.count)
        return 1;
    return p - here + 64 * 1024 < 128 * 1024; /* a thread that runs on the worker's own stack */
}

void shared_place(const void *p, char *text, size_t size)
{
    const uint32_t address = cpudev_to_shared(p) & ((1u << RANK_BIT) - 1);
    if (!address)
        snprintf(text, size, "%p", p);
    else if (address < STATIC_WINDOW)
        snprintf(text, size, "shared+%u", address - DYNAMIC_WINDOW);
    else
        snprintf(text, size, "static shared+%u", address - STATIC_WINDOW);
}

/* ---- the cluster's blocks ---- */

/* The storage of the same program or library in another OS thread. */
static const struct module *same_module(const struct shared_window *of, const struct module *m)
{
    for (int i = 0; of && i < of->count; i++)
        if (of->module[i].base == m->base)
            return &of->module[i];
    return NULL;
}

uint32_t cpudev_mapa(uint32_t address, uint32_t rank)
{
    const cpudev_worker *to = cluster_member(rank), *from = cpudev_tls.worker;
    uint32_t place = address & ((1u << RANK_BIT) - 1);
    if (address != place)
        from = cluster_member((address >> RANK_BIT) - 1);
    if (!to || !from) {
        char where[512];
        describe_place(where, sizeof where);
        message("mapa: the cluster has no block %u: %s", rank, where);
        fail_kernel(cudaErrorIllegalAddress);
    }
    if (place < DYNAMIC_WINDOW || place >= STATIC_WINDOW) {
        const struct shared_window *own = from == cpudev_tls.worker ? &statics : from->window;
        const char *p = pointer_in(own, from->dynamic_shared, place);
        const struct module *m = p ? module_of(own, p) : NULL;
        const struct module *there = !m                        ? NULL
                                     : to == cpudev_tls.worker ? same_module(&statics, m)
                                                               : same_module(to->window, m);
        if (there)
            place = there->address + (uint32_t)(p - m->lo);
    }
    return place | (rank + 1) << RANK_BIT;
}

void *cpudev_map_shared_rank(const void *generic, unsigned rank)
{
    const uint32_t address = cpudev_to_shared(generic);
    if (!address) {
        message("map_shared_rank: the address is not in shared memory");
        fail_kernel(cudaErrorIllegalAddress);
    }
    return cpudev_from_shared(cpudev_mapa(address, rank));
}

uint32_t cpudev_rank_of(uint32_t address) { return address >> RANK_BIT ? (address >> RANK_BIT) - 1 : cluster_rank(); }
