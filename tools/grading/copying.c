#include "copying.h"
#include "answer.h"

#include <stdlib.h>
#include <string.h>

static int may_use(const List *words, const char *name)
{
    if (name_is_allowed(name, strlen(name)) || list_has(words, name))
        return 1;
    for (int i = 0; i < words->count; i++)
        if (name_is_related(name, words->item[i]))
            return 1;
    return 0;
}

static void refuse_at(Copying *c, int line, const char *what)
{
    if (!c->why)
        c->why = text("line %d: %s", line, what);
}

static void refuse(Copying *c, const char *what) { refuse_at(c, c->line, what); }

static void refuse_open(Copying *c, const Bracket *b)
{
    char *what = text("the '%c' that is opened here in the answer is not closed in it", b->is);
    refuse_at(c, b->line, what);
    free(what);
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

/* Behind the blanks and comments at p. */
static const char *behind_blanks(const char *p)
{
    for (;;) {
        if (*p && isspace((unsigned char)*p)) {
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

/* Is the label that a goto at p names, behind the word, before it? Such a loop has no rounds that the counters know. */
static int leads_back(const Copying *c, const char *p)
{
    const char *label = behind_blanks(p + strlen("goto"));
    int n = 0;
    while (in_word(label[n]))
        n++;
    char *name = text("%.*s", n, label);
    int back = list_has(&c->labels, name);
    free(name);
    return back;
}

/* Behind the literal at p. */
static const char *behind_literal(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* Does the goto at p lead into a block or a statement that begins behind it, or out of the answer's place? Into a loop, say: then
 * no round of it would be known. */
static int leads_inside(const char *p)
{
    const char *label = behind_blanks(p + strlen("goto"));
    int n = 0, depth = 0, lowest = 0;
    while (in_word(label[n]))
        n++;
    char last = 0;
    for (const char *q = behind_blanks(label + n); *q; q = behind_blanks(q)) {
        if (in_word(*q)) {
            int m = 0;
            while (in_word(q[m]))
                m++;
            if (m == n && strncmp(q, label, (size_t)n) == 0 && *behind_blanks(q + m) == ':')
                return depth > lowest || !strchr(";{}:", last);
            last = q[m - 1];
            q += m;
            continue;
        }
        last = *q;
        depth += (*q == '{') - (*q == '}');
        lowest = depth < lowest ? depth : lowest;
        q = *q == '"' || *q == '\'' ? behind_literal(q) : q + 1;
    }
    return 1;
}

static const char *copy_word(Copying *c, const char *p)
{
    int n = 0;
    while (in_word(p[n]))
        n++;
    char *word = text("%.*s", n, p);
    const char *behind = behind_blanks(p + n), next = *behind;
    if (p[n] == '"' || p[n] == '\'')
        refuse(c, "only plain literals are allowed in an answer");
    if (strcmp(word, "extern") == 0 && next == '"') /* else it could define a function of the C library's */
        refuse(c, "a linkage specification is not allowed in an answer");
    if (strcmp(word, "goto") == 0 && next == '*')
        refuse(c, "goto needs a label in an answer, not an address");
    if (strcmp(word, "goto") == 0 && leads_back(c, p))
        refuse(c, "a goto may not jump back in an answer: write a loop");
    else if (strcmp(word, "goto") == 0 && next != '*' && leads_inside(p))
        refuse(c, "a goto may not jump into a block in an answer, nor to another part of it");
    if (next == ':' && behind[1] != ':')
        list_add(&c->labels, word);
    for (int i = 0; i < n; i++)
        if ((unsigned char)p[i] >= 128 || p[i] == '$')
            refuse(c, "names are made of letters, digits and _");
    fprintf(c->out, "%s%s", may_use(c->words, word) ? "" : ANSWER_PREFIX, word);
    free(word);
    return p + n;
}

static const char *const opening = "([{", *const closing = ")]}";

static void open_bracket(Copying *c, char b)
{
    if (c->depth == (int)(sizeof c->open / sizeof c->open[0]))
        refuse(c, "brackets are nested too deeply");
    else
        c->open[c->depth++] = (Bracket){b, c->gap, c->line};
}

int may_close(const Copying *c, char b)
{
    const Bracket *last = c->depth ? &c->open[c->depth - 1] : NULL;
    return last && last->gap != GIVEN && last->is == opening[strchr(closing, b) - closing] &&
           (b == '}' || last->gap == c->gap);
}

static void bracket(Copying *c, char b)
{
    if (strchr(opening, b)) {
        open_bracket(c, b);
    } else if (strchr(closing, b)) {
        if (may_close(c, b))
            c->depth--;
        else
            refuse(c, "it closes a bracket that the answer did not open");
    }
}

/* What may stay open at a gap's end: blocks, inside a function. */
static void end_of_gap(Copying *c)
{
    for (int i = 0; i < c->depth; i++)
        if (c->open[i].gap == c->gap && (c->open[i].is != '{' || c->open[0].gap != GIVEN))
            refuse_open(c, &c->open[i]);
}

void given_brackets(Copying *c, const Given *g, int fixed)
{
    c->gap = GIVEN;
    for (int i = g->first[fixed]; i < g->first[fixed + 1] && !c->why; i++) {
        const Word *w = &g->words.at[i];
        if (w->length != 1)
            continue;
        if (strchr(opening, *w->at))
            open_bracket(c, *w->at);
        else if (strchr(closing, *w->at) && c->depth && c->open[c->depth - 1].gap != GIVEN)
            refuse_open(c, &c->open[c->depth - 1]);
        else if (strchr(closing, *w->at) && c->depth)
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
        refuse(c, "preprocessor directives are not allowed in an answer (#pragma unroll is)");
        return p + 1;
    }
    int n = (int)strcspn(p, "\r\n");
    fprintf(c->out, "%.*s", n, p);
    return p + n;
}

/* A bracket or a # spelled with two characters: <% %> <: :> %: */
static int is_digraph(const char *p)
{
    return (*p == '<' && (p[1] == '%' || p[1] == ':')) || (*p == '%' && (p[1] == '>' || p[1] == ':')) ||
           (*p == ':' && p[1] == '>');
}

void copy_answer(Copying *c, const char *p)
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
            if (*p == '\\' || *p == '@' || *p == '`' || is_digraph(p) || (*p == '?' && p[1] == '?') ||
                ((unsigned char)*p < 32 && !strchr("\n\t\f\v", *p)))
                refuse(c, "a character that is not allowed in an answer");
            if (*p == '\n')
                c->line++;
            bracket(c, *p);
            fputc(*p++, c->out);
        }
    }
    end_of_gap(c);
}
