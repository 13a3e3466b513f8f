/* outline_names.c: the names that declarations outside functions, and types anywhere, give (see outline.c). */
#include "front/declarator.h"
#include "front/outliner.h"

void declared_names(Unit *u, int i, NameKind kind)
{
    const Tokens *t = &u->tok;
    const int semi = declaration_end(t, i);
    Declarator d = {.end = prev(t, scan_specifiers(t, i, semi, false))};
    while (d.end < semi) {
        if (!scan_declarator(t, next(t, d.end), semi, &d)) /* what is not understood is passed over */
            d.end = comma_or_end(t, d.end, semi);
        if (d.name >= 0)
            add_name(u, t, d.name, kind);
    }
}

/* Are a..b words of a type that is plain: scalars, pointers to anything plain, vectors? */
static bool plain_words(Unit *u, int a, int b)
{
    const Tokens *t = &u->tok;
    for (int i = a; i <= b; i = next(t, i))
        if (!(is_type_word(t, i) || is(t, i, W_CONST) || is(t, i, W_STAR) || is(t, i, W_STRUCT) ||
              only_kind(u, t, i, N_PLAIN_TYPE)))
            return false;
    return a <= b;
}

/* The members between a plain class's braces that are arrays. */
static void array_members(Unit *u, int open, int close)
{
    const Tokens *t = &u->tok;
    for (int i = open; i < close; i = next(t, i)) {
        int dims = 0, k = next(t, i);
        for (; ident(t, i) && is(t, k, W_SQUARE); k = next(t, mate(t, k)))
            dims++;
        if (dims)
            add_array_member(u, t, i, dims);
    }
}

/* A class of plain members alone, whose brace is at `open`? */
static bool plain_class(Unit *u, int open)
{
    const Tokens *t = &u->tok;
    int close = mate(t, open);
    for (int i = next(t, open); i < close;) {
        int e = i;
        while (is(t, i, W_CONST) || is(t, i, W_UNSIGNED) || is(t, i, W_STRUCT))
            i = next(t, i);
        if (!(is_type_word(t, i) || only_kind(u, t, i, N_PLAIN_TYPE) || is(t, prev(t, i), W_UNSIGNED)))
            return false;
        for (e = i; e < close && !is(t, e, W_SEMICOLON); e = next(t, e))
            if (!(ident(t, e) || is(t, e, W_STAR) || is(t, e, W_SQUARE) || is(t, e, W_SQUARE_END) ||
                  is(t, e, W_COMMA) || t->t[e].kind == T_NUM))
                return false;
        i = next(t, e);
    }
    array_members(u, open, close);
    return true;
}

void unjudged(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    for (int p = prev(t, i); ident(t, p); p = prev(t, p))
        if (!in(t, specifiers, p) && !is_qualifier(t, p) && !is_type_word(t, p) && !only_kind(u, t, p, N_PLAIN_TYPE)) {
            declared_names(u, i, N_UNJUDGED);
            return;
        }
    bool type = false;
    for (int k = next(t, i); t->t[k].kind != T_END; k = next(t, k)) {
        int n = next(t, k);
        if (in(t, takes_parens, k) && is(t, n, W_PAREN))
            k = mate(t, n);
        else if (is_type_word(t, k) || only_kind(u, t, k, N_PLAIN_TYPE))
            type = true;
        else if (ident(t, k) && (is(t, n, W_ASSIGN) || is(t, n, W_SQUARE) || is(t, n, W_COMMA) ||
                                 is(t, n, W_SEMICOLON) || is(t, n, W_BRACE))) {
            if (!type && !is_type_word(t, prev(t, i)))
                declared_names(u, i, N_UNJUDGED);
            return;
        } else if (!in(t, specifiers, k) && !is_qualifier(t, k) && !is(t, k, W_STAR)) {
            declared_names(u, i, N_UNJUDGED);
            return;
        }
    }
}

static void outline_class(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    int n = next(t, i), p = prev(t, i);
    while (in(t, takes_parens, n) && is(t, next(t, n), W_PAREN))
        n = next(t, mate(t, next(t, n)));
    if (!ident(t, n) || is(t, p, W_LESS) || is(t, p, W_COMMA) || is(t, p, W_ENUM))
        return;
    int open = next(t, n);
    bool plain = is(t, open, W_BRACE) && !is(t, p, W_GREATER) && plain_class(u, open);
    if (is(t, open, W_BRACE) || is(t, open, W_SEMICOLON) || is(t, open, W_COLON) || is(t, open, W_FINAL)) {
        if (is(t, open, W_SEMICOLON) && has_name(u, t, n, N_PLAIN_TYPE))
            return;
        add_name(u, t, n, plain ? N_PLAIN_TYPE : N_TYPE);
        add_name(u, t, n, N_NO_NUMBER);
        if (!plain && !is(t, open, W_SEMICOLON))
            add_name(u, t, n, N_CLASS);
        if (is(t, p, W_GREATER))
            add_name(u, t, n, N_TEMPLATE);
    }
}

