/* lanes.c: shuffles as something that all threads of a block do together.
 *
 *     x += __shfl_down_sync(m, x, d);   becomes   cpudev_come_down(m, x, d); cpudev_exchange(); x += cpudev_came(x);
 *
 * A lane that waits for others needs a stack of its own. But all threads of the block, or all lanes of some warps,
 * execute most shuffles together. Then every lane can first give its value and later take the value that it gets, and
 * regions.c can split the kernel between the two. cpudev_exchange() hands the values over. It is a barrier, as
 * __syncwarp() is, and a barrier more changes nothing in a program without races.
 *
 * An `if` round a shuffle is evaluated first, then put round each statement in it; the shuffle's barrier is outside:
 *     if (c) { a; x += shuffle; }   becomes   const bool p = (c); if (p) { a; } if (p) come; exchange; if (p) x += came;
 *
 * Contract of put_lanes: rewrites the canonical tokens, or returns false; regions.c judges the result. A whitelist: a
 * statement has at most one shuffle, always evaluates it once, and changes only the variable that it assigns to; the
 * shuffle's arguments change nothing. A loop within such an `if` halves or doubles its counter, so that all threads
 * can execute it. The runtime checks which lanes take part (cpudev_lanes.h): it reports a lane that the mask names and
 * that does not come, since the others would wait for it. They do not wait for a lane that has ended. So where no
 * thread waits for others later, cpudev_exchange_last() goes on without the lanes that do not come. */
#include "kernel/guards.h"
#include "analysis/analysis.h"
#include "kernel/canonical_form.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const Unit *u;
    const Function *f;
    const Tokens *t;
    Tokens w;         /* the kernel's body anew */
    int ifs;          /* so many conditions have names */
    int loops;        /* round this statement */
    const Node *call; /* the shuffle in this statement, whose value is there by now */
    bool last;        /* lanes for which the innermost `if` does not hold wait for no other any more */
} Lanes;

/* ---- what is in a statement ---- */

static const Word shuffles[] = {W_SHFL_SYNC, W_SHFL_UP_SYNC, W_SHFL_DOWN_SYNC, W_SHFL_XOR_SYNC, W_NONE};
static const char *const comes[] = {"idx", "up", "down", "xor"};

static bool warp_word(const Tokens *t, int i) { return ident(t, i) && (in(t, shuffles, i) || is(t, i, W_SYNCWARP)); }

bool warp_function(const Tokens *t, int i)
{
    return warp_word(t, i) && is(t, next(t, i), W_PAREN) && !is(t, prev(t, i), W_DOT) && !is(t, prev(t, i), W_ARROW) &&
           !is(t, prev(t, i), W_SCOPE);
}

/* The first warp function of n from i on, or -1. */
static int warp_function_in(const Lanes *x, const Node *n, int i)
{
    for (; i <= n->last; i = next(x->t, i))
        if (warp_function(x->t, i))
            return i;
    return -1;
}

static bool has_warp_function(const Lanes *x, const Node *n) { return warp_function_in(x, n, n->first) >= 0; }

static const Node *call_at(const Node *n, int token)
{
    if (!n)
        return NULL;
    if (n->kind == E_CALL && n->first == token)
        return n;
    for (int i = 0; i < n->n; i++) {
        const Node *found = call_at(n->kid[i], token);
        if (found)
            return found;
    }
    return NULL;
}

/* Does n change nothing, apart from the call, and always evaluate the call? */
static bool harmless_round(const Lanes *x, const Node *n, const Node *call)
{
    if (n == call)
        return true;
    if (!call_at(n, call->first))
        return harmless(x->u, x->f, n);
    bool sometimes = n->kind == E_TERNARY || is_short_circuit(n);
    if (sometimes && !call_at(n->kid[0], call->first) && !broken(x->u, RULE_SOMETIMES))
        return false;
    if (n->kind == E_BINARY || n->kind == E_UNARY) {
        if (overloaded(x->u, x->f, n) || is_increment(n) || n->oper == OP_ADDRESS)
            return false;
    } else if (n->kind == E_CALL) {
        if (!calls_arithmetic(x->u, x->f, n->kid[0]))
            return false;
    } else if (n->kind != E_PAREN && n->kind != E_CAST && n->kind != E_TERNARY) {
        return false;
    }
    for (int i = n->kind == E_CALL; i < n->n; i++)
        if (!harmless_round(x, n->kid[i], call))
            return false;
    return true;
}

