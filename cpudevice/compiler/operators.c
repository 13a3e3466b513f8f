/* operators.c: may an operator in an expression be one that the program overloads?  Of those that are no members, and so
 * may take enumerations and plain classes; a class with members of its own keeps a kernel on fibers anyway (harmful.c).
 * Types are known of a few operands only; whatever has another may be overloaded. */
#include "unit.h"
#include "analysis.h"
#include "rules.h"

/* Has the expression surely a built-in type? */
static bool built_in(const Function *f, const Node *n)
{
    const Tokens *t = f->tok;
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME: return n->decl && n->decl->type_known;
    case E_MEMBER:
        return is(t, n->kid[0]->first, "threadIdx") || is(t, n->kid[0]->first, "blockIdx") ||
               is(t, n->kid[0]->first, "blockDim") || is(t, n->kid[0]->first, "gridDim");
    case E_CAST:
        for (int i = n->op; i <= n->op_last; i = next(t, i))
            if (!is_keyword_type(t, i) && !is_qualifier(t, i) && !is(t, i, "*"))
                return false;
        return true;
    case E_INDEX: return built_in(f, n->kid[0]) && built_in(f, n->kid[1]);
    case E_TERNARY: return built_in(f, n->kid[1]) && built_in(f, n->kid[2]);
    case E_PAREN:
    case E_UNARY:
    case E_POSTFIX:
    case E_BINARY:
    case E_ASSIGN:
    case E_COMMA:
        for (int i = 0; i < n->n; i++)
            if (!built_in(f, n->kid[i]))
                return false;
        return true;
    default: return false;
    }
}

/* Is `f` an overload of the operator op..op_last of t that is no member? */
static bool overloads(const Function *f, const Tokens *t, int op, int op_last)
{
    if (f->name < 0 || f->member || !is(f->tok, f->name, "operator"))
        return false;
    int k = next(f->tok, f->name);
    for (int i = op; i <= op_last; i = next(t, i), k = next(f->tok, k))
        if (k >= f->open || !same_as(t, i, f->tok->t[k].s, f->tok->t[k].len))
            return false;
    return k == f->open || is(f->tok, k, "<");
}

bool overloaded(const Unit *u, const Function *f, const Node *n)
{
    bool plain = true;
    for (int i = 0; i < n->n; i++)
        plain &= built_in(f, n->kid[i]);
    for (int k = 0; !plain && k < u->nfunction; k++)
        if (overloads(&u->function[k], f->tok, n->op, n->op_last))
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
