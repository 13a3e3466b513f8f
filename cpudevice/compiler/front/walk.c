/* walk.c: reading tokens forwards and backwards. Every function takes any index and never runs out of the text. */
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

bool in(const Tokens *t, const Word *list, int i)
{
    for (; *list; list++)
        if (is(t, i, *list))
            return true;
    return false;
}

bool named_in(const Tokens *t, const char *const *list, int i)
{
    for (; *list && ident(t, i); list++)
        if (same_as(t, i, *list, (int)strlen(*list)))
            return true;
    return false;
}

bool passed_over(const Tokens *t, int i)
{
    return i >= 0 && i < t->n && t->t[i].kind >= T_LINE && t->t[i].kind <= T_SPACE;
}

bool ident(const Tokens *t, int i) { return i >= 0 && i < t->n && t->t[i].kind == T_ID; }
bool adjacent(const Tokens *t, int i) { return i >= 0 && i + 1 < t->n && t->t[i + 1].lead == t->t[i + 1].s; }
bool same(const Tokens *t, int i, int k) { return same_as(t, i, t->t[k].s, t->t[k].len); }
bool same_as(const Tokens *t, int i, const char *s, int len)
{
    return t->t[i].len == len && !memcmp(t->t[i].s, s, (size_t)len);
}

bool text_starts(const Token *k, const char *with)
{
    return k->len >= (int)strlen(with) && !memcmp(k->s, with, strlen(with));
}

bool text_has(const Token *k, const char *what)
{
    const int n = (int)strlen(what);
    for (int i = 0; i + n <= k->len; i++)
        if (!memcmp(k->s + i, what, (size_t)n))
            return true;
    return false;
}

bool is_floating(const Token *k)
{
    const bool hex = text_starts(k, "0x") || text_starts(k, "0X");
    return k->kind == T_NUM && (text_has(k, ".") || text_has(k, hex ? "p" : "e") || text_has(k, hex ? "P" : "E"));
}

int prev(const Tokens *t, int i)
{
    do
        i--;
    while (passed_over(t, i));
    return i;
}

int next(const Tokens *t, int i)
{
    do
        i++;
    while (passed_over(t, i));
    return i < t->n ? i : t->n - 1;
}

int mate(const Tokens *t, int i) { return i >= 0 && t->t[i].mate > i ? t->t[i].mate : t->n - 1; }
int mate_back(const Tokens *t, int i) { return i >= 0 && t->t[i].mate < i ? t->t[i].mate : -1; }

int angle_back(const Tokens *t, int i)
{
    int depth = 0;
    for (int j = i; j >= 0; j = prev(t, j)) {
        if (t->t[j].kind != T_PUNCT || t->t[j].len != 1)
            continue;
        char c = *t->t[j].s;
        if (c == ')' || c == ']' || c == '}') {
            j = mate_back(t, j);
            if (j < 0)
                return -1;
        } else if (c == '>')
            depth++;
        else if (c == '<' && --depth == 0)
            return j;
        else if (c == ';' || c == '{' || c == '(' || c == '[')
            return -1;
    }
    return -1;
}

int angle_forward(const Tokens *t, int i)
{
    int depth = 0;
    for (int j = i; j >= 0 && j < t->n; j = next(t, j)) {
        if (t->t[j].kind == T_END)
            return -1;
        if (t->t[j].kind != T_PUNCT || t->t[j].len != 1)
            continue;
        char c = *t->t[j].s;
        if (c == '(' || c == '[' || c == '{')
            j = mate(t, j);
        else if (c == '<')
            depth++;
        else if (c == '>' && --depth == 0)
            return j;
        else if (c == ';' || c == ')' || c == ']' || c == '}')
            return -1;
    }
    return -1;
}

int enclosing(const Tokens *t, int i) { return i >= 0 && i < t->n ? t->t[i].outer : -1; }

bool contains(const Tokens *t, int a, int b, Word word)
{
    for (int i = a; i <= b && i < t->n && t->t[i].kind != T_END; i++)
        if (is(t, i, word))
            return true;
    return false;
}

static const char *or_empty(const char *text) { return text ? text : ""; }

/* The text of tokens a..b on one line, with or without what is put round the whole. */
static char *text_between(const Tokens *t, int a, int b, bool round)
{
    char *s = format("%s", "");
    for (int i = a; i >= 0 && i <= b && i < t->n && t->t[i].kind != T_END; i = next(t, i)) {
        const Token *k = &t->t[i];
        append(&s, format("%s%s%.*s%s", i > a && (!adjacent(t, i - 1) || passed_over(t, i - 1)) ? " " : "",
                          round || i != a ? or_empty(k->open) : "", k->as ? (int)strlen(k->as) : k->len,
                          k->as ? k->as : k->s, round || i != b ? or_empty(k->shut) : ""));
    }
    return s;
}

char *text_of(const Tokens *t, int a, int b) { return text_between(t, a, b, true); }
char *text_within(const Tokens *t, int a, int b) { return text_between(t, a, b, false); }

char *name_of(const Tokens *t, int i) { return format("%.*s", t->t[i].len, t->t[i].s); }

void drop_range(Tokens *t, int a, int b)
{
    for (int i = a; i <= b && i < t->n; i++)
        if (!passed_over(t, i))
            t->t[i].drop = true;
}

/* In front of what is there already. */
static void prepend(char **to, char *text)
{
    char *rest = *to;
    *to = text;
    if (rest)
        append(to, rest);
}

void put_before(Tokens *t, int i, char *text) { append(&t->t[i].before, text); }
void put_first(Tokens *t, int i, char *text) { prepend(&t->t[i].before, text); }
void put_after(Tokens *t, int i, char *text) { append(&t->t[i].after, text); }

/* `open` first.. last `shut` */
void put_round(Tokens *t, int first, int last, char *open, char *shut)
{
    prepend(&t->t[first].open, open);
    append(&t->t[last].shut, shut);
}

void show_as(Token *k, char *text)
{
    free(k->as);
    k->as = text;
}

bool at_namespace_scope(const Tokens *t, int i)
{
    for (int b = enclosing(t, i); b >= 0; b = enclosing(t, b)) {
        bool space = false;
        for (int p = prev(t, b);
             p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END) && !is(t, p, W_PAREN_END);
             p = prev(t, p))
            space |= is(t, p, W_NAMESPACE) || is(t, p, W_EXTERN);
        if (!space)
            return false;
    }
    return true;
}
