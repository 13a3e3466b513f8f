/* pageable.h: kernels on the host's own memory. */
#ifndef CHECKER_PAGEABLE_H
#define CHECKER_PAGEABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/worker.h"

/* A kernel's access to what is neither the device's nor registered: true if CUDA_CPU_PAGEABLE allows it, or if what is
 * wrong with it has been said. `follow`: it lies in an array that is followed from here on. */
bool check_pageable_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, bool *follow);

#endif
