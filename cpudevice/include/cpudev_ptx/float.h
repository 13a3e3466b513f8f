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
template <class T, class M> CPUDEV_PTX value_of<T> flushed(value_of<T> v)
{
    if constexpr (M::has(m_ftz) && !std::is_same<T, f64>::value) {
        const value_of<T> least = std::is_same<T, f16>::value ? (value_of<T>)0x1p-14 : (value_of<T>)0x1p-126;
        return v < least && v > -least ? (v * 0) : v;
    }
    return v;
}
/* .sat: into [0, 1], a NaN becomes 0. .relu: what is below 0 becomes 0, a NaN stays. */
template <class T, class M> CPUDEV_PTX raw_of<T> finish(value_of<T> v)
{
    if (M::has(m_sat))
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (M::has(m_relu) && !(v > 0) && v == v)
        v = 0;
    return T::put(flushed<T, M>(T::get(T::put(v))));
}

/* One operation in each of PTX's rounding modes; the functions are CUDA's own of that name and are never contracted. */
#define CPUDEV_PTX_ROUNDED(name, parameters, arguments)                                                                \
    template <class M> CPUDEV_PTX float name##_f32 parameters(float)                                                   \
    {                                                                                                                  \
        return M::has(m_rz)   ? __f##name##_rz arguments                                                               \
               : M::has(m_rm) ? __f##name##_rd arguments                                                               \
               : M::has(m_rp) ? __f##name##_ru arguments                                                               \
                              : __f##name##_rn arguments;                                                              \
    }                                                                                                                  \
    template <class M> CPUDEV_PTX double name##_f64 parameters(double)                                                 \
    {                                                                                                                  \
        return M::has(m_rz)   ? __d##name##_rz arguments                                                               \
               : M::has(m_rm) ? __d##name##_rd arguments                                                               \
               : M::has(m_rp) ? __d##name##_ru arguments                                                               \
                              : __d##name##_rn arguments;                                                              \
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
template <class M> CPUDEV_PTX float fma_f32(float a, float b, float c)
{
    return M::has(m_rz)   ? __fmaf_rz(a, b, c)
           : M::has(m_rm) ? __fmaf_rd(a, b, c)
           : M::has(m_rp) ? __fmaf_ru(a, b, c)
                          : __fmaf_rn(a, b, c);
}
template <class M> CPUDEV_PTX double fma_f64(double a, double b, double c)
{
    return M::has(m_rz)   ? __fma_rz(a, b, c)
           : M::has(m_rm) ? __fma_rd(a, b, c)
           : M::has(m_rp) ? __fma_ru(a, b, c)
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
    template <class T, class M> CPUDEV_PTX raw_of<T> name##_float(raw_of<T> ra, raw_of<T> rb)                          \
    {                                                                                                                  \
        if constexpr (T::lanes == 2) {                                                                                 \
            typedef typename T::one One;                                                                               \
            return by_halves([](uint16_t x, uint16_t y) { return name##_float<One, M>(x, y); }, ra, rb);               \
        } else {                                                                                                       \
            const value_of<T> a = flushed<T, M>(T::get(ra)), b = flushed<T, M>(T::get(rb));                            \
            if constexpr (T::bits == 32)                                                                               \
                return finish<T, M>(name##_f32<M>(a, b));                                                              \
            else if constexpr (T::bits == 64)                                                                          \
                return first_nan(ra, rb, rb, finish<T, M>(name##_f64<M>(a, b)));                                       \
            else                                                                                                       \
                return finish<T, M>(small);                                                                            \
        }                                                                                                              \
    }
CPUDEV_PTX_BINARY(add, cpudev_fma_to_odd((float)a, 1, (float)b))
CPUDEV_PTX_BINARY(sub, cpudev_fma_to_odd((float)b, -1, (float)a))
CPUDEV_PTX_BINARY(mul, (a * b))
#undef CPUDEV_PTX_BINARY
template <class T, class M> CPUDEV_PTX raw_of<T> fma_float(raw_of<T> ra, raw_of<T> rb, raw_of<T> rc)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        return by_halves([](uint16_t x, uint16_t y, uint16_t z) { return fma_float<One, M>(x, y, z); }, ra, rb, rc);
    } else {
        const value_of<T> a = flushed<T, M>(T::get(ra)), b = flushed<T, M>(T::get(rb)), c = flushed<T, M>(T::get(rc));
        if constexpr (T::bits == 32)
            return finish<T, M>(fma_f32<M>(a, b, c));
        else if constexpr (T::bits == 64)
            return first_nan(ra, rc, rb, finish<T, M>(fma_f64<M>(a, b, c)));
        else
            return finish<T, M>(cpudev_fma_to_odd((float)a, (float)b, (float)c));
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> div_float(raw_of<T> ra, raw_of<T> rb)
{
    const value_of<T> a = flushed<T, M>(T::get(ra)), b = flushed<T, M>(T::get(rb));
    if constexpr (T::bits == 32)
        return finish<T, M>(div_f32<M>(a, b));
    else
        return finish<T, M>(div_f64<M>(a, b));
}
/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 are coarse: the low 32 bits of the result are zero. */
template <class T, class M> CPUDEV_PTX raw_of<T> coarse(raw_of<T> r)
{
    return T::bits == 64 && M::has(m_approx) ? (raw_of<T>)(r >> (T::bits / 2) << (T::bits / 2)) : r;
}
template <class T, class M> CPUDEV_PTX raw_of<T> rcp_float(raw_of<T> ra)
{
    const value_of<T> a = flushed<T, M>(T::get(ra));
    if constexpr (T::bits == 32)
        return finish<T, M>(rcp_f32<M>(a));
    else
        return coarse<T, M>(finish<T, M>(rcp_f64<M>(a)));
}
template <class T, class M> CPUDEV_PTX raw_of<T> sqrt_float(raw_of<T> ra)
{
    const value_of<T> a = flushed<T, M>(T::get(ra));
    if constexpr (T::bits == 32)
        return finish<T, M>(sqrt_f32<M>(a));
    else
        return finish<T, M>(sqrt_f64<M>(a));
}
template <class T, class M> CPUDEV_PTX raw_of<T> rsqrt_float(raw_of<T> ra)
{
    const value_of<T> a = flushed<T, M>(T::get(ra));
    if constexpr (T::bits == 32)
        return finish<T, M>((float)(1.0 / __builtin_sqrt((double)a)));
    else
        return coarse<T, M>(finish<T, M>(1.0 / __builtin_sqrt(a)));
}
/* A sign bit is cleared or flipped; a NaN becomes the canonical one but in f64, as measured on an H200. */
template <class T, class M> CPUDEV_PTX raw_of<T> with_sign(raw_of<T> a)
{
    const value_of<T> v = flushed<T, M>(T::get(a));
    return M::has(m_ftz) || v != v ? T::put(T::bits == 64 ? T::get(a) : v) : a;
}
template <class T, class M> CPUDEV_PTX raw_of<T> abs_float(raw_of<T> a)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        return by_halves([](uint16_t x) { return abs_float<One, M>(x); }, a);
    } else {
        a &= (raw_of<T>)~((raw_of<T>)1 << (T::bits - 1));
        return with_sign<T, M>(a);
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> neg_float(raw_of<T> a)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        return by_halves([](uint16_t x) { return neg_float<One, M>(x); }, a);
    } else {
        a ^= (raw_of<T>)((raw_of<T>)1 << (T::bits - 1));
        return with_sign<T, M>(a);
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> copysign(raw_of<T> a, raw_of<T> b)
{
    const raw_of<T> sign = (raw_of<T>)1 << (T::bits - 1);
    return (a & sign) | (b & ~sign);
}

/* -0 is below +0. Of a NaN and a number the number is taken, unless .NaN says otherwise. */
template <class T, class M, bool larger> CPUDEV_PTX raw_of<T> choose_float(raw_of<T> ra, raw_of<T> rb)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        return by_halves([](uint16_t x, uint16_t y) { return choose_float<One, M, larger>(x, y); }, ra, rb);
    } else {
        const raw_of<T> top = (raw_of<T>)((raw_of<T>)1 << (T::bits - 1)), sign = (raw_of<T>)((ra ^ rb) & top);
        if constexpr (M::has(m_xorsign)) {
            ra &= (raw_of<T>)~top;
            rb &= (raw_of<T>)~top;
        }
        const value_of<T> a = flushed<T, M>(T::get(ra)), b = flushed<T, M>(T::get(rb)),
                          nan = (value_of<T>)__builtin_nan("");
        raw_of<T> r;
        if (a != a && b != b)
            return T::bits == 64 ? ra : T::put(nan); /* a double keeps the first one's bits, as measured */
        if (a != a || b != b)
            r = T::put(M::has(m_NaN) ? nan : a == a ? a : b);
        else if (a == b)
            r = T::put((T::put(a) >> (T::bits - 1)) == larger ? b : a);
        else
            r = T::put((a < b) == larger ? b : a);
        return M::has(m_xorsign) ? (raw_of<T>)((r & (raw_of<T>)~top) | sign) : r;
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> min_float(raw_of<T> a, raw_of<T> b)
{
    return choose_float<T, M, false>(a, b);
}
template <class T, class M> CPUDEV_PTX raw_of<T> max_float(raw_of<T> a, raw_of<T> b)
{
    return choose_float<T, M, true>(a, b);
}

#define CPUDEV_PTX_APPROXIMATE(name, function)                                                                         \
    template <class T, class M> CPUDEV_PTX raw_of<T> name##_float(raw_of<T> ra)                                        \
    {                                                                                                                  \
        if constexpr (T::lanes == 2) {                                                                                 \
            typedef typename T::one One;                                                                               \
            return by_halves([](uint16_t x) { return name##_float<One, M>(x); }, ra);                                  \
        } else {                                                                                                       \
            const double a = (double)flushed<T, M>(T::get(ra));                                                        \
            return finish<T, M>((value_of<T>)function(a));                                                             \
        }                                                                                                              \
    }
CPUDEV_PTX_APPROXIMATE(sin, ::sin)
CPUDEV_PTX_APPROXIMATE(cos, ::cos)
CPUDEV_PTX_APPROXIMATE(lg2, ::log2)
CPUDEV_PTX_APPROXIMATE(ex2, ::exp2)
CPUDEV_PTX_APPROXIMATE(tanh, ::tanh)
#undef CPUDEV_PTX_APPROXIMATE

template <class T, class M> CPUDEV_PTX bool testp(raw_of<T> ra)
{
    const value_of<T> a = T::get(ra), size = a < 0 ? -a : a,
                      least = T::bits == 32 ? (value_of<T>)0x1p-126 : (value_of<T>)0x1p-1022;
    const bool nan = a != a, infinite = !nan && size - size != 0, small = size > 0 && size < least;
    return M::has(m_finite)       ? !nan && !infinite
           : M::has(m_infinite)   ? infinite
           : M::has(m_number)     ? !nan
           : M::has(m_notanumber) ? nan
           : M::has(m_normal)     ? !nan && !infinite && !small /* zero counts as normal */
                                  : small;
}

/* ---- comparison and selection ---- */

template <class T, class M> CPUDEV_PTX bool compare(raw_of<T> ra, raw_of<T> rb)
{
    if constexpr (T::is_float) {
        const value_of<T> a = flushed<T, M>(T::get(ra)), b = flushed<T, M>(T::get(rb));
        const bool nan = a != a || b != b;
        return M::has(m_eq)    ? a == b
               : M::has(m_ne)  ? !nan && a != b
               : M::has(m_lt)  ? a < b
               : M::has(m_le)  ? a <= b
               : M::has(m_gt)  ? a > b
               : M::has(m_ge)  ? a >= b
               : M::has(m_equ) ? nan || a == b
               : M::has(m_neu) ? nan || a != b
               : M::has(m_ltu) ? nan || a < b
               : M::has(m_leu) ? nan || a <= b
               : M::has(m_gtu) ? nan || a > b
               : M::has(m_geu) ? nan || a >= b
               : M::has(m_num) ? !nan
                               : nan;
    } else {
        const value_of<T> a = T::get(ra), b = T::get(rb);
        return M::has(m_eq)                   ? a == b
               : M::has(m_ne)                 ? a != b
               : M::has(m_lt) || M::has(m_lo) ? a < b
               : M::has(m_le) || M::has(m_ls) ? a <= b
               : M::has(m_gt) || M::has(m_hi) ? a > b
                                              : a >= b;
    }
}
template <class M> CPUDEV_PTX bool combine(bool t, bool c)
{
    return M::has(m_and) ? t && c : M::has(m_or) ? t || c : M::has(m_xor) ? t != c : t;
}
/* p|q: q is the comparison's complement, combined alike. */
template <class T, class M> CPUDEV_PTX both<bool, bool> setp(raw_of<T> a, raw_of<T> b, bool c = true)
{
    const bool t = compare<T, M>(a, b);
    return {combine<M>(t, c), combine<M>(!t, c)};
}
/* Packed: p is of the low halves, q of the high ones. */
template <class T, class M> CPUDEV_PTX both<bool, bool> setp_pair(uint32_t a, uint32_t b, bool c = true)
{
    typedef typename T::one One;
    return {combine<M>(compare<One, M>((uint16_t)a, (uint16_t)b), c),
            combine<M>(compare<One, M>((uint16_t)(a >> 16), (uint16_t)(b >> 16)), c)};
}
/* All ones, or 1.0, where the comparison holds. */
template <class D, class T, class M> CPUDEV_PTX raw_of<D> set(raw_of<T> a, raw_of<T> b, bool c = true)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        const auto p = setp_pair<T, M>(a, b, c);
        if constexpr (D::lanes == 2)
            return (p.a ? (uint32_t)One::put(1) : 0) | (p.b ? (uint32_t)One::put(1) << 16 : 0);
        else
            return (raw_of<D>)((p.a ? 0xffffu : 0) | (p.b ? 0xffff0000u : 0));
    } else {
        const bool t = setp<T, M>(a, b, c).a;
        if constexpr (D::is_float)
            return D::put((value_of<D>)(t ? 1 : 0));
        else
            return t ? (raw_of<D>)~(raw_of<D>)0 : (raw_of<D>)0;
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> selp(raw_of<T> a, raw_of<T> b, bool c) { return c ? a : b; }
template <class T, class C, class M> CPUDEV_PTX raw_of<T> slct(raw_of<T> a, raw_of<T> b, raw_of<C> c)
{
    if constexpr (C::is_float)
        return flushed<C, M>(C::get(c)) >= 0 ? a : b;
    else
        return C::get(c) >= 0 ? a : b;
}
template <class T, class M> CPUDEV_PTX raw_of<T> mov(raw_of<T> a) { return a; }

} // namespace ptx
} // namespace cpudev
#endif
