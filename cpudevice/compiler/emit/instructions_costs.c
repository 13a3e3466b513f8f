/* instructions_costs.c: what nvcc makes of an expression, but for its accesses. */
#include "emit/instructions.h"

#include <stdlib.h>
#include <string.h>

static void add_kind(Sum *s, int kind, Type type)
{
    if (!type.text)
        s->known += instruction_kinds[kind].cost[type.least];
    else
        append(&s->more, format(" + " INSTRUCTIONS "cost(" INSTRUCTIONS "%s, " INSTRUCTIONS "wider(%d, %s))",
                                instruction_kinds[kind].name, type.least, type.text));
    free(type.text);
}

void add_sum(Sum *s, Sum more)
{
    s->known += more.known;
    append(&s->more, more.more);
}

Sum nothing(void) { return (Sum){0, format("%s", "")}; }
bool is_nothing(const Sum *s) { return !s->known && !*s->more; }

/* Where n is computed: in front of the outermost loop in which it is always the same, or here. */
static Sum *place_of(Counter *c, const Node *n, Sum *here)
{
    Sum *at = here;
    for (int i = c->loops - 1; i >= 0 && unchanged(c, n, c->loop[i].n); i--)
        at = c->loop[i].before;
    return at;
}

static bool is_operation(const Node *n, Operator a, Operator b)
{
    n = strip(n);
    return n->kind == E_BINARY && (n->oper == a || n->oper == b);
}

/* Is it a power of two: a literal, a variable that is doubled or halved in each round of an unrolled loop, their product? */
static bool is_power(const Counter *c, const Node *n)
{
    n = strip(n);
    if (n->kind == E_BINARY)
        return n->oper == OP_MULTIPLY && is_power(c, n->kid[0]) && is_power(c, n->kid[1]);
    const Decl *d = decl_of(c, n);
    for (int i = 0; d && i < c->unrolled_n; i++) {
        const Node *step = c->unrolled_step[i];
        if (c->unrolled[i] == d)
            return is_power(c, d->init) &&
                   ((step->oper == OP_SHIFT_LEFT_ASSIGN || step->oper == OP_SHIFT_RIGHT_ASSIGN) ||
                    ((step->oper == OP_MULTIPLY_ASSIGN || step->oper == OP_DIVIDE_ASSIGN) &&
                     is_power(c, step->kid[1])));
    }
    const long v = n->kind == E_LITERAL && c->t->t[n->first].kind == T_NUM ? strtol(c->t->t[n->first].s, NULL, 0) : 0;
    return v > 0 && !(v & (v - 1));
}

/* Of one operand that is not constant: which row is for both operations, where the inner one is part of the outer? */
static int joined_kind(const Counter *c, Operator oper, const Node *inner)
{
    if (folded(c, inner))
        return -1;
    if (oper == OP_ADD || oper == OP_SUBTRACT)
        return is_operation(inner, OP_MULTIPLY, OP_MULTIPLY)       ? of_add_of_product
               : is_operation(inner, OP_SHIFT_LEFT, OP_SHIFT_LEFT) ? of_add_of_shift
               : is_operation(inner, OP_ADD, OP_SUBTRACT)          ? of_add_of_add
                                                                   : -1;
    const bool bits = oper == OP_BIT_AND || oper == OP_BIT_OR || oper == OP_BIT_XOR;
    return bits && (is_operation(inner, OP_BIT_AND, OP_BIT_OR) || is_operation(inner, OP_BIT_XOR, OP_BIT_XOR))
               ? of_bits_of_bits
               : -1;
}

static int kind_of(const Counter *c, Operator oper, const Node *right, bool by_power, bool is_unsigned)
{
    const bool by_constant = folded(c, right);
    switch (oper) {
    case OP_DIVIDE:
        return by_power      ? is_unsigned ? of_shift_right_by_constant : of_divide_by_power
               : by_constant ? of_divide_by_constant
                             : of_divide;
    case OP_REMAINDER:
        return by_power      ? is_unsigned ? of_bits : of_remainder_by_power
               : by_constant ? of_remainder_by_constant
                             : of_remainder;
    case OP_SHIFT_LEFT: return by_constant ? of_shift_by_constant : of_shift;
    case OP_SHIFT_RIGHT: return by_constant ? of_shift_right_by_constant : of_shift;
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR: return of_bits;
    case OP_MULTIPLY: return of_multiply;
    case OP_ADD:
    case OP_SUBTRACT: return of_add;
    default: return of_compare;
    }
}

