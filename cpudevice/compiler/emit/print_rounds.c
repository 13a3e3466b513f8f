/* print_rounds.c: under --check, loops that say in which round a thread is.
 *
 *     for (A; B; C) S      { ::cpudev::rounds cpudev_rounds_7(7); for (A; B; C) { cpudev_rounds_7.next(); S } }
 * The counters put the lanes of a warp together whose accesses belong to one instruction: the same place, in the same
 * round of each loop (checker/counters/counters.c). Where a loop's body is one straight line, each lane passes each of its
 * places once per round, and the number of the visit says as much: such loops stay as they are. So do loops with
 * barriers, at which the counters begin anew. */
#include "emit/printer.h"

#include <stdlib.h>

static bool is_loop(const Node *n) { return n->kind == S_FOR || n->kind == S_WHILE || n->kind == S_DO; }

static Node *body_of(const Node *n) { return n->kind == S_DO ? n->kid[0] : n->kid[n->n - 1]; }

/* May a thread that comes to n pass over some of it, or pass some of it more than once? */
static bool branches(const Tokens *t, const Node *n)
{
    if (is_loop(n) || n->kind == S_IF || n->kind == S_GUARD || n->kind == S_SWITCH || n->kind == S_CONTINUE ||
        n->kind == E_TERNARY || n->kind == E_OPAQUE || n->kind == S_OPAQUE)
        return true;
    if (n->kind == E_BINARY && is_short_circuit(n))
        return true;
    if (n->kind == E_CALL && !(n->kid[0]->kind == E_NAME && is_pure_name(t, n->kid[0]->last)))
        return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && branches(t, n->kid[i]))
            return true;
    return false;
}

/* Does a switch outside of n jump into n? No object may be declared on that way. */
static bool has_case(const Node *n)
{
    if (n->kind == S_CASE)
        return true;
    for (int i = 0; n->kind != S_SWITCH && i < n->n; i++)
        if (n->kid[i] && has_case(n->kid[i]))
            return true;
    return false;
}

static void print_loop(Tokens *t, const Node *n)
{
    const Node *body = body_of(n);
    const int id = n->first;
    if (body->kind == S_LIST)
        put_after(t, body->first, format(" cpudev_rounds_%d.next();", id));
    else
        put_round(t, body->first, body->last, format("{ cpudev_rounds_%d.next(); ", id), format(" }"));
    put_round(t, n->first, n->last, format("{ ::cpudev::rounds cpudev_rounds_%d(%d); ", id, id), format(" }"));
}

/* What is inside n first: of two texts put in front of one token the outer one is put last. */
static void print_node(Tokens *t, const Node *n)
{
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !is_expression(n->kid[i]))
            print_node(t, n->kid[i]);
    if (is_loop(n) && !n->has_barrier && branches(t, body_of(n)) && !has_case(body_of(n)))
        print_loop(t, n);
}

/* f: of the unit, or a kernel in canonical form */
void print_rounds(const Function *f)
{
    if (!(f->kernel || f->device || f->name < 0) || f->is_constexpr || f->body < 0 || !f->tree)
        return;
    for (int i = f->body; i < f->end; i = next(f->tok, i))
        if (is(f->tok, i, W_GOTO)) /* it may jump into a loop */
            return;
    print_node(f->tok, f->tree);
}
