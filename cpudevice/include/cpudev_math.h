/*
 * cpudev_math.h: CUDA's device functions of one thread (mathematics, conversions, integers, SIMD in a word, cached
 * loads and stores, clocks) for the CPU device. C++ only. What the C library has under CUDA's name comes from there.
 *
 * The fast intrinsics (__expf, __sinf, __fdividef ...) are as exact as the library's functions: a GPU's are less so,
 * within the errors CUDA documents. Functions with a rounding mode in their name round exactly once, in that mode.
 * Conversions to integers saturate, as on a GPU; a C cast does not, in C. A NaN becomes 0 from float to 32 bits, else
 * the integer's highest bit alone.
 */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef CPUDEV_MATH_H
#define CPUDEV_MATH_H

#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpudev_abi.h"
#include "cpudev_smallfloat.h"
#include "vector_functions.h"

/* cucc reads __device__ to learn which functions neither synchronize nor block; nobody else knows the word. Under --check
 * they are inlined in any case, as code without callbacks (cpudev_device.h) takes in nothing else. */
#ifdef __CUCC_CHECK__
#define CPUDEV_FN __device__ static inline __attribute__((unused, always_inline))
#elif defined(__CUDACC__)
#define CPUDEV_FN __device__ static inline __attribute__((unused))
#else
#define CPUDEV_FN static inline __attribute__((unused))
#endif

/*
 * A function that CUDA declares as C's. Any C library may come to declare it as well (glibc 2.41: sinpi, cospi; 2.42:
 * rsqrt), so it is one that a library's declaration agrees with: C linkage, noexcept. It is always inlined; a symbol of
 * its name is emitted only where its address is taken.
 */
#ifdef __CUDACC__
#define CPUDEV_C_FN(declaration) extern "C" __device__ inline __attribute__((unused, always_inline)) declaration noexcept
#else
#define CPUDEV_C_FN(declaration) extern "C" inline __attribute__((unused, always_inline)) declaration noexcept
#endif

/*
 * glibc has vector versions of these in libmvec (within 4 ulp), but offers them only under -ffast-math, which would
 * change other results too. Declared here, gcc may call them where it vectorises a loop over threads.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(CPUDEV_NO_MVEC)
#if __GLIBC_PREREQ(2, 35)
#define CPUDEV_SIMD __attribute__((simd("notinbranch")))
#define CPUDEV_SIMD_1(name)                          \
    CPUDEV_SIMD double name(double) noexcept;        \
    CPUDEV_SIMD float name##f(float) noexcept;
#define CPUDEV_SIMD_2(name)                          \
    CPUDEV_SIMD double name(double, double) noexcept; \
    CPUDEV_SIMD float name##f(float, float) noexcept;
extern "C" {
CPUDEV_SIMD_1(exp)
CPUDEV_SIMD_1(exp2)
CPUDEV_SIMD_1(exp10)
CPUDEV_SIMD_1(expm1)
CPUDEV_SIMD_1(log)
CPUDEV_SIMD_1(log2)
CPUDEV_SIMD_1(log10)
CPUDEV_SIMD_1(log1p)
CPUDEV_SIMD_1(sin)
CPUDEV_SIMD_1(cos)
CPUDEV_SIMD_1(tan)
CPUDEV_SIMD_1(asin)
CPUDEV_SIMD_1(acos)
CPUDEV_SIMD_1(atan)
CPUDEV_SIMD_1(sinh)
CPUDEV_SIMD_1(cosh)
CPUDEV_SIMD_1(tanh)
CPUDEV_SIMD_1(asinh)
CPUDEV_SIMD_1(acosh)
CPUDEV_SIMD_1(atanh)
CPUDEV_SIMD_1(erf)
CPUDEV_SIMD_1(erfc)
CPUDEV_SIMD_1(cbrt)
CPUDEV_SIMD_2(pow)
CPUDEV_SIMD_2(atan2)
CPUDEV_SIMD_2(hypot)
}
#undef CPUDEV_SIMD_1
#undef CPUDEV_SIMD_2
#endif
#endif
#if CPUDEV_FLUSHES && defined(__CUDACC__)
#include "cpudev_flush.h"
#endif
#undef CPUDEV_SIMD

/*
 * fminf() and its like as a GPU has them: of a number and any NaN the number (C's library lets a signalling NaN
 * through), and -0 below +0.
 */
#ifdef __CUDACC__
#define CPUDEV_LESSER(name, type, flushed, bits, utype, value, than, zeros)                                             \
    extern inline __attribute__((gnu_inline, always_inline)) type name(type a, type b) noexcept                 \
    {                                                                                                           \
        a = flushed(a);                                                                                         \
        b = flushed(b);                                                                                         \
        type equal = value((utype)(bits(a) zeros bits(b)));                                                     \
        return b != b ? a : a than b ? a : a == b ? equal : b;                                                  \
    }
extern "C" {
CPUDEV_LESSER(fminf, float, cpudev_flushed, cpudev_float_bits, uint32_t, cpudev_bits_float, <, |)
CPUDEV_LESSER(fmaxf, float, cpudev_flushed, cpudev_float_bits, uint32_t, cpudev_bits_float, >, &)
CPUDEV_LESSER(fmin, double, , cpudev_double_bits, uint64_t, cpudev_bits_double, <, |)
CPUDEV_LESSER(fmax, double, , cpudev_double_bits, uint64_t, cpudev_bits_double, >, &)
}
#undef CPUDEV_LESSER
#endif

