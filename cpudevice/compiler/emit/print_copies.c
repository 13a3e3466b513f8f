/* print_copies.c: structs that calls return and take by value, under --check.
 *
 * g++'s -fsanitize=thread looks at assignments. Where a call returns a struct into memory, `*p = f()`, or takes one from
 * memory, `g(*p)`, the copy is a part of the call, and nothing looks at it unless the call is inlined. So each such value
 * gets a temporary: cpudev::value_of(f()) is copied by the assignment, cpudev::copy_of(*p) before the call. */
#include "emit/printer.h"
#include "analysis/analysis.h"
#include "front/declarator.h"

#include <stdlib.h>

/* ---- which parameters are structs by value ---- */

static bool scalar_type(const Tokens *t, int first, int last)
{
    for (int i = first; i <= last; i = next(t, i))
        if (!is_keyword_type(t, i) && !is_qualifier(t, i))
            return false;
    return true;
}

/* May parameter `index` of the parameters open..close be a struct that is taken by value? */
static bool takes_struct(const Tokens *t, int open, int close, int index)
{
    for (int n = 0, i = next(t, open); i < close; n++, i = next(t, i)) {
        Declarator d;
        const int type = i, declarator = scan_specifiers(t, i, close, false);
        if (!scan_declarator(t, declarator, close, &d))
            return false;
        if (n == index || (d.pack && n < index))
            return !d.is_ref && !d.stars && !d.grouped && d.dims <= 0 && !scalar_type(t, type, prev(t, declarator));
        i = d.end;
    }
    return false;
}

static bool takes_any_struct(const Function *f)
{
    int n = 1;
    for (int i = next(f->tok, f->open); i < f->close; i = next(f->tok, i))
        n += is(f->tok, i, W_COMMA);
    while (n-- > 0)
        if (takes_struct(f->tok, f->open, f->close, n))
            return true;
    return false;
}

static bool called(const Function *f, const Tokens *t, int name)
{
    return f->name >= 0 && same_as(t, name, f->tok->t[f->name].s, f->tok->t[f->name].len);
}

/* Function k of both sides. */
static const Function *function_of(const Copies *c, int k)
{
    return k < c->u->nfunction ? &c->u->function[k] : &c->hosts[k - c->u->nfunction];
}

/* Do all functions of the name in t take operand `index` as a struct by value, if they take it at all? */
static bool all_take_struct(const Copies *c, const Tokens *t, int name, int index)
{
    bool any = false;
    for (int k = 0; k < c->n && !any; k++)
        any = called(c->by_value[k], t, name);
    for (int k = 0; any && k < c->u->nfunction + c->nhosts; k++) {
        const Function *f = function_of(c, k);
        if (called(f, t, name) && !takes_struct(f->tok, f->open, f->close, index))
            return false;
    }
    return any;
}

/* ---- what functions return ---- */

typedef enum { REFERENCE, NO_STRUCT /* a number, a pointer or a reference */ } Returned;

static bool returned_is(const Tokens *t, int name, Returned what)
{
    const int p = prev(t, name);
    if (what == REFERENCE || is(t, p, W_AND))
        return is(t, p, W_AND);
    return is(t, p, W_STAR) || (is_keyword_type(t, p) && !is(t, p, W_AUTO));
}

/* Does each function of the program that is called by that name return such? There may be none. */
static bool returns(const Copies *c, const Tokens *t, const Node *callee, Returned what)
{
    const int name = callee->kind == E_NAME && !callee->decl ? callee_name(t, callee) : -1;
    int k = name < 0 ? -1 : function_named(c->u, t, name, -1);
    if (k < 0)
        return false;
    for (; k >= 0; k = function_named(c->u, t, name, k))
        if (!returned_is(&c->u->tok, c->u->function[k].name, what))
            return false;
    return true;
}

/* ---- what is printed ---- */

static void wrap(Tokens *t, const Node *n, const char *call)
{
    put_first(t, n->first, format("%s(", call));
    put_after(t, n->last, format(")"));
}

