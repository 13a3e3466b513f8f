/* exchange.c: loops in a kernel without barriers, exchanged with the work-item loop.
 *
 * In a naive matrix product each thread walks down a column of B. On a GPU the threads of a warp do so side by side; one
 * thread after the other touches a new line of the cache in each round. With the loop outside and the threads inside,
 * neighbours read neighbours, and g++ takes many of them at a time.
 *
 * Contract of exchange_loops: puts a barrier at the beginning of each such loop's body, in the canonical tokens, and says
 * whether there is one; regions.c then splits the kernel there. A barrier more changes nothing in a program without races.
 * A whitelist decides which loops:
 *   - what each thread has of its own is in registers (apart.c), and nothing in the kernel is volatile;
 *   - the loop's condition and step name nothing that threads may have otherwise, and its body is straight: statements,
 *     declarations and loops like it, without calls but those that g++ has as instructions;
 *   - it pays: in each access to memory in it neighbours go to neighbouring elements, or to the same one, and something in it
 *     is another for each.
 * Whether all threads do go round the loop together is for uniform.c to say: if not, the kernel is not split. */
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

typedef enum { SAME, NEXT, OTHER } Stride;

static Stride stride(const Exchange *e, const Node *n);

static Stride all_same(const Exchange *e, const Node *n, int from)
{
    for (int i = from; i < n->n; i++)
        if (n->kid[i] && stride(e, n->kid[i]) != SAME)
            return OTHER;
    return SAME;
}

static Stride stride_of_name(const Exchange *e, const Node *n)
{
    const Decl *d = n->decl;
    if (!d)
        return is(e->f->tok, n->first, "threadIdx") ? OTHER : SAME;
    if (d->is_param || d->is_constexpr || d->is_shared)
        return d->only_read || d->is_constexpr || d->is_shared ? SAME : OTHER;
    for (int i = 0; i < e->counters; i++) /* of all threads, if it is: uniform.c will see */
        if (e->counter[i] == d)
            return SAME;
    if (!d->only_read)
        return OTHER;
    return d->init ? stride(e, d->init) : OTHER;
}

static bool is_one(const Exchange *e, const Node *n)
{
    n = strip(n);
    return n->kind == E_LITERAL && is(e->f->tok, n->first, "1");
}

static bool is_sum(const Tokens *t, const Node *call) /* sums.c */
{
    int name = call->kid[0]->last;
    return is(t, name, "cpudev_sum") || is(t, name, "cpudev_index");
}

static Stride sum_of(const Exchange *e, const Node *first, const Node *second)
{
    Stride a = stride(e, first), b = stride(e, second);
    return a == SAME ? b : b == SAME ? a : OTHER;
}

static Stride stride_of_binary(const Exchange *e, const Node *n)
{
    const Tokens *t = e->f->tok;
    if (is(t, n->op, "+"))
        return sum_of(e, n->kid[0], n->kid[1]);
    Stride a = stride(e, n->kid[0]), b = stride(e, n->kid[1]);
    if (a == SAME && b == SAME)
        return SAME;
    if (is(t, n->op, "-") && b == SAME)
        return a;
    if (is(t, n->op, "*") && (is_one(e, n->kid[0]) || is_one(e, n->kid[1])))
        return is_one(e, n->kid[0]) ? b : a;
    return OTHER;
}

static Stride stride(const Exchange *e, const Node *n)
{
    const Tokens *t = e->f->tok;
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return SAME;
    case E_NAME: return stride_of_name(e, n);
    case E_PAREN: return stride(e, n->kid[0]);
    case E_CAST: return n->n == 1 ? stride(e, n->kid[0]) : all_same(e, n, 0);
    case E_BINARY: return stride_of_binary(e, n);
    case E_MEMBER: {
        const Node *base = strip(n->kid[0]);
        if (base->kind == E_NAME && !base->decl && is(t, base->first, "threadIdx"))
            return is(t, n->last, "x") ? NEXT : SAME;
        return all_same(e, n, 0);
    }
    case E_CALL: return is_sum(t, n) ? sum_of(e, n->kid[1], n->kid[2]) : all_same(e, n, 1);
    case E_UNARY:
    case E_INDEX:
    case E_TERNARY: return all_same(e, n, 0);
    default: return OTHER;
    }
}

/* The element that an access is to: of p[i] the sum of p and i. */
static Stride stride_of_access(const Exchange *e, const Node *n)
{
    Stride base = stride(e, n->kid[0]), index = n->kind == E_INDEX ? stride(e, n->kid[1]) : SAME;
    return base == SAME ? index : index == SAME ? base : OTHER;
}

/* ---- what is in the loop ---- */

static bool is_access(const Exchange *e, const Node *n)
{
    return n->kind == E_INDEX || (n->kind == E_UNARY && is(e->f->tok, n->op, "*"));
}

/* Do all accesses in n go to neighbouring elements, or to one? */
static bool accesses_pay(const Exchange *e, const Node *n)
{
    if (!n)
        return true;
    if (is_access(e, n) && stride_of_access(e, n) == OTHER)
        return false;
    if (n->kind == E_MEMBER && n->kid[0]->kind != E_NAME && stride(e, n->kid[0]) == OTHER)
        return false; /* x[i].a, one structure after the other */
    for (int i = 0; i < n->n; i++)
        if (!accesses_pay(e, n->kid[i]))
            return false;
    return true;
}

static bool any_access(const Exchange *e, const Node *n)
{
    if (!n)
        return false;
    if (is_access(e, n))
        return true;
    for (int i = 0; i < n->n; i++)
        if (any_access(e, n->kid[i]))
            return true;
    return false;
}

/* Does something in n, which neighbours have otherwise, go into what is computed? In a kernel for one thread nothing does. */
static bool threads_differ(const Exchange *e, const Node *n)
{
    if (!n)
        return false;
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    if (d && !d->is_param && d->only_read && stride(e, n) != SAME)
        return true;
    if (n->kind == E_MEMBER && stride(e, n) == NEXT)
        return true;
    for (int i = 0; i < n->n; i++)
        if (threads_differ(e, n->kid[i]))
            return true;
    return false;
}

/* Is it so for n, and for what is declared in it? */
static bool pays(const Exchange *e, const Node *n)
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

/* Calls that g++ makes instructions of, for many numbers at a time too. */
static bool instruction(const Exchange *e, const Node *n)
{
    static const char *const names[] = {
        "fma",          "fmaf",         "__fmaf_rn", "sqrt",   "sqrtf",  "fabs", "fabsf",      "abs",
        "fmin",         "fminf",        "fmax",      "fmaxf",  "min",    "max",  "cpudev_sum", "cpudev_index",
        "__half2float", "__float2half", "__hadd",    "__hsub", "__hmul", NULL};
    const Node *callee = n->kid[0];
    return callee->kind == E_NAME && !callee->decl && callee->first == callee->last &&
           in(e->f->tok, names, callee->first) && function_named(e->u, e->f->tok, callee->first, -1) < 0;
}

static bool straight_expression(const Exchange *e, const Node *n)
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
static bool few_rounds(const Exchange *e, const Node *loop)
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

static bool same_for_all(const Exchange *e, const Node *n)
{
    return n && straight_expression(e, n) && !any_access(e, n) && stride(e, n) == SAME;
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

/* The loops that stand in no other, where the kernel's own statements are. */
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
    if (f->tree->kind != S_LIST || (contains(f->tok, f->open, f->end, "volatile") && !broken(u, RULE_VOLATILE)) ||
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
