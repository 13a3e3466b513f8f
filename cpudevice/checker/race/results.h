/* results.h: is the result of an atomic used? */
#ifndef CHECKER_RESULTS_H
#define CHECKER_RESULTS_H

#include <stdint.h>

/* Of the atomic whose callback returns to pc. Where nothing is known of it, its result is taken as used. */
int check_result_used(uintptr_t pc);
/* Does nvcc make a reduction of it, an instruction without a result? */
int check_is_reduction(uintptr_t pc);

#endif
