/* index.c: indices beyond a declared array (-fsanitize=bounds). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memcheck.h"
#include "regions/bulk.h"
#include "report/findings.h"
#include "core/layout.h"
#include "memory/kernel_memory.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"

typedef struct {
    uint16_t kind, info;
    char name[];
} ub_type;

typedef struct {
    const char *file;
    uint32_t line, column;
    ub_type *array, *index;
} ub_data;

void check_ub_report(worker *w)
{
    w->index.on = 0;
    w->busy = w->pending.kind != 0 || w->strong.looked.clock;
    set_key(w);
    if (!(check_tools & TOOL_MEM) || check_seen("array-bounds", w->index.pc))
        return;
    check_finding f;
    uint32_t keep = w->thread;
    w->thread = w->index.thread;
    check_here(&f, TOOL_MEM, "array-bounds", w->index.pc);
    w->thread = keep;
    f.file = w->index.file;
    f.line = (int)w->index.line;
    snprintf(f.title, sizeof f.title, "index %ld is out of bounds of an array of type %s", w->index.index,
             w->index.type);
    f.cause = "valid indices run from 0 to the dimension minus one";
    check_report(&f);
}

// Does this access settle what the index was about? In a matrix declared as
// one object, an index beyond a row may still be inside the whole.
void check_ub_settle(worker *w, uintptr_t a, unsigned bytes)
{
    if (w->thread != w->index.thread) { // loops over the threads do not say when they go on to the next
        check_ub_report(w);
        return;
    }
    uintptr_t base = 0;
    size_t size = 0;
    if (a - w->area[0].lo < w->area[0].bytes) {
        int o = w->area[0].owner[a - w->area[0].lo];
        if (o && o < 253) {
            base = w->shared.var[o].p;
            size = w->shared.var[o].bytes;
        }
    } else if (a - w->area[1].lo < w->area[1].bytes) {
        base = w->area[1].lo;
        size = w->shared.dynamic;
    } else if (a - check_program.data_lo < check_program.data_bytes) {
        check_variable *v = check_variable_at((void *)a, 0);
        if (v) {
            base = v->p;
            size = v->bytes;
        }
    }
    size_t row = w->index.bound * bytes;
    if (base && row && size >= 2 * row && (w->index.elem == 0 || w->index.elem == bytes)) {
        long start = (long)(a - base) - w->index.index * (long)bytes;
        if (start >= 0 && start % (long)row == 0 && (size_t)start < size) {
            w->index.on = 0;
            w->busy = w->pending.kind != 0 || w->strong.looked.clock;
            set_key(w);
            return;
        }
    }
    if (--w->index.left <= 0)
        check_ub_report(w);
}

static unsigned elem_size(const char *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } known[] = {{"float", 4},     {"double", 8},
                 {"int", 4},       {"unsigned int", 4},
                 {"char", 1},      {"unsigned char", 1},
                 {"short int", 2}, {"short unsigned int", 2},
                 {"long int", 8},  {"long unsigned int", 8},
                 {"bool", 1}};
    if (*type == '\'')
        type++;
    if (!strncmp(type, "volatile ", 9))
        type += 9;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i].name);
        if (!strncmp(type, known[i].name, n) && type[n] == ' ' && type[n + 1] == '[')
            return known[i].bytes;
    }
    return 0;
}

void __ubsan_handle_out_of_bounds(ub_data *d, uintptr_t index)
{
    worker *w = &check_self;
    if (w->index.on)
        check_ub_report(w);
    long i = (long)index;
    unsigned bits = 1u << (d->index->info >> 1);
    if (d->index->info & 1 && bits < 64)
        i = (long)((int64_t)((uint64_t)index << (64 - bits)) >> (64 - bits));
    w->index.on = 1;
    w->index.left = 12;
    w->index.pc = CALLER;
    w->index.file = d->file;
    w->index.line = d->line;
    w->index.index = i;
    w->index.thread = w->thread;
    snprintf(w->index.type, sizeof w->index.type, "%s", d->array->name);
    size_t n = strlen(w->index.type); // drop the quotes
    if (n > 1 && w->index.type[0] == '\'') {
        memmove(w->index.type, w->index.type + 1, n - 2);
        w->index.type[n - 2] = 0;
    }
    const char *b = strrchr(w->index.type, '[');
    w->index.bound = b ? strtoul(b + 1, NULL, 10) : 0;
    w->index.elem = elem_size(d->array->name);
    const char *first = strchr(w->index.type, '[');
    if (!w->in_kernel || !b || first != b || !w->index.bound)
        check_ub_report(w);
    else {
        w->busy = 1;
        look_at_all(w);
    }
}

void __ubsan_handle_out_of_bounds_abort(ub_data *d, uintptr_t index) { __ubsan_handle_out_of_bounds(d, index); }
