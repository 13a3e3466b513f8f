/* parse_declaration.c: declarations of local variables and parameters. */
#include "front/parser.h"

/* The end of the initialiser, or of anything else, that begins at i: the comma or semicolon behind it. */
static int initialiser_end(const Tokens *t, int i, int end)
{
    while (i < end && !is(t, i, ",")) {
        if (is(t, i, "(") || is(t, i, "[") || is(t, i, "{"))
            i = mate(t, i);
        else if (is(t, i, "<") && ident(t, prev(t, i)) && angle_forward(t, i) > 0 && angle_forward(t, i) < end &&
                 is(t, next(t, angle_forward(t, i)), "("))
            i = angle_forward(t, i);
        i = next(t, i);
    }
    return i;
}

/* One declarator at i, of type y, up to `end`; what follows it (the comma, or end), or -1. */
static int read_declarator(Parser *p, const Type *y, int i, int end, Node *statement)
{
    const Tokens *t = p->t;
    int first = i, stars = 0;
    bool is_ref = false;
    for (; is(t, i, "*") || is(t, i, "&") || is(t, i, "&&") || is(t, i, "const") || is(t, i, "__restrict__") ||
           is(t, i, "__restrict") || is(t, i, "volatile");
         i = next(t, i)) {
        stars += is(t, i, "*");
        is_ref |= is(t, i, "&") || is(t, i, "&&");
        if (is_ref && is(t, i, "*"))
            return -1;
    }
    if (!ident(t, i) || i >= end || is_statement_word(t, i) || is_keyword_type(t, i))
        return -1;
    Decl *d = add_decl(p->f, i);
    d->type_first = y->first;
    d->type_last = y->last;
    d->first = first;
    d->stars = stars;
    d->is_ref = is_ref;
    d->is_const = y->is_const && stars == 0;
    d->is_constexpr = y->is_constexpr;
    d->is_static = y->is_static;
    d->is_volatile = y->is_volatile && stars == 0;
    d->is_shared = y->is_shared;
    d->is_extern = y->is_extern;
    d->is_auto = y->is_auto;
    d->is_aligned = y->is_aligned;
    d->is_decltype = contains(t, y->first, y->last, "decltype");
    d->type_known = y->known;
    d->statement = statement;
    d->list = p->list;
    for (i = next(t, i); is(t, i, "[") && i < end; i = next(t, mate(t, i)), d->ndims++) {
        d->dims_first = d->ndims ? d->dims_first : i;
        d->dims_last = mate(t, i);
    }
    d->last = prev(t, i);
    if (i < end && (is(t, i, "=") || is(t, i, "(") || is(t, i, "{"))) {
        d->init_form = *t->t[i].s;
        int from = is(t, i, "=") ? next(t, i) : i, to = initialiser_end(t, from, end);
        if (from >= to || (d->init_form != '=' && to != next(t, mate(t, from))))
            return -1;
        if (d->init_form == '(' && (next(t, from) == prev(t, to) || type_name(p->u, p->f, next(t, from))))
            return -1; /* perhaps a function */
        d->init = read_initialiser(p, from, to, d->init_form == '(');
        d->last = prev(t, to);
        i = to;
    }
    return i == end || is(t, i, ",") ? i : -1;
}

/* A declaration i..semi; S_OPAQUE if it is not understood. */
Node *read_declaration(Parser *p, int i, int semi)
{
    const Tokens *t = p->t;
    Node *n = new_node(S_DECL, i, semi);
    Type y;
    int count = p->f->ndecl;
    bool ok = read_type(p->u, p->f, i, semi, &y) && next(t, y.last) < semi;
    for (int d = ok ? next(t, y.last) : semi; ok && d < semi;) {
        int e = read_declarator(p, &y, d, semi, n);
        ok = e > 0;
        d = e < semi ? next(t, e) : semi;
        ok = ok && (e == semi || d < semi);
    }
    for (int k = count; k < p->f->ndecl; k++) /* what a variable begins with, in order */
        if (p->f->decl[k]->init)
            add_kid(n, p->f->decl[k]->init);
    if (!ok)
        n->kind = S_OPAQUE;
    n->op = ok ? y.first : -1;
    return n;
}
