/* integer.h: PTX's integer arithmetic, extended-precision arithmetic, logic and shifts, as the PTX ISA's chapters
 * "Integer Arithmetic", "Extended-Precision Arithmetic" and "Logic and Shift" define them. Registers are raw bits. */
#ifndef CPUDEV_PTX_INTEGER_H
#define CPUDEV_PTX_INTEGER_H

#include "types.h"

namespace cpudev
{
namespace ptx
{

template <class T> using raw_of = typename T::raw;
template <class T> using value_of = typename T::value;

/* The type with twice the bits, in which a product is exact. */
template <class T>
using wide_value = typename std::conditional<
    T::bits == 16, typename std::conditional<T::is_signed, int32_t, uint32_t>::type,
    typename std::conditional<T::bits == 32, typename std::conditional<T::is_signed, int64_t, uint64_t>::type,
                              typename std::conditional<T::is_signed, __int128, unsigned __int128>::type>::type>::type;
template <class T>
using wide_raw =
    typename std::conditional<T::bits == 16, uint32_t,
                              typename std::conditional<T::bits == 32, uint64_t, unsigned __int128>::type>::type;

template <class T> CPUDEV_PTX raw_of<T> saturate(wide_value<T> v)
{
    const wide_value<T> one = 1, low = T::is_signed ? -(one << (T::bits - 1)) : 0;
    const wide_value<T> high = T::is_signed ? (one << (T::bits - 1)) - 1 : (one << (T::bits - 1)) * 2 - 1;
    return (raw_of<T>)(v < low ? low : v > high ? high : v);
}

template <class T, class M> CPUDEV_PTX raw_of<T> add(raw_of<T> a, raw_of<T> b)
{
    if constexpr (T::lanes == 2)
        return by_halves([](uint16_t x, uint16_t y) { return (uint16_t)(x + y); }, a, b);
    else if constexpr (M::has(m_sat))
        return saturate<T>((wide_value<T>)T::get(a) + T::get(b));
    else
        return (raw_of<T>)(a + b);
}
template <class T, class M> CPUDEV_PTX raw_of<T> sub(raw_of<T> a, raw_of<T> b)
{
    if constexpr (M::has(m_sat))
        return saturate<T>((wide_value<T>)T::get(a) - T::get(b));
    else
        return (raw_of<T>)(a - b);
}
template <class T> CPUDEV_PTX wide_raw<T> product(raw_of<T> a, raw_of<T> b)
{
    return (wide_raw<T>)((wide_value<T>)T::get(a) * (wide_value<T>)T::get(b));
}
template <class T, class M> CPUDEV_PTX auto mul_int(raw_of<T> a, raw_of<T> b)
{
    if constexpr (M::has(m_wide))
        return product<T>(a, b);
    else
        return (raw_of<T>)(M::has(m_hi) ? product<T>(a, b) >> T::bits : product<T>(a, b));
}
template <class T, class M>
CPUDEV_PTX auto mad_int(raw_of<T> a, raw_of<T> b,
                        typename std::conditional<M::has(m_wide), wide_raw<T>, raw_of<T>>::type c)
{
    if constexpr (M::has(m_wide)) {
        return (wide_raw<T>)(product<T>(a, b) + c);
    } else if constexpr (M::has(m_sat)) { /* mad.hi.sat.s32 */
        return saturate<T>((wide_value<T>)T::get((raw_of<T>)(product<T>(a, b) >> T::bits)) + T::get(c));
    } else {
        return (raw_of<T>)((raw_of<T>)(M::has(m_hi) ? product<T>(a, b) >> T::bits : product<T>(a, b)) + c);
    }
}
/* The 24 low bits of each operand; .hi is bits 16 to 47 of the product. */
template <class T> CPUDEV_PTX int64_t product24(uint32_t a, uint32_t b)
{
    if constexpr (T::is_signed)
        return (int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8);
    else
        return (int64_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff));
}
template <class T, class M> CPUDEV_PTX uint32_t mul24(uint32_t a, uint32_t b)
{
    return (uint32_t)(M::has(m_hi) ? product24<T>(a, b) >> 16 : product24<T>(a, b));
}
template <class T, class M> CPUDEV_PTX uint32_t mad24(uint32_t a, uint32_t b, uint32_t c)
{
    if constexpr (M::has(m_sat))
        return saturate<s32>((int64_t)(int32_t)mul24<T, M>(a, b) + (int32_t)c);
    else
        return mul24<T, M>(a, b) + c;
}
template <class T, class M> CPUDEV_PTX raw_of<T> sad(raw_of<T> a, raw_of<T> b, raw_of<T> c)
{
    return (raw_of<T>)(c + (T::get(a) < T::get(b) ? b - a : a - b));
}
/* The ISA leaves division by zero open. An H200 gives all ones, and so it does for the remainder in 32 bits. */
template <class T, class M> CPUDEV_PTX raw_of<T> div_int(raw_of<T> a, raw_of<T> b)
{
    if (b == 0)
        return (raw_of<T>)~(raw_of<T>)0;
    if (T::is_signed && b == (raw_of<T>)~(raw_of<T>)0)
        return (raw_of<T>)(0 - a); /* the lowest number over -1 would trap on the host */
    return T::put((value_of<T>)(T::get(a) / T::get(b)));
}
template <class T, class M> CPUDEV_PTX raw_of<T> rem(raw_of<T> a, raw_of<T> b)
{
    if (b == 0)
        return T::bits == 32 ? (raw_of<T>)~(raw_of<T>)0 : a;
    if (T::is_signed && b == (raw_of<T>)~(raw_of<T>)0)
        return 0;
    return T::put((value_of<T>)(T::get(a) % T::get(b)));
}
template <class T, class M> CPUDEV_PTX raw_of<T> abs_int(raw_of<T> a) { return (raw_of<T>)(T::get(a) < 0 ? 0 - a : a); }
template <class T, class M> CPUDEV_PTX raw_of<T> neg_int(raw_of<T> a) { return (raw_of<T>)(0 - a); }
template <class T, class M, bool larger> CPUDEV_PTX raw_of<T> choose_int(raw_of<T> a, raw_of<T> b)
{
    if constexpr (T::lanes == 2) {
        typedef typename T::one One;
        return by_halves([](uint16_t x, uint16_t y) { return choose_int<One, M, larger>(x, y); }, a, b);
    } else {
        const raw_of<T> r = (T::get(a) < T::get(b)) == larger ? b : a;
        return M::has(m_relu) && T::get(r) < 0 ? 0 : r;
    }
}
template <class T, class M> CPUDEV_PTX raw_of<T> min_int(raw_of<T> a, raw_of<T> b)
{
    return choose_int<T, M, false>(a, b);
}
template <class T, class M> CPUDEV_PTX raw_of<T> max_int(raw_of<T> a, raw_of<T> b)
{
    return choose_int<T, M, true>(a, b);
}

template <class T, class M> CPUDEV_PTX uint32_t popc(raw_of<T> a) { return (uint32_t)__builtin_popcountll(a); }
template <class T, class M> CPUDEV_PTX uint32_t clz(raw_of<T> a)
{
    return a ? (uint32_t)__builtin_clzll(a) - (64 - T::bits) : (uint32_t)T::bits;
}
/* The highest bit that is not the sign; 0xffffffff if there is none. */
template <class T, class M> CPUDEV_PTX uint32_t bfind(raw_of<T> a)
{
    if (T::is_signed && T::get(a) < 0)
        a = (raw_of<T>)~a;
    if (!a)
        return ~0u;
    const uint32_t bit = 63 - (uint32_t)__builtin_clzll(a);
    return M::has(m_shiftamt) ? T::bits - 1 - bit : bit;
}
/* The place of the offset-th set bit of mask from base on, upwards for a positive offset, downwards for a negative. */
template <class T, class M> CPUDEV_PTX uint32_t fns(uint32_t mask, uint32_t base, uint32_t offset)
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
template <class T, class M> CPUDEV_PTX raw_of<T> brev(raw_of<T> a)
{
    raw_of<T> r = 0;
    for (int i = 0; i < T::bits; i++)
        r |= (raw_of<T>)((a >> i & 1) << (T::bits - 1 - i));
    return r;
}
/* Of the position and the length the 32-bit forms take 8 bits, the 64-bit ones all, as measured on an H200. */
template <class T> CPUDEV_PTX uint64_t field_size(uint32_t x) { return T::bits == 32 ? x & 0xff : x; }
/* len bits of a from pos on, extended by the sign (the field's highest bit that lies in the register) if T has one. */
template <class T, class M> CPUDEV_PTX raw_of<T> bfe(raw_of<T> a, uint32_t b, uint32_t c)
{
    const uint64_t top = T::bits - 1, pos = field_size<T>(b), len = field_size<T>(c);
    const uint64_t last = pos + len - 1 < top ? pos + len - 1 : top;
    const bool sign = T::is_signed && len && (a >> last & 1);
    raw_of<T> r = sign ? (raw_of<T>)~(raw_of<T>)0 : 0;
    for (uint64_t i = 0; i < len && i <= top && pos + i <= top; i++)
        r = (raw_of<T>)((r & ~((raw_of<T>)1 << i)) | (a >> (pos + i) & 1) << i);
    return r;
}
template <class T, class M> CPUDEV_PTX raw_of<T> bfi(raw_of<T> a, raw_of<T> b, uint32_t c, uint32_t d)
{
    const uint64_t pos = field_size<T>(c), len = field_size<T>(d);
    for (uint64_t i = 0; i < len && pos + i < T::bits; i++)
        b = (raw_of<T>)((b & ~((raw_of<T>)1 << (pos + i))) | (a >> i & 1) << (pos + i));
    return b;
}
template <class T, class M> CPUDEV_PTX uint32_t szext(uint32_t a, uint32_t b)
{
    if (M::has(m_wrap))
        b &= 31;
    if (b >= 32)
        return a;
    if (!b)
        return 0;
    return T::is_signed ? (uint32_t)((int32_t)(a << (32 - b)) >> (32 - b)) : a & ((1u << b) - 1);
}
template <class T, class M> CPUDEV_PTX uint32_t bmsk(uint32_t a, uint32_t b)
{
    const uint64_t from = M::has(m_wrap) ? a & 31 : a < 32 ? a : 32, width = M::has(m_wrap) ? b & 31 : b < 32 ? b : 32;
    return (uint32_t)((((uint64_t)1 << width) - 1) << from);
}
template <class A, class B, class M> CPUDEV_PTX uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    for (int i = 0; i < 32; i += 8)
        c += (uint32_t)((A::is_signed ? (int8_t)(a >> i) : (int)(uint8_t)(a >> i)) *
                        (B::is_signed ? (int8_t)(b >> i) : (int)(uint8_t)(b >> i)));
    return c;
}
template <class A, class B, class M> CPUDEV_PTX uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c)
{
    b >>= M::has(m_hi) ? 16 : 0;
    for (int i = 0; i < 2; i++)
        c += (uint32_t)((A::is_signed ? (int16_t)(a >> 16 * i) : (int)(uint16_t)(a >> 16 * i)) *
                        (B::is_signed ? (int8_t)(b >> 8 * i) : (int)(uint8_t)(b >> 8 * i)));
    return c;
}

