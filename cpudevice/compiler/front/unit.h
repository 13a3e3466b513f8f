/* unit.h: what the compiler's passes share.
 *
 * A Unit is one translation unit: preprocessed CUDA C++ that becomes C++ for g++. A pass is a function
 * void pass_NAME(Unit *), in a file of its own whose first comment is its contract. A pass changes only what that
 * contract names, and main.c runs the passes in order, with a verifier after each.
 *
 * The text is kept as tokens. Nothing is printed from the tree: a pass that changes the program attaches text to tokens
 * (before, after) or drops them, so that whatever no pass has understood reaches g++ as the user wrote it. */
#ifndef CUCC_UNIT_H
#define CUCC_UNIT_H

#include "front/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- the tree (parse_*.c, resolve.c, effects.c) ---- */

/* On what a value depends, and by how much it grows from a thread to its neighbour in x (variance.c). */
enum { ON_BLOCK = 1, ON_THREAD = 2, ON_UNKNOWN = 4 }; /* ON_UNKNOWN: on memory, on what changes, or not known */
typedef enum { STRIDE_NONE, STRIDE_ONE, STRIDE_ANY } Stride;
typedef struct Variance {
    unsigned char on; /* of these; 0: the same for all threads */
    unsigned char stride;
} Variance;

/* What the operator of an expression does. */
typedef enum {
    OP_NONE,
    /* E_UNARY, and the first two E_POSTFIX */
    OP_INCREMENT,
    OP_DECREMENT,
    OP_PLUS,
    OP_NEGATE,
    OP_NOT,
    OP_COMPLEMENT,
    OP_DEREFERENCE,
    OP_ADDRESS,
    /* E_BINARY */
    OP_OR,
    OP_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_BIT_AND,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_LESS,
    OP_GREATER,
    OP_LESS_EQUAL,
    OP_GREATER_EQUAL,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    /* E_ASSIGN */
    OP_ASSIGN,
    OP_ADD_ASSIGN,
    OP_SUBTRACT_ASSIGN,
    OP_MULTIPLY_ASSIGN,
    OP_DIVIDE_ASSIGN,
    OP_REMAINDER_ASSIGN,
    OP_AND_ASSIGN,
    OP_OR_ASSIGN,
    OP_XOR_ASSIGN,
    OP_SHIFT_LEFT_ASSIGN,
    OP_SHIFT_RIGHT_ASSIGN,
    /* E_MEMBER */
    OP_DOT,
    OP_ARROW,
    OPERATORS
} Operator;

typedef enum {
    /* expressions; op..op_last are the operator's tokens, kids the operands */
    E_NAME,
    E_LITERAL,
    E_STRING,
    E_PAREN,
    E_UNARY,
    E_POSTFIX,
    E_BINARY,
    E_ASSIGN,
    E_TERNARY,
    E_COMMA,
    E_CALL,   /* kid 0 the callee, then the arguments */
    E_INDEX,  /* base, index */
    E_MEMBER, /* base; op is the dot or arrow, last the member's name */
    E_CAST,   /* the operands; op..op_last is the type */
    E_SIZEOF,
    E_LIST,   /* {a, b} */
    E_OPAQUE, /* not understood */
    /* statements */
    S_LIST,
    S_IF,
    S_FOR,
    S_WHILE,
    S_DO,
    S_SWITCH,
    S_CASE,
    S_RETURN,
    S_BREAK,
    S_CONTINUE,
    S_DECL,
    S_EXPR,
    S_EMPTY,
    S_TYPES,   /* using, typedef, static_assert */
    S_BARRIER, /* __syncthreads(); */
    S_GUARD,   /* an S_IF that decides whether a thread takes part at all (guards.c) */
    S_OPAQUE
} NodeKind;