/* Does n denote an object outside of the thread's own registers? */
static bool in_memory(const Copies *c, const Tokens *t, const Node *n)
{
    n = strip(n);
    switch (n->kind) {
    case E_NAME: return n->decl ? n->decl->is_ref || n->decl->is_shared : has_name(c->u, t, n->last, N_MEMORY);
    case E_INDEX:
    case E_MEMBER:
    case E_ASSIGN: return true;
    case E_CALL: return returns(c, t, strip(n->kid[0]), REFERENCE);
    case E_UNARY: return n->oper == OP_DEREFERENCE || n->oper == OP_INCREMENT || n->oper == OP_DECREMENT;
    case E_COMMA: return in_memory(c, t, n->kid[n->n - 1]);
    case E_TERNARY: return in_memory(c, t, n->kid[1]) && in_memory(c, t, n->kid[2]);
    case E_CAST: /* to a reference: (One &)x, static_cast<One &&>(x) */
        return is(t, n->op_last, W_AND) || is(t, n->op_last, W_AND_AND);
    default: return false;
    }
}

/* Is it a pointer to a function, or a lambda, whose type says what it takes? */
static bool is_object(const Copies *c, const Tokens *t, const Node *callee)
{
    if (callee->kind == E_INDEX || (callee->kind == E_NAME && callee->decl))
        return true;
    if (callee->kind == E_UNARY)
        return callee->oper == OP_DEREFERENCE;
    bool pointer = false;
    for (int k = 0; k < c->pointers_n && callee_name(t, callee) == callee->last; k++)
        pointer |= same_as(t, callee->last, c->u->tok.t[c->pointer[k]].s, c->u->tok.t[c->pointer[k]].len);
    for (int k = 0; pointer && k < c->u->nfunction + c->nhosts; k++) /* or a function of that name? */
        pointer = !called(function_of(c, k), t, callee->last);
    return pointer && !has_name(c->u, t, callee->last, N_TYPE);
}

/* A bit field has no reference. */
static bool may_be_bit_field(const Node *n)
{
    n = strip(n);
    switch (n->kind) {
    case E_MEMBER: return true;
    case E_ASSIGN:
    case E_UNARY: return may_be_bit_field(n->kid[0]);
    case E_COMMA: return may_be_bit_field(n->kid[n->n - 1]);
    case E_TERNARY: return may_be_bit_field(n->kid[1]) || may_be_bit_field(n->kid[2]);
    default: return false;
    }
}

static void print_arguments(const Copies *c, Tokens *t, const Node *call)
{
    const Node *callee = strip(call->kid[0]);
    const bool object = is_object(c, t, callee);
    const int name = callee_name(t, callee);
    for (int i = 1; (object || name >= 0) && i < call->n; i++) {
        if (!in_memory(c, t, call->kid[i]))
            continue;
        if (object && !may_be_bit_field(call->kid[i])) {
            char *what = text_within(t, callee->first, callee->last);
            char *take = format("::cpudev::passed<%d, decltype(%s)>", i - 1, what);
            wrap(t, call->kid[i], take);
            free(take);
            free(what);
        } else if (!object && all_take_struct(c, t, name, i - 1))
            wrap(t, call->kid[i], "::cpudev::copy_of");
    }
}

static void print_operands(const Copies *c, const Function *f, Tokens *t, const Node *n)
{
    if (!c->operators || n->oper == OP_ADDRESS || !overloaded(c->u, f, n)) /* a copy has another address */
        return;
    for (int i = 0; i < n->n; i++)
        if (in_memory(c, t, n->kid[i]) && operator_takes_value(c->u, f, n, i))
            wrap(t, n->kid[i], "::cpudev::copy_of");
}

