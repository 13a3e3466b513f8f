/* print.c: the last pass.
 *
 * Contract: edits the tokens (unit's and canonical) and writes the text. Kernels that run on fibers keep their tokens,
 * with a closure round them; the body of the others comes from Kernel.canonical. */
#include "emit/printer.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* Is the loop at i one that only waits: `while (c) ;`, `while (c) {}`, `for (...) ;`?  *where is its `;` or `{`. */
bool empty_loop(const Tokens *t, int i, int *where)
{
    int open = next(t, i);
    if (!is(t, open, W_PAREN))
        return false;
    int body = next(t, mate(t, open));
    *where = body;
    if (is(t, body, W_BRACE))
        return is(t, next(t, body), W_BRACE_END);
    if (!is(t, body, W_SEMICOLON))
        return false;
    if (is(t, i, W_WHILE)) /* the end of `do x = y; while (c);`? */
        for (int p = prev(t, i), first = p; p >= 0; p = prev(t, p)) {
            if (is(t, p, W_DO))
                return false;
            if (is(t, p, W_BRACE) || is(t, p, W_PAREN) || is(t, p, W_SQUARE) ||
                (p != first && is(t, p, W_SEMICOLON) && !is(t, next(t, p), W_ELSE)))
                break;
            if (is(t, p, W_BRACE_END) && p != first && ident(t, next(t, p)) && !is(t, next(t, p), W_ELSE))
                break;
            if (is(t, p, W_BRACE_END) || is(t, p, W_PAREN_END) || is(t, p, W_SQUARE_END))
                p = mate_back(t, p);
        }
    return true;
}

static void print_poll(Tokens *t, int i)
{
    int where;
    if (!empty_loop(t, i, &where))
        return;
    if (is(t, where, W_SEMICOLON)) {
        show_as(&t->t[where], format(" ::cpudev_poll();"));
    } else
        put_after(t, where, format(" ::cpudev_poll(); "));
}

/* The tokens a..b, which are in `stack[0..depth-1]`, the innermost last. */
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
        if (t->t[i].kind == T_PUNCT && is(t, i, W_LESS) && is(t, i + 1, W_LESS) && is(t, i + 2, W_LESS) &&
            adjacent(t, i) && !is(t, prev(t, i), W_OPERATOR)) {
            i = print_launch(u, t, i);
            continue;
        }
        if (in && t->t[i].kind == T_PUNCT)
            print_assignment(u, t, i);
        if (t->t[i].kind != T_ID)
            continue;
        if (u->check && in && !in->constant &&
            (is(t, prev(t, i), W_SEMICOLON) || is(t, prev(t, i), W_BRACE) || is(t, prev(t, i), W_BRACE_END)))
            print_guards(u, t, i);
        if (u->check && is(t, next(t, i), W_LESS))
            print_instance(u, t, i);
        bool device_only = in && !in->host;
        if (u->check && device_only && !in->constant && is(t, i, W_STATIC))
            print_static(t, i);
        if (is(t, i, W_SHARED))
            print_shared(u, t, i, in);
        else if (device_only && is(t, i, W_CUDA_DEVICE_SYNCHRONIZE) && is(t, next(t, i), W_PAREN) &&
                 !is(t, prev(t, i), W_DOT) && !is(t, prev(t, i), W_ARROW) && !hidden_by_program(u, in->function, t, i))
            error_at(u, &t->t[i],
                     "cudaDeviceSynchronize() in a kernel: CUDA 12 has dropped it; what must come after the kernels "
                     "launched here goes to cudaStreamTailLaunch, or into the host's next launch");
        else if (in && !(in->host && in->constant) && (is(t, i, W_ASM) || is(t, i, W_ASM__) || is(t, i, W_ASM_)))
            print_asm(u, t, i);
        else if (in && (is(t, i, W_WHILE) || is(t, i, W_FOR)))
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
            b.body[b.n++] = (Body){f->body, f->end, f->kernel, true, f->host, f->is_constexpr, f};
    }
    qsort(b.body, (size_t)b.n, sizeof *b.body, by_open);
    print_range(u, &u->tok, 0, u->tok.n, &b);
    free(b.body);
    free(b.stack);
}

