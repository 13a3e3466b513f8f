/* arithmetic_doubles.c: arithmetic in double, which a GPU has few units for, is counted by what is put round it under
 * --check: of operators, assignments, casts and functions in which the tree knows a double. The templates of
 * include/cpudev_doubles.h look at the types again; what is no number stays as it is. */
#include "analysis/analysis.h"
#include "emit/gpu_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOUBLES "::cpudev::doubles::"

/* How many multiply-adds a multiprocessor of an H200 does in the time of one of these (model/probe.cu, 2026-11-28: 57.5
 * multiply-adds in a cycle, 4.88 divisions, 4.39 roots, 2.88 exp, 1.26 log, 2.13 sin, 0.463 pow). What was not measured
 * counts as its nearest kin. */
enum { DIVISION = 12, ROOT = 13, EXP = 20, LOG = 46, SIN = 27, POW = 124 };

static const struct function {
    const char *name;
    int operations;
} functions[] = {{"sqrt", ROOT}, {"rsqrt", ROOT}, {"cbrt", ROOT},  {"hypot", ROOT},   {"exp", EXP},   {"exp2", EXP},
                 {"exp10", EXP}, {"expm1", EXP},  {"sinh", EXP},   {"cosh", EXP},     {"tanh", EXP},  {"erf", EXP},
                 {"erfc", EXP},  {"log", LOG},    {"log2", LOG},   {"log10", LOG},    {"log1p", LOG}, {"sin", SIN},
                 {"cos", SIN},   {"tan", SIN},    {"sincos", SIN}, {"asin", SIN},     {"acos", SIN},  {"atan", SIN},
                 {"atan2", SIN}, {"pow", POW},    {"fma", 1},      {"fmod", DIVISION}};

/* A function of C's library whose name stands there, alone or after std:: or ::. */
static const struct function *function_of(const Arithmetic *b, const Node *n)
{
    const Node *callee = n->kid[0];
    const Tokens *t = b->t;
    if (n->kind != E_CALL || callee->kind != E_NAME || callee->decl || !ident(t, callee->last) ||
        function_named(b->u, t, callee->last, -1) >= 0)
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (same_as(t, callee->last, functions[i].name, (int)strlen(functions[i].name)))
            return &functions[i];
    return NULL;
}

static bool is_double_literal(const Tokens *t, const Node *n)
{
    const Token *k = &t->t[n->first];
    return n->kind == E_LITERAL && is_floating(k) && !strchr("fFlL", k->s[k->len - 1]);
}

static bool type_is_double(const Tokens *t, int first, int last)
{
    bool found = false;
    for (int i = first; i >= 0 && i <= last; i = next(t, i))
        if (is(t, i, W_DOUBLE))
            found = true;
        else if (!is_qualifier(t, i))
            return false;
    return found;
}

static bool is_double(const Arithmetic *b, const Node *n);

/* A variable, element or target that is declared as a double, or a variable made of one. */
static bool place_is_double(const Arithmetic *b, const Node *n)
{
    int depth = 0;
    for (n = strip(n); n->kind == E_INDEX || (n->kind == E_UNARY && n->oper == OP_DEREFERENCE); n = strip(n->kid[0]))
        depth++;
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    if (!d || d->is_decltype || d->stars + d->ndims != depth)
        return false;
    return d->is_auto ? depth == 0 && d->init && d->init->kind != E_LIST && is_double(b, d->init)
                      : type_is_double(b->f->tok, d->type_first, d->type_last);
}

static bool is_double(const Arithmetic *b, const Node *n)
{
    switch (n->kind) {
    case E_PAREN: return is_double(b, n->kid[0]);
    case E_LITERAL: return is_double_literal(b->t, n);
    case E_NAME:
    case E_INDEX: return place_is_double(b, n);
    case E_UNARY:
        return n->oper == OP_DEREFERENCE ? place_is_double(b, n)
                                         : (n->oper == OP_NEGATE || n->oper == OP_PLUS) && is_double(b, n->kid[0]);
    case E_BINARY:
        return n->oper >= OP_ADD && n->oper <= OP_DIVIDE && (is_double(b, n->kid[0]) || is_double(b, n->kid[1]));
    case E_TERNARY: return is_double(b, n->kid[1]) || is_double(b, n->kid[2]);
    case E_ASSIGN: return is_double(b, n->kid[0]);
    case E_CAST: return n->n == 1 && type_is_double(b->t, n->op, n->op_last);
    case E_CALL:
        for (int i = 1; function_of(b, n) && i < n->n; i++)
            if (is_double(b, n->kid[i]))
                return true;
        return false;
    default: return false;
    }
}

/* Is it computed while the program is compiled? */
static bool is_folded(const Node *n)
{
    switch (n->kind) {
    case E_LITERAL: return true;
    case E_NAME: return n->decl && n->decl->is_constexpr;
    case E_PAREN:
    case E_UNARY: return n->oper != OP_DEREFERENCE && n->oper != OP_ADDRESS && is_folded(n->kid[0]);
    case E_BINARY: return is_folded(n->kid[0]) && is_folded(n->kid[1]);
    case E_CAST: return n->n == 1 && is_folded(n->kid[0]);
    default: return false;
    }
}

/* The operand's type, as text: a constant is converted while the program is compiled. */
static char *type_of(const Arithmetic *b, const Node *n)
{
    if (is_double(b, n))
        return format("double");
    if (is_folded(n))
        return format(DOUBLES "constant");
    char *text = text_of(b->t, n->first, n->last), *type = format("decltype(%s)", text);
    free(text);
    return type;
}

