/* reject_names.c: which names a list of declarations has to itself. */
#include "analysis/reject_names.h"

#include <stdlib.h>

void add_declared(Declared *d, int at)
{
    if (d->n == d->cap)
        d->at = must(realloc(d->at, (size_t)(d->cap = d->cap ? d->cap * 2 : 64) * sizeof *d->at));
    d->at[d->n++] = at;
}

/* May the name at i be declared there? A value, `= x` or `= &x`, is not. */
static bool may_declare(const Tokens *t, int i)
{
    const int p = prev(t, i);
    return at_namespace_scope(t, i) && !is(t, p, W_ASSIGN) && !(is(t, p, W_AND) && is(t, prev(t, p), W_ASSIGN));
}

static bool is_declared_at(const Declared *d, int i)
{
    for (int k = 0; k < d->n; k++)
        if (d->at[k] == i)
            return true;
    return false;
}

bool declared_alone(const Declared *d, const Tokens *t, const Tokens *names, int i)
{
    const Token *name = &names->t[i];
    bool found = false;
    for (int k = 0; k < d->n && !found; k++)
        found = same_as(t, d->at[k], name->s, name->len);
    for (int k = 0; found && k < t->n; k++)
        if (t->t[k].kind == T_ID && !t->t[k].sys && same_as(t, k, name->s, name->len) && may_declare(t, k))
            found = is_declared_at(d, k);
    return found;
}
