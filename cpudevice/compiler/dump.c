#include "dump.h"
void dump(Unit *u, const char *pass) { (void)u; (void)pass; }
