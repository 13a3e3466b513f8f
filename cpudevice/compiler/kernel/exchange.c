/* exchange.c: loops in a kernel without barriers, exchanged with the work-item loop.
 *
 * In a naive matrix product each thread walks down a column of B. On a GPU the threads of a warp do this side by side.
 * A CPU that runs one thread after the other touches a new cache line in each iteration. With the loop outside and the
 * threads inside, neighbouring threads read neighbouring elements, and g++ vectorises over the threads.
 *
 * Contract of exchange_loops: puts a barrier at the beginning of each such loop's body, in the canonical tokens, and
 * says whether there is one; regions.c then splits the kernel there. Another barrier changes nothing in a program
 * without races. A whitelist decides which loops:
 *   - every private variable is in a register (apart.c), and nothing in the kernel is volatile;
 *   - the loop's condition and step depend on nothing that differs between threads, and its body is straight:
 *     statements, declarations and loops of the same kind, with calls only of functions that g++ compiles to
 *     instructions;
 *   - the exchange pays: each access to memory goes to the same element or to neighbouring elements for neighbouring
 *     threads, and some value in the loop differs between threads.
 * uniform.c decides whether all threads execute the loop together: if not, the kernel is not split. */
#include "kernel/guards.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOOPS = 16, FEW_ROUNDS = 64 }; /* g++ unrolls loops of few rounds by itself, and keeps sums in registers */

typedef struct {
    const Unit *u;
    const Function *f;
    Node *body[MOST_LOOPS]; /* of the loops to be exchanged */
    int n;
    const Decl *counter[MOST_LOOPS]; /* what the loops looked at so far count with */
    int counters;
} Exchange;

/* ---- by how much an expression grows from one thread to its neighbour in x ---- */

/* What the loops looked at so far count with is the same for all threads, if the loops are theirs together: whether they
 * are, uniform.c finds out. */
static Variance name_variance(const VarianceRule *r, const Node *name)
{
    const Exchange *e = r->context;
    const Decl *d = name->decl;
    if (!d)
        return global_variance(r->u, r->f, name);
    for (int i = 0; i < e->counters; i++)
        if (e->counter[i] == d)
            return (Variance){0, STRIDE_NONE};
    bool local = !d->is_param && !d->is_constexpr && !d->is_shared;
    bool computed = local && d->only_read && d->init && d->init->last < name->first;
    return computed ? variance_of(r, d->init) : d->variance;
}

static Stride stride(Exchange *e, const Node *n)
{
    const VarianceRule rule = {.u = e->u, .f = e->f, .name = name_variance, .context = e};
    return (Stride)variance_of(&rule, n).stride;
}

/* The element that an access is to: of p[i] the sum of p and i. */
static Stride stride_of_access(Exchange *e, const Node *n)
{
    Stride base = stride(e, n->kid[0]), index = n->kind == E_INDEX ? stride(e, n->kid[1]) : STRIDE_NONE;
    return base == STRIDE_NONE ? index : index == STRIDE_NONE ? base : STRIDE_ANY;
}

/* ---- what is in the loop ---- */

static bool is_access(const Node *n) { return n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE); }

/* Do all accesses in n go to neighbouring elements, or to one? */
static bool accesses_pay(Exchange *e, const Node *n)
{
    if (!n)
        return true;
    if (is_access(n) && stride_of_access(e, n) == STRIDE_ANY)
        return false;
    if (n->kind == E_MEMBER && n->kid[0]->kind != E_NAME && stride(e, n->kid[0]) == STRIDE_ANY)
        return false; /* x[i].a, one structure after the other */
    for (int i = 0; i < n->n; i++)
        if (!accesses_pay(e, n->kid[i]))
            return false;
    return true;
}

static bool any_access(Exchange *e, const Node *n)
{
    if (!n)
        return false;
    if (is_access(n))
        return true;
    for (int i = 0; i < n->n; i++)
        if (any_access(e, n->kid[i]))
            return true;
    return false;
}

/* Does n use a value that differs between neighbouring threads? A kernel for one thread has none. */
static bool threads_differ(Exchange *e, const Node *n)
{
    if (!n)
        return false;
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    if (d && !d->is_param && d->only_read && stride(e, n) != STRIDE_NONE)
        return true;
    if (n->kind == E_MEMBER && stride(e, n) == STRIDE_ONE)
        return true;
    for (int i = 0; i < n->n; i++)
        if (threads_differ(e, n->kid[i]))
            return true;
    return false;
}

/* Does the exchange pay for n and for the initialisers in it: do threads differ, and does each access pay? */
static bool pays(Exchange *e, const Node *n)
{
    bool differ = threads_differ(e, n);
    for (int i = 0; i < e->f->ndecl; i++) {
        const Decl *d = e->f->decl[i];
        if (d->at < n->first || d->at > n->last || !d->init)
            continue;
        if (!accesses_pay(e, d->init))
            return false;
        differ |= threads_differ(e, d->init);
    }
    return differ && accesses_pay(e, n);
}

