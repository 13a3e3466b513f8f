/* describe.c: an address in words. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "memory/describe.h"
#include "report/lines.h"
#include "memory/kernel_memory.h"
#include "core/worker.h"

const char *check_shared_name(worker *w, uintptr_t a, char *out, size_t bytes, uintptr_t *base)
{
    for (int i = 0; i < 2; i++) {
        struct check_area *ar = &w->area[i];
        if (a - ar->lo >= ar->bytes)
            continue;
        int o = ar->owner[a - ar->lo];
        if (o == 254) {
            *base = ar->lo;
            snprintf(out, bytes, "dynamic shared memory, %zu bytes", w->shared.dynamic);
            return "dynamic shared memory";
        }
        if (o && o < 253) {
            *base = w->shared.var[o].p;
            snprintf(out, bytes, "shared array %s, %zu bytes", w->shared.var[o].name, w->shared.var[o].bytes);
            return w->shared.var[o].name;
        }
    }
    out[0] = 0;
    *base = a;
    return "shared memory";
}

/* As check_describe_alloc(). Memory that was allocated in another file than the kernel's goes by the name of the
 * kernel's parameter, where the line of the access at pc tells which it is. */
void check_describe_memory(const worker *w, const check_alloc *al, void *pc, char *out, size_t bytes)
{
    char name[64];
    check_describe_alloc(al, out, bytes);
    if (!pc || !w->in_kernel || !w->op || !w->op->d.file)
        return;
    const char *line = check_line(al->alloc_pc), *colon = strrchr(line, ':');
    size_t n = colon ? (size_t)(colon - line) : 0;
    const char *file = check_short_path(w->op->d.file);
    if ((n && strlen(file) == n && !strncmp(file, line, n)) ||
        !check_parameter(w->op->d.file, w->op->d.line, pc, name, sizeof name))
        return;
    snprintf(out, bytes, "%s, a parameter of the kernel: %zu bytes, %s", name, al->bytes,
             al->alloc_name ? al->alloc_name : "allocated");
}

void check_describe_address(worker *w, uintptr_t a, int shared, void *pc, char *object, size_t bytes, char *where,
                            size_t where_bytes)
{
    if (shared) {
        uintptr_t base;
        const char *n = check_shared_name(w, a, object, bytes, &base);
        snprintf(where, where_bytes, "%s at byte %zu", n, (size_t)(a - base));
        return;
    }
    long off;
    check_alloc *al = check_alloc_near((void *)a, &off);
    if (al) {
        check_describe_memory(w, al, pc, object, bytes);
        snprintf(where, where_bytes, "%s memory at byte %ld of the allocation",
                 al->kind == CPUDEV_MEM_MANAGED  ? "managed"
                 : al->kind == CPUDEV_MEM_PINNED ? "pinned"
                                                 : "global",
                 off);
        return;
    }
    check_variable *v = check_variable_at((void *)a, 0);
    check_registered *r = check_registered_at(a, 0);
    object[0] = 0;
    if (r && r->pageable) {
        snprintf(object, bytes, "host array, %zu bytes", r->bytes);
        snprintf(where, where_bytes, "host memory at byte %zu", (size_t)(a - r->p));
    } else if (r) {
        snprintf(object, bytes, "%s, %zu bytes, %s at %s",
                 r->device ? "mapped device memory" : "registered host memory", r->bytes,
                 r->device ? "mapped" : "cudaHostRegister", check_line(r->caller));
        snprintf(where, where_bytes, "%s memory at byte %zu", r->device ? "mapped" : "registered", (size_t)(a - r->p));
    } else if (v) {
        snprintf(object, bytes, "%s variable %s, %zu bytes",
                 v->kind == 'c'   ? "__constant__"
                 : v->kind == 'm' ? "__managed__"
                                  : "__device__",
                 v->name, v->bytes);
        snprintf(where, where_bytes, "%s at byte %zu", v->name, (size_t)(a - v->p));
    } else {
        snprintf(where, where_bytes, "address 0x%lx", (unsigned long)a);
    }
}

static int shared_array_at(const worker *w, uintptr_t a, check_array *out)
{
    int best = 0; // in a gap: the array before it
    for (int i = 1; i <= w->shared.vars; i++)
        if (w->shared.var[i].p <= a && (!best || w->shared.var[i].p > w->shared.var[best].p))
            best = i;
    if (w->shared.dynamic && a - (uintptr_t)w->shared.arena < w->shared.arena_bytes) {
        out->base = (uintptr_t)w->shared.arena;
        out->bytes = w->shared.dynamic;
        snprintf(out->name, sizeof out->name, "dynamic shared memory");
    } else if (best) {
        out->base = w->shared.var[best].p;
        out->bytes = w->shared.var[best].bytes;
        snprintf(out->name, sizeof out->name, "%s", w->shared.var[best].name);
    } else
        return 0;
    snprintf(out->about, sizeof out->about, "shared memory, %zu bytes", out->bytes);
    return 1;
}

int check_array_at(uintptr_t a, int shared, check_array *out)
{
    long off;
    *out->name = *out->about = 0;
    if (shared)
        return shared_array_at(&check_self, a, out);
    const check_alloc *al = check_alloc_near((void *)a, &off);
    const check_variable *v = al ? NULL : check_variable_at((void *)a, 256);
    if (al) {
        out->base = al->base;
        out->bytes = al->bytes;
        check_describe_alloc(al, out->about, sizeof out->about);
        check_alloc_name(al, out->name, sizeof out->name);
    } else if (v) {
        out->base = v->p;
        out->bytes = v->bytes;
        snprintf(out->name, sizeof out->name, "%s", v->name);
        snprintf(out->about, sizeof out->about, "%s variable, %zu bytes",
                 v->kind == 'c'   ? "__constant__"
                 : v->kind == 'm' ? "__managed__"
                                  : "__device__",
                 v->bytes);
    }
    return al || v;
}
