/* counters.h: what Nsight Compute counts, under its names: requests and sectors of global memory, wavefronts and bank
 * conflicts of shared memory, atomics, active lanes. */
#ifndef CHECKER_COUNTERS_H
#define CHECKER_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "counters/counters_sums.h"
#include "core/operation.h"

// What is counted from the first call (end = 0) to the second, of shared memory; and the same once more.
typedef struct counters_delta counters_delta;

void counters_access(uint32_t thread, uintptr_t a, unsigned bytes, int write, int atomic, int shared, void *pc);
// One instruction of each warp of the block: the lanes' addresses, 0 for none. It counts once counters_rows_done(1)
// says so.
void counters_row(const unsigned long *at, uint32_t threads, unsigned bytes, int write, void *pc);
void counters_rows_done(int keep);
// A unit beside load and store accesses global memory: for those who follow. Not counted.
void counters_unit_access(uint32_t thread, uintptr_t a, unsigned bytes, int write, void *pc);
int counters_record(counters_delta **out, int end);
void counters_replay(const counters_delta *d, int n);
void counters_block_begin(check_op *op, uint32_t threads);
void counters_barrier(void);
uint32_t counters_phase(void); // barriers that the block of this OS thread has passed; after its end too
void counters_block_end(void);
void counters_op_end(check_op *op);
void counters_at_exit(void);
extern __thread bool counters_followed; /* the block that this OS thread runs: its accesses are reported */
extern bool counters_silent;            // they are kept for somebody else: no table is printed

#endif
