/* variance.c: for which threads is the value of an expression the same?
 *
 * Contract of pass_variance and variance_function: set Node.variance of every expression and Decl.variance of every
 * variable of a kernel. A whitelist over the tree: literals, constants, coordinates, variables that are only read, and
 * arithmetic on them; whatever reads memory, changes, or is not in the list may be anything (ON_UNKNOWN). Types are not
 * looked at here: harmful() has g++ judge each.
 *
 * What an operator makes of its operands is said in variance_of() alone. A pass that knows more of some variables than
 * that they are only read (where it keeps them, or that they count a loop of all threads) gives a rule of its own for
 * names, and asks variance_of(). */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

static const Variance anything = {ON_UNKNOWN, STRIDE_ANY}, constant = {0, STRIDE_NONE};

bool calls_arithmetic(const Unit *u, const Function *f, const Node *callee)
{
    const Tokens *t = f->tok;
    int name = callee->last;
    if (callee->kind != E_NAME || callee->decl || function_named(u, t, name, -1) >= 0)
        return false;
    return (callee->first == name || is(t, callee->first, W_SCOPE) || is(t, callee->first, W_STD)) &&
           is_arithmetic_name(t, name) && !hidden_by_program(u, f, t, name);
}

bool constant_name(const Unit *u, const Function *f, const Node *n)
{
    static const Word built_in[] = {W_BLOCK_IDX, W_BLOCK_DIM, W_GRID_DIM, W_WARP_SIZE, W_NONE};
    const Tokens *t = f->tok;
    bool is_type;
    if (n->first != n->last)
        return true; /* A::b: judged to be a constant where it is printed */
    if (template_parameter(u, f, t, n->first, &is_type))
        return !is_type;
    return in(t, built_in, n->first) || only_kind(u, t, n->first, N_CONSTANT) || broken(u, RULE_MEMORY);
}

Variance global_variance(const Unit *u, const Function *f, const Node *name)
{
    if (is(f->tok, name->first, W_THREAD_IDX))
        return (Variance){ON_THREAD, STRIDE_ANY};
    if (!constant_name(u, f, name))
        return (Variance){ON_UNKNOWN, STRIDE_NONE}; /* memory: of one address for all */
    return (Variance){is(f->tok, name->first, W_BLOCK_IDX) ? ON_BLOCK : 0, STRIDE_NONE};
}

static Variance name_variance(const VarianceRule *r, const Node *name)
{
    return name->decl ? name->decl->variance : global_variance(r->u, r->f, name);
}

/* ---- operators ---- */

/* Of an operand: a tree is annotated from its leaves on. */
static Variance of(const VarianceRule *r, const Node *n) { return r->annotating ? n->variance : variance_of(r, n); }

/* Of what depends on both. */
static Variance both(Variance a, Variance b)
{
    bool none = a.stride == STRIDE_NONE && b.stride == STRIDE_NONE;
    return (Variance){a.on | b.on, none ? STRIDE_NONE : STRIDE_ANY};
}

/* Of what depends on all of n's operands, from this one on. */
static Variance all(const VarianceRule *r, const Node *n, int from)
{
    Variance v = constant;
    for (int i = from; i < n->n; i++)
        v = both(v, n->kid[i] ? of(r, n->kid[i]) : constant);
    return v;
}

static Variance sum_of(Variance a, Variance b)
{
    Variance v = both(a, b);
    v.stride = a.stride == STRIDE_NONE ? b.stride : b.stride == STRIDE_NONE ? a.stride : STRIDE_ANY;
    return v;
}

static bool is_one(const VarianceRule *r, const Node *n)
{
    n = strip(n);
    return n->kind == E_LITERAL && is(r->f->tok, n->first, W_1);
}

static Variance of_binary(const VarianceRule *r, const Node *n)
{
    Variance a = of(r, n->kid[0]), b = of(r, n->kid[1]), v = both(a, b);
    if (n->oper == OP_ADD)
        v = sum_of(a, b);
    else if (n->oper == OP_SUBTRACT && b.stride == STRIDE_NONE)
        v.stride = a.stride;
    else if (n->oper == OP_MULTIPLY && is_one(r, n->kid[0]))
        v.stride = b.stride;
    else if (n->oper == OP_MULTIPLY && is_one(r, n->kid[1]))
        v.stride = a.stride;
    return v;
}

