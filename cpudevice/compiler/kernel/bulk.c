/* bulk.c: code that is checked in bulk.
 *
 * Under --check each access has a callback before it, which keeps g++ from vectorising. Much code needs none: what it
 * touches is given by the thread's index, constants and a few values that are the same for all threads. A region that
 * is plainly like that is printed twice:
 *
 *   for (int how = -1; how;)
 *     if (how > 0) { the region with its callbacks; cpudev_region_end(...); how = 0; }
 *     else {
 *       how = cpudev_region(&r, those values...);
 *       if (how > 1 && !touches()) how = 1;
 *       if (how == 3 && (how = cpudev_region_plain(&r)) == 3) { the region without callbacks; how = 0; }
 *     }
 *
 * What it does to shared memory is recorded when it runs with its callbacks, and repeated later by the library, if
 * nothing that is on record conflicts with it. The addresses of its accesses to global memory are computed by
 * touches(), for all threads of the block at once. bulk_values.c says which expressions are understood; whatever is not
 * leaves the region as it was. */
#include "kernel/bulk_check.h"
#include "kernel/canonical_form.h"

#include <stdlib.h>
#include <string.h>

static bool statement(Bulk *b, const Node *n, bool top);

/* n under a condition: c, or not */
static bool under(Bulk *b, const Node *n, const Node *c, bool holds)
{
    char *outer = bulk_mask(b, c, holds);
    bool ok = statement(b, n, false);
    bulk_unmask(b, outer);
    return ok;
}

static bool constant_dims(const Bulk *b, const Decl *d)
{
    const Tokens *t = b->s->t;
    bool is_type;
    for (int i = d->dims_first; d->ndims && i <= d->dims_last; i = next(t, i))
        if (ident(t, i) && !only_kind(b->s->u, t, i, N_CONSTANT) &&
            !(template_parameter(b->s->u, b->s->f, t, i, &is_type) && !is_type))
            return false;
    return true;
}

/* `T a = x, b[4];` in a region */
static bool declaration(Bulk *b, const Node *n)
{
    for (int i = 0; i < b->s->f->ndecl; i++) {
        const Decl *d = b->s->f->decl[i];
        if (d->statement != n || (d->placement == P_UNIFORM && !d->written_together))
            continue;
        if (b->nlocals == BULK_LOCALS || d->is_static || d->is_extern || d->is_volatile || d->is_ref || d->is_shared ||
            !constant_dims(b, d))
            return false;
        int dep = ON_UNKNOWN;
        if (d->init && d->init->kind == E_LIST) {
            for (int k = 0; k < d->init->n; k++)
                if (!bulk_values(b, d->init->kid[k], false))
                    return false;
        } else if (d->init) {
            bool known = !d->ndims && d->only_read && (d->placement == P_PRIVATE || d->placement == P_AGAIN);
            dep = known ? bulk_depends(b, d->init, false) : ON_UNKNOWN;
            if (dep & ON_UNKNOWN && (d->stars || !bulk_expression(b, d->init)))
                return false;
        }
        if (d->stars && (dep & ON_UNKNOWN || d->ndims))
            return false;
        if (!(dep & ON_UNKNOWN)) {
            char *type = text_of(b->s->t, d->type_first, d->type_last), *rest = text_of(b->s->t, d->first, d->last);
            append(&b->locals, format("[[maybe_unused]] %s %s; ", type, rest));
            free(type);
            free(rest);
        }
        b->local[b->nlocals++] = (BulkLocal){d, dep};
    }
    return true;
}

static bool list(Bulk *b, Node *const *kid, int n, bool top)
{
    int locals = b->nlocals;
    size_t text = strlen(b->locals);
    for (int i = 0; i < n; i++)
        if (!statement(b, kid[i], top))
            return false;
    if (!top) {
        b->nlocals = locals;
        b->locals[text] = 0;
    }
    return true;
}

