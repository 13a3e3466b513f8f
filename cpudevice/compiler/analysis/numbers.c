/* numbers.c: is an expression an integer, or of floating point?  Types are known that are built from keywords and stand
 * beside the name; of everything else nothing is known. */
#include "analysis/numbers.h"

#include <string.h>

Number number_of_type(const Tokens *t, int first, int last)
{
    Number kind = NUMBER_UNKNOWN;
    for (int i = first; i <= last && i < t->n - 1; i = next(t, i)) {
        if (is_qualifier(t, i) || is(t, i, W_STD) || is(t, i, W_SCOPE))
            continue;
        if (is(t, i, W_VOID) || is(t, i, W_BOOL) || is(t, i, W_STAR) || is(t, i, W_AND) || is(t, i, W_AND_AND))
            return NUMBER_NEITHER;
        if (is(t, i, W_FLOAT) || is(t, i, W_DOUBLE))
            return NUMBER_REAL;
        if (!is_keyword_type(t, i) && !named_in(t, header_integers, i))
            return NUMBER_UNKNOWN;
        kind = NUMBER_INTEGER;
    }
    return kind;
}

/* What d is after `depth` indices or dereferences. */
static Number of_decl(const Tokens *t, const Decl *d, int depth)
{
    if (d->is_auto || d->is_decltype)
        return NUMBER_UNKNOWN;
    if (d->stars + d->ndims != depth)
        return d->stars + d->ndims > depth ? NUMBER_NEITHER : NUMBER_UNKNOWN;
    return number_of_type(t, d->type_first, d->type_last);
}

static Number of_literal(const Token *k)
{
    if (k->kind != T_NUM)
        return NUMBER_INTEGER;
    const bool hex = k->len > 1 && (k->s[1] == 'x' || k->s[1] == 'X');
    for (int i = 0; i < k->len; i++)
        if (k->s[i] == '.' || strchr(hex ? "pP" : "eEfF", k->s[i]))
            return NUMBER_REAL;
    return NUMBER_INTEGER;
}

static Number together(Number a, Number b)
{
    if (a == NUMBER_REAL || b == NUMBER_REAL)
        return a == NUMBER_UNKNOWN || b == NUMBER_UNKNOWN ? NUMBER_UNKNOWN : NUMBER_REAL;
    return a == b ? a : NUMBER_UNKNOWN;
}

static Number of_memory(const Tokens *t, const Node *n)
{
    int depth = 0;
    for (n = strip(n); n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE); n = strip(n->kid[0]))
        depth++;
    return n->kind == E_NAME && n->decl ? of_decl(t, n->decl, depth) : NUMBER_UNKNOWN;
}

static Number of_binary(const Tokens *t, const Node *n)
{
    const Number a = number_of(t, n->kid[0]), b = number_of(t, n->kid[1]);
    const bool bits = n->oper >= OP_BIT_OR && n->oper <= OP_BIT_AND;
    if (bits || (n->oper >= OP_ADD && n->oper <= OP_REMAINDER))
        return together(a, b);
    return a == NUMBER_UNKNOWN || b == NUMBER_UNKNOWN ? NUMBER_UNKNOWN : NUMBER_INTEGER;
}

Number number_of(const Tokens *t, const Node *n)
{
    switch (n->kind) {
    case E_LITERAL: return of_literal(&t->t[n->first]);
    case E_SIZEOF: return NUMBER_INTEGER;
    case E_STRING: return NUMBER_NEITHER;
    case E_PAREN: return number_of(t, n->kid[0]);
    case E_NAME:
    case E_INDEX: return of_memory(t, n);
    case E_MEMBER:
        return is(t, n->first, W_THREAD_IDX) || is(t, n->first, W_BLOCK_IDX) || is(t, n->first, W_BLOCK_DIM) ||
                       is(t, n->first, W_GRID_DIM)
                   ? NUMBER_INTEGER
                   : NUMBER_UNKNOWN;
    case E_UNARY:
        return n->oper == OP_DEREFERENCE                    ? of_memory(t, n)
               : n->oper == OP_ADDRESS || n->oper == OP_NOT ? NUMBER_NEITHER
                                                            : number_of(t, n->kid[0]);
    case E_BINARY: return of_binary(t, n);
    case E_TERNARY: return together(number_of(t, n->kid[1]), number_of(t, n->kid[2]));
    case E_CAST: return n->kid && n->n == 1 ? number_of_type(t, n->op, n->op_last) : NUMBER_UNKNOWN;
    default: return NUMBER_UNKNOWN;
    }
}
