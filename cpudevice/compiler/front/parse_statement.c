/* parse_statement.c: statements and functions.
 *
 * Contract of pass_parse: every outlined function with a body gets a tree; what is not understood is an S_OPAQUE or
 * E_OPAQUE node that spans it. No token is changed. */
#include "front/parser.h"

#include <string.h>

static Node *read_statement(Parser *p, int i, int end);

int statement_end(const Tokens *t, int i, int end)
{
    if (i >= end)
        return end;
    while (is(t, i, W_CASE) || is(t, i, W_DEFAULT) || (ident(t, i) && is(t, next(t, i), W_COLON))) { /* labels */
        while (i < end && !is(t, i, W_COLON))
            i = next(t, is(t, i, W_PAREN) ? mate(t, i) : i);
        if (i >= end || (i = next(t, i)) >= end)
            return end;
    }
    if (is(t, i, W_BRACE))
        return mate(t, i);
    if (is(t, i, W_IF)) {
        int o = next(t, i);
        if (is(t, o, W_CONSTEXPR))
            o = next(t, o);
        int e = statement_end(t, next(t, mate(t, o)), end);
        if (is(t, next(t, e), W_ELSE))
            e = statement_end(t, next(t, next(t, e)), end);
        return e;
    }
    if (is(t, i, W_FOR) || is(t, i, W_WHILE) || is(t, i, W_SWITCH))
        return statement_end(t, next(t, mate(t, next(t, i))), end);
    if (is(t, i, W_DO)) {
        int e = statement_end(t, next(t, i), end);
        return next(t, mate(t, next(t, next(t, e))));
    }
    for (; i < end && !is(t, i, W_SEMICOLON); i = next(t, i))
        if (is(t, i, W_PAREN) || is(t, i, W_SQUARE) || is(t, i, W_BRACE))
            i = mate(t, i);
    return i;
}

static Node *opaque_up_to(int i, int last)
{
    Node *n = new_node(S_OPAQUE, i, last);
    n->has_barrier = true; /* perhaps */
    return n;
}

static Node *opaque(Parser *p, int i, int end)
{
    int e = statement_end(p->t, i, end);
    return opaque_up_to(i, e < end ? e : prev(p->t, end));
}

static Node *read_list(Parser *p, int open)
{
    int close = mate(p->t, open);
    Node *n = new_node(S_LIST, open, close), *outer = p->list;
    p->list = n;
    for (int i = next(p->t, open); i < close;) {
        Node *s = read_statement(p, i, close);
        if (s->last < i || s->last >= close) /* only in a text that is not C++ */
            s = opaque_up_to(i, prev(p->t, close));
        add_kid(n, s);
        i = next(p->t, s->last);
    }
    p->list = outer;
    return n;
}

/* A declaration at i? *maybe: it could be one, or an expression. */
static bool declaration_at(Parser *p, int i, int end, bool *maybe)
{
    const Tokens *t = p->t;
    Type y;
    *maybe = false;
    if (is_statement_word(t, i) && !is(t, i, W_AUTO) && !is(t, i, W_DECLTYPE) && !is(t, i, W_STRUCT) &&
        !is(t, i, W_ENUM))
        return false;
    if (is_qualifier(t, i) || is_keyword_type(t, i) || is(t, i, W_AUTO) || is(t, i, W_DECLTYPE) || is(t, i, W_STRUCT) ||
        is(t, i, W_ENUM) || is(t, i, W_ALIGNAS) || is(t, i, W_ALIGN) || is(t, i, W_ATTRIBUTE)) {
        int n = next(t, i); /* float(x) = ... is an expression */
        return !(is_keyword_type(t, i) && (is(t, n, W_PAREN) || is(t, n, W_BRACE)));
    }
    if (!ident(t, i) || !read_type(p->u, p->f, i, end, &y))
        return false;
    int n = next(t, y.last);
    if (n >= end)
        return false;
    if (ident(t, n))
        return !local_name(p->f, i) || y.last > i;
    if (!is(t, n, W_STAR) && !is(t, n, W_AND) && !is(t, n, W_AND_AND))
        return false;
    while (is(t, n, W_STAR) || is(t, n, W_AND) || is(t, n, W_AND_AND) || is(t, n, W_CONST))
        n = next(t, n);
    if (!ident(t, n) || n >= end || value_name(p->u, p->f, i))
        return false;
    *maybe = !y.named;
    return y.named;
}

/* asm("") with or without clobbers: a barrier for the compiler, which does nothing. */
static bool empty_assembly(const Tokens *t, int i, int semi)
{
    int open = next(t, i);
    while (is(t, open, W_VOLATILE) || is(t, open, W_VOLATILE__))
        open = next(t, open);
    int text = next(t, open), behind = next(t, text);
    if (!is(t, open, W_PAREN) || next(t, mate(t, open)) != semi || t->t[text].kind != T_STR || t->t[text].len != 2)
        return false;
    for (; behind < mate(t, open); behind = next(t, behind)) /* no operands */
        if (!is(t, behind, W_COLON) && !is(t, behind, W_SCOPE) && t->t[behind].kind != T_STR && !is(t, behind, W_COMMA))
            return false;
    return true;
}

