/* damage.c: breaks a unit after a pass, in a test build, so that a test can show that the verifier notices. Each damage
 * is done once, at the first place that has what it takes. */
#include "verify/damage.h"
#include "verify/damages.h"

#ifdef CUCC_BREAK
#include <string.h>

/* ---- where ---- */

/* The first node for which the damage can be done. */
bool at_node(Function *f, Node *n, const Node *parent, Try *try)
{
    if (!n)
        return false;
    if (try(f, n, parent))
        return true;
    for (int i = 0; i < n->n; i++)
        if (at_node(f, n->kid[i], n, try))
            return true;
    return false;
}

bool at_trees(Unit *u, Try *try)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].tree && at_node(&u->function[i], u->function[i].tree, NULL, try))
            return true;
    return false;
}

static bool at_variables(Unit *u, bool (*try)(Decl *))
{
    for (int i = 0; i < u->nfunction; i++)
        for (int k = 0; u->function[i].tree && u->function[i].tree->kind == S_LIST && k < u->function[i].ndecl; k++)
            if (try(u->function[i].decl[k]))
                return true;
    return false;
}

/* ---- merge, outline ---- */

static void crossed_brackets(Unit *u)
{
    Tokens *t = &u->tok;
    for (int i = 0; i < t->n; i++) {
        int inner = next(t, i);
        if (t->t[i].mate > i && t->t[inner].mate > inner) {
            int a = t->t[i].mate, b = t->t[inner].mate;
            t->t[i].mate = b, t->t[b].mate = i, t->t[inner].mate = a, t->t[a].mate = inner;
            return;
        }
    }
}

static void wrong_bracket(Unit *u)
{
    for (int i = 0; i < u->tok.n; i++)
        if (u->tok.t[i].outer >= 0) {
            u->tok.t[i].outer = -1;
            return;
        }
}

static void short_body(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].body >= 0) {
            u->function[i].end--;
            return;
        }
}

static void kernels_swapped(Unit *u)
{
    if (u->nkernel > 0)
        u->kernel[0].id = 1;
}

/* ---- parse ---- */

static bool lose_statement(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != S_LIST || n->n < 2 || n->kid[n->n - 1]->has_barrier)
        return false;
    n->n--;
    return true;
}

static bool add_for_subtract(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != E_BINARY)
        return false;
    n->oper = n->oper == OP_ADD ? OP_SUBTRACT : OP_ADD;
    return true;
}

static bool lose_operand(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != E_BINARY)
        return false;
    n->n = 1;
    return true;
}

static bool forget_barrier(Function *f, Node *n, const Node *parent)
{
    (void)f;
    if (!parent || !n->has_barrier || n->kind == S_BARRIER || n->kind == S_OPAQUE)
        return false;
    n->has_barrier = false;
    return true;
}

static bool reach_beyond(Function *f, Node *n, const Node *parent)
{
    (void)f;
    if (!parent || !is_expression(n) || n->n == 0)
        return false;
    n->last = parent->last + 1;
    return true;
}

static bool swap_kids(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != E_ASSIGN)
        return false;
    Node *first = n->kid[0];
    n->kid[0] = n->kid[1];
    n->kid[1] = first;
    return true;
}

static bool statement_for_condition(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != S_IF)
        return false;
    n->kid[0] = n->kid[1];
    return true;
}

static bool move_name(Decl *d)
{
    d->at++;
    return true;
}

static void lost_statement(Unit *u) { at_trees(u, lose_statement); }
static void wrong_operator(Unit *u) { at_trees(u, add_for_subtract); }
static void lost_operand(Unit *u) { at_trees(u, lose_operand); }
static void forgotten_barrier(Unit *u) { at_trees(u, forget_barrier); }
static void long_node(Unit *u) { at_trees(u, reach_beyond); }
static void swapped_kids(Unit *u) { at_trees(u, swap_kids); }
static void wrong_kind(Unit *u) { at_trees(u, statement_for_condition); }
static void moved_name(Unit *u) { at_variables(u, move_name); }

/* ---- resolve, effects ---- */

static bool unbind(Function *f, Node *n, const Node *parent)
{
    (void)f, (void)parent;
    if (n->kind != E_NAME || !n->decl)
        return false;
    n->decl = NULL;
    return true;
}

