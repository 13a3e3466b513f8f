/* bulk_check.h: what bulk.c and bulk_values.c share. */
#ifndef CUCC_BULK_H
#define CUCC_BULK_H

#include "kernel/split.h"

enum { MEM_SHARED = 1, MEM_GLOBAL = 2 }; /* MEM_SHARED: arrays whose bounds are known, local ones too */
enum { BULK_LOCALS = 64, BULK_SITES = 16 };

typedef struct {
    const Decl *d;
    unsigned on; /* what its value depends on (variance.c) */
} BulkLocal;

typedef struct Bulk {
    Split *s;
    const Region *r;
    BulkLocal local[BULK_LOCALS]; /* declared in the region */
    int nlocals;
    const Decl *key[4]; /* uniform variables on which the accesses depend */
    int nkeys;
    char *touches;
    char *locals;              /* declarations that an address may need */
    char *mask;                /* under which condition this is done */
    bool no_shared, no_global; /* the condition, or a loop, depends on more than they may */
    int sites;
    bool writes;
} Bulk;

/* On what do the values in n depend?  Their keys are noted if wanted. */
unsigned bulk_depends(Bulk *b, const Node *n, bool keys);
bool bulk_keyed(Bulk *b, const Node *n);                /* n depends on nothing of the block but the keys */
int bulk_memory(const Bulk *b, const Node *n);          /* the kinds of memory in n */
bool bulk_values(Bulk *b, const Node *n, bool perhaps); /* any values; perhaps: n is not always computed */
bool bulk_expression(Bulk *b, const Node *n);           /* the same, or an assignment */
/* Sets what may not be done under the condition c, which `mem` depends on; false if that is in doubt. */
bool bulk_condition(Bulk *b, const Node *c, int mem);
/* What follows is done where c holds (or does not), until bulk_unmask() gets back what bulk_mask() gave. */
char *bulk_mask(Bulk *b, const Node *c, bool holds);
void bulk_unmask(Bulk *b, char *outer);
char *bulk_marker(const Token *t, bool ours); /* a line marker */
/* the loops over the threads of code without callbacks, and what each thread begins with */
char *bulk_thread_loops(const Bulk *b, const Token *t, bool slots);

#endif
