/* generate_stmt.c: statements of a random kernel. */
#include <stdlib.h>
#include <string.h>

#include "generate.h"

Stmt *add(Maker *m, List *to, StmtKind kind, int forms)
{
    Stmt *s = keep(sizeof *s);
    s->kind = kind;
    s->id = m->k->statements++;
    s->form = spelling(m, kind == ASSIGN && !has_operators(m->k->seed) ? ASSIGN_SHIFT : forms);
    *to->end = s;
    to->end = &s->next;
    return s;
}

static int same_modes(const Maker *m, const Mode *modes, const int *ops)
{
    for (int i = 0; i < m->k->array_count; i++)
        if (m->k->arrays[i].mode != modes[i] || (modes[i] == ATOMIC && m->k->arrays[i].op != ops[i]))
            return 0;
    return 1;
}

static void save_modes(const Maker *m, Mode *modes, int *ops)
{
    for (int i = 0; i < m->k->array_count; i++)
        modes[i] = m->k->arrays[i].mode, ops[i] = m->k->arrays[i].op;
}

static void set_modes(Maker *m, const Mode *modes, const int *ops)
{
    for (int i = 0; i < m->k->array_count; i++)
        m->k->arrays[i].mode = modes[i], m->k->arrays[i].op = ops[i];
}

static Stmt *barrier(Maker *m, List *to)
{
    Stmt *s = add(m, to, BARRIER, BARRIER_FORMS);
    s->vector = s->forced = 1;
    s->a = expression(m, 1, 0);
    return s;
}

/* A barrier, if needed, after which the arrays are in these modes. */
static void restore_modes(Maker *m, List *to, const Mode *modes, const int *ops)
{
    if (!same_modes(m, modes, ops)) /* behind its variables: a name may still mean an inner one */
        barrier(m, to)->a = constant(m, 1);
    set_modes(m, modes, ops);
}

static void choose_target(Maker *m, Lvalue *l, int uniform)
{
    Array *array = uniform ? NULL : array_in(m, OWN);
    if (array && chance(m, 25)) {
        l->array = array;
        return;
    }
    choose_part(m, l, pick(m, changeable, uniform), uniform);
}

static Type lvalue_type(const Lvalue *l) { return l->var ? l->var->type : U32; }

static void assign(Maker *m, List *to);

/* A list of statements in a scope of its own. */
static Stmt *scope(Maker *m, int count)
{
    List body = {NULL, &body.first};
    int mark = m->visible_count, was_hidden[MAX_VISIBLE];
    for (int i = 0; i < mark; i++)
        was_hidden[i] = m->visible[i]->hidden;
    m->depth++;
    statements(m, &body, count);
    if (!body.first)
        assign(m, &body);
    m->depth--;
    Var *shown[MAX_VISIBLE];
    int n = 0;
    for (int i = 0; i < mark; i++)
        if (m->visible[i]->hidden && !was_hidden[i])
            shown[n++] = m->visible[i];
    leave_scope(m, mark, shown, n);
    return body.first;
}

static int any_vector(const Stmt *s)
{
    for (; s; s = s->next)
        if (s->vector)
            return 1;
    return 0;
}

/* scope() whose arrays end in the modes in which they began. */
static Stmt *closed_scope(Maker *m, int count)
{
    Mode modes[MAX_ARRAYS];
    int ops[MAX_ARRAYS];
    save_modes(m, modes, ops);
    List body = {NULL, &body.first};
    body.first = scope(m, count);
    for (body.end = &body.first; *body.end; body.end = &(*body.end)->next)
        ;
    restore_modes(m, &body, modes, ops);
    return body.first;
}

static void bind(Maker *m, Lvalue *l)
{
    Var *v = pick(m, referable, 0);
    choose_part(m, l, v, 0);
}

/* An outer variable's name for an inner one; the outer one is hidden. */
static void shadow(Maker *m, Var *v, int scope_start)
{
    int i = scope_start > 0 ? below(m, scope_start) : 0;
    if (scope_start == 0 || m->visible[i]->hidden || m->visible[i]->fixed || i == 0)
        return; /* the first one is there everywhere: something can always be changed */
    for (int j = scope_start; j < m->visible_count; j++)
        if (!strcmp(m->visible[j]->name, m->visible[i]->name))
            return;
    strcpy(v->name, m->visible[i]->name);
    m->visible[i]->hidden = 1;
}

