/* guards.h: the guards round what a kernel does, where that is split. */
#ifndef CUCC_GUARDS_H
#define CUCC_GUARDS_H

#include "kernel/split.h"

/* May n be left out for a thread, and done again? It changes nothing, and calls no function of the program. */
bool harmless(const Unit *u, const Function *f, const Node *n);

/* Those at the kernel's beginning, after nothing but declarations that may be left out. */
Guards find_guards(const Unit *u, const Function *f);
void take_guards(const Guards *g); /* each becomes an S_GUARD */

#endif
