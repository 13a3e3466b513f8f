/* hiding.c: is a name in a closure, or in a class within a function, that of a variable round it, or has something in there
 * the name too? The text is read, not a tree: parameters, captures, bindings, enumerators and members have none. */
#include "emit/printer.h"

/* Before the name at i: is it a type's last word? */
static bool type_word(const Tokens *t, int p)
{
    return is(t, p, W_AUTO) || is(t, p, W_USING) || is(t, p, W_ENUM) || (ident(t, p) && !is_statement_word(t, p)) ||
           (is(t, p, W_GREATER) && angle_back(t, p) > 0);
}

/* Does what begins at i stand where a declaration may begin, in parentheses or not? */
static bool may_begin(const Tokens *t, int i)
{
    const int p = prev(t, i), round = enclosing(t, i), head = prev(t, round);
    if (is(t, p, W_SEMICOLON) || is(t, p, W_BRACE) || is(t, p, W_BRACE_END) || is(t, p, W_CONST))
        return true;
    return is(t, round, W_PAREN) && (p == round || is(t, p, W_COMMA)) &&
           (is(t, head, W_SQUARE_END) || is(t, head, W_FOR) || is(t, head, W_IF) || is(t, head, W_WHILE) ||
            is(t, head, W_SWITCH) || is(t, head, W_CATCH) || is(t, next(t, mate(t, round)), W_BRACE));
}

/* The first word of the type that ends at i: `unsigned long`, `a::b<c>::d`. */
static int type_begin(const Tokens *t, int i)
{
    for (;;) {
        if (is(t, i, W_GREATER))
            i = prev(t, angle_back(t, i));
        const int p = prev(t, i);
        if (is(t, p, W_SCOPE))
            i = ident(t, prev(t, p)) || is(t, prev(t, p), W_GREATER) ? prev(t, p) : p;
        else if (ident(t, p) && (type_word(t, p) || is(t, p, W_STRUCT)))
            i = p;
        else
            return i;
    }
}

/* T *x, T &x, T &&x; p is in front of x. */
static bool after_pointers(const Tokens *t, int p)
{
    if (!is(t, p, W_STAR) && !is(t, p, W_AND) && !is(t, p, W_AND_AND) && !is(t, p, W_CONST))
        return false;
    while (is(t, p, W_STAR) || is(t, p, W_AND) || is(t, p, W_AND_AND) || is(t, p, W_CONST))
        p = prev(t, p);
    return type_word(t, p) && may_begin(t, type_begin(t, p));
}

/* The x of `T a = 1, x`, with its comma at p: the first declarator of the statement is looked for. */
static bool after_comma(const Tokens *t, int p)
{
    const int round = enclosing(t, p);
    for (int i = prev(t, p); i > round; i = prev(t, i)) {
        if (is(t, i, W_PAREN_END) || is(t, i, W_SQUARE_END) || is(t, i, W_BRACE_END)) {
            if (is(t, i, W_BRACE_END) && !is(t, next(t, i), W_COMMA))
                return false;
            i = mate_back(t, i);
            continue;
        }
        if (is(t, i, W_SEMICOLON))
            return false;
        const int q = prev(t, i);
        if (ident(t, i) && ((type_word(t, q) && may_begin(t, type_begin(t, q))) || after_pointers(t, q)))
            return true;
    }
    return false;
}

/* auto [x, y] */
static bool binding(const Tokens *t, int i)
{
    const int open = enclosing(t, i);
    int p = is(t, open, W_SQUARE) ? prev(t, open) : -1;
    while (is(t, p, W_AND) || is(t, p, W_AND_AND))
        p = prev(t, p);
    return is(t, p, W_AUTO);
}

bool is_enumerator(const Tokens *t, int i)
{
    const int open = enclosing(t, i);
    for (int p = is(t, open, W_BRACE) ? prev(t, open) : -1; ident(t, p) || is(t, p, W_COLON); p = prev(t, p))
        if (is(t, p, W_ENUM))
            return is(t, prev(t, i), W_BRACE) || is(t, prev(t, i), W_COMMA);
    return false;
}

/* Is the name at i declared there, in the closure or class whose text begins at `head`? */
static bool declares(const Tokens *t, int i, int head)
{
    const int p = prev(t, i);
    if (is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE))
        return false;
    if (enclosing(t, i) == head && is(t, head, W_SQUARE)) /* [x = 1], not [x] or [&x] */
        return is(t, next(t, i), W_ASSIGN) || is(t, next(t, i), W_PAREN) || is(t, next(t, i), W_BRACE);
    if (type_word(t, p) || binding(t, i) || is_enumerator(t, i) || after_pointers(t, p))
        return true;
    int q = p;
    while (is(t, q, W_STAR) || is(t, q, W_AND) || is(t, q, W_AND_AND))
        q = prev(t, q);
    return is(t, q, W_COMMA) && after_comma(t, q);
}

bool is_hidden(const Tokens *t, int i, int head, int brace)
{
    int which;
    const bool members = class_brace(t, brace, &which);
    for (int j = head; j < mate(t, brace); j = next(t, j)) {
        if (!ident(t, j) || !same(t, j, i) || !declares(t, j, head))
            continue;
        int block = enclosing(t, j); /* a declaration's block; that of what is in parentheses is round the statement */
        while (block > head && !is(t, block, W_BRACE))
            block = enclosing(t, block);
        if (is_enumerator(t, j))
            block = enclosing(t, block);
        const bool all = block < brace || (members && block == brace);
        if (all || (j <= i && block < i && i < mate(t, block)))
            return true;
    }
    return false;
}
