/* tree.c: nodes, declarations, and what the parser asks about a name. */
#include "front/parser.h"
#include "analysis/analysis.h"

#include <stdlib.h>

const char *const spellings[OPERATORS] = {
    "",   "++", "--", "+", "-", "!", "~", "*", "&",  "||", "&&", "|",  "^",  "&",  "==", "!=", "<",   ">",   "<=", ">=",
    "<<", ">>", "+",  "-", "*", "/", "%", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ".",  "->",
};

Node *new_node(NodeKind kind, int first, int last)
{
    Node *n = must(calloc(1, sizeof *n));
    n->kind = kind;
    n->first = first;
    n->last = last;
    n->op = n->op_last = -1;
    return n;
}

void add_kid(Node *n, Node *kid)
{
    n->kid = must(realloc(n->kid, (size_t)(n->n + 1) * sizeof *n->kid));
    n->kid[n->n++] = kid;
    if (kid)
        n->has_barrier |= kid->has_barrier;
}

bool is_expression(const Node *n) { return n->kind <= E_OPAQUE; }

bool is_increment(const Node *n) { return n->oper == OP_INCREMENT || n->oper == OP_DECREMENT; }

bool is_arithmetic_unary(const Node *n) { return n->oper >= OP_PLUS && n->oper <= OP_COMPLEMENT; }

bool is_short_circuit(const Node *n) { return n->oper == OP_AND || n->oper == OP_OR; }

const Node *strip(const Node *n)
{
    while (n && n->kind == E_PAREN)
        n = n->kid[0];
    return n;
}

int callee_name(const Tokens *t, const Node *callee)
{
    if (callee->kind != E_NAME && callee->kind != E_MEMBER)
        return -1;
    const int open = is(t, callee->last, W_GREATER) ? angle_back(t, callee->last) : -1;
    return open > callee->first ? prev(t, open) : callee->last;
}

Decl *named(const Node *n)
{
    n = strip(n);
    return n->kind == E_NAME ? n->decl : NULL;
}

Decl *add_decl(Function *f, int at)
{
    if (f->ndecl == f->decl_cap)
        f->decl = must(realloc(f->decl, (size_t)(f->decl_cap = f->decl_cap ? f->decl_cap * 2 : 16) * sizeof *f->decl));
    Decl *d = must(calloc(1, sizeof *d));
    d->name = f->tok->t[at].s;
    d->len = f->tok->t[at].len;
    d->at = at;
    d->dims_first = d->dims_last = -1;
    return f->decl[f->ndecl++] = d;
}

bool local_name(const Function *f, int i)
{
    for (int k = 0; k < f->ndecl; k++)
        if (same_as(f->tok, i, f->decl[k]->name, f->decl[k]->len))
            return true;
    return false;
}

/* The name at i denotes a type, and nothing else that is known. */
bool type_name(const Unit *u, const Function *f, int i)
{
    const Tokens *t = f->tok;
    bool is_type;
    if (!ident(t, i) || local_name(f, i))
        return false;
    if (template_parameter(u, f, t, i, &is_type))
        return is_type;
    if (has_name(u, t, i, N_CONSTANT) || has_name(u, t, i, N_MEMORY) || has_name(u, t, i, N_CONSTANT_MEMORY) ||
        has_name(u, t, i, N_FUNCTION) || function_named(u, t, i, -1) >= 0) /* or a template of functions */
        return false;
    return is_type_word(t, i) || has_name(u, t, i, N_PLAIN_TYPE) || has_name(u, t, i, N_TYPE);
}

/* The name at i denotes a value, and nothing else that is known. */
bool value_name(const Unit *u, const Function *f, int i)
{
    const Tokens *t = f->tok;
    bool is_type;
    if (local_name(f, i))
        return true;
    if (template_parameter(u, f, t, i, &is_type))
        return !is_type;
    if (is_type_word(t, i) || has_name(u, t, i, N_PLAIN_TYPE) || has_name(u, t, i, N_TYPE))
        return false;
    return has_name(u, t, i, N_CONSTANT) || has_name(u, t, i, N_MEMORY) || has_name(u, t, i, N_CONSTANT_MEMORY) ||
           has_name(u, t, i, N_FUNCTION) || is_pure_name(t, i) || is(t, i, W_THREAD_IDX) || is(t, i, W_BLOCK_IDX) ||
           is(t, i, W_BLOCK_DIM) || is(t, i, W_GRID_DIM) || is(t, i, W_WARP_SIZE);
}

bool hides_coordinates(const Unit *u, const Function *f)
{
    static const Word words[] = {W_THREAD_IDX, W_BLOCK_IDX, W_BLOCK_DIM, W_GRID_DIM, W_NONE};
    const Tokens *t = f->tok;
    for (int i = f->open; i < f->end; i = next(t, i)) {
        int p = prev(t, i);
        if (!ident(t, i) || !in(t, words, i) || is(t, p, W_DOT) || is(t, p, W_ARROW))
            continue;
        if (hidden_by_program(u, f, t, i) || local_name(f, i) || is(t, p, W_GREATER) || is(t, next(t, i), W_BRACE) ||
            (ident(t, p) && !is_statement_word(t, p)) || is(t, p, W_AUTO))
            return true;
    }
    return false;
}
