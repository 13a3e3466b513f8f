/* gpu_arithmetic.h: what the files share that put a GPU's arithmetic into device code. */
#ifndef CUCC_GPU_ARITHMETIC_H
#define CUCC_GPU_ARITHMETIC_H

#include "front/unit.h"

#define ARITHMETIC "::cpudev::arithmetic::"

enum { KEPT = 4 };

/* A set of names. All zeros is the empty one. */
typedef struct {
    const Token **slot; /* `room` of them, a power of two */
    unsigned room, count;
} NameSet;

/* What the program has, the operators by operator_index(). */
typedef struct {
    bool kept[KEPT];    /* an operator whose left operand is a reference */
    NameSet bit_fields; /* a member to which no reference binds */
    NameSet parameters; /* a template's parameter that is a type */
    NameSet typedefs;   /* a name of an integer type */
    NameSet values;     /* a template of variables */
    NameSet constants;  /* a constant that is static */
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
bool is_in(const NameSet *set, const Token *name);
void add_to(NameSet *set, const Token *name);
bool harmless_literal(const Tokens *t, int i, bool shift);
bool may_be_bit_field(const Arithmetic *b, int i);
bool is_constant(const Arithmetic *b, int i);

/* arithmetic_tree.c: what the tree of b->f knows. */
void convert_tree(Arithmetic *b, const Node *n);
bool may_be_integer_type(const Arithmetic *b, int first, int last);
bool is_integer_type(const Tokens *t, int first, int last);
void convert(Arithmetic *b, int type_first, int type_last, int first, int last);

/* arithmetic_doubles.c */
void count_doubles(Arithmetic *b, const Node *n);

/* arithmetic_instructions.c */
void count_instructions(Arithmetic *b, const struct Split *split);

/* arithmetic_loose.c: what tokens alone tell. */
void loose_cast(Arithmetic *b, int i);
void function_at(Arithmetic *b, int i);
void printf_at(Arithmetic *b, int i);

#endif
