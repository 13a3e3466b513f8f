/* beside.c: two CPU devices in one process, of which one is libcuda.so.1's. A program or an extension has its own runtime, and a
 * tool in the same process may load the driver: neither knows the other's memory then, which whoever is loaded later says. */
#define _GNU_SOURCE
#include "device/beside.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "device/message.h"

BESIDE_NOTE(BESIDE_RUNTIME);

typedef struct Devices {
    unsigned own, other; /* a bit for each type of note */
    const char *own_name, *other_name;
} Devices;

static unsigned notes_in(const char *notes, size_t n, size_t align)
{
    unsigned types = 0;
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= n;) {
        const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)(const void *)(notes + at);
        const char *name = notes + at + sizeof *head;
        if (head->n_namesz == sizeof BESIDE_NAME && !memcmp(name, BESIDE_NAME, sizeof BESIDE_NAME))
            types |= head->n_type;
        at += sizeof *head + (((size_t)head->n_namesz + 3) & ~(size_t)3);
        at = (at + head->n_descsz + align - 1) & ~(align - 1);
    }
    return types;
}

static int look(struct dl_phdr_info *part, size_t size, void *data)
{
    Devices *devices = data;
    unsigned types = 0;
    bool own = false;
    (void)size;
    for (int i = 0; i < part->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &part->dlpi_phdr[i];
        const uintptr_t begin = part->dlpi_addr + segment->p_vaddr, here = (uintptr_t)look;
        if (segment->p_type == PT_NOTE)
            types |= notes_in((const char *)begin, segment->p_memsz, segment->p_align == 8 ? 8 : 4);
        own |= segment->p_type == PT_LOAD && here >= begin && here - begin < segment->p_memsz;
    }
    if (!types)
        return 0;
    const char *name = *part->dlpi_name ? part->dlpi_name : "the program";
    if (own)
        devices->own = types, devices->own_name = name;
    else if (!devices->other || types & BESIDE_SHARED)
        devices->other = types, devices->other_name = name;
    return 0;
}

__attribute__((constructor)) static void tell_other_device(void)
{
    Devices devices = {0};
    dl_iterate_phdr(look, &devices);
    if (devices.other && (devices.own | devices.other) & BESIDE_SHARED)
        message("two CPU devices are in this process, in %s and in %s: neither knows the other's memory, streams and "
                "errors",
                devices.own_name, devices.other_name);
}
