/*
 * cuda_fp8.h: the 8-bit formats e4m3 (no infinity, NaN 0x7f, up to 448) and e5m2 (a half's upper byte), with their
 * conversions: one rounding, to nearest even; SATFINITE turns what is too large into the largest finite value.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* cpudev_smallfloat.h names the formats by their bits of mantissa. */
CPUDEV_SMALL int cpudev_fp8_mantissa(__nv_fp8_interpretation_t format) { return format == __NV_E4M3 ? 3 : 2; }

CPUDEV_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format)
{
    return cpudev_double_to_fp8(x, cpudev_fp8_mantissa(format), saturate == __NV_SATFINITE);
}
CPUDEV_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t f)
{
    return __nv_cvt_double_to_fp8((double)x, s, f);
}
CPUDEV_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s, __nv_fp8_interpretation_t f)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8((double)x.x, s, f) | __nv_cvt_double_to_fp8((double)x.y, s, f)
                                                                                  << 8);
}
CPUDEV_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t s, __nv_fp8_interpretation_t f)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, s, f) | __nv_cvt_double_to_fp8(x.y, s, f) << 8);
}
CPUDEV_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t f)
{
    return __nv_cvt_double_to_fp8((double)cpudev_half_to_float(x.x), s, f);
}
CPUDEV_SMALL __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                             __nv_fp8_interpretation_t f)
{
    return __nv_cvt_float2_to_fp8x2(make_float2(cpudev_half_to_float(x.x), cpudev_half_to_float(x.y)), s, f);
}
CPUDEV_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                            __nv_fp8_interpretation_t f)
{
    return __nv_cvt_double_to_fp8((double)cpudev_bf16_to_float(x.x), s, f);
}
CPUDEV_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t s,
                                                                 __nv_fp8_interpretation_t f)
{
    return __nv_cvt_float2_to_fp8x2(make_float2(cpudev_bf16_to_float(x.x), cpudev_bf16_to_float(x.y)), s, f);
}
CPUDEV_SMALL __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
    __half_raw h;
    h.x = cpudev_fp8_to_half(x, cpudev_fp8_mantissa(format));
    return h;
}
CPUDEV_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format)
{
    __half2_raw h;
    h.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, format).x;
    h.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), format).x;
    return h;
}

#ifdef __cplusplus

#define CPUDEV_FP8(name, format)                                                                                       \
    struct __nv_fp8_##name {                                                                                           \
        __nv_fp8_storage_t __x;                                                                                        \
        __nv_fp8_##name() = default;                                                                                   \
        explicit __nv_fp8_##name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, format)) {}                 \
        explicit __nv_fp8_##name(float x) : __nv_fp8_##name((double)x) {}                                              \
        explicit __nv_fp8_##name(__half x) : __nv_fp8_##name((double)__half2float(x)) {}                               \
        explicit __nv_fp8_##name(__nv_bfloat16 x) : __nv_fp8_##name((double)__bfloat162float(x)) {}                    \
        explicit __nv_fp8_##name(int x) : __nv_fp8_##name((double)x) {}                                                \
        explicit __nv_fp8_##name(unsigned x) : __nv_fp8_##name((double)x) {}                                           \
        explicit operator float() const { return cpudev_half_to_float(__nv_cvt_fp8_to_halfraw(__x, format).x); }       \
        explicit operator double() const { return (double)(float)*this; }                                              \
        explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, format)); }                      \
        explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }                             \
        explicit operator bool() const { return (__x & 0x7f) != 0; }                                                   \
    };                                                                                                                 \
    struct __nv_fp8x2_##name {                                                                                         \
        __nv_fp8x2_storage_t __x;                                                                                      \
        __nv_fp8x2_##name() = default;                                                                                 \
        explicit __nv_fp8x2_##name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, format)) {}             \
        explicit __nv_fp8x2_##name(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, format)) {}           \
        explicit __nv_fp8x2_##name(__half2 x)                                                                          \
            : __x(__nv_cvt_halfraw2_to_fp8x2((__half2_raw)x, __NV_SATFINITE, format))                                  \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_fp8x2_##name(__nv_bfloat162 x)                                                                   \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2((__nv_bfloat162_raw)x, __NV_SATFINITE, format))                       \
        {                                                                                                              \
        }                                                                                                              \
        explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format)); }                 \
        explicit operator float2() const { return __half22float2((__half2) * this); }                                  \
    };                                                                                                                 \
    struct __nv_fp8x4_##name {                                                                                         \
        __nv_fp8x4_storage_t __x;                                                                                      \
        __nv_fp8x4_##name() = default;                                                                                 \
        explicit __nv_fp8x4_##name(float4 x)                                                                           \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(x.x, x.y), __NV_SATFINITE, format) |                            \
                  (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(x.z, x.w), __NV_SATFINITE, format) << 16)             \
        {                                                                                                              \
        }                                                                                                              \
        explicit __nv_fp8x4_##name(__half2 lo, __half2 hi)                                                             \
            : __x(__nv_fp8x2_##name(lo).__x | (unsigned)__nv_fp8x2_##name(hi).__x << 16)                               \
        {                                                                                                              \
        }                                                                                                              \
        explicit operator float4() const                                                                               \
        {                                                                                                              \
            float2 lo = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, format)));        \
            float2 hi =                                                                                                \
                __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), format)));        \
            return make_float4(lo.x, lo.y, hi.x, hi.y);                                                                \
        }                                                                                                              \
    };
CPUDEV_FP8(e4m3, __NV_E4M3)
CPUDEV_FP8(e5m2, __NV_E5M2)
#undef CPUDEV_FP8

#endif
#endif
