/* print_shared.c: __shared__ declarations.
 *
 * Shared memory is storage of the OS thread that runs the block: `static __thread`. A kernel's descriptor gets the
 * size of each array, and under --check the checker its name; arrays are between red zones there. `extern __shared__ T
 * x[];` is the block's dynamic shared memory. */
#include "emit/printer.h"
#include "front/declarator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How long the name is that the program gave it: inlined functions' names have a number. */
int shown(const Token *t)
{
    for (int n = 1; n + 9 < t->len; n++)
        if (!memcmp(t->s + n, "__cpudev_", 9) && isdigit((unsigned char)t->s[n + 9]))
            return n;
    return t->len;
}

static char *shared_note(const Unit *u, const Token *t, int id, bool in_kernel)
{
    char *s = in_kernel ? format(" (void)::cpudev::shared_note<cpudev_tag, %d, sizeof(%.*s)>::size;", id, t->len, t->s)
                        : format("%s", "");
    if (u->check)
        append(&s, format(" ::cpudev_check_shared(&%.*s, sizeof(%.*s), \"%.*s\");", t->len, t->s, t->len, t->s,
                          shown(t), t->s));
    return s;
}

typedef struct {
    int at;          /* __shared__ */
    int first, semi; /* what follows it */
    int name[64], n; /* of the declarators */
    bool is_extern;
} Shared;

/* `extern` and `static` on either side of __shared__ go; false if this is no declaration. */
static bool shared_specifiers(Tokens *t, Shared *s)
{
    for (int p = prev(t, s->at); ident(t, p); p = prev(t, p)) {
        s->is_extern |= is(t, p, W_EXTERN);
        if (is(t, p, W_EXTERN) || is(t, p, W_STATIC))
            t->t[p].drop = true;
    }
    s->first = next(t, s->at);
    for (s->semi = s->first; t->t[s->semi].kind != T_END && !is(t, s->semi, W_SEMICOLON); s->semi = next(t, s->semi)) {
        if (is(t, s->semi, W_PAREN) || is(t, s->semi, W_BRACE) || is(t, s->semi, W_SQUARE))
            s->semi = mate(t, s->semi);
        else if (is(t, s->semi, W_EXTERN) || is(t, s->semi, W_STATIC)) {
            s->is_extern |= is(t, s->semi, W_EXTERN);
            t->t[s->semi].drop = true;
        } else if (is(t, s->semi, W_BRACE_END) || is(t, s->semi, W_PAREN_END))
            return false;
    }
    t->t[s->at].drop = true;
    return true;
}

static bool shared_declarators(const Tokens *t, Shared *s)
{
    Declarator d = {.end = prev(t, scan_specifiers(t, s->first, s->semi, false))};
    while (d.end < s->semi && s->n < 64) {
        if (!scan_declarator(t, next(t, d.end), s->semi, &d) || d.name < 0)
            return false;
        s->name[s->n++] = d.name;
    }
    return s->n > 0;
}

/* ---- uses where a reference is not the variable itself ---- */

/* Is the use at i in a lambda or a class within the block that opens at `block`, which would have a copy of a reference,
 * or none?  Or is its type asked for? */
static bool needs_variable(const Tokens *t, int i, int block)
{
    int head;
    if (is(t, prev(t, i), W_PAREN) && is(t, next(t, i), W_PAREN_END) && is(t, prev(t, prev(t, i)), W_DECLTYPE))
        return true;
    bool inner = false;
    for (int b = enclosing(t, i); b > block; b = enclosing(t, b))
        if (is(t, b, W_BRACE) && (lambda_brace(t, b, &head) || class_brace(t, b, &head))) {
            if (is_hidden(t, i, head, b))
                return false;
            inner = true;
        }
    return inner;
}

