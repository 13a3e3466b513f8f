/* messages.c: what g++ said of the rewritten text: whether the error is the program's own, which kernels it may be
 * about, and how it is shown, without what the rewriting has brought in. */
#include "../compiler/front/system_header.h"
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of lines of a kernel, as cucc-compile --kernels wrote it: ID WAY FIRST LAST NAME FILE. */
typedef struct Kernel {
    int id, first, last;
    char way; /* f: on fibers; l: in a loop, its text as it was written; r: rewritten */
    char *name, *file;
} Kernel;
struct Kernels {
    Kernel *k;
    int n;
};

/* The name of a file in a line marker, from after its opening quote, as the file system has it. */
static char *unescape(const char *s, size_t n)
{
    char *out = must(malloc(n + 1));
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i] == '\\' && i + 3 < n && s[i + 1] >= '0' && s[i + 1] <= '3') {
            out[m++] = (char)((s[i + 1] - '0') * 64 + (s[i + 2] - '0') * 8 + (s[i + 3] - '0'));
            i += 3;
        } else if (s[i] == '\\' && i + 1 < n)
            out[m++] = s[++i];
        else
            out[m++] = s[i];
    out[m] = 0;
    return out;
}

Kernels *read_kernels(const char *path)
{
    Kernels *all = must(calloc(1, sizeof *all));
    char *text = read_file(path, NULL), *save = NULL, name[256];
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
        Kernel k;
        int used = 0;
        if (sscanf(line, "%d %c %d %d %255s %n", &k.id, &k.way, &k.first, &k.last, name, &used) < 5 || !used)
            continue;
        k.name = format("%s", name);
        k.file = unescape(line + used, strlen(line + used));
        all->k = must(realloc(all->k, (size_t)(all->n + 1) * sizeof *all->k));
        all->k[all->n++] = k;
    }
    return all;
}

Words user_files(const char *preprocessed, const char *home)
{
    Words files = {0};
    const char *last = NULL, *include = format("%s/include/", home);
    size_t last_length = 0;
    for (char *p = read_file(preprocessed, NULL), *eol; p && *p; p = *eol ? eol + 1 : eol) {
        eol = p + strcspn(p, "\n");
        if (p[0] != '#' || p[1] != ' ' || !isdigit((unsigned char)p[2]))
            continue;
        char *open = p + 2 + strspn(p + 2, "0123456789 "), *close = eol;
        while (close > open && close[-1] != '"')
            close--;
        if (*open != '"' || close <= open + 1 || open[1] == '<')
            continue;
        size_t n = (size_t)(close - open), flags = (size_t)(eol - close);
        bool known = n == last_length && !memcmp(open, last, n);
        last = open;
        last_length = n;
        if (known || memchr(close, '2', flags)) /* a return to a file that was entered before */
            continue;
        char *file = unescape(open + 1, n - 2);
        if (!begins(file, include) && !(memchr(close, '3', flags) && system_header(file)) && !has(&files, file))
            add(&files, file);
    }
    return files;
}

/* ---- lines of messages ---- */

/* The line at p without its end, and *p after it; NULL at the end of the text. */
static char *next_line(const char **p)
{
    if (!**p)
        return NULL;
    size_t n = strcspn(*p, "\n");
    char *line = format("%.*s", (int)n, *p);
    *p += n + ((*p)[n] == '\n');
    return line;
}

/* Does the line name a line of the kernel? */
static bool names(const char *line, const Kernel *k)
{
    size_t n = strlen(k->file);
    for (const char *p = line; n && (p = strstr(p, k->file)) != NULL; p++)
        if (p[n] == ':' && isdigit((unsigned char)p[n + 1])) {
            long at = strtol(p + n + 1, NULL, 10);
            if (at >= k->first && at <= k->last)
                return true;
        }
    return false;
}

static bool is_error(const char *line)
{
    return strstr(line, "error: ") || strstr(line, "sorry, unimplemented: ") || strstr(line, "internal compiler error");
}

/* What g++ or clang says of text alone, before it makes any code of it: of a loop whose text is as it was written it would say
 * the same on fibers. */