static Variance of_member(const VarianceRule *r, const Node *n)
{
    const Node *base = strip(n->kid[0]);
    Variance v = all(r, n, 0);
    if (base->kind == E_NAME && !base->decl && is(r->f->tok, base->first, W_THREAD_IDX))
        v.stride = is(r->f->tok, n->last, W_X) ? STRIDE_ONE : STRIDE_NONE;
    if (n->oper != OP_DOT)
        v.on |= ON_UNKNOWN;
    return v;
}

/* sums.c has written cpudev_sum(a, b) for a + b. */
static bool is_sum(const Tokens *t, const Node *call)
{
    int name = call->kid[0]->last;
    return call->n == 3 && (is(t, name, W_CPUDEV_SUM) || is(t, name, W_CPUDEV_INDEX));
}

static Variance of_call(const VarianceRule *r, const Node *n)
{
    Variance v = is_sum(r->f->tok, n) ? sum_of(of(r, n->kid[1]), of(r, n->kid[2])) : all(r, n, 1);
    if (!calls_arithmetic(r->u, r->f, n->kid[0]))
        v.on |= ON_UNKNOWN;
    return v;
}

Variance variance_of(const VarianceRule *r, const Node *n)
{
    const unsigned char memory = broken(r->u, RULE_MEMORY) ? 0 : ON_UNKNOWN;
    Variance v;
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return constant;
    case E_NAME: return r->name(r, n);
    case E_PAREN: return of(r, n->kid[0]);
    case E_MEMBER: return of_member(r, n);
    case E_CALL: return of_call(r, n);
    case E_TERNARY: return all(r, n, 0);
    case E_INDEX:
        v = all(r, n, 0);
        v.on |= memory;
        return v;
    case E_CAST:
        if (n->n == 1)
            return of(r, n->kid[0]);
        v = all(r, n, 0);
        if (n->n == 0 && !shared_helper(r->u, r->f->tok, n->op))
            v.on |= ON_UNKNOWN;
        return v;
    case E_UNARY:
        v = all(r, n, 0);
        if (n->oper == OP_DEREFERENCE)
            v.on |= memory;
        else if (!is_arithmetic_unary(n))
            v.on |= ON_UNKNOWN;
        break;
    case E_BINARY: v = of_binary(r, n); break;
    default: return anything;
    }
    if (!(v.on & ON_UNKNOWN) && overloaded(r->u, r->f, n))
        v.on |= ON_UNKNOWN;
    return v;
}

bool same_in_block(Variance v) { return !(v.on & (ON_THREAD | ON_UNKNOWN)); }

/* ---- variables and trees ---- */

bool plain_variable(const Decl *d)
{
    return !d->ndims && !d->is_ref && !d->is_static && !d->is_extern && !d->is_volatile && !d->is_shared &&
           !d->is_aligned && !d->is_decltype;
}

static Variance of_variable(const Decl *d)
{
    if (d->is_constexpr)
        return constant;
    if (d->is_param)
        return d->only_read ? constant : anything;
    if (d->is_shared) /* an array's address, but nothing that is in it */
        return (Variance){d->ndims > 0 ? 0 : ON_UNKNOWN, STRIDE_NONE};
    if (!d->only_read || !d->init)
        return anything;
    Variance v = d->init->variance;
    if (!plain_variable(d) || d->init_form != '=')
        v.on |= ON_UNKNOWN;
    return v;
}

static void annotate(const VarianceRule *r, Node *n)
{
    for (int i = 0; i < n->n; i++)
        if (n->kid[i])
            annotate(r, n->kid[i]);
    if (is_expression(n))
        n->variance = variance_of(r, n);
}

void variance_function(const Unit *u, Function *f)
{
    const VarianceRule rule = {.u = u, .f = f, .name = name_variance, .annotating = true};
    for (int i = 0; i < f->ndecl; i++) /* `int x = x;` is of itself: anything */
        f->decl[i]->variance = anything;
    for (int i = 0; i < f->ndecl; i++) {
        if (f->decl[i]->init)
            annotate(&rule, f->decl[i]->init);
        f->decl[i]->variance = of_variable(f->decl[i]);
    }
    annotate(&rule, f->tree);
}

void pass_variance(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        if (u->kernel[i].f->tree)
            variance_function(u, u->kernel[i].f);
}
