/* bulk_reduce.h: cp.reduce.async.bulk: memory[i] = op(memory[i], source[i]), each element atomic by itself. */
#ifndef BULK_REDUCE_H
#define BULK_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

/* `op` is a CPUDEV_BULK_..., `type` a TYPE_... (tensor_map.h). Nothing, and false, for an op that the type has not. */
bool bulk_reduces(int op, int type);
void bulk_reduce(void *to, const void *from, size_t elements, int op, int type);

#endif