/* ---- the carry flag: a thread's own, and only within one asm statement ---- */

static thread_local bool carry __attribute__((unused));

template <class T> CPUDEV_PTX raw_of<T> sum_with_carry(raw_of<T> a, raw_of<T> b, bool in, bool keep)
{
    const unsigned __int128 s = (unsigned __int128)a + b + in;
    if (keep)
        carry = (s >> T::bits) != 0;
    return (raw_of<T>)s;
}
template <class T> CPUDEV_PTX raw_of<T> difference_with_borrow(raw_of<T> a, raw_of<T> b, bool in, bool keep)
{
    if (keep)
        carry = (unsigned __int128)b + in > a;
    return (raw_of<T>)(a - b - in);
}
template <class T, class M> CPUDEV_PTX raw_of<T> add_cc(raw_of<T> a, raw_of<T> b)
{
    return sum_with_carry<T>(a, b, false, true);
}
template <class T, class M> CPUDEV_PTX raw_of<T> add_carry(raw_of<T> a, raw_of<T> b)
{
    return sum_with_carry<T>(a, b, carry, M::has(m_cc));
}
template <class T, class M> CPUDEV_PTX raw_of<T> sub_cc(raw_of<T> a, raw_of<T> b)
{
    return difference_with_borrow<T>(a, b, false, true);
}
template <class T, class M> CPUDEV_PTX raw_of<T> sub_carry(raw_of<T> a, raw_of<T> b)
{
    return difference_with_borrow<T>(a, b, carry, M::has(m_cc));
}
template <class T, class M> CPUDEV_PTX raw_of<T> mad_lo_cc(raw_of<T> a, raw_of<T> b, raw_of<T> c)
{
    return sum_with_carry<T>((raw_of<T>)product<T>(a, b), c, false, true);
}
template <class T, class M> CPUDEV_PTX raw_of<T> mad_hi_cc(raw_of<T> a, raw_of<T> b, raw_of<T> c)
{
    return sum_with_carry<T>((raw_of<T>)(product<T>(a, b) >> T::bits), c, false, true);
}
template <class T, class M> CPUDEV_PTX raw_of<T> mad_lo_carry(raw_of<T> a, raw_of<T> b, raw_of<T> c)
{
    return sum_with_carry<T>((raw_of<T>)product<T>(a, b), c, carry, M::has(m_cc));
}
template <class T, class M> CPUDEV_PTX raw_of<T> mad_hi_carry(raw_of<T> a, raw_of<T> b, raw_of<T> c)
{
    return sum_with_carry<T>((raw_of<T>)(product<T>(a, b) >> T::bits), c, carry, M::has(m_cc));
}

