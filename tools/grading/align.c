#include "align.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static char *key_of(const char *p, int n)
{
    char *key = malloc((size_t)n + 1), *k = key;
    if (!key)
        die(1, "not enough memory");
    for (int i = 0; i < n && !(p[i] == '/' && i + 1 < n && p[i + 1] == '/'); i++)
        if (!isspace((unsigned char)p[i]))
            *k++ = p[i];
    *k = 0;
    return key;
}

static void add_line(Lines *l, const char *at, int length, int number)
{
    l->at = realloc(l->at, sizeof *l->at * (size_t)(l->count + 1));
    if (!l->at)
        die(1, "not enough memory");
    char *key = key_of(at, length);
    l->at[l->count++] = (Line){at, length, number, key, (int)strlen(key)};
}

void lines_free(Lines *l)
{
    for (int i = 0; i < l->count; i++)
        free(l->at[i].key);
    free(l->at);
}

int begins(const Line *l, const char *words)
{
    int n = (int)strlen(words), blank = 0;
    while (blank < l->length && (l->at[blank] == ' ' || l->at[blank] == '\t'))
        blank++;
    return l->length - blank >= n && strncmp(l->at + blank, words, (size_t)n) == 0;
}

Lines lines_of(const char *file)
{
    Lines l = {0};
    int number = 1, comment = starts_with(file, "/*");
    for (const char *p = file, *end; *p; p = *end ? end + 1 : end, number++) {
        end = p + strcspn(p, "\n");
        if (!comment)
            add_line(&l, p, (int)(end - p), number);
        else if (end - p >= 2 && end[-1] == '/' && end[-2] == '*')
            comment = 0;
    }
    return l;
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
            add_line(&g.fixed, l->at, l->length, l->number);
        }
    }
    if (!g.answers)
        g.answers = copy("");
    return g;
}

int gap_at(const Given *g, int fixed)
{
    for (int i = 0; i < g->gaps; i++)
        if (g->before[i] == fixed)
            return i;
    return -1;
}

/* ---- alignment -------------------------------------------------------------------------------------------------- */

Alignment align(const Given *g, const Lines *file)
{
    int n = g->fixed.count, m = file->count, width = m + 1;
    int *cost = malloc(sizeof *cost * (size_t)(n + 1) * (size_t)width);
    Alignment a = {malloc(sizeof(int) * (size_t)(n + 1)), malloc(sizeof(int) * (size_t)(m + 1))};
    if (!cost || !a.line_of || !a.gap_of)
        die(1, "not enough memory");
    for (int i = 0; i <= n; i++) {
        int in_gap = gap_at(g, i) >= 0;
        for (int j = 0; j <= m; j++) {
            int best = i || j ? 1 << 30 : 0, c;
            if (i && j && strcmp(g->fixed.at[i - 1].key, file->at[j - 1].key) == 0)
                best = cost[(i - 1) * width + j - 1];
            if (i && (c = cost[(i - 1) * width + j] + g->fixed.at[i - 1].weight) < best)
                best = c;
            if (j && (c = cost[i * width + j - 1] + (in_gap || !file->at[j - 1].weight ? 0 : 1)) < best)
                best = c;
            cost[i * width + j] = best;
        }
    }
    for (int i = 0; i < n; i++)
        a.line_of[i] = -1;
    for (int i = n, j = m; i || j;) {
        int here = cost[i * width + j], in_gap = gap_at(g, i);
        if (i && j && strcmp(g->fixed.at[i - 1].key, file->at[j - 1].key) == 0 &&
            here == cost[(i - 1) * width + j - 1]) {
            a.line_of[--i] = --j;
            a.gap_of[j] = -1;
        } else if (j && here == cost[i * width + j - 1] + (in_gap >= 0 || !file->at[j - 1].weight ? 0 : 1)) {
            a.gap_of[--j] = in_gap;
        } else {
            i--;
        }
    }
    free(cost);
    return a;
}
