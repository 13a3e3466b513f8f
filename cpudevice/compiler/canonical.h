/* canonical.h: what the files of the canonical form share. */
#ifndef CUCC_CANONICAL_H
#define CUCC_CANONICAL_H

#include "unit.h"

void canonical_bounds(Kernel *k);
void analyse(Unit *u, Kernel *k);
char *static_assertion(const Kernel *k, const char *judged);

#endif
