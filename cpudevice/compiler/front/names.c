/* names.c: what the program declares at namespace and class scope, by name. A name may be several things at once; what
 * is asked is whether it is one, or that and nothing else. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

unsigned name_hash(const char *s, int len)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static unsigned hash(const char *s, int len) { return name_hash(s, len) % 4096; }

void add_name(Unit *u, const Tokens *t, int i, NameKind kind)
{
    if (!ident(t, i) || is_keyword_type(t, i) || has_name(u, t, i, kind))
        return;
    unsigned h = hash(t->t[i].s, t->t[i].len);
    Name *n = must(malloc(sizeof *n));
    *n = (Name){t->t[i].s, t->t[i].len, kind, 0, u->names[h]};
    u->names[h] = n;
}

static Name *find_name(const Unit *u, const Tokens *t, int i, NameKind kind)
{
    for (Name *n = u->names[hash(t->t[i].s, t->t[i].len)]; n; n = n->next)
        if (n->kind == kind && same_as(t, i, n->s, n->len))
            return n;
    return NULL;
}

bool has_name(const Unit *u, const Tokens *t, int i, NameKind kind) { return find_name(u, t, i, kind) != NULL; }

void add_array_member(Unit *u, const Tokens *t, int i, int dims)
{
    add_name(u, t, i, N_ARRAY_MEMBER);
    Name *n = find_name(u, t, i, N_ARRAY_MEMBER);
    if (n && n->dims < dims)
        n->dims = dims;
}

int array_member_dims(const Unit *u, const Tokens *t, int i)
{
    const Name *n = find_name(u, t, i, N_ARRAY_MEMBER);
    return n ? n->dims : 0;
}

bool only_kind(const Unit *u, const Tokens *t, int i, NameKind kind)
{
    bool found = false;
    for (const Name *n = u->names[hash(t->t[i].s, t->t[i].len)]; n; n = n->next)
        if (n->kind != N_ARRAY_MEMBER && n->kind != N_TEMPLATE_MEMORY && n->kind != N_CLASS_CONSTANT &&
            n->kind != N_NO_NUMBER && same_as(t, i, n->s, n->len)) {
            if (n->kind != kind)
                return false;
            found = true;
        }
    return found;
}

/* Is the name at i a parameter of f's template? */
bool template_parameter(const Unit *u, const Function *f, const Tokens *t, int i, bool *is_type)
{
    const Tokens *ut = &u->tok;
    for (int k = f->template_first; f->template_first >= 0 && k <= f->template_last; k = next(ut, k))
        if (ident(ut, k) && same_as(t, i, ut->t[k].s, ut->t[k].len)) {
            int n = next(ut, k), p = prev(ut, k);
            if (!is(ut, n, W_COMMA) && !is(ut, n, W_ASSIGN) && n <= f->template_last)
                continue;
            *is_type = is(ut, p, W_CLASS) || is(ut, p, W_TYPENAME);
            return *is_type || ident(ut, p);
        }
    return false;
}

void index_functions(Unit *u)
{
    for (size_t h = 0; h < sizeof u->functions_named / sizeof *u->functions_named; h++)
        u->functions_named[h] = -1;
    for (int k = u->nfunction - 1; k >= 0; k--) {
        Function *f = &u->function[k];
        if (f->name < 0 || f->member)
            continue;
        unsigned h = hash(u->tok.t[f->name].s, u->tok.t[f->name].len);
        f->same_hash = u->functions_named[h];
        u->functions_named[h] = k;
    }
}

int function_named(const Unit *u, const Tokens *t, int i, int after)
{
    int k = after < 0 ? u->functions_named[hash(t->t[i].s, t->t[i].len)] : u->function[after].same_hash;
    while (k >= 0 && !same_as(t, i, u->tok.t[u->function[k].name].s, u->tok.t[u->function[k].name].len))
        k = u->function[k].same_hash;
    return k;
}

/* Has the class whose brace this is a base? */
static bool has_base(const Tokens *t, int brace)
{
    int i = prev(t, brace);
    while (i >= 0 && !is(t, i, W_COLON) && !is(t, i, W_SEMICOLON) && !is(t, i, W_BRACE) && !is(t, i, W_BRACE_END))
        i = prev(t, i);
    return is(t, i, W_COLON);
}

/* Is the name at i that of a method which f, a method too, calls without an object? One of f's class, or of a base. */
static bool names_method(const Unit *u, const Function *f, const Tokens *t, int i)
{
    const Tokens *ut = &u->tok;
    const bool defined_outside = f->name >= 0 && is(ut, prev(ut, f->name), W_SCOPE);
    if ((!f->member && !defined_outside) || is(t, prev(t, i), W_SCOPE))
        return false;
    const bool any = defined_outside || has_base(ut, f->scope);
    for (int k = 0; k < u->nfunction; k++) {
        const Function *g = &u->function[k];
        if (g->member && g->name >= 0 && (any || g->scope == f->scope) &&
            same_as(t, i, ut->t[g->name].s, ut->t[g->name].len))
            return true;
    }
    return false;
}

bool hidden_by_program(const Unit *u, const Function *f, const Tokens *t, int i)
{
    if (broken(u, RULE_HIDDEN_NAMES))
        return false;
    for (const Name *n = u->names[hash(t->t[i].s, t->t[i].len)]; n; n = n->next)
        if (same_as(t, i, n->s, n->len) && n->kind != N_FUNCTION && n->kind != N_ARRAY_MEMBER &&
            n->kind != N_TEMPLATE_MEMORY && (n->kind != N_TEMPLATE || function_named(u, t, i, -1) < 0))
            return true;
    for (int k = f->template_first; f->template_first >= 0 && k <= f->template_last; k = next(&u->tok, k))
        if (ident(&u->tok, k) && same_as(t, i, u->tok.t[k].s, u->tok.t[k].len))
            return true;
    return names_method(u, f, t, i);
}

/* Is the name at i that of a class which only denotes the block's dynamic shared memory?
 *     template <class T> struct SharedMemory { operator T *() { extern __shared__ int memory[]; return (T *)memory; }
 * }; */
bool shared_helper(const Unit *u, const Tokens *t, int i)
{
    const Tokens *ut = &u->tok;
    bool found = false;
    for (int k = 0; k < ut->n; k++) {
        if (ut->t[k].kind != T_ID || ut->t[k].sys || (!is(ut, k, W_STRUCT) && !is(ut, k, W_CLASS)))
            continue;
        int n = next(ut, k), open = next(ut, n);
        if (!same_as(t, i, ut->t[n].s, ut->t[n].len))
            continue;
        if (is(ut, open, W_LESS) && angle_forward(ut, open) > 0)
            open = next(ut, angle_forward(ut, open));
        if (is(ut, open, W_SEMICOLON))
            continue;
        if (!is(ut, open, W_BRACE))
            return false;
        found = true;
        for (int c = next(ut, open), end = mate(ut, open); c < end; c = next(ut, c))
            if (is(ut, c, W_ASSIGN) || is(ut, c, W_THREAD_IDX) || is(ut, c, W_TILDE) || is(ut, c, W_COMMA) ||
                is(ut, c, W_DOT) || is(ut, c, W_ARROW) ||
                (ident(ut, c) && is(ut, next(ut, c), W_PAREN) && !is(ut, c, W_RETURN)) ||
                (is(ut, c, W_SHARED) && !is(ut, prev(ut, c), W_EXTERN)))
                return false;
    }
    return found;
}
