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

template <class T> struct element;
#define CPUDEV_PTX_ELEMENT(T, name, size)                                                                              \
    template <> struct element<T> {                                                                                    \
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
template <class M> struct shape_of;
template <uint64_t... V> struct shape_of<mods<V...>> {
    static constexpr uint64_t code()
    {
        uint64_t found = 0;
        (void)(bool[]){false, (found = V >> 63 ? V : found, false)...};
        return found;
    }
    enum { m = code() >> 32 & 0x7fff, n = code() >> 16 & 0xffff, k = code() & 0xffff };
};

template <class T> using word_of = typename std::conditional<element<T>::bits == 64, uint64_t, uint32_t>::type;
/* Registers of a matrix of `count` elements that 32 lanes share. */
template <class T> constexpr int registers(int count)
{
    return count * element<T>::bits / 32 / (element<T>::bits == 64 ? 64 : 32);
}

template <class W, int n> CPUDEV_PTX void widen(uint64_t *to, const vec<W, n> &from)
{
    for (int i = 0; i < n; i++)
        to[i] = from.v[i];
}

/* The first and the last of .row and .col among the modifiers. */
template <class M> struct layouts_of;
template <uint64_t... V> struct layouts_of<mods<V...>> {
    static constexpr uint64_t find(bool last)
    {
        uint64_t found = 0;
        (void)(bool[]){false, (found = (V == m_row || V == m_col) && (last || !found) ? V : found, false)...};
        return found;
    }
    enum { col_a = find(false) == m_col, row_b = find(true) == m_row };
};

/* This lane's part of d = a b + c; meta and selector are a sparse A's. */
template <class D, class A, class B, class C, class M, int products, bool sparse, int of_a, int of_b, int of_c>
CPUDEV_PTX auto multiply(const vec<word_of<A>, of_a> &a, const vec<word_of<B>, of_b> &b, const vec<word_of<C>, of_c> &c,
                         uint32_t meta, uint32_t selector)
{
    enum { m = shape_of<M>::m, n = shape_of<M>::n, k = shape_of<M>::k, OF_D = registers<D>(m * n * products) };
    static const cpudev_mma_form form = {m,
                                         n,
                                         k,
                                         element<D>::format,
                                         element<A>::format,
                                         element<B>::format,
                                         element<C>::format,
                                         M::has(m_satfinite),
                                         sparse,
                                         M::has(m_and),
                                         layouts_of<M>::col_a,
                                         layouts_of<M>::row_b};
    uint64_t wa[of_a], wb[of_b], wc[of_c], wd[OF_D];
    vec<word_of<D>, OF_D> d;
    widen(wa, a);
    widen(wb, b);
    widen(wc, c);
    cpudev_mma(&form, wd, wa, wb, wc, meta, selector);
    for (int i = 0; i < OF_D; i++)
        d.v[i] = (word_of<D>)wd[i];
    return d;
}

template <class D, class A, class B, class C, class M, int m = shape_of<M>::m, int n = shape_of<M>::n,
          int k = shape_of<M>::k, int products = CPUDEV_MMA_IN_QUADS(m, element<A>::format) ? 4 : 1>
CPUDEV_PTX auto mma_sync(const vec<word_of<A>, registers<A>(m *k *products)> &a,
                         const vec<word_of<B>, registers<B>(k *n *products)> &b,
                         const vec<word_of<C>, registers<C>(m *n *products)> &c)
{
    static_assert(products == 4 || (!layouts_of<M>::col_a && !layouts_of<M>::row_b),
                  "mma.sync takes .col.col, .col.row and .row.row only as m8n8k4 of f16");
    return multiply<D, A, B, C, M, products, false>(a, b, c, 0, 0);
}

template <class T> constexpr bool is_fp8() { return std::is_same<T, e4m3>::value || std::is_same<T, e5m2>::value; }
/* Two element types whose products mma.sp forms. */
template <class A, class B> constexpr bool multiply_each_other()
{
    constexpr int bits = element<A>::bits;
    return std::is_same<A, B>::value
               ? bits == 16 || bits == 8 || bits == 4 || std::is_same<A, tf32>::value
               : (bits == 8 || bits == 4) && bits == int(element<B>::bits) && is_fp8<A>() == is_fp8<B>();
}

/* 2:4 sparse A (tf32: 1:2, 4-bit integers: 4:8 in pairs), whose metadata runtime/warp/ptx_mma.c describes. */
template <class D, class A, class B, class C, class M, int m = shape_of<M>::m, int n = shape_of<M>::n,
          int k = shape_of<M>::k>
CPUDEV_PTX auto mma_sp_sync(const vec<uint32_t, registers<A>(m *k / 2)> &a, const vec<uint32_t, registers<B>(k *n)> &b,
                            const vec<uint32_t, registers<C>(m *n)> &c, uint32_t meta, uint32_t selector)
{
    static_assert(multiply_each_other<A, B>() && std::is_same<C, D>::value &&
                      std::is_same<D, s32>::value == (element<A>::bits <= 8 && !is_fp8<A>()) &&
                      (!std::is_same<D, f16>::value || std::is_same<A, f16>::value),
                  "there is no mma.sp of these types");
    static_assert(m == 16 && n == 8 && (k * element<A>::bits == 512 || (k * element<A>::bits == 256 && !is_fp8<A>())),
                  "there is no mma.sp of this shape");
    static_assert(!layouts_of<M>::col_a && !layouts_of<M>::row_b, "mma.sp takes .row.col");
    return multiply<D, A, B, C, M, 1, true>(a, b, c, meta, selector);
}

/* 8 x 8 matrices of 16-bit elements: lane l gives the address of row l % 8 of matrix l / 8. */
template <class T, class M> CPUDEV_PTX auto ldmatrix(uint64_t address)
{
    vec<uint32_t, M::count()> r;
    cpudev_ldmatrix<M::count(), M::has(m_trans)>(r.v, pointer<M>(address));
    return r;
}
template <class T, class M> CPUDEV_PTX void stmatrix(uint64_t address, const vec<uint32_t, M::count()> &r)
{
    const void *rows[2 * M::count()];
    const unsigned g = cpudev_lane() / 4, t = cpudev_lane() % 4;
#ifdef __SANITIZE_THREAD__
    if (M::has(m_trans)) {
        uint32_t turned[M::count()];
        cpudev_transpose<M::count()>(turned, r.v);
        cpudev_ldmatrix_rows(pointer<M>(address), rows, M::count(), 0);
        for (int i = 0; i < M::count(); i++)
            ((uint32_t *)rows[i])[t] = turned[i];
        return;
    }
#endif
    cpudev_ldmatrix_rows(pointer<M>(address), rows, M::count(), M::has(m_trans));
    for (int i = 0; i < M::count(); i++) {
        if constexpr (M::has(m_trans)) {
            ((uint16_t *)rows[2 * i])[g] = (uint16_t)r.v[i];
            ((uint16_t *)rows[2 * i + 1])[g] = (uint16_t)(r.v[i] >> 16);
        } else {
            ((uint32_t *)rows[i])[t] = r.v[i];
        }
    }
}
/* The transpose of an 8 x 8 matrix that the warp holds: lane 4 g + t has the elements of row g, columns 2t and 2t + 1.
 */
template <class T, class M> CPUDEV_PTX uint32_t movmatrix(uint32_t a)
{
    uint32_t turned;
    cpudev_transpose<1>(&turned, &a);
    return turned;
}

} // namespace ptx
} // namespace cpudev
#endif
