/* cpudev_must.h: memory that the runtime, the checker, the viewer and the libraries cannot do without. */
#ifndef CPUDEV_MUST_H
#define CPUDEV_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* The program ends, as there is nobody to return an error to: by a status of the machine's, for its author is not to blame, and
 * without what else runs at its end, where what is missing would be reported as the program's. */
static inline __attribute__((noreturn, cold)) void out_of_memory(void)
{
    fputs("CPU device: out of memory\n", stderr);
    _Exit(2);
}

/* p as malloc and its like return it, which is not NULL. */
static inline __attribute__((returns_nonnull)) void *must(void *p)
{
    if (__builtin_expect(!p, 0))
        out_of_memory();
    return p;
}

#endif
