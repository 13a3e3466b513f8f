/* apart.c: do the threads of a loop keep apart what is their own?
 *
 * A work-item loop runs threads one after another in one stack frame. A private variable that is in a register is each
 * thread's own there, but a private array, or a variable whose address somebody has, is one place in memory that each
 * thread uses in its turn. To promise g++ that the loop's rounds are independent (#pragma GCC ivdep) would then be
 * wrong: it may have several threads write to that place before the first of them has read it. g++ 12 does so with
 * AVX-512's scatter and gather, and clang 19, with a promise of the same kind, for any array with a variable index.
 *
 * A whitelist over the tree: variables of arithmetic and vector types that are only read and written, pointers,
 * arithmetic, accesses to global and shared memory, functions that take and give values, and the program's functions
 * that are as plain. Without the promise g++ compares addresses as the program runs, or does not vectorise. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <string.h>

enum { DEEPEST = 8 }; /* calls in calls */

typedef struct {
    const Unit *u;
    const Function *f;
    int depth;
} Apart;

static bool apart(const Apart *a, const Node *n);

/* Types of which g++ makes registers: arithmetic ones, vectors, and pointers to anything. */
static bool in_registers(const Apart *a, int first, int last, int stars)
{
    const Tokens *t = a->f->tok;
    bool any = stars > 0;
    for (int i = first; i <= last && !stars; i = next(t, i)) {
        if (is(t, i, W_STAR))
            return true;
        bool generator = ident(t, i) && t->t[i].len > 6 && !strncmp(t->t[i].s, "curand", 6); /* has arrays */
        bool number = ident(t, i) && only_kind(a->u, t, i, N_PLAIN_TYPE) && !has_name(a->u, t, i, N_NO_NUMBER);
        if ((is_type_word(t, i) && !generator) || number)
            any = true;
        else if (!is_qualifier(t, i))
            return false;
    }
    return any;
}

static bool register_value(const Apart *a, const Node *n);

static bool register_type(const Apart *a, const Decl *d)
{
    if (d->is_auto)
        return d->stars > 0 || (d->init && register_value(a, d->init));
    return in_registers(a, d->type_first, d->type_last, d->stars || d->ndims);
}

/* Is the name, which is not local, a number or one of the block's and grid's coordinates? */
static bool number_name(const Apart *a, const Node *n)
{
    static const Word built_in[] = {W_THREAD_IDX, W_BLOCK_IDX, W_BLOCK_DIM, W_GRID_DIM, W_WARP_SIZE, W_NONE};
    const Tokens *t = a->f->tok;
    return n->first == n->last && (in(t, built_in, n->first) || (only_kind(a->u, t, n->first, N_CONSTANT) &&
                                                                 !has_name(a->u, t, n->first, N_CLASS_CONSTANT)));
}

/* Of what a pointer or an array of the kernel points to: is its type named, and one of registers? */
static bool points_to_registers(const Apart *a, const Node *n)
{
    const Decl *d = named(n);
    return d && (d->stars || d->ndims) && !d->is_auto && in_registers(a, d->type_first, d->type_last, 0);
}

/* Is what `auto x = n` declares a number, a vector or a pointer? */
static bool register_value(const Apart *a, const Node *n)
{
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME: /* not itself: auto x = x; */
        return n->decl ? n->decl->last < n->first && register_type(a, n->decl) : number_name(a, n);
    case E_INDEX: return points_to_registers(a, n->kid[0]);
    case E_CAST: return n->n > 0 && in_registers(a, n->op, n->op_last, 0);
    case E_UNARY:
        if (n->oper == OP_DEREFERENCE)
            return points_to_registers(a, n->kid[0]);
        break;
    case E_MEMBER:
        if (n->oper != OP_DOT)
            return false;
        break;
    case E_CALL: return calls_arithmetic(a->u, a->f, n->kid[0]);
    case E_BINARY:
    case E_PAREN:
    case E_TERNARY: break;
    default: return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!register_value(a, n->kid[i]))
            return false;
    return n->n > 0;
}

/* Declared in the loop, or a parameter of its own. */
static bool own_variable(const Apart *a, const Decl *d)
{
    if (d->is_shared || d->is_static || d->is_ref || d->placement == P_UNIFORM)
        return true;
    if (d->is_volatile || d->is_decltype || (d->ndims && !d->is_param) || !register_type(a, d))
        return false;
    for (int i = 0; i < d->nuse && d->placement != P_SLOT; i++)
        if (d->use[i].kind != USE_READ && d->use[i].kind != USE_WRITE)
            return false;
    return true;
}

static bool all_apart(const Apart *a, const Node *n, int from)
{
    for (int i = from; i < n->n; i++)
        if (n->kid[i] && !apart(a, n->kid[i]))
            return false;
    return true;
}

static bool declaration(const Apart *a, const Node *n)
{
    for (int i = 0; i < a->f->ndecl; i++) {
        const Decl *d = a->f->decl[i];
        if (d->statement == n && (!own_variable(a, d) || (d->init && !apart(a, d->init))))
            return false;
    }
    return true;
}

/* A function of the program: its parameters and its body are looked at as if they stood here. */
static bool function_apart(const Apart *a, const Function *g)
{
    Apart inner = {a->u, g, a->depth + 1};
    if (inner.depth > DEEPEST || g->body < 0 || !g->tree || g->member || g->kernel || g->waits)
        return false;
    for (int i = 0; i < g->nparams; i++)
        if (!own_variable(&inner, g->decl[i]) || g->decl[i]->is_ref)
            return false;
    return apart(&inner, g->tree);
}

static bool call(const Apart *a, const Node *n)
{
    const Tokens *t = a->f->tok;
    const Node *callee = n->kid[0];
    int name = callee_name(t, callee);
    if (callee->kind != E_NAME || callee->decl || !all_apart(a, n, 1))
        return false;
    int k = function_named(a->u, t, name, -1);
    if (k < 0)
        return is_lane_name(t, name) || calls_arithmetic(a->u, a->f, callee);
    for (; k >= 0; k = function_named(a->u, t, name, k))
        if (!function_apart(a, &a->u->function[k]))
            return false;
    return true;
}

static bool apart(const Apart *a, const Node *n)
{
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF:
    case S_BREAK:
    case S_CONTINUE:
    case S_EMPTY:
    case S_BARRIER: return true;
    case E_NAME: return !n->decl || n->decl->placement == P_SLOT || own_variable(a, n->decl);
    case E_UNARY:
    case E_POSTFIX:
    case E_BINARY:
    case E_ASSIGN:
    case E_COMMA:
    case E_INDEX: return !overloaded(a->u, a->f, n) && all_apart(a, n, 0);
    case E_CAST: return n->n > 0 && in_registers(a, n->op, n->op_last, 0) && all_apart(a, n, 0);
    case E_CALL: return call(a, n);
    case S_DECL: return declaration(a, n);
    case E_PAREN:
    case E_TERNARY:
    case E_MEMBER:
    case E_LIST:
    case S_LIST:
    case S_IF:
    case S_GUARD:
    case S_FOR:
    case S_WHILE:
    case S_DO:
    case S_RETURN:
    case S_EXPR: return all_apart(a, n, 0);
    default: return false;
    }
}

bool threads_apart(const Unit *u, const Function *f, const Node *n)
{
    const Apart a = {u, f, 0};
    return broken(u, RULE_PRIVATE_MEMORY) || apart(&a, n);
}
