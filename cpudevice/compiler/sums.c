/* sums.c: `int i = blockIdx.x * blockDim.x + threadIdx.x;` as a sum of numbers with a sign.
 *
 * Contract of canonical_sums: in the canonical tokens such a sum in a declaration of `int` becomes
 * cpudev_sum(blockIdx.x * blockDim.x, threadIdx.x), which has the same value for all numbers. The program's own sum has
 * no sign, and may wrap: of x[k * n + i] g++ then takes each element by itself, though neighbours are asked for. Only
 * sums of threadIdx.x and a product of coordinates, sizes and plain numbers are taken. */
#include "canonical_form.h"
#include "analysis.h"

#include <stdlib.h>
#include <string.h>

/* `blockIdx.x`, or a decimal number: the token behind it; -1 if there is neither */
static int factor(const Tokens *t, int i)
{
    static const char *const coordinates[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (t->t[i].kind == T_NUM)
        return strspn(t->t[i].s, "0123456789") == (size_t)t->t[i].len ? next(t, i) : -1;
    int dot = next(t, i), member = next(t, dot);
    bool named =
        in(t, coordinates, i) && is(t, dot, ".") && (is(t, member, "x") || is(t, member, "y") || is(t, member, "z"));
    return named ? next(t, member) : -1;
}

/* a * b * c, or that in parentheses */
static int product(const Tokens *t, int i)
{
    if (is(t, i, "(")) {
        int e = product(t, next(t, i));
        return e >= 0 && is(t, e, ")") ? next(t, e) : -1;
    }
    int e = factor(t, i);
    while (e >= 0 && is(t, e, "*"))
        e = factor(t, next(t, e));
    return e;
}

static bool thread_x(const Tokens *t, int i, int end)
{
    return is(t, i, "threadIdx") && is(t, next(t, next(t, i)), "x") && next(t, next(t, next(t, i))) == end;
}

/* Rewrites the sum that begins at i; the token behind it, or -1 if it is another expression. */
static int sum(Tokens *t, int i)
{
    int plus = product(t, i);
    if (plus < 0 || !is(t, plus, "+"))
        return -1;
    int b = next(t, plus), end = product(t, b);
    if (end < 0 || (!is(t, end, ";") && !is(t, end, ",")) || thread_x(t, i, plus) == thread_x(t, b, end))
        return -1;
    char *first = text_of(t, i, prev(t, plus)), *second = text_of(t, b, prev(t, end));
    Tokens words = {NULL, 0, 0};
    words_say(&words, &t->t[i], format("cpudev_sum(%s, %s)", first, second));
    int behind = words.n;
    replace_tokens(t, i, end, &words);
    free(first);
    free(second);
    for (end = i; behind > 0; end++)
        behind -= t->t[end].kind != T_MARK;
    return next(t, end - 1);
}

void canonical_sums(Kernel *k)
{
    Tokens *t = k->canonical.tok;
    for (int i = next(t, k->canonical.body); t->t[i].kind != T_END; i = next(t, i)) {
        int before = prev(t, i);
        if (!is(t, i, "int") || (ident(t, before) && !is(t, before, "const")) ||
            (is(t, before, "const") && ident(t, prev(t, before))))
            continue;
        for (int name = next(t, i); ident(t, name) && is(t, next(t, name), "=");) {
            int end = sum(t, next(t, next(t, name)));
            name = end >= 0 && is(t, end, ",") ? next(t, end) : t->n - 1;
        }
    }
    canonical_bounds(k);
}
