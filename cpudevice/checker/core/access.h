/* access.h: the way of one access through the checker. */
#ifndef CHECKER_ACCESS_H
#define CHECKER_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

__attribute__((noinline)) void check_access(uintptr_t a, unsigned bytes, int flags, void *pc);
void check_touch_at(const void *p, size_t bytes, void *pc); // a read by the running thread

#endif
