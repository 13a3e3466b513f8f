#include "align.h"
#include "answer.h"
#include "copying.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 5000 };

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Adds the identifiers of a text to the list, if there is one, but those of comments. *comment: does the text begin, and
 * end, within one? */
static void words_of(List *words, const char *p, const char *end, int *comment)
{
    while (p < end) {
        const char *from = p;
        if (*comment) {
            *comment = !(*p == '*' && p + 1 < end && p[1] == '/');
            p += *comment ? 1 : 2;
        } else if (*p == '/' && p + 1 < end && p[1] == '*') {
            *comment = 1;
            p += 2;
        } else if (isdigit((unsigned char)*p)) {
            while (p < end && in_word(*p))
                p++;
        } else if (starts_word(*p)) {
            while (p < end && in_word(*p))
                p++;
            char *word = text("%.*s", (int)(p - from), from);
            if (words && !list_has(words, word))
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
    int comment = 0;
    for (int i = 0, end; i < g->fixed.count; i = end) {
        int has_gap = 0, harness = 0, device = 0;
        for (end = i; end < g->fixed.count && (end == i || !begins_declaration(&g->fixed.at[end])); end++) {
            const Line *l = &g->fixed.at[end];
            has_gap |= end > i && gap_at(g, end) >= 0;
            harness |=
                line_has(l, "LabCase") || line_has(l, "LabOptions") || line_has(l, "LabRung") || line_has(l, "Lab ");
            device |= line_has(l, "__global__") || line_has(l, "__device__") || begins(l, "enum") ||
                      begins(l, "struct") || begins(l, "typedef") || line_has(l, "constexpr");
        }
        List *into = !harness && (has_gap || device) ? &words : NULL;
        for (int k = i; k < end; k++)
            words_of(into, g->fixed.at[k].at, g->fixed.at[k].at + g->fixed.at[k].length, &comment);
    }
    comment = 0;
    words_of(&words, g->answers, g->answers + strlen(g->answers), &comment);
    return words;
}

/* ---- putting it together ---------------------------------------------------------------------------------------- */

/* All that an answer is made from. */
typedef struct Source {
    Given given;
    Lines lines; /* of the file that was handed in */
    Words words;
    Alignment at;
    char *taken; /* which words outside the gaps were taken all the same */
} Source;

/* The text of a gap, and in *line the number of its first line. */
static char *gap_text(const Source *s, int gap, int *line)
{
    const Word *first = NULL, *last = NULL;
    for (int j = 0; j < s->words.count; j++)
        if (s->at.place[j] == gap) {
            last = &s->words.at[j];
            first = first ? first : last;
        }
    *line = first ? first->line : 0;
    return first ? text("%.*s\n", (int)(last->at + last->length - first->at), first->at) : copy("");
}

/* The number of the file's line on which the given line stands; 0: on none. */
static int line_of(const Source *s, int fixed)
{
    for (int i = s->given.first[fixed]; i < s->given.first[fixed + 1]; i++)
        if (s->at.word_of[i] >= 0)
            return s->words.at[s->at.word_of[i]].line;
    return 0;
}

static int is_changed(const Source *s, int fixed)
{
    for (int i = s->given.first[fixed]; i < s->given.first[fixed + 1]; i++)
        if (s->at.word_of[i] < 0)
            return 1;
    return 0;
}

/* The lines of the file with something that was not taken; *first is the first one's number. */
static int lines_outside(const Source *s, int *first)
{
    int lines = 0, last = 0;
    for (int j = 0; j < s->words.count; j++)
        if (s->at.place[j] == NOWHERE && !s->taken[j] && s->words.at[j].line != last) {
            last = s->words.at[j].line;
            if (lines++ == 0)
                *first = last;
        }
    return lines;
}

/* What of the file was not taken as it stands, in words; NULL: nothing. */
static char *changes(const Source *s)
{
    int first = 0, lines = lines_outside(s, &first), missing = 0;
    const Line *lost = NULL;
    for (int i = 0; i < s->given.fixed.count; i++)
        if (is_changed(s, i) && missing++ == 0)
            lost = &s->given.fixed.at[i];
    char *outside =
        lines ? text("line %d%s is outside the answer and was not taken", first, lines > 1 ? " (and others)" : "")
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

/* Blocks that an answer opened before given lines, and that are closed behind so many given words. */
static void close_blocks(Source *s, Copying *c, int given_words)
{
    for (int j = 0; j < s->words.count; j++)
        if (s->at.place[j] == NOWHERE && s->at.after[j] == given_words && s->words.at[j].length == 1 &&
            *s->words.at[j].at == '}' && may_close(c, '}')) {
            c->depth--;
            s->taken[j] = 1;
            fputs("}\n", c->out);
        }
}

/* The solution's file with what the gaps hold instead of its answers. Lines keep the numbers of the file that was
 * handed in. A printf in an answer does nothing: what a student left in to look at something costs nothing. */
static void write_program(Source *s, Copying *c, const char *name)
{
    const Given *g = &s->given;
    int inside = 0, fixed = 0, written = -1;
    fputs("#define " ANSWER_PREFIX "printf(...) 0\n", c->out);
    for (int i = 0; i < g->all.count && !c->why; i++) {
        const Line *l = &g->all.at[i];
        if (begins(l, "// >>> answer")) {
            c->gap = gap_at(g, fixed);
            inside = 1;
            if (c->gap == written) /* two answers with nothing given between them are one */
                continue;
            written = c->gap;
            char *answer = gap_text(s, c->gap, &c->line);
            if (c->line)
                fprintf(c->out, "#line %d \"%s\"\n", c->line, name);
            copy_answer(c, answer);
            free(answer);
        } else if (begins(l, "// <<< answer")) {
            inside = 0;
        } else if (!inside && l->weight) {
            if (i == 0 || !goes_on(l - 1)) { /* nothing comes between the lines of one directive */
                close_blocks(s, c, g->first[fixed]);
                if (line_of(s, fixed))
                    fprintf(c->out, "#line %d \"%s\"\n", line_of(s, fixed), name);
            }
            fprintf(c->out, "%.*s\n", l->length, l->at);
            given_brackets(c, g, fixed++);
        }
    }
}

Answer answer_take(const char *solution, const char *submitted, const char *name)
{
    Answer taken = {0};
    Source s = {.given = given_by(solution), .lines = lines_of(submitted)};
    s.words = words_of_lines(&s.lines);
    if (strlen(submitted) > 1 << 18 || s.lines.count > MOST_LINES || align(&s.given, &s.words, &s.at) != 0) {
        taken.why = copy("the file is too long");
    } else {
        List words = visible(&s.given);
        size_t size;
        Copying c = {.words = &words, .out = open_memstream(&taken.program, &size)};
        s.taken = calloc((size_t)s.words.count + 1, 1);
        if (!c.out || !s.taken)
            die(1, "not enough memory");
        write_program(&s, &c, name);
        fclose(c.out);
        taken.note = changes(&s);
        if ((taken.why = c.why))
            free(taken.program), taken.program = NULL;
        list_free(&words), list_free(&c.labels);
    }
    alignment_free(&s.at), given_free(&s.given);
    free(s.lines.at), free(s.words.at), free(s.taken);
    return taken;
}

void answer_free(Answer *a) { free(a->program), free(a->why), free(a->note); }

/* Does the rest of a message say that a name is not known? */
static int says_unknown(const char *p)
{
    static const char *const words[] = {"was not declared", "does not name a type",      "has not been declared",
                                        "is not a type",    "there are no arguments to", "is not a member of 'std'"};
    const size_t rest = strcspn(p, "\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(p, words[i]);
        if (at && (size_t)(at - p) < rest)
            return 1;
    }
    return 0;
}

char *answer_unknown(const char *messages)
{
    const size_t n = strlen(ANSWER_PREFIX);
    List names = {0};
    for (const char *p = messages; (p = strstr(p, ANSWER_PREFIX)); p++) {
        size_t length = 0;
        while (in_word(p[n + length]))
            length++;
        char *name = text("%.*s", (int)length, p + n);
        if (says_unknown(p) && !list_has(&names, name))
            list_add(&names, name);
        free(name);
    }
    char *all = NULL;
    for (int i = 0; i < names.count && i < 5; i++) {
        char *more = text("%s%s%s", all ? all : "", all ? ", " : "", names.item[i]);
        free(all);
        all = more;
    }
    char *said = all ? text("%s: the answer does not declare %s, nor %s of CUDA or C that an answer may use here", all,
                            names.count > 1 ? "them" : "it", names.count > 1 ? "are they names" : "is it a name")
                     : NULL;
    free(all);
    list_free(&names);
    return said;
}

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
