#include "say.h"

#include "../../cpudevice/runtime/device/columns.h"
#include "../../cpudevice/runtime/device/forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#define OTHERS(english, chinese) {english, chinese},
#include "chinese.inc"
};
enum { FORMS = sizeof forms / sizeof *forms };
static const form *known = forms; /* and what say_also() has added */
static int known_count = FORMS;

void say_also(const form *more, int count)
{
    form *all = malloc(sizeof *all * (size_t)(known_count + count));
    if (!all)
        die(1, "not enough memory");
    memcpy(all, known, sizeof *all * (size_t)known_count);
    memcpy(all + known_count, more, sizeof *all * (size_t)count);
    known = all, known_count += count;
}

int say_in_chinese(void) { return form_is_chinese(); }

/* A text in Chinese, or as it is. The caller frees it. */
static char *in_chinese(const char *english)
{
    char said[4096];
    return copy(form_text(known, known_count, english, said, sizeof said));
}

/* A line of a table, "  --csv FILE   what it does", from a column on that has its Chinese: that is broken where the line
 * would be too long, and begins where the English does, as do those before it. Before figures the first column alone may
 * have it. Else NULL. The caller frees it. */
static char *in_columns(const char *line)
{
    enum { COLUMNS = 80 };
    const int blanks = (int)strspn(line, " ");
    char *all = NULL;
    for (const char *gap = line + blanks, *right; !all && (gap = strstr(gap, "  ")); gap = right) {
        right = gap + strspn(gap, " ");
        const int column = (int)(right - line), figures = !right[strspn(right, " -.0123456789")];
        char *left = text("%.*s", (int)(gap - line) - blanks, line + blanks), *first = in_chinese(left),
             *second = in_chinese(right), *broken = say_broken(second, COLUMNS - column), *before = NULL;
        if (strcmp(second, right) != 0 && strcmp(first, left) == 0 && (before = in_columns(left))) {
            free(first);
            first = before;
        }
        if (strcmp(second, right) != 0 || (figures && strcmp(first, left) != 0)) {
            const int wide = blanks + say_columns(first);
            all = text("%.*s%s%*s", blanks, line, first, wide < column ? column - wide : 1, "");
            for (char *rest = broken, *part; (part = strsep(&rest, "\n"));) {
                char *more = text("%s%s%s%*s", all, part, rest ? "\n" : "", rest ? column : 0, "");
                free(all);
                all = more;
            }
        }
        free(left), free(first), free(second), free(broken);
    }
    return all;
}

/* A line in Chinese: as a whole, or by its columns. The caller frees it. */
static char *line_in_chinese(const char *line)
{
    const int blanks = (int)strspn(line, " ");
    char *said = in_chinese(line + blanks), *parts = strcmp(said, line + blanks) == 0 ? in_columns(line) : NULL,
         *whole = parts ? parts : text("%.*s%s", blanks, line, said);
    free(said);
    return whole;
}

char *say_words(const char *english)
{
    char *all = copy("");
    for (const char *p = english; *p;) {
        const int n = (int)strcspn(p, "\n");
        char *line = text("%.*s", n, p), *said = say_in_chinese() ? line_in_chinese(line) : copy(line);
        char *more = text("%s%s%s", all, said, p[n] ? "\n" : "");
        free(line), free(said), free(all);
        all = more;
        p += n + (p[n] != 0);
    }
    return all;
}

static void say_all(FILE *to, const char *format, va_list arguments)
{
    char *english = NULL;
    if (!say_in_chinese()) {
        vfprintf(to, format, arguments);
    } else if (vasprintf(&english, format, arguments) >= 0) {
        char *words = say_words(english);
        fputs(words, to);
        free(words);
    }
    free(english);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_all(stdout, format, arguments);
    va_end(arguments);
}

void say_to(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_all(to, format, arguments);
    va_end(arguments);
}

int say_columns(const char *s) { return columns_in(s); }

/* No line begins with these. */
static int closes(unsigned c)
{
    return c == 0x3001 || c == 0x3002 || c == 0xff0c || c == 0xff1a || c == 0xff1b || c == 0xff1f || c == 0xff01 ||
           c == 0xff09 || c == 0x300b || c == 0x201d || c == 0x3011;
}

/* No line ends with these. */
static int opens(unsigned c) { return c == 0xff08 || c == 0x300a || c == 0x201c || c == 0x3010; }

/* How many bytes of the line go into so many columns: up to the last place where it may be broken. */
static int fitting(const char *line, int bytes, int columns)
{
    int used = 0, last = 0, before = 0;
    for (int at = 0, n; at < bytes; at += n) {
        const unsigned c = columns_character(line + at, &n);
        const int may = at && (c == ' ' || ((columns_of(c) == 2 || before == 2) && !closes(c) && line[at - 1] != ' '));
        if (may && before != -1)
            last = at;
        used += columns_of(c);
        if (used > columns && last)
            return last;
        before = opens(c) ? -1 : columns_of(c);
    }
    return bytes;
}

char *say_broken(const char *s, int columns)
{
    char *all = copy("");
    while (*s) {
        const int n = (int)strcspn(s, "\n"), part = fitting(s, n, columns), ends = part == n;
        char *more = text("%s%.*s%s", all, part, s, ends && !s[n] ? "" : "\n");
        free(all);
        all = more;
        s += part;
        s += ends ? *s == '\n' : (int)strspn(s, " ");
    }
    return all;
}
