/* print_constants.c: a file's constant memory is asserted to fit: ptxas refuses more than 64 KB of it, and g++ knows how much
 * there is. */
#include "emit/printer.h"
#include "front/declarator.h"

#include <stdlib.h>

/* ::a::b:: of the namespaces with names that the token at i is in. */
static char *scope_of(const Tokens *t, int i)
{
    char *scope = format("::");
    for (int b = enclosing(t, i); b >= 0; b = enclosing(t, b)) {
        int first = b;
        while (ident(t, prev(t, first)) || is(t, prev(t, first), W_SCOPE)) {
            if (is(t, prev(t, first), W_NAMESPACE))
                break;
            first = prev(t, first);
        }
        if (!is(t, b, W_BRACE) || first == b || !is(t, prev(t, first), W_NAMESPACE))
            continue;
        char *path = text_of(t, first, prev(t, b)), *outer = scope;
        scope = format("::%s%s", path, outer);
        free(path);
        free(outer);
    }
    return scope;
}

/* Adds to *sum the variables that the declaration with __constant__ at i defines, with the last word of it in *last. */
static void add_sizes(const Tokens *t, int i, char **sum, int *last)
{
    const int start = statement_start(t, i), semi = declaration_end(t, i);
    Declarator d = {.end = prev(t, scan_specifiers(t, i, semi, false))};
    if (is(t, start, W_TEMPLATE) || contains(t, start, i, W_EXTERN) || contains(t, i, d.end, W_EXTERN))
        return;
    while (d.end < semi) {
        if (!scan_declarator(t, next(t, d.end), semi, &d) || d.name < 0)
            return;
        char *scope = scope_of(t, d.name);
        append(sum, format("%ssizeof(%s%.*s)", **sum ? " + " : "", scope, t->t[d.name].len, t->t[d.name].s));
        free(scope);
        *last = semi;
    }
}

void print_constants(Unit *u)
{
    Tokens *t = &u->tok;
    char *sum = format("%s", "");
    int last = -1;
    for (int i = 0; i < t->n; i++)
        if (is(t, i, W_CONSTANT) && !t->t[i].header && at_namespace_scope(t, i))
            add_sizes(t, i, &sum, &last);
    if (last >= 0)
        put_after(
            t, last,
            format(" static_assert(%s <= 0x10000, \"File uses too much global constant data (0x10000 bytes max)\");",
                   sum));
    free(sum);
}
