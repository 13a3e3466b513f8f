/* bounds.c: memcheck: accesses out of bounds and misaligned. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memcheck.h"
#include "memory/describe.h"
#include "report/findings.h"
#include "report/lines.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "race/race.h"
#include "core/tools.h"
#include "core/worker.h"

void check_out_of_bounds_heap(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    long off = 0;
    check_alloc *al = check_alloc_near((void *)a, &off);
    int fatal = !al || (a < al->base ? al->base - a > NEAR : a > al->base + al->bytes + NEAR - 32);
    if (check_tools & TOOL_MEM && !check_seen("out-of-bounds", pc)) {
        check_finding f;
        check_here(&f, TOOL_MEM, "out-of-bounds", pc);
        if (!al) {
            snprintf(f.title, sizeof f.title, "access to address 0x%lx, where nothing is allocated", (unsigned long)a);
            f.cause = "the pointer was never set, or the index is far off";
        } else if (al->freed && off >= 0 && (size_t)off < al->bytes) {
            const bool not_yet = al->freed == NOT_YET;
            f.kind = "use-after-free";
            snprintf(f.title, sizeof f.title,
                     not_yet ? "use of a graph's memory before it is allocated"
                             : "use of device memory after it was freed");
            f.has_other = !not_yet;
            f.other.pc = al->free_pc;
            snprintf(f.other.what, sizeof f.other.what, "freed");
            f.cause = not_yet ? "the node that allocates it comes later, or its graph was not launched"
                              : "the free came before the last kernel that uses the memory";
        } else if (off < 0) {
            snprintf(f.title, sizeof f.title, "out of bounds: %ld byte%s before the start of an allocation", -off,
                     off == -1 ? "" : "s");
            /* What the index would have been, had it not wrapped around 2^32: an element of this allocation? */
            const bool wraps = off % (long)bytes == 0 && (size_t)off + ((size_t)bytes << 32) < al->bytes;
            f.cause =
                wraps ? "the index overflows: a product of two ints is an int, and ends at 2^31: compute it in size_t, "
                        "(size_t)row * width"
                      : "a negative index: guard the left and upper borders";
        } else {
            long past = off - (long)al->bytes;
            if (past < 0)
                snprintf(f.title, sizeof f.title, "out of bounds: the access straddles the end of an allocation");
            else if (past == 0)
                snprintf(f.title, sizeof f.title, "out of bounds: just past the end of an allocation");
            else
                snprintf(f.title, sizeof f.title, "out of bounds: %ld bytes past the end of an allocation", past);
            f.cause = "the grid has more threads than the array has elements (if (i < n) is missing), the bound is off "
                      "by one, or the size was counted in elements instead of bytes";
        }
        snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
        if (al)
            check_describe_memory(w, al, pc, f.object, sizeof f.object);
        check_report(&f);
    }
    if (w->in_kernel && fatal)
        cpudev_thread_kill();
}

void check_peer_memory(worker *w, const check_alloc *al, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (al->kind != CPUDEV_MEM_DEVICE)
        return;
    const int owner = cpudev_out_of_reach((void *)al->base);
    if (owner < 0 || check_seen("peer-access", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "peer-access", pc);
    snprintf(f.title, sizeof f.title,
             "a kernel touches the memory of device %d, and its own device may not access that", owner);
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    check_describe_memory(w, al, pc, f.object, sizeof f.object);
    const bool of_pool = al->alloc_name && (strstr(al->alloc_name, "Async") || strstr(al->alloc_name, "Pool"));
    f.cause = of_pool ? "the memory belongs to a pool, and cudaMemPoolSetAccess() has not opened that pool to the "
                        "kernel's device; cudaDeviceEnablePeerAccess() does not open pools"
                      : "cudaDeviceEnablePeerAccess was not called, or with the wrong device current: call it with the "
                        "kernel's device current, and name the device that owns the memory";
    check_report(&f);
}

void check_out_of_bounds_shared(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    w->index.on = 0;
    if (!(check_tools & TOOL_MEM) || check_seen("out-of-bounds", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "out-of-bounds", pc);
    // The nearest variable is the one that was meant.
    long best = -1;
    int which = 0, before = 0;
    if (ar == &w->area[0])
        for (int i = 1; i <= w->shared.vars; i++) {
            long d = a < w->shared.var[i].p ? (long)(w->shared.var[i].p - a)
                                            : (long)(a + bytes - (w->shared.var[i].p + w->shared.var[i].bytes));
            if (d > 0 && (best < 0 || d < best)) {
                best = d;
                which = i;
                before = a < w->shared.var[i].p;
            }
        }
    if (which) {
        long past = before ? best : (long)(a - (w->shared.var[which].p + w->shared.var[which].bytes));
        if (past == 0)
            snprintf(f.title, sizeof f.title, "out of bounds: just past the end of shared array %s",
                     w->shared.var[which].name);
        else
            snprintf(f.title, sizeof f.title, "out of bounds: %ld byte%s %s shared array %s", past,
                     past == 1 ? "" : "s", before ? "before" : "past the end of", w->shared.var[which].name);
        snprintf(f.object, sizeof f.object, "shared array %s, %zu bytes", w->shared.var[which].name,
                 w->shared.var[which].bytes);
    } else {
        long past = (long)(a - ar->lo) - (long)w->shared.dynamic;
        if (past == 0)
            snprintf(f.title, sizeof f.title, "out of bounds: just past the end of dynamic shared memory");
        else if (past > 0)
            snprintf(f.title, sizeof f.title, "out of bounds: %ld bytes past the end of dynamic shared memory", past);
        else
            snprintf(f.title, sizeof f.title, "out of bounds: the access straddles the end of dynamic shared memory");
        snprintf(f.object, sizeof f.object, "dynamic shared memory, %zu bytes (third launch argument)",
                 w->shared.dynamic);
    }
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    f.cause = which ? "an index beyond the tile: check it against the array's own dimensions, halo included"
                    : "the third launch argument is too small: it counts bytes, and the kernel uses more";
    check_report(&f);
}

int check_misaligned(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    // A float4, or a struct of 16 bytes that may lie at a multiple of 8? The source tells.
    if (w->in_kernel && bytes == 16 && a % 8 == 0 && !check_names_wide(pc))
        return 0;
    if (check_tools & TOOL_MEM && !check_seen("misaligned", pc)) {
        check_finding f;
        check_here(&f, TOOL_MEM, "misaligned", pc);
        snprintf(f.title, sizeof f.title, "misaligned access: address 0x%lx is not a multiple of %u", (unsigned long)a,
                 bytes);
        snprintf(f.at.what, sizeof f.at.what, "%s %u bytes", check_verb(flags), bytes);
        long off;
        check_alloc *al = check_alloc_near((void *)a, &off);
        if (al)
            check_describe_memory(w, al, pc, f.object, sizeof f.object);
        f.cause = "a cast to a wider type (float4*, int2*, double*) needs an address, and an offset, that is a "
                  "multiple of that type's size";
        check_report(&f);
    }
    if (w->in_kernel && bytes == 16)
        cpudev_thread_kill(); // the CPU would fault too
    return 1;
}
