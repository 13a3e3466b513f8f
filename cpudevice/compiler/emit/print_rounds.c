/* print_rounds.c: under --check, loops and functions that say in which of their rounds and calls a thread is.
 *
 *     for (A; B; C) S      { ROUNDS cpudev_rounds_7(7); for (A; B; C) { cpudev_rounds_7.next(); S } }
 *     void f(T *p) { S }   void f(T *p) { ROUNDS cpudev_call_9(9, true); S }
 * The counters put the lanes of a warp together whose accesses belong to one instruction: the same place, in the same
 * round of each loop and the same call of each function around it (checker/counters/counters.c). It is the text that is
 * read, not the tree: what the parser has not understood has loops, too, and so have lambdas. Where a loop's body is one
 * straight line, each lane passes each of its places once per round, and the number of the visit says as much: such loops
 * stay as they are. So do loops of regions with barriers, at which the counters begin anew. */
#include "emit/printer.h"

#include <stdlib.h>
#include <string.h>

#define OBJECT "__attribute__((cleanup(cpudev_rounds_over))) ::cpudev::rounds "

static bool is_loop(const Tokens *t, int i) { return is(t, i, W_FOR) || is(t, i, W_WHILE) || is(t, i, W_DO); }

/* Is the parenthesis at i that of a call which may lead to an access, a branch or a loop? */
static bool is_call(const Tokens *t, int i)
{
    static const Word none[] = {W_IF, W_FOR, W_WHILE, W_SWITCH, W_RETURN, W_SIZEOF, W_ALIGNAS, W_DECLTYPE, W_NONE};
    const int p = prev(t, i);
    if (is(t, p, W_PAREN_END) || is(t, p, W_SQUARE_END) || is(t, p, W_GREATER))
        return true; /* or a cast's operand */
    return ident(t, p) && !in(t, none, p) && !is_keyword_type(t, p) && !is_pure_name(t, p);
}

/* May a thread that comes to first..last pass over some of it, or pass some of it more than once? */
static bool branches(const Tokens *t, int first, int last)
{
    static const Word words[] = {W_FOR,  W_WHILE,    W_DO,    W_IF,      W_SWITCH, W_CONTINUE,
                                 W_GOTO, W_QUESTION, W_OR_OR, W_AND_AND, W_NONE};
    for (int i = first; i <= last && i < t->n - 1; i = next(t, i))
        if (in(t, words, i) || (is(t, i, W_PAREN) && is_call(t, i)) ||
            (ident(t, i) && (same_as(t, i, "and", 3) || same_as(t, i, "or", 2))))
            return true;
    return false;
}

/* May there be functions that run without a call: operators, conversions, constructors? */
static bool has_members(const Unit *u, const Function *in)
{
    if (contains(in->tok, in->body, in->end, W_STRUCT) || contains(in->tok, in->body, in->end, W_CLASS) ||
        contains(in->tok, in->body, in->end, W_UNION))
        return true;
    for (int k = 0; k < u->nfunction; k++) {
        const Function *f = &u->function[k];
        const Token *at = &f->tok->t[f->open];
        if ((f->member || (f->name >= 0 && is(f->tok, f->name, W_OPERATOR))) && !at->sys && !at->library && !at->header)
            return true;
    }
    return false;
}

/* The last switch before i whose statement goes on after i; -1. */
static int switch_around(const Tokens *t, int from, int i, int end)
{
    int found = -1;
    for (int k = from; k < i; k = next(t, k))
        if (is(t, k, W_SWITCH) && statement_end(t, k, end) > i)
            found = k;
    return found;
}

/* Does a switch outside of the loop jump into its body? */
static bool has_case(const Tokens *t, int first, int last)
{
    for (int i = first; i <= last; i = next(t, i)) {
        if (is(t, i, W_SWITCH))
            i = statement_end(t, i, last);
        else if (is(t, i, W_CASE) || (is(t, i, W_DEFAULT) && is(t, next(t, i), W_COLON)))
            return true;
    }
    return false;
}

/* Does a goto jump from outside to a label in first..last? No object may be declared on that way. */
static bool has_label(const Tokens *t, int from, int first, int last, int end)
{
    for (int i = from; i < end; i = next(t, i)) {
        const int name = next(t, i);
        if (!is(t, i, W_GOTO) || !ident(t, name) || (i >= first && i <= last))
            continue;
        for (int k = first; k <= last; k = next(t, k))
            if (ident(t, k) && same(t, k, name) && is(t, next(t, k), W_COLON))
                return true;
    }
    return false;
}

/* The loop at i, in the body from..end. */
static void print_loop(Tokens *t, int i, int from, int end, bool always)
{
    const int last = statement_end(t, i, end), body = is(t, i, W_DO) ? next(t, i) : next(t, mate(t, next(t, i)));
    const int body_end = statement_end(t, body, end), id = i;
    const int head = is(t, i, W_DO) ? next(t, next(t, body_end)) : next(t, i); /* the parenthesis */
    if (body >= end || last >= end || body_end > last || has_label(t, from, body, body_end, end) ||
        !(always || branches(t, body, body_end) || branches(t, next(t, head), mate(t, head))))
        return;
    int first = i;
    if (has_case(t, body, body_end) && (first = switch_around(t, from, i, end)) < 0)
        return;
    if (is(t, body, W_BRACE))
        put_after(t, body, format(" cpudev_rounds_%d.next();", id));
    else if (is(t, body, W_ASM) || is(t, body, W_ASM__) || is(t, body, W_ASM_)) { /* whose tokens may be dropped */
        put_first(t, body, format("{ cpudev_rounds_%d.next(); ", id));
        put_after(t, body_end, format(" }"));
    } else
        put_round(t, body, body_end, format("{ cpudev_rounds_%d.next(); ", id), format(" }"));
    put_round(t, first, statement_end(t, first, end), format("{ " OBJECT "cpudev_rounds_%d(%d); ", id, id),
              format(" }"));
}