/* min and max over every pair of arithmetic types, as CUDA declares them. */
#define CPUDEV_MINMAX(result, ta, tb)                                                    \
    CPUDEV_FN result min(ta a, tb b) { return (result)a < (result)b ? (result)a : (result)b; } \
    CPUDEV_FN result max(ta a, tb b) { return (result)a > (result)b ? (result)a : (result)b; }
CPUDEV_MINMAX(int, int, int)
CPUDEV_MINMAX(unsigned int, unsigned int, unsigned int)
CPUDEV_MINMAX(unsigned int, int, unsigned int)
CPUDEV_MINMAX(unsigned int, unsigned int, int)
CPUDEV_MINMAX(long, long, long)
CPUDEV_MINMAX(unsigned long, unsigned long, unsigned long)
CPUDEV_MINMAX(unsigned long, long, unsigned long)
CPUDEV_MINMAX(unsigned long, unsigned long, long)
CPUDEV_MINMAX(long long, long long, long long)
CPUDEV_MINMAX(unsigned long long, unsigned long long, unsigned long long)
CPUDEV_MINMAX(unsigned long long, long long, unsigned long long)
CPUDEV_MINMAX(unsigned long long, unsigned long long, long long)
#undef CPUDEV_MINMAX
CPUDEV_FN float min(float a, float b) { return fminf(a, b); }
CPUDEV_FN float max(float a, float b) { return fmaxf(a, b); }
CPUDEV_FN double min(double a, double b) { return fmin(a, b); }
CPUDEV_FN double max(double a, double b) { return fmax(a, b); }
CPUDEV_FN double min(float a, double b) { return fmin((double)a, b); }
CPUDEV_FN double min(double a, float b) { return fmin(a, (double)b); }
CPUDEV_FN double max(float a, double b) { return fmax((double)a, b); }
CPUDEV_FN double max(double a, float b) { return fmax(a, (double)b); }
CPUDEV_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
CPUDEV_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
CPUDEV_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
CPUDEV_FN long long llmax(long long a, long long b) { return a > b ? a : b; }
CPUDEV_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
CPUDEV_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

/* Mathematics that the C library lacks. */
CPUDEV_C_FN(float rsqrtf(float x)) { return 1.0f / __builtin_sqrtf(x); }
CPUDEV_C_FN(double rsqrt(double x)) { return 1.0 / __builtin_sqrt(x); }
CPUDEV_FN float rsqrt(float x) { return rsqrtf(x); }
CPUDEV_C_FN(double rcbrt(double x)) { return 1.0 / cbrt(x); }
CPUDEV_C_FN(float rcbrtf(float x)) { return (float)rcbrt((double)x); }
CPUDEV_C_FN(float fdividef(float a, float b)) { return a / b; }
CPUDEV_C_FN(double fdivide(double a, double b)) { return a / b; }
CPUDEV_C_FN(double rhypot(double a, double b)) { return 1.0 / hypot(a, b); }
CPUDEV_C_FN(float rhypotf(float a, float b)) { return (float)rhypot((double)a, (double)b); }
CPUDEV_C_FN(double norm3d(double a, double b, double c)) { return hypot(hypot(a, b), c); }
CPUDEV_C_FN(float norm3df(float a, float b, float c)) { return (float)norm3d(a, b, c); }
CPUDEV_C_FN(double rnorm3d(double a, double b, double c)) { return 1.0 / norm3d(a, b, c); }
CPUDEV_C_FN(float rnorm3df(float a, float b, float c)) { return (float)rnorm3d(a, b, c); }
CPUDEV_C_FN(double norm4d(double a, double b, double c, double d)) { return hypot(hypot(a, b), hypot(c, d)); }
CPUDEV_C_FN(float norm4df(float a, float b, float c, float d)) { return (float)norm4d(a, b, c, d); }
CPUDEV_C_FN(double rnorm4d(double a, double b, double c, double d)) { return 1.0 / norm4d(a, b, c, d); }
CPUDEV_C_FN(float rnorm4df(float a, float b, float c, float d)) { return (float)rnorm4d(a, b, c, d); }
CPUDEV_C_FN(double norm(int n, const double *p))
{
    double r = 0;
    for (int i = 0; i < n; i++)
        r = hypot(r, p[i]);
    return r;
}
CPUDEV_C_FN(float normf(int n, const float *p))
{
    double r = 0;
    for (int i = 0; i < n; i++)
        r = hypot(r, (double)p[i]);
    return (float)r;
}
CPUDEV_C_FN(double rnorm(int n, const double *p)) { return 1.0 / norm(n, p); }
CPUDEV_C_FN(float rnormf(int n, const float *p)) { return 1.0f / normf(n, p); }

