/* parse_expression.c: expressions with C++'s full precedence. Whatever is not understood, or could be read in two ways
 * (a cast or a call, a template or a comparison), makes the whole expression E_OPAQUE: nothing is guessed. */
#include "front/parser.h"

static Node *read_assignment(Parser *p);
static Node *read_unary(Parser *p);

static Node *failed(Parser *p)
{
    p->fail = true;
    return new_node(E_OPAQUE, p->i, p->i);
}

static bool at(const Parser *p, Word word) { return p->i < p->end && is(p->t, p->i, word); }
static void step(Parser *p) { p->i = next(p->t, p->i); }
static int behind(const Parser *p) { return prev(p->t, p->i); }

static Node *read_binary(Parser *p, int least)
{
    Node *left = read_unary(p);
    Operator which;
    for (int length, precedence;
         !p->fail && (precedence = binary_operator(p, p->i, &length, &which)) >= least && precedence > 0;) {
        Node *n = new_node(E_BINARY, left->first, -1);
        n->oper = which;
        n->op = p->i;
        for (int k = 0; k < length; k++)
            step(p);
        n->op_last = behind(p);
        add_kid(n, left);
        add_kid(n, read_binary(p, precedence + 1));
        n->last = behind(p);
        left = n;
    }
    return left;
}

static Node *read_comma(Parser *p)
{
    Node *left = read_assignment(p);
    while (!p->fail && at(p, W_COMMA)) {
        Node *n = new_node(E_COMMA, left->first, -1);
        n->op = n->op_last = p->i;
        step(p);
        add_kid(n, left);
        add_kid(n, read_assignment(p));
        n->last = behind(p);
        left = n;
    }
    return left;
}

static Node *read_assignment(Parser *p)
{
    Node *left = read_binary(p, 1);
    int length;
    Operator which;
    if (p->fail)
        return left;
    if (at(p, W_QUESTION)) {
        Node *n = new_node(E_TERNARY, left->first, -1);
        n->op = p->i;
        step(p);
        add_kid(n, left);
        add_kid(n, read_comma(p));
        if (!at(p, W_COLON))
            return failed(p);
        n->op_last = p->i;
        step(p);
        add_kid(n, read_assignment(p));
        n->last = behind(p);
        return n;
    }
    if ((length = assignment_operator(p, p->i, &which)) > 0) {
        Node *n = new_node(E_ASSIGN, left->first, -1);
        n->oper = which;
        n->op = p->i;
        for (int k = 0; k < length; k++)
            step(p);
        n->op_last = behind(p);
        add_kid(n, left);
        add_kid(n, at(p, W_BRACE) ? failed(p) : read_assignment(p));
        n->last = behind(p);
        return n;
    }
    return left;
}

/* a, b, c up to the closing bracket at `close`, added to n; leaves p after it */
static void read_arguments(Parser *p, Node *n, int close)
{
    int end = p->end;
    if (close >= end) {
        p->fail = true;
        return;
    }
    p->end = close;
    while (!p->fail && p->i < close) {
        if (at(p, W_BRACE)) {
            Node *list = new_node(E_LIST, p->i, mate(p->t, p->i));
            step(p);
            read_arguments(p, list, list->last);
            add_kid(n, list);
        } else
            add_kid(n, read_assignment(p));
        if (p->i < close) {
            if (!at(p, W_COMMA))
                p->fail = true;
            else
                step(p);
        }
    }
    p->end = end;
    p->i = next(p->t, close);
}

/* T(a, b), T{a}, static_cast<T>(a): type_first..type_last, with p at the bracket */
static Node *read_cast(Parser *p, int first, int type_first, int type_last)
{
    Node *n = new_node(E_CAST, first, mate(p->t, p->i));
    n->op = type_first;
    n->op_last = type_last;
    int close = n->last;
    step(p);
    read_arguments(p, n, close);
    return n;
}

