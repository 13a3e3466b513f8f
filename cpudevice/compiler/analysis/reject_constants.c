/* reject_constants.c: writes to variables of constant memory in device code, which nvcc refuses and g++ would take.
 *
 * Contract: reports errors; changes nothing. Only a scalar by its own name is refused, as by nvcc, to which it is a constant:
 * of an element, a member and what a pointer leads to it warns at most. As in reject.c there must be no doubt: all that the
 * name declares outside of functions are such scalars. */
#include "analysis/reject_names.h"
#include "front/declarator.h"
#include "front/unit.h"

#include <stdlib.h>

typedef struct {
    Unit *u;
    Declared scalars;
} Constants;

/* The declaration that has __constant__ at i: its scalars, if their type is made of words of the language. */
static void add_scalars(Constants *c, int i)
{
    const Tokens *t = &c->u->tok;
    const int semi = declaration_end(t, i), first = scan_specifiers(t, i, semi, false);
    bool typed = false;
    for (int k = statement_start(t, i); k < first; k = next(t, k)) {
        if (!is_keyword_type(t, k) && !named_in(t, header_integers, k) && !is_qualifier(t, k) &&
            !in(t, specifiers, k) && !is(t, k, W_EXTERN) && !is(t, k, W_STATIC))
            return;
        typed |= is_keyword_type(t, k) || named_in(t, header_integers, k);
    }
    Declarator d = {.end = prev(t, first)};
    while (typed && d.end < semi) {
        if (!scan_declarator(t, next(t, d.end), semi, &d))
            return;
        if (d.name < 0 || d.grouped || d.is_ref || d.dims)
            continue;
        add_declared(&c->scalars, d.name);
    }
}

static void check_written(const Constants *c, const Function *f, const Node *n)
{
    const Node *what = n->kind == E_ASSIGN || is_increment(n) ? strip(n->kid[0]) : NULL;
    if (what && what->kind == E_NAME && !what->decl && what->first == what->last &&
        declared_alone(&c->scalars, &c->u->tok, f->tok, what->first))
        error_at(c->u, &f->tok->t[what->first], "expression must be a modifiable lvalue");
    for (int i = 0; i < n->n; i++)
        if (n->kid[i])
            check_written(c, f, n->kid[i]);
}

void reject_constants(Unit *u)
{
    Constants c = {.u = u};
    const Tokens *t = &u->tok;
    for (int i = 0; i < t->n; i++)
        if (is(t, i, W_CONSTANT) && !t->t[i].header && at_namespace_scope(t, i))
            add_scalars(&c, i);
    for (int i = 0; c.scalars.n && i < u->nfunction; i++)
        if (u->function[i].tree && !u->function[i].member && !t->t[u->function[i].open].header)
            check_written(&c, &u->function[i], u->function[i].tree);
    free(c.scalars.at);
}