/* What a barrier does. lanes.c writes the last two, as cpudev_exchange() and cpudev_exchange_last(). */
typedef enum {
    BARRIER_BLOCK,
    BARRIER_EXCHANGE,     /* lanes hand over what they have given */
    BARRIER_LAST_EXCHANGE /* and do not wait for those that have ended */
} Barrier;

typedef struct Decl Decl;
typedef struct Node {
    NodeKind kind;
    int first, last; /* tokens */
    int op, op_last;
    Operator oper;     /* of an expression that has one */
    Variance variance; /* of an expression in a kernel */
    struct Node **kid; /* S_IF, S_GUARD: condition, then, else; S_FOR: init, condition, step, body; any may be NULL */
    int n;
    Decl *decl;       /* E_NAME: what it names, if that is local */
    bool has_barrier; /* statements: a barrier is in it */
    Barrier barrier;  /* S_BARRIER */
} Node;

/* How a variable is used at one place (effects.c). What is not recognised is USE_UNKNOWN. */
typedef enum { USE_READ, USE_WRITE, USE_ADDRESS, USE_UNKNOWN } UseKind;
typedef struct Use {
    int at; /* token */
    UseKind kind;
    Node *statement; /* innermost statement of a statement list */
} Use;

/* Where a local variable of a kernel that is split at its barriers is kept (placement.c). */
typedef enum {
    P_PRIVATE, /* in one parallel region: as it is written */
    P_SHARED,  /* __shared__ */
    P_UNIFORM, /* one copy for all threads, written only where all threads are together */
    P_AGAIN,   /* rematerialised in each region that uses it */
    P_FRESH,   /* declared anew, without a value, in each region that uses it: each sets it first */
    P_SLOT     /* a context array: one slot a thread */
} Placement;

struct Decl {
    const char *name;
    int len;
    int at;                    /* token of the name */
    int type_first, type_last; /* the type, without declarator */
    int first, last;           /* the declarator, with initialiser */
    int stars;
    int dims_first, dims_last; /* [..][..]; -1 without */
    int ndims;
    bool is_const, is_constexpr, is_static, is_volatile, is_shared, is_extern, is_auto, is_aligned, is_decltype, is_ref,
        is_param, is_loop;
    bool type_known; /* built from keywords: no assertion is needed */
    char init_form;  /* '=', '(', '{' or 0 */
    Node *init;
    Node *statement; /* S_DECL; NULL for a parameter */
    Node *list;      /* the statement list, or for, that it is in; NULL for a parameter */
    Use *use;
    int nuse, use_cap;
    bool only_read;    /* every use is a recognised read */
    Variance variance; /* of a kernel's variable */
    Placement placement;
    bool written_together; /* P_UNIFORM: changed, where all threads are together */
    bool step_only;        /* ... and that is in the step of its own loop */
    bool wanted;           /* a condition round a barrier depends on it */
    bool required;         /* it is used outside the region that declares it */
};

/* ---- the outline: what is declared at namespace and class scope (outline.c) ---- */

typedef enum {
    N_TYPE,
    N_PLAIN_TYPE,
    N_CLASS, /* a class that is not plain */
    N_CONSTANT,
    N_CONSTANT_MEMORY,
    N_MEMORY,
    N_UNJUDGED, /* a variable of a type that is not known */
    N_FUNCTION,
    N_TEMPLATE,
    N_TEMPLATE_MEMORY, /* a template of variables in the device's memory */
    N_ARRAY_MEMBER,    /* of a plain class */
    N_CLASS_CONSTANT,  /* besides N_CONSTANT: its type may be no arithmetic one */
    N_NO_NUMBER        /* besides N_PLAIN_TYPE: it may be another type than an arithmetic one */
} NameKind;
typedef struct Name {
    const char *s;
    int len;
    NameKind kind;
    int dims;          /* N_ARRAY_MEMBER: the most that a member of this name has */
    struct Name *next; /* same hash */
} Name;

typedef enum { F_UNKNOWN, F_VISITING, F_PURE, F_IMPURE } Purity;

