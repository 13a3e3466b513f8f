/* placement.c: where each variable of a kernel in regions is kept.
 *
 * Contract: sets Decl.placement of every variable. The default is a slot a thread. One copy for all threads (P_UNIFORM)
 * and rematerialisation (P_AGAIN) are taken only where effects.c has recognised every use as a read and uniform.c every
 * part of the initialiser as harmless; what is used in one region only stays as it is written there (P_PRIVATE). */
#include "kernel/split.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

/* ---- what all threads change together ---- */

/* v++, ++v, v += e, v = e with e uniform: the variable, or NULL */
static Decl *changes(const Split *s, const Node *n)
{
    n = strip(n);
    if (overloaded(s->u, s->f, n))
        return NULL;
    if (is_increment(n))
        return named(n->kid[0]);
    return n->kind == E_ASSIGN && uniform_expression(s->u, s->f, n->kid[1]) ? named(n->kid[0]) : NULL;
}

bool uniform_step(const Split *s, const Node *n)
{
    if (n->kind == E_COMMA)
        return uniform_step(s, n->kid[0]) && uniform_step(s, n->kid[1]);
    const Decl *d = changes(s, n);
    return d && d->written_together;
}

/* Is n a statement that changes a variable that all threads change together? */
bool counting(const Node *n)
{
    const Node *e = n->kind == S_EXPR ? strip(n->kid[0]) : NULL;
    while (e && e->kind == E_COMMA)
        e = strip(e->kid[1]);
    if (!e || (e->kind != E_ASSIGN && e->kind != E_POSTFIX && e->kind != E_UNARY))
        return false;
    const Decl *d = named(e->kid[0]);
    return d && d->written_together;
}

/* ---- which variables conditions round barriers depend on ---- */

static bool want(Node *n)
{
    bool more = false;
    if (!n)
        return false;
    if (n->kind == E_NAME && n->decl && !n->decl->wanted)
        more = n->decl->wanted = true;
    for (int i = 0; i < n->n; i++)
        more |= want(n->kid[i]);
    return more;
}

static void want_conditions(const Split *s, Node *n)
{
    if (!n->has_barrier || is_expression(n))
        return;
    for (int i = 0; i < n->n; i++) {
        Node *kid = n->kid[i];
        if (kid && n->kind == S_GUARD && i == 0)
            continue; /* each thread has its own */
        if (kid && (is_expression(kid) || (n->kind == S_FOR && i == 0)))
            want(kid);
        else if (kid)
            want_conditions(s, kid);
    }
    if (n->kind == S_FOR && n->kid[0] && n->kid[0]->kind == S_DECL)
        for (int i = 0; i < s->f->ndecl; i++)
            s->f->decl[i]->wanted |= s->f->decl[i]->statement == n->kid[0];
}

/* What a wanted variable is made of is wanted too: its initialiser, and what it is changed by. */
static bool want_more(const Split *s, Node *n)
{
    bool more = false;
    if (!n)
        return false;
    if (n->kind == S_EXPR && n->kid[0]->kind == E_ASSIGN) {
        const Decl *d = named(n->kid[0]->kid[0]);
        if (d && d->wanted)
            more |= want(n->kid[0]->kid[1]);
    }
    for (int i = 0; i < n->n; i++)
        more |= want_more(s, n->kid[i]);
    return more;
}

static void want_all(const Split *s)
{
    want_conditions(s, s->f->tree);
    for (bool more = true; more;) {
        more = want_more(s, s->f->tree);
        for (int i = 0; i < s->f->ndecl; i++)
            if (s->f->decl[i]->wanted)
                more |= want(s->f->decl[i]->init);
    }
}

/* ---- before there are regions ---- */

/* Does a using-declaration, an alias or a typedef give the name at i a new meaning, after d and in its scope? */
static bool named_anew(const Split *s, const Decl *d, int i)
{
    const Tokens *t = s->t;
    for (int k = d->last; d->list && k < d->list->last; k = next(t, k)) {
        bool names = is(t, k, W_USING) || is(t, k, W_TYPEDEF);
        for (; names && !is(t, k, W_SEMICOLON) && k < d->list->last; k = next(t, k))
            if (is(t, k, W_NAMESPACE) || (ident(t, k) && same(t, i, k)))
                return true;
    }
    return false;
}

