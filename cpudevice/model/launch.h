/* launch.h: what the model keeps of a launch, and what it makes of it. */
#ifndef MODEL_LAUNCH_H
#define MODEL_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "chip.h"
#include "flags.h"

enum { LANES = 32 }; /* of a warp */

/* What is summed over the blocks of a launch. Instructions are warps'. */
typedef struct tally {
    uint64_t blocks;
    double memory, shared, barriers, meetings; /* instructions, of each kind */
    double computing;                          /* all others: the lanes' together, over 32; 0: none was counted */
    double alu, fma, imad, xu;                 /* of all lanes: what each pipe executes (include/cpudev_pipes.h) */
    double loads;                              /* of memory and shared: those that load */
    double doubles, conversions;               /* of all lanes, in double: as multiply-adds; from and to it */
    double l1_passes, ideal_passes;            /* of the data path of L1, 128 bytes each; and without waste */
    double shared_passes, conflicts;
    double l2_sectors, l2_ideal;         /* that reach L2; and as many as whole sectors would be */
    double whole_writes, partial_writes; /* of those, sectors of stores: written whole by the instruction, or in part */
    double dram_reads, dram_writes;      /* sectors, L2 empty at first */
    double atomics;                      /* passes: a sector's words are added to at once, a word's lanes one by one */
    double tensor;                       /* multiply-adds */
    double chain;                        /* cycles that the slowest warp of each block waits for values */
    double load_cycles;                  /* of that, one trip to the memory */
} tally;

typedef struct model_launch {
    char kernel[192];
    uint32_t grid[3], block[3], threads;
    unsigned registers; /* of a thread */
    double shared_bytes;
    tally sum;
    uint32_t *hot; /* passes of atomics by unit of L2 */
    double hottest;
    uint64_t footprint;                       /* distinct sectors */
    bool nested, library, cooperative, waits; /* waits: blocks for each other, or for the host */
    bool waited;                              /* the host has waited for the launch before it */
    bool assumed;                             /* nobody says how many registers */
    flags flags;
    struct model_launch *next;
} model_launch;

enum { PART_DRAM, PART_L2, PART_L1, PART_ISSUE, PART_MATH, PART_LATENCY, PART_LAUNCH, PARTS };
extern const char *const model_part_names[PARTS];

typedef struct estimate {
    double part[PARTS]; /* microseconds, each as if it were alone */
    double cold_us, warm_us;
    int limiter;
    unsigned resident; /* blocks of a multiprocessor */
    double occupancy_pct;
    double host_us;                                     /* of cold_us and warm_us, what the host's wait costs */
    double coalesced_us, unconflicted_us, in_flight_us; /* cold, if that were mended */
} estimate;

/* How many blocks of a multiprocessor are resident; 0: none fits. */
unsigned model_resident(const chip *c, unsigned threads, double shared_bytes, unsigned registers);
estimate model_estimate(const chip *c, const model_launch *l);

#endif
