/* hooks.h: the checker's calls that go up, all of them: to order.c, and to the viewer and the model, which are above the checker. A
 * member is NULL where nobody is to be called. tests/house/layers.sh counts them and refuses other function pointers at
 * file scope. */
#ifndef CHECKER_HOOKS_H
#define CHECKER_HOOKS_H

#include <stdint.h>

struct check_finding;
struct check_op;
struct sums;
struct told_instruction;

/* What a thread does with a word of global memory that others may see change: it reads it and does not change it, by a volatile
 * load or an atomic whose result is used; changes it by comparing; by storing what it holds; or otherwise. */
enum { FLAG_LOOK, FLAG_COMPARE, FLAG_STORE, FLAG_ADD };

extern struct check_hooks { /* who calls -> whom: when */
    /* operation.c -> order.c: a kernel's operation goes, and what is known of its blocks' order with it;
     * NULL: all have gone */
    void (*free_sync)(struct check_op *op);
    /* report.c -> viewer: each finding */
    void (*finding_made)(int number, const struct check_finding *f);
    /* access.c, counters.c -> viewer, of blocks that are followed (counters_followed). `memory`: 0 global, 1 shared */
    void (*access)(uint32_t thread, uintptr_t a, unsigned bytes, int kind, int memory, void *pc);
    void (*constant)(uint32_t thread, uintptr_t a, unsigned bytes, void *pc);
    /* counters.c -> viewer: what was counted at one place of a block */
    void (*counted)(uintptr_t key, int kind, int memory, unsigned bytes, const struct sums *s);
    /* counters.c -> model: each instruction of a warp, before the barrier or the end of the block that follows it */
    void (*instruction)(const struct told_instruction *i);
    /* atomics.c -> model: an atomic or volatile access of global memory. `what`: FLAG_... */
    void (*flag)(uintptr_t a, uint32_t thread, int what);
} check_hooks;

#endif
