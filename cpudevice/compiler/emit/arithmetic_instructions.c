/* arithmetic_instructions.c: how many instructions nvcc makes of each statement, estimated from the tree. Under --model a
 * call in front of the statement counts them for the model (include/cpudev_instructions.h). The cost of each kind of
 * expression is nvcc's (cpudev_instruction_costs.h); the rules are what it does with them:
 *
 *   - what is constant costs nothing, nor does the variable of a loop whose rounds are constant: it is unrolled;
 *   - what does not change in a loop is computed in front of it;
 *   - a sum of a product, a shift or a sum is one operation, where the table says so; a constant index is part of the access;
 *   - the small body of a condition is issued where the condition is false, too;
 *   - loads, stores, shuffles and barriers are not counted here: the counters see them. */
#include "emit/instructions.h"

#include <stdlib.h>
#include <string.h>

static char *call_of(const Counter *c, int at, const Sum *s)
{
    const bool all = c->split && !region_of(c->split, at);
    return format(all ? INSTRUCTIONS "issued_by_all(%#llxull%s, blockDim); " : INSTRUCTIONS "issued(%#llxull%s); ",
                  s->known, s->more);
}

/* In front of a statement of a list, or of one that is the whole body. */
static void put_count(Counter *c, const Node *n, Sum s, bool in_list)
{
    Tokens *t = c->b->t;
    if (!is_nothing(&s)) {
        char *text = call_of(c, n->first, &s);
        if (in_list)
            put_first(t, n->first, text);
        else {
            put_first(t, n->first, format("{ %s", text));
            put_after(t, n->last, format(" }"));
            free(text);
        }
    }
    free(s.more);
}

/* At the beginning of a body. */
static void put_in_body(Counter *c, const Node *body, Sum s)
{
    if (body->kind != S_LIST) {
        put_count(c, body, s, false);
        return;
    }
    if (!is_nothing(&s))
        put_after(c->b->t, body->first, call_of(c, body->first, &s));
    free(s.more);
}

static Sum statement(Counter *c, const Node *n);

static Sum declared(Counter *c, const Node *n)
{
    Sum s = nothing();
    for (int i = 0; i < c->f->ndecl; i++) {
        const Decl *d = c->f->decl[i];
        if (d->statement != n || !d->init || d->is_constexpr || d->is_static)
            continue;
        if (d->init->kind != E_OPAQUE)
            add_cost(c, d->init, &s);
        else if (is(c->t, d->init->first, W_SQUARE) && c->lambdas->n < MOST_LAMBDAS)
            c->lambdas->lambda[c->lambdas->n++] = (Lambda){.d = d, .in = c};
    }
    return s;
}

static void list(Counter *c, const Node *n)
{
    for (int i = 0; i < n->n; i++)
        put_count(c, n->kid[i], statement(c, n->kid[i]), true);
}

/* May the statement be issued under a predicate: is it short, and nothing but expressions? */
static bool is_simple(const Node *n)
{
    if (n->kind == S_LIST) {
        for (int i = 0; i < n->n; i++)
            if (!is_simple(n->kid[i]))
                return false;
        return true;
    }
    return n->kind == S_EXPR || n->kind == S_DECL || n->kind == S_EMPTY;
}

static void simple_cost(Counter *c, const Node *n, Sum *s)
{
    if (n->kind == S_LIST)
        for (int i = 0; i < n->n; i++)
            simple_cost(c, n->kid[i], s);
    else if (n->kind == S_DECL)
        add_sum(s, declared(c, n));
    else
        for (int i = 0; i < n->n; i++)
            add_cost(c, n->kid[i], s);
}

/* What is computed in it need not have been computed after it. */
static void body(Counter *c, const Node *n)
{
    const int available = c->available_n;
    if (n->kind == S_LIST)
        list(c, n);
    else
        put_count(c, n, statement(c, n), false);
    c->available_n = available;
}

/* Of the branch past one side of a condition. Lanes that may part meet again after it, unless the function ends there. */
static int branch_cost(const Counter *c, const Node *n, int side)
{
    const Node *all = c->f->tree;
    const bool at_end = n->kind == S_GUARD || (all->kind == S_LIST && all->n && all->kid[all->n - 1] == n);
    return side == 1 && !at_end && !lanes_agree(c, n->kid[0]) ? CPUDEV_OF_BRANCH : BRANCH;
}

static Sum conditional(Counter *c, const Node *n)
{
    Sum s = nothing();
    const bool decided = folded(c, n->kid[0]); /* by the compiler: one of the bodies is not there */
    add_cost(c, n->kid[0], &s);
    for (int i = 1; i < n->n; i++) {
        const Node *b = n->kid[i];
        Sum of_body = nothing();
        if (!decided && is_simple(b) && !b->has_barrier)
            simple_cost(c, b, &of_body);
        if (!decided && is_simple(b) && !*of_body.more && (of_body.known & 0xffff) <= CPUDEV_PREDICATED) {
            s.known += of_body.known;
        } else {
            s.known += decided ? 0 : (unsigned)branch_cost(c, n, i);
            body(c, b);
        }
        free(of_body.more);
    }
    return s;
}

