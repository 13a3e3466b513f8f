/* copies.c: the arguments of copies, memsets and launches. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "host/errors.h"
#include "report/findings.h"
#include "host/host.h"
#include "report/lines.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"

enum { H2H, H2D, D2H, D2D, DEFAULT };

static const char *side(int kind)
{
    switch (kind) {
    case CPUDEV_MEM_MANAGED: return "managed memory";
    case CPUDEV_MEM_PINNED: return "pinned host memory";
    }
    return "device memory";
}

// One end of a copy or a set, and the words for it.
typedef struct copy_end {
    const char *call, *what;
    const void *p;
    size_t span;
} copy_end;

static check_finding overrun(void)
{
    check_finding f = check_host_finding(TOOL_MEM, "copy-overrun");
    f.cause = "the count is in bytes: elements times sizeof, no more than the array holds";
    return f;
}

static int end_at_variable(const copy_end *e, const check_variable *v)
{
    if ((uintptr_t)e->p + e->span <= v->p + v->bytes)
        return 0;
    check_finding f = overrun();
    snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %s has %zu bytes", e->call, e->span, e->what,
             v->name, v->bytes);
    check_report(&f);
    return 1;
}

static int end_at_mapped(const copy_end *e, const check_registered *r)
{
    if ((uintptr_t)e->p + e->span <= r->p + r->bytes)
        return 0;
    check_finding f = overrun();
    snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %zu bytes of device memory are mapped there",
             e->call, e->span, e->what, r->bytes - ((uintptr_t)e->p - r->p));
    check_report(&f);
    return 1;
}

// Memory that the device does not know. `device`: it should be the device's.
static int end_at_host(const copy_end *e, int device)
{
    size_t whole = 0;
    void *freed_at = NULL;
    long room = device || !e->p ? -1 : check_host_room(e->p, &whole, &freed_at);
    check_finding f;
    if (freed_at) {
        f = check_host_finding(TOOL_MEM, "use-after-free");
        snprintf(f.title, sizeof f.title, "%s: the %s is host memory that was freed before", e->call, e->what);
        f.has_other = 1;
        f.other.pc = freed_at;
        snprintf(f.other.what, sizeof f.other.what, "freed");
        f.cause = "an asynchronous copy needs its host memory until it is done: free it after the synchronize";
    } else if (room >= 0 && (size_t)room < e->span) {
        f = overrun();
        snprintf(f.title, sizeof f.title,
                 "%s of %zu bytes runs over the %s: %zu bytes past the %zu bytes of a host array", e->call, e->span,
                 e->what, e->span - (size_t)room, whole);
    } else if (device && e->p) { // null is the runtime's own error
        f = check_host_finding(TOOL_MEM, "copy-kind");
        snprintf(f.title, sizeof f.title, "%s: the %s %p should be device memory, and is not", e->call, e->what, e->p);
        f.cause = "the arguments or the kind are swapped: the order is destination, source, bytes, kind";
    } else
        return 0;
    check_report(&f);
    return 1;
}

// Memory of the device's that the copy does not leave. `host`: it should be the host's.
static int end_inside(const copy_end *e, const check_alloc *a, int host)
{
    if (a->kind == CPUDEV_MEM_HEAP && !cpudev_on_device()) {
        check_finding f = check_host_finding(TOOL_MEM, "copy-heap");
        snprintf(f.title, sizeof f.title,
                 "%s: the %s is in the heap of the kernels' malloc, which the host cannot copy", e->call, e->what);
        check_describe_alloc(a, f.object, sizeof f.object);
        f.cause = "only kernels can use what malloc or new in a kernel returns: let a kernel copy it to cudaMalloc "
                  "memory, and copy that";
        check_report(&f);
        return 1;
    }
    if (!host || a->kind != CPUDEV_MEM_DEVICE)
        return 0;
    check_finding f = check_host_finding(TOOL_MEM, "copy-kind");
    snprintf(f.title, sizeof f.title, "%s: the %s should be host memory by the kind given, and is device memory",
             e->call, e->what);
    check_describe_alloc(a, f.object, sizeof f.object);
    f.cause = "cudaMemcpyHostToDevice goes to the device, cudaMemcpyDeviceToHost comes from it; or let "
              "cudaMemcpyDefault decide";
    check_report(&f);
    return 1;
}

static void tell_freed(const copy_end *e, const check_alloc *a)
{
    check_finding f = check_host_finding(TOOL_MEM, "use-after-free");
    check_describe_alloc(a, f.object, sizeof f.object);
    snprintf(f.title, sizeof f.title, "%s: the %s was freed before", e->call, e->what);
    f.has_other = 1;
    f.other.pc = a->free_pc;
    snprintf(f.other.what, sizeof f.other.what, "freed");
    f.cause = "the free came too early, or the pointer is stale";
    check_report(&f);
}

static void tell_overrun(const copy_end *e, const check_alloc *a, long off)
{
    long past = off + (long)e->span - (long)a->bytes;
    check_finding f = overrun();
    check_describe_alloc(a, f.object, sizeof f.object);
    snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %ld bytes %s %zu bytes of %s", e->call,
             e->span, e->what, off < 0 ? -off : past, off < 0 ? "before the" : "past the", a->bytes, side(a->kind));
    check_report(&f);
}

// One end of a copy or a set, which should be the device's or the host's memory. 1 if something is wrong with it.
static int check_end(const char *what, const void *p, size_t bytes, size_t rows, size_t pitch, int device, int host)
{
    const copy_end e = {cpudev_api.name ? cpudev_api.name : "copy", what, p, rows ? (rows - 1) * pitch + bytes : 0};
    check_alloc *a;
    long off;
    if (!e.span)
        return 0;
    switch (check_range(p, e.span, &a, &off)) {
    case CHECK_RANGE_UNKNOWN: {
        const check_variable *v = check_variable_at(p, 0);
        const check_registered *r = v ? NULL : check_registered_at((uintptr_t)p, 0);
        return v ? end_at_variable(&e, v) : r && r->device ? end_at_mapped(&e, r) : end_at_host(&e, device);
    }
    case CHECK_RANGE_OK: return end_inside(&e, a, host);
    case CHECK_RANGE_FREED:
        if (a->graph) // a node: whether the memory is there is seen when it runs
            return (size_t)off + e.span > a->bytes ? (tell_overrun(&e, a, off), 1) : end_inside(&e, a, host);
        tell_freed(&e, a);
        return 1;
    default: tell_overrun(&e, a, off); return 1;
    }
}

// A __device__ or __constant__ variable's own name in a call or launch: on the host it means the host's shadow of it.
static int bare_symbol(const void *p, const char *what)
{
    check_variable *v = check_variable_at(p, 0);
    if (!v || v->kind == 'm' || v->address_known)
        return 0;
    check_finding f = check_host_finding(TOOL_MEM, "bare-symbol");
    snprintf(f.title, sizeof f.title, "%s is given the %s variable %s where it wants an address on the device", what,
             v->kind == 'c' ? "__constant__" : "__device__", v->name);
    snprintf(f.object, sizeof f.object, "%s variable %s, %zu bytes", v->kind == 'c' ? "__constant__" : "__device__",
             v->name, v->bytes);
    f.cause = "on the host the name means the host's own copy: use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask "
              "cudaGetSymbolAddress for the address";
    check_report(&f);
    return 1;
}

void check_launch_args(const void *args, size_t bytes)
{
    if (!(check_tools & TOOL_MEM))
        return;
    if (cpudev_on_device()) {
        check_nested_args(args, bytes);
        return;
    }
    check_note_vtables(args, bytes);
    for (size_t i = 0; i + sizeof(void *) <= bytes; i += sizeof(void *))
        if (bare_symbol(((void *const *)args)[i / sizeof(void *)], "a launch"))
            return;
}

void check_symbol_address(const void *p)
{
    check_variable *v = check_variable_at(p, 0);
    if (v)
        v->address_known = 1;
}

void check_set_value(int value)
{
    if (!(check_tools & TOOL_MEM) || (value >= -128 && value <= 255) || (unsigned)value == (value & 255u) * 0x01010101u)
        return;
    check_finding f = check_host_finding(TOOL_MEM, "memset-value");
    snprintf(f.title, sizeof f.title, "%s fills bytes: of the value %d only the lowest byte, %d, is used",
             cpudev_api.name ? cpudev_api.name : "cudaMemset", value, value & 255);
    f.cause = "to fill an array of int or float with a number other than 0 write a kernel";
    check_report(&f);
}

static int overlap(const cpudev_op_desc *d)
{
    uintptr_t dst = (uintptr_t)d->dst, src = (uintptr_t)d->src;
    if (d->rows != 1 || d->slices > 1 || dst == src || dst >= src + d->bytes || src >= dst + d->bytes)
        return 0;
    check_finding f = check_host_finding(TOOL_MEM, "copy-overlap");
    snprintf(f.title, sizeof f.title, "%s: source and destination overlap by %zu bytes",
             cpudev_api.name ? cpudev_api.name : "copy", d->bytes - (dst > src ? dst - src : src - dst));
    check_alloc *a = check_alloc_near(d->dst, NULL);
    if (a && check_is_heap(d->dst))
        check_describe_alloc(a, f.object, sizeof f.object);
    f.cause = "a copy within one array promises nothing about its order, so it may read what it has just written: copy "
              "through a second array";
    check_report(&f);
    return 0; // the copy itself goes on
}

void check_texture_memory(const void *p, size_t row_bytes, size_t rows, size_t pitch)
{
    if (check_tools & TOOL_MEM)
        check_end("texture's memory", p, row_bytes, rows, pitch, 1, 0);
}

static int judge_copy(const cpudev_op_desc *d)
{
    if (!(check_tools & TOOL_MEM) || !d->bytes)
        return SUCCESS;
    int bad = 0, k = d->copy_kind;
    size_t rows = d->rows, dp = d->dpitch, sp = d->spitch;
    if (d->slices > 1) { // as rows of one long picture, which is what a pitched volume is
        rows = (d->slices - 1) * (dp ? d->dslice / dp : 1) + d->rows;
    }
    const char *fn = cpudev_api.name ? cpudev_api.name : "";
    if (!strstr(fn, "Symbol")) {
        bad |= bare_symbol(d->dst, fn);
        if (d->kind == CPUDEV_OP_COPY)
            bad |= bare_symbol(d->src, fn);
    }
    if (bad) {
        check_explained();
        return INVALID_VALUE;
    }
    if (d->kind == CPUDEV_OP_COPY)
        bad |= overlap(d);
    if (d->kind == CPUDEV_OP_SET) {
        bad = check_end("memory", d->dst, d->bytes, rows, dp, 1, 0);
    } else {
        bad |= check_end("destination", d->dst, d->bytes, rows, dp, k == H2D || k == D2D, k == D2H || k == H2H);
        if (d->slices > 1)
            rows = (d->slices - 1) * (sp ? d->sslice / sp : 1) + d->rows;
        bad |= check_end("source", d->src, d->bytes, rows, sp, k == D2H || k == D2D, k == H2D || k == H2H);
    }
    if (!bad && d->kind == CPUDEV_OP_COPY && !check_is_heap(d->src))
        check_note_vtables(d->src, d->bytes);
    if (bad)
        check_explained();
    return bad ? INVALID_VALUE : SUCCESS;
}

int check_copy_args(const cpudev_op_desc *d)
{
    int error = judge_copy(d);
    check_objects_end();
    return error;
}