/* The only declaration of the statement, or NULL. */
static const Decl *only_declaration(const Lanes *x, const Node *n)
{
    const Decl *found = NULL;
    for (int i = 0; i < x->f->ndecl; i++)
        if (x->f->decl[i]->statement == n) {
            if (found)
                return NULL;
            found = x->f->decl[i];
        }
    return found;
}

/* ---- conditions and loops round shuffles ---- */

/* May a thread evaluate n that would not have done so, and before there are placements? */
static bool evaluable(const Lanes *x, const Node *n)
{
    const bool divides = n->oper == OP_DIVIDE || n->oper == OP_REMAINDER;
    switch (n->kind) {
    case E_LITERAL: return true;
    case E_NAME: return n->decl ? n->decl->is_constexpr || n->decl->is_param : n->first == n->last;
    case E_BINARY:
        if (divides && strip(n->kid[1])->kind != E_LITERAL && !is(x->t, strip(n->kid[1])->first, W_WARP_SIZE))
            return false;
        break;
    case E_CAST:
        if (n->n != 1)
            return false;
        break;
    case E_MEMBER:
    case E_UNARY:
    case E_PAREN: break;
    default: return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!evaluable(x, n->kid[i]))
            return false;
    return true;
}

/* Is the expression plainly the same for all threads of a block, and may any thread evaluate it? */
static bool same_for_all(const Lanes *x, const Node *n) { return same_in_block(n->variance) && evaluable(x, n); }

/* The number of a literal, or -1. */
static long literal(const Lanes *x, const Node *n)
{
    n = strip(n);
    return n->kind == E_LITERAL && x->t->t[n->first].kind == T_NUM ? strtol(x->t->t[n->first].s, NULL, 0) : -1;
}

/* Is n between 0 and 1024, whoever asks: a number, the warp's or the block's size, or a part of those? */
static bool small(const Lanes *x, const Node *n)
{
    n = strip(n);
    switch (n->kind) {
    case E_LITERAL: return literal(x, n) >= 0 && literal(x, n) <= 1024;
    case E_NAME: return !n->decl && is(x->t, n->first, W_WARP_SIZE);
    case E_MEMBER: return !n->kid[0]->decl && is(x->t, n->first, W_BLOCK_DIM);
    case E_BINARY: {
        long by = literal(x, n->kid[1]);
        bool number = (by >= 1 && by < 32) || (n->oper == OP_DIVIDE && by == 32);
        return (n->oper == OP_DIVIDE || n->oper == OP_SHIFT_RIGHT) && small(x, n->kid[0]) &&
               !overloaded(x->u, x->f, n) && (number || is(x->t, strip(n->kid[1])->first, W_WARP_SIZE));
    }
    default: return false;
    }
}

/* `for (T i = a; i > 0; i /= 2)`, `for (T i = 1; i < b; i *= 2)`, in their usual forms, with i changed nowhere else. All
 * threads execute it equally often and leave it, also those for which the enclosing `if` does not hold. */
static bool halves_or_doubles(const Lanes *x, const Node *n)
{
    const Decl *d = n->kid[0] && n->kid[0]->kind == S_DECL ? only_declaration(x, n->kid[0]) : NULL;
    const Node *condition = n->kid[1] ? strip(n->kid[1]) : NULL, *step = n->kid[2] ? strip(n->kid[2]) : NULL;
    if (!d || !d->type_known || d->stars || d->ndims || d->is_ref || !d->init || d->init_form != '=' ||
        !same_for_all(x, d->init) || !condition || !step || step->kind != E_ASSIGN || named(step->kid[0]) != d)
        return false;
    for (int i = 0; i < d->nuse; i++)
        if (d->use[i].kind != USE_READ && !(step->first <= d->use[i].at && d->use[i].at <= step->last))
            return false;
    long by = literal(x, step->kid[1]);
    bool halves = (step->oper == OP_SHIFT_RIGHT_ASSIGN && by == 1) || (step->oper == OP_DIVIDE_ASSIGN && by == 2);
    if (named(condition) == d)
        return halves && small(x, d->init);
    if (condition->kind != E_BINARY || named(condition->kid[0]) != d)
        return false;
    long limit = literal(x, condition->kid[1]);
    if (halves)
        return (condition->oper == OP_GREATER && limit >= 0) || (condition->oper == OP_GREATER_EQUAL && limit >= 1);
    if ((step->oper == OP_SHIFT_LEFT_ASSIGN && by == 1) || (step->oper == OP_MULTIPLY_ASSIGN && by == 2))
        return (condition->oper == OP_LESS || condition->oper == OP_LESS_EQUAL) && literal(x, d->init) >= 1 &&
               small(x, condition->kid[1]);
    return false;
}

