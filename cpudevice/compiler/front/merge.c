/* merge.c: one source for host and device.
 *
 * Contract: unit.tok becomes the device's text with the host's text where that is to stand; unit.host is read only.
 *
 * __CUDA_ARCH__ is defined when nvcc compiles for the device and not when it compiles for the host, so #ifdef can give
 * a __host__ __device__ function two bodies. Where a program asks for it, cucc hands over what the preprocessor made of
 * it either way. The device's text is the one that is compiled, but where the two differ
 *   in a __host__ __device__ function     it gets both bodies and asks where it runs
 *   in any other function of the host     the host's text stands
 *   outside functions                     the host's text is taken where the device has none, unless it is device code
 *
 * The question where a function runs is a token of kind T_CODE, which no later pass reads; a body with such a token in it
 * is never parsed (see parse_function). */
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int d0, d1, h0, h1; /* tokens of the device's text and of the host's in their place */
    enum { KEEP, REPLACE } what;
} Difference;
typedef struct {
    int open, close; /* braces of a __host__ __device__ function's body */
} Both;

static int skip_marks(const Token *t, int i)
{
    while (t[i].kind == T_LINE || t[i].kind == T_PRAGMA)
        i++;
    return i;
}

/* The end of the run of tokens that begins at i and is on one line. There are markers in it where a macro of the
 * command line is in a system header. */
static int line_end(const Token *t, int i)
{
    int e = i + 1;
    for (int k = e; t[k].kind != T_END && t[k].file == t[i].file && t[k].line == t[i].line; k = skip_marks(t, e))
        e = k + 1;
    return e;
}

static bool same_token(const Token *a, const Token *b)
{
    return a->kind == b->kind && a->line == b->line && a->file == b->file && a->len == b->len &&
           !memcmp(a->s, b->s, (size_t)a->len);
}

/* The same line of the same file, whatever either makes of it? */
static bool same_line(const Token *a, const Token *b)
{
    return a->kind == T_END || b->kind == T_END ? a->kind == b->kind : a->line == b->line && a->file == b->file;
}

static int next_line(const Token *t, int i) { return t[i].kind == T_END ? i : skip_marks(t, line_end(t, i)); }

/* Where the two differ; pair[i] becomes the host's token that is the device's token i. */
static Difference *differences(const Token *d, const Token *h, int *pair, int *count)
{
    enum { FAR = 3000 }; /* lines that are looked through for one that both have */
    Difference *list = NULL;
    int n = 0, room = 0, i = skip_marks(d, 0), j = skip_marks(h, 0);
    while (d[i].kind != T_END || h[j].kind != T_END) {
        Difference x = {i, i, j, j, KEEP};
        if (same_line(&d[i], &h[j])) {
            x.d1 = line_end(d, i);
            x.h1 = line_end(h, j);
            i = next_line(d, i);
            j = next_line(h, j);
        } else {
            /* the nearest line that both have: ds[a] and hs[b], a + b as small as may be */
            static int ds[FAR + 1], hs[FAR + 1];
            int a = 0, b = 0;
            bool found = false;
            ds[0] = i;
            hs[0] = j;
            for (int sum = 1; sum <= FAR && !found; sum++) {
                ds[sum] = next_line(d, ds[sum - 1]);
                hs[sum] = next_line(h, hs[sum - 1]);
                for (a = -1; a < sum && !found;) {
                    b = sum - ++a;
                    found = same_line(&d[ds[a]], &h[hs[b]]);
                }
            }
            if (!found)
                break; /* the rest is taken as it is for the device */
            if (a)
                x.d1 = line_end(d, ds[a - 1]);
            if (b)
                x.h1 = line_end(h, hs[b - 1]);
            i = ds[a];
            j = hs[b];
            if (!a)
                x.d0 = x.d1 = i;
        }
        while (x.d0 < x.d1 && x.h0 < x.h1 && same_token(&d[x.d0], &h[x.h0]))
            pair[x.d0++] = x.h0++;
        while (x.d0 < x.d1 && x.h0 < x.h1 && same_token(&d[x.d1 - 1], &h[x.h1 - 1]))
            pair[--x.d1] = --x.h1;
        if (x.d0 == x.d1 && x.h0 == x.h1)
            continue;
        if (n == room)
            list = must(realloc(list, (size_t)(room = room ? room * 2 : 16) * sizeof *list));
        list[n++] = x;
    }
    *count = n;
    return list;
}

/* What the brace at i opens: 'n' a namespace, class or the like, 'h' a function of the host, 'd' of the device, 'b' of
 * both, ' ' anything else. */
static char brace_kind(const Tokens *t, int i)
{
    bool global = false, device = false, host = false, scope = false, parameters = false, constant = false;
    for (int p = prev(t, i); p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END);
         p = prev(t, p)) {
        if (is(t, p, W_PAREN_END) || is(t, p, W_SQUARE_END)) {
            bool round = is(t, p, W_PAREN_END);
            p = mate_back(t, p);
            if (p < 0)
                break;
            parameters |= round && !in(t, takes_parens, prev(t, p));
            continue;
        }
        if (is(t, p, W_PAREN) || (is(t, p, W_ASSIGN) && p == prev(t, i)))
            break;
        global |= is(t, p, W_GLOBAL);
        device |= is(t, p, W_DEVICE);
        host |= is(t, p, W_HOST);
        constant |= is(t, p, W_CONSTEXPR);
        scope |= is(t, p, W_NAMESPACE) || is(t, p, W_CLASS) || is(t, p, W_STRUCT) || is(t, p, W_UNION) ||
                 is(t, p, W_ENUM) || (is(t, p, W_EXTERN) && !parameters);
    }
    if (global || (device && (!host || constant))) /* a constant expression cannot ask where it runs */
        return 'd';
    if (device)
        return 'b';
    return parameters ? 'h' : scope ? 'n' : ' ';
}