/* What the step depends on, if it changes the loop's own variables by equally simple values; else ON_UNKNOWN. */
static int step_depends(Bulk *b, const Node *n, int own)
{
    int dep = 0;
    if (n->kind == E_INDEX || n->kind == E_CALL || n->kind == E_TERNARY || n->kind == E_OPAQUE)
        return ON_UNKNOWN;
    if (n->kind == E_NAME) {
        for (int k = own; n->decl && k < b->nlocals; k++)
            if (b->local[k].d == n->decl)
                return 0;
        return bulk_depends(b, n, false);
    }
    for (int i = 0; i < n->n; i++) {
        const Node *v = strip(n->kid[i]);
        bool changed = i == 0 && (n->kind == E_ASSIGN || is_increment(n));
        bool mine = false;
        for (int k = own; changed && k < b->nlocals; k++)
            mine |= v->kind == E_NAME && b->local[k].d == v->decl;
        if (changed && !mine)
            return ON_UNKNOWN;
        dep |= step_depends(b, n->kid[i], own);
    }
    return dep;
}

static bool changed_in(const Decl *d, const Node *n)
{
    for (int i = 0; n && i < d->nuse; i++)
        if (d->use[i].kind != USE_READ && n->first <= d->use[i].at && d->use[i].at <= n->last)
            return true;
    return false;
}

/* The variables of a loop's head: what it depends on, or ON_UNKNOWN. */
static int head_depends(Bulk *b, const Node *n, int own)
{
    int dep = 0;
    if (!declaration(b, n->kid[0]) || b->nlocals == own)
        return ON_UNKNOWN;
    for (int k = own; k < b->nlocals; k++) {
        const Decl *d = b->local[k].d;
        if (d->ndims || d->stars || !d->init || d->init->kind == E_LIST || changed_in(d, n->kid[3]) ||
            changed_in(d, n->kid[1]))
            return ON_UNKNOWN;
        dep |= bulk_depends(b, d->init, false);
        b->local[k].on = 0;
    }
    return dep | bulk_depends(b, n->kid[1], false) | step_depends(b, n->kid[2], own);
}

/* Each variable of the head, besides the loop's own, is a key, and may be named outside the loop over the threads. */
static bool keyed_head(Bulk *b, const Node *n, int own, bool *outside)
{
    bool keyed = true;
    for (int i = n->kid[0]->first; i < n->kid[3]->first; i = next(b->s->t, i)) {
        const Decl *d = b->s->used[i];
        int k = b->nlocals - 1;
        while (d && k >= 0 && b->local[k].d != d)
            k--;
        if (!d || k >= own)
            continue;
        *outside &= k < 0 && d->placement == P_UNIFORM && !d->written_together;
        Node name = {.kind = E_NAME, .first = i, .last = i, .decl = b->s->used[i]};
        keyed &= !(bulk_depends(b, &name, true) & ON_UNKNOWN);
    }
    return keyed;
}

static bool loop(Bulk *b, const Node *n)
{
    int own = b->nlocals, mem = bulk_memory(b, n->kid[3]);
    size_t text = strlen(b->locals);
    if (!n->kid[0] || n->kid[0]->kind != S_DECL || !n->kid[1] || !n->kid[2] ||
        contains(b->s->t, n->kid[3]->first, n->kid[3]->last, W_CONTINUE))
        return false;
    int dep = head_depends(b, n, own);
    b->locals[text] = 0;
    if (dep & ON_UNKNOWN)
        return false;
    for (int k = own; k < b->nlocals; k++)
        b->local[k].on = dep;
    bool no_shared = b->no_shared, no_global = b->no_global, outside = true, keyed = keyed_head(b, n, own, &outside);
    if (mem & MEM_SHARED)
        b->no_shared |= (dep & ON_BLOCK) || !keyed;
    b->no_global |= dep & ON_THREAD;
    bool touching = mem & MEM_GLOBAL && !b->no_global;
    if (touching && !outside)
        return false;
    if (touching) {
        char *head = text_of(b->s->t, n->first, prev(b->s->t, n->kid[3]->first));
        append(&b->touches, format("%s { ", head));
        free(head);
    }
    bool ok = statement(b, n->kid[3], false);
    if (touching)
        append(&b->touches, format("} "));
    b->no_shared = no_shared;
    b->no_global = no_global;
    b->nlocals = own;
    b->locals[text] = 0;
    return ok;
}

