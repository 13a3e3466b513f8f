/* hooks.h: the checker's calls that go up, all of them: to order.c, and to the viewer, which is above the checker. A
 * member is NULL where nobody is to be called. tests/house/layers.sh counts them and refuses other function pointers at
 * file scope. */
#ifndef CHECKER_HOOKS_H
#define CHECKER_HOOKS_H

#include <stdint.h>

struct check_finding;
struct check_op;
struct sums;

extern struct check_hooks { /* who calls -> whom: when */
    /* operation.c -> order.c: a kernel's operation goes, and what is known of its blocks' order with it */
    void (*free_sync)(struct check_op *op);
    /* report.c -> viewer: each finding */
    void (*finding_made)(int number, const struct check_finding *f);
    /* access.c, counters.c -> viewer, of blocks that are followed (counters_followed). `memory`: 0 global, 1 shared */
    void (*access)(uint32_t thread, uintptr_t a, unsigned bytes, int kind, int memory, void *pc);
    void (*constant)(uint32_t thread, uintptr_t a, unsigned bytes, void *pc);
    /* counters.c -> viewer: what was counted at one place of a block */
    void (*counted)(uintptr_t key, int kind, int memory, unsigned bytes, const struct sums *s);
} check_hooks;

#endif