/* May the value of n be what a call returns, as a struct? */
static bool returned_struct(const Copies *c, const Function *f, const Node *n)
{
    n = strip(n);
    switch (n->kind) {
    case E_CALL: return !calls_arithmetic(c->u, f, n->kid[0]) && !returns(c, f->tok, strip(n->kid[0]), NO_STRUCT);
    case E_BINARY:
    case E_UNARY:
    case E_POSTFIX: return n->oper != OP_DEREFERENCE && c->operators && overloaded(c->u, f, n);
    case E_TERNARY: return returned_struct(c, f, n->kid[1]) || returned_struct(c, f, n->kid[2]);
    case E_COMMA: return returned_struct(c, f, n->kid[n->n - 1]);
    case E_CAST:
    case E_LIST:
        if (n->kind == E_CAST && scalar_type(f->tok, n->op, n->op_last))
            return false;
        for (int i = 0; i < n->n; i++)
            if (returned_struct(c, f, n->kid[i]))
                return true;
        return false;
    default: return false;
    }
}

/* ---- text that is not understood: initialisers of members and of objects made in place ---- */

/* Is first..last a call? */
static bool is_call(const Tokens *t, int first, int last)
{
    const int open = is(t, last, W_PAREN_END) ? mate_back(t, last) : -1, callee = prev(t, open);
    return open > first && callee >= first &&
           (is(t, callee, W_GREATER) || (ident(t, callee) && !in(t, takes_parens, callee))) &&
           !is(t, first, W_SQUARE) && !is_keyword_type(t, callee);
}

static void print_values(Tokens *t, int open)
{
    for (int i = next(t, open), end; i < mate(t, open); i = next(t, end)) {
        end = comma_or_end(t, i, mate(t, open));
        if (is_call(t, i, prev(t, end))) {
            put_first(t, i, format("::cpudev::value_of("));
            put_after(t, prev(t, end), format(")"));
        }
        if (end >= mate(t, open))
            return;
    }
}

/* new (place) T(f()), with `new` at i */
static void print_placed(Tokens *t, int i)
{
    int j = next(t, i);
    if (!is(t, j, W_PAREN))
        return;
    for (j = next(t, mate(t, j)); ident(t, j) || is(t, j, W_SCOPE) || is(t, j, W_LESS); j = next(t, j))
        if (is(t, j, W_LESS) && (j = angle_forward(t, j)) < 0)
            return;
    if (is(t, j, W_PAREN) || is(t, j, W_BRACE))
        print_values(t, j);
}

/* *p = {f(), g()}, with the `=` at i */
static void print_list(Tokens *t, int i)
{
    const int p = prev(t, i);
    if (is(t, next(t, i), W_BRACE) && is(t, next(t, mate(t, next(t, i))), W_SEMICOLON) && !ident(t, p))
        print_values(t, next(t, i));
}

/* T(...) : a(f()), b{g()} { */
static void print_members(Tokens *t, const Function *f)
{
    if (!is(t, next(t, f->close), W_COLON))
        return;
    for (int i = next(t, next(t, f->close)); i < f->body; i = next(t, i))
        if (is(t, i, W_PAREN) || is(t, i, W_BRACE)) {
            print_values(t, i);
            i = mate(t, i);
        }
}

/* Does first..last denote an object, by how it is written: *p, p[i], p->x, and in parentheses? */
static bool written_as_object(const Tokens *t, int first, int last)
{
    if (is(t, first, W_PAREN) && mate(t, first) == last)
        return written_as_object(t, next(t, first), prev(t, last));
    const int p = prev(t, last);
    return is(t, first, W_STAR) || is(t, last, W_SQUARE_END) ||
           (last > first && ident(t, last) && (is(t, p, W_DOT) || is(t, p, W_ARROW)));
}

/* Is the `=` at i that of an assignment? Of a declaration at most that of a pointer, which may be copied. */
static bool assigns(const Tokens *t, int i)
{
    const int p = prev(t, i), q = prev(t, p);
    if (is_enumerator(t, p))
        return false;
    return is(t, p, W_SQUARE_END) || is(t, p, W_PAREN_END) ||
           (ident(t, p) && (is(t, q, W_DOT) || is(t, q, W_ARROW) || is(t, q, W_STAR) || is(t, q, W_SEMICOLON) ||
                            is(t, q, W_BRACE) || is(t, q, W_BRACE_END)));
}

