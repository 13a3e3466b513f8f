/* cpudev_must.h: memory that the runtime, the checker, the viewer and the libraries cannot do without. */
#ifndef CPUDEV_MUST_H
#define CPUDEV_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* p as malloc and its like return it. Where that is NULL the program ends, as there is nobody to return an error to. */
static inline __attribute__((returns_nonnull)) void *must(void *p)
{
    if (__builtin_expect(!p, 0)) {
        fputs("CPU device: out of memory\n", stderr);
        abort();
    }
    return p;
}

#endif