/* A quotient or a remainder by a constant that g++ knows. */
static void by_named_constant(Counter *c, Operator oper, const Node *right, const char *divisor, Type type, Sum *at)
{
    Sum of[2] = {nothing(), nothing()};
    for (int power = 0; power < 2; power++)
        add_kind(&of[power], kind_of(c, oper, right, power, type.is_unsigned),
                 (Type){type.least, type.text ? format("%s", type.text) : NULL, type.is_unsigned});
    free(type.text);
    append(&at->more, format(" + (" INSTRUCTIONS "is_power(%s) ? %lluull%s : %lluull%s)", divisor, of[1].known,
                             of[1].more, of[0].known, of[0].more));
    free(of[0].more);
    free(of[1].more);
}

static bool is_pointer(const Counter *c, const Node *n)
{
    const Decl *d = decl_of(c, strip(n));
    return d && d->stars && !d->ndims;
}

static void operation(Counter *c, const Node *n, Operator oper, const Node *left, const Node *right, Sum *here)
{
    if (folded(c, n) || (n->kind == E_BINARY && is_available(c, n)))
        return;
    if (oper == OP_AND || oper == OP_OR) { /* of one of them where the other is constant; together they are no more */
        char *text = constant_text(c, left);
        const Node *other = text ? right : left;
        if (!text && !(text = constant_text(c, right))) {
            add_cost(c, left, here);
            add_cost(c, right, here);
            return;
        }
        Sum of_other = nothing();
        add_cost(c, other, &of_other);
        append(&here->more, oper == OP_AND ? format(" + ((%s) ? %lluull%s : 0)", text, of_other.known, of_other.more)
                                           : format(" + ((%s) ? 0 : %lluull%s)", text, of_other.known, of_other.more));
        free(text);
        free(of_other.more);
        return;
    }
    Sum *at = place_of(c, n, here);
    Type type = wider_column(column_of(c, left),
                             oper == OP_SHIFT_LEFT || oper == OP_SHIFT_RIGHT ? column(INTEGER) : column_of(c, right));
    char *divisor = oper == OP_DIVIDE || oper == OP_REMAINDER ? constant_text(c, right) : NULL;
    if (divisor && strip(right)->kind != E_LITERAL) {
        add_cost(c, left, here);
        by_named_constant(c, oper, right, divisor, type, at);
        free(divisor);
        return;
    }
    free(divisor);
    int kind = kind_of(c, oper, right, is_power(c, right), type.is_unsigned);
    if (oper == OP_ADD && type.least == LONG && steps_along(c, n) && is_pointer(c, left))
        at = here = c->loop[c->loops - 1].before;
    const int by_left = joined_kind(c, oper, left), by_right = by_left < 0 ? joined_kind(c, oper, right) : -1;
    const Node *inner = by_left >= 0 ? strip(left) : by_right >= 0 ? strip(right) : NULL;
    if (inner && place_of(c, inner, here) != at)
        inner = NULL;
    if (inner) {
        kind = by_left >= 0 ? by_left : by_right;
        add_cost(c, inner->kid[0], here);
        add_cost(c, inner->kid[1], here);
    } else {
        add_cost(c, left, here);
    }
    if (!inner || by_right < 0)
        add_cost(c, right, here);
    else
        add_cost(c, left, here);
    add_kind(at, kind, type);
}

