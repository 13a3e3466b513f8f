/* looks.h: plain reads of words that others change atomically.
 *
 * By the model such a look is a race. One that begins a compare-and-swap loop is harmless, since the compare-and-swap
 * looks again, and is not reported. One before another atomic on the same word (if (*p < v) atomicMax(p, v)) is a
 * note. One that no atomic follows, or an exchange that throws away what others have put there, is a race like any
 * other. What follows a look is known when its kernel is over: until then the finding is held. A line may have been
 * compiled more than once. If no atomic follows one copy, as other threads had come first, those that look at the same
 * word in the same line tell what follows. */
#ifndef CHECKER_LOOKS_H
#define CHECKER_LOOKS_H

#include <stdint.h>

#include "report/findings.h"

enum { LOOK_CAS = 1, LOOK_ATOMIC = 2, LOOK_TRUSTED = 4 };

/* LOOK_...: what follows the look at pc, on the same word (at a) by the same thread */
void check_look_leads(void *pc, uintptr_t a, int to);
int check_look_of(void *pc); /* all of that so far */
void check_hold_look(const check_finding *f, void *pc, uintptr_t a);
void check_settle_looks(void);

#endif