/* What is assigned by the `=` at i, within the brackets that it is in and up to `last`. */
static void print_value(Tokens *t, int i, int last)
{
    const int round = enclosing(t, i), close = round < 0 ? last + 1 : mate(t, round);
    int from = next(t, i), end = comma_or_end(t, from, close <= last ? close : next(t, last));
    for (int k = from; k < end; k = next(t, k))
        if (is(t, k, W_SEMICOLON))
            end = k;
        else if (is(t, k, W_PAREN) || is(t, k, W_BRACE) || is(t, k, W_SQUARE))
            k = mate(t, k);
    if (assigns(t, i) && from < end && is_call(t, from, prev(t, end))) {
        put_first(t, from, format("::cpudev::value_of("));
        put_after(t, prev(t, end), format(")"));
    }
}

/* The arguments of a call of the function whose name is at i. */
static void print_taken(const Copies *c, Tokens *t, int i)
{
    const int open = next(t, i), p = prev(t, i);
    if (!ident(t, i) || !is(t, open, W_PAREN) || is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE))
        return;
    for (int n = 0, k = next(t, open), end; k < mate(t, open); n++, k = next(t, end)) {
        end = comma_or_end(t, k, mate(t, open));
        if (written_as_object(t, k, prev(t, end)) && all_take_struct(c, t, i, n)) {
            put_first(t, k, format("::cpudev::copy_of("));
            put_after(t, prev(t, end), format(")"));
        }
        if (end >= mate(t, open))
            return;
    }
}

static void print_word(const Copies *c, Tokens *t, int i, int last)
{
    if (is(t, i, W_NEW)) {
        print_placed(t, i);
    } else if (is(t, i, W_ASSIGN)) {
        print_list(t, i);
        print_value(t, i, last);
    } else {
        print_taken(c, t, i);
    }
}

static void print_text(const Copies *c, Tokens *t, const Node *n)
{
    for (int i = n->first, head; i <= n->last; i = next(t, i)) {
        if (is(t, i, W_BRACE) && lambda_brace(t, i, &head))
            i = mate(t, i); /* a closure's body has a tree of its own */
        else
            print_word(c, t, i, n->last);
        if (i == t->n - 1)
            return;
    }
}

/* *p = f(), or *p = k by a function of k's class: operator T() */
static void print_assigned(const Copies *c, const Function *f, Tokens *t, const Node *n)
{
    if (returned_struct(c, f, n->kid[1])) {
        wrap(t, n->kid[1], "::cpudev::value_of");
    } else if (c->conversions && in_memory(c, t, n->kid[0]) && strip(n->kid[1])->kind == E_NAME) {
        char *what = text_within(t, n->kid[0]->first, n->kid[0]->last);
        char *convert = format("::cpudev::converted<decltype(%s)>", what);
        wrap(t, n->kid[1], convert);
        free(convert);
        free(what);
    }
}

/* What is inside n first: of two calls put in front of one token the outer one is put last. */
static void print_node(const Copies *c, const Function *f, Tokens *t, const Node *n)
{
    for (int i = 0; i < n->n; i++)
        if (n->kid[i])
            print_node(c, f, t, n->kid[i]);
    if (n->kind == E_OPAQUE)
        print_text(c, t, n);
    if (n->kind == E_CALL)
        print_arguments(c, t, n);
    if (n->kind == E_BINARY || n->kind == E_UNARY)
        print_operands(c, f, t, n);
    if (n->kind == E_ASSIGN && n->oper == OP_ASSIGN)
        print_assigned(c, f, t, n);
}

/* The closures within f. */
static void print_closures(const Copies *c, const Function *f)
{
    for (int i = next(f->tok, f->body); i < f->end; i = next(f->tok, i)) {
        Function closure;
        if (!is(f->tok, i, W_BRACE) || !closure_at(c->u, f, i, &closure))
            continue;
        print_node(c, &closure, f->tok, closure.tree);
        print_closures(c, &closure);
        i = closure.end;
    }
}

