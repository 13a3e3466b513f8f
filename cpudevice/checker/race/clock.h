/* clock.h: what a thread knows of the releases of a kernel, as a vector clock over release sequences.
 *
 * A release sequence (here: a chain) is a strong write that publishes and the read-modify-writes that follow it on the
 * same word. Its releases have numbers from 1. A clock says for each chain up to which of them its owner has seen; one
 * that is not named has not been seen at all. Clocks never change once they are made, and are shared by counting
 * references. All functions are called with the operation's lock held. */
#ifndef CHECKER_CLOCK_H
#define CHECKER_CLOCK_H

#include <stdint.h>

typedef struct check_clock {
    uint32_t references, count;
    struct check_seen_of {
        uint32_t chain, number;
    } of[]; /* by chain */
} check_clock;

/* NULL is the clock of who has seen nothing. */
check_clock *check_clock_keep(check_clock *c);
void check_clock_drop(check_clock *c);
check_clock *check_clock_join(check_clock *a, check_clock *b);
check_clock *check_clock_with(check_clock *c, uint32_t chain, uint32_t number);
uint32_t check_clock_of(const check_clock *c, uint32_t chain);

static inline void check_clock_put(check_clock **to, check_clock *c) /* takes the reference over */
{
    check_clock_drop(*to);
    *to = c;
}

static inline void check_clock_add(check_clock **to, check_clock *c) { check_clock_put(to, check_clock_join(*to, c)); }

#endif
