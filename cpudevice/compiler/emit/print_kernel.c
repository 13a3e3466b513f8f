/* print_kernel.c: a kernel's body becomes a closure that the runtime runs for each thread (fibers, loops) or for each
 * block (regions): see cpudev_device.h. The body itself stays as the user wrote it. */
#include "emit/printer.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* The parameter in start..: where its name is (-1: none, and it would stand behind `place`), and what follows it. */
typedef struct {
    int name, place, end;
    bool pack;
} Parameter;

static Parameter parameter(Unit *u, const Tokens *t, int start, int close)
{
    static const char *const words[] = {"int",    "float", "double", "char",         "unsigned",   "long",     "short",
                                        "signed", "bool",  "const",  "__restrict__", "__restrict", "restrict", NULL};
    Parameter p = {-1, -1, start, false};
    int stop = -1, inner = -1, j = start;
    for (; j < close && !is(t, j, ","); j = next(t, j)) {
        if (is(t, j, "=") && stop < 0)
            stop = j;
        if (is(t, j, "<")) {
            int a = angle_forward(t, j);
            if (a > 0 && a < close)
                j = a;
            p.name = stop < 0 ? -1 : p.name;
        } else if (is(t, j, "(")) {
            int n = next(t, j); /* int (*f)(int), int (*const f)(int), int (*)(int) */
            while (is(t, n, "*") || is_qualifier(t, n))
                n = next(t, n);
            if (is(t, next(t, j), "*"))
                p.name = ident(t, n) ? n : -1;
            if (inner < 0 && !in(t, takes_parens, prev(t, j)))
                inner = is(t, next(t, j), "*") ? prev(t, n) : prev(t, j);
            j = mate(t, j);
        } else if (is(t, j, "[")) {
            inner = inner < 0 ? prev(t, j) : inner;
            j = mate(t, j);
        } else {
            p.pack |= is(t, j, ".");
            if (stop >= 0)
                continue;
            if (is(t, j, "&") || is(t, j, "&&"))
                error_at(u, &t->t[j],
                         "a kernel cannot take a parameter by reference: it would refer to the host's memory");
            if (!is(t, j, "."))
                p.name = ident(t, j) ? j : -1;
        }
    }
    p.end = j;
    int last = stop >= 0 ? prev(t, stop) : prev(t, j);
    p.place = inner >= 0 ? inner : last;
    if (p.name < 0 || in(t, words, p.name) || (last == start && p.name == start) || is(t, prev(t, p.name), "::"))
        p.name = -1;
    return p;
}

/* The parameters between the parentheses, as "decltype(a), decltype(b)...", and their names; those without a name get
 * one. */
static char *param_types(Unit *u, Tokens *t, int open, int close, char **names)
{
    char *out = format("%s", "");
    *names = format("%s", "");
    int start = next(t, open);
    if (start >= close || (is(t, start, "void") && next(t, start) == close))
        return out;
    for (int count = 0; start < close; count++) {
        Parameter p = parameter(u, t, start, close);
        if (p.name < 0) {
            put_after(t, p.place, format(" cpudev_p%d", count));
            append(&out, format("%sdecltype(cpudev_p%d)", count ? ", " : "", count));
            append(names, format("%scpudev_p%d", count ? ", " : "", count));
        } else {
            append(&out, format("%sdecltype(%.*s)%s", count ? ", " : "", t->t[p.name].len, t->t[p.name].s,
                                p.pack ? "..." : ""));
            append(names, format("%s%.*s%s", count ? ", " : "", t->t[p.name].len, t->t[p.name].s, p.pack ? "..." : ""));
        }
        start = next(t, p.end);
    }
    return out;
}

