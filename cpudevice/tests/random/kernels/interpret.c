/* interpret.c: runs an abstract kernel on the host, one thread after the other between barriers. Statements that hold a
 * barrier or a warp function are gone through by all threads together; every other statement is done by thread 0, then
 * by thread 1, and so on. Knows nothing of the kernel's text. */
#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef enum { GO_ON, BREAK, CONTINUE } Flow;

typedef struct {
    Kernel *k;
    unsigned block;
    unsigned cells[MAX_THREADS][MAX_CELLS];
    unsigned arrays[MAX_ARRAYS][MAX_THREADS];
} Machine;

static unsigned value(Machine *m, const Expr *e, unsigned t);
static Flow run(Machine *m, const Stmt *s, unsigned t);

static void invalid(const Machine *m, const char *what)
{
    fprintf(stderr, "random_kernels: seed %llu kernel %d is not valid: %s\n", (unsigned long long)m->k->seed,
            m->k->number, what);
    exit(2);
}

static unsigned own_slot(const Machine *m, const Array *a, unsigned t)
{
    return (t * (unsigned)a->step + (unsigned)a->offset) % m->k->threads;
}

/* The cell of a thread's lvalue. */
static unsigned cell(Machine *m, const Lvalue *l, unsigned t)
{
    const Var *v = l->var;
    unsigned at = (unsigned)v->cell;
    switch (v->kind) {
    case ARRAY: return at + (value(m, l->index, t) & 3);
    case STRUCT: return l->member < 2 ? at + (unsigned)l->member : at + 2 + (value(m, l->index, t) & 3);
    case REFERENCE:
    case POINTER: return m->cells[t][at];
    case VIEW: return m->cells[t][at + (unsigned)l->member];
    default: return at;
    }
}

static unsigned narrowed(unsigned value, Type type)
{
    return type == U16 || type == F32 ? value & 0xffff : type == U8 ? value & 0xff : value;
}

static unsigned *place(Machine *m, const Lvalue *l, unsigned t)
{
    if (l->array)
        return &m->arrays[l->array->number][own_slot(m, l->array, t)];
    return &m->cells[t][cell(m, l, t)];
}

static unsigned calculate(int op, unsigned a, unsigned b)
{
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_XOR: return a ^ b;
    case OP_OR: return a | b;
    case OP_AND: return a & b;
    case OP_SHL: return a << (b & 31);
    case OP_SHR: return a >> (b & 31);
    case OP_DIV: return a / (b | 1);
    case OP_MOD: return a % (b | 1);
    case OP_LESS: return a < b;
    case OP_EQUAL: return a == b;
    case OP_BOTH: return a && b;
    default: return b;
    }
}

static unsigned call(Machine *m, const Function *f, unsigned p, unsigned q, unsigned t)
{
    m->cells[t][f->p.cell] = p;
    m->cells[t][f->q.cell] = q;
    if (!f->by_reference)
        return value(m, f->result, t);
    for (const Stmt *s = f->body; s; s = s->next)
        run(m, s, t);
    return 0;
}

static unsigned value(Machine *m, const Expr *e, unsigned t)
{
    switch (e->kind) {
    case CONSTANT: return e->value;
    case PARAMETER: return m->k->parameter[e->value];
    case LOAD: return *place(m, &e->from, t);
    case THREAD: return t;
    case BLOCK: return m->block;
    case INPUT: return input_value(value(m, e->a, t) % INPUTS);
    case ELEMENT: return m->arrays[e->from.array->number][value(m, e->a, t) % m->k->threads];
    case BINARY: {
        unsigned a = value(m, e->a, t), b = value(m, e->b, t);
        return calculate(e->op, a, b);
    }
    case NEGATE: {
        unsigned a = value(m, e->a, t);
        return e->op == 0 ? -a : e->op == 1 ? ~a : e->op == 2 ? !a : a * 3;
    }
    case CHOOSE: return value(m, e->c, t) & 1 ? value(m, e->a, t) : value(m, e->b, t);
    case CALL: {
        unsigned a = value(m, e->a, t), b = value(m, e->b, t);
        return call(m, &m->k->functions[e->value], a, b, t);
    }
    }
    return 0;
}