/* May the variable's text be repeated where other variables are declared by now? */
static bool names_keep_meaning(const Split *s, const Decl *d, const Node *n)
{
    if (!n)
        return true;
    if (n->kind == E_NAME || n->kind == E_CAST || n->kind == E_SIZEOF)
        for (int k = n->first; k <= n->last; k = next(s->t, k)) {
            if (ident(s->t, k) && named_anew(s, d, k))
                return broken(s->u, RULE_SHADOWED);
            for (int i = 0; ident(s->t, k) && i < s->f->ndecl; i++) {
                const Decl *o = s->f->decl[i];
                if (o != s->used[k] && o != d && same_as(s->t, k, o->name, o->len) && o->at > d->at && d->list &&
                    o->at < d->list->last)
                    return broken(s->u, RULE_SHADOWED);
            }
        }
    for (int i = 0; i < n->n; i++)
        if (!names_keep_meaning(s, d, n->kid[i]))
            return false;
    return true;
}

/* Is every change of d recognised as one? step_only: and in the step of d's own loop. */
static bool only_counts(Decl *d)
{
    d->step_only = true;
    for (int i = 0; i < d->nuse; i++) {
        const Use *use = &d->use[i];
        if (use->kind == USE_READ)
            continue;
        if (use->kind != USE_WRITE)
            return false;
        bool step = d->list && d->list->kind == S_FOR && d->list->kid[2] && d->list->kid[2]->first <= use->at &&
                    use->at <= d->list->kid[2]->last;
        d->step_only &= step;
    }
    return true;
}

/* Is d changed in a region, where each thread would do it? */
static bool inside_region(const Split *s, const Decl *d)
{
    for (int i = 0; i < d->nuse; i++)
        if (d->use[i].kind != USE_READ && region_of(s, d->use[i].at))
            return true;
    return false;
}

static void place_first(Split *s, Decl *d)
{
    d->placement = P_SLOT;
    if (d->is_param) {
        d->placement = d->only_read ? P_UNIFORM : P_SLOT;
        return;
    }
    if (d->is_shared || d->is_constexpr) {
        d->placement = d->is_shared ? P_SHARED : P_UNIFORM;
        return;
    }
    if (!plain_variable(d))
        return;
    bool uniform = d->init && d->init_form == '=' && uniform_expression(s->u, s->f, d->init);
    if (d->only_read || broken(s->u, RULE_CHANGED)) {
        if (uniform)
            d->placement = P_UNIFORM;
        else if (d->init && d->init_form == '=' && recomputable(s->u, s->f, d->init, d) &&
                 names_keep_meaning(s, d, d->init))
            d->placement = P_AGAIN;
    } else if (d->wanted && (uniform || !d->init) && only_counts(d)) {
        d->placement = P_UNIFORM;
        d->written_together = true;
    }
}

bool place_variables(Split *s)
{
    want_all(s);
    for (int i = 0; i < s->f->ndecl; i++)
        place_first(s, s->f->decl[i]);
    return !s->k->why;
}

/* ---- with regions ---- */

static void require(Node *n)
{
    if (!n)
        return;
    if (n->kind == E_NAME && n->decl)
        n->decl->required = true;
    for (int i = 0; i < n->n; i++)
        require(n->kid[i]);
}

static bool used_elsewhere(const Split *s, const Decl *d)
{
    const Region *home = region_of(s, d->at);
    if (!home)
        return true;
    for (int i = 0; i < d->nuse; i++)
        if (d->use[i].at < home->first || d->use[i].at > home->last)
            return true;
    return false;
}

static bool mentions(const Node *n, const Decl *d)
{
    if (!n)
        return false;
    for (int i = 0; i < n->n; i++)
        if (mentions(n->kid[i], d))
            return true;
    return n->kind == E_NAME && n->decl == d;
}

/* Is d set by the expression before anything else is done with it? d = ..., d = e = ..., e = d = ..., and lists of those. */
static bool sets(const Split *s, const Node *n, const Decl *d)
{
    n = strip(n);
    if (n->kind == E_COMMA)
        return sets(s, n->kid[0], d) || (!mentions(n->kid[0], d) && sets(s, n->kid[1], d));
    if (n->kind != E_ASSIGN || n->oper != OP_ASSIGN || overloaded(s->u, s->f, n))
        return false;
    const Node *v = strip(n->kid[0]);
    if (v->kind == E_NAME && v->decl == d)
        return !mentions(n->kid[1], d);
    return !mentions(v, d) && sets(s, n->kid[1], d);
}

