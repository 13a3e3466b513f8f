/* arithmetic_loose.c: conversions and functions in what the tree has not understood. */
#include "emit/gpu_arithmetic.h"
#include "analysis/analysis.h"
#include "analysis/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Do the brackets that open at i have a type in them and an operand after them? (f)(x) may be a call. */
static bool is_cast(const Arithmetic *b, int i)
{
    const Tokens *t = b->t;
    if (!is(t, i, W_PAREN))
        return false;
    const int first = next(t, i), last = prev(t, mate(t, i)), behind = next(t, mate(t, i));
    return is_keyword_type(t, first) || t->t[behind].kind == T_NUM ||
           (ident(t, behind) && !is_statement_word(t, behind)) ||
           (first <= last && is(t, behind, W_PAREN) && may_be_integer_type(b, first, last));
}

/* Before one of these `a < b >` is no comparison, which would need another operand: it is name<argument>. */
static const Word behind_arguments[] = {W_PAREN,     W_SCOPE,    W_BRACE, W_PAREN_END, W_SQUARE_END, W_BRACE_END,
                                        W_SEMICOLON, W_COMMA,    W_SLASH, W_PERCENT,   W_OR,         W_XOR,
                                        W_OR_OR,     W_QUESTION, W_COLON, W_NONE};

/* The last token of the operand of a cast that begins at i, or -1. */
static int operand_end(const Arithmetic *b, int i)
{
    const Tokens *t = b->t;
    static const Word prefix[] = {W_PLUS, W_MINUS, W_NOT, W_TILDE, W_STAR, W_AND, W_INCREMENT, W_DECREMENT, W_NONE};
    while (in(t, prefix, i) || is_cast(b, i))
        i = is(t, i, W_PAREN) ? next(t, mate(t, i)) : next(t, i);
    int last = i;
    if (is(t, i, W_PAREN)) {
        last = mate(t, i);
    } else if (ident(t, i) && (!is_statement_word(t, i) || is(t, i, W_STATIC_CAST))) {
        for (;;) {
            int n = next(t, last), angle = is(t, n, W_LESS) ? angle_forward(t, n) : -1;
            if (angle > 0 && (in(t, behind_arguments, next(t, angle)) || is_in(&b->names->values, &t->t[last])))
                last = angle, n = next(t, last);
            if (!is(t, n, W_SCOPE) || !ident(t, next(t, n)))
                break;
            last = next(t, n);
        }
        if (is(t, next(t, last), W_BRACE))
            last = mate(t, next(t, last));
    } else if (t->t[i].kind != T_NUM) {
        return -1;
    }
    for (;;) {
        int n = next(t, last);
        if (is(t, n, W_PAREN) || is(t, n, W_SQUARE))
            last = mate(t, n);
        else if ((is(t, n, W_DOT) || is(t, n, W_ARROW)) && ident(t, next(t, n)))
            last = next(t, n);
        else if (is(t, n, W_INCREMENT) || is(t, n, W_DECREMENT))
            last = n;
        else
            return last;
    }
}

/* A value that is no name of a function's, as far as tokens say. */
static bool has_type(const Arithmetic *b, int first, int last)
{
    return first <= last && b->t->t[first].kind != T_STR && !is(b->t, first, W_BRACE) && !is(b->t, first, W_AND) &&
           (first != last || (b->t->t[first].kind == T_ID && !is(b->t, first, W_NULLPTR) &&
                              !has_name(b->u, b->t, first, N_FUNCTION) && !has_name(b->u, b->t, first, N_TEMPLATE)));
}

static void loose_static_cast(Arithmetic *b, int i)
{
    const Tokens *t = b->t;
    const int close = angle_forward(t, next(t, i)), open = close > 0 ? next(t, close) : -1;
    if (b->done[i] || open < 0 || !is(t, open, W_PAREN))
        return;
    const int type_first = next(t, next(t, i)), type_last = prev(t, close), first = next(t, open),
              last = prev(t, mate(t, open));
    if (may_be_integer_type(b, type_first, type_last) && has_type(b, first, last))
        convert(b, type_first, type_last, first, last);
}

/* (T)x, where no name or closing bracket comes before it */
static void loose_c_cast(Arithmetic *b, int i)
{
    const Tokens *t = b->t;
    const int p = prev(t, i), type_first = next(t, i), type_last = prev(t, mate(t, i));
    if (b->done[i] || type_first > type_last || !may_be_integer_type(b, type_first, type_last) ||
        is(t, p, W_PAREN_END) || is(t, p, W_SQUARE_END) || is(t, p, W_GREATER) ||
        (ident(t, p) && !is(t, p, W_RETURN) && !is(t, p, W_CASE) && !is(t, p, W_ELSE)))
        return;
    const int first = next(t, mate(t, i)), last = operand_end(b, first);
    if (last >= 0 && t->t[first].kind != T_NUM && has_type(b, first, last))
        convert(b, type_first, type_last, first, last);
}

