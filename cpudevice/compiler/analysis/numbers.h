/* numbers.h: what kind of number an expression is, as far as that is known. */
#ifndef CUCC_NUMBERS_H
#define CUCC_NUMBERS_H

#include "front/unit.h"

/* NUMBER_NEITHER: something else, such as a pointer or a bool */
typedef enum { NUMBER_UNKNOWN, NUMBER_INTEGER, NUMBER_REAL, NUMBER_NEITHER } Number;

Number number_of(const Tokens *t, const Node *n);
Number number_of_type(const Tokens *t, int first, int last);

#endif
