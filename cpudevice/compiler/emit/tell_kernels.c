/* tell_kernels.c: for the driver, where the kernels are in the user's files and how each was printed, so that it
 * knows which of them a message of g++ may be about. One line for each run of lines of a kernel in one file:
 *
 *   ID WAY FIRST LAST NAME FILE
 *
 * WAY is f for fibers; l for a loop whose text is as the user wrote it; r for one that was rewritten. FILE is written
 * as in a line marker. */
#include "front/unit.h"

#include <stdlib.h>

/* Is the kernel's text, apart from what encloses it, the user's own? A closure in it may see threadIdx differently. */
static bool as_written(const Unit *u, const Kernel *k)
{
    const Tokens *t = k->canonical.tok, *user = &u->tok;
    int i = next(t, k->canonical.body), j = next(user, k->f->body);
    for (; i < k->canonical.end && j < k->f->end; i = next(t, i), j = next(user, j)) {
        const Token *a = &t->t[i];
        int p = prev(t, i);
        if (a->drop || a->before || a->after || !same_as(user, j, a->s, a->len))
            return false;
        if (is(t, i, W_SQUARE) && !ident(t, p) && !is(t, p, W_SQUARE_END) && !is(t, p, W_PAREN_END))
            return false;
    }
    return i == k->canonical.end && j == k->f->end;
}

void tell_kernels(const Unit *u, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(1);
    }
    for (int n = 0; n < u->nkernel; n++) {
        const Kernel *k = &u->kernel[n];
        const Token *t = u->tok.t;
        char *name = name_of(&u->tok, k->f->name);
        char way = k->run == RUN_FIBERS ? 'f' : k->run == RUN_LOOP && as_written(u, k) ? 'l' : 'r';
        for (int i = k->f->start, from = i; i <= k->f->end; i++)
            if (i == k->f->end || t[i + 1].file != t[i].file) {
                if (t[i].file)
                    fprintf(f, "%d %c %d %d %s %s\n", k->id, way, t[from].line, t[i].line, name, t[i].file);
                from = i + 1;
            }
        free(name);
    }
    if (fclose(f)) {
        perror(path);
        exit(1);
    }
}
