/* walk.c: reading tokens forwards and backwards. Every function takes any index and never runs out of the text. */
#include "front/unit.h"

#include <string.h>

bool is(const Tokens *t, int i, const char *s)
{
    return i >= 0 && i < t->n && t->t[i].len == (int)strlen(s) && !memcmp(t->t[i].s, s, (size_t)t->t[i].len);
}

bool in(const Tokens *t, const char *const *list, int i)
{
    for (; *list; list++)
        if (is(t, i, *list))
            return true;
    return false;
}

bool ident(const Tokens *t, int i) { return i >= 0 && i < t->n && t->t[i].kind == T_ID; }
bool adjacent(const Tokens *t, int i) { return i >= 0 && i + 1 < t->n && t->t[i + 1].lead == t->t[i + 1].s; }
bool same(const Tokens *t, int i, int k) { return same_as(t, i, t->t[k].s, t->t[k].len); }
bool same_as(const Tokens *t, int i, const char *s, int len)
{
    return t->t[i].len == len && !memcmp(t->t[i].s, s, (size_t)len);
}

int prev(const Tokens *t, int i)
{
    do
        i--;
    while (i >= 0 && t->t[i].kind == T_MARK);
    return i;
}

int next(const Tokens *t, int i)
{
    do
        i++;
    while (i < t->n - 1 && t->t[i].kind == T_MARK);
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

int enclosing(const Tokens *t, int i)
{
    for (int p = prev(t, i); p >= 0; p = prev(t, p)) {
        if (t->t[p].kind != T_PUNCT || t->t[p].len != 1)
            continue;
        char c = *t->t[p].s;
        if (c == ')' || c == ']' || c == '}')
            p = mate_back(t, p);
        else if (c == '(' || c == '[' || c == '{')
            return p;
        if (p < 0)
            break;
    }
    return -1;
}

bool contains(const Tokens *t, int a, int b, const char *word)
{
    for (int i = a; i <= b && i < t->n && t->t[i].kind != T_END; i++)
        if (t->t[i].kind == T_ID && is(t, i, word))
            return true;
    return false;
}

/* the text of tokens a..b on one line */
char *text_of(const Tokens *t, int a, int b)
{
    char *s = format("%s", "");
    for (int i = a; i >= 0 && i <= b && i < t->n && t->t[i].kind != T_END; i = next(t, i))
        append(&s, format("%s%.*s", i > a && (!adjacent(t, i - 1) || t->t[i - 1].kind == T_MARK) ? " " : "",
                          t->t[i].as ? (int)strlen(t->t[i].as) : t->t[i].len, t->t[i].as ? t->t[i].as : t->t[i].s));
    return s;
}

char *name_of(const Tokens *t, int i) { return format("%.*s", t->t[i].len, t->t[i].s); }

void drop_range(Tokens *t, int a, int b)
{
    for (int i = a; i <= b && i < t->n; i++)
        if (t->t[i].kind != T_MARK)
            t->t[i].drop = true;
}

void put_before(Tokens *t, int i, char *text) { append(&t->t[i].before, text); }
/* In front of what is put before the token already. */
void put_first(Tokens *t, int i, char *text)
{
    char *rest = t->t[i].before;
    t->t[i].before = text;
    if (rest)
        append(&t->t[i].before, rest);
}
void put_after(Tokens *t, int i, char *text) { append(&t->t[i].after, text); }

bool at_namespace_scope(const Tokens *t, int i)
{
    for (int b = enclosing(t, i); b >= 0; b = enclosing(t, b)) {
        bool space = false;
        for (int p = prev(t, b); p >= 0 && !is(t, p, ";") && !is(t, p, "{") && !is(t, p, "}") && !is(t, p, ")");
             p = prev(t, p))
            space |= is(t, p, "namespace") || is(t, p, "extern");
        if (!space)
            return false;
    }
    return true;
}
