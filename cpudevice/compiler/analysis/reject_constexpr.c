/* reject_constexpr.c: calls of constexpr functions of the host in device code. nvcc refuses them without
 * --expt-relaxed-constexpr, also where the result is a constant (the size of an array, the argument of a template,
 * static_assert); it takes them in sizeof and its like, in what `if constexpr` leaves out, and in a template that nobody
 * instantiates.
 *
 * Contract: reports errors; changes nothing. A call is refused only where there is no doubt: every function of the name
 * that the program or a header declares is a constexpr function of the host with its definition at namespace scope, the
 * name means nothing else anywhere, and the call is in a function of the device that is no part of a template.
 * Of the C++ library std::min, max, minmax, clamp and the functions of numeric_limits are known. */
#include "front/unit.h"

#include <stdlib.h>

typedef struct {
    int name;
    enum { UNJUDGED, CERTAIN, DOUBTFUL } doubt; /* of all functions of this name */
} Constant;

typedef struct {
    Unit *u;
    const Tokens *t;
    Constant *constant;
    int n, cap;
    bool changes_std; /* the program declares something in a namespace std or cuda */
} Search;

static bool foreign(const Token *k) { return k->sys || k->ours || k->library; }

/* ---- constexpr functions of the host ---- */

/* From `constexpr` at i: the parenthesis of a function's parameters if it is one of the host that has a name, or -1. */
static int host_parameters(const Tokens *t, int i)
{
    static const Word other[] = {W_DEVICE, W_GLOBAL, W_FRIEND, W_OPERATOR, W_NONE};
    int open = next(t, i), first = i;
    for (; ident(t, open) || is(t, open, W_STAR) || is(t, open, W_AND) || is(t, open, W_SCOPE) || is(t, open, W_LESS);
         open = next(t, open))
        if (in(t, takes_parens, open) || (is(t, open, W_LESS) && (open = angle_forward(t, open)) < 0))
            return -1;
    if (!is(t, open, W_PAREN) || !ident(t, prev(t, open)) || is(t, prev(t, prev(t, open)), W_SCOPE))
        return -1;
    for (int p = prev(t, i); p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END);
         p = prev(t, p))
        first = p;
    for (int p = first; p < open; p = next(t, p))
        if (in(t, other, p))
            return -1;
    return open;
}

static bool has_body(const Tokens *t, int open)
{
    int i = next(t, mate(t, open));
    if (is(t, i, W_NOEXCEPT))
        i = next(t, i);
    if (is(t, i, W_ARROW))
        for (i = next(t, i); ident(t, i) || is(t, i, W_STAR) || is(t, i, W_AND); i = next(t, i))
            ;
    return is(t, i, W_BRACE);
}

static void constants(Search *s)
{
    const Tokens *t = s->t;
    for (int i = 0; i < t->n; i++) {
        if (t->t[i].kind != T_ID || foreign(&t->t[i]))
            continue;
        if (is(t, i, W_STD) || is(t, i, W_CUDA))
            s->changes_std |= is(t, prev(t, i), W_NAMESPACE) && !is(t, prev(t, prev(t, i)), W_USING);
        int open = is(t, i, W_CONSTEXPR) ? host_parameters(t, i) : -1;
        if (open < 0 || !has_body(t, open) || !at_namespace_scope(t, i))
            continue;
        if (s->n == s->cap)
            s->constant = must(realloc(s->constant, (size_t)(s->cap = s->cap ? s->cap * 2 : 16) * sizeof *s->constant));
        s->constant[s->n++] = (Constant){.name = prev(t, open)};
    }
}

/* Might the name at i be another thing than a call of the functions that are known? */
static bool other_meaning(const Search *s, int i)
{
    static const Word before[] = {W_RETURN, W_ELSE, W_DO, W_CASE, W_AND_WORD, W_OR_WORD, W_NOT_WORD, W_NONE};
    const Tokens *t = s->t;
    int p = prev(t, i), n = next(t, i);
    for (int k = 0; k < s->n; k++)
        if (s->constant[k].name == i)
            return false;
    if (foreign(&t->t[i]))
        return is(t, n, W_PAREN);
    if (is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE))
        return false;
    if (!is(t, n, W_PAREN) && !is(t, n, W_LESS))
        return true;
    if (is(t, p, W_STAR) || is(t, p, W_AND)) /* a product, or T *name(...) */
        return t->t[prev(t, p)].kind != T_NUM && !is(t, prev(t, p), W_PAREN_END) && !is(t, prev(t, p), W_SQUARE_END);
    if (!(ident(t, p) && !in(t, before, p)) && !is(t, p, W_AND_AND) && !is(t, p, W_GREATER))
        return false;
    return !(is(t, n, W_PAREN) && is(t, next(t, mate(t, n)), W_SEMICOLON) &&
             contains(t, prev(t, prev(t, i)), p, W_CONSTEXPR) &&
             at_namespace_scope(t, i)); /* declared before its definition */
}

/* Is the name at i, in device code, that of constexpr functions of the host and of nothing else? */
static bool certain(Search *s, int i)
{
    const Tokens *t = s->t;
    Constant *found = NULL;
    for (int k = 0; k < s->n && !found; k++)
        if (same(t, s->constant[k].name, i))
            found = &s->constant[k];
    if (!found || found->doubt)
        return found && found->doubt == CERTAIN;
    found->doubt = CERTAIN;
    for (int k = 0; k < s->u->nfunction; k++)
        if (s->u->function[k].name >= 0 && same(t, s->u->function[k].name, i))
            found->doubt = DOUBTFUL;
    for (int k = 0; k < t->n && found->doubt == CERTAIN; k++)
        if (t->t[k].kind == T_ID && same(t, k, i) && other_meaning(s, k))
            found->doubt = DOUBTFUL;
    return found->doubt == CERTAIN;
}

