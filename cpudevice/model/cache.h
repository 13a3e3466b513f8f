/* cache.h: a cache of lines of 128 bytes with four sectors of 32 each, set-associative, least recently used out first.
 *
 * Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), section 3: L1 and L2 have
 * lines of 128 bytes and fetch sectors of 32. The sets are chosen by a hash, as L2's are. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_SECTOR = 32, CACHE_LINE = 128 };

typedef struct cache_line {
    uint64_t line;          /* its number */
    uint32_t used;          /* when it was, last */
    uint8_t valid, written; /* by sector */
} cache_line;

typedef struct cache {
    cache_line *lines;
    uint32_t sets, ways, capacity, clock;
    uint32_t emptied; /* by the clock: lines that were used last before that are not there */
} cache;

/* Empty, with room for so many bytes, rounded down to whole sets, one at least. */
void cache_empty(cache *c, double bytes, unsigned ways);
/* Is the sector of this address there? It is from then on. */
bool cache_read(cache *c, uint64_t address);
/* The sector is written in the cache. Was it there, and written before? */
bool cache_write(cache *c, uint64_t address);

#endif
