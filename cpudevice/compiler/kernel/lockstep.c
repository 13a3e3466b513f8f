/* lockstep.c: lanes of a warp that exchange values through volatile memory, without __syncwarp() between them:
 *
 *     __device__ void sum_warp(volatile float *s, int t) { s[t] += s[t + 32]; s[t] += s[t + 16]; ... }
 *
 * Since Volta that is a race by CUDA's rules, and `--check` says so. But GPUs run it as it is meant, textbooks are full of
 * it (Harris, "Optimizing Parallel Reduction in CUDA", 2007), and a fiber that runs through all of its statements at once
 * would sum what is not there yet. So each such statement becomes what the lanes of a warp do together: all have come, all
 * have read, all write.
 *
 * Contract: sets Function.lockstep where the pattern is found in device code, and attaches the waiting to the tokens of the
 * statement. A whitelist: an expression statement that assigns to an element of a local or parameter with volatile elements,
 * and whose right side reads another element of the same. Nothing else is touched; under --check nothing is. */
#include "front/unit.h"
#include "analysis/analysis.h"

/* The variable of which n is an element, if those are volatile: a pointer to volatile, or an array of it. */
static const Decl *volatile_element(const Function *f, const Node *n)
{
    n = strip(n);
    if (n->kind != E_INDEX || n->n < 1)
        return NULL;
    const Decl *d = named(n->kid[0]);
    bool elements =
        d && (d->stars == 1) != (d->ndims == 1) && contains(f->tok, d->type_first, d->type_last, W_VOLATILE);
    return elements ? d : NULL;
}

static bool same_text(const Tokens *t, const Node *a, const Node *b)
{
    int i = a->first, k = b->first;
    while (i <= a->last && k <= b->last && same(t, i, k)) {
        i = next(t, i);
        k = next(t, k);
    }
    return i > a->last && k > b->last;
}

/* Does n read an element of d, and not the one that is written? */
static bool reads_another(const Function *f, const Node *n, const Decl *d, const Node *written)
{
    if (!n)
        return false;
    if (volatile_element(f, n) == d && !same_text(f->tok, strip(n), written))
        return true;
    for (int i = 0; i < n->n; i++)
        if (reads_another(f, n->kid[i], d, written))
            return true;
    return false;
}

/* `s[a] += s[b]` becomes `(cpudev_lockstep(2i), s[a] += in_step(2i + 1, s[b]))`, i being where it stands: lanes wait for
 * those that are behind. */
static void find(Function *f, Node *n)
{
    if (!n)
        return;
    for (int i = 0; i < n->n; i++)
        find(f, n->kid[i]);
    Node *assignment = n->kind == S_EXPR && n->n == 1 ? n->kid[0] : NULL;
    if (!assignment || assignment->kind != E_ASSIGN || assignment->n != 2)
        return;
    const Node *written = strip(assignment->kid[0]), *value = assignment->kid[1];
    const Decl *d = volatile_element(f, written);
    if (!d || !reads_another(f, value, d, written))
        return;
    f->lockstep = true;
    put_before(f->tok, assignment->first, format("(::cpudev_lockstep(%du), ", 2 * assignment->first));
    put_before(f->tok, value->first, format("::cpudev::in_step(%du, ", 2 * assignment->first + 1));
    put_after(f->tok, assignment->last, format("))"));
}

void pass_lockstep(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++) {
        Function *f = &u->function[i];
        if (f->tree && f->body >= 0 && (f->kernel || (f->device && !f->host)) && !u->check)
            find(f, f->tree);
    }
}
