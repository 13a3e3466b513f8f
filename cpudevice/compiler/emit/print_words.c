/* print_words.c: what C++ cannot say outside functions: CUDA's specifiers and pragmas go, variables on the device are
 * told to the checker. */
#include "emit/printer.h"
#include "front/declarator.h"

#include <stdlib.h>
#include <string.h>

/* A pragma of nvcc's that g++ would warn of. */
static bool nvcc_pragma(const Token *k)
{
    static const char *const dropped[] = {"unroll", "nounroll", "nv_", "hd_warning", "diag_", NULL};
    const char *p = k->s + 1;
    while (*p == ' ')
        p++;
    if (*k->s != '#' || strncmp(p, "pragma ", 7))
        return false;
    for (p += 7; *p == ' ';)
        p++;
    for (int i = 0; dropped[i]; i++)
        if (!strncmp(p, dropped[i], strlen(dropped[i])))
            return true;
    return false;
}

/* A variable's declaration, with __device__, __constant__, __managed__ or static at i: the checker learns the
 * variables' names and sizes. kind: which of the first three, or NULL for one in a function. */
static void tell_variable(Tokens *t, int i, const char *kind)
{
    const int semi = declaration_end(t, i);
    for (int p = prev(t, i); ident(t, p) || is(t, p, W_PAREN_END) || is(t, p, W_GREATER); p = prev(t, p))
        if (is(t, p, W_EXTERN) || is(t, p, W_GREATER)) /* of a template: print_instance() */
            return;
    Declarator d = {.end = prev(t, scan_specifiers(t, next(t, i), semi, false))};
    if (contains(t, i, d.end, W_EXTERN))
        return;
    for (int n = 0; n < 16 && d.end < semi; n++) {
        if (!scan_declarator(t, next(t, d.end), semi, &d) || d.name < 0)
            return;
        const Token *k = &t->t[d.name];
        const char *file = t->t[i].file ? t->t[i].file : "";
        char *what = format("&%.*s, sizeof(%.*s), \"%.*s\"", k->len, k->s, k->len, k->s, k->len, k->s);
        if (kind)
            put_after(t, semi,
                      format(" static ::cpudev::global_note cpudev_global_%d(%s, \"%s\", \"%s\", %d);", d.name, what,
                             kind, file, t->t[i].line));
        else
            put_after(t, semi,
                      format(" static ::cpudev::static_note cpudev_global_%d; cpudev_global_%d.tell(%s, \"%s\", %d);",
                             d.name, d.name, what, file, t->t[i].line));
        free(what);
    }
}

/* A static variable of a device function, which is in the device's memory: reported to the checker when a thread first gets there. */
void print_static(Tokens *t, int i)
{
    int p = prev(t, i), k = i;
    while (ident(t, k) && !in(t, specifiers, k) && !is(t, k, W_CONSTEXPR))
        k = next(t, k);
    if (ident(t, k) || is(t, k, W_AND) || is(t, k, W_AND_AND)) /* __shared__; a reference's object is another's */
        return;
    if ((is(t, p, W_SEMICOLON) || is(t, p, W_BRACE) || is(t, p, W_BRACE_END)) && statement_block(t, i) >= 0)
        tell_variable(t, i, NULL);
}

static bool is_variable(const Unit *u, int i)
{
    for (int k = 0; k < u->nfunction; k++)
        if (u->function[k].start <= i && i < u->function[k].open)
            return false;
    return true;
}

/* `__device__ __managed__ int x;` is reported at the other word. */
static bool told_elsewhere(const Tokens *t, int i)
{
    int n = next(t, i), p = prev(t, i);
    while (is(t, n, W_STATIC) || is(t, n, W_CONST))
        n = next(t, n);
    while (is(t, p, W_STATIC) || is(t, p, W_CONST))
        p = prev(t, p);
    return is(t, n, W_MANAGED) || is(t, n, W_CONSTANT) || is(t, p, W_MANAGED) || is(t, p, W_CONSTANT);
}

/* In a module a static variable that its own file never writes is no constant: cuModuleGetGlobal() finds it. */
static void keep_variable(Unit *u, int i)
{
    if (u->image && !u->tok.t[i].ours)
        put_before(&u->tok, i, format(" __attribute__((used)) "));
}

static bool in_attribute(const Tokens *t, int i) { return is(t, prev(t, i), W_PAREN) || is(t, prev(t, i), W_COMMA); }