/* __func__ is the kernel's name, not that of the closure's operator. */
static char *function_names(Tokens *t, int open, int close, const char *name)
{
    static const char *const words[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", NULL};
    bool used = false;
    for (int i = open; i < close; i++)
        if (t->t[i].kind == T_ID && in(t, words, i) && !t->t[i].drop) {
            t->t[i].drop = used = true;
            put_before(t, i, format(is(t, i, "__PRETTY_FUNCTION__") ? "cpudev_pretty" : "cpudev_func"));
        }
    return used ? format(" static const char cpudev_func[] __attribute__((unused)) = \"%s\"; static const auto "
                         "&cpudev_pretty __attribute__((unused)) = __PRETTY_FUNCTION__;",
                         name)
                : format("%s", "");
}

/* Has the body a closure of its own? It may capture nothing, and then threadIdx must be the global one. */
static bool has_closure(const Tokens *t, int open, int close)
{
    for (int i = open; i < close; i = next(t, i)) {
        int p = prev(t, i);
        if (is(t, i, "[") && (!ident(t, p) || is(t, p, "return")) && !is(t, p, ")") && !is(t, p, "]") &&
            !is(t, p, "[") && !is(t, next(t, i), "["))
            return true;
    }
    return false;
}

void print_kernel(Unit *u, Kernel *k)
{
    Tokens *t = &u->tok, *body = k->run == RUN_FIBERS ? t : k->canonical.tok;
    const Function *f = k->f, *b = k->run == RUN_FIBERS ? f : &k->canonical;
    const Token *n = &t->t[f->name];
    bool regions = k->run == RUN_REGIONS, loop = k->run != RUN_FIBERS;
    char *arguments, *types = param_types(u, t, f->open, f->close, &arguments), *name = name_of(t, f->name);
    char *bounds =
        f->bounds >= 0 ? text_of(t, next(t, next(t, f->bounds)), prev(t, mate(t, next(t, f->bounds)))) : format("0");
    char *cluster =
        f->cluster < 0 ? NULL : text_of(t, next(t, next(t, f->cluster)), prev(t, mate(t, next(t, f->cluster))));
    char *told =
        u->check && *arguments ? format(" ::cpudev::arguments(\"%s\", %s);", arguments, arguments) : format("%s", "");
    char *entered = f->cluster < 0 ? format("&::cpudev::kernel_of<cpudev_tag>::k")
                                   : format("::cpudev::in_clusters(&::cpudev::kernel_of<cpudev_tag>::k, %s)", cluster);
    char *names = function_names(body, b->body, b->end, name);
    static const char thread[] = "[[maybe_unused]] const ::uint3 threadIdx, ",
                      coordinates[] =
                          "[[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::uint3 blockIdx, "
                          "[[maybe_unused]] const ::dim3 blockDim, [[maybe_unused]] const ::dim3 gridDim";
    bool global = !loop && (has_closure(t, f->body, f->end) || hides_coordinates(u, f));
    put_after(
        t, f->body,
        format(
            " struct cpudev_tag {}; if (int cpudev_mode = ::cpudev_enter(%s, \"%s\", "
            "__PRETTY_FUNCTION__, \"%s\", %d, ::cpudev::bounds(%s))) { if (cpudev_mode == 2) ::cpudev::unpack<%s>(); "
            "return; }%s%s "
            "auto cpudev_body = [=](%s) ",
            entered, name, n->file ? n->file : "", n->line, bounds, types, told, names,
            global    ? "const ::uint3, const ::uint3, const ::dim3, const ::dim3"
            : regions ? coordinates + strlen(thread)
                      : coordinates));
    const char *always = "__attribute__((always_inline)) ", *is_mutable = regions ? "" : "mutable ";
    put_after(t, f->body,
              u->clang ? format("%s%s{ ", loop ? always : "", is_mutable)
                       : format("%s%s{ ", is_mutable, loop ? always : ""));
    if (u->check && regions)
        put_after(t, f->body,
                  format("[[maybe_unused]] constexpr bool cpudev_trivial = ::cpudev::trivial<%s>(); ", types));
    put_before(t, f->end,
               format(" }; ::cpudev::submit_%s<cpudev_tag%s>(cpudev_body); ",
                      k->run == RUN_LOOP ? "simple"
                      : regions          ? "split"
                                         : "general",
                      k->run == RUN_LOOP && threads_apart(u, b, b->tree) ? ", true" : ""));
    free(types);
    free(arguments);
    free(told);
    free(bounds);
    free(cluster);
    free(entered);
    free(names);
    free(name);
}
