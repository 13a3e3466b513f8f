/* generate.c: makes an abstract kernel from a seed. The same seed gives the same kernel. */
#include <string.h>

#include "generate.h"

static void function(Maker *m)
{
    Function *f = &m->k->functions[m->k->function_count];
    f->by_reference = chance(m, 50);
    f->form = below(m, FUNCTION_FORMS);
    Var *p = new_var(m, f->by_reference ? REFERENCE : SCALAR, U32), *q = new_var(m, SCALAR, U32);
    strcpy(p->name, "p"), strcpy(q->name, "q");
    q->constant = p->fixed = q->fixed = 1;
    p->constant = !f->by_reference;
    m->in_function = 1;
    show(m, p), show(m, q);
    int uniform = m->uniform;
    m->uniform = 0;
    if (f->by_reference) {
        List body = {NULL, &body.first};
        m->depth = 2;
        statements(m, &body, 2 + below(m, 4));
        m->depth = 0;
        f->body = body.first;
    } else {
        f->result = expression(m, 3, 0);
    }
    m->uniform = uniform;
    m->in_function = 0;
    m->visible_count = 0;
    f->p = *p, f->q = *q;
    m->k->function_count++;
}

static int coprime(int a, int b) { return b == 0 ? a == 1 : coprime(b, a % b); }

static void shape(Maker *m)
{
    static const unsigned shapes[][3] = {{64, 1, 1}, {32, 1, 1}, {128, 1, 1}, {96, 1, 1}, {33, 1, 1}, {7, 1, 1},
                                         {1, 1, 1},  {8, 8, 1},  {16, 3, 1},  {4, 2, 8},  {5, 3, 2},  {64, 1, 1}};
    Kernel *k = m->k;
    const unsigned *s = shapes[below(m, sizeof shapes / sizeof *shapes)];
    k->x = s[0], k->y = s[1], k->z = s[2];
    k->threads = s[0] * s[1] * s[2];
    k->blocks = 1 + (unsigned)below(m, MAX_BLOCKS);
    k->parameter[0] = (unsigned)below(m, 10), k->parameter[1] = (unsigned)next(m);
    static const int wild[] = {0, 0, 1, 2, 4, 8, 100, 1000};
    m->wild = wild[below(m, 8)];
    m->kinds = chance(m, 30) ? ~0u : chance(m, 50) ? 1u << ARRAY | 1u << STRUCT : (unsigned)next(m);
    m->without = chance(m, 40) ? 0 : (unsigned)(next(m) & next(m)) & ~0xffu;
    if (chance(m, 75))
        m->without |= 3u << 27; /* no warp functions, no results of barriers */
    m->uniform_loads = chance(m, 40);
    k->thread_form = spelling(m, THREAD_FORMS);
    k->template_form = spelling(m, KERNEL_FORMS);
    k->array_count = 1 + below(m, MAX_ARRAYS);
    for (int i = 0; i < k->array_count; i++) {
        Array *a = &k->arrays[i];
        a->kind = chance(m, 50) ? SHARED : (ArrayKind)below(m, ARRAY_KINDS);
        a->number = i;
        a->mode = ATOMIC; /* until it is filled */
        snprintf(a->name, sizeof a->name, "s%d", i);
        do
            a->step = 1 + below(m, 7);
        while (!coprime(a->step, (int)k->threads));
        a->offset = chance(m, 50) ? 0 : below(m, (int)k->threads);
    }
}

/* A parameter of the kernel, which is a variable like others: a declaration that is not printed among the statements. */
static void parameter(Maker *m, List *to)
{
    Stmt *s = add(m, to, DECLARE, 1);
    Var *v = s->var = new_var(m, chance(m, 60) ? STRUCT : SCALAR, U32);
    s->forced = v->parameter = 1;
    v->uniform = v->kind == SCALAR && chance(m, 50);
    v->quiet = !v->uniform && chance(m, 50);
    for (int i = 0; i < v->cells; i++) {
        s->init[i] = constant(m, (unsigned)below(m, 9));
        s->init[i]->form = 0;
    }
    show(m, v);
}

/* Spellings of an assignment (assign_forms in print_stmt.c) that read what they set. */
static int reads_target(int form)
{
    return (form >= 7 && form <= 10) || form == 14 || form == 15 || form == 28 || form >= ASSIGN_SHIFT;
}

Kernel *generate(uint64_t seed, int number)
{
    Kernel *k = keep(sizeof *k);
    Maker maker = {.state = seed * 0x100000001b3u + (uint64_t)number, .k = k, .uniform = 1}, *m = &maker;
    k->seed = seed;
    k->number = number;
    shape(m);
    for (int i = chance(m, 50) ? 0 : 1 + below(m, 3); i > 0; i--)
        function(m);
    List body = {NULL, &body.first};
    Var *accumulator = new_var(m, SCALAR, U32);
    Stmt *s = add(m, &body, DECLARE, DECLARE_FORMS);
    s->var = accumulator;
    s->forced = 1;
    s->init[0] = constant(m, (unsigned)below(m, 3));
    show(m, accumulator);
    for (int i = chance(m, 40) ? 1 + below(m, 2) : 0; i > 0; i--)
        parameter(m, &body);
    for (int i = 0; i < k->array_count; i++) { /* every slot is filled before anybody reads */
        s = add(m, &body, ASSIGN, ASSIGN_FORMS);
        s->form = reads_target(s->form) ? 0 : s->form;
        s->forced = 1;
        s->target.array = &k->arrays[i];
        s->op = SET;
        k->arrays[i].mode = ATOMIC; /* nobody reads it in the expression */
        s->a = expression(m, 2, 0);
        k->arrays[i].mode = OWN;
    }
    statements(m, &body, 8 + below(m, 14));
    k->body = body.first;
    k->result = expression(m, 1, 0);
    for (int i = 0; i < m->visible_count; i++) {
        Expr *sum = new_expr(m, BINARY, 1), *times = new_expr(m, BINARY, 1), *load = new_expr(m, LOAD, 1);
        times->op = OP_MUL, times->a = k->result, times->b = constant(m, 31);
        choose_part(m, &load->from, m->visible[i], 0);
        sum->op = OP_ADD, sum->a = times, sum->b = load;
        if (!m->visible[i]->hidden)
            k->result = sum;
    }
    return k;
}
