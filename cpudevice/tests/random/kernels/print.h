/* print.h: what the two printers share. */
#ifndef PRINT_H
#define PRINT_H

#include "model.h"

enum { MAX_USED = 256 };

typedef struct {
    Kernel *k;
    FILE *before; /* what has to stand before the kernel: functions, macros and classes made of its statements */
    FILE *to;
    int in_function;
} Printer;

/* Writes a form in which $1 to $5 stand for a to e. */
void print_form(FILE *to, const char *form, const char *a, const char *b, const char *c, const char *d, const char *e);
/* Writes an expression of type unsigned that can stand anywhere; one that is tested; and what can be assigned. */
void print_expr(Printer *p, FILE *to, const Expr *e);
void print_condition(Printer *p, FILE *to, const Expr *e);
void print_lvalue(Printer *p, FILE *to, const Lvalue *l);
/* The value of an expression as text, for the caller to free. */
char *expr_text(Printer *p, const Expr *e);
char *lvalue_text(Printer *p, const Lvalue *l);
const char *type_name(Type type);
const char *op_text(int op);

void print_statements(Printer *p, const Stmt *s);
void print_functions(Printer *p);

#endif
