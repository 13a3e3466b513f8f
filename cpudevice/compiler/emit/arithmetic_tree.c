/* arithmetic_tree.c: conversions that the tree tells of: written ones, and those where a variable is set, a function
 * returns or is given a value. */
#include "emit/gpu_arithmetic.h"
#include "analysis/analysis.h"
#include "analysis/numbers.h"

#include <stdlib.h>
#include <string.h>

/* x.b /= n of what may be a bit field is x.b = x.b / n, where nothing is done twice by that. */
static bool pure_place(const Node *n)
{
    n = strip(n);
    return n->kind == E_NAME || n->kind == E_LITERAL || (n->kind == E_MEMBER && pure_place(n->kid[0])) ||
           (n->kind == E_INDEX && pure_place(n->kid[0]) && pure_place(n->kid[1]));
}

static void change_bit_field(Arithmetic *b, const Node *n)
{
    Tokens *t = b->t;
    const bool shift = is(t, n->op, W_LESS) || is(t, n->op, W_GREATER);
    if ((!shift && !is(t, n->op, W_DIV_ASSIGN) && !is(t, n->op, W_MOD_ASSIGN)) || !pure_place(n->kid[0]) ||
        !may_be_bit_field(b, n->kid[0]->last) || harmless_literal(t, n->kid[1]->first, shift))
        return;
    char *place = text_of(t, n->kid[0]->first, n->kid[0]->last);
    const int length = shift ? 2 : 1;
    for (int i = n->op; i < n->op_last; i++)
        show_as(&t->t[i], format("%s", ""));
    show_as(&t->t[n->op_last],
            format("= +%s %.*s " ARITHMETIC "gpu %.*s", place, length, t->t[n->op].s, length, t->t[n->op].s));
    put_round(t, n->kid[1]->first, n->kid[1]->last, format("("), format(")"));
    free(place);
}

bool is_integer_type(const Tokens *t, int first, int last) { return number_of_type(t, first, last) == NUMBER_INTEGER; }

static bool is_one_of(const Arithmetic *b, const NameSet *names, int first, int last)
{
    while (first < last && is_qualifier(b->t, first))
        first = next(b->t, first);
    return first == last && ident(b->t, first) && is_in(names, &b->t->t[first]) && !local_name(b->f, first);
}

/* Does the body make the name at i a type, before i? */
static bool type_of_body(const Arithmetic *b, int i)
{
    const Tokens *t = b->t;
    for (int k = b->f->body; t == b->f->tok && k > 0 && k < i; k = next(t, k))
        if (same_as(t, k, t->t[i].s, t->t[i].len) &&
            (is(t, prev(t, k), W_USING) || is(t, statement_start(t, k), W_TYPEDEF)))
            return true;
    return false;
}

/* May the name at i, which is a type or a template's parameter somewhere, be one here? A function may have the same name. */
static bool type_here(const Arithmetic *b, int i)
{
    bool is_type;
    return (!has_name(b->u, b->t, i, N_FUNCTION) && function_named(b->u, b->t, i, -1) < 0) || b->f->member ||
           (template_parameter(b->u, b->f, b->t, i, &is_type) && is_type) || type_of_body(b, i);
}

/* Is the type an integer's, or a parameter of a template, which may be one? */
bool may_be_integer_type(const Arithmetic *b, int first, int last)
{
    return is_integer_type(b->t, first, last) ||
           ((is_one_of(b, &b->names->typedefs, first, last) || is_one_of(b, &b->names->parameters, first, last)) &&
            type_here(b, last));
}

/* A variable of an integer's type, or an element or target of one */
static bool is_integer_place(const Arithmetic *b, const Node *n)
{
    const Decl *d = named(n);
    return number_of(b->t, n) == NUMBER_INTEGER || (d && !d->stars && !d->ndims && !d->is_ref && b->t == b->f->tok &&
                                                    is_one_of(b, &b->names->typedefs, d->type_first, d->type_last));
}

/* May a value of this kind be of floating point, and be what an integer is made of? */
static bool may_be_real(const Tokens *t, const Node *n)
{
    n = strip(n);
    if (n->kind == E_LITERAL || n->kind == E_LIST || n->kind == E_OPAQUE || n->kind == E_STRING)
        return false;
    const Number kind = number_of(t, n);
    return kind == NUMBER_REAL || kind == NUMBER_UNKNOWN;
}

