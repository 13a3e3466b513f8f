/* harmful.c: may threads run this code one after another in a loop?
 *
 * A whitelist: a function is F_PURE of which every statement is understood, every call is of a pure function, and every type is
 * built in or a class of plain members. Anything else is F_IMPURE, and runs on fibers with ::threadIdx set. What only g++ can
 * judge in a kernel is collected for a static_assert. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Unit *u;
    Function *f;
    bool kernel, barriers;
    char **judged;          /* NULL: what g++ would have to judge is harmful */
    bool atomics, may_wait; /* seen in the function */
    int unbounded;          /* a loop that may wait: its token, or 0 */
    int advancing;          /* one that may wait for volatile memory alone */
    const char *why;
} Check;

static void check(Check *c, Node *n);

static void harm(Check *c, const char *why, int at)
{
    if (!c->why)
        c->why = format("line %d: %s", c->f->tok->t[at < 0 ? 0 : at].line, why);
}

static void judge(Check *c, char *text, int at)
{
    if (broken(c->u, RULE_TYPES))
        return;
    if (!c->judged) {
        harm(c, "a type or value that only the C++ compiler knows", at);
        return;
    }
    char *term = format(" && ::cpudev::plain<%s>::value", text);
    if (!*c->judged || !strstr(*c->judged, term))
        append(c->judged, term);
    else
        free(term);
    free(text);
}

/* ---- types ---- */

/* Is the word of a type at i known to be plain by its name? */
static bool plain_word(const Check *c, int i)
{
    const Tokens *t = c->f->tok;
    bool is_type;
    if (template_parameter(c->u, c->f, t, i, &is_type))
        return !c->judged || !is_type; /* of a function that is called with plain arguments; a kernel's is judged */
    if (has_name(c->u, t, i, N_TYPE))
        return false;
    return is_type_word(t, i) || only_kind(c->u, t, i, N_PLAIN_TYPE);
}

/* The type a..b without declarators, of which `by_value` objects or elements are used. */
static void check_type(Check *c, int a, int b)
{
    const Tokens *t = c->f->tok;
    bool known = true;
    int first = -1;
    for (int i = a; i <= b; i = next(t, i)) {
        if (is_qualifier(t, i) || is(t, i, W_STRUCT) || is(t, i, W_ENUM) || is(t, i, W_STAR) || is(t, i, W_AND) ||
            is(t, i, W_AUTO))
            continue;
        if (is(t, i, W_DECLTYPE) && is(t, next(t, next(t, i)), W_AUTO)) { /* as auto: the initialiser is looked at */
            i = mate(t, next(t, i));
            continue;
        }
        if ((is(t, i, W_ALIGNAS) || is(t, i, W_ALIGN) || is(t, i, W_ATTRIBUTE)) && is(t, next(t, i), W_PAREN)) {
            i = mate(t, next(t, i));
            continue;
        }
        first = first < 0 ? i : first;
        known &= ident(t, i) && plain_word(c, i);
        bool is_type;
        if (ident(t, i) && has_name(c->u, t, i, N_CLASS) && !has_name(c->u, t, i, N_PLAIN_TYPE) &&
            !template_parameter(c->u, c->f, t, i, &is_type) && !broken(c->u, RULE_TYPES))
            harm(c, "a class of the program", i);
    }
    if (known || first < 0)
        return;
    while (b > first && (is(t, b, W_STAR) || is(t, b, W_AND) || is_qualifier(t, b)))
        b = prev(t, b);
    judge(c, text_of(t, first, b), first);
}

/* ---- loops: may one wait for another thread? ---- */

/* Does the step of `for (...; condition; step)` name a variable of its condition? */
static bool counted(const Tokens *t, const Node *loop)
{
    const Node *condition = loop->kid[1], *step = loop->kid[2];
    for (int i = condition && step ? condition->first : 0; condition && step && i <= condition->last; i = next(t, i))
        for (int k = step->first; ident(t, i) && k <= step->last; k = next(t, k))
            if (ident(t, k) && same(t, i, k))
                return true;
    return false;
}

/* Is there an atomic in n, or a call of a function with one? */
static bool has_atomic(const Check *c, const Node *n)
{
    const Tokens *t = c->f->tok;
    for (int i = n->first; i <= n->last; i = next(t, i)) {
        if (!ident(t, i))
            continue;
        if (t->t[i].len > 6 && !strncmp(t->t[i].s, "atomic", 6))
            return true;
        for (int k = function_named(c->u, t, i, -1); k >= 0; k = function_named(c->u, t, i, k))
            if (c->u->function[k].atomics)
                return true;
    }
    return false;
}

