/* regions.c: splits a kernel at its barriers into parallel regions.
 *
 * Contract of split_kernel: true, with Kernel.split and the placement of each variable, if
 *   every barrier is a statement, round which are only statement lists and if, for, while and do whose conditions are
 * the same for all threads of the block (uniform.c); no region is left but at its end, except by a return from the last
 * one; each variable that lives across a barrier has a place (placement.c). Otherwise the kernel stays on fibers, and
 * Kernel.why says why. */
#include "kernel/guards.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is in a region ---- */

/* How control may leave the statement n: by return, or by a break or continue of a loop round the region. */
static void leaves(Split *s, Region *r, const Node *n, bool in_loop, bool in_switch)
{
    if (!n || is_expression(n))
        return;
    r->returns |= n->kind == S_RETURN;
    if ((n->kind == S_BREAK && !in_loop && !in_switch) || (n->kind == S_CONTINUE && !in_loop))
        fail(s, "a loop with a barrier is left early", n->first);
    bool loop = n->kind == S_FOR || n->kind == S_WHILE || n->kind == S_DO;
    for (int i = 0; i < n->n; i++)
        leaves(s, r, n->kid[i], in_loop || loop, in_switch || n->kind == S_SWITCH);
}

static void region_close(Split *s)
{
    if (!s->open)
        return;
    s->open = false;
    Region *r = &s->region[s->nregion - 1];
    for (int i = 0; i < r->n; i++)
        leaves(s, r, r->statement[i], false, false);
    if (r->returns && r->list != s->f->tree && !broken(s->u, RULE_RETURN))
        fail(s, "a return before a barrier", r->first);
}

/* Nothing may follow a region in which a thread may return: the thread is gone. */
static void follows(Split *s, int at)
{
    for (int i = 0; i < s->nregion; i++)
        if (s->region[i].returns && !broken(s->u, RULE_RETURN))
            fail(s, "a return before a barrier", at);
}

static void region_add(Split *s, Node *list, Node *statement)
{
    if (!s->open) {
        follows(s, statement->first);
        if (s->nregion == s->cap)
            s->region = must(realloc(s->region, (size_t)(s->cap = s->cap ? s->cap * 2 : 16) * sizeof *s->region));
        s->region[s->nregion++] = (Region){.list = list, .first = statement->first};
        s->open = true;
    }
    Region *r = &s->region[s->nregion - 1];
    r->statement = must(realloc(r->statement, (size_t)(r->n + 1) * sizeof *r->statement));
    r->statement[r->n++] = statement;
    r->last = statement->last;
}

/* ---- the walk over what is between regions ---- */

static bool at_kernel_level(const Split *s, const Node *n)
{
    if (n->kind == S_TYPES || n->kind == S_GUARD || counting(n))
        return true;
    for (int i = 0; n->kind == S_DECL && i < s->f->ndecl; i++)
        if (s->f->decl[i]->statement == n && (s->f->decl[i]->is_shared || s->f->decl[i]->is_constexpr))
            return true;
    return false;
}

static void walk(Split *s, Node *list, Node *n);

static void walk_body(Split *s, Node *n)
{
    walk(s, NULL, n);
    region_close(s);
}

static void walk_for(Split *s, Node *n)
{
    if (n->kid[0] && n->kid[0]->kind == S_EXPR && !uniform_step(s, n->kid[0]->kid[0]))
        fail(s, "a loop with a barrier begins with what differs between threads", n->first);
    for (int i = 0; n->kid[0] && i < s->f->ndecl; i++)
        if (s->f->decl[i]->statement == n->kid[0] && s->f->decl[i]->placement != P_UNIFORM)
            fail(s, "a loop with a barrier begins with what may differ between threads", n->first);
    if (n->kid[1] && !uniform_expression(s->u, s->f, n->kid[1]))
        fail(s, "the condition of a loop with a barrier may differ between threads", n->first);
    if (n->kid[2] && !uniform_step(s, n->kid[2]))
        fail(s, "the step of a loop with a barrier may differ between threads", n->first);
    walk_body(s, n->kid[3]);
}

static void walk(Split *s, Node *list, Node *n)
{
    if (!n->has_barrier && !at_kernel_level(s, n)) {
        region_add(s, list, n);
        return;
    }
    region_close(s);
    if (n->has_barrier)
        follows(s, n->first);
    switch (n->kind) {
    case S_TYPES:
    case S_DECL:
    case S_EXPR:
    case S_BARRIER: break;
    case S_LIST:
        for (int i = 0; i < n->n; i++)
            walk(s, n, n->kid[i]);
        region_close(s);
        break;
    case S_FOR: walk_for(s, n); break;
    case S_GUARD:
        if (n->has_barrier)
            walk_body(s, n->kid[1]);
        break;
    case S_WHILE:
    case S_IF:
    case S_DO: {
        int condition = n->kind == S_DO ? 1 : 0;
        if (!uniform_expression(s->u, s->f, n->kid[condition]))
            fail(s, "a condition round a barrier may differ between threads", n->first);
        for (int i = 0; i < n->n; i++)
            if (i != condition)
                walk_body(s, n->kid[i]);
        break;
    }
    default: fail(s, "a barrier in a statement that is not split", n->first);
    }
}

/* A kernel without a barrier: its body is one region. */
static void walk_body_as_region(Split *s)
{
    s->nregion = 0;
    s->open = false;
    for (int i = 0; i < s->f->tree->n; i++)
        walk(s, s->f->tree, s->f->tree->kid[i]);
    region_close(s);
}

/* The variable that each token names. */
static void index_uses(Split *s)
{
    s->used = must(calloc((size_t)s->t->n, sizeof *s->used));
    for (int i = 0; i < s->f->ndecl; i++) {
        Decl *d = s->f->decl[i];
        s->used[d->at] = d;
        for (int k = 0; k < d->nuse; k++)
            s->used[d->use[k].at] = d;
    }
}

/* May each guard be computed anew by each thread? */
static bool guards_recomputable(const Split *s)
{
    for (int i = 0; i < s->guards.n; i++)
        if (!recomputable(s->u, s->f, s->guards.guard[i].statement->kid[0], NULL))
            return false;
    return true;
}

static bool region_apart(const Split *s, const Region *r)
{
    for (int i = 0; i < r->n; i++)
        if (!threads_apart(s->u, s->f, r->statement[i]))
            return false;
    return true;
}

bool split_kernel(Unit *u, Kernel *k, bool bulk)
{
    Split *s = must(calloc(1, sizeof *s));
    *s = (Split){.u = u, .k = k, .f = &k->canonical, .t = k->canonical.tok};
    index_uses(s);
    k->split = NULL;
    k->why = NULL;
    if (k->guarded) {
        s->guards = find_guards(u, s->f);
        take_guards(&s->guards);
    }
    if (!place_variables(s))
        return false;
    if (!guards_recomputable(s))
        fail(s, "a guard cannot be computed anew", s->f->body);
    walk(s, NULL, s->f->tree);
    if (bulk && !s->f->tree->has_barrier && s->f->tree->n > 0)
        walk_body_as_region(s);
    if (k->why || !require_variables(s))
        return false;
    for (int i = 0; i < s->nregion; i++)
        s->region[i].apart = region_apart(s, &s->region[i]);
    if (bulk && (s->nregion != 1 || !print_bulk(s, &s->region[0], NULL, NULL)))
        return false;
    k->split = s;
    return true;
}
