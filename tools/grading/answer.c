#include "align.h"
#include "answer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 5000 };

/* ---- words ------------------------------------------------------------------------------------------------------ */

static int starts_word(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128; }
static int in_word(char c) { return starts_word(c) || isdigit((unsigned char)c); }

/* Adds the identifiers of a text to the list. */
static void words_of(List *words, const char *p, const char *end)
{
    while (p < end) {
        const char *from = p;
        if (isdigit((unsigned char)*p)) {
            while (p < end && in_word(*p))
                p++;
        } else if (starts_word(*p)) {
            while (p < end && in_word(*p))
                p++;
            char *word = text("%.*s", (int)(p - from), from);
            if (!list_has(words, word))
                list_add(words, word);
            free(word);
        } else if (*p == '/' && p + 1 < end && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (*p == '"') {
            for (p++; p < end && *p != '"' && *p != '\n'; p++)
                p += *p == '\\';
            p++;
        } else {
            p++;
        }
    }
}

/* A given line that begins in the first column and is no bracket begins a declaration of the file's own. */
static int begins_declaration(const Line *l) { return l->length && (starts_word(l->at[0]) || l->at[0] == '#'); }

static int line_has(const Line *l, const char *word)
{
    char *s = text("%.*s", l->length, l->at);
    int has = strstr(s, word) != NULL;
    free(s);
    return has;
}

/* What an answer may name of the file: all that the declarations with a gap in them and the device's code name, and
 * what the solution's own answers name. A declaration of the harness (its functions take a LabCase or LabOptions, its
 * tables are of Lab and LabRung) lends nothing. */
static List visible(const Given *g)
{
    List words = {0};
    for (int i = 0, end; i < g->fixed.count; i = end) {
        int has_gap = 0, harness = 0, device = 0;
        for (end = i; end < g->fixed.count && (end == i || !begins_declaration(&g->fixed.at[end])); end++) {
            const Line *l = &g->fixed.at[end];
            has_gap |= end > i && gap_at(g, end) >= 0;
            harness |=
                line_has(l, "LabCase") || line_has(l, "LabOptions") || line_has(l, "LabRung") || line_has(l, "Lab ");
            device |= line_has(l, "__global__") || line_has(l, "__device__") || starts_with(l->key, "enum") ||
                      starts_with(l->key, "struct") || starts_with(l->key, "typedef") || line_has(l, "constexpr");
        }
        if (!harness && (has_gap || device))
            for (int k = i; k < end; k++)
                words_of(&words, g->fixed.at[k].at, g->fixed.at[k].at + g->fixed.at[k].length);
    }
    words_of(&words, g->answers, g->answers + strlen(g->answers));
    return words;
}

static int may_use(const List *words, const char *name)
{
    if (name_is_allowed(name, strlen(name)) || list_has(words, name))
        return 1;
    for (int i = 0; i < words->count; i++)
        if (name_is_related(name, words->item[i]))
            return 1;
    return 0;
}

/* ---- the answer's text ------------------------------------------------------------------------------------------ */

typedef struct Copying {
    const List *words;
    FILE *out;
    int line;       /* of the file that was handed in */
    char open[256]; /* brackets that are open */
    int depth;
    char *why;
} Copying;

static void refuse(Copying *c, const char *what)
{
    if (!c->why)
        c->why = text("line %d: %s", c->line, what);
}

/* A literal with its quotes. Returns what follows. */
static const char *copy_literal(Copying *c, const char *p)
{
    char quote = *p;
    fputc(*p++, c->out);
    for (; *p && *p != quote && *p != '\n'; p++) {
        fputc(*p, c->out);
        if (*p == '\\' && p[1] && p[1] != '\n')
            fputc(*++p, c->out);
    }
    if (*p != quote) {
        refuse(c, "a literal does not end on its line");
        return p;
    }
    fputc(*p, c->out);
    return p + 1;
}

/* Comments become a blank, with their newlines. */
static const char *skip_comment(Copying *c, const char *p)
{
    fputc(' ', c->out);
    if (p[1] == '/')
        return p + strcspn(p, "\n");
    for (p += 2; *p && !(p[0] == '*' && p[1] == '/'); p++)
        if (*p == '\n')
            fputc('\n', c->out), c->line++;
    if (!*p) {
        refuse(c, "a comment does not end inside the answer");
        return p;
    }
    return p + 2;
}

static const char *copy_word(Copying *c, const char *p)
{
    int n = 0;
    while (in_word(p[n]))
        n++;
    char *word = text("%.*s", n, p);
    if (p[n] == '"' || p[n] == '\'')
        refuse(c, "only plain literals may stand in an answer");
    for (int i = 0; i < n; i++)
        if ((unsigned char)p[i] >= 128 || p[i] == '$')
            refuse(c, "names are made of letters, digits and _");
    fprintf(c->out, "%s%s", may_use(c->words, word) ? "" : ANSWER_PREFIX, word);
    free(word);
    return p + n;
}

static void bracket(Copying *c, char b)
{
    static const char opening[] = "([{", closing[] = ")]}";
    const char *closes = strchr(closing, b);
    if (strchr(opening, b)) {
        if (c->depth == (int)sizeof c->open)
            refuse(c, "brackets stand too deep");
        else
            c->open[c->depth++] = b;
    } else if (closes) {
        if (c->depth == 0 || c->open[c->depth - 1] != opening[closes - closing])
            refuse(c, "it closes a bracket that the answer did not open");
        else
            c->depth--;
    }
}

/* Is this line "#pragma unroll", perhaps with a number? */
static int is_unroll(const char *p)
{
    int n = 0;
    sscanf(p, "# pragma unroll%n", &n);
    if (!n)
        return 0;
    p += n;
    p += strspn(p, " \t()0123456789");
    return *p == '\n' || *p == 0 || *p == '\r';
}

static const char *copy_directive(Copying *c, const char *p)
{
    if (!is_unroll(p)) {
        refuse(c, "the preprocessor's directives may not stand in an answer (#pragma unroll may)");
        return p + 1;
    }
    int n = (int)strcspn(p, "\r\n");
    fprintf(c->out, "%.*s", n, p);
    return p + n;
}

/* Copies one gap's text, renamed. */
static void copy_answer(Copying *c, const char *p)
{
    while (*p && !c->why) {
        if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(c, p);
        } else if (*p == '"' || *p == '\'') {
            p = copy_literal(c, p);
        } else if (starts_word(*p)) {
            p = copy_word(c, p);
        } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
            for (; in_word(*p) || *p == '.' || (*p == '\'' && in_word(p[1])) ||
                   ((*p == '+' || *p == '-') && strchr("eEpP", p[-1]));
                 p++)
                fputc(*p, c->out);
        } else if (*p == '#') {
            p = copy_directive(c, p);
        } else {
            if (*p == '\\' || *p == '@' || *p == '`' || (*p == '%' && p[1] == ':') || (*p == '?' && p[1] == '?') ||
                ((unsigned char)*p < 32 && !strchr("\n\r\t\f\v", *p)))
                refuse(c, "a character that may not stand in an answer");
            if (*p == '\n')
                c->line++;
            bracket(c, *p);
            fputc(*p++, c->out);
        }
    }
    if (c->depth && !c->why)
        refuse(c, "a bracket that is opened in the answer is not closed in it");
}

