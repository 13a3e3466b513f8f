/* source.c: what the source says on a line: names of arguments and types, the loop around it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/chinese.h"
#include "report/lines.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"

int check_source_line(const char *file, int line, char *out, size_t bytes)
{
    FILE *f = fopen(file, "r");
    if (!f)
        return 0;
    int ok = 0;
    char *text = NULL;
    size_t cap = 0;
    while (line > 0 && getline(&text, &cap, f) >= 0)
        if (--line == 0) {
            char *s = text + strspn(text, " \t");
            s[strcspn(s, "\r\n")] = 0;
            snprintf(out, bytes, "%s", s);
            ok = 1;
        }
    free(text);
    fclose(f);
    return ok;
}

// The line at or above `line` on which the loop around it begins; 0 if none is seen.
int check_enclosing_loop(const char *file, int line, char *out, size_t bytes)
{
    char text[512];
    int depth = 0;
    for (int n = line; n > 0 && n > line - 60; n--) {
        if (!check_source_line(file, n, text, sizeof text))
            return 0;
        int opens = 0;
        for (const char *p = text; *p && strncmp(p, "//", 2); p++)
            opens += (*p == '{') - (*p == '}');
        if (n < line)
            depth += opens;
        for (const char *p = text; *p && strncmp(p, "//", 2); p++) {
            size_t k = !strncmp(p, "while", 5) ? 5 : !strncmp(p, "for", 3) ? 3 : !strncmp(p, "do", 2) ? 2 : 0;
            int word = k && (p == text || !((p[-1] >= 'a' && p[-1] <= 'z') || p[-1] == '_')) &&
                       (p[k] == ' ' || p[k] == '(' || p[k] == '{' || !p[k]);
            if (word && (n == line || depth > 0 || !opens)) {
                snprintf(out, bytes, "%s", text);
                return n;
            }
        }
    }
    return 0;
}

int check_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The text from the kernel's name to the end of its parameters, as written at file:line. */
static int declaration(const char *file, int line, char *out, size_t bytes)
{
    char text[512];
    size_t n = 0;
    int depth = 0, opened = 0;
    for (int i = 0; i < 24 && check_source_line(file, line + i, text, sizeof text); i++)
        for (const char *p = text; *p && strncmp(p, "//", 2); p++) {
            depth += (*p == '(') - (*p == ')');
            opened |= *p == '(';
            if (n + 2 < bytes)
                out[n++] = *p;
            if (opened && !depth) {
                out[n] = 0;
                return 1;
            }
        }
    return 0;
}

/* Where `name` occurs as a word in text; NULL if it does not. */
static const char *word_in(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if ((p == text || !check_is_name(p[-1])) && !check_is_name(p[n]))
            return p;
    return NULL;
}

int check_function_says(const char *file, int line, const char *word)
{
    FILE *f = fopen(file, "r");
    char *text = NULL;
    size_t cap = 0;
    int said = 0;
    while (f && line-- > 0 && getline(&text, &cap, f) >= 0)
        said = *text != '}' && (said || word_in(text, word)); // which ends the function before
    free(text);
    if (f)
        fclose(f);
    return said;
}

/* The parameter whose text ends at `end`: its name, if it is a pointer. */
static int pointer_name(const char *begin, const char *end, char *out, size_t bytes)
{
    const char *star = NULL;
    for (const char *p = begin; p < end; p++)
        if (*p == '*' || *p == '[')
            star = p;
    while (end > begin && !check_is_name(end[-1]))
        end--;
    const char *name = end;
    while (name > begin && check_is_name(name[-1]))
        name--;
    if (!star || name == end || (size_t)(end - name) >= bytes)
        return 0;
    snprintf(out, bytes, "%.*s", (int)(end - name), name);
    return 1;
}

/* Only where one pointer parameter alone is subscripted or dereferenced on the line: two could be either. */
int check_parameter(const char *file, int line, void *pc, char *out, size_t bytes)
{
    char text[2048], source[512], name[64];
    check_report_lock();
    const line_entry *e = check_resolve_pc(check_students_pc(pc));
    int ok = e->line && check_source_line(e->file, e->line, source, sizeof source);
    check_report_unlock();
    if (!ok || !declaration(file, line, text, sizeof text))
        return 0;
    int found = 0;
    const char *p = strrchr(text, '(') ? strchr(text, '(') + 1 : text;
    for (const char *end = p; *end; end++) {
        if (*end != ',' && end[1])
            continue;
        if (pointer_name(p, end, name, sizeof name)) {
            const char *at = word_in(source, name);
            if (at && (at[strlen(name)] == '[' || (at > source && at[-1] == '*'))) {
                snprintf(out, bytes, "%s", name);
                found++;
            }
        }
        p = end + 1;
    }
    return found == 1;
}

// The kernel's own name, from whatever the core calls it.
const char *check_kernel_name(const char *name, char *out, size_t bytes)
{
    extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));
    if (!name)
        name = "?";
    char *d = NULL;
    int status = -1;
    if (__cxa_demangle && !strncmp(name, "_Z", 2))
        d = __cxa_demangle(name, NULL, NULL, &status);
    const char *from = d && !status ? d : name;
    size_t n = 0;
    for (; *from && n + 1 < bytes; from++)
        if (*from != ' ' || !strchr("*&", from[1])) // clang has a blank there, g++ has none
            out[n++] = *from;
    out[n] = 0;
    free(d);
    return out;
}

static int names_wide(const char *text)
{
    static const char *const names[] = {"float4", "int4",  "double2",       "double4",
                                        "long2",  "long4", "DoubleComplex", "align"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text, names[i]))
            return 1;
    return 0;
}

int check_names_wide(void *pc)
{
    static struct {
        void *pc;
        int wide;
    } known[256]; // a struct may be read often
    unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 16) & 255;
    check_report_lock();
    if (known[h].pc != pc) {
        const line_entry *e = check_resolve_pc(check_students_pc(pc));
        FILE *f = e->line ? fopen(e->file, "r") : NULL;
        const int error = f ? 0 : e->line ? errno : check_line_error();
        if (error && error != ENOENT) { // or it would be taken for one that names such a type, and that for a mistake
            check_say_line("cucc --check: what is read here cannot be judged without its source line: %s",
                           strerror(error));
            _exit(2);
        }
        int number = 0, named = 0, structs = 0, here = e->line && !f; // what the compiler has added has no line
        char *text = NULL;
        size_t cap = 0;
        while (f && getline(&text, &cap, f) >= 0) {
            int n = names_wide(text);
            if (++number == e->line)
                here = n;
            named |= n;
            structs |= strstr(text, "struct") || strstr(text, "class");
        }
        free(text);
        if (f)
            fclose(f);
        known[h].pc = pc;
        known[h].wide = here || (named && !structs);
    }
    int wide = known[h].wide;
    check_report_unlock();
    return wide;
}
