/* global.h: accesses to global memory, and to everything else but shared memory and the stack. */
#ifndef CHECKER_GLOBAL_H
#define CHECKER_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race/shadow.h"
#include "core/worker.h"

__attribute__((noinline)) int check_of_other_block(const worker *w, record r);
void check_global_bytes(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc, int init);
void check_global_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_other_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);

/* Of the readers x and y, is x the one that is kept beside the running thread? Not one that comes before it, for whoever comes behind
 * the running thread comes behind that one too; and rather one of another segment than of its own. */
__attribute__((noinline)) bool check_second_reader(worker *w, record x, uint32_t y);

/* May some readers of a word come before others that are on record, x being one? Where blocks release data, and where x is
 * of another operation. */
static inline int readers_ordered(const worker *w, record x)
{
    if (w->op->flags)
        return 1;
    const check_seg *g = REC_SEG(x) != w->global.segment ? check_seg_get(REC_SEG(x)) : NULL;
    return g && g->op != w->op->id;
}

static inline int other_reader(const worker *w, record r, uint32_t second)
{
    return REC_THREAD(r) != w->thread || (REC_SEG(r) != w->global.segment &&
                                          (!second || widen(second) < w->global.floor) && check_of_other_block(w, r));
}

#endif
