#ifndef PRINT_SCOPE_H
#define PRINT_SCOPE_H

#include "print.h"

void print_scope(Printer *p, const Stmt *s);
/* Do these statements use a variable that they do not declare? */
int statements_use(const Stmt *s, const Var *v);

#endif
