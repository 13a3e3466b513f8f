/* parse_operator.c: which operator is at a token, and whether a `<` is one. */
#include "front/parser.h"

/* The binary operator at i: its precedence (1 is ||), or 0; its length in tokens; which it is. */
int binary_operator(const Parser *p, int i, int *length, Operator *which)
{
    static const struct {
        Word word;
        int precedence;
        Operator which;
    } ops[] = {{W_OR_OR, 1, OP_OR},
               {W_AND_AND, 2, OP_AND},
               {W_OR, 3, OP_BIT_OR},
               {W_XOR, 4, OP_BIT_XOR},
               {W_AND, 5, OP_BIT_AND},
               {W_EQUAL, 6, OP_EQUAL},
               {W_NOT_EQUAL, 6, OP_NOT_EQUAL},
               {W_PLUS, 9, OP_ADD},
               {W_MINUS, 9, OP_SUBTRACT},
               {W_STAR, 10, OP_MULTIPLY},
               {W_SLASH, 10, OP_DIVIDE},
               {W_PERCENT, 10, OP_REMAINDER}};
    const Tokens *t = p->t;
    *length = 1;
    if (i >= p->end)
        return 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (is(t, i, ops[k].word)) {
            *which = ops[k].which;
            return ops[k].precedence;
        }
    const bool less = is(t, i, W_LESS);
    if (!less && !is(t, i, W_GREATER))
        return 0;
    bool twice = adjacent(t, i) && same(t, i, i + 1) && i + 1 < p->end;
    if (twice) {
        if (adjacent(t, i + 1) && (is(t, i + 2, W_ASSIGN) || is(t, i + 2, W_EQUAL) || same(t, i, i + 2)))
            return 0; /* <<=, <<< */
        *length = 2;
        *which = less ? OP_SHIFT_LEFT : OP_SHIFT_RIGHT;
        return 8;
    }
    if (adjacent(t, i) && is(t, i + 1, W_ASSIGN)) {
        *length = 2;
        *which = less ? OP_LESS_EQUAL : OP_GREATER_EQUAL;
        return 7;
    }
    *which = less ? OP_LESS : OP_GREATER;
    return adjacent(t, i) && is(t, i + 1, W_EQUAL) ? 0 : 7;
}

/* The assignment operator at i: its length in tokens, or 0; which it is. */
int assignment_operator(const Parser *p, int i, Operator *which)
{
    static const Word ops[] = {W_ASSIGN,     W_ADD_ASSIGN, W_SUB_ASSIGN, W_MUL_ASSIGN, W_DIV_ASSIGN,
                               W_MOD_ASSIGN, W_AND_ASSIGN, W_OR_ASSIGN,  W_XOR_ASSIGN};
    const Tokens *t = p->t;
    if (i >= p->end)
        return 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (is(t, i, ops[k])) {
            *which = (Operator)(OP_ASSIGN + k); /* in this order */
            return 1;
        }
    *which = is(t, i, W_LESS) ? OP_SHIFT_LEFT_ASSIGN : OP_SHIFT_RIGHT_ASSIGN;
    return (is(t, i, W_LESS) || is(t, i, W_GREATER)) && adjacent(t, i) && same(t, i, i + 1) && adjacent(t, i + 1) &&
                   is(t, i + 2, W_ASSIGN)
               ? 3
               : 0;
}

/* Does the `<` after the name at i open template arguments? Their end; -1: it does not; p fails if that is not known. */
int template_arguments(Parser *p, int i)
{
    const Tokens *t = p->t;
    int open = next(t, i), close = is(t, open, W_LESS) ? angle_forward(t, open) : -1;
    if (close < 0 || close >= p->end || local_name(p->f, i))
        return -1;
    if (has_name(p->u, t, i, N_TEMPLATE) && !has_name(p->u, t, i, N_CONSTANT) && !has_name(p->u, t, i, N_MEMORY))
        return close;
    if (value_name(p->u, p->f, i) && !has_name(p->u, t, i, N_TEMPLATE))
        return -1;
    p->fail = true;
    return -1;
}
