/* remote.h: an access to the shared memory of another block of the cluster. */
#ifndef CHECKER_REMOTE_H
#define CHECKER_REMOTE_H

#include <stdint.h>

#include "core/worker.h"

void check_remote_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);

#endif