static bool bind_outer(Function *f, Node *n, const Node *parent)
{
    (void)parent;
    for (int k = 0; n->kind == E_NAME && n->decl && k < f->ndecl; k++)
        if (f->decl[k] != n->decl && same_as(f->tok, n->first, f->decl[k]->name, f->decl[k]->len)) {
            n->decl = f->decl[k];
            return true;
        }
    return false;
}

static bool lose_use(Decl *d)
{
    if (d->nuse == 0)
        return false;
    d->nuse--;
    return true;
}

static bool forget_writes(Decl *d)
{
    if (d->only_read || d->is_ref || d->is_volatile || d->ndims || d->stars)
        return false;
    for (int k = 0; k < d->nuse; k++) {
        if (d->use[k].kind == USE_UNKNOWN)
            return false;
        d->use[k].kind = USE_READ;
    }
    d->only_read = true;
    return true;
}

static bool guess_unknown(Decl *d)
{
    bool found = false;
    for (int k = 0; k < d->nuse; k++)
        if (d->use[k].kind == USE_UNKNOWN) {
            d->use[k].kind = USE_WRITE;
            found = true;
        }
    return found;
}

static bool say_only_read(Decl *d)
{
    if (d->only_read)
        return false;
    return d->only_read = true;
}

static void unbound_name(Unit *u) { at_trees(u, unbind); }
static void bound_to_outer(Unit *u) { at_trees(u, bind_outer); }
static void lost_use(Unit *u) { at_variables(u, lose_use); }
static void write_as_read(Unit *u) { at_variables(u, forget_writes); }
static void opaque_as_known(Unit *u) { at_variables(u, guess_unknown); }
static void only_read_said(Unit *u) { at_variables(u, say_only_read); }

/* ---- calls ---- */

static void impure_as_pure(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].purity == F_IMPURE && u->function[i].tree) {
            u->function[i].purity = F_PURE;
            return;
        }
}

/* ---- all ---- */

static const struct {
    const char *name, *pass;
    void (*run)(Unit *);
} damages[] = {
    {"crossed_brackets", "merge", crossed_brackets},
    {"wrong_bracket", "merge", wrong_bracket},
    {"short_body", "outline", short_body},
    {"kernels_swapped", "outline", kernels_swapped},
    {"lost_statement", "parse", lost_statement},
    {"wrong_operator", "parse", wrong_operator},
    {"lost_operand", "parse", lost_operand},
    {"forgotten_barrier", "parse", forgotten_barrier},
    {"long_node", "parse", long_node},
    {"swapped_kids", "parse", swapped_kids},
    {"wrong_kind", "parse", wrong_kind},
    {"moved_name", "parse", moved_name},
    {"unbound_name", "resolve", unbound_name},
    {"bound_to_outer", "resolve", bound_to_outer},
    {"lost_use", "effects", lost_use},
    {"write_as_read", "effects", write_as_read},
    {"opaque_as_known", "effects", opaque_as_known},
    {"only_read_said", "effects", only_read_said},
    {"impure_as_pure", "calls", impure_as_pure},
    {"varying_as_same", "variance", varying_as_same},
    {"memory_as_same", "variance", memory_as_same},
    {"changed_as_same", "variance", changed_as_same},
    {"barrier_in_loop", "regions", barrier_in_loop},
    {"barrier_in_switch", "regions", barrier_in_switch},
    {"shared_copy", "regions", shared_copy},
    {"wrong_recomputation", "regions", wrong_recomputation},
    {"private_across_barrier", "regions", private_across_barrier},
    {"varying_condition", "regions", varying_condition},
    {"lost_region", "regions", lost_region},
    {"statement_out_of_region", "regions", statement_out_of_region},
    {"region_over_barrier", "regions", region_over_barrier},
    {"regions_turned", "regions", regions_turned},
    {"forgotten_return", "regions", forgotten_return},
    {"arrays_apart", "regions", arrays_apart},
};
enum { DAMAGES = sizeof damages / sizeof *damages };

void list_damages(void)
{
    for (int i = 0; i < DAMAGES; i++)
        printf("%s %s\n", damages[i].name, damages[i].pass);
}

int damage_named(const char *name)
{
    for (int i = 0; i < DAMAGES; i++)
        if (!strcmp(damages[i].name, name))
            return i;
    return -1;
}

void do_damage(Unit *u, int number, const char *pass)
{
    if (number >= 0 && !strcmp(damages[number].pass, pass))
        damages[number].run(u);
}
#endif