/* Where a reference by the declared name is not the variable itself, what is named there is `variable`. */
static void print_uses(Tokens *t, int name, int after, const char *variable)
{
    const int block = enclosing(t, name);
    for (int i = next(t, after); block >= 0 && i < mate(t, block); i = next(t, i)) {
        const int p = prev(t, i);
        if (!ident(t, i) || !same(t, i, name) || is(t, p, W_DOT) || is(t, p, W_ARROW) || is(t, p, W_SCOPE) ||
            !needs_variable(t, i, block))
            continue;
        show_as(&t->t[i], format("%s", variable));
    }
}

static void print_dynamic(Tokens *t, const Shared *s, bool in_function)
{
    if (!in_function) /* file scope: an object that converts to a pointer to the block's dynamic shared memory */
        put_before(t, s->first, format("typedef "));
    for (int d = 0; d < s->n; d++) {
        int id = s->name[d], k = next(t, id), e = k;
        const Token *x = &t->t[id];
        if (!in_function) {
            put_after(t, id, format("__cpudev"));
            put_after(t, s->semi,
                      format(" static const ::cpudev::dynamic_array<%.*s__cpudev> %.*s;", x->len, x->s, x->len, x->s));
            continue;
        }
        /* float s[];  ->  float (&s)[] = cpudev::dynamic_shared<...>() */
        while (is(t, e, W_SQUARE))
            e = next(t, mate(t, e));
        put_before(t, id, format(is(t, k, W_SQUARE) ? "(&" : "&"));
        if (is(t, k, W_SQUARE))
            put_after(t, id, format(")"));
        put_after(t, prev(t, e), format(" = ::cpudev::dynamic_shared<decltype(%.*s)>()", x->len, x->s));
    }
}

/* Under --check: a typedef of the declaration's type, storage between red zones, and a reference by the declared name.
 * The zone before reaches to the array whatever its alignment, which is 1024 bytes at most (a swizzled tile's). */
static void print_guarded(Tokens *t, Shared *s)
{
    int j = s->first;
    char *alignment = format("%s", ""); /* a typedef takes no alignas: the member does */
    while (is(t, j, W_ALIGNAS) && is(t, next(t, j), W_PAREN)) {
        append(&alignment, text_of(t, j, mate(t, next(t, j))));
        append(&alignment, format(" "));
        drop_range(t, j, mate(t, next(t, j)));
        j = next(t, mate(t, next(t, j)));
    }
    put_before(t, j, format("typedef "));
    for (int d = 0; d < s->n; d++) {
        const Token *x = &t->t[s->name[d]];
        put_after(t, s->name[d], format("__cpudev_t"));
        put_after(t, s->semi,
                  format(" static __thread struct { alignas(128) unsigned char before[1024]; "
                         "%s__attribute__((aligned(128))) %.*s__cpudev_t value; unsigned char after[256]; } "
                         "%.*s__cpudev; %.*s__cpudev_t &%.*s = %.*s__cpudev.value;",
                         alignment, x->len, x->s, x->len, x->s, x->len, x->s, x->len, x->s, x->len, x->s));
        char *variable = format("%.*s__cpudev.value", x->len, x->s);
        print_uses(t, s->name[d], s->semi, variable);
        free(variable);
    }
    free(alignment);
}

/* g++ and clang refuse a bound that is no constant in other words for each way to print an array. It is asserted before
 * the declaration, so that the driver knows the mistake by these words (driver/readable.c). */
static void assert_constant_bounds(Tokens *t, const Shared *s)
{
    const int p = prev(t, s->at);
    if (!is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) &&
        !is(t, p, W_BRACE_END)) /* `volatile __shared__`: there g++'s words must do */
        return;
    char *all = format("%s", "");
    for (int d = 0; d < s->n; d++)
        for (int open = next(t, s->name[d]); is(t, open, W_SQUARE); open = next(t, mate(t, open))) {
            const int first = next(t, open), last = prev(t, mate(t, open));
            if (first > last || (first == last && t->t[first].kind == T_NUM))
                continue;
            char *bound = text_of(t, first, last);
            append(&all,
                   format("static_assert(__builtin_constant_p((unsigned long)(%s)), \"a variable length array cannot "
                          "have static storage duration\"); ",
                          bound));
            free(bound);
        }
    put_before(t, s->first, all);
}

