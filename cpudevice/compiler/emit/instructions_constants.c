/* instructions_constants.c: what nvcc knows while it compiles: constants, what a loop does not change, what it has
 * computed before. */
#include "emit/instructions.h"

#include <stdlib.h>
#include <string.h>

/* Do all calls of the closure give this parameter a constant? */
static bool constant_parameter(const Counter *c, const Decl *d)
{
    for (int i = 0; c->own && c->own->called && i < c->f->nparams && i < 32; i++)
        if (c->f->decl[i] == d)
            return d->only_read && !(c->own->varying >> i & 1);
    return false;
}

bool is_unrolled(const Counter *c, const Decl *d)
{
    for (int i = 0; i < c->unrolled_n; i++)
        if (c->unrolled[i] == d)
            return true;
    return false;
}

static bool constant_variable(const Counter *c, const Decl *d)
{
    return is_unrolled(c, d) || d->is_constexpr || constant_parameter(c, d) ||
           (d->only_read && !d->is_param && !d->is_ref && !d->is_shared && !d->is_loop && d->init &&
            d->init->kind != E_LIST && !d->ndims && folded(c, d->init));
}

/* Is n a constant where nvcc has unrolled the loops round it? */
bool folded(const Counter *c, const Node *n)
{
    bool is_type;
    const Decl *d = decl_of(c, n);
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME:
        return d ? constant_variable(c, d)
                 : only_kind(c->b->u, c->t, n->last, N_CONSTANT) ||
                       (template_parameter(c->b->u, c->f, c->t, n->last, &is_type) && !is_type);
    case E_PAREN:
    case E_UNARY: return n->oper != OP_DEREFERENCE && n->oper != OP_ADDRESS && folded(c, n->kid[0]);
    case E_BINARY: return folded(c, n->kid[0]) && folded(c, n->kid[1]);
    case E_TERNARY: return folded(c, n->kid[0]) && folded(c, n->kid[1]) && folded(c, n->kid[2]);
    case E_CAST: return n->n == 1 && folded(c, n->kid[0]);
    case E_CALL:
        for (int i = 1; i < n->n; i++)
            if (!folded(c, n->kid[i]))
                return false;
        return n->n > 1 && math_function(c, n, &is_type) >= 0;
    default: return false;
    }
}

/* << is two tokens: what was written together stays together. */
static void append_token(char **text, const Tokens *t, int i)
{
    const Token *k = &t->t[i];
    append(text, format("%s%.*s", i && k[-1].s + k[-1].len == k->s ? "" : " ", k->len, k->s));
}

static char *as_written(const Counter *c, const Node *n)
{
    char *text = format(" ");
    for (int i = n->first; i <= n->last; i = next(c->t, i))
        append_token(&text, c->t, i);
    return text;
}

/* May n name a type or an enumerator that the function declares, and that is not known in front of its block? */
static bool declares_within(const Counter *c, const Node *n)
{
    bool is_type;
    if (n->kind == E_LITERAL || template_parameter(c->b->u, c->f, c->t, n->last, &is_type))
        return false;
    const Tokens *t = &c->b->u->tok;
    for (const Counter *of = c; of; of = of->outer)
        for (int i = of->f->body; i >= 0 && i <= of->f->end; i = next(t, i))
            if (is(t, i, W_ENUM) || is(t, i, W_USING) || is(t, i, W_TYPEDEF) || is(t, i, W_STRUCT) || is(t, i, W_CLASS))
                return true;
    return false;
}

/* Does the cast n need a variable, which a literal in its place is not? */
static bool casts_a_variable(const Counter *c, const Node *n)
{
    const int to = n->kid[0]->first;
    return is(c->t, n->first, W_CONST_CAST) || is(c->t, n->first, W_REINTERPRET_CAST) ||
           contains(c->t, n->first, to, W_AND) || contains(c->t, n->first, to, W_AND_AND);
}

