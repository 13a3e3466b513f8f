/* print_asm.c: an asm statement of device code becomes C++ (ptx.h). An empty text is a barrier for the compiler and
 * stays. */
#include "emit/printer.h"
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 512 };

/* One string literal's characters, without quotes and escapes, to the end of `text`. */
static void append_literal(char **text, const Token *s)
{
    const char *p = memchr(s->s, '"', (size_t)s->len);
    const bool raw = p > s->s && p[-1] == 'R';
    char *out = must(malloc((size_t)s->len + 1));
    size_t n = 0;
    const char *end = s->s + s->len - 1; /* the closing quote */
    if (raw) {
        const char *open = memchr(p, '(', (size_t)(end - p)), *close = end;
        while (close > p && *close != ')')
            close--;
        for (p = open + 1; open && p < close; p++)
            out[n++] = *p;
    } else {
        for (p++; p < end; p++) {
            if (*p == '\\' && p + 1 < end) {
                p++;
                out[n++] = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
            } else {
                out[n++] = *p;
            }
        }
    }
    out[n] = 0;
    append(text, out);
}

/* A string literal, and not a character in quotes, which is a T_STR too. */
static bool is_text(const Tokens *t, int i)
{
    return t->t[i].kind == T_STR && memchr(t->t[i].s, '"', (size_t)t->t[i].len);
}

/* Adjacent string literals from i on; leaves i after them. */
static char *read_text(const Tokens *t, int *i)
{
    char *text = format("%s", "");
    for (; is_text(t, *i); *i = next(t, *i))
        append_literal(&text, &t->t[*i]);
    return text;
}

/* "=r"(x), "r"(y), ... up to a colon or `close`. Returns where it stopped, or -1 if this is no list of operands. */
static int read_operands(const Tokens *t, int i, int close, bool out, PtxBinding *binding, int *n)
{
    while (i != close && !is(t, i, W_COLON) && !is(t, i, W_SCOPE)) {
        if (is(t, i, W_COMMA)) {
            i = next(t, i);
            continue;
        }
        if (!is_text(t, i) || *n == OPERANDS)
            return -1;
        char *constraint = read_text(t, &i);
        if (!is(t, i, W_PAREN))
            return -1;
        const char *c = constraint;
        PtxBinding *b = &binding[(*n)++];
        b->out = out;
        b->in = !out || *c == '+';
        c += strspn(c, "=+&");
        b->constraint = *c;
        b->expression = text_of(t, next(t, i), prev(t, mate(t, i)));
        for (char *p = b->expression; *p; p++)
            if (*p == '\n')
                *p = ' ';
        free(constraint);
        i = next(t, mate(t, i));
    }
    return i;
}

/* cpudev_ptx.h declares one name that says so. */
static bool ptx_included(const Unit *u)
{
    for (int i = 0; i < u->tok.n; i++)
        if (is(&u->tok, i, W_CPUDEV_PTX_INCLUDED))
            return true;
    return false;
}

static void need_ptx(Unit *u)
{
    if (!u->has_ptx)
        u->ptx_included = ptx_included(u);
    u->has_ptx = true;
}

/* A library has functions for each GPU there is. One that nobody calls is no mistake; one that is called
 * reports its place when it runs. The same holds for what a program includes: only its kernels, and the code in its own
 * file, are refused here. */
static bool told_when_reached(const Unit *u, const Tokens *t, int i)
{
    if (t->t[i].library)
        return true;
    for (int k = 0; k < u->nfunction; k++)
        if (t != &u->tok || (u->function[k].kernel && u->function[k].body < i && i < u->function[k].end))
            return false; /* a kernel; other tokens are those of one in canonical form */
    int last = t->n - 1;
    while (last > 0 && !t->t[last].file)
        last--;
    return t->t[i].file != t->t[last].file; /* a text ends in the program's own file */
}

static void print_unsupported(Unit *u, Tokens *t, int i, int close, const char *why)
{
    char *text = format("%s", why);
    for (char *p = text; *p; p++)
        if (strchr("\"\\\n", *p))
            *p = ' ';
    need_ptx(u);
    put_before(t, i,
               format("::cpudev::ptx::unsupported(\"%s:%d: %s\")", t->t[i].file ? t->t[i].file : "<input>",
                      t->t[i].line, text));
    free(text);
    for (int k = i; k <= close; k++)
        t->t[k].drop = true;
}

static void print_ptx(Unit *u, Tokens *t, int i, int open, const char *text, const PtxBinding *binding, int n)
{
    const int close = mate(t, open);
    PtxProgram program;
    ptx_parse(&program, text);
    char *printed = program.error[0] ? NULL : ptx_print(&program, binding, n);
    if (printed) {
        need_ptx(u);
        put_before(t, i, printed);
        for (int k = i; k <= close; k++)
            t->t[k].drop = true;
    } else if (told_when_reached(u, t, i)) {
        print_unsupported(u, t, i, close, program.error);
    } else {
        error_at(u, &t->t[i], "%s", program.error);
    }
    ptx_free(&program);
}

/* An empty text with operands: a register of any kind, or memory, for constraints that mean something else to g++. */
static void print_constraints(Tokens *t, int open)
{
    for (int i = next(t, next(t, open)); i != mate(t, open); i = next(t, i)) {
        if (is(t, i, W_PAREN)) {
            i = mate(t, i);
            continue;
        }
        const Token *s = &t->t[i];
        const char letter = s->kind == T_STR && is(t, next(t, i), W_PAREN) && s->len > 2 ? s->s[s->len - 2] : 0;
        if (!letter || !strchr("hlfdq", letter))
            continue;
        put_before(t, i, format("%.*sg\"", s->len - 2, s->s));
        t->t[i].drop = true;
    }
}

void print_asm(Unit *u, Tokens *t, int i)
{
    int p = prev(t, i), open = next(t, i);
    if ((is(t, p, W_PAREN) || ident(t, p) || is(t, p, W_PAREN_END) || is(t, p, W_SQUARE_END)) && !is(t, p, W_ELSE) &&
        !is(t, p, W_DO) && !is(t, p, W_PAREN_END))
        return; /* an __asm__("name") label of a declaration */
    while (is(t, open, W_VOLATILE) || is(t, open, W_VOLATILE__) || is(t, open, W_VOLATILE_))
        open = next(t, open);
    if (!is(t, open, W_PAREN) || !is_text(t, next(t, open)))
        return;
    int at = next(t, open), n = 0;
    const int close = mate(t, open);
    char *text = read_text(t, &at);
    PtxBinding *binding = must(calloc(OPERANDS, sizeof *binding));
    const char *first = text + strspn(text, " \t\n;");
    const bool label =
        is(t, p, W_PAREN_END) && !strchr(text, ';'); /* int f() asm("name"), and not if (c) asm("trap;") */
    if (*first && !label) {
        bool out = true;
        while (at >= 0 && at != close && (is(t, at, W_COLON) || is(t, at, W_SCOPE))) {
            if (is(t, at, W_SCOPE))
                out = false;
            const int list = next(t, at);
            int behind = list;
            while (is_text(t, behind))
                behind = next(t, behind);
            if (behind != list && !is(t, behind, W_PAREN))
                break; /* the list of what is overwritten */
            at = read_operands(t, list, close, out, binding, &n);
            out = false;
        }
        if (at < 0)
            error_at(u, &t->t[i], "the operands of this asm statement are not understood");
        else
            print_ptx(u, t, i, open, text, binding, n);
    }
    if (!*first)
        print_constraints(t, open);
    for (int k = 0; k < n; k++)
        free(binding[k].expression);
    free(binding);
    free(text);
}