static Node *read_simple(Parser *p, int i, int end)
{
    const Tokens *t = p->t;
    int semi = statement_end(t, i, end);
    bool maybe;
    if (!is(t, semi, W_SEMICOLON))
        return opaque(p, i, end);
    if (is(t, i, W_SEMICOLON))
        return new_node(S_EMPTY, i, i);
    if ((is(t, i, W_ASM) || is(t, i, W_ASM__)) && empty_assembly(t, i, semi))
        return new_node(S_EMPTY, i, semi);
    if (is(t, i, W_USING) || is(t, i, W_TYPEDEF) || is(t, i, W_STATIC_ASSERT)) {
        if (contains(t, i, semi, W_STRUCT) || contains(t, i, semi, W_NAMESPACE) || contains(t, i, semi, W_UNION))
            return opaque(p, i, end);
        int name = is(t, i, W_USING) ? next(t, i) : prev(t, semi);
        if (!is(t, i, W_STATIC_ASSERT))
            add_name(p->u, t, name, N_TYPE);
        return new_node(S_TYPES, i, semi);
    }
    if ((is(t, i, W_SYNCTHREADS) || is(t, i, W_CPUDEV_EXCHANGE) || is(t, i, W_CPUDEV_EXCHANGE_LAST)) &&
        is(t, next(t, i), W_PAREN) && next(t, next(t, i)) == prev(t, semi)) {
        Node *n = new_node(S_BARRIER, i, semi);
        n->barrier = is(t, i, W_SYNCTHREADS)       ? BARRIER_BLOCK
                     : is(t, i, W_CPUDEV_EXCHANGE) ? BARRIER_EXCHANGE
                                                   : BARRIER_LAST_EXCHANGE;
        n->has_barrier = true;
        return n;
    }
    bool declaration = declaration_at(p, i, semi, &maybe);
    Node *n = maybe ? opaque(p, i, end) : declaration ? read_declaration(p, i, semi) : new_node(S_EXPR, i, semi);
    if (n->kind == S_EXPR) {
        add_kid(n, read_expression(p, i, semi));
        if (n->kid[0]->kind == E_OPAQUE)
            n->kind = S_OPAQUE;
    }
    if (n->kind == S_OPAQUE)
        n->has_barrier = true;
    return n;
}

static Node *read_for(Parser *p, int i, int end)
{
    const Tokens *t = p->t;
    int open = next(t, i), close = mate(t, open), semi[2], n = 0;
    for (int k = next(t, open); k < close;
         k = next(t, is(t, k, W_PAREN) || is(t, k, W_SQUARE) || is(t, k, W_BRACE) ? mate(t, k) : k))
        if (is(t, k, W_SEMICOLON)) {
            if (n == 2)
                return opaque(p, i, end);
            semi[n++] = k;
        }
    if (!is(t, open, W_PAREN) || n != 2)
        return opaque(p, i, end);
    Node *f = new_node(S_FOR, i, -1), *outer = p->list;
    p->list = f;
    Node *init = next(t, open) == semi[0] ? NULL : read_simple(p, next(t, open), next(t, semi[0]));
    add_kid(f, init);
    add_kid(f, next(t, semi[0]) == semi[1] ? NULL : read_expression(p, next(t, semi[0]), semi[1]));
    add_kid(f, next(t, semi[1]) == close ? NULL : read_expression(p, next(t, semi[1]), close));
    add_kid(f, read_statement(p, next(t, close), end));
    p->list = outer;
    f->last = f->kid[3]->last;
    if (init && init->kind != S_DECL && init->kind != S_EXPR)
        return opaque(p, i, end);
    for (int k = 0; init && init->kind == S_DECL && k < p->f->ndecl; k++)
        p->f->decl[k]->is_loop |= p->f->decl[k]->statement == init;
    return f;
}

/* if, while, switch: a condition in parentheses, then statements */
static Node *read_conditional(Parser *p, int i, int end, NodeKind kind)
{
    const Tokens *t = p->t;
    int open = next(t, i);
    bool maybe;
    if (kind == S_IF && is(t, open, W_CONSTEXPR))
        open = next(t, open);
    int close = mate(t, open);
    if (!is(t, open, W_PAREN) || close >= end || declaration_at(p, next(t, open), close, &maybe) || maybe)
        return opaque(p, i, end);
    for (int k = open; k < close; k = next(t, k))
        if (is(t, k, W_SEMICOLON))
            return opaque(p, i, end);
    Node *n = new_node(kind, i, -1);
    n->op = open;
    n->op_last = close;
    add_kid(n, read_expression(p, next(t, open), close));
    add_kid(n, read_statement(p, next(t, close), end));
    n->last = n->kid[1]->last;
    if (kind == S_IF && is(t, next(t, n->last), W_ELSE)) {
        add_kid(n, read_statement(p, next(t, next(t, n->last)), end));
        n->last = n->kid[2]->last;
    }
    return n;
}

