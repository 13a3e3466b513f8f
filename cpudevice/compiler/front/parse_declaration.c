/* parse_declaration.c: declarations of local variables and parameters. */
#include "front/declarator.h"
#include "front/parser.h"

/* One declarator at i, of type y, up to `end`; what follows it (the comma, or end), or -1. */
static int read_declarator(Parser *p, const Type *y, int i, int end, Node *statement)
{
    const Tokens *t = p->t;
    Declarator r;
    bool read = scan_declarator(t, i, end, &r);
    if (r.name < 0 || r.odd || r.grouped || r.pack || r.attributes || is_keyword_type(t, r.name))
        return -1;
    Decl *d = add_decl(p->f, r.name);
    d->type_first = y->first;
    d->type_last = y->last;
    d->first = r.first;
    d->last = r.last;
    d->stars = r.stars;
    d->is_ref = r.is_ref;
    d->is_const = y->is_const && r.stars == 0;
    d->is_constexpr = y->is_constexpr;
    d->is_static = y->is_static;
    d->is_volatile = y->is_volatile && r.stars == 0;
    d->is_shared = y->is_shared;
    d->is_extern = y->is_extern;
    d->is_auto = y->is_auto;
    d->is_aligned = y->is_aligned;
    d->is_decltype = contains(t, y->first, y->last, W_DECLTYPE);
    d->type_known = y->known;
    d->statement = statement;
    d->list = p->list;
    d->ndims = r.dims;
    d->dims_first = r.dims_first;
    d->dims_last = r.dims_last;
    if (r.init >= 0) {
        d->init_form = *t->t[r.init].s;
        int from = is(t, r.init, W_ASSIGN) ? next(t, r.init) : r.init;
        if (from >= r.end || (d->init_form != '=' && r.end != next(t, mate(t, from))))
            return -1;
        if (d->init_form == '(' && (next(t, from) == prev(t, r.end) || type_name(p->u, p->f, next(t, from))))
            return -1; /* perhaps a function */
        d->init = read_initialiser(p, from, r.end, d->init_form == '(');
    }
    return read ? r.end : -1;
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
