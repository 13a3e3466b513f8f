/* counters_units.h: what the units beside load and store do for blocks: bytes of the copy engine (TMA), multiply-adds of
 * the tensor cores. They are no requests of a warp to memory, and not counted as such. */
#ifndef CHECKER_COUNTERS_UNITS_H
#define CHECKER_COUNTERS_UNITS_H

#include <stdint.h>

#include "counters/counters_launches.h"

void counters_units_begin(void); // of the block that this OS thread runs
// A unit (CPUDEV_TMA_LOAD, ...) has been given an amount of work at a place in the code.
void counters_unit(int unit, const void *site, unsigned instructions, uint64_t amount);
void counters_units_end(launch *l); // the block's sums go to its launch, which is locked

#endif