static Node *read_do(Parser *p, int i, int end)
{
    const Tokens *t = p->t;
    Node *n = new_node(S_DO, i, -1), *body = read_statement(p, next(t, i), end);
    int w = next(t, body->last), open = next(t, w), close = mate(t, open);
    if (!is(t, w, W_WHILE) || !is(t, open, W_PAREN) || !is(t, next(t, close), W_SEMICOLON) || close >= end)
        return opaque(p, i, end);
    n->op = open;
    n->op_last = close;
    add_kid(n, body);
    add_kid(n, read_expression(p, next(t, open), close));
    n->last = next(t, close);
    return n;
}

static Node *read_case(Parser *p, int i, int end)
{
    const Tokens *t = p->t;
    int colon = i;
    while (colon < end && !is(t, colon, W_COLON))
        colon = next(t, is(t, colon, W_PAREN) ? mate(t, colon) : colon);
    Node *n = new_node(S_CASE, i, colon);
    if (is(t, i, W_CASE))
        add_kid(n, read_expression(p, next(t, i), colon));
    return n;
}

static Node *read_statement(Parser *p, int i, int end)
{
    const Tokens *t = p->t;
    if (i >= end)
        return opaque_up_to(prev(t, end), prev(t, end)); /* it is missing */
    if (is(t, i, W_BRACE))
        return read_list(p, i);
    if (is(t, i, W_IF))
        return read_conditional(p, i, end, S_IF);
    if (is(t, i, W_WHILE))
        return read_conditional(p, i, end, S_WHILE);
    if (is(t, i, W_SWITCH))
        return read_conditional(p, i, end, S_SWITCH);
    if (is(t, i, W_FOR))
        return read_for(p, i, end);
    if (is(t, i, W_DO))
        return read_do(p, i, end);
    if (is(t, i, W_CASE) || is(t, i, W_DEFAULT))
        return read_case(p, i, end);
    if (is(t, i, W_RETURN)) {
        int semi = statement_end(t, i, end);
        Node *n = new_node(S_RETURN, i, semi);
        if (next(t, i) < semi)
            add_kid(n, read_initialiser(p, next(t, i), semi, false));
        return n;
    }
    if (is(t, i, W_BREAK) || is(t, i, W_CONTINUE))
        return new_node(is(t, i, W_BREAK) ? S_BREAK : S_CONTINUE, i, next(t, i));
    if ((ident(t, i) && is(t, next(t, i), W_COLON)) || is(t, i, W_GOTO) || is(t, i, W_TRY) || is(t, i, W_SQUARE))
        return opaque(p, i, end);
    return read_simple(p, i, end);
}

/* The parameters, as declarations; false if they are not understood. */
static bool read_parameters(Parser *p)
{
    const Tokens *t = p->t;
    Function *f = p->f;
    int first = next(t, f->open);
    if (first >= f->close || (is(t, first, W_VOID) && next(t, first) == f->close))
        return true;
    for (int i = first; i < f->close;) {
        int e = i;
        for (; e < f->close && !is(t, e, W_COMMA); e = next(t, e)) {
            if (is(t, e, W_PAREN) || is(t, e, W_SQUARE) || is(t, e, W_BRACE))
                e = mate(t, e);
            else if (is(t, e, W_LESS) && angle_forward(t, e) > 0 && angle_forward(t, e) < f->close)
                e = angle_forward(t, e);
            else if (is(t, e, W_DOT))
                return false;
        }
        int count = f->ndecl;
        Node *n = read_declaration(p, i, e);
        if (n->kind != S_DECL || f->ndecl != count + 1) {
            /* a parameter without a name */
            if (f->ndecl != count || !read_type_id(p->u, f, i, e))
                return false;
        } else {
            f->decl[count]->is_param = true;
            f->decl[count]->statement = f->decl[count]->list = NULL;
        }
        i = e < f->close ? next(t, e) : e;
    }
    f->nparams = f->ndecl;
    return true;
}

void parse_function(Unit *u, Function *f)
{
    Parser p = {.u = u, .f = f, .t = f->tok, .i = f->body, .end = f->end};
    f->ndecl = f->nparams = 0;
    f->tree = new_node(S_OPAQUE, f->body, f->end);
    for (int i = f->body; i < f->end; i++) /* of pass_merge: both sides' bodies */
        if (p.t->t[i].kind == T_CODE)
            return;
    if (!read_parameters(&p))
        return;
    f->tree = read_list(&p, f->body);
}

void pass_parse(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].body >= 0 && u->function[i].name >= 0)
            parse_function(u, &u->function[i]);
}