/* ---- one thread */

static Flow run_list(Machine *m, const Stmt *s, unsigned t)
{
    Flow flow = GO_ON;
    for (; s && flow == GO_ON; s = s->next)
        flow = run(m, s, t);
    return flow;
}

static void store(Machine *m, const Lvalue *l, int op, unsigned with, unsigned t)
{
    unsigned *to = place(m, l, t);
    *to = narrowed(calculate(op, *to, with), l->var ? l->var->type : U32);
}

static void declare(Machine *m, const Stmt *s, unsigned t)
{
    const Var *v = s->var;
    if (v->kind == REFERENCE || v->kind == POINTER || v->kind == VIEW) {
        unsigned a = cell(m, &s->target, t), b = v->kind == VIEW ? cell(m, &s->target2, t) : 0;
        m->cells[t][v->cell] = a;
        if (v->kind == VIEW)
            m->cells[t][v->cell + 1] = b;
        return;
    }
    unsigned init[FIELDS];
    for (int i = 0; i < v->cells; i++)
        init[i] = value(m, s->init[i], t);
    for (int i = 0; i < v->cells; i++)
        m->cells[t][v->cell + i] = narrowed(init[i], v->type);
}

static Flow run_loop(Machine *m, const Stmt *s, unsigned t)
{
    unsigned first = value(m, s->a, t) & 3;
    for (unsigned n = 0;; n++) {
        unsigned bound = s->form == 6 || s->form == 7 ? first : value(m, s->a, t) & 3;
        if (n >= bound)
            return GO_ON;
        m->cells[t][s->var->cell] = s->form == 7 ? bound - 1 - n : n;
        if (run_list(m, s->body, t) == BREAK)
            return GO_ON;
    }
}

static void run_atomic(Machine *m, const Stmt *s, unsigned t)
{
    unsigned at = value(m, s->a, t) % m->k->threads, with = value(m, s->b, t), *to = &m->arrays[s->array->number][at];
    switch (s->op) {
    case ATOMIC_ADD: *to += with; break;
    case ATOMIC_XOR: *to ^= with; break;
    case ATOMIC_OR: *to |= with; break;
    case ATOMIC_AND: *to &= with; break;
    case ATOMIC_MAX: *to = *to > with ? *to : with; break;
    case ATOMIC_MIN: *to = *to < with ? *to : with; break;
    }
}

static Flow run(Machine *m, const Stmt *s, unsigned t)
{
    unsigned a, *p, *q;
    if (s->dropped)
        return GO_ON;
    switch (s->kind) {
    case DECLARE: declare(m, s, t); break;
    case ASSIGN: store(m, &s->target, s->op, value(m, s->a, t), t); break;
    case ALTER:
        a = value(m, s->b, t);
        store(m, value(m, s->a, t) & 1 ? &s->target : &s->target2, s->op, a, t);
        break;
    case SWAP:
        p = place(m, &s->target, t), q = place(m, &s->target2, t);
        a = *p, *p = *q, *q = a;
        break;
    case REBIND: m->cells[t][s->var->cell] = cell(m, &s->target, t); break;
    case ATOMIC_OP: run_atomic(m, s, t); break;
    case IF: return run_list(m, value(m, s->a, t) & 1 ? s->body : s->other, t);
    case LOOP: return run_loop(m, s, t);
    case SWITCH: a = value(m, s->a, t) % 3; return run_list(m, a == 0 ? s->body : a == 1 ? s->other : s->third, t);
    case LEAVE: return value(m, s->a, t) & 1 ? (s->op ? CONTINUE : BREAK) : GO_ON;
    case SCOPE: return run_list(m, s->body, t);
    case CALL_BY_REFERENCE: {
        unsigned with = value(m, s->a, t);
        call(m, &m->k->functions[s->function], cell(m, &s->target, t), with, t);
        break;
    }
    case BARRIER:
    case COLLECT: invalid(m, "a barrier in divergent code");
    }
    return GO_ON;
}

