/* area.h: shared memory as areas: a map of which variable each byte belongs to. */
#ifndef CHECKER_AREA_H
#define CHECKER_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/worker.h"

void check_area_init(struct check_area *ar, uintptr_t lo, size_t bytes);
void check_add_shared(worker *w, const char *name, uintptr_t p, size_t bytes);

static int is_shared(worker *w, uintptr_t a)
{
    return a - w->area[0].lo < w->area[0].bytes || a - w->area[1].lo < w->area[1].bytes;
}

// Of the address of a variable in shared memory: 0 if it is static, 1 if dynamic.
static inline int area_index(const worker *w, uintptr_t a) { return a - w->area[0].lo >= w->area[0].bytes; }

static inline struct check_area *area_of(const worker *w, uintptr_t a)
{
    return (struct check_area *)&w->area[area_index(w, a)];
}

// The last write of a byte of shared memory.
static const record *shared_record(const worker *w, uintptr_t a)
{
    const struct check_area *ar = area_of(w, a);
    size_t off = a - ar->lo;
    return ar->cells[off >> 2].byte_epoch >= w->first_epoch ? &ar->byte_cells[off].w : &ar->cells[off >> 2].w;
}

// Who wrote a granule has checked the bounds; a first write does.
static inline int in_one_variable(const struct check_area *ar, size_t off, unsigned bytes)
{
    uint8_t o = ar->owner[off];
    return ((uint8_t)(o - 1) < 252 || o == 254) && ar->owner[off + bytes - 1] == o;
}

static int is_variable(const worker *w, uintptr_t a)
{
    const struct check_area *ar = area_of(w, a);
    uint8_t o = a - ar->lo < ar->bytes ? ar->owner[a - ar->lo] : 0;
    return o && o != 253 && o != 255;
}

#endif
