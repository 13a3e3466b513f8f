/* instructions.h: what the files share that estimate how many instructions nvcc makes of a statement
 * (arithmetic_instructions.c says how). */
#ifndef CUCC_INSTRUCTIONS_H
#define CUCC_INSTRUCTIONS_H

#include "analysis/analysis.h"
#include "emit/gpu_arithmetic.h"
#include "kernel/split.h"
#include "../include/cpudev_instruction_costs.h"

#define INSTRUCTIONS "::cpudev::instructions::"

#define KIND(kind, integer, in_long, real, in_double) of_##kind,
enum { CPUDEV_INSTRUCTIONS(KIND) KINDS };
#undef KIND
enum { INTEGER, LONG, REAL, DOUBLE, TYPES };

/* The table of costs: a row for each kind of expression. */
typedef struct {
    const char *name;
    unsigned long long cost[TYPES]; /* prices (include/cpudev_pipes.h) */
} InstructionKind;
extern const InstructionKind instruction_kinds[KINDS]; /* instructions_types.c */
enum { MOST_LOOPS = 16, MOST_LAMBDAS = 32, MOST_AVAILABLE = 256, BRANCH = 1 };

/* A column of the table: at least this one, or that of a type which g++ knows. */
typedef struct {
    int least;
    char *text; /* C++ that says it, or NULL */
    bool is_unsigned;
} Type;

/* The price of instructions (include/cpudev_pipes.h): so much, and what g++ adds up. */
typedef struct {
    unsigned long long known;
    char *more; /* "" or " + ..." */
} Sum;

/* A closure in a variable, of which the compiler has no tree. */
typedef struct {
    const struct Counter *in;
    const Decl *d;
    bool called;
    unsigned varying; /* parameters that a call gives something that is not constant */
} Lambda;
typedef struct {
    Lambda lambda[MOST_LAMBDAS];
    int n;
} Lambdas;

typedef struct Counter {
    const struct Counter *outer; /* of the function that a closure is in, or NULL */
    Lambdas *lambdas;
    const Lambda *own; /* the closure's, or NULL */
    const Arithmetic *b;
    const Split *split; /* of a kernel in regions, or NULL */
    Function *f;
    const Tokens *t;
    struct {
        const Node *n;
        Sum *before;        /* what is computed in front of it */
        const Decl *steady; /* its variable, if that changes by a constant */
    } loop[MOST_LOOPS];     /* that are not unrolled, the innermost last */
    int loops;
    const Decl *unrolled[MOST_LOOPS]; /* the variables of loops that are, and how they change */
    const Node *unrolled_step[MOST_LOOPS];
    int unrolled_n;
    const Node *available[MOST_AVAILABLE]; /* what has been computed, and is still the same */
    int available_n;
} Counter;

/* instructions_constants.c */
bool is_unrolled(const Counter *c, const Decl *d); /* the variable of a loop that is */
bool folded(const Counter *c, const Node *n);      /* a constant where nvcc has unrolled the loops round it */
char *constant_text(const Counter *c, const Node *n);
bool changed_within(const Decl *d, const Node *n);
bool unchanged(const Counter *c, const Node *n, const Node *loop);
bool is_available(Counter *c, const Node *n);
bool lanes_agree(const Counter *c, const Node *n); /* n is the same in all threads of a block: it is seen at once */
bool steps_along(const Counter *c, const Node *n);

/* instructions_types.c */
const Decl *decl_of(const Counter *c,
                    const Node *n); /* the function's own variable, or one that a closure has from outside */
Type column(int least);
Type column_at(const Counter *c, const Tokens *t, int first, int last); /* of the type that is written there */
Type wider_column(Type a, Type b);                                      /* takes both over */
Type column_of(const Counter *c, const Node *n);
int math_function(const Counter *c, const Node *n, bool *real);
Type column_of_call(const Counter *c, const Node *n);

/* instructions_costs.c */
Sum nothing(void);
bool is_nothing(const Sum *s);
void add_sum(Sum *s, Sum more);
void add_cost(Counter *c, const Node *n, Sum *s);

#endif
