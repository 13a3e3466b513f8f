/* bodies.c: which braces are those of closures, classes and functions; bodies of closures, which are opaque in the tree of the
 * function round them, as functions with a tree; the host's functions, which no pass before looks at. */
#include "emit/printer.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

bool lambda_brace(const Tokens *t, int i, int *head)
{
    for (int p = prev(t, i); p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END);
         p = prev(t, p)) {
        if (is(t, p, W_SQUARE_END)) {
            const int open = mate_back(t, p), before = prev(t, open);
            *head = open;
            return open >= 0 && !is(t, before, W_PAREN_END) && !is(t, before, W_SQUARE_END) &&
                   (!ident(t, before) || is_statement_word(t, before));
        }
        if (is(t, p, W_PAREN_END) || is(t, p, W_GREATER))
            p = is(t, p, W_PAREN_END) ? mate_back(t, p) : angle_back(t, p);
        else if (!ident(t, p) && !is(t, p, W_MINUS) && !is(t, p, W_ARROW) && !is(t, p, W_STAR) && !is(t, p, W_AND) &&
                 !is(t, p, W_SCOPE))
            return false;
    }
    return false;
}

bool class_brace(const Tokens *t, int i, int *head)
{
    for (int p = prev(t, i);
         p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END) && !is(t, p, W_PAREN_END);
         p = prev(t, p))
        if (is(t, p, W_CLASS) || is(t, p, W_STRUCT) || is(t, p, W_UNION)) {
            *head = p;
            return true;
        }
    return false;
}

bool method_brace(const Tokens *t, int i)
{
    const int outer = enclosing(t, i);
    int head, p = prev(t, i);
    if (!is(t, outer, W_BRACE) || !class_brace(t, outer, &head))
        return false;
    while (ident(t, p) || is(t, p, W_ARROW) || is(t, p, W_STAR) || is(t, p, W_AND))
        p = prev(t, p);
    return is(t, p, W_PAREN_END);
}

/* The variables of the function round it are visible, as if they were parameters. */
static void see_outer(Function *f, const Function *outer)
{
    const int n = outer ? outer->ndecl : 0;
    Decl **all = must(malloc((size_t)(n + f->ndecl + 1) * sizeof *all));
    for (int i = 0; i < n; i++) {
        all[i] = must(malloc(sizeof **all));
        *all[i] = *outer->decl[i];
        all[i]->is_param = true;
        all[i]->use = NULL;
        all[i]->nuse = all[i]->use_cap = 0;
    }
    memcpy(all + n, f->decl, (size_t)f->ndecl * sizeof *all);
    free(f->decl);
    f->decl = all;
    f->ndecl = f->decl_cap = n + f->ndecl;
}

bool closure_at(const Unit *u, const Function *outer, int brace, Function *f)
{
    const Tokens *t = outer->tok;
    int head;
    if (!lambda_brace(t, brace, &head))
        return false;
    const int shut = mate(t, head), open = next(t, shut);
    const bool has_parameters = is(t, open, W_PAREN); /* not [&] { ... } */
    *f = *outer;
    f->start = head;
    f->name = -1;
    f->open = has_parameters ? open : shut;
    f->close = has_parameters ? mate(t, open) : shut;
    f->body = brace;
    f->end = mate(t, brace);
    f->decl = NULL;
    f->decl_cap = 0;
    parse_function((Unit *)u, f);
    see_outer(f, outer);
    resolve_function(f);
    return true;
}

bool host_function_at(const Unit *u, int i, Function *f)
{
    const Tokens *t = &u->tok;
    const int name = prev(t, i);
    if (!is(t, i, W_PAREN) || t->t[i].sys || t->t[i].ours || t->t[i].header || t->t[i].library || !ident(t, name) ||
        in(t, takes_parens, name))
        return false;
    *f = outlined_function(u, name, name, i, -1);
    return f->body >= 0;
}