typedef struct Function {
    int start;                         /* first token of its declaration */
    int name;                          /* -1: a lambda */
    int open, close;                   /* parentheses of its parameters */
    int body, end;                     /* braces; -1 for a declaration */
    int template_first, template_last; /* the parameters of its template; -1 */
    bool kernel, device, host, is_constexpr, member;
    int bounds;  /* __launch_bounds__ token, or -1 */
    int cluster; /* __cluster_dims__ token, or -1 */
    int scope;   /* the brace it is in, or -1 */
    /* its body as a tree (parse): tokens may be the unit's or, for a kernel in canonical form, a copy */
    Tokens *tok;
    Node *tree;
    Decl **decl;
    int ndecl, decl_cap;
    int nparams; /* the first of decl */
    /* calls */
    Purity purity;
    const char *why; /* it is impure, for --dump */
    bool atomics;    /* has or calls atomics */
    bool waits;      /* has, or calls a function that has, a barrier */
    bool meets;      /* ... or something that the lanes of a warp do together, and lanes.c can take apart */
    bool lockstep;   /* lanes exchange values through volatile memory in it (lockstep.c) */
    bool inlined;    /* scratch: into this kernel */
    bool in_place;   /* its body is in the place of a call: g++ may see no other */
    int same_hash;   /* the next function whose name has the same hash, or -1 (names.c) */
} Function;

/* How a kernel runs. */
typedef enum { RUN_FIBERS, RUN_LOOP, RUN_REGIONS } Run;

typedef struct Kernel {
    Function *f;        /* in the unit's tokens */
    Function canonical; /* in canonical form, in tokens of its own */
    int id;             /* for the driver: --fibers=ID,... */
    Run run;
    bool is_canonical;   /* the canonical form is what is printed */
    bool exchanged;      /* loops without barriers are round the work-item loops in it (exchange.c) */
    bool guarded;        /* it is split within guards (guards.c) */
    bool lanes;          /* its shuffles are done for the whole block (lanes.c) */
    const char *why;     /* why on fibers, for --dump */
    const char *judged;  /* what g++ has to judge of a kernel that is not on fibers, or NULL */
    struct Split *split; /* RUN_REGIONS: its regions (split.h) */
} Kernel;

typedef struct Unit {
    Tokens tok;
    Tokens host; /* the host's text, where a program asks for __CUDA_ARCH__; n is 0 without */
    bool check, no_split, no_loops, clang;
    bool model;             /* what a thread issues is counted, for the model of a GPU's time */
    bool old_constexpr;     /* a constexpr function is one return statement: C++11 */
    bool relaxed_constexpr; /* device code may call constexpr functions of the host */
    bool image;             /* a module: its variables are found by their names */
    bool *on_fibers;        /* by kernel's id, from --fibers */
    int on_fibers_n;
    bool has_ptx, ptx_included; /* inline PTX was printed; cpudev_ptx.h is there */
    unsigned broken;            /* rules that a test build has switched off (rules.h) */
    int damage;                 /* what a test build breaks for the verifier (damage.h), or -1 */
    const char *dump;
    FILE *out;
    int errors;
    Function *function;
    int nfunction, function_cap;
    Kernel *kernel;
    int nkernel;
    Name *names[4096];
    int functions_named[4096]; /* by the hash of their names: the first, or -1 */
    bool impure_operators;     /* the program has an operator or conversion that is not known to be harmless */
} Unit;