static void print_canonical_body(Unit *u, Kernel *k)
{
    Function *c = &k->canonical;
    Body body = {c->body, c->end, true, true, false, false, c};
    int stack;
    Bodies b = {&body, 1, &stack, 0};
    print_range(u, c->tok, c->body, c->end, &b);
}

/* What is printed next. Tokens that nothing has been put between follow each other in the text too: they are written at
 * once. */
typedef struct Output {
    FILE *to;
    const char *from, *end;
} Output;

static void flush(Output *out)
{
    const size_t n = (size_t)(out->end - out->from);
    if (n && fwrite(out->from, 1, n, out->to) != n) {
        perror("cucc: write");
        exit(1);
    }
}

static void emit(Output *out, const char *from, size_t n)
{
    if (n && from != out->end) {
        flush(out);
        out->from = out->end = from;
    }
    out->end += n;
}

static void emit_text(Output *out, const char *text)
{
    if (text)
        emit(out, text, strlen(text));
}

static void emit_token(Output *out, const Token *t)
{
    emit(out, t->lead, (size_t)(t->s - t->lead));
    emit_text(out, t->before);
    if (!t->drop) {
        emit_text(out, t->open);
        if (t->as)
            emit_text(out, t->as);
        else
            emit(out, t->s, (size_t)t->len);
        emit_text(out, t->shut);
    }
    emit_text(out, t->after);
}

/* Structs that calls return and take, and loops, of each function that is printed. */
static void print_copies_and_rounds(Unit *u)
{
    Copies c = find_copies(u);
    for (int i = 0, k = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        while (k < u->nkernel && u->kernel[k].f < f)
            k++;
        const bool canonical = k < u->nkernel && u->kernel[k].f == f && u->kernel[k].run != RUN_FIBERS;
        print_copies(&c, canonical ? &u->kernel[k].canonical : f);
        print_rounds(u, canonical ? &u->kernel[k].canonical : f, canonical && u->kernel[k].run == RUN_REGIONS);
    }
    print_copies_of_host(&c);
    free_copies(&c);
}

/* A static function whose every call is replaced by its body is used all the same: no warning of -Wunused-function. */
static void print_used(Unit *u)
{
    Tokens *t = &u->tok;
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        const int first = f->template_first < 0 ? f->start : next(t, next(t, f->template_last));
        if (f->in_place && !is(t, first, W_EXTERN))
            put_before(t, first, format("__attribute__((unused)) "));
    }
}

void pass_print(Unit *u)
{
    if (u->check)
        print_copies_and_rounds(u);
    for (int k = 0; k < u->nkernel; k++) {
        if (u->kernel[k].run != RUN_FIBERS)
            print_canonical_body(u, &u->kernel[k]);
        print_kernel(u, &u->kernel[k]);
    }
    print_used(u);
    print_words(u);
    print_constants(u);
    print_unit_bodies(u);
    if (u->errors)
        return;
    Output out = {.to = u->out};
    for (int i = 0, k = 0; i < u->tok.n; i++) {
        while (k < u->nkernel && (u->kernel[k].run == RUN_FIBERS || u->kernel[k].f->body < i))
            k++;
        emit_token(&out, &u->tok.t[i]);
        if (k < u->nkernel && i == u->kernel[k].f->body) {
            const Function *c = &u->kernel[k].canonical;
            const Token *brace = &c->tok->t[c->end];
            emit_text(&out, c->tok->t[c->body].after);
            for (int j = c->body + 1; j < c->end; j++)
                emit_token(&out, &c->tok->t[j]);
            i = u->kernel[k].f->end - 1;
            if (brace->lead == brace->s) /* after a call's replacement a marker says the brace's line */
                u->tok.t[i + 1].lead = u->tok.t[i + 1].s;
        }
    }
    flush(&out);
}
