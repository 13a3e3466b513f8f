/* parse_type.c: types, as far as they are recognised. */
#include "front/parser.h"

/* A name with what qualifies it and the arguments of its template, from i; its last token, or -1. */
static int qualified(const Tokens *t, int i, int end)
{
    if (is(t, i, W_SCOPE))
        i = next(t, i);
    for (;;) {
        if (!ident(t, i) || is_statement_word(t, i))
            return -1;
        int n = next(t, i);
        if (is(t, n, W_LESS)) {
            int a = angle_forward(t, n);
            if (a < 0 || a >= end)
                return i;
            i = a;
            n = next(t, a);
        }
        if (!is(t, n, W_SCOPE))
            return i;
        i = next(t, n);
    }
}

static bool qualifier(const Tokens *t, int i, Type *y)
{
    if (!is_qualifier(t, i))
        return false;
    y->is_const |= is(t, i, W_CONST);
    y->is_constexpr |= is(t, i, W_CONSTEXPR);
    y->is_static |= is(t, i, W_STATIC);
    y->is_volatile |= is(t, i, W_VOLATILE);
    y->is_shared |= is(t, i, W_SHARED);
    y->is_extern |= is(t, i, W_EXTERN) || is(t, i, W_THREAD_LOCAL);
    return true;
}

/* A type at i, before `end`. A name that might be something else counts, with named false: where a declaration may
 * stand, what follows tells. */
bool read_type(const Unit *u, const Function *f, int i, int end, Type *y)
{
    const Tokens *t = f->tok;
    *y = (Type){.first = i, .last = -1, .known = true};
    bool have = false;
    for (; i < end; i = next(t, i)) {
        if (qualifier(t, i, y)) {
            y->last = i;
            continue;
        }
        if ((is(t, i, W_ALIGNAS) || is(t, i, W_ALIGN) || is(t, i, W_ATTRIBUTE)) && is(t, next(t, i), W_PAREN)) {
            y->last = i = mate(t, next(t, i));
            y->is_aligned = true;
            continue;
        }
        if (is_keyword_type(t, i)) {
            if (have && !y->known)
                break;
            y->named = have = true;
        } else if (have) {
            break;
        } else if (is(t, i, W_AUTO)) {
            y->is_auto = y->named = have = true;
            y->known = false;
        } else if (is(t, i, W_DECLTYPE) && is(t, next(t, i), W_PAREN)) {
            i = mate(t, next(t, i));
            y->named = have = true;
            y->known = false;
        } else {
            if (is(t, i, W_STRUCT) || is(t, i, W_ENUM))
                i = next(t, i);
            int e = qualified(t, i, end);
            if (e < 0)
                break;
            y->named = type_name(u, f, i) && (e == i || is(t, next(t, i), W_LESS));
            have = true;
            y->known = false;
            i = e;
        }
        y->last = i;
    }
    return have && y->last >= y->first;
}

bool read_type_id(const Unit *u, const Function *f, int i, int end)
{
    const Tokens *t = f->tok;
    Type y;
    if (!read_type(u, f, i, end, &y) || !y.named || y.is_auto)
        return false;
    for (i = next(t, y.last); i < end; i = next(t, i))
        if (!is(t, i, W_STAR) && !is(t, i, W_AND) && !is(t, i, W_CONST) && !is(t, i, W_VOLATILE) &&
            !is(t, i, W_RESTRICT__))
            return false;
    return i == end;
}
