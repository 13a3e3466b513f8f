/* print_assignments.c: (c ? a : b) = value, also with +=, -= and so on.
 *
 * g++ makes c ? a = value : b = value of it and uses one tree of the value in both branches, unless the value has a side
 * effect. If folding then gives that tree a temporary, as it does for `*p != 3 && *p != 5` from -O1 on, only the first
 * branch sets it, and the second one reads what nobody has written (g++ 12.2). A call that does nothing is a side
 * effect: g++ then computes the value once, before the condition, as C++17 says. */
#include "emit/printer.h"
#include "front/parser.h"

/* Is a ? b : c, perhaps in more parentheses, the last thing in the parentheses that close at `close`? */
static bool conditional(const Tokens *t, int close)
{
    for (int open = mate_back(t, close); open >= 0 && is(t, open, W_PAREN); open = mate_back(t, close)) {
        for (int i = next(t, open); i < close; i = next(t, i)) {
            if (is(t, i, W_QUESTION))
                return true;
            if (is(t, i, W_PAREN) || is(t, i, W_SQUARE) || is(t, i, W_BRACE))
                i = mate(t, i);
        }
        close = prev(t, close);
        if (!is(t, close, W_PAREN_END))
            break;
    }
    return false;
}

/* May the value first..last have a temporary?  A name or a literal, also in parentheses, needs none, and may be a null
 * pointer; the address of a function takes its type from what it is assigned to. */
static bool computed(const Tokens *t, int first, int last)
{
    while (is(t, first, W_PAREN))
        first = next(t, first);
    if (is(t, first, W_AND))
        return false;
    for (int i = first; i <= last; i = next(t, i))
        if (t->t[i].kind == T_PUNCT && !is(t, i, W_PAREN) && !is(t, i, W_PAREN_END) && !is(t, i, W_SCOPE))
            return true;
    return false;
}

/* Where the value that begins at `first` ends, or -1 if that is not known: a comma after a `<` may be between a
 * template's arguments. */
static int value_end(const Tokens *t, int first)
{
    bool less = false;
    int questions = 0;
    for (int i = first, last = -1; t->t[i].kind != T_END; i = next(t, i)) {
        if (is(t, i, W_SEMICOLON) || is(t, i, W_COMMA) || is(t, i, W_PAREN_END) || is(t, i, W_SQUARE_END) ||
            is(t, i, W_BRACE_END) || (is(t, i, W_COLON) && questions == 0))
            return less && is(t, i, W_COMMA) ? -1 : last;
        questions += is(t, i, W_QUESTION) - is(t, i, W_COLON);
        less |= is(t, i, W_LESS);
        if (is(t, i, W_PAREN) || is(t, i, W_SQUARE) || is(t, i, W_BRACE))
            i = mate(t, i);
        last = i;
    }
    return -1;
}

void print_assignment(Unit *u, Tokens *t, int i)
{
    Parser p = {.u = u, .t = t, .i = i, .end = t->n};
    Operator which;
    int length = is(t, prev(t, i), W_PAREN_END) ? assignment_operator(&p, i, &which) : 0;
    if (!length || !conditional(t, prev(t, i)))
        return;
    int first = i;
    while (length--)
        first = next(t, first);
    int last = is(t, first, W_BRACE) ? -1 : value_end(t, first);
    if (last < 0 || !computed(t, first, last))
        return;
    put_first(t, first, format("((void)::cpudev::once(), "));
    put_after(t, last, format(")"));
}