/* `while (i < n) { ...; i += m; }`: its condition names a variable of the thread's own that the loop changes. */
static bool advances(const Check *c, const Node *loop)
{
    for (int i = 0; i < c->f->ndecl; i++) {
        const Decl *d = c->f->decl[i];
        bool asked = false, changed = false;
        for (int k = 0; k < d->nuse; k++) {
            const Node *condition = loop->kid[0];
            asked |= d->use[k].at >= condition->first && d->use[k].at <= condition->last;
            changed |= d->use[k].kind == USE_WRITE && d->use[k].at > condition->last && d->use[k].at <= loop->last;
        }
        if (asked && changed && !d->is_ref && !d->is_shared && !d->is_volatile && !d->stars && !d->ndims)
            return true;
    }
    return false;
}

/* The call of atomicCAS in `do { a = o; o = atomicCAS(p, a, v); } while (a != o);`, which comes to an end whatever others do:
 * it goes round again only when another thread has changed *p, and is done. NULL: it is another loop. */
static Node *retry(const Check *c, const Node *n)
{
    const Tokens *t = c->f->tok;
    const Node *body = n->kid[0], *end = strip(n->kid[1]);
    if (body->kind != S_LIST || body->n != 2 || body->kid[0]->kind != S_EXPR || body->kid[1]->kind != S_EXPR ||
        end->kind != E_BINARY || end->oper != OP_NOT_EQUAL)
        return NULL;
    const Node *keep = strip(body->kid[0]->kid[0]), *set = strip(body->kid[1]->kid[0]);
    if (keep->kind != E_ASSIGN || set->kind != E_ASSIGN || keep->oper != OP_ASSIGN || set->oper != OP_ASSIGN)
        return NULL;
    const Decl *a = named(keep->kid[0]), *o = named(keep->kid[1]), *x = named(end->kid[0]), *y = named(end->kid[1]);
    Node *call = set->kid[1];
    bool same_two = a && o && a != o && ((x == a && y == o) || (x == o && y == a)) && !a->is_ref && !o->is_ref;
    if (!same_two || named(set->kid[0]) != o || call->kind != E_CALL || call->n != 4 || named(call->kid[2]) != a ||
        !is(t, call->first, W_ATOMIC_CAS) || call->kid[0]->kind != E_NAME ||
        call->kid[0]->first != call->kid[0]->last || function_named(c->u, t, call->first, -1) >= 0 ||
        hidden_by_program(c->u, c->f, t, call->first))
        return NULL;
    return call;
}

static void check_loop(Check *c, Node *n)
{
    const Tokens *t = c->f->tok;
    if (n->kind == S_DO && (is(t, n->kid[1]->first, W_0) || is(t, n->kid[1]->first, W_FALSE)) &&
        n->kid[1]->kind == E_LITERAL)
        return; /* no loop: a macro's braces */
    if (n->kind == S_WHILE && !c->u->check && advances(c, n) && !has_atomic(c, n))
        c->advancing = n->first;
    else if (n->kind != S_FOR || !counted(t, n))
        c->unbounded = n->first;
    for (int i = n->first; n->kind == S_FOR && i < n->kid[3]->first; i = next(t, i))
        if (ident(t, i) && (is_atomic_name(t, i) || (function_named(c->u, t, i, -1) >= 0 &&
                                                     c->u->function[function_named(c->u, t, i, -1)].atomics)))
            harm(c, "an atomic in the head of a loop", i);
    const Node *body = n->kind == S_DO ? n->kid[0] : n->kid[n->n - 1];
    if (n->kind != S_DO && (body->kind == S_EMPTY || (body->kind == S_LIST && body->n == 0)))
        harm(c, "a loop that only waits", n->first);
}

/* ---- calls and names ---- */

static void check_template_arguments(Check *c, const Node *n)
{
    const Tokens *t = c->f->tok;
    for (int i = n->first; i <= n->last; i = next(t, i)) {
        bool is_type;
        if (!ident(t, i) || i == n->first || is(t, next(t, i), W_SCOPE) ||
            (template_parameter(c->u, c->f, t, i, &is_type) && !is_type))
            continue;
        if (has_name(c->u, t, i, N_CONSTANT) || is_keyword_type(t, i) || is(t, i, W_TRUE) || is(t, i, W_FALSE))
            continue;
        if (!plain_word(c, i))
            judge(c, format("%.*s", t->t[i].len, t->t[i].s), i);
    }
}

