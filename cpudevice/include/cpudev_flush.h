/* cpudev_flush.h: the C library's functions of float in a file with -ftz=true. Many look at the bits of what they are given,
 * and so know a subnormal number from 0: they get and give it as cpudev_flushed() does. C++ only. */
#ifndef CPUDEV_FLUSH_H
#define CPUDEV_FLUSH_H

#ifndef CPUDEV_SIMD /* the library has them for vectors, too */
#define CPUDEV_SIMD
#endif
#define CPUDEV_NO_SIMD

/* The function under another name, and the head of the one that takes its place. */
#define CPUDEV_LIBRARY(vector, type, name, parameters)                                                                 \
    vector type cpudev_library_##name parameters noexcept __asm__(#name);                                              \
    extern inline __attribute__((gnu_inline, always_inline)) type name parameters noexcept
#define CPUDEV_FLUSH_1(vector, name)                                                                                   \
    CPUDEV_LIBRARY(vector __attribute__((const)), float, name, (float x))                                              \
    {                                                                                                                  \
        return cpudev_flushed(cpudev_library_##name(cpudev_flushed(x)));                                               \
    }
#define CPUDEV_FLUSH_2(vector, name)                                                                                   \
    CPUDEV_LIBRARY(vector __attribute__((const)), float, name, (float x, float y))                                     \
    {                                                                                                                  \
        return cpudev_flushed(cpudev_library_##name(cpudev_flushed(x), cpudev_flushed(y)));                            \
    }

extern "C" {
CPUDEV_FLUSH_1(CPUDEV_SIMD, expf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, exp2f)
CPUDEV_FLUSH_1(CPUDEV_SIMD, exp10f)
CPUDEV_FLUSH_1(CPUDEV_SIMD, expm1f)
CPUDEV_FLUSH_1(CPUDEV_SIMD, logf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, log2f)
CPUDEV_FLUSH_1(CPUDEV_SIMD, log10f)
CPUDEV_FLUSH_1(CPUDEV_SIMD, log1pf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, sinf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, cosf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, tanf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, asinf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, acosf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, atanf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, sinhf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, coshf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, tanhf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, asinhf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, acoshf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, atanhf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, erff)
CPUDEV_FLUSH_1(CPUDEV_SIMD, erfcf)
CPUDEV_FLUSH_1(CPUDEV_SIMD, cbrtf)
CPUDEV_FLUSH_2(CPUDEV_SIMD, powf)
CPUDEV_FLUSH_2(CPUDEV_SIMD, atan2f)
CPUDEV_FLUSH_2(CPUDEV_SIMD, hypotf)
CPUDEV_FLUSH_1(CPUDEV_NO_SIMD, logbf)
CPUDEV_FLUSH_2(CPUDEV_NO_SIMD, fmodf)
CPUDEV_FLUSH_2(CPUDEV_NO_SIMD, remainderf)
CPUDEV_LIBRARY(CPUDEV_NO_SIMD, float, nextafterf, (float x, float y))
{
    const float from = cpudev_flushed(x), to = cpudev_flushed(y);
    const volatile float subnormal = 1e-40f;
    /* next to 0 is the smallest normal number, where the processor flushes */
    return from == 0.0f && (to < 0.0f || to > 0.0f) && subnormal == 0.0f
               ? __builtin_copysignf(1.17549435e-38f, to)
               : cpudev_flushed(cpudev_library_nextafterf(from, to));
}
CPUDEV_LIBRARY(CPUDEV_NO_SIMD, int, ilogbf, (float x)) { return cpudev_library_ilogbf(cpudev_flushed(x)); }
CPUDEV_LIBRARY(CPUDEV_NO_SIMD, float, frexpf, (float x, int *e)) { return cpudev_library_frexpf(cpudev_flushed(x), e); }
CPUDEV_LIBRARY(CPUDEV_NO_SIMD, float, modff, (float x, float *whole))
{
    return cpudev_library_modff(cpudev_flushed(x), whole);
}
}
#undef CPUDEV_FLUSH_1
#undef CPUDEV_FLUSH_2
#undef CPUDEV_LIBRARY
#undef CPUDEV_NO_SIMD

#endif
