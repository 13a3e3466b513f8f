/* clock.h: the clocks, and the numbers by which the system knows threads. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

uint64_t now_ns(void);    /* CLOCK_MONOTONIC */
uint64_t now_ticks(void); /* the clock of events: the processor's counter where it can be trusted, else now_ns() */
void find_clock(void);    /* decides which; once, before the first now_ticks() */
bool ticks_are_ns(void);
uint32_t os_thread_id(void); /* the kernel's number of this thread */

#endif
