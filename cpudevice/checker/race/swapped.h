/* swapped.h: two sections of one lock, judged in the order in which they did not come. */
#ifndef CHECKER_SWAPPED_H
#define CHECKER_SWAPPED_H

#include <stdint.h>

#include "core/worker.h"

enum { USES = 64 };

typedef struct check_use {
    uintptr_t a;
    void *pc;
    unsigned bytes;
    int writes, differs; /* differs: a write that left another value than the section found */
    uint64_t before;     /* of a write: that value */
} check_use;

/* What a thread did while it held a lock. Uses from `acquired` on come after an acquisition that reaches other blocks,
 * those below `released` before such a release. */
typedef struct check_section {
    uint32_t op, block, thread, grid, barrier, epoch;
    uint64_t began, looked; /* by the clock of held.c: when; when its block last saw what others may have changed */
    int known;              /* it is all here */
    void *take, *give;
    int count, acquired, released;
    check_use of[USES];
} check_section;

static inline int check_uses_overlap(const check_use *x, const check_use *y)
{
    return x->a < y->a + y->bytes && y->a < x->a + x->bytes;
}

/* Could y's section have come before x's, which it followed? */
int check_may_swap(const check_section *x, const check_section *y);
/* Reports what nothing would order then. y is the running thread's. */
void check_swapped(worker *w, const check_section *x, const check_section *y);

#endif