/* The constant n as an expression for g++, in which no variable is named; NULL if there is none. */
char *constant_text(const Counter *c, const Node *n)
{
    if (!folded(c, n))
        return NULL;
    const Decl *d = decl_of(c, n);
    if (n->kind == E_CALL || (n->kind == E_CAST && casts_a_variable(c, n)))
        return NULL;
    if (d)
        return is_unrolled(c, d) || constant_parameter(c, d) || !d->init ? NULL : constant_text(c, d->init);
    if (!n->n || n->kind == E_SIZEOF)
        return declares_within(c, n) ? NULL : as_written(c, n);
    char *text = format("(");
    int from = n->first;
    for (int i = 0; i < n->n; i++) {
        char *kid = constant_text(c, n->kid[i]);
        if (!kid) {
            free(text);
            return NULL;
        }
        for (; from < n->kid[i]->first; from = next(c->t, from))
            append_token(&text, c->t, from);
        append(&text, kid);
        from = next(c->t, n->kid[i]->last);
    }
    for (; from <= n->last; from = next(c->t, from))
        append_token(&text, c->t, from);
    append(&text, format(")"));
    return text;
}

bool changed_within(const Decl *d, const Node *n)
{
    for (int i = 0; i < d->nuse; i++)
        if (d->use[i].kind != USE_READ && n->first <= d->use[i].at && d->use[i].at <= n->last)
            return true;
    return false;
}

/* A question about an expression. It is answered for the names, the members, the calls and the operators in it; where each
 * of them passes, and nothing else is in it but literals, so does the expression. */
typedef struct Question {
    bool (*name)(const Counter *c, const Node *n, const struct Question *q);
    bool (*member)(const Counter *c, const Node *n);
    bool (*callee)(const Counter *c, const Node *n); /* NULL: no call passes. Its arguments have to pass too */
    bool (*operation)(const Node *n);                /* one that is E_UNARY or E_TERNARY */
    const Node *loop;                                /* that is asked about, or NULL */
} Question;

static bool passes(const Counter *c, const Node *n, const Question *q)
{
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME: return q->name(c, n, q);
    case E_MEMBER: return q->member(c, n);
    case E_CALL:
        if (!q->callee || !q->callee(c, n->kid[0]))
            return false;
        break;
    case E_UNARY:
    case E_TERNARY:
        if (!q->operation(n))
            return false;
        break;
    case E_PAREN:
    case E_BINARY:
    case E_CAST: break;
    default: return false;
    }
    for (int i = n->kind == E_CALL; i < n->n; i++)
        if (!passes(c, n->kid[i], q))
            return false;
    return true;
}

/* threadIdx.x and the like */
static bool constant_member(const Counter *c, const Node *n)
{
    return n->kid[0]->kind == E_NAME && !n->kid[0]->decl && constant_name(c->b->u, c->f, n->kid[0]);
}

static bool block_member(const Counter *c, const Node *n)
{
    return constant_member(c, n) && !same_as(c->t, n->kid[0]->last, "threadIdx", 9);
}

static bool arithmetic_callee(const Counter *c, const Node *n) { return calls_arithmetic(c->b->u, c->f, n); }

/* Neither leads to memory nor changes what it is given. */
static bool value_operation(const Node *n)
{
    return n->kind == E_TERNARY || (n->oper != OP_DEREFERENCE && n->oper != OP_ADDRESS && !is_increment(n));
}

static bool arithmetic_operation(const Node *n)
{
    return n->kind == E_UNARY && (n->oper == OP_NEGATE || n->oper == OP_PLUS || n->oper == OP_COMPLEMENT);
}

static bool unchanged_name(const Counter *c, const Node *n, const Question *q)
{
    const Decl *d = decl_of(c, n);
    if (!d)
        return constant_name(c->b->u, c->f, n);
    if (constant_variable(c, d))
        return true;
    if (d->ndims || changed_within(d, q->loop))
        return false;
    return d->at < q->loop->first || d->at > q->loop->last ||
           (d->only_read && d->init && !d->is_loop && passes(c, d->init, q));
}

