/* reject_forms.c: forms of device code that nvcc refuses and g++ would take: arrays of variable length, and methods of
 * parameters that are the library's containers.
 *
 * Contract: reports errors; changes nothing. As in reject.c there must be no doubt: an array's length is a name that in this
 * function is nothing but a parameter or a variable that changes. */
#include "front/unit.h"

#include <string.h>

/* ---- arrays of variable length ---- */

static bool varies(const Tokens *t, const Decl *d)
{
    if (d->is_const && d->is_param)
        return true;
    return !d->is_const && !d->is_constexpr && !d->is_static && !d->is_shared && !d->is_extern && !d->is_auto &&
           is_type_word(t, d->type_last) && !contains(t, d->type_first, d->at, W_CONST);
}

/* Is the name at i in this function that of variables alone, none of which is a constant? */
static bool names_variable(const Function *f, int i)
{
    const Tokens *t = f->tok;
    bool found = false;
    if (is(t, prev(t, i), W_SCOPE) || is(t, prev(t, i), W_DOT) || is(t, prev(t, i), W_ARROW) ||
        is(t, next(t, i), W_SCOPE) || is(t, next(t, i), W_PAREN) || is(t, next(t, i), W_LESS) ||
        is(t, next(t, i), W_BRACE))
        return false;
    for (int k = 0; k < f->ndecl; k++) {
        const Decl *d = f->decl[k];
        if (!same(t, d->at, i))
            continue;
        if (d->stars || d->is_ref || d->ndims || !varies(t, d))
            return false;
        found = true;
    }
    return found;
}

static void check_length(Unit *u, const Function *f, const Decl *d)
{
    static const Word unevaluated[] = {W_SIZEOF, W_DECLTYPE, W_ALIGNOF, W_NOEXCEPT, W_LESS, W_NONE};
    const Tokens *t = f->tok;
    if (d->dims_first < 0 || d->is_param || d->is_extern || d->is_shared || d->is_static) /* g++ says more of these */
        return;
    for (int i = d->dims_first; i <= d->dims_last; i = next(t, i))
        if (in(t, unevaluated, i))
            return;
    for (int i = d->dims_first; i <= d->dims_last; i = next(t, i))
        if (ident(t, i) && names_variable(f, i)) {
            error_at(u, &t->t[i], "expression must have a constant value");
            return;
        }
}

/* ---- methods of containers ---- */

/* The parameter that n is, if its type is one of the library's containers; local ones are refused by reject_variables.c. */
static const Decl *container(const Function *f, const Node *n)
{
    static const char *const containers[] = {"vector",        "string", "map",   "set",   "unordered_map",
                                             "unordered_set", "list",   "deque", "queue", NULL};
    const Tokens *t = f->tok;
    while (n->kind == E_PAREN && n->n)
        n = n->kid[0];
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    if (!d || !d->is_param || d->stars || d->ndims)
        return NULL;
    int first = d->type_first;
    while (is(t, first, W_CONST))
        first = next(t, first);
    const int name = next(t, next(t, first));
    return is(t, first, W_STD) && named_in(t, containers, name) ? d : NULL;
}

static void refuse_method(Unit *u, const Function *f, const Decl *d, int at, const char *method, int len)
{
    const Tokens *t = f->tok;
    int name = d->type_first;
    while (is(t, name, W_CONST) || is(t, name, W_STD) || is(t, name, W_SCOPE))
        name = next(t, name);
    error_at(u, &t->t[at],
             "calling a __host__ function(\"std::%.*s::%.*s\") from a %s function(\"%.*s\") is not allowed",
             t->t[name].len, t->t[name].s, len, method, f->kernel ? "__global__" : "__device__", t->t[f->name].len,
             t->t[f->name].s);
}

/* ---- all of a function ---- */

static void check_forms(Unit *u, const Function *f, const Node *n)
{
    const Tokens *t = f->tok;
    if (!n)
        return;
    const Node *member = n->kind == E_CALL && n->kid[0]->kind == E_MEMBER ? n->kid[0] : NULL;
    const Decl *of = member && member->oper == OP_DOT ? container(f, member->kid[0])
                     : n->kind == E_INDEX             ? container(f, n->kid[0])
                                                      : NULL;
    if (of && member)
        refuse_method(u, f, of, member->last, t->t[member->last].s, t->t[member->last].len);
    else if (of)
        refuse_method(u, f, of, n->first, "operator[]", (int)strlen("operator[]"));
    for (int i = 0; i < n->n; i++)
        check_forms(u, f, n->kid[i]);
}

void reject_forms(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        if (!f->tree || f->host || f->member || f->is_constexpr || f->template_first >= 0 || f->name < 0 ||
            u->tok.t[f->name].ours)
            continue;
        for (int k = 0; k < f->ndecl; k++)
            check_length(u, f, f->decl[k]);
        check_forms(u, f, f->tree);
    }
}