/* memory used in what comes after the statement n of the region */
static int memory_behind(Bulk *b, const Node *n)
{
    int mem = 0;
    for (int i = 0; i < b->r->n; i++)
        if (b->r->statement[i]->first > n->last)
            mem |= bulk_memory(b, b->r->statement[i]);
    return mem;
}

static bool conditional(Bulk *b, const Node *n, bool top)
{
    const Node *c = n->kid[0], *then = n->kid[1], *other = n->n > 2 ? n->kid[2] : NULL;
    if (then->kind == S_RETURN) {
        if (!top || other || then->n || !bulk_condition(b, c, memory_behind(b, n)))
            return false;
        char *cond = text_of(b->s->t, c->first, c->last);
        append(&b->mask, format("%s!(%s)", *b->mask ? " && " : "", cond));
        free(cond);
        return true;
    }
    int mem = bulk_memory(b, then) | (other ? bulk_memory(b, other) : 0);
    if (!mem) { /* what is done without memory need not be understood, but for its words */
        if (!bulk_expression(b, c))
            return false;
        char *keep = b->locals;
        b->locals = format("%s", keep);
        bool ok = statement(b, then, false) && (!other || statement(b, other, false));
        free(b->locals);
        b->locals = keep;
        return ok;
    }
    bool no_shared = b->no_shared;
    bool ok = bulk_condition(b, c, mem) && under(b, then, c, true) && (!other || under(b, other, c, false));
    b->no_shared = no_shared;
    return ok;
}

static bool statement(Bulk *b, const Node *n, bool top)
{
    switch (n->kind) {
    case S_LIST: return list(b, n->kid, n->n, false);
    case S_FOR: return loop(b, n);
    case S_IF: return conditional(b, n, top);
    case S_EMPTY: return true;
    case S_DECL: return declaration(b, n);
    case S_EXPR: return bulk_expression(b, n->kid[0]);
    default: return false;
    }
}

/* ---- printing ---- */

/* The region's text as it has been edited so far, without callbacks: a return goes on to the next thread. */
static char *edited(const Bulk *b)
{
    const Tokens *t = b->s->t;
    char *s = format("%s", "");
    for (int i = b->r->first; i <= b->r->last; i = next(t, i)) {
        const Token *k = &t->t[i];
        bool is_return = ident(t, i) && is(t, i, W_RETURN);
        char *own = k->drop ? format("%s", "") : is_return ? format("continue") : text_of(t, i, i);
        append(&s, format("%s%s%s%s", k->before ? k->before : "",
                          adjacent(t, i - 1) && !passed_over(t, i - 1) ? "" : " ", own, k->after ? k->after : ""));
        free(own);
    }
    return s;
}

/* What the plain copy has by reference: shared arrays and slots. */
static char *captures(const Bulk *b)
{
    char *s = format("=");
    for (int k = 0; k < b->s->f->ndecl; k++) {
        const Decl *d = b->s->f->decl[k];
        bool used = false;
        for (int i = b->r->first; i <= b->r->last && !used; i = next(b->s->t, i))
            used = b->s->used[i] == d;
        if (used && (d->is_shared || d->placement == P_SLOT))
            append(&s, format(", &%.*s%s", d->len, d->name, d->is_shared ? "" : "__cpudev"));
    }
    return s;
}

