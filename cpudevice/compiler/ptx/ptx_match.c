/* ptx_match.c: an instruction as written -> its row, its types, its modifiers. */
#include "ptx/ptx.h"

#include <stdio.h>
#include <string.h>

/* Is `word` one of the words of `list`, which are set apart by spaces, up to `end`? m* matches any shape. */
static bool listed(const char *list, const char *end, const char *word, int len)
{
    while (list < end) {
        list += strspn(list, " ");
        const int n = (int)strcspn(list, " ;");
        if (list + n > end)
            return false;
        if (n == len && !memcmp(list, word, (size_t)n))
            return true;
        if (n == 2 && !memcmp(list, "m*", 2) && len > 4 && word[0] == 'm' && word[1] >= '0' && word[1] <= '9')
            return true;
        if (!n)
            return false;
        list += n;
    }
    return false;
}

static const char *group_end(const char *group) { return group + strcspn(group, ";"); }

/* Fills m from the words after the opcode. Returns the word that does not fit, or NULL. */
static const char *fit(const PtxRow *row, const char *rest, const char *end, PtxMatch *m)
{
    const char *group = row->types;
    memset(m, 0, sizeof *m);
    m->row = row;
    while (rest < end) {
        const char *word = rest + 1;
        int len = (int)strcspn(word, ".");
        if (word + len > end)
            len = (int)(end - word);
        if (*group && listed(group, group_end(group), word, len) && m->types < PTX_TYPES) {
            m->type[m->types].s = word;
            m->type[m->types++].len = len;
            group = group_end(group);
            group += *group == ';';
        } else if (listed(row->modifiers, row->modifiers + strlen(row->modifiers), word, len) &&
                   m->modifiers < PTX_MODIFIERS) {
            m->modifier[m->modifiers].s = word;
            m->modifier[m->modifiers++].len = len;
        } else {
            return word;
        }
        rest = word + len;
    }
    return *group ? "" : NULL;
}

bool ptx_match(const char *name, int len, PtxMatch *best, char *why, size_t size)
{
    const char *misfit = NULL;
    int longest = -1;
    for (int i = 0; i < ptx_rows; i++) {
        const PtxRow *row = &ptx_table[i];
        const int n = (int)strlen(row->opcode);
        PtxMatch m;
        if (n > len || memcmp(row->opcode, name, (size_t)n) || (n < len && name[n] != '.') || n < longest)
            continue;
        const char *word = fit(row, name + n, name + len, &m);
        if (!word) {
            *best = m;
            longest = n;
            misfit = NULL;
        } else if (longest < 0) {
            misfit = word;
        }
    }
    if (longest >= 0)
        return true;
    if (!misfit)
        snprintf(why, size, "the PTX instruction %.*s is not supported on the CPU device", len, name);
    else if (!*misfit)
        snprintf(why, size, "the PTX instruction %.*s lacks a type", len, name);
    else
        snprintf(why, size, "the PTX instruction %.*s is not supported on the CPU device with .%.*s", len, name,
                 (int)strcspn(misfit, ". ;\t\n"), misfit);
    return false;
}
