/* forms.c: how each kernel runs, and in which form.
 *
 * Contract of pass_regions: sets Kernel.run of each kernel that has a canonical form, and Kernel.split of those that
 * run in regions. A kernel is tried as it is, and then with its loops exchanged, if it has no barrier; else with the
 * functions that it calls in the places of their calls; else with its shuffles done for the whole block. The first
 * form that can be split counts, and the canonical tokens and tree are of that form; nothing is printed. Kernel.why
 * says why a kernel is left on fibers. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "kernel/split.h"

/* In regions, for all threads of the block, or for those alone that its guards let take part. */
static bool split(Unit *u, Kernel *k)
{
    k->guarded = false;
    if (split_kernel(u, k, false))
        return true;
    const char *why = k->why;
    if (!u->check) {
        analyse(u, k);
        k->guarded = true;
        if (split_kernel(u, k, false))
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
    k->why = NULL;
    if (!k->canonical.tree->has_barrier) {
        k->why = harmful(u, &k->canonical, false, &judged);
        if (!k->why) {
            bool bulk = u->check && !u->no_split &&
                        !contains(k->canonical.tok, k->canonical.open, k->canonical.end, W_VOLATILE);
            k->run = bulk && split_kernel(u, k, true) ? RUN_REGIONS : RUN_LOOP;
            k->why = NULL;
        }
    } else if (u->no_split) {
        k->why = "--no-split";
    } else {
        k->why = harmful(u, &k->canonical, true, &judged);
        if (!k->why && split(u, k))
            k->run = RUN_REGIONS;
    }
    k->judged = judged;
    return k->run != RUN_FIBERS;
}

/* A kernel whose lanes exchange values, without fibers. */
static void try_lanes(Unit *u, Kernel *k)
{
    const char *why = k->why;
    if (u->check || u->no_split || !(k->f->meets || contains(&u->tok, k->f->body, k->f->end, W_TILED_PARTITION)))
        return;
    copy_kernel(u, k);
    k->lanes = true;
    if (inline_calls(u, k) && canonical_groups(u, k)) {
        analyse(u, k);
        k->is_canonical = put_lanes(u, k);
        if (k->is_canonical)
            analyse(u, k);
        k->is_canonical = k->is_canonical && try_kernel(u, k);
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
    k->run = RUN_FIBERS;
    k->exchanged = exchange_loops(u, k);
    if (k->exchanged)
        analyse(u, k);
    if (k->exchanged && try_kernel(u, k))
        return;
    *k = loop;
}

void pass_regions(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++) {
        Kernel *k = &u->kernel[i];
        if (!k->canonical.tree)
            continue;
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
