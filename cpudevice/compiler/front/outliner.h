/* outliner.h: between the two files of the pass outline. */
#ifndef CUCC_OUTLINER_H
#define CUCC_OUTLINER_H

#include "front/unit.h"

/* The names that `T a, *b[3] = ...;` declares, from i to its semicolon. */
void declared_names(Unit *u, int i, NameKind kind);
/* The variables declared at i, after a specifier, unless their type is known to be plain. */
void unjudged(Unit *u, int i);
/* What the word at i declares: a class, an enumeration, another name for a type, a constant. */
void outline_word(Unit *u, int i, bool in_function);

#endif
