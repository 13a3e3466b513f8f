/* integer.h: PTX's integer arithmetic, extended-precision arithmetic, logic and shifts, as the PTX ISA's chapters
 * "Integer Arithmetic", "Extended-Precision Arithmetic" and "Logic and Shift" define them. Registers are raw bits. */
#ifndef CPUDEV_PTX_INTEGER_H
#define CPUDEV_PTX_INTEGER_H

#include "types.h"

namespace cpudev
{
namespace ptx
{

template <class __T> using raw_of = typename __T::raw;
template <class __T> using value_of = typename __T::value;

/* The type with twice the bits, in which a product is exact. */
template <class __T>
using wide_value = typename std::conditional<
    __T::bits == 16, typename std::conditional<__T::is_signed, int32_t, uint32_t>::type,
    typename std::conditional<__T::bits == 32, typename std::conditional<__T::is_signed, int64_t, uint64_t>::type,
                              typename std::conditional<__T::is_signed, __int128, unsigned __int128>::type>::type>::
    type;
template <class __T>
using wide_raw =
    typename std::conditional<__T::bits == 16, uint32_t,
                              typename std::conditional<__T::bits == 32, uint64_t, unsigned __int128>::type>::type;

template <class __T> CPUDEV_PTX raw_of<__T> saturate(wide_value<__T> v)
{
    const wide_value<__T> one = 1, low = __T::is_signed ? -(one << (__T::bits - 1)) : 0;
    const wide_value<__T> high = __T::is_signed ? (one << (__T::bits - 1)) - 1 : (one << (__T::bits - 1)) * 2 - 1;
    return (raw_of<__T>)(v < low ? low : v > high ? high : v);
}

template <class __T, class __M> CPUDEV_PTX raw_of<__T> add(raw_of<__T> a, raw_of<__T> b)
{
    if constexpr (__T::lanes == 2)
        return by_halves([](uint16_t x, uint16_t y) { return (uint16_t)(x + y); }, a, b);
    else if constexpr (__M::has(m_sat))
        return saturate<__T>((wide_value<__T>)__T::get(a) + __T::get(b));
    else
        return (raw_of<__T>)(a + b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> sub(raw_of<__T> a, raw_of<__T> b)
{
    if constexpr (__M::has(m_sat))
        return saturate<__T>((wide_value<__T>)__T::get(a) - __T::get(b));
    else
        return (raw_of<__T>)(a - b);
}
template <class __T> CPUDEV_PTX wide_raw<__T> product(raw_of<__T> a, raw_of<__T> b)
{
    return (wide_raw<__T>)((wide_value<__T>)__T::get(a) * (wide_value<__T>)__T::get(b));
}
template <class __T, class __M> CPUDEV_PTX auto mul_int(raw_of<__T> a, raw_of<__T> b)
{
    if constexpr (__M::has(m_wide))
        return product<__T>(a, b);
    else
        return (raw_of<__T>)(__M::has(m_hi) ? product<__T>(a, b) >> __T::bits : product<__T>(a, b));
}
template <class __T, class __M>
CPUDEV_PTX auto mad_int(raw_of<__T> a, raw_of<__T> b,
                        typename std::conditional<__M::has(m_wide), wide_raw<__T>, raw_of<__T>>::type c)
{
    if constexpr (__M::has(m_wide)) {
        return (wide_raw<__T>)(product<__T>(a, b) + c);
    } else if constexpr (__M::has(m_sat)) { /* mad.hi.sat.s32 */
        return saturate<__T>((wide_value<__T>)__T::get((raw_of<__T>)(product<__T>(a, b) >> __T::bits)) + __T::get(c));
    } else {
        return (raw_of<__T>)((raw_of<__T>)(__M::has(m_hi) ? product<__T>(a, b) >> __T::bits : product<__T>(a, b)) + c);
    }
}
/* The 24 low bits of each operand; .hi is bits 16 to 47 of the product. */
template <class __T> CPUDEV_PTX int64_t product24(uint32_t a, uint32_t b)
{
    if constexpr (__T::is_signed)
        return (int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8);
    else
        return (int64_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff));
}
template <class __T, class __M> CPUDEV_PTX uint32_t mul24(uint32_t a, uint32_t b)
{
    return (uint32_t)(__M::has(m_hi) ? product24<__T>(a, b) >> 16 : product24<__T>(a, b));
}
template <class __T, class __M> CPUDEV_PTX uint32_t mad24(uint32_t a, uint32_t b, uint32_t c)
{
    if constexpr (__M::has(m_sat))
        return saturate<s32>((int64_t)(int32_t)mul24<__T, __M>(a, b) + (int32_t)c);
    else
        return mul24<__T, __M>(a, b) + c;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> sad(raw_of<__T> a, raw_of<__T> b, raw_of<__T> c)
{
    return (raw_of<__T>)(c + (__T::get(a) < __T::get(b) ? b - a : a - b));
}
/* The ISA leaves division by zero open. An H200 gives all ones, and so it does for the remainder in 32 bits. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> div_int(raw_of<__T> a, raw_of<__T> b)
{
    if (b == 0)
        return (raw_of<__T>)~(raw_of<__T>)0;
    if (__T::is_signed && b == (raw_of<__T>)~(raw_of<__T>)0)
        return (raw_of<__T>)(0 - a); /* the lowest number over -1 would trap on the host */
    return __T::put((value_of<__T>)(__T::get(a) / __T::get(b)));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> rem(raw_of<__T> a, raw_of<__T> b)
{
    if (b == 0)
        return __T::bits == 32 ? (raw_of<__T>)~(raw_of<__T>)0 : a;
    if (__T::is_signed && b == (raw_of<__T>)~(raw_of<__T>)0)
        return 0;
    return __T::put((value_of<__T>)(__T::get(a) % __T::get(b)));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> abs_int(raw_of<__T> a)
{
    return (raw_of<__T>)(__T::get(a) < 0 ? 0 - a : a);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> neg_int(raw_of<__T> a) { return (raw_of<__T>)(0 - a); }
template <class __T, class __M, bool larger> CPUDEV_PTX raw_of<__T> choose_int(raw_of<__T> a, raw_of<__T> b)
{
    if constexpr (__T::lanes == 2) {
        typedef typename __T::one One;
        return by_halves([](uint16_t x, uint16_t y) { return choose_int<One, __M, larger>(x, y); }, a, b);
    } else {
        const raw_of<__T> r = (__T::get(a) < __T::get(b)) == larger ? b : a;
        return __M::has(m_relu) && __T::get(r) < 0 ? 0 : r;
    }
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> min_int(raw_of<__T> a, raw_of<__T> b)
{
    return choose_int<__T, __M, false>(a, b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> max_int(raw_of<__T> a, raw_of<__T> b)
{
    return choose_int<__T, __M, true>(a, b);
}

template <class __T, class __M> CPUDEV_PTX uint32_t popc(raw_of<__T> a) { return (uint32_t)__builtin_popcountll(a); }
template <class __T, class __M> CPUDEV_PTX uint32_t clz(raw_of<__T> a)
{
    return a ? (uint32_t)__builtin_clzll(a) - (64 - __T::bits) : (uint32_t)__T::bits;
}
/* The highest bit that is not the sign; 0xffffffff if there is none. */
template <class __T, class __M> CPUDEV_PTX uint32_t bfind(raw_of<__T> a)
{
    if (__T::is_signed && __T::get(a) < 0)
        a = (raw_of<__T>)~a;
    if (!a)
        return ~0u;
    const uint32_t bit = 63 - (uint32_t)__builtin_clzll(a);
    return __M::has(m_shiftamt) ? __T::bits - 1 - bit : bit;
}
/* The place of the offset-th set bit of mask from base on, upwards for a positive offset, downwards for a negative. */
template <class __T, class __M> CPUDEV_PTX uint32_t fns(uint32_t mask, uint32_t base, uint32_t offset)
{
    const int step = offset >> 31 ? -1 : 1;
    uint32_t left = offset >> 31 ? 0u - offset : offset;
    if (offset == 0x80000000u) /* which a GPU's code cannot negate either */
        return 0;
    if (offset == 0)
        return base < 32 && (mask >> base & 1) ? base : ~0u;
    for (int64_t i = base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && --left == 0)
            return (uint32_t)i;
    return ~0u;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> brev(raw_of<__T> a)
{
    raw_of<__T> r = 0;
    for (int i = 0; i < __T::bits; i++)
        r |= (raw_of<__T>)((a >> i & 1) << (__T::bits - 1 - i));
    return r;
}
/* Of the position and the length the 32-bit forms take 8 bits, the 64-bit ones all, as measured on an H200. */
template <class __T> CPUDEV_PTX uint64_t field_size(uint32_t x) { return __T::bits == 32 ? x & 0xff : x; }
/* len bits of a from pos on, extended by the sign (the field's highest bit that lies in the register) if __T has one. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> bfe(raw_of<__T> a, uint32_t b, uint32_t c)
{
    const uint64_t top = __T::bits - 1, pos = field_size<__T>(b), len = field_size<__T>(c);
    const uint64_t last = pos + len - 1 < top ? pos + len - 1 : top;
    const bool sign = __T::is_signed && len && (a >> last & 1);
    raw_of<__T> r = sign ? (raw_of<__T>)~(raw_of<__T>)0 : 0;
    for (uint64_t i = 0; i < len && i <= top && pos + i <= top; i++)
        r = (raw_of<__T>)((r & ~((raw_of<__T>)1 << i)) | (a >> (pos + i) & 1) << i);
    return r;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> bfi(raw_of<__T> a, raw_of<__T> b, uint32_t c, uint32_t d)
{
    const uint64_t pos = field_size<__T>(c), len = field_size<__T>(d);
    for (uint64_t i = 0; i < len && pos + i < __T::bits; i++)
        b = (raw_of<__T>)((b & ~((raw_of<__T>)1 << (pos + i))) | (a >> i & 1) << (pos + i));
    return b;
}
template <class __T, class __M> CPUDEV_PTX uint32_t szext(uint32_t a, uint32_t b)
{
    if (__M::has(m_wrap))
        b &= 31;
    if (b >= 32)
        return a;
    if (!b)
        return 0;
    return __T::is_signed ? (uint32_t)((int32_t)(a << (32 - b)) >> (32 - b)) : a & ((1u << b) - 1);
}
template <class __T, class __M> CPUDEV_PTX uint32_t bmsk(uint32_t a, uint32_t b)
{
    const uint64_t from = __M::has(m_wrap) ? a & 31
                          : a < 32         ? a
                                           : 32,
                   width = __M::has(m_wrap) ? b & 31
                           : b < 32         ? b
                                            : 32;
    return (uint32_t)((((uint64_t)1 << width) - 1) << from);
}
template <class __A, class __B, class __M> CPUDEV_PTX uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    for (int i = 0; i < 32; i += 8)
        c += (uint32_t)((__A::is_signed ? (int8_t)(a >> i) : (int)(uint8_t)(a >> i)) *
                        (__B::is_signed ? (int8_t)(b >> i) : (int)(uint8_t)(b >> i)));
    return c;
}
template <class __A, class __B, class __M> CPUDEV_PTX uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c)
{
    b >>= __M::has(m_hi) ? 16 : 0;
    for (int i = 0; i < 2; i++)
        c += (uint32_t)((__A::is_signed ? (int16_t)(a >> 16 * i) : (int)(uint16_t)(a >> 16 * i)) *
                        (__B::is_signed ? (int8_t)(b >> 8 * i) : (int)(uint8_t)(b >> 8 * i)));
    return c;
}

/* ---- the carry flag: a thread's own, and only within one asm statement ---- */

static thread_local bool carry __attribute__((unused));

template <class __T> CPUDEV_PTX raw_of<__T> sum_with_carry(raw_of<__T> a, raw_of<__T> b, bool in, bool keep)
{
    const unsigned __int128 s = (unsigned __int128)a + b + in;
    if (keep)
        carry = (s >> __T::bits) != 0;
    return (raw_of<__T>)s;
}
template <class __T> CPUDEV_PTX raw_of<__T> difference_with_borrow(raw_of<__T> a, raw_of<__T> b, bool in, bool keep)
{
    if (keep)
        carry = (unsigned __int128)b + in > a;
    return (raw_of<__T>)(a - b - in);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> add_cc(raw_of<__T> a, raw_of<__T> b)
{
    return sum_with_carry<__T>(a, b, false, true);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> add_carry(raw_of<__T> a, raw_of<__T> b)
{
    return sum_with_carry<__T>(a, b, carry, __M::has(m_cc));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> sub_cc(raw_of<__T> a, raw_of<__T> b)
{
    return difference_with_borrow<__T>(a, b, false, true);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> sub_carry(raw_of<__T> a, raw_of<__T> b)
{
    return difference_with_borrow<__T>(a, b, carry, __M::has(m_cc));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mad_lo_cc(raw_of<__T> a, raw_of<__T> b, raw_of<__T> c)
{
    return sum_with_carry<__T>((raw_of<__T>)product<__T>(a, b), c, false, true);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mad_hi_cc(raw_of<__T> a, raw_of<__T> b, raw_of<__T> c)
{
    return sum_with_carry<__T>((raw_of<__T>)(product<__T>(a, b) >> __T::bits), c, false, true);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mad_lo_carry(raw_of<__T> a, raw_of<__T> b, raw_of<__T> c)
{
    return sum_with_carry<__T>((raw_of<__T>)product<__T>(a, b), c, carry, __M::has(m_cc));
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mad_hi_carry(raw_of<__T> a, raw_of<__T> b, raw_of<__T> c)
{
    return sum_with_carry<__T>((raw_of<__T>)(product<__T>(a, b) >> __T::bits), c, carry, __M::has(m_cc));
}

/* ---- logic and shifts ---- */

template <class __T, class __M> CPUDEV_PTX raw_of<__T> and_bits(raw_of<__T> a, raw_of<__T> b)
{
    return (raw_of<__T>)(a & b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> or_bits(raw_of<__T> a, raw_of<__T> b)
{
    return (raw_of<__T>)(a | b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> xor_bits(raw_of<__T> a, raw_of<__T> b)
{
    return (raw_of<__T>)(a ^ b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> not_bits(raw_of<__T> a)
{
    if constexpr (__T::bits == 1)
        return !a;
    else
        return (raw_of<__T>)~a;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> cnot(raw_of<__T> a) { return a == 0; }
template <class __T, class __M> CPUDEV_PTX uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}
template <class __M> CPUDEV_PTX uint32_t funnel_shift(uint32_t c)
{
    return __M::has(m_wrap) ? c & 31 : c < 32 ? c : 32;
}
template <class __T, class __M> CPUDEV_PTX uint32_t shf_l(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(both >> (32 - funnel_shift<__M>(c)));
}
template <class __T, class __M> CPUDEV_PTX uint32_t shf_r(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(both >> funnel_shift<__M>(c));
}
/* Shifts by more than the register's width give zero, or the sign. */
template <class __T, class __M> CPUDEV_PTX raw_of<__T> shl(raw_of<__T> a, uint32_t b)
{
    return b < __T::bits ? (raw_of<__T>)(a << b) : 0;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> shr(raw_of<__T> a, uint32_t b)
{
    return __T::put((value_of<__T>)(b < __T::bits    ? __T::get(a) >> b
                                    : __T::is_signed ? __T::get(a) >> (__T::bits - 1)
                                                     : 0));
}
template <class __T, class __M> CPUDEV_PTX uint32_t prmt(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned n = c & 3;
        unsigned from = c >> 4 * i & 7;
        bool sign = c >> (4 * i + 3) & 1;
        if constexpr (__M::has(m_f4e))
            from = n + i, sign = false;
        else if constexpr (__M::has(m_b4e))
            from = (n - i) & 7, sign = false;
        else if constexpr (__M::has(m_rc8))
            from = n, sign = false;
        else if constexpr (__M::has(m_ecl))
            from = n > i ? n : i, sign = false;
        else if constexpr (__M::has(m_ecr))
            from = n < i ? n : i, sign = false;
        else if constexpr (__M::has(m_rc16))
            from = (n & 1) * 2 + (i & 1), sign = false;
        uint32_t byte = (uint32_t)(bytes >> 8 * (from & 7) & 0xff);
        if (sign)
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

} // namespace ptx
} // namespace cpudev
#endif
