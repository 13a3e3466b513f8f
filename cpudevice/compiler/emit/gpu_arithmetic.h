/* gpu_arithmetic.h: what the files share that put a GPU's arithmetic into device code. */
#ifndef CUCC_GPU_ARITHMETIC_H
#define CUCC_GPU_ARITHMETIC_H

#include "front/unit.h"

#define ARITHMETIC "::cpudev::arithmetic::"

enum { NAME_KEYS = 1 << 17, KEPT = 4 };

/* What the program has, the operators by operator_index() and the names by name_key(). */
typedef struct {
    bool kept[KEPT];            /* an operator whose left operand is a reference */
    bool bit_fields[NAME_KEYS]; /* a member to which no reference binds */
    bool parameters[NAME_KEYS]; /* a template's parameter that is a type */
    bool typedefs[NAME_KEYS];   /* a name of an integer type */
} Names;

/* The body that is being looked at. */
typedef struct {
    Unit *u;
    Function *f;
    Tokens *t;
    bool *done; /* tokens at which a conversion or an operator has been dealt with */
    const Names *names;
} Arithmetic;

/* arithmetic_names.c */
void find_names(const Tokens *t, Names *found);
int operator_index(const Tokens *t, int i); /* of `<<`, `>>`, `/` and `%`, which begins at i; or -1 */

/* arithmetic_words.c */
unsigned name_key(const Token *k);
bool harmless_literal(const Tokens *t, int i, bool shift);
bool may_be_bit_field(const Arithmetic *b, int i);

/* arithmetic_tree.c: what the tree of b->f knows. */
void convert_tree(Arithmetic *b, const Node *n);
bool may_be_integer_type(const Arithmetic *b, int first, int last);
bool is_integer_type(const Tokens *t, int first, int last);
void convert(Arithmetic *b, int type_first, int type_last, int first, int last);

/* arithmetic_loose.c: what tokens alone tell. */
void loose_cast(Arithmetic *b, int i);
void function_at(Arithmetic *b, int i);
void printf_at(Arithmetic *b, int i);

#endif