/* ---- all threads together */

/* An expression that has the same value in all threads. */
static unsigned uniform(Machine *m, const Expr *e)
{
    unsigned first = value(m, e, 0);
    for (unsigned t = 1; t < m->k->threads; t++)
        if (value(m, e, t) != first)
            invalid(m, "a condition round a barrier differs between threads");
    return first;
}

static void collect(Machine *m, const Stmt *s)
{
    unsigned threads = m->k->threads, a[MAX_THREADS], b[MAX_THREADS], result[MAX_THREADS], count = 0;
    for (unsigned t = 0; t < threads; t++) {
        a[t] = value(m, s->a, t), b[t] = value(m, s->b, t);
        count += a[t] & 1;
    }
    for (unsigned t = 0; t < threads; t++) {
        unsigned warp = t / 32 * 32, lanes = threads - warp < 32 ? threads - warp : 32, votes = 0, sum = 0;
        for (unsigned i = 0; i < lanes; i++)
            votes |= (a[warp + i] & 1) << i;
        for (unsigned i = 0; i < 8; i++)
            sum += t / 8 * 8 + i < threads ? a[t / 8 * 8 + i] : 0;
        switch (s->op) {
        case COUNT_BARRIER: result[t] = count; break;
        case OR_BARRIER: result[t] = count > 0; break;
        case AND_BARRIER: result[t] = count == threads; break;
        case SHUFFLE: result[t] = a[warp + b[t] % lanes]; break;
        case BALLOT: result[t] = votes; break;
        case ANY: result[t] = votes != 0; break;
        case TILE_SHUFFLE: result[t] = a[t / 16 * 16 + b[t] % 16]; break;
        case TILE_SUM: result[t] = sum; break;
        }
    }
    for (unsigned t = 0; t < threads; t++)
        store(m, &s->target, SET, result[t], t);
}

static Flow run_together(Machine *m, const Stmt *s);

static Flow together(Machine *m, const Stmt *s)
{
    Flow flow = GO_ON;
    for (; s && flow == GO_ON; s = s->next) {
        if (s->dropped)
            continue;
        if (s->vector)
            flow = run_together(m, s);
        else
            for (unsigned t = 0; t < m->k->threads; t++)
                if (run(m, s, t) != GO_ON)
                    invalid(m, "a loop round a barrier is left by some threads");
    }
    return flow;
}

static Flow loop_together(Machine *m, const Stmt *s)
{
    unsigned first = uniform(m, s->a) & 3;
    for (unsigned n = 0;; n++) {
        unsigned bound = s->form == 6 || s->form == 7 ? first : uniform(m, s->a) & 3;
        if (n >= bound)
            return GO_ON;
        for (unsigned t = 0; t < m->k->threads; t++)
            m->cells[t][s->var->cell] = s->form == 7 ? bound - 1 - n : n;
        if (together(m, s->body) == BREAK)
            return GO_ON;
    }
}

static Flow run_together(Machine *m, const Stmt *s)
{
    switch (s->kind) {
    case BARRIER: return GO_ON;
    case COLLECT: collect(m, s); return GO_ON;
    case IF: return together(m, uniform(m, s->a) & 1 ? s->body : s->other);
    case SWITCH: {
        unsigned which = uniform(m, s->a) % 3;
        return together(m, which == 0 ? s->body : which == 1 ? s->other : s->third);
    }
    case LEAVE: return uniform(m, s->a) & 1 ? (s->op ? CONTINUE : BREAK) : GO_ON;
    case SCOPE: return together(m, s->body);
    case LOOP: return loop_together(m, s);
    default: invalid(m, "a statement that all threads should do together");
    }
    return GO_ON;
}

void interpret(Kernel *k, unsigned *output)
{
    Machine *m = keep(sizeof *m);
    m->k = k;
    for (m->block = 0; m->block < k->blocks; m->block++) {
        memset(m->cells, 0, sizeof m->cells);
        together(m, k->body);
        for (unsigned t = 0; t < k->threads; t++)
            output[m->block * k->threads + t] = value(m, k->result, t);
    }
}
