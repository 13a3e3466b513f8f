/* print_launch.c: k<<<g, b, s, t>>>(a) becomes (cpudev_push_launch(g, b, s, t), k(a)). */
#include "emit/printer.h"

#include <stdlib.h>

/* A word before an expression in parentheses that is no function's name. */
static bool begins_statement(const Tokens *t, int i)
{
    static const char *const words[] = {"return",    "else",  "do",  "if", "while", "for",    "switch", "case",
                                        "co_return", "throw", "and", "or", "not",   "sizeof", NULL};
    return in(t, words, i);
}

/* the start of the postfix expression that ends at i (the kernel before <<<) */
static int expression_start(const Tokens *t, int i)
{
    while (i > 0) {
        if (is(t, i, ">")) {
            int a = angle_back(t, i);
            if (a < 0)
                return i;
            i = prev(t, a);
        }
        if (is(t, i, ")") || is(t, i, "]")) {
            int o = mate_back(t, i);
            if (o < 0)
                return i;
            int p = prev(t, o);
            if (is(t, i, ")") && is(t, p, ">") && angle_back(t, p) > 0) { /* static_cast<void (*)(int)>(k) */
                i = p;
                continue;
            }
            if (is(t, i, "]") || (ident(t, p) && !begins_statement(t, p))) {
                i = p;
                continue;
            }
            i = o;
        }
        int p = prev(t, i);
        if (is(t, p, "::")) {
            int q = prev(t, p);
            if ((ident(t, q) && !begins_statement(t, q)) || is(t, q, ">")) {
                i = q;
                continue;
            }
            return p;
        }
        if (is(t, p, ".") || is(t, p, "->")) {
            i = prev(t, p);
            continue;
        }
        if (is(t, p, "template")) {
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
        if (is(t, j, "(") || is(t, j, "[") || is(t, j, "{"))
            depth++;
        else if (is(t, j, ")") || is(t, j, "]") || is(t, j, "}"))
            depth--;
        if (depth == 0 && is(t, j, ">") && is(t, j + 1, ">") && is(t, j + 2, ">") &&
            (spaced || (adjacent(t, j) && adjacent(t, j + 1))) && is(t, next(t, j + 2), "("))
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
        if (t->t[k].kind == T_MARK)
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
