/*
 * cpudev_narrowfloat.h: the formats of 6 and 4 bits: e2m3 (up to 7.5), e3m2 (up to 28) and e2m1 (up to 6). They have
 * neither infinity nor NaN: what is too large becomes the largest value, NaN the largest positive one. Rounded once, to
 * nearest even or towards zero. cuda_fp6.h and cuda_fp4.h are made of these; the formats are those of the
 * "OCP Microscaling Formats (MX) Specification" 1.0 (Open Compute Project, 2023), the names and the layout of pairs
 * those of NVIDIA's CUDA Math API.
 */
#ifndef CPUDEV_NARROWFLOAT_H
#define CPUDEV_NARROWFLOAT_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

/* 2^n, for a normal result */
CPUDEV_SMALL double cpudev_power_of_two(int n) { return cpudev_bits_double((uint64_t)(n + 1023) << 52); }

/* The code of the value next to x, with `exp` bits of exponent and `mant` of mantissa, the sign above them. */
CPUDEV_SMALL unsigned cpudev_double_to_narrow(double x, int exp, int mant, enum cudaRoundMode rounding)
{
    const unsigned sign = (unsigned)(cpudev_double_bits(x) >> 63) << (exp + mant), largest = (1u << (exp + mant)) - 1u;
    const int bias = (1 << (exp - 1)) - 1, smallest = 1 - bias; /* exponent of the smallest normal value */
    const double size = x < 0 ? -x : x, step = cpudev_power_of_two(-mant);
    if (x != x)
        return largest;
    if (size > (2.0 - step) * cpudev_power_of_two((1 << exp) - 1 - bias))
        return sign | largest;
    int e = (int)((cpudev_double_bits(x) >> 52) & 0x7ff) - 1023;
    if (e < smallest)
        e = smallest;
    const double units = size / (step * cpudev_power_of_two(e)); /* below 2^(mant + 1), and exact */
    unsigned code = (unsigned)units;
    const double rest = units - code;
    if (rounding == cudaRoundNearest && (rest > 0.5 || (rest == 0.5 && (code & 1))))
        code++;
    return sign | (code + ((unsigned)(e - smallest) << mant)); /* a carry into the exponent is what it should be */
}

CPUDEV_SMALL double cpudev_narrow_to_double(unsigned code, int exp, int mant)
{
    const int bias = (1 << (exp - 1)) - 1, field = (int)(code >> mant) & ((1 << exp) - 1);
    const unsigned units = (code & ((1u << mant) - 1u)) + (field ? 1u << mant : 0u);
    const double size = units * cpudev_power_of_two((field ? field : 1) - bias - mant);
    return code >> (exp + mant) & 1 ? -size : size;
}