static void outline_enum(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    int n = next(t, i);
    bool scoped = is(t, n, W_CLASS) || is(t, n, W_STRUCT);
    n = scoped ? next(t, n) : n;
    if (ident(t, n)) {
        add_name(u, t, n, N_PLAIN_TYPE);
        n = next(t, n);
    }
    while (t->t[n].kind != T_END && !is(t, n, W_BRACE) && !is(t, n, W_SEMICOLON))
        n = next(t, n);
    if (!is(t, n, W_BRACE) || scoped)
        return;
    for (int k = next(t, n), close = mate(t, n); k < close; k = next(t, k)) {
        if (ident(t, k))
            add_name(u, t, k, N_CONSTANT);
        while (k < close && !is(t, k, W_COMMA))
            k = is(t, k, W_PAREN) || is(t, k, W_BRACE) ? next(t, mate(t, k)) : next(t, k);
    }
}

/* The name at i is that of the type in first..last. */
static void add_type(Unit *u, int i, int first, int last, bool plain)
{
    const Tokens *t = &u->tok;
    bool number = true;
    for (int k = first; k <= last; k = next(t, k))
        number &= is_keyword_type(t, k) || is_qualifier(t, k);
    add_name(u, t, i, plain ? N_PLAIN_TYPE : N_TYPE);
    if (!number)
        add_name(u, t, i, N_NO_NUMBER);
}

static void outline_typedef(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    if (is(t, i, W_USING)) {
        int name = next(t, i), e = next(t, name);
        if (!ident(t, name) || !is(t, e, W_ASSIGN))
            return;
        int first = next(t, e);
        for (e = first; t->t[e].kind != T_END && !is(t, e, W_SEMICOLON); e = next(t, e))
            ;
        add_type(u, name, first, prev(t, e), plain_words(u, first, prev(t, e)));
        return;
    }
    int e = next(t, i), last = -1;
    for (int k = e; t->t[k].kind != T_END && !is(t, k, W_SEMICOLON) && !is(t, k, W_BRACE); k = next(t, k))
        if (is(t, k, W_PAREN) && is(t, next(t, k), W_STAR)) { /* typedef int (*f)(int); */
            add_name(u, t, next(t, next(t, k)), N_TYPE);
            return;
        }
    for (; t->t[e].kind != T_END && !is(t, e, W_SEMICOLON);
         e = is(t, e, W_PAREN) || is(t, e, W_BRACE) || is(t, e, W_SQUARE) ? next(t, mate(t, e)) : next(t, e))
        if (ident(t, e))
            last = e;
    int word = next(t, i), open = next(t, word); /* typedef struct [X] {...} Y; */
    open = ident(t, open) ? next(t, open) : open;
    bool plain = is(t, word, W_STRUCT) && is(t, open, W_BRACE) ? plain_class(u, open) && prev(t, last) == mate(t, open)
                 : is(t, word, W_ENUM) && is(t, open, W_BRACE) ? prev(t, last) == mate(t, open)
                                                               : plain_words(u, word, prev(t, last));
    if (last > i)
        add_type(u, last, word, prev(t, last), plain && is(t, next(t, last), W_SEMICOLON));
}

/* `const int n = ...;` outside functions */
static void outline_constant(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    int e = next(t, i);
    bool plain = true, words = false, keywords = true;
    for (; ident(t, e) || is(t, e, W_STAR) || is(t, e, W_AND) || is(t, e, W_SCOPE) || is(t, e, W_LESS);
         e = next(t, e)) {
        int n = next(t, e);
        if (ident(t, e) && (is(t, n, W_ASSIGN) || is(t, n, W_BRACE) || is(t, n, W_SQUARE) || is(t, n, W_SEMICOLON))) {
            if (is(t, n, W_SQUARE) || is(t, n, W_SEMICOLON))
                return;
            add_name(u, t, e, plain && words ? N_CONSTANT : N_UNJUDGED);
            if (plain && !keywords)
                add_name(u, t, e, N_CLASS_CONSTANT);
            return;
        }
        if (is(t, e, W_LESS)) {
            e = angle_forward(t, e);
            if (e < 0)
                return;
            plain = false;
            continue;
        }
        keywords &= is_keyword_type(t, e) || is_qualifier(t, e);
        words |= is_type_word(t, e) || only_kind(u, t, e, N_PLAIN_TYPE);
        plain &= is_type_word(t, e) || is_qualifier(t, e) || only_kind(u, t, e, N_PLAIN_TYPE);
    }
}

void outline_word(Unit *u, int i, bool in_function)
{
    const Tokens *t = &u->tok;
    if (is(t, i, W_STRUCT) || is(t, i, W_CLASS) || is(t, i, W_UNION))
        outline_class(u, i);
    else if (is(t, i, W_ENUM))
        outline_enum(u, i);
    else if (is(t, i, W_TYPEDEF) || is(t, i, W_USING))
        outline_typedef(u, i);
    else if (!in_function && (is(t, i, W_CONST) || is(t, i, W_CONSTEXPR)))
        outline_constant(u, i);
}
