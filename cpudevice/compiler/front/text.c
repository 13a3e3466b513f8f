/* text.c: strings, messages and memory. The compiler runs for a moment and frees nothing that the tree refers to. */
#include "../../runtime/device/forms.h"
#include "front/unit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#include "front/chinese.inc"
};
enum { FORMS = sizeof forms / sizeof *forms };

void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "cucc: out of memory\n");
        exit(1);
    }
    return p;
}

char *format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = must(malloc((size_t)n + 1));
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return s;
}

void append(char **where, char *text)
{
    if (!*where) {
        *where = text;
        return;
    }
    size_t a = strlen(*where), b = strlen(text);
    *where = must(realloc(*where, a + b + 1));
    memcpy(*where + a, text, b + 1);
    free(text);
}

/* In Chinese too, where the user asks for it. */
static void say_at(const Token *t, const char *kind, const char *fmt, va_list ap)
{
    char english[4096], chinese[sizeof english];
    vsnprintf(english, sizeof english, fmt, ap);
    fprintf(stderr, "%s:%d: %s: %s", t->file ? t->file : "<input>", t->line, kind, english);
    if (form_is_chinese() && strcmp(form_text(forms, FORMS, english, chinese, sizeof chinese), english) != 0)
        fprintf(stderr, "（%s）", chinese);
    fputc('\n', stderr);
}

void error_at(Unit *u, const Token *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_at(t, "error", fmt, ap);
    va_end(ap);
    u->errors++;
}

void warning_at(const Token *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_at(t, "warning", fmt, ap);
    va_end(ap);
}

/* One copy of each file's name. */
const char *intern(const char *s, int len)
{
    static char **all;
    static int n, room;
    const char *zero = memchr(s, 0, (size_t)len);
    if (zero)
        len = (int)(zero - s);
    for (int i = n - 1; i >= 0; i--)
        if (!strncmp(all[i], s, (size_t)len) && !all[i][len])
            return all[i];
    if (n == room)
        all = must(realloc(all, (size_t)(room = room ? room * 2 : 64) * sizeof *all));
    return all[n++] = format("%.*s", len, s);
}
