/* reject_names.h: names without doubt: what a list of declarations declares, and nothing else at namespace scope. */
#ifndef CUCC_REJECT_NAMES_H
#define CUCC_REJECT_NAMES_H

#include "front/unit.h"

/* The tokens at which names are declared; the owner frees `at`. */
typedef struct {
    int *at;
    int n, cap;
} Declared;

void add_declared(Declared *d, int at);

/* Does one of the declarations, which are tokens of t, declare the name at i of `names`, and does nothing else that the
 * program writes at namespace scope? */
bool declared_alone(const Declared *d, const Tokens *t, const Tokens *names, int i);

#endif
