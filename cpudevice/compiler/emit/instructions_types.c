/* instructions_types.c: which variable a name is, and which column of the table of costs an expression belongs to. Types are
 * known that are built from keywords, or that are a parameter of the template; what is not known counts as an int. */
#include "emit/instructions.h"

#include <stdlib.h>
#include <string.h>

const InstructionKind instruction_kinds[KINDS] = {
#define KIND(kind, integer, in_long, real, in_double) {#kind, {integer, in_long, real, in_double}},
    CPUDEV_INSTRUCTIONS(KIND)
#undef KIND
};

/* The variable that n names: the function's own, or one that a closure has from outside. */
const Decl *decl_of(const Counter *c, const Node *n)
{
    if (n->kind != E_NAME || n->decl || n->first != n->last)
        return n->kind == E_NAME ? n->decl : NULL;
    for (const Function *inner = c->f; (c = c->outer) != NULL; inner = c->f)
        for (int i = c->f->ndecl - 1; i >= 0; i--) {
            const Decl *d = c->f->decl[i];
            if (d->at < inner->start && same_as(c->t, n->first, d->name, d->len))
                return d;
        }
    return NULL;
}

Type column(int least) { return (Type){least, NULL, false}; }

static const char *const long_names[] = {"size_t",   "ptrdiff_t", "ssize_t", "int64_t", "uint64_t",
                                         "intptr_t", "uintptr_t", "ulong",   NULL};

Type column_at(const Counter *c, const Tokens *t, int first, int last)
{
    int least = INTEGER;
    bool is_type, is_unsigned = false;
    for (int i = first; i >= 0 && i <= last; i = next(t, i)) {
        const Token *k = &t->t[i];
        if (is_qualifier(t, i))
            continue;
        is_unsigned |= k->s[0] == 'u' || same_as(t, i, "size_t", 6);
        if (is(t, i, W_STAR))
            return column(LONG);
        if (first == last && t == c->t && template_parameter(c->b->u, c->f, t, i, &is_type) && is_type)
            return (Type){INTEGER, format(INSTRUCTIONS "of<%.*s>()", k->len, k->s), false};
        if ((k->len >= 5 && !memcmp(k->s, "float", 5)))
            least = REAL;
        else if (k->len >= 6 && !memcmp(k->s, "double", 6))
            least = DOUBLE;
        else if (is(t, i, W_LONG) || named_in(t, long_names, i))
            least = LONG;
    }
    return (Type){least, NULL, is_unsigned};
}

Type wider_column(Type a, Type b)
{
    a.is_unsigned = b.is_unsigned = a.is_unsigned || b.is_unsigned;
    if (!b.text)
        return (Type){a.least > b.least ? a.least : b.least, a.text, a.is_unsigned};
    if (!a.text)
        return (Type){a.least > b.least ? a.least : b.least, b.text, a.is_unsigned};
    Type both = {a.least > b.least ? a.least : b.least, format(INSTRUCTIONS "wider(%s, %s)", a.text, b.text),
                 a.is_unsigned};
    free(a.text);
    free(b.text);
    return both;
}

static Type column_of_place(const Counter *c, const Node *n)
{
    int depth = 0;
    for (n = strip(n); n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE); n = strip(n->kid[0]))
        depth++;
    const Decl *d = decl_of(c, n);
    if (!d || d->is_decltype || d->stars + d->ndims < depth)
        return column(INTEGER);
    if (d->is_auto)
        return d->init && d->init->kind != E_LIST && !depth ? column_of(c, d->init) : column(INTEGER);
    return d->stars + d->ndims > depth ? column(LONG) : column_at(c, c->t, d->type_first, d->type_last);
}