/* ---- putting it together ---------------------------------------------------------------------------------------- */

/* The text of a gap, and in *line the number of its first line. */
static char *gap_text(const Lines *file, const Alignment *a, int gap, int *line)
{
    char *all = NULL;
    *line = 0;
    for (int j = 0; j < file->count; j++)
        if (a->gap_of[j] == gap) {
            if (!all)
                *line = file->at[j].number;
            append(&all, file->at[j].at, file->at[j].length);
        }
    return all ? all : copy("");
}

/* The lines of the file that stand neither in an answer nor for a given line; *first is the first one's number. */
static int lines_outside(const Given *g, const Lines *file, const Alignment *a, int *first)
{
    int lines = 0;
    for (int j = 0; j < file->count; j++)
        if (a->gap_of[j] < 0 && file->at[j].weight) {
            int stands_for_given = 0;
            for (int i = 0; i < g->fixed.count; i++)
                stands_for_given |= a->line_of[i] == j;
            if (!stands_for_given && lines++ == 0)
                *first = file->at[j].number;
        }
    return lines;
}

/* What of the file was not taken as it stands, in words; NULL: nothing. */
static char *changes(const Given *g, const Lines *file, const Alignment *a)
{
    int first = 0, lines = lines_outside(g, file, a, &first), missing = 0;
    const Line *lost = NULL;
    for (int i = 0; i < g->fixed.count; i++)
        if (a->line_of[i] < 0 && missing++ == 0)
            lost = &g->fixed.at[i];
    char *outside =
        lines ? text("line %d%s stands outside the answer and was not taken", first, lines > 1 ? " (and others)" : "")
              : copy("");
    if (!lines && !missing) {
        free(outside);
        return NULL;
    }
    const char *words = lost ? lost->at + strspn(lost->at, " \t") : "";
    char *all = lost ? text("%s%sthis given line was changed%s, and was put back: %.*s", outside, lines ? "\n" : "",
                            missing > 1 ? " (and others)" : "", (int)strcspn(words, "\r\n"), words)
                     : copy(outside);
    free(outside);
    return all;
}