static const char lambda[] = "() __attribute__((always_inline, no_sanitize(\"thread\"), no_sanitize(\"bounds\"))) { "
                             "const ::uint3 cpudev_b = blockIdx; "
                             "const unsigned cpudev_sx = blockDim.x < 1024 ? blockDim.x : 1024; { [[maybe_unused]] "
                             "const ::uint3 blockIdx = {cpudev_b.x & 0xfffff, cpudev_b.y, cpudev_b.z}; ";

static char *keys(const Bulk *b)
{
    char *s = format("%s", "");
    for (int k = 0; k < 4; k++)
        append(&s, k < b->nkeys ? format(", ::cpudev::key(%.*s%s)", b->key[k]->len, b->key[k]->name,
                                         b->key[k]->written_together ? "__cpudev" : "")
                                : format(", 0"));
    return s;
}

static void write_round(Bulk *b, char **before, char **after)
{
    const Token *t = &b->s->t->t[b->r->first];
    char *values = keys(b), *refs = captures(b);
    *before = format(
        " { static ::cpudev_bulk cpudev_r = {%d, %d, 0}; for (int cpudev_how = -1; cpudev_how;) if (cpudev_how > 0) {",
        b->sites, b->writes);
    *after = format(" ::cpudev_region_end(&cpudev_r); cpudev_how = 0; } else {");
    append(after, bulk_marker(t, true));
    append(after, format("cpudev_how = !cpudev_trivial ? 1 : ::cpudev_region(&cpudev_r, blockIdx.x%s); ", values));
    if (b->sites)
        append(after, format("if (cpudev_how > 1 && !::cpudev::unwatched([=]%s unsigned long *const cpudev_at = "
                             "::cpudev_region_addresses(), cpudev_bytes = 0; %s } return true; })) "
                             "cpudev_how = ::cpudev_region_not(&cpudev_r); ",
                             lambda, b->touches));
    char *loops = bulk_thread_loops(b, t, true), *body = edited(b);
    append(after,
           format("if (cpudev_how == 3 && (cpudev_how = ::cpudev_region_plain(&cpudev_r)) == 3) { "
                  "::cpudev::unwatched([%s]%s %s %s } } } }); ::cpudev_region_end(&cpudev_r); cpudev_how = 0; } } }",
                  refs, lambda, loops, body));
    append(after, bulk_marker(&b->s->t->t[b->r->last], false));
    free(loops);
    free(body);
    free(values);
    free(refs);
}

/* A pointer to shared memory by another name would be taken for one to global memory. */
static bool pointer_to_shared(const Split *s, const Node *n)
{
    if (!n)
        return false;
    if ((n->kind == E_NAME && n->decl && n->decl->is_shared) || (n->kind == E_CAST && n->n == 0))
        return true;
    for (int i = 0; i < n->n; i++)
        if (pointer_to_shared(s, n->kid[i]))
            return true;
    return false;
}

static bool possible(Bulk *b)
{
    const Split *s = b->s;
    for (int i = 0; i < s->f->ndecl; i++) {
        const Decl *d = s->f->decl[i];
        if ((d->is_param && d->placement == P_SLOT && d->nuse) ||
            (!d->is_shared && d->stars && pointer_to_shared(s, d->init)) || d->is_volatile)
            return false;
    }
    int mem = 0;
    for (int i = 0; i < b->r->n; i++)
        mem |= bulk_memory(b, b->r->statement[i]);
    return mem && !s->k->is_canonical && !contains(s->t, s->f->open, s->f->end, W_VOLATILE) &&
           list(b, b->r->statement, b->r->n, true);
}

/* Is the region such code?  Then *before and *after are what goes round the region with its callbacks; before may be
 * NULL. */
bool print_bulk(Split *s, const Region *r, char **before, char **after)
{
    Bulk b = {.s = s, .r = r, .touches = format("%s", ""), .locals = format("%s", ""), .mask = format("%s", "")};
    bool ok = possible(&b);
    if (ok && before)
        write_round(&b, before, after);
    free(b.touches);
    free(b.locals);
    free(b.mask);
    return ok;
}
