/* print_bindings.c: what a parallel region begins with: the variables that live across barriers, by the names that the
 * program has for them. print_regions.c says what becomes of each placement. */
#include "kernel/split.h"

#include <stdlib.h>

bool pointer_is_const(const Split *s, const Decl *d) { return d->stars > 0 && is(s->t, prev(s->t, d->at), W_CONST); }

/* `const T x = initialiser;` */
char *anew(const Split *s, const Decl *d)
{
    char *type = text_of(s->t, d->type_first, d->type_last),
         *stars = d->at > d->first ? text_of(s->t, d->first, prev(s->t, d->at)) : format("%s", "");
    char *rest = text_of(s->t, d->at, d->last);
    char *out = format("[[maybe_unused]] %s%s %s%s%s;", d->stars == 0 && !d->is_const ? "const " : "", type, stars,
                       d->stars > 0 && !pointer_is_const(s, d) ? " const " : " ", rest);
    free(type);
    free(stars);
    free(rest);
    return out;
}

/* `T x;` */
static char *fresh_text(const Split *s, const Decl *d)
{
    char *type = text_of(s->t, d->type_first, d->type_last), *rest = text_of(s->t, d->first, d->at);
    char *out = format("[[maybe_unused]] %s %s;", type, rest);
    free(type);
    free(rest);
    return out;
}

char *binding(const Split *s, const Decl *d)
{
    char *name = format("%.*s", d->len, d->name), *out;
    if (d->placement == P_AGAIN)
        out = anew(s, d);
    else if (d->placement == P_UNIFORM)
        out = format("[[maybe_unused]] const auto %s = %s__cpudev;", name, name);
    else if (d->placement == P_FRESH)
        out = fresh_text(s, d);
    else
        out = format("[[maybe_unused]] %s%s__cpudev_t &%s = %s__cpudev[cpudev_t];", d->is_const ? "const " : "", name,
                     name, name);
    free(name);
    return out;
}

static bool bound(const Decl *d)
{
    return d->placement == P_AGAIN || d->placement == P_FRESH || d->placement == P_SLOT ||
           (d->placement == P_UNIFORM && d->written_together);
}

/* Marks the variables named by the tokens a..b, and what those are computed from that are computed anew. */
static void mark_bound(const Split *s, int a, int b, bool *marks)
{
    for (int i = a; i <= b; i = next(s->t, i)) {
        const Decl *d = s->used[i];
        for (int k = 0; d && k < s->f->ndecl; k++)
            if (s->f->decl[k] == d && bound(d) && !marks[k]) {
                marks[k] = true;
                if (d->placement == P_AGAIN)
                    mark_bound(s, d->first, d->last, marks);
            }
    }
}

/* What the region first..last begins with: the variables that it uses and does not declare. slots: those too that have
 * one slot a thread. */
char *bindings(const Split *s, int first, int last, bool slots)
{
    bool *marks = must(calloc((size_t)s->f->ndecl + 1, 1));
    char *out = format("%s", "");
    mark_bound(s, first, last, marks);
    for (int k = 0; k < s->f->ndecl; k++) {
        const Decl *d = s->f->decl[k];
        if (marks[k] && (d->at < first || d->at > last) && (slots || d->placement != P_SLOT)) {
            append(&out, binding(s, d));
            append(&out, format(" "));
        }
    }
    free(marks);
    return out;
}
