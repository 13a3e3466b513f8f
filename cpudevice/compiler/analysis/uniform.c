/* uniform.c: what is the same for all threads of a block, and what a thread may compute anew.
 *
 * A whitelist over the tree: literals, constants, the block's and grid's coordinates, variables already known to be so,
 * and arithmetic on them. Whatever reads memory, calls a function of the program or is not in the list is not. Types
 * are not looked at here: harmful() has g++ judge each. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

bool calls_arithmetic(const Unit *u, const Function *f, const Node *callee)
{
    const Tokens *t = f->tok;
    int name = callee->last;
    if (callee->kind != E_NAME || callee->decl || function_named(u, t, name, -1) >= 0)
        return false;
    return (callee->first == name || is(t, callee->first, "::") || is(t, callee->first, "std")) &&
           is_arithmetic_name(t, name) && !hidden_by_program(u, f, t, name);
}

bool constant_name(const Unit *u, const Function *f, const Node *n)
{
    static const char *const built_in[] = {"blockIdx", "blockDim", "gridDim", "warpSize", NULL};
    const Tokens *t = f->tok;
    bool is_type;
    if (n->first != n->last)
        return true; /* A::b: judged to be a constant where it is printed */
    if (template_parameter(u, f, t, n->first, &is_type))
        return !is_type;
    return in(t, built_in, n->first) || only_kind(u, t, n->first, N_CONSTANT) || broken(u, RULE_MEMORY);
}

/* threads: may it depend on the thread? at: the variable that is to be computed from it, or NULL */
static bool walk(const Unit *u, const Function *f, const Node *n, bool threads, const Decl *at)
{
    const Tokens *t = f->tok;
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME:
        if (!n->decl)
            return (threads && is(t, n->first, "threadIdx")) || constant_name(u, f, n);
        if (n->decl->placement == P_UNIFORM) {
            if (!threads || n->decl->only_read || broken(u, RULE_CHANGED))
                return true;
            /* a loop's own variable does not change in the loop's body */
            return at && at->list && n->decl->is_loop && n->decl->list->kind == S_FOR && n->decl->step_only &&
                   at->at > n->decl->list->kid[3]->first && at->at < n->decl->list->kid[3]->last;
        }
        if (n->decl->is_shared) /* an array's address, but nothing that is in it */
            return n->decl->ndims > 0;
        return threads && n->decl->placement == P_AGAIN;
    case E_MEMBER: return is(t, n->op, ".") && walk(u, f, n->kid[0], threads, at);
    case E_UNARY:
        if (overloaded(u, f, n))
            return false;
        if (is(t, n->op, "*") && broken(u, RULE_MEMORY))
            break;
        if (!is(t, n->op, "+") && !is(t, n->op, "-") && !is(t, n->op, "!") && !is(t, n->op, "~"))
            return false;
        break;
    case E_CALL:
        if (!calls_arithmetic(u, f, n->kid[0]))
            return false;
        for (int i = 1; i < n->n; i++)
            if (!walk(u, f, n->kid[i], threads, at))
                return false;
        return true;
    case E_INDEX:
        if (!broken(u, RULE_MEMORY))
            return false;
        break;
    case E_CAST:
        if (n->n == 0)
            return shared_helper(u, t, n->op);
        break;
    case E_BINARY:
        if (overloaded(u, f, n))
            return false;
        break;
    case E_PAREN:
    case E_TERNARY: break;
    default: return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!walk(u, f, n->kid[i], threads, at))
            return false;
    return true;
}

bool uniform_expression(const Unit *u, const Function *f, const Node *n)
{
    return n && (broken(u, RULE_UNIFORM) || walk(u, f, n, false, NULL));
}

bool recomputable(const Unit *u, const Function *f, const Node *n, const Decl *at)
{
    return n && walk(u, f, n, true, at);
}
