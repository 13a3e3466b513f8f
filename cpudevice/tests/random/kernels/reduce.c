/* reduce.c: leaves statements out of a kernel and keeps it valid: barriers outside of what is left out stay, and so do
 * declarations that something uses. */
#include "model.h"
#include "print_scope.h"

static int listed(int id, const int *ids, int count)
{
    for (int i = 0; i < count; i++)
        if (ids[i] == id)
            return 1;
    return 0;
}

static void drop(Stmt *s, const int *ids, int count)
{
    for (; s; s = s->next) {
        if (!s->forced && listed(s->id, ids, count))
            s->dropped = 1;
        drop(s->body, ids, count);
        drop(s->other, ids, count);
        drop(s->third, ids, count);
    }
}

static int expr_uses(const Expr *e, const Var *v)
{
    return e && (e->from.var == v || expr_uses(e->from.index, v) || expr_uses(e->a, v) || expr_uses(e->b, v) ||
                 expr_uses(e->c, v));
}

/* Leaves out the declarations of this list and inside it that nothing after them uses. Returns how many. */
static int drop_unused(Stmt *s, const Expr *result)
{
    int dropped = 0;
    for (; s; s = s->next) {
        if (s->dropped)
            continue;
        if (s->kind == DECLARE && !statements_use(s->next, s->var) && !expr_uses(result, s->var))
            s->dropped = ++dropped;
        dropped += drop_unused(s->body, NULL) + drop_unused(s->other, NULL) + drop_unused(s->third, NULL);
    }
    return dropped;
}

void reduce_kernel(Kernel *k, const int *ids, int count)
{
    if (count == 0)
        return;
    drop(k->body, ids, count);
    /* The result is a sum over variables: number -1 - i leaves out its i-th term. */
    while (drop_unused(k->body, k->result) > 0)
        ;
}