/* T(x) in an expression */
static void loose_call_cast(Arithmetic *b, int i)
{
    static const Word before[] = {W_ASSIGN,    W_PLUS,       W_MINUS,      W_STAR,       W_SLASH,   W_PERCENT,
                                  W_QUESTION,  W_AND,        W_OR,         W_XOR,        W_RETURN,  W_EQUAL,
                                  W_NOT_EQUAL, W_ADD_ASSIGN, W_SUB_ASSIGN, W_MUL_ASSIGN, W_AND_AND, W_OR_OR,
                                  W_PAREN,     W_SQUARE,     W_COLON,      W_NONE};
    const Tokens *t = b->t;
    const int open = next(t, i), first = next(t, open), last = prev(t, mate(t, open));
    if (b->done[i] || !is(t, open, W_PAREN) || !in(t, before, prev(t, i)) || !may_be_integer_type(b, i, i) ||
        is_type_word(t, first) || !has_type(b, first, last))
        return;
    for (int k = first; k <= last; k = next(t, k)) {
        if (is(t, k, W_COMMA))
            return;
        if (is(t, k, W_PAREN) || is(t, k, W_SQUARE) || is(t, k, W_BRACE))
            k = mate(t, k);
    }
    convert(b, i, i, first, last);
}

void loose_cast(Arithmetic *b, int i)
{
    if (is(b->t, i, W_STATIC_CAST) && is(b->t, next(b->t, i), W_LESS))
        loose_static_cast(b, i);
    else if (is(b->t, i, W_PAREN))
        loose_c_cast(b, i);
    else if (b->t->t[i].kind == T_ID)
        loose_call_cast(b, i);
}

/* Functions of C's library whose answers differ: cpudev_math.h has a GPU's, for every type. And those that lock something
 * there: the runtime's may be called where the watchdog ends a kernel. */
void function_at(Arithmetic *b, int i)
{
    static const char *const names[] = {"fmin",   "fmax",   "lround",  "lroundf", "llround", "llroundf", "lrint",
                                        "lrintf", "llrint", "llrintf", "malloc",  "free",    "printf",   NULL};
    Tokens *t = b->t;
    if (t->t[i].as || !named_in(t, names, i) || !is(t, next(t, i), W_PAREN) || function_named(b->u, t, i, -1) >= 0 ||
        hidden_by_program(b->u, b->f, t, i) || local_name(b->f, i))
        return;
    const bool heap = same_as(t, i, "malloc", 6) || same_as(t, i, "free", 4);
    const bool runtime = heap || same_as(t, i, "printf", 6);
    if (heap && b->u->check)
        return;
    const int p = prev(t, i), space = prev(t, p);
    if (is(t, p, W_DOT) || is(t, p, W_ARROW) || (ident(t, p) && !is_statement_word(t, p)))
        return;
    if (is(t, p, W_SCOPE)) {
        if (is(t, space, W_STD))
            show_as(&t->t[space], format("%s", ""));
        else if (ident(t, space) && !is_statement_word(t, space))
            return;
        show_as(&t->t[p], format("%s", ""));
    }
    show_as(&t->t[i], format(runtime ? "::cpudev_kernel_%.*s" : ARITHMETIC "%.*s", t->t[i].len, t->t[i].s));
}

/* A kernel's printf() returns the number of its arguments after the format, and C's the number of characters. */
void printf_at(Arithmetic *b, int i)
{
    Tokens *t = b->t;
    const int open = next(t, i);
    int count = 0, pack = -1, before = prev(t, i);
    if (is(t, before, W_SCOPE))
        before = is(t, prev(t, before), W_STD) ? prev(t, prev(t, before)) : prev(t, before);
    if (b->f->host || t->t[i].as || !same_as(t, i, "printf", 6) || !is(t, open, W_PAREN) || is(t, before, W_DOT) ||
        is(t, before, W_ARROW) || (ident(t, before) && !is_statement_word(t, before)) ||
        hidden_by_program(b->u, b->f, t, i))
        return;
    for (int k = next(t, open); k < mate(t, open); k = next(t, k)) {
        const int angle = is(t, k, W_LESS) && ident(t, prev(t, k)) ? angle_forward(t, k) : -1;
        if (angle > 0 && is(t, next(t, angle), W_PAREN))
            k = angle;
        else if (is(t, k, W_PAREN) || is(t, k, W_SQUARE) || is(t, k, W_BRACE))
            k = mate(t, k);
        else if (is(t, k, W_DOT) && is(t, next(t, k), W_DOT)) {
            pack = prev(t, k);
            if (!ident(t, pack) || !is(t, prev(t, pack), W_COMMA) || mate(t, open) != next(t, next(t, next(t, k))))
                return; /* more than the arguments of a pack */
            break;
        }
        count += is(t, k, W_COMMA);
    }
    char *after = pack < 0 ? format(", %d)", count)
                           : format(", %d + (int)sizeof...(%.*s))", count - 1, t->t[pack].len, t->t[pack].s);
    put_round(t, next(t, before), mate(t, open), format("::cpudev_printed("), after);
}
