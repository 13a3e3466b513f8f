/* verify_regions.c: do the regions hold what is between a kernel's barriers?
 *
 * The pass adds statements to the region that is open as it walks; here the finished regions are compared with the
 * tree: they are in the order of the text and do not overlap, no barrier is in one, each statement that is not done
 * for all threads at once is in exactly one, and a thread that returns, or whose variable is in memory, is known. */
#include "kernel/split.h"
#include "verify/verifier.h"

typedef struct {
    Verify *v;
    const Split *s;
    int found; /* statements of regions that the tree has */
} Regions;

static bool has(const Node *n, NodeKind kind)
{
    for (int i = 0; n && i < n->n; i++)
        if (has(n->kid[i], kind))
            return true;
    return n && n->kind == kind;
}

/* Is it a declaration of shared memory and constants alone? */
static bool declares_for_all(const Split *s, const Node *n)
{
    for (int i = 0; i < s->f->ndecl; i++)
        if (s->f->decl[i]->statement == n && !s->f->decl[i]->is_shared && !s->f->decl[i]->is_constexpr)
            return false;
    return true;
}

/* Does it change nothing but variables that all threads change together? */
static bool changes_for_all(const Split *s, const Node *n)
{
    for (int i = 0; i < s->f->ndecl; i++)
        for (int k = 0; k < s->f->decl[i]->nuse; k++) {
            const Use *use = &s->f->decl[i]->use[k];
            if (use->at >= n->first && use->at <= n->last && use->kind != USE_READ && !s->f->decl[i]->written_together)
                return false;
        }
    return true;
}

static void statement(Regions *x, const Node *n)
{
    const Region *r = region_of(x->s, n->first);
    bool inside = false;
    for (int i = 0; r && i < r->n; i++)
        inside |= r->statement[i] == n;
    x->found += inside;
    if (inside || x->v->broken)
        return;
    if (r && n->last > r->last) /* a list or a loop whose first statement is not its own region's */
        r = NULL;
    switch (n->kind) {
    case S_BARRIER:
    case S_TYPES:
    case S_EMPTY: break;
    case S_DECL:
        if (!declares_for_all(x->s, n))
            broke(x->v, n->first, "a declaration that is in no region");
        break;
    case S_EXPR:
        if (!changes_for_all(x->s, n))
            broke(x->v, n->first, "a statement that is in no region");
        break;
    case S_LIST:
    case S_IF:
    case S_GUARD:
    case S_FOR:
    case S_WHILE:
    case S_DO:
        for (int i = n->kind == S_FOR ? 3 : 0; i < n->n; i++)
            if (n->kid[i] && !is_expression(n->kid[i]) && (n->kind != S_GUARD || n->has_barrier))
                statement(x, n->kid[i]);
        return;
    default: broke(x->v, n->first, "a statement that is in no region");
    }
    if (r)
        broke(x->v, n->first, "a region with a statement that is not its own");
}

static void verify_region(Verify *v, const Split *s, const Region *r)
{
    bool returns = false;
    if (r->n == 0 || r->first != r->statement[0]->first || r->last != r->statement[r->n - 1]->last)
        broke(v, r->first, "a region that does not begin and end with its statements");
    for (int i = 0; i < r->n && !v->broken; i++) {
        returns |= has(r->statement[i], S_RETURN);
        if (r->statement[i]->has_barrier)
            broke(v, r->statement[i]->first, "a barrier in a region");
    }
    if (r->returns != returns)
        broke(v, r->first, "a region that does not know whether a thread returns in it");
    if (returns && (r != &s->region[s->nregion - 1] || r->list != s->f->tree))
        broke(v, r->first, "a thread returns, and a region follows");
    for (int i = 0; i < s->f->ndecl && r->apart; i++) {
        const Decl *d = s->f->decl[i];
        bool own = d->placement == P_PRIVATE && !d->is_param && !d->is_shared && !d->is_static && !d->is_ref;
        if (own && d->at >= r->first && d->at <= r->last && (d->ndims || d->is_volatile))
            broke(v, d->at, "threads are said to be apart that have an array in one place");
    }
}

void verify_regions(Verify *v, const Kernel *k)
{
    const Split *s = k->split;
    Regions x = {.v = v, .s = s};
    int statements = 0;
    if (!s || s->f != &k->canonical || s->nregion < 0) {
        broke(v, k->canonical.body, "a kernel in regions that has none");
        return;
    }
    for (int i = 0; i < s->nregion && !v->broken; i++) {
        if (i > 0 && s->region[i].first <= s->region[i - 1].last)
            broke(v, s->region[i].first, "regions that overlap");
        verify_region(v, s, &s->region[i]);
        statements += s->region[i].n;
    }
    if (!v->broken)
        statement(&x, s->f->tree);
    if (!v->broken && x.found != statements)
        broke(v, s->f->body, "a region with a statement that is not the kernel's");
}
