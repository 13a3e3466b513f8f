#include "align.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t each)
{
    void *p = calloc(count + 1, each);
    if (!p)
        die(1, "not enough memory");
    return p;
}

/* One more element at the end of an array that grows by doubling. */
static void *grown(void *at, int count, size_t each)
{
    if (count & (count - 1)) /* no power of two: there is room */
        return at;
    void *p = realloc(at, each * (count ? 2 * (size_t)count : 1));
    if (!p)
        die(1, "not enough memory");
    return p;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static void add_line(Lines *l, Line line)
{
    l->at = grown(l->at, l->count, sizeof *l->at);
    l->at[l->count++] = line;
}

int begins(const Line *l, const char *with)
{
    int n = (int)strlen(with), blank = 0;
    while (blank < l->length && (l->at[blank] == ' ' || l->at[blank] == '\t'))
        blank++;
    return l->length - blank >= n && strncmp(l->at + blank, with, (size_t)n) == 0;
}

int goes_on(const Line *l) { return l->length && l->at[l->length - 1] == '\\'; }

/* What of the text before it a line begins in. */
typedef struct State {
    int comment, directive;
} State;

/* Where the comment at p ends: at the line's end, or before it. */
static const char *behind_comment(const char *p, const char *end, State *s)
{
    if (!s->comment) {
        if (p[1] == '/')
            return end;
        s->comment = 1;
        p += 2;
    }
    for (; p + 1 < end; p++)
        if (p[0] == '*' && p[1] == '/') {
            s->comment = 0;
            return p + 2;
        }
    return end;
}

static int at_comment(const char *p, const char *end, const State *s)
{
    return s->comment || (*p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*'));
}

/* The line's characters without blanks and comments, for the hash of a directive and for the weight. */
static int solid(const Line *l, State s, uint64_t *hash)
{
    int count = 0;
    for (const char *p = l->at, *end = p + l->length; p < end;) {
        if (at_comment(p, end, &s)) {
            p = behind_comment(p, end, &s);
        } else {
            if (!isspace((unsigned char)*p))
                *hash = hash_bytes(*hash, p, 1), count++;
            p++;
        }
    }
    return count;
}

Lines lines_of(const char *file)
{
    Lines l = {0};
    State s = {0};
    int number = 1, head = starts_with(file, "/*");
    for (const char *p = file, *end; *p; p = *end ? end + 1 : end, number++) {
        end = p + strcspn(p, "\n");
        if (head) {
            State comment = {.comment = !starts_with(p, "/*")};
            behind_comment(p, end, &comment);
            head = comment.comment;
            continue;
        }
        Line line = {p, (int)(end - p), number, 0};
        uint64_t hash = HASH_START;
        line.weight = solid(&line, s, &hash);
        for (const char *q = p; q < end;)
            q = at_comment(q, end, &s) ? behind_comment(q, end, &s) : q + 1;
        add_line(&l, line);
    }
    return l;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static int in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128; }

static const char *behind_word(const char *p, const char *end)
{
    if (in_name(*p)) {
        while (p < end && in_name(*p))
            p++;
    } else if (*p == '"' || *p == '\'') {
        char quote = *p++;
        for (; p < end && *p != quote; p++)
            p += *p == '\\' && p + 1 < end;
        p += p < end;
    } else {
        p++;
    }
    return p;
}

static void add_word(Words *w, Word word)
{
    w->at = grown(w->at, w->count, sizeof *w->at);
    w->at[w->count++] = word;
}

static void words_of_line(Words *w, const Line *l, State *s)
{
    const char *p = l->at, *end = p + l->length;
    if (!s->comment && (s->directive || begins(l, "#"))) {
        uint64_t key = HASH_START;
        solid(l, *s, &key);
        s->directive = goes_on(l);
        add_word(w, (Word){p, l->length, l->number, key});
        return;
    }
    while (p < end) {
        if (at_comment(p, end, s)) {
            p = behind_comment(p, end, s);
        } else if (isspace((unsigned char)*p)) {
            p++;
        } else {
            const char *from = p;
            p = behind_word(p, end);
            add_word(w, (Word){from, (int)(p - from), l->number, hash_bytes(HASH_START, from, (size_t)(p - from))});
        }
    }
}

Words words_of_lines(const Lines *l)
{
    Words w = {0};
    State s = {0};
    for (int i = 0; i < l->count; i++)
        words_of_line(&w, &l->at[i], &s);
    return w;
}

/* ---- what the solution gives ------------------------------------------------------------------------------------ */

void append(char **to, const char *at, int length)
{
    char *joined = text("%s%.*s\n", *to ? *to : "", length, at);
    free(*to);
    *to = joined;
}

Given given_by(const char *solution)
{
    Given g = {.all = lines_of(solution)};
    State s = {0};
    int inside = 0;
    for (int i = 0; i < g.all.count; i++) {
        const Line *l = &g.all.at[i];
        if (begins(l, "// >>> answer")) {
            inside = 1;
            if (g.gaps == 0 || g.before[g.gaps - 1] != g.fixed.count)
                g.before[g.gaps < MOST_GAPS ? g.gaps++ : g.gaps - 1] = g.fixed.count;
        } else if (begins(l, "// <<< answer")) {
            inside = 0;
        } else if (inside && !begins(l, "// stub:")) {
            append(&g.answers, l->at, l->length);
        } else if (!inside && l->weight) {
            add_line(&g.fixed, *l);
        }
    }
    g.first = room((size_t)g.fixed.count, sizeof *g.first);
    for (int i = 0; i < g.fixed.count; i++) {
        g.first[i] = g.words.count;
        words_of_line(&g.words, &g.fixed.at[i], &s);
    }
    g.first[g.fixed.count] = g.words.count;
    if (!g.answers)
        g.answers = copy("");
    return g;
}

void given_free(Given *g) { free(g->all.at), free(g->fixed.at), free(g->words.at), free(g->first), free(g->answers); }

int gap_at(const Given *g, int fixed)
{
    for (int i = 0; i < g->gaps; i++)
        if (g->before[i] == fixed)
            return i;
    return -1;
}

/* ---- alignment -------------------------------------------------------------------------------------------------- */

/* The part of both that is not plainly equal: given words from `g0` up to `g1` and the file's from `f0` up to `f1`. */
typedef struct Part {
    const Given *given;
    const Words *file;
    int *gap; /* behind so many given words, or -1 */
    int g0, g1, f0, f1, width;
    int *cost;
} Part;

static int equal(const Part *p, int g, int f) { return p->given->words.at[g].key == p->file->at[f].key; }

/* What the file's word f costs behind g given words. */
static int cost_of(const Part *p, int g) { return p->gap[g] >= 0 ? 0 : 1; }

static void fill_in(Part *p)
{
    for (int i = 0; i <= p->g1 - p->g0; i++)
        for (int j = 0; j <= p->f1 - p->f0; j++) {
            int *row = p->cost + (size_t)i * (size_t)p->width, *above = row - p->width;
            int best = i || j ? 1 << 30 : 0, c;
            if (i && j && equal(p, p->g0 + i - 1, p->f0 + j - 1))
                best = above[j - 1];
            if (i && (c = above[j] + p->given->words.at[p->g0 + i - 1].length) < best)
                best = c;
            if (j && (c = row[j - 1] + cost_of(p, p->g0 + i)) < best)
                best = c;
            row[j] = best;
        }
}

static void walk_back(const Part *p, Alignment *a)
{
    for (int i = p->g1 - p->g0, j = p->f1 - p->f0; i || j;) {
        const int *row = p->cost + (size_t)i * (size_t)p->width, *above = row - p->width;
        int g = p->g0 + i, f = p->f0 + j;
        if (i && j && equal(p, g - 1, f - 1) && row[j] == above[j - 1]) {
            a->word_of[g - 1] = f - 1, a->place[f - 1] = IS_GIVEN, a->after[f - 1] = g - 1;
            i--, j--;
        } else if (j && row[j] == row[j - 1] + cost_of(p, g)) {
            a->place[f - 1] = p->gap[g] >= 0 ? p->gap[g] : NOWHERE, a->after[f - 1] = g;
            j--;
        } else {
            i--;
        }
    }
}

/* Words before the first gap and behind the last that are equal one by one stand for each other. */
static void cut_ends(Part *p, Alignment *a)
{
    while (p->g0 < p->g1 && p->f0 < p->f1 && p->gap[p->g0] < 0 && equal(p, p->g0, p->f0)) {
        a->word_of[p->g0] = p->f0, a->place[p->f0] = IS_GIVEN, a->after[p->f0] = p->g0;
        p->g0++, p->f0++;
    }
    while (p->g0 < p->g1 && p->f0 < p->f1 && p->gap[p->g1] < 0 && equal(p, p->g1 - 1, p->f1 - 1)) {
        p->g1--, p->f1--;
        a->word_of[p->g1] = p->f1, a->place[p->f1] = IS_GIVEN, a->after[p->f1] = p->g1;
    }
}

int align(const Given *g, const Words *file, Alignment *a)
{
    enum { MOST_CELLS = 1 << 26 };
    int n = g->words.count, m = file->count;
    Part p = {.given = g, .file = file, .g1 = n, .f1 = m, .gap = room((size_t)n, sizeof(int))};
    *a = (Alignment){room((size_t)n, sizeof(int)), room((size_t)m, sizeof(int)), room((size_t)m, sizeof(int))};
    for (int i = 0; i <= n; i++)
        p.gap[i] = -1;
    for (int i = 0; i < n; i++)
        a->word_of[i] = -1;
    for (int k = 0; k < g->gaps; k++)
        p.gap[g->first[g->before[k]]] = k;
    cut_ends(&p, a);
    p.width = p.f1 - p.f0 + 1;
    size_t cells = (size_t)(p.g1 - p.g0 + 1) * (size_t)p.width;
    int fits = cells <= MOST_CELLS;
    if (fits) {
        p.cost = room(cells, sizeof *p.cost);
        fill_in(&p);
        walk_back(&p, a);
    }
    free(p.cost), free(p.gap);
    return fits ? 0 : -1;
}

void alignment_free(Alignment *a) { free(a->word_of), free(a->place), free(a->after); }