/* A value that is a function's name has no type by itself. */
static bool names_function(const Arithmetic *b, const Node *n)
{
    n = strip(n);
    return n->kind == E_NAME && !n->decl && !has_name(b->u, b->t, n->last, N_MEMORY) &&
           !has_name(b->u, b->t, n->last, N_CONSTANT) && !has_name(b->u, b->t, n->last, N_CONSTANT_MEMORY);
}

static char *type_text(const Tokens *t, int first, int last)
{
    char *text = format("%s", "");
    for (int i = first; i <= last; i = next(t, i))
        if (!is_qualifier(t, i) || is(t, i, W_TYPENAME))
            append(&text, format("%s%.*s", *text ? " " : "", t->t[i].len, t->t[i].s));
    return text;
}

void convert(Arithmetic *b, int type_first, int type_last, int first, int last)
{
    char *type = type_text(b->t, type_first, type_last);
    put_round(b->t, first, last, format(ARITHMETIC "cast<%s>(", type), format(")"));
    free(type);
}

static void explicit_cast(Arithmetic *b, const Node *n)
{
    const Tokens *t = b->t;
    if (n->n != 1 || b->done[n->first] || is(t, n->last, W_BRACE_END))
        return;
    if (ident(t, n->kid[0]->last) && is_in(&b->names->values, &t->t[n->kid[0]->last]))
        return; /* (T)name<argument>: the tree takes it for a comparison, the tokens tell (arithmetic_loose.c) */
    b->done[n->first] = true;
    const Number kind = number_of_type(t, n->op, n->op_last);
    for (int i = n->op; i <= n->op_last; i = next(t, i))
        if (is(t, i, W_DECLTYPE) || is(t, i, W_AUTO))
            return;
    if (kind == NUMBER_NEITHER || kind == NUMBER_REAL || !may_be_real(t, n->kid[0]) || names_function(b, n->kid[0]))
        return;
    if (is(t, n->first, W_REINTERPRET_CAST) || is(t, n->first, W_CONST_CAST))
        return;
    if (kind == NUMBER_UNKNOWN &&
        (n->op != n->op_last || !ident(t, n->op) || has_name(b->u, t, n->op, N_CLASS) || is_type_word(t, n->op)))
        return; /* a class, or a type of several words */
    convert(b, n->op, n->op_last, n->kid[0]->first, n->kid[0]->last);
}

/* Of what is set: known to be no integer? */
static bool surely_no_integer(const Tokens *t, const Node *n)
{
    const Number kind = number_of(t, n);
    return kind == NUMBER_REAL || kind == NUMBER_NEITHER;
}

static void assignment(Arithmetic *b, const Node *n)
{
    Tokens *t = b->t;
    const Node *to = n->kid[0], *value = n->kid[1];
    change_bit_field(b, n);
    /* i = 2.5f is converted while it is compiled; i *= 2.5f is not. */
    const bool real = may_be_real(t, value) || (!is(t, n->op, W_ASSIGN) && number_of(t, strip(value)) == NUMBER_REAL);
    if (b->done[n->op] || !real || surely_no_integer(t, to) || strip(to)->kind == E_CAST)
        return;
    b->done[n->op] = true;
    if (is(t, n->op, W_ASSIGN)) {
        if (names_function(b, value))
            return;
        char *place = text_of(t, to->first, to->last);
        put_round(t, value->first, value->last, format(ARITHMETIC "assigned<decltype(%s)>(", place), format(")"));
        free(place);
    } else if ((is(t, n->op, W_ADD_ASSIGN) || is(t, n->op, W_SUB_ASSIGN) || is(t, n->op, W_MUL_ASSIGN)) &&
               is_integer_place(b, to) && !t->t[n->op].as) {
        show_as(&t->t[n->op], format("%.*s " ARITHMETIC "Gpu{} %.*s", 2, t->t[n->op].s, 2, t->t[n->op].s));
    }
}

static void initialiser(Arithmetic *b, const Decl *d)
{
    Tokens *t = b->t;
    if (!d->init || b->done[d->at] || d->stars || d->ndims || d->is_ref || d->is_auto || d->is_decltype ||
        d->is_param || !may_be_integer_type(b, d->type_first, d->type_last))
        return;
    b->done[d->at] = true;
    const Node *value = d->init_form == '(' && d->init->kind == E_LIST && d->init->n == 1 ? d->init->kid[0] : d->init;
    if (may_be_real(t, value) && (is_integer_type(t, d->type_first, d->type_last) || strip(value)->kind != E_CALL))
        convert(b, d->type_first, d->type_last, value->first, value->last);
}

