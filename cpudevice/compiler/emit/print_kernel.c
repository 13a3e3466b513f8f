/* print_kernel.c: a kernel's body becomes a closure that the runtime runs for each thread (fibers, loops) or for each
 * block (regions): see cpudev_device.h. The body itself stays as the user wrote it. */
#include "emit/printer.h"
#include "front/declarator.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* The parameter in start..close-1. */
static Declarator parameter(Unit *u, const Tokens *t, int start, int close)
{
    Declarator p;
    const int first = scan_specifiers(t, start, close, true);
    scan_declarator(t, first, close, &p);
    for (int j = first; p.is_ref && j <= p.place; j = next(t, j))
        if (is(t, j, W_AND) || is(t, j, W_AND_AND))
            error_at(u, &t->t[j], "a kernel cannot take a parameter by reference: it would refer to the host's memory");
    p.end = comma_or_end(t, p.end, close);
    return p;
}

/* The parameters between the parentheses, as "decltype(a), decltype(b)...", and their names; those without a name get
 * one. */
static char *param_types(Unit *u, Tokens *t, int open, int close, char **names)
{
    char *out = format("%s", "");
    *names = format("%s", "");
    int start = next(t, open);
    if (start >= close || (is(t, start, W_VOID) && next(t, start) == close))
        return out;
    for (int count = 0; start < close; count++) {
        const Declarator p = parameter(u, t, start, close);
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
    static const Word words[] = {W_FUNC, W_FUNCTION, W_PRETTY_FUNCTION, W_NONE};
    bool used = false;
    for (int i = open; i < close; i++)
        if (t->t[i].kind == T_ID && in(t, words, i) && !t->t[i].drop) {
            t->t[i].drop = used = true;
            put_before(t, i, format(is(t, i, W_PRETTY_FUNCTION) ? "cpudev_pretty" : "cpudev_func"));
        }
    return used ? format(" static const char cpudev_func[] __attribute__((unused)) = \"%s\"; static const auto "
                         "&cpudev_pretty __attribute__((unused)) = __PRETTY_FUNCTION__;",
                         name)
                : format("%s", "");
}

/* Has the body a class or a closure of its own? The first sees no parameter of what it stands in, the second may capture
 * nothing: then threadIdx must be the global one. */
static bool has_scope_of_its_own(const Tokens *t, int open, int close)
{
    for (int i = open; i < close; i = next(t, i)) {
        int p = prev(t, i);
        if (is(t, i, W_STRUCT) || is(t, i, W_CLASS) || is(t, i, W_UNION))
            return true;
        if (is(t, i, W_SQUARE) && (!ident(t, p) || is(t, p, W_RETURN)) && !is(t, p, W_PAREN_END) &&
            !is(t, p, W_SQUARE_END) && !is(t, p, W_SQUARE) && !is(t, next(t, i), W_SQUARE))
            return true;
    }
    return false;
}

/* The kernel's name as an expression within it: with the parameters of its template as arguments. NULL: it cannot be written. */
static char *own_name(const Unit *u, const Function *f)
{
    const Tokens *t = &u->tok;
    if (f->member || is(t, next(t, f->name), W_LESS))
        return NULL;
    for (int i = f->open; i < f->close; i = next(t, i))
        if (same(t, i, f->name))
            return NULL;
    char *name = format("%.*s", t->t[f->name].len, t->t[f->name].s);
    if (f->template_first < 0)
        return name;
    append(&name, format("<"));
    for (int i = f->template_first, first = i; first <= f->template_last; i = first) {
        int last = -1, end = comma_or_end(t, i, next(t, f->template_last));
        for (; i < end && !is(t, i, W_ASSIGN); i = next(t, i))
            last = i;
        if (last <= first || !ident(t, last) || is_keyword_type(t, last) || is(t, prev(t, last), W_SCOPE) ||
            is(t, first, W_TEMPLATE)) {
            free(name);
            return NULL;
        }
        append(&name, format("%s%.*s%s", first == f->template_first ? "" : ", ", t->t[last].len, t->t[last].s,
                             is(t, prev(t, last), W_DOT) ? "..." : ""));
        first = next(t, end);
    }
    append(&name, format(">"));
    return name;
}

/* In a file that asks for the parameters of a graph's kernels: a captured launch gives them to the runtime. */
static char *keep_arguments(const Unit *u, const Function *f, const char *types, const char *arguments)
{
    bool asks = false;
    for (int i = 0; i < u->tok.n && !asks; i++)
        asks = is(&u->tok, i, W_KERNEL_NODE_PARAMS) && !u->tok.t[i].header;
    char *name = asks ? own_name(u, f) : NULL;
    char *keep = name ? format(" if (::cpudev_keeps()) ::cpudev::keep<%s>((void (*)())(void (*)(%s))%s%s%s);", types,
                               types, name, *arguments ? ", " : "", arguments)
                      : format("%s", "");
    free(name);
    return keep;
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
    append(&told, keep_arguments(u, f, types, arguments));
    char *names = function_names(body, b->body, b->end, name);
    static const char thread[] = "[[maybe_unused]] const ::uint3 threadIdx, ",
                      coordinates[] =
                          "[[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::uint3 blockIdx, "
                          "[[maybe_unused]] const ::dim3 blockDim, [[maybe_unused]] const ::dim3 gridDim";
    bool global = !loop && (has_scope_of_its_own(t, f->body, f->end) || hides_coordinates(u, f));
    if (*types)
        put_after(
            t, f->body,
            format(" static_assert(::cpudev::parameter_list<%s>::end(0) <= 32764, \"Formal parameter space overflowed "
                   "(max 32764 bytes allowed) in function %s\");",
                   types, name));
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
