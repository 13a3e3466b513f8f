/* print_guarded.c: which threads of a block are active, where a kernel with guards is split.
 *
 *     const ::cpudev::boxes cpudev_boxes(blockDim, [&](const uint3 threadIdx) { DECLARATIONS return !(c1) && (c2); });
 * What a guard depends on is computed anew for it, from the text that declares it. */
#include "emit/printer.h"
#include "kernel/split.h"

#include <stdlib.h>

/* The variables that the tokens a..b name, and what those are made of. */
static void mark(const Split *s, int a, int b, bool *marks)
{
    for (int i = a; i <= b; i = next(s->t, i)) {
        const Decl *d = s->used[i];
        for (int k = 0; d && !d->is_param && k < s->f->ndecl; k++)
            if (s->f->decl[k] == d && !marks[k]) {
                marks[k] = true;
                mark(s, d->first, d->last, marks);
            }
    }
}

void print_active(Split *s)
{
    const Guards *g = &s->guards;
    bool *marks = must(calloc((size_t)s->f->ndecl + 1, 1));
    char *active = format("%s", "");
    for (int i = 0; i < g->n; i++) {
        const Node *n = g->guard[i].statement, *condition = n->kid[0];
        mark(s, condition->first, condition->last, marks);
        char *text = text_of(s->t, condition->first, condition->last);
        append(&active, format("%s%s(%s)", i ? " && " : "", g->guard[i].leaves ? "!" : "", text));
        free(text);
        drop_range(s->t, n->first, g->guard[i].leaves ? n->last : prev(s->t, n->kid[1]->first));
    }
    char *head = format(" const ::cpudev::boxes cpudev_boxes(blockDim, [&]([[maybe_unused]] const ::uint3 threadIdx) "
                        "__attribute__((always_inline)) { ");
    for (int k = 0; k < s->f->ndecl; k++)
        if (marks[k])
            append(&head, anew(s, s->f->decl[k]));
    append(&head, format(" return %s; }); if (!cpudev_boxes.n) return;", active));
    put_after(s->t, s->f->body, head);
    free(active);
    free(marks);
}
