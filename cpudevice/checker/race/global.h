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

static inline int other_reader(const worker *w, record r, uint32_t second)
{
    return REC_THREAD(r) != w->thread || (REC_SEG(r) != w->global.segment &&
                                          (!second || widen(second) < w->global.floor) && check_of_other_block(w, r));
}

#endif
