/* segment.c: segments by number, in chunks that are freed once nothing can race with them any more. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>

#include "race/segment.h"
#include "cpudev_must.h"

enum { SEG_CHUNK = 1 << 16 };

static check_seg *seg_chunk[1 << 15];

static _Atomic uint32_t seg_count = 1;

static uint32_t seg_freed; // chunks below are gone

static _Atomic uint32_t global_floor;

uint32_t check_global_floor(void) { return global_floor; }

uint32_t check_seg_next(void) { return seg_count; }

uint32_t check_seg_new(check_seg s)
{
    uint32_t id = atomic_fetch_add(&seg_count, 1) & 0x7fffffffu;
    check_seg **c = &seg_chunk[id / SEG_CHUNK];
    if (!__atomic_load_n(c, __ATOMIC_ACQUIRE)) {
        check_seg *n = must(calloc(SEG_CHUNK, sizeof *n)), *none = NULL;
        if (!__atomic_compare_exchange_n(c, &none, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            free(n);
    }
    (*c)[id % SEG_CHUNK] = s;
    return id;
}

check_seg *check_seg_get(uint32_t id)
{
    check_seg *c = __atomic_load_n(&seg_chunk[id / SEG_CHUNK], __ATOMIC_ACQUIRE);
    return c && id >= global_floor ? &c[id % SEG_CHUNK] : NULL;
}

void check_seg_free_below(uint32_t floor)
{
    global_floor = floor;
    for (; (seg_freed + 1) * SEG_CHUNK <= floor; seg_freed++) {
        global_floor = floor;
        check_seg *c = seg_chunk[seg_freed];
        seg_chunk[seg_freed] = NULL;
        free(c);
    }
}

// Host accesses of the last clocks, so that an operation's floor stays below those it races with.
static struct {
    uint32_t clock, seg;
} host_segs[256];

static _Atomic uint32_t host_segs_n;

uint32_t check_first_host_seg_after(uint32_t clock)
{
    uint32_t n = host_segs_n, best = ~0u;
    if (n > 256 && host_segs[n % 256].clock > clock)
        return 0; // forgotten: nothing is known to be ordered
    for (uint32_t i = 0; i < (n < 256 ? n : 256); i++)
        if (host_segs[i].clock > clock && host_segs[i].seg < best)
            best = host_segs[i].seg;
    return best;
}

void check_note_host_seg(uint32_t clock, uint32_t seg)
{
    uint32_t i = host_segs_n;
    host_segs[i % 256].clock = clock;
    host_segs[i % 256].seg = seg;
    host_segs_n = i + 1;
}
