/*
 * cuda_bf16.h: bfloat16 and its pair, bit for bit as a GPU computes them.
 * In C only the types are there, as in CUDA's header; cpudev_smallfloat.h converts them.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"
#include "cpudev_smallfloat.h"
#include "vector_functions.h"

typedef struct __attribute__((aligned(2))) { unsigned short x; } __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __nv_bfloat162_raw;

#ifndef __cplusplus
typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;
#else
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    operator __nv_bfloat16_raw() const { __nv_bfloat16_raw raw; raw.x = __x; return raw; }
    __nv_bfloat16 &operator=(const __nv_bfloat16_raw &raw) { __x = raw.x; return *this; }

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
    explicit __nv_bfloat16(__half h) : __x(cpudev_float_to_bf16(cpudev_half_to_float(h.__x))) {}
    __nv_bfloat16(float f) : __x(cpudev_float_to_bf16(f)) {}
    __nv_bfloat16(double d) : __x((unsigned short)cpudev_double_to_small(d, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(short i) : __x((unsigned short)cpudev_int_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(unsigned short i) : __x((unsigned short)cpudev_uint_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(int i) : __x((unsigned short)cpudev_int_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(unsigned int i) : __x((unsigned short)cpudev_uint_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(long i) : __x((unsigned short)cpudev_int_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(unsigned long i) : __x((unsigned short)cpudev_uint_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(long long i) : __x((unsigned short)cpudev_int_to_small(i, 7, 8, CPUDEV_RN)) {}
    __nv_bfloat16(unsigned long long i) : __x((unsigned short)cpudev_uint_to_small(i, 7, 8, CPUDEV_RN)) {}

    operator float() const { return cpudev_bf16_to_float(__x); }
    operator bool() const { return (__x & 0x7fff) != 0; }
    inline operator signed char() const;
    inline operator unsigned char() const;
    inline operator char() const;
    inline operator short() const;
    inline operator unsigned short() const;
    inline operator int() const;
    inline operator unsigned int() const;
    inline operator long() const;
    inline operator unsigned long() const;
    inline operator long long() const;
    inline operator unsigned long long() const;
    __nv_bfloat16 &operator=(float v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(double v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(short v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(unsigned short v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(int v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(unsigned int v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(long long v) { *this = __nv_bfloat16(v); return *this; }
    __nv_bfloat16 &operator=(unsigned long long v) { *this = __nv_bfloat16(v); return *this; }
#endif
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    constexpr __nv_bfloat162(const __nv_bfloat16 &lo, const __nv_bfloat16 &hi) : x(lo), y(hi) {}
    __nv_bfloat162(const __nv_bfloat162_raw &raw) { x.__x = raw.x; y.__x = raw.y; }
    operator __nv_bfloat162_raw() const { __nv_bfloat162_raw raw; raw.x = x.__x; raw.y = y.__x; return raw; }
    CPUDEV_ASSIGN(__nv_bfloat162, whole4)
};

#define T __nv_bfloat16
#define T2 __nv_bfloat162
#define NAME bfloat16
#define NAME2 bfloat162
#define MANT 7
#define EXP 8
#define NARROW cpudev_float_to_bf16
#define WIDEN cpudev_bf16_to_float
#include "cpudev_float16.h"
#undef T
#undef T2
#undef NAME
#undef NAME2
#undef MANT
#undef EXP
#undef NARROW
#undef WIDEN

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline __nv_bfloat16::operator signed char() const { return __bfloat162char_rz(*this); }
inline __nv_bfloat16::operator unsigned char() const { return __bfloat162uchar_rz(*this); }
inline __nv_bfloat16::operator char() const { return __bfloat162char_rz(*this); }
inline __nv_bfloat16::operator short() const { return __bfloat162short_rz(*this); }
inline __nv_bfloat16::operator unsigned short() const { return __bfloat162ushort_rz(*this); }
inline __nv_bfloat16::operator int() const { return __bfloat162int_rz(*this); }
inline __nv_bfloat16::operator unsigned int() const { return __bfloat162uint_rz(*this); }
inline __nv_bfloat16::operator long() const { return __bfloat162ll_rz(*this); }
inline __nv_bfloat16::operator unsigned long() const { return __bfloat162ull_rz(*this); }
inline __nv_bfloat16::operator long long() const { return __bfloat162ll_rz(*this); }
inline __nv_bfloat16::operator unsigned long long() const { return __bfloat162ull_rz(*this); }
inline __half::__half(__nv_bfloat16 h) : __x(cpudev_float_to_half(cpudev_bf16_to_float(h.__x))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif /* __cplusplus */

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* Types that cucc's compiler trusts: see cpudev_device.h. */
#ifdef __CUDACC__
namespace cpudev {
template <> struct is_header_class<__nv_bfloat16> : std::true_type {};
template <> struct is_header_class<__nv_bfloat162> : std::true_type {};
} // namespace cpudev
#endif

#endif
