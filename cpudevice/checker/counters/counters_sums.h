/* counters_sums.h: what is counted of accesses of one kind. */
#ifndef CHECKER_COUNTERS_SUMS_H
#define CHECKER_COUNTERS_SUMS_H

#include <stdint.h>

enum { KIND_LD, KIND_ST, KIND_ATOM, KIND_RED, KINDS }; /* RED: a global atomic whose result nobody uses */

typedef struct sums {                             // of one site or one launch, by kind of access
    uint64_t requests, sectors, ideal, lanes;     // global
    uint64_t instructions, wavefronts, conflicts; // shared
} sums;

static inline void check_sums_add(sums *a, const sums *b)
{
    a->requests += b->requests;
    a->sectors += b->sectors;
    a->ideal += b->ideal;
    a->lanes += b->lanes;
    a->instructions += b->instructions;
    a->wavefronts += b->wavefronts;
    a->conflicts += b->conflicts;
}

typedef struct unit_sums { // of a unit beside load and store
    uint64_t instructions; // of warps
    uint64_t amount;       // bytes, or multiply-adds
} unit_sums;

static inline void unit_sums_add(unit_sums *a, const unit_sums *b)
{
    a->instructions += b->instructions;
    a->amount += b->amount;
}

#endif
