/* bulk.h: regions that are checked in bulk.
 *
 * A region is the code between two barriers of a kernel that runs in loops over its threads. Where the compiler knows
 * that its accesses to shared memory are the same each time, for given keys, and can tell the addresses of its accesses
 * to global memory beforehand, it prints the region twice: with callbacks and without.
 *
 * The first times the region runs with its callbacks. What they leave in the shadow of shared memory is recorded: the
 * region's footprint. Later, if none of those words has been touched since the last barrier, and those that are read
 * were written by this block, the callbacks could find nothing: the footprint is put into the shadow, and the code runs
 * without them. Accesses to global memory are judged and put on record a row of threads at a time. Where anything
 * conflicts with it the callbacks do their work as ever, so that no finding depends on this. (Equal accesses of other
 * blocks, or with other keys, are never compared: a footprint holds for one launch, one OS thread and one set of keys.)
 *
 * Each block begins with a shadow in which nothing of its shared memory is written. So if it has left the same
 * footprints as an earlier block of the launch, one behind the other, a barrier after each, and nothing else has touched
 * the shadow, then a footprint that was clear there is clear here. Neither is it looked at then nor put into the shadow
 * before something else touches the shadow. */
#ifndef CHECKER_BULK_H
#define CHECKER_BULK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cpudev_abi.h"
#include "counters/counters.h"
#include "core/worker.h"

enum { SLOW = 1, RECORD, PLAIN };

enum { FOOTPRINTS = 64, BULK_SITES = 16, MOST_REGIONS = 256, MOST_ROWS = 2048, MOST_STEPS = 64 };

enum { SEEN_ONCE, KNOWN_WELL, GIVEN_UP };

/* How it is known that a footprint is clear: by a look at the shadow, because it has been put there before in this block,
 * or by the block's sequence. */
enum { BY_LOOK, BY_ITSELF, BY_SEQUENCE };

typedef struct {
    record w, r1, r2;
} trace; // without their epoch; 0: none

typedef struct {
    struct check_cell *cell;
    uint32_t first, count;
    int written, read_first;
} trace_run;

typedef struct footprint {
    uint64_t key[4];
    int state, misses;
    uint32_t block; // first epoch of the block in which it was last compared with the shadow, and put there
    trace *traces;
    trace_run *runs;
    uint32_t run_count;
    counters_delta *deltas;
    int delta_count;
    struct {
        void *pc;
        int again;
    } site[BULK_SITES]; // accesses to global memory; again: they are those of another site
} footprint;

typedef struct region { // of one OS thread and launch
    uint32_t op;
    const struct check_cell *cells; // of dynamic shared memory, as it was
    int count, misses, hits;
    footprint *list[FOOTPRINTS];
} region;

typedef struct {
    struct check_cell *cell;
    int read_first;
} first_touch;

// A row: threads from `thread` on access `bytes` each, one behind the other from a on.
typedef struct row {
    uintptr_t a;
    uint32_t threads, thread, bytes;
    int write;
    void *pc;
} row;

typedef struct {
    uint32_t op, block;   // the launch; first epoch of the running block
    int known, gone, put; // steps that some block has gone; that the running block has; of these in the shadow
    struct {
        footprint *print;
        uint32_t epoch;
    } step[MOST_STEPS];
} sequence;

typedef struct bulk_worker {
    unsigned long at[1024]; // one access's address for each thread of the block
    region *regions[MOST_REGIONS];
    region *now;
    footprint *print;
    sequence sequence;
    int failed, sites, clear; // clear: BY_*
    unsigned long hits;       // regions run without callbacks, since the block began
    // Sums over each thread's accesses to global memory: as the region's addresses have them, less those that are
    // said twice, and as the callbacks have them.
    uint64_t said[1024], once[1024], seen[1024];
    struct {
        void *pc;
        uintptr_t a; // the first address, and whose
        uint32_t thread;
        int write, calls, again;
        uint64_t row; // a sum over the last addresses
    } site[BULK_SITES];
    int mixed; // some site is another's only sometimes
    uint32_t epoch;
    first_touch *touched;
    uint32_t touches, touch_capacity;
    uint32_t *mark[2], serial; // by cell of the areas: touched in this recording
    const struct check_cell *marked[2];
    row rows[MOST_ROWS];      // that wait
    int row_count, rows_seen; // since the region began
} bulk_worker;

extern __thread bulk_worker *check_B;
uint64_t check_mixed(uintptr_t a, size_t bytes, int write);
void check_bulk_record(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_recorded(worker *w, bulk_worker *b, footprint *f);
void check_bulk_forget(footprint *f);
int check_footprint_clear(const worker *w, const footprint *f);
void check_footprint_put(worker *w, const footprint *f, uint32_t epoch);
void check_footprints_put(worker *w); // those of the running block that are not in the shadow yet
__attribute__((noinline)) int check_row_put(worker *w, const row *r);
int check_touch_rows(worker *w, bulk_worker *b, size_t bytes, int write, int wait, void *pc);
extern int check_bulk_off; // CUDA_CPU_BULK=0
unsigned long check_regions_plain(void);
void check_bulk_block_end(void);

static int only_counting(void) { return check_tools == TOOL_COUNTERS; }

// Before anything but a footprint looks at the shadow of shared memory, or changes it.
static inline void shared_touched(worker *w)
{
    if (unlikely(w->region.deferred))
        check_footprints_put(w);
    w->region.shared_epoch = w->epoch;
}

#endif
