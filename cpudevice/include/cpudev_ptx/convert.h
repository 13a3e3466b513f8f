/* convert.h: cvt ("Data Movement and Conversion: cvt" of the PTX ISA). A result narrower than its register is extended
 * as its type says, so such a result is returned as a value and not as bits. */
#ifndef CPUDEV_PTX_CONVERT_H
#define CPUDEV_PTX_CONVERT_H

#include "float.h"

namespace cpudev
{
namespace ptx
{

/* ---- 8-bit formats ---- */

/* cvt to them always saturates (.satfinite). */
template <int mant> CPUDEV_PTX uint8_t to_small8(double v, bool relu)
{
    return relu && v == v && __builtin_signbit(v) ? 0 : cpudev_double_to_fp8(v, mant, 1);
}

/* ---- one number ---- */

template <class __M, class __F> CPUDEV_PTX __F integral(__F v)
{
    return __M::has(m_rni)   ? (__F)__builtin_rint(v)
           : __M::has(m_rzi) ? (__F)__builtin_trunc(v)
           : __M::has(m_rmi) ? (__F)__builtin_floor(v)
           : __M::has(m_rpi) ? (__F)__builtin_ceil(v)
                             : v;
}

/* Float to integer clamps. A NaN becomes 0; in 64 bits, or from a double in 32 bits, 2^63 or 2^31. */
template <class __D, class __S, class __M> CPUDEV_PTX value_of<__D> to_integer(double v)
{
    const double limit = __D::is_signed ? __builtin_ldexp(1, __D::bits - 1) : __builtin_ldexp(1, __D::bits);
    const raw_of<__D> top = (raw_of<__D>)((raw_of<__D>)1 << (__D::bits - 1));
    v = integral<__M>(v);
    if (v != v)
        return __D::get(__D::bits == 64 || (__S::bits == 64 && __D::bits == 32) ? top : 0);
    if (v >= limit)
        return __D::get((raw_of<__D>)(__D::is_signed ? top - 1 : ~(raw_of<__D>)0));
    if (v < (__D::is_signed ? -limit : 0))
        return __D::get(__D::is_signed ? top : 0);
    return (value_of<__D>)v;
}
template <class __D, class __S, class __M> CPUDEV_PTX raw_of<__D> integer_to_float(raw_of<__S> a)
{
    const int mode = rounding<__M>();
    if constexpr (__D::bits == 64)
        return __D::put(__S::is_signed ? cpudev_int_to_double((int64_t)__S::get(a), mode)
                                       : cpudev_uint_to_double((uint64_t)__S::get(a), mode));
    else {
        const int mant = __D::mantissa, exp = __D::bits == 16 && __D::mantissa == 10 ? 5 : 8;
        return (raw_of<__D>)(__S::is_signed ? cpudev_int_to_small((int64_t)__S::get(a), mant, exp, mode)
                                            : cpudev_uint_to_small((uint64_t)__S::get(a), mant, exp, mode));
    }
}
/* Is nothing asked for but rounding to nearest even? */
template <class __M> CPUDEV_PTX bool only_nearest()
{
    return rounding<__M>() == CPUDEV_RN && !__M::has(m_ftz) && !__M::has(m_sat) && !__M::has(m_satfinite) &&
           !__M::has(m_relu) && !__M::has(m_rni) && !__M::has(m_rzi) && !__M::has(m_rmi) && !__M::has(m_rpi);
}
template <class __D, class __S, class __M> CPUDEV_PTX raw_of<__D> float_to_float(raw_of<__S> a)
{
    if constexpr (std::is_same<__S, f32>::value && std::is_same<__D, bf16>::value)
        if (only_nearest<__M>() && (a & 0x7fffffff) <= 0x7f800000) /* the commonest by far; no NaN */
            return (raw_of<__D>)((a + 0x7fff + (a >> 16 & 1)) >> 16);
    double v = (double)integral<__M>(flushed<__S, __M>(__S::get(a)));
    if (__M::has(m_sat))
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (__M::has(m_relu) && v == v && !(v > 0))
        v = 0;
    if constexpr (__D::bits == 64) {
        return __D::put(v);
    } else {
        const int exp = __D::bits == 16 && __D::mantissa == 10 ? 5 : 8;
        if (v != v && __S::bits == 64 &&
            __D::bits == 32) /* the sign and the upper bits of a NaN stay, as measured on an H200 */
            return (raw_of<__D>)((uint64_t)a >> 32 & 0x80000000) | 0x7fc00000 |
                   (raw_of<__D>)((uint64_t)a >> 29 & 0x3fffff);
        if (v != v)
            return __D::put((value_of<__D>)v);
        raw_of<__D> r = (raw_of<__D>)cpudev_double_to_small(v, __D::mantissa, exp, rounding<__M>());
        if (__M::has(m_satfinite) && (r & (raw_of<__D>)~((raw_of<__D>)1 << (__D::bits - 1))) ==
                                         (raw_of<__D>)(((1u << exp) - 1) << __D::mantissa))
            r--;
        return __D::put(flushed<__D, __M>(__D::get(r)));
    }
}
/* tf32 keeps 10 bits of a float's mantissa; the others are zero. rna: nearest, ties away from zero. */
template <class __M> CPUDEV_PTX uint32_t to_tf32(uint32_t a)
{
    if ((a & 0x7fffffff) > 0x7f800000) /* a NaN; what becomes of it was measured on an H200 */
        return __M::has(m_rna) ? a & ~0x1fffu : 0x7fffe000;
    if ((a & 0x7fffffff) == 0x7f800000)
        return __M::has(m_relu) && (a >> 31) ? 0 : a;
    if (__M::has(m_relu) && (a >> 31))
        return 0;
    if (__M::has(m_rna))
        a += 0x1000;
    else if (!__M::has(m_rz))
        a += 0xfff + (a >> 13 & 1);
    return a & ~0x1fffu;
}

template <class __D> struct small8 : std::false_type {
};
template <> struct small8<e4m3x2> : std::integral_constant<int, 3> {
};
template <> struct small8<e5m2x2> : std::integral_constant<int, 2> {
};

/* Bits of a source may come in a wider register: the parameter narrows them. */
template <class __D, class __S, class __M, class __R> CPUDEV_PTX auto cvt(__R a)
{
    if constexpr (std::is_same<__D, tf32>::value) {
        return to_tf32<__M>((uint32_t)a);
    } else if constexpr (small8<__D>::value != 0) { /* from f16x2 */
        const int mant = small8<__D>::value;
        typedef typename __S::one One;
        const uint32_t low = to_small8<mant>(One::get((uint16_t)a), __M::has(m_relu));
        const uint32_t high = to_small8<mant>(One::get((uint16_t)(a >> 16)), __M::has(m_relu));
        return (uint16_t)(low | high << 8);
    } else if constexpr (small8<__S>::value != 0) { /* to f16x2 */
        const int mant = small8<__S>::value;
        uint32_t low = cpudev_fp8_to_half((uint8_t)a, mant), high = cpudev_fp8_to_half((uint8_t)(a >> 8), mant);
        if (__M::has(m_relu))
            low = low & 0x8000 && (low & 0x7fff) <= 0x7c00 ? 0 : low,
            high = high & 0x8000 && (high & 0x7fff) <= 0x7c00 ? 0 : high;
        return low | high << 16;
    } else if constexpr (std::is_same<__D, f32>::value && std::is_same<__S, bf16>::value && !__M::has(m_ftz) &&
                         !__M::has(m_sat)) {
        return (uint32_t)(uint16_t)a << 16; /* bfloat16 is a float's upper half, also of a NaN */
    } else if constexpr (__D::is_float && __S::is_float) {
        return float_to_float<__D, __S, __M>((raw_of<__S>)a);
    } else if constexpr (__D::is_float) {
        return integer_to_float<__D, __S, __M>((raw_of<__S>)a);
    } else if constexpr (__S::is_float) {
        return to_integer<__D, __S, __M>((double)flushed<__S, __M>(__S::get((raw_of<__S>)a)));
    } else {
        const __int128 v = (__int128)__S::get((raw_of<__S>)a), one = 1;
        const __int128 low = __D::is_signed ? -(one << (__D::bits - 1)) : 0,
                       high = (one << (__D::bits - __D::is_signed)) - 1;
        return (value_of<__D>)(__M::has(m_sat) ? (v < low ? low : v > high ? high : v) : v);
    }
}
/* Two floats into one register: the first is the upper half. */
template <class __D, class __S, class __M> CPUDEV_PTX auto cvt(raw_of<__S> a, raw_of<__S> b)
{
    if constexpr (small8<__D>::value != 0) {
        const int mant = small8<__D>::value;
        return (uint16_t)(to_small8<mant>(__S::get(b), __M::has(m_relu)) |
                          to_small8<mant>(__S::get(a), __M::has(m_relu)) << 8);
    } else {
        typedef typename __D::one One;
        return (uint32_t)float_to_float<One, __S, __M>(b) | (uint32_t)float_to_float<One, __S, __M>(a) << 16;
    }
}

} // namespace ptx
} // namespace cpudev
#endif