static void print_word(Unit *u, int i)
{
    Tokens *t = &u->tok;
    if (is(t, i, W_LAUNCH_BOUNDS) || is(t, i, W_CLUSTER_DIMS) || is(t, i, W_MAXNREG) || is(t, i, W_BLOCK_SIZE)) {
        if (is(t, next(t, i), W_PAREN))
            drop_range(t, i, mate(t, next(t, i)));
    } else if (is(t, i, W_GLOBAL) || is(t, i, W_DEVICE)) {
        if (in_attribute(t, i) && is(t, prev(t, prev(t, i)), W_ATTRIBUTE))
            return;
        t->t[i].drop = true;
        if (is(t, i, W_DEVICE) && !told_elsewhere(t, i) && !t->t[i].ours && is_variable(u, i) &&
            !is(t, next(t, i), W_PAREN) && !is(t, next(t, i), W_BRACE)) {
            keep_variable(u, i);
            if (u->check)
                tell_variable(t, i, statement_block(t, i) < 0 ? "__device__" : NULL);
        }
    } else if (is(t, i, W_CONSTANT) || is(t, i, W_MANAGED)) {
        t->t[i].drop = true;
        keep_variable(u, i);
        if (u->check)
            tell_variable(t, i, is(t, i, W_CONSTANT) ? "__constant__" : "__managed__");
    } else if (is(t, i, W_HOST) || is(t, i, W_GRID_CONSTANT) || is(t, i, W_NV_PURE)) {
        t->t[i].drop = true;
    } else if (is(t, i, W_FORCEINLINE)) {
        t->t[i].drop = true;
        put_before(t, i, format(" __inline__ __attribute__((always_inline)) "));
    } else if (is(t, i, W_NOINLINE) && !in_attribute(t, i)) {
        t->t[i].drop = true;
        put_before(t, i, format(" __attribute__((noinline)) "));
    }
}

/* `template <> class ::a::b<T> {`: nvcc takes the `::`, which g++ refuses in the head of a class that is defined. i: class
 * or struct. Without it the name is the same, since a specialization is in a namespace round the template. */
static void print_global_specialization(Tokens *t, int i)
{
    const int closed = prev(t, i), open = prev(t, closed), global = next(t, i);
    int j = next(t, global);
    if (!is(t, global, W_SCOPE) || !is(t, closed, W_GREATER) || !is(t, open, W_LESS) ||
        !is(t, prev(t, open), W_TEMPLATE))
        return;
    while (ident(t, j) || is(t, j, W_SCOPE) || is(t, j, W_LESS)) {
        j = is(t, j, W_LESS) ? angle_forward(t, j) : j;
        if (j < 0)
            return;
        j = next(t, j);
    }
    if (is(t, j, W_BRACE) || is(t, j, W_COLON))
        t->t[global].drop = true;
}

/* A variable template's instance at i, under --check: the checker learns of it where it is used. */
void print_instance(const Unit *u, Tokens *t, int i)
{
    const int open = next(t, i), close = is(t, open, W_LESS) ? angle_forward(t, open) : -1, p = prev(t, i);
    if (close < 0 || !has_name(u, t, i, N_TEMPLATE_MEMORY) || is(t, p, W_SCOPE) || is(t, p, W_DOT) ||
        is(t, p, W_ARROW) || at_namespace_scope(t, i) || (is(t, p, W_PAREN) && is(t, prev(t, p), W_DECLTYPE)))
        return;
    put_first(t, i, format("::cpudev::instance<decltype("));
    char *what = text_of(t, i, close);
    put_after(t, close,
              format("), %s>(\"%s\", \"%s\", %d)", what, what, t->t[i].file ? t->t[i].file : "", t->t[i].line));
    free(what);
}

/* Under --check __builtin_memcpy() is the function that tells the checker, as memcpy() is. */
static void print_builtin(Unit *u, int i)
{
    static const char *const names[] = {"__builtin_memcpy", "__builtin_memset", "__builtin_memmove", NULL};
    Token *k = &u->tok.t[i];
    if (u->check && !k->header && !k->library && named_in(&u->tok, names, i))
        k->as = format("::%.*s", k->len - (int)strlen("__builtin_"), k->s + strlen("__builtin_"));
}

void print_words(Unit *u)
{
    Tokens *t = &u->tok;
    for (int i = 0; i < t->n; i++) {
        Token *k = &t->t[i];
        if (k->sys)
            continue;
        if (k->kind == T_PRAGMA)
            k->drop = nvcc_pragma(k);
        else if (k->kind == T_ID && k->len >= 8 && k->s[0] == '_' && k->s[1] == '_') {
            print_word(u, i);
            print_builtin(u, i);
        } else if (is(t, i, W_CLASS) || is(t, i, W_STRUCT))
            print_global_specialization(t, i);
    }
}