static void check_call(Check *c, Node *n)
{
    const Tokens *t = c->f->tok;
    const Node *callee = n->kid[0];
    for (int i = 1; i < n->n; i++)
        check(c, n->kid[i]);
    int name = callee->first;
    if (callee->kind != E_NAME || callee->decl) {
        if (!broken(c->u, RULE_CALLS))
            harm(c, callee->kind == E_MEMBER ? "a call of a member function" : "a call of something that is not known",
                 n->first);
        return;
    }
    if (is(t, name, W_SCOPE) || (is(t, name, W_STD) && is(t, next(t, name), W_SCOPE)))
        name = is(t, name, W_SCOPE) ? next(t, name) : next(t, next(t, name));
    if (callee->last != name && is(t, next(t, name), W_SCOPE)) {
        harm(c, "a call of something that is not known", n->first);
        return;
    }
    if (callee->last != name)
        check_template_arguments(c, callee);
    bool found = ((is_pure_name(t, name) || is_atomic_name(t, name)) && !hidden_by_program(c->u, c->f, t, name)) ||
                 broken(c->u, RULE_CALLS);
    for (int k = function_named(c->u, t, name, -1); k >= 0; k = function_named(c->u, t, name, k)) {
        found = true;
        if (purity_of(c->u, k) != F_PURE)
            harm(c, "a call of a function that may wait, or ask which thread it runs on", n->first);
        c->atomics |= c->u->function[k].atomics;
    }
    c->atomics |= is_atomic_name(t, name);
    if (!found)
        harm(c, "a call of something that is not known", n->first);
}

static int occurrences(const Tokens *t, int a, int b, const Token *name)
{
    int n = 0;
    for (int i = a; i < b; i++)
        n += t->t[i].kind == T_ID && same_as(t, i, name->s, name->len);
    return n;
}

/* Is the name at i in this kernel alone? Then it is not declared, unless it is the C++ compiler's own (__func__), and g++
 * reports it best for text to which nothing was added. */
static bool undeclared(const Check *c, int i)
{
    const Tokens *t = c->f->tok, *all = &c->u->tok;
    return c->kernel && strncmp(t->t[i].s, "__", 2) &&
           occurrences(all, 0, all->n, &t->t[i]) <= occurrences(t, 0, t->n, &t->t[i]);
}

static void check_name(Check *c, Node *n)
{
    const Tokens *t = c->f->tok;
    bool is_type;
    if (n->decl)
        return;
    if (is(t, n->first, W_THREAD_IDX) && !c->kernel && !broken(c->u, RULE_THREADIDX)) {
        harm(c, "a function that asks for threadIdx", n->first);
        return;
    }
    static const Word built_in[] = {W_THREAD_IDX, W_BLOCK_IDX, W_BLOCK_DIM, W_GRID_DIM, W_WARP_SIZE, W_NONE};
    if (n->first == n->last && (in(t, built_in, n->first) || only_kind(c->u, t, n->first, N_CONSTANT) ||
                                (template_parameter(c->u, c->f, t, n->first, &is_type) && !is_type)))
        return;
    bool memory = has_name(c->u, t, n->first, N_MEMORY) || has_name(c->u, t, n->first, N_CONSTANT_MEMORY);
    if (n->first == n->last && memory && !has_name(c->u, t, n->first, N_UNJUDGED) &&
        !has_name(c->u, t, n->first, N_TYPE))
        return;
    if (n->first == n->last && undeclared(c, n->first))
        harm(c, "a name that is not declared", n->first);
    judge(c, format("decltype(%s)", text_of(t, n->first, n->last)), n->first);
}

static void check_declaration(Check *c, Node *n)
{
    bool first = true;
    for (int i = 0; i < c->f->ndecl; i++) {
        const Decl *d = c->f->decl[i];
        if (d->statement != n)
            continue;
        if (first)
            check_type(c, d->type_first, d->type_last);
        first = false;
        c->may_wait |= d->is_volatile;
        if (d->is_shared && !c->barriers)
            harm(c, "shared memory without a barrier", d->at);
        if ((d->is_static || d->is_extern) && !d->is_shared)
            harm(c, "a variable that is not a thread's own", d->at);
    }
}

