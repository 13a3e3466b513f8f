/*
 * cuda_fp16.h: half and half2, bit for bit as a GPU computes them.
 * In C only the types are there, as in CUDA's header; cpudev_smallfloat.h converts them.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cpudev_smallfloat.h"
#include "vector_functions.h"

typedef struct __attribute__((aligned(2))) { unsigned short x; } __half_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __half2_raw;

#ifndef __cplusplus
typedef __half_raw __half;
typedef __half2_raw __half2;
#else
struct __nv_bfloat16;
struct __attribute__((aligned(2))) __half {
    unsigned short __x;

    __half() = default;
    constexpr __half(const __half_raw &raw) : __x(raw.x) {}
    operator __half_raw() const { __half_raw raw; raw.x = __x; return raw; }
    __half &operator=(const __half_raw &raw) { __x = raw.x; return *this; }

#ifndef __CUDA_NO_HALF_CONVERSIONS__
    explicit __half(__nv_bfloat16 h);
    __half(float f) : __x(cpudev_float_to_half(f)) {}
    __half(double d) : __x((unsigned short)cpudev_double_to_small(d, 10, 5, CPUDEV_RN)) {}
    __half(short i) : __x((unsigned short)cpudev_int_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(unsigned short i) : __x((unsigned short)cpudev_uint_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(int i) : __x((unsigned short)cpudev_int_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(unsigned int i) : __x((unsigned short)cpudev_uint_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(long i) : __x((unsigned short)cpudev_int_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(unsigned long i) : __x((unsigned short)cpudev_uint_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(long long i) : __x((unsigned short)cpudev_int_to_small(i, 10, 5, CPUDEV_RN)) {}
    __half(unsigned long long i) : __x((unsigned short)cpudev_uint_to_small(i, 10, 5, CPUDEV_RN)) {}

    operator float() const { return cpudev_half_to_float(__x); }
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
    __half &operator=(float v) { *this = __half(v); return *this; }
    __half &operator=(double v) { *this = __half(v); return *this; }
    __half &operator=(short v) { *this = __half(v); return *this; }
    __half &operator=(unsigned short v) { *this = __half(v); return *this; }
    __half &operator=(int v) { *this = __half(v); return *this; }
    __half &operator=(unsigned int v) { *this = __half(v); return *this; }
    __half &operator=(long long v) { *this = __half(v); return *this; }
    __half &operator=(unsigned long long v) { *this = __half(v); return *this; }
#endif
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    constexpr __half2(const __half &lo, const __half &hi) : x(lo), y(hi) {}
    __half2(const __half2_raw &raw) { x.__x = raw.x; y.__x = raw.y; }
    operator __half2_raw() const { __half2_raw raw; raw.x = x.__x; raw.y = y.__x; return raw; }
    CPUDEV_ASSIGN(__half2, whole4)
};

#define T __half
#define T2 __half2
#define NAME half
#define NAME2 half2
#define MANT 10
#define EXP 5
#define NARROW cpudev_float_to_half
#define WIDEN cpudev_half_to_float
#include "cpudev_float16.h"
#undef T
#undef T2
#undef NAME
#undef NAME2
#undef MANT
#undef EXP
#undef NARROW
#undef WIDEN

#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __half::operator signed char() const { return __half2char_rz(*this); }
inline __half::operator unsigned char() const { return __half2uchar_rz(*this); }
inline __half::operator char() const { return __half2char_rz(*this); }
inline __half::operator short() const { return __half2short_rz(*this); }
inline __half::operator unsigned short() const { return __half2ushort_rz(*this); }
inline __half::operator int() const { return __half2int_rz(*this); }
inline __half::operator unsigned int() const { return __half2uint_rz(*this); }
inline __half::operator long() const { return __half2ll_rz(*this); }
inline __half::operator unsigned long() const { return __half2ull_rz(*this); }
inline __half::operator long long() const { return __half2ll_rz(*this); }
inline __half::operator unsigned long long() const { return __half2ull_rz(*this); }
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif /* __cplusplus */

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

/* Types that cucc's compiler trusts: see cpudev_device.h. */
#ifdef __CUDACC__
namespace cpudev {
template <> struct is_header_class<__half> : std::true_type {};
template <> struct is_header_class<__half2> : std::true_type {};
} // namespace cpudev
#endif

#endif
