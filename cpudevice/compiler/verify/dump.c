/* dump.c: what the unit looks like after a pass. */
#include "analysis/analysis.h"
#include "front/declarator.h"
#include "kernel/split.h"
#include "verify/dump.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"name",   "literal", "string", "paren",   "unary", "postfix",  "binary",
                                    "assign", "ternary", "comma",  "call",    "index", "member",   "cast",
                                    "sizeof", "list",    "opaque", "{}",      "if",    "for",      "while",
                                    "do",     "switch",  "case",   "return",  "break", "continue", "decl",
                                    "expr",   "empty",   "types",  "barrier", "guard", "OPAQUE"};

static const char *variance_word(Variance v)
{
    if (v.on & ON_UNKNOWN)
        return "unknown";
    if (v.on & ON_THREAD)
        return v.stride == STRIDE_ONE ? "neighbour" : v.stride == STRIDE_NONE ? "row" : "thread";
    return v.on & ON_BLOCK ? "block" : "same";
}

/* The outermost expressions in n, and of those that are not the same for all threads what they consist of. */
static void dump_variance(Unit *u, const Tokens *t, const Node *n, int indent)
{
    if (n && is_expression(n)) {
        char *text = text_of(t, n->first, n->last);
        fprintf(u->out, "%*s%s `%.60s`\n", indent, "", variance_word(n->variance), text);
        free(text);
        if (n->variance.on == 0)
            return;
        indent += 2;
    }
    for (int i = 0; n && i < n->n; i++)
        dump_variance(u, t, n->kid[i], indent);
}

static void dump_node(Unit *u, const Tokens *t, const Node *n, int indent)
{
    if (!n) {
        fprintf(u->out, "%*s-\n", indent, "");
        return;
    }
    char *text = text_of(t, n->first, n->last);
    fprintf(u->out, "%*s%s%s `%.60s`\n", indent, "", kinds[n->kind], n->has_barrier ? " (barrier)" : "", text);
    free(text);
    for (int i = 0; i < n->n; i++)
        dump_node(u, t, n->kid[i], indent + 2);
}

static void dump_decls(Unit *u, const Function *f, bool variance, bool placed)
{
    static const char *const placements[] = {"private", "shared", "uniform", "again", "fresh", "slot"};
    static const char use[] = "rwa?";
    for (int i = 0; i < f->ndecl; i++) {
        const Decl *d = f->decl[i];
        fprintf(u->out, "  %.*s line %d:%s%s%s", d->len, d->name, f->tok->t[d->at].line,
                d->is_param ? " parameter" : "", d->ndims ? " array" : "", d->only_read ? ", only read" : "");
        if (variance)
            fprintf(u->out, ", %s", variance_word(d->variance));
        if (placed)
            fprintf(u->out, ", %s", placements[d->placement]);
        fprintf(u->out, "%s", d->nuse ? ", uses " : "");
        for (int k = 0; k < d->nuse; k++)
            fputc(use[d->use[k].kind], u->out);
        fputc('\n', u->out);
    }
}

static void dump_regions(Unit *u, const Kernel *k)
{
    const Tokens *t = k->canonical.tok;
    for (int i = 0; i < k->split->nregion; i++) {
        const Region *r = &k->split->region[i];
        fprintf(u->out, "  region lines %d to %d: %d statement%s, threads%s apart%s\n", t->t[r->first].line,
                t->t[r->last].line, r->n, r->n == 1 ? "" : "s", r->apart ? "" : " not", r->returns ? ", returns" : "");
    }
}

void dump(Unit *u, const char *pass)
{
    static const char *const runs[] = {"fibers", "loop", "regions"}, *const purity[] = {"unknown", "visiting", "pure",
                                                                                        "impure"};
    const bool decided = !strcmp(pass, "regions") || !strcmp(pass, "work_items"); /* how each kernel runs */
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        const Kernel *k = NULL;
        for (int j = 0; j < u->nkernel; j++)
            if (u->kernel[j].f == f)
                k = &u->kernel[j];
        if (u->tok.t[f->open].ours || f->body < 0)
            continue;
        char *name = f->name >= 0 ? name_of(&u->tok, f->name) : format("lambda");
        fprintf(u->out, "%s %s line %d: %s%s%s\n", f->kernel ? "kernel" : "function", name, u->tok.t[f->open].line,
                k && decided ? runs[k->run]
                : k          ? ""
                             : purity[f->purity],
                (k ? k->why : f->why) ? ": " : "", (k ? k->why : f->why) ? (k ? k->why : f->why) : "");
        free(name);
        const Function *shown = k && k->canonical.tree ? &k->canonical : f;
        if (k && k->run != RUN_FIBERS && decided)
            fprintf(u->out, "  threads%s apart\n", threads_apart(u, shown, shown->tree) ? "" : " not");
        if (k && k->exchanged && decided)
            fprintf(u->out, "  loops exchanged\n");
        if (k && k->lanes && decided)
            fprintf(u->out, "  lanes exchange in the block\n");
        if (k && k->guarded && decided)
            fprintf(u->out, "  for the threads that take part\n");
        const bool variance = k && !strcmp(pass, "variance");
        dump_decls(u, shown, variance, k && k->run == RUN_REGIONS);
        if (decided && k && k->run == RUN_REGIONS)
            dump_regions(u, k);
        if (variance)
            dump_variance(u, shown->tok, shown->tree, 2);
        if (!strcmp(pass, "parse"))
            dump_node(u, shown->tok, shown->tree, 2);
    }
}

static void dump_declarator(Unit *u, const Declarator *d)
{
    const Tokens *t = &u->tok;
    char *name = d->name >= 0 ? name_of(t, d->name) : format("%s", d->binding ? "[]" : "-");
    fprintf(u->out, "; %s", name);
    if (d->stars)
        fprintf(u->out, " stars %d", d->stars);
    if (d->dims)
        fprintf(u->out, " dims %d", d->dims);
    fprintf(u->out, "%s%s%s%s%s%s", d->is_ref ? " ref" : "", d->pack ? " pack" : "", d->grouped ? " grouped" : "",
            d->odd ? " odd" : "", d->attributes ? " attributes" : "", d->open_dims ? " open" : "");
    if (d->init >= 0) {
        char *text = text_of(t, d->init, d->last);
        fprintf(u->out, " with %s", text);
        free(text);
    }
    free(name);
}

void dump_declarators(Unit *u)
{
    const Tokens *t = &u->tok;
    for (int i = next(t, -1); t->t[i].kind != T_END;) {
        const int semi = declaration_end(t, i), first = scan_specifiers(t, i, semi, true);
        char *type = text_of(t, i, prev(t, first));
        fprintf(u->out, "%s", type);
        free(type);
        Declarator d = {.end = prev(t, first)};
        for (bool read = true; read && d.end < semi;) {
            read = scan_declarator(t, next(t, d.end), semi, &d);
            if (read)
                dump_declarator(u, &d);
            else
                fprintf(u->out, "; ?");
        }
        fputc('\n', u->out);
        i = is(t, semi, W_SEMICOLON) ? next(t, semi) : semi;
    }
}
