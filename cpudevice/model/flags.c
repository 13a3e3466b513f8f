/* flags.c: the words by which blocks may wait for each other, in a table with open addressing. */
#include <stdlib.h>

#include "core/hooks.h"
#include "cpudev_must.h"
#include "flags.h"

enum { FIRST_PLACES = 256, LOOKS = 3 };

static struct flag *place_of(const flags *f, uint64_t word)
{
    size_t k = (size_t)(word * 0x9e3779b97f4a7c15u >> 32);
    while (f->flags[k & (f->places - 1)].word && f->flags[k & (f->places - 1)].word != word)
        k++;
    return &f->flags[k & (f->places - 1)];
}

static void grow(flags *f)
{
    const flags old = *f;
    f->places = old.places ? 2 * old.places : FIRST_PLACES;
    f->flags = must(calloc(f->places, sizeof *f->flags));
    for (size_t i = 0; i < old.places; i++)
        if (old.flags[i].word)
            *place_of(f, old.flags[i].word) = old.flags[i];
    free(old.flags);
}

static bool looked(struct flag *g, uint32_t block, uint32_t thread)
{
    const uint32_t who = (uint32_t)(block * 1024u + thread + 1);
    g->looks = g->thread == who ? g->looks + 1 : 1;
    g->thread = who;
    return g->looks >= LOOKS || (g->writer && (g->several || g->writer != block + 1));
}

bool flags_seen(flags *f, uint64_t word, uint32_t block, uint32_t thread, int what)
{
    if (2 * f->count >= f->places)
        grow(f);
    struct flag *g = place_of(f, word);
    f->count += !g->word;
    g->word = word;
    if (what == FLAG_LOOK)
        return looked(g, block, thread);
    g->thread = 0;
    g->several |= g->writer && g->writer != block + 1;
    g->writer = block + 1;
    g->exchanged |= what == FLAG_COMPARE;
    g->stored |= what == FLAG_STORE;
    return g->exchanged && g->stored;
}

void flags_free(flags *f)
{
    free(f->flags);
    *f = (flags){0};
}