/* The type that the function returns, if it is an integer's: first..last in its tokens. */
static bool returns_integer(const Arithmetic *b, int *first, int *last)
{
    const Function *f = b->f;
    const Tokens *t = f->tok;
    if (f->name < 0 || f->kernel || is(t, f->name, W_OPERATOR))
        return false;
    *last = prev(t, f->name);
    *first = f->name;
    for (int i = *last; i >= f->start && (is_keyword_type(t, i) || number_of_type(t, i, i) == NUMBER_INTEGER);
         i = prev(t, i))
        *first = i;
    if (*first == f->name && may_be_integer_type(b, *last, *last) && !is(t, prev(t, *last), W_SCOPE))
        *first = *last;
    return *first < f->name && may_be_integer_type(b, *first, *last);
}

static void returned(Arithmetic *b, const Node *n)
{
    int first, last;
    if (n->n != 1 || b->done[n->first] || b->t != b->f->tok || !returns_integer(b, &first, &last) ||
        !may_be_real(b->t, n->kid[0]) || (!is_integer_type(b->t, first, last) && strip(n->kid[0])->kind == E_CALL))
        return;
    b->done[n->first] = true;
    convert(b, first, last, n->kid[0]->first, n->kid[0]->last);
}

/* What a function of the program takes as an integer, if there is one of that name alone. */
static void arguments(Arithmetic *b, const Node *n)
{
    const Node *callee = n->kid[0];
    Tokens *t = b->t;
    if (b->done[n->op] || callee->kind != E_NAME || callee->decl || callee->first != callee->last)
        return;
    b->done[n->op] = true;
    const int number = function_named(b->u, t, callee->first, -1);
    if (number < 0 || function_named(b->u, t, callee->first, number) >= 0)
        return;
    const Function *f = &b->u->function[number];
    for (int i = 1; i < n->n && i <= f->nparams; i++) {
        const Decl *d = f->decl[i - 1];
        const bool integer = is_integer_type(f->tok, d->type_first, d->type_last) ||
                             (d->type_first == d->type_last && is_in(&b->names->typedefs, &f->tok->t[d->type_first]));
        if (!d->stars && !d->ndims && !d->is_ref && !d->is_auto && integer && may_be_real(t, n->kid[i])) {
            char *type = type_text(f->tok, d->type_first, d->type_last);
            put_round(t, n->kid[i]->first, n->kid[i]->last, format(ARITHMETIC "cast<%s>(", type), format(")"));
            free(type);
        }
    }
}

static void binary(Arithmetic *b, const Node *n)
{
    Tokens *t = b->t;
    if (n->op != n->op_last)
        b->done[n->op] = true; /* a shift or a comparison, and no ends of templates */
    else if (!is(t, n->op, W_SLASH) && !is(t, n->op, W_PERCENT))
        return;
    else if (!t->t[n->op].as && is(t, n->op, W_SLASH) &&
             (number_of(t, n->kid[0]) == NUMBER_REAL || number_of(t, n->kid[1]) == NUMBER_REAL))
        show_as(&t->t[n->op], format("/")); /* as it is */
    for (int i = 0; i < 2; i++) {           /* a bit field is promoted before it is a function's argument */
        const Node *k = n->kid[i];
        if ((k->kind == E_MEMBER || k->kind == E_NAME) && may_be_bit_field(b, k->last) && !b->done[k->last]) {
            put_round(t, k->first, k->last, format(" +"), format("%s", ""));
            b->done[k->last] = true;
        }
    }
}

void convert_tree(Arithmetic *b, const Node *n)
{
    if (!n)
        return;
    if ((n->kind == E_ASSIGN || n->kind == S_EXPR) && n->kid[0]->kind == E_CAST)
        b->done[n->kid[0]->first] = true; /* int(x) = 3; declares x */
    for (int i = 0; i < n->n; i++)
        convert_tree(b, n->kid[i]);
    switch (n->kind) {
    case E_CAST: explicit_cast(b, n); break;
    case E_ASSIGN: assignment(b, n); break;
    case E_CALL: arguments(b, n); break;
    case S_RETURN: returned(b, n); break;
    case E_BINARY: binary(b, n); break;
    default: break;
    }
    if (n->kind == S_DECL)
        for (int i = 0; i < b->f->ndecl; i++)
            if (b->f->decl[i]->statement == n)
                initialiser(b, b->f->decl[i]);
}
