/* declarator.c: one tolerant reader of declarators, for the parser, the outline and the printers.
 *
 * It knows no types: the places of the words tell types from names. The Declarator records whatever is unusual, and its
 * caller decides whether that is understood. */
#include "front/declarator.h"

static bool opens(const Tokens *t, int i) { return is(t, i, W_PAREN) || is(t, i, W_SQUARE) || is(t, i, W_BRACE); }

static bool is_pointer_word(const Tokens *t, int i)
{
    static const Word words[] = {W_CONST, W_VOLATILE, W_RESTRICT__, W_RESTRICT_, W_NONE};
    return in(t, words, i) || (is(t, i, W_RESTRICT) && ident(t, next(t, i)));
}

int declaration_end(const Tokens *t, int i)
{
    while (t->t[i].kind != T_END && !is(t, i, W_SEMICOLON))
        i = next(t, opens(t, i) ? mate(t, i) : i);
    return i;
}

/* ---- the type ---- */

/* A word with parentheses that says something of the declaration, `alignas(16)`, or `[[...]]`: what follows it, or i.
 * */
static int skip_attribute(const Tokens *t, int i)
{
    if (in(t, takes_parens, i) && is(t, next(t, i), W_PAREN))
        return next(t, mate(t, next(t, i)));
    if (is(t, i, W_SQUARE) && is(t, next(t, i), W_SQUARE))
        return next(t, mate(t, i));
    return i;
}

/* `a::b<c>::d` from i: what follows it. */
static int skip_name(const Tokens *t, int i, int end)
{
    if (is(t, i, W_SCOPE))
        i = next(t, i);
    while (ident(t, i) && i < end) {
        int n = next(t, i), a = is(t, n, W_LESS) ? angle_forward(t, n) : -1;
        n = a > 0 && a < end ? next(t, a) : n;
        if (!is(t, n, W_SCOPE))
            return n;
        i = next(t, n);
        if (is(t, i, W_TEMPLATE))
            i = next(t, i);
    }
    return i;
}

/* After struct, class, union or enum at i: its name and its body. */
static int skip_class(const Tokens *t, int i, int end)
{
    i = next(t, i);
    if (is(t, i, W_CLASS) || is(t, i, W_STRUCT)) /* enum class */
        i = next(t, i);
    for (int a; i < end && (a = skip_attribute(t, i)) != i;)
        i = a;
    if (ident(t, i))
        i = skip_name(t, i, end);
    int body = i;
    while (is(t, i, W_COLON) && body < end && !is(t, body, W_BRACE) && !is(t, body, W_SEMICOLON)) /* bases */
        body = next(t, body);
    return is(t, body, W_BRACE) ? next(t, mate(t, body)) : i;
}

/* Can the identifier at i only be a declarator's name? */
static bool ends_declarator(const Tokens *t, int i, int end)
{
    int n = next(t, i);
    return n >= end || is(t, n, W_ASSIGN) || is(t, n, W_SQUARE) || is(t, n, W_COMMA) || is(t, n, W_SEMICOLON) ||
           is(t, n, W_BRACE);
}

int scan_specifiers(const Tokens *t, int i, int end, bool typed)
{
    bool have = false;
    for (int a; i < end;) {
        if ((a = skip_attribute(t, i)) != i) {
            have |= is(t, i, W_DECLTYPE);
            i = a;
        } else if (in(t, specifiers, i) || is_qualifier(t, i) || is(t, i, W_FORCEINLINE)) {
            i = next(t, i);
        } else if (is_keyword_type(t, i) || is(t, i, W_AUTO)) {
            have = true;
            i = next(t, i);
        } else if (is(t, i, W_STRUCT) || is(t, i, W_CLASS) || is(t, i, W_UNION) || is(t, i, W_ENUM)) {
            have = true;
            i = skip_class(t, i, end);
        } else if (!have && (is(t, i, W_SCOPE) || (ident(t, i) && (typed || !ends_declarator(t, i, end))))) {
            have = true;
            a = skip_name(t, i, end);
            i = a > i ? a : next(t, i);
        } else
            break;
    }
    return i < end ? i : end;
}

