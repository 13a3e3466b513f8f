/* mma.h: PTX's warp-level matrix instructions: mma.sync, mma.sp, ldmatrix, stmatrix, movmatrix ("Warp-Level Matrix
 * Instructions" of the PTX ISA). All lanes of the warp execute them together. */
#ifndef CPUDEV_PTX_MMA_FAMILY_H
#define CPUDEV_PTX_MMA_FAMILY_H

#include "../cpudev_mma.h"
#include "../cpudev_abi.h"
#include "memory.h"

namespace cpudev
{
namespace ptx
{

/* Element formats that only matrices have. */
struct e4m3 {
};
struct e5m2 {
};
struct s4 {
};
struct u4 {
};
struct b1 {
};

template <class __T> struct element;
#define CPUDEV_PTX_ELEMENT(__T, name, size)                                                                            \
    template <> struct element<__T> {                                                                                  \
        enum { format = CPUDEV_MMA_##name, bits = size };                                                              \
    };
CPUDEV_PTX_ELEMENT(f16, F16, 16)
CPUDEV_PTX_ELEMENT(bf16, BF16, 16)
CPUDEV_PTX_ELEMENT(tf32, TF32, 32)
CPUDEV_PTX_ELEMENT(f32, F32, 32)
CPUDEV_PTX_ELEMENT(f64, F64, 64)
CPUDEV_PTX_ELEMENT(s8, S8, 8)
CPUDEV_PTX_ELEMENT(u8, U8, 8)
CPUDEV_PTX_ELEMENT(s4, S4, 4)
CPUDEV_PTX_ELEMENT(u4, U4, 4)
CPUDEV_PTX_ELEMENT(b1, B1, 1)
CPUDEV_PTX_ELEMENT(e4m3, E4M3, 8)
CPUDEV_PTX_ELEMENT(e5m2, E5M2, 8)
CPUDEV_PTX_ELEMENT(s32, S32, 32)
#undef CPUDEV_PTX_ELEMENT

/* M, N or K of the shape among the modifiers. */
template <class __M> struct shape_of;
template <uint64_t... __V> struct shape_of<mods<__V...>> {
    static constexpr uint64_t code()
    {
        uint64_t found = 0;
        (void)(bool[]){false, (found = __V >> 63 ? __V : found, false)...};
        return found;
    }
    enum { m = code() >> 32 & 0x7fff, n = code() >> 16 & 0xffff, k = code() & 0xffff };
};

template <class __T> using word_of = typename std::conditional<element<__T>::bits == 64, uint64_t, uint32_t>::type;
/* Registers of a matrix of `count` elements that 32 lanes share. */
template <class __T> constexpr int registers(int count)
{
    return count * element<__T>::bits / 32 / (element<__T>::bits == 64 ? 64 : 32);
}

template <class __W, int n> CPUDEV_PTX void widen(uint64_t *to, const vec<__W, n> &from)
{
    for (int i = 0; i < n; i++)
        to[i] = from.v[i];
}

/* The first and the last of .row and .col among the modifiers. */
template <class __M> struct layouts_of;
template <uint64_t... __V> struct layouts_of<mods<__V...>> {
    static constexpr uint64_t find(bool last)
    {
        uint64_t found = 0;
        (void)(bool[]){false, (found = (__V == m_row || __V == m_col) && (last || !found) ? __V : found, false)...};
        return found;
    }
    enum { col_a = find(false) == m_col, row_b = find(true) == m_row };
};

/* This lane's part of d = a b + c; meta and selector are a sparse A's. */
template <class __D, class __A, class __B, class __C, class __M, int products, bool sparse, int of_a, int of_b,
          int of_c>
CPUDEV_PTX auto multiply(const vec<word_of<__A>, of_a> &a, const vec<word_of<__B>, of_b> &b,
                         const vec<word_of<__C>, of_c> &c, uint32_t meta, uint32_t selector)
{
    enum { m = shape_of<__M>::m, n = shape_of<__M>::n, k = shape_of<__M>::k, OF_D = registers<__D>(m * n * products) };
    static const cpudev_mma_form form = {m,
                                         n,
                                         k,
                                         element<__D>::format,
                                         element<__A>::format,
                                         element<__B>::format,
                                         element<__C>::format,
                                         __M::has(m_satfinite),
                                         sparse,
                                         __M::has(m_and),
                                         layouts_of<__M>::col_a,
                                         layouts_of<__M>::row_b};
    uint64_t wa[of_a], wb[of_b], wc[of_c], wd[OF_D];
    vec<word_of<__D>, OF_D> d;
    widen(wa, a);
    widen(wb, b);
    widen(wc, c);
    cpudev_mma(&form, wd, wa, wb, wc, meta, selector);
    for (int i = 0; i < OF_D; i++)
        d.v[i] = (word_of<__D>)wd[i];
    return d;
}

template <class __D, class __A, class __B, class __C, class __M, int m = shape_of<__M>::m, int n = shape_of<__M>::n,
          int k = shape_of<__M>::k, int products = CPUDEV_MMA_IN_QUADS(m, element<__A>::format) ? 4 : 1>
CPUDEV_PTX auto mma_sync(const vec<word_of<__A>, registers<__A>(m *k *products)> &a,
                         const vec<word_of<__B>, registers<__B>(k *n *products)> &b,
                         const vec<word_of<__C>, registers<__C>(m *n *products)> &c)
{
    static_assert(products == 4 || (!layouts_of<__M>::col_a && !layouts_of<__M>::row_b),
                  "mma.sync takes .col.col, .col.row and .row.row only as m8n8k4 of f16");
    return multiply<__D, __A, __B, __C, __M, products, false>(a, b, c, 0, 0);
}

template <class __T> constexpr bool is_fp8()
{
    return std::is_same<__T, e4m3>::value || std::is_same<__T, e5m2>::value;
}
/* Two element types whose products mma.sp forms. */
template <class __A, class __B> constexpr bool multiply_each_other()
{
    constexpr int bits = element<__A>::bits;
    return std::is_same<__A, __B>::value
               ? bits == 16 || bits == 8 || bits == 4 || std::is_same<__A, tf32>::value
               : (bits == 8 || bits == 4) && bits == int(element<__B>::bits) && is_fp8<__A>() == is_fp8<__B>();
}

/* 2:4 sparse A (tf32: 1:2, 4-bit integers: 4:8 in pairs), whose metadata runtime/warp/ptx_mma.c describes. */
template <class __D, class __A, class __B, class __C, class __M, int m = shape_of<__M>::m, int n = shape_of<__M>::n,
          int k = shape_of<__M>::k>
CPUDEV_PTX auto mma_sp_sync(const vec<uint32_t, registers<__A>(m *k / 2)> &a,
                            const vec<uint32_t, registers<__B>(k *n)> &b, const vec<uint32_t, registers<__C>(m *n)> &c,
                            uint32_t meta, uint32_t selector)
{
    static_assert(multiply_each_other<__A, __B>() && std::is_same<__C, __D>::value &&
                      std::is_same<__D, s32>::value == (element<__A>::bits <= 8 && !is_fp8<__A>()) &&
                      (!std::is_same<__D, f16>::value || std::is_same<__A, f16>::value),
                  "there is no mma.sp of these types");
    static_assert(m == 16 && n == 8 &&
                      (k * element<__A>::bits == 512 || (k * element<__A>::bits == 256 && !is_fp8<__A>())),
                  "there is no mma.sp of this shape");
    static_assert(!layouts_of<__M>::col_a && !layouts_of<__M>::row_b, "mma.sp takes .row.col");
    return multiply<__D, __A, __B, __C, __M, 1, true>(a, b, c, meta, selector);
}

/* 8 x 8 matrices of 16-bit elements: lane l gives the address of row l % 8 of matrix l / 8. */
template <class __T, class __M> CPUDEV_PTX auto ldmatrix(uint64_t address)
{
    vec<uint32_t, __M::count()> r;
    cpudev_ldmatrix<__M::count(), __M::has(m_trans)>(r.v, pointer<__M>(address));
    return r;
}
template <class __T, class __M> CPUDEV_PTX void stmatrix(uint64_t address, const vec<uint32_t, __M::count()> &r)
{
    const void *rows[2 * __M::count()];
    const unsigned g = cpudev_lane() / 4, t = cpudev_lane() % 4;
#ifdef __SANITIZE_THREAD__
    if (__M::has(m_trans)) {
        uint32_t turned[__M::count()];
        cpudev_transpose<__M::count()>(turned, r.v);
        cpudev_ldmatrix_rows(pointer<__M>(address), rows, __M::count(), 0);
        for (int i = 0; i < __M::count(); i++)
            ((uint32_t *)rows[i])[t] = turned[i];
        return;
    }
#endif
    cpudev_ldmatrix_rows(pointer<__M>(address), rows, __M::count(), __M::has(m_trans));
    for (int i = 0; i < __M::count(); i++) {
        if constexpr (__M::has(m_trans)) {
            ((uint16_t *)rows[2 * i])[g] = (uint16_t)r.v[i];
            ((uint16_t *)rows[2 * i + 1])[g] = (uint16_t)(r.v[i] >> 16);
        } else {
            ((uint32_t *)rows[i])[t] = r.v[i];
        }
    }
}
/* The transpose of an 8 x 8 matrix that the warp holds: lane 4 g + t has the elements of row g, columns 2t and 2t + 1.
 */
template <class __T, class __M> CPUDEV_PTX uint32_t movmatrix(uint32_t a)
{
    uint32_t turned;
    cpudev_transpose<1>(&turned, &a);
    return turned;
}

} // namespace ptx
} // namespace cpudev
#endif
