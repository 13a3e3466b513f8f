/* print_launch.c: k<<<g, b, s, t>>>(a) becomes (cpudev_push_launch(g, b, s, t), k(a)). */
#include "emit/printer.h"

#include <stdlib.h>

/* A word before an expression in parentheses that is no function's name. */
static bool begins_statement(const Tokens *t, int i)
{
    static const Word words[] = {W_RETURN,    W_ELSE,  W_DO,       W_IF,      W_WHILE,    W_FOR,    W_SWITCH, W_CASE,
                                 W_CO_RETURN, W_THROW, W_AND_WORD, W_OR_WORD, W_NOT_WORD, W_SIZEOF, W_NONE};
    return in(t, words, i);
}

/* the start of the postfix expression that ends at i (the kernel before <<<) */
static int expression_start(const Tokens *t, int i)
{
    while (i > 0) {
        if (is(t, i, W_GREATER)) {
            int a = angle_back(t, i);
            if (a < 0)
                return i;
            i = prev(t, a);
        }
        if (is(t, i, W_PAREN_END) || is(t, i, W_SQUARE_END)) {
            int o = mate_back(t, i);
            if (o < 0)
                return i;
            int p = prev(t, o);
            if (is(t, i, W_PAREN_END) && is(t, p, W_GREATER) &&
                angle_back(t, p) > 0) { /* static_cast<void (*)(int)>(k) */
                i = p;
                continue;
            }
            if (is(t, i, W_SQUARE_END) || (ident(t, p) && !begins_statement(t, p))) {
                i = p;
                continue;
            }
            i = o;
        }
        int p = prev(t, i);
        if (is(t, p, W_SCOPE)) {
            int q = prev(t, p);
            if ((ident(t, q) && !begins_statement(t, q)) || is(t, q, W_GREATER)) {
                i = q;
                continue;
            }
            return p;
        }
        if (is(t, p, W_DOT) || is(t, p, W_ARROW)) {
            i = prev(t, p);
            continue;
        }
        if (is(t, p, W_TEMPLATE)) {
            i = p;
            continue;
        }
        return i;
    }
    return 0;
}

/* The first > of the >>> that ends the configuration begun at i, also as `>> >` if it may be spaced. */
static int launch_end(const Tokens *t, int i, bool spaced)
{
    for (int j = i + 3, depth = 0; j + 2 < t->n && depth >= 0; j++) {
        if (t->t[j].kind != T_PUNCT)
            continue;
        if (is(t, j, W_PAREN) || is(t, j, W_SQUARE) || is(t, j, W_BRACE))
            depth++;
        else if (is(t, j, W_PAREN_END) || is(t, j, W_SQUARE_END) || is(t, j, W_BRACE_END))
            depth--;
        if (depth == 0 && is(t, j, W_GREATER) && is(t, j + 1, W_GREATER) && is(t, j + 2, W_GREATER) &&
            (spaced || (adjacent(t, j) && adjacent(t, j + 1))) && is(t, next(t, j + 2), W_PAREN))
            return j;
    }
    return -1;
}

int print_launch(Unit *u, Tokens *t, int i)
{
    int j = launch_end(t, i, false);
    if (j < 0)
        j = launch_end(t, i, true);
    if (j < 0) {
        error_at(u, &t->t[i], "<<< without its >>>");
        return i + 2;
    }
    int args = next(t, j + 2), end = mate(t, args), start = expression_start(t, prev(t, i));
    if (prev(t, i) < 0 || start < 0) {
        error_at(u, &t->t[i], "<<< without a kernel before it");
        return i + 2;
    }
    /* the configuration moves in front of the kernel, without its line breaks */
    char *config = format("%s", "");
    for (int k = i + 3; k < j; k++) {
        if (passed_over(t, k))
            continue;
        append(&config, format("%s%.*s", t->t[k].lead == t->t[k].s ? "" : " ", t->t[k].len, t->t[k].s));
        t->t[k].drop = true;
    }
    put_before(t, start, format("(::cpudev_push_launch(%s), ", config));
    free(config);
    drop_range(t, i, i + 2);
    drop_range(t, j, j + 2);
    put_after(t, end, format(")"));
    return j + 2;
}
