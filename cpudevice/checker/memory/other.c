/* other.c: everything else that a kernel may touch: variables, registered memory, arguments, constants. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>

#include "cpudev_abi.h"
#include "race/global.h"
#include "report/findings.h"
#include "core/layout.h"
#include "report/lines.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "memory/pageable.h"
#include "race/peers.h"
#include "race/remote.h"
#include "core/tools.h"
#include "core/worker.h"

static void by_page(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    page *p = page_of(a);
    unsigned here = 4096 - (a & 4095);
    if (bytes > here) {
        check_global_bytes(w, p, a, here, flags, pc, 0);
        check_global_bytes(w, p + 1, a + here, bytes - here, flags, pc, 0);
    } else {
        check_global_bytes(w, p, a, bytes, flags, pc, 0);
    }
}

static const char *kind_of(const check_variable *v)
{
    return v->kind == 'c' ? "__constant__" : v->kind == 'm' ? "__managed__" : "__device__";
}

static void constant_written(const check_variable *v, void *pc)
{
    if (!(check_tools & TOOL_MEM) || check_seen("constant-write", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "constant-write", pc);
    snprintf(f.title, sizeof f.title, "a kernel writes to constant memory (%s)", v->name);
    f.cause = "__constant__ memory is read-only on the device; the host fills it with cudaMemcpyToSymbol";
    check_report(&f);
}

/* A kernel's reads of constant memory are many and alike: of each word the first in each block goes on record, so that a copy
 * which no stream orders with the kernel is a race. */
static void constant_read(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    static __thread struct {
        uintptr_t a;
        uint64_t block;
    } read[256];
    const unsigned h = a >> 2 & 255;
    const uint64_t block = (uint64_t)w->op->id << 32 | w->block_id;
    if (read[h].a == a && read[h].block == block)
        return;
    read[h].a = a;
    read[h].block = block;
    by_page(w, a, bytes, flags, pc);
}

// An access that begins in the variable. False if it goes beyond its end, which is not judged here.
static bool variable_access(worker *w, const check_variable *v, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (!(flags & A_RANGE) && a & (bytes - 1)) {
        check_misaligned(w, a, bytes, flags, pc);
        return true;
    }
    if (a + bytes > v->p + v->bytes)
        return false;
    if (v->kind == 'c' && flags & A_WRITE) {
        constant_written(v, pc);
    } else if (a - check_program.data_lo < check_program.data_bytes && check_tools & (TOOL_RACE | TOOL_HOST)) {
        if (v->kind == 'c')
            constant_read(w, a, bytes, flags, pc);
        else
            by_page(w, a, bytes, flags, pc);
    }
    return true;
}

// What a kernel may read though it is no array of its own: read-only data, of shared libraries too.
static bool read_only_data(uintptr_t a, void *pc)
{
    Dl_info info;
    if (a - check_program.fixed_lo < check_program.fixed_bytes) {
        check_vtable_read(a, pc);
        return true;
    }
    return a - check_program.data_lo >= check_program.data_bytes && dladdr((void *)a, &info);
}

/* Where the access lies, in words. `r`: registered memory that it begins in or goes beyond; `is_mapped`: the host has
 * memory there. */
