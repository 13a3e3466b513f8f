/* counters_told.h: one instruction of a warp, as the counters tell it to the model of a launch's time. */
#ifndef CHECKER_COUNTERS_TOLD_H
#define CHECKER_COUNTERS_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "counters/counters_sums.h"

typedef struct told_instruction {
    uintptr_t base;
    const int32_t *off; /* lane l accesses base + off[l] */
    uint32_t active;    /* lanes */
    uint32_t warp;
    uint32_t step; /* of the block since the last barrier: instructions of one step wait for none of each other */
    unsigned bytes;
    int kind, shared;
    uint32_t
        ordered; /* a copy by cp.async, which is told where it is waited for: 1 + how many barriers the block had passed
                         when it was ordered (or passed then); 0: no such copy */
    bool stores_between; /* some place that is passed as often as the loads stores: the compiler keeps their order */
    sums counted;
} told_instruction;

#endif