static void declare(Maker *m, List *to, int scope_start)
{
    static const VarKind kinds[] = {SCALAR, SCALAR, SCALAR, SCALAR, ARRAY, STRUCT, REFERENCE, POINTER, VIEW};
    VarKind kind = kinds[below(m, m->in_function ? 4 : 9)];
    if (!(m->kinds >> kind & 1))
        kind = SCALAR;
    Stmt *s = add(m, to, DECLARE, DECLARE_FORMS);
    s->forced = 1;
    Var *v = s->var = new_var(m, kind, kind == SCALAR && chance(m, 40) ? (Type)below(m, TYPES) : U32);
    if (kind == SCALAR && v->type == U32) {
        v->constant = chance(m, 25);
        v->uniform = m->uniform && !m->in_function && chance(m, 30);
        v->quiet = !v->constant && !v->uniform && !m->in_function && chance(m, 50);
    }
    if (m->depth > 0 && chance(m, 45))
        shadow(m, v, scope_start);
    if (kind == REFERENCE || kind == POINTER || kind == VIEW) {
        bind(m, &s->target);
        bind(m, &s->target2);
    }
    for (int i = 0; i < v->cells; i++) /* often a constant: it looks uniform, and is not */
        s->init[i] =
            chance(m, 30) ? constant(m, (unsigned)below(m, 9)) : expression(m, kind == SCALAR ? 2 : 1, v->uniform);
    show(m, v);
}

/* An assignment that may not look like one; most without the objects that alone may make a compiler careful. */
static int odd_form(Maker *m)
{
    if (chance(m, 20))
        return below(m, ASSIGN_SHIFT);
    switch (below(m, 3)) {
    case 0: return 1 + below(m, 8);
    case 1: return 15 + below(m, 14);
    default: return 32 + below(m, ASSIGN_SHIFT - 32);
    }
}

static void assign(Maker *m, List *to)
{
    int uniform = m->uniform && !m->in_function && pick(m, changeable, 1) && chance(m, 25);
    Stmt *s = add(m, to, ASSIGN, ASSIGN_FORMS);
    if (uniform && chance(m, 60)) /* conditions round barriers hang on it */
        s->form = odd_form(m);
    choose_target(m, &s->target, uniform);
    s->op = lvalue_type(&s->target) == U32 && chance(m, 60) ? below(m, COMPOUND_OPS) : SET;
    s->a = expression(m, 2, uniform);
}

static void alter(Maker *m, List *to)
{
    Stmt *s = add(m, to, ALTER, ALTER_FORMS);
    bind(m, &s->target);
    bind(m, &s->target2);
    s->op = chance(m, 50) ? below(m, COMPOUND_OPS) : SET;
    s->a = expression(m, 1, 0);
    s->b = expression(m, 2, 0);
}

static void swap(Maker *m, List *to)
{
    Var *a = pick(m, plain_scalar, U32), *b = pick(m, plain_scalar, U32);
    if (!a || !b || a == b)
        return;
    Stmt *s = add(m, to, SWAP, SWAP_FORMS);
    s->target.var = a;
    s->target2.var = b;
}

/* Changes a variable that nothing else changes, in a spelling that may not look like a change. */
static void disturb(Maker *m, List *to)
{
    Var *v = pick(m, is_quiet, 0);
    int what = below(m, 10), f = m->k->function_count ? below(m, m->k->function_count) : 0;
    if (!v)
        return;
    if (what < 2 && m->k->function_count && m->k->functions[f].by_reference) {
        Stmt *s = add(m, to, CALL_BY_REFERENCE, 0);
        s->function = f;
        s->target.var = v;
        s->a = expression(m, 1, 0);
    } else if (what < 5) {
        Stmt *s = add(m, to, ALTER, 1);
        s->form = below(m, ALTER_FORMS);
        s->target.var = v;
        bind(m, &s->target2);
        s->op = chance(m, 50) ? below(m, COMPOUND_OPS) : SET;
        s->a = expression(m, 1, 0);
        s->b = expression(m, 1, 0);
    } else {
        Stmt *s = add(m, to, ASSIGN, 1);
        s->form = odd_form(m);
        s->target.var = v;
        s->op = chance(m, 50) ? below(m, COMPOUND_OPS) : SET;
        s->a = expression(m, 1, 0);
    }
}

