/* print_words.c: what C++ cannot say outside functions: CUDA's specifiers and pragmas go, variables on the device are
 * told to the checker. */
#include "emit/printer.h"

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

/* The names of the declaration whose first declarator's name is at `name`. */
static int declarators(const Tokens *t, int name, int after, int *names, int most, int *semi)
{
    int n = 0;
    names[n++] = name;
    for (*semi = after; t->t[*semi].kind != T_END && !is(t, *semi, ";"); *semi = next(t, *semi)) {
        if (is(t, *semi, "(") || is(t, *semi, "{") || is(t, *semi, "["))
            *semi = mate(t, *semi);
        else if (is(t, *semi, ",") && n < most) { /* int a, *b, c[4]; */
            int k = next(t, *semi);
            while (is(t, k, "*") || is(t, k, "const") || is(t, k, "volatile"))
                k = next(t, k);
            if (ident(t, k))
                names[n++] = k;
        }
    }
    return n;
}

/* A variable's declaration, with __device__, __constant__, __managed__ or static at i: the checker learns the
 * variables' names and sizes. kind: which of the first three, or NULL for one in a function. */
static void tell_variable(Tokens *t, int i, const char *kind)
{
    int name = -1, names[16], semi, j = next(t, i);
    for (int p = prev(t, i); ident(t, p) || is(t, p, ")"); p = prev(t, p))
        if (is(t, p, "extern") || is(t, p, "template"))
            return;
    for (; t->t[j].kind != T_END; j = next(t, j)) {
        if (in(t, takes_parens, j) && is(t, next(t, j), "(")) {
            j = mate(t, next(t, j));
            continue;
        }
        if (is(t, j, "extern"))
            return;
        if (is(t, j, "<")) {
            j = angle_forward(t, j);
            if (j < 0)
                return;
            continue;
        }
        if (is(t, j, "{") &&
            (is(t, prev(t, j), "struct") || is(t, prev(t, j), "union") || is(t, prev(t, prev(t, j)), "struct") ||
             is(t, prev(t, prev(t, j)), "union"))) { /* struct {...} s; */
            j = mate(t, j);
            name = -1;
            continue;
        }
        if (is(t, j, "[") || is(t, j, "=") || is(t, j, ";") || is(t, j, "{") || is(t, j, ",") || is(t, j, "("))
            break;
        name = ident(t, j) ? j : -1;
    }
    if (name < 0)
        return;
    int n = declarators(t, name, j, names, 16, &semi);
    for (int d = 0; d < n; d++) {
        const Token *k = &t->t[names[d]];
        const char *file = t->t[i].file ? t->t[i].file : "";
        char *what = format("(void *)&%.*s, sizeof(%.*s), \"%.*s\"", k->len, k->s, k->len, k->s, k->len, k->s);
        if (kind)
            put_after(t, semi,
                      format(" static ::cpudev::global_note cpudev_global_%d(%s, \"%s\", \"%s\", %d);", names[d], what,
                             kind, file, t->t[i].line));
        else
            put_after(t, semi,
                      format(" static ::cpudev::static_note cpudev_global_%d; cpudev_global_%d.tell(%s, \"%s\", %d);",
                             names[d], names[d], what, file, t->t[i].line));
        free(what);
    }
}

/* A static variable of a device function, which is in the device's memory: told when a thread first comes there. */
void print_static(Tokens *t, int i)
{
    int p = prev(t, i), k = i;
    while (ident(t, k) && !in(t, specifiers, k) && !is(t, k, "constexpr"))
        k = next(t, k);
    if (ident(t, k) || is(t, k, "&") || is(t, k, "&&")) /* __shared__; a reference's object is another's */
        return;
    if ((is(t, p, ";") || is(t, p, "{") || is(t, p, "}")) && statement_block(t, i) >= 0)
        tell_variable(t, i, NULL);
}

static bool is_variable(const Unit *u, int i)
{
    for (int k = 0; k < u->nfunction; k++)
        if (u->function[k].start <= i && i < u->function[k].open)
            return false;
    return true;
}

