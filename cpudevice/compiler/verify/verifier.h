/* verifier.h: what the verifier's files share. */
#ifndef CUCC_VERIFY_H
#define CUCC_VERIFY_H

#include "front/unit.h"

/* After which pass the unit is looked at; a later pass keeps what an earlier one has promised. */
typedef enum {
    AFTER_MERGE,
    AFTER_OUTLINE,
    AFTER_PARSE,
    AFTER_RESOLVE,
    AFTER_EFFECTS,
    AFTER_LOCKSTEP,
    AFTER_CALLS,
    AFTER_VARIANCE,
    AFTER_REJECT,
    AFTER_CANONICAL,
    AFTER_REGIONS,
    AFTER_WORK_ITEMS,
    AFTER_PRINT
} Stage;

typedef struct Verify {
    Unit *u;
    const char *pass;
    Stage stage;
    const Function *f; /* the function that is looked at, and its tokens */
    const Tokens *t;
    bool broken; /* something has been found and reported */
} Verify;

/* verify_report.c: a pass has broken its contract at token i. Only the first is reported. */
void broke(Verify *v, int i, const char *what);

void verify_tree(Verify *v);                     /* verify_tree.c: nodes and declarations */
void verify_uses(Verify *v);                     /* verify_uses.c: each name and its declaration */
void verify_variance(Verify *v);                 /* verify_variance.c: what expressions depend on */
void verify_regions(Verify *v, const Kernel *k); /* verify_regions.c: each statement is in a region, once */
void verify_kernel(Verify *v, const Kernel *k);  /* verify_kernel.c: what is printed as a loop or in regions */

#endif