/* x[i]: a constant in the index is part of the access, and so is a constant index. */
static void indexed(Counter *c, const Node *n, Sum *here)
{
    const Node *base = strip(n->kid[0]), *index = strip(n->kid[1]);
    add_cost(c, base, here);
    while (index->kind == E_BINARY && (index->oper == OP_ADD || index->oper == OP_SUBTRACT) && folded(c, index->kid[1]))
        index = strip(index->kid[0]);
    if (folded(c, index) || is_available(c, n))
        return;
    if (steps_along(c, index))
        here = c->loop[c->loops - 1].before;
    add_cost(c, index, here);
    const Decl *d = decl_of(c, base);
    Type type = d && (d->is_shared || d->ndims) ? column(INTEGER) : column_of(c, index);
    add_kind(steps_along(c, index) ? here : place_of(c, n->kid[1], here), of_index, type);
}

static void converted(Counter *c, const Node *n, Sum *here)
{
    if (n->n != 1 || folded(c, n) || is_available(c, n))
        return;
    add_cost(c, n->kid[0], here);
    const Type to = column_at(c, c->t, n->op, n->op_last);
    if (to.text) {
        free(to.text);
        return;
    }
    add_kind(place_of(c, n, here), of_to_int + to.least, column_of(c, n->kid[0]));
}

static void call_of_lambda(Counter *c, const Node *n)
{
    const Decl *d = decl_of(c, n->kid[0]);
    for (int i = 0; d && i < c->lambdas->n; i++) {
        Lambda *l = &c->lambdas->lambda[i];
        if (l->d != d)
            continue;
        l->called = true;
        for (int k = 1; k < n->n && k <= 32; k++)
            l->varying |= (unsigned)!folded(c, n->kid[k]) << (k - 1);
    }
}

static void called(Counter *c, const Node *n, Sum *here)
{
    call_of_lambda(c, n);
    for (int i = n->kid[0]->kind == E_NAME ? 1 : 0; i < n->n; i++)
        add_cost(c, n->kid[i], here);
    bool real;
    const int kind = math_function(c, n, &real);
    if (kind < 0)
        return;
    Type type = kind == of_from_bf16 || kind == of_from_half ? column(INTEGER) : column_of_call(c, n);
    if (!real && !type.text && type.least == INTEGER && kind > of_max)
        type = column(REAL); /* its argument's type is not known */
    add_kind(place_of(c, n, here), kind, type);
}

/* What nvcc makes of an expression, but for accesses. */
void add_cost(Counter *c, const Node *n, Sum *s)
{
    if (!n || folded(c, n))
        return;
    switch (n->kind) {
    case E_BINARY: operation(c, n, n->oper, n->kid[0], n->kid[1], s); return;
    case E_INDEX: indexed(c, n, s); return;
    case E_CAST: converted(c, n, s); return;
    case E_CALL: called(c, n, s); return;
    case E_TERNARY: {
        char *text = constant_text(c, n->kid[0]);
        if (text) {
            Sum of[2] = {nothing(), nothing()};
            add_cost(c, n->kid[1], &of[0]);
            add_cost(c, n->kid[2], &of[1]);
            append(&s->more,
                   format(" + ((%s) ? %lluull%s : %lluull%s)", text, of[0].known, of[0].more, of[1].known, of[1].more));
            free(text);
            free(of[0].more);
            free(of[1].more);
            return;
        }
        if (!folded(c, n->kid[0]))
            add_kind(place_of(c, n, s), of_select, column_of(c, n));
        break;
    }
    case E_ASSIGN:
        if (n->oper > OP_ASSIGN && n->oper <= OP_SHIFT_RIGHT_ASSIGN) {
            static const Operator of[] = {OP_ADD,     OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE,     OP_REMAINDER,
                                          OP_BIT_AND, OP_BIT_OR,   OP_BIT_XOR,  OP_SHIFT_LEFT, OP_SHIFT_RIGHT};
            operation(c, n, of[n->oper - OP_ADD_ASSIGN], n->kid[0], n->kid[1], s);
            return;
        }
        break;
    case E_POSTFIX:
    case E_UNARY:
        if (is_increment(n))
            add_kind(s, of_add, column_of(c, n->kid[0]));
        else if (n->oper == OP_COMPLEMENT)
            add_kind(place_of(c, n, s), of_bits, column_of(c, n->kid[0]));
        break;
    default: break;
    }
    for (int i = 0; i < n->n; i++)
        add_cost(c, n->kid[i], s);
}
