/* verify_uses.c: is each name bound to its declaration, and each mention of a local variable on record?
 *
 * A variable is in scope from its declarator to the end of the list, or for statement, that it is in. That is read
 * off the tree once, and then each token is looked at by itself: which variable in scope, the innermost, has this
 * spelling? */
#include "verify/verifier.h"

#include <stdlib.h>

typedef struct {
    Verify *v;
    const Function *f;
    const Tokens *t;
    int *until;         /* by declaration: the last token of its scope; -1 if it is not in the tree */
    const Decl **owner; /* by token from `open` on: whose use is on record there */
    UseKind *kind;
    int from; /* f->open */
} Uses;

/* ---- scopes ---- */

static void find_scopes(Uses *s, const Node *n, const Node *parent)
{
    if (!n || is_expression(n))
        return;
    for (int i = 0; n->kind == S_DECL && i < s->f->ndecl; i++) {
        const Decl *d = s->f->decl[i];
        if (d->statement != n)
            continue;
        bool lists = parent->kind == S_LIST || parent->kind == S_FOR;
        s->until[i] = lists ? parent->last : n->last; /* `if (c) int x = 1;` */
        if (lists && d->list != parent)
            broke(s->v, d->at, "a declaration that does not know its list");
    }
    for (int i = 0; n->kind != S_DECL && i < n->n; i++)
        find_scopes(s, n->kid[i], n);
}

/* The innermost variable in scope at i that has the name of the token there, or NULL. */
static const Decl *visible(const Uses *s, int i)
{
    int p = prev(s->t, i);
    if (is(s->t, p, W_DOT) || is(s->t, p, W_ARROW) || is(s->t, p, W_SCOPE))
        return NULL;
    for (int k = s->f->ndecl - 1; k >= 0; k--) {
        const Decl *d = s->f->decl[k];
        if (d->at < i && d->dims_last < i && i <= s->until[k] && same_as(s->t, i, d->name, d->len))
            return d;
    }
    return NULL;
}

/* ---- the tree ---- */

static void verify_bound(Uses *s, const Node *n)
{
    if (!n || s->v->broken)
        return;
    if (n->kind == E_NAME && n->decl != (n->first == n->last ? visible(s, n->first) : NULL))
        broke(s->v, n->first, "a name that is bound to another declaration than the innermost");
    if (n->kind != E_NAME && n->decl)
        broke(s->v, n->first, "a declaration where there is no name");
    for (int i = 0; i < n->n && n->kind != S_OPAQUE; i++)
        verify_bound(s, n->kid[i]);
}

/* The name that is changed when n is: n itself, in any parentheses. */
static void not_read(Uses *s, const Node *n, const char *what)
{
    n = strip(n);
    if (n->kind == E_NAME && n->decl && s->kind[n->first - s->from] == USE_READ)
        broke(s->v, n->first, what);
}

static void verify_changes(Uses *s, const Node *n)
{
    if (!n || s->v->broken)
        return;
    bool step = is_increment(n);
    if (n->kind == E_ASSIGN || step)
        not_read(s, n->kid[0], "a variable that is changed counts as read");
    if (n->kind == E_UNARY && n->oper == OP_ADDRESS)
        not_read(s, n->kid[0], "a variable whose address is taken counts as read");
    if (n->kind == E_OPAQUE || n->kind == S_OPAQUE || n->kind == S_TYPES)
        for (int i = n->first; i <= n->last; i = next(s->t, i))
            if (s->owner[i - s->from] && s->kind[i - s->from] != USE_UNKNOWN)
                broke(s->v, i, "the use of a variable in what is not understood counts as known");
    for (int i = 0; i < n->n && n->kind != S_OPAQUE; i++)
        verify_changes(s, n->kid[i]);
}

/* ---- the record ---- */

static void record(Uses *s, const Decl *d)
{
    bool only_read = !d->is_volatile && !d->is_ref;
    for (int k = 0; k < d->nuse; k++) {
        int at = d->use[k].at;
        if (at <= s->from || at >= s->f->end || !same_as(s->t, at, d->name, d->len)) {
            broke(s->v, d->at, "a use of a variable where its name does not stand");
            return;
        }
        if (s->owner[at - s->from] && s->owner[at - s->from] != d)
            broke(s->v, at, "a name that two variables have for a use");
        s->owner[at - s->from] = d;
        if (s->kind[at - s->from] < d->use[k].kind) /* one token may be on record twice: the worst counts */
            s->kind[at - s->from] = d->use[k].kind;
        only_read &= d->use[k].kind == USE_READ;
    }
    if (s->v->stage >= AFTER_EFFECTS && d->only_read != only_read)
        broke(s->v, d->at,
              d->only_read ? "a variable that is changed counts as only read"
                           : "a variable that is only read counts as changed");
}

/* Is each mention of a variable a use of it, and each use a mention? */
static void verify_record(Uses *s)
{
    const Function *f = s->f;
    for (int i = next(s->t, f->body); i < f->end && !s->v->broken; i = next(s->t, i)) {
        if (s->t->t[i].kind != T_ID)
            continue;
        const Decl *d = visible(s, i), *owner = s->owner[i - s->from];
        for (int k = 0; d && k < f->ndecl; k++)
            if (f->decl[k]->at == i && s->until[k] >= 0)
                d = NULL; /* the name that is declared */
        if (owner && owner != d)
            broke(s->v, i, "a use of a variable that is not in scope");
        if (d && !owner)
            broke(s->v, i, "a use of a variable that is not on record");
    }
}

void verify_uses(Verify *v)
{
    const Function *f = v->f;
    if (f->tree->kind == S_OPAQUE)
        return;
    size_t tokens = (size_t)(f->end - f->open + 1);
    Uses s = {v,
              f,
              v->t,
              must(malloc(((size_t)f->ndecl + 1) * sizeof *s.until)),
              must(calloc(tokens, sizeof *s.owner)),
              must(calloc(tokens, sizeof *s.kind)),
              f->open};
    for (int i = 0; i < f->ndecl; i++)
        s.until[i] = f->decl[i]->is_param ? f->end : -1;
    find_scopes(&s, f->tree, f->tree);
    verify_bound(&s, f->tree);
    for (int i = 0; i < f->ndecl && !v->broken; i++)
        record(&s, f->decl[i]);
    if (v->stage >= AFTER_EFFECTS && !v->broken) {
        verify_record(&s);
        verify_changes(&s, f->tree);
    }
    free(s.until);
    free(s.owner);
    free(s.kind);
}