/* The name of a pointer to a function, `(*f)(...)` or `(*volatile f[])(...)`, whose parenthesis is at i; else -1. */
static int function_pointer(const Tokens *t, int i)
{
    int j = next(t, i), close = mate(t, i);
    if (t->t[i].sys || !is(t, j, W_STAR) || !is(t, next(t, close), W_PAREN))
        return -1;
    do
        j = next(t, j);
    while (is_qualifier(t, j));
    return ident(t, j) && next(t, j) == close ? j : -1;
}

/* operator T() */
static bool conversion(const Tokens *t, int i)
{
    const int open = next(t, i);
    return is(t, i, W_OPERATOR) && !t->t[i].sys && !t->t[i].header && ident(t, open) && !is(t, open, W_NEW) &&
           !is(t, open, W_DELETE);
}

static void add_function(Copies *c, const Function *f)
{
    if (f->name >= 0 && takes_any_struct(f))
        c->by_value[c->n++] = f;
    c->operators |= f->name >= 0 && is(f->tok, f->name, W_OPERATOR);
}

/* The functions of the host that no function of the device holds. */
static void find_hosts(Copies *c)
{
    const Unit *u = c->u;
    const Tokens *t = &u->tok;
    for (int i = 0, k = 0; i < t->n; i++) {
        Function f;
        if (!host_function_at(u, i, &f))
            continue;
        i = f.end;
        while (k < u->nfunction && u->function[k].body < f.body)
            k++;
        if (k < u->nfunction && u->function[k].body == f.body)
            continue;
        c->hosts = must(realloc(c->hosts, (size_t)(c->nhosts + 1) * sizeof *c->hosts));
        c->hosts[c->nhosts++] = f;
    }
}

Copies find_copies(const Unit *u)
{
    Copies c = {.u = u};
    find_hosts(&c);
    c.by_value = must(malloc(((size_t)u->nfunction + (size_t)c.nhosts + 1) * sizeof *c.by_value));
    for (int k = 0; k < u->nfunction + c.nhosts; k++)
        add_function(&c, function_of(&c, k));
    for (int i = 0, name; i < u->tok.n; i++) {
        c.conversions |= conversion(&u->tok, i);
        if (is(&u->tok, i, W_PAREN) && (name = function_pointer(&u->tok, i)) >= 0) {
            c.pointer = must(realloc(c.pointer, (size_t)(c.pointers_n + 1) * sizeof *c.pointer));
            c.pointer[c.pointers_n++] = name;
        }
    }
    return c;
}

void free_copies(Copies *c)
{
    free(c->by_value);
    free(c->pointer);
    free(c->hosts);
}

void print_copies(const Copies *c, const Function *f)
{
    if (f->is_constexpr || f->body < 0 || !f->tree)
        return;
    if (f->tok == &c->u->tok)
        print_members(f->tok, f);
    print_node(c, f, f->tok, f->tree);
    print_closures(c, f);
}

/* Is the statement from first to last a launch? */
static bool launches(const Tokens *t, int first, int last)
{
    for (int i = first; i < last; i = next(t, i))
        if (is(t, i, W_LESS) && is(t, i + 1, W_LESS) && is(t, i + 2, W_LESS) && adjacent(t, i) && adjacent(t, i + 1))
            return true;
    return false;
}

/* Of the host's functions the text is read: the names that they use, and what is a template, are not known. */
void print_copies_of_host(const Copies *c)
{
    Tokens *t = (Tokens *)&c->u->tok;
    for (int k = 0; k < c->nhosts; k++) {
        const Function *f = &c->hosts[k];
        for (int i = next(t, f->body), end; i < f->end; i = next(t, end)) {
            for (end = i; end < f->end && !is(t, end, W_SEMICOLON) && !is(t, end, W_BRACE) && !is(t, end, W_BRACE_END);)
                end = next(t, end);
            for (int j = i; j < end && !launches(t, i, end) && !f->is_constexpr; j = next(t, j))
                print_word(c, t, j, prev(t, end));
        }
    }
}
