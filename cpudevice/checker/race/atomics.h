/* atomics.h: atomics, volatile accesses and fences. */
#ifndef CHECKER_ATOMICS_H
#define CHECKER_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

void check_fence(int scope);

#endif
