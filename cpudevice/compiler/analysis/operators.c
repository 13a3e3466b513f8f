/* operators.c: may an operator in an expression be one that the program overloads?  Of those that are no members, and so
 * may take enumerations and plain classes; a class with members of its own keeps a kernel on fibers anyway (harmful.c).
 * Types are known of a few operands only; whatever has another may be overloaded. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

/* Is n the name of a constant, outside of functions or in a class, of an arithmetic type or of an enumeration? */
static bool constant(const Unit *u, const Function *f, const Node *n)
{
    const Tokens *t = f->tok;
    bool is_type, member = is(t, next(t, n->first), W_SCOPE) && next(t, next(t, n->first)) == n->last;
    if (n->decl || !only_kind(u, t, n->last, N_CONSTANT) || has_name(u, t, n->last, N_CLASS_CONSTANT))
        return false;
    return member ? has_name(u, t, n->first, N_TYPE) || has_name(u, t, n->first, N_PLAIN_TYPE)
                  : n->first == n->last && !template_parameter(u, f, t, n->first, &is_type);
}

/* Has the expression surely a built-in type?  u: or that of an enumeration, for constants are allowed; else NULL. */
static bool built_in(const Unit *u, const Function *f, const Node *n)
{
    const Tokens *t = f->tok;
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME: return n->decl ? n->decl->type_known : u && constant(u, f, n);
    case E_MEMBER:
        return is(t, n->kid[0]->first, W_THREAD_IDX) || is(t, n->kid[0]->first, W_BLOCK_IDX) ||
               is(t, n->kid[0]->first, W_BLOCK_DIM) || is(t, n->kid[0]->first, W_GRID_DIM);
    case E_CAST:
        for (int i = n->op; i <= n->op_last; i = next(t, i))
            if (!is_keyword_type(t, i) && !is_qualifier(t, i) && !is(t, i, W_STAR))
                return false;
        return true;
    case E_INDEX: return built_in(u, f, n->kid[0]) && built_in(u, f, n->kid[1]);
    case E_TERNARY: return built_in(u, f, n->kid[1]) && built_in(u, f, n->kid[2]);
    case E_PAREN:
    case E_UNARY:
    case E_POSTFIX:
    case E_BINARY:
    case E_ASSIGN:
    case E_COMMA:
        for (int i = 0; i < n->n; i++)
            if (!built_in(u, f, n->kid[i]))
                return false;
        return true;
    default: return false;
    }
}

/* Is `f` an overload of the operator op..op_last of t that is no member? */
static bool overloads(const Function *f, const Tokens *t, int op, int op_last)
{
    if (f->name < 0 || f->member || !is(f->tok, f->name, W_OPERATOR))
        return false;
    int k = next(f->tok, f->name);
    for (int i = op; i <= op_last; i = next(t, i), k = next(f->tok, k))
        if (k >= f->open || !same_as(t, i, f->tok->t[k].s, f->tok->t[k].len))
            return false;
    return k == f->open || is(f->tok, k, W_LESS);
}

/* Does the operator take CUDA's vectors, halves and numbers alone, by their own names? Then it is not what an
 * enumerator's type selects: it would have to be converted to a class. */
static bool takes_no_enumeration(const Unit *u, const Function *o)
{
    if (o->template_first >= 0 || o->body < 0 || !o->tree)
        return false;
    for (int i = 0; i < o->nparams; i++)
        for (int k = o->decl[i]->type_first; k <= o->decl[i]->type_last; k = next(o->tok, k))
            if (!is_qualifier(o->tok, k) &&
                (!is_type_word(o->tok, k) || has_name(u, o->tok, k, N_TYPE) || has_name(u, o->tok, k, N_PLAIN_TYPE)))
                return false;
    return true;
}

bool overloaded(const Unit *u, const Function *f, const Node *n)
{
    bool plain = true, numbers = true;
    for (int i = 0; i < n->n; i++) {
        plain &= built_in(NULL, f, n->kid[i]);
        numbers &= built_in(u, f, n->kid[i]);
    }
    for (int k = 0; !plain && k < u->nfunction; k++)
        if (overloads(&u->function[k], f->tok, n->op, n->op_last) &&
            !(numbers && takes_no_enumeration(u, &u->function[k])))
            return !broken(u, RULE_OPERATORS);
    return false;
}

bool operator_takes_value(const Unit *u, const Function *f, const Node *n, int operand)
{
    if (!overloaded(u, f, n))
        return true;
    for (int k = 0; k < u->nfunction; k++) {
        const Function *o = &u->function[k];
        if (overloads(o, f->tok, n->op, n->op_last) &&
            (o->body < 0 || !o->tree || operand >= o->nparams || o->decl[operand]->is_ref || o->decl[operand]->is_auto))
            return false;
    }
    return true;
}