/* Does the first statement of the region that uses d set it? */
static bool set_first(const Split *s, const Region *r, const Decl *d)
{
    for (int i = 0; i < r->n; i++) {
        const Node *n = r->statement[i];
        for (int k = 0; k < d->nuse; k++) {
            if (d->use[k].at < n->first || d->use[k].at > n->last)
                continue;
            const Node *first = n->kind == S_FOR ? n->kid[0] : n;
            return first && first->kind == S_EXPR && sets(s, first->kid[0], d);
        }
    }
    return true;
}

/* Does no region need what another has left in d? Its type is one of which a declaration does nothing. */
static bool fresh(const Split *s, const Decl *d)
{
    if (s->u->check || d->required || d->init || d->init_form || !plain_variable(d) || d->is_auto || d->is_const ||
        !d->type_known || !d->statement)
        return false;
    for (int i = 0; i < d->nuse; i++)
        if (!region_of(s, d->use[i].at) || (d->use[i].kind != USE_READ && d->use[i].kind != USE_WRITE))
            return false;
    for (int i = 0; i < s->nregion; i++)
        if (!set_first(s, &s->region[i], d) && !broken(s->u, RULE_FRESH))
            return false;
    return true;
}

static void check_counting(Split *s, const Node *n)
{
    if (n->kind == S_EXPR && counting(n) && !uniform_step(s, n->kid[0]))
        fail(s, "a condition round a barrier depends on what may differ between threads", n->first);
    for (int i = 0; !is_expression(n) && i < n->n; i++)
        if (n->kid[i])
            check_counting(s, n->kid[i]);
}

/* Before d is declared in its region, does its name denote a variable of an outer block there?  d's slots are declared
 * in front of the region. */
static bool hides_outer(const Split *s, const Decl *d)
{
    const Region *home = region_of(s, d->at);
    for (int i = home ? home->first : d->at; i < d->at; i = next(s->t, i))
        if (s->used[i] && s->used[i] != d && same_as(s->t, i, d->name, d->len) && !broken(s->u, RULE_SHADOWED))
            return true;
    return false;
}

bool require_variables(Split *s)
{
    for (int i = s->f->ndecl - 1; i >= 0 && !s->k->why; i--) {
        Decl *d = s->f->decl[i];
        if (d->written_together && inside_region(s, d))
            fail(s, "a condition round a barrier depends on what some threads change", d->at);
        if (d->is_param || d->is_shared || d->is_constexpr)
            continue;
        if (!d->required && !d->written_together && !used_elsewhere(s, d)) {
            d->placement = P_PRIVATE;
            continue;
        }
        if (d->placement == P_UNIFORM || d->placement == P_AGAIN)
            require(d->init);
        else if (fresh(s, d))
            d->placement = P_FRESH;
        else if ((d->is_auto && !auto_can_be_told(s, d)) || d->is_ref || d->is_static || d->is_extern ||
                 d->is_volatile || d->is_decltype)
            fail(s, "a variable that lives across a barrier and cannot have a slot a thread", d->at);
        else if (hides_outer(s, d))
            fail(s, "a name of two variables", d->at);
        else {
            s->slots += d->ndims > 0;
            if (d->is_auto) /* the slots' type is that of its initialiser */
                require(d->init);
            for (int k = d->dims_first; d->ndims && k <= d->dims_last;
                 k = next(s->t, k)) /* the slots are in front of the region */
                if (s->used[k] && s->used[k] != d)
                    s->used[k]->required = true;
        }
    }
    check_counting(s, s->f->tree);
    for (int i = 0; i < s->f->ndecl && !s->k->why; i++) /* its type would be another where a variable is a reference */
        if (s->f->decl[i]->is_decltype && !region_of(s, s->f->decl[i]->at))
            fail(s, "decltype of a variable", s->f->decl[i]->at);
    if (contains(s->t, s->f->body, s->f->end, W_DECLTYPE))
        fail(s, "decltype", s->f->body);
    if (s->slots > 6)
        fail(s, "too many arrays live across barriers", s->f->body);
    return !s->k->why;
}
