/* verify.c: the verifier: after each pass, is the unit as that pass's contract says?
 *
 * Contract: changes nothing. What it finds is a mistake of the compiler, never of the program; the program is then
 * refused, since code that rests on a broken tree might be silently wrong. What a later pass relies on is worked out
 * here in another way than the pass does it: scopes from the tokens' positions rather than by a walk that keeps a
 * stack, for example.
 *
 *   merge       brackets nest, and each knows its mate
 *   outline     functions lie where their tokens say; kernels are numbered in order
 *   parse       each tree is well formed and leaves no token out (verify_tree.c)
 *   resolve     each name is bound to the innermost declaration in scope (verify_uses.c)
 *   effects     each mention of a local variable is on record, and none that changes it as a read (verify_uses.c)
 *   lockstep    as before
 *   calls       what is called pure holds no barrier, no threadIdx, no lockstep and nothing opaque
 *   variance    what is below an expression is in its variance (verify_variance.c)
 *   reject      as before
 *   canonical   each form has tokens, a tree, uses and variances as above
 *   regions     barriers are where a kernel can be split, and placements are justified (verify_kernel.c); the regions hold
 *               every statement between barriers, once (verify_regions.c)
 *   work_items  as before: text is attached, and the regions are what they were
 *   print       as before: printing only attaches text to tokens */
#include "verify/verifier.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

static bool is_bracket(const Token *t) { return t->kind == T_PUNCT && t->len == 1 && strchr("([{}])", *t->s); }

/* The last token is the only T_END; mates point at each other, and pairs do not cross. (A bracket that the user has not
 * closed has no mate, or one of another kind.) */
static void verify_tokens(Verify *v)
{
    const Tokens *t = v->t;
    int *around = must(malloc(((size_t)t->n + 1) * sizeof *around)), depth = 0;
    for (int i = 0; i < t->n && !v->broken; i++) {
        const Token *k = &t->t[i];
        if ((k->kind == T_END) != (i == t->n - 1))
            broke(v, i, "the end is not the last token");
        if ((k->outer < 0 || t->t[k->outer].mate >= 0) && k->outer != (depth ? around[depth - 1] : -1))
            broke(v, i, "a token that does not know the bracket that it is in");
        if (k->lead > k->s)
            broke(v, i, "a token begins before the white space in front of it");
        if (k->mate < 0)
            continue;
        if (!is_bracket(k))
            broke(v, i, "a token that is no bracket has a mate");
        else if (k->mate >= t->n || t->t[k->mate].mate != i)
            broke(v, i, "a bracket that its mate does not know");
        else if (k->mate > i)
            around[depth++] = i;
        else if (depth == 0 || around[--depth] != k->mate)
            broke(v, i, "brackets that cross");
    }
    free(around);
}

/* ---- functions ---- */

static void verify_function(Verify *v)
{
    const Function *f = v->f;
    const Tokens *t = &v->u->tok;
    if (!(0 <= f->start && f->start <= f->open && f->open < f->close && f->close < t->n) ||
        t->t[f->open].mate != f->close)
        broke(v, f->open, "a function without parentheses");
    if (f->name >= 0 && (f->name < f->start || f->name >= f->open))
        broke(v, f->open, "a function's name lies outside its declaration");
    if (f->body >= 0 && (f->body <= f->close || !is(t, f->body, W_BRACE) || t->t[f->body].mate != f->end))
        broke(v, f->body, "a function's body is not between braces");
}

static void verify_outline(Verify *v)
{
    const Unit *u = v->u;
    for (int i = 0; i < u->nfunction && !v->broken; i++) {
        v->f = &u->function[i];
        verify_function(v);
    }
    for (int i = 0; i < u->nkernel && !v->broken; i++) {
        const Function *f = u->kernel[i].f;
        if (u->kernel[i].id != i || !f->kernel || f->body < 0 || f < u->function || f >= u->function + u->nfunction)
            broke(v, f->open, "kernels are not numbered in order");
    }
}

/* ---- calls ---- */

static bool has_kind(const Node *n, NodeKind a, NodeKind b)
{
    if (!n)
        return false;
    for (int i = 0; i < n->n; i++)
        if (has_kind(n->kid[i], a, b))
            return true;
    return n->kind == a || n->kind == b;
}

static void verify_purity(Verify *v)
{
    const Function *f = v->f;
    if (f->body < 0)
        return;
    if (!f->kernel && f->purity != F_PURE && f->purity != F_IMPURE)
        broke(v, f->open, "nobody has looked at what a function calls");
    if (f->purity != F_PURE)
        return;
    if (!f->tree || has_kind(f->tree, S_OPAQUE, E_OPAQUE))
        broke(v, f->body, "a function that is not understood counts as pure");
    if (f->waits || f->lockstep || f->tree->has_barrier)
        broke(v, f->body, "a function that waits counts as pure");
    for (int i = f->body; i < f->end; i = next(v->t, i))
        if (v->t->t[i].kind == T_ID &&
            (is(v->t, i, W_SYNCTHREADS) || (is(v->t, i, W_THREAD_IDX) && !is(v->t, prev(v->t, i), W_DOT))))
            broke(v, i, "a function that waits or asks for threadIdx counts as pure");
}

/* ---- all ---- */

static bool in_test_of(const Unit *u)
{
    return u->broken != 0; /* a test build with a rule switched off: what rests on that rule is wrong on purpose */
}

static void verify_functions(Verify *v)
{
    for (int i = 0; i < v->u->nfunction && !v->broken; i++) {
        v->f = &v->u->function[i];
        v->t = &v->u->tok;
        if (!v->f->tree)
            continue;
        if (v->stage == AFTER_PARSE)
            verify_tree(v);
        if (v->stage == AFTER_RESOLVE || v->stage == AFTER_EFFECTS)
            verify_uses(v);
    }
}

/* A kernel in canonical form; from pass_regions on, if it does not run on fibers. */
static void verify_form(Verify *v, const Kernel *k)
{
    const bool decided = v->stage >= AFTER_REGIONS;
    if (decided && k->run == RUN_FIBERS)
        return;
    v->f = &k->canonical;
    v->t = k->canonical.tok;
    if (decided && k->f->lockstep)
        broke(v, k->f->body, "a kernel whose lanes wait for each other does not run on fibers");
    verify_tokens(v);
    verify_tree(v);
    verify_uses(v);
    verify_variance(v);
    if (decided)
        verify_kernel(v, k);
    if (decided && k->run == RUN_REGIONS && !v->broken)
        verify_regions(v, k);
}

void verify(Unit *u, const char *pass, int number)
{
    Verify v = {.u = u, .pass = pass, .stage = (Stage)number, .t = &u->tok};
    if (in_test_of(u))
        return;
    if (v.stage == AFTER_MERGE || v.stage == AFTER_PRINT)
        verify_tokens(&v);
    else if (v.stage == AFTER_OUTLINE)
        verify_outline(&v);
    else if (v.stage <= AFTER_EFFECTS)
        verify_functions(&v);
    for (int i = 0; v.stage == AFTER_CALLS && i < u->nfunction && !v.broken; i++) {
        v.f = &u->function[i];
        verify_purity(&v);
    }
    for (int i = 0; v.stage == AFTER_VARIANCE && i < u->nkernel && !v.broken; i++) {
        v.f = u->kernel[i].f;
        if (v.f->tree)
            verify_variance(&v);
    }
    for (int i = 0; v.stage >= AFTER_CANONICAL && v.stage <= AFTER_WORK_ITEMS && i < u->nkernel && !v.broken; i++)
        if (u->kernel[i].canonical.tree)
            verify_form(&v, &u->kernel[i]);
}