static Node *read_parenthesis(Parser *p)
{
    const Tokens *t = p->t;
    int open = p->i, close = mate(t, open), first = next(t, open), after = next(t, close);
    if (close >= p->end)
        return failed(p);
    bool operand = after < p->end &&
                   (ident(t, after) || t->t[after].kind == T_NUM || t->t[after].kind == T_STR || is(t, after, W_PAREN));
    bool perhaps =
        operand || (after < p->end &&
                    (is(t, after, W_MINUS) || is(t, after, W_PLUS) || is(t, after, W_STAR) || is(t, after, W_AND) ||
                     is(t, after, W_AND_AND) || is(t, after, W_NOT) || is(t, after, W_TILDE) ||
                     is(t, after, W_INCREMENT) || is(t, after, W_DECREMENT) || is(t, after, W_BRACE)));
    if (perhaps && read_type_id(p->u, p->f, first, close)) {
        if (is(t, after, W_BRACE) || is(t, after, W_AND_AND))
            return failed(p);
        Node *n = new_node(E_CAST, open, -1);
        n->op = first;
        n->op_last = prev(t, close);
        p->i = after;
        add_kid(n, read_unary(p));
        n->last = behind(p);
        return n;
    }
    /* (name) before something that may be an operand: an unknown type's name? */
    if (perhaps && ident(t, first) && next(t, first) == close && !value_name(p->u, p->f, first))
        return failed(p);
    if (operand && is(t, after, W_PAREN) && !value_name(p->u, p->f, first))
        return failed(p);
    if (operand && !is(t, after, W_PAREN))
        return failed(p);
    Node *n = new_node(E_PAREN, open, close);
    int end = p->end;
    p->i = first;
    p->end = close;
    add_kid(n, read_comma(p));
    if (p->i != close)
        p->fail = true;
    p->end = end;
    p->i = after;
    return n;
}

static Node *read_name(Parser *p)
{
    const Tokens *t = p->t;
    int first = p->i, last = p->i;
    if (at(p, W_SCOPE))
        step(p);
    for (;;) {
        last = p->i;
        if (last >= p->end || !ident(t, last) || is_statement_word(t, last))
            return failed(p);
        int a = template_arguments(p, last);
        if (p->fail)
            return failed(p);
        if (a > 0)
            last = a;
        p->i = next(t, last);
        if (!at(p, W_SCOPE))
            break;
        step(p);
    }
    if (at(p, W_BRACE))
        return failed(p);
    return new_node(E_NAME, first, last);
}

static Node *read_word(Parser *p)
{
    const Tokens *t = p->t;
    int i = p->i;
    if (is(t, i, W_TRUE) || is(t, i, W_FALSE) || is(t, i, W_NULLPTR)) {
        step(p);
        return new_node(E_LITERAL, i, i);
    }
    if (is(t, i, W_STATIC_CAST) || is(t, i, W_REINTERPRET_CAST) || is(t, i, W_CONST_CAST)) {
        int open = next(t, i), close = is(t, open, W_LESS) ? angle_forward(t, open) : -1;
        if (close < 0 || close >= p->end || !is(t, next(t, close), W_PAREN))
            return failed(p);
        p->i = next(t, close);
        return read_cast(p, i, next(t, open), prev(t, close));
    }
    if (type_name(p->u, p->f, i)) {
        int last = i, n = next(t, i);
        if (is(t, n, W_LESS)) {
            last = angle_forward(t, n);
            if (last < 0 || last >= p->end)
                return failed(p);
            n = next(t, last);
        }
        if (n < p->end && (is(t, n, W_PAREN) || is(t, n, W_BRACE))) {
            p->i = n;
            return read_cast(p, i, i, last);
        }
        if (!is(t, n, W_SCOPE))
            return failed(p);
    }
    return read_name(p);
}

static Node *read_primary(Parser *p)
{
    const Tokens *t = p->t;
    int i = p->i;
    if (i >= p->end)
        return failed(p);
    if (t->t[i].kind == T_NUM || t->t[i].kind == T_STR) {
        for (int k = 0; k < t->t[i].len && t->t[i].kind == T_NUM; k++)
            if (t->t[i].s[k] == '_')
                return failed(p); /* a literal of the program's own */
        step(p);
        while (t->t[i].kind == T_STR && p->i < p->end && t->t[p->i].kind == T_STR)
            step(p);
        if (p->i < p->end && ident(t, p->i) && adjacent(t, p->i - 1))
            return failed(p);
        return new_node(t->t[i].kind == T_NUM || *t->t[i].s == '\'' ? E_LITERAL : E_STRING, i, behind(p));
    }
    if (is(t, i, W_PAREN))
        return read_parenthesis(p);
    return ident(t, i) || is(t, i, W_SCOPE) ? read_word(p) : failed(p);
}

static Node *read_member(Parser *p, Node *base)
{
    const Tokens *t = p->t;
    Node *n = new_node(E_MEMBER, base->first, next(t, p->i));
    n->op = n->op_last = p->i;
    n->oper = at(p, W_DOT) ? OP_DOT : OP_ARROW;
    int name = n->last, a = next(t, name);
    if (!ident(t, name) || name >= p->end || is(t, name, W_TEMPLATE) || is(t, name, W_OPERATOR))
        return failed(p);
    if (is(t, a, W_LESS) && angle_forward(t, a) > 0 && is(t, next(t, angle_forward(t, a)), W_PAREN))
        return failed(p); /* a member template or two comparisons */
    p->i = a;
    add_kid(n, base);
    return n;
}