/* ---- declarators ---- */

int comma_or_end(const Tokens *t, int i, int end)
{
    while (i < end && !is(t, i, W_COMMA)) {
        int a = is(t, i, W_LESS) && ident(t, prev(t, i)) ? angle_forward(t, i) : -1;
        if (opens(t, i))
            i = mate(t, i);
        else if (a > 0 && a < end && is(t, next(t, a), W_PAREN))
            i = a;
        i = next(t, i);
    }
    return i < end ? i : end;
}

/* `*`, `&`, const, ... from i on, into d; what follows them. */
static int scan_pointers(const Tokens *t, int i, int end, Declarator *d)
{
    for (; i < end; i = next(t, i)) {
        if (is(t, i, W_STAR)) {
            d->odd |= d->is_ref;
            d->stars++;
        } else if (is(t, i, W_AND) || is(t, i, W_AND_AND))
            d->is_ref = true;
        else if (is(t, i, W_DOT))
            d->pack = true;
        else if (!is_pointer_word(t, i))
            break;
        d->place = i;
    }
    return i;
}

/* `(*name)`, `(&name)[3]`, `(*name[2])(int)`, `(name)[3]` at i, if it is one: what follows it, or i. */
static int scan_group(const Tokens *t, int i, Declarator *d)
{
    int k = next(t, i), close = mate(t, i);
    const bool array = ident(t, k) && next(t, k) == close && is(t, next(t, close), W_SQUARE);
    if (!is(t, i, W_PAREN) || !(is(t, k, W_STAR) || is(t, k, W_AND) || is(t, k, W_AND_AND) || array))
        return i;
    Declarator inner = {.name = -1};
    d->grouped = true;
    k = scan_pointers(t, k, close, &inner);
    d->place = inner.place;
    if (ident(t, k))
        d->name = d->place = k;
    return next(t, close);
}

static bool names_something(const Tokens *t, int i) { return ident(t, i) && !is_statement_word(t, i); }

/* `[a, b] = v` after auto. */
static bool is_binding(const Tokens *t, int i)
{
    const int p = prev(t, i), behind = next(t, mate(t, i));
    return is(t, i, W_SQUARE) && ident(t, next(t, i)) && (is(t, p, W_AUTO) || is(t, p, W_AND) || is(t, p, W_AND_AND)) &&
           (is(t, behind, W_ASSIGN) || is(t, behind, W_PAREN) || is(t, behind, W_BRACE));
}

bool scan_declarator(const Tokens *t, int i, int end, Declarator *d)
{
    *d = (Declarator){.first = i,
                      .last = prev(t, i),
                      .name = -1,
                      .place = prev(t, i),
                      .dims_first = -1,
                      .dims_last = -1,
                      .init = -1,
                      .end = i};
    i = scan_pointers(t, i, end, d);
    int behind = scan_group(t, i, d);
    if (behind != i)
        i = behind;
    else if (is_binding(t, i)) {
        d->binding = true;
        i = next(t, mate(t, i));
    } else if (i < end && names_something(t, i)) {
        d->name = d->place = i;
        i = next(t, i);
    }
    for (int a; i < end && !is(t, i, W_SQUARE) && (a = skip_attribute(t, i)) != i; i = a)
        d->attributes = true;
    for (; i < end && is(t, i, W_SQUARE); i = next(t, mate(t, i)), d->dims++) {
        d->dims_first = d->dims ? d->dims_first : i;
        d->dims_last = mate(t, i);
        d->open_dims |= is(t, next(t, i), W_SQUARE_END);
    }
    d->last = prev(t, i);
    if (i < end && (is(t, i, W_ASSIGN) || is(t, i, W_PAREN) || is(t, i, W_BRACE))) {
        d->init = i;
        i = comma_or_end(t, is(t, i, W_ASSIGN) ? next(t, i) : i, end);
        d->last = prev(t, i);
    }
    d->end = i < end ? i : end;
    return i >= end || is(t, i, W_COMMA);
}
