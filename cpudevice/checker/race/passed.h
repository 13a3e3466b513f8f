/* passed.h: data that one block passes to another by volatile accesses alone. */
#ifndef CHECKER_PASSED_H
#define CHECKER_PASSED_H

#include <stdint.h>

#include "core/worker.h"

/* The running thread is about to read a word by a volatile access: is it data that nothing promises it? */
void check_passed_by_volatile(worker *w, uintptr_t a, unsigned bytes, void *pc);

#endif
