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
    /* Of a copy by cp.async, which the observer hears of when the thread waits for it: 1 + the number of barriers that the
     * block had passed when the copy was issued, one more if the thread had loaded anything since the last barrier. 0:
     * another instruction. */
    uint32_t ordered;
    bool stores_between; /* some place that is passed as often as the loads stores: the compiler keeps their order */
    sums counted;
} told_instruction;

#endif
