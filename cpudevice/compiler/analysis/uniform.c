/* uniform.c: what is the same for all threads of a block, and what a thread may compute anew, in a kernel that is
 * split: a variable is what placement.c has made of it so far. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

static Variance placed(const VarianceRule *r, const Node *name)
{
    const Decl *d = name->decl;
    if (!d)
        return global_variance(r->u, r->f, name);
    if (d->placement == P_UNIFORM || (d->is_shared && d->ndims > 0))
        return (Variance){0, STRIDE_NONE};
    return (Variance){d->placement == P_AGAIN && !d->is_shared ? ON_THREAD : ON_UNKNOWN, STRIDE_ANY};
}

/* Does each variable that all threads change together still have its value, where `at` is computed from it?  A loop's
 * own variable does not change in the loop's body. */
static bool unchanged(const Unit *u, const Node *n, const Decl *at)
{
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    if (d && d->placement == P_UNIFORM && !d->only_read && !broken(u, RULE_CHANGED) &&
        !(at && at->list && d->is_loop && d->list->kind == S_FOR && d->step_only && at->at > d->list->kid[3]->first &&
          at->at < d->list->kid[3]->last))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!unchanged(u, n->kid[i], at))
            return false;
    return true;
}

bool uniform_expression(const Unit *u, const Function *f, const Node *n)
{
    const VarianceRule rule = {.u = u, .f = f, .name = placed};
    return n && (broken(u, RULE_UNIFORM) || same_in_block(variance_of(&rule, n)));
}

bool recomputable(const Unit *u, const Function *f, const Node *n, const Decl *at)
{
    const VarianceRule rule = {.u = u, .f = f, .name = placed};
    return n && !(variance_of(&rule, n).on & ON_UNKNOWN) && unchanged(u, n, at);
}
