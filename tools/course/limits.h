/* limits.h: technique, graded by counters. An exercise's text may state limits, one a line:
 *
 *      * Limits at 130x70:
 *      *   sectors / possible sectors of global stores <= 1.25
 *      *   bank conflicts <= 0
 *      *   shared loads >= 1
 *
 * The shape is the one that is counted (the tests' where none is named). `NAME of KIND` is per source line, the worst
 * one; a name alone is the sum over all launches. Names: global loads, global stores, global atomics, shared loads,
 * shared stores, shared atomics (requests of a warp; where no limit names atomics, "at most" so many loads or stores are
 * with atomics), bank conflicts, barriers (of a warp), launches, blocks, bytes of
 * shared memory (static and dynamic, of one block of each launch), sectors / possible sectors of global loads or stores
 * (how many times as many sectors a request touches as its bytes fill: 1 is ideal, however wide the access), sectors of
 * global loads, stores or atomics (the sum), lanes per request of any of the six kinds, calls of FUNCTION (of the runtime
 * by the host; a * in FUNCTION stands for any letters), double promotions (what the compiler says of the file), memory
 * turns (one per request to shared memory and per bank conflict, and one per 4 sectors of a request to global memory, at
 * least one: cycles that a multiprocessor's memory pipe is busy). A project's limits have headings (stages.h). */
#ifndef LIMITS_H
#define LIMITS_H

#include "course.h"

/* Holds the counted figures (the CPU device's two files, see cpudevice/README.md) and the compiler's words against the
 * limits. Returns NULL if all hold, else what does not, in words, a line each. An unreadable limit is reported too.
 */
char *limits_missed(const char *limits, const char *launches_csv, const char *lines_csv, const char *compiler_said,
                    const char *file);

/* The memory turns alone: a project's score. */
double limits_turns(const char *lines_csv);

/* The same limits for another shape: each grows as the solution's own figure does from the limits' shape (`here`) to the
 * other (`there`), and is half as large again, since another right way does not grow by quite as much. A limit of 0 or 1
 * stays, unless the solution needs more there. The arrays are the two files of a run, launches and lines. */
char *limits_elsewhere(const char *limits, char *const here[2], char *const there[2]);

/* The same limits, each tightened by that share of its value: what a solution must keep so as not to be at its limit.
 * A limit of 0 or 1 of a thing is what the exercise demands, and stays as it is. */
char *limits_tightened(const char *limits, double share);

/* Why neither limits nor recorded counts say anything of the compiler in use; NULL if they do. */
const char *limits_not_judged(void);

#endif
