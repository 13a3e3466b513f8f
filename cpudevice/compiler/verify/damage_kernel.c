/* damage_kernel.c: breaks what is known of a kernel: variances, how it runs, where its variables are, its regions. */
#include "verify/damages.h"

#ifdef CUCC_BREAK
#include "kernel/split.h"

/* The variables of kernels in regions. */
static bool at_placed(Unit *u, bool (*try)(Decl *))
{
    for (int i = 0; i < u->nkernel; i++)
        for (int k = 0; u->kernel[i].run == RUN_REGIONS && k < u->kernel[i].canonical.ndecl; k++)
            if (try(u->kernel[i].canonical.decl[k]))
                return true;
    return false;
}

/* ---- variance ---- */

static bool forget_threads(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (!is_expression(n) || n->n == 0 || !(n->variance.on & ON_THREAD) || n->variance.on & ON_UNKNOWN)
        return false;
    n->variance.on = 0;
    return true;
}

static bool forget_memory(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != E_INDEX || !(n->variance.on & ON_UNKNOWN))
        return false;
    n->variance.on = 0;
    return true;
}

void varying_as_same(Unit *u) { at_trees(u, forget_threads); }
void memory_as_same(Unit *u) { at_trees(u, forget_memory); }

void changed_as_same(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        for (int k = 0; k < u->kernel[i].f->ndecl; k++)
            if (!u->kernel[i].f->decl[k]->only_read) {
                u->kernel[i].f->decl[k]->variance.on = 0;
                return;
            }
}

/* ---- regions ---- */

static bool share(Decl *d)
{
    if (d->only_read || d->is_param || d->placement != P_SLOT)
        return false;
    d->placement = P_UNIFORM;
    return true;
}

static bool recompute(Decl *d)
{
    if (d->only_read || d->placement != P_SLOT)
        return false;
    d->placement = P_AGAIN;
    return true;
}

static bool keep_private(Decl *d)
{
    if (d->is_param || d->placement != P_SLOT)
        return false;
    d->placement = P_PRIVATE;
    return true;
}

static bool vary(Decl *d)
{
    if (d->placement != P_UNIFORM || !d->wanted)
        return false;
    d->placement = P_SLOT;
    return true;
}

void barrier_in_loop(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        if (u->kernel[i].run == RUN_REGIONS && u->kernel[i].canonical.tree->has_barrier) {
            u->kernel[i].run = RUN_LOOP;
            return;
        }
}

static bool hide_in_switch(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != S_WHILE && n->kind != S_IF)
        return false;
    n->kind = n->has_barrier && n->n == 2 ? S_SWITCH : n->kind;
    return n->kind == S_SWITCH;
}

void barrier_in_switch(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        if (u->kernel[i].run == RUN_REGIONS &&
            at_node(&u->kernel[i].canonical, u->kernel[i].canonical.tree, NULL, hide_in_switch))
            return;
}

void shared_copy(Unit *u) { at_placed(u, share); }
void wrong_recomputation(Unit *u) { at_placed(u, recompute); }
void private_across_barrier(Unit *u) { at_placed(u, keep_private); }
void varying_condition(Unit *u) { at_placed(u, vary); }

/* ---- which statements are in regions ---- */

static Split *first_split(Unit *u, int regions)
{
    for (int i = 0; i < u->nkernel; i++)
        if (u->kernel[i].run == RUN_REGIONS && u->kernel[i].split->nregion >= regions)
            return u->kernel[i].split;
    return NULL;
}

void lost_region(Unit *u)
{
    Split *s = first_split(u, 1);
    if (s)
        s->nregion--;
}

void statement_out_of_region(Unit *u)
{
    Split *s = first_split(u, 1);
    if (s && s->region[0].n > 1)
        s->region[0].last = s->region[0].statement[--s->region[0].n - 1]->last;
}

void region_over_barrier(Unit *u)
{
    Split *s = first_split(u, 2);
    if (s)
        s->region[0].last = s->region[1].last;
}

void regions_turned(Unit *u)
{
    Split *s = first_split(u, 2);
    if (s) {
        Region first = s->region[0];
        s->region[0] = s->region[1];
        s->region[1] = first;
    }
}

void forgotten_return(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        for (int k = 0; u->kernel[i].run == RUN_REGIONS && k < u->kernel[i].split->nregion; k++)
            u->kernel[i].split->region[k].returns = false;
}

void arrays_apart(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++)
        for (int k = 0; u->kernel[i].run == RUN_REGIONS && k < u->kernel[i].split->nregion; k++)
            u->kernel[i].split->region[k].apart = true;
}
#endif