/* sin and cos of pi x: the argument is reduced to a quarter turn exactly, then scaled. */
CPUDEV_C_FN(void sincospi(double x, double *sine, double *cosine))
{
    double quarters = rint(2.0 * x), angle = (x - 0.5 * quarters) * 3.14159265358979323846;
    double s = sin(angle), c = cos(angle);
    switch ((int)(quarters - 4.0 * floor(0.25 * quarters))) {
    case 0: *sine = s; *cosine = c; break;
    case 1: *sine = c; *cosine = -s; break;
    case 2: *sine = -s; *cosine = -c; break;
    default: *sine = -c; *cosine = s; break;
    }
}
CPUDEV_C_FN(double sinpi(double x)) { double s, c; sincospi(x, &s, &c); return s; }
CPUDEV_C_FN(double cospi(double x)) { double s, c; sincospi(x, &s, &c); return c; }
CPUDEV_C_FN(float sinpif(float x)) { return (float)sinpi((double)x); }
CPUDEV_C_FN(float cospif(float x)) { return (float)cospi((double)x); }
CPUDEV_C_FN(void sincospif(float x, float *sine, float *cosine))
{
    double s, c;
    sincospi((double)x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}

/* The inverse error functions, by Newton's method on erfc, whose tail keeps its relative precision. */
inline double cpudev_erfcinv(double x)
{
    const double slope = 1.12837916709551257390; /* 2 / sqrt(pi) */
    if (!(x >= 0.0 && x <= 2.0))
        return NAN;
    if (x == 0.0 || x == 2.0)
        return x == 0.0 ? INFINITY : -INFINITY;
    if (x > 1.0)
        return -cpudev_erfcinv(2.0 - x);
    double l = -log(x), y = l > 1.0 ? sqrt(l - 0.5 * log(l) - 0.5) : (1.0 - x) / slope;
    for (int i = 0; i < 60; i++) {
        double tail = erfc(y), step = tail / slope * exp(y * y) * log(tail / x);
        y += step;
        if (!(fabs(step) > 1e-17 * fabs(y)))
            break;
    }
    return y;
}
inline double cpudev_erfinv(double x)
{
    if (fabs(x) > 0.5)
        return x < 0 ? -cpudev_erfcinv(1.0 + x) : cpudev_erfcinv(1.0 - x);
    double y = x / 1.12837916709551257390;
    for (int i = 0; i < 60; i++) {
        double step = (x - erf(y)) / 1.12837916709551257390 * exp(y * y);
        y += step;
        if (!(fabs(step) > 1e-17 * fabs(y)))
            break;
    }
    return y;
}
/* exp(x^2) erfc(x); its continued fraction where erfc() nears the end of its range. */
inline double cpudev_erfcx(double x)
{
    if (x < 10.0)
        return (double)(expl((long double)x * x) * erfcl((long double)x));
    double f = x;
    for (int k = 60; k > 0; k--)
        f = x + 0.5 * k / f;
    return 0.56418958354775628695 / f;
}
CPUDEV_C_FN(double erfinv(double x)) { return cpudev_erfinv(x); }
CPUDEV_C_FN(double erfcinv(double x)) { return cpudev_erfcinv(x); }
CPUDEV_C_FN(double erfcx(double x)) { return cpudev_erfcx(x); }
CPUDEV_C_FN(float erfinvf(float x)) { return (float)erfinv((double)x); }
CPUDEV_C_FN(float erfcinvf(float x)) { return (float)erfcinv((double)x); }
CPUDEV_C_FN(float erfcxf(float x)) { return (float)erfcx((double)x); }
CPUDEV_C_FN(double normcdf(double x)) { return 0.5 * erfc(-0.70710678118654752440 * x); }
CPUDEV_C_FN(float normcdff(float x)) { return (float)normcdf((double)x); }
CPUDEV_C_FN(double normcdfinv(double x)) { return -1.41421356237309504880 * erfcinv(2.0 * x); }
CPUDEV_C_FN(float normcdfinvf(float x)) { return (float)normcdfinv((double)x); }

/* Modified Bessel functions of order 0 and 1: the series, whose terms are all positive. */
inline double cpudev_bessel_i(int order, double x)
{
    double term = order ? 0.5 * x : 1.0, sum = term;
    for (int k = 1; k < 1000 && fabs(term) > 1e-17 * fabs(sum); k++) {
        term *= 0.25 * x * x / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}
CPUDEV_C_FN(double cyl_bessel_i0(double x)) { return cpudev_bessel_i(0, x); }
CPUDEV_C_FN(double cyl_bessel_i1(double x)) { return cpudev_bessel_i(1, x); }
CPUDEV_C_FN(float cyl_bessel_i0f(float x)) { return (float)cyl_bessel_i0((double)x); }
CPUDEV_C_FN(float cyl_bessel_i1f(float x)) { return (float)cyl_bessel_i1((double)x); }

/* The functions of floats under the names of those of doubles, as CUDA has them in C++. */
#define CPUDEV_FLOAT(name) CPUDEV_FN float name(float x) { return name##f(x); }
CPUDEV_FLOAT(exp10) CPUDEV_FLOAT(rcbrt) CPUDEV_FLOAT(sinpi) CPUDEV_FLOAT(cospi)
CPUDEV_FLOAT(j0) CPUDEV_FLOAT(j1) CPUDEV_FLOAT(y0) CPUDEV_FLOAT(y1)
CPUDEV_FLOAT(erfinv) CPUDEV_FLOAT(erfcinv) CPUDEV_FLOAT(erfcx) CPUDEV_FLOAT(normcdf) CPUDEV_FLOAT(normcdfinv)
#undef CPUDEV_FLOAT
CPUDEV_FN float jn(int n, float x) { return jnf(n, x); }
CPUDEV_FN float yn(int n, float x) { return ynf(n, x); }
CPUDEV_FN void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
CPUDEV_FN void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }

/* Fast intrinsics. glibc declares these names for itself, so they must be functions of C; always inlined, never linked. */
extern "C" {
#define CPUDEV_FAST extern inline __attribute__((gnu_inline, always_inline))
CPUDEV_FAST float __expf(float x) noexcept { return expf(x); }
CPUDEV_FAST float __exp10f(float x) noexcept { return exp10f(x); }
CPUDEV_FAST float __logf(float x) noexcept { return logf(x); }
CPUDEV_FAST float __log2f(float x) noexcept { return log2f(x); }
CPUDEV_FAST float __log10f(float x) noexcept { return log10f(x); }
CPUDEV_FAST float __sinf(float x) noexcept { return sinf(x); }
CPUDEV_FAST float __cosf(float x) noexcept { return cosf(x); }
CPUDEV_FAST float __tanf(float x) noexcept { return tanf(x); }
CPUDEV_FAST float __tanhf(float x) noexcept { return tanhf(x); }
CPUDEV_FAST void __sincosf(float x, float *sine, float *cosine) noexcept { *sine = sinf(x); *cosine = cosf(x); }
CPUDEV_FAST float __powf(float x, float y) noexcept { return exp2f(y * log2f(x)); } /* as CUDA defines it: a NaN for x < 0 */
} /* extern "C" */
CPUDEV_FN float __fdividef(float a, float b)
{
    float magnitude = fabsf(b);
    return magnitude > 8.5070592e37f && magnitude <= __FLT_MAX__ ? a * 0.0f : a / b; /* documented: 0 for a huge divisor */
}
CPUDEV_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

/* Bits. */
CPUDEV_FN int __float_as_int(float x) { return (int)cpudev_float_bits(x); }
CPUDEV_FN unsigned __float_as_uint(float x) { return cpudev_float_bits(x); }
CPUDEV_FN float __int_as_float(int x) { return cpudev_bits_float((unsigned)x); }
CPUDEV_FN float __uint_as_float(unsigned x) { return cpudev_bits_float(x); }
CPUDEV_FN long long __double_as_longlong(double x) { return (long long)cpudev_double_bits(x); }
CPUDEV_FN double __longlong_as_double(long long x) { return cpudev_bits_double((uint64_t)x); }
CPUDEV_FN int __double2hiint(double x) { return (int)(cpudev_double_bits(x) >> 32); }
CPUDEV_FN int __double2loint(double x) { return (int)cpudev_double_bits(x); }
CPUDEV_FN double __hiloint2double(int hi, int lo)
{
    return cpudev_bits_double((uint64_t)(unsigned)hi << 32 | (unsigned)lo);
}

/*
 * Single precision, one rounding in a given mode. The exact result is first rounded to odd in double, which rounds
 * correctly in a second step: a double has more than two bits more than a float.
 */
CPUDEV_FN float cpudev_to_float(double x, int mode)
{
    return cpudev_flushed(cpudev_bits_float(cpudev_double_to_small(x, 23, 8, mode)));
}
CPUDEV_FN double cpudev_to_odd(double x, double error) /* x is nearest to x + error */
{
    uint64_t u = cpudev_double_bits(x);
    if (!(error > 0 || error < 0) || u & 1 || !(fabs(x) <= 1.7976931348623157e308))
        return x;
    return cpudev_bits_double(u + ((error > 0) == (x > 0) ? 1 : (uint64_t)-1));
}
CPUDEV_FN float cpudev_fadd(float a, float b, int mode)
{
    double s = (double)a + b, t = s - a;
    s = cpudev_to_odd(s, (a - (s - t)) + (b - t));
    return s == 0 && mode == CPUDEV_RD && !(a == 0 && b == 0 && !signbit(a) && !signbit(b)) ? -0.0f : cpudev_to_float(s, mode);
}
CPUDEV_FN float cpudev_fmul(float a, float b, int mode) { return cpudev_to_float((double)a * b, mode); }
CPUDEV_FN float cpudev_ffma(float a, float b, float c, int mode)
{
    double exact = cpudev_fma_to_odd(a, b, c), product = (double)a * b;
    if (exact == 0 && mode == CPUDEV_RD && signbit(product) != signbit(c))
        return -0.0f; /* x - x, rounded down */
    return cpudev_to_float(exact, mode);
}
CPUDEV_FN float cpudev_fdiv(float a, float b, int mode)
{
    double q = (double)a / b, r = __builtin_fma(-q, (double)b, (double)a);
    return cpudev_to_float(cpudev_to_odd(q, b < 0 ? -r : r), mode);
}
CPUDEV_FN float cpudev_fsqrt(float a, int mode)
{
    double q = __builtin_sqrt((double)a);
    return cpudev_to_float(cpudev_to_odd(q, __builtin_fma(-q, q, (double)a)), mode);
}
#define CPUDEV_SINGLE(suffix, mode)                                                                     \
    CPUDEV_FN float __fadd_##suffix(float a, float b) { return cpudev_fadd(a, b, mode); }               \
    CPUDEV_FN float __fsub_##suffix(float a, float b) { return cpudev_fadd(a, -b, mode); }              \
    CPUDEV_FN float __fmul_##suffix(float a, float b) { return cpudev_fmul(a, b, mode); }               \
    CPUDEV_FN float __fmaf_##suffix(float a, float b, float c) { return cpudev_ffma(a, b, c, mode); }   \
    CPUDEV_FN float __fmaf_ieee_##suffix(float a, float b, float c) { return cpudev_ffma(a, b, c, mode); } \
    CPUDEV_FN float __fdiv_##suffix(float a, float b) { return cpudev_fdiv(a, b, mode); }               \
    CPUDEV_FN float __frcp_##suffix(float a) { return cpudev_fdiv(1.0f, a, mode); }                     \
    CPUDEV_FN float __fsqrt_##suffix(float a) { return cpudev_fsqrt(a, mode); }
CPUDEV_SINGLE(rz, CPUDEV_RZ)
CPUDEV_SINGLE(ru, CPUDEV_RU)
CPUDEV_SINGLE(rd, CPUDEV_RD)
#undef CPUDEV_SINGLE
/* To nearest even is what the CPU does; the empty asm keeps the compiler from fusing the operation with its neighbour. */
CPUDEV_FN float cpudev_alone(float x) { __asm__("" : "+g"(x)); return x; }
CPUDEV_FN double cpudev_alone(double x) { __asm__("" : "+g"(x)); return x; }
CPUDEV_FN float __fadd_rn(float a, float b) { return cpudev_alone(a + b); }
CPUDEV_FN float __fsub_rn(float a, float b) { return cpudev_alone(a - b); }
CPUDEV_FN float __fmul_rn(float a, float b) { return cpudev_alone(a * b); }
CPUDEV_FN float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CPUDEV_FN float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CPUDEV_FN float __fdiv_rn(float a, float b) { return a / b; }
CPUDEV_FN float __frcp_rn(float a) { return 1.0f / a; }
CPUDEV_FN float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
CPUDEV_FN float __frsqrt_rn(float a) { return (float)(1.0 / __builtin_sqrt((double)a)); }

/* Double precision, by the CPU's own rounding modes. */
CPUDEV_FN double cpudev_hide(double x) { __asm__ volatile("" : "+g"(x)); return x; }
#define CPUDEV_IN_MODE(mode, expression)                                                                \
    int before = fegetround();                                                                          \
    fesetround(mode);                                                                                   \
    a = cpudev_hide(a);                                                                                 \
    double result = cpudev_hide(expression);                                                            \
    fesetround(before);                                                                                 \
    return result;
#define CPUDEV_DOUBLE(suffix, mode)                                                                     \
    CPUDEV_FN double __dadd_##suffix(double a, double b) { CPUDEV_IN_MODE(mode, a + b) }                \
    CPUDEV_FN double __dsub_##suffix(double a, double b) { CPUDEV_IN_MODE(mode, a - b) }                \
    CPUDEV_FN double __dmul_##suffix(double a, double b) { CPUDEV_IN_MODE(mode, a * b) }                \
    CPUDEV_FN double __fma_##suffix(double a, double b, double c) { CPUDEV_IN_MODE(mode, __builtin_fma(a, b, c)) } \
    CPUDEV_FN double __ddiv_##suffix(double a, double b) { CPUDEV_IN_MODE(mode, a / b) }                \
    CPUDEV_FN double __drcp_##suffix(double a) { CPUDEV_IN_MODE(mode, 1.0 / a) }                        \
    CPUDEV_FN double __dsqrt_##suffix(double a) { CPUDEV_IN_MODE(mode, __builtin_sqrt(a)) }
CPUDEV_DOUBLE(rz, FE_TOWARDZERO)
CPUDEV_DOUBLE(ru, FE_UPWARD)
CPUDEV_DOUBLE(rd, FE_DOWNWARD)
#undef CPUDEV_DOUBLE
#undef CPUDEV_IN_MODE
CPUDEV_FN double __dadd_rn(double a, double b) { return cpudev_alone(a + b); }
CPUDEV_FN double __dsub_rn(double a, double b) { return cpudev_alone(a - b); }
CPUDEV_FN double __dmul_rn(double a, double b) { return cpudev_alone(a * b); }
CPUDEV_FN double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
CPUDEV_FN double __ddiv_rn(double a, double b) { return a / b; }
CPUDEV_FN double __drcp_rn(double a) { return 1.0 / a; }
CPUDEV_FN double __dsqrt_rn(double a) { return __builtin_sqrt(a); }

/* Conversions. */
#define CPUDEV_TO_INT(from, ftype, name, ctype, low, high, nan, suffix, integral)                       \
    CPUDEV_FN ctype __##from##2##name##_##suffix(ftype x)                                               \
    {                                                                                                   \
        x = integral(x);                                                                                \
        return x != x ? (ctype)(nan) : x <= (ftype)(low) ? (ctype)(low) : x >= (ftype)(high) ? (ctype)(high) : (ctype)x; \
    }
#define CPUDEV_TO_INTS(from, ftype, f, name, ctype, low, high, nan)                                     \
    CPUDEV_TO_INT(from, ftype, name, ctype, low, high, nan, rn, __builtin_rint##f)                      \
    CPUDEV_TO_INT(from, ftype, name, ctype, low, high, nan, rz, __builtin_trunc##f)                     \
    CPUDEV_TO_INT(from, ftype, name, ctype, low, high, nan, ru, __builtin_ceil##f)                      \
    CPUDEV_TO_INT(from, ftype, name, ctype, low, high, nan, rd, __builtin_floor##f)
CPUDEV_TO_INTS(float, float, f, int, int, INT_MIN, INT_MAX, 0)
CPUDEV_TO_INTS(float, float, f, uint, unsigned int, 0, UINT_MAX, 0)
CPUDEV_TO_INTS(float, float, f, ll, long long, LLONG_MIN, LLONG_MAX, LLONG_MIN)
CPUDEV_TO_INTS(float, float, f, ull, unsigned long long, 0, ULLONG_MAX, 0x8000000000000000ull)
CPUDEV_TO_INTS(double, double, , int, int, INT_MIN, INT_MAX, INT_MIN)
CPUDEV_TO_INTS(double, double, , uint, unsigned int, 0, UINT_MAX, 0x80000000u)
CPUDEV_TO_INTS(double, double, , ll, long long, LLONG_MIN, LLONG_MAX, LLONG_MIN)
CPUDEV_TO_INTS(double, double, , ull, unsigned long long, 0, ULLONG_MAX, 0x8000000000000000ull)
#undef CPUDEV_TO_INTS
#undef CPUDEV_TO_INT
CPUDEV_FN double __int2double_rn(int x) { return x; }
CPUDEV_FN double __uint2double_rn(unsigned x) { return x; }
CPUDEV_FN double cpudev_int_to_double(int64_t x, int mode)
{
    uint64_t m = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    int drop = m ? 53 - (64 - __builtin_clzll(m)) : 0;
    if (drop >= 0)
        return (double)x;
    uint64_t unit = (uint64_t)1 << -drop, rest = m & (unit - 1), kept = m - rest;
    int up = mode == CPUDEV_RN ? rest > unit / 2 || (rest == unit / 2 && kept & unit)
                               : rest && (mode == CPUDEV_RU ? x > 0 : mode == CPUDEV_RD ? x < 0 : 0);
    double d = (double)kept + (up ? (double)unit : 0.0); /* both exact, and so is the sum */
    return x < 0 ? -d : d;
}
CPUDEV_FN double cpudev_uint_to_double(uint64_t x, int mode)
{
    if (!(x >> 63))
        return cpudev_int_to_double((int64_t)x, mode);
    uint64_t rest = x & 2047, kept = x - rest;
    int up = mode == CPUDEV_RN ? rest > 1024 || (rest == 1024 && kept & 2048) : rest && mode == CPUDEV_RU;
    return (double)kept + (up ? 2048.0 : 0.0);
}
#define CPUDEV_CONVERT(suffix, mode)                                                                    \
    CPUDEV_FN float __int2float_##suffix(int x) { return cpudev_bits_float(cpudev_int_to_small(x, 23, 8, mode)); }   \
    CPUDEV_FN float __uint2float_##suffix(unsigned x) { return cpudev_bits_float(cpudev_uint_to_small(x, 23, 8, mode)); } \
    CPUDEV_FN float __ll2float_##suffix(long long x) { return cpudev_bits_float(cpudev_int_to_small(x, 23, 8, mode)); } \
    CPUDEV_FN float __ull2float_##suffix(unsigned long long x) { return cpudev_bits_float(cpudev_uint_to_small(x, 23, 8, mode)); } \
    CPUDEV_FN double __ll2double_##suffix(long long x) { return cpudev_int_to_double(x, mode); }        \
    CPUDEV_FN double __ull2double_##suffix(unsigned long long x) { return cpudev_uint_to_double(x, mode); } \
    CPUDEV_FN float __double2float_##suffix(double x) { return cpudev_to_float(x, mode); }
CPUDEV_CONVERT(rn, CPUDEV_RN)
CPUDEV_CONVERT(rz, CPUDEV_RZ)
CPUDEV_CONVERT(ru, CPUDEV_RU)
CPUDEV_CONVERT(rd, CPUDEV_RD)
#undef CPUDEV_CONVERT

/* Integers. */
CPUDEV_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
CPUDEV_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
CPUDEV_FN int __popc(unsigned x) { return __builtin_popcount(x); }
CPUDEV_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CPUDEV_FN int __ffs(int x) { return __builtin_ffs(x); }
CPUDEV_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
CPUDEV_FN unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
CPUDEV_FN unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
CPUDEV_FN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> base & 1 ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
        if (mask >> bit & 1 && --left == 0)
            return (unsigned)bit;
    return 0xffffffffu;
}
CPUDEV_FN int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
CPUDEV_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
CPUDEV_FN int mul24(int a, int b) { return __mul24(a, b); }
CPUDEV_FN unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
CPUDEV_FN int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
CPUDEV_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
CPUDEV_FN int mulhi(int a, int b) { return __mulhi(a, b); }
CPUDEV_FN unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
CPUDEV_FN long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
CPUDEV_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
CPUDEV_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
CPUDEV_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
CPUDEV_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
CPUDEV_FN unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
CPUDEV_FN unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a); }
CPUDEV_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
CPUDEV_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
CPUDEV_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
CPUDEV_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
CPUDEV_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}
CPUDEV_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> (4 * i) & 7; /* the intrinsic has no use for the instruction's fourth bit */
        result |= (unsigned)(bytes >> (8 * pick) & 255) << (8 * i);
    }
    return result;
}

