/* wgmma_tell.h: what observers hear of a product of a warpgroup: which registers and which shared memory it uses.
 *
 * Each warp reads its own 16 rows of A and all of B, when the last of its lanes has come to the instruction. */
#ifndef WGMMA_TELL_H
#define WGMMA_TELL_H

#include "async/async.h"
#include "async/wgmma_product.h"

/* The running thread's registers of D, `count` of them. */
void wgmma_tell_registers(async_op *op, const wgmma_lane *lane, unsigned count);
/* What the running thread's warp, of the warpgroup's four, reads. Returns NULL, or what is wrong with an operand. */
const char *wgmma_tell_operands(async_op *op, const wgmma_product *p, unsigned warp);

#endif
