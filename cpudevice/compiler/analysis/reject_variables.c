/* reject_variables.c: variables of the host in device code, which nvcc refuses and g++ would take.
 *
 * Contract: reports errors; changes nothing. Refused are variables at namespace scope of a built-in type that are neither
 * const nor on the device, the library's streams, and its containers as local variables. As in reject.c there must be no
 * doubt: whatever else has the same name at namespace scope, or is in the function and is no expression, acquits. */
#include "analysis/reject_names.h"
#include "front/unit.h"

#include <stdlib.h>

typedef struct {
    Unit *u;
    Declared variables;
} Variables;

/* ---- the host's variables ---- */

/* The tokens [from, end), up to a semicolon, at namespace scope. */
static void host_variable(Variables *v, int from, int end)
{
    static const Word words[] = {W_STATIC, W_EXTERN, W_VOLATILE, W_INLINE, W_NONE};
    const Tokens *t = &v->u->tok;
    bool typed = false;
    int i = from;
    for (; i < end && (in(t, words, i) || is_type_word(t, i)); i = next(t, i))
        typed |= is_type_word(t, i);
    while (typed && i < end) {
        while (is(t, i, W_STAR))
            i = next(t, i);
        const int n = next(t, i);
        if (!ident(t, i) ||
            (n < end && !is(t, n, W_ASSIGN) && !is(t, n, W_SQUARE) && !is(t, n, W_COMMA) && !is(t, n, W_BRACE)))
            return;
        add_declared(&v->variables, i);
        for (i = n; i < end && !is(t, i, W_COMMA); i = next(t, i))
            if (is(t, i, W_PAREN) || is(t, i, W_SQUARE) || is(t, i, W_BRACE))
                i = mate(t, i);
        i = next(t, i);
    }
}

/* Those of the program's own text between the tokens from and end, which are at namespace scope. */
static void host_variables(Variables *v, int from, int end)
{
    const Tokens *t = &v->u->tok;
    int start = from;
    for (int i = from; i < end; i = next(t, i)) {
        if (is(t, i, W_SEMICOLON)) {
            if (!t->t[start].sys && !t->t[start].ours && !t->t[start].library)
                host_variable(v, start, i);
            start = next(t, i);
        } else if (is(t, i, W_BRACE) && !is(t, prev(t, i), W_ASSIGN)) {
            if (contains(t, start, i, W_NAMESPACE) || is(t, start, W_EXTERN))
                host_variables(v, next(t, i), mate(t, i));
            i = mate(t, i);
            if (!is(t, next(t, i), W_SEMICOLON) && !is(t, next(t, i), W_COMMA))
                start = next(t, i);
        } else if (is(t, i, W_BRACE) || is(t, i, W_PAREN) || is(t, i, W_SQUARE))
            i = mate(t, i);
    }
}

/* ---- uses ---- */

/* Expressions below n that are the name at i and no local variable's. */
static int uses(const Tokens *t, const Node *n, int i)
{
    int found = n && n->kind == E_NAME && !n->decl && n->first == n->last && same(t, n->first, i);
    for (int k = 0; n && k < n->n; k++)
        found += uses(t, n->kid[k], i);
    return found;
}

/* The name at i where it is by itself: not a member, not another scope's. */
static bool stands_alone(const Tokens *t, int k, int i)
{
    return t->t[k].kind == T_ID && same(t, k, i) && !is(t, prev(t, k), W_DOT) && !is(t, prev(t, k), W_ARROW) &&
           !is(t, prev(t, k), W_SCOPE);
}

/* Is the name at i the variable wherever the function writes it? What no tree shows may be a declaration. */
static bool always_expression(const Function *f, int i)
{
    int written = 0;
    for (int k = f->open; k < f->end; k++)
        written += stands_alone(f->tok, k, i);
    return written == uses(f->tok, f->tree, i);
}

static bool first_use(const Function *f, int i)
{
    for (int k = f->open; k < i; k++)
        if (stands_alone(f->tok, k, i))
            return false;
    return true;
}

static void check_name(Variables *v, const Function *f, const Node *n)
{
    static const char *const streams[] = {"cout", "cerr", "clog", "cin", NULL};
    const Tokens *t = f->tok;
    if (is(t, n->first, W_STD) && named_in(t, streams, n->last) && next(t, next(t, n->first)) == n->last)
        error_at(v->u, &t->t[n->first], "identifier \"std::%.*s\" is undefined in device code", t->t[n->last].len,
                 t->t[n->last].s);
    else if (!n->decl && n->first == n->last && stands_alone(t, n->first, n->first) && first_use(f, n->first) &&
             declared_alone(&v->variables, &v->u->tok, t, n->first) && always_expression(f, n->first))
        error_at(v->u, &t->t[n->first], "identifier \"%.*s\" is undefined in device code", t->t[n->first].len,
                 t->t[n->first].s);
}

static void check_names(Variables *v, const Function *f, const Node *n)
{
    if (n && n->kind == E_NAME)
        check_name(v, f, n);
    for (int i = 0; n && i < n->n; i++)
        check_names(v, f, n->kid[i]);
}

/* std::vector<float> v(4); */
static void check_container(Variables *v, const Function *f, const Decl *d)
{
    static const char *const containers[] = {"vector",        "string", "map",   "set",   "unordered_map",
                                             "unordered_set", "list",   "deque", "queue", NULL};
    const Tokens *t = f->tok;
    int name = next(t, next(t, d->type_first)), after = next(t, name);
    if (d->is_param || d->stars || d->is_ref || d->is_static || !is(t, d->type_first, W_STD) ||
        !named_in(t, containers, name) || (is(t, after, W_LESS) ? angle_forward(t, after) : name) != d->type_last)
        return;
    error_at(v->u, &t->t[d->at],
             "calling a __host__ function(\"std::%.*s::%.*s\") from a %s function(\"%.*s\") is not allowed",
             t->t[name].len, t->t[name].s, t->t[name].len, t->t[name].s, f->kernel ? "__global__" : "__device__",
             t->t[f->name].len, t->t[f->name].s);
}

void reject_variables(Unit *u)
{
    Variables v = {.u = u};
    host_variables(&v, 0, u->tok.n - 1);
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        if (!f->tree || f->host || f->member || f->is_constexpr || f->template_first >= 0 || f->name < 0 ||
            u->tok.t[f->name].ours || contains(&u->tok, f->start, f->name, W_STATIC) ||
            contains(&u->tok, f->start, f->name, W_INLINE))
            continue;
        check_names(&v, f, f->tree);
        for (int k = 0; k < f->ndecl; k++)
            check_container(&v, f, f->decl[k]);
    }
    free(v.variables.at);
}