static bool about_text(const char *line)
{
    static const char *const said[] = {"was not declared in this scope",
                                       "error: expected ",
                                       "has no member named",
                                       "request for member",
                                       "cannot convert",
                                       "invalid conversion from",
                                       "no matching function for call",
                                       "too few arguments",
                                       "too many arguments",
                                       "does not name a type",
                                       "redeclaration of",
                                       "conflicting declaration",
                                       "invalid operands of types",
                                       "no match for 'operator",
                                       "invalid types",
                                       "lvalue required",
                                       "assignment of read-only",
                                       "use of undeclared identifier",
                                       "incompatible pointer to integer conversion",
                                       "incompatible integer to pointer conversion",
                                       "cannot initialize a variable of type",
                                       "no member named",
                                       "invalid operands to binary expression",
                                       "unknown type name"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strstr(line, said[i]))
            return true;
    return false;
}

static bool in_a_file(const char *line, const Words *files)
{
    for (int i = 0; i < files->n; i++) {
        size_t n = strlen(files->word[i]);
        if (begins(line, files->word[i]) && line[n] == ':' && isdigit((unsigned char)line[n + 1]))
            return true;
    }
    return false;
}

/* Is what g++ refused plainly the program's own, so that to ask again is of no use? Every error must stand in a file of
 * the program, and no message may name a line of a kernel that was rewritten; where one names a line of a loop, all
 * errors must be such as text alone decides. Whatever else it is, is not known, and g++ is asked again. */
bool user_error(const Kernels *k, const char *messages, const Words *files)
{
    bool any = false, all_about_text = true, in_loop = false;
    if (strstr(messages, "cucc: kernel "))
        return false;
    for (char *line; (line = next_line(&messages)) != NULL; free(line)) {
        for (int i = 0; i < k->n; i++)
            if (k->k[i].way != 'f' && names(line, &k->k[i])) {
                if (k->k[i].way != 'l')
                    return false;
                in_loop = true;
            }
        if (!is_error(line))
            continue;
        if (!in_a_file(line, files))
            return false;
        any = true;
        all_about_text &= about_text(line);
    }
    return any && (all_about_text || !in_loop);
}

static bool add_number(Words *ids, int id)
{
    const char *word = format("%d", id);
    if (has(ids, word))
        return false;
    add(ids, word);
    return true;
}

bool refused_kernels(const Kernels *k, const char *messages, Words *ids)
{
    static const char marker[] = "cucc: kernel ";
    bool any = false;
    for (const char *p = messages; (p = strstr(p, marker)) != NULL; p++)
        any |= add_number(ids, atoi(p + strlen(marker)));
    for (char *line; (line = next_line(&messages)) != NULL; free(line))
        for (int i = 0; i < k->n; i++)
            if (k->k[i].way != 'f' && names(line, &k->k[i]))
                any |= add_number(ids, k->k[i].id);
    return any;
}

/* ---- showing them ---- */

/* The kernel that the next message is about. */
static const Kernel *kernel_of(const Kernels *k, const char *rest)
{
    const Kernel *found = NULL;
    for (char *line; !found && (line = next_line(&rest)) != NULL; free(line)) {
        if (strstr(line, "inlined from ") || ends(line, ":"))
            continue;
        for (int i = 0; i < k->n && !found; i++)
            if (names(line, &k->k[i]))
                found = &k->k[i];
        free(line);
        break;
    }
    return found;
}

/* A kernel's body has become a lambda: that is told as the kernel, once. */
void show_messages(const Kernels *k, const char *messages)
{
    const Kernel *told = NULL;
    const char *p = messages;
    for (char *line; (line = next_line(&p)) != NULL; free(line)) {
        char *lambda = strstr(line, "In lambda function");
        bool context =
            lambda && (lambda == line || lambda[-1] == ' ') && strlen(lambda) == strlen("In lambda function:");
        const Kernel *kernel = context ? kernel_of(k, p) : NULL;
        if (kernel) {
            if (!told || strcmp(told->name, kernel->name))
                fprintf(stderr, "%s: In kernel '%s':\n", kernel->file, kernel->name);
            told = kernel;
        } else if (!strstr(line, "inlined from ") || !strstr(line, "cpudev")) {
            if (strstr(line, ": In "))
                told = NULL;
            fprintf(stderr, "%s\n", line);
        }
    }
}

bool changes_meanings(const char *messages)
{
    bool any = false;
    for (const char *at = messages; (at = strstr(at, ": error: ")) != NULL; any = true) {
        const char *meaning = strstr(at, "changes meaning of");
        if (!meaning || meaning > at + strcspn(at, "\n"))
            return false;
        at = meaning;
    }
    return any;
}