static void check_cast(Check *c, Node *n)
{
    const Tokens *t = c->f->tok;
    if (n->n == 0 && shared_helper(c->u, t, n->op) && c->kernel)
        return;
    check_type(c, n->op, n->op_last);
}

static void check(Check *c, Node *n)
{
    if (!n || c->why)
        return;
    switch (n->kind) {
    case E_OPAQUE:
    case S_OPAQUE: harm(c, "not understood", n->first); return;
    case E_NAME: check_name(c, n); return;
    case E_CALL: check_call(c, n); return;
    case E_CAST: check_cast(c, n); break;
    case S_DECL: check_declaration(c, n); break;
    case S_DO: {
        const Node *swap = c->u->check ? NULL : retry(c, n);
        if (swap) {
            c->atomics = true;
            check(c, swap->kid[1]);
            check(c, swap->kid[3]);
            return;
        }
        check_loop(c, n);
        break;
    }
    case S_FOR:
    case S_WHILE: check_loop(c, n); break;
    case S_BARRIER:
        if (!c->barriers)
            harm(c, "a barrier", n->first);
        return;
    default: break;
    }
    for (int i = 0; i < n->n; i++)
        check(c, n->kid[i]);
}

static void check_all(Check *c)
{
    Function *f = c->f;
    for (int i = 0; i < f->nparams; i++) {
        check_type(c, f->decl[i]->type_first, f->decl[i]->type_last);
        c->may_wait |= f->decl[i]->is_volatile;
    }
    check(c, f->tree);
    if (f->lockstep)
        harm(c, "lanes of a warp exchange values through volatile memory", f->body);
    c->may_wait |= contains(f->tok, f->body, f->end, W_VOLATILE);
    /* By what is volatile or atomic a thread may wait for another. Under --check no loop may wait, not even for a plain
     * variable: on a fiber it is interrupted in the end, and what it waited for is then reported as the race that it
     * is. */
    if (c->advancing && c->may_wait)
        harm(c, "a loop that may wait for another thread", c->advancing);
    if (c->unbounded && (c->may_wait || c->atomics || c->u->check))
        harm(c, "a loop that may wait for another thread", c->unbounded);
}

Purity purity_of(Unit *u, int k)
{
    Function *f = &u->function[k];
    if (f->purity == F_PURE || f->purity == F_IMPURE)
        return f->purity;
    if (f->purity == F_VISITING) /* recursion */
        return F_IMPURE;
    if (f->body < 0 && !f->kernel) { /* a declaration: its definition is another of this name */
        for (int d = function_named(u, &u->tok, f->name, -1); d >= 0; d = function_named(u, &u->tok, f->name, d))
            if (u->function[d].body >= 0)
                return f->purity = F_PURE;
        return f->purity = F_IMPURE;
    }
    f->purity = F_VISITING;
    Check c = {.u = u, .f = f};
    if (f->name < 0 || !f->tree || f->kernel || !is(&u->tok, next(&u->tok, f->close), W_BRACE))
        harm(&c, "a lambda, a kernel or a constructor", f->open); /* also with a trailing return type, noexcept, ... */
    else {
        int type = f->start;
        for (; type < f->name; type = next(&u->tok, type)) { /* what it returns */
            if (is(&u->tok, type, W_TEMPLATE))
                type = angle_forward(&u->tok, next(&u->tok, type));
            else if (in(&u->tok, takes_parens, type) && is(&u->tok, next(&u->tok, type), W_PAREN))
                type = mate(&u->tok, next(&u->tok, type));
            else if (ident(&u->tok, type) && !in(&u->tok, specifiers, type) && !is_qualifier(&u->tok, type) &&
                     !is(&u->tok, type, W_OPERATOR) && !is(&u->tok, type, W_INLINE__) &&
                     !is(&u->tok, type, W_INLINE_) && !is(&u->tok, type, W_AUTO) && !plain_word(&c, type))
                harm(&c, "it returns a class", type);
            if (type < 0)
                break;
        }
        check_all(&c);
    }
    f->atomics = c.atomics;
    f->why = c.why;
    return f->purity = c.why ? F_IMPURE : F_PURE;
}

const char *harmful(Unit *u, Function *f, bool barriers, char **judged)
{
    Check c = {.u = u, .f = f, .kernel = true, .barriers = barriers, .judged = judged};
    if (u->impure_operators)
        harm(&c, "the program has an operator that may wait, or ask which thread it runs on", f->open);
    check_all(&c);
    return c.why;
}
