/* printer.h: what the printers share. A printer edits tokens (of the unit, or of a kernel in canonical form). */
#ifndef CUCC_PRINT_H
#define CUCC_PRINT_H

#include "front/unit.h"

/* A body of device code whose tokens are edited. */
typedef struct Body {
    int open, close;
    bool kernel;                 /* of a kernel itself, not of a function in it */
    bool device, host, constant; /* constant: constexpr */
    const Function *function;
} Body;

/* Which functions of the program take structs by value (print_copies.c). */
typedef struct Copies {
    const Unit *u;
    const Function **by_value;
    int n;
    int *pointer, pointers_n; /* names of pointers to functions */
    Function *hosts;          /* the functions of the host */
    int nhosts;
    bool operators, conversions; /* the program has operators of its own, and such as operator T() */
} Copies;

void print_words(Unit *u);     /* specifiers, pragmas, variables at file scope */
void print_constants(Unit *u); /* print_constants.c */
void print_shared(Unit *u, Tokens *t, int i, const Body *in_body);
void print_static(Tokens *t, int i);                  /* the word static at i, in device code, under --check */
void print_instance(const Unit *u, Tokens *t, int i); /* a variable template's name at i, under --check */
int statement_block(const Tokens *t, int i);          /* the brace of statements that i is in, or -1 */
void print_guards(Unit *u, Tokens *t, int i);         /* a declaration of local arrays at i, under --check */
int print_launch(Unit *u, Tokens *t, int i);          /* the last token of the launch's configuration */
void print_asm(Unit *u, Tokens *t, int i);
Copies find_copies(const Unit *u);
void free_copies(Copies *c);
/* Under --check: structs that calls return and take, in f, of the unit or a kernel in canonical form. */
void print_copies(const Copies *c, const Function *f);
void print_copies_of_host(const Copies *c);
/* bodies.c */
bool lambda_brace(const Tokens *t, int i, int *head); /* is it a lambda's? its brackets begin at *head */
bool class_brace(const Tokens *t, int i, int *head);
bool method_brace(const Tokens *t, int i); /* of a class within a function */
/* hiding.c */
bool is_enumerator(const Tokens *t, int i); /* is the name at i declared there, in an enumeration? */
/* Does the closure or the local class with that brace, whose text begins at `head`, have a thing of its own of the name at
 * i? */
bool is_hidden(const Tokens *t, int i, int head, int brace);
/* Is the brace that of a closure in `outer`? Then *f is that, as a function with a tree. */
bool closure_at(const Unit *u, const Function *outer, int brace, Function *f);
/* Is the parenthesis at i, outside of functions, that of a function's parameters? Then *f is that function, without a tree. */
bool host_function_at(const Unit *u, int i, Function *f);
/* Under --check: in which rounds of loops and calls of functions a thread is. */
void print_rounds(const Unit *u, const Function *f, bool split);
void print_assignment(Unit *u, Tokens *t, int i); /* i may be an assignment's operator */
bool empty_loop(const Tokens *t, int i, int *where);
void print_kernel(Unit *u, Kernel *k);
void print_active(struct Split *s); /* which threads are active, where a kernel with guards is split */
bool decays(const Tokens *t, int name, int dims, int a, int b);
int shown(const Token *t); /* how much of a name is the program's */

#endif
