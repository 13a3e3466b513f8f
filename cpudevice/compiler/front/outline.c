/* outline.c: what is declared outside functions.
 *
 * Contract: fills unit.function and unit.kernel (every function marked __global__ or __device__, lambdas among them,
 * with its parameters and body) and unit.names; reads the tokens and changes nothing. Names of types, constants and
 * memory are those of the program; headers of the system's and of ours are not looked at. */
#include "front/declarator.h"
#include "front/outliner.h"

#include <stdlib.h>
#include <string.h>

/* Does the parenthesis at i hold a variable's name: `(*p)[4]`, `(*const f)(int)`, `(q)[3]`? */
static bool holds_name(const Tokens *t, int i)
{
    int j = next(t, i);
    const bool pointer = is(t, j, W_STAR) || is(t, j, W_AND);
    while (is(t, j, W_STAR) || is(t, j, W_AND) || is(t, j, W_CONST) || is(t, j, W_VOLATILE))
        j = next(t, j);
    if (!ident(t, j))
        return false;
    return pointer ? is(t, next(t, j), W_PAREN_END) || is(t, next(t, j), W_SQUARE)
                   : next(t, j) == mate(t, i) && is(t, next(t, mate(t, i)), W_SQUARE);
}

/* From a __global__ or __device__ at i: the parenthesis of the function's parameters, or -1 for a variable. */
static int find_params(const Tokens *t, int i, int *name)
{
    for (int j = next(t, i); t->t[j].kind != T_END; j = next(t, j)) {
        if (in(t, takes_parens, j) && is(t, next(t, j), W_PAREN)) {
            j = mate(t, next(t, j));
            continue;
        }
        if (is(t, j, W_OPERATOR)) {
            *name = j;
            int k = next(t, j);
            if (is(t, k, W_PAREN) && is(t, next(t, k), W_PAREN_END))
                k = next(t, next(t, k));
            while (t->t[k].kind != T_END && !is(t, k, W_PAREN))
                k = next(t, k);
            return k;
        }
        if (is(t, j, W_LESS)) {
            int a = angle_forward(t, j);
            if (a < 0)
                return -1;
            j = a;
            continue;
        }
        if (is(t, j, W_PAREN)) {
            int p = prev(t, j);
            if (p > i && holds_name(t, j))
                return -1;
            if (p <= i || in(t, specifiers, p)) { /* a lambda: [] __device__ (int i) {...} */
                *name = -1;
                return j;
            }
            if (is(t, p, W_GREATER)) {
                int a = angle_back(t, p);
                p = a > 0 ? prev(t, a) : p;
            }
            *name = p;
            return ident(t, p) || is(t, p, W_SQUARE_END) ? j : -1;
        }
        if (is(t, j, W_SEMICOLON) || is(t, j, W_ASSIGN) || is(t, j, W_BRACE) || is(t, j, W_SQUARE) ||
            is(t, j, W_BRACE_END) || is(t, j, W_COMMA) || is(t, j, W_PAREN_END))
            return -1;
    }
    return -1;
}

/* After the parameters' `)`: the `{` of the body, or -1 for a declaration. */
static int find_body(const Tokens *t, int close)
{
    for (int j = next(t, close); t->t[j].kind != T_END; j = next(t, j)) {
        if (is(t, j, W_SEMICOLON) || is(t, j, W_ASSIGN) || is(t, j, W_COMMA) || is(t, j, W_PAREN_END) ||
            is(t, j, W_BRACE_END))
            return -1;
        if (is(t, j, W_PAREN))
            j = mate(t, j);
        else if (is(t, j, W_BRACE))
            return j;
        else if (is(t, j, W_COLON)) { /* a constructor's initialisers */
            for (j = next(t, j); t->t[j].kind != T_END; j = next(t, j)) {
                if (is(t, j, W_PAREN) || (is(t, j, W_BRACE) && (ident(t, prev(t, j)) || is(t, prev(t, j), W_GREATER))))
                    j = mate(t, j);
                else if (is(t, j, W_BRACE))
                    return j;
                else if (is(t, j, W_SEMICOLON))
                    return -1;
            }
        }
    }
    return -1;
}

int statement_start(const Tokens *t, int i)
{
    int start = i;
    for (int p = prev(t, i); p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END);
         p = prev(t, p)) {
        if (is(t, p, W_COLON) &&
            (is(t, prev(t, p), W_PUBLIC) || is(t, prev(t, p), W_PRIVATE) || is(t, prev(t, p), W_PROTECTED)))
            break;
        start = p;
    }
    return start;
}

static bool in_class(const Tokens *t, int brace)
{
    for (int p = prev(t, brace); brace >= 0 && p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) &&
                                 !is(t, p, W_BRACE_END) && !is(t, p, W_PAREN_END);
         p = prev(t, p))
        if (is(t, p, W_CLASS) || is(t, p, W_STRUCT) || is(t, p, W_UNION))
            return true;
    return false;
}

