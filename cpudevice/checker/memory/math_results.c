/* math_results.c: functions of the math library that write results through pointers. A file that is compiled with --check
 * calls these instead (cpudev_check_pre.h). */
#define _GNU_SOURCE
#include <math.h>

#include "core/access.h"
#include "core/worker.h"

#define RESULT(p) check_access((uintptr_t)(p), sizeof *(p), A_WRITE, CALLER)

#define ONE_RESULT(type, name, result)                                                                                 \
    type cpudev_check_##name(type x, result *p);                                                                       \
    type cpudev_check_##name(type x, result *p)                                                                        \
    {                                                                                                                  \
        RESULT(p);                                                                                                     \
        return name(x, p);                                                                                             \
    }

ONE_RESULT(double, frexp, int)
ONE_RESULT(float, frexpf, int)
ONE_RESULT(double, modf, double)
ONE_RESULT(float, modff, float)

#define QUOTIENT(type, name)                                                                                           \
    type cpudev_check_##name(type x, type y, int *quotient);                                                           \
    type cpudev_check_##name(type x, type y, int *quotient)                                                            \
    {                                                                                                                  \
        RESULT(quotient);                                                                                              \
        return name(x, y, quotient);                                                                                   \
    }

QUOTIENT(double, remquo)
QUOTIENT(float, remquof)

#define SINE_AND_COSINE(type, name)                                                                                    \
    void cpudev_check_##name(type x, type *sine, type *cosine);                                                        \
    void cpudev_check_##name(type x, type *sine, type *cosine)                                                         \
    {                                                                                                                  \
        RESULT(sine);                                                                                                  \
        RESULT(cosine);                                                                                                \
        name(x, sine, cosine);                                                                                         \
    }

SINE_AND_COSINE(double, sincos)
SINE_AND_COSINE(float, sincosf)