static void branch(Maker *m, List *to)
{
    Stmt *s = add(m, to, IF, IF_FORMS);
    int was = m->uniform, uniform = was && chance(m, 55);
    s->a = expression(m, 2, uniform);
    m->uniform = uniform;
    s->body = closed_scope(m, 1 + below(m, 3));
    if (chance(m, 50))
        s->other = closed_scope(m, 1 + below(m, 3));
    m->uniform = was;
    s->vector = any_vector(s->body) || any_vector(s->other);
}

static void choose_case(Maker *m, List *to)
{
    Stmt *s = add(m, to, SWITCH, SWITCH_FORMS);
    int was = m->uniform, uniform = was && chance(m, 55), in_loop = m->in_loop;
    s->a = expression(m, 2, uniform);
    m->uniform = uniform;
    m->in_loop = 0; /* break would be the switch's */
    s->body = closed_scope(m, 1 + below(m, 2));
    s->other = closed_scope(m, 1 + below(m, 2));
    s->third = closed_scope(m, 1 + below(m, 2));
    m->uniform = was;
    m->in_loop = in_loop;
    s->vector = any_vector(s->body) || any_vector(s->other) || any_vector(s->third);
}

static void loop(Maker *m, List *to)
{
    Stmt *s = add(m, to, LOOP, LOOP_FORMS);
    Maker saved = *m;
    Mode modes[MAX_ARRAYS];
    int ops[MAX_ARRAYS];
    save_modes(m, modes, ops);
    int uniform = m->uniform && chance(m, 65);
    m->no_loads = chance(m, 80); /* or it may look like a loop that waits for another thread */
    s->a = chance(m, 30) || s->form == 6 ? constant(m, 1 + (unsigned)below(m, 3)) : expression(m, 1, uniform);
    m->no_loads = 0;
    s->var = new_var(m, SCALAR, U32);
    s->var->constant = s->var->fixed = 1;
    s->var->uniform = uniform;
    show(m, s->var);
    m->uniform = m->loop_uniform = uniform;
    m->in_loop = s->form != 5;
    m->may_continue = s->form != 2 && s->form != 5;
    m->loop_modes = modes;
    m->loop_ops = ops;
    s->body = closed_scope(m, 1 + below(m, 4));
    m->visible_count = saved.visible_count;
    m->uniform = saved.uniform, m->in_loop = saved.in_loop, m->may_continue = saved.may_continue;
    m->loop_uniform = saved.loop_uniform, m->loop_modes = saved.loop_modes, m->loop_ops = saved.loop_ops;
    s->vector = any_vector(s->body);
}

/* break or continue, for all threads or in a divergent loop; the arrays must be as they were at the loop's head. */
static void leave(Maker *m, List *to)
{
    if (!m->in_loop || (m->loop_uniform && (!m->uniform || !same_modes(m, m->loop_modes, m->loop_ops))))
        return;
    Stmt *s = add(m, to, LEAVE, 2);
    s->op = m->may_continue && chance(m, 50);
    s->a = expression(m, 1, m->loop_uniform);
    s->vector = m->loop_uniform;
}

static void nested(Maker *m, List *to)
{
    Stmt *s = add(m, to, SCOPE, SCOPE_FORMS);
    static const int without_objects[] = {1, 4, 5, 6, 8, 9};
    if (chance(m, 40))
        s->form = without_objects[below(m, 6)];
    int in_loop = m->in_loop;
    m->in_loop = 0; /* a break cannot leave a function */
    s->body = scope(m, 1 + below(m, 4));
    m->in_loop = in_loop;
    s->vector = any_vector(s->body);
}

