/* float.h: PTX's floating point arithmetic, comparison and selection (chapters "Floating Point", "Half Precision
 * Floating Point", "Comparison and Selection" of the PTX ISA). What is rounded is rounded once. Approximate
 * instructions are the C library's functions, which are nearer to the true value than the ISA asks. */
#ifndef CPUDEV_PTX_FLOAT_H
#define CPUDEV_PTX_FLOAT_H

#include <math.h>

#include "integer.h"

namespace cpudev
{
namespace ptx
{

/* .ftz: subnormal numbers count as zero, with their sign. */
template <class __T, class __M> CPUDEV_PTX value_of<__T> flushed(value_of<__T> v)
{
    if constexpr (__M::has(m_ftz) && !std::is_same<__T, f64>::value) {
        const value_of<__T> least = std::is_same<__T, f16>::value ? (value_of<__T>)0x1p-14 : (value_of<__T>)0x1p-126;
        return v < least && v > -least ? (v * 0) : v;
    }
    return v;
}
/* .sat: into [0, 1], a NaN becomes 0. .relu: what is below 0 becomes 0, a NaN stays. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> finish(value_of<__T> v)
{
    if (__M::has(m_sat))
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (__M::has(m_relu) && !(v > 0) && v == v)
        v = 0;
    return __T::put(flushed<__T, __M>(__T::get(__T::put(v))));
}

/* One operation in each of PTX's rounding modes; the functions are CUDA's own of that name and are never contracted. */
#define CPUDEV_PTX_ROUNDED(name, parameters, arguments)                                                                \
    template <class __M> CPUDEV_PTX float name##_f32 parameters(float)                                                 \
    {                                                                                                                  \
        return __M::has(m_rz)   ? __f##name##_rz arguments                                                             \
               : __M::has(m_rm) ? __f##name##_rd arguments                                                             \
               : __M::has(m_rp) ? __f##name##_ru arguments                                                             \
                                : __f##name##_rn arguments;                                                            \
    }                                                                                                                  \
    template <class __M> CPUDEV_PTX double name##_f64 parameters(double)                                               \
    {                                                                                                                  \
        return __M::has(m_rz)   ? __d##name##_rz arguments                                                             \
               : __M::has(m_rm) ? __d##name##_rd arguments                                                             \
               : __M::has(m_rp) ? __d##name##_ru arguments                                                             \
                                : __d##name##_rn arguments;                                                            \
    }
#define CPUDEV_PTX_1(t) (t a)
#define CPUDEV_PTX_2(t) (t a, t b)
CPUDEV_PTX_ROUNDED(add, CPUDEV_PTX_2, (a, b))
CPUDEV_PTX_ROUNDED(sub, CPUDEV_PTX_2, (a, b))
CPUDEV_PTX_ROUNDED(mul, CPUDEV_PTX_2, (a, b))
CPUDEV_PTX_ROUNDED(div, CPUDEV_PTX_2, (a, b))
CPUDEV_PTX_ROUNDED(rcp, CPUDEV_PTX_1, (a))
CPUDEV_PTX_ROUNDED(sqrt, CPUDEV_PTX_1, (a))
#undef CPUDEV_PTX_1
#undef CPUDEV_PTX_2
#undef CPUDEV_PTX_ROUNDED
template <class __M> CPUDEV_PTX float fma_f32(float a, float b, float c)
{
    return __M::has(m_rz)   ? __fmaf_rz(a, b, c)
           : __M::has(m_rm) ? __fmaf_rd(a, b, c)
           : __M::has(m_rp) ? __fmaf_ru(a, b, c)
                            : __fmaf_rn(a, b, c);
}
template <class __M> CPUDEV_PTX double fma_f64(double a, double b, double c)
{
    return __M::has(m_rz)   ? __fma_rz(a, b, c)
           : __M::has(m_rm) ? __fma_rd(a, b, c)
           : __M::has(m_rp) ? __fma_ru(a, b, c)
                            : __fma_rn(a, b, c);
}

/* Of several NaNs in f64 the first is the result, made quiet; of fma's operands the third comes before the second
 * (measured on an H200). */
CPUDEV_PTX uint64_t first_nan(uint64_t a, uint64_t b, uint64_t c, uint64_t otherwise)
{
    const uint64_t quiet = (uint64_t)1 << 51;
    return f64::get(a) != f64::get(a)   ? a | quiet
           : f64::get(b) != f64::get(b) ? b | quiet
           : f64::get(c) != f64::get(c) ? c | quiet
                                        : otherwise;
}

/* Arithmetic on one element or, for packed types, on both halves. 16-bit sums are rounded to odd in double first. */
#define CPUDEV_PTX_BINARY(name, small)                                                                                 \
    template <class __T, class __M> CPUDEV_PTX raw_of<__T> name##_float(raw_of<__T> ra, raw_of<__T> rb)                \
    {                                                                                                                  \
        if constexpr (__T::lanes == 2) {                                                                               \
            typedef typename __T::one One;                                                                             \
            return by_halves([](uint16_t x, uint16_t y) { return name##_float<One, __M>(x, y); }, ra, rb);             \
        } else {                                                                                                       \
            const value_of<__T> a = flushed<__T, __M>(__T::get(ra)), b = flushed<__T, __M>(__T::get(rb));              \
            if constexpr (__T::bits == 32)                                                                             \
                return finish<__T, __M>(name##_f32<__M>(a, b));                                                        \
            else if constexpr (__T::bits == 64)                                                                        \
                return first_nan(ra, rb, rb, finish<__T, __M>(name##_f64<__M>(a, b)));                                 \
            else                                                                                                       \
                return finish<__T, __M>(small);                                                                        \
        }                                                                                                              \
    }
CPUDEV_PTX_BINARY(add, cpudev_fma_to_odd((float)a, 1, (float)b))
CPUDEV_PTX_BINARY(sub, cpudev_fma_to_odd((float)b, -1, (float)a))
CPUDEV_PTX_BINARY(mul, (a * b))
#undef CPUDEV_PTX_BINARY
template <class __T, class __M> CPUDEV_PTX raw_of<__T> fma_float(raw_of<__T> ra, raw_of<__T> rb, raw_of<__T> rc)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        return by_halves([](uint16_t x, uint16_t y, uint16_t z) { return fma_float<One, __M>(x, y, z); }, ra, rb, rc);
    } else {
        const value_of<__T> a = flushed<__T, __M>(__T::get(ra)), b = flushed<__T, __M>(__T::get(rb)),
                            c = flushed<__T, __M>(__T::get(rc));
        if constexpr (__T::bits == 32)
            return finish<__T, __M>(fma_f32<__M>(a, b, c));
        else if constexpr (__T::bits == 64)
            return first_nan(ra, rc, rb, finish<__T, __M>(fma_f64<__M>(a, b, c)));
        else
            return finish<__T, __M>(cpudev_fma_to_odd((float)a, (float)b, (float)c));
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> div_float(raw_of<__T> ra, raw_of<__T> rb)
{
    const value_of<__T> a = flushed<__T, __M>(__T::get(ra)), b = flushed<__T, __M>(__T::get(rb));
    if constexpr (__T::bits == 32)
        return finish<__T, __M>(div_f32<__M>(a, b));
    else
        return finish<__T, __M>(div_f64<__M>(a, b));
}
/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 are coarse: the low 32 bits of the result are zero. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> coarse(raw_of<__T> r)
{
    return __T::bits == 64 && __M::has(m_approx) ? (raw_of<__T>)(r >> (__T::bits / 2) << (__T::bits / 2)) : r;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> rcp_float(raw_of<__T> ra)
{
    const value_of<__T> a = flushed<__T, __M>(__T::get(ra));
    if constexpr (__T::bits == 32)
        return finish<__T, __M>(rcp_f32<__M>(a));
    else
        return coarse<__T, __M>(finish<__T, __M>(rcp_f64<__M>(a)));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> sqrt_float(raw_of<__T> ra)
{
    const value_of<__T> a = flushed<__T, __M>(__T::get(ra));
    if constexpr (__T::bits == 32)
        return finish<__T, __M>(sqrt_f32<__M>(a));
    else
        return finish<__T, __M>(sqrt_f64<__M>(a));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> rsqrt_float(raw_of<__T> ra)
{
    const value_of<__T> a = flushed<__T, __M>(__T::get(ra));
    if constexpr (__T::bits == 32)
        return finish<__T, __M>((float)(1.0 / __builtin_sqrt((double)a)));
    else
        return coarse<__T, __M>(finish<__T, __M>(1.0 / __builtin_sqrt(a)));
}
/* A sign bit is cleared or flipped; a NaN becomes the canonical one but in f64, as measured on an H200. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> with_sign(raw_of<__T> a)
{
    const value_of<__T> v = flushed<__T, __M>(__T::get(a));
    return __M::has(m_ftz) || v != v ? __T::put(__T::bits == 64 ? __T::get(a) : v) : a;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> abs_float(raw_of<__T> a)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        return by_halves([](uint16_t x) { return abs_float<One, __M>(x); }, a);
    } else {
        a &= (raw_of<__T>)~((raw_of<__T>)1 << (__T::bits - 1));
        return with_sign<__T, __M>(a);
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> neg_float(raw_of<__T> a)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        return by_halves([](uint16_t x) { return neg_float<One, __M>(x); }, a);
    } else {
        a ^= (raw_of<__T>)((raw_of<__T>)1 << (__T::bits - 1));
        return with_sign<__T, __M>(a);
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> copysign(raw_of<__T> a, raw_of<__T> b)
{
    const raw_of<__T> sign = (raw_of<__T>)1 << (__T::bits - 1);
    return (a & sign) | (b & ~sign);
}

/* -0 is below +0. Of a NaN and a number the number is taken, unless .NaN says otherwise. */
template <class __T, class __M, bool larger> CPUDEV_PTX raw_of<__T> choose_float(raw_of<__T> ra, raw_of<__T> rb)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        return by_halves([](uint16_t x, uint16_t y) { return choose_float<One, __M, larger>(x, y); }, ra, rb);
    } else {
        const raw_of<__T> top = (raw_of<__T>)((raw_of<__T>)1 << (__T::bits - 1)), sign = (raw_of<__T>)((ra ^ rb) & top);
        if constexpr (__M::has(m_xorsign)) {
            ra &= (raw_of<__T>)~top;
            rb &= (raw_of<__T>)~top;
        }
        const value_of<__T> a = flushed<__T, __M>(__T::get(ra)), b = flushed<__T, __M>(__T::get(rb)),
                            nan = (value_of<__T>)__builtin_nan("");
        raw_of<__T> r;
        if (a != a && b != b)
            return __T::bits == 64 ? ra : __T::put(nan); /* a double keeps the first one's bits, as measured */
        if (a != a || b != b)
            r = __T::put(__M::has(m_NaN) ? nan : a == a ? a : b);
        else if (a == b)
            r = __T::put((__T::put(a) >> (__T::bits - 1)) == larger ? b : a);
        else
            r = __T::put((a < b) == larger ? b : a);
        return __M::has(m_xorsign) ? (raw_of<__T>)((r & (raw_of<__T>)~top) | sign) : r;
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> min_float(raw_of<__T> a, raw_of<__T> b)
{
    return choose_float<__T, __M, false>(a, b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> max_float(raw_of<__T> a, raw_of<__T> b)
{
    return choose_float<__T, __M, true>(a, b);
}

#define CPUDEV_PTX_APPROXIMATE(name, function)                                                                         \
    template <class __T, class __M> CPUDEV_PTX raw_of<__T> name##_float(raw_of<__T> ra)                                \
    {                                                                                                                  \
        if constexpr (__T::lanes == 2) {                                                                               \
            typedef typename __T::one One;                                                                             \
            return by_halves([](uint16_t x) { return name##_float<One, __M>(x); }, ra);                                \
        } else {                                                                                                       \
            const double a = (double)flushed<__T, __M>(__T::get(ra));                                                  \
            return finish<__T, __M>((value_of<__T>)function(a));                                                       \
        }                                                                                                              \
    }
CPUDEV_PTX_APPROXIMATE(sin, ::sin)
CPUDEV_PTX_APPROXIMATE(cos, ::cos)
CPUDEV_PTX_APPROXIMATE(lg2, ::log2)
CPUDEV_PTX_APPROXIMATE(ex2, ::exp2)
CPUDEV_PTX_APPROXIMATE(tanh, ::tanh)
#undef CPUDEV_PTX_APPROXIMATE

template <class __T, class __M> CPUDEV_PTX bool testp(raw_of<__T> ra)
{
    const value_of<__T> a = __T::get(ra), size = a < 0 ? -a : a,
                        least = __T::bits == 32 ? (value_of<__T>)0x1p-126 : (value_of<__T>)0x1p-1022;
    const bool nan = a != a, infinite = !nan && size - size != 0, small = size > 0 && size < least;
    return __M::has(m_finite)       ? !nan && !infinite
           : __M::has(m_infinite)   ? infinite
           : __M::has(m_number)     ? !nan
           : __M::has(m_notanumber) ? nan
           : __M::has(m_normal)     ? !nan && !infinite && !small /* zero counts as normal */
                                    : small;
}

/* ---- comparison and selection ---- */

template <class __T, class __M> CPUDEV_PTX bool compare(raw_of<__T> ra, raw_of<__T> rb)
{
    if constexpr (__T::is_float) {
        const value_of<__T> a = flushed<__T, __M>(__T::get(ra)), b = flushed<__T, __M>(__T::get(rb));
        const bool nan = a != a || b != b;
        return __M::has(m_eq)    ? a == b
               : __M::has(m_ne)  ? !nan && a != b
               : __M::has(m_lt)  ? a < b
               : __M::has(m_le)  ? a <= b
               : __M::has(m_gt)  ? a > b
               : __M::has(m_ge)  ? a >= b
               : __M::has(m_equ) ? nan || a == b
               : __M::has(m_neu) ? nan || a != b
               : __M::has(m_ltu) ? nan || a < b
               : __M::has(m_leu) ? nan || a <= b
               : __M::has(m_gtu) ? nan || a > b
               : __M::has(m_geu) ? nan || a >= b
               : __M::has(m_num) ? !nan
                                 : nan;
    } else {
        const value_of<__T> a = __T::get(ra), b = __T::get(rb);
        return __M::has(m_eq)                     ? a == b
               : __M::has(m_ne)                   ? a != b
               : __M::has(m_lt) || __M::has(m_lo) ? a < b
               : __M::has(m_le) || __M::has(m_ls) ? a <= b
               : __M::has(m_gt) || __M::has(m_hi) ? a > b
                                                  : a >= b;
    }
}
template <class __M> CPUDEV_PTX bool combine(bool t, bool c)
{
    return __M::has(m_and) ? t && c : __M::has(m_or) ? t || c : __M::has(m_xor) ? t != c : t;
}
/* p|q: q is the comparison's complement, combined alike. */
template <class __T, class __M> CPUDEV_PTX both<bool, bool> setp(raw_of<__T> a, raw_of<__T> b, bool c = true)
{
    const bool t = compare<__T, __M>(a, b);
    return {combine<__M>(t, c), combine<__M>(!t, c)};
}
/* Packed: p is of the low halves, q of the high ones. */
template <class __T, class __M> CPUDEV_PTX both<bool, bool> setp_pair(uint32_t a, uint32_t b, bool c = true)
{
    typedef typename __T::one One;
    return {combine<__M>(compare<One, __M>((uint16_t)a, (uint16_t)b), c),
            combine<__M>(compare<One, __M>((uint16_t)(a >> 16), (uint16_t)(b >> 16)), c)};
}
/* All ones, or 1.0, where the comparison holds. */
template <class __D, class __T, class __M> CPUDEV_PTX raw_of<__D> set(raw_of<__T> a, raw_of<__T> b, bool c = true)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        const auto p = setp_pair<__T, __M>(a, b, c);
        if constexpr (__D::lanes == 2)
            return (p.a ? (uint32_t)One::put(1) : 0) | (p.b ? (uint32_t)One::put(1) << 16 : 0);
        else
            return (raw_of<__D>)((p.a ? 0xffffu : 0) | (p.b ? 0xffff0000u : 0));
    } else {
        const bool t = setp<__T, __M>(a, b, c).a;
        if constexpr (__D::is_float)
            return __D::put((value_of<__D>)(t ? 1 : 0));
        else
            return t ? (raw_of<__D>)~(raw_of<__D>)0 : (raw_of<__D>)0;
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> selp(raw_of<__T> a, raw_of<__T> b, bool c) { return c ? a : b; }
template <class __T, class __C, class __M> CPUDEV_PTX raw_of<__T> slct(raw_of<__T> a, raw_of<__T> b, raw_of<__C> c)
{
    if constexpr (__C::is_float)
        return flushed<__C, __M>(__C::get(c)) >= 0 ? a : b;
    else
        return __C::get(c) >= 0 ? a : b;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mov(raw_of<__T> a) { return a; }

} // namespace ptx
} // namespace cpudev
#endif
