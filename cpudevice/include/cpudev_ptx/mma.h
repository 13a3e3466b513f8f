/* mma.h: PTX's warp-level matrix instructions: mma.sync, mma.sp, ldmatrix, stmatrix, movmatrix ("Warp-Level Matrix
 * Instructions" of the PTX ISA). All lanes of the warp execute them together. */
#ifndef CPUDEV_PTX_MMA_FAMILY_H
#define CPUDEV_PTX_MMA_FAMILY_H

#include "../cpudev_mma.h"
#include "../cpudev_ptx_mma.h"
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

template <class D, class A, class B, class C, class M, int m = shape_of<M>::m, int n = shape_of<M>::n,
          int k = shape_of<M>::k, int products = CPUDEV_MMA_IN_QUADS(m, element<A>::format) ? 4 : 1>
CPUDEV_PTX vec<word_of<D>, registers<D>(m *n *products)>
mma_sync(const vec<word_of<A>, registers<A>(m *k *products)> &a, const vec<word_of<B>, registers<B>(k *n *products)> &b,
         const vec<word_of<C>, registers<C>(m *n *products)> &c)
{
    static_assert(products == 4 || (!layouts_of<M>::col_a && !layouts_of<M>::row_b),
                  "mma.sync takes .col.col, .col.row and .row.row only as m8n8k4 of f16");
    static const cpudev_mma_form form = {m,
                                         n,
                                         k,
                                         element<D>::format,
                                         element<A>::format,
                                         element<B>::format,
                                         element<C>::format,
                                         M::has(m_satfinite),
                                         M::has(m_and),
                                         layouts_of<M>::col_a,
                                         layouts_of<M>::row_b};
    enum { OF_D = registers<D>(m * n * products) };
    uint64_t wa[registers<A>(m * k * products)], wb[registers<B>(k * n * products)], wd[OF_D];
    uint64_t wc[registers<C>(m * n * products)];
    vec<word_of<D>, OF_D> d;
    widen(wa, a);
    widen(wb, b);
    widen(wc, c);
    cpudev_mma(&form, wd, wa, wb, wc);
    for (int i = 0; i < OF_D; i++)
        d.v[i] = (word_of<D>)wd[i];
    return d;
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

/* 2:4 sparse A: the shapes whose metadata lie in every lane, or in the pair that the selector names. */
template <class D, class A, class B, class C, class M, int m = shape_of<M>::m, int n = shape_of<M>::n,
          int k = shape_of<M>::k>
CPUDEV_PTX auto mma_sp_sync(const vec<uint32_t, 4> &a, const vec<uint32_t, 4> &b, const vec<uint32_t, 4> &c,
                            uint32_t meta, int selector)
{
    static_assert(std::is_same<A, B>::value &&
                      (std::is_same<A, bf16>::value || std::is_same<A, f16>::value || std::is_same<A, s8>::value),
                  "mma.sp takes bf16, f16 and s8 on the CPU device");
    static_assert(n == 8 && m == 16 && k == 512 / element<A>::bits,
                  "this shape of mma.sp is not supported on the CPU device");
    vec<uint32_t, 4> d = c;
    if constexpr (std::is_same<A, bf16>::value)
        cpudev_mma_sp_m16n8k32_bf16((float *)(void *)d.v, a.v, b.v, meta, selector);
    else if constexpr (std::is_same<A, f16>::value)
        cpudev_mma_sp_m16n8k32_f16((float *)(void *)d.v, a.v, b.v, meta, selector);
    else
        cpudev_mma_sp_m16n8k64_s8((int *)(void *)d.v, a.v, b.v, meta, selector);
    return d;
}

} // namespace ptx
} // namespace cpudev
#endif
