/* sums.c: sums with threadIdx.x, of which g++ is to see that they do not wrap.
 *
 * Contract of canonical_sums: in the canonical tokens `int i = blockIdx.x * blockDim.x + threadIdx.x;` becomes a sum
 * cpudev_sum(blockIdx.x * blockDim.x, threadIdx.x), which has the same value for all numbers. The program's own sum has
 * no sign, and may wrap: of x[k * n + i] g++ then takes each element by itself, though neighbours are asked for. Only
 * sums of threadIdx.x and a product of coordinates, sizes and plain numbers are taken. x[k * n + threadIdx.x] becomes
 * x[cpudev_index(k * n, threadIdx.x)], which is the same element too, where x is a pointer or an array of the kernel's. */
#include "kernel/canonical_form.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* `blockIdx.x`, or a decimal number: the token after it; -1 if there is neither */
static int factor(const Tokens *t, int i)
{
    static const Word coordinates[] = {W_THREAD_IDX, W_BLOCK_IDX, W_BLOCK_DIM, W_GRID_DIM, W_NONE};
    if (t->t[i].kind == T_NUM)
        return strspn(t->t[i].s, "0123456789") == (size_t)t->t[i].len ? next(t, i) : -1;
    int dot = next(t, i), member = next(t, dot);
    bool named =
        in(t, coordinates, i) && is(t, dot, W_DOT) && (is(t, member, W_X) || is(t, member, W_Y) || is(t, member, W_Z));
    return named ? next(t, member) : -1;
}

/* a * b * c, or that in parentheses */
static int product(const Tokens *t, int i)
{
    if (is(t, i, W_PAREN)) {
        int e = product(t, next(t, i));
        return e >= 0 && is(t, e, W_PAREN_END) ? next(t, e) : -1;
    }
    int e = factor(t, i);
    while (e >= 0 && is(t, e, W_STAR))
        e = factor(t, next(t, e));
    return e;
}

static bool thread_x(const Tokens *t, int i, int end)
{
    return is(t, i, W_THREAD_IDX) && is(t, next(t, next(t, i)), W_X) && next(t, next(t, next(t, i))) == end;
}

/* Rewrites the sum that begins at i; the token after it, or -1 if it is another expression. */
static int sum(Tokens *t, int i)
{
    int plus = product(t, i);
    if (plus < 0 || !is(t, plus, W_PLUS))
        return -1;
    int b = next(t, plus), end = product(t, b);
    if (end < 0 || (!is(t, end, W_SEMICOLON) && !is(t, end, W_COMMA)) || thread_x(t, i, plus) == thread_x(t, b, end))
        return -1;
    char *first = text_of(t, i, prev(t, plus)), *second = text_of(t, b, prev(t, end));
    Tokens words = {NULL, 0, 0};
    words_say(&words, &t->t[i], format("cpudev_sum(%s, %s)", first, second));
    int behind = words.n;
    replace_tokens(t, i, end, &words);
    free(first);
    free(second);
    for (end = i; behind > 0; end++)
        behind -= !passed_over(t, end);
    return next(t, end - 1);
}

void canonical_sums(Kernel *k)
{
    Tokens *t = k->canonical.tok;
    for (int i = next(t, k->canonical.body); t->t[i].kind != T_END; i = next(t, i)) {
        int before = prev(t, i);
        if (!is(t, i, W_INT) || (ident(t, before) && !is(t, before, W_CONST)) ||
            (is(t, before, W_CONST) && ident(t, prev(t, before))))
            continue;
        for (int name = next(t, i); ident(t, name) && is(t, next(t, name), W_ASSIGN);) {
            int end = sum(t, next(t, next(t, name)));
            name = end >= 0 && is(t, end, W_COMMA) ? next(t, end) : t->n - 1;
        }
    }
    canonical_bounds(k);
}

/* ---- indices ---- */

typedef struct {
    const Function *f;
    Tokens *t;
    const Node *sum[64];
    int n;
} Indices;

static bool is_thread_x(const Tokens *t, const Node *n)
{
    n = strip(n);
    return n->kind == E_MEMBER && thread_x(t, n->first, next(t, n->last));
}

/* x, or x[i], where x is a pointer or an array of the kernel's */
static bool of_memory(const Node *n)
{
    n = strip(n);
    if (n->kind == E_INDEX)
        return of_memory(n->kid[0]);
    const Decl *d = n->kind == E_NAME ? n->decl : NULL;
    return d && (d->stars || d->ndims) && !d->is_auto && !d->is_ref;
}

static void find_indices(Indices *x, const Node *n)
{
    if (!n)
        return;
    const Node *e = n->kind == E_INDEX ? n->kid[1] : NULL;
    if (e && e->kind == E_BINARY && e->oper == OP_ADD && of_memory(n->kid[0]) &&
        is_thread_x(x->t, e->kid[0]) != is_thread_x(x->t, e->kid[1]) && x->n < 64) {
        x->sum[x->n++] = e;
        find_indices(x, n->kid[0]);
        return;
    }
    for (int i = 0; i < n->n; i++)
        find_indices(x, n->kid[i]);
}

static int from_behind(const void *a, const void *b)
{
    return (*(const Node *const *)b)->first - (*(const Node *const *)a)->first;
}

void canonical_indices(Kernel *k)
{
    Indices x = {.f = &k->canonical, .t = k->canonical.tok};
    find_indices(&x, x.f->tree);
    for (int i = 0; i < x.f->ndecl; i++)
        find_indices(&x, x.f->decl[i]->init);
    qsort(x.sum, (size_t)x.n, sizeof *x.sum, from_behind);
    for (int i = 0; i < x.n; i++) {
        const Node *e = x.sum[i];
        if (i > 0 && e->first == x.sum[i - 1]->first)
            continue; /* found twice */
        bool second = is_thread_x(x.t, e->kid[1]);
        const Node *other = e->kid[second ? 0 : 1];
        char *text = text_of(x.t, other->first, other->last);
        Tokens words = {NULL, 0, 0};
        words_say(&words, &x.t->t[e->first], format("cpudev_index(%s, threadIdx.x)", text));
        replace_tokens(x.t, e->first, next(x.t, e->last), &words);
        free(text);
    }
    canonical_bounds(k);
}
