/* verify_kernel.c: may a kernel be printed as a work-item loop, or in parallel regions?
 *
 * As a loop: everything in it is understood and there is no barrier. In regions: each barrier is only in lists, if,
 * for, while and do; the conditions round it name what is uniform alone; one copy or a rematerialised value replaces
 * what does not change; and a variable that is kept as it is written is not used beyond a barrier. */
#include "verify/verifier.h"

static void verify_condition(Verify *v, const Node *n)
{
    if (!n || v->broken)
        return;
    if (n->kind == E_NAME && n->decl && n->decl->placement != P_UNIFORM && !(n->decl->is_shared && n->decl->ndims))
        broke(v, n->first, "a condition round a barrier names a variable that is not uniform");
    if (n->kind == E_NAME && is(v->t, n->first, W_THREAD_IDX))
        broke(v, n->first, "a condition round a barrier asks for threadIdx");
    if (n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE) ||
        (n->kind == E_MEMBER && n->oper == OP_ARROW))
        broke(v, n->first, "a condition round a barrier reads memory");
    for (int i = 0; i < n->n; i++)
        verify_condition(v, n->kid[i]);
}

/* Does the value depend on memory, which another thread may change? */
static bool reads_memory(const Verify *v, const Node *n)
{
    if (!n)
        return false;
    if (n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE) ||
        (n->kind == E_MEMBER && n->oper == OP_ARROW))
        return true;
    for (int i = 0; i < n->n; i++)
        if (reads_memory(v, n->kid[i]))
            return true;
    return false;
}

/* What decides whether a thread takes part is found out before anything is done. */
static void verify_guard(Verify *v, const Node *n)
{
    if (reads_memory(v, n))
        broke(v, n->first, "a guard reads memory");
    if (n->kind == E_NAME && n->decl && !n->decl->only_read)
        broke(v, n->first, "a guard names a variable that changes");
    for (int i = 0; i < n->n; i++)
        verify_guard(v, n->kid[i]);
}

static void verify_barriers(Verify *v, const Node *n)
{
    static const bool splits[S_OPAQUE + 1] = {[S_LIST] = true, [S_IF] = true,      [S_FOR] = true,  [S_WHILE] = true,
                                              [S_DO] = true,   [S_BARRIER] = true, [S_GUARD] = true};
    if (!n->has_barrier || v->broken)
        return;
    if (!splits[n->kind])
        broke(v, n->first, "a barrier in a statement that is not split");
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && is_expression(n->kid[i]))
            n->kind == S_GUARD ? verify_guard(v, n->kid[i]) : verify_condition(v, n->kid[i]);
        else if (n->kid[i])
            verify_barriers(v, n->kid[i]);
}

static void all_understood(Verify *v, const Node *n)
{
    if (!n)
        return;
    if (n->kind == E_OPAQUE || n->kind == S_OPAQUE)
        broke(v, n->first, "a kernel that is not understood does not run on fibers");
    for (int i = 0; i < n->n; i++)
        all_understood(v, n->kid[i]);
}

/* Is there a barrier between the tokens a and b? */
static bool barrier_between(const Node *n, int a, int b)
{
    if (!n || is_expression(n) || n->last < a || n->first > b)
        return false;
    if (n->kind == S_BARRIER)
        return a < n->first && n->last < b;
    for (int i = 0; i < n->n; i++)
        if (barrier_between(n->kid[i], a, b))
            return true;
    return false;
}

/* Is d written before the token, with no barrier between? */
static bool written_since(const Verify *v, const Decl *d, int token)
{
    for (int k = 0; k < d->nuse; k++)
        if (d->use[k].kind == USE_WRITE && d->use[k].at < token && !barrier_between(v->f->tree, d->use[k].at, token))
            return true;
    return false;
}

static void verify_placement(Verify *v, const Decl *d)
{
    if (d->placement == P_UNIFORM && !d->only_read && !d->written_together && !d->is_constexpr)
        broke(v, d->at, "one copy serves all threads of a variable that they change");
    if (d->placement == P_AGAIN && (!d->only_read || !d->init || d->init_form != '=' || reads_memory(v, d->init)))
        broke(v, d->at, "a variable is rematerialised whose value may be another by then");
    for (int k = 0; d->placement == P_FRESH && k < d->nuse; k++)
        if (d->use[k].kind != USE_WRITE && !written_since(v, d, d->use[k].at))
            broke(v, d->use[k].at, "a variable is read that has no value there");
    for (int k = 0; d->placement == P_PRIVATE && !d->is_param && k < d->nuse; k++)
        if (barrier_between(v->f->tree, d->at, d->use[k].at))
            broke(v, d->use[k].at, "a variable that lives across a barrier has no place there");
}

void verify_kernel(Verify *v, const Kernel *k)
{
    if (v->broken)
        return;
    all_understood(v, v->f->tree);
    if (k->run == RUN_LOOP) {
        if (v->f->tree->has_barrier)
            broke(v, v->f->body, "a kernel with a barrier is printed as one loop");
        return;
    }
    verify_barriers(v, v->f->tree);
    for (int i = 0; i < v->f->ndecl && !v->broken; i++)
        verify_placement(v, v->f->decl[i]);
}
