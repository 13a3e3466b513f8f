/* words.c: strings and vectors of them. */
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *must(void *p)
{
    if (!p)
        die("out of memory");
    return p;
}

char *vformat(const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *s = must(malloc((size_t)n + 1));
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    return s;
}

char *format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = vformat(fmt, ap);
    va_end(ap);
    return s;
}

static void add_owned(Words *w, char *word)
{
    if (w->n + 2 > w->cap)
        w->word = must(realloc(w->word, (size_t)(w->cap = w->cap ? 2 * w->cap : 16) * sizeof *w->word));
    w->word[w->n++] = word;
    w->word[w->n] = NULL;
}

void add(Words *w, const char *word) { add_owned(w, must(strdup(word))); }

void add_words(Words *w, const Words *more)
{
    for (int i = 0; i < more->n; i++)
        add(w, more->word[i]);
}

void add_split(Words *w, const char *text, const char *separators)
{
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t n = strcspn(text, separators);
        add_owned(w, format("%.*s", (int)n, text));
        text += n;
    }
}

void add_quoted(Words *w, const char *p, const char *separators)
{
    char *word = must(malloc(strlen(p) + 1));
    for (p += strspn(p, separators); *p; p += strspn(p, separators)) {
        size_t n = 0;
        char quote = 0;
        for (; *p && (quote || !strchr(separators, *p)); p++)
            if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            else if (*p == '\\' && p[1] && quote != '\'')
                word[n++] = *++p;
            else
                word[n++] = *p;
        word[n] = 0;
        add(w, word);
    }
}

void add_listed(Words *w, const char *p)
{
    for (p += strspn(p, ", \t"); *p; p += strspn(p, ", \t")) {
        size_t n = 0;
        for (bool quoted = false; p[n] && (quoted || p[n] != ','); n++)
            if (p[n] == '\\' && p[n + 1] == '"')
                n++;
            else if (p[n] == '"')
                quoted = !quoted;
        size_t word = n;
        while (word && strchr(" \t", p[word - 1]))
            word--;
        add_owned(w, format("%.*s", (int)word, p));
        p += n;
    }
}

void add_format(Words *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_owned(w, vformat(fmt, ap));
    va_end(ap);
}

bool has(const Words *w, const char *word)
{
    for (int i = 0; i < w->n; i++)
        if (!strcmp(w->word[i], word))
            return true;
    return false;
}

bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n >= m && !strcmp(s + n - m, with);
}

char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "r");
    size_t room = 1 << 16, used = 0;
    if (!f)
        return NULL;
    char *text = must(malloc(room + 1));
    for (size_t got; (got = fread(text + used, 1, room - used, f)) > 0;)
        if ((used += got) == room)
            text = must(realloc(text, (room *= 2) + 1));
    bool failed = ferror(f);
    fclose(f);
    if (failed)
        return NULL;
    text[used] = 0;
    if (n)
        *n = used;
    return text;
}