static Node *read_postfix(Parser *p)
{
    Node *base = read_primary(p);
    while (!p->fail && p->i < p->end) {
        Node *n;
        if (at(p, W_PAREN) || at(p, W_SQUARE)) {
            n = new_node(at(p, W_PAREN) ? E_CALL : E_INDEX, base->first, mate(p->t, p->i));
            n->op = p->i;
            n->op_last = n->last;
            add_kid(n, base);
            int close = n->last;
            step(p);
            if (n->kind == E_CALL)
                read_arguments(p, n, close);
            else {
                int end = p->end;
                if (close >= end)
                    return failed(p);
                p->end = close;
                add_kid(n, read_comma(p));
                if (p->i != close)
                    p->fail = true;
                p->end = end;
                p->i = next(p->t, close);
            }
        } else if (at(p, W_DOT) || at(p, W_ARROW)) {
            n = read_member(p, base);
        } else if (at(p, W_INCREMENT) || at(p, W_DECREMENT)) {
            n = new_node(E_POSTFIX, base->first, p->i);
            n->oper = at(p, W_INCREMENT) ? OP_INCREMENT : OP_DECREMENT;
            n->op = n->op_last = p->i;
            step(p);
            add_kid(n, base);
        } else
            break;
        base = n;
    }
    return base;
}

static Node *read_sizeof(Parser *p)
{
    const Tokens *t = p->t;
    int i = p->i, open = next(t, i);
    if (ident(t, open) && open < p->end && !is_statement_word(t, open) &&
        !is(t, next(t, open), W_LESS)) { /* sizeof x */
        Node *n = new_node(E_SIZEOF, i, open);
        p->i = next(t, open);
        return at(p, W_PAREN) || at(p, W_SQUARE) || at(p, W_DOT) || at(p, W_ARROW) || at(p, W_SCOPE) ? failed(p) : n;
    }
    if (!is(t, open, W_PAREN) || mate(t, open) >= p->end)
        return failed(p);
    Node *n = new_node(E_SIZEOF, i, mate(t, open));
    p->i = next(t, n->last);
    return n;
}

static Node *read_unary(Parser *p)
{
    static const struct {
        Word word;
        Operator which;
    } ops[] = {{W_PLUS, OP_PLUS},           {W_MINUS, OP_NEGATE},       {W_NOT, OP_NOT},
               {W_TILDE, OP_COMPLEMENT},    {W_STAR, OP_DEREFERENCE},   {W_AND, OP_ADDRESS},
               {W_INCREMENT, OP_INCREMENT}, {W_DECREMENT, OP_DECREMENT}};
    const Tokens *t = p->t;
    int i = p->i;
    if (p->fail || i >= p->end)
        return failed(p);
    Operator which = OP_NONE;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (is(t, i, ops[k].word))
            which = ops[k].which;
    if (which) {
        Node *n = new_node(E_UNARY, i, -1);
        n->oper = which;
        n->op = n->op_last = i;
        step(p);
        add_kid(n, read_unary(p));
        n->last = behind(p);
        return n;
    }
    if (is(t, i, W_SIZEOF))
        return read_sizeof(p);
    return read_postfix(p);
}

Node *read_expression(Parser *p, int first, int end)
{
    int i = p->i, e = p->end;
    bool fail = p->fail;
    p->i = first;
    p->end = end;
    p->fail = false;
    Node *n = read_comma(p);
    if (p->fail || p->i != end) {
        int last = prev(p->t, end);
        n = new_node(E_OPAQUE, first < last ? first : last, last); /* `if ()` has none */
    }
    p->i = i;
    p->end = e;
    p->fail = fail;
    return n;
}

Node *read_initialiser(Parser *p, int first, int end, bool list)
{
    const Tokens *t = p->t;
    if (!list && !is(t, first, W_BRACE))
        return read_expression(p, first, end);
    int i = p->i, e = p->end;
    bool fail = p->fail;
    Node *n = new_node(E_LIST, first, prev(t, end));
    p->i = next(t, first);
    p->end = end;
    p->fail = mate(t, first) != prev(t, end);
    if (!p->fail)
        read_arguments(p, n, prev(t, end));
    if (p->fail)
        n = new_node(E_OPAQUE, first, prev(t, end));
    p->i = i;
    p->end = e;
    p->fail = fail;
    return n;
}
