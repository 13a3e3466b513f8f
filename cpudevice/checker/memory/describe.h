/* describe.h: an address in words. */
#ifndef CHECKER_DESCRIBE_H
#define CHECKER_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#include "memory/kernel_memory.h"
#include "core/worker.h"

/* Of shared memory: the name of the array that a lies in, and in `out` that and its size; *base is where it begins. */
const char *check_shared_name(worker *w, uintptr_t a, char *out, size_t bytes, uintptr_t *base);
/* As check_describe_alloc(), as the running kernel knows it; pc is the access. */
void check_describe_memory(const worker *w, const check_alloc *al, void *pc, char *out, size_t bytes);
/* In `object` the array that a lies in, in `where` the place in it. */
void check_describe_address(worker *w, uintptr_t a, int shared, void *pc, char *object, size_t bytes, char *where,
                            size_t where_bytes);

#endif
