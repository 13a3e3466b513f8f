/* verify_variance.c: does an expression depend on at least what its parts depend on?
 *
 * The pass combines its operands' variances operator by operator, with a whitelist; here whatever is below a node, a
 * thread's coordinate, a variable, a place in memory or a function of the program, must be found in the node again. */
#include "analysis/analysis.h"
#include "verify/verifier.h"

/* What n itself adds. */
static unsigned own(const Verify *v, const Node *n)
{
    bool memory = n->kind == E_INDEX || n->oper == OP_DEREFERENCE || n->oper == OP_ARROW;
    bool changes = n->kind == E_ASSIGN || is_increment(n);
    if (n->kind == E_NAME && n->decl)
        return n->decl->variance.on;
    if (n->kind == E_NAME && is(v->t, n->first, W_THREAD_IDX))
        return ON_THREAD;
    if (n->kind == E_NAME && is(v->t, n->first, W_BLOCK_IDX))
        return ON_BLOCK;
    if (n->kind == E_CALL && function_named(v->u, v->t, n->kid[0]->last, -1) >= 0)
        return ON_UNKNOWN;
    return memory || changes || n->kind == E_OPAQUE ? ON_UNKNOWN : 0;
}

/* What n depends on at the least. */
static unsigned least(Verify *v, const Node *n)
{
    unsigned on = is_expression(n) ? own(v, n) : 0;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !(n->kind == E_CALL && i == 0))
            on |= least(v, n->kid[i]);
    if (is_expression(n) && !(n->variance.on & ON_UNKNOWN) && on & ~(unsigned)n->variance.on)
        broke(v, n->first, "an expression that depends on more than is said of it");
    return on;
}

static void verify_variable(Verify *v, const Decl *d)
{
    const bool constant = d->is_constexpr || (d->is_shared && d->ndims) || (d->is_param && d->only_read);
    if (constant || d->variance.on & ON_UNKNOWN)
        return;
    if (!d->only_read || !d->init || d->init->variance.on & ~(unsigned)d->variance.on)
        broke(v, d->at, "a variable that depends on more than is said of it");
}

void verify_variance(Verify *v)
{
    for (int i = 0; i < v->f->ndecl && !v->broken; i++)
        verify_variable(v, v->f->decl[i]);
    if (!v->broken)
        least(v, v->f->tree);
}