/* Dot products of bytes, and of halves by bytes. */
CPUDEV_FN int __dp4a(int a, int b, int c)
{
    unsigned sum = (unsigned)c;
    for (int i = 0; i < 32; i += 8)
        sum += (unsigned)((int)(signed char)(a >> i) * (signed char)(b >> i));
    return (int)sum;
}
CPUDEV_FN unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}
CPUDEV_FN int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
CPUDEV_FN unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return c + (unsigned)a.x * b.x + (unsigned)a.y * b.y + (unsigned)a.z * b.z + (unsigned)a.w * b.w;
}
CPUDEV_FN int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8); }
CPUDEV_FN int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
CPUDEV_FN unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) { return c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255); }
CPUDEV_FN unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

/* SIMD within a word: four bytes or two halves. In the expressions a and b are one lane of each operand, widened. */
#define CPUDEV_SIMD(name, type, expression)                                                             \
    CPUDEV_FN unsigned name(unsigned va, unsigned vb)                                                   \
    {                                                                                                   \
        const int bits = 8 * (int)sizeof(type);                                                         \
        const int low = (type)-1 < 0 ? -(1 << (bits - 1)) : 0;                                          \
        const int high = (type)-1 < 0 ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;                        \
        unsigned result = 0;                                                                            \
        for (int i = 0; i < 32; i += bits) {                                                            \
            int a = (type)(va >> i), b = (type)(vb >> i);                                               \
            (void)a; (void)b; (void)low; (void)high;                                                    \
            result |= ((unsigned)(expression) & ((1u << bits) - 1)) << i;                               \
        }                                                                                               \
        return result;                                                                                  \
    }