/* ---- text.c ---- */
void *must(void *p);
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
void append(char **where, char *text); /* takes `text` over */
void error_at(Unit *u, const Token *t, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void warning_at(const Token *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *intern(const char *s, int len);

/* ---- words.c: what is known of names that our headers and C++ give ---- */
bool is_type_word(const Tokens *t, int i);       /* int, unsigned, ... and types of the headers */
bool is_keyword_type(const Tokens *t, int i);    /* int, unsigned, ...: of the language */
bool is_qualifier(const Tokens *t, int i);       /* const, static, ... */
bool is_pure_name(const Tokens *t, int i);       /* a function that neither waits nor asks which thread it is */
bool is_arithmetic_name(const Tokens *t, int i); /* of those, one whose value depends on its arguments alone */
bool is_atomic_name(const Tokens *t, int i);
bool is_lane_name(const Tokens *t, int i);      /* lanes.c has written it */
bool is_statement_word(const Tokens *t, int i); /* if, return, ... */
extern const Word specifiers[], takes_parens[];
extern const char *const header_integers[]; /* size_t, uint32_t, ...: of the headers; NULL at the end */

int statement_start(const Tokens *t, int i);        /* of the declaration that i is in (outline.c) */
int statement_end(const Tokens *t, int i, int end); /* the last token of the statement at i (parse_statement.c) */

/* ---- names.c ---- */
unsigned name_hash(const char *s, int len);
void index_functions(Unit *u); /* of the outline, for function_named() (analysis.h) */
void add_name(Unit *u, const Tokens *t, int i, NameKind kind);
bool has_name(const Unit *u, const Tokens *t, int i, NameKind kind);
bool only_kind(const Unit *u, const Tokens *t, int i, NameKind kind); /* it is of no other kind */
void add_array_member(Unit *u, const Tokens *t, int i, int dims);
int array_member_dims(const Unit *u, const Tokens *t, int i); /* 0: no member of this name is an array */
bool template_parameter(const Unit *u, const Function *f, const Tokens *t, int i, bool *is_type);

/* ---- tree.c ---- */
Node *new_node(NodeKind kind, int first, int last);
void add_kid(Node *n, Node *kid);
bool is_expression(const Node *n);
bool is_increment(const Node *n);        /* ++ or --, before its operand or after it */
bool is_arithmetic_unary(const Node *n); /* + - ! ~ */
bool is_short_circuit(const Node *n);    /* && or ||: the second operand is computed sometimes */
extern const char *const spellings[OPERATORS];
const Node *strip(const Node *n);                     /* without parentheses */
int callee_name(const Tokens *t, const Node *callee); /* the function's name in f or a.f<3>, or -1 */
Decl *named(const Node *n); /* the local variable that n names, in parentheses or not; NULL: it is something else */
/* What outline.c knows of the function that is declared round `at`; its parameters open at `open`. body is -1: no definition. */
Function outlined_function(const Unit *u, int at, int name, int open, int bounds);
void parse_function(Unit *u, Function *f);
Node *parse_expression(Unit *u, Function *f, int first, int last);
bool starts_declaration(Unit *u, Function *f, int i);
bool local_name(const Function *f, int i);
int parse_type(Unit *u, Function *f, int i, int last, int *end); /* end of a type at i, or -1 */
Decl *add_decl(Function *f, int at);

/* ---- passes ---- */
void pass_merge(Unit *u);
void pass_outline(Unit *u);
void pass_parse(Unit *u);
void pass_resolve(Unit *u);
void pass_effects(Unit *u);
void pass_lockstep(Unit *u);
void pass_calls(Unit *u);
void pass_variance(Unit *u);
void pass_canonical(Unit *u);
void pass_regions(Unit *u);
void pass_arithmetic(Unit *u);
void pass_work_items(Unit *u);
void pass_print(Unit *u);
void pass_reject(Unit *u);
void reject_variables(Unit *u); /* parts of pass_reject */
void reject_forms(Unit *u);
void reject_constants(Unit *u);
void reject_constexpr(Unit *u);

/* flush.c, before all passes: may the file's kernels take subnormal numbers as 0? Else it has said why not. */
bool may_flush(const Unit *u);

/* verify.c: after the pass of this name and number (from 0); what it finds counts in Unit.errors. */
void verify(Unit *u, const char *pass, int number);
void tell_kernels(const Unit *u, const char *path); /* after them: for the driver */

#endif