Function outlined_function(const Unit *u, int at, int name, int open, int bounds)
{
    const Tokens *t = &u->tok;
    Function f = {.start = statement_start(t, at),
                  .name = name,
                  .open = open,
                  .close = mate(t, open),
                  .bounds = bounds,
                  .cluster = -1,
                  .tok = (Tokens *)t};
    f.body = find_body(t, f.close);
    if (f.body >= 0 && t->t[f.body].mate < 0)
        f.body = -1;
    f.end = f.body < 0 ? -1 : mate(t, f.body);
    f.scope = enclosing(t, f.start);
    f.member = in_class(t, f.scope) && !contains(t, f.start, open, W_FRIEND);
    f.template_first = f.template_last = -1;
    for (int i = f.start; i < open; i = next(t, i)) {
        f.kernel |= is(t, i, W_GLOBAL);
        f.device |= is(t, i, W_DEVICE);
        f.host |= is(t, i, W_HOST);
        f.is_constexpr |= is(t, i, W_CONSTEXPR);
        if (is(t, i, W_LAUNCH_BOUNDS))
            f.bounds = i;
        if (is(t, i, W_CLUSTER_DIMS))
            f.cluster = i;
        if (is(t, i, W_TEMPLATE) && is(t, next(t, i), W_LESS)) {
            f.template_first = next(t, next(t, i));
            f.template_last = angle_forward(t, next(t, i));
            f.template_last = f.template_last < 0 ? f.template_first - 1 : prev(t, f.template_last);
        }
    }
    return f;
}

static void outline_function(Unit *u, int at, int name, int open, int bounds)
{
    const Tokens *t = &u->tok;
    if (t->t[open].mate < 0)
        return; /* g++ complains of unbalanced text */
    const Function f = outlined_function(u, at, name, open, bounds);
    if (name >= 0 && ident(t, name))
        add_name(u, t, name, f.template_first >= 0 ? N_TEMPLATE : N_FUNCTION);
    if (u->nfunction == u->function_cap)
        u->function = must(
            realloc(u->function, (size_t)(u->function_cap = u->function_cap ? u->function_cap * 2 : 256) * sizeof f));
    u->function[u->nfunction++] = f;
}

/* Of a template of variables that are no constants, which has __device__ or __constant__ at i. */
static void outline_variable_template(Unit *u, int i)
{
    const Tokens *t = &u->tok;
    const int start = statement_start(t, i), end = declaration_end(t, i);
    if (is(t, start, W_TEMPLATE) && !contains(t, start, end, W_CONST) && !contains(t, start, end, W_CONSTEXPR))
        declared_names(u, i, N_TEMPLATE_MEMORY);
}

/* A word that begins with two underscores; the function whose parameters were seen last is not outlined twice. */
static void outline_marked(Unit *u, int i, int *bounds, int *last_function, bool in_function)
{
    const Tokens *t = &u->tok;
    if (is(t, i, W_LAUNCH_BOUNDS)) {
        *bounds = i;
    } else if (is(t, i, W_GLOBAL) || is(t, i, W_DEVICE)) {
        int name = -1, open = find_params(t, i, &name);
        if (is(t, prev(t, i), W_PAREN) && is(t, prev(t, prev(t, i)), W_ATTRIBUTE))
            return;
        if (open < 0 && !is(t, i, W_GLOBAL)) {
            bool constant = contains(t, statement_start(t, i), i, W_CONSTANT) || is(t, next(t, i), W_CONSTANT);
            declared_names(u, i, constant ? N_CONSTANT_MEMORY : N_MEMORY);
            outline_variable_template(u, i);
            unjudged(u, i);
        } else if (open >= 0 && open != *last_function) {
            *last_function = open;
            outline_function(u, i, name, open, is(t, i, W_GLOBAL) ? *bounds : -1);
        }
    } else if (is(t, i, W_MANAGED) || (is(t, i, W_SHARED) && !in_function)) {
        declared_names(u, i, N_MEMORY);
        unjudged(u, i);
    } else if (is(t, i, W_CONSTANT)) {
        declared_names(u, i, N_CONSTANT_MEMORY);
        outline_variable_template(u, i);
        unjudged(u, i);
    }
}

/* Does the brace at i open a function's body? */
static bool function_brace(const Tokens *t, int i)
{
    int p = prev(t, i);
    while (is(t, p, W_CONST) || is(t, p, W_NOEXCEPT) || is(t, p, W_OVERRIDE))
        p = prev(t, p);
    return is(t, p, W_PAREN_END) && !in(t, takes_parens, prev(t, mate_back(t, p)));
}

void pass_outline(Unit *u)
{
    const Tokens *t = &u->tok;
    int bounds = -1, depth = 0, bounds_depth = 0, last_function = -1, body_end = -1, parens = 0;
    for (int i = 0; i < t->n; i++) {
        const Token *k = &t->t[i];
        if (k->kind == T_PUNCT && k->len == 1) {
            depth += *k->s == '{' ? 1 : *k->s == '}' ? -1 : 0;
            parens += *k->s == '(' ? 1 : *k->s == ')' ? -1 : 0;
            if (*k->s == '{' && i > body_end && function_brace(t, i))
                body_end = mate(t, i);
            if ((*k->s == ';' || *k->s == '}') && depth <= bounds_depth)
                bounds = -1;
        }
        if (k->kind != T_ID || k->sys || k->ours)
            continue;
        if (k->len >= 8 && k->s[0] == '_' && k->s[1] == '_') {
            int n = u->nfunction;
            outline_marked(u, i, &bounds, &last_function, i < body_end);
            if (bounds == i)
                bounds_depth = depth;
            if (u->nfunction > n && u->function[n].end > body_end)
                body_end = u->function[n].end;
        } else
            outline_word(u, i, i < body_end || parens > 0);
    }
    index_functions(u);
    u->kernel = must(calloc((size_t)u->nfunction + 1, sizeof *u->kernel));
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].kernel && u->function[i].body >= 0 && u->function[i].name >= 0) {
            u->kernel[u->nkernel] = (Kernel){.f = &u->function[i], .id = u->nkernel, .run = RUN_FIBERS};
            u->nkernel++;
        }
}