#define CPUDEV_CLAMP(x) ((x) < low ? low : (x) > high ? high : (x))
#define CPUDEV_SIMD_BOTH(lanes, s, u)                                                                   \
    CPUDEV_SIMD(__vadd##lanes, s, a + b)                                                                \
    CPUDEV_SIMD(__vaddss##lanes, s, CPUDEV_CLAMP(a + b))                                                \
    CPUDEV_SIMD(__vaddus##lanes, u, CPUDEV_CLAMP(a + b))                                                \
    CPUDEV_SIMD(__vsub##lanes, s, a - b)                                                                \
    CPUDEV_SIMD(__vsubss##lanes, s, CPUDEV_CLAMP(a - b))                                                \
    CPUDEV_SIMD(__vsubus##lanes, u, CPUDEV_CLAMP(a - b))                                                \
    CPUDEV_SIMD(__vavgs##lanes, s, (a + b + (a + b >= 0)) >> 1)                                         \
    CPUDEV_SIMD(__vavgu##lanes, u, (a + b + 1) >> 1)                                                    \
    CPUDEV_SIMD(__vhaddu##lanes, u, (a + b) >> 1)                                                       \
    CPUDEV_SIMD(__vabsdiffs##lanes, s, a > b ? a - b : b - a)                                           \
    CPUDEV_SIMD(__vabsdiffu##lanes, u, a > b ? a - b : b - a)                                           \
    CPUDEV_SIMD(__vmaxs##lanes, s, a > b ? a : b)                                                       \
    CPUDEV_SIMD(__vmaxu##lanes, u, a > b ? a : b)                                                       \
    CPUDEV_SIMD(__vmins##lanes, s, a < b ? a : b)                                                       \
    CPUDEV_SIMD(__vminu##lanes, u, a < b ? a : b)                                                       \
    CPUDEV_SIMD(__vcmpeq##lanes, u, a == b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vcmpne##lanes, u, a != b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vcmpges##lanes, s, a >= b ? -1 : 0)                                                   \
    CPUDEV_SIMD(__vcmpgeu##lanes, u, a >= b ? -1 : 0)                                                   \
    CPUDEV_SIMD(__vcmpgts##lanes, s, a > b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vcmpgtu##lanes, u, a > b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vcmples##lanes, s, a <= b ? -1 : 0)                                                   \
    CPUDEV_SIMD(__vcmpleu##lanes, u, a <= b ? -1 : 0)                                                   \
    CPUDEV_SIMD(__vcmplts##lanes, s, a < b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vcmpltu##lanes, u, a < b ? -1 : 0)                                                    \
    CPUDEV_SIMD(__vseteq##lanes, u, a == b)                                                             \
    CPUDEV_SIMD(__vsetne##lanes, u, a != b)                                                             \
    CPUDEV_SIMD(__vsetges##lanes, s, a >= b)                                                            \
    CPUDEV_SIMD(__vsetgeu##lanes, u, a >= b)                                                            \
    CPUDEV_SIMD(__vsetgts##lanes, s, a > b)                                                             \
    CPUDEV_SIMD(__vsetgtu##lanes, u, a > b)                                                             \
    CPUDEV_SIMD(__vsetles##lanes, s, a <= b)                                                            \
    CPUDEV_SIMD(__vsetleu##lanes, u, a <= b)                                                            \
    CPUDEV_SIMD(__vsetlts##lanes, s, a < b)                                                             \
    CPUDEV_SIMD(__vsetltu##lanes, u, a < b)                                                             \
    CPUDEV_SIMD(cpudev_vabs##lanes, s, a < 0 ? -a : a)                                                  \
    CPUDEV_SIMD(cpudev_vabsss##lanes, s, CPUDEV_CLAMP(a < 0 ? -a : a))                                  \
    CPUDEV_SIMD(cpudev_vneg##lanes, s, -a)                                                              \
    CPUDEV_SIMD(cpudev_vnegss##lanes, s, CPUDEV_CLAMP(-a))                                              \
    CPUDEV_FN unsigned __vabs##lanes(unsigned v) { return cpudev_vabs##lanes(v, 0); }                   \
    CPUDEV_FN unsigned __vabsss##lanes(unsigned v) { return cpudev_vabsss##lanes(v, 0); }               \
    CPUDEV_FN unsigned __vneg##lanes(unsigned v) { return cpudev_vneg##lanes(v, 0); }                   \
    CPUDEV_FN unsigned __vnegss##lanes(unsigned v) { return cpudev_vnegss##lanes(v, 0); }               \
    CPUDEV_FN unsigned __vsads##lanes(unsigned va, unsigned vb)                                         \
    {                                                                                                   \
        unsigned sum = 0;                                                                               \
        for (int i = 0; i < 32; i += 32 / lanes)                                                        \
            sum += (unsigned)abs((int)(s)(va >> i) - (int)(s)(vb >> i));                                \
        return sum;                                                                                     \
    }                                                                                                   \
    CPUDEV_FN unsigned __vsadu##lanes(unsigned va, unsigned vb)                                         \
    {                                                                                                   \
        unsigned sum = 0;                                                                               \
        for (int i = 0; i < 32; i += 32 / lanes)                                                        \
            sum += (unsigned)abs((int)(u)(va >> i) - (int)(u)(vb >> i));                                \
        return sum;                                                                                     \
    }
CPUDEV_SIMD_BOTH(2, short, unsigned short)
CPUDEV_SIMD_BOTH(4, signed char, unsigned char)
#undef CPUDEV_SIMD_BOTH
#undef CPUDEV_SIMD
#undef CPUDEV_CLAMP
#include "cpudev_dpx.h"

/* Loads and stores with a cache hint: the hint means nothing to a CPU. */
#ifndef CPUDEV_HAVE_LDG
#define CPUDEV_LOAD(name) template <class __T> CPUDEV_FN __T name(const __T *p) { return *p; }
CPUDEV_LOAD(__ldg)
CPUDEV_LOAD(__ldcg)
CPUDEV_LOAD(__ldca)
CPUDEV_LOAD(__ldcs)
CPUDEV_LOAD(__ldlu)
CPUDEV_LOAD(__ldcv)
#undef CPUDEV_LOAD
template <class __T> struct cpudev_same { typedef __T type; }; /* keeps the value out of the deduction of __T */
#define CPUDEV_STORE(name) template <class __T> CPUDEV_FN void name(__T *p, typename cpudev_same<__T>::type v) { *p = v; }
CPUDEV_STORE(__stwb)
CPUDEV_STORE(__stcg)
CPUDEV_STORE(__stcs)
CPUDEV_STORE(__stwt)
#undef CPUDEV_STORE
#endif

/* Time. In a kernel clock() counts cycles as clock64() does; in host code it stays the C library's. */
#ifdef __CUDACC__
extern "C" {
clock_t cpudev_host_clock(void) __asm__("clock");
extern inline __attribute__((gnu_inline, always_inline)) clock_t clock(void) noexcept
{
    return cpudev_on_device() ? (clock_t)cpudev_clock() : cpudev_host_clock();
}
}
CPUDEV_FN long long clock64(void) { return cpudev_clock(); }
#endif
/* A polling thread that sleeps must let the thread it waits for run. */
CPUDEV_FN void __nanosleep(unsigned) { cpudev_yield(); }

/* Hints. */
#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)
CPUDEV_FN void __prof_trigger(int) {}

/* A generic address is the only kind there is here. */
CPUDEV_FN size_t __cvta_generic_to_shared(const void *p) { return cpudev_to_shared(p); }
CPUDEV_FN size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
CPUDEV_FN void *__cvta_shared_to_generic(size_t p) { return cpudev_from_shared((uint32_t)p); }
CPUDEV_FN void *__cvta_global_to_generic(size_t p) { return (void *)p; }

/* Those of C's library whose answers are others on a GPU, for device code (compiler/emit/arithmetic.c): of -0 and +0, of
 * signalling NaNs and out of an integer's range. */
#ifdef __CUDACC__
#include "cpudev_arithmetic.h"
namespace cpudev {
namespace arithmetic {
CPUDEV_OPERATION long long in_64_bits(float x) { return Clamped<float, 8, true>::of(x); }
CPUDEV_OPERATION long long in_64_bits(double x) { return Clamped<double, 8, true>::of(x); }
#define CPUDEV_EXTREME(name)                                                                                  \
    __attribute__((always_inline)) inline float name(float a, float b) { return ::name##f(a, b); }             \
    template <class First, class Second> __attribute__((always_inline)) inline auto name(First a, Second b) -> decltype(::name(a, b)) \
    {                                                                                                         \
        return ::name(a, b);                                                                                  \
    }
#define CPUDEV_ROUNDED(name, type, round)                                                                     \
    __attribute__((always_inline)) inline type name##f(float x) { return (type)in_64_bits(::round##f(x)); }    \
    __attribute__((always_inline)) inline type name(float x) { return (type)in_64_bits(::round##f(x)); }       \
    template <class First> __attribute__((always_inline)) inline type name(First x)                                   \
    {                                                                                                         \
        return (type)in_64_bits(::round(static_cast<double>(x)));                                             \
    }
CPUDEV_EXTREME(fmin)
CPUDEV_EXTREME(fmax)
CPUDEV_ROUNDED(lround, long, round)
CPUDEV_ROUNDED(llround, long long, round)
CPUDEV_ROUNDED(lrint, long, rint)
CPUDEV_ROUNDED(llrint, long long, rint)
#undef CPUDEV_EXTREME
#undef CPUDEV_ROUNDED
} // namespace arithmetic
} // namespace cpudev
#endif

#endif
