/* kernel_info.c: a kernel's names, and how many blocks of it a multiprocessor holds. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "launch/kernel_info.h"
#include "device/sizes.h"

/* The mangled name, for tools that demangle as a GPU's do. A class local to _Z1kPf is called Z1kPfE10cpudev_tag; where
 * there is no such type (-fno-rtti), the display name. */
const char *kernel_symbol(cpudev_kernel *k)
{
    static const char end[] = "E10cpudev_tag";
    char *known = __atomic_load_n(&k->symbol, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    const char *(*tag_of)(void) = __atomic_load_n(&k->tag, __ATOMIC_RELAXED);
    const char *tag = tag_of ? tag_of() : NULL, *last = NULL;
    for (const char *p = tag; p && (p = strstr(p, end)); p++)
        last = p;
    if (!last || *tag != 'Z')
        return kernel_display(k);
    char *made = malloc((size_t)(last - tag) + 2);
    if (!made)
        return k->name;
    made[0] = '_';
    memcpy(made + 1, tag, (size_t)(last - tag));
    made[last - tag + 1] = 0;
    if (!__atomic_compare_exchange_n(&k->symbol, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return known;
    }
    return made;
}

/* "void k(T*) [with T = float]" -> "k<float>(float *)" would need a parser; tools get "k(T*) [with T = float]". */
const char *kernel_display(cpudev_kernel *k)
{
    char *d = __atomic_load_n(&k->display, __ATOMIC_ACQUIRE);
    if (d)
        return d;
    const char *p = k->pretty ? k->pretty : "?";
    static const char *const skip[] = {"static ", "inline ", "constexpr ", "void "};
    for (size_t i = 0; i < sizeof skip / sizeof *skip; i++)
        if (!strncmp(p, skip[i], strlen(skip[i])))
            p += strlen(skip[i]);
    char *made = strdup(p);
    if (!made)
        return k->name;
    if (!__atomic_compare_exchange_n(&k->display, &d, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return d;
    }
    return made;
}

size_t kernel_most_shared(const cpudev_kernel *k)
{
    const int asked = __atomic_load_n(&k->max_dynamic_shared, __ATOMIC_RELAXED);
    if (asked > 0)
        return (size_t)asked;
    return k->static_shared < MAX_SHARED ? MAX_SHARED - k->static_shared : 0;
}

unsigned kernel_most_cluster(const cpudev_kernel *k)
{
    return __atomic_load_n(&k->nonportable_cluster, __ATOMIC_RELAXED) ? CLUSTER_MOST : 8;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

int kernel_resident_blocks(const cpudev_kernel *k, unsigned threads, size_t shared)
{
    const size_t grain = 128; /* bytes in which a multiprocessor gives shared memory out */
    size_t by_threads = MAX_RESIDENT_THREADS / ((threads + WARP - 1) / WARP * WARP);
    size_t by_shared = SHARED_PER_SM / ((k->static_shared + shared + grain - 1) / grain * grain + SHARED_RESERVED);
    return (int)least(least(by_threads, by_shared), MAX_RESIDENT_BLOCKS);
}

int kernel_resident_clusters(const cpudev_kernel *k, unsigned blocks, unsigned threads, size_t shared,
                             unsigned multiprocessors)
{
    const unsigned fit = (unsigned)kernel_resident_blocks(k, threads, shared) * multiprocessors;
    return fit && fit < blocks ? 1 : (int)(fit / blocks); /* a cluster runs however few cores there are */
}