/* The `while` at the end of each do-while of the body; *n of them. */
static int *tails_of(const Tokens *t, int from, int end, int *n)
{
    int *tails = NULL;
    *n = 0;
    for (int i = from; i < end; i = next(t, i))
        if (is(t, i, W_DO)) {
            tails = must(realloc(tails, (size_t)(*n + 1) * sizeof *tails));
            tails[(*n)++] = next(t, statement_end(t, next(t, i), end));
        }
    return tails;
}

/* The first tokens of the loops of n that are split at their barriers; *count of them. */
static void split_loops(const Node *n, int **loops, int *count)
{
    if ((n->kind == S_FOR || n->kind == S_WHILE || n->kind == S_DO) && n->has_barrier) {
        *loops = must(realloc(*loops, (size_t)(*count + 1) * sizeof **loops));
        (*loops)[(*count)++] = n->first;
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !is_expression(n->kid[i]))
            split_loops(n->kid[i], loops, count);
}

static bool among(const int *list, int n, int i)
{
    while (n > 0 && list[n - 1] != i)
        n--;
    return n > 0;
}

/* What is inside first: of two texts put in front of one token the outer one is put last. */
static void print_loops(const Unit *u, const Function *f, bool split)
{
    Tokens *t = f->tok;
    int *tails, *splits = NULL, tails_n, splits_n = 0;
    const bool always = has_members(u, f);
    tails = tails_of(t, f->body, f->end, &tails_n);
    if (split && f->tree)
        split_loops(f->tree, &splits, &splits_n);
    for (int i = prev(t, f->end); i > f->body; i = prev(t, i))
        if (ident(t, i) && is_loop(t, i) && !among(tails, tails_n, i) && !among(splits, splits_n, i))
            print_loop(t, i, f->body, f->end, always);
    free(tails);
    free(splits);
}

/* Can a call of f make an access, or call what does? Its parameters and its text are read. */
static bool touches(const Unit *u, const Function *f)
{
    const Tokens *t = f->tok;
    if (f->member || f->name < 0)
        return true;
    for (int i = next(t, f->open); i < f->close; i = next(t, i))
        if (is(t, i, W_STAR) || is(t, i, W_AND) || is(t, i, W_AND_AND) || is(t, i, W_SQUARE) ||
            (ident(t, i) && !is_keyword_type(t, i) && !is_qualifier(t, i) && !is(t, next(t, i), W_COMMA) &&
             next(t, i) != f->close && !is(t, next(t, i), W_ASSIGN)))
            return true;
    for (int i = f->body; i < f->end; i = next(t, i))
        if (is(t, i, W_SQUARE) || is(t, i, W_ARROW) || (is(t, i, W_PAREN) && is_call(t, i)) ||
            (ident(t, i) && has_name(u, t, i, N_MEMORY)))
            return true;
    return false;
}

/* A function of one straight line, which g++ may inline: its places are then its callers', and it need not say anything
 * that would keep g++ from loading a value once. */
static bool print_inline(const Function *f)
{
    Tokens *t = f->tok;
    const int first = f->template_first < 0 ? f->start : next(t, next(t, f->template_last));
    static const Word words[] = {W_INLINE, W_INLINE_, W_INLINE__, W_FORCEINLINE, W_NONE};
    bool has_word = false, here = f->template_first >= 0 || f->member || f->is_constexpr;
    for (int i = first; i < f->open; i = next(t, i)) {
        has_word |= in(t, words, i);
        here |= has_word || is(t, i, W_STATIC);
    }
    if (f->name < 0 || !here || is(t, prev(t, f->name), W_SCOPE) || branches(t, f->body, f->end))
        return false;
    for (int i = f->start; i < f->open; i = next(t, i))
        if (is(t, i, W_EXTERN) || (ident(t, i) && (same_as(t, i, "noinline", 8) || same_as(t, i, "__noinline__", 12))))
            return false;
    put_before(t, first, format("%s__attribute__((always_inline)) ", has_word ? "" : "inline "));
    return true;
}

static void print_call(Tokens *t, int brace)
{
    if (!t->t[brace].after || !strstr(t->t[brace].after, "cpudev_call_"))
        put_after(t, brace, format(" " OBJECT "cpudev_call_%d(%d, true);", brace, brace));
}

/* f: of the unit, or a kernel in canonical form; split: at its barriers */
void print_rounds(const Unit *u, const Function *f, bool split)
{
    Tokens *t = f->tok;
    if (!(f->kernel || f->device || f->name < 0) || f->body < 0 || t->t[f->body].sys || t->t[f->body].library ||
        t->t[f->body].header || (f->is_constexpr && u->old_constexpr))
        return;
    for (int i = f->body; i < f->end; i++) /* of pass_merge: both sides' bodies */
        if (t->t[i].kind == T_CODE)
            return;
    print_loops(u, f, split);
    int head;
    for (int i = next(t, f->body); i < f->end; i = next(t, i))
        if (is(t, i, W_BRACE) && (lambda_brace(t, i, &head) || method_brace(t, i)))
            print_call(t, i);
    if (!f->kernel && touches(u, f) && !print_inline(f))
        print_call(t, f->body);
}
