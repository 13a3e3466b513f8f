/* print.c: the last pass.
 *
 * Contract: edits the tokens (unit's and canonical) and writes the text. Kernels that run on fibers keep their tokens,
 * with a closure round them; the body of the others comes from Kernel.canonical. */
#include "emit/printer.h"

#include <stdlib.h>
#include <string.h>

/* Is the loop at i one that only waits: `while (c) ;`, `while (c) {}`, `for (...) ;`?  *where is its `;` or `{`. */
bool empty_loop(const Tokens *t, int i, int *where)
{
    int open = next(t, i);
    if (!is(t, open, "("))
        return false;
    int body = next(t, mate(t, open));
    *where = body;
    if (is(t, body, "{"))
        return is(t, next(t, body), "}");
    if (!is(t, body, ";"))
        return false;
    if (is(t, i, "while")) /* the end of `do x = y; while (c);`? */
        for (int p = prev(t, i), first = p; p >= 0; p = prev(t, p)) {
            if (is(t, p, "do"))
                return false;
            if (is(t, p, "{") || is(t, p, "(") || is(t, p, "[") ||
                (p != first && is(t, p, ";") && !is(t, next(t, p), "else")))
                break;
            if (is(t, p, "}") && p != first && ident(t, next(t, p)) && !is(t, next(t, p), "else"))
                break;
            if (is(t, p, "}") || is(t, p, ")") || is(t, p, "]"))
                p = mate_back(t, p);
        }
    return true;
}

static void print_poll(Tokens *t, int i)
{
    int where;
    if (!empty_loop(t, i, &where))
        return;
    if (is(t, where, ";")) {
        t->t[where].drop = true;
        put_before(t, where, format(" ::cpudev_poll();"));
    } else
        put_after(t, where, format(" ::cpudev_poll(); "));
}

/* The tokens a..b, which stand in `stack[0..depth-1]`, the innermost last. */
typedef struct {
    Body *body;
    int n;
    int *stack, depth;
} Bodies;

static int by_open(const void *a, const void *b) { return ((const Body *)a)->open - ((const Body *)b)->open; }

static void print_range(Unit *u, Tokens *t, int a, int b, Bodies *bodies)
{
    int one = 0;
    for (int i = a; i < b; i++) {
        while (bodies->depth && i > bodies->body[bodies->stack[bodies->depth - 1]].close)
            bodies->depth--;
        for (; one < bodies->n && bodies->body[one].open <= i; one++)
            if (bodies->body[one].open == i)
                bodies->stack[bodies->depth++] = one;
        if (t->t[i].sys)
            continue;
        const Body *in = bodies->depth ? &bodies->body[bodies->stack[bodies->depth - 1]] : NULL;
        /* nvcc takes `<< <` and `>> >` too, which formatters make of launches; C++ has it in `operator<< <T>` only */
        if (t->t[i].kind == T_PUNCT && is(t, i, "<") && is(t, i + 1, "<") && is(t, i + 2, "<") && adjacent(t, i) &&
            !is(t, prev(t, i), "operator")) {
            i = print_launch(u, t, i);
            continue;
        }
        if (in && t->t[i].kind == T_PUNCT)
            print_assignment(u, t, i);
        if (t->t[i].kind != T_ID)
            continue;
        if (u->check && in && !in->constant &&
            (is(t, prev(t, i), ";") || is(t, prev(t, i), "{") || is(t, prev(t, i), "}")))
            print_guards(u, t, i);
        bool device_only = in && !in->host;
        if (u->check && device_only && !in->constant && is(t, i, "static"))
            print_static(t, i);
        if (is(t, i, "__shared__"))
            print_shared(u, t, i, in);
        else if (device_only && is(t, i, "cudaDeviceSynchronize") && is(t, next(t, i), "("))
            error_at(u, &t->t[i],
                     "cudaDeviceSynchronize() in a kernel: CUDA 12 has dropped it; what must come after the kernels "
                     "launched here goes to cudaStreamTailLaunch, or into the host's next launch");
        else if (in && !(in->host && in->constant) && (is(t, i, "asm") || is(t, i, "__asm__") || is(t, i, "__asm")))
            print_asm(u, t, i);
        else if (in && (is(t, i, "while") || is(t, i, "for")))
            print_poll(t, i);
    }
}

static void print_unit_bodies(Unit *u)
{
    Bodies b = {must(malloc(((size_t)u->nfunction + 1) * sizeof(Body))), 0,
                must(malloc(((size_t)u->nfunction + 1) * sizeof(int))), 0};
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        if (f->body >= 0)
            b.body[b.n++] = (Body){f->body, f->end, f->kernel, true, f->host, f->is_constexpr};
    }
    qsort(b.body, (size_t)b.n, sizeof *b.body, by_open);
    print_range(u, &u->tok, 0, u->tok.n, &b);
    free(b.body);
    free(b.stack);
}

static void print_canonical_body(Unit *u, Kernel *k)
{
    Function *c = &k->canonical;
    Body body = {c->body, c->end, true, true, false, false};
    int stack;
    Bodies b = {&body, 1, &stack, 0};
    print_range(u, c->tok, c->body, c->end, &b);
}

static void emit(Unit *u, const char *from, size_t n)
{
    if (n && fwrite(from, 1, n, u->out) != n) {
        perror("cucc: write");
        exit(1);
    }
}

static void emit_token(Unit *u, const Token *t)
{
    emit(u, t->lead, (size_t)(t->s - t->lead));
    if (t->before)
        emit(u, t->before, strlen(t->before));
    if (!t->drop)
        emit(u, t->as ? t->as : t->s, t->as ? strlen(t->as) : (size_t)t->len);
    if (t->after)
        emit(u, t->after, strlen(t->after));
}

void pass_print(Unit *u)
{
    for (int k = 0; k < u->nkernel; k++) {
        if (u->kernel[k].run != RUN_FIBERS)
            print_canonical_body(u, &u->kernel[k]);
        print_kernel(u, &u->kernel[k]);
    }
    print_words(u);
    print_unit_bodies(u);
    if (u->errors)
        return;
    for (int i = 0, k = 0; i < u->tok.n; i++) {
        while (k < u->nkernel && (u->kernel[k].run == RUN_FIBERS || u->kernel[k].f->body < i))
            k++;
        emit_token(u, &u->tok.t[i]);
        if (k < u->nkernel && i == u->kernel[k].f->body) {
            const Function *c = &u->kernel[k].canonical;
            const char *head = c->tok->t[c->body].after;
            emit(u, head ? head : "", head ? strlen(head) : 0);
            for (int j = c->body + 1; j < c->end; j++)
                emit_token(u, &c->tok->t[j]);
            i = u->kernel[k].f->end - 1;
        }
    }
}