/* The conversions of one width. A pair has its first value in the lower `shift` bits. */
#define CPUDEV_NARROW_CONVERSIONS(width, shift, EXP, MANT)                                                             \
    CPUDEV_SMALL __nv_##width##_storage_t __nv_cvt_double_to_##width(double x, __nv_##width##_interpretation_t format, \
                                                                     enum cudaRoundMode rounding)                      \
    {                                                                                                                  \
        return (__nv_##width##_storage_t)cpudev_double_to_narrow(x, EXP(format), MANT(format), rounding);              \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##_storage_t __nv_cvt_float_to_##width(float x, __nv_##width##_interpretation_t format,   \
                                                                    enum cudaRoundMode rounding)                       \
    {                                                                                                                  \
        return __nv_cvt_double_to_##width((double)x, format, rounding);                                                \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##_storage_t __nv_cvt_halfraw_to_##width(                                                 \
        __half_raw x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                             \
    {                                                                                                                  \
        return __nv_cvt_float_to_##width(cpudev_half_to_float(x.x), format, rounding);                                 \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##_storage_t __nv_cvt_bfloat16raw_to_##width(                                             \
        __nv_bfloat16_raw x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                      \
    {                                                                                                                  \
        return __nv_cvt_float_to_##width(cpudev_bf16_to_float(x.x), format, rounding);                                 \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##x2_storage_t __nv_cvt_double2_to_##width##x2(                                           \
        double2 x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                                \
    {                                                                                                                  \
        return (__nv_##width##x2_storage_t)(__nv_cvt_double_to_##width(x.x, format, rounding) |                        \
                                            __nv_cvt_double_to_##width(x.y, format, rounding) << shift);               \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##x2_storage_t __nv_cvt_float2_to_##width##x2(                                            \
        float2 x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                                 \
    {                                                                                                                  \
        return __nv_cvt_double2_to_##width##x2(make_double2((double)x.x, (double)x.y), format, rounding);              \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##x2_storage_t __nv_cvt_halfraw2_to_##width##x2(                                          \
        __half2_raw x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                            \
    {                                                                                                                  \
        return __nv_cvt_float2_to_##width##x2(make_float2(cpudev_half_to_float(x.x), cpudev_half_to_float(x.y)),       \
                                              format, rounding);                                                       \
    }                                                                                                                  \
    CPUDEV_SMALL __nv_##width##x2_storage_t __nv_cvt_bfloat16raw2_to_##width##x2(                                      \
        __nv_bfloat162_raw x, __nv_##width##_interpretation_t format, enum cudaRoundMode rounding)                     \
    {                                                                                                                  \
        return __nv_cvt_float2_to_##width##x2(make_float2(cpudev_bf16_to_float(x.x), cpudev_bf16_to_float(x.y)),       \
                                              format, rounding);                                                       \
    }                                                                                                                  \
    CPUDEV_SMALL __half_raw __nv_cvt_##width##_to_halfraw(__nv_##width##_storage_t x,                                  \
                                                          __nv_##width##_interpretation_t format)                      \
    {                                                                                                                  \
        __half_raw h;                                                                                                  \
        h.x = cpudev_float_to_half((float)cpudev_narrow_to_double(x, EXP(format), MANT(format)));                      \
        return h;                                                                                                      \
    }                                                                                                                  \
    CPUDEV_SMALL __half2_raw __nv_cvt_##width##x2_to_halfraw2(__nv_##width##x2_storage_t x,                            \
                                                              __nv_##width##_interpretation_t format)                  \
    {                                                                                                                  \
        __half2_raw h;                                                                                                 \
        h.x = __nv_cvt_##width##_to_halfraw((__nv_##width##_storage_t)(x & ((1u << shift) - 1u)), format).x;           \
        h.y = __nv_cvt_##width##_to_halfraw((__nv_##width##_storage_t)(x >> shift), format).x;                         \
        return h;                                                                                                      \
    }

#ifdef __cplusplus
#include <type_traits>

/* The classes of one value, of a pair and of four, as cuda_fp8.h has them. */
#define CPUDEV_NARROW_CLASSES(width, shift, name, format)                                                              \
    struct __nv_##width##_##name {                                                                                     \
        __nv_##width##_storage_t __x;                                                                                  \
        __nv_##width##_##name() = default;                                                                             \
        explicit __nv_##width##_##name(double x) : __x(__nv_cvt_double_to_##width(x, format, cudaRoundNearest)) {}     \
        explicit __nv_##width##_##name(float x) : __nv_##width##_##name((double)x) {}                                  \
        explicit __nv_##width##_##name(__half x) : __nv_##width##_##name((double)__half2float(x)) {}                   \
        explicit __nv_##width##_##name(__nv_bfloat16 x) : __nv_##width##_##name((double)__bfloat162float(x)) {}        \
        template <class __T, class = typename std::enable_if<std::is_integral<__T>::value>::type>                      \
        explicit __nv_##width##_##name(__T x) : __nv_##width##_##name((double)x)                                       \
        {                                                                                                              \
        }                                                                                                              \
        explicit operator float() const { return cpudev_half_to_float(__nv_cvt_##width##_to_halfraw(__x, format).x); } \
        explicit operator double() const { return (double)(float)*this; }                                              \
        explicit operator __half() const { return __half(__nv_cvt_##width##_to_halfraw(__x, format)); }                \
        explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }                             \
        explicit operator bool() const { return (float)*this != 0.0f; }                                                \
        template <class __T, class = typename std::enable_if<std::is_integral<__T>::value>::type>                      \
        explicit operator __T() const                                                                                  \
        {                                                                                                              \
            const float x = (float)*this;                                                                              \
            return std::is_unsigned<__T>::value && x < 0.0f ? (__T)0 : (__T)x;                                         \
        }                                                                                                              \
    };                                                                                                                 \
    struct __nv_##width##x2_##name {                                                                                   \
        __nv_##width##x2_storage_t __x;                                                                                \
        __nv_##width##x2_##name() = default;                                                                           \
        explicit __nv_##width##x2_##name(double2 x)                                                                    \
            : __x(__nv_cvt_double2_to_##width##x2(x, format, cudaRoundNearest))                                        \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_##width##x2_##name(float2 x)                                                                     \
            : __x(__nv_cvt_float2_to_##width##x2(x, format, cudaRoundNearest)) {}                                      \
        explicit __nv_##width##x2_##name(__half2 x)                                                                    \
            : __x(__nv_cvt_halfraw2_to_##width##x2((__half2_raw)x, format, cudaRoundNearest))                          \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_##width##x2_##name(__nv_bfloat162 x)                                                             \
            : __x(__nv_cvt_bfloat16raw2_to_##width##x2((__nv_bfloat162_raw)x, format, cudaRoundNearest))               \
        {                                                                                                              \
        }                                                                                                              \
        explicit operator __half2() const { return __half2(__nv_cvt_##width##x2_to_halfraw2(__x, format)); }           \
        explicit operator float2() const { return __half22float2((__half2) * this); }                                  \
    };                                                                                                                 \
    struct __nv_##width##x4_##name {                                                                                   \
        __nv_##width##x4_storage_t __x;                                                                                \
        __nv_##width##x4_##name() = default;                                                                           \
        explicit __nv_##width##x4_##name(__nv_##width##x2_##name lo, __nv_##width##x2_##name hi)                       \
            : __x((__nv_##width##x4_storage_t)(lo.__x | (unsigned)hi.__x << 2 * shift))                                \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_##width##x4_##name(float4 x)                                                                     \
            : __nv_##width##x4_                                                                                        \
              ##name(__nv_##width##x2_##name(make_float2(x.x, x.y)), __nv_##width##x2_##name(make_float2(x.z, x.w)))   \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_##width##x4_##name(__half2 lo, __half2 hi)                                                       \
            : __nv_##width##x4_##name(__nv_##width##x2_##name(lo), __nv_##width##x2_##name(hi))                        \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_##width##x4_##name(__nv_bfloat162 lo, __nv_bfloat162 hi)                                         \
            : __nv_##width##x4_##name(__nv_##width##x2_##name(lo), __nv_##width##x2_##name(hi))                        \
        {                                                                                                              \
        }                                                                                                              \
        explicit operator float4() const                                                                               \
        {                                                                                                              \
            __nv_##width##x2_##name lo, hi;                                                                            \
            lo.__x = (__nv_##width##x2_storage_t)(__x & ((1u << 2 * shift) - 1u));                                     \
            hi.__x = (__nv_##width##x2_storage_t)(__x >> 2 * shift);                                                   \
            const float2 a = (float2)lo, b = (float2)hi;                                                               \
            return make_float4(a.x, a.y, b.x, b.y);                                                                    \
        }                                                                                                              \
    };

#endif
#endif
