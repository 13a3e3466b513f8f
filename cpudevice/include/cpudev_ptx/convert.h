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

template <class M, class F> CPUDEV_PTX F integral(F v)
{
    return M::has(m_rni)   ? (F)__builtin_rint(v)
           : M::has(m_rzi) ? (F)__builtin_trunc(v)
           : M::has(m_rmi) ? (F)__builtin_floor(v)
           : M::has(m_rpi) ? (F)__builtin_ceil(v)
                           : v;
}

/* Float to integer clamps. A NaN becomes 0; in 64 bits, or from a double in 32 bits, 2^63 or 2^31. */
template <class D, class S, class M> CPUDEV_PTX value_of<D> to_integer(double v)
{
    const double limit = D::is_signed ? __builtin_ldexp(1, D::bits - 1) : __builtin_ldexp(1, D::bits);
    const raw_of<D> top = (raw_of<D>)((raw_of<D>)1 << (D::bits - 1));
    v = integral<M>(v);
    if (v != v)
        return D::get(D::bits == 64 || (S::bits == 64 && D::bits == 32) ? top : 0);
    if (v >= limit)
        return D::get((raw_of<D>)(D::is_signed ? top - 1 : ~(raw_of<D>)0));
    if (v < (D::is_signed ? -limit : 0))
        return D::get(D::is_signed ? top : 0);
    return (value_of<D>)v;
}
template <class D, class S, class M> CPUDEV_PTX raw_of<D> integer_to_float(raw_of<S> a)
{
    const int mode = rounding<M>();
    if constexpr (D::bits == 64)
        return D::put(S::is_signed ? cpudev_int_to_double((int64_t)S::get(a), mode)
                                   : cpudev_uint_to_double((uint64_t)S::get(a), mode));
    else {
        const int mant = D::mantissa, exp = D::bits == 16 && D::mantissa == 10 ? 5 : 8;
        return (raw_of<D>)(S::is_signed ? cpudev_int_to_small((int64_t)S::get(a), mant, exp, mode)
                                        : cpudev_uint_to_small((uint64_t)S::get(a), mant, exp, mode));
    }
}
/* Is nothing asked for but rounding to nearest even? */
template <class M> CPUDEV_PTX bool only_nearest()
{
    return rounding<M>() == CPUDEV_RN && !M::has(m_ftz) && !M::has(m_sat) && !M::has(m_satfinite) && !M::has(m_relu) &&
           !M::has(m_rni) && !M::has(m_rzi) && !M::has(m_rmi) && !M::has(m_rpi);
}
template <class D, class S, class M> CPUDEV_PTX raw_of<D> float_to_float(raw_of<S> a)
{
    if constexpr (std::is_same<S, f32>::value && std::is_same<D, bf16>::value)
        if (only_nearest<M>() && (a & 0x7fffffff) <= 0x7f800000) /* the commonest by far; no NaN */
            return (raw_of<D>)((a + 0x7fff + (a >> 16 & 1)) >> 16);
    double v = (double)integral<M>(flushed<S, M>(S::get(a)));
    if (M::has(m_sat))
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (M::has(m_relu) && v == v && !(v > 0))
        v = 0;
    if constexpr (D::bits == 64) {
        return D::put(v);
    } else {
        const int exp = D::bits == 16 && D::mantissa == 10 ? 5 : 8;
        if (v != v && S::bits == 64 &&
            D::bits == 32) /* the sign and the upper bits of a NaN stay, as measured on an H200 */
            return (raw_of<D>)((uint64_t)a >> 32 & 0x80000000) | 0x7fc00000 | (raw_of<D>)((uint64_t)a >> 29 & 0x3fffff);
        if (v != v)
            return D::put((value_of<D>)v);
        raw_of<D> r = (raw_of<D>)cpudev_double_to_small(v, D::mantissa, exp, rounding<M>());
        if (M::has(m_satfinite) &&
            (r & (raw_of<D>)~((raw_of<D>)1 << (D::bits - 1))) == (raw_of<D>)(((1u << exp) - 1) << D::mantissa))
            r--;
        return D::put(flushed<D, M>(D::get(r)));
    }
}
/* tf32 keeps 10 bits of a float's mantissa; the others are zero. rna: nearest, ties away from zero. */
template <class M> CPUDEV_PTX uint32_t to_tf32(uint32_t a)
{
    if ((a & 0x7fffffff) > 0x7f800000) /* a NaN; what becomes of it was measured on an H200 */
        return M::has(m_rna) ? a & ~0x1fffu : 0x7fffe000;
    if ((a & 0x7fffffff) == 0x7f800000)
        return M::has(m_relu) && (a >> 31) ? 0 : a;
    if (M::has(m_relu) && (a >> 31))
        return 0;
    if (M::has(m_rna))
        a += 0x1000;
    else if (!M::has(m_rz))
        a += 0xfff + (a >> 13 & 1);
    return a & ~0x1fffu;
}

