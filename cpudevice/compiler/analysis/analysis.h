/* analysis.h: what the passes over the tree share. Each works on one function, so that a kernel in canonical form can
 * be looked at again. */
#ifndef CUCC_ANALYSIS_H
#define CUCC_ANALYSIS_H

#include "front/unit.h"

void add_use(Decl *d, int at, UseKind kind, Node *statement);
void resolve_function(Function *f);
void effects_function(const Unit *u, Function *f);

/* Why threads of this function must not run one after another in a loop; NULL: they may. Text that g++ is to judge is
 * added to `judged`, as expressions of static_assert. barriers: they may be in it as statements. */
const char *harmful(Unit *u, Function *f, bool barriers, char **judged);

Purity purity_of(Unit *u, int number); /* of the unit's function of this number */

/* names.c: the program's functions of the name at i in t, one after another: start with -1. */
int function_named(const Unit *u, const Tokens *t, int i, int after);
bool shared_helper(const Unit *u, const Tokens *t, int i);
/* May the name at i, which our headers give a function, mean something else of the program: a variable, a class, a
 * parameter of f's template, a method that f calls without an object?  Functions of that name are function_named()'s. */
bool hidden_by_program(const Unit *u, const Function *f, const Tokens *t, int i);

/* variance.c */
typedef struct VarianceRule {
    const Unit *u;
    const Function *f;
    Variance (*name)(const struct VarianceRule *, const Node *name); /* the variance of a name */
    void *context;                                                   /* for that */
    bool annotating;                                                 /* the operands' Node.variance is known */
} VarianceRule;
Variance variance_of(const VarianceRule *r, const Node *n);
Variance global_variance(const Unit *u, const Function *f, const Node *name); /* of a name that is not local */
bool same_in_block(Variance v);
void variance_function(const Unit *u, Function *f);
/* Is the name, which is not local, a constant, or one of the block's and grid's coordinates? */
bool constant_name(const Unit *u, const Function *f, const Node *n);
/* Is a function called whose value depends on its arguments alone, and which the program does not hide? */
bool calls_arithmetic(const Unit *u, const Function *f, const Node *callee);
bool plain_variable(const Decl *d); /* a number or a pointer of the thread's own, without further words */

/* uniform.c */
bool uniform_expression(const Unit *u, const Function *f, const Node *n); /* the same for all threads of a block */
bool recomputable(const Unit *u, const Function *f, const Node *n, const Decl *at); /* by each thread at any time */

/* tree.c: does the program declare threadIdx, blockIdx, blockDim or gridDim in f, or outside of functions? */
bool hides_coordinates(const Unit *u, const Function *f);

/* operators.c: may n, whose operator is at n->op, call an operator of the program?  Does that take this operand by
 * value? */
bool overloaded(const Unit *u, const Function *f, const Node *n);
bool operator_takes_value(const Unit *u, const Function *f, const Node *n, int operand);

/* apart.c: may the compiler take f's statement n for many threads at a time? What each has of its own is in registers. */
bool threads_apart(const Unit *u, const Function *f, const Node *n);

/* exchange.c: puts a barrier into each loop that is better outside the work-item loop. Is there one? */
bool exchange_loops(Unit *u, Kernel *k);

/* lanes.c: __shfl_sync(...), __syncwarp() and their like at i? Shuffles as what all threads of the block do; false, if not. */
bool warp_function(const Tokens *t, int i);
bool put_lanes(Unit *u, Kernel *k);

/* canonical.c */
bool make_canonical(Unit *u, Kernel *k);
/* regions.c: splits the kernel at its barriers; false, with k->why, if it must stay on fibers. bulk: it has none, and
 * is one region only if that can be checked in bulk. */
bool split_kernel(Unit *u, Kernel *k, bool bulk);

#endif