static void merge_text(Tokens *out, TokenKind kind, char *text)
{
    push(out, (Token){.s = text, .lead = text, .len = (int)strlen(text), .kind = kind, .mate = -1});
}

/* A line marker: what follows is on t's line. */
static void merge_mark(Tokens *out, const Token *t)
{
    if (t->file)
        merge_text(out, T_LINE, format("\n# %d \"%s\"\n", t->line, t->file));
    else
        merge_text(out, T_SPACE, format("\n"));
}

static void merge_host(Tokens *out, const Token *h, int from, int to)
{
    merge_mark(out, &h[from]);
    for (int k = from; k < to; k++) {
        Token t = h[k];
        if (k == from)
            t.lead = t.s;
        push(out, t);
    }
}

/* What the walk over the device's text has found. */
typedef struct {
    Difference *list;
    int count, *pair;
    Both *both;
    int nboth;
} Plan;

static void plan_difference(const Tokens *dt, const Token *h, Plan *p, Difference *x, const int *stack,
                            const char *kinds, int depth)
{
    char kind = depth ? kinds[depth - 1] : 'n';
    if (kind == 'h')
        x->what = REPLACE;
    else if (kind == 'b') {
        int outer = depth - 1;
        while (outer > 0 && kinds[outer - 1] == 'b')
            outer--;
        int open = stack[outer], close = mate(dt, open);
        if ((!p->nboth || p->both[p->nboth - 1].open != open) && p->pair[open] >= 0 && p->pair[close] > p->pair[open])
            p->both[p->nboth++] = (Both){open, close};
    } else if (kind == 'n' && x->d0 == x->d1) {
        x->what = REPLACE;
        for (int k = x->h0; k < x->h1; k++)
            if (h[k].kind == T_ID && h[k].len == 10 &&
                (!memcmp(h[k].s, "__device__", 10) || !memcmp(h[k].s, "__global__", 10)))
                x->what = KEEP;
    }
}

static void make_plan(const Tokens *dt, const Token *h, Plan *p)
{
    const Token *d = dt->t;
    int n = dt->n, depth = 0, *stack = must(malloc((size_t)n * sizeof *stack));
    char *kinds = must(malloc((size_t)n)); /* of the braces on the stack */
    p->pair = must(malloc((size_t)n * sizeof *p->pair));
    p->both = must(malloc((size_t)n * sizeof *p->both));
    for (int i = 0; i < n; i++)
        p->pair[i] = -1;
    p->list = differences(d, h, p->pair, &p->count);
    for (int i = 0, one = 0; i < n && one < p->count; i++) {
        while (one < p->count && p->list[one].d0 == i) {
            Difference *x = &p->list[one++];
            if (!d[i].sys && !(x->h0 < x->h1 && h[x->h0].sys))
                plan_difference(dt, h, p, x, stack, kinds, depth);
        }
        if (is(dt, i, W_BRACE)) {
            char kind = brace_kind(dt, i), outer = depth ? kinds[depth - 1] : 'n';
            kinds[depth] = kind == ' ' || (kind == 'h' && outer != 'n') || (kind == 'n' && outer != 'n') ? outer : kind;
            stack[depth++] = i;
        } else if (is(dt, i, W_BRACE_END) && depth)
            depth--;
    }
    free(stack);
    free(kinds);
}

static void carry_out(Tokens *out, const Token *d, int n, const Token *h, const Plan *p)
{
    bool moved = false; /* what was pushed last is from elsewhere: the next token needs a marker */
    for (int i = 0, one = 0, both = 0; i < n;) {
        if (both < p->nboth && i == p->both[both].close) {
            merge_text(out, T_CODE, format("\n} else {"));
            merge_host(out, h, p->pair[p->both[both].open] + 1, p->pair[i]);
            merge_text(out, T_CODE, format("\n}"));
            moved = true;
            both++;
        }
        while (one < p->count && p->list[one].d0 <= i) {
            const Difference *x = &p->list[one++];
            if (x->what != REPLACE || x->d0 != i)
                continue;
            if (x->h0 < x->h1) {
                merge_host(out, h, x->h0, x->h1);
                moved = true;
            }
            moved |= x->d1 > i;
            i = x->d1;
        }
        if (i >= n)
            break;
        Token t = d[i];
        if (moved) {
            merge_mark(out, &t);
            t.lead = t.s;
            moved = false;
        }
        push(out, t);
        if (both < p->nboth && i == p->both[both].open)
            merge_text(out, T_CODE, format(" if (::cpudev_tls.worker) {"));
        i++;
    }
}

void pass_merge(Unit *u)
{
    if (!u->host.n)
        return;
    Plan p = {NULL, 0, NULL, NULL, 0};
    make_plan(&u->tok, u->host.t, &p);
    bool changed = p.nboth > 0;
    for (int k = 0; k < p.count; k++)
        changed |= p.list[k].what == REPLACE;
    if (changed) {
        Tokens out = {NULL, 0, 0};
        carry_out(&out, u->tok.t, u->tok.n, u->host.t, &p);
        free(u->tok.t);
        u->tok = out;
        find_mates(&u->tok);
    }
    free(p.list);
    free(p.pair);
    free(p.both);
}