/* At least as a float4: programs read arrays of floats by fours, whose places in a GPU's shared memory are such. The
 * attribute lowers what the type asks for, unless that is beside it. */
static char *alignment(const Tokens *t, const Shared *s)
{
    char *type = format("%s", "");
    for (int k = s->first; k < s->name[0] && !is(t, k, W_STAR) && !is(t, k, W_AND) && !is(t, k, W_PAREN);
         k = next(t, k)) {
        if (is(t, k, W_BRACE) || is(t, k, W_AUTO)) {
            *type = 0; /* a type that is not written */
            break;
        }
        if (in(t, takes_parens, k) && !is(t, k, W_DECLTYPE) && is(t, next(t, k), W_PAREN)) {
            k = mate(t, next(t, k));
            continue;
        }
        const int angle = is(t, k, W_LESS) ? angle_forward(t, k) : -1;
        const bool call = is(t, k, W_DECLTYPE) && is(t, next(t, k), W_PAREN);
        const int last = angle > 0 ? angle : call ? mate(t, next(t, k)) : k;
        char *word = text_of(t, k, last);
        if (!t->t[k].drop && !is(t, k, W_CONSTEXPR) && !is(t, k, W_INLINE))
            append(&type, format("%s ", word));
        free(word);
        k = last;
    }
    char *all = *type ? format("__attribute__((aligned(16), aligned(__alignof__(%s)))) ", type)
                      : format("__attribute__((aligned(16))) ");
    free(type);
    return all;
}

/* Under --check at file scope: the checker learns where in a thread's storage they lie. */
static void print_file_scope(Tokens *t, Shared *s)
{
    char *aligned = alignment(t, s);
    put_before(
        t, s->first,
        format("static __thread char cpudev_before_%d[256] __attribute__((used)); static __thread %s", s->at, aligned));
    free(aligned);
    for (int d = 0; d < s->n; d++) {
        const Token *x = &t->t[s->name[d]];
        put_after(t, s->semi,
                  format(" static ::cpudev::global_note cpudev_shared_%d(&%.*s, sizeof(%.*s), \"%.*s\", "
                         "\"__shared__\", \"%s\", %d);",
                         s->name[d], x->len, x->s, x->len, x->s, x->len, x->s, x->file ? x->file : "", x->line));
    }
}

/* __shared__ at i */
void print_shared(Unit *u, Tokens *t, int i, const Body *in_body)
{
    Shared s = {.at = i};
    if (!shared_specifiers(t, &s))
        return;
    if (!shared_declarators(t, &s)) {
        error_at(u, &t->t[i], "this __shared__ declaration is not understood");
        return;
    }
    if (s.is_extern) {
        print_dynamic(t, &s, in_body != NULL);
        return;
    }
    if (in_body)
        assert_constant_bounds(t, &s);
    if (u->check && in_body)
        print_guarded(t, &s);
    else if (u->check)
        print_file_scope(t, &s);
    else {
        int at = s.first; /* alignas() must come first */
        while (is(t, at, W_ALIGNAS) && is(t, next(t, at), W_PAREN))
            at = next(t, mate(t, next(t, at)));
        char *aligned = alignment(t, &s);
        put_before(t, at, format("static __thread %s", aligned));
        free(aligned);
    }
    for (int d = 0; d < s.n; d++) {
        const Token *x = &t->t[s.name[d]];
        put_after(t, s.semi,
                  format(" static_assert(sizeof(%.*s) <= 0xc000, \"uses too much shared data (0xc000 bytes max)\");",
                         x->len, x->s));
    }
    for (int d = 0; in_body && d < s.n; d++)
        put_after(t, s.semi, shared_note(u, &t->t[s.name[d]], s.name[d], in_body->kernel));
}