/* The variable of a loop that changes by a constant in each round, or NULL. nvcc unrolls such a loop. */
static const Decl *steady_variable(const Counter *c, const Node *n)
{
    const Node *init = n->kind == S_FOR ? n->kid[0] : NULL;
    if (!init || !n->kid[1] || !n->kid[2] || init->kind != S_DECL)
        return NULL;
    for (int k = n->first - 1; k >= 0 && passed_over(c->t, k); k--) {
        char *text = format("%.*s", c->t->t[k].len, c->t->t[k].s);
        const bool kept = c->t->t[k].kind == T_PRAGMA && strstr(text, "unroll 1");
        free(text);
        if (kept)
            return NULL;
    }
    const Node *condition = strip(n->kid[1]), *step = strip(n->kid[2]);
    const Decl *d = condition->kind == E_BINARY ? named(condition->kid[0]) : NULL;
    const bool stepped =
        is_increment(step) || (step->kind == E_ASSIGN && step->oper > OP_ASSIGN && folded(c, step->kid[1]));
    return d && d->statement == init && d->init && stepped && named(step->kid[0]) == d && !changed_within(d, n->kid[3])
               ? d
               : NULL;
}

static Sum loop(Counter *c, const Node *n, const Node *of)
{
    Sum before = n->kind == S_FOR && n->kid[0] && n->kid[0]->kind == S_DECL ? declared(c, n->kid[0]) : nothing();
    const Decl *d = steady_variable(c, n);
    if (c->loops == MOST_LOOPS || c->unrolled_n == MOST_LOOPS)
        return before;
    if (d && folded(c, d->init) && folded(c, strip(n->kid[1])->kid[1])) { /* so many rounds one after another */
        c->unrolled_step[c->unrolled_n] = strip(n->kid[2]);
        c->unrolled[c->unrolled_n++] = d;
        if (of->kind == S_LIST)
            list(c, of);
        else
            put_count(c, of, statement(c, of), false);
        c->unrolled_n--;
        return before;
    }
    const Node *step = n->kind == S_FOR ? n->kid[2] : NULL;
    const bool adds = step && (is_increment(strip(step)) || strip(step)->oper == OP_ADD_ASSIGN ||
                               strip(step)->oper == OP_SUBTRACT_ASSIGN);
    Sum round = nothing();
    c->loop[c->loops].n = n;
    c->loop[c->loops].steady = adds ? d : NULL;
    c->loop[c->loops++].before = &before;
    if (d && adds) {
        round.known = CPUDEV_OF_LOOP;
    } else {
        round.known = BRANCH;
        add_cost(c, n->kid[n->kind == S_WHILE ? 0 : 1], &round);
        add_cost(c, step, &round);
    }
    body(c, of);
    c->loops--;
    put_in_body(c, of, round);
    return before;
}

/* The instructions of a statement that are counted in front of it; what is in it counts its own. */
static Sum statement(Counter *c, const Node *n)
{
    Sum s = nothing();
    switch (n->kind) {
    case S_LIST: list(c, n); break;
    case S_EXPR:
    case S_RETURN:
        for (int i = 0; i < n->n; i++)
            add_cost(c, n->kid[i], &s);
        break;
    case S_DECL: free(s.more); return declared(c, n);
    case S_IF:
    case S_GUARD: free(s.more); return conditional(c, n);
    case S_FOR: free(s.more); return loop(c, n, n->kid[3]);
    case S_WHILE: free(s.more); return loop(c, n, n->kid[1]);
    case S_DO: free(s.more); return loop(c, n, n->kid[0]);
    case S_SWITCH:
        s.known = CPUDEV_OF_SWITCH;
        add_cost(c, n->kid[0], &s);
        body(c, n->kid[1]);
        break;
    default: break;
    }
    return s;
}

/* The body of a closure, which has been opaque so far, as a function of its own. */
static void count_lambda(const Counter *outer, const Lambda *l)
{
    const Tokens *t = outer->t;
    const int square = l->d->init->first, shut = mate(t, square), open = next(t, shut);
    const bool has_parameters = is(t, open, W_PAREN);
    int body = next(t, has_parameters ? mate(t, open) : shut);
    while (body < l->d->init->last && !is(t, body, W_BRACE))
        body = next(t, body);
    if (!is(t, body, W_BRACE))
        return;
    Function *f = must(malloc(sizeof *f));
    *f = *outer->f;
    f->start = square, f->name = -1, f->body = body, f->end = mate(t, body);
    f->open = has_parameters ? open : shut, f->close = has_parameters ? mate(t, open) : shut;
    f->decl = NULL, f->ndecl = f->decl_cap = 0;
    parse_function(outer->b->u, f);
    resolve_function(f);
    effects_function(outer->b->u, f);
    Counter *c = must(calloc(1, sizeof *c));
    *c = (Counter){
        .outer = outer, .lambdas = outer->lambdas, .own = l, .b = outer->b, .split = outer->split, .f = f, .t = t};
    if (f->tree->kind == S_LIST)
        list(c, f->tree);
}

void count_instructions(Arithmetic *b, const Split *split)
{
    Lambdas lambdas = {.n = 0};
    Counter c = {.lambdas = &lambdas, .b = b, .split = split, .f = b->f, .t = b->t};
    if (!(b->f->device || b->f->kernel) || (b->f->is_constexpr && b->u->old_constexpr) || b->f->tree->kind != S_LIST)
        return;
    list(&c, b->f->tree);
    if (b->f->kernel && b->f->tree->n)
        put_count(&c, b->f->tree->kid[0], (Sum){CPUDEV_OF_KERNEL, format("%s", "")}, true);
    for (int done = 0; done < lambdas.n;) { /* those that a closure calls are in front of it */
        const int last = lambdas.n;
        for (int i = last; i-- > done;)
            count_lambda(lambdas.lambda[i].in, &lambdas.lambda[i]);
        done = last;
    }
}
