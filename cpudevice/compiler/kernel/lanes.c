/* lanes.c: shuffles as something that all threads of a block do together.
 *
 *     x += __shfl_down_sync(m, x, d);   becomes   cpudev_come_down(m, x, d); cpudev_exchange(); x += cpudev_came(x);
 *
 * A lane that waits for others wants a stack of its own. But most shuffles stand where all threads of the block come by, or
 * all lanes of some warps; then all may first say what they give, and then take what they got, and regions.c can split the
 * kernel between the two. cpudev_exchange() hands the values over; it is a barrier, and more order changes nothing in a
 * program without races. So is __syncwarp().
 *
 * An `if` round a shuffle is asked first, and then stands round each statement in it; the shuffle's barrier is outside:
 *     if (c) { a; x += shuffle; }   becomes   const bool p = (c); if (p) { a; } if (p) come; exchange; if (p) x += came;
 *
 * Contract of put_lanes: rewrites the canonical tokens, or returns false; regions.c judges the result. A whitelist: a shuffle
 * is the only one of its statement, which evaluates it once, in any case, and beside it changes nothing but what is assigned
 * to; what the shuffle is called with changes nothing. A loop within such an `if` counts by halves or doubles, so that all
 * threads may go round it. Which lanes have come is checked when it runs (cpudev_lanes.h): one that is named and does not
 * come would be waited for. It is not if it ends, so where no thread waits for others any more, cpudev_exchange_last() does
 * without those that do not come. */
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

static const char *const shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", NULL};
static const char *const comes[] = {"idx", "up", "down", "xor"};

static bool warp_word(const Tokens *t, int i) { return ident(t, i) && (in(t, shuffles, i) || is(t, i, "__syncwarp")); }

bool warp_function(const Tokens *t, int i)
{
    return warp_word(t, i) && is(t, next(t, i), "(") && !is(t, prev(t, i), ".") && !is(t, prev(t, i), "->") &&
           !is(t, prev(t, i), "::");
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

/* Does n change nothing, but for the call, and evaluate that in any case? */
static bool harmless_round(const Lanes *x, const Node *n, const Node *call)
{
    const Tokens *t = x->t;
    if (n == call)
        return true;
    if (!call_at(n, call->first))
        return harmless(x->u, x->f, n);
    bool sometimes = n->kind == E_TERNARY || (n->kind == E_BINARY && (is(t, n->op, "&&") || is(t, n->op, "||")));
    if (sometimes && !call_at(n->kid[0], call->first) && !broken(x->u, RULE_SOMETIMES))
        return false;
    if (n->kind == E_BINARY || n->kind == E_UNARY) {
        if (overloaded(x->u, x->f, n) || is(t, n->op, "++") || is(t, n->op, "--") || is(t, n->op, "&"))
            return n->kind == E_BINARY && is(t, n->op, "&");
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

/* Is the expression plainly the same for all threads, and may any thread evaluate it? */
static bool same_for_all(const Lanes *x, const Node *n)
{
    const Tokens *t = x->t;
    switch (n->kind) {
    case E_LITERAL: return true;
    case E_NAME:
        if (n->decl)
            return n->decl->is_constexpr || (n->decl->is_param && n->decl->only_read && !n->decl->is_ref);
        return n->first == n->last && constant_name(x->u, x->f, n);
    case E_MEMBER: return is(t, n->op, ".") && same_for_all(x, n->kid[0]);
    case E_UNARY:
        if (!is(t, n->op, "!") && !is(t, n->op, "-") && !is(t, n->op, "+") && !is(t, n->op, "~"))
            return false;
        break;
    case E_BINARY:
        if ((is(t, n->op, "/") || is(t, n->op, "%")) && strip(n->kid[1])->kind != E_LITERAL &&
            !is(t, strip(n->kid[1])->first, "warpSize"))
            return false;
        break;
    case E_CAST:
        if (n->n != 1)
            return false;
        break;
    case E_PAREN: break;
    default: return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!same_for_all(x, n->kid[i]))
            return false;
    return !overloaded(x->u, x->f, n);
}

/* The number of a literal, or -1. */
static long literal(const Lanes *x, const Node *n)
{
    n = strip(n);
    return n->kind == E_LITERAL && x->t->t[n->first].kind == T_NUM ? strtol(x->t->t[n->first].s, NULL, 0) : -1;
}

/* Is n's operator, which has two operands, that one? It may be several tokens: > >= */
static bool operator_is(const Lanes *x, const Node *n, const char *s)
{
    for (int i = n->op; i < n->kid[1]->first; i = next(x->t, i)) {
        size_t len = (size_t)x->t->t[i].len;
        if (strncmp(s, x->t->t[i].s, len) || len > strlen(s))
            return false;
        s += len;
    }
    return !*s;
}

/* Is n between 0 and 1024, whoever asks: a number, the warp's or the block's size, or a part of those? */
static bool small(const Lanes *x, const Node *n)
{
    n = strip(n);
    switch (n->kind) {
    case E_LITERAL: return literal(x, n) >= 0 && literal(x, n) <= 1024;
    case E_NAME: return !n->decl && is(x->t, n->first, "warpSize");
    case E_MEMBER: return !n->kid[0]->decl && is(x->t, n->first, "blockDim");
    case E_BINARY: {
        long by = literal(x, n->kid[1]);
        bool number = (by >= 1 && by < 32) || (is(x->t, n->op, "/") && by == 32);
        return (is(x->t, n->op, "/") || operator_is(x, n, ">>")) && small(x, n->kid[0]) && !overloaded(x->u, x->f, n) &&
               (number || is(x->t, strip(n->kid[1])->first, "warpSize"));
    }
    default: return false;
    }
}

/* `for (T i = a; i > 0; i /= 2)`, `for (T i = 1; i < b; i *= 2)`, in their usual forms, with i changed nowhere else. All
 * threads go round it equally often, and come to an end: those too for which the `if` round it does not hold. */
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
    bool halves = (operator_is(x, step, ">>=") && by == 1) || (operator_is(x, step, "/=") && by == 2);
    if (named(condition) == d)
        return halves && small(x, d->init);
    if (condition->kind != E_BINARY || named(condition->kid[0]) != d)
        return false;
    long limit = literal(x, condition->kid[1]);
    if (halves)
        return (operator_is(x, condition, ">") && limit >= 0) || (operator_is(x, condition, ">=") && limit >= 1);
    if ((operator_is(x, step, "<<=") && by == 1) || (operator_is(x, step, "*=") && by == 2))
        return (operator_is(x, condition, "<") || operator_is(x, condition, "<=")) && literal(x, d->init) >= 1 &&
               small(x, condition->kid[1]);
    return false;
}

/* Waits any thread for others behind this token? */
static bool more_waiting(const Lanes *x, int i)
{
    for (i = next(x->t, i); i < x->f->end; i = next(x->t, i))
        if (warp_function(x->t, i) || is(x->t, i, "__syncthreads"))
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
    if (same_for_all(x, condition) || is(x->t, next(x->t, n->first), "constexpr")) {
        copy(x, n->first, next(x->t, n->op_last));
        if (!emit_body(x, n->kid[1], p))
            return false;
        if (other)
            say(x, other->first, format(" else "));
        return !other || emit_body(x, other, p);
    }
    if (n->has_barrier) /* for some threads only, perhaps: that is told on fibers */
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
    if (!is(x->t, at, "__syncwarp"))
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
