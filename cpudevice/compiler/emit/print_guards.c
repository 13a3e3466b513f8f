/* print_guards.c: local arrays, for the checker. Of a declaration `T a[N], b = 1;` in device code each array whose
 * address is used becomes storage between two guards, of which the checker knows, and a reference by the declared name.
 * -fsanitize=bounds sees to the other arrays. */
#include "emit/printer.h"
#include "front/declarator.h"

#include <stdlib.h>

/* the `{` of the block that i is in, or -1 if that is a class, an initialiser, or a switch (whose cases may not
 * jump over a constructor) */
int statement_block(const Tokens *t, int i)
{
    int j = enclosing(t, i), p = prev(t, j);
    if (!is(t, j, W_BRACE))
        return -1;
    if (is(t, p, W_PAREN_END))
        return is(t, prev(t, mate_back(t, p)), W_SWITCH) ? -1 : j;
    return is(t, p, W_BRACE) || is(t, p, W_BRACE_END) || is(t, p, W_SEMICOLON) || is(t, p, W_COLON) ||
                   is(t, p, W_ELSE) || is(t, p, W_DO) || is(t, p, W_CONST) || is(t, p, W_NOEXCEPT) ||
                   is(t, p, W_MUTABLE)
               ? j
               : -1;
}

static bool operand_end(const Tokens *t, int i)
{
    return ident(t, i) ? !is(t, i, W_RETURN)
                       : i >= 0 && (t->t[i].kind == T_NUM || is(t, i, W_PAREN_END) || is(t, i, W_SQUARE_END));
}

/* Is the array used by its address between a and b, other than by as many subscripts as it has dimensions? */
bool decays(const Tokens *t, int name, int dims, int a, int b)
{
    for (int i = a; i < b; i = next(t, i)) {
        if (!ident(t, i) || !same(t, i, name))
            continue;
        int p = prev(t, i), e = next(t, i), n = 0;
        if (is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE) || is(t, p, W_SIZEOF) ||
            (is(t, p, W_PAREN) && is(t, prev(t, p), W_SIZEOF)))
            continue;
        for (; is(t, e, W_SQUARE); e = next(t, mate(t, e)))
            n++;
        if (n < dims || (is(t, p, W_AND) && !operand_end(t, prev(t, p))))
            return true;
    }
    return false;
}

/* Is `decltype(name)` between a and b? Of the reference that a guarded array becomes it would be another type. */
static bool type_is_asked(const Tokens *t, int name, int a, int b)
{
    for (int i = a; i < b; i = next(t, i))
        if (ident(t, i) && same(t, i, name) && is(t, prev(t, i), W_PAREN) && is(t, next(t, i), W_PAREN_END) &&
            is(t, prev(t, prev(t, i)), W_DECLTYPE))
            return true;
    return false;
}

typedef struct {
    int name, dims, init, end;
} Local;

/* The type of a declaration at i: its last word, or -1. */
static int local_type(const Tokens *t, int i)
{
    static const Word others[] = {W_STATIC,    W_EXTERN,  W_CONST,  W_CONSTEXPR, W_TYPEDEF,  W_USING,        W_RETURN,
                                  W_AUTO,      W_DELETE,  W_NEW,    W_THROW,     W_GOTO,     W_CASE,         W_ELSE,
                                  W_IF,        W_FOR,     W_WHILE,  W_DO,        W_SWITCH,   W_THREAD_LOCAL, W_SHARED,
                                  W_ALIGNAS,   W_ALIGN,   W_FRIEND, W_TEMPLATE,  W_REGISTER, W_PUBLIC,       W_PRIVATE,
                                  W_PROTECTED, W_DEFAULT, W_BREAK,  W_CONTINUE,  W_ASM,      W_ASM__,        W_CLASS,
                                  W_ENUM,      W_NONE};
    int j = i;
    if (in(t, others, i))
        return -1;
    for (; ident(t, j) || is(t, j, W_SCOPE); j = next(t, j)) { /* all words but the last */
        int after = next(t, j);
        if (is(t, after, W_LESS)) {
            int a = angle_forward(t, after);
            if (a < 0)
                return -1;
            j = a;
        } else if (!ident(t, after) && !is(t, after, W_SCOPE))
            break;
    }
    if (j == i && !is(t, j, W_STAR))
        return -1;
    return is(t, j, W_GREATER) || is(t, next(t, j), W_STAR) ? next(t, j) : j;
}

/* The declarators from *at on, up to the semicolon, where *at is then; how many, or -1. */
static int local_declarators(const Tokens *t, int *at, Local *d, int most, bool *arrays)
{
    const int semi = declaration_end(t, *at);
    int n = 0;
    for (int j = *at; n < most; j = next(t, j)) {
        Declarator r;
        if (!scan_declarator(t, j, semi, &r) || r.name < 0 || r.is_ref || r.grouped || r.attributes || r.open_dims)
            return -1;
        const bool value = r.init >= 0 && !is(t, r.init, W_PAREN);
        const int brace = value && is(t, r.init, W_ASSIGN) ? next(t, r.init) : r.init;
        if ((r.init >= 0 && !value) ||
            (value && r.dims && (!is(t, brace, W_BRACE) || r.end != next(t, mate(t, brace)))))
            return -1;
        *arrays |= r.dims > 0;
        d[n++] = (Local){r.name, r.dims, r.init, r.last};
        *at = j = r.end;
        if (j == semi)
            return t->t[j].kind == T_END ? -1 : n;
    }
    return -1;
}

static void print_guard(Tokens *t, const Local *d)
{
    const Token *x = &t->t[d->name];
    char *storage = format("; ::cpudev::guarded_local<%.*s__cpudev_t> %.*s__cpudev", x->len, x->s, x->len, x->s);
    put_after(t, d->name, format("__cpudev_t"));
    if (d->init >= 0) {
        int brace = is(t, d->init, W_ASSIGN) ? next(t, d->init) : d->init;
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
    if (first < 0 || is(t, prev(t, first), W_SCOPE))
        return;
    int n = local_declarators(t, &j, d, 16, &arrays), open = arrays && n > 0 ? statement_block(t, i) : -1;
    if (open < 0 || contains(t, open, mate(t, open), W_GOTO)) /* which may not jump over a constructor either */
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