/* Does g++ compile the call to an instruction, which it can also vectorise? */
static bool instruction(Exchange *e, const Node *n)
{
    static const char *const names[] = {
        "fma",          "fmaf",         "__fmaf_rn", "sqrt",   "sqrtf",  "fabs", "fabsf",      "abs",
        "fmin",         "fminf",        "fmax",      "fmaxf",  "min",    "max",  "cpudev_sum", "cpudev_index",
        "__half2float", "__float2half", "__hadd",    "__hsub", "__hmul", NULL};
    const Node *callee = n->kid[0];
    return callee->first == callee->last && named_in(e->f->tok, names, callee->first) &&
           calls_arithmetic(e->u, e->f, callee);
}

static bool straight_expression(Exchange *e, const Node *n)
{
    if (!n)
        return true;
    if (n->kind == E_OPAQUE || (n->kind == E_CALL && !instruction(e, n)))
        return false;
    for (int i = n->kind == E_CALL; i < n->n; i++)
        if (!straight_expression(e, n->kid[i]))
            return false;
    return true;
}

/* Does the loop's condition compare with a small number? */
static bool few_rounds(Exchange *e, const Node *loop)
{
    const Node *c = loop->kid[1] ? strip(loop->kid[1]) : NULL;
    const Node *limit = c && c->kind == E_BINARY ? strip(c->kid[1]) : NULL;
    return limit && limit->kind == E_LITERAL && strtoll(e->f->tok->t[limit->first].s, NULL, 0) <= FEW_ROUNDS;
}

static bool exchangeable(Exchange *e, Node *loop);

/* Is n straight? *inner: a loop in it is exchanged. */
static bool straight(Exchange *e, Node *n, bool *inner)
{
    switch (n->kind) {
    case S_EMPTY: return true;
    case S_DECL:
        for (int i = 0; i < e->f->ndecl; i++)
            if (e->f->decl[i]->statement == n && !straight_expression(e, e->f->decl[i]->init))
                return false;
        return true;
    case S_EXPR: return straight_expression(e, n->kid[0]);
    case S_FOR:
        if (few_rounds(e, n))
            return straight_expression(e, n->kid[1]) && straight(e, n->kid[3], inner);
        return (*inner = true) && exchangeable(e, n);
    case S_LIST:
        for (int i = 0; i < n->n; i++)
            if (!straight(e, n->kid[i], inner))
                return false;
        return true;
    default: return false;
    }
}

static void add_counter(Exchange *e, const Node *step)
{
    const Node *n = strip(step);
    bool changes = n->kind == E_ASSIGN || n->kind == E_POSTFIX || n->kind == E_UNARY;
    const Decl *d = named(changes ? n->kid[0] : n);
    if (d && e->counters < MOST_LOOPS)
        e->counter[e->counters++] = d;
}

static bool same_for_all(Exchange *e, const Node *n)
{
    return n && straight_expression(e, n) && !any_access(e, n) && stride(e, n) == STRIDE_NONE;
}

/* Adds the loop, or the innermost ones in it. */
static bool exchangeable(Exchange *e, Node *loop)
{
    Node *body = loop->kid[3];
    int before = e->n;
    bool inner = false;
    if (loop->kid[2])
        add_counter(e, loop->kid[2]);
    if (!loop->kid[1] || !loop->kid[2] || !same_for_all(e, loop->kid[1]) || !straight(e, body, &inner)) {
        e->n = before;
        return false;
    }
    if (inner)
        return true;
    if (e->n == MOST_LOOPS || !pays(e, body))
        return false;
    e->body[e->n++] = body;
    return true;
}

/* The outermost loops among the kernel's own statements. */
static void outer_loops(Exchange *e, Node *n)
{
    if (n->kind == S_FOR && !few_rounds(e, n))
        exchangeable(e, n);
    for (int i = 0; n->kind == S_LIST && i < n->n; i++)
        outer_loops(e, n->kid[i]);
}

/* `{` becomes `{ __syncthreads();`, and a statement `{ __syncthreads(); statement }`. */
static void put_barrier(Tokens *t, const Node *body)
{
    bool list = body->kind == S_LIST;
    int first = list ? next(t, body->first) : body->first, behind = next(t, body->last);
    Tokens barrier = {NULL, 0, 0}, close = {NULL, 0, 0};
    words_say(&barrier, &t->t[body->first], format(list ? "__syncthreads();" : "{__syncthreads();"));
    if (!list) {
        words_say(&close, &t->t[body->first], format("}"));
        replace_tokens(t, behind, behind, &close);
    }
    replace_tokens(t, first, first, &barrier);
}

bool exchange_loops(Unit *u, Kernel *k)
{
    const Function *f = &k->canonical;
    if (f->tree->kind != S_LIST || (contains(f->tok, f->open, f->end, W_VOLATILE) && !broken(u, RULE_VOLATILE)) ||
        !threads_apart(u, f, f->tree))
        return false;
    Guards guards = find_guards(u, f);
    Exchange e = {.u = u, .f = f};
    outer_loops(&e, f->tree);
    for (int i = 0; i < guards.n; i++)
        if (!guards.guard[i].leaves)
            outer_loops(&e, guards.guard[i].statement->kid[1]);
    for (int i = e.n - 1; i >= 0; i--) /* from behind: the numbers of the tokens before stay */
        put_barrier(f->tok, e.body[i]);
    canonical_bounds(k);
    return e.n > 0;
}