/* The solution's file with what the gaps hold instead of its answers. Lines keep the numbers of the file that was
 * handed in. A printf in an answer does nothing: what a student left in to look at something costs nothing. */
static void write_program(FILE *out, const Given *g, const Lines *file, const Alignment *a, const List *words,
                          const char *name, char **why)
{
    int inside = 0, fixed = 0, written = -1;
    fputs("#define " ANSWER_PREFIX "printf(...) 0\n", out);
    for (int i = 0; i < g->all.count && !*why; i++) {
        const Line *l = &g->all.at[i];
        if (begins(l, "// >>> answer")) {
            int gap = gap_at(g, fixed), line;
            inside = 1;
            if (gap == written) /* two answers with nothing given between them are one */
                continue;
            written = gap;
            char *answer = gap_text(file, a, gap, &line);
            Copying c = {.words = words, .out = out, .line = line};
            if (line)
                fprintf(out, "#line %d \"%s\"\n", line, name);
            copy_answer(&c, answer);
            *why = c.why;
            free(answer);
        } else if (begins(l, "// <<< answer")) {
            inside = 0;
        } else if (!inside && l->weight) {
            if (a->line_of[fixed] >= 0)
                fprintf(out, "#line %d \"%s\"\n", file->at[a->line_of[fixed]].number, name);
            fprintf(out, "%.*s\n", l->length, l->at);
            fixed++;
        }
    }
}

Answer answer_take(const char *solution, const char *submitted, const char *name)
{
    Answer taken = {0};
    Given g = given_by(solution);
    Lines file = lines_of(submitted);
    if (strlen(submitted) > 1 << 18 || file.count > MOST_LINES) {
        taken.why = copy("the file is too long");
    } else {
        Alignment a = align(&g, &file);
        List words = visible(&g);
        size_t size;
        FILE *out = open_memstream(&taken.program, &size);
        write_program(out, &g, &file, &a, &words, name, &taken.why);
        fclose(out);
        taken.note = changes(&g, &file, &a);
        if (taken.why)
            free(taken.program), taken.program = NULL;
        free(a.line_of), free(a.gap_of);
        list_free(&words);
    }
    lines_free(&g.all), lines_free(&g.fixed), lines_free(&file);
    free(g.answers);
    return taken;
}

void answer_free(Answer *a) { free(a->program), free(a->why), free(a->note); }

void answer_unname(char *message)
{
    const size_t n = strlen(ANSWER_PREFIX);
    char *to = message;
    for (const char *p = message; *p;)
        if (strncmp(p, ANSWER_PREFIX, n) == 0)
            p += n;
        else
            *to++ = *p++;
    *to = 0;
}
