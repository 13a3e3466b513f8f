/* model.h: the abstract programs that random_kernels makes. A Kernel is a tree of statements over variables of a thread
 * and arrays of a block. generate.c makes one from a seed; print.c writes it as CUDA C++, each node in one of many
 * spellings (its form); interpret.c runs the tree itself, one thread after the other between barriers. The two share
 * the tree and nothing else.
 *
 * A kernel is valid by construction. Values are unsigned and shifts are masked. Barriers and warp functions stand in
 * control flow that is the same for all threads ("uniform"). Between two barriers a block's array is in one mode: each
 * thread uses its own slot; or all read; or all change it by one kind of atomic that commutes. */
#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>
#include <stdio.h>

enum { MAX_THREADS = 128, MAX_BLOCKS = 3, MAX_ARRAYS = 4, MAX_CELLS = 2048, MAX_FUNCTIONS = 6, FIELDS = 6 };

/* LEVEL is an enumeration of the program with functions and operators that tell a const from what may change. */
typedef enum { U32, I32, U16, U8, U64, F32, LEVEL, TYPES } Type;
/* A struct has the members x, in.y and a[4]; a view has two references. */
typedef enum { SCALAR, ARRAY, STRUCT, REFERENCE, POINTER, VIEW } VarKind;

/* Cells hold what a thread's variables hold; a reference's cell holds the number of the cell it refers to. */
typedef struct Var {
    VarKind kind;
    Type type;
    char name[16];
    int uniform;   /* the same in all threads */
    int constant;  /* set by its declaration only */
    int hidden;    /* by another of its name, where the generator is now */
    int fixed;     /* no inner variable takes its name */
    int quiet;     /* looks as if it never changed: only disturb() changes it */
    int parameter; /* of the kernel, whose value is what its declaration says */
    int cell, cells;
} Var;

typedef enum { OWN, READ, ATOMIC } Mode;
typedef enum {
    SHARED,
    SHARED_ROWS,
    SHARED_STRUCTS,
    SHARED_VECTORS,
    SHARED_OBJECT,
    DYNAMIC,
    GLOBAL,
    ARRAY_KINDS
} ArrayKind;

/* An array of a block with one element a thread; thread t's own slot is (t * step + offset) % threads. */
typedef struct {
    ArrayKind kind;
    char name[16];
    int step, offset, number;
    Mode mode; /* where the generator is now */
    int op;
} Array;

struct Expr;
/* What can be assigned: a variable or a part of it, or the own slot of an array. */
typedef struct {
    Var *var;
    int member, form;
    struct Expr *index;
    Array *array;
} Lvalue;

typedef enum { CONSTANT, PARAMETER, LOAD, THREAD, BLOCK, INPUT, ELEMENT, BINARY, NEGATE, CHOOSE, CALL } ExprKind;

typedef struct Expr {
    ExprKind kind;
    int form, op;
    unsigned value; /* of a constant; the number of a parameter or function */
    Lvalue from;
    struct Expr *a, *b, *c;
} Expr;

typedef enum {
    DECLARE,   /* var, initialised by init, or bound to target and target2 */
    ASSIGN,    /* target op= a */
    ALTER,     /* (a & 1 ? target : target2) op= b */
    SWAP,      /* target and target2 */
    REBIND,    /* the pointer var points to target */
    ATOMIC_OP, /* array[a] op= b */
    IF,        /* a & 1: body, else other */
    LOOP,      /* var from 0 while var < (a & 3); form 7 counts down instead, from what a is first */
    SWITCH,    /* a % 3: body, other, third */
    LEAVE,     /* if (a & 1) break, or continue if op */
    SCOPE,     /* body, in a block, function, lambda, macro ... */
    BARRIER,
    COLLECT, /* target = a barrier's or a warp function's result of a; op says which, b is its second argument */
    CALL_BY_REFERENCE /* function(target, a) */
} StmtKind;

typedef struct Stmt {
    StmtKind kind;
    int id, form, op;
    int vector;  /* holds a barrier or a warp function: all threads go through it together */
    int forced;  /* keeps the kernel valid: is not left out */
    int dropped; /* left out by a reduction */
    Var *var;
    Lvalue target, target2;
    Expr *a, *b, *init[FIELDS];
    struct Stmt *body, *other, *third, *next;
    Array *array;
    int function;
} Stmt;

/* A device function. By value: its result is result(p, q). By reference: body changes p, and q is a value. */
typedef struct {
    int by_reference, form;
    Var p, q;
    Expr *result;
    Stmt *body;
} Function;

typedef struct {
    uint64_t seed;
    int number;
    unsigned x, y, z, threads, blocks; /* the shape of a block, its size, the number of blocks */
    unsigned parameter[2];
    int thread_form, template_form;
    Array arrays[MAX_ARRAYS];
    int array_count;
    Function functions[MAX_FUNCTIONS];
    int function_count;
    Stmt *body;
    int statements, cells;
    Expr *result; /* what each thread leaves in the output */
    int plain;    /* write everything in its plainest form */
} Kernel;

enum { OP_ADD, OP_SUB, OP_MUL, OP_XOR, OP_OR, OP_AND, OP_SHL, OP_SHR, OP_DIV, OP_MOD, OP_LESS, OP_EQUAL, OP_BOTH, OPS };
enum { SET = -1, COMPOUND_OPS = OP_AND + 1 };
enum { ATOMIC_ADD, ATOMIC_XOR, ATOMIC_OR, ATOMIC_AND, ATOMIC_MAX, ATOMIC_MIN, ATOMIC_OPS };
enum { COUNT_BARRIER, OR_BARRIER, AND_BARRIER, SHUFFLE, BALLOT, ANY, TILE_SHUFFLE, TILE_SUM, COLLECTIVES };

/* How many spellings print.c has. */
enum {
    ASSIGN_SHIFT = 40,
    ASSIGN_FORMS = 43, /* from ASSIGN_SHIFT on overloaded operators */
    BINARY_WIDE = 9,
    BINARY_FORMS = 11, /* from BINARY_WIDE on overloaded operators */
    LOAD_FORMS = 9,
    CONSTANT_FORMS = 9,
    THREAD_FORMS = 6,
    CHOOSE_FORMS = 7,
    IF_FORMS = 10,
    LOOP_FORMS = 11,
    SCOPE_FORMS = 14,
    BARRIER_FORMS = 10,
    FUNCTION_FORMS = 7,
    ALTER_FORMS = 4,
    SWAP_FORMS = 4,
    DECLARE_FORMS = 11,
    LVALUE_FORMS = 6,
    SWITCH_FORMS = 3,
    COLLECT_FORMS = 5,
    KERNEL_FORMS = 5
};

/* The input array's element i. */
static inline unsigned input_value(unsigned i) { return (i * 2654435761u) ^ (i >> 3); }
enum { INPUTS = 256 };

/* Memory for the whole program's life. */
void *keep(size_t bytes);

Kernel *generate(uint64_t seed, int number);
/* Leaves out the statements with these ids, and declarations that nothing uses. */
void reduce_kernel(Kernel *k, const int *ids, int count);
/* output[block * threads + thread]; stops the program if the kernel turns out not to be valid. */
void interpret(Kernel *k, unsigned *output);
/* Overloaded operators may make a compiler careful with every kernel of the file: one seed in four has them. */
static inline int has_operators(uint64_t seed) { return seed % 4 == 0; }
void print_prelude(FILE *to, uint64_t seed);
void print_kernel(FILE *to, Kernel *k, const unsigned *expected);
void print_main(FILE *to, Kernel **kernels, int count);

#endif