/* `__device__ __managed__ int x;` is told at the other word. */
static bool told_elsewhere(const Tokens *t, int i)
{
    int n = next(t, i), p = prev(t, i);
    while (is(t, n, "static") || is(t, n, "const"))
        n = next(t, n);
    while (is(t, p, "static") || is(t, p, "const"))
        p = prev(t, p);
    return is(t, n, "__managed__") || is(t, n, "__constant__") || is(t, p, "__managed__") || is(t, p, "__constant__");
}

/* In a module a static variable that its own file never writes is no constant: cuModuleGetGlobal() finds it. */
static void keep_variable(Unit *u, int i)
{
    if (u->image && !u->tok.t[i].ours)
        put_before(&u->tok, i, format(" __attribute__((used)) "));
}

static bool in_attribute(const Tokens *t, int i) { return is(t, prev(t, i), "(") || is(t, prev(t, i), ","); }

static void print_word(Unit *u, int i)
{
    Tokens *t = &u->tok;
    if (is(t, i, "__launch_bounds__") || is(t, i, "__cluster_dims__") || is(t, i, "__maxnreg__") ||
        is(t, i, "__block_size__")) {
        if (is(t, next(t, i), "("))
            drop_range(t, i, mate(t, next(t, i)));
    } else if (is(t, i, "__global__") || is(t, i, "__device__")) {
        if (in_attribute(t, i) && is(t, prev(t, prev(t, i)), "__attribute__"))
            return;
        t->t[i].drop = true;
        if (is(t, i, "__device__") && !told_elsewhere(t, i) && !t->t[i].ours && is_variable(u, i) &&
            !is(t, next(t, i), "(") && !is(t, next(t, i), "{")) {
            keep_variable(u, i);
            if (u->check)
                tell_variable(t, i, "__device__");
        }
    } else if (is(t, i, "__constant__") || is(t, i, "__managed__")) {
        t->t[i].drop = true;
        keep_variable(u, i);
        if (u->check)
            tell_variable(t, i, is(t, i, "__constant__") ? "__constant__" : "__managed__");
    } else if (is(t, i, "__host__") || is(t, i, "__grid_constant__") || is(t, i, "__nv_pure__")) {
        t->t[i].drop = true;
    } else if (is(t, i, "__forceinline__")) {
        t->t[i].drop = true;
        put_before(t, i, format(" __inline__ __attribute__((always_inline)) "));
    } else if (is(t, i, "__noinline__") && !in_attribute(t, i)) {
        t->t[i].drop = true;
        put_before(t, i, format(" __attribute__((noinline)) "));
    }
}

/* `template <> class ::a::b<T> {`: nvcc takes the `::`, which g++ refuses in the head of a class that is defined. i: class
 * or struct. Without it the name is the same, since a specialization stands in a namespace round the template. */
static void print_global_specialization(Tokens *t, int i)
{
    const int closed = prev(t, i), open = prev(t, closed), global = next(t, i);
    int j = next(t, global);
    if (!is(t, global, "::") || !is(t, closed, ">") || !is(t, open, "<") || !is(t, prev(t, open), "template"))
        return;
    while (ident(t, j) || is(t, j, "::") || is(t, j, "<")) {
        j = is(t, j, "<") ? angle_forward(t, j) : j;
        if (j < 0)
            return;
        j = next(t, j);
    }
    if (is(t, j, "{") || is(t, j, ":"))
        t->t[global].drop = true;
}

void print_words(Unit *u)
{
    Tokens *t = &u->tok;
    for (int i = 0; i < t->n; i++) {
        Token *k = &t->t[i];
        if (k->sys)
            continue;
        if (k->kind == T_MARK)
            k->drop = nvcc_pragma(k);
        else if (k->kind == T_ID && k->len >= 8 && k->s[0] == '_' && k->s[1] == '_')
            print_word(u, i);
        else if (is(t, i, "class") || is(t, i, "struct"))
            print_global_specialization(t, i);
    }
}