template <class D> struct small8 : std::false_type {
};
template <> struct small8<e4m3x2> : std::integral_constant<int, 3> {
};
template <> struct small8<e5m2x2> : std::integral_constant<int, 2> {
};

/* Bits of a source may come in a wider register: the parameter narrows them. */
template <class D, class S, class M, class R> CPUDEV_PTX auto cvt(R a)
{
    if constexpr (std::is_same<D, tf32>::value) {
        return to_tf32<M>((uint32_t)a);
    } else if constexpr (small8<D>::value != 0) { /* from f16x2 */
        const int mant = small8<D>::value;
        typedef typename S::one One;
        const uint32_t low = to_small8<mant>(One::get((uint16_t)a), M::has(m_relu));
        const uint32_t high = to_small8<mant>(One::get((uint16_t)(a >> 16)), M::has(m_relu));
        return (uint16_t)(low | high << 8);
    } else if constexpr (small8<S>::value != 0) { /* to f16x2 */
        const int mant = small8<S>::value;
        uint32_t low = cpudev_fp8_to_half((uint8_t)a, mant), high = cpudev_fp8_to_half((uint8_t)(a >> 8), mant);
        if (M::has(m_relu))
            low = low & 0x8000 && (low & 0x7fff) <= 0x7c00 ? 0 : low,
            high = high & 0x8000 && (high & 0x7fff) <= 0x7c00 ? 0 : high;
        return low | high << 16;
    } else if constexpr (std::is_same<D, f32>::value && std::is_same<S, bf16>::value && !M::has(m_ftz) &&
                         !M::has(m_sat)) {
        return (uint32_t)(uint16_t)a << 16; /* bfloat16 is a float's upper half, also of a NaN */
    } else if constexpr (D::is_float && S::is_float) {
        return float_to_float<D, S, M>((raw_of<S>)a);
    } else if constexpr (D::is_float) {
        return integer_to_float<D, S, M>((raw_of<S>)a);
    } else if constexpr (S::is_float) {
        return to_integer<D, S, M>((double)flushed<S, M>(S::get((raw_of<S>)a)));
    } else {
        const __int128 v = (__int128)S::get((raw_of<S>)a), one = 1;
        const __int128 low = D::is_signed ? -(one << (D::bits - 1)) : 0, high = (one << (D::bits - D::is_signed)) - 1;
        return (value_of<D>)(M::has(m_sat) ? (v < low ? low : v > high ? high : v) : v);
    }
}
/* Two floats into one register: the first is the upper half. */
template <class D, class S, class M> CPUDEV_PTX auto cvt(raw_of<S> a, raw_of<S> b)
{
    if constexpr (small8<D>::value != 0) {
        const int mant = small8<D>::value;
        return (uint16_t)(to_small8<mant>(S::get(b), M::has(m_relu)) | to_small8<mant>(S::get(a), M::has(m_relu)) << 8);
    } else {
        typedef typename D::one One;
        return (uint32_t)float_to_float<One, S, M>(b) | (uint32_t)float_to_float<One, S, M>(a) << 16;
    }
}

} // namespace ptx
} // namespace cpudev
#endif
