/* resolve.c: names to declarations.
 *
 * Contract: sets Node.decl of each E_NAME that names a local variable or parameter; two variables of one spelling are
 * two Decls. Names in places that have no tree (the dimensions of an array, the arguments of a template, sizeof) are
 * recorded as reads. Nothing else changes. */
#include "front/unit.h"
#include "analysis/analysis.h"

#include <stdlib.h>

typedef struct {
    Function *f;
    Decl **seen; /* the variables in scope, innermost last */
    int n, cap;
    Node *statement;
} Scope;

static void declare(Scope *s, Decl *d)
{
    if (s->n == s->cap)
        s->seen = must(realloc(s->seen, (size_t)(s->cap = s->cap ? s->cap * 2 : 64) * sizeof *s->seen));
    s->seen[s->n++] = d;
}

static Decl *find(const Scope *s, int i)
{
    const Tokens *t = s->f->tok;
    int p = prev(t, i);
    if (!ident(t, i) || is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE))
        return NULL;
    for (int k = s->n - 1; k >= 0; k--)
        if (same_as(t, i, s->seen[k]->name, s->seen[k]->len))
            return s->seen[k];
    return NULL;
}

void add_use(Decl *d, int at, UseKind kind, Node *statement)
{
    if (d->nuse == d->use_cap)
        d->use = must(realloc(d->use, (size_t)(d->use_cap = d->use_cap ? d->use_cap * 2 : 8) * sizeof *d->use));
    d->use[d->nuse++] = (Use){at, kind, statement};
}

/* Names among the tokens a..b. */
static void tokens_read(Scope *s, int a, int b, UseKind kind)
{
    for (int i = a; a >= 0 && i <= b; i = next(s->f->tok, i)) {
        Decl *d = find(s, i);
        if (d)
            add_use(d, i, kind, s->statement);
    }
}

static void resolve(Scope *s, Node *n);

static void resolve_declaration(Scope *s, Node *n)
{
    Function *f = s->f;
    for (int k = 0; k < f->ndecl; k++) {
        Decl *d = f->decl[k];
        if (d->statement != n)
            continue;
        tokens_read(s, d->type_first, d->type_last, d->is_decltype ? USE_UNKNOWN : USE_READ);
        tokens_read(s, d->dims_first, d->dims_last, USE_READ);
        declare(s, d);
        if (d->init)
            resolve(s, d->init);
    }
}

static void resolve(Scope *s, Node *n)
{
    if (!n)
        return;
    int scope = s->n;
    switch (n->kind) {
    case S_LIST:
    case S_FOR:
        for (int i = 0; i < n->n; i++)
            resolve(s, n->kid[i]);
        s->n = scope;
        return;
    case S_DECL:
        s->statement = n;
        resolve_declaration(s, n);
        return;
    case E_NAME:
        n->decl = n->first == n->last ? find(s, n->first) : NULL;
        if (!n->decl)
            tokens_read(s, n->first, n->last, USE_UNKNOWN); /* f<n>(...) */
        return;
    case E_SIZEOF: tokens_read(s, n->first, n->last, USE_READ); return;
    case E_OPAQUE:
    case S_OPAQUE:
    case S_TYPES: tokens_read(s, n->first, n->last, USE_UNKNOWN); return;
    case E_CAST: tokens_read(s, n->op, n->op_last, USE_UNKNOWN); break;
    case S_EXPR:
    case S_RETURN: s->statement = n; break;
    default: break;
    }
    for (int i = 0; i < n->n; i++) {
        int before = s->n;
        resolve(s, n->kid[i]);
        if (n->kind == S_IF || n->kind == S_WHILE || n->kind == S_DO || n->kind == S_SWITCH)
            s->n = before; /* `if (c) int x = 1;` */
    }
}

void resolve_function(Function *f)
{
    Scope s = {.f = f};
    for (int i = 0; i < f->ndecl; i++) {
        f->decl[i]->nuse = 0;
        if (f->decl[i]->is_param)
            declare(&s, f->decl[i]);
    }
    resolve(&s, f->tree);
    free(s.seen);
}

void pass_resolve(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].tree)
            resolve_function(&u->function[i]);
}
