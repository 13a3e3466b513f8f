/* order.h: the order in which the blocks of a launch, and the threads of a block, begin
 * (CUDA_CPU_ORDER=forward|reverse|random:SEED). */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>

extern bool order_is_forward; /* by rising numbers: order_number(p, n) is p */

void order_init(void); /* reads CUDA_CPU_ORDER; what is no order ends the process with status 2 */

/* The number, 0 .. count - 1, of the block, cluster or thread that is the `place`-th of `count` to begin: a
 * permutation. */
unsigned long long order_number(unsigned long long place, unsigned long long count);

#endif
