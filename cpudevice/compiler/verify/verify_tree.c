/* verify_tree.c: is a function's tree well formed?
 *
 * Each node lies within its parent, has the kids that its kind has, in the order of the text, and knows whether a
 * barrier is in it; the statements of a list fill it without a gap. Each declaration lies within its statement. */
#include "verify/verifier.h"

#include <string.h>

enum { ANY = 1 << 30 };

/* How many kids a node has, and how many of the first are expressions (the others are statements). */
static const struct {
    int least, most, expressions;
} shape[] = {
    [E_NAME] = {0, 0, 0},      [E_LITERAL] = {0, 0, 0},    [E_STRING] = {0, 0, 0},   [E_PAREN] = {1, 1, ANY},
    [E_UNARY] = {1, 1, ANY},   [E_POSTFIX] = {1, 1, ANY},  [E_BINARY] = {2, 2, ANY}, [E_ASSIGN] = {2, 2, ANY},
    [E_TERNARY] = {3, 3, ANY}, [E_COMMA] = {2, 2, ANY},    [E_CALL] = {1, ANY, ANY}, [E_INDEX] = {2, 2, ANY},
    [E_MEMBER] = {1, 1, ANY},  [E_CAST] = {0, ANY, ANY},   [E_SIZEOF] = {0, 0, 0},   [E_LIST] = {0, ANY, ANY},
    [E_OPAQUE] = {0, 0, 0},    [S_LIST] = {0, ANY, 0},     [S_IF] = {2, 3, 1},       [S_FOR] = {4, 4, 0},
    [S_WHILE] = {2, 2, 1},     [S_DO] = {2, 2, 0},         [S_SWITCH] = {2, 2, 1},   [S_CASE] = {0, 1, ANY},
    [S_RETURN] = {0, 1, ANY},  [S_BREAK] = {0, 0, 0},      [S_CONTINUE] = {0, 0, 0}, [S_DECL] = {0, ANY, ANY},
    [S_EXPR] = {1, 1, ANY},    [S_EMPTY] = {0, 0, 0},      [S_TYPES] = {0, 0, 0},    [S_BARRIER] = {0, 0, 0},
    [S_GUARD] = {2, 3, 1},     [S_OPAQUE] = {0, ANY, ANY},
};

static bool wants_expression(const Node *n, int i)
{
    return n->kind == S_FOR ? i == 1 || i == 2 : n->kind == S_DO ? i == 1 : i < shape[n->kind].expressions;
}

/* Does each statement of the list follow the one before it, from brace to brace? */
static void verify_list(Verify *v, const Node *n)
{
    int at = next(v->t, n->first);
    if (!is(v->t, n->first, W_BRACE) || mate(v->t, n->first) != n->last)
        broke(v, n->first, "a list of statements without braces");
    for (int i = 0; i < n->n; i++) {
        if (n->kid[i]->first != at)
            broke(v, at, "a statement is missing from its list");
        at = next(v->t, n->kid[i]->last);
    }
    if (at != n->last)
        broke(v, at, "a statement is missing from its list");
}

/* Are the tokens of n's operator what the operator is written as? */
static bool spelled(const Verify *v, const Node *n)
{
    const char *rest = spellings[n->oper];
    for (int i = n->op; i <= n->op_last && *rest; i = next(v->t, i)) {
        if (strncmp(rest, v->t->t[i].s, (size_t)v->t->t[i].len))
            return false;
        rest += v->t->t[i].len;
    }
    return !*rest;
}

static void verify_operator(Verify *v, const Node *n)
{
    const bool has =
        n->kind == E_UNARY || n->kind == E_POSTFIX || n->kind == E_BINARY || n->kind == E_ASSIGN || n->kind == E_MEMBER;
    if (has != (n->oper != OP_NONE) || !spelled(v, n))
        broke(v, n->first, "an operator that is not the one that is written");
    bool between = n->kind == E_BINARY || n->kind == E_ASSIGN || n->kind == E_COMMA || n->kind == E_TERNARY;
    if (between && (n->op <= n->kid[0]->last || n->op >= n->kid[1]->first))
        broke(v, n->first, "an operator that does not stand between its operands");
    if ((n->kind == E_INDEX || n->kind == E_CALL) && (n->op <= n->kid[0]->last || mate(v->t, n->op) != n->last))
        broke(v, n->first, "a call or an index without brackets");
    if ((n->kind == E_UNARY && n->op != n->first) || (n->kind == E_POSTFIX && n->op != n->last))
        broke(v, n->first, "an operator that does not stand beside its operand");
}

static void verify_node(Verify *v, const Node *n, const Node *parent)
{
    bool barrier = n->kind == S_BARRIER || n->kind == S_OPAQUE;
    if (n->first > n->last || n->first < parent->first || n->last > parent->last)
        broke(v, n->first, "a node that reaches beyond its parent");
    if (n->n < shape[n->kind].least || n->n > shape[n->kind].most)
        broke(v, n->first, "a node has too many kids, or too few");
    if (v->broken)
        return;
    for (int i = 0, behind = -1; i < n->n && n->kind != S_OPAQUE && !v->broken; i++) {
        const Node *kid = n->kid[i];
        if (!kid && n->kind == S_FOR && i < 3)
            continue;
        if (!kid || is_expression(kid) != wants_expression(n, i))
            broke(v, n->first, "a kid that is a statement in the place of an expression, or the reverse");
        else if (kid->first <= behind)
            broke(v, kid->first, "a node's kids overlap");
        if (v->broken)
            return;
        behind = kid->last;
        barrier |= kid->has_barrier;
        verify_node(v, kid, n);
    }
    if (v->broken)
        return;
    if (n->has_barrier != barrier)
        broke(v, n->first,
              n->has_barrier ? "no barrier where one is said to be" : "a barrier that its statement does not know of");
    if (n->kind == S_LIST)
        verify_list(v, n);
    else if (is_expression(n))
        verify_operator(v, n);
}

static void verify_declaration(Verify *v, const Decl *d, int number)
{
    const Function *f = v->f;
    if (d->statement && d->statement->kind != S_DECL)
        return; /* what was begun and not understood */
    if (d->is_param != (number < f->nparams) || d->is_param != !d->statement || d->is_param != !d->list)
        broke(v, d->at, "a parameter that is not one of the first declarations");
    if (!same_as(v->t, d->at, d->name, d->len) || d->first > d->at || d->at > d->last || d->type_first > d->type_last ||
        d->type_last >= d->at)
        broke(v, d->at, "a declaration whose name or type lies elsewhere");
    if (d->statement && (d->type_first < d->statement->first || d->last > d->statement->last))
        broke(v, d->at, "a declaration that reaches beyond its statement");
    if (d->is_param && (d->first <= f->open || d->last >= f->close))
        broke(v, d->at, "a parameter outside the parentheses");
    if (d->init && (d->init->first <= d->at || d->init->last > d->last))
        broke(v, d->at, "an initialiser that reaches beyond its declaration");
}

void verify_tree(Verify *v)
{
    const Function *f = v->f;
    const Node whole = {.kind = S_LIST, .first = f->body, .last = f->end};
    if (f->tree->first != f->body || f->tree->last != f->end || (f->tree->kind != S_LIST && f->tree->kind != S_OPAQUE))
        broke(v, f->body, "a tree that is not its function's body");
    if (v->broken || f->tree->kind == S_OPAQUE)
        return;
    verify_node(v, f->tree, &whole);
    for (int i = 0; i < f->ndecl && !v->broken; i++)
        verify_declaration(v, f->decl[i], i);
}
