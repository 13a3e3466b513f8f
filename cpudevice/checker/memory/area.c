/* area.c: the shared variables of a block: where they lie, with red zones on both sides. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "memory/area.h"
#include "core/layout.h"
#include "race/shadow.h"
#include "core/worker.h"

void check_area_init(struct check_area *ar, uintptr_t lo, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (ar->lo == lo && ar->bytes >= bytes)
        return;
    if (ar->owner) {
        munmap(ar->owner, ar->bytes);
        munmap(ar->cells, (ar->bytes / 4 + 1) * sizeof *ar->cells);
        munmap(ar->byte_cells, (ar->bytes + 4) * sizeof *ar->byte_cells);
    }
    ar->lo = lo & ~(uintptr_t)15;
    ar->bytes = bytes + (lo - ar->lo);
    ar->owner = check_must_reserve(ar->bytes, PROT_READ | PROT_WRITE);
    ar->cells = check_must_reserve((ar->bytes / 4 + 1) * sizeof *ar->cells, PROT_READ | PROT_WRITE);
    ar->byte_cells = check_must_reserve((ar->bytes + 4) * sizeof *ar->byte_cells, PROT_READ | PROT_WRITE);
}

void check_add_shared(worker *w, const char *name, uintptr_t p, size_t bytes)
{
    struct check_area *ar = &w->area[0];
    if (p - ar->lo >= ar->bytes) {
        ar = &w->area[1];
        if (p - ar->lo >= ar->bytes)
            return;
    }
    size_t off = p - ar->lo;
    if (off + bytes > ar->bytes)
        return;
    int o = ar->owner[off];
    if (o && o < 253 && w->shared.var[o].p == p && w->shared.var[o].bytes == bytes && w->shared.var[o].name == name)
        return;
    if (w->shared.vars >= 252)
        return;
    o = ++w->shared.vars;
    w->shared.var[o].name = name;
    w->shared.var[o].p = p;
    w->shared.var[o].bytes = bytes;
    memset(ar->owner + off, o, bytes);
    // Red zones on both sides, over nothing that is known to be a variable.
    for (size_t i = 1; i <= 256 && i <= off && (ar->owner[off - i] == 0 || ar->owner[off - i] == 255); i++)
        ar->owner[off - i] = 255;
    for (size_t i = 0; i < 256 && off + bytes + i < ar->bytes &&
                       (ar->owner[off + bytes + i] == 0 || ar->owner[off + bytes + i] == 255);
         i++)
        ar->owner[off + bytes + i] = 255;
}

void cpudev_check_shared(const volatile void *p, size_t bytes, const char *name)
{
    if (check_self.in_kernel)
        check_add_shared(&check_self, name, (uintptr_t)p, bytes);
}
