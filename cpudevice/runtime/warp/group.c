/* group.c: groups of several warps (tiles of 64 to 512 threads): meeting, and exchanging what each thread brings.
 *
 * All threads of a block run on one OS thread, so a tile's state is this thread's own and needs no lock. A tile is
 * named by its first thread's number. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cpudevice.h"
#include "cpudev_must.h"

enum { THREADS = 1024, TILES = THREADS / 32, BYTES = 64 };

static __thread struct tile {
    unsigned arrived, phase;
} tiles[TILES];

static __thread char (*brought)[BYTES];

struct waiting {
    struct tile *tile;
    unsigned phase;
};

static int passed(void *p)
{
    struct waiting *w = p;
    return w->tile->phase != w->phase;
}

void cpudev_tile_sync(unsigned first, unsigned threads)
{
    struct tile *tile = &tiles[first / 32];
    struct waiting w = {tile, tile->phase};
    if (++tile->arrived == threads) {
        tile->arrived = 0;
        tile->phase++;
    } else {
        cpudev_wait(passed, &w, "a sync of a tile of several warps");
    }
}

void cpudev_tile_allgather(unsigned first, unsigned threads, const void *mine, void *all, unsigned bytes)
{
    if (!brought)
        brought = must(malloc(THREADS * sizeof(*brought)));
    if (bytes > BYTES)
        abort();
    memcpy(brought[cpudev_tid()], mine, bytes);
    cpudev_tile_sync(first, threads);
    for (unsigned i = 0; i < threads; i++)
        memcpy((char *)all + (size_t)i * bytes, brought[first + i], bytes);
    cpudev_tile_sync(first, threads);
}
