/* canonical_edit.c: replacing tokens of a kernel by others, so that every token keeps the user's line. */
#include "kernel/canonical_form.h"

#include <stdlib.h>
#include <string.h>

void words_space(Tokens *w, const char *text, int len)
{
    if (len > 0)
        push(w, (Token){.s = text, .lead = text, .len = len, .kind = T_SPACE, .mate = -1});
}

void words_mark(Tokens *w, const Token *at)
{
    char *text = format("\n# %d \"%s\"\n", at->line, at->file ? at->file : "<input>");
    push(w, (Token){.s = text + 1, .lead = text, .len = (int)strlen(text + 1), .kind = T_LINE, .mate = -1});
}

void words_say(Tokens *w, const Token *at, char *text)
{
    Tokens said = {NULL, 0, 0};
    tokenize(&said, text, text + strlen(text));
    for (int i = 0; i < said.n - 1; i++) {
        said.t[i].line = at->line;
        said.t[i].file = at->file;
        push(w, said.t[i]);
    }
    free(said.t);
}

/* The first without the white space before it. */
void words_copy(Tokens *w, const Tokens *from, int a, int b)
{
    for (int i = a; i < b; i++) {
        Token t = from->t[i];
        if (i == a)
            t.lead = t.s;
        push(w, t);
    }
}

void replace_tokens(Tokens *t, int a, int b, Tokens *w)
{
    Tokens all = {NULL, 0, 0};
    for (int i = 0; i < a; i++)
        push(&all, t->t[i]);
    words_space(&all, t->t[a].lead, (int)(t->t[a].s - t->t[a].lead));
    for (int i = 0; i < w->n; i++)
        push(&all, w->t[i]);
    if (!passed_over(t, b) && t->t[b].kind != T_END) {
        words_mark(&all, &t->t[b]);
        t->t[b].lead = t->t[b].s;
    }
    for (int i = b; i < t->n; i++)
        push(&all, t->t[i]);
    free(t->t);
    free(w->t);
    *w = (Tokens){NULL, 0, 0};
    *t = all;
    find_mates(t);
}

/* Finds the kernel's parentheses and braces in its own tokens. */
void canonical_bounds(Kernel *k)
{
    Function *c = &k->canonical;
    find_mates(c->tok);
    c->open = 0;
    c->close = mate(c->tok, 0);
    c->end = c->tok->n - 2;
    c->body = mate_back(c->tok, c->end);
    c->name = -1;
}
