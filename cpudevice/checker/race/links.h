/* links.h: operations that have seen releases of others, which ran beside them. All under the lock of release.h. */
#ifndef CHECKER_LINKS_H
#define CHECKER_LINKS_H

#include <stdint.h>

#include "core/operation.h"
#include "race/clock.h"

extern int check_links; /* so many operations have, since all were over */

uint32_t check_chain_new(const check_op *op); /* the number of a chain (clock.h), of which all releases are op's */
uint32_t check_chain_op(uint32_t chain);      /* its operation; 0: long over */
/* A block of op ends, with this clock: what it has seen of other operations goes to those that come after its own. */
void check_links_end(check_op *op, check_clock *known);
/* What operations before this one had seen of others that ran beside them; NULL: nothing. */
check_clock *check_inherited(check_op *op);
void check_links_forget(void); /* no operation is left */

#endif
