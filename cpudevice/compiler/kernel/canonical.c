/* canonical.c: a kernel in a form of its own, in which splitting knows what to do.
 *
 * Contract of pass_canonical: each kernel that need not run on fibers gets Kernel.canonical, a copy of its tokens with
 * a tree, and Kernel.run; the unit's tokens stay as they are, and are what is printed if it runs on fibers after all.
 */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's parameters and body, as tokens of their own. */
static void copy_kernel(Unit *u, Kernel *k)
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
    if (u->check)
        return;
    canonical_sums(k);
    analyse(u, k);
    canonical_indices(k);
}

void analyse(Unit *u, Kernel *k)
{
    Function *c = &k->canonical;
    c->decl = NULL;
    c->ndecl = c->decl_cap = 0;
    parse_function(u, c);
    resolve_function(c);
    effects_function(u, c);
}

/* In regions, for all threads of the block, or for those alone that its guards let take part. */
static bool split(Unit *u, Kernel *k, const char *judged)
{
    k->guarded = false;
    if (split_kernel(u, k, judged, false))
        return true;
    const char *why = k->why;
    if (!u->check) {
        analyse(u, k);
        k->guarded = true;
        if (split_kernel(u, k, judged, false))
            return true;
    }
    k->guarded = false;
    k->why = why;
    return false;
}

/* Runs as a loop or in regions?  *why not, otherwise. */
static bool try_kernel(Unit *u, Kernel *k)
{
    char *judged = NULL;
    analyse(u, k);
    k->why = NULL;
    if (!k->canonical.tree->has_barrier) {
        k->why = harmful(u, &k->canonical, false, &judged);
        if (!k->why) {
            bool bulk = u->check && !u->no_split &&
                        !contains(k->canonical.tok, k->canonical.open, k->canonical.end, "volatile");
            k->run = bulk && split_kernel(u, k, judged, true) ? RUN_REGIONS : RUN_LOOP;
            k->why = NULL;
        }
    } else if (u->no_split) {
        k->why = "--no-split";
    } else {
        k->why = harmful(u, &k->canonical, true, &judged);
        if (!k->why && split(u, k, judged))
            k->run = RUN_REGIONS;
    }
    if (k->run == RUN_LOOP && judged)
        put_after(k->canonical.tok, k->canonical.body, static_assertion(k, judged));
    return k->run != RUN_FIBERS;
}

/* The function with a barrier (or, if k->lanes, a shuffle) that the call at i in the kernel is of, if there is no doubt. */
static Function *called(Unit *u, const Kernel *k, int i)
{
    const Tokens *t = k->canonical.tok;
    Function *found = NULL;
    int open = next(t, i), angle = is(t, open, "<") ? angle_forward(t, open) : -1;
    if (!ident(t, i) || !is(t, angle >= 0 ? next(t, angle) : open, "(") || is(t, prev(t, i), ".") ||
        is(t, prev(t, i), "->") || is(t, prev(t, i), "::"))
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
static bool inline_calls(Unit *u, Kernel *k)
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
        wanted |= is(t, i, "this_thread_block") || (called(u, k, i) != NULL);
    return wanted && inline_calls(u, k) && canonical_groups(u, k);
}

/* A kernel whose lanes exchange values, without fibers. */
static void try_lanes(Unit *u, Kernel *k)
{
    const char *why = k->why;
    if (u->check || u->no_split || !(k->f->meets || contains(&u->tok, k->f->body, k->f->end, "tiled_partition")))
        return;
    copy_kernel(u, k);
    k->lanes = true;
    if (inline_calls(u, k) && canonical_groups(u, k)) {
        analyse(u, k);
        k->is_canonical = put_lanes(u, k) && try_kernel(u, k);
    }
    if (k->run == RUN_FIBERS) {
        k->lanes = false;
        k->why = why;
    }
}

/* A kernel that runs as a loop: with loops of its own outside of that, if it gains by it. */
static void try_exchange(Unit *u, Kernel *k)
{
    if (k->run != RUN_LOOP || u->check || u->no_split)
        return;
    const Kernel loop = *k;
    copy_kernel(u, k);
    analyse(u, k);
    k->run = RUN_FIBERS;
    k->exchanged = exchange_loops(u, k);
    if (k->exchanged && try_kernel(u, k))
        return;
    *k = loop;
}

void pass_canonical(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++) {
        Kernel *k = &u->kernel[i];
        k->why = "--fibers";
        if (u->no_loops || (i < u->on_fibers_n && u->on_fibers[i]))
            continue;
        if (!k->f->tree || k->f->tree->kind == S_OPAQUE) {
            k->why = "not understood";
            continue;
        }
        if (hides_coordinates(u, k->f)) {
            k->why = "a name of its own hides threadIdx, blockIdx, blockDim or gridDim";
            continue;
        }
        copy_kernel(u, k);
        if (try_kernel(u, k)) {
            try_exchange(u, k);
            continue;
        }
        const char *why = k->why;
        copy_kernel(u, k);
        k->is_canonical = !u->no_split && make_canonical(u, k);
        if (k->is_canonical)
            try_kernel(u, k);
        if (k->run == RUN_FIBERS && why)
            k->why = why;
        if (k->run == RUN_FIBERS)
            try_lanes(u, k);
    }
}
