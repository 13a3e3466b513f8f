/* dump.c: what the unit looks like after a pass. */
#include "analysis/analysis.h"
#include "verify/dump.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"name",   "literal", "string", "paren",   "unary", "postfix",  "binary",
                                    "assign", "ternary", "comma",  "call",    "index", "member",   "cast",
                                    "sizeof", "list",    "opaque", "{}",      "if",    "for",      "while",
                                    "do",     "switch",  "case",   "return",  "break", "continue", "decl",
                                    "expr",   "empty",   "types",  "barrier", "guard", "OPAQUE"};

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

static void dump_decls(Unit *u, const Function *f, bool placed)
{
    static const char *const placements[] = {"private", "shared", "uniform", "again", "fresh", "slot"};
    static const char use[] = "rwa?";
    for (int i = 0; i < f->ndecl; i++) {
        const Decl *d = f->decl[i];
        fprintf(u->out, "  %.*s line %d:%s%s%s", d->len, d->name, f->tok->t[d->at].line,
                d->is_param ? " parameter" : "", d->ndims ? " array" : "", d->only_read ? ", only read" : "");
        if (placed)
            fprintf(u->out, ", %s", placements[d->placement]);
        fprintf(u->out, "%s", d->nuse ? ", uses " : "");
        for (int k = 0; k < d->nuse; k++)
            fputc(use[d->use[k].kind], u->out);
        fputc('\n', u->out);
    }
}

void dump(Unit *u, const char *pass)
{
    static const char *const runs[] = {"fibers", "loop", "regions"}, *const purity[] = {"unknown", "visiting", "pure",
                                                                                        "impure"};
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
                k && strcmp(pass, "canonical") == 0 ? runs[k->run]
                : k                                 ? ""
                                                    : purity[f->purity],
                (k ? k->why : f->why) ? ": " : "", (k ? k->why : f->why) ? (k ? k->why : f->why) : "");
        free(name);
        const Function *shown = k && k->canonical.tree ? &k->canonical : f;
        if (k && k->run != RUN_FIBERS && !strcmp(pass, "canonical"))
            fprintf(u->out, "  threads%s apart\n", threads_apart(u, shown, shown->tree) ? "" : " not");
        if (k && k->exchanged && !strcmp(pass, "canonical"))
            fprintf(u->out, "  loops exchanged\n");
        if (k && k->lanes && !strcmp(pass, "canonical"))
            fprintf(u->out, "  lanes exchange in the block\n");
        if (k && k->guarded && !strcmp(pass, "canonical"))
            fprintf(u->out, "  for the threads that take part\n");
        dump_decls(u, shown, k && k->run == RUN_REGIONS);
        if (!strcmp(pass, "parse"))
            dump_node(u, shown->tok, shown->tree, 2);
    }
}