static void change_modes(Maker *m, List *to)
{
    barrier(m, to);
    for (int i = 0; i < m->k->array_count; i++)
        if (chance(m, 70)) {
            m->k->arrays[i].mode = chance(m, 45) ? READ : chance(m, 65) ? OWN : ATOMIC;
            m->k->arrays[i].op = below(m, ATOMIC_OPS);
        }
}

static void collect(Maker *m, List *to)
{
    Stmt *s = add(m, to, COLLECT, COLLECT_FORMS);
    s->op = below(m, COLLECTIVES);
    if (s->op >= TILE_SHUFFLE && m->k->threads % 32 != 0)
        s->op = SHUFFLE;
    s->vector = 1;
    s->forced = s->op <= AND_BARRIER;
    int uniform = s->op <= AND_BARRIER && pick(m, changeable, 1) && chance(m, 50);
    do {
        memset(&s->target, 0, sizeof s->target);
        choose_target(m, &s->target, uniform);
    } while (lvalue_type(&s->target) != U32 || s->target.array);
    s->a = expression(m, 2, 0);
    s->b = expression(m, 1, 0);
}

static void call_by_reference(Maker *m, List *to)
{
    int f = m->k->function_count ? below(m, m->k->function_count) : 0;
    if (!m->k->function_count || !m->k->functions[f].by_reference)
        return;
    Stmt *s = add(m, to, CALL_BY_REFERENCE, 0);
    s->function = f;
    bind(m, &s->target);
    s->a = expression(m, 2, 0);
}

static void atomic(Maker *m, List *to)
{
    Array *array = array_in(m, ATOMIC);
    if (!array)
        return;
    Stmt *s = add(m, to, ATOMIC_OP, 2);
    s->array = array;
    s->op = array->op;
    s->a = expression(m, 2, 0);
    s->b = expression(m, 2, 0);
}

static void rebind(Maker *m, List *to)
{
    Var *v = pick(m, is_pointer, 0);
    if (!v)
        return;
    Stmt *s = add(m, to, REBIND, 0);
    s->var = v;
    int mark = m->visible_count; /* only to what lives at least as long: declared before the pointer */
    while (m->visible_count > 0 && m->visible[m->visible_count - 1] != v)
        m->visible_count--;
    bind(m, &s->target);
    m->visible_count = mark;
}

void statements(Maker *m, List *to, int count)
{
    int scope_start = m->visible_count;
    for (int i = 0; i < count && m->k->statements < 90; i++) {
        int deep = m->depth > 3;
        int what = below(m, m->in_function ? 12 : 38);
        if (m->without >> what % 32 & 1)
            continue;
        switch (what) {
        case 0:
        case 1:
        case 2:
        case 3: assign(m, to); break;
        case 4:
        case 5:
        case 6: declare(m, to, scope_start); break;
        case 7: alter(m, to); break;
        case 8:
            if (!deep)
                branch(m, to);
            break;
        case 9:
            if (!deep)
                loop(m, to);
            break;
        case 10: leave(m, to); break;
        case 11: swap(m, to); break;
        case 12:
        case 13:
        case 14: assign(m, to); break;
        case 15:
        case 16:
            if (!deep)
                branch(m, to);
            break;
        case 17:
        case 18:
            if (!deep)
                loop(m, to);
            break;
        case 19:
            if (!deep)
                choose_case(m, to);
            break;
        case 20:
        case 21:
            if (!deep)
                nested(m, to);
            break;
        case 22:
        case 23:
        case 24:
        case 25:
        case 26:
            if (m->uniform)
                change_modes(m, to);
            break;
        case 27:
        case 28:
            if (m->uniform)
                collect(m, to);
            break;
        case 29:
        case 30: call_by_reference(m, to); break;
        case 31:
        case 32: atomic(m, to); break;
        case 33: rebind(m, to); break;
        default: disturb(m, to); break;
        }
    }
    if (m->depth > 0 && !m->in_function && m->visible_count > scope_start) { /* what the scope computed shows outside */
        Stmt *s = add(m, to, ASSIGN, ASSIGN_FORMS);
        s->target.var = m->visible[0];
        s->op = OP_ADD;
        s->a = new_expr(m, LOAD, LOAD_FORMS);
        choose_part(m, &s->a->from, m->visible[m->visible_count - 1], 0);
    }
}
