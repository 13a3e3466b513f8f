/* guards.c: the conditions under which a thread takes part in a kernel at all: `if (i >= n) return;` at its beginning, and
 * `if (i < n) { ... }` round the rest of it. They may be round what is split at its barriers or its exchanged loops: which
 * threads are active is found out for the whole block before anything else, and the regions are run for those alone. */
#include "kernel/guards.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <stdlib.h>

bool harmless(const Unit *u, const Function *f, const Node *n)
{
    if (!n || broken(u, RULE_GUARDS))
        return true;
    if (n->kind == E_ASSIGN || n->kind == E_OPAQUE || is_increment(n))
        return false;
    if ((n->kind == E_UNARY || n->kind == E_BINARY || n->kind == E_COMMA || n->kind == E_INDEX) && overloaded(u, f, n))
        return false;
    if ((n->kind == E_MEMBER && n->oper != OP_DOT) || (n->kind == E_CALL && !calls_arithmetic(u, f, n->kid[0])))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!harmless(u, f, n->kid[i]))
            return false;
    return true;
}

static bool harmless_declaration(const Unit *u, const Function *f, const Node *n)
{
    for (int i = 0; i < f->ndecl; i++)
        if (f->decl[i]->statement == n && (f->decl[i]->is_static || !harmless(u, f, f->decl[i]->init) ||
                                           (f->decl[i]->init_form && f->decl[i]->init_form != '=')))
            return false;
    return true;
}

static bool only_returns(const Node *n)
{
    return n && ((n->kind == S_RETURN && n->n == 0) || (n->kind == S_LIST && n->n == 1 && only_returns(n->kid[0])));
}

static bool add_guard(Guards *g, Node *statement, bool leaves)
{
    if (g->n == MOST_GUARDS)
        return false;
    g->guard[g->n++] = (Guard){statement, leaves};
    return true;
}

Guards find_guards(const Unit *u, const Function *f)
{
    Guards g = {.n = 0};
    Node *list = f->tree;
    for (int i = 0; list && list->kind == S_LIST && i < list->n; i++) {
        Node *n = list->kid[i];
        if (n->kind == S_EMPTY || n->kind == S_TYPES || (n->kind == S_DECL && harmless_declaration(u, f, n)))
            continue;
        bool alone = n->kind == S_IF && (n->n < 3 || !n->kid[2]) && harmless(u, f, n->kid[0]);
        if (alone && only_returns(n->kid[1])) {
            if (!add_guard(&g, n, true))
                break;
        } else if (alone && i == list->n - 1 && add_guard(&g, n, false)) {
            list = n->kid[1];
            i = -1;
        } else {
            break;
        }
    }
    return g;
}

void take_guards(const Guards *g)
{
    for (int i = 0; i < g->n; i++)
        g->guard[i].statement->kind = S_GUARD;
}
