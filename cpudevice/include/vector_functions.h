/* vector_functions.h: make_char1() ... make_double4(), for C and C++. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#if defined(__cplusplus) && __cplusplus >= 201402L
#define CPUDEV_MAKE static inline constexpr
#else
#define CPUDEV_MAKE static inline __attribute__((unused))
#endif

#define CPUDEV_MAKERS(base, type)                                                                                      \
    CPUDEV_MAKE base##1 make_##base##1(type x)                                                                         \
    {                                                                                                                  \
        base##1 v = {x};                                                                                               \
        return v;                                                                                                      \
    }                                                                                                                  \
    CPUDEV_MAKE base##2 make_##base##2(type x, type y)                                                                 \
    {                                                                                                                  \
        base##2 v = {x, y};                                                                                            \
        return v;                                                                                                      \
    }                                                                                                                  \
    CPUDEV_MAKE base##3 make_##base##3(type x, type y, type z)                                                         \
    {                                                                                                                  \
        base##3 v = {x, y, z};                                                                                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    CPUDEV_MAKE base##4 make_##base##4(type x, type y, type z, type w)                                                 \
    {                                                                                                                  \
        base##4 v = {x, y, z, w};                                                                                      \
        return v;                                                                                                      \
    }
#define CPUDEV_MAKERS_ALIGNED(base, type)                                                                              \
    CPUDEV_MAKE base##4_16a make_##base##4_16a(type x, type y, type z, type w)                                         \
    {                                                                                                                  \
        base##4_16a v = {x, y, z, w};                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    CPUDEV_MAKE base##4_32a make_##base##4_32a(type x, type y, type z, type w)                                         \
    {                                                                                                                  \
        base##4_32a v = {x, y, z, w};                                                                                  \
        return v;                                                                                                      \
    }

CPUDEV_MAKERS(char, signed char)
CPUDEV_MAKERS(uchar, unsigned char)
CPUDEV_MAKERS(short, short)
CPUDEV_MAKERS(ushort, unsigned short)
CPUDEV_MAKERS(int, int)
CPUDEV_MAKERS(uint, unsigned int)
CPUDEV_MAKERS(long, long int)
CPUDEV_MAKERS(ulong, unsigned long int)
CPUDEV_MAKERS(longlong, long long int)
CPUDEV_MAKERS(ulonglong, unsigned long long int)
CPUDEV_MAKERS(float, float)
CPUDEV_MAKERS(double, double)

CPUDEV_MAKERS_ALIGNED(long, long int)
CPUDEV_MAKERS_ALIGNED(ulong, unsigned long int)
CPUDEV_MAKERS_ALIGNED(longlong, long long int)
CPUDEV_MAKERS_ALIGNED(ulonglong, unsigned long long int)
CPUDEV_MAKERS_ALIGNED(double, double)

#undef CPUDEV_MAKERS
#undef CPUDEV_MAKERS_ALIGNED

#endif
