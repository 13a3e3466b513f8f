/* gpu_arithmetic.h: what the files share that put a GPU's arithmetic into device code. */
#ifndef CUCC_GPU_ARITHMETIC_H
#define CUCC_GPU_ARITHMETIC_H

#include "front/unit.h"

#define ARITHMETIC "::cpudev::arithmetic::"

/* The body that is being looked at. */
typedef struct {
    Unit *u;
    Function *f;
    Tokens *t;
    bool *done; /* tokens at which a conversion or an operator has been dealt with */
    const bool *kept;  /* by operator_index(): has the program one whose left operand is a reference? */
    const bool *bit_fields, *parameters, *typedefs; /* by name_key(): the names of such members and types */
} Arithmetic;

/* arithmetic_words.c */
enum { NAME_KEYS = 1 << 17 };
unsigned name_key(const Token *k);
char *text_shown(const Token *k);                         /* as it is printed so far */
void show_as(Token *k, char *text);                       /* takes `text` over */
void wrap_as(Tokens *t, int first, int last, char *open); /* `open` first.. last `)` */

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
