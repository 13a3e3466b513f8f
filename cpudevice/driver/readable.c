/* readable.c: what g++ and clang say, in terms of the program. Where a message names cucc's own headers, the
 * program's line takes their place, and of an overloaded function only its forms are listed; messages about rewritten code are
 * left out beside an error that says the same in the program's words. */
#include "driver.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    char *ours;     /* the folder of cucc's headers, with its slash */
    const char *at; /* the file and line of the error shown last */
    int line;
    bool chain;   /* in the lines that say which header was included from where, and were left out */
    bool allowed; /* the last was of what nvcc takes, too: changes_meaning() */
    bool told;    /* the error at `at` was one in cucc's words, from which all that g++ says of that line follows */
} Readable;

/* A bound of a __shared__ array that is no constant: cucc-compile asserts that it is one, in these words. */
static const char array_size[] = "a variable length array cannot have static storage duration";

static bool is_here(const Readable *r, const Diagnostic *d)
{
    return d->file && r->at && d->line == r->line && !strcmp(d->file, r->at);
}

/* Does the line, no message itself, end with a place in cucc's headers from which something was included? */
static bool is_inclusion(const Diagnostic *d, const char *place)
{
    const size_t n = strlen(d->text);
    return d->kind == D_CONTEXT && !d->quoted.n && n > 2 && strchr(":,", d->text[n - 1]) &&
           isdigit((unsigned char)d->text[n - 2]) && strstr(d->text, place) > d->text;
}

/* Of a line in cucc's headers only the forms of a function are for the program's author, at the program's own line. g++
 * quotes a form with its parameters; clang, which quotes types, says in each note what does not fit. */
static char *of_header(const Readable *r, const Diagnostic *d)
{
    if (d->kind != D_NOTE)
        return d->text;
    const bool form = d->marked ? quotes(d, "(") : !quotes(d, "cpudev");
    return r->at && form ? format("%s:%d: note: %s", r->at, r->line, d->text + d->message) : NULL;
}

/* Is a line in the program's files shown? `detail`: the note before it ends with a colon, so it is what that announces. */
static bool is_shown(Readable *r, const Diagnostics *said, int i, bool detail)
{
    Diagnostic *d = &said->d[i];
    const bool allowed = changes_meaning(said, i), after = r->allowed, error = d->kind == D_ERROR;
    r->allowed = allowed; /* and the note after it, where the name was declared first */
    if (allowed || (after && d->kind == D_NOTE) || (error && detail))
        return false;
    if (is_here(r, d) && (r->told || (error && (strstr(d->text, "cpudev") || strstr(d->text, LAMBDA)))))
        return false;
    if (!error)
        return true;
    r->at = d->file;
    r->line = d->line;
    r->told = d->file && strstr(d->text, array_size);
    if (r->told)
        d->text = format("%s:%d: error: %s\n%s:%d: note: %s", d->file, d->line, array_size, d->file, d->line,
                         in_chinese("a size that is known only at the launch: extern __shared__, without a size, and "
                                    "the bytes as the launch's third argument"));
    return true;
}

void make_readable(Diagnostics *said, const char *home)
{
    Readable r = {.ours = format("%s/include/", home)};
    bool detail = false;
    for (int i = 0; i < said->n; i++) {
        Diagnostic *d = &said->d[i];
        const bool announces = d->kind == D_NOTE && ends(d->text, ":");
        if (*d->text != ' ')
            r.chain = is_inclusion(d, r.ours);
        if (r.chain)
            d->text = NULL;
        else if (begins(d->text, r.ours))
            d->text = of_header(&r, d);
        else if (!is_shown(&r, said, i, detail))
            d->text = NULL;
        detail = announces;
    }
}