/* A function of the math library: the row of the table for its name, with an f after it or not. */
int math_function(const Counter *c, const Node *n, bool *real)
{
    static const struct {
        const char *name;
        int kind;
    } others[] = {{"fmin", of_fmax},
                  {"min", of_max},
                  {"fabs", of_fabs},
                  {"abs", of_max},
                  {"cos", of_sin},
                  {"sincos", of_sin},
                  {"ceil", of_floor},
                  {"trunc", of_floor},
                  {"round", of_floor},
                  {"exp10", of_exp},
                  {"log10", of_log},
                  {"erfc", of_erf},
                  {"asin", of_atan},
                  {"acos", of_atan},
                  {"atan2", of_atan},
                  {"sinh", of_tanh},
                  {"cosh", of_tanh},
                  {"hypot", of_sqrt},
                  {"__exp", of_fast_exp},
                  {"__log", of_fast_log},
                  {"__sin", of_fast_sin},
                  {"__cos", of_fast_sin},
                  {"__fdivide", of_fast_divide},
                  {"__popc", of_population},
                  {"__clz", of_leading_zeros},
                  {"__ffs", of_leading_zeros},
                  {"__float2bfloat16", of_to_bf16},
                  {"__float2half", of_to_half},
                  {"__bfloat162float", of_from_bf16},
                  {"__half2float", of_from_half},
                  {"fma", of_add_of_product}};
    const Node *callee = n->kid[0];
    *real = false;
    if (n->kind != E_CALL || callee->kind != E_NAME || callee->decl || !ident(c->t, callee->last) ||
        function_named(c->b->u, c->t, callee->last, -1) >= 0)
        return -1;
    const Token *k = &c->t->t[callee->last];
    for (int less = 0; less < 2; less++) {
        if (less && k->s[k->len - 1] != 'f')
            break;
        *real = less;
        for (int i = of_fabs; i < KINDS; i++)
            if (same_as(c->t, callee->last, instruction_kinds[i].name, (int)strlen(instruction_kinds[i].name) + less) ||
                (less && (int)strlen(instruction_kinds[i].name) == k->len - 1 &&
                 !memcmp(k->s, instruction_kinds[i].name, (size_t)k->len - 1)))
                return i;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if ((int)strlen(others[i].name) == k->len - less && !memcmp(k->s, others[i].name, (size_t)(k->len - less)))
                return others[i].kind;
    }
    return -1;
}

Type column_of_call(const Counter *c, const Node *n)
{
    bool real;
    const int kind = math_function(c, n, &real);
    if (real || kind == of_from_bf16 || kind == of_from_half)
        return column(REAL);
    if (kind >= 0) {
        Type type = column(INTEGER);
        for (int i = 1; i < n->n; i++)
            type = wider_column(type, column_of(c, n->kid[i]));
        return type;
    }
    const Node *callee = n->kid[0];
    const int number = callee->kind == E_NAME && !callee->decl ? function_named(c->b->u, c->t, callee->last, -1) : -1;
    if (number < 0 || c->b->u->function[number].name < 0)
        return column(INTEGER);
    const Tokens *ut = &c->b->u->tok;
    const int at = prev(ut, c->b->u->function[number].name);
    return column_at(c, ut, at, at);
}

Type column_of(const Counter *c, const Node *n)
{
    switch (n->kind) {
    case E_PAREN: return column_of(c, n->kid[0]);
    case E_LITERAL: {
        const Token *k = &c->t->t[n->first];
        if (!is_floating(k))
            return column(INTEGER);
        return column(k->s[k->len - 1] == 'f' || k->s[k->len - 1] == 'F' ? REAL : DOUBLE);
    }
    case E_NAME:
    case E_INDEX: return column_of_place(c, n);
    case E_UNARY:
        return n->oper == OP_DEREFERENCE ? column_of_place(c, n)
               : n->oper == OP_ADDRESS   ? column(LONG)
               : n->oper == OP_NOT       ? column(INTEGER)
                                         : column_of(c, n->kid[0]);
    case E_POSTFIX: return column_of(c, n->kid[0]);
    case E_BINARY:
        if (n->oper >= OP_OR && n->oper <= OP_GREATER_EQUAL && !(n->oper >= OP_BIT_OR && n->oper <= OP_BIT_AND))
            return column(INTEGER);
        if (n->oper == OP_SHIFT_LEFT || n->oper == OP_SHIFT_RIGHT)
            return column_of(c, n->kid[0]);
        return wider_column(column_of(c, n->kid[0]), column_of(c, n->kid[1]));
    case E_TERNARY: return wider_column(column_of(c, n->kid[1]), column_of(c, n->kid[2]));
    case E_ASSIGN: return column_of(c, n->kid[0]);
    case E_CAST: return column_at(c, c->t, n->op, n->op_last);
    case E_SIZEOF: return (Type){LONG, NULL, true};
    case E_CALL: return column_of_call(c, n);
    case E_MEMBER:
        if (n->kid[0]->kind == E_NAME && !n->kid[0]->decl && constant_name(c->b->u, c->f, n->kid[0]))
            return (Type){INTEGER, NULL, true};
        return n->kid[0]->kind == E_NAME || n->kid[0]->kind == E_INDEX ? column_of_place(c, n->kid[0])
                                                                       : column(INTEGER);
    default: return column(INTEGER);
    }
}
