/* print_guards.c: local arrays, for the checker. Of a declaration `T a[N], b = 1;` in device code each array whose
 * address is used becomes storage between two guards, of which the checker knows, and a reference by the declared name.
 * -fsanitize=bounds sees to the other arrays. */
#include "emit/printer.h"

#include <stdlib.h>

/* the `{` of the block that i stands in, or -1 if that is a class, an initialiser, or a switch (whose cases may not
 * jump over a constructor) */
int statement_block(const Tokens *t, int i)
{
    int j = enclosing(t, i), p = prev(t, j);
    if (!is(t, j, "{"))
        return -1;
    if (is(t, p, ")"))
        return is(t, prev(t, mate_back(t, p)), "switch") ? -1 : j;
    return is(t, p, "{") || is(t, p, "}") || is(t, p, ";") || is(t, p, ":") || is(t, p, "else") || is(t, p, "do") ||
                   is(t, p, "const") || is(t, p, "noexcept") || is(t, p, "mutable")
               ? j
               : -1;
}

static bool operand_end(const Tokens *t, int i)
{
    return ident(t, i) ? !is(t, i, "return") : i >= 0 && (t->t[i].kind == T_NUM || is(t, i, ")") || is(t, i, "]"));
}

/* Is the array used by its address between a and b, other than by as many subscripts as it has dimensions? */
bool decays(const Tokens *t, int name, int dims, int a, int b)
{
    for (int i = a; i < b; i = next(t, i)) {
        if (!ident(t, i) || !same(t, i, name))
            continue;
        int p = prev(t, i), e = next(t, i), n = 0;
        if (is(t, p, ".") || is(t, p, "->") || is(t, p, "::") || is(t, p, "sizeof") ||
            (is(t, p, "(") && is(t, prev(t, p), "sizeof")))
            continue;
        for (; is(t, e, "["); e = next(t, mate(t, e)))
            n++;
        if (n < dims || (is(t, p, "&") && !operand_end(t, prev(t, p))))
            return true;
    }
    return false;
}

/* Is `decltype(name)` between a and b? Of the reference that a guarded array becomes it would be another type. */
static bool type_is_asked(const Tokens *t, int name, int a, int b)
{
    for (int i = a; i < b; i = next(t, i))
        if (ident(t, i) && same(t, i, name) && is(t, prev(t, i), "(") && is(t, next(t, i), ")") &&
            is(t, prev(t, prev(t, i)), "decltype"))
            return true;
    return false;
}

typedef struct {
    int name, dims, init, end;
} Local;

/* The type of a declaration at i: its last word, or -1. */
static int local_type(const Tokens *t, int i)
{
    static const char *const others[] = {
        "static",   "extern",   "const",  "constexpr",    "typedef",    "using",   "return",    "auto",
        "delete",   "new",      "throw",  "goto",         "case",       "else",    "if",        "for",
        "while",    "do",       "switch", "thread_local", "__shared__", "alignas", "__align__", "friend",
        "template", "register", "public", "private",      "protected",  "default", "break",     "continue",
        "asm",      "__asm__",  "class",  "enum",         NULL};
    int j = i;
    if (in(t, others, i))
        return -1;
    for (; ident(t, j) || is(t, j, "::"); j = next(t, j)) { /* all words but the last */
        int after = next(t, j);
        if (is(t, after, "<")) {
            int a = angle_forward(t, after);
            if (a < 0)
                return -1;
            j = a;
        } else if (!ident(t, after) && !is(t, after, "::"))
            break;
    }
    if (j == i && !is(t, j, "*"))
        return -1;
    return is(t, j, ">") || is(t, next(t, j), "*") ? next(t, j) : j;
}

/* The declarators from j on, up to the semicolon *j; how many, or -1. */
static int local_declarators(const Tokens *t, int *at, Local *d, int most, bool *arrays)
{
    int n = 0, j = *at;
    for (;; j = next(t, j)) {
        while (is(t, j, "*"))
            j = next(t, j);
        if (!ident(t, j) || n == most)
            return -1;
        d[n] = (Local){j, 0, -1, j};
        for (j = next(t, j); is(t, j, "["); j = next(t, mate(t, j)), d[n].dims++)
            if (is(t, next(t, j), "]"))
                return -1; /* int a[] = {...} */
        *arrays |= d[n].dims > 0;
        if (is(t, j, "=") || is(t, j, "{")) {
            d[n].init = j;
            int brace = is(t, j, "=") ? next(t, j) : j;
            if (d[n].dims && !is(t, brace, "{"))
                return -1;
            for (; !is(t, j, ",") && !is(t, j, ";"); j = next(t, j)) {
                if (t->t[j].kind == T_END || is(t, j, "}"))
                    return -1;
                if (is(t, j, "(") || is(t, j, "[") || is(t, j, "{"))
                    j = mate(t, j);
            }
            if (d[n].dims && j != next(t, mate(t, brace)))
                return -1;
        }
        d[n++].end = prev(t, j);
        *at = j;
        if (is(t, j, ";"))
            return n;
        if (!is(t, j, ","))
            return -1;
    }
}

static void print_guard(Tokens *t, const Local *d)
{
    const Token *x = &t->t[d->name];
    char *storage = format("; ::cpudev::guarded_local<%.*s__cpudev_t> %.*s__cpudev", x->len, x->s, x->len, x->s);
    put_after(t, d->name, format("__cpudev_t"));
    if (d->init >= 0) {
        int brace = is(t, d->init, "=") ? next(t, d->init) : d->init;
        put_before(t, d->init, storage);
        put_before(t, brace, format("{{}, "));
        put_after(t, mate(t, brace), format(", {}}"));
    } else
        put_after(t, d->end, storage);
    put_after(
        t, d->end,
        format(
            "; ::cpudev::local_guard %.*s__cpudev_g(%.*s__cpudev, \"%.*s\"); %.*s__cpudev_t &%.*s = %.*s__cpudev.value",
            x->len, x->s, x->len, x->s, shown(x), x->s, x->len, x->s, x->len, x->s, x->len, x->s));
}

void print_guards(Unit *u, Tokens *t, int i)
{
    (void)u;
    Local d[16];
    bool arrays = false, any = false;
    int first = local_type(t, i), j = first;
    if (first < 0 || is(t, prev(t, first), "::"))
        return;
    int n = local_declarators(t, &j, d, 16, &arrays), open = arrays && n > 0 ? statement_block(t, i) : -1;
    if (open < 0 || contains(t, open, mate(t, open), "goto")) /* which may not jump over a constructor either */
        return;
    for (int k = 0; k < n; k++)
        if (t->t[i].drop || t->t[d[k].name].drop ||
            t->t[d[k].name].after) /* another printer has made it something else */
            return;
    for (int k = 0; k < n; k++) {
        if (d[k].dims &&
            (!decays(t, d[k].name, d[k].dims, j, mate(t, open)) || type_is_asked(t, d[k].name, j, mate(t, open))))
            d[k].dims = 0;
        any |= d[k].dims > 0;
    }
    if (!any)
        return;
    char *type = text_of(t, i, prev(t, first));
    for (int k = 0; k < n; k++) {
        if (k) { /* a statement of its own */
            int comma = next(t, d[k - 1].end);
            t->t[comma].drop = true;
            put_before(t, comma, format("; %s%s ", d[k].dims ? "typedef " : "", type));
        } else if (d[k].dims)
            put_before(t, i, format("typedef "));
        if (d[k].dims)
            print_guard(t, &d[k]);
    }
    free(type);
}
