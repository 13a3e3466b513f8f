/* running.h: which blocks run at this moment, on which OS threads. */
#ifndef CHECKER_RUNNING_H
#define CHECKER_RUNNING_H

#include "race/segment.h"
#include "core/worker.h"

void check_runs(worker *w);      /* w's block runs its own code from here on */
void check_stands(worker *w);    /* it waits for others: the stores before have been made */
void check_runs_not(worker *w);  /* it has ended */
void check_take_turn(worker *w); /* before an access that other blocks may wait for */

/* An access is reported before it is made. Returns once the stores that are on record for g's block have been made, or
 * never will be. */
void check_let_land(worker *w, const check_seg *g);

#endif
