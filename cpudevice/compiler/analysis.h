/* analysis.h: what the passes over the tree share. Each works on one function, so that a kernel in canonical form can
 * be looked at again. */
#ifndef CUCC_ANALYSIS_H
#define CUCC_ANALYSIS_H

#include "unit.h"

void add_use(Decl *d, int at, UseKind kind, Node *statement);
void resolve_function(Function *f);
void effects_function(const Unit *u, Function *f);

/* Why threads of this function must not run one after another in a loop; NULL: they may. Text that g++ is to judge is
 * added to `judged`, as expressions of static_assert. barriers: they may be in it as statements. */
const char *harmful(Unit *u, Function *f, bool barriers, char **judged);

Purity purity_of(Unit *u, int number); /* of the unit's function of this number */

/* names.c: the program's functions of the name at i in t, one after another: start with -1. */
int function_named(const Unit *u, const Tokens *t, int i, int after);
bool shared_helper(const Unit *u, const Tokens *t, int i);

/* uniform.c */
bool uniform_expression(const Unit *u, const Function *f, const Node *n); /* the same for all threads of a block */
bool recomputable(const Unit *u, const Function *f, const Node *n, const Decl *at); /* by each thread at any time */

/* canonical.c */
bool make_canonical(Unit *u, Kernel *k);
/* regions.c: splits the kernel at its barriers; false, with k->why, if it must stay on fibers. bulk: it has none, and
 * is one region only if that can be checked in bulk. */
bool split_kernel(Unit *u, Kernel *k, const char *judged, bool bulk);

#endif