/* ---- logic and shifts ---- */

template <class T, class M> CPUDEV_PTX raw_of<T> and_bits(raw_of<T> a, raw_of<T> b) { return (raw_of<T>)(a & b); }
template <class T, class M> CPUDEV_PTX raw_of<T> or_bits(raw_of<T> a, raw_of<T> b) { return (raw_of<T>)(a | b); }
template <class T, class M> CPUDEV_PTX raw_of<T> xor_bits(raw_of<T> a, raw_of<T> b) { return (raw_of<T>)(a ^ b); }
template <class T, class M> CPUDEV_PTX raw_of<T> not_bits(raw_of<T> a)
{
    if constexpr (T::bits == 1)
        return !a;
    else
        return (raw_of<T>)~a;
}
template <class T, class M> CPUDEV_PTX raw_of<T> cnot(raw_of<T> a) { return a == 0; }
template <class T, class M> CPUDEV_PTX uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}
template <class M> CPUDEV_PTX uint32_t funnel_shift(uint32_t c) { return M::has(m_wrap) ? c & 31 : c < 32 ? c : 32; }
template <class T, class M> CPUDEV_PTX uint32_t shf_l(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(both >> (32 - funnel_shift<M>(c)));
}
template <class T, class M> CPUDEV_PTX uint32_t shf_r(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(both >> funnel_shift<M>(c));
}
/* Shifts by more than the register's width give zero, or the sign. */
template <class T, class M> CPUDEV_PTX raw_of<T> shl(raw_of<T> a, uint32_t b)
{
    return b < T::bits ? (raw_of<T>)(a << b) : 0;
}
template <class T, class M> CPUDEV_PTX raw_of<T> shr(raw_of<T> a, uint32_t b)
{
    return T::put((value_of<T>)(b < T::bits ? T::get(a) >> b : T::is_signed ? T::get(a) >> (T::bits - 1) : 0));
}
template <class T, class M> CPUDEV_PTX uint32_t prmt(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned n = c & 3;
        unsigned from = c >> 4 * i & 7;
        bool sign = c >> (4 * i + 3) & 1;
        if constexpr (M::has(m_f4e))
            from = n + i, sign = false;
        else if constexpr (M::has(m_b4e))
            from = (n - i) & 7, sign = false;
        else if constexpr (M::has(m_rc8))
            from = n, sign = false;
        else if constexpr (M::has(m_ecl))
            from = n > i ? n : i, sign = false;
        else if constexpr (M::has(m_ecr))
            from = n < i ? n : i, sign = false;
        else if constexpr (M::has(m_rc16))
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
