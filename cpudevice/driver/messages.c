/* messages.c: what follows from what g++ said of the rewritten text: whether the error is the program's own, which
 * kernels it may be about, and how it is shown, without what the rewriting has brought in. Nothing follows from g++'s own
 * words: kinds, places, options and quoted names are read (diagnostics.c), and words that cucc-compile has put into the
 * text. */
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
        bool known = last && n == last_length && !memcmp(open, last, n);
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

/* ---- what follows from them ---- */

/* Does the line name a line of the kernel? */
static bool names(const Diagnostic *d, const Kernel *k)
{
    const size_t n = strlen(k->file);
    for (const char *p = d->text; n && (p = strstr(p, k->file)) != NULL; p++)
        if (p[n] == ':' && isdigit((unsigned char)p[n + 1])) {
            const long at = strtol(p + n + 1, NULL, 10);
            if (at >= k->first && at <= k->last)
                return true;
        }
    return false;
}

/* The text of the assertions that cucc-compile adds to a kernel, with the kernel's number after it. */
static const char refused[] = "cucc: kernel ";

/* Is what g++ refused plainly the program's own, so that to ask again is of no use? Every error must be at a line of
 * the program, and no message may name a line of a kernel that was rewritten. A loop whose text is as it was written
 * differs from a kernel on fibers only in the text round it: what g++ says of that names what is ours, the lambda with
 * its parameters or something of cpudev. Nothing is known of any other message, and g++ is asked again. */
bool user_error(const Kernels *k, const Diagnostics *said, const Words *files)
{
    bool any = false;
    for (int i = 0; i < said->n; i++) {
        const Diagnostic *d = &said->d[i];
        if (strstr(d->text, refused))
            return false;
        bool in_loop = false;
        for (int j = 0; j < k->n; j++)
            if (k->k[j].way != 'f' && names(d, &k->k[j])) {
                if (k->k[j].way != 'l')
                    return false;
                in_loop = true;
            }
        if (d->kind != D_ERROR)
            continue;
        if (!d->line || !has(files, d->file) || (in_loop && (quotes(d, "cpudev") || quotes(d, LAMBDA))))
            return false;
        any = true;
    }
    return any;
}

static bool add_number(Words *ids, int id)
{
    const char *word = format("%d", id);
    if (has(ids, word))
        return false;
    add(ids, word);
    return true;
}

bool refused_kernels(const Kernels *k, const Diagnostics *said, Words *ids)
{
    bool any = false;
    for (int i = 0; i < said->n; i++)
        for (const char *p = said->d[i].text; (p = strstr(p, refused)) != NULL; p++)
            any |= add_number(ids, atoi(p + strlen(refused)));
    for (int i = 0; i < said->n; i++)
        for (int j = 0; j < k->n; j++)
            if (k->k[j].way != 'f' && names(&said->d[i], &k->k[j]))
                any |= add_number(ids, k->k[j].id);
    return any;
}

static bool is_name(const char *word)
{
    return *word && !isdigit((unsigned char)*word) &&
           !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Is the name in the text, as a name of its own? */
static bool has_name(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *p = text; (p = strstr(p, name)) != NULL; p++)
        if ((p == text || !is_of_name(p[-1])) && !is_of_name(p[length]))
            return true;
    return false;
}

/* g++ from 13 on has an option for it. Until then it has one for all that -fpermissive lets pass; of those it is the one
 * that quotes a declaration and then the name, and whose note quotes the name and then what it was declared as. */
bool changes_meaning(const Diagnostics *said, int i)
{
    const Diagnostic *d = &said->d[i], *note = i + 1 < said->n ? d + 1 : NULL;
    if (!d->option)
        return false;
    if (!strcmp(d->option, "-Wchanges-meaning"))
        return true;
    return !strcmp(d->option, "-fpermissive") && d->quoted.n == 2 && is_name(d->quoted.word[1]) && note &&
           note->kind == D_NOTE && note->quoted.n == 2 && !strcmp(note->quoted.word[0], d->quoted.word[1]) &&
           has_name(d->quoted.word[0], d->quoted.word[1]) && has_name(note->quoted.word[1], d->quoted.word[1]);
}

bool changes_meanings(const Diagnostics *said)
{
    bool any = false;
    for (int i = 0; i < said->n; i++)
        if (said->d[i].kind == D_ERROR) {
            if (!changes_meaning(said, i))
                return false;
            any = true;
        }
    return any;
}

/* ---- showing them ---- */

/* The kernel in whose body the next message is; a line of the head alone may be about the function itself. */
static const Kernel *kernel_of(const Kernels *k, const Diagnostics *said, int i)
{
    while (i < said->n && said->d[i].kind == D_CONTEXT)
        i++;
    const Diagnostic *d = &said->d[i];
    for (int j = 0; i < said->n && j < k->n; j++)
        if (d->file && !strcmp(d->file, k->k[j].file) && d->line <= k->k[j].last &&
            (d->line > k->k[j].first || (d->line == k->k[j].first && k->k[j].first == k->k[j].last)))
            return &k->k[j];
    return NULL;
}

/* A kernel's body has become a lambda: of a heading that names a file and no function, that is shown as the kernel, once.
 * A line below a heading that names what is ours, where something was inlined, is not shown. */
void show_messages(const Kernels *k, const Diagnostics *said)
{
    const Kernel *shown = NULL;
    for (int i = 0; i < said->n; i++) {
        const Diagnostic *d = &said->d[i];
        if (!d->text)
            continue;
        const bool heading = d->kind == D_CONTEXT && *d->text != ' ' && !d->line;
        const Kernel *kernel = heading && d->file && !d->quoted.n ? kernel_of(k, said, i) : NULL;
        if (kernel) {
            if (!shown || strcmp(shown->name, kernel->name))
                say("%s: In kernel '%s':", kernel->file, kernel->name);
            shown = kernel;
            continue;
        }
        if (heading)
            shown = NULL;
        if (!(d->kind == D_CONTEXT && *d->text == ' ' && quotes(d, "cpudev")))
            fprintf(stderr, "%s\n", d->text);
    }
}
