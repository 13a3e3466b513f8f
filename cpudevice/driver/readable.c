/* readable.c: what g++ and clang say, for the one who wrote the program. Where cucc's own headers stand in a message, the
 * program's line stands instead, and of an overloaded function only its forms are told; what the rewriting has brought in is
 * left out beside an error that says the same in the program's words. */
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Words lines;
    char *ours;      /* the folder of cucc's headers, with its slash */
    char *at;        /* "FILE:LINE: " of the error told last */
    bool chain;      /* in the lines "In file included from ..." that were left out */
    bool allowed;    /* the last was of what nvcc takes, too: changes_meanings() */
    bool near_match; /* the next error says why a form does not fit */
    bool
        told_by_nvcc; /* the error at `at` was told in nvcc's words, and all that g++ says of that line follows from it */
} Readable;

/* "FILE:LINE: " at the beginning of the message, or NULL. */
static char *place(const char *line)
{
    for (const char *p = line; (p = strchr(p, ':')) != NULL; p++) {
        const size_t n = strspn(p + 1, "0123456789");
        if (n && p[n + 1] == ':' && p[n + 2] == ' ')
            return format("%.*s", (int)(p + n + 3 - line), line);
    }
    return NULL;
}

/* Does the program's own text stand so at "FILE:LINE: "? */
static bool stands_at(const char *at, const char *words)
{
    const char *colon = strrchr(at, ':');
    while (colon > at && isdigit((unsigned char)colon[-1]))
        colon--;
    char *text = read_file(format("%.*s", (int)(colon - 1 - at), at), NULL), *p = text;
    for (long n = atol(colon); p && n > 1; n--)
        p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
    const char *found = p ? strstr(p, words) : NULL;
    const bool here = found && found < p + strcspn(p, "\n");
    free(text);
    return here;
}

/* An array whose size is no constant becomes something else in each way that a kernel is printed. */
static bool about_array_size(const char *line)
{
    return (strstr(line, "error: storage size of '") && strstr(line, "isn't constant")) ||
           strstr(line, "may not have variably modified type");
}

static void tell_array_size(Readable *r)
{
    add_format(&r->lines, "%serror: a variable length array cannot have static storage duration", r->at);
    if (stands_at(r->at, "__shared__"))
        add_format(
            &r->lines,
            "%snote: a size that is known only at the launch: extern __shared__, without a size, and the bytes as the "
            "launch's third argument",
            r->at);
    r->told_by_nvcc = true;
}

/* Of a line in cucc's headers; "" if nothing of it is for the program's author. */
static char *of_header(const Readable *r, const char *line)
{
    const char *note = strstr(line, ": note: ");
    if (!note)
        return format("%s", line);
    note += 2;
    if (r->at && (begins(note, "note: candidate") || begins(note, "note:   initializing argument")))
        return format("%s%s", r->at, note);
    return "";
}

/* Of a line in the program's files. */
static bool is_told(Readable *r, const char *line)
{
    char *at = place(line);
    const bool allowed = strstr(line, "changes meaning of") != NULL, after = r->allowed;
    r->allowed = allowed; /* and the note behind it, where the name was declared first */
    if (allowed || (after && strstr(line, ": note: ")))
        return false;
    const bool error = strstr(line, ": error: ") != NULL, here = at && r->at && !strcmp(at, r->at);
    if (error && r->near_match)
        return false;
    if (here && (r->told_by_nvcc || (error && (strstr(line, "cpudev") || strstr(line, "<lambda(uint3")))))
        return false;
    if (!error)
        return true;
    r->at = at;
    r->told_by_nvcc = false;
    if (!at || !about_array_size(line))
        return true;
    tell_array_size(r);
    return false;
}

char *readable(const char *messages, const char *home)
{
    Readable r = {.ours = format("%s/include/", home)};
    char *text = format("%s", messages), *save = NULL, *out;
    size_t length;
    FILE *to = must(open_memstream(&out, &length));
    static const char included[] = "In file included from ";
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const bool near_match = ends(line, "would be ill-formed:");
        if (begins(line, included))
            r.chain = begins(line + strlen(included), r.ours);
        else if (!begins(line, " "))
            r.chain = false;
        if (!r.chain) {
            if (begins(line, r.ours))
                add(&r.lines, of_header(&r, line));
            else if (is_told(&r, line))
                add(&r.lines, line);
        }
        r.near_match = near_match;
    }
    for (int i = 0; i < r.lines.n; i++)
        if (*r.lines.word[i])
            fprintf(to, "%s\n", r.lines.word[i]);
    fclose(to);
    free(text);
    return out;
}
