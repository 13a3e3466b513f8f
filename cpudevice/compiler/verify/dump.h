/* dump.h: what the unit looks like after a pass, as text for tests and for who reads the compiler. */
#ifndef CUCC_DUMP_H
#define CUCC_DUMP_H
#include "front/unit.h"
void dump(Unit *u, const char *pass);
void dump_declarators(Unit *u); /* each declaration of the unit: its type; each declarator */

#endif