static bool is_product(const Arithmetic *b, const Node *n)
{
    n = strip(n);
    return n->kind == E_BINARY && n->oper == OP_MULTIPLY && is_double(b, n);
}

/* A quotient by a power of two is a product. */
static int division_by(const Arithmetic *b, const Node *n)
{
    n = strip(n);
    int power;
    return n->kind == E_LITERAL && b->t->t[n->first].kind == T_NUM && frexp(atof(b->t->t[n->first].s), &power) == 0.5
               ? 1
               : DIVISION;
}

static int operations_of(const Arithmetic *b, Operator oper, const Node *left, const Node *right)
{
    if (oper == OP_DIVIDE || oper == OP_DIVIDE_ASSIGN)
        return division_by(b, right);
    const bool sum = oper == OP_ADD || oper == OP_SUBTRACT,
               change = oper == OP_ADD_ASSIGN || oper == OP_SUBTRACT_ASSIGN;
    return (sum && (is_product(b, left) || is_product(b, right))) || (change && is_product(b, right))
               ? 0 /* of one multiply-add */
               : 1;
}

static void binary(Arithmetic *b, const Node *n)
{
    const Node *left = n->kid[0], *right = n->kid[1];
    const bool compares = n->oper >= OP_EQUAL && n->oper <= OP_GREATER_EQUAL;
    if ((!compares && (n->oper < OP_ADD || n->oper > OP_DIVIDE)) || (!is_double(b, left) && !is_double(b, right)) ||
        is_folded(n))
        return;
    char *types[2] = {type_of(b, left), type_of(b, right)};
    put_round(b->t, n->first, n->last,
              format(DOUBLES "operation<%d, %s, %s>(", operations_of(b, n->oper, left, right), types[0], types[1]),
              format(")"));
    free(types[0]);
    free(types[1]);
}

/* What is set, or changed by an operator, is converted to a double and back if it is none. */
static void assignment(Arithmetic *b, const Node *n)
{
    const Node *to = n->kid[0], *value = n->kid[1];
    if (n->oper < OP_ASSIGN || n->oper > OP_DIVIDE_ASSIGN || value->kind == E_LIST ||
        (n->oper == OP_ASSIGN && is_folded(value)) || (!is_double(b, to) && !is_double(b, value)))
        return;
    char *types[2] = {type_of(b, to), type_of(b, value)};
    if (n->oper == OP_ASSIGN)
        put_round(b->t, value->first, value->last, format(DOUBLES "conversion<%s, %s>(", types[0], types[1]),
                  format(")"));
    else
        put_round(b->t, value->first, value->last,
                  format(DOUBLES "change<%d, %s, %s>(", operations_of(b, n->oper, to, value), types[0], types[1]),
                  format(")"));
    free(types[0]);
    free(types[1]);
}

static void to_type(Arithmetic *b, const char *type, const Node *value)
{
    if (is_folded(value))
        return;
    char *from = type_of(b, value);
    put_round(b->t, value->first, value->last, format(DOUBLES "conversion<%s, %s>(", type, from), format(")"));
    free(from);
}

/* A type of one word beside which a double is converted. */
static const char *number_word(const Tokens *t, int i)
{
    return is(t, i, W_FLOAT) ? "float" : is(t, i, W_DOUBLE) ? "double" : is(t, i, W_INT) ? "int" : NULL;
}

static void initialiser(Arithmetic *b, const Decl *d)
{
    const char *type = number_word(b->t, d->type_last);
    if (!d->init || d->init->kind == E_LIST || d->stars || d->ndims || d->is_ref || d->is_constexpr || d->is_static ||
        !type || d->init_form != '=' || (!is_double(b, d->init) && !type_is_double(b->t, d->type_first, d->type_last)))
        return;
    to_type(b, type, d->init);
}

static void returned(Arithmetic *b, const Node *n)
{
    const Function *f = b->f;
    if (n->n != 1 || b->t != f->tok || f->name < 0 || f->kernel)
        return;
    const char *type = number_word(b->t, prev(b->t, f->name));
    if (type && (!strcmp(type, "double") || is_double(b, n->kid[0])))
        to_type(b, type, n->kid[0]);
}

static void cast(Arithmetic *b, const Node *n)
{
    const char *type = n->n == 1 && n->op == n->op_last ? number_word(b->t, n->op) : NULL;
    if (type && (!strcmp(type, "double") || is_double(b, n->kid[0])) && n->kid[0]->kind != E_LIST)
        to_type(b, type, n->kid[0]);
}

static void call(Arithmetic *b, const Node *n)
{
    const struct function *f = function_of(b, n);
    if (f && is_double(b, n) && strcmp(f->name, "sincos") != 0)
        put_round(b->t, n->first, n->last, format(DOUBLES "operation<%d, double, double>(", f->operations),
                  format(")"));
}

void count_doubles(Arithmetic *b, const Node *n)
{
    if (!n)
        return;
    for (int i = 0; i < n->n; i++)
        count_doubles(b, n->kid[i]);
    switch (n->kind) {
    case E_BINARY: binary(b, n); break;
    case E_ASSIGN: assignment(b, n); break;
    case E_CAST: cast(b, n); break;
    case E_CALL: call(b, n); break;
    case S_RETURN: returned(b, n); break;
    case S_DECL:
        for (int i = 0; i < b->f->ndecl; i++)
            if (b->f->decl[i]->statement == n)
                initialiser(b, b->f->decl[i]);
        break;
    default: break;
    }
}
