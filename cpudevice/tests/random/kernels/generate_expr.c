/* generate_expr.c: choices, variables and expressions of a random kernel. */
#include <stdlib.h>
#include <string.h>

#include "generate.h"

void *keep(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p)
        abort();
    return p;
}

/* splitmix64 */
uint64_t next(Maker *m)
{
    uint64_t z = m->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
int below(Maker *m, int n) { return (int)(next(m) % (uint64_t)n); }
int chance(Maker *m, int percent) { return below(m, 100) < percent; }

/* One of a node's forms, of which 0 is the plainest. */
int spelling(Maker *m, int forms) { return forms && below(m, 1000) < m->wild ? below(m, forms) : 0; }

/* ---- variables */

int readable(const Var *v, int uniform) { return !v->hidden && (!uniform || v->uniform); }

Var *pick(Maker *m, int (*wanted)(const Var *, int), int argument)
{
    Var *found[MAX_VISIBLE];
    int n = 0;
    for (int i = 0; i < m->visible_count; i++)
        if (wanted(m->visible[i], argument))
            found[n++] = m->visible[i];
    return n ? found[below(m, n)] : NULL;
}

int changeable(const Var *v, int uniform) { return !v->hidden && !v->constant && !v->quiet && v->uniform == uniform; }
/* What a reference, a pointer or another function by reference may take: whole unsigned cells of a thread's own. */
int referable(const Var *v, int unused)
{
    (void)unused;
    return !v->hidden && !v->constant && !v->quiet && !v->uniform && v->type == U32 && v->kind != VIEW;
}
int plain_scalar(const Var *v, int type)
{
    return !v->hidden && !v->constant && !v->quiet && !v->uniform && v->kind == SCALAR && v->type == (Type)type;
}
int is_quiet(const Var *v, int unused) { return (void)unused, !v->hidden && v->quiet; }
int is_pointer(const Var *v, int unused) { return (void)unused, !v->hidden && v->kind == POINTER; }

void show(Maker *m, Var *v)
{
    if (m->visible_count == MAX_VISIBLE)
        abort();
    m->visible[m->visible_count++] = v;
}

/* Takes what was declared since `mark` out of sight again. */
void leave_scope(Maker *m, int mark, Var **hidden, int hidden_count)
{
    m->visible_count = mark;
    for (int i = 0; i < hidden_count; i++)
        hidden[i]->hidden = 0;
}

Var *new_var(Maker *m, VarKind kind, Type type)
{
    static const int cells[] = {[SCALAR] = 1, [ARRAY] = 4, [STRUCT] = 6, [REFERENCE] = 1, [POINTER] = 1, [VIEW] = 2};
    Var *v = keep(sizeof *v);
    v->kind = kind;
    v->type = type;
    v->cells = cells[kind];
    v->cell = m->k->cells;
    m->k->cells += v->cells;
    if (m->k->cells > MAX_CELLS)
        abort();
    snprintf(v->name, sizeof v->name, "v%d", m->names++);
    return v;
}

/* ---- expressions */

Expr *expression(Maker *m, int depth, int uniform);

Expr *new_expr(Maker *m, ExprKind kind, int forms)
{
    Expr *e = keep(sizeof *e);
    e->kind = kind;
    e->form = spelling(m, forms);
    return e;
}

Expr *constant(Maker *m, unsigned value)
{
    Expr *e = new_expr(m, CONSTANT, CONSTANT_FORMS);
    e->value = value;
    return e;
}

void choose_part(Maker *m, Lvalue *l, Var *v, int uniform)
{
    l->var = v;
    l->form = spelling(m, LVALUE_FORMS);
    if (v->kind == ARRAY || v->kind == STRUCT || v->kind == VIEW)
        l->member = below(m, v->kind == STRUCT ? 3 : 2);
    if (v->kind == ARRAY || (v->kind == STRUCT && l->member == 2))
        l->index = chance(m, 60) ? constant(m, (unsigned)below(m, 4)) : expression(m, 1, uniform);
}

/* The arrays that are in this mode here, one of them. */
Array *array_in(Maker *m, Mode mode)
{
    Array *found[MAX_ARRAYS];
    int n = 0;
    for (int i = 0; i < m->k->array_count && !m->in_function; i++)
        if (m->k->arrays[i].mode == mode)
            found[n++] = &m->k->arrays[i];
    return n ? found[below(m, n)] : NULL;
}

Expr *leaf(Maker *m, int uniform)
{
    Expr *e;
    Var *v;
    Array *array;
    switch (below(m, 12)) {
    case 0: return constant(m, (unsigned)next(m) >> below(m, 32));
    case 1:
        if (m->in_function)
            break;
        e = new_expr(m, PARAMETER, 0);
        e->value = (unsigned)below(m, 2);
        return e;
    case 2:
        if (!m->in_function)
            return new_expr(m, uniform ? BLOCK : THREAD, THREAD_FORMS);
        break;
    case 3:
        if (m->in_function || m->no_loads || (uniform && !m->uniform_loads))
            break;
        e = new_expr(m, INPUT, 2);
        e->a = leaf(m, uniform);
        return e;
    case 4:
    case 5:
        if (!m->no_loads && (!uniform || m->uniform_loads) && (array = array_in(m, READ))) {
            e = new_expr(m, ELEMENT, 3);
            e->from.array = array;
            e->a = expression(m, 1, uniform);
            return e;
        }
        break;
    case 6:
        if (!uniform && !m->no_loads && (array = array_in(m, OWN))) {
            e = new_expr(m, LOAD, LOAD_FORMS);
            e->from.array = array;
            return e;
        }
        break;
    }
    if (!(v = pick(m, readable, uniform)))
        return constant(m, (unsigned)below(m, 50));
    e = new_expr(m, LOAD, LOAD_FORMS);
    choose_part(m, &e->from, v, uniform);
    return e;
}

Expr *expression(Maker *m, int depth, int uniform)
{
    Expr *e;
    if (depth <= 0 || chance(m, 25))
        return leaf(m, uniform);
    switch (below(m, 8)) {
    case 0:
        e = new_expr(m, CHOOSE, CHOOSE_FORMS);
        e->c = expression(m, depth - 1, uniform);
        break;
    case 1:
        e = new_expr(m, NEGATE, 1);
        e->op = below(m, 4);
        e->a = expression(m, depth - 1, uniform);
        return e;
    case 2: {
        int f = m->k->function_count ? below(m, m->k->function_count) : 0;
        if (m->k->function_count && !m->k->functions[f].by_reference && !m->in_function) {
            e = new_expr(m, CALL, 0);
            e->value = (unsigned)f;
            break;
        }
    } /* fall through */
    default: e = new_expr(m, BINARY, has_operators(m->k->seed) ? BINARY_FORMS : BINARY_WIDE); e->op = below(m, OPS);
    }
    e->a = expression(m, depth - 1, uniform);
    e->b = expression(m, depth - 1, uniform);
    return e;
}