/* Is n the same in all rounds of the loop? */
bool unchanged(const Counter *c, const Node *n, const Node *loop)
{
    const Question same = {unchanged_name, constant_member, arithmetic_callee, value_operation, loop};
    return passes(c, n, &same);
}

static bool stable_name(const Counter *c, const Node *n, const Question *q)
{
    (void)q;
    const Decl *d = decl_of(c, n);
    if (!d)
        return constant_name(c->b->u, c->f, n) || folded(c, n);
    for (int i = 0; i < c->loops; i++) {
        const Node *of = c->loop[i].n;
        if (of->kind == S_FOR && of->kid[0] && d->statement == of->kid[0] && !changed_within(d, of->kid[3]))
            return true;
    }
    return d->only_read || is_unrolled(c, d);
}

/* Has n the same value wherever it is computed, in the round of the loop that is under way? */
static bool stable(const Counter *c, const Node *n)
{
    static const Question same = {stable_name, constant_member, NULL, arithmetic_operation, NULL};
    return passes(c, n, &same);
}

static bool same_value(const Counter *c, const Node *a, const Node *b)
{
    a = strip(a), b = strip(b);
    if (a->kind != b->kind || a->oper != b->oper || a->n != b->n)
        return false;
    const Decl *d = decl_of(c, a), *e = decl_of(c, b);
    if (a->kind == E_NAME && d != e && !(d && e && is_unrolled(c, e) && d->is_loop)) /* of two loops, each unrolled */
        return false;
    if (a->kind == E_NAME || a->kind == E_LITERAL || a->kind == E_CAST || a->kind == E_MEMBER || a->kind == E_SIZEOF) {
        char *x = as_written(c, a), *y = as_written(c, b);
        const bool same = !strcmp(x, y);
        free(x);
        free(y);
        return same;
    }
    for (int i = 0; i < a->n; i++)
        if (!same_value(c, a->kid[i], b->kid[i]))
            return false;
    return true;
}

/* Has nvcc the value of n, or the address of an element n, from before? If not, it has from now on. */
bool is_available(Counter *c, const Node *n)
{
    if (n->kind == E_INDEX ? !stable(c, n->kid[0]) || !stable(c, n->kid[1]) : !stable(c, n))
        return false;
    for (int i = 0; i < c->available_n; i++)
        if (same_value(c, c->available[i], n))
            return true;
    if (c->available_n < MOST_AVAILABLE)
        c->available[c->available_n++] = n;
    return false;
}

static bool agreed_name(const Counter *c, const Node *n, const Question *q)
{
    const Decl *d = decl_of(c, n);
    return folded(c, n) ||
           (d && ((d->is_param && d->only_read && c->f->kernel) ||
                  (d->only_read && !d->is_loop && d->init && d->init->kind != E_LIST && passes(c, d->init, q))));
}

bool lanes_agree(const Counter *c, const Node *n)
{
    static const Question same = {agreed_name, block_member, NULL, value_operation, NULL};
    return passes(c, n, &same);
}

/* Does n change by the same amount in each round of the innermost loop? Where that is unrolled, an address steps along. */
bool steps_along(const Counter *c, const Node *n)
{
    n = strip(n);
    if (!c->loops || !c->loop[c->loops - 1].steady)
        return false;
    if (unchanged(c, n, c->loop[c->loops - 1].n) || decl_of(c, n) == c->loop[c->loops - 1].steady)
        return true;
    if (n->kind == E_CAST && n->n == 1)
        return steps_along(c, n->kid[0]);
    return n->kind == E_BINARY && (n->oper == OP_ADD || n->oper == OP_SUBTRACT || n->oper == OP_MULTIPLY) &&
           steps_along(c, n->kid[0]) && steps_along(c, n->kid[1]);
}