/* Does any thread wait for others after this token? */
static bool more_waiting(const Lanes *x, int i)
{
    for (i = next(x->t, i); i < x->f->end; i = next(x->t, i))
        if (warp_function(x->t, i) || is(x->t, i, W_SYNCTHREADS))
            return true;
    return false;
}

/* ---- writing the body anew; p: what a thread must hold true to take part, or NULL ---- */

static void say(Lanes *x, int at, char *text) { words_say(&x->w, &x->t->t[at], text); }

/* The tokens a..b-1; in the place of x->call what the thread got. */
static void copy(Lanes *x, int a, int b)
{
    const Node *call = x->call;
    if (a >= b)
        return;
    if (call && a <= call->first && call->last < b) {
        x->call = NULL;
        copy(x, a, call->first);
        say(x, call->first, format(" cpudev_came("));
        copy(x, call->kid[2]->first, next(x->t, call->kid[2]->last));
        say(x, call->first, format(")"));
        copy(x, next(x->t, call->last), b);
        return;
    }
    words_mark(&x->w, &x->t->t[a]);
    words_copy(&x->w, x->t, a, b);
}

static bool emit(Lanes *x, const Node *n, const char *p);

static bool emit_body(Lanes *x, const Node *n, const char *p)
{
    say(x, n->first, format(" { "));
    bool ok = emit(x, n, p);
    say(x, n->last, format(" } "));
    return ok;
}

/* A loop's body. */
static bool emit_round(Lanes *x, const Node *n, const char *p)
{
    x->loops++;
    bool ok = emit_body(x, n, p);
    x->loops--;
    return ok;
}

/* A declaration within an `if`: its variables are declared in any case. */
static bool emit_declaration(Lanes *x, const Node *n, const char *p)
{
    for (int i = 0; i < x->f->ndecl; i++) {
        const Decl *d = x->f->decl[i];
        if (d->statement != n)
            continue;
        if (d->is_shared || d->is_constexpr) {
            copy(x, n->first, next(x->t, n->last));
            return true;
        }
        if (d->is_static || d->is_extern || d->is_ref || d->is_auto || d->is_decltype || d->is_volatile ||
            (d->init_form && (d->init_form != '=' || d->ndims || !d->init || d->init->kind == E_LIST)))
            return false;
        copy(x, d->type_first, next(x->t, d->type_last));
        if (!d->init) {
            copy(x, d->first, next(x->t, d->last));
        } else {
            copy(x, d->first, d->init->first);
            say(x, d->at, format(" %s ? (", p));
            copy(x, d->init->first, next(x->t, d->init->last));
            say(x, d->at, format(") : 0 "));
        }
        say(x, d->at, format("; "));
    }
    return true;
}

/* A statement in which no thread waits for others, or none any more. */
static bool emit_plain(Lanes *x, const Node *n, const char *p)
{
    if (p && n->kind == S_DECL)
        return emit_declaration(x, n, p);
    bool asks = p && n->kind != S_TYPES;
    if (asks)
        say(x, n->first, format(" if (%s) { ", p));
    copy(x, n->first, next(x->t, n->last));
    if (asks)
        say(x, n->last, format(" } "));
    return true;
}

static bool emit_conditional(Lanes *x, const Node *n, const char *p)
{
    const Node *condition = n->kid[0], *other = n->n > 2 ? n->kid[2] : NULL;
    if (same_for_all(x, condition) || is(x->t, next(x->t, n->first), W_CONSTEXPR)) {
        copy(x, n->first, next(x->t, n->op_last));
        if (!emit_body(x, n->kid[1], p))
            return false;
        if (other)
            say(x, other->first, format(" else "));
        return !other || emit_body(x, other, p);
    }
    if (n->has_barrier) /* for some threads only, perhaps: fibers report that */
        return false;
    /* lanes that part may meet again in two shuffles at once: that is not for a loop */
    if (other && has_warp_function(x, n->kid[1]) && has_warp_function(x, other) && !broken(x->u, RULE_BRANCHES))
        return false;
    char *name = format("cpudev_if_%d", ++x->ifs), *not_it = p ? format("%s && !%s", p, name) : format("!%s", name);
    say(x, n->first, format(" { const bool %s = %s%s(", name, p ? p : "", p ? " && " : ""));
    copy(x, condition->first, next(x->t, condition->last));
    say(x, n->first, format("); "));
    bool outer = x->last;
    x->last = !x->loops && !more_waiting(x, n->last);
    bool ok = emit(x, n->kid[1], name) && (!other || emit(x, other, not_it));
    x->last = outer;
    say(x, n->last, format(" } "));
    free(not_it);
    free(name);
    return ok;
}

