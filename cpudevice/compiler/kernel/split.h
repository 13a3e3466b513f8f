/* split.h: parallel regions: the code between two barriers, which a work-item loop runs for each thread of the block.
 */
#ifndef CUCC_SPLIT_H
#define CUCC_SPLIT_H

#include "front/unit.h"

enum { MOST_GUARDS = 8 };

/* `if (c) return;` (leaves) or `if (c) { the rest }`. */
typedef struct Guard {
    Node *statement;
    bool leaves;
} Guard;
typedef struct Guards {
    Guard guard[MOST_GUARDS];
    int n;
} Guards;

typedef struct Region {
    Node *list;       /* the statement list it is in; NULL: it is the only statement of an if or a loop */
    Node **statement; /* its statements, in order */
    int n;
    int first, last; /* tokens */
    bool returns;
    bool apart; /* what each thread has of its own is in registers (apart.c) */
} Region;

/* A kernel in parallel regions (Kernel.split). */
typedef struct Split {
    Unit *u;
    Kernel *k;
    Function *f;
    Tokens *t;
    Region *region;
    int nregion, cap;
    bool open;   /* the last region may grow */
    Decl **used; /* by token: the variable that is used, or declared, there */
    int slots;   /* arrays among them */
    Guards guards;
} Split;

Region *region_of(const Split *s, int token); /* split.c */
void fail(Split *s, const char *why, int at);
bool place_variables(Split *s); /* placement.c: before there are regions: what is uniform, what may be computed anew */
bool require_variables(Split *s);     /* placement.c: with regions: what lives across a barrier */
bool counting(const Node *statement); /* a statement that changes a uniform variable for all threads */
bool uniform_step(const Split *s, const Node *n);
char *static_assertion(const Kernel *k);                                 /* what g++ has to judge */
bool print_bulk(Split *s, const Region *r, char **before, char **after); /* bulk.c: false if it cannot be */

/* slot_types.c */
bool auto_can_be_told(const Split *s, const Decl *d);
char *value_type(const Split *s, const Decl *d);

/* print_bindings.c */
bool pointer_is_const(const Split *s, const Decl *d);
char *anew(const Split *s, const Decl *d);
char *binding(const Split *s, const Decl *d);
char *bindings(const Split *s, int first, int last, bool slots);

#endif
