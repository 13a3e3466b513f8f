/* canonical.c: a kernel in a form of its own, in which splitting knows what to do.
 *
 * Contract of pass_canonical: each kernel that need not run on fibers gets Kernel.canonical, a copy of its tokens with
 * a tree; for others Kernel.why says why not. The unit's tokens stay as they are, and are what is printed if the kernel
 * runs on fibers after all. make_canonical() is asked by pass_regions, if the kernel cannot be split as it is. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's parameters and body, as tokens of their own, with a tree. */
void copy_kernel(Unit *u, Kernel *k)
{
    const Function *f = k->f;
    Tokens *t = must(calloc(1, sizeof *t));
    for (int i = f->open; i <= f->end; i++)
        push(t, u->tok.t[i]);
    Token end = u->tok.t[f->end];
    end.kind = T_END;
    end.len = 0;
    push(t, end);
    find_mates(t);
    k->canonical = *f;
    k->canonical.tok = t;
    k->canonical.decl = NULL;
    k->canonical.tree = NULL;
    k->canonical.ndecl = k->canonical.decl_cap = 0;
    canonical_bounds(k);
    if (!u->check) {
        canonical_sums(k);
        analyse(u, k);
        canonical_indices(k);
    }
    analyse(u, k);
}

void analyse(Unit *u, Kernel *k)
{
    Function *c = &k->canonical;
    c->decl = NULL;
    c->ndecl = c->decl_cap = 0;
    parse_function(u, c);
    resolve_function(c);
    effects_function(u, c);
    variance_function(u, c);
}

/* The function with a barrier (or, if k->lanes, a shuffle) that the call at i in the kernel is of, if there is no doubt. */
static Function *called(Unit *u, const Kernel *k, int i)
{
    const Tokens *t = k->canonical.tok;
    Function *found = NULL;
    int open = next(t, i), angle = is(t, open, W_LESS) ? angle_forward(t, open) : -1;
    if (!ident(t, i) || !is(t, angle >= 0 ? next(t, angle) : open, W_PAREN) || is(t, prev(t, i), W_DOT) ||
        is(t, prev(t, i), W_ARROW) || is(t, prev(t, i), W_SCOPE))
        return NULL;
    for (int n = function_named(u, t, i, -1); n >= 0; n = function_named(u, t, i, n)) {
        Function *f = &u->function[n];
        if (f->body < 0)
            continue; /* declared before */
        if (found && !broken(u, RULE_OVERLOADS))
            return NULL;
        found = f;
    }
    /* a declaration may be of another function that is defined elsewhere: its parameters must be the same words */
    for (int n = function_named(u, t, i, -1); found && n >= 0; n = function_named(u, t, i, n)) {
        const Function *f = &u->function[n];
        int a = f->open, b = found->open;
        for (; a < f->close && b < found->close && same(&u->tok, a, b); a = next(&u->tok, a))
            b = next(&u->tok, b);
        if ((a != f->close || b != found->close) && !broken(u, RULE_OVERLOADS))
            return NULL;
    }
    bool wanted = found && !found->kernel && (found->waits || (k->lanes && found->meets));
    return wanted && !found->lockstep ? found : NULL;
}

/* Functions with barriers (or shuffles) in the places of their calls; false if that cannot be. */
bool inline_calls(Unit *u, Kernel *k)
{
    Tokens *t = k->canonical.tok;
    for (int i = 0; i < u->nfunction; i++)
        u->function[i].inlined = false;
    int number = 0;
    for (int i = next(t, k->canonical.body); i < t->n - 2; i = next(t, i)) {
        Function *f = called(u, k, i);
        if (!f)
            continue;
        analyse(u, k);
        if (number == 32 || t->n > 100000 || !canonical_call(u, k, i, f, ++number))
            return false;
        canonical_bounds(k);
        i = k->canonical.body;
    }
    return true;
}

/* Barriers as __syncthreads(), as statements of the kernel itself. False if that cannot be, or need not. */
bool make_canonical(Unit *u, Kernel *k)
{
    const Tokens *t = k->canonical.tok;
    bool wanted = false;
    for (int i = k->canonical.body; i < k->canonical.end; i = next(t, i))
        wanted |= is(t, i, W_THIS_THREAD_BLOCK) || (called(u, k, i) != NULL);
    if (!wanted || !inline_calls(u, k) || !canonical_groups(u, k))
        return false;
    analyse(u, k);
    return true;
}

void pass_canonical(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++) {
        Kernel *k = &u->kernel[i];
        k->why = "--fibers";
        if (u->no_loops || (i < u->on_fibers_n && u->on_fibers[i]))
            continue;
        if (!k->f->tree || k->f->tree->kind == S_OPAQUE)
            k->why = "not understood";
        else if (hides_coordinates(u, k->f))
            k->why = "a name of its own hides threadIdx, blockIdx, blockDim or gridDim";
        else
            copy_kernel(u, k);
    }
}