static void describe_wild(check_finding *f, uintptr_t a, unsigned bytes, const check_registered *r, bool is_mapped)
{
    const check_variable *v = check_variable_at((void *)a, 4096), *next = check_variable_at((void *)(a + 64), 0);
    if (v && (a - check_program.data_lo < check_program.data_bytes)) {
        size_t past = a + bytes > v->p + v->bytes ? a + bytes - (v->p + v->bytes) : 0;
        snprintf(f->title, sizeof f->title, "out of bounds: the access ends %zu bytes past the end of %s", past,
                 v->name);
        snprintf(f->object, sizeof f->object, "%s variable %s, %zu bytes", kind_of(v), v->name, v->bytes);
        f->cause = "an index beyond the array's dimension";
    } else if (next && a < next->p) {
        snprintf(f->title, sizeof f->title, "out of bounds: %zu bytes before the start of %s", (size_t)(next->p - a),
                 next->name);
        f->cause = "a negative index";
    } else if (r) {
        snprintf(f->title, sizeof f->title, "out of bounds: the access ends %zu bytes past the end of %s memory",
                 (size_t)(a + bytes - (r->p + r->bytes)), r->device ? "mapped" : "registered");
        snprintf(f->object, sizeof f->object, "%s, %zu bytes, %s at %s",
                 r->device ? "mapped device memory" : "registered host memory", r->bytes,
                 r->device ? "mapped" : "cudaHostRegister", check_line(r->caller));
        f->cause = r->device ? "an index beyond the array"
                             : "an index beyond the array, or cudaHostRegister was given elements instead of bytes";
    } else if (a < 65536) {
        f->kind = "null";
        snprintf(f->title, sizeof f->title, "a null pointer is dereferenced in a kernel (address 0x%lx)",
                 (unsigned long)a);
        f->cause = "the allocation failed or never happened, and its result was not checked";
    } else if (is_mapped) {
        f->kind = "host-memory";
        snprintf(f->title, sizeof f->title, "a kernel dereferences host memory (address 0x%lx)", (unsigned long)a);
        f->cause = "a pointer from malloc, new, a local or a global host variable was passed to a kernel: give it a "
                   "cudaMalloc or cudaMallocManaged pointer";
    } else {
        snprintf(f->title, sizeof f->title, "access to address 0x%lx, where nothing is allocated", (unsigned long)a);
        f->cause = "the pointer was never set, or was computed wrongly";
    }
}

// An access to nothing that a kernel may touch, or beyond the end of the variable that it begins in.
static void wild_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, const check_registered *r,
                        bool in_variable)
{
    bool is_mapped = a >= 65536 && check_readable((void *)a);
    if (is_mapped && !(flags & A_WRITE) && read_only_data(a, pc))
        return;
    if (in_variable && !(bytes & (bytes - 1)) && bytes <= 16 && a & (bytes - 1)) {
        check_misaligned(w, a, bytes, flags, pc);
        return;
    }
    if (check_tools & TOOL_MEM && !check_seen("out-of-bounds", pc)) {
        check_finding f;
        check_here(&f, TOOL_MEM, "out-of-bounds", pc);
        describe_wild(&f, a, bytes, r, is_mapped);
        snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
        check_report(&f);
    }
    if (!is_mapped)
        cpudev_thread_kill(); // the access itself would be a fault
}

void check_other_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (a - w->args.lo < w->args.bytes) { // each thread copies the launch's arguments
        if (!(flags & A_WRITE) && !(a & 3))
            for (unsigned i = 0; i < bytes; i += 4)
                make_known(w, a + i, WORD);
        return;
    }
    check_variable *v = w->last_var;
    if (!v || a - v->p >= v->bytes)
        v = check_variable_at((void *)a, 0);
    if (v) {
        w->last_var = v;
        if (!variable_access(w, v, a, bytes, flags, pc))
            wild_access(w, a, bytes, flags, pc, NULL, true);
        return;
    }
    const check_registered *r = check_registered_at(a, 0);
    if (r && a + bytes <= r->p + r->bytes) {
        if (!(flags & A_RANGE) && a & (bytes - 1))
            check_misaligned(w, a, bytes, flags, pc);
        else if (check_tools & (TOOL_RACE | TOOL_HOST))
            by_page(w, a, bytes, flags, pc);
        return;
    }
    if (a - check_program.text_lo < check_program.text_bytes && !(flags & A_WRITE))
        return; // literals, tables of constants, vtables
    if (a - w->area[0].lo < w->area[0].bytes)
        return;
    if (cpudev_is_cluster_shared((void *)a)) {
        if (check_is_remote(w, a))
            check_remote_access(w, a, bytes, flags, pc);
        return;
    }
    if (a - w->os_stack.lo < w->os_stack.bytes ||
        a - w->fiber_stacks.lo < w->fiber_stacks.bytes) { // of threads that are fibers
        check_local_of_another(bytes, flags, pc, NULL, 0);
        return;
    }
    bool follow;
    if (check_pageable_access(w, a, bytes, flags, pc, &follow)) {
        if (follow && check_tools & (TOOL_RACE | TOOL_HOST))
            by_page(w, a, bytes, flags, pc);
        return;
    }
    wild_access(w, a, bytes, flags, pc, check_registered_at(a, 64), false);
}
