/* diagnostics.c: what the C++ compiler said, as data: of each line its kind, file and line, option and quoted words.
 *
 * g++ marks these itself when it is asked for colours, and GCC_COLORS says with which numbers: MARKS names each part, so
 * that no word of a message needs to be known, in whatever language it is. (-fdiagnostics-format=json would leave out
 * "In instantiation of", "required from" and "In function", which the user wants to read, until gcc 15 can write both
 * at once.) clang, which has one language only, and whatever comes unmarked, is read by its layout: FILE:LINE: KIND: . */
#include "driver.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_LOCUS = 1, MARK_QUOTE = 2, MARK_ERROR = 31, MARK_WARNING = 35, MARK_NOTE = 36 };
const char *const diagnostic_marks = "error=31:warning=35:note=36:locus=1:quote=2";

static char *part(const char *from, size_t n) { return format("%.*s", (int)n, from); }

/* Reads FILE:LINE: or FILE: of a locus. */
static void set_place(Diagnostic *d, const char *locus, size_t n)
{
    while (n && locus[n - 1] == ':')
        n--;
    size_t digits = 0;
    while (digits < n && isdigit((unsigned char)locus[n - 1 - digits]))
        digits++;
    if (digits && digits < n && locus[n - 1 - digits] == ':') {
        d->line = atoi(locus + n - digits);
        n -= digits + 1;
    }
    d->file = part(locus, n);
}

/* ---- marked lines ---- */

typedef struct {
    Diagnostic *d;
    size_t n;          /* of the text so far */
    size_t opened[16]; /* where the marks that are open began, and which they are */
    int mark[16], depth;
    size_t locus_end; /* of the one at the beginning of the line */
} Marked;

static void open_mark(Marked *m, int mark)
{
    Diagnostic *d = m->d;
    if (m->depth < 16) {
        m->opened[m->depth] = m->n;
        m->mark[m->depth] = mark;
    }
    m->depth++;
    const bool first = d->kind == D_CONTEXT && m->n == m->locus_end + strspn(d->text + m->locus_end, " ");
    if (first && mark == MARK_ERROR)
        d->kind = D_ERROR;
    else if (first && mark == MARK_WARNING)
        d->kind = D_WARNING;
    else if (first && mark == MARK_NOTE)
        d->kind = D_NOTE;
}

static void close_mark(Marked *m)
{
    if (!m->depth || --m->depth >= 16)
        return;
    Diagnostic *d = m->d;
    const size_t from = m->opened[m->depth], n = m->n - from;
    const char *words = d->text + from;
    const int mark = m->mark[m->depth];
    if (mark == MARK_LOCUS && !from) {
        set_place(d, words, n);
        m->locus_end = m->n;
    } else if (mark == MARK_QUOTE)
        add_format(&d->quoted, "%.*s", (int)n, words);
    else if ((mark == MARK_ERROR || mark == MARK_WARNING) && *words == '-')
        d->option = part(words, n);
    else if ((mark == MARK_ERROR || mark == MARK_WARNING || mark == MARK_NOTE) && !d->message)
        d->message = m->n;
}

static void read_marked(Diagnostic *d, const char *line, size_t length)
{
    Marked m = {.d = d};
    d->text = must(calloc(length + 1, 1));
    for (size_t i = 0; i < length;) {
        if (line[i] != '\33' || i + 1 >= length || line[i + 1] != '[') {
            d->text[m.n++] = line[i++];
            continue;
        }
        const int number = atoi(line + i + 2);
        i += 2;
        while (i < length && (isdigit((unsigned char)line[i]) || line[i] == ';'))
            i++;
        if (i < length && line[i] == 'm') {
            if (number)
                open_mark(&m, number);
            else
                close_mark(&m);
        }
        i++;
    }
}

/* ---- lines by their layout ---- */

static void read_layout(Diagnostic *d, const char *line, size_t length)
{
    static const struct {
        const char *word;
        DiagnosticKind kind;
    } kinds[] = {{": error: ", D_ERROR},     {": fatal error: ", D_ERROR}, {": sorry, unimplemented: ", D_ERROR},
                 {": warning: ", D_WARNING}, {": note: ", D_NOTE},         {": remark: ", D_NOTE}};
    d->text = part(line, length);
    const char *first = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(d->text, kinds[i].word);
        if (at && (!first || at < first)) {
            first = at;
            d->kind = kinds[i].kind;
            d->message = (size_t)(at - d->text) + strlen(kinds[i].word);
        }
    }
    if (first)
        set_place(d, d->text, (size_t)(first - d->text));
    for (const char *open = strchr(d->text, '\''), *close; open && (close = strchr(open + 1, '\'')) != NULL;
         open = strchr(close + 1, '\''))
        add_format(&d->quoted, "%.*s", (int)(close - open - 1), open + 1);
    const char *option = strrchr(d->text, '[');
    if (d->kind != D_CONTEXT && option && option[1] == '-' && ends(option, "]"))
        d->option = part(option + 1, strlen(option) - 2);
}

Diagnostics read_diagnostics(const char *text)
{
    Diagnostics all = {0};
    const bool marked = strstr(text, "\33[") != NULL;
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        Diagnostic d = {.marked = marked};
        (marked ? read_marked : read_layout)(&d, line, n);
        all.d = must(realloc(all.d, (size_t)(all.n + 1) * sizeof *all.d));
        all.d[all.n++] = d;
        line += n + (line[n] == '\n');
    }
    return all;
}

bool quotes(const Diagnostic *d, const char *words)
{
    for (int i = 0; i < d->quoted.n; i++)
        if (strstr(d->quoted.word[i], words))
            return true;
    return false;
}
