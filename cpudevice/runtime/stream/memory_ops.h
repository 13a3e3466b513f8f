/* memory_ops.h: a stream writes a value into memory, or waits until memory holds one.
 *
 * The value may be written by the host or by a kernel that runs, of which nobody tells: a thread of its own looks, as
 * long as a stream waits. It does the writes, too, so that a kernel that waits for one needs no second worker. */
#ifndef MEMORY_OPS_H
#define MEMORY_OPS_H

#include <stdbool.h>

#include "stream/command.h"

/* Before the first C_WRITE_VALUE or C_WAIT_VALUE is queued, and again before others. False: no thread could be started. */
bool memory_ops_ready(void);
/* With the scheduler's lock: all that c waited for has happened. Called by way of hooks.h. */
void memory_op_begin(command *c);

#endif
