/* generate.h: what the generator's files share. */
#ifndef GENERATE_H
#define GENERATE_H

#include "model.h"

enum { MAX_VISIBLE = 128 };

typedef struct {
    uint64_t state;
    Kernel *k;
    Var *visible[MAX_VISIBLE];
    int visible_count;
    int depth;        /* of statements */
    int uniform;      /* control flow is the same for all threads here */
    int in_loop;      /* break may stand here */
    int may_continue; /* continue may */
    int loop_uniform; /* that loop's flow is uniform */
    int in_function;  /* of Function.body: only its parameters are there */
    Mode *loop_modes; /* the modes at the head of the innermost uniform loop */
    int *loop_ops;
    int names;
    int wild;          /* nodes in a thousand that are not written in their plainest form */
    unsigned kinds;    /* bits: the kinds of variables */
    unsigned without;  /* bits: what statements() leaves out */
    int uniform_loads; /* what all threads share may be loaded from memory */
    int no_loads;      /* nothing is loaded from memory here */
} Maker;

/* A list of statements that grows at its end. */
typedef struct {
    Stmt *first, **end;
} List;

uint64_t next(Maker *m);
int below(Maker *m, int n);
int chance(Maker *m, int percent);
int spelling(Maker *m, int forms);
int readable(const Var *v, int uniform);
Var *pick(Maker *m, int (*wanted)(const Var *, int), int argument);
int changeable(const Var *v, int uniform);
int referable(const Var *v, int unused);
int plain_scalar(const Var *v, int type);
int is_quiet(const Var *v, int unused);
int is_pointer(const Var *v, int unused);
void show(Maker *m, Var *v);
void leave_scope(Maker *m, int mark, Var **hidden, int hidden_count);
Var *new_var(Maker *m, VarKind kind, Type type);
Expr *expression(Maker *m, int depth, int uniform);
Expr *new_expr(Maker *m, ExprKind kind, int forms);
Expr *constant(Maker *m, unsigned value);
void choose_part(Maker *m, Lvalue *l, Var *v, int uniform);
Array *array_in(Maker *m, Mode mode);
Expr *leaf(Maker *m, int uniform);

Stmt *add(Maker *m, List *to, StmtKind kind, int forms);
/* At most count statements, at the end of a list. */
void statements(Maker *m, List *to, int count);

#endif