/* std::max(, std::max<int>(, std::numeric_limits<int>::max( */
static bool library_constant(const Search *s, int i)
{
    static const char *const names[] = {"min", "max", "minmax", "clamp", NULL};
    static const char *const limits[] = {"min",        "max",      "lowest",    "epsilon",       "round_error",
                                         "denorm_min", "infinity", "quiet_NaN", "signaling_NaN", NULL};
    const Tokens *t = s->t;
    int p = prev(t, i);
    if (s->changes_std || !is(t, p, W_SCOPE))
        return false;
    p = prev(t, p);
    if (is(t, p, W_GREATER) && named_in(t, limits, i)) {
        int open = angle_back(t, p);
        for (int k = prev(t, p); k > open; k = prev(t, k))
            if (!is_keyword_type(t, k))
                return false;
        p = prev(t, open);
        if (open < 0 || !is(t, p, W_NUMERIC_LIMITS) || !is(t, prev(t, p), W_SCOPE))
            return false;
        p = prev(t, prev(t, p));
    } else if (!named_in(t, names, i))
        return false;
    return is(t, p, W_STD) && !(is(t, prev(t, p), W_SCOPE) && ident(t, prev(t, prev(t, p))));
}

/* ---- device code ---- */

/* Is the token at i, or the class or function that encloses it, in a template? */
static bool in_template(const Tokens *t, int i)
{
    for (int b = i; b >= 0; b = enclosing(t, b))
        for (int p = prev(t, b); p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END);
             p = prev(t, p))
            if (is(t, p, W_TEMPLATE))
                return true;
    return false;
}

/* What the brace at b opens, which is in a function's body. */
enum { BLOCK, LAMBDA, OTHER };
static int brace_of(const Tokens *t, int b)
{
    static const Word blocks[] = {W_BRACE,  W_BRACE_END, W_SEMICOLON, W_COLON,  W_ELSE, W_DO,
                                  W_ASSIGN, W_COMMA,     W_PAREN,     W_RETURN, W_NONE};
    static const Word heads[] = {W_IF, W_FOR, W_WHILE, W_SWITCH, W_NONE};
    int p = prev(t, b);
    if (in(t, blocks, p))
        return BLOCK;
    if (is(t, p, W_SQUARE_END))
        return LAMBDA;
    int open = is(t, p, W_PAREN_END) ? mate_back(t, p) : -1;
    if (open < 0)
        return OTHER;
    if (in(t, heads, prev(t, open)))
        return BLOCK;
    return is(t, prev(t, open), W_SQUARE_END) && !contains(t, open, p, W_AUTO) ? LAMBDA : OTHER;
}

/* Is the call at i, in f, one that nvcc judges? *lambda: it is in one. */
static bool judged(const Tokens *t, const Function *f, int i, bool *lambda)
{
    static const Word unevaluated[] = {W_DECLTYPE, W_SIZEOF, W_NOEXCEPT, W_TYPEID, W_ALIGNOF, W_REQUIRES, W_NONE};
    *lambda = false;
    if (in(t, unevaluated, prev(t, i)))
        return false;
    for (int o = i; o > f->body; o = enclosing(t, o)) {
        int kind = is(t, o, W_BRACE) ? brace_of(t, o) : BLOCK;
        if (kind == OTHER || (is(t, o, W_PAREN) && in(t, unevaluated, prev(t, o))))
            return false;
        *lambda |= kind == LAMBDA;
    }
    return true;
}

static void check_body(Search *s, const Function *f)
{
    const Tokens *t = s->t;
    for (int i = f->body; i < f->end && !(is(t, i, W_IF) && is(t, next(t, i), W_CONSTEXPR)); i = next(t, i)) {
        bool lambda;
        int n = next(t, i);
        if (t->t[i].kind != T_ID || (!is(t, n, W_PAREN) && !is(t, n, W_LESS)) || is(t, prev(t, i), W_DOT) ||
            is(t, prev(t, i), W_ARROW))
            continue;
        if (is(t, n, W_LESS)) {
            int close = angle_forward(t, n);
            if (close < 0 || !is(t, next(t, close), W_PAREN))
                continue;
        }
        if ((!certain(s, i) && !library_constant(s, i)) || !judged(t, f, i, &lambda))
            continue;
        error_at(s->u, &t->t[i],
                 "calling a constexpr __host__ function(\"%.*s\") from a %s function(\"%.*s\") is not allowed. The "
                 "experimental flag '--expt-relaxed-constexpr' can be used to allow this.",
                 t->t[i].len, t->t[i].s, lambda || !f->kernel ? "__device__" : "__global__",
                 lambda ? 10 : t->t[f->name].len, lambda ? "operator()" : t->t[f->name].s);
    }
}

void reject_constexpr(Unit *u)
{
    Search s = {.u = u, .t = &u->tok};
    constants(&s);
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        if (f->body >= 0 && f->name >= 0 && (f->kernel || f->device) && !f->host && !is(s.t, f->name, W_OPERATOR) &&
            !foreign(&s.t->t[f->body]) && !in_template(s.t, f->open))
            check_body(&s, f);
    }
    free(s.constant);
}
