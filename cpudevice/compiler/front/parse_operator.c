/* parse_operator.c: which operator stands at a token, and whether a `<` is one. */
#include "front/parser.h"

/* The binary operator at i: its precedence (1 is ||), or 0; its length in tokens. */
int binary_operator(const Parser *p, int i, int *length)
{
    static const struct {
        const char *s;
        int precedence;
    } ops[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
               {"!=", 6}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
    const Tokens *t = p->t;
    *length = 1;
    if (i >= p->end || t->t[i].kind != T_PUNCT)
        return 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (is(t, i, ops[k].s))
            return ops[k].precedence;
    if (!is(t, i, "<") && !is(t, i, ">"))
        return 0;
    bool twice = adjacent(t, i) && same(t, i, i + 1) && i + 1 < p->end;
    if (twice) {
        if (adjacent(t, i + 1) && (is(t, i + 2, "=") || is(t, i + 2, "==") || same(t, i, i + 2)))
            return 0; /* <<=, <<< */
        *length = 2;
        return 8;
    }
    if (adjacent(t, i) && is(t, i + 1, "=")) {
        *length = 2;
        return 7;
    }
    return adjacent(t, i) && is(t, i + 1, "==") ? 0 : 7;
}

/* The assignment operator at i: its length in tokens, or 0. */
int assignment_operator(const Parser *p, int i)
{
    static const char *const ops[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
    const Tokens *t = p->t;
    if (i >= p->end || t->t[i].kind != T_PUNCT)
        return 0;
    if (in(t, ops, i))
        return 1;
    return (is(t, i, "<") || is(t, i, ">")) && adjacent(t, i) && same(t, i, i + 1) && adjacent(t, i + 1) &&
                   is(t, i + 2, "=")
               ? 3
               : 0;
}

/* Does the `<` behind the name at i open template arguments? Their end; -1: it does not; p fails if nobody knows. */
int template_arguments(Parser *p, int i)
{
    const Tokens *t = p->t;
    int open = next(t, i), close = is(t, open, "<") ? angle_forward(t, open) : -1;
    if (close < 0 || close >= p->end || local_name(p->f, i))
        return -1;
    if (has_name(p->u, t, i, N_TEMPLATE) && !has_name(p->u, t, i, N_CONSTANT) && !has_name(p->u, t, i, N_MEMORY))
        return close;
    if (value_name(p->u, p->f, i) && !has_name(p->u, t, i, N_TEMPLATE))
        return -1;
    p->fail = true;
    return -1;
}
