/* cache.c: which sectors are there. */
#include <stdlib.h>

#include "cache.h"
#include "cpudev_must.h"

void cache_empty(cache *c, double bytes, unsigned ways)
{
    double sets = bytes / CACHE_LINE / ways;
    c->sets = sets < 1 ? 1 : (uint32_t)sets;
    c->ways = ways;
    c->emptied = c->clock;
    if (c->sets * ways <= c->capacity && c->clock < UINT32_MAX / 2)
        return;
    free(c->lines);
    c->capacity = c->sets * ways > c->capacity ? c->sets * ways : c->capacity;
    c->lines = must(calloc(c->capacity, sizeof *c->lines));
    c->emptied = c->clock = 0;
}

/* The line's place, which is another line's no longer. */
static cache_line *line_of(cache *c, uint64_t number)
{
    uint64_t hash = (number ^ number >> 17) * 0x9e3779b97f4a7c15u >> 32;
    cache_line *set = c->lines + (size_t)(hash * c->sets >> 32) * c->ways, *oldest = set;
    c->clock++;
    for (cache_line *l = set; l < set + c->ways; l++) {
        if (l->line == number && l->used > c->emptied) {
            l->used = c->clock;
            return l;
        }
        if (l->used < oldest->used)
            oldest = l;
    }
    *oldest = (cache_line){.line = number, .used = c->clock};
    return oldest;
}

static uint8_t sector_of(uint64_t address)
{
    return (uint8_t)(1u << (address / CACHE_SECTOR % (CACHE_LINE / CACHE_SECTOR)));
}

bool cache_read(cache *c, uint64_t address)
{
    cache_line *l = line_of(c, address / CACHE_LINE);
    bool hit = l->valid & sector_of(address);
    l->valid |= sector_of(address);
    return hit;
}

bool cache_write(cache *c, uint64_t address)
{
    cache_line *l = line_of(c, address / CACHE_LINE);
    bool before = l->written & sector_of(address);
    l->valid |= sector_of(address);
    l->written |= sector_of(address);
    return before;
}