static const char *exchange(const Lanes *x) { return x->last ? "cpudev_exchange_last();" : "cpudev_exchange();"; }

/* The statement n with the shuffle at `at`: all come, all exchange, all go on. */
static bool emit_shuffle(Lanes *x, const Node *n, int at, const char *p)
{
    const Decl *d = n->kind == S_DECL ? only_declaration(x, n) : NULL;
    const Node *root = n->kind == S_EXPR ? strip(n->kid[0]) : d && d->init_form == '=' ? d->init : NULL;
    const Node *call = root ? call_at(root, at) : NULL;
    if (!call || call->n < 4 || call->n > 5 || warp_function_in(x, n, next(x->t, at)) >= 0)
        return false;
    for (int i = 1; i < call->n; i++)
        if (!harmless(x->u, x->f, call->kid[i]))
            return false;
    if (root->kind == E_ASSIGN ? overloaded(x->u, x->f, root) || !harmless(x->u, x->f, root->kid[0]) ||
                                     !harmless_round(x, root->kid[1], call)
                               : !harmless_round(x, root, call))
        return false;
    int kind = 0;
    while (!is(x->t, at, shuffles[kind]))
        kind++;
    say(x, at, format("%s%s%s cpudev_come_%s", p ? " if (" : " ", p ? p : "", p ? ")" : "", comes[kind]));
    copy(x, next(x->t, at), next(x->t, call->last));
    say(x, at, format("; %s ", exchange(x)));
    x->call = call;
    return emit_plain(x, n, p);
}

static bool emit_warp_function(Lanes *x, const Node *n, const char *p)
{
    int at = warp_function_in(x, n, n->first);
    if (!is(x->t, at, W_SYNCWARP))
        return emit_shuffle(x, n, at, p);
    const Node *call = n->kind == S_EXPR ? strip(n->kid[0]) : NULL;
    if (!call || call->kind != E_CALL || call->first != at || call->n > 2 ||
        (call->n == 2 && !harmless(x->u, x->f, call->kid[1])))
        return false;
    if (!p) {
        say(x, at, format(" __syncthreads(); "));
        return true;
    }
    say(x, at, format(" if (%s) cpudev_come_idx(", p));
    if (call->n == 2)
        copy(x, call->kid[1]->first, next(x->t, call->kid[1]->last));
    say(x, at, format("%s, 0, 0); %s ", call->n == 2 ? "" : "0xffffffffu", exchange(x)));
    return true;
}

static bool emit(Lanes *x, const Node *n, const char *p)
{
    if (!has_warp_function(x, n))
        return emit_plain(x, n, p);
    switch (n->kind) {
    case S_LIST: {
        bool ok = true;
        say(x, n->first, format(" { "));
        for (int i = 0; ok && i < n->n; i++)
            ok = emit(x, n->kid[i], p);
        say(x, n->last, format(" } "));
        return ok;
    }
    case S_IF: return emit_conditional(x, n, p);
    case S_FOR:
        if (p && !halves_or_doubles(x, n) && !broken(x->u, RULE_ROUNDS))
            return false;
        if (!has_warp_function(x, n->kid[3]))
            return false;
        copy(x, n->first, n->kid[3]->first);
        return emit_round(x, n->kid[3], p);
    case S_WHILE:
        if (p)
            return false;
        copy(x, n->first, next(x->t, n->op_last));
        return emit_round(x, n->kid[1], p);
    case S_DECL:
    case S_EXPR: return emit_warp_function(x, n, p);
    default: return false;
    }
}

bool put_lanes(Unit *u, Kernel *k)
{
    const Function *f = &k->canonical;
    Lanes x = {.u = u, .f = f, .t = f->tok};
    for (int i = f->body; i < f->end; i = next(x.t, i))
        if (warp_word(x.t, i) &&
            (!warp_function(x.t, i) || function_named(u, x.t, i, -1) >= 0 || hidden_by_program(u, f, x.t, i)))
            return false;
    if (f->tree->kind != S_LIST || !has_warp_function(&x, f->tree) || !emit(&x, f->tree, NULL)) {
        free(x.w.t);
        return false;
    }
    replace_tokens(f->tok, f->body, f->end + 1, &x.w);
    canonical_bounds(k);
    return true;
}
